// Small pure functions on text: slugs, lines, one-line titles, the form in which texts are compared.

/** Control characters, invisible format characters but for the two joiners that scripts need, and line separators. */
const unseen = /[\p{Cc}\u2028\u2029]+|(?:(?![\u200c\u200d])\p{Cf})+|\p{Cs}/gu;

const ascii = /^[\x00-\x7f]*$/;

/** Tells whether a text is ASCII, so that its letters are `A` to `z`. */
export const isAscii = (text: string): boolean => ascii.test(text);

/** Letters that decomposition leaves alone, as they are usually written in ASCII. */
const foldedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Matches the letters that {@link foldLetter} knows. */
export const specialLetter = /[ßæœøłđðþı]/g;

/** Gives a text with its first letter in upper case. */
export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Writes a lower-case letter that decomposition leaves alone in ASCII: `ß` as `ss`; any other stays. */
export const foldLetter = (letter: string): string => foldedLetters[letter] ?? letter;

/**
 * Makes a lower-case kebab slug of `[a-z0-9-]` from any text, for use in paths.
 *
 * `'Äpfel & Birnen'` becomes `'apfel-birnen'`. Never empty: what has no letter or digit to keep is `'untitled'`. At most
 * `maxLength` characters, cut at a word when one ends in the second half.
 */
export function slugOf(text: string, maxLength = 48): string {
  // Only the head can matter, and normalisation of a whole transcript would not be free.
  const words = text
    .slice(0, maxLength * 8)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(specialLetter, foldLetter)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (words.length <= maxLength) return words === '' ? 'untitled'.slice(0, maxLength) : words;
  const cut = words.slice(0, maxLength);
  const lastDash = words[maxLength] === '-' ? maxLength : cut.lastIndexOf('-');
  return cut.slice(0, lastDash > maxLength / 2 ? lastDash : maxLength).replace(/-+$/, '');
}

/**
 * Splits text into lines on LF alone; a final LF ends the last line and opens no further one.
 *
 * CR and Unicode line separators are ordinary characters, as they are for git: `'a\r\nb'` is `['a\r', 'b']`. The empty text
 * has no lines.
 */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

/** Gives a text in which one blank stands for every stretch of white space. */
export const singleSpaced = (text: string): string => text.replace(/\s+/gu, ' ');

/** Gives a path or an address without the slashes at its end. */
export const withoutEndSlash = (path: string): string => path.replace(/\/+$/, '');

/** Gives a text with a LF at its end, so that lines can follow; the empty text stays empty. */
export const withLastLineEnded = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Splits a text into lines that keep their LF: joined again they are the text. Lines end at LF alone. */
export function splitKeepingEnds(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    lines.push(end < 0 ? text.slice(start) : text.slice(start, end + 1));
    start = end < 0 ? text.length : end + 1;
  }
  return lines;
}

/** What is one line already, as nearly every text that the engine has written. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Makes one displayable line of any text: no control, bidirectional or other invisible characters, white space collapsed.
 *
 * Cut to at most `maxLength` UTF-16 units, the last of them `…`, never inside a surrogate pair. May be empty.
 */
export function oneLine(text: string, maxLength = 200): string {
  if (text.length <= maxLength && plainLine.test(text)) return text;
  // Four times the length leaves room for what is stripped, without reading a megabyte for a title.
  const head = text.length > maxLength * 4 + 64 ? text.slice(0, maxLength * 4 + 64) : text;
  const seen = head.replace(unseen, replaceUnseen);
  const line = singleSpaced(seen).trim();
  const isCut = head.length < text.length && text.slice(head.length).trim() !== '';
  if (line.length <= maxLength && !isCut) return line;
  let end = Math.min(line.length, Math.max(0, maxLength - 1));
  if (/[\ud800-\udbff]/.test(line.charAt(end - 1))) end -= 1;
  return `${line.slice(0, end).trimEnd()}…`;
}

const plainText = /^[ -~]*$/;
/** What of ASCII is `\p{P}`. */
const plainPunctuation = /[!"#%&'()*,\-./:;?@[\\\]_{}]+/g;

/**
 * Brings a text into the form in which duplicates are recognised: lower case, punctuation stripped, white space collapsed
 * (spec 4, content-hash deduplication).
 *
 * `'I prefer  Tabs!'` and `'i prefer tabs'` are the same afterwards. May be empty, for a text of punctuation only.
 */
export function normaliseForHash(text: string): string {
  if (plainText.test(text)) return text.toLowerCase().replace(plainPunctuation, '').replace(/ {2,}/g, ' ').trim();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{Cc}\p{Cf}]+/gu, (run) => (/[\s\p{Cc}]/u.test(run) ? ' ' : ''))
    .replace(/\s+/gu, ' ')
    .trim();
}

function replaceUnseen(run: string): string {
  const code = run.charCodeAt(0);
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0x2028 || code === 0x2029) return ' ';
  return code >= 0xd800 && code <= 0xdfff && run.length === 1 ? '\ufffd' : '';
}

/** Leaves out headings below which nothing stands. */
export function withoutEmptySections(text: string): string {
  const lines = text.split('\n');
  const kept: string[] = [];
  // The depth of the heading that follows, where nothing is said before it; 0 at the end of the file, null behind words.
  let next: number | null = 0;
  for (const line of lines.toReversed()) {
    const depth = /^(#{1,6}) /.exec(line)?.[1]?.length ?? 0;
    if (depth > 0 && next !== null && next <= depth) continue;
    kept.push(line);
    if (depth > 0) next = depth;
    else if (line.trim() !== '') next = null;
  }
  return kept.length === lines.length
    ? text
    : kept
        .reverse()
        .join('\n')
        .replace(/\n{3,}/g, '\n\n');
}
