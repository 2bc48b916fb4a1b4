// A sentence and where it was said: what must be known to read it. Extraction, recall and context hand it to whatever reads a sentence.

import type { Turn } from '../records/types.ts';

/** One turn before a sentence, or the beginning of its own. */
export interface SaidBefore {
  readonly role: string;
  /** The name of the speaker, as {@link Said.speaker}. */
  readonly speaker: string;
  readonly text: string;
}

/** One sentence as it was said, with what is needed to understand it. */
export interface Said {
  /** The sentence in its own words, on one line. */
  readonly text: string;
  /** Whom "I" means: the turn's speaker, else the owner that memory.yaml names, else `the user`; `the assistant` for an agent without a name. */
  readonly speaker: string;
  /** Role of the turn: `user`, `agent`, or what an import says. */
  readonly role: string;
  /** Milliseconds since the Unix epoch: when it was said. */
  readonly time: number;
  /** IANA zone that decides what day "tomorrow" is; default UTC. */
  readonly timeZone?: string;
  /** What was said just before, oldest first: the last turns of the conversation, then the sentences of the same turn before this one, joined. */
  readonly before: readonly SaidBefore[];
  /** The rest of the same turn after this sentence; may be empty. */
  readonly after: string;
}

/** Gives what was said before a sentence in its own turn; undefined where it begins the turn. */
export function ownBefore({ before, speaker, role }: Said): SaidBefore | undefined {
  const last = before.at(-1);
  return last !== undefined && last.speaker === speaker && last.role === role ? last : undefined;
}

/** What of a memory's configuration decides how a sentence is understood. */
export interface Listener {
  /** The person whose memory it is, as memory.yaml names them: the `I` of turns without a speaker. */
  readonly owner?: string;
  /** IANA zone that decides what day "tomorrow" is; default UTC. */
  readonly timeZone?: string;
}

/** So many turns before a sentence are looked at: what "it" means is said shortly before. */
const turnsBefore = 3;
const maxTurnLength = 2000;

/** Names the speaker of a turn: by name, else the owner of the memory or `the user`; `the assistant` for an agent without a name. */
export function speakerOf({ role, speaker }: Pick<Turn, 'role' | 'speaker'>, owner?: string): string {
  if (speaker !== undefined) return speaker;
  if (role === 'user') return owner ?? 'the user';
  return role === 'agent' || role === 'assistant' ? 'the assistant' : role;
}

/**
 * Gives a sentence of a turn with where it was said; `number` is that of the turn, from 1.
 *
 * A sentence whose label or opening was cut off is not in the turn to the letter: it is looked for by its end.
 */
export function saidIn(
  text: string,
  turns: readonly Turn[],
  number: number,
  { owner, timeZone }: Listener = {},
): Said | undefined {
  const turn = turns[number - 1];
  if (turn === undefined) return undefined;
  const speaker = speakerOf(turn, owner);
  const whole = oneLine(turn.text);
  const [from, to] = placeOf(oneLine(text), whole);
  const before = turns.slice(Math.max(0, number - 1 - turnsBefore), number - 1).map((earlier) => ({
    role: earlier.role,
    speaker: speakerOf(earlier, owner),
    text: oneLine(earlier.text),
  }));
  const lead = whole.slice(0, from);
  const opening = correctionLabel.exec(lead)?.[1] ?? '';
  const own = lead.slice(0, lead.length - opening.length).trim();
  return {
    text: `${opening}${text}`,
    speaker,
    role: turn.role,
    time: turn.time,
    ...(timeZone === undefined ? {} : { timeZone }),
    before: own === '' ? before : [...before, { role: turn.role, speaker, text: own }],
    after: whole.slice(to).trim(),
  };
}

/** It is cut off what is kept, and says that something else was wrong. */
const correctionLabel = /(?<![\p{Alpha}\d])((?:correction|erratum|update)\s?[:—–-]\s*)$/iu;

function oneLine(text: string): string {
  return text
    .slice(0, maxTurnLength)
    .replace(/[*_`]{1,2}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Where a sentence stands: [start, end); the whole where it is not found. */
function placeOf(sentence: string, whole: string): readonly [number, number] {
  const [low, lowWhole] = [sentence.toLowerCase(), whole.toLowerCase()];
  for (const part of [low, low.slice(-40), low.slice(0, 40)]) {
    const at = lowWhole.indexOf(part);
    if (at < 0) continue;
    const end = part === low.slice(0, 40) ? at + low.length : at + part.length;
    return [Math.max(0, end - low.length), Math.min(whole.length, end)];
  }
  return [0, whole.length];
}
