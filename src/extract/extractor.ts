// The port through which raw conversations become items worth keeping, by rule or by language model.
// What becomes of the items — ids, duplicates, records — is plan.ts.

import type { MemoryCategory, Transcript } from '../records/types.ts';

/**
 * How far words are believed: a `person` speaks for himself, an `agent` may have misunderstood, and what `outside` says (a tool, a page, a
 * quotation, a capture of low trust) may have been written by anybody.
 */
export type TrustLevel = 'person' | 'agent' | 'outside';

/** How soon and how long an item matters: P0 permanent, P1 indefinite, P2 ninety days, P3 thirty (spec 3). */
export type ItemPriority = 'P0' | 'P1' | 'P2' | 'P3';

/** One thing a conversation says that is worth keeping. */
export interface ExtractedItem {
  readonly category: MemoryCategory;
  /** A sentence that can be understood on its own, in the words of the conversation. */
  readonly content: string;
  /** 0 to 1; 0.95 and above is explicit, 0.70 implied, 0.40 inferred, below that speculative. */
  readonly confidence: number;
  /** 1-based numbers of the turns it rests on, the main one first; never empty. */
  readonly turns: readonly number[];
  /** Who said it: the role of the main turn. */
  readonly role: string;
  readonly entities: readonly string[];
  readonly tags: readonly string[];
  /** A day, `YYYY-MM-DD`: when a commitment is due. */
  readonly due?: string;
  readonly priority?: ItemPriority;
  /** How far who said it is believed; read off the transcript by whoever admits the item, whatever an extractor says. */
  readonly trust?: TrustLevel;
}

/** What an extractor may want to know beside the conversation. */
export interface ExtractionContext {
  /** Path of the transcript. */
  readonly path: string;
  /** The zone that decides what day "tomorrow" is; default UTC. */
  readonly timeZone?: string;
  /** Items below this confidence are left out; default 0.4, the floor of `inferred`. */
  readonly minConfidence?: number;
  /** The most items of one conversation; the surest are kept. Default 200. */
  readonly maxItems?: number;
  readonly signal?: AbortSignal;
}

/** What an extractor found, and what it found and did not believe. */
export interface Extraction {
  readonly items: readonly ExtractedItem[];
  readonly dropped?: readonly { readonly content: string; readonly why: string }[];
}

/**
 * Finds what is worth keeping in one conversation.
 *
 * The same transcript, context, name and version give the same items, unless a model has a part in it; `version` changes whenever they
 * might not. What it claims of who spoke counts for nothing: every item is admitted by trust.ts before it is planned.
 */
export interface Extractor {
  readonly name: string;
  readonly version: string;
  /** The language model that reads, for the `Model` trailer. */
  readonly model?: string;
  extract(
    transcript: Transcript,
    context: ExtractionContext,
  ): readonly ExtractedItem[] | Extraction | Promise<readonly ExtractedItem[] | Extraction>;
}
