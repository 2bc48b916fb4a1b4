// Lines of development: taking back, merging, experiments, snapshots.

import type { TimeInput } from './basics-types.ts';
import type { Judged } from './expect-types.ts';
import type { FileFault } from './sync-types.ts';

export type UndoTarget<Time = TimeInput> =
  | string
  | { readonly session: string }
  | { readonly run: string }
  /** All that it did, or what it did from `since` up to `until`; a day there, in figures or words, is the whole of it. */
  | { readonly extractor: string; readonly since?: Time; readonly until?: Time }
  | { readonly agent: string; readonly since?: Time; readonly until?: Time }
  /** The newest undo that stands is taken back. */
  | { readonly redo: true }
  /** The newest verdict of a review that stands is taken back. */
  | { readonly verdict: true }
  | { readonly from: string; readonly to: string };

export interface UndoOptions {
  /** Take back only these paths. */
  readonly paths?: readonly string[];
  /** With `dryRun`: as if the tip were there. */
  readonly onto?: string;
  readonly dryRun?: boolean;
  /** Take back even what would remove a large part of the memories at once. */
  readonly allowRemovals?: boolean;
  /** Write expectations, too: what was wrong stays away, and what replaced it is said. */
  readonly expect?: boolean;
}

/** `conflicts` not empty means: nothing was changed. */
export interface UndoResult extends Judged {
  readonly undone: readonly string[];
  /** The subjects of these commits, in the same order. */
  readonly subjects: readonly string[];
  /** When they were made, ISO 8601, likewise. */
  readonly times: readonly string[];
  readonly commit: string | null;
  readonly tree: string | null;
  readonly conflicts: readonly string[];
  /** What was derived from a capture that was taken back, and stays. */
  readonly derived: readonly string[];
  /** The file of expectations that was written; null where the undo changed nothing that can be asked for. Only with `expect`. */
  readonly expectations?: string | null;
}

export interface MergeOptions {
  /** Merge into this branch instead of the one that is open; with `dryRun` any commit. */
  readonly into?: string;
  readonly dryRun?: boolean;
  /** Let it take away more memories, conversations or pages at once than `limits.removed_share` says. */
  readonly allowRemovals?: boolean;
  /** What the branch may change although others wrote it; default: nothing of the kind. */
  readonly accept?: readonly AcceptableChange[];
}

/** What a branch may change only where a person accepts it by its word. */
export type AcceptableChange = (typeof acceptableChanges)[number];

/** A secret in a commit of a branch; the secret itself is nowhere told. */
export interface IncomingSecret {
  readonly commit: string;
  readonly subject: string;
  /** A path, `a path` for its name, or `its message`. */
  readonly where: string;
  readonly kind: string;
}

/** A change that has to be accepted. */
export interface IncomingChange {
  readonly what: AcceptableChange;
  readonly path: string;
  readonly how: 'added' | 'changed' | 'removed';
}

/** What speaks against letting commits in that others wrote. */
export interface IncomingFindings {
  /** Secrets that new commits hold, oldest commit first: nobody can accept them. */
  readonly secrets: readonly IncomingSecret[];
  /** By path; what was accepted is not among them. */
  readonly changes: readonly IncomingChange[];
  /** Says that too much would go at once, where that was not allowed. */
  readonly removals?: string;
}

/** `commit` is null where there was nothing to merge, and for a dry run. */
export interface MergeResult extends Judged {
  readonly commit: string | null;
  /** The tree after it; null for a dry run that ends in conflicts where there is no memory to settle them. */
  readonly tree: string | null;
  /** Where the histories parted, newest first. */
  readonly bases: readonly string[];
  /**
   * Paths changed on both sides in ways that contradict. The later change stands, the other one is in the record or in history; items of
   * lists both stay.
   */
  readonly conflicts: readonly string[];
  /** With `dryRun`: why the merge would be refused; left out where it would not. */
  readonly refused?: IncomingFindings;
  /** Files that came with a merge that nobody had finished; left out where there are none. */
  readonly faults?: readonly FileFault[];
  /** Present where all of it was here already and nothing was left to bring. */
  readonly isHere?: true;
  /** Merges of it, newest first, that an undo had taken back; left out where there are none. */
  readonly undone?: readonly UndoneMerge[];
}

/** A merge whose undo stands. */
export interface UndoneMerge {
  readonly merge: string;
  /** The undo. */
  readonly undoneBy: string;
  /** Whether merging takes that undo back. One that took back other operations as well stays: undoing it brings all of them back. */
  readonly isBroughtBack: boolean;
}

/** What finishing a merge of native git did, or with `dryRun` would do. */
export interface ResolveResult {
  /** Paths that were settled as `git memory merge` settles them, sorted. */
  readonly resolved: readonly {
    readonly path: string;
    /** The file stands as it is now in the work tree, or is gone. */
    readonly outcome: 'merged' | 'removed';
  }[];
  /** Of these and others, what both sides changed in ways that contradict; one side stands, the other is in the record or in history. */
  readonly conflicts: readonly string[];
  /** Paths that were left alone. */
  readonly remaining: readonly { readonly path: string; readonly why: string }[];
  /** The tree that a commit would have now; null while something is not merged. */
  readonly tree: string | null;
}

export interface BranchEntry {
  readonly name: string;
  readonly commit: string;
  readonly time: string;
  readonly isCurrent: boolean;
  /** Operations that it has and the open branch has not, and the other way round. */
  readonly ahead: number;
  readonly behind: number;
  /** For experiments (`explore/…`): a week after the last operation. */
  readonly expires?: string;
  readonly isExpired?: boolean;
}

export interface BranchComparison {
  /** The tip of the other branch. */
  readonly commit: string;
  readonly bases: readonly string[];
  /** Commits that it has and we have not, newest first. */
  readonly ahead: readonly string[];
  readonly behind: readonly string[];
  /** What those commits changed. */
  readonly paths: readonly string[];
  /** Paths on which a merge would have to decide. */
  readonly conflicts: readonly string[];
}

export interface DropResult {
  readonly name: string;
  readonly commit: string;
  /** Commits that nothing else leads to, so that only their ids find them, and only until git collects them. */
  readonly unmerged: readonly string[];
}

export interface ExpireResult {
  readonly dropped: readonly DropResult[];
  /** Expired and kept, since something is on them alone. */
  readonly kept: readonly { readonly name: string; readonly unmerged: number }[];
}

export interface SnapshotResult {
  /** Maybe another one than was asked for: the last daily or weekly one if nothing changed since, or with the machine behind a taken name. */
  readonly tag: string;
  readonly commit: string;
  readonly isNew: boolean;
}

/** What a branch of others may change only where a person accepts it by its word; in the order in which a refusal names them. */
export const acceptableChanges = [
  'configuration',
  'expectations',
  'hooks',
  'topics',
  'records',
  'transcripts',
] as const;
