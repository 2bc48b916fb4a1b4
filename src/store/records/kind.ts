// Tells the kind of a path by its place in the layout. Each kind has its own reader.

import { isActsPath } from './acts-file.ts';

/** Names the kinds of files of a memory repository. */
export type RecordKind =
  | 'memory'
  | 'relation'
  | 'conversation'
  | 'daily'
  | 'artifact'
  | 'knowledge'
  | 'topic'
  | 'configuration'
  | 'ledger'
  | 'changelog'
  | 'box'
  | 'derived'
  | 'meta'
  | 'archive'
  | 'other';

/** What a project tells its agents; read and never written. */
export const agentsPath = 'AGENTS.md';

/** The files that may hold a configuration: of several that are there the first one holds. */
export const configurationFiles: readonly string[] = ['memory.yaml', 'memory-config.yaml'];

/** What an agent is to know in every session; kept short. */
export const coreMemoryPath = 'knowledge/memory/MEMORY.md';

const rootFiles: Readonly<Record<string, RecordKind>> = {
  'memory.yaml': 'configuration',
  'memory-config.yaml': 'configuration',
  'CHANGELOG.md': 'changelog',
  'CHANGELOG-archive.md': 'changelog',
  '.memory/changelog.md': 'changelog',
  '.meta.json': 'meta',
  'state/topics.json': 'derived',
};

/** What the files of a folder are that end so, and what its others are. */
const folders: Readonly<Record<string, readonly [kind: RecordKind, ending?: string, others?: RecordKind]>> = {
  memories: ['memory', '.json'],
  relations: ['relation', '.json'],
  knowledge: ['knowledge', '.md'],
  topics: ['topic', '.md'],
  ledger: ['ledger', '.jsonl', 'derived'],
  boxes: ['box', '.md'],
  recall: ['derived'],
  '.memory': ['derived'],
  attachments: ['artifact'],
  archive: ['archive'],
};
/** What people write, or agents for them, where all else is derived. */
const exceptions: ReadonlySet<string> = new Set(['ledger/integrity-log.md', 'recall/triggers.json']);

/**
 * Tells what kind of file a path names; `'other'` for what has no kind of its own, such as `state/` and `TODO.md`.
 *
 * Flat records of other tools (`memories/{id}.json`) count as records. `'derived'` is what is rebuilt and never merged. That is the
 * graph and context of `.memory/`, the recall pack, and what `ledger/` has beside its logs and the list of their faults.
 */
export function kindOf(path: string): RecordKind {
  const known = Object.hasOwn(rootFiles, path) ? rootFiles[path] : undefined;
  if (known !== undefined) return known;
  const slash = path.indexOf('/');
  if (slash === -1) return 'other';
  const folder = path.slice(0, slash);
  if (folder === 'raw') return rawKindOf(path);
  if (!Object.hasOwn(folders, folder) || exceptions.has(path)) return 'other';
  const [kind, ending, others = 'other'] = folders[folder]!;
  return ending === undefined || path.endsWith(ending) ? kind : others;
}

function rawKindOf(path: string): RecordKind {
  if (path.startsWith('raw/conversations/') && path.endsWith('.md')) return 'conversation';
  // What was done in a session only grows, as a daily note does.
  if ((path.startsWith('raw/daily/') && path.endsWith('.md')) || isActsPath(path)) return 'daily';
  return 'artifact';
}

/** The folder of artifacts that extraction keeps. Recall finds their words in their turns, and does not look here. */
export const artifactFolder = 'raw/artifacts/extracted/';
