// What native git has begun in a work tree and not finished: a merge, a cherry-pick, a revert, a rebase, a mailbox.

import { maxLineFileBytes } from '../guard/limits.ts';
import type { Repository } from './repository.ts';

/** Where git notes each of them, below the git directory of the work tree. */
const notes = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase or am',
} as const;

/** An operation that waits for a person. */
export interface NativeOperation {
  /** What is to be finished, such as `merge`. */
  readonly name: string;
  /** Where git notes it. */
  readonly path: string;
}

/** Finds what native git has stopped at in the work tree of a repository, if anything. */
export function unfinishedOperation({ disk, gitDirectory }: Repository): NativeOperation | null {
  for (const [file, name] of Object.entries(notes)) {
    const path = `${gitDirectory}/${file}`;
    if (disk.exists(path)) return { name, path };
  }
  return null;
}

/** The same where it is about a branch: the one that is checked out, or the one that a rebase will move at its end. */
export function unfinishedOperationOn(view: Repository, ref: string): NativeOperation | null {
  const operation = unfinishedOperation(view);
  if (operation === null) return null;
  const head = view.refs.readHead();
  if ('ref' in head) return head.ref === ref ? operation : null;
  const rebased = ['rebase-merge', 'rebase-apply'].map((folder) =>
    view.disk.readText(`${view.gitDirectory}/${folder}/head-name`, maxLineFileBytes)?.trim(),
  );
  return rebased.includes(ref) ? operation : null;
}
