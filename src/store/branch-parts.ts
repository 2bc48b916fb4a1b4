// The parts of a branch that each step works on under the lock: an attempt to commit, to append, to advance.

import type { Clock } from '../base/ports.ts';
import type { LeadsTo } from './branch-tip.ts';
import type { ChangeLimits } from './change-rules.ts';
import type { Checkout } from './checkout.ts';
import type { Consequence, ConsequenceSource } from './consequence.ts';
import type { CriticalSection, CriticalSectionDependencies } from './critical-section.ts';
import type { Derivation } from './derive.ts';
import type { KeptFiles } from './engine-files.ts';
import type { PendingPlacing } from './pending-placing.ts';
import type { FilterInstaller, PrivateFiles } from './private-files.ts';
import type { Snapshot } from './snapshot.ts';

/** What the configuration of the memory says about commits; read anew for each. */
export interface CommitSettings {
  readonly identity: { readonly name: string; readonly email: string };
  readonly limits: ChangeLimits;
}

/** One branch of a repository within its critical section. */
export interface BranchParts extends Pick<CriticalSectionDependencies, 'repository' | 'ref' | 'codec' | 'journal'> {
  readonly clock: Clock;
  readonly section: CriticalSection;
  readonly checkout: Checkout;
  readonly placing: PendingPlacing;
  readonly kept: KeptFiles;
  readonly privates: PrivateFiles;
  /** What follows from files, and is made anew in the commit that changes them. */
  readonly derivations: readonly Derivation[];
  settings(snapshot: Snapshot): CommitSettings;
  /** The whole state at a tip with what is pending on top. `isLive`, the default: valid until the next write. */
  snapshotAt(tip: string | null, isLive?: boolean): Snapshot;
  /** What else has to change with a file, in the same commit. */
  consequenceUpon(snapshot: Snapshot, now: number): Consequence;
}

/** The things that a branch is opened with. */
export interface BranchStoreDependencies extends Omit<CriticalSectionDependencies, 'journal' | 'timeoutMs'> {
  readonly clock: Clock;
  readonly leadsTo: LeadsTo;
  /** What follows from files, and is made anew in the commit that changes them. Default: nothing. */
  readonly derivations?: readonly Derivation[];
  /** What else has to change with a file, in the same commit. Default: nothing. */
  readonly consequences?: ConsequenceSource;
  /** Lets native git encrypt private files. Default: nobody does, and they lie encrypted in the work tree. */
  readonly installFilter?: FilterInstaller;
}
