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
