// Finds a text in bytes, in every form in which the engine, git or a person may have written it down. Puts a mark in its place.
//
//     a "b"     JSON, YAML: a \"b\"     in JSON in JSON: a \\\"b\\\"     quoted, broken: a⏎> "b"     address: a%20%22b%22
//     é         JSON of other programs: \u00e9     composed and decomposed     base64 at each of its three alignments
//     in names and addresses of files: the slug; cut off, as in subjects, titles and topics: its first words at the end of a line or
//     value, or before an ellipsis
//     from twelve characters on, ASCII letters as large or small as may be: The "blue heron" …
//
// What is compressed, encrypted or an image is not looked into; nor is base64 with line breaks in it.

import { MemoryError } from '../../base/errors.ts';
import { singleSpaced, slugOf } from '../../base/text.ts';
import { layoutRoots } from '../../store/guard/path.ts';
import { leastAnyCase } from '../../store/records/purge-receipt.ts';

/** In UTF-16 units: below, too much that nobody meant would go; above, the whole file is meant. */
const needleLengths = { least: 3, most: 20_000 } as const;

/** A beginning of the text so long, and an ellipsis behind it, counts as the text. */
const leastTail = 8;
const ellipsis = '\u00e2\u0080\u00a6';

/** Words without which no file of a memory can be read; a text that is one of them cannot be taken out of it. */
const structural = [
  ...layoutRoots('memory'),
  ...'conversations daily artifacts identity projects people entities procedures principles insights reference'.split(
    ' ',
  ),
  ...'storage_version created_at machine_id session_id content last_used sources strength status Operation Session'.split(
    ' ',
  ),
  ...'Sequence Memory Source Extractor user agent system conversation maintenance extract consolidate knowledge'.split(
    ' ',
  ),
];

interface Variant {
  /** Bytes that are in every match; null where there are none of use. */
  readonly anchor: Buffer | null;
  readonly pattern: RegExp;
  readonly replacement: (match: string) => string;
}

/** A text, or its slug, whose beginning may come before an ellipsis. */
interface Tail {
  readonly bytes: Buffer;
  readonly isSlug: boolean;
}

/** What is looked for: texts, and names of files that go or are called otherwise now. */
interface NeedleInput {
  readonly texts: readonly string[];
  /** Literal names and paths, each with what takes its place. */
  readonly literals: ReadonlyMap<string, string>;
  /** Names the purge in the marks: `[purged 1a2b3c4d]` in running text, `purged-1a2b3c4d` in names and front matter. */
  readonly id: string;
  readonly replacement?: string;
}

/** Throws INVALID_ARGUMENT for a text that is too short, and for a word of the layout; TOO_LARGE. */
export function checkNeedle(text: string): string {
  const trimmed = typeof text === 'string' ? text.trim().normalize('NFC') : '';
  if (trimmed.length < needleLengths.least || /\p{Cs}/u.test(trimmed)) {
    throw new MemoryError('INVALID_ARGUMENT', `a text to purge has at least ${needleLengths.least} characters`, {
      where: 'text',
      hint: 'A shorter text occurs in too many places; include more of its surroundings',
    });
  }
  if (trimmed.length > needleLengths.most) {
    throw new MemoryError('TOO_LARGE', `a text to purge has at most ${needleLengths.most} characters`, {
      where: 'text',
      hint: 'Purge the whole file by its path, or the session',
    });
  }
  if (structural.some((word) => word.includes(trimmed))) {
    throw new MemoryError('INVALID_ARGUMENT', 'that word belongs to the file formats; without it no file can be read', {
      where: 'text',
      hint: 'Include more of its surroundings',
    });
  }
  return trimmed;
}

/** Finds and replaces; a pure function of its input. */
export class Needles {
  readonly mark: string;
  readonly nameMark: string;
  private readonly literals: readonly Variant[];
  private readonly texts: readonly (readonly Variant[])[];
  private readonly tails: readonly Tail[];
  private readonly slugs: readonly string[];
  private readonly plain: readonly Variant[];

  constructor({ texts, literals, id, replacement }: NeedleInput) {
    this.mark = replacement ?? `[purged ${id}]`;
    this.nameMark = `purged-${id}`;
    // The longest first: a path before the name at its end.
    this.literals = [...literals]
      .sort(([a], [b]) => b.length - a.length)
      .map(([from, to]) => literalVariant(from, () => latin(to)));
    const inText = latin(this.mark);
    const inName = latin(this.nameMark);
    const sorted = [...texts].sort((a, b) => b.length - a.length);
    this.slugs = [...new Set(sorted.map((text) => slugOf(text, needleLengths.most)))].filter(
      (slug) => slug.length >= 6 && slug !== 'untitled' && !structural.some((word) => word.includes(slug)),
    );
    const bySlug = this.slugs.map((slug) => ({
      anchor: Buffer.from(slug),
      pattern: new RegExp(`(?<![a-z0-9])${slug}(?![a-z0-9])`, 'g'),
      replacement: () => inName,
    }));
    this.texts = [
      [...sorted.flatMap((text) => textVariants(text, () => inText)), ...bySlug],
      [...sorted.flatMap((text) => textVariants(text, () => inName)), ...bySlug],
    ];
    this.plain = [...sorted.flatMap((text) => formsOf(text).map((form) => flexibleVariant(form, () => inName)))];
    const cut = sorted.map((text) => ({ bytes: Buffer.from(singleSpaced(text)), isSlug: false }));
    const cutSlugs = this.slugs.map((slug) => ({ bytes: Buffer.from(slug), isSlug: true }));
    this.tails = [...cut, ...cutSlugs].filter(({ bytes }) => bytes.length > leastTail);
  }

