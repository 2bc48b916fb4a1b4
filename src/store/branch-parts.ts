// What each step of a branch works on, under the lock: an attempt to commit, one to advance, a look at hand edits.

import type { Repository } from '../git/repository.ts';
import type { Clock } from '../ports.ts';
import type { ChangeLimits } from './change-rules.ts';
import type { Checkout } from './checkout.ts';
import type { Codec } from './codec.ts';
import type { Consequence } from './consequence.ts';
import type { CriticalSection } from './critical-section.ts';
import type { Derivation } from './derive.ts';
import type { KeptFiles } from './engine-files.ts';
import type { GitFilter } from './git-filter.ts';
import type { Journal } from './journal.ts';
import type { Snapshot } from './snapshot.ts';

/** What the configuration of the memory says about commits; read anew for each. */
export interface CommitSettings {
  readonly identity: { readonly name: string; readonly email: string };
  readonly limits: ChangeLimits;
}

/** One branch of a repository within its critical section. */
export interface BranchParts {
  readonly repository: Repository;
  /** Full name: `refs/heads/main`. */
  readonly ref: string;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly section: CriticalSection;
  readonly checkout: Checkout;
  readonly kept: KeptFiles;
  /** What native git knows of private paths. */
  readonly filter: GitFilter;
  /** What follows from files, and is made anew in the commit that changes them. */
  readonly derivations: readonly Derivation[];
  settings(snapshot: Snapshot): CommitSettings;
  /** The tip of the branch, or `null` before its first commit. */
  tip(): string | null;
  /** The whole state at a tip with what is pending on top; valid until the next write. */
  snapshotAt(tip: string | null): Snapshot;
  /** What else has to change with a file, in the same commit. */
  consequenceUpon(snapshot: Snapshot, now: number): Consequence;
}
