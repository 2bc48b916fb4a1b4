// An event of the ledger or of the changelog as a call: checked, given its id under the lock, committed at once.

import { defined, MemoryError } from '../../base/errors.ts';
import type { Clock } from '../../base/ports.ts';
import { oneLine, slugOf } from '../../base/text.ts';
import { dayOf, parseTime } from '../../base/time.ts';
import type { ChangelogEvent, ChangeWords } from '../../base/types/changelog-types.ts';
import type { LedgerEvent } from '../../base/types/ledger-types.ts';
import type { ChangeInput, ChangeResult, EventInput, EventResult, Redaction } from '../../base/types.ts';
import { comingDay } from '../../language/index.ts';
import { type ChangePlan, changelogOf, findEvent, planAppend, planChanges } from '../../logs/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { secretsAt } from '../../store/codec.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import { findRedactions } from '../../store/guard/secrets.ts';
import type { Operation } from '../../store/operation.ts';
import { changelogPath, formatChangelogEvent } from '../../store/records/changelog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { formatEvent } from '../../store/records/ledger-event.ts';
import { segmentPath } from '../../store/records/ledger-segment.ts';
import { draftChange } from '../../store/records/new-change.ts';
import { draftEvent } from '../../store/records/new-event.ts';
import { dayOfSeries, parseSequenceId } from '../../store/records/sequence-id.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { recordNow } from '../capture/record-now.ts';
import { originTrailers } from './origin.ts';

export interface ChangeDependencies {
  readonly store: BranchStore;
  readonly clock: Clock;
  readonly configuration: Configuration;
  /** False inside a project: events wait in the journal for a commit on request. */
  readonly isImmediate: boolean;
}

/** Appends one event. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for refs that no event has, SECRET. */
export async function appendChange(dependencies: ChangeDependencies, input: ChangeInput): Promise<ChangeResult> {
  const { store, clock, configuration } = dependencies;
  const filter = new SecretFilter(configuration.secrets);
  const change = cleanChange(input, filter);
  let made: ChangePlan;
  const plan = (snapshot: Snapshot) => {
    made = planCleanChanges(store, snapshot, [change], { now: clock.now(), timeZone: configuration.timezone });
    const { id, type, agent, summary } = made.events[0]!;
    return operationOf('change', { id, type, agent }, summary, [made.change], configuration);
  };
  const commit = await recordNow(dependencies, plan, () => `change:${made.events[0]!.id}`);
  const { path, events } = made!;
  const event = events[0]!;
  const redacted = filter.count === 0 ? [] : redactionsIn(event, path);
  return { id: event.id, path, commit, event, ...(redacted.length === 0 ? {} : { redacted }) };
}

/** A change without its secrets. */
export interface CleanChange {
  readonly words: ChangeWords;
  /** Milliseconds since the Unix epoch; absent for now. */
  readonly time?: number;
}

/** Takes the secrets out of what a caller gives; names stay what they are. Throws INVALID_ARGUMENT, INVALID_DATE, SECRET. */
export function cleanChange(input: ChangeInput, filter: SecretFilter): CleanChange {
  if (input === null || typeof input !== 'object')
    throw new MemoryError('INVALID_ARGUMENT', 'a change needs type, scope and summary', { where: 'summary' });
  const { time: given, refs, supersedes, ...rest } = input;
  const words = { ...filter.passAll(rest, 'the change'), ...defined({ refs, supersedes }) };
  return { words, ...(given === undefined ? {} : { time: parseTime(given, 'time') }) };
}

/** Plans changes as the next events of the changelog of a state; throws as {@link planChanges}. */
export function planCleanChanges(
  store: BranchStore,
  snapshot: Snapshot,
  changes: readonly CleanChange[],
  when: { readonly now: number; readonly timeZone: string },
): ChangePlan {
  const author = slugOf(store.settings(snapshot).identity.name);
  const drafts = changes.map(({ words, time }) => ({ draft: draftChange(words, author), ...defined({ time }) }));
  const path = changelogOf(snapshot, snapshot.oidOf(changelogPath) === null ? besideTheTip(store) : null);
  return planChanges(snapshot, path, drafts, when);
}

/** Where in a file an event says that something was kept out. */
export function redactionsIn(event: ChangelogEvent, path: string): Redaction[] {
  const found = findRedactions(formatChangelogEvent(event));
  return found.map(({ kind, line }) => ({ kind, path, line: event.line + line - 2 }));
}

/** What a person has put where the changelog would be made. */
function besideTheTip({ workTree }: BranchStore): string | null {
  const file = workTree?.isCheckedOut() ? workTree.inspect(changelogPath) : null;
  if (!file?.oid) return null;
  return (file.bytes ?? workTree!.files.readFile(changelogPath))?.toString('utf8') ?? null;
}

export interface EventDependencies extends ChangeDependencies {
  /** Where it is said, and by whom, unless it says so itself. */
  readonly said?: Pick<EventInput, 'session' | 'agent'>;
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
    const [event] = made.events;
    return operationOf('event', event!, event!.content, made.changes, configuration);
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
  name: 'event' | 'change',
  { id, type, session, agent, memory }: Pick<LedgerEvent, 'id' | 'session' | 'agent' | 'memory'> & { type: string },
  said: string,
  changes: Operation['changes'],
  { private: privatePaths }: Pick<Configuration, 'private'>,
): Operation {
  const quoted = privatePaths.length > 0 ? '' : ` "${oneLine(said, 40)}"`;
  const by = defined({ session: session && oneLine(session, 200), agent: agent && oneLine(agent, 200) });
  const about = memory === undefined ? [] : [{ key: 'Memory', value: memory } as const];
  const trailers = [...originTrailers(by), ...about];
  return { kind: 'event', name, subject: `${id} ${type}${quoted}`, trailers, changes, onConflict: 'later' };
}
