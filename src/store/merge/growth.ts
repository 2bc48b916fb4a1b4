// Files that only grow: what was added to one version of them, put behind what stands there by now. Two additions are never a conflict.

import { splitKeepingEnds } from '../../base/text.ts';
import { kindOf } from '../records/kind.ts';
import { joinPieces, type LogEntry, type LogPiece } from '../records/log.ts';
import { type LogFormat, logFormatOf, logReaderOf } from '../records/log-readers.ts';
import { formatSequenceId, parseSequenceId, replaceSequenceIds } from '../records/sequence-id.ts';
import { keyedEntries } from './log-ids.ts';
import { entriesOf } from './merge-log.ts';
import { mergeText } from './text.ts';

/** A file with an addition at its end. */
interface Growth {
  readonly text: string;
  /** What ids of the version that was added to are called now: old id → new id, those of the addition included. */
  readonly names: ReadonlyMap<string, string>;
}

/** Tells whether a file only grows, as a log or a daily note does. Such a file has a place for all that several hands add. */
export const onlyGrows = (path: string, ...versions: readonly (string | null)[]): boolean =>
  kindOf(path) === 'daily' || logReaderOf(path, ...versions) !== null;

/**
 * Puts what `wanted` adds to `base` behind `present`; undefined where more was done than to add, and where the file is none that only grows.
 *
 * What `present` has already stays there once. In a log an entry whose id is taken, or comes before the last one, gets the next free id.
 * The ids that the addition names are those that their entries have now.
 */
export function growAgain(path: string, base: string | null, present: string, wanted: string): Growth | undefined {
  if (!onlyGrows(path, base, present, wanted)) return undefined;
  const format = logFormatOf(path);
  return format === null ? growNote(base ?? '', present, wanted) : growLog(format, path, base ?? '', present, wanted);
}

function growNote(given: string, present: string, wanted: string): Growth | undefined {
  // Of two that were begun at once the first lines are those of both.
  const base = given === '' ? sharedLines(present, wanted) : given;
  if (!wanted.startsWith(base)) return undefined;
  const names = new Map<string, string>();
  if (present === base) return { text: wanted, names };
  const added = wanted.slice(base.length);
  const beyond = present.startsWith(base) ? present.slice(base.length) : present;
  if (`\n${beyond}\n`.includes(`\n${added.trim()}\n`)) return { text: present, names };
  const gap = present === '' || present.endsWith('\n') ? '' : '\n';
  return { text: present + gap + added, names };
}

function sharedLines(a: string, b: string): string {
  const [one, other] = [splitKeepingEnds(a), splitKeepingEnds(b)];
  const end = one.findIndex((line, at) => line !== other[at]);
  return one.slice(0, end < 0 ? one.length : end).join('');
}

function growLog(format: LogFormat, path: string, base: string, present: string, wanted: string): Growth | undefined {
  const [start, from] = [format.startOf(base, path), format.startOf(wanted, path)];
  if (!wanted.startsWith(base.slice(start), from)) return undefined;
  const pieces = format.read(wanted, path);
  const added = piecesBehind(pieces, from + base.length - start);
  if (added === undefined) return undefined;
  const [before, known] = [keyedEntries(format.read(base, path)), keyedEntries(format.read(present, path))];
  const keys = new Map([...keyedEntries(pieces)].map(([key, piece]) => [piece, key]));
  const highest = highestNumbers(format.read(present, path));
  const names = new Map<string, string>();
  for (const [key, piece] of before) {
    const own = known.get(key);
    if (piece.kind === 'entry' && own?.kind === 'entry' && own.id !== piece.id) names.set(piece.id, own.id);
  }
  const news: { readonly piece: LogPiece; readonly name?: string }[] = [];
  for (const piece of added) {
    const key = keys.get(piece)!;
    const own = known.get(key);
    const isKnown = own !== undefined && !before.has(key);
    if (piece.kind === 'rest') {
      if (!isKnown) news.push({ piece });
      continue;
    }
    const name = isKnown ? (own as LogEntry).id : nextName(piece.id, highest);
    if (name !== piece.id) names.set(piece.id, name);
    if (!isKnown) news.push({ piece, name });
  }
  if (present === base && names.size === 0) return { text: wanted, names };
  const lines = news.map(({ piece, name }) => {
    if (piece.kind === 'rest') return { text: piece.text };
    return { text: replaceSequenceIds(piece.text, (id) => (id === piece.id ? name! : (names.get(id) ?? id))) };
  });
  // An id in a form of a person's own, `EVT-3`, is not found in the words.
  const isNamed = news.every(({ piece, name }, at) => {
    return piece.kind === 'rest' || name === piece.id || lines[at]!.text.includes(name!);
  });
  if (!isNamed) return undefined;
  const isWorthIt = news.some(({ piece }) => piece.text.trim() !== '');
  const head = mergeText(
    base === '' ? null : base.slice(0, start),
    headOf(format, path, present),
    wanted.slice(0, from),
    'theirs',
  );
  const text = head.text + present.slice(format.startOf(present, path));
  return { text: joinPieces([{ text }, ...(isWorthIt ? lines : [])].filter((piece) => piece.text !== '')), names };
}

const headOf = (format: LogFormat, path: string, text: string): string => text.slice(0, format.startOf(text, path));

/** The pieces that begin at an offset or later; undefined where one goes across it. */
function piecesBehind(pieces: readonly LogPiece[], offset: number): LogPiece[] | undefined {
  const behind: LogPiece[] = [];
  let end = 0;
  for (const piece of pieces) {
    const begin = end;
    end += piece.text.length;
    if (begin >= offset) behind.push(piece);
    // What was there may only have got its line feed.
    else if (end > offset && piece.text.slice(offset - begin).trim() !== '') return undefined;
  }
  return behind;
}

function highestNumbers(pieces: readonly LogPiece[]): Map<string, number> {
  const highest = new Map<string, number>();
  for (const { id } of entriesOf(pieces)) {
    const sequence = parseSequenceId(id);
    if (sequence !== null) highest.set(sequence.series, Math.max(highest.get(sequence.series) ?? 0, sequence.number));
  }
  return highest;
}

/** Gives an entry its id, which is its own unless that does not come behind the last one; notes it as taken. */
function nextName(id: string, highest: Map<string, number>): string {
  const sequence = parseSequenceId(id);
  if (sequence === null) return id;
  const { series } = sequence;
  const number = Math.max(sequence.number, (highest.get(series) ?? 0) + 1);
  highest.set(series, number);
  return formatSequenceId({ series, number });
}
