// Changes values in the text of a JSON file that belongs to somebody else, and nothing beside them. Comments, order, indentation and commas
// behind the last entry stay. What was put in can be taken out again, and the text is what it was.
//
//   { "a": 1 // mine        insert "b": 2        { "a": 1, // mine
//   }                  ◄──────────────────►        "b": 2
//                             remove             }

import { MemoryError } from '../../base/errors.ts';

/** A value with its place in the text; `start` and `end` are offsets. */
interface Node {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** Of an object or a list; absent for a plain value. */
  readonly entries?: readonly Entry[];
}

interface Entry {
  readonly key: string | number;
  /** Where it begins: of a property its key. */
  readonly start: number;
  readonly node: Node;
  /** The offset of the comma behind it; absent where there is none. */
  readonly comma?: number;
}

/** Steps from the whole down to a value: keys, and places in lists. */
export type JsonPath = readonly (string | number)[];

/** Gives the value at a path; undefined where there is none. Throws INVALID_RECORD. */
export function valueAt(text: string, path: JsonPath, file: string): unknown {
  return path.reduce<unknown>((value, key) => Object(value)[key] as unknown, wholeOf(text, file).value);
}

/**
 * Sets a value, and makes the objects on the way to it. A path that ends in `-1` puts it behind the last one of a list, which is made, too.
 * Throws INVALID_RECORD for a text that is no JSON, or has something else where an object or a list is needed.
 */
export function withValue(text: string, path: JsonPath, value: unknown, file: string): string {
  const source = text.trim() === '' ? '{}\n' : text;
  let node = wholeOf(source, file);
  for (const [depth, key] of path.entries()) {
    const isLast = depth === path.length - 1;
    const isList = typeof key === 'number';
    if (node.entries === undefined || Array.isArray(node.value) !== isList) {
      throw new MemoryError(
        'INVALID_RECORD',
        `${path.slice(0, depth).join('.') || 'the whole'} is no ${isList ? 'list' : 'object'}`,
        { where: file, hint: 'Check the file first' },
      );
    }
    const entry = node.entries.find((one) => one.key === key);
    if (entry === undefined) {
      const rest = path
        .slice(depth + 1)
        .reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
      return inserted(source, node, isList ? undefined : key, rest);
    }
    if (isLast)
      return (
        source.slice(0, entry.node.start) +
        formatted(value, source, lineIndent(source, entry.start)) +
        source.slice(entry.node.end)
      );
    ({ node } = entry);
  }
  return source;
}

/** Takes a value out, and what held nothing else. A text that held nothing else becomes empty. Throws INVALID_RECORD. */
export function withoutValue(text: string, path: JsonPath, file: string): string {
  let holder = wholeOf(text, file);
  for (const key of path.slice(0, -1)) {
    const next = holder.entries?.find((one) => one.key === key);
    if (next === undefined) return text;
    holder = next.node;
  }
  const entries = holder.entries ?? [];
  const at = entries.findIndex(({ key }) => key === path.at(-1));
  const own = entries[at];
  if (own === undefined) return text;
  const before = text.slice(0, own.start).replace(/[ \t\r\n]+$/, '');
  const after = text.slice((own.comma ?? own.node.end - 1) + 1);
  const isOnly = entries.length === 1;
  const inner = before.slice(holder.start + 1) + after.slice(0, holder.end - 1 - ((own.comma ?? own.node.end - 1) + 1));
  if (isOnly && inner.trim() === '') {
    if (path.length > 1) return withoutValue(text, path.slice(0, -1), file);
    return '';
  }
  const previous = own.comma === undefined ? entries[at - 1]?.comma : undefined;
  const head = previous === undefined ? before : before.slice(0, previous) + before.slice(previous + 1);
  // What follows a comment of one line stays below it.
  const isBelow = /\/\/[^\n]*$/.test(head) && !/^[ \t\r]*\n/.test(after);
  return `${head}${isBelow ? '\n' : ''}${after}`;
}

function inserted(text: string, node: Node, key: string | undefined, value: unknown): string {
  const close = node.end - 1;
  const open = node.start + 1;
  const last = node.entries!.at(-1);
  const end = text.slice(0, close).replace(/[ \t\r\n]+$/, '').length;
  const isOneLine = last !== undefined && !text.slice(open, close).includes('\n');
  const line = lineBreakOf(text);
  const indent =
    last === undefined || isOneLine ? lineIndent(text, node.start) + unitOf(text) : lineIndent(text, last.start);
  const said = isOneLine ? JSON.stringify(value) : formatted(value, text, indent);
  const entry = `${key === undefined ? '' : `${JSON.stringify(key)}: `}${said}`;
  const lead = isOneLine ? ' ' : `${line}${indent}`;
  const tail = end <= open && last === undefined ? `${line}${lineIndent(text, node.start)}` : text.slice(end, close);
  const head =
    last === undefined || last.comma !== undefined
      ? text.slice(0, end)
      : `${text.slice(0, last.node.end)},${text.slice(last.node.end, end)}`;
  return `${head}${lead}${entry}${last?.comma === undefined ? '' : ','}${tail}${text.slice(close)}`;
}

const lineBreakOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const unitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';

function lineIndent(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0];
}

function formatted(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${lineBreakOf(text)}${indent}`);
}

function wholeOf(text: string, file: string): Node {
  const reader = new Reader(text, file);
  return reader.whole();
}

/** Reads JSON with comments, and with commas behind last entries, as editors take it. */
class Reader {
  private at = 0;
  private readonly text: string;
  private readonly file: string;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  whole(): Node {
    const node = this.node();
    this.blanks();
    if (this.at < this.text.length) this.fail();
    return node;
  }

  private fail(): never {
    const line = this.text.slice(0, this.at).split('\n').length;
    throw new MemoryError('INVALID_RECORD', `the file is no JSON from line ${line} on`, {
      where: this.file,
      hint: 'Mend it first, or enter by hand what --dry-run shows',
    });
  }

  private blanks(): void {
    const found = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    found.lastIndex = this.at;
    this.at += found.exec(this.text)![0].length;
  }

  private node(): Node {
    this.blanks();
    const start = this.at;
    const first = this.text[start];
    if (first === '{' || first === '[') return this.holder(first === '[');
    const found = /"(?:[^"\\\n]|\\.)*"|[-+.\w]+/y;
    found.lastIndex = start;
    const said = found.exec(this.text)?.[0] ?? this.fail();
    this.at += said.length;
    try {
      return { start, end: this.at, value: JSON.parse(said) };
    } catch {
      this.at = start;
      return this.fail();
    }
  }

  private holder(isList: boolean): Node {
    const start = this.at;
    const entries: Entry[] = [];
    this.at += 1;
    for (;;) {
      this.blanks();
      if (this.text[this.at] === (isList ? ']' : '}')) break;
      const began = this.at;
      const key = isList ? entries.length : this.key();
      const node = this.node();
      this.blanks();
      const comma = this.text[this.at] === ',' ? this.at : undefined;
      entries.push({ key, start: began, node, ...(comma === undefined ? {} : { comma }) });
      if (comma !== undefined) this.at += 1;
      else if (this.text[this.at] !== (isList ? ']' : '}')) this.fail();
    }
    this.at += 1;
    const values = entries.map(({ key, node }) => [key, node.value] as const);
    return { start, end: this.at, entries, value: isList ? values.map(([, one]) => one) : Object.fromEntries(values) };
  }

  private key(): string {
    const { value } = this.node();
    this.blanks();
    if (typeof value !== 'string' || this.text[this.at] !== ':') this.fail();
    this.at += 1;
    return value;
  }
}
