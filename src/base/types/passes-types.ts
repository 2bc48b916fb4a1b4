// Passes over the records, which plan first.

import type { ToldError } from './basics-types.ts';
import type { Judged } from './expect-types.ts';
import type { MemoryRecord } from './stored-types.ts';

/** How a pass over the records runs. */
export interface PassOptions {
  /** Plan and show; nothing is written. */
  readonly dryRun?: boolean;
  /** Take away more memories at once than `limits.removed_share` says. */
  readonly force?: boolean;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

/** What a pass did or, with `dryRun`, would do. */
export interface PassResult<Item extends object = object> {
  readonly pass: string;
  /** Empty when nothing was to be done, with `dryRun`, and inside a project, where it waits for a commit. */
  readonly commits: readonly string[];
  /** The tree after it; null when it waits in the journal or would be refused. */
  readonly tree: string | null;
  readonly items: readonly (Omit<Item, 'changes' | 'mayWait'> & {
    readonly action: string;
    /** The memories it is about. */
    readonly ids: readonly string[];
    readonly why: string;
    readonly paths: readonly string[];
  })[];
  /** What was looked at and left alone, where the reason is worth telling. */
  readonly left: readonly { readonly id: string; readonly why: string }[];
  /** What was planned and not done, since its files changed in the meantime. */
  readonly dropped: readonly { readonly action: string; readonly ids: readonly string[]; readonly why: string }[];
  /** With `dryRun`: why it would not be done without `force`. */
  readonly refused?: string;
}

/** What to consolidate; without `ids`, whatever is alike. */
export interface ConsolidateMemoriesOptions extends PassOptions {
  /** Exactly these become one. */
  readonly ids?: readonly string[];
  /** Ask the model, where there is one, also about what is hardly alike; default false. Nothing is merged by it without a model. */
  readonly uncertain?: boolean;
  /** By what texts are compared: the embedder's vectors (default), or the words they share. */
  readonly likeness?: 'vectors' | 'words';
}

/** What one of the memories says that another is split into; tags and entities are those of the whole if left out. */
export interface SplitPartInput {
  readonly content: string;
  readonly tags?: readonly string[];
  readonly entities?: readonly string[];
}

export type SplitOptions = Pick<PassOptions, 'dryRun' | 'signal'>;

/** What became of a memory that was split. */
export type SplitResult = PassResult<{
  /** The memory that left. */
  readonly from: string;
  readonly parts: readonly { readonly id: string; readonly content: string }[];
}>;

/** Memories that could be several, with what speaks for it and the parts that their ideas make. */
export interface SplitCandidates {
  readonly candidates: readonly {
    readonly id: string;
    readonly content: string;
    readonly reasons: readonly string[];
    readonly parts: readonly Required<SplitPartInput>[];
  }[];
}

/** Which memories become knowledge; without `ids`, those that are strong enough. */
export interface PromoteOptions extends PassOptions {
  readonly ids?: readonly string[];
}

export type PromoteResult = PassResult<{
  /** The knowledge file. */
  readonly to: string;
  readonly content: string;
}>;

/** The promoted memories to make a schema from; without `ids`, each cluster that has none. */
export interface SchemaOptions extends PassOptions {
  readonly ids?: readonly string[];
}

/** One memory that is made of several. */
export interface MadeOfSeveral {
  /** The memory that is made; `ids` names it and its sources. */
  readonly into: string;
  readonly sources: readonly { readonly id: string; readonly content: string }[];
  readonly content: string;
  /** The mean likeness of all pairs, 0 to 1. */
  readonly cohesion: number;
}

export type SchemaResult = PassResult<MadeOfSeveral>;

/** The schemas of a bundle, and the ids it names that are none. `line` is what to put before a model. */
export interface BundleResult {
  readonly name: string;
  readonly schemas: readonly (MemoryRecord & { readonly path: string; readonly line: string })[];
  readonly missing: readonly string[];
}

/** Which gists to make; without `ids` and `all`, those that are missing. */
export interface GistOptions extends PassOptions {
  readonly ids?: readonly string[];
  /** How much is left out; `aggressive` is strong. Default: `gist.level` of memory.yaml. */
  readonly level?: 'light' | 'moderate' | 'strong' | 'aggressive';
  /** Make all anew, also those that other tools made. */
  readonly all?: boolean;
}

/** The gists that were made; `gist` is null where the content is as short as it can be. */
export interface GistResult
  extends PassResult<{
    readonly gist: string | null;
    readonly tokens: { readonly full: number; readonly gist: number };
  }> {
  /** Of all items together, as a model would count them, roughly. */
  readonly tokens: { readonly full: number; readonly gists: number };
}

/** What became of memories that say the same. */
export interface ConsolidateResult
  extends PassResult<
    MadeOfSeveral & {
      /** `rule`, or the model that put the words together. */
      readonly by: string;
    }
  > {
  /** The embedder, or `words`. */
  readonly comparedBy: string;
  /** Why it was not the embedder that was wanted. */
  readonly comparedNote?: string;
  /** Clusters that were left for a person to judge. */
  readonly open: readonly {
    readonly ids: readonly string[];
    readonly contents: readonly string[];
    readonly cohesion: number;
    readonly why: string;
  }[];
}

export interface MaintainOptions extends Omit<PassOptions, 'onProgress'> {
  /** Run these, due or not; default: all that are due. */
  readonly tasks?: readonly string[];
  readonly onProgress?: (progress: { readonly what: string; readonly done: number; readonly total: number }) => void;
}

/** What maintenance did, task by task. */
export interface MaintainResult extends Judged {
  readonly machine: string;
  /** The one machine that maintains this memory; null when any may. */
  readonly designated: string | null;
  readonly runs: readonly {
    readonly task: string;
    /** `planned` in a dry run; `elsewhere` when another machine is to do it. */
    readonly state: 'done' | 'planned' | 'not due' | 'elsewhere' | 'failed';
    /** When it last ran, and when it is due next. */
    readonly last?: string;
    readonly next?: string;
    /** Why it was not done, or would not be. */
    readonly why?: string;
    /** What it failed with. */
    readonly error?: ToldError;
    readonly result?: PassResult | GistResult | ConsolidateResult;
  }[];
}
