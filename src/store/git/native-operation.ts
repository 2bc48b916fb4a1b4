// Finds what native git has begun in a work tree and not finished: a merge, a cherry-pick, a revert, a rebase, a mailbox.

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

const rebases = ['rebase-merge', 'rebase-apply'] as const;

/** An operation that waits for a person. */
export interface NativeOperation {
  /** What is to be finished, such as `merge`. */
  readonly name: string;
  /** Where git notes it. */
  readonly path: string;
}

/** Finds what native git has stopped at in the work tree of a repository, if anything. */
export function unfinishedOperation(view: Repository): NativeOperation | null {
  for (const [file, name] of Object.entries(notes)) {
    const path = `${view.gitDirectory}/${file}`;
    if (view.disk.exists(path) && !isOver(view, path)) return { name, path };
  }
  return null;
}

/** Git moves the branch, and runs its hooks, before it takes its notes of a rebase or a merge away. */
function isOver({ disk, refs, objects }: Repository, note: string): boolean {
  if (disk.exists(`${note}/rewritten-list`)) return 'ref' in refs.readHead();
  const head = note.endsWith('MERGE_HEAD') ? refs.read('HEAD') : null;
  return (
    head !== null && objects.readCommit(head).parents.includes(disk.readText(note, maxLineFileBytes)?.trim() ?? '')
  );
}

/** The same where it is about a branch. */
export function unfinishedOperationOn(view: Repository, ref: string): NativeOperation | null {
  const operation = unfinishedOperation(view);
  return operation !== null && branchUnderWay(view) === ref ? operation : null;
}

/** Finds the branch that is checked out, or that a rebase will move at its end; null for another HEAD that names none. */
export function branchUnderWay({ refs, disk, gitDirectory }: Repository): string | null {
  const head = refs.readHead();
  if ('ref' in head) return head.ref;
  const names = rebases.map((folder) => disk.readText(`${gitDirectory}/${folder}/head-name`, maxLineFileBytes)?.trim());
  return names.find((name) => name?.startsWith('refs/heads/')) ?? null;
}

/** Tells whether a rebase has been begun: its `theirs` is what the person on the branch did, and `ours` is what it comes upon. */
export const isRebasing = ({ disk, gitDirectory }: Repository): boolean =>
  rebases.some((folder) => disk.exists(`${gitDirectory}/${folder}`));
