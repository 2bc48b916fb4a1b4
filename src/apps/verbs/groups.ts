// How help arranges the verbs: by what a person wants to do. The table itself stays a plain list.

/** A heading of help with the names of its verbs, in order. */
export interface VerbGroup {
  readonly title: string;
  readonly verbs: readonly string[];
}

/** Names the groups in the order in which help shows them; a verb that is in none is listed last, under "More". */
export const verbGroups: readonly VerbGroup[] = [
  {
    title: 'Begin',
    verbs: ['init', 'status', 'config', 'key', 'model', 'mount', 'hooks', 'plug', 'unplug', 'mcp', 'ui', 'doctor'],
  },
  { title: 'Record what happens', verbs: ['capture', 'import', 'export', 'extract'] },
  { title: 'Ask', verbs: ['recall', 'about', 'show', 'list'] },
  {
    title: 'Keep and change what is known',
    verbs: ['remember', 'review', 'forget', 'record', 'file', 'knowledge', 'ledger', 'project', 'commit'],
  },
  { title: 'Hand it to an agent', verbs: ['context', 'test', 'topics'] },
  {
    title: 'Look back, and take back',
    verbs: ['log', 'diff', 'blame', 'learned', 'bisect', 'provenance', 'undo', 'snapshot', 'purge'],
  },
  { title: 'Branches and other machines', verbs: ['branch', 'merge', 'sync', 'quarantine', 'experiment'] },
  { title: 'Tidy up', verbs: ['maintain'] },
];

/** What is enough for every day, shown to whoever names no verb. */
export const everydayVerbs: readonly string[] = [
  ...['init', 'remember', 'capture', 'extract', 'recall', 'show', 'log', 'undo', 'sync', 'doctor'],
];

/** What a command line calls several verbs by: one noun, and a word behind it for each. */
export interface Subject {
  /** One line without a full stop; absent where the noun is a verb, which has its own. */
  readonly summary?: string;
  /** Names of verbs by the words behind the noun. */
  readonly verbs: Readonly<Record<string, string>>;
  /** The word that is meant where none is said. */
  readonly usual?: string;
  /** The noun is a verb, too: what is none of the words goes to it, be it a message or a file. */
  readonly isVerb?: true;
}

/** Words that are the names of their verbs. */
const named = (words: string): Readonly<Record<string, string>> =>
  Object.fromEntries(words.split(' ').map((word) => [word, word]));

/** Names the verbs that a command line says as a noun and a word; the verb's own name still answers, with a word of advice. */
export const subjects: Readonly<Record<string, Subject>> = {
  capture: { verbs: { note: 'note' }, isVerb: true },
  context: { verbs: { start: 'session-start', pack: 'pack', replay: 'replay' }, isVerb: true },
  merge: { verbs: { resolve: 'resolve' }, isVerb: true },
  record: {
    summary: 'Use, relate, merge, split and archive single memories',
    verbs: named('touch expand archive restore relate consolidate split gist'),
  },
  file: {
    summary: 'Write, edit, rename and remove knowledge files',
    verbs: named('write edit mv rm'),
  },
  knowledge: {
    summary: 'Keep what lasts: facts, boxes, schemas',
    verbs: { list: 'knowledge', ...named('verify boxes promote schema bundle') },
    usual: 'list',
  },
  ledger: {
    summary: 'Record and read decisions, promises and events',
    verbs: { add: 'event', list: 'events', loops: 'loops', check: 'integrity' },
    usual: 'list',
  },
  project: {
    summary: 'Keep the log of a project: changes, tasks, graph',
    verbs: named('boot change changes graph todo task shutdown'),
  },
  maintain: {
    summary: 'Archive and forget what faded, and tidy up',
    verbs: { run: 'maintain', night: 'nightly', schedule: 'schedule', reindex: 'reindex' },
    usual: 'run',
  },
};

/**
 * What earlier versions and other programs call a command, and the line that does it here. It runs with a word of advice; no help lists it.
 *
 * Behind the command, `theirs>ours` says what becomes of an option or a word: an option of ours, a word, or nothing. `*` is any word, `**` any
 * but the first, and `>ours` stands on a line that gives no word.
 */
export const otherCommands: Readonly<Record<string, string>> = {
  due: 'review',
  'record due': 'review',
  activate: 'topics turn',
  'mcp install': 'plug --client>* --write>',
  'backfill-embeddings': 'maintain reindex',
  'backfill-gists': 'record gist',
  condense: 'maintain run >condense >rollup daily>condense weekly>rollup monthly>distil',
  gc: 'maintain run fading',
  migrate: 'maintain run layout --from> --to>',
  prune: 'maintain run memory-md journals evict',
  push: 'sync',
  read: 'show',
  'rebuild-index': 'maintain reindex --incremental> *>',
  reconstruct: 'experiment run --branch>* --extractors>--extractor >reconstruct',
  'replay-all': 'experiment run replay --extractors>--extractor *>--extractor',
  revert: 'undo',
  search: 'recall',
  tag: 'snapshot --message> -m> **>',
  tune: 'topics tune',
};

/** Names of verbs and commands that programs call, which no list of help shows. */
export const hiddenVerbs: readonly string[] = ['merge-driver', 'filter', 'completions', 'hook'];

/** Gives what a command line calls a verb: `ledger add`, or its name. */
export function commandOf(name: string): string {
  for (const [noun, { verbs }] of Object.entries(subjects)) {
    for (const [word, verb] of Object.entries(verbs)) if (verb === name) return `${noun} ${word}`;
  }
  return name;
}

/** Other words for options: the error of one that a verb lacks names the one that it has. */
export const otherOptions: Readonly<Record<string, string>> = {
  after: 'since',
  before: 'until',
  count: 'limit',
  kind: 'category',
  max: 'limit',
  top: 'limit',
  type: 'category',
};

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
  query: 'recall',
  record: 'capture',
  remove: 'rm',
  rename: 'mv',
  repair: 'doctor',
  save: 'remember',
  store: 'remember',
  today: 'pack',
  update: 'edit',
  view: 'show',
  when: 'learned',
  why: 'provenance',
};
