// The deck of what a person should look at, and the verdicts on it.

import type { TimeInput } from './basics-types.ts';
import type { ProvenanceResult } from './history-types.ts';

/** Why something is asked about, the most pressing first. */
export type ReviewReason = (typeof reviewReasons)[number];

/** What may be decided: it holds; other words say it; it is one with another; it no longer holds; it was never worth knowing. */
export type VerdictKind = (typeof verdictKinds)[number];

export interface ReviewOptions {
  /** How many cards at most; default 20. */
  readonly limit?: number;
  /** Only cards for these reasons. */
  readonly only?: readonly ReviewReason[];
  /** What was extracted before is not asked about; default: two weeks ago. */
  readonly since?: TimeInput;
  /** All that is weak, weakest first, and not only what is worth coming back to before it fades. */
  readonly weak?: boolean;
}

/** One side of a card: a memory, and where it comes from. */
export interface ReviewSide {
  /** Of the memory; of a card of low trust the name by which `quarantine` knows it. */
  readonly id: string;
  readonly content: string;
  readonly statement?: string;
  readonly subject?: string;
  readonly category?: string;
  /** 0 to 1: how sure its extractor was. */
  readonly confidence?: number;
  /** Its strength now. */
  readonly score?: number;
  /** What found it, such as `rules@4`, and the agent that wrote it. */
  readonly extractor?: string;
  readonly agent?: string;
  /** When it was said, ISO 8601. */
  readonly time: string;
  /** The turns it was taken from, with their words. */
  readonly sources: ProvenanceResult['sources'];
}

/** One thing to decide. */
export interface ReviewCard extends ReviewSide {
  readonly why: ReviewReason;
  /** The reason in a sentence. */
  readonly because: string;
  /** What was known before, that it contradicts or doubles. */
  readonly other?: ReviewSide;
  /** Of what came with low trust: the memories that it would bring. */
  readonly brings?: readonly string[];
  /** Of the same: its newest commit, so that nothing is let in that nobody has seen. */
  readonly commit?: string;
  /** Of what fades: what fits it. */
  readonly action?: 'reinforce' | 'collect' | 'consolidate' | 'promote';
  /** What may be decided about it. */
  readonly verdicts: readonly VerdictKind[];
}

/** How often people kept what an extractor found. */
export interface ExtractorPrecision {
  readonly extractor: string;
  /** What was kept, merged, or closed since it had been right. */
  readonly kept: number;
  readonly judged: number;
}

/** What waits for a person. */
export interface ReviewResult {
  readonly cards: readonly ReviewCard[];
  /** How many more there are for the same reasons. */
  readonly more: number;
  /** How many wait in all, by reason. */
  readonly counts: Readonly<Record<ReviewReason, number>>;
  /** By extractor and version, those with the most verdicts first. */
  readonly precision: readonly ExtractorPrecision[];
  /** How many verdicts stand. */
  readonly judged: number;
}

export interface VerdictOptions {
  /** With `merge` the memory it becomes one with, with `close` what takes its place, with `keep` the other that holds as well. */
  readonly other?: string;
  /** With `edit`: the words. */
  readonly content?: string;
}

/** A verdict, as one commit. */
export interface VerdictResult {
  readonly verdict: VerdictKind;
  /** In full. */
  readonly ids: readonly string[];
  /** The memory that says it now: that of new words, or of a merge. */
  readonly into?: string;
  /** What undo takes back; null inside a project, where it waits for a commit. */
  readonly commit: string | null;
}

/** Why a card lies in the deck, in the order of the deck. */
export const reviewReasons = [
  'low_trust',
  'unfinished',
  'disputed',
  'contradicts',
  'double',
  'unmerged',
  'extracted',
  'fades',
] as const;

/** What may be decided about a memory. */
export const verdictKinds = ['keep', 'edit', 'merge', 'close', 'forget'] as const;
