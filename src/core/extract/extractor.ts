// The port through which raw conversations become items worth keeping, by rule or by language model.
// What becomes of the items — ids, duplicates, records — is plan.ts.

import type { MemoryCategory, Transcript } from '../../base/types/stored-types.ts';

/**
 * How far words are believed. A `person` speaks for himself; an `agent` may have misunderstood. Anybody may have written what `outside` says:
 * a tool, a page, a quotation, a capture of low trust.
 */
export type TrustLevel = 'person' | 'agent' | 'outside';

/** How soon and how long an item matters: P0 permanent, P1 indefinite, P2 ninety days, P3 thirty (spec 3). */
export type ItemPriority = 'P0' | 'P1' | 'P2' | 'P3';

/** Names a claim: its id, or the turn and the words that it is found in, for one that is made beside it. */
export type ClaimReference = string | { readonly path: string; readonly turn: number; readonly words: string };

/** One thing a conversation says that is worth keeping. */
export interface ExtractedItem {
  readonly category: MemoryCategory;
  /** What was said, in the words of the conversation. */
  readonly content: string;
  /** The same, written so that it can be understood alone; only a model, an agent or a person writes one. */
  readonly statement?: string;
  /** What it is about: a person, a project or a thing. */
  readonly subject?: string;
  /** What it says of its subject, where a subject has one value at a time. */
  readonly attribute?: string;
  /** A day, `YYYY-MM-DD`: from when it holds, where that is not when it was said. */
  readonly from?: string;
  /** Claims that hold no longer because of it, where a model decided that; absent where none was shown any. */
  readonly replaces?: readonly ClaimReference[];
  /** Claims that it may change: somebody is asked, and until then both hold. */
  readonly doubts?: readonly ClaimReference[];
  /** Whether it holds in all that follows, where a model said so. */
  readonly isStanding?: boolean;
  /** How likely it holds until it is taken back, where scorers are sure enough of that. */
  readonly standingConfidence?: number;
  /** A day, `YYYY-MM-DD`: the last on which it holds. */
  readonly until?: string;
  /** 0 to 1; 0.95 and above is explicit, 0.70 implied, 0.40 inferred, below that speculative. */
  readonly confidence: number;
  /** 1-based numbers of the turns it rests on, the main one first; never empty. */
  readonly turns: readonly number[];
  /** Role of the speaker of the main turn. */
  readonly role: string;
  readonly entities: readonly string[];
  readonly tags: readonly string[];
  /** A day, `YYYY-MM-DD`: when a commitment is due. */
  readonly due?: string;
  readonly priority?: ItemPriority;
  /** It may matter, and more than a little is not sure. */
  readonly isMinor?: true;
  /** How far who said it is believed; read off the transcript by whoever admits the item, whatever an extractor says. */
  readonly trust?: TrustLevel;
}

/** A claim that holds, as an extractor is shown it. */
export interface KnownClaim {
  readonly id: string;
  readonly statement: string;
  /** The day on which it was said, `YYYY-MM-DD`. */
  readonly day: string;
  /** The name of its speaker, or `the user`. */
  readonly who?: string;
  readonly subject?: string;
  readonly attribute?: string;
  readonly entities: readonly string[];
  readonly isStanding?: true;
  readonly due?: string;
  /** The day from which it holds, where that is later. */
  readonly from?: string;
}

/** What an extractor may want to know beside the conversation. */
export interface ExtractionContext {
  /** The person whose memory it is: the "I" of turns without a speaker. */
  readonly owner?: string;
  /** The zone that decides what day "tomorrow" is; default UTC. */
  readonly timeZone?: string;
  /** Path of the transcript. */
  readonly path: string;
  /** Items below this confidence are left out; by default none is. */
  readonly minConfidence?: number;
  /** The most items of one conversation; the surest are kept. Default 200. */
  readonly maxItems?: number;
  readonly signal?: AbortSignal;
  /**
   * Finds open claims that a text may repeat or change, oldest first. They are all while they fit in `tokens`, by default 6,000. Else they are the
   * newest, those that share its words, and those of the same speakers and subjects.
   */
  readonly known?: (text: string, asked?: KnownAsked) => readonly KnownClaim[];
}

/** Which claims are looked for. */
export interface KnownAsked {
  /** Names of those that speak in the text. */
  readonly speakers?: ReadonlySet<string>;
  readonly tokens?: number;
}

/** What an extractor found, and what it found and did not believe. */
export interface Extraction {
  readonly items: readonly ExtractedItem[];
  readonly dropped?: readonly { readonly content: string; readonly why: string }[];
  /** Known claims that a turn says again. */
  readonly confirmed?: readonly { readonly id: string; readonly turn: number }[];
  /** Turns that a model could not be got to read, by their first and last, and why: they are to be read again. */
  readonly unread?: readonly { readonly first: number; readonly last: number; readonly why: string }[];
}

/** A conversation that is to be read. */
export interface Conversation {
  readonly path: string;
  readonly transcript: Transcript;
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
  /**
   * Reads some conversations at once, as many of the first ones as go together. Then `extract` has their answers at hand. Gives how many it looked
   * at. Without it each is read by itself.
   */
  ahead?(conversations: readonly Conversation[], context: Omit<ExtractionContext, 'path'>): Promise<number>;
  extract(
    transcript: Transcript,
    context: ExtractionContext,
  ): readonly ExtractedItem[] | Extraction | Promise<readonly ExtractedItem[] | Extraction>;
}
