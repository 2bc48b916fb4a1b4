// Bundles the program from dist/ into dist/program/: a few files instead of hundreds, its dependencies among them, and of those only what is
// used. Finding, reading, compiling and beginning what a command does not need is most of what starting takes.
//
//   main.js ─► run ─► program ─► a verb ─► store (what the pre-commit hook needs) ─► engine (what an open memory needs) ─► the rest
//
// A file of these holds many modules, each a function that is called when something of its module is asked for, and not before:
//
//   engine.js     module.exports = [function (exports) { const other = need(17); … other.$3(…) …; put(exports, { $0: one, $1: two }) }, …]
//   modules.js    need(17): an object whose $3 calls the function of module 17, which puts values in the place of what asked

import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { minifySync, parseSync, Visitor } from 'rolldown/utils';
import { noteBundled } from './licences.mjs';

const rows = ['program', 'store', 'engine'];

/** The door of a package is passed through: whoever asks for a name needs the module behind it, and not its neighbours. */
const isDoor = (id) => /[\\/]dist[\\/](?!apps[\\/]).*[\\/]index\.js$/.test(id);

/** Lists the modules that an importer needs of what a door hands out. */
function behindDoor(door, importer) {
  const listed = (code) => [...code.matchAll(/\b(?:im|ex)port \{([^}]*)\} from '([^']+)'/g)];
  const namesOf = (list) => list.split(',').map((name) => name.trim().split(' as ')[0]);
  const asked = listed(readFileSync(importer, 'utf8'))
    .filter(([, , from]) => join(dirname(importer), from) === door)
    .flatMap(([, list]) => namesOf(list));
  return listed(readFileSync(door, 'utf8'))
    .filter(([, list]) => namesOf(list).some((name) => asked.includes(name)))
    .map(([, , from]) => join(dirname(door), from));
}

/** Says which modules lie together, in rows that each need those before them; everything else is parted by its folder or package. */
function rowsOf(root, moduleOf) {
  const inDist = (name) => join(root, 'dist', name);
  const closureOf = (...ids) => {
    const found = new Set(ids);
    for (const id of found)
      for (const imported of moduleOf(id)?.importedIds ?? [])
        for (const needed of isDoor(imported) ? behindDoor(imported, id) : [imported]) found.add(needed);
    return found;
  };
  const program = closureOf(inDist('apps/cli/run.js'));
  // A run waits for the verb that it runs: whatever the verb needs of its row must not wait for the run.
  program.delete(inDist('apps/cli/run.js'));
  const store = closureOf(inDist('memory/staged.js'));
  const engine = closureOf(inDist('memory/open-memory.js'));
  const rowOf = new Map();
  const put = (row, ids) => {
    // Stop words of all languages are many, and most memories never ask for them.
    for (const id of ids) if (!rowOf.has(id) && !/node_modules.@orama\b/.test(id)) rowOf.set(id, row);
  };
  put('program', program);
  put('store', store);
  put('engine', engine);
  return rowOf;
}

/** Writes what is not ASCII as escapes: strings, patterns and names mean the same, and a part's bytes are its text. */
const asAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const minify = {
  // Names of classes stay, for what a stack says. Those of functions were a twentieth of the package. A build is exact, so its map can be
  // made again for a place that a stack names.
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: { function: false, class: true }, toplevel: true },
  codegen: { removeWhitespace: true },
};

/** A line is broken behind the first statement or member of a class that ends this far from its beginning. */
const lineLength = 240;

/** Breaks lines: Node shows the whole line of an error that nobody caught, and one of 10,000 characters hides what it says. */
function withLines(fileName, code) {
  const { program } = parseSync(fileName, code, { lang: 'js', sourceType: 'script' });
  const ends = [];
  const note = (nodes) => {
    for (const { end } of nodes) ends.push(end);
  };
  const visitor = new Visitor({
    BlockStatement: ({ body }) => note(body),
    ClassBody: ({ body }) => note(body),
    Program: ({ body }) => note(body),
    SwitchCase: ({ consequent }) => note(consequent),
  });
  visitor.visit(program);
  let lines = '';
  let start = 0;
  for (const end of ends.sort((one, other) => one - other)) {
    if (end - start < lineLength) continue;
    lines += `${code.slice(start, end)}\n`;
    start = end;
  }
  return lines + code.slice(start);
}

