// Limits how many memories a branch holds, and how much one commit may take away: counted only when it could matter.

import { MemoryError } from '../base/errors.ts';
import type { ChangeLimits } from './change-rules.ts';
import { findEntry, type TreeEntry, walkTree } from './git/tree.ts';

export type ReadTree = (oid: string) => readonly TreeEntry[];
interface Change {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The folder is cut into as many shards, of about the same size. */
const shards = 256;
const sampledShards = 4;
/** A limit below this is held by counting: it is quick then. */
const smallQuota = 10_000;

/** By what the folder holds, kept as long as that is asked for. Where the limit is small each write asks, and a commit alone changes it. */
const counted = new WeakMap<readonly TreeEntry[], number>();

/** Counts the files of a folder of a tree. Throws TOO_LARGE as `walkTree` does. */
function countFiles(tree: string | null, name: string, readTree: ReadTree): number {
  const folder = findEntry(tree, name, readTree);
  if (folder?.mode !== '40000') return 0;
  const entries = readTree(folder.oid);
  let count = counted.get(entries);
  if (count !== undefined) return count;
  count = 0;
  for (const _ of walkTree(folder.oid, readTree)) count += 1;
  counted.set(entries, count);
  return count;
}

/** Fewer than this may go in any case. */
const leastRemoved = 10;

/** What is counted, each folder by itself, as an error calls it. */
const countedFolders: Readonly<Record<string, string>> = {
  memories: 'memories',
  raw: 'files of raw/',
  knowledge: 'files of knowledge/',
};

/** Tells whether a file is counted: a commit may not take many of its kind away. */
export const isCounted = (path: string): boolean =>
  Object.hasOwn(countedFolders, path.slice(0, Math.max(0, path.indexOf('/'))));

/**
 * Throws MASS_REMOVAL when the changes take away more than `limits.removed_share` of the memories of a tree, and at least
 * {@link leastRemoved} of them. What was captured, and the knowledge files, are counted likewise, each by itself. `where` is the folder.
 * A file that moves to another path stays.
 */
export function checkRemovals(
  tree: string | null,
  readTree: ReadTree,
  changes: readonly Change[],
  limits: ChangeLimits,
): void {
  const found = emptiedFolder(tree, readTree, changes, limits);
  if (found === null) return;
  const hint = 'Nothing was removed. If you mean it, repeat the call with allowRemovals (--allow-removals)';
  throw new MemoryError('MASS_REMOVAL', found.what, { where: found.folder, hint });
}

/** Finds the first folder that changes take too much from, and says it in a sentence; null where there is none. */
export function emptiedFolder(
  tree: string | null,
  readTree: ReadTree,
  changes: readonly Change[],
  limits: ChangeLimits,
): { readonly folder: string; readonly what: string } | null {
  for (const [folder, called] of Object.entries(countedFolders)) {
    const removed = removedFrom(folder, changes);
    if (removed < leastRemoved) continue;
    const total = countFiles(tree, folder, readTree);
    if (removed <= total * limits.removedShare) continue;
    return { folder, what: `${removed} of ${total} ${called} would be removed at once` };
  }
  return null;
}

/** Counts the files that changes take away from a folder. A memory that only moves is known by its name, any other file by what it holds. */
function removedFrom(folder: string, changes: readonly Change[]): number {
  const gone = changes.filter(
    ({ path, before, after }) => before !== null && after === null && path.startsWith(`${folder}/`),
  );
  if (gone.length === 0) return 0;
  const keyOf = ({ path }: Change, oid: string | null) =>
    folder === 'memories' ? path.slice(path.lastIndexOf('/') + 1) : oid!;
  const moved = new Set(changes.flatMap((change) => (change.after === null ? [] : [keyOf(change, change.after)])));
  return gone.filter((change) => !moved.has(keyOf(change, change.before))).length;
}

/**
 * Throws QUOTA when a tree with the changes would hold more than `limits.memories`.
 *
 * `mostAdded` is at least the number of memories they add; `changes` are asked for only when it could be too many.
 */
export function checkMemoryCount(
  tree: string | null,
  readTree: ReadTree,
  mostAdded: number,
  changes: () => readonly Change[],
  limits: ChangeLimits,
): void {
  if (mostAdded === 0 || guessMemories(tree, readTree, limits) + mostAdded <= limits.maxMemories) return;
  const given = changes();
  const added = given.filter(
    ({ path, before, after }) => before === null && after !== null && path.startsWith('memories/'),
  ).length;
  const count = countFiles(tree, 'memories', readTree) + added - removedFrom('memories', given);
  if (added === 0 || count <= limits.maxMemories) return;
  throw new MemoryError('QUOTA', `the branch would hold ${count} memories, and ${limits.maxMemories} are allowed`, {
    where: 'limits.memories',
    hint: 'Forget or archive some, or raise the limit in memory.yaml',
  });
}

/** Guesses high: three times what some shards tell, since counting means reading all of them. */
function guessMemories(tree: string | null, readTree: ReadTree, { maxMemories }: ChangeLimits): number {
  if (maxMemories < smallQuota) return maxMemories;
  const { outside, inShards } = sampleMemories(tree, readTree);
  return outside + 3 * inShards;
}

/** Tells whether a tree holds more memories without any doubt: twice as many, by what some shards tell. */
export const surelyHoldsMore = (most: number, tree: string | null, readTree: ReadTree): boolean =>
  sampleMemories(tree, readTree).inShards > 2 * most;

/** Reads a few shards: how many memories all would hold if they were of that size, and how many entries the folder itself has. */
function sampleMemories(tree: string | null, readTree: ReadTree): { outside: number; inShards: number } {
  const folder = findEntry(tree, 'memories', readTree);
  if (folder?.mode !== '40000') return { outside: 0, inShards: 0 };
  const entries = readTree(folder.oid);
  const sampled = entries.filter(({ mode }) => mode === '40000').slice(0, sampledShards);
  const inSample = sampled.reduce((sum, { oid }) => sum + readTree(oid).length, 0);
  return { outside: entries.length, inShards: (shards * inSample) / sampledShards };
}
