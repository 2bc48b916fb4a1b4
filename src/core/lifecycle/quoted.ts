// How a line of a page quotes: the day, who says it, and the words. `2026-11-16 Jonas: We host on Hetzner.`

import { orElse } from '../../base/errors.ts';
import { oncePer, oncePerValue } from '../../base/once-per.ts';
import { normaliseForHash, oneLine } from '../../base/text.ts';
import type { MemoryRecord, Turn } from '../../base/types/stored-types.ts';
import { asks, leavesOpen, sentencesOf } from '../../language/index.ts';
import { speakerOf } from '../../store/claims/speaker.ts';
import { forgottenIn, shownText } from '../../store/forgotten.ts';
import { dayOfNote, parseDailyNote } from '../../store/records/daily-note.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/** In characters; a longer name is no name. */
const longestName = 60;

/** Names who says the words of a memory in a turn; undefined where they are not the words of that turn. */
export function quotedSpeaker(
  { content }: Pick<MemoryRecord, 'content'>,
  turn: Pick<Turn, 'role' | 'speaker' | 'text'> | undefined,
  owner?: string,
): string | undefined {
  if (turn === undefined) return undefined;
  const words = wordsOf.get(turn) ?? normaliseForHash(turn.text);
  wordsOf.set(turn, words);
  return words.includes(normaliseForHash(content)) ? speakerOf(turn, owner) : undefined;
}

/** What turns say, for all memories of a turn ask: one may be a log of a megabyte. */
const wordsOf = new WeakMap<object, string>();

/** Writes what stands before the words of a line: `2026-11-16 Jonas: `, or the day alone where nobody is quoted. */
export function leadOf(day: string, speaker: string | undefined): string {
  const name = speaker === undefined ? '' : oneLine(speaker.replace(/[:[\]]+/g, ' '), longestName).trim();
  return name === '' ? `${day}: ` : `${day} ${name}: `;
}

/** Makes what names the speaker of a memory of a state, where its words are those of its first turn. A conversation is read once. */
export function speakersIn(
  snapshot: Snapshot,
  { owner, timezone }: { readonly owner?: string | null | undefined; readonly timezone: string },
): (record: MemoryRecord) => string | undefined {
  const turnsOf = oncePerValue((path: string) => turnsIn(snapshot, path, timezone));
  return (record) => {
    const source = record.sources?.find(({ turn }) => turn !== undefined);
    if (source?.turn === undefined) return undefined;
    return quotedSpeaker(record, turnsOf(source.path)[source.turn - 1], owner ?? undefined);
  };
}

/** Reads the turns of a capture without what was forgotten. */
function turnsIn(snapshot: Snapshot, path: string, timezone: string): readonly Turn[] {
  const text = shownText(snapshot, path, snapshot.textIfWhole(path) ?? '');
  const day = dayOfNote(path);
  const read = () => (day === null ? parseTranscript(text, path) : parseDailyNote(text, day, timezone)).turns;
  return orElse(read, [], 'INVALID_RECORD', 'TOO_LARGE');
}

/**
 * Makes what gives the sentence before a promise that leaves open what is promised, or the turn before; of a long one its question. For answers
 * alone: a file says nothing of a turn that does not own the line.
 */
export const saidBefore = oncePer((snapshot: Snapshot) =>
  oncePer(({ content, statement, sources = [] }: MemoryRecord): string | undefined => {
    const [source] = sources.filter(({ turn }) => turn !== undefined);
    if (source === undefined || statement !== undefined || !leavesOpen(content)) return undefined;
    const turns = turnsIn(snapshot, source.path, 'UTC');
    const [own, before] = [turns[source.turn! - 1], turns[source.turn! - 2]];
    const at = own === undefined ? -1 : sentencesOf(own.text).indexOf(content);
    const turn = at > 0 ? own! : before;
    const isGone = forgottenIn(snapshot)
      .turns.get(source.path)
      ?.has(at > 0 ? source.turn! : source.turn! - 1);
    const said = at < 0 || isGone || turn === undefined || turn.flag !== undefined ? [] : sentencesOf(turn.text);
    const all = said.join(' ');
    const ofTurn = all.length <= mostBefore ? all : (said.findLast(asks) ?? said.at(-1));
    const words = at > 0 ? said[at - 1] : ofTurn || undefined;
    const isTold = words !== undefined && words.length <= mostBefore && /^(?:user|agent|assistant)$/.test(turn!.role);
    return isTold ? `${speakerOf(turn!)}: ${words}` : undefined;
  }),
);

/** In characters: what is longer has its place elsewhere. */
const mostBefore = 240;

/** Marks what rests on words from outside alone, until a person says it too. */
export const untrustedTag = 'untrusted';
