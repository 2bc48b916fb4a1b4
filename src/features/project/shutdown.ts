// The end of an agent's work on a project, and a task that is done: events, and what stands beside them in the same commit.

import { MemoryError } from '../../base/errors.ts';
import type { ChangelogEvent } from '../../base/types/changelog-types.ts';
import type { ChangeInput, ShutdownResult, TodoChange, TodoChangeResult, TodoTask } from '../../base/types.ts';
import { recordNow } from '../../core/capture/record-now.ts';
import { changedFile } from '../../core/lifecycle/record-changes.ts';
import { type ChangeDependencies, cleanChange, planCleanChanges, redactionsIn } from '../../core/write/append-event.ts';
import type { Batch } from '../../core/write/batch.ts';
import type { ChangelogCatalog } from '../../logs/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { staleFiles } from '../../store/derive.ts';
import { flushBefore } from '../../store/flush-before.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { FileChange, Operation } from '../../store/operation.ts';
import { graphPath } from '../../store/records/graph-file.ts';
import { narrativePath } from '../../store/records/narrative-file.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { openTask, planTodo } from './todo.ts';

export interface RecordingDependencies extends ChangeDependencies {
  readonly changelogs: ChangelogCatalog;
}

interface Recording {
  readonly name: string;
  readonly subject: string;
  /** What else the commit holds, as a function of the state and the events. */
  besides(snapshot: Snapshot, events: readonly ChangelogEvent[]): readonly FileChange[];
  /** Commits inside a project, too: somebody asked for it. */
  readonly isAskedFor: boolean;
}

/** Appends events and makes graph and context of them, in one commit; see `project.shutdown` of a memory. */
export async function shutDown(
  dependencies: RecordingDependencies,
  inputs: readonly ChangeInput[],
): Promise<ShutdownResult> {
  const { store, changelogs, configuration } = dependencies;
  if (!Array.isArray(inputs))
    throw new MemoryError('INVALID_ARGUMENT', 'the events must be a list', { where: 'events' });
  const filter = new SecretFilter(configuration.secrets);
  const { events, path, commit } = await record(dependencies, inputs, filter, {
    name: 'shutdown',
    subject: 'context and graph made anew',
    besides: (snapshot) => layersOf(store, snapshot),
    isAskedFor: true,
  });
  const redacted = filter.count === 0 ? [] : events.flatMap((event) => redactionsIn(event, path));
  const horizon = changelogs.of(store.snapshot()).at(-1)?.id ?? null;
  return { events, commit, horizon, ...(redacted.length === 0 ? {} : { redacted }) };
}

/** What is missing or was left behind; with events it is made once more, of all of them. */
function layersOf(store: BranchStore, snapshot: Snapshot): FileChange[] {
  const missing = [graphPath, narrativePath]
    .filter((path) => snapshot.oidOf(path) === null)
    .map((path): FileChange => ({ path, before: null, after: Buffer.alloc(0) }));
  return [...missing, ...staleFiles(store, snapshot, [graphPath])];
}

/** Adds, moves or completes a task; what is completed without an event gets one, in the same commit. */
export async function changeTodo(
  dependencies: RecordingDependencies,
  batch: Batch,
  change: TodoChange,
): Promise<TodoChangeResult> {
  const { changelogs, configuration, clock, store } = dependencies;
  let task: TodoTask | undefined;
  const note = (made: TodoTask): void => {
    task = made;
  };
  const context = { configuration, now: clock.now() };
  if (change === null || typeof change !== 'object' || !('complete' in change) || change.event !== undefined) {
    const isEvent = (snapshot: Snapshot, id: string) => changelogs.of(snapshot).some((event) => event.id === id);
    const { path, pending } = await batch.write('todo', planTodo(change, { ...context, isEvent }, note));
    return { path, pending, task: task! };
  }
  const words = openTask(store.snapshot(), change.complete);
  const event: ChangeInput = {
    type: 'modify',
    scope: 'TODO.md',
    summary: `Completed: ${words}`,
    details: { entity: words.replaceAll(',', ' '), type: 'task', status: 'completed' },
  };
  const recorded = await record(dependencies, [event], new SecretFilter(configuration.secrets), {
    name: 'task',
    subject: '',
    besides(snapshot, [made]) {
      const plan = planTodo({ complete: words, event: made!.id }, { ...context, isEvent: () => true }, note);
      return [plan(snapshot)].flat().map(({ path, after }) => changedFile(snapshot, path, after));
    },
    isAskedFor: false,
  });
  return { path: 'TODO.md', pending: recorded.commit === null, task: task!, event: recorded.events[0]!.id };
}

async function record(
  dependencies: RecordingDependencies,
  inputs: readonly ChangeInput[],
  filter: SecretFilter,
  { name, subject, besides, isAskedFor }: Recording,
) {
  const { store, clock, configuration, isImmediate } = dependencies;
  const changes = inputs.map((input) => cleanChange(input, filter));
  let path = '';
  // As the last plan made under the lock has them: that one was written.
  let events: readonly ChangelogEvent[] = [];
  const plan = (snapshot: Snapshot): Operation | null => {
    const when = { now: clock.now(), timeZone: configuration.timezone };
    const planned = changes.length === 0 ? null : planCleanChanges(store, snapshot, changes, when);
    events = planned?.events ?? [];
    path = planned?.path ?? '';
    const files = [...(planned === null ? [] : [planned.change]), ...besides(snapshot, events)];
    if (files.length === 0) return null;
    const ids = events.map(({ id }) => id);
    const range = ids.length > 1 ? `${ids[0]} to ${ids.at(-1)}` : ids[0];
    return {
      kind: 'event',
      name,
      subject: range === undefined ? subject : `${range} ${name}`,
      trailers: [...new Set(events.map(({ agent }) => agent))].map((value) => ({ key: 'Agent', value })),
      changes: files,
      onConflict: 'later',
    };
  };
  if (isImmediate) await flushBefore(store);
  const commit = await recordNow(dependencies, plan, () => `${name}:${clock.now()}`);
  const isDue = !isImmediate && isAskedFor;
  return { events, path, commit: isDue ? ((await store.flush()).commits.at(-1) ?? null) : commit };
}
