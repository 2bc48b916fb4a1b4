// YAML as files of people and agents hold it: the plain data part of the language, with bounds. What keys mean is decided
// by the readers of front matter and of the configuration.

import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
} from 'yaml';
import { defined, MemoryError, orElse } from '../../base/errors.ts';
import { checkSize, maxFrontMatterBytes, maxYamlDepth, maxYamlKeys, maxYamlNodes } from '../guard/limits.ts';

/** Gives a key's place in a YAML text, to name it in an error. */
interface YamlObject {
  readonly data: Record<string, unknown>;
  /** 1-based line of a top-level key, counted from the first line of the text. */
  lineOf(key: string): number | undefined;
}

/**
 * Parses a YAML mapping of the core schema; an empty text is an empty mapping.
 *
 * Dates stay strings. Refused are anchors and aliases (an alias bomb is small until it is read), tags, duplicate keys, and keys that are
 * not scalars. So are `__proto__`, several documents, and sizes above the limits of guard/limits. `firstLine` is the line of `path` that
 * the text begins on.
 *
 * @throws MemoryError INVALID_RECORD with path and line, TOO_LARGE.
 */
export function parseYamlObject(text: string, path: string, firstLine = 1): YamlObject {
  checkSize(text, maxFrontMatterBytes, path);
  const plain = parsePlainYaml(text);
  if (plain !== undefined) {
    const lineOf = (key: string): number | undefined => {
      const line = plain.lines.get(key);
      return line === undefined ? undefined : firstLine + line;
    };
    return { data: plain.data, lineOf };
  }
  return parseAnyYaml(text, path, firstLine);
}

/** Parses what {@link parseYamlObject} does, with the library alone. */
export function parseAnyYaml(text: string, path: string, firstLine: number): YamlObject {
  const fail = (offset: number, rule: string, cause?: unknown): MemoryError => {
    const line = firstLine + text.slice(0, offset).split('\n').length - 1;
    return new MemoryError('INVALID_RECORD', `${path}:${line} ${rule}`, {
      where: path,
      hint: 'Correct the YAML at that line',
      ...defined({ cause }),
    });
  };
  const tooDeep = offsetOfDeepFlow(text);
  if (tooDeep !== undefined) throw fail(tooDeep, `nests deeper than ${maxYamlDepth} levels`);
  let document: Document.Parsed;
  try {
    document = parseDocument(text, {
      schema: 'core',
      version: '1.2',
      merge: false,
      strict: true,
      // Checked below in linear time; the library compares every key with every other.
      uniqueKeys: false,
      prettyErrors: false,
      // A silent parser reads the first of several documents and says nothing of the others.
      logLevel: 'error',
    });
  } catch (cause) {
    // The composer recurses, and overflows on what the check above cannot see.
    throw fail(0, 'cannot be read as YAML', cause);
  }
  const error = document.errors[0];
  if (error !== undefined) throw fail(error.pos[0], `is not valid YAML: ${error.message.split('\n')[0]}`, error);
  if (document.contents === null) return { data: {}, lineOf: () => undefined };
  if (!isMap(document.contents)) {
    // A document of comments only is empty, not a scalar.
    if (isScalar(document.contents) && document.contents.value === null) return { data: {}, lineOf: () => undefined };
    throw fail(0, 'is not a mapping of keys to values');
  }
  const offsets = new Map<string, number>();
  const budget = { nodes: maxYamlNodes };
  const data = plainValue(document.contents, 0, budget, fail, offsets) as Record<string, unknown>;
  return {
    data,
    lineOf: (key) => {
      const offset = offsets.get(key);
      return offset === undefined ? undefined : firstLine + text.slice(0, offset).split('\n').length - 1;
    },
  };
}

/**
 * Formats a mapping as YAML in the style of the specs. Keys keep the order given, no line is folded, and short lists of plain words are on
 * one line (`tags: [coding, git]`).
 *
 * Keys whose value is undefined are left out. Ends in a line feed; an empty mapping is the empty text.
 */