  /** Whether there is nothing to look for. */
  get isEmpty(): boolean {
    return this.texts[0]!.length === 0 && this.literals.length === 0;
  }

  /** Tells whether bytes hold what is looked for, in any form. */
  isIn(bytes: Buffer): boolean {
    return this.replace(bytes, 'text') !== bytes;
  }

  /**
   * Puts marks in place of what is looked for; the same buffer when there is nothing. `plain`: all of it is YAML or names, where a
   * bracket would mean something. Front matter is taken for such by itself.
   */
  replace(bytes: Buffer, form: 'text' | 'plain'): Buffer {
    const variants = this.texts[form === 'text' ? 0 : 1]!;
    const found = [...this.literals, ...variants].filter(({ anchor }) => anchor === null || bytes.includes(anchor));
    const tails = this.tails.filter((tail) => bytes.includes(tail.bytes.subarray(0, leastTail)));
    if (found.length === 0 && tails.length === 0) return bytes;
    const text = bytes.toString('latin1');
    const headEnd = form === 'text' ? frontMatterEnd(text) : 0;
    const inFront = headEnd === 0 ? '' : this.replaceIn(text.slice(0, headEnd), 'plain', tails);
    const after = inFront + this.replaceIn(text.slice(headEnd), form, tails);
    return after === text ? bytes : Buffer.from(after, 'latin1');
  }

  private replaceIn(text: string, form: 'text' | 'plain', tails: readonly Tail[]): string {
    let result = text;
    for (const { pattern, replacement } of this.literals) result = result.replace(pattern, replacement);
    for (const { pattern, replacement } of this.texts[form === 'text' ? 0 : 1]!)
      result = result.replace(pattern, replacement);
    for (const { bytes, isSlug } of tails) {
      const mark = form === 'text' && !isSlug ? this.mark : this.nameMark;
      result = withoutTails(result, bytes.toString('latin1'), latin(mark));
    }
    return result;
  }

  /** Gives what a file or folder is called now. */
  renamed(name: string): string {
    let result = latin(name);
    for (const { pattern, replacement } of this.plain) result = result.replace(pattern, replacement);
    for (const slug of this.slugs) {
      result = result.replace(new RegExp(`(?<![a-z0-9])${slug}(?![a-z0-9])`, 'g'), this.nameMark);
      const stem = /^(.*?)(\.[^.]*)?$/.exec(result)!;
      const cut = tailOfSlug(stem[1]!, slug);
      if (cut > 0) result = `${stem[1]!.slice(0, -cut)}${this.nameMark}${stem[2] ?? ''}`;
    }
    return Buffer.from(result, 'latin1').toString('utf8');
  }
}

/** How many characters at the end of a name are a beginning of a slug: names are cut at a word. */
function tailOfSlug(stem: string, slug: string): number {
  for (let length = Math.min(stem.length, slug.length - 1); length >= 10; length--) {
    const before = stem[stem.length - length - 1];
    if (stem.endsWith(slug.slice(0, length)) && (before === undefined || !/[a-z0-9]/.test(before))) return length;
  }
  return 0;
}

function withoutTails(text: string, tail: string, mark: string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(ellipsis); at >= 0; at = text.indexOf(ellipsis, at + ellipsis.length)) {
    const before = text.slice(from, at).trimEnd();
    let length = Math.min(before.length, tail.length - 1);
    while (length >= leastTail && !before.endsWith(tail.slice(0, length))) length--;
    if (length >= leastTail) {
      result += before.slice(0, -length) + mark;
      from = at;
    }
  }
  return result + text.slice(from);
}

const frontMatterEnd = (text: string): number => /^---\r?\n[\s\S]*?\n---[ \t]*\r?(?:\n|$)/.exec(text)?.[0].length ?? 0;

const latin = (text: string): string => Buffer.from(text).toString('latin1');

const formsOf = (text: string): string[] => [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])];

function textVariants(text: string, replacement: () => string): Variant[] {
  return [
    ...formsOf(text).map((form) => flexibleVariant(form, replacement)),
    ...beginningVariants(text, replacement),
    ...addressVariants(text),
    ...base64Variants(text),
  ];
}

