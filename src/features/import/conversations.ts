// Conversations of chat programs on their way into raw/: each becomes a transcript and a commit of its own, and never a second one.

import { MemoryError } from '../../base/errors.ts';
import type { Transcript, Turn } from '../../base/types/stored-types.ts';
import { checkMessageCount, cleanTranscript, redactionsOf } from '../../core/capture/clean.ts';
import type { CaptureInput } from '../../core/capture/input.ts';
import { planCapture } from '../../core/capture/session.ts';
import { finishedTranscript } from '../../core/capture/sessions.ts';
import type { PassItem } from '../../core/lifecycle/pass.ts';
import { checkMemoryPath } from '../../store/guard/path.ts';
import { formatTranscript, parseTranscript, quietTranscriptPath } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { ImportPlan } from './import-plan.ts';

/** A conversation as its export tells it. */
export interface Conversation {
  readonly input: CaptureInput;
  /** The place in the source. */
  readonly source: string;
  /** Whether the words have times of their own, and not that of the import. */
  readonly isDated: boolean;
  /** Whether secrets were taken out of it while it was read. */
  readonly isRedacted: boolean;
}

/** A transcript that an import adds. */
export interface TranscriptItem extends PassItem {
  readonly action: 'add';
  readonly source: string;
  readonly transcript: Transcript;
}

/** Finds the transcript of a session whose words do not say when they were said. */
export type FindSession = (session: string) => string | undefined;

/** Finds transcripts of a state by their session. */
export function sessionsIn(snapshot: Snapshot): FindSession {
  let paths: readonly string[] | undefined;
  return (session) => {
    paths ??= [...snapshot.list('raw/conversations/').keys()];
    const named = paths.filter((path) => path.includes(`-${session}-`) || path.endsWith(`-${session}.md`));
    return named.find((path) => parseTranscript(snapshot.readText(path)!, path).sessionId === session);
  };
}

/**
 * Plans what of a conversation is new: all of it, nothing, or the turns that came after those that are recorded.
 *
 * A session without an id gets one from its first words. A recorded transcript is closed for ever, so that what was said since becomes
 * another one, `<session>-2`. What contradicts it is left and named. Throws SECRET where the policy refuses, QUOTA.
 */
function planConversation(
  { input, source, isDated, isRedacted: wasRedacted }: Conversation,
  plan: ImportPlan,
  planned: Map<string, Transcript>,
  known: FindSession,
): TranscriptItem | null {
  const { snapshot, configuration } = plan.context.view;
  const read = cleanTranscript(input, plan.filter);
  const isRedacted = plan.wasRedacted() || wasRedacted;
  const session = read.sessionId ?? sessionOf(read.turns[0]!, isDated, snapshot);
  let rest = read.turns;
  for (let part = 1; rest.length > 0; part++) {
    const sessionId = part === 1 ? session : `${session}-${part}`;
    const started = part === 1 ? read.started : rest[0]!.time;
    const transcript = finishedTranscript({ ...read, started, turns: rest }, sessionId);
    const place = checkMemoryPath(quietTranscriptPath(transcript, snapshot.privacy.isPrivate));
    const path = isDated ? place : (known(sessionId) ?? place);
    const text = snapshot.readText(path);
    const present = planned.get(path) ?? (text === null ? undefined : parseTranscript(text, path));
    if (present === undefined) {
      checkMessageCount(rest.length, { maxMessages: configuration.limits.sessionMessages }, path);
      planned.set(path, transcript);
      if (isRedacted) plan.redacted.push(...redactionsOf(path, formatTranscript(transcript), read.topic === undefined));
      const changes = planCapture(path, transcript, Buffer.from(formatTranscript(transcript)), null).changes;
      return { action: 'add', ids: [], source, why: `it comes from ${source}`, transcript, changes };
    }
    // As it would be read back: what a file cannot tell apart is no difference.
    const told = parseTranscript(formatTranscript(transcript), path).turns;
    const shared = sharedTurns(present.turns, told, isDated);
    if (shared < Math.min(present.turns.length, rest.length)) {
      plan.left.push({ source, why: `${path} is another conversation of the same session` });
      return null;
    }
    rest = rest.slice(shared);
  }
  plan.unchanged += 1;
  return null;
}

/** Plans like {@link planConversation}, and notes what cannot become a transcript instead of stopping there. */
export function tryConversation(
  conversation: Conversation,
  plan: ImportPlan,
  planned: Map<string, Transcript>,
  known: FindSession,
): TranscriptItem | null {
  try {
    return planConversation(conversation, plan, planned, known);
  } catch (error) {
    if (!(error instanceof MemoryError) || ['SECRET', 'IO'].includes(error.code)) throw error;
    plan.left.push({ source: conversation.source, why: error.what });
    return null;
  }
}

/** The same first words are the same session, wherever they are found. */
function sessionOf({ role, speaker = '', time, text }: Turn, isDated: boolean, snapshot: Snapshot): string {
  const hash = snapshot.nameHash((name) => `raw/conversations/${name}.md`);
  return `ses_${hash(JSON.stringify([isDated ? time : 0, role, speaker, text])).slice(0, 12)}`;
}

/** Counts how many turns two conversations have in common from the beginning on. */
function sharedTurns(recorded: readonly Turn[], told: readonly Turn[], isDated: boolean): number {
  let count = 0;
  for (; count < recorded.length && count < told.length; count++) {
    const [one, other] = [recorded[count]!, told[count]!];
    const isSame = one.role === other.role && one.speaker === other.speaker && one.text === other.text;
    if (!isSame || (isDated && one.time !== other.time)) break;
  }
  return count;
}
