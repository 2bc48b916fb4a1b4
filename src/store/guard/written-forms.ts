// Forms in which the same words may be written: wide and invisible letters, texts that a program puts together, data URLs.

import type { Stretch } from './secret-words.ts';

const ignorable = /\p{Default_Ignorable_Code_Point}/gu;
/** Between two texts of a program that it puts together. */
const joint = /\\{0,3}["'`]\s{0,40}(?:\+|\.{1,2}|&|\|\||\\)\s{0,40}[a-z]?\\{0,3}["'`]/;
/** What may read otherwise than it is written. Parts are short, since many marks on one letter are slow to put in order. */
const odd = new RegExp(`(${joint.source})|[A-Za-z]?[^\\x00-\\x7f]{1,60}`, 'g');
/** A letter with its marks, the parts of a letter of Korean. */
const letters = /[\u1100-\u11ff]{2,3}|.\p{M}*/gsu;

/** Gives a part in Unicode's NFKC, without characters that nobody sees. */
const formOf = (part: string): string => part.normalize('NFKC').replace(ignorable, '');

/**
 * Reads a text in Unicode's NFKC, without characters that nobody sees and without what puts texts together: `"a" + "b"` is `"ab"`.
 *
 * A text that reads as it is written comes back as it is. Of any other, `placeOf` says where each part was written.
 */
export function readForms(text: string): { text: string; placeOf(start: number, end: number): Stretch } {
  const parts: string[] = [];
  // Where each change begins and how long it is, in what is read and in what was given.
  const changes: { readonly at: number; readonly length: number; readonly from: number; readonly given: number }[] = [];
  let [at, from] = [0, 0];
  const change = (index: number, given: string, part: string): void => {
    if (part === given) return;
    at += index - from;
    parts.push(text.slice(from, index), part);
    changes.push({ at, length: part.length, from: index, given: given.length });
    at += part.length;
    from = index + given.length;
  };
  if (/[^\x00-\x7f]/.test(text) || joint.test(text)) {
    for (const { 0: part, 1: together, index } of text.matchAll(odd)) {
      if (together !== undefined) change(index, part, '');
      else if (formOf(part) !== part)
        for (const { 0: given, index: place } of part.matchAll(letters)) change(index + place, given, formOf(given));
    }
  }
  if (changes.length === 0) return { text, placeOf: (start, end) => ({ start, end }) };
  parts.push(text.slice(from));
  const spanOf = (place: number): readonly [start: number, end: number] => {
    let [low, high] = [0, changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes[middle]!.at <= place) low = middle + 1;
      else high = middle;
    }
    const last = changes[low - 1];
    if (last === undefined) return [place, place + 1];
    const end = last.from + last.given;
    const beyond = place - last.at - last.length;
    return beyond < 0 ? [last.from, end] : [end + beyond, end + beyond + 1];
  };
  return { text: parts.join(''), placeOf: (start, end) => ({ start: spanOf(start)[0], end: spanOf(end - 1)[1] }) };
}

const dataUrl = /data:[\w.+/-]{0,100}((?:;[\w.+-]{1,50}(?:=[\w.+"-]{0,100})?){0,5}),([^\s"'<>`\\)]{8,})/y;

/** Lists the data URLs of a text whose content is text: what it says, and where it is written. */
export function dataUrlsOf(text: string): (Stretch & { readonly text: string })[] {
  const urls: (Stretch & { readonly text: string })[] = [];
  for (let at = text.indexOf('data:'); at >= 0; at = text.indexOf('data:', at + 5)) {
    dataUrl.lastIndex = at;
    const [, settings, content] = dataUrl.exec(text) ?? [];
    if (settings === undefined || content === undefined) continue;
    const end = dataUrl.lastIndex;
    const bytes = content.replace(/(?:%[0-9a-f]{2})+/gi, (coded) =>
      Buffer.from(coded.replaceAll('%', ''), 'hex').toString(),
    );
    const said = settings.endsWith(';base64') ? Buffer.from(bytes, 'base64').toString() : bytes;
    // A picture is known by its first bytes.
    if (!/[\ufffd\0-\x08]/.test(said.slice(0, 40))) urls.push({ text: said, start: end - content.length, end });
    at = end - 5;
  }
  return urls;
}
