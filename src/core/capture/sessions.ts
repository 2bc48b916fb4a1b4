// Cutting a long conversation into sessions, naming a session by what it is about, and the transcript that is recorded of a finished one.

import { defined } from '../../base/errors.ts';
import type { Transcript, Turn } from '../../base/types/stored-types.ts';
import { minTopicWords, phraseOf } from '../../store/records/conversation-name.ts';
import type { CaptureInput } from './input.ts';

/** A silence this long ends a session (spec 4: threads break after 30 minutes). */
export const sessionPauseMs = 30 * 60_000;

/** Cuts turns at pauses of `pauseMs` or more; they have to be in order of time. No session is empty. */
export function splitSessions(turns: readonly Turn[], pauseMs: number = sessionPauseMs): Turn[][] {
  const sessions: Turn[][] = [];
  let last: Turn | undefined;
  for (const turn of turns) {
    if (last === undefined || turn.time - last.time >= pauseMs) sessions.push([]);
    sessions.at(-1)!.push(turn);
    last = turn;
  }
  return sessions;
}

/** Gives one of the sessions that a conversation was cut into, by its place among them. */
export function partOf(read: CaptureInput, turns: readonly Turn[], position: number): CaptureInput {
  const sessionId = read.sessionId === undefined ? {} : { sessionId: `${read.sessionId}-${position + 1}` };
  return { ...read, ...sessionId, started: turns[0]!.time, ended: turns.at(-1)!.time, turns };
}

/** Names a session after its first message that says something, those of the user first; without any words it is `conversation`. */
export function topicOf(turns: readonly Turn[]): string {
  const spoken = turns.filter((turn) => turn.flag === undefined && turn.role !== 'system').slice(0, 40);
  const ordered = [...spoken.filter(({ role }) => role === 'user').slice(0, 6), ...spoken];
  let best = '';
  for (const turn of ordered) {
    const phrase = phraseOf(turn.text);
    const words = phrase === '' ? 0 : phrase.split(' ').length;
    if (words >= minTopicWords || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]{4}/u.test(phrase)) return phrase;
    if (phrase.length > best.length) best = phrase;
  }
  return best === '' ? 'conversation' : best;
}

/** Makes the closed transcript of a conversation that was read. */
export function finishedTranscript(read: CaptureInput, sessionId: string): Transcript {
  // A transcript that has a title and no topic is kept as it is.
  const topic = read.topic ?? (read.title === undefined ? topicOf(read.turns) : undefined);
  return {
    ...read,
    sessionId,
    started: wholeSeconds(read.started),
    ended: wholeSeconds(read.ended),
    ...defined({ topic }),
    title: read.title ?? titleOf(topic ?? ''),
    turns: read.turns.map((turn) => ({ ...turn, time: wholeSeconds(turn.time) })),
  };
}

/** Cuts a time to what transcripts hold. */
export const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000) * 1000;

/** Makes a title of a topic. */
export const titleOf = (topic: string): string =>
  topic === '' ? 'Conversation' : topic[0]!.toUpperCase() + topic.slice(1);
