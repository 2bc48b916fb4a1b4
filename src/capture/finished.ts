// A finished conversation as the transcript that is recorded of it: its topic, its title, times in whole seconds.

import type { Transcript } from '../records/types.ts';
import type { CaptureInput } from './input.ts';
import { topicOf } from './sessions.ts';

/** Makes the closed transcript of a conversation that was read. */
export function finishedTranscript(read: CaptureInput, sessionId: string): Transcript {
  // A transcript that has a title and no topic is kept as it is.
  const topic = read.topic ?? (read.title === undefined ? topicOf(read.turns) : undefined);
  return {
    ...read,
    sessionId,
    started: wholeSeconds(read.started),
    ended: wholeSeconds(read.ended),
    ...(topic === undefined ? {} : { topic }),
    title: read.title ?? titleOf(topic ?? ''),
    turns: read.turns.map((turn) => ({ ...turn, time: wholeSeconds(turn.time) })),
  };
}

/** Cuts a time to what transcripts hold. */
export function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}

/** Makes a title of a topic. */
export function titleOf(topic: string): string {
  return topic === '' ? 'Conversation' : topic[0]!.toUpperCase() + topic.slice(1);
}