export function formatYamlObject(data: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return '';
  const document = new Document(Object.fromEntries(entries), {
    schema: 'core',
    version: '1.2',
    aliasDuplicateObjects: false,
  });
  setStyles(document.contents);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/**
 * Sets values in a YAML mapping by the names of their keys, outermost first; comments and everything else stay as they are. `undefined`
 * takes a key out, with the mappings around it that it leaves empty. Where nothing changes, the text is the same.
 *
 * @throws MemoryError INVALID_RECORD where a key leads through a value that is no mapping, and what {@link parseYamlObject} says.
 */
export function setYamlValues(
  text: string,
  path: string,
  values: readonly { readonly keys: readonly string[]; readonly value: unknown }[],
): string {
  parseYamlObject(text, path);
  const document = parseDocument(text, { schema: 'core', version: '1.2', logLevel: 'silent' });
  let isChanged = false;
  for (const { keys, value } of values) {
    for (let depth = 1; depth < keys.length; depth++) {
      const outer = document.getIn(keys.slice(0, depth), true);
      if (outer === undefined || outer === null || isMap(outer) || (isScalar(outer) && outer.value === null)) continue;
      throw new MemoryError('INVALID_RECORD', `${keys.slice(0, depth).join('.')} is no mapping of keys`, {
        where: path,
      });
    }
    if (value === undefined && !document.hasIn(keys)) continue;
    isChanged = true;
    if (value === undefined) takeOut(document, keys);
    else document.setIn(keys, withComments(document.createNode(value), document.getIn(keys, true)));
  }
  if (!isChanged) return text;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Takes out a key, and the mappings around it that hold no other. */
function takeOut(document: Document.Parsed, keys: readonly string[]): void {
  document.deleteIn(keys);
  const outer = keys.slice(0, -1);
  const left = outer.length === 0 ? undefined : document.getIn(outer, true);
  if (isMap(left) && left.items.length === 0) takeOut(document, outer);
}

/** Lets a value stand where another one stood, with what people wrote beside that: a comment belongs to the key, not to what it holds. */
function withComments(value: Node, before: unknown): Node {
  if (!isNode(before)) return value;
  const { comment, commentBefore, spaceBefore } = before;
  // `[a, b] # why` stays one line.
  if (isCollection(before) && isCollection(value)) value.flow = before.flow === true;
  return Object.assign(value, { comment, commentBefore, spaceBefore });
}

/**
 * Finds the 1-based line of a value in a YAML text, for messages about a wrong value. Keys and places lead to it. Where some are
 * missing, it is the line of the last one that is there. Undefined for what cannot be read.
 */
export function lineOfKeys(text: string, keys: readonly PropertyKey[]): number | undefined {
  const document = parseDocument(text, { schema: 'core', version: '1.2', logLevel: 'silent', prettyErrors: false });
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const key of keys) {
    if (isSeq(node)) {
      node = node.items[Number(key)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    } else if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else break;
  }
  return offset === undefined ? undefined : text.slice(0, offset).split('\n').length;
}

/** Reads one YAML value of the core schema, such as `0.5`, `true` or `[a, b]`; what is none is the text itself. */
export const parseYamlValue = (text: string): unknown =>
  orElse(() => parseYamlObject(`value: ${text.trim()}\n`, 'value').data.value, text);

type Fail = (offset: number, rule: string) => MemoryError;

function plainValue(
  node: unknown,
  depth: number,
  budget: { nodes: number },
  fail: Fail,
  offsets?: Map<string, number>,
): unknown {
  if (node === null || node === undefined) return null;
  const at = (node as Node).range?.[0] ?? 0;
  budget.nodes -= 1;
  if (budget.nodes < 0) throw fail(at, `has more than ${maxYamlNodes} values`);
  if (isAlias(node)) throw fail(at, 'has an alias, and aliases are refused');
  const { anchor, tag } = node as { anchor?: string; tag?: string };
  if (anchor !== undefined) throw fail(at, 'has an anchor, and anchors are refused');
  if (tag !== undefined) throw fail(at, 'has a tag, and tags are refused');
  if (isScalar(node)) return scalarValue(node.value, node.source);
  if (depth >= maxYamlDepth) throw fail(at, `nests deeper than ${maxYamlDepth} levels`);
  if (isSeq(node)) return node.items.map((item) => plainValue(item, depth + 1, budget, fail));
  if (!isMap(node)) throw fail(at, 'has a value of an unknown kind');
  if (node.items.length > maxYamlKeys) throw fail(at, `has more than ${maxYamlKeys} keys`);
  const data: Record<string, unknown> = {};
  for (const pair of node.items) {
    const keyAt = (pair.key as Node | null)?.range?.[0] ?? at;
    if (!isScalar(pair.key)) throw fail(keyAt, 'has a key that is not a word');
    const inner = plainValue(pair.key, depth + 1, budget, fail);
    const key = typeof inner === 'string' ? inner : (pair.key.source ?? String(inner));
    if (key === '__proto__') throw fail(keyAt, 'has the key __proto__, which is refused');
    if (Object.hasOwn(data, key)) throw fail(keyAt, `has the key ${JSON.stringify(key)} twice`);
    offsets?.set(key, keyAt);
    data[key] = plainValue(pair.value, depth + 1, budget, fail);
  }
  return data;
}

// A number that would not come back as it was written is an identifier, whatever YAML says: 0123, or twenty digits.
function scalarValue(value: unknown, source: string | undefined): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return /^[-+]?0\d/.test(source) || (Number.isInteger(value) && !Number.isSafeInteger(value)) ? source : value;
}

// `[[[[…` costs the composer quadratic time before it gives up; brackets inside quotes may be counted, hence the wide margin.
function offsetOfDeepFlow(text: string): number | undefined {
  let open = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x5b || code === 0x7b) open += 1;
    else if ((code === 0x5d || code === 0x7d) && open > 0) open -= 1;
    if (open > maxYamlDepth * 10) return i;
  }
  return undefined;
}

