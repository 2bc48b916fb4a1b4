// What native git has left out, because it read before a commit of the engine and wrote after it. `git commit` reads the index before it
// locks it, and writes back what it had read, without the engine's entries. It then fails, because the branch has moved. `git checkout`
// reads which commit a branch is at long before HEAD is on it, and leaves index and files of that one.

import type { ObjectDatabase } from './git/object-database.ts';
import { diffTrees, type TreeDifference } from './git/tree.ts';
import { parseMessage } from './guard/message.ts';
import type { Moment, WorkTree } from './projection.ts';
import type { ProjectedFile } from './work-tree-files.ts';

/** So long after a commit git may still write what it had read before. */
const windowMs = 3_000;
/** The clock of the disk and that of a commit, which counts whole seconds, may differ by so much. */
const clockMs = 1_000;
/** So many commits may have come in between. */
const maxCommits = 20;

/**
 * Lists the files whose entries a native commit has put back to before the newest commits of the engine, as the tip has them.
 *
 * Nobody meant that. The index has the state before those commits at each path that they changed, while the work tree has that of the tip.
 * It was written within three seconds of them by a native commit, which notes the trees of all entries; `git rm --cached` and `git add`
 * forget them. Empty in every other case, so that what a person staged stays.
 */
function lostEntries(workTree: WorkTree, tip: string, since?: Moment): ProjectedFile[] {
  const { index, stat } = workTree.index(since);
  if (stat === null || index.tree === null) return [];
  const { objects } = workTree.repository;
  const newest = objects.readCommit(tip).tree;
  const writtenMs = Number(stat.mtimeNs / 1_000_000n);
  const oidInIndex = (path: string): string | null | undefined => {
    const entry = index.find(path);
    return entry === 'unmerged' ? undefined : (entry?.oid ?? null);
  };
  let oid = tip;
  let lost: readonly TreeDifference[] = [];
  for (let count = 0; count < maxCommits; count++) {
    const { parents, committer, message } = objects.readCommit(oid);
    const sinceMs = writtenMs - committer.time * 1000;
    const isOurs = parseMessage(message).trailers.some(({ key }) => key === 'Operation');
    if (!isOurs || parents.length !== 1 || sinceMs < -clockMs || sinceMs > windowMs + clockMs) break;
    oid = parents[0]!;
    const changes = diffTrees(objects.readCommit(oid).tree, newest, objects.readTreeBytes);
    const isBefore =
      changes.length > 0 && changes.every(({ path, before }) => oidInIndex(path) === (before?.oid ?? null));
    const isPlaced = () =>
      changes.every(({ path, after }) => (workTree.inspect(path)?.oid ?? null) === (after?.oid ?? null));
    // As far back as it holds: git may have read before several commits.
    if (isBefore && isPlaced()) lost = changes;
  }
  return lost.map((change) => fileAfter(objects, change));
}

/**
 * Lists the files in which a checkout has left an older state of the branch, as the tip has them.
 *
 * Nobody meant that. The last entry in the log of HEAD is the checkout. The index notes the tree of a commit upon which the engine alone
 * has committed since, and the files are as that commit has them. Those that a person changed meanwhile are not listed. Empty while native
 * git may be about to move HEAD elsewhere, and in every other case.
 */
function overtakenFiles(workTree: WorkTree, tip: string, since?: Moment): ProjectedFile[] {
  const { index } = workTree.index(since);
  const { objects, refs } = workTree.repository;
  const newest = objects.readCommit(tip).tree;
  if (index.tree === null || index.tree === newest || workTree.isSettling(tip, since)) return [];
  if (refs.readLog('HEAD').at(-1)?.message.startsWith('checkout: ') !== true) return [];
  for (let oid = tip, count = 0; count < maxCommits; count++) {
    const { parents, message, tree } = objects.readCommit(oid);
    if (tree === index.tree) return olderFiles(workTree, tree, newest);
    const isOurs = parseMessage(message).trailers.some(({ key }) => key === 'Operation');
    if (!isOurs || parents.length !== 1) return [];
    oid = parents[0]!;
  }
  return [];
}

/** Lists the files that are as an older tree has them, as a newer one has them. */
function olderFiles(workTree: WorkTree, older: string, newer: string): ProjectedFile[] {
  const { objects } = workTree.repository;
  return diffTrees(older, newer, objects.readTreeBytes)
    .filter(({ path, before }) => (workTree.inspect(path)?.oid ?? null) === (before?.oid ?? null))
    .map((change) => fileAfter(objects, change));
}

/** Gives a file as it is after a difference. */
export function fileAfter(objects: ObjectDatabase, { path, after }: TreeDifference): ProjectedFile {
  return {
    path,
    oid: after?.oid ?? null,
    bytes: after === null ? null : objects.readBlob(after.oid),
    isExecutable: after?.mode === '100755',
  };
}

/**
 * Lists both: they have to be put back before hand edits are looked for, or an old entry would pass for what somebody staged. `behind`: the
 * commit at which a checkout found the branch that then moved without the files.
 */
export function lostFiles(workTree: WorkTree, tip: string, since: Moment, behind: string | null): ProjectedFile[] {
  const treeOf = (commit: string) => workTree.repository.objects.readCommit(commit).tree;
  if (behind !== null) return olderFiles(workTree, treeOf(behind), treeOf(tip));
  const entries = lostEntries(workTree, tip, since);
  return entries.length > 0 ? entries : overtakenFiles(workTree, tip, since);
}
