// Writes what memory.yaml may say: docs/configuration.md for people, src/records/configuration-keys.ts for the verb `config`,
// src/records/configuration-defaults.ts for whoever opens a memory. All are made of the schemas (types, ranges, defaults) and of the comments
// beside their keys; test/records/configuration-keys.test.ts holds them to it.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

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

/** Finds the object literal of `z.strictObject({ … })`, whatever is called on it; none within `z.array(…)`. */
function objectOf(node) {
  for (let at = node; ts.isCallExpression(at); at = at.expression.expression) {
    const name = at.expression.name?.text;
    if (name === 'strictObject') return at.arguments[0];
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

/** Writes docs/configuration.md. */
export function pageOf(keys) {
  const rows = keys.map(({ key, takes, unit, default: value, sentence }) => {
    const name = takes === 'section' ? `**\`${key}\`**` : `\`${key}\``;
    const what = takes === 'section' ? '' : escaped(unit === '' ? takes : `${takes} (${unit})`);
    const standard = takes === 'section' ? '' : value === undefined ? '–' : `\`${escaped(JSON.stringify(value))}\``;
    return `| ${name} | ${what} | ${standard} | ${escaped(sentence)} |`;
  });
  return `# Configuration

Made by \`npm run docs\` from [configuration-schema.ts](../src/records/configuration-schema.ts); edit the comments there.

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

/** Writes a value as the formatter of the project does. */
function literal(value) {
  if (typeof value === 'number' && value >= 10_000) return String(value).replace(/\B(?=(?:\d{3})+$)/g, '_');
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'string') return JSON.stringify(value);
  return value.includes("'") ? JSON.stringify(value) : `'${value.replaceAll('\\', '\\\\')}'`;
}

/** Writes src/records/configuration-defaults.ts from the values of an empty file, in camelCase. */
export function defaultsOf(values) {
  const write = (value, indent) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return literal(value);
    const lines = Object.entries(value).map(([key, inner]) => `${indent}  ${key}: ${write(inner, `${indent}  `)},\n`);
    return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
  };
  return `// Made by \`npm run docs\` from configuration-schema.ts: what holds where memory.yaml says nothing. Not to be edited.

import type { Configuration } from './configuration.ts';

export const configurationDefaults: Configuration = ${write(values, '')};
`;
}

/** Writes src/records/configuration-keys.ts. */
export function moduleOf(keys) {
  const entries = keys.map((key) => {
    const lines = Object.entries(key).map(([name, value]) => {
      const line = `    ${name}: ${literal(value)},`;
      // As the formatter of the project breaks it.
      return `${line.length > 120 ? line.replace(': ', ':\n      ') : line}\n`;
    });
    return `  {\n${lines.join('')}  },\n`;
  });
  return `// Made by \`npm run docs\` from configuration-schema.ts: what each key of memory.yaml is, for people. Not to be edited.

/** A key of memory.yaml, or a section of keys. */
export interface ConfigurationKey {
  /** Dotted: \`decay.half_life_days\`. */
  readonly key: string;
  /** What values it takes, in words; \`section\` for one that only holds others. */
  readonly takes: string;
  /** Of a number; empty where it has none. */
  readonly unit: string;
  /** Absent where there is none, as for a name. */
  readonly default?: unknown;
  readonly sentence: string;
}

export const configurationKeys: readonly ConfigurationKey[] = [
${entries.join('')}];
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { z } = await import('zod');
  const { configurationSchema } = await import('../dist/records/configuration-schema.js');
  const { camelKeys } = await import('../dist/records/camel-keys.js');
  const at = (path) => new URL(`../${path}`, import.meta.url);
  const schema = z.toJSONSchema(configurationSchema(), { io: 'input' });
  const keys = keysOf(schema, readFileSync(at('src/records/configuration-schema.ts'), 'utf8'));
  writeFileSync(at('docs/configuration.md'), pageOf(keys));
  writeFileSync(at('src/records/configuration-keys.ts'), moduleOf(keys));
  writeFileSync(at('src/records/configuration-defaults.ts'), defaultsOf(camelKeys(configurationSchema().parse({}))));
}
