// What whoever opens a memory hands to it.

import type { BranchDependencies } from '../opened-branch.ts';
import type { ScopeInput } from '../store/scope.ts';
import type { Memory } from './memory.ts';

/** What {@link Memory} needs beside the place it is at. */
export interface MemoryDependencies extends BranchDependencies {
  /** Opens another branch of the same repository as this one was opened. */
  readonly reopen: (branch: string, scope?: ScopeInput) => Promise<Memory>;
  /** Opens another memory so that nothing of it can change; without it none is looked into. */
  readonly openMounted?: (dir: string) => Promise<Memory>;
}
