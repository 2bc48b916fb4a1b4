// Makes of the schemas of memory.yaml (types, ranges, defaults) and of the comments beside their keys what the engine and people read of
// them. The build makes src/store/records/generated/ for the verb `config` and for whoever opens a memory; `npm run docs` makes
// docs/reference/configuration.md.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const schemaPath = join(root, 'src/store/records/configuration-schema.ts');
const folder = join(root, 'src/store/records/generated');

/**
 * Lists every key of the schema, sections included, in the order of the source.
 *
 * @param {object} schema what zod makes of it: JSON Schema of the input
 * @param {string} source configuration-schema.ts, whose comments are the sentences
 */
export function keysOf(schema, source) {
  const sentences = sentencesOf(source);
  const keys = [];
  const walk = (node, path) => {
    for (const [name, property] of Object.entries(node.properties)) {
      const key = [...path, name].join('.');
      const isSection = property.properties !== undefined;
      keys.push({
        key,
        takes: isSection
          ? 'section'
          : isTime(key, property)
            ? 'cron expression of five fields | off'
            : takesOf(property),
        unit: isSection ? '' : unitOf(key, property),
        ...(isSection || property.default === undefined ? {} : { default: property.default }),
        sentence: sentences.get(key) ?? '',
      });
      if (isSection) walk(property, [...path, name]);
    }
  };
  walk(schema, []);
  return keys;
}

/** Times of day, which zod only knows as texts. */
function isTime(key, property) {
  return key.startsWith('schedule.') && typeOf(property) === 'string';
}

/** Maps dotted keys to the comments beside them, without what they say to who reads the code. */
function sentencesOf(source) {
  const file = ts.createSourceFile('configuration-schema.ts', source, ts.ScriptTarget.ES2023, true);
  const sentences = new Map();
  const walk = (literal, path) => {
    for (const property of literal.properties) {
      if (!ts.isPropertyAssignment(property)) continue;
      const key = [...path, property.name.text].join('.');
      const comment = ts.getLeadingCommentRanges(source, property.getFullStart())?.at(-1);
      if (comment !== undefined) sentences.set(key, sentenceOf(source.slice(comment.pos, comment.end)));
      const value = property.initializer;
      const inner = objectOf(ts.isArrowFunction(value) ? value.body : value);
      if (inner !== undefined) walk(inner, [...path, property.name.text]);
    }
  };
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'schemas') walk(node.initializer, []);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return sentences;
}

/** Finds the object literal of `section({ … })` or `z.strictObject({ … })`, whatever is called on it; none within `z.array(…)`. */
function objectOf(node) {
  for (let at = node; ts.isCallExpression(at); at = at.expression.expression) {
    const name = at.expression.name?.text ?? at.expression.text;
    if (name === 'section' || name === 'strictObject') return at.arguments[0];
    if (!ts.isPropertyAccessExpression(at.expression)) return undefined;
  }
  return undefined;
}

function sentenceOf(comment) {
  return comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?:[;,.]) [Ss]ee [a-z][\w/-]*(?:\.ts)?(?: for [^.;]*)?(?=[.;]|$)/g, '')
    .trim();
}

const units = [
  [/(?:^|[._])minutes$/, 'minutes'],
  [/(?:^|[._])hours(?:\.|$)/, 'hours'],
  [/(?:^|[._])days$/, 'days'],
  [/(?:^|[._])seconds$/, 'seconds'],
  [/_ms$/, 'milliseconds'],
  [/_kb$/, 'KiB'],
  [/(?:^|[._])bytes$/, 'bytes'],
  [/(?:^|[._])lines$/, 'lines'],
  [/(?:^|[._])tokens$/, 'tokens'],
  [/(?:^|[._])(?:words|words\..*)$/, 'words'],
  [/(?:^|[._])characters$/, 'characters'],
  [/(?:^|[._])calls$/, 'questions'],
  [/_per_day$/, 'per day'],
  [/lambda$/, 'per second'],
];

function unitOf(key, property) {
  const isNumber = typeOf(property) === 'number' || property.additionalProperties?.type === 'number';
  return isNumber ? (units.find(([pattern]) => pattern.test(key))?.[1] ?? '') : '';
}

function typeOf({ type }) {
  const types = [type].flat().filter((one) => one !== 'null');
  return types.length === 1 && types[0] === 'integer' ? 'number' : types.length === 1 ? types[0] : undefined;
}

