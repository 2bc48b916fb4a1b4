// An event as a call: checked, given its id under the lock, committed at once.

import { MemoryError } from '../../base/errors.ts';
import type { Clock } from '../../base/ports.ts';
import { oneLine } from '../../base/text.ts';
import { dayOf, parseTime } from '../../base/time.ts';
import type { LedgerEvent } from '../../base/types/ledger-types.ts';
import type { EventInput, EventResult, Redaction } from '../../base/types.ts';
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
import { draftEvent, type EventDraft } from '../../store/records/new-event.ts';
import { dayOfSeries, parseSequenceId } from '../../store/records/sequence-id.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { appendEntry } from './append-entry.ts';

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
  const { store, clock, configuration, isImmediate } = dependencies;
  const { time: given, related, supersedes, closes, memory, ...rest } = { ...dependencies.said, ...input };
  const time = given === undefined ? clock.now() : parseTime(given, 'time');
  const path = segmentPath(dayOf(time, configuration.timezone));
  const filter = new SecretFilter(secretsAt(path, store.codec.present, configuration.secrets));
  // Names stay what they are.
  const names = Object.fromEntries(
    Object.entries({ related, supersedes, closes, memory }).filter(([, name]) => name !== undefined),
  );
  const words: EventInput = { ...filter.passAll(rest, 'the event'), ...names };
  const { timezone: timeZone } = configuration;
  const due = typeof words.due === 'string' ? { due: comingDay(words.due, 'due', { now: time, timeZone }) } : {};
  let line = 0;
  const plan = (snapshot: Snapshot) => {
    const draft = draftEvent({ ...words, ...due }, (id) => commitmentOf(snapshot, id));
    for (const id of namedIn(draft)) findEvent(snapshot, id);
    const planned = planAppend(snapshot, [{ draft, time }], { now: clock.now(), timeZone: configuration.timezone });
    const value = planned.events[0]!;
    line = planned.changes[0]!.after!.toString('latin1').split('\n').length - 1;
    return { value, operation: operationOf(value, planned.changes, configuration) };
  };
  const now = () => clock.now();
  const { value, commit } = await appendEntry({ store, now, isImmediate }, plan);
  return resultOf(value, line, commit, filter);
}

function commitmentOf(snapshot: Snapshot, id: string): LedgerEvent {
  const { value } = findEvent(snapshot, id);
  if (value.type === 'commitment' && value.status !== 'closed') return value;
  throw new MemoryError('INVALID_ARGUMENT', `${id} is not an open commitment`, {
    where: 'closes',
    hint: '`git memory ledger loops` lists the open ones',
  });
}

function namedIn({ related = [], supersedes }: EventDraft): string[] {
  return [...related, ...(supersedes === undefined ? [] : [supersedes])];
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
      ...(session === undefined ? [] : [{ key: 'Session', value: oneLine(session, 200) } as const]),
      ...(agent === undefined ? [] : [{ key: 'Agent', value: oneLine(agent, 200) } as const]),
      ...(memory === undefined ? [] : [{ key: 'Memory', value: memory } as const]),
    ],
    changes,
    onConflict: 'later',
  };
}

function resultOf(event: LedgerEvent, line: number, commit: string | null, filter: SecretFilter): EventResult {
  const path = segmentPath(dayOfSeries(parseSequenceId(event.id)!.series)!);
  const redacted: Redaction[] =
    filter.count === 0 ? [] : findRedactions(formatEvent(event)).map(({ kind }) => ({ kind, path, line }));
  return { id: event.id, path, commit, event, ...(redacted.length === 0 ? {} : { redacted }) };
}