// What a user may install beside us.
const optional = ['ai', /^@(?:ai-sdk|langchain|openai)\//, '@huggingface/transformers', '@xenova/transformers'];

// What npm installs with us anyway, and few commands ask for: it is loaded from there.
const installed = [/^isomorphic-git(?:\/|$)/];

/** Gives the stemmers, which are asked for by the names of languages, as files of their own by their paths. */
function stemmers(root) {
  const folder = join(root, 'node_modules/@orama/stemmers');
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  noteBundled([{ moduleIds: [join(folder, 'package.json')] }]);
  return Object.entries(exports).flatMap(([name, { require: file }]) =>
    file === undefined ? [] : [[`stemmers/${name.slice(2)}.js`, readFileSync(join(folder, file), 'utf8')]],
  );
}

const stemmerAsked = /`@orama\/stemmers\/(\$\{[^}]*\})`/g;

/** What is bundled in place of what is asked for. */
const replaced = (root) => ({
  // gray-matter's own YAML engine is replaced by ours in store/records/front-matter.ts, so that its parser would only be loaded.
  'js-yaml': join(root, 'scripts/no-yaml.cjs'),
  // Of yaml the form made of modules, from which what is not used can be left out.
  yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
  // A server that fills in no forms validates no answers to them.
  '@modelcontextprotocol/server/_shims': join(root, 'scripts/no-validator.mjs'),
});

/** What few commands use of Node's own modules that take long to load: they are loaded when it is called. */
const late = {
  'node:child_process': ['fork', 'spawn'],
  'node:http': ['createServer', 'request'],
  'node:https': ['request'],
  'node:tls': ['connect'],
};

const lateModules = {
  name: 'late-modules',
  resolveId: (id, importer) =>
    id in late && !/node_modules.(?!commander\b)/.test(importer ?? '') ? `\0late:${id}` : null,
  load(id) {
    if (!id.startsWith('\0late:')) return null;
    const name = id.slice('\0late:'.length);
    return `import { createRequire } from 'node:module';
const late = createRequire(import.meta.url);
${late[name].map((one) => `export const ${one} = (...given) => late('${name}').${one}(...given);`).join('\n')}
export default { ${late[name].join(', ')} };`;
  },
};

/** The one module of ours that is imported for what it does; package.json says that none is. */
const firstModule = {
  name: 'first-module',
  resolveId: (id, importer) =>
    id === './first.js' ? { id: join(dirname(importer), id), moduleSideEffects: true } : null,
};

/** Names the chunk of a module: one for each of ours, one for each package, whose modules may need each other. */
function chunkOf(root, id) {
  const name = relative(root, id.replace('\0', '')).replaceAll('\\', '/');
  const packaged = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1];
  return (packaged ?? name.replace(/^dist\//, '')).replace(/\.[cm]?js$/, '').replace(/[^\w.-]+/g, '-');
}

/** Names the file for a chunk that is in no row. */
function partOf(root, id) {
  const name = relative(root, id).replaceAll('\\', '/');
  const owner = /.*node_modules\/(@?[^/]+)/.exec(name)?.[1] ?? /^dist\/(.*)\/[^/]*$/.exec(name)?.[1] ?? 'others';
  return `part-${owner.replace(/[^\w-]+/g, '-')}`;
}

/** What only a server or a memory in a rare language asks for is packed. It was a tenth of the package; unpacking takes 2 ms. */
const packedParts = /^part--(?:modelcontextprotocol|hono|orama)\.js$/;

const asPacked = (code) =>
  `module.exports=require("./modules.js").unpack("${brotliCompressSync(code).toString('base64')}")`;

/** Bundles entries, by name: chunks in the order of their files, each with `fileName`, `code`, `file` and `isEntry`, and what belongs to them. */
async function bundled(root, input) {
  let rowOf;
  const bundle = await rolldown({
    input,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    plugins: [lateModules, firstModule],
    resolve: { alias: replaced(root) },
    external: [...optional, ...installed],
    // gray-matter names eval in an engine that store/records/front-matter.ts takes out.
    checks: { eval: false, ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  const made = await bundle.generate({
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: 'modules',
          name: (id, modules) => {
            rowOf ??= rowsOf(root, (one) => modules.getModuleInfo(one));
            return chunkOf(root, id);
          },
        },
      ],
    },
    format: 'cjs',
  });
  await bundle.close();
  noteBundled(made.output);
  const fileOf = ({ moduleIds }) =>
    moduleIds.map((id) => rowOf.get(id)).find((row) => row !== undefined) ?? partOf(root, moduleIds[0]);
  const chunks = made.output.map((chunk) => ({
    ...chunk,
    code: chunk.code,
    exports: chunk.exports,
    file: `${fileOf(chunk)}.js`,
  }));
  const place = ({ file }) => `${rows.findIndex((row) => file === `${row}.js`) >>> 0}`.padStart(12, '0') + file;
  return chunks.sort((one, other) => (place(one) < place(other) ? -1 : place(one) > place(other) ? 1 : 0));
}

const exported =
  /^Object\.defineProperty\(exports, (['"])([\w$]+)\1, \{\s*enumerable: true,\s*get: function\(\) \{\s*return ([^;]+);\s*\}\s*\}\);$|^exports\.([\w$]+) = ([^;]+);$/gm;
const importedWhole = /\bthen\(\(\) => require\("(\.\/[^"]+)"\)\)(?!\.then\(\(n\) => n\.)/g;
const importedMember = /(\bthen\(\(\) => require\("(\.\/[^"]+)"\)\)\.then\(\(n\) => n\.)([\w$]+)/g;

const shortName = (at) => `$${at.toString(36)}`;

/** Tells whether a name at the top of a module has one value from its end on. Then it may be handed out as a value. */
const isFixed = (code, name) =>
  new RegExp(`^(?:(?:async )?function\\*? |const |class |var )${name.replaceAll('$', '\\$')}\\b(?! = void)`, 'm').test(
    code,
  ) &&
  !new RegExp(`(?<!var |const )(?<![\\w$.])${name.replaceAll('$', '\\$')} ?(?:[-+*/|&?]{0,3}=(?!=)|\\+\\+|--)`).test(
    code,
  );

/**
 * Makes of chunks the texts of files, by name. A chunk is known by its number, and what it exports by a name of a letter or three. Long
 * ones were a ninth of the program.
 */
function asFiles(chunks) {
  const numberOf = new Map(chunks.map(({ fileName }, at) => [`./${fileName}`, at]));
  // A chunk that is imported as a whole, or from outside, is asked by its names.
  const whole = new Set(chunks.flatMap(({ code }) => [...code.matchAll(importedWhole)].map(([, from]) => from)));
  const shapes = chunks.map(({ fileName, code, isEntry }) => {
    const found = [...code.matchAll(exported)].map(([, , late, value, name, given]) => ({
      name: late ?? name,
      value: value ?? given,
    }));
    const [fixed, live] = [true, false].map((wanted) => found.filter(({ value }) => isFixed(code, value) === wanted));
    const isNamed = isEntry || whole.has(`./${fileName}`);
    const all = [...fixed, ...live].map((one, at) => ({ ...one, short: isNamed ? one.name : shortName(at) }));
    return { isNamed, fixed: all.slice(0, fixed.length), live: all.slice(fixed.length), all };
  });
  const shortOf = (from, name) => shapes[numberOf.get(from)].all.find((one) => one.name === name)?.short ?? name;
  const builtins = new Set();
  const texts = chunks.map(({ code }, at) => {
    const { isNamed, fixed, live } = shapes[at];
    const handed = isNamed
      ? fixed.map(({ name, value }) => `$get(exports, "${name}", () => ${value});\n`).join('')
      : `$put(exports, { ${fixed.map(({ short, value }) => `${short}: ${value}`).join(', ')} });\n`;
    const living = live.map(({ short, value }) => `$get(exports, "${short}", () => ${value});\n`).join('');
    const body = code.replace(exported, '').replace(/^Object\.defineProperty\(exports, Symbol\.toStringTag.*\n/m, '');
    let text = `${body}\n${handed}${living}`;
    // Nothing of ours does anything by being imported, but for what is first.
    text = text.replace(/^require\("(\.\/[^"]+)"\);\n/gm, (_, from) =>
      /first\.js$/.test(from) ? `$begin(${numberOf.get(from)});\n` : '',
    );
    // What is bundled takes of Node's modules what it names, so that none has to be wrapped.
    text = text.replace(
      /^(?:let|const) (\w+) = require\("(node:[\w/]+)"\);\n(?:\1 = \S+\.__toESM\(\1(?:, 1)?\);\n)?/gm,
      (_, local, name) => {
        builtins.add(name);
        return `const ${local} = $builtin("${name}");\n`;
      },
    );
    for (const [, local] of text.matchAll(/^const (\w+) = \$builtin\(/gm))
      text = text.replace(new RegExp(`\\b${local}\\.default\\b`, 'g'), local);
    for (const [, local, from] of text.matchAll(/\b(require_[\w$]+) = require\("(\.\/[^"]+)"\)/g))
      text = text.replace(
        new RegExp(`\\b${local.replaceAll('$', '\\$')}\\.([\\w$]+)`, 'g'),
        (_, name) => `${local}.${shortOf(from, name)}`,
      );
    text = text.replace(importedMember, (_, before, from, name) => `${before}${shortOf(from, name)}`);
    text = text.replace(
      /\brequire\("(\.\/[^"]+)"\)(\.[\w$]+)?/g,
      (_, from, member) =>
        `$need(${numberOf.get(from)})${member === undefined ? '' : `.${shortOf(from, member.slice(1))}`}`,
    );
    return `function (exports) {\n${text}\n}`;
  });
  const files = [...new Set(chunks.map(({ file }) => file))];
  const made = files.map((file) => {
    const own = texts.filter((_, at) => chunks[at].file === file);
    return [
      file,
      `const { need: $need, put: $put, get: $get, begin: $begin, builtin: $builtin } = require("./modules.js");\nmodule.exports = [\n${own.join(',\n')}\n];\n`,
    ];
  });
  const entries = chunks.flatMap(({ fileName, isEntry }, at) =>
    isEntry ? [[fileName, `module.exports = require("./modules.js").need(${at});\n`]] : [],
  );
  const named = Object.fromEntries(
    shapes.flatMap(({ isNamed, all }, at) => (isNamed ? [[at, all.map(({ name }) => name)]] : [])),
  );
  const most = Math.max(...shapes.filter(({ isNamed }) => !isNamed).map(({ all }) => all.length));
  const table = [
    `const files = [${files.map((file) => `() => require("./${file}")`).join(', ')}];`,
    `const firsts = [${files.map((file) => chunks.findIndex((chunk) => chunk.file === file)).join(', ')}];`,
    `const builtins = { ${[...builtins].map((name) => `"${name}": () => require("${name}")`).join(', ')} };`,
    `const named = ${JSON.stringify(named)};`,
    `const most = ${most};`,
  ];
  return new Map([...made, ...entries, ['modules.js', [...table, lateRuntime].join('\n')]]);
}

/** How modules are begun when something of theirs is asked for. */
const lateRuntime = `
const made = [];
const begun = new Set();
const number = Symbol('number');
class Late { constructor(at) { Object.defineProperty(this, number, { value: at }); } }
const ask = (name) => ({ configurable: true, get() { return begin(this)[name]; } });
for (let at = 0; at < most; at += 1) Object.defineProperty(Late.prototype, '$' + at.toString(36), ask('$' + at.toString(36)));
function begin(module) {
  const at = module[number];
  if (begun.has(at)) throw new Error('module ' + at + ' needs itself, or lacks what is asked of it');
  begun.add(at);
  let file = files.length - 1;
  while (firsts[file] > at) file -= 1;
  try {
    files[file]()[at - firsts[file]](module);
  } catch (error) {
    begun.delete(at);
    throw error;
  }
  return module;
}
exports.need = (at) => {
  if (made[at] === undefined) {
    made[at] = new Late(at);
    for (const name of named[at] ?? []) Object.defineProperty(made[at], name, ask(name));
  }
  return made[at];
};
exports.begin = (at) => begin(exports.need(at));
exports.put = (module, values) => Object.setPrototypeOf(module, values);
exports.get = (module, name, get) => Object.defineProperty(module, name, { enumerable: true, get });
exports.unpack = (text) => {
  const module = {};
  const code = require('node:zlib').brotliDecompressSync(Buffer.from(text, 'base64')).toString('latin1');
  new Function('module', 'require', code)(module, require);
  return module.exports;
};
const loaded = {};
exports.builtin = (name) => loaded[name] ??= builtins[name]();
`;

/**
 * Writes dist/program/: main.js, and the parts that it loads when a verb needs them; and dist/library/, the library's entries to the same parts.
 * `libraryEntries` maps names to paths of types, which lie beside the code.
 */
export async function bundleProgram(root, libraryEntries) {
  const folder = join(root, 'dist/program');
  const modules = Object.fromEntries(
    Object.entries(libraryEntries).map(([name, types]) => [name, types.replace(/\.d\.ts$/, '.js')]),
  );
  const chunks = await bundled(root, { run: join(root, 'dist/apps/cli/run.js'), ...modules });
  mkdirSync(join(folder, 'stemmers'), { recursive: true });
  const hash = createHash('sha256');
  const files = [...asFiles(chunks), ...stemmers(root)];
  for (const [fileName, text] of files) {
    const { code, errors } = minifySync(fileName, text, { ...minify, module: false, sourceType: 'script' });
    if (errors.length > 0) throw new Error(`${fileName}: ${errors[0].message}`);
    // start.cjs looks for what it puts in place of `import`, also of a module whose path is known at run time.
    const plain = asAscii(code)
      .replace(stemmerAsked, '`./stemmers/$1.js`')
      .replace(/\bimport\([`']([^`'$]+)[`']\)/g, 'import("$1")')
      .replace(/\bawait import\((?=[\w$])/g, 'await import(""+');
    const part = packedParts.test(fileName) ? asPacked(plain) : withLines(fileName, plain);
    hash.update(`${fileName}\0${part}\0`);
    writeFileSync(join(folder, fileName), part);
  }
  // Beside it, so that Node takes main.js for what it is: the package's own files are modules. The doctor looks for the parts.
  const parts = files.map(([fileName]) => fileName);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type: 'commonjs', parts })}\n`);
  const start = readFileSync(join(root, 'dist/apps/cli/start.cjs'), 'utf8');
  writeFileSync(join(folder, 'main.js'), start.replace('@BUILD@', hash.digest('hex').slice(0, 16)), { mode: 0o755 });
  // Runs in a process of its own, by its path.
  copyFileSync(join(root, 'dist/adapters/transformers-process.mjs'), join(folder, 'transformers-process.mjs'));
  const library = join(root, 'dist/library');
  mkdirSync(library, { recursive: true });
  for (const name of Object.keys(modules)) {
    const names = chunks.find(({ fileName }) => fileName === `${name}.js`).exports;
    const text = `import parts from '../program/${name}.js';\nexport const { ${names.join(', ')} } = parts;\n`;
    writeFileSync(join(library, `${name}.js`), text);
  }
}
