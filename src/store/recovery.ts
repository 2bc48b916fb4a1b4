// What a killed process left half done is finished or forgotten, under the lock, before anything else is written.

import { keepReason } from '../git/pack-writer.ts';
import type { Repository } from '../git/repository.ts';
import { findEntry } from '../git/tree.ts';
import { type CommitMark, Journal } from './journal.ts';
import { ownPath, WorkTree } from './projection.ts';

/** Only this many commits are searched for one that a mark names; a mark is never older than a moment of work. */
const maxSearch = 1000;

/** Gives the journal file of a branch: the ref's name, percent-encoded, so that no slash makes a folder. */
export function journalPath(repository: Repository, ref: string): string {
  return ownPath(repository, `journal/${encodeURIComponent(ref)}.journal`);
}

/**
 * Finishes or forgets every commit that was begun in this repository, on any branch, and sweeps what is left over.
 *
 * `own` is the caller's journal of `ref`, already read. Returns what it did, a sentence each; nothing in the usual case.
 */
export function recoverRepository(repository: Repository, own: Journal, ref: string): string[] {
  const report: string[] = [];
  const { disk, refs } = repository;
  refs.removeLeftLocks();
  for (const name of disk.list(ownPath(repository, 'journal'))) {
    if (!name.endsWith('.journal')) continue;
    const branch = decodeURIComponent(name.slice(0, -'.journal'.length));
    const journal = branch === ref ? own : new Journal(disk, journalPath(repository, branch));
    if (branch !== ref) journal.refresh(true);
    if (journal.openMark) report.push(...settle(repository, journal, branch, journal.openMark));
    for (const copy of journal.damages) report.push(`a damaged part of the journal of ${branch} was kept as ${copy}`);
  }
  sweep(repository);
  return report;
}

function settle(repository: Repository, journal: Journal, ref: string, mark: CommitMark): string[] {
  const workTree = mark.projection && repository.workTree !== null ? new WorkTree(repository, ref) : null;
  if (!isMade(repository, ref, mark)) {
    if (workTree && mark.projection) workTree.forget(mark.projection.index);
    journal.done(mark.id, false);
    return [`forgot the unfinished commit ${mark.to.slice(0, 12)}; what it held is pending as before`];
  }
  if (workTree && mark.projection && workTree.isCheckedOut()) {
    const { objects } = repository;
    const treeOf = (commit: string | null) => (commit === null ? null : objects.readCommit(commit).tree);
    const files = mark.projection.paths.map((path) => {
      const before = findEntry(treeOf(mark.from), path, objects.readTree);
      const after = findEntry(treeOf(mark.to), path, objects.readTree);
      return {
        path,
        before: before?.oid ?? null,
        oid: after?.oid ?? null,
        bytes: after ? objects.readBlob(after.oid) : null,
        isExecutable: after?.mode === '100755',
      };
    });
    workTree.recover(mark.projection.index, files, (path, oid) => journal.isProjection(path, oid));
  }
  journal.done(mark.id, true);
  return [`finished the commit ${mark.to.slice(0, 12)} that was interrupted`];
}

/** Tells whether the branch holds a marked commit: at its tip, or, when others came since, behind it. */
function isMade(repository: Repository, ref: string, mark: CommitMark): boolean {
  let oid = repository.refs.read(ref);
  for (let steps = 0; oid !== null && steps < maxSearch; steps++) {
    if (oid === mark.to) return true;
    if (oid === mark.from) return false;
    oid = repository.objects.readCommit(oid).parents[0] ?? null;
  }
  return false;
}

/** Removes temporary files of ours; under the lock and with no mark open, nobody needs them. */
function sweep(repository: Repository): void {
  const { disk, temporaryDirectory, objects, commonDirectory, gitDirectory, ownDirectory } = repository;
  for (const name of disk.list(temporaryDirectory)) disk.remove(`${temporaryDirectory}/${name}`);
  for (const name of disk.list(objects.packDirectory)) {
    const path = `${objects.packDirectory}/${name}`;
    if (/^tmp_(?:pack|idx)_\d+_[0-9a-z]+_\d+$/.test(name)) disk.remove(path);
    else if (name.endsWith('.keep') && disk.readText(path) === keepReason) disk.remove(path);
  }
  for (const [folder, pattern] of [
    [gitDirectory, /^(?:HEAD|config)_\d+_[0-9a-z]+_\d+$/],
    [ownDirectory, /^keep_\d+_[0-9a-z]+_\d+$/],
  ] as const) {
    for (const name of disk.list(folder)) if (pattern.test(name)) disk.remove(`${folder}/${name}`);
  }
  for (const name of disk.list(`${commonDirectory}/objects`)) {
    if (/^tmp_obj_\d+_[0-9a-z]+_\d+$/.test(name)) disk.remove(`${commonDirectory}/objects/${name}`);
  }
}
