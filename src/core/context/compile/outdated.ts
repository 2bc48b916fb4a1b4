// How a text says that something in it no longer holds: by a few words behind the passage. So each line can be read alone.
//
//     The office is on Pier 4 (until 2026-03-24, now: "We sit in the Custom House.")
//     The office is on Pier 4 (until 2026-03-24)                                         nothing took its place

import { dayOf } from '../../../base/time.ts';
import type { Learnt } from '../../../base/types.ts';
import type { Ended, JudgedHit } from '../../../search/index.ts';
import { withLine } from '../../../store/records/knowledge-marks.ts';
import type { Snapshot } from '../../../store/snapshot.ts';
import { asContent } from './data-text.ts';

/** What a compiled text reads of a state. */
export type ShownFiles = Pick<Snapshot, 'textIfWhole' | 'list' | 'listedOidOf' | 'oidOf'>;

/** Shows files with other texts. */
export const withTexts = (files: ShownFiles, shown: (text: string, path: string) => string): ShownFiles => ({
  list: (prefix) => files.list(prefix),
  listedOidOf: (path) => files.listedOidOf(path),
  oidOf: (path) => files.oidOf(path),
  textIfWhole(path) {
    const text = files.textIfWhole(path);
    return text === null ? null : shown(text, path);
  },
});

/** How endings are written. */
export interface EndingStyle {
  /** Decides which day an ending is. */
  readonly timeZone: string;
  /** In seconds: what ends later is still to come. */
  readonly now: number;
}

/** Longer words of what holds now are left out. */
const mostOfNow = 160;
/** Of the name of a branch so much is shown. */
const mostOfBranch = 60;

/** Writes an end: `(until 2026-03-24, now: "…")`, with the words of what holds now. */
export function endingMark(ending: Ended, { timeZone, now }: EndingStyle): string {
  const { until } = ending;
  const isToCome = until !== undefined && until > now;
  const when = until === undefined ? 'no longer' : `until ${dayOf(until * 1000, timeZone)}`;
  const words = ending.now?.replace(/\s+/g, ' ').trim() ?? '';
  if (words === '' || words.length > mostOfNow) return `(${when})`;
  return `(${when}, ${isToCome ? 'then' : 'now'}: "${asContent(words)}")`;
}

/** Says of what was learnt on a branch that HEAD does not have. */
export function learntMark(learnt: Learnt | undefined): string {
  const branch = asContent(learnt?.branch ?? 'another branch').slice(0, mostOfBranch);
  if (learnt?.standing === 'elsewhere') return `(on ${branch}, not merged here)`;
  return learnt?.standing === 'lost' ? `(on ${branch}, which was never merged)` : '';
}

/** Puts a mark behind each passage that ended. `mark` is the one of a hit that is over as a whole and has no passage to put it behind. */
export function markedText(
  text: string,
  { passages, ended, learnt }: Pick<JudgedHit, 'passages' | 'ended' | 'learnt'>,
  style: EndingStyle,
): { readonly text: string; readonly mark?: string } {
  let marked = text;
  const put = (end: number, mark: string): void => {
    marked = `${marked.slice(0, end)} ${mark}${marked.slice(end)}`;
  };
  let isMarked = false;
  for (const { words, ...ending } of passages) {
    const end = endOf(words, marked);
    if (end === undefined) continue;
    isMarked = true;
    put(end, endingMark(ending, style));
  }
  // The words of a line may say until when by themselves; the mark says more, whichever comes first.
  if (marked.includes(' (until '))
    marked = marked
      .replace(/(\((?:until|no longer)[^)]*\)[.!?…]*) \(until \d{4}-\d\d-\d\d\)/g, '$1')
      .replace(/ \(until \d{4}-\d\d-\d\d\)(?= \((?:until|no longer))/g, '');
  const mark = [ended === undefined || isMarked ? '' : endingMark(ended, style), learntMark(learnt)].join(' ').trim();
  const shown = ended === undefined || isMarked ? marked : text;
  return mark === '' ? { text: shown } : { text: shown, mark };
}

/** A pattern has a largest size: a passage of more characters is looked for in pieces, each behind the one before. */
const pieces = /.{1,500}/gsu;

/** Finds where a passage ends in a text; letter case and white space do not count, nor does a full stop behind it. */
function endOf(words: string, text: string): number | undefined {
  const plain = words
    .trim()
    .replace(/[.!?…]+$/, '')
    .replace(/\s+/g, ' ');
  const [first, ...others] = (plain.match(pieces) ?? []).map((piece) =>
    piece.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(' ', '\\s+'),
  );
  if (first === undefined) return undefined;
  const following = [...others, '[.!?…]*'].map((pattern) => new RegExp(pattern, 'iuy'));
  for (const { index, 0: found } of text.matchAll(new RegExp(first, 'giu'))) {
    let end = index + found.length;
    const isWhole = following.every((next) => {
      next.lastIndex = end;
      const isNext = next.test(text);
      end = next.lastIndex;
      return isNext;
    });
    if (isWhole) return end;
  }
  return undefined;
}

/** Shows files of a state with a mark in each line that ended; `endingsIn` finds these by their numbers, counted from 0. */
export function withEndings(
  files: ShownFiles,
  endingsIn: (text: string) => ReadonlyMap<number, Ended>,
  style: EndingStyle,
): ShownFiles {
  return withTexts(files, (text) => {
    let marked = text;
    for (const [at, ending] of endingsIn(text))
      marked = withLine(marked, at, (line) => withMark(line, endingMark(ending, style)));
    return marked;
  });
}

/** Puts a mark behind the words of a line and before what says where they come from. */
function withMark(line: string, mark: string): string {
  const marks = line.search(/[ \t]\[(?:source|verified|due|memory): /);
  const said = (marks < 0 ? line : line.slice(0, marks)).trimEnd();
  // A line of the engine says until when it was so; the mark says more.
  const words = said.replace(/ \(until \d{4}-\d\d-\d\d\)$/, '');
  return `${words} ${mark}${line.slice(said.length)}`;
}
