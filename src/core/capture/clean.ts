// A transcript on its way into the memory: its secrets are taken out, or refused, in everything that is written of it.

import { MemoryError } from '../../base/errors.ts';
import type { Transcript, Turn } from '../../base/types/stored-types.ts';
import type { Redaction } from '../../base/types.ts';
import type { SecretFilter, SecretPolicy } from '../../store/guard/secret-filter.ts';
import { findRedactions } from '../../store/guard/secrets.ts';
import { parseTranscriptWithLines } from '../../store/records/transcript.ts';

/** What memory.yaml says about captures. */
export interface CaptureRules {
  readonly secrets: SecretPolicy;
  /** Messages of one session. */
  readonly maxMessages: number;
}

/** Gives a transcript, or a part of one, without secrets. Throws SECRET when the policy refuses them, or when the session id holds one. */
export function cleanTranscript<Part extends Partial<Transcript>>(part: Part, filter: SecretFilter): Part {
  const { sessionId, turns, ...head } = part;
  return {
    ...part,
    ...filter.passAll(head, 'the front matter'),
    ...(sessionId === undefined ? {} : { sessionId: filter.passName(sessionId, 'the session id') }),
    ...(turns === undefined ? {} : { turns: cleanTurns(turns, filter) }),
  };
}

/** One turn may end in the first half of a secret, and the next begin with the second. */
function cleanTurns(turns: readonly Turn[], filter: SecretFilter): Turn[] {
  const texts = turns.map(({ text }) => text);
  for (let at = 1; at < texts.length; at++)
    [texts[at - 1], texts[at]] = filter.passOn(texts[at - 1]!, texts[at]!, `turn ${at + 1}`) as [string, string];
  return turns.map((turn, at) => filter.passAll({ ...turn, text: texts[at]! }, `turn ${at + 1}`));
}

/** Finds where a formatted transcript was redacted. The title repeats the topic, and a topic that was made repeats the words: not named. */
export function redactionsOf(path: string, text: string, isTopicMade = false): Redaction[] {
  const { turns } = parseTranscriptWithLines(text, path);
  const lines = text.split('\n');
  return findRedactions(text).flatMap(({ kind, line }) => {
    const turn = turns.findLastIndex((start) => start.line <= line) + 1;
    if (turn > 0) return [{ kind, path, line, turn }];
    const isRepeated = isTopicMade ? /^(?:topic: |# )/ : /^# /;
    return isRepeated.test(lines[line - 1]!) ? [] : [{ kind, path, line }];
  });
}

/** Throws QUOTA when a session would have more messages than `limits.session_messages`. */
export function checkMessageCount(
  count: number,
  { maxMessages }: Pick<CaptureRules, 'maxMessages'>,
  path: string,
): void {
  if (count <= maxMessages) return;
  throw new MemoryError('QUOTA', `the session would have ${count} messages, and ${maxMessages} are allowed`, {
    where: path,
    hint: 'Begin another session, or raise limits.session_messages in memory.yaml',
  });
}
