// How a hit reads in a context: a turn behind its speaker, a memory as a line with its day, a section below its heading. What of it is over is
// marked in its place.

import { oncePerValue } from '../../../base/once-per.ts';
import { dayOf } from '../../../base/time.ts';
import { type JudgedHit, type SearchDocument, snippetOf } from '../../../search/index.ts';
import { periodMark, toBegin } from '../../../store/claims/claim.ts';
import { mountFolder } from '../../../store/guard/path.ts';
import { cutMounted } from '../../../store/mounts.ts';
import { asContent, asSpoken, indented } from './data-text.ts';
import type { Meter } from './meter.ts';
import { type EndingStyle, markedText } from './outdated.ts';
import type { Piece } from './part.ts';

/** How hits are written. */
export interface HitStyle {
  readonly meter: Meter;
  /** The terms by which the fitting sentences of a long text are chosen. */
  readonly terms: readonly string[];
  readonly style: EndingStyle;
  /** Names a memory so that no other of the view has the same beginning. */
  handleOf(id: string): string;
}

export const isSpoken = ({ category }: SearchDocument): boolean => category === 'conversation';
export const isOfLog = ({ category }: SearchDocument): boolean => category === 'ledger' || category === 'event';
/** A memory or an event of the ledger is one line. */
export const isLine = ({ category }: SearchDocument): boolean => category === 'memory' || category === 'ledger';

/** Names a hit by its place. */
export const sourceOf = ({ path, turn, line }: SearchDocument): string =>
  turn === undefined ? `${path}:${line}` : `${path}#${turn}`;

const daysIn = oncePerValue((timeZone: string) => oncePerValue((minute: number) => dayOf(minute * 60_000, timeZone)));

/** Gives the day of a document in a time zone; empty where it has no time. */
export const dayIn = ({ time }: SearchDocument, timeZone: string): string =>
  time === undefined ? '' : daysIn(timeZone)(Math.floor(time / 60_000));

/**
 * Writes a hit, of whose text `said` is what is shown, as a piece. Of more than `most` characters the fitting sentences are shown.
 */
export function pieceOf(judged: JudgedHit, said: string, most: number, why: string, how: HitStyle): Piece {
  const { hit, score } = judged;
  const { document, parts } = hit;
  const { text: words, isCut } = shortened(said, how.terms, most);
  const marked = markedText(words, judged, how.style);
  const handle = document.category === 'memory' ? handleOf(document, how) : (document.id ?? '');
  const begins = document.record && toBegin(document.record, how.style.now);
  const from = begins === undefined ? '' : periodMark({ from: dayOf(begins * 1000, how.style.timeZone) });
  const text = rendered(document, handle, `${marked.text}${from}`, how.style.timeZone, marked.mark);
  const piece: { -readonly [Key in keyof Piece]: Piece[Key] } = {
    source: sourceOf(document),
    path: document.path,
    line: isCut ? hit.line : (document.textLine ?? document.line),
    text,
    tokens: how.meter.count(`${text}\n`),
    score,
    parts,
    why,
  };
  if (document.id !== undefined) piece.id = document.id;
  if (document.turn !== undefined) piece.turn = document.turn;
  if (isCut) piece.isCut = true;
  return piece;
}

/** A memory of another repository has no id here: it is named by its mount. */
function handleOf({ id, path }: SearchDocument, how: HitStyle): string {
  if (id !== undefined) return how.handleOf(id);
  const mounted = cutMounted(path);
  return mounted === null ? '' : `${mountFolder}/${mounted.name}`;
}

const oneLineOf = (text: string): string => (text.includes('\n') ? indented(text).replace(/\n\s*/g, ' ') : text);

function shortened(
  text: string,
  terms: readonly string[],
  most: number,
): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  return { text: snippetOf(text, terms, most).text, isCut: true };
}

/** Writes a hit as the text shows it; a `mark` of the whole comes before what is said, or behind a line. */
function rendered(
  document: SearchDocument,
  handle: string,
  words: string,
  timeZone: string,
  mark: string | undefined,
): string {
  const behind = mark === undefined ? '' : ` ${mark}`;
  if (isSpoken(document)) return asSpoken(`${document.speaker ?? document.role ?? ''}${behind}`, words);
  const content = asContent(words);
  if (isLine(document)) {
    const day = dayIn(document, timeZone);
    return `- [${handle}] ${oneLineOf(content)}${day === '' ? '' : ` (${day})`}${behind}`;
  }
  const heading = headingOf(document);
  return heading === '' ? `${content}${behind}` : `## ${heading}${behind}\n${content}`;
}

/** The heading of a section; its title is the headings above it, the name of the file, and what front matter calls it. That of a box lists words it says. */
function headingOf({ title, path, category }: SearchDocument): string {
  if (category === 'box') return '';
  const lines = (title ?? '').split('\n');
  const fileName = path.replace(/^.*\//, '').replace(/\.[a-z]+$/, '');
  const at = lines.indexOf(fileName);
  return asContent(lines[(at < 0 ? lines.length : at) - 1] ?? '');
}
