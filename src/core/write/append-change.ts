// An event of the changelog as a call: checked, given its id under the lock, committed at once.

import { defined } from '../../base/defined.ts';
import { MemoryError } from '../../base/errors.ts';
import type { Clock } from '../../base/ports.ts';
import { oneLine, slugOf } from '../../base/text.ts';
import { parseTime } from '../../base/time.ts';
import type { ChangelogEvent, ChangeWords } from '../../base/types/changelog-types.ts';
import type { ChangeInput, ChangeResult, Redaction } from '../../base/types.ts';
import { type ChangePlan, changelogOf, planChanges } from '../../logs/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import { findRedactions } from '../../store/guard/secrets.ts';
import type { Operation } from '../../store/operation.ts';
import { changelogPath, formatChangelogEvent } from '../../store/records/changelog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { draftChange } from '../../store/records/new-change.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { recordNow } from './record-now.ts';

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
    return operationOf(made.events[0]!, [made.change], configuration);
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
  if (input === null || typeof input !== 'object') {
    throw new MemoryError('INVALID_ARGUMENT', 'a change needs type, scope and summary', { where: 'summary' });
  }
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

/** The commit of one event; its subject quotes no words where some paths are private. */
function operationOf(
  { id, type, agent, summary }: ChangelogEvent,
  changes: Operation['changes'],
  { private: privatePaths }: Pick<Configuration, 'private'>,
): Operation {
  const quoted = privatePaths.length > 0 ? '' : ` "${oneLine(summary, 40)}"`;
  return {
    kind: 'event',
    name: 'change',
    subject: `${id} ${type}${quoted}`,
    trailers: [{ key: 'Agent', value: oneLine(agent, 200) }],
    changes,
    onConflict: 'later',
  };
}
