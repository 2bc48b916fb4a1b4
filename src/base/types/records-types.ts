// Memories as they are remembered, written, used and listed.

import type { Redaction, TimeInput } from './basics-types.ts';
import type { MemoryCategory, MemoryRecord, RelationRecord } from './stored-types.ts';

/** One thing to remember, as a claim. Only the words must be there. */
export interface ClaimInput {
  readonly content: string;
  /** The content written so that it is understood alone, where it is not. */
  readonly statement?: string;
  /** The person, project or thing it is about. */
  readonly subject?: string;
  /**
   * What of the subject it says, where that has one value at a time. A claim of the same subject and attribute that begins later ends this
   * one.
   */
  readonly attribute?: string;
  /** From when it holds; a day is its first moment in the memory's zone. Default: since it is remembered. */
  readonly validFrom?: TimeInput;
  /** Until when it holds; a day is its last moment. Default: until something takes its place. */
  readonly validUntil?: TimeInput;
  /** Id of a memory whose place it takes, or several: they end when it begins to hold. */
  readonly replaces?: string | readonly string[];
  readonly tags?: readonly string[];
  readonly entities?: readonly string[];
  readonly source?: string;
  readonly context?: string;
  /**
   * Its kind. Default: principle, preference, correction, decision or commitment where one sentence plainly is one, by the rules of extraction;
   * else none.
   */
  readonly category?: MemoryCategory;
  /** 0 to 1; what is below the normal 0.5 fades sooner. */
  readonly importance?: number;
  /** How sure it is, 0 to 1; default: nobody says. */
  readonly confidence?: number;
  readonly strength?: number;
  /**
   * The day by which it is to be done, in any form that people write. What has one and no category is a commitment. Default: the day that a
   * plain promise names.
   */
  readonly due?: string;
  readonly id?: string;
  /** A short form of your own; made by rule if left out. */
  readonly gist?: string;
}

/** The agent that remembers, and its conversation. Default: those of the open session, if there is exactly one, then the agent of `openMemory`. */
export interface RememberOptions {
  /** Id of the conversation. */
  readonly session?: string;
  readonly agent?: string;
}

export interface RememberInput extends ClaimInput, RememberOptions {}

/** A write that joined the batch: durable now, committed with the next flush. */
export interface WriteResult {
  readonly id?: string;
  readonly path: string;
  readonly pending: boolean;
  /** Secrets that were redacted; absent when there were none. */
  readonly redacted?: readonly Redaction[];
}

/** What a memory was used for, and whether that mattered. */
export interface TouchOptions {
  /** The tags of the work it was used for; few of the memory's own make it a use in another domain. */
  readonly tags?: readonly string[];
  /** Makes it stronger, too. */
  readonly boost?: boolean;
}

/**
 * What was put before an agent: a memory by its id, with or without its path, or a file by its path alone. A hit is one, as it came.
 *
 * @handedBack
 */
export interface Shown {
  readonly id?: string | undefined;
  readonly path?: string | undefined;
}

export interface TouchAllResult {
  /** In full, each once. */
  readonly ids: readonly string[];
  readonly pending: boolean;
}

export interface RelateOptions {
  /** 0 to 2; default 1. */
  readonly strength?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A memory that was forgotten. */
export interface ForgetResult extends WriteResult {
  /** Turns of `raw/` that hold its words still, as `path#turn`: no answer shows them as a whole, and only a purge removes them. */
  readonly turns: readonly string[];
  /** Active memories from the same turns: answers go on showing what they say. Absent when there are none. */
  readonly others?: readonly { readonly id: string; readonly content: string }[];
  /** Conversations whose path was made of these words, as none had a topic. Absent where there is none. */
  readonly paths?: readonly string[];
}

/** What became of something to remember. */
export interface RememberResult extends WriteResult {
  /** The kind of the memory, as it was given or as its words tell; absent where nothing tells. */
  readonly category?: MemoryCategory;
  /** Another memory says the same: only that it was said again was written. `id` is that of the other. */
  readonly isDuplicate?: true;
  /** Active memories that say nearly the same; `consolidate` makes them one. Absent when there are none. */
  readonly near?: readonly { readonly id: string; readonly content: string; readonly likeness: number }[];
  /** Memories whose place it takes. Absent when there are none. */
  readonly closed?: readonly { readonly id: string; readonly content: string }[];
}

export interface CommitOptions {
  /** Also when people took away so many memories that it looks like an accident. */
  readonly allowRemovals?: boolean;
  /**
   * Of what people changed by hand, these files and folders alone, as they lie. That includes files that are gone, and files with lines
   * that look like those of a conflict, which would be left aside otherwise.
   */
  readonly paths?: readonly string[];
  /** What waits is meant: of what people changed by hand elsewhere, only what is found without a look at thousands of files. */
  readonly waiting?: boolean;
}

export interface CommitResult {
  readonly commits: readonly string[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

export interface DueOptions {
  /** How many at most; default 50. */
  readonly limit?: number;
  /** All that is weak, weakest first, and not only what is worth coming back to; default false. */
  readonly weak?: boolean;
}

/** Memories to come back to. */
export interface DueResult {
  /** The most worthwhile first. */
  readonly memories: readonly (MemoryRecord & {
    readonly path: string;
    /** Strength at the view's time. */
    readonly score: number;
    /** How much a review is worth, 0 to 1. */
    readonly priority: number;
    readonly urgency: 'high' | 'medium' | 'low';
    /** What fits it: use it, let it be forgotten, merge it with others, or keep it as knowledge. */
    readonly action: 'reinforce' | 'collect' | 'consolidate' | 'promote';
  })[];
  /** How many of the weak memories the next `maintain` archives, since nothing protects them from fading. */
  readonly urgent: number;
}

export interface RelationsResult {
  readonly relations: readonly (RelationRecord & { readonly path: string })[];
}

export interface ListFilter {
  readonly tag?: string;
  readonly category?: string;
  readonly entity?: string;
  readonly status?: string;
  readonly session?: string;
  readonly limit?: number;
}

export interface ListResult {
  /** So many private memories could not be read, since their key is not here; absent when there are none. */
  readonly locked?: number;
  /** Strongest first. `score` is the strength at the view's time. */
  readonly memories: readonly (MemoryRecord & { readonly path: string; readonly score: number })[];
  /** What was probably meant where a filter fits no memory, in sentences; absent where there is nothing to say. */
  readonly hints?: readonly string[];
}
