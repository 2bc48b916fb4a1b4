// What of a text is somebody else's, by its form: sentences between quotation marks, and mails that were pasted.

/** What closes a quotation, by the mark that opens it. */
const closings: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '«': '»',
  '»': '«',
  '‘': '’',
  '「': '」',
};
const openings = new RegExp(`(?<![\\p{L}\\p{N}])[${Object.keys(closings).join('')}](?=\\S)`, 'gu');
/** A word or a title of two is no sentence. */
const leastWords = 3;
/** So many words with a capital at their start are a sentence, whatever introduces them. */
const plainSentence = 4;

/** A quotation in a text: where its opening mark stands, and the place behind its closing mark. */
export interface Quotation {
  readonly start: number;
  readonly end: number;
}

/** Lists the quotations of a text that say at least a sentence, in order, none within another. A quoted word or title is none. */
export function quotationsIn(text: string): Quotation[] {
  const found: Quotation[] = [];
  const unclosed = new Set<string>();
  for (const { index: start, 0: mark } of text.matchAll(openings)) {
    if (unclosed.has(mark) || start < (found.at(-1)?.end ?? 0)) continue;
    const end = closingIn(text, start, mark);
    if (end === -1) unclosed.add(mark);
    else if (end !== undefined && isSaid(text.slice(start + 1, end - 1), text.slice(Math.max(0, start - 8), start)))
      found.push({ start, end });
  }
  return found;
}

/**
 * Finds the place behind the mark that closes; -1 where no such mark follows, undefined where another quotation opens before. What begins a line
 * goes on with a quotation of several paragraphs. A mark before a letter is an apostrophe, and a plain one closes behind a stop or comma alone.
 */
function closingIn(text: string, start: number, opening: string): number | undefined {
  const mark = closings[opening]!;
  const last = opening === "'" ? /[.!?…,]/ : /\S/;
  for (let at = text.indexOf(mark, start + 2); at !== -1; at = text.indexOf(mark, at + 1)) {
    const [before, next] = [text[at - 1]!, text[at + 1] ?? ' '];
    if (last.test(before) && !/[\p{L}\p{N}]/u.test(next)) return at + 1;
    if (mark === opening && /[ \t(]/.test(before) && /\S/.test(next)) return undefined;
  }
  return -1;
}

/** Tells whether words between marks are said: they end as a sentence does, are introduced as one, or begin as one, and are no title. */
function isSaid(inside: string, before: string): boolean {
  const words = inside.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
  if (words.length < leastWords || inside.includes('```')) return false;
  if (/\p{Ll}{3}[.!?]\s+\S/u.test(inside)) return true;
  const capitals = words.filter((word) => /^\p{Lu}\p{Ll}/u.test(word)).length;
  if (capitals * 2 > words.length) return false;
  if (/[.!?…。！？,][”"]?\s*$/u.test(inside) || /(?:^|[:,\n])\s*$/.test(before)) return true;
  return words.length >= plainSentence && /^\p{Lu}/u.test(inside);
}

/** `From: Ada <ada@example.org>`; a name of a field, and what it says. */
const field = /^\s*[*_]*\p{L}[\p{L} -]{0,20}[*_]*:[*_]*\s*\S/u;
const address = /<[^<>\s@]+@[^<>\s]+>/;
const attribution = /\d.*<[^<>\s@]+@[^<>\s]+>\s+\S[^<>]*:\s*$/;

/**
 * Finds where a pasted mail begins, in characters; -1 where there is none. It begins with two or more fields in a row (RFC 5322). They name a
 * sender and a subject, or hold an address. So does a line such as `On 5 May Ada <ada@example.org> wrote:`. Nothing tells where a mail ends.
 */
export function mailIn(text: string): number {
  let [at, start, fields] = [0, -1, ''];
  for (const line of text.split('\n')) {
    if (attribution.test(line)) return at;
    if (field.test(line)) {
      if (fields === '') start = at;
      fields += `${line}\n`;
      const isMail = address.test(fields) || (/^\W*From\W/im.test(fields) && /^\W*Subject\W/im.test(fields));
      if (isMail && fields.indexOf('\n') < fields.length - 1) return start;
    } else fields = '';
    at += line.length + 1;
  }
  return -1;
}
