// Makes of the types that verbs answer with the JSON Schemas that help and tools publish: src/apps/verbs/generated/outputs.ts.
// What calls of the library take is made in the same go (calls.mjs). A shape is said once, as a type, and its docstrings
// are the descriptions. The compiler has to infer types for that, so it is done anew only when a type may be another one.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import ts from 'typescript';
import { callsOf } from './calls.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const targets = ['src/apps/verbs/generated/outputs.ts', 'src/memory/generated/calls.ts'].map((name) =>
  join(root, name),
);

/** Where the types are declared that verbs answer with, and that calls take. */
const sources = () => [
  ...['base/types', 'apps/verbs', 'store/records', 'memory'].flatMap((name) => filesIn(`src/${name}`)),
  ...['capture/recorder', 'capture/session', 'extract/extractor', 'extract/extractors'].map((name) => `core/${name}`),
  ...['features/doctor/doctor', 'features/import/source', 'store/git/memory-merge-driver', 'store/scope'],
  ...['index', 'base/ports'],
];

/** Stands where a shape holds itself. */
export const sameAgain = 'the same again';

/** Writes the schemas, unless what they are made of is as it was. `force` writes them in any case. */
export function writeOutputs(force = false) {
  const read = sources().map((name) => (name.startsWith('src/') ? name : `src/${name}.ts`));
  const hash = createHash('sha256');
  for (const name of ['scripts/outputs.mjs', 'scripts/calls.mjs', ...read])
    hash.update(`${name}\0`).update(readFileSync(join(root, name)));
  const made = `// Made by scripts/outputs.mjs of ${hash.digest('hex').slice(0, 16)}.\n`;
  if (!force && targets.every((path) => existsSync(path) && readFileSync(path, 'utf8').startsWith(made))) return;
  const verbs = filesIn('src/apps/verbs').map((name) => join(root, name));
  const entry = join(root, 'src/index.ts');
  const program = programOf([...verbs, entry]);
  // A tenth of the size: what shapes share is said again in each.
  const packed = brotliCompressSync(JSON.stringify(schemasOf(program, verbs))).toString('base64');
  const isRead = new Set(read.map((name) => join(root, name)));
  const calls = callsOf(program, entry, (path) => {
    if (!path.includes('node_modules') && !isRead.has(join(path)))
      throw new Error(`${path} says what a call takes, and scripts/outputs.mjs does not name it`);
  });
  const texts = [
    `import { brotliDecompressSync } from 'node:zlib';

const packed = Buffer.from('${packed}', 'base64');
export const outputs = JSON.parse(brotliDecompressSync(packed).toString('utf8')) as Readonly<Record<string, object>>;
`,
    `export const packedCalls =\n  '${JSON.stringify(calls)}';\n`,
  ];
  for (const [at, path] of targets.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, made + texts[at]);
  }
}

function filesIn(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => `${folder}/${name}`);
}

function programOf(files) {
  const { options: configured } = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, ts.sys);
  const options = { ...configured, types: ['node'], incremental: false, tsBuildInfoFile: undefined };
  const host = ts.createCompilerHost(options);
  // No answer is made of another package's types, and reading them takes as long as all of ours.
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      text.startsWith('.') ? ts.resolveModuleName(text, from, options, host) : { resolvedModule: undefined },
    );
  return ts.createProgram(files, options, host);
}

/** Maps names of verbs to schemas of what their `run` gives. */
function schemasOf(program, files) {
  const checker = program.getTypeChecker();
  const schemas = {};
  for (const file of files) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file));
    for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const verb = checker.getTypeOfSymbol(exported);
      const run = verb.getProperty('run');
      if (run === undefined || verb.getProperty('positional') === undefined) continue;
      const given = checker.getTypeOfSymbol(run).getCallSignatures()[0].getReturnType();
      const schema = new Shapes(checker).schemaOf(checker.getAwaitedType(given));
      schemas[nameOf(exported)] = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
    }
  }
  return schemas;
}

/** A verb's own name, as its declaration has it. */
function nameOf(exported) {
  const [literal] = exported.valueDeclaration.initializer.arguments;
  return literal.properties.find((property) => property.name.text === 'name').initializer.text;
}

/** Says types as JSON Schema: what JSON.stringify makes of a value of the type. */
class Shapes {
  /** Types that are being said, for those that hold themselves. */
  #open = [];

  constructor(checker) {
    this.checker = checker;
  }

  schemaOf(type) {
    const { flags } = type;
    if (type.isUnion()) return this.#union(type.types);
    if (flags & ts.TypeFlags.StringLiteral) return { type: 'string', const: type.value };
    if (flags & ts.TypeFlags.NumberLiteral) return { type: 'number', const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { type: 'boolean', const: type.intrinsicName === 'true' };
    if (flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (!(flags & ts.TypeFlags.Object || flags & ts.TypeFlags.Intersection)) return { description: 'any value' };
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      const [one, ...others] = this.checker.getTypeArguments(type);
      return { type: 'array', items: others.length === 0 ? this.schemaOf(one) : this.#union([one, ...others]) };
    }
    if (this.#open.includes(type)) return { type: 'object', description: sameAgain, propertyNames: {} };
    this.#open.push(type);
    const schema = this.#object(type);
    this.#open.pop();
    return schema;
  }

  #union(types) {
    const said = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const isOf = (flag) => said.filter(({ flags }) => flags & flag);
    const [literals, booleans] = [isOf(ts.TypeFlags.StringLiteral), isOf(ts.TypeFlags.BooleanLiteral)];
    const others = said.filter((one) => !literals.includes(one) && !booleans.includes(one));
    const isNull = ({ flags }) => Number((flags & ts.TypeFlags.Null) !== 0);
    const rest = others.sort((a, b) => isNull(a) - isNull(b));
    const forms = [
      ...(literals.length > 1
        ? [{ type: 'string', enum: literals.map(({ value }) => value) }]
        : literals.map((one) => this.schemaOf(one))),
      ...(booleans.length > 1 ? [{ type: 'boolean' }] : booleans.map((one) => this.schemaOf(one))),
      ...rest.map((one) => this.schemaOf(one)),
    ];
    const distinct = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
    return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
  }

  #object(type) {
    const properties = {};
    const required = [];
    for (const property of this.checker.getPropertiesOfType(type)) {
      const held = this.checker.getTypeOfSymbol(property);
      if (held.getCallSignatures().length > 0 || held.flags & ts.TypeFlags.Undefined) continue;
      const meaning = ts.displayPartsToString(property.getDocumentationComment(this.checker)).replace(/\s+/g, ' ');
      properties[property.name] = { ...this.schemaOf(held), ...(meaning === '' ? {} : { description: meaning }) };
      const mayLack = held.isUnion() && held.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);
      if (!(property.flags & ts.SymbolFlags.Optional) && !mayLack) required.push(property.name);
    }
    const named = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (named !== undefined && Object.keys(properties).length === 0) {
      return { type: 'object', propertyNames: { type: 'string' }, additionalProperties: this.schemaOf(named.type) };
    }
    return { type: 'object', properties, required, additionalProperties: {} };
  }
}