function setStyles(node: unknown): void {
  if (isPair(node)) setStyles(node.value);
  // A block of nothing but blank lines would lose its spaces.
  else if (isScalar(node) && typeof node.value === 'string' && /^\s*\n\s*$/.test(node.value))
    node.type = 'QUOTE_DOUBLE';
  else if (isSeq(node)) {
    const words = node.items.map((item) => (isScalar(item) && typeof item.value === 'string' ? item.value : undefined));
    const isShort =
      words.join(', ').length <= 100 && words.every((word) => word !== undefined && /^[\w .+#@-]+$/.test(word));
    if (isShort) node.flow = true;
    else for (const item of node.items) setStyles(item);
  } else if (isCollection(node)) for (const item of node.items) setStyles(item);
}

// The YAML that nearly every file of a memory has: one plain value a line. Read here, since the library takes some 0.2 ms for each, and
// the first text of a process a hundred times that. What is any more than plain is left to it.

/** A mapping as {@link parsePlainYaml} reads it. */
interface PlainYaml {
  readonly data: Record<string, unknown>;
  /** 0-based line of each key. */
  readonly lines: ReadonlyMap<string, number>;
}

const maxLines = 100;
const entryLine = /^([A-Za-z_][\w-]{0,63}):(?: +(.*?))? *$/;
const commentLine = /^(?:#| *$)/;
/** What the library might break lines at, refuse or warn of. */
const unusual = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe]/;
const plainStart = /^[A-Za-z0-9/\u00c0-\u024f]/;
/** Where a plain value would end, or be an error. */
const plainEnd = /:(?: |$)| #/;
const simpleNumber = /^(?:0|[1-9]\d{0,14})$/;
/** Whatever the core schema takes for something else than a text (YAML 1.2.2, section 10.3.2), and more. */
const noText = /^(?:[-+.\d][\d_.]*(?:e[-+]?\d*)?|0[ox][\da-f]*|null|true|false)$/i;
const quoted = /^"[^"\\]*"$|^'[^']*'$/;
const wordList = /^\[(?:[A-Za-z][\w-]*(?: ?, ?[A-Za-z][\w-]*)*)?\]$/;

/**
 * Parses a mapping whose lines are `key: value`, comments or empty; undefined where the text is anything else.
 *
 * Values are words, numbers, `true` and `false`, quoted texts without escapes, lists of words on one line, and nothing. The answer is
 * the library's, which a test holds it to.
 */
export function parsePlainYaml(text: string): PlainYaml | undefined {
  if (unusual.test(text)) return undefined;
  const rows = text.split('\n');
  if (rows.length > maxLines) return undefined;
  const data: Record<string, unknown> = {};
  const lines = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    if (commentLine.test(row)) continue;
    const [, key, source = ''] = entryLine.exec(row) ?? [];
    if (key === undefined || key === '__proto__' || lines.has(key)) return undefined;
    const value = readValue(source);
    if (value === undefined) return undefined;
    data[key] = value;
    lines.set(key, index);
  }
  return { data, lines };
}

function readValue(source: string): unknown {
  if (source === '') return null;
  if (source === 'true' || source === 'false') return source === 'true';
  if (simpleNumber.test(source)) return Number(source);
  if (quoted.test(source)) return source.slice(1, -1);
  if (wordList.test(source)) {
    const words = source
      .slice(1, -1)
      .split(',')
      .map((word) => word.trim());
    if (words[0] === '') return [];
    return words.some((word) => noText.test(word)) ? undefined : words;
  }
  if (!plainStart.test(source) || noText.test(source) || plainEnd.test(source)) return undefined;
  return source;
}
