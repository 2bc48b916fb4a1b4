// How a repository has to be arranged for a purge. What has to be settled first is refused, with what to do, before anything is written.

import { MemoryError, orElse } from '../../base/errors.ts';
import { filesBelow } from '../../store/git/files-below.ts';
import { readIndex } from '../../store/git/index-file.ts';
import type { Repository } from '../../store/git/repository.ts';
import { findEntry } from '../../store/git/tree.ts';
import { otherWorkTrees } from '../../store/git/work-trees.ts';
import type { Census } from './census.ts';

const unfinished = 'MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG rebase-merge rebase-apply sequencer'.split(' ');

function refusal(code: 'UNSUPPORTED_REPOSITORY' | 'CONFLICT', what: string, where: string, hint: string): MemoryError {
  return new MemoryError(code, what, { where, hint: `Nothing was changed. ${hint}` });
}

/** Refuses repositories with a part elsewhere, or with native git in the middle of something. */
export function refuseArrangement(repository: Repository): void {
  const { objects, refs, disk, commonDirectory, gitDirectory } = repository;
  const refuse = (what: string, hint: string): never => {
    throw refusal('UNSUPPORTED_REPOSITORY', what, commonDirectory, hint);
  };
  if (objects.isShallow)
    refuse('a shallow clone has only a part of the history', 'Get the rest with `git fetch --unshallow`');
  if (objects.borrowed.length > 0) {
    const hint = 'Copy them with `git repack -a -d`, then remove objects/info/alternates';
    refuse('objects are borrowed from another repository', hint);
  }
  if (refs.list('refs/replace/').length > 0)
    refuse('objects are replaced by others', 'Remove refs/replace/ with `git replace -d`');
  if (disk.exists(`${commonDirectory}/info/grafts`)) {
    const hint = 'Make that part of history with `git filter-branch`, or remove it';
    refuse('commits have other parents by info/grafts', hint);
  }
  const linked = disk.list(`${commonDirectory}/worktrees`).map((name) => `${commonDirectory}/worktrees/${name}`);
  for (const folder of new Set([commonDirectory, gitDirectory, ...linked])) {
    const name = unfinished.find((file) => disk.exists(`${folder}/${file}`));
    if (name === undefined) continue;
    const hint = 'Finish or abort it; `git status` tells what it is';
    throw refusal('CONFLICT', 'native git has begun something that is not finished', `${folder}/${name}`, hint);
  }
  const present = new Set([gitDirectory, ...otherWorkTrees(repository).map((view) => view.gitDirectory)]);
  for (const folder of linked) {
    if (!present.has(folder)) {
      // Its index would name objects that are gone, and its files may hold them.
      const hint = 'Bring it back, or have git forget it with `git worktree prune`';
      throw refusal('CONFLICT', 'a linked work tree is not where it was', folder, hint);
    }
    if (!filesBelow(disk, `${folder}/refs`).next().done) {
      const hint = 'Remove them there: `git for-each-ref refs/worktree refs/bisect` lists them';
      throw refusal('CONFLICT', 'a linked work tree has refs of its own', `${folder}/refs`, hint);
    }
  }
}

/** The repository as each of its work trees sees it. */
export function checkedOut(repository: Repository): Repository[] {
  return [...(repository.workTree === null ? [] : [repository]), ...otherWorkTrees(repository)];
}

/** What is staged, or checked out without a branch, is a person's to settle first. */
export function refuseWorkTrees(
  repository: Repository,
  census: Census,
  idOf: (oid: string) => string | null,
  moves: ReadonlySet<string>,
): void {
  for (const { refs, disk, objects, gitDirectory, commonDirectory, workTree } of checkedOut(repository)) {
    const refuse = (what: string, hint: string): never => {
      throw refusal('CONFLICT', what, workTree!, hint);
    };
    const head = orElse(() => refs.readHead(), null);
    if (head === null) continue;
    if ('oid' in head && idOf(head.oid) !== head.oid)
      refuse('HEAD is detached at a commit that holds it', 'Check a branch out there');
    if ('ref' in head && moves.has(head.ref) && disk.stat(workTree!)?.dev !== disk.stat(commonDirectory)?.dev) {
      const what = 'a branch that holds it is checked out on another file system than the repository';
      const hint = 'Check another branch out there, or move that work tree with `git worktree move`';
      throw refusal('UNSUPPORTED_REPOSITORY', what, workTree!, hint);
    }
    // One that cannot be read is put aside by what is written next.
    const index = orElse(() => readIndex(disk, `${gitDirectory}/index`).index, null, 'REPOSITORY_CORRUPT');
    if (index === null) continue;
    if (index.unmerged().size > 0) refuse('a merge is not finished there', 'Finish or abort it');
    const tip = 'oid' in head ? head.oid : refs.read(head.ref);
    const tree = tip === null ? null : objects.readCommit(tip).tree;
    for (const { path, oid } of index.entries()) {
      if (!census.holding.has(oid) || findEntry(tree, path, objects.readTree)?.oid === oid) continue;
      refuse(`what is staged of ${path} holds it`, 'Take it off with `git restore --staged`');
    }
  }
}
