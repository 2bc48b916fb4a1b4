// An operation: what one commit does. Every write of the engine is one, wherever its changes come from.

import type { Trailer } from './guard/message.ts';

/** The prefixes of commit subjects, by what was done (design: operations and their git form). */
export type OperationKind =
  | 'conversation'
  | 'event'
  | 'memory'
  | 'identity'
  | 'consolidate'
  | 'split'
  | 'maintenance'
  | 'extract'
  | 'explore'
  | 'undo'
  | 'merge';

/** One file before and after, as blobs: `before` is an object id, `after` the stored bytes; null where there is none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: Buffer | null;
  /** What the file's mode becomes, where that is not what it was. */
  readonly mode?: '100644' | '100755';
  /** `after` was formatted from a value just now, so its form need not be checked by parsing it again. */
  readonly isFormatted?: boolean;
  /** Other versions, by blob id, that may be in the work tree in its place and hold nothing that this one lacks. */
  readonly stood?: readonly string[];
}

/**
 * Is what one commit does.
 *
 * Each change is applied to the tip: a blob equal to `before` becomes `after`; anything else is merged by the kind of the file.
 * `onConflict` says what a conflict does: `refuse` the whole operation, let the `later` one win, or `drop` the item. With `later` the other
 * one stays in history, and a `Conflict` trailer names the path.
 */
export interface Operation {
  readonly kind: OperationKind;
  /** The `Operation` trailer: what was done, such as `capture`, `remember`, `undo`. */
  readonly name: string;
  /** Without the kind; derived from the changes when absent. */
  readonly subject?: string;
  readonly body?: string;
  readonly trailers: readonly Trailer[];
  readonly changes: readonly FileChange[];
  readonly onConflict: 'refuse' | 'later' | 'drop';
  /** Undo of an adding commit, compaction and purge may take captures and log lines away. */
  readonly mayRemoveCaptures?: boolean;
  /** The limits on how many memories come and go were held before it was acknowledged. */
  readonly isJudged?: boolean;
  /** More memories may be taken away at once than `limits.removed_share` says: somebody asked for it. */
  readonly mayRemoveMany?: boolean;
  /** Every version it brings was committed before or has been checked, so that only paths are judged: undo and merges. */
  readonly bringsBack?: boolean;
  /** Lines of what is gone stay as it brings them: it takes back the pass that takes such lines away. */
  readonly keepsLines?: boolean;
  /** Commits beside the tip that it has as parents: a merge, which is made even where it changes nothing. */
  readonly parents?: readonly string[];
  /** It is a commit also where it changes nothing: what it says is worth one. */
  readonly mayBeEmpty?: boolean;
  /** The run it belongs to, beside operations that were committed before or will be; default: those it is committed with. */
  readonly run?: string;
  /** When it happened, in milliseconds, where that is not now: becomes the author date. */
  readonly time?: number;
  /** It is committed as of `time`, too, unless the commit before it is later: for a history that begins with what was. */
  readonly isOfThen?: boolean;
  /** It takes MEMORY.md over from another program, however long: nothing of it is lost, and maintenance shortens it. */
  readonly mayBeLong?: boolean;
  /** Made by a person in an editor, not by the engine; rule-breaking changes are left out and reported. */
  readonly isHandEdit?: boolean;
}

/** What committing operations did, or would do. */
export interface CommitOutcome {
  /** New commits, oldest first; empty when nothing changed. */
  readonly commits: readonly string[];
  /** The tip after it; with a dry run, as it would be. */
  readonly tip: string | null;
  readonly tree: string | null;
  /** Paths whose change was merged by letting the later win, or was dropped. */
  readonly conflicts: readonly string[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  /** The git index was busy: nothing was committed, the operations are in the journal. */
  readonly isJournalled: boolean;
}