/** Says in words what a key takes: `whole number, 1 or more`, `a`, `b` or `c`. */
function takesOf(property) {
  if (property.enum !== undefined) return property.enum.map((one) => JSON.stringify(one).slice(1, -1)).join(' | ');
  if (property.anyOf !== undefined) {
    return [...new Set(property.anyOf.filter(({ type }) => type !== 'null').map(takesOf))].join(' | ');
  }
  const type = typeOf(property);
  if (type === 'number') return numberOf(property);
  if (type === 'boolean') return 'true | false';
  if (type === 'array') return `list of ${property.items?.type === 'object' ? 'mappings' : manyOf(property.items)}`;
  if (type === 'object') return `mapping of names to ${manyOf(property.additionalProperties)}`;
  return 'text';
}

function manyOf(items) {
  if (items?.enum !== undefined) return items.enum.join(' | ');
  return typeOf(items ?? {}) === 'number' ? 'numbers' : 'texts';
}

/** Bounds that only say what a number of JavaScript can hold are none. */
function numberOf({ type, minimum, exclusiveMinimum, maximum }) {
  const what = type === 'integer' ? 'whole number' : 'number';
  const low = exclusiveMinimum === undefined ? minimum : `above ${exclusiveMinimum}`;
  const hasHigh = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (typeof low === 'string') return `${what} ${low}${hasHigh ? `, up to ${maximum}` : ''}`;
  if (low === undefined || low <= Number.MIN_SAFE_INTEGER) return hasHigh ? `${what}, up to ${maximum}` : what;
  return hasHigh ? `${what}, ${low} to ${maximum}` : `${what}, ${low} or more`;
}

/** Makes docs/reference/configuration.md. */
export function pageOf(keys) {
  const rows = keys.map(({ key, takes, unit, default: value, sentence }) => {
    const name = takes === 'section' ? `**\`${key}\`**` : `\`${key}\``;
    const what = takes === 'section' ? '' : escaped(unit === '' ? takes : `${takes} (${unit})`);
    const standard = takes === 'section' ? '' : value === undefined ? '–' : `\`${escaped(JSON.stringify(value))}\``;
    return `| ${name} | ${what} | ${standard} | ${escaped(sentence)} |`;
  });
  return `# Configuration

Made by \`npm run docs\` from [configuration-schema.ts](../../src/store/records/configuration-schema.ts); edit the comments there.

\`memory.yaml\` at the root of a memory; every key has a default, and an unknown key is an error that names its line and what was probably
meant. \`git memory config\` lists what holds, \`git memory config set KEY VALUE\` edits the file and keeps its comments. It is versioned like
everything else: a branch may have another one, and undo takes a change back.

| key | takes | default | what it does |
|---|---|---|---|
${rows.join('\n')}
`;
}

function escaped(text) {
  return text.replaceAll('|', '\\|');
}

/** Makes the module of the defaults from the values of an empty file, in camelCase. */
function defaultsModule(values) {
  return `// Made by the build from configuration-schema.ts: what holds where memory.yaml says nothing.

import type { Configuration } from '../configuration-schema.ts';

export const configurationDefaults: Configuration = ${JSON.stringify(values, null, 2)};
`;
}

/** Makes the module of the keys. */
function keysModule(keys) {
  return `// Made by the build from configuration-schema.ts: what each key of memory.yaml is, for people.

import { brotliDecompressSync } from 'node:zlib';
import type { ConfigurationKey } from '../../../base/types/stored-types.ts';

const packed = Buffer.from('${brotliCompressSync(JSON.stringify(keys)).toString('base64')}', 'base64');
export const configurationKeys: readonly ConfigurationKey[] = JSON.parse(brotliDecompressSync(packed).toString('utf8'));
`;
}

/** Reads the schemas as they are in src/, before anything is compiled: the keys, and the values of an empty file in camelCase. */
export async function readSchemas() {
  const made = mkdtempSync(join(root, 'node_modules/.schemas-'));
  try {
    const entry = join(made, 'entry.ts');
    const records = join(root, 'src/store/records');
    writeFileSync(
      entry,
      `export { configurationSchema } from '${records}/configuration-schema.ts';
export { camelKeys } from '${records}/camel-keys.ts';
export { z } from 'zod';
`,
    );
    const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'warn' });
    await bundle.write({ file: join(made, 'schemas.mjs'), format: 'esm', codeSplitting: false });
    await bundle.close();
    const { configurationSchema, camelKeys, z } = await import(pathToFileURL(join(made, 'schemas.mjs')).href);
    const schema = z.toJSONSchema(configurationSchema(), { io: 'input' });
    return {
      keys: keysOf(schema, readFileSync(schemaPath, 'utf8')),
      defaults: camelKeys(configurationSchema().parse({})),
    };
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Writes the two modules of src/store/records/generated/ where they say something else than before. */
export async function writeModules() {
  const { keys, defaults } = await readSchemas();
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of [
    ['configuration-keys.ts', keysModule(keys)],
    ['configuration-defaults.ts', defaultsModule(defaults)],
  ]) {
    const path = join(folder, name);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}
