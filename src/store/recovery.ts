// Finishes or forgets, under the lock and before anything else is written, what a killed process left half done.

import { orElse } from '../base/errors.ts';
import type { Codec } from './codec.ts';
import { contentOf } from './file-content.ts';
import { finishDrops, keepReason, removeUnfinished } from './git/pack-writer.ts';
import { decodeRef } from './git/refs.ts';
import { join, type Repository } from './git/repository.ts';
import { diffTrees } from './git/tree.ts';
import { otherWorkTrees } from './git/work-trees.ts';
import { Journal } from './journal.ts';
import { noCommit, type ProjectionStep, WorkTree } from './projection.ts';
import { abandonPurge, clearStage, finishPurge, moveRefs, readPurge } from './purge-record.ts';
import { settleDropped } from './purged-objects.ts';
import { clearOpenFolder } from './work-tree-files.ts';

/** Only this many commits are searched for one that was begun; what was begun is never older than a moment of work. */
const maxSearch = 1000;

/** Gives the journal of a branch, which is not read yet. */
export function journalOf(repository: Repository, ref: string): Journal {
  const { notes } = repository.refs;
  // The ref's name, percent-encoded, so that no slash makes a folder.
  const path = join(repository.ownDirectory, `journal/${encodeURIComponent(ref)}.journal`);
  return new Journal(repository.disk, path, {
    settledIn: (nonce) => notes.settledIn(ref, nonce),
    settle: (nonce, sequence) => notes.settle(ref, { journal: nonce, sequence }),
    isStored: (oid) => repository.objects.isWhole(oid),
  });
}

/**
 * Finishes or forgets every commit that was begun in this repository, on any branch, and sweeps what is left over.
 *
 * `own` is the caller's journal of `ref`, already read. Returns what it did, a sentence each; nothing in the usual case.
 */
export function recoverRepository(repository: Repository, own: Journal, ref: string, codec: Codec): string[] {
  const report: string[] = [];
  const { disk, refs } = repository;
  refs.removeLeftLocks();
  const purge = readPurge(repository);
  const moved = purge === null ? [] : moveRefs(repository, purge);
  const made = new Set<string>();
  const forgotten = new Set<string>();
  // The work tree first: it asks the journal what was pending, which the end of a mark forgets.
  for (const view of [repository, ...otherWorkTrees(repository)]) {
    settleWorkTree(view, own, ref, codec, { made, forgotten });
    if (view.workTree !== null) clearOpenFolder(view.disk, view.workTree);
  }
  if (purge === null) clearStage(repository);
  else if (moved.length > 0) {
    abandonPurge(repository, purge);
    report.push(`a purge was interrupted, and ${moved.join(', ')} moved since: repeat it`);
  } else {
    finishPurge(repository, purge);
    own.refresh();
    report.push(`finished the purge ${purge.id} that was interrupted`);
  }
  for (const name of disk.list(join(repository.ownDirectory, 'journal'))) {
    if (!name.endsWith('.journal')) continue;
    const branch = decodeRef(name.slice(0, -'.journal'.length));
    if (branch === null) continue;
    const journal = branch === ref ? own : journalOf(repository, branch);
    if (branch !== ref) {
      journal.refresh();
      // The next process that opens that branch hears of it, and settles it then.
      if (journal.isDamaged) continue;
    }
    const mark = journal.openMark;
    if (mark) {
      const isDone = isMade(repository, repository.refs.read(branch), mark);
      journal.done(mark.id, isDone);
      (isDone ? made : forgotten).add(mark.to);
    }
  }
  sweep(repository);
  report.push(...settleDropped(repository));
  for (const oid of made) report.push(`finished the commit ${oid.slice(0, 12)} that was interrupted`);
  for (const oid of forgotten)
    report.push(`took back the unfinished commit ${oid.slice(0, 12)}; what was pending still is`);
  return report;
}

/** Brings files and index of one work tree in step with commits whose ref had moved, and takes back what was staged for others. */
function settleWorkTree(
  repository: Repository,
  own: Journal,
  ref: string,
  codec: Codec,
  outcome: { made: Set<string>; forgotten: Set<string> },
): void {
  if (repository.workTree === null) return;
  const { objects, refs } = repository;
  const head = refs.readHead();
  // While our index.lock stands nobody moves HEAD; without it, a branch that was left needs no files.
  const branch = 'ref' in head ? head.ref : null;
  const workTree = new WorkTree(repository, branch ?? ref, contentOf(repository, codec));
  for (const left of workTree.left()) {
    if (branch === null || !isMade(repository, repository.refs.read(branch), left)) {
      workTree.forget(left);
      if (left.to !== noCommit) outcome.forgotten.add(left.to);
      continue;
    }
    const journal = branch === ref ? own : journalOf(repository, branch);
    if (branch !== ref) journal.refresh();
    const treeOf = (commit: string | null) => (commit === null ? null : objects.readCommit(commit).tree);
    const since = (commit: string | null) => diffTrees(treeOf(commit), treeOf(left.to), objects.readTreeBytes);
    // Doctor leads from a commit that cannot be read to one that stands upon its whole forerunner.
    const changes = orElse(() => since(left.from), null, 'OBJECT_CORRUPT', 'OBJECT_MISSING');
    const files = (changes ?? since(objects.readCommit(left.to).parents[0] ?? null)).map(({ path, before, after }) => ({
      path,
      before: before?.oid ?? null,
      oid: after?.oid ?? null,
      bytes: after ? objects.readBlob(after.oid) : null,
      isExecutable: after?.mode === '100755',
    }));
    workTree.recover(left, files, (path, oid) => journal.isProjection(path, oid));
    outcome.made.add(left.to);
  }
}

/** Tells whether a branch at a commit holds a marked one: as its tip, or, when others came since, behind it. */
export function isMade(repository: Repository, tip: string | null, mark: ProjectionStep): boolean {
  let oid = tip;
  for (let steps = 0; oid !== null && steps < maxSearch; steps++) {
    if (oid === mark.to) return true;
    if (oid === mark.from) return false;
    oid = repository.objects.readCommit(oid).parents[0] ?? null;
  }
  return false;
}

/** Removes temporary files of ours; under the lock and with no mark open, nobody needs them. */
function sweep(repository: Repository): void {
  const { disk, temporaryDirectory, objects, gitDirectory, ownDirectory } = repository;
  finishDrops(disk, objects.packPlace);
  for (const name of disk.list(temporaryDirectory)) disk.remove(`${temporaryDirectory}/${name}`);
  for (const name of disk.list(objects.packDirectory)) {
    const keep = `${objects.packDirectory}/${name}`;
    if (!name.endsWith('.keep') || disk.readText(keep) !== keepReason) continue;
    removeUnfinished(disk, keep.slice(0, -'.keep'.length));
  }
  for (const [folder, pattern] of [
    [gitDirectory, /^(?:HEAD|config)_\d+_[0-9a-z]+_\d+$/],
    [ownDirectory, /^keep_\d+_[0-9a-z]+_\d+$/],
  ] as const) {
    for (const name of disk.list(folder)) if (pattern.test(name)) disk.remove(`${folder}/${name}`);
  }
}
