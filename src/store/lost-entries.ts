// What native git has left out of its index. `git commit` reads the index before it locks it; when the engine commits in that instant, git
// writes back what it had read, without the engine's entries, and then fails, because the branch has moved.

import { diffTrees, type TreeDifference } from '../git/tree.ts';
import { parseMessage } from '../guard/message.ts';
import type { CriticalSection } from './critical-section.ts';
import { noCommit, type WorkTree } from './projection.ts';
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
 * Nobody meant that: the index has the state before those commits at each path that they changed, while the work tree has that of the
 * tip; it was written within three seconds of them, and by a native commit, which notes the trees of all entries: `git rm --cached` and
 * `git add` forget them. Empty in every other case, so that what a person staged stays.
 */
export function lostEntries(workTree: WorkTree, tip: string): ProjectedFile[] {
  const { index, stat } = workTree.index();
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
  return lost.map(({ path, after }) => ({
    path,
    oid: after?.oid ?? null,
    bytes: after === null ? null : objects.readBlob(after.oid),
    isExecutable: after?.mode === '100755',
  }));
}

/** Gives them their entries again, before hand edits are looked for: an old entry would pass for what somebody staged. */
export function renewLostEntries(workTree: WorkTree, tip: string, section: CriticalSection): void {
  const lost = lostEntries(workTree, tip);
  if (lost.length > 0) section.unsettled(() => workTree.renew(lost, { from: tip, to: noCommit }));
}
