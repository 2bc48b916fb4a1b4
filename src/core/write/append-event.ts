// An event as a call: checked, given its id under the lock, committed at once.

import { defined } from '../../base/defined.ts';
import { MemoryError } from '../../base/errors.ts';
import type { Clock } from '../../base/ports.ts';
import { oneLine } from '../../base/text.ts';
import { dayOf, parseTime } from '../../base/time.ts';
import type { LedgerEvent } from '../../base/types/ledger-types.ts';
import type { EventInput, EventResult } from '../../base/types.ts';
import { comingDay } from '../../language/index.ts';
import { findEvent, planAppend } from '../../logs/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { secretsAt } from '../../store/codec.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import { findRedactions } from '../../store/guard/secrets.ts';
import type { Operation } from '../../store/operation.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { formatEvent } from '../../store/records/ledger-event.ts';
import { segmentPath } from '../../store/records/ledger-segment.ts';
import { draftEvent } from '../../store/records/new-event.ts';
import { dayOfSeries, parseSequenceId } from '../../store/records/sequence-id.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { originTrailers } from './origin.ts';
import { recordNow } from './record-now.ts';

export interface EventDependencies {
  readonly store: BranchStore;
  readonly clock: Clock;
  readonly configuration: Configuration;
  /** Where it is said, and by whom, unless it says so itself. */
  readonly said?: Pick<EventInput, 'session' | 'agent'>;
  /** False inside a project: events wait in the journal for a commit on request. */
  readonly isImmediate: boolean;
}

/** Appends one event. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for ids that it names, SECRET. */
export async function appendEvent(dependencies: EventDependencies, input: EventInput): Promise<EventResult> {
  const { store, clock, configuration } = dependencies;
  const { timezone: timeZone } = configuration;
  const { time: given, related, supersedes, closes, memory, ...rest } = { ...dependencies.said, ...input };
  const time = given === undefined ? clock.now() : parseTime(given, 'time');
  const path = segmentPath(dayOf(time, timeZone));
  const filter = new SecretFilter(secretsAt(path, store.codec.present, configuration.secrets));
  // Names stay what they are.
  const names = defined({ related, supersedes, closes, memory });
  const words: EventInput = { ...filter.passAll(rest, 'the event'), ...names };
  const due = typeof words.due === 'string' ? { due: comingDay(words.due, 'due', { now: time, timeZone }) } : {};
  let made: ReturnType<typeof planAppend>;
  const plan = (snapshot: Snapshot) => {
    const draft = draftEvent({ ...words, ...due }, (id) => commitmentOf(snapshot, id));
    for (const id of [...(draft.related ?? []), draft.supersedes ?? []].flat()) findEvent(snapshot, id);
    made = planAppend(snapshot, [{ draft, time }], { now: clock.now(), timeZone });
    return operationOf(made.events[0]!, made.changes, configuration);
  };
  const commit = await recordNow(dependencies, plan, () => `event:${made.events[0]!.id}`);
  const { events, changes } = made!;
  const event = events[0]!;
  const result = { id: event.id, path: segmentPath(dayOfSeries(parseSequenceId(event.id)!.series)!), commit, event };
  const found = filter.count === 0 ? [] : findRedactions(formatEvent(event));
  const line = changes[0]!.after!.toString('latin1').split('\n').length - 1;
  const redacted = found.map(({ kind }) => ({ kind, path: result.path, line }));
  return redacted.length === 0 ? result : { ...result, redacted };
}

function commitmentOf(snapshot: Snapshot, id: string): LedgerEvent {
  const { value } = findEvent(snapshot, id);
  if (value.type === 'commitment' && value.status !== 'closed') return value;
  const hint = '`git memory ledger loops` lists the open ones';
  throw new MemoryError('INVALID_ARGUMENT', `${id} is not an open commitment`, { where: 'closes', hint });
}

/** The commit of one event; its subject quotes no words where some paths are private. */
function operationOf(
  event: LedgerEvent,
  changes: Operation['changes'],
  { private: privatePaths }: Pick<Configuration, 'private'>,
): Operation {
  const { id, type, agent, session, memory } = event;
  const quoted = privatePaths.length > 0 ? '' : ` "${oneLine(event.content, 40)}"`;
  return {
    kind: 'event',
    name: 'event',
    subject: `${id} ${type}${quoted}`,
    trailers: [
      ...originTrailers(defined({ session: session && oneLine(session, 200), agent: agent && oneLine(agent, 200) })),
      ...(memory === undefined ? [] : [{ key: 'Memory', value: memory } as const]),
    ],
    changes,
    onConflict: 'later',
  };
}
