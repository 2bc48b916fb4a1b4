// A long text in pieces that can be found one by one: cut where a writer would, between paragraphs, list items or sentences.

import { fenceReader } from '../base/fenced-blocks.ts';

/** One piece of a text, without blank space at either end. */
export interface Chunk {
  readonly text: string;
  /** 0-based line of the whole text on which it begins. */
  readonly line: number;
}

/** A text up to this length stays whole; pieces of a longer one are about as long as a good answer. */
const maxWholeLength = 1200;
const targetLength = 800;

const listItem = /^(?:[-*+]|\d{1,9}[.)])\s/;

/** Offsets at which a new paragraph, list item or code block begins. */
function seamsOf(text: string): number[] {
  const seams: number[] = [];
  let start = 0;
  let isAfterBlank = true;
  const placeOf = fenceReader();
  for (const line of text.split('\n')) {
    const place = placeOf(line);
    const isSeam = place === 'opens' || (place === null && (isAfterBlank || listItem.test(line)));
    if (isSeam && line.trim() !== '') seams.push(start);
    isAfterBlank = line.trim() === '';
    start += line.length + 1;
  }
  return seams;
}

/** Finds where to cut a run without seams: after a line, a sentence or a word, else inside it. */
function cutBefore(text: string, from: number, limit: number): number {
  const head = text.slice(from, limit);
  for (const end of [/\n(?=[^\n]*$)/, /[.!?。！？]\s(?=[^.!?。！？]*$)/, /\s(?=\S*$)/]) {
    const at = head.search(end);
    if (at > targetLength / 2) return from + at + 1;
  }
  // Between the halves of a surrogate pair nothing is cut.
  return /[\ud800-\udbff]/.test(text[limit - 1]!) ? limit - 1 : limit;
}

/** Cuts a text into pieces of about 800 characters; one of 1,200 or less is a single piece, a blank one none. */
export function chunksOf(text: string): Chunk[] {
  const bounds = text.length <= maxWholeLength ? [] : boundsOf(text);
  const chunks: Chunk[] = [];
  let line = 0;
  let start = 0;
  for (const end of [...bounds, text.length]) {
    const piece = text.slice(start, end);
    const blank = piece.length - piece.trimStart().length;
    if (piece.trim() !== '') chunks.push({ text: piece.trim(), line: line + newlinesIn(piece.slice(0, blank)) });
    line += newlinesIn(piece);
    start = end;
  }
  return chunks;
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function boundsOf(text: string): number[] {
  const seams = [...seamsOf(text), text.length];
  const bounds: number[] = [];
  let start = 0;
  let last = 0;
  for (const seam of seams) {
    // Paragraphs are gathered up to the target; what is still too long has no better seam.
    if (seam - start > targetLength && last > start) {
      bounds.push(last);
      start = last;
    }
    while (seam - start > maxWholeLength) {
      start = cutBefore(text, start, start + targetLength);
      bounds.push(start);
    }
    last = seam;
  }
  return bounds;
}