function literalVariant(text: string, replacement: () => string): Variant {
  const bytes = Buffer.from(text);
  return { anchor: bytes, pattern: new RegExp(escaped(bytes.toString('latin1')), 'g'), replacement };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The text with any white space, quotation marks of Markdown and escapes between and within its words. */
function flexibleVariant(text: string, replacement: () => string): Variant {
  const pieces: string[] = [];
  const isAnyCase = text.length >= leastAnyCase;
  for (const character of singleSpaced(text)) pieces.push(pieceOf(character, isAnyCase));
  return { anchor: isAnyCase ? null : anchorOf(text), pattern: new RegExp(pieces.join(''), 'g'), replacement };
}

/** So many words of a long text are looked for at the end of a line. */
const mostBeginningWords = 40;

/** The first words of the text, two and more, where a line or value ends behind them. */
function beginningVariants(text: string, replacement: () => string): Variant[] {
  const words = text.split(/\s+/u).slice(0, mostBeginningWords);
  let least = 2;
  while (least < words.length && words.slice(0, least).join(' ').length < leastTail) least += 1;
  if (words.length <= least) return [];
  const isAnyCase = text.length >= leastAnyCase;
  const pieces = (part: string) => [...part].map((character) => pieceOf(character, isAnyCase)).join('');
  // What ends a word may be left out where the text was cut there.
  const wordOf = (word: string) => {
    const [, body = '', end = ''] = /^(.*?[\p{L}\p{N}]?)([^\p{L}\p{N}]*)$/u.exec(word) ?? [];
    return body === '' ? pieces(word) : `${pieces(body)}${end === '' ? '' : `(?:${pieces(end)})?`}`;
  };
  const space = pieceOf(' ', false);
  const first = words.slice(0, least).map(wordOf).join(space);
  const rest = words.slice(least, -1).reduceRight((inner, word) => `(?:${space}${wordOf(word)}${inner})?`, '');
  const pattern = new RegExp(
    `${first}${rest}(?=[ \\t]*(?:\\r?\\n|$|["'][ \\t]*(?:[,}\\]\\r\\n]|$)|\\xe2\\x80\\xa6))`,
    'g',
  );
  return [{ anchor: isAnyCase ? null : anchorOf(words.slice(0, least).join(' ')), pattern, replacement }];
}

function pieceOf(character: string, isAnyCase: boolean): string {
  if (character === ' ') return '(?:[ \\t\\r\\n\\f\\v]|\\xc2\\xa0|\\\\{1,3}[nrt]|(?<=\\s)>)+';
  if (isAnyCase && /[A-Za-z]/.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  if (/[A-Za-z0-9]/.test(character)) return character;
  if (character === '\\') return '\\\\{1,4}';
  if (character === "'") return "\\\\{0,3}'{1,2}";
  const bytes = escaped(latin(character));
  const units = [...Array(character.length).keys()].map((i) => character.charCodeAt(i).toString(16).padStart(4, '0'));
  const unicode = units.map((unit) => `\\\\{1,3}u${unit.replace(/[a-f]/g, (d) => `[${d}${d.toUpperCase()}]`)}`);
  return /[\x21-\x7e]/.test(character)
    ? `(?:\\\\{0,3}${bytes}|${unicode.join('')})`
    : `(?:${bytes}|${unicode.join('')})`;
}

function addressVariants(text: string): Variant[] {
  const encoded = encodeURIComponent(text);
  if (encoded === text) return [];
  const pattern = escaped(encoded)
    .replaceAll('%20', '(?:%20|\\+)')
    .replace(/%([0-9A-F])([0-9A-F])/g, (_, a, b) => `%${eitherCase(a)}${eitherCase(b)}`);
  return [{ anchor: anchorOf(text), pattern: new RegExp(pattern, 'g'), replacement: () => 'purged' }];
}

/** The longest run of letters and digits: no way of writing the text changes it. */
function anchorOf(text: string): Buffer | null {
  const runs = text.match(/[A-Za-z0-9]{3,}/g) ?? [];
  const longest = runs.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? null : Buffer.from(longest);
}

const eitherCase = (digit: string): string => (/[A-F]/.test(digit) ? `[${digit}${digit.toLowerCase()}]` : digit);

/** Base64 of something that holds the text; the same number of characters take its place, so that the rest can still be decoded. */
function base64Variants(text: string): Variant[] {
  const bytes = Buffer.from(text);
  if (bytes.length < 6) return [];
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const start = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const whole = encoded.slice(start, end);
    const before = (offset * 8) % 6 === 0 ? '' : '[A-Za-z0-9+/_-]';
    const after = ((offset + bytes.length) * 8) % 6 === 0 ? '' : '[A-Za-z0-9+/_-]?';
    const body = escaped(whole).replaceAll('\\+', '[+-]').replaceAll('\\/', '[/_]');
    return {
      anchor: anchorOf(whole),
      pattern: new RegExp(`${before}${body}${after}`, 'g'),
      replacement: (match: string) => 'A'.repeat(match.length),
    };
  });
}
