// What a person calls the tasks of maintenance: a dozen names, each for tasks that keep one thing in order.

/** One name for several tasks. */
export interface TaskGroup {
  /** What they do, in a few words without a full stop. */
  readonly summary: string;
  readonly tasks: readonly string[];
}

/** Names the groups in the order in which they are listed; each task is in one. */
export const taskGroups: Readonly<Record<string, TaskGroup>> = {
  commit: { summary: 'commit what has waited long enough', tasks: ['commit'] },
  extract: { summary: 'derive memories from conversations that are new', tasks: ['extract'] },
  memories: {
    summary: 'merge what says the same, give short forms, name what could be several',
    tasks: ['layout', 'reopen', 'reconcile', 'consolidate', 'gist', 'split-proposals'],
  },
  fading: { summary: 'put aside what faded or expired, and forget it later', tasks: ['expire', 'gc'] },
  pages: {
    summary: 'keep files about people, things, topics and rules up to date',
    tasks: ['boxes', 'entities', 'profiles', 'profile', 'reflections', 'topics', 'fold', 'lists', 'knowledge'],
  },
  journal: {
    summary: 'sum up days, and keep MEMORY.md short',
    tasks: ['condense', 'rollup', 'distil', 'memory-md', 'journals', 'evict'],
  },
  night: { summary: 'consolidate the day, and write the page of what matters', tasks: ['nightly', 'pack', 'reports'] },
  ledgers: {
    summary: 'fold and archive the ledger, and keep its small files',
    tasks: ['ledger-compact', 'ledger-prune', 'ledger', 'ledger-rebuild'],
  },
  changes: { summary: 'archive a long changelog, and keep its graph', tasks: ['changelog-archive', 'graph'] },
  tags: { summary: 'tag days and weeks that are over', tasks: ['tag-daily', 'tag-weekly'] },
  branches: { summary: 'end experiments that expired', tasks: ['explore'] },
  storage: { summary: 'pack, and remove what nobody reads', tasks: ['git-gc', 'repack', 'gate-log'] },
};

/** Names the group of a task; its own name where it is in none. */
export const groupOf = (task: string): string =>
  Object.keys(taskGroups).find((name) => taskGroups[name]!.tasks.includes(task)) ?? task;

/** Replaces names of groups by those of their tasks. */
export const tasksOf = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => (Object.hasOwn(taskGroups, name) ? taskGroups[name]!.tasks : [name]));
