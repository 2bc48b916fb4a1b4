// How help arranges the verbs: by what a person wants to do. The table itself stays a plain list.

/** A heading of help with the names of its verbs, in order. */
export interface VerbGroup {
  readonly title: string;
  readonly verbs: readonly string[];
}

/** Names the groups in the order in which help shows them; a verb that stands in none is listed last, under "More". */
export const verbGroups: readonly VerbGroup[] = [
  { title: 'Begin', verbs: ['init', 'status', 'config', 'key', 'mount', 'hooks', 'mcp', 'completions', 'doctor'] },
  { title: 'Record what happens', verbs: ['capture', 'note', 'event', 'change', 'import', 'export', 'extract'] },
  {
    title: 'Ask',
    verbs: ['recall', 'show', 'list', 'expand', 'due', 'boxes', 'events', 'changes', 'loops', 'integrity'],
  },
  {
    title: 'Keep and change what is known',
    verbs: [
      ...['remember', 'write', 'edit', 'mv', 'rm', 'touch', 'archive', 'forget', 'restore', 'relate'],
      ...['knowledge', 'verify', 'commit'],
    ],
  },
  {
    title: 'Hand it to an agent',
    verbs: ['context', 'session-start', 'pack', 'test', 'topics', 'boot', 'shutdown', 'graph', 'todo', 'task'],
  },
  {
    title: 'Look back, and take back',
    verbs: ['log', 'diff', 'blame', 'learned', 'bisect', 'provenance', 'undo', 'snapshot', 'purge'],
  },
  {
    title: 'Branches and other machines',
    verbs: ['branch', 'merge', 'resolve', 'merge-driver', 'sync', 'quarantine', 'experiment'],
  },
  {
    title: 'Tidy up',
    verbs: [
      ...['maintain', 'nightly', 'schedule', 'consolidate', 'split', 'gist', 'promote', 'schema', 'bundle'],
      'reindex',
    ],
  },
];

/** What is enough for every day, shown to whoever names no verb. */
export const everydayVerbs: readonly string[] = [
  ...['init', 'status', 'remember', 'capture', 'extract', 'recall', 'show', 'list', 'log', 'diff', 'provenance'],
  ...['undo', 'sync', 'doctor'],
];

/** Other words for verbs, as they are called elsewhere: they are understood by suggestions, and run nothing. */
export const otherWords: Readonly<Record<string, string>> = {
  add: 'remember',
  ask: 'recall',
  cat: 'show',
  check: 'doctor',
  checkout: 'show',
  clone: 'init',
  create: 'init',
  delete: 'forget',
  drop: 'forget',
  expect: 'test',
  fetch: 'sync',
  find: 'recall',
  fsck: 'doctor',
  get: 'show',
  grep: 'recall',
  history: 'log',
  info: 'status',
  ls: 'list',
  move: 'mv',
  new: 'init',
  open: 'show',
  pull: 'sync',
  push: 'sync',
  query: 'recall',
  record: 'capture',
  remove: 'rm',
  rename: 'mv',
  repair: 'doctor',
  revert: 'undo',
  save: 'remember',
  search: 'recall',
  store: 'remember',
  tag: 'snapshot',
  today: 'pack',
  update: 'edit',
  view: 'show',
  when: 'learned',
  why: 'provenance',
};
