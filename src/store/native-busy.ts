// Says where native git is in the way of a branch.

import { MemoryError } from '../base/errors.ts';
import type { BranchParts } from './branch-parts.ts';
import { resolveHint } from './checkout.ts';
import { nativelyLocked } from './git/native-lock.ts';

/** Names what native git is doing on a branch, and the file that says so. */
export function busyAt({ repository, ref, checkout }: BranchParts): { readonly what: string; readonly where: string } {
  const unfinished = checkout.unfinished();
  if (unfinished !== null)
    return { what: `a ${unfinished.name} of native git is not finished`, where: unfinished.path };
  const { refs, gitDirectory, disk } = checkout.workTree?.repository ?? repository;
  const lock = refs.lockOf(ref);
  if (disk.exists(lock)) return { what: 'another program holds the branch', where: lock };
  return { what: 'another program holds the git index', where: `${gitDirectory}/index.lock` };
}

/** The same as an error. */
export function nativelyBusy(parts: BranchParts): MemoryError {
  const { what, where } = busyAt(parts);
  if (parts.checkout.unfinished() !== null) return new MemoryError('LOCKED', what, { where, hint: resolveHint });
  return nativelyLocked(parts.repository, where, what);
}
