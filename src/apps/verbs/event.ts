// The verb that appends to the ledger.

import { z } from 'zod';
import { eventTypes, priorities } from '../../base/types/ledger-types.ts';
import type { EventResult } from '../../base/types.ts';
import { describeRedactions } from './redactions.ts';
import { type Style, shortOid } from './style.ts';
import { defineVerb, filled, maybe, oneOf, several } from './verb.ts';

export const event = defineVerb({
  name: 'event',
  summary: 'Record a decision, promise or fact in the ledger',
  help:
    'The ledger is append-only: each event is one line of JSON, committed at once and never changed. To correct an ' +
    'event, record another that --supersedes it. To close a promise, record one that --closes it. Types are ' +
    `${eventTypes.join(', ')}. P0 and P1 stay for good. P2 is archived after 90 days, P3 after 30.`,
  input: z.strictObject({
    content: filled.describe('what happened, was decided, promised or learnt'),
    type: oneOf(eventTypes, 'what it is; fact if left out'),
    priority: oneOf(priorities, 'P0 (must never be lost) to P3 (gone in a month); P2 if left out'),
    entity: maybe('the one it is about'),
    tags: several('words to find it by; "waiting" on a commitment: others have to act'),
    source: maybe('where it was learnt; live if left out'),
    session: maybe('the session in which it was said'),
    agent: maybe('who records it'),
    related: several('ids of events it belongs with'),
    supersedes: maybe('id of the event that it corrects'),
    closes: maybe('id of the commitment that is fulfilled'),
    status: oneOf(['open', 'closed'], 'of a commitment; open if left out'),
    due: maybe('the day by which it is to be done: 2026-02-16, 16.2.2026, next friday, in 2 weeks'),
    memory: maybe('id of the memory that says the same'),
    time: maybe('when it was recorded, ISO 8601; now if left out'),
  }),
  positional: ['content'],
  words: 'content',
  usual: ['type', 'priority', 'entity', 'due', 'closes', 'supersedes'],
  flags: { writes: 'now' },
  example: {
    command: 'ledger add --type commitment --due 2026-02-01 "Follow up with client X"',
    shows: 'the id that the event was given, EVT-20260128-001, and its commit',
  },
  run: async (context, input) => (await context.memory()).ledger.add(input),
  text: (appended: EventResult, style) => describeAppended(appended, style),
});

/** Shows an event that was appended to a log. */
export function describeAppended({ id, path, commit, redacted }: Omit<EventResult, 'event'>, style: Style): string {
  const lines = [`${style.reference(shortOid(commit))}  ${style.strong(id)}  ${style.faint(path)}`];
  lines.push(...describeRedactions(redacted, style, true));
  if (commit === null) lines.push('It is durable in the journal; the next commit of the memory holds it.');
  return lines.join('\n');
}
