// Whether a branch holds a memory. In a clone, so far its remote alone may have it. It is then read where git keeps what the remote has, and the
// branch is made before something is written.

import { MemoryError, orElse } from '../base/errors.ts';
import type { BranchStore } from './branch-store.ts';
import { damagedFilesOf } from './damaged-files.ts';
import { remoteUrls, trackBranch } from './git/remotes.ts';
import type { Repository } from './git/repository.ts';
import { isMemoryTree } from './memory-tree.ts';

/** Tells whether a branch holds a memory. */
export function holdsMemory({ objects, refs }: Repository, ref: string): boolean {
  const tip = refs.read(ref);
  return tip !== null && isMemoryTree(objects.readCommit(tip).tree, objects.readTree);
}

/**
 * Tells whether a branch holds a memory, here or at the one remote that has it. That is then read in its place, as `git switch` would begin it.
 *
 * Throws AMBIGUOUS where several have one.
 */
export function isKnownMemory(repository: Repository, ref: string): boolean {
  const { refs } = repository;
  if (refs.read(ref) !== null) return holdsMemory(repository, ref);
  const farOf = (remote: string) => ref.replace('refs/heads/', `refs/remotes/${remote}/`);
  // A damaged one is the doctor's.
  const remotes = [...remoteUrls(repository).keys()].filter((name) =>
    orElse(() => holdsMemory(repository, farOf(name)), false),
  );
  const [remote, another] = remotes;
  if (remote === undefined) return false;
  const name = ref.replace('refs/heads/', '');
  if (another !== undefined) {
    throw new MemoryError('AMBIGUOUS', `several remotes have a memory on ${name}: ${remotes.join(', ')}`, {
      where: ref,
      hint: `Choose one: \`git branch --track ${name} ${remote}/${name}\``,
    });
  }
  refs.borrowed.set(ref, farOf(remote));
  return true;
}

/** Says that a branch holds no memory, and where one is. */
export function notAMemory(repository: Repository, ref: string, where: string, isNamed = false): MemoryError {
  const isUnborn = !isNamed && bornElsewhere(repository);
  const name = ref.replace('refs/heads/', '');
  return new MemoryError(
    'NOT_A_MEMORY',
    `there is no memory on the branch ${name}${isUnborn ? ', which HEAD names' : ''}`,
    {
      where,
      hint:
        hintOfOther(repository) ??
        (isUnborn
          ? 'Switch to a branch that exists (`git memory doctor` lists them), or name one'
          : 'Create one with `git memory init`, or name another branch'),
    },
  );
}

/** Names a branch that holds a memory: a clone whose remote has another HEAD checks none out. */
function hintOfOther(repository: Repository): string | undefined {
  const skipped = () => undefined;
  for (const prefix of ['refs/heads/', 'refs/remotes/']) {
    const refs = repository.refs.list(prefix, skipped).filter(({ ref }) => !ref.endsWith('/HEAD'));
    // A damaged branch is the doctor's: its failure must not hide this one.
    const found = refs.find(({ ref }) => orElse(() => holdsMemory(repository, ref), false));
    if (found === undefined) continue;
    const name = found.ref.slice(prefix.length);
    const local = prefix === 'refs/heads/' ? name : name.replace(/^[^/]+\//, '');
    // One beside code is named: a switch to it would take the code out of the work tree.
    const command = local.startsWith('memory/') ? `git memory status --branch ${local}` : `git switch ${local}`;
    return `The branch ${name} holds one: \`${command}\``;
  }
  return undefined;
}

/** Whether HEAD names a branch that is not there, while others are. */
export function bornElsewhere(repository: Repository): boolean {
  const head = headRef(repository);
  return (
    head !== null && repository.refs.read(head) === null && damagedFilesOf(repository).refs('refs/heads/').length > 0
  );
}

/** Names the branch that is checked out; null where none is. */
export function headRef(repository: Repository): string | null {
  const head = repository.refs.readHead();
  return 'ref' in head ? head.ref : null;
}

/** Makes the branch that a remote alone has, before anything is written upon it; not where more was here once than the remote has. */
export async function makeBorrowed(store: BranchStore, nowMs: number): Promise<void> {
  const { repository, ref } = store;
  const far = repository.refs.borrowed.get(ref);
  if (far === undefined || store.lost !== null) return;
  const identity = { ...store.settings(store.snapshot()).identity, time: Math.floor(nowMs / 1000), zone: '+0000' };
  const reason = `branch: Created from ${far}`;
  const isMade = await store.updateRef({ ref, from: null, to: repository.refs.read(far), reason, identity });
  repository.refs.borrowed.delete(ref);
  const remote = far.slice('refs/remotes/'.length, -ref.slice('refs/heads'.length).length);
  if (isMade) await store.exclusively(() => trackBranch(repository, remote, ref));
}
