// The run of a night: what it does, step by step, and what it reports.

import type { ToldError } from './basics-types.ts';
import type { Judged } from './expect-types.ts';
import type { PassOptions, PassResult } from './passes-types.ts';

/** The steps of a night, in their order. */
export type NightlyStepName =
  | 'extract'
  | 'entities'
  | 'profiles'
  | 'profile'
  | 'knowledge'
  | 'ledger-compact'
  | 'ledger-prune'
  | 'pack'
  | 'ledger'
  | 'report';

export interface NightlyOptions extends Omit<PassOptions, 'onProgress'> {
  readonly onProgress?: (progress: { readonly what: string; readonly done: number; readonly total: number }) => void;
}

/** What one step did. */
export interface NightlyStep {
  readonly step: NightlyStepName;
  readonly state: 'done' | 'nothing' | 'planned' | 'failed';
  /** Why it was not done, or why it was its time. */
  readonly why?: string;
  readonly error?: ToldError;
  readonly result?: PassResult;
}

export interface NightlyResult extends Judged {
  /** The day that was consolidated, in the time zone of the memory. */
  readonly day: string;
  /** What all its commits have in common: `undo({ run })` takes the night back as one. Null when nothing was to be done. */
  readonly run: string | null;
  /** The tag of the state before; null when nothing was to be done, and with `dryRun`. */
  readonly before: string | null;
  readonly commits: readonly string[];
  readonly steps: readonly NightlyStep[];
  /** The file that tells of the night; null when there was nothing to tell. */
  readonly report: string | null;
  /** Events that came since the last checkpoint, by their ids. */
  readonly events: readonly string[];
  /** Memories that were extracted. */
  readonly memories: readonly string[];
  readonly knowledge: { readonly created: readonly string[]; readonly updated: readonly string[] };
  /** Facts that are old, and pairs that contradict. */
  readonly stale: number;
  readonly aging: number;
  readonly conflicts: number;
  /** Whether the ledger is whole. */
  readonly ok: boolean;
}
