// Bringing a memory in step with a remote repository.

import type { Judged } from './expect-types.ts';
/** How to sync; everything is optional. */
export interface SyncOptions {
  /** A remote by name, or an address; default `origin`, or the only one there is. An address becomes `origin` where there is none. */
  readonly remote?: string;
  /**
   * Follow a remote that was rewound or is unrelated. The branch goes where the remote is, with what is only here on top, and a ref keeps
   * where it was. Where one side was purged, or each of something else, both come together without what was purged. All other commits of
   * either side are carried over. Default false: refuse.
   */
  readonly adopt?: boolean;
  /**
   * With `adopt`, what becomes of commits of ours that a remote had and gave up. `replay` puts their changes upon what it has now, without
   * what was purged. `drop` lets them leave the present, and a ref keeps them. Default: a sync in which any would leave is refused and
   * lists them.
   */
  readonly leaving?: 'replay' | 'drop';
  /** Tell what would come and go, and write nothing here or there. Default false. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly what: string; readonly done: number; readonly total: number }) => void;
}

/**
 * A file that was taken in otherwise than it should be. `open`: a private one that is not encrypted, so that the remote has its words.
 * `damaged`: a private one that cannot be read. `unfinished`: it has the lines by which git marks a conflict, and nothing of it is quoted
 * until somebody takes them out.
 */
export interface FileFault {
  readonly path: string;
  readonly fault: 'open' | 'damaged' | 'unfinished';
}

/** A commit whose changes the history has under another id: something was purged from what it led to, or the remote was rewound. */
export interface CarriedCommit {
  /** Its id before. */
  readonly from: string;
  readonly commit: string;
  readonly subject: string;
  /** Files in which a mark stands for what was purged; all else is as it was. */
  readonly filtered: readonly string[];
}

/** Commits that leave the branch, as the remote has given them up. */
export interface LeftCommits {
  readonly count: number;
  /** The newest of them, at most 50; `day` is that of the commit, in UTC. */
  readonly commits: readonly { readonly commit: string; readonly day: string; readonly subject: string }[];
  /** The ref that keeps them: `git memory merge <rescued>` brings them back. Absent where nothing was done. */
  readonly rescued?: string;
}

export interface SyncResult extends Judged {
  /** The name of the remote. */
  readonly remote: string;
  readonly address: string;
  /** Short name of the branch, the same on both sides. */
  readonly branch: string;
  /**
   * `offline`: the remote could not be reached, `why` tells; what is here stays, and the next sync goes on. `planned`: a dry run, in which
   * `fetched`, `pushed` and `conflicts` say what would be.
   */
  readonly state: 'synced' | 'offline' | 'planned';
  readonly why?: string;
  /**
   * With `dryRun`, what would become of the branch. `nothing`, if it holds all that the remote has; else it would `follow` the remote,
   * `merge` it, or with `adopt` go over to it.
   */
  readonly plan?: 'nothing' | 'follow' | 'merge' | 'adopt';
  /** Commits that came. */
  readonly fetched: number;
  /** Commits that went. */
  readonly pushed: number;
  /** The tip after it. */
  readonly commit: string | null;
  /** The merges that were made, newest last; none where one side was only behind. */
  readonly merges: readonly string[];
  /**
   * Paths changed on both sides in ways that contradict. The later change stands, the other one is in the record or in history; items of
   * lists both stay.
   */
  readonly conflicts: readonly string[];
  /**
   * Milestones that came and went, `memory/milestone/…`; `moved`: those of the remote that led to what was purged. They lead to the same
   * commits without it now.
   */
  readonly tags: {
    readonly fetched: readonly string[];
    readonly pushed: readonly string[];
    readonly moved?: readonly string[];
  };
  /** Files that came otherwise than they should; absent when there are none. */
  readonly faults?: readonly FileFault[];
  /** What the remote would have had to say and was not asked: hooks of a folder that was pushed to. Absent when there are none. */
  readonly warnings?: readonly string[];
  /**
   * With `adopt`: the commits that were carried over, oldest first. Across a purge each is a commit of its own, with its author and time; upon
   * a remote that was rewound all are in one.
   */
  readonly carried?: readonly CarriedCommit[];
  /**
   * With `adopt`: the ref that keeps what was replaced. Across a purge that is the side which had not followed it, without what was purged;
   * else the commit at which the branch was.
   */
  readonly rescued?: string;
  /** With `adopt`: what left the branch, or would in a dry run; absent where nothing does. */
  readonly left?: LeftCommits;
}

/** How the branch stands to a remote, as of the last sync. */
export interface SyncState {
  readonly remote: string;
  readonly address: string;
  /** Commits that the remote lacks; null before the first sync. */
  readonly ahead: number | null;
  /** Commits of the remote that the branch lacks. */
  readonly behind: number | null;
  /** When both were last in step; null before. */
  readonly last: string | null;
}
