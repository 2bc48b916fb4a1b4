// What is new since an earlier context. A text is compiled as ever, and lines that the agent was handed before leave it. First comes what it
// was handed and what does not hold any more.

import { normaliseForHash } from '../../../base/text.ts';
import type { ContextBlock, ContextResult } from '../../../base/types/compiled-types.ts';
import type { MemoryRecord } from '../../../base/types/stored-types.ts';
import { quoteOfClaim } from '../../../store/claims/claim.ts';
import { memoryPath } from '../../../store/records/memory-record.ts';
import { asContent } from './data-text.ts';
import type { Meter } from './meter.ts';
import type { Part, Piece } from './part.ts';

/** What an agent was handed: by one context, and by those since which it told what was new. */
export interface Earlier {
  readonly lines: ReadonlySet<string>;
  readonly blocks: readonly ContextBlock[];
  /** Memories that an earlier context said had changed. */
  readonly changed: ReadonlySet<string>;
  /** So many turns of the session were shown or had left the window. */
  readonly turns: number;
}

/** Adds a context to what was handed before it. */
export function earlierOf({ slots, window }: Pick<ContextResult, 'slots' | 'window'>, before?: Earlier): Earlier {
  const lines = new Set(before?.lines);
  for (const { text } of slots) for (const line of text.split('\n')) lines.add(line.trim());
  return {
    lines,
    changed: new Set([
      ...(before?.changed ?? []),
      ...slots.flatMap(({ slot, blocks }) => (slot === 'changed' ? blocks.flatMap(({ id }) => id ?? []) : [])),
    ]),
    blocks: [...(before?.blocks ?? []), ...slots.flatMap(({ blocks }) => blocks)],
    turns: Math.max(before?.turns ?? 0, window.turns),
  };
}

/** Takes from a part what was handed before. */
export function leaveHanded(part: Part, earlier: Earlier, meter: Meter): void {
  const pieces = part.pieces.splice(0);
  for (const piece of pieces) {
    const text = isTurnOfSession(part, piece) ? unseenTurn(piece, earlier) : newLines(piece.text, earlier);
    if (text === piece.text) part.pieces.push(piece);
    else if (text === '') part.left.push({ source: piece.source, why: handedBefore });
    else part.pieces.push({ ...piece, text, tokens: meter.count(`${text}\n`) });
  }
}

export const handedBefore = 'it was handed before';

/** Tells whether all that a hit says was handed before, and, where it ended, that it did. */
export const isHanded = (text: string, id: string | undefined, isOver: boolean, earlier: Earlier): boolean =>
  newLines(text, earlier) === '' || (isOver && id !== undefined && earlier.changed.has(id));

const isTurnOfSession = ({ slot }: Part, { turn }: Piece): boolean => slot === 'history' && turn !== undefined;

/** Turns count by their number, too: the same words may be said again. */
const unseenTurn = ({ turn, text }: Piece, earlier: Earlier): string =>
  turn! <= earlier.turns && newLines(text, earlier) === '' ? '' : text;

/** Gives the lines that are new, and the headings above them. */
function newLines(text: string, { lines }: Earlier): string {
  const kept: string[] = [];
  let hasWords = false;
  for (const line of text.split('\n').reverse()) {
    const isNew = !lines.has(line.trim()) && line.trim() !== '';
    if (isHeading(line) ? !hasWords : !isNew) continue;
    kept.push(line);
    hasWords = !isHeading(line);
  }
  return kept.reverse().join('\n');
}

/** A heading of markdown, the label of a file, the day of turns, or words that end in a colon. */
const isHeading = (line: string): boolean => /^(?:#{1,6} |<!-- .* -->$|\[\d{4}-\d\d-\d\d\]$|[^-\s].*:$)/.test(line);

/** How a claim stands now. */
export interface Standing {
  readonly record: MemoryRecord;
  /** `(until 2026-03-24, now: …)` of one that ended. */
  readonly mark?: string;
}

/** Where blocks of an earlier context are looked up. */
export interface Now {
  /** Gives a memory by its id; null where it was forgotten. */
  standingOf(id: string): Standing | null;
  /** Lists the memories that were taken from a turn, `path#turn`. */
  claimsOf(turn: string): readonly string[];
  /** Tells whether the words of a turn were forgotten. */
  isForgotten(path: string, turn: number): boolean;
  handleOf(id: string): string;
}

/**
 * Lists what was handed and ended, was worded anew or was forgotten since; of the last only its name is said. `shown` has the memories whose
 * words are in the text.
 */
export function changedPieces(earlier: Earlier, now: Now, shown: ReadonlySet<string>, meter: Meter): Piece[] {
  const told = new Set<string>();
  const lines: { readonly text: string; readonly source: string; readonly id?: string }[] = [];
  const tell = (source: string, text: string, id?: string): void => {
    if (!told.has(text) && !earlier.lines.has(text)) lines.push({ source, text, ...(id === undefined ? {} : { id }) });
    told.add(text);
  };
  const said = [...earlier.lines].map(normaliseForHash).join('\n');
  for (const { id, path = '', turn, source } of earlier.blocks) {
    if (turn !== undefined && path !== '' && now.isForgotten(path, turn)) {
      tell(source, `- Forgotten, and not to be used: what was said in ${source}`);
      continue;
    }
    for (const one of id === undefined ? (turn === undefined ? [] : now.claimsOf(`${path}#${turn}`)) : [id]) {
      const standing = now.standingOf(one);
      if (standing === null) {
        // Boxes and events have ids, too.
        if (path === memoryPath(one)) tell(source, `- Forgotten, and not to be used: ${now.handleOf(one)}`, one);
        continue;
      }
      const words = asContent(quoteOfClaim(standing.record)).replace(/\s+/g, ' ');
      if (standing.mark !== undefined) tell(source, `- ${words} ${standing.mark}`, one);
      else if (id !== undefined && !shown.has(one) && !said.includes(normaliseForHash(words)))
        tell(source, `- Now: ${words}`, one);
    }
  }
  return lines.map(({ text, source, id }, at): Piece => {
    const whole = at === 0 ? `Changed since the last context:\n${text}` : text;
    return {
      source,
      text: whole,
      tokens: meter.count(`${whole}\n`),
      why: 'it was handed before, and is so no more',
      ...(id === undefined ? {} : { id }),
    };
  });
}
