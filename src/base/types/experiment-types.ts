// Experiments: another way to extract, tried on all captures, on a branch of its own.

import type { TextModel } from '../ports.ts';
import type { Judged } from './expect-types.ts';

/** What reading with a model took; all 0 where no model was asked. */
export interface ExtractionCost {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** By `extract.model.prices` of memory.yaml, in its currency; null where a model has no price there. */
  readonly price: number | null;
}

export interface ExperimentRunOptions {
  /**
   * Keys of memory.yaml that are otherwise on the branch, by their dotted names: `{ 'extract.min_confidence': 0.9 }`. Adopting the experiment
   * adopts them, too.
   */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Names of what reads, as `extract` takes them; the same as the key `extract.extractors` in `config`. */
  readonly extractors?: readonly string[];
  /** A language model that reads in place of the rules, as `extract` takes it; has to be named again to go on. */
  readonly model?: string | TextModel | null;
  /** Conversations that are read at the same time, where reading them waits for a model; default 4. */
  readonly parallel?: number;
  /** After so many conversations what was found is committed, whatever comes; default 1,000, and after a minute. */
  readonly checkpoint?: number;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
  readonly signal?: AbortSignal;
}

/** How an experiment stands, as its branch tells it. */
export interface ExperimentState {
  readonly name: string;
  readonly branch: string;
  /** The newest commit of it. */
  readonly commit: string;
  /** The commit of the open branch that it began at. */
  readonly base: string;
  readonly extractor: string;
  /** Keys of memory.yaml that are otherwise than in the base. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Conversations of the base, and how many of them were read. */
  readonly total: number;
  readonly done: number;
  readonly isFinished: boolean;
  /** Whether all of it is in the open branch. */
  readonly isAdopted: boolean;
  /** Conversations that came to the open branch since it began, which the experiment does not know. */
  readonly newer: number;
  /** What it made so far. */
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  /** Memories that were left aside when it began. */
  readonly leftAside: number;
  readonly cost: ExtractionCost;
}

/** What a run did: `read` conversations now, `commits` and how the experiment stands after it. */
export interface ExperimentRunResult extends ExperimentState {
  readonly read: number;
  readonly commits: readonly string[];
}

export interface ExperimentListResult {
  readonly experiments: readonly ExperimentState[];
  /** Tags of experiments that were dropped. */
  readonly dropped: readonly { readonly tag: string; readonly commit: string; readonly time: string }[];
}

/** A question, and what has to be found by it: any of what is named. */
export interface Probe {
  readonly question: string;
  /** Words that the content of a hit has, letter case apart. */
  readonly finds?: readonly string[];
  /** A pattern (RE2) that it fits. */
  readonly matches?: string;
  /** Turns, `raw/conversations/…/x.md#3`; the hit rests on one of them, or is one. */
  readonly sources?: readonly string[];
}

export interface ProbesOptions {
  /** Default 50. */
  readonly count?: number;
  /** Another number asks about other turns; default 1. */
  readonly seed?: number;
}

export interface CompareOptions {
  readonly probes?: readonly Probe[];
  /** Where the probes are asked: default `memory`, so that what was said does not answer for what was learned. `all` asks everywhere. */
  readonly category?: string;
  /** How many memories of one side alone to name; default all. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
}

/** What one side of a comparison is and holds. */
export interface ComparedSide {
  readonly name: string;
  readonly commit: string;
  /** Null for a branch that is no experiment. */
  readonly extractor: string | null;
  readonly cost: ExtractionCost | null;
  /** Active memories, by category; `other` for those without one. */
  readonly memories: number;
  readonly byCategory: Readonly<Record<string, number>>;
  readonly superseded: number;
  /** Of the files of active memories, and estimated for their content. */
  readonly bytes: number;
  readonly tokens: number;
  /** Memories that say the same as another, letter case and punctuation apart, and pairs that nearly do. */
  readonly exactDuplicates: number;
  readonly nearDuplicates: number;
  /** Pairs of active memories: one takes the other back, denies it in nearly the same words, or is said to contradict it. */
  readonly contradictions: number;
}

/** How a difference over the same probes is to be taken. */
export interface Significance {
  /** B − A. */
  readonly difference: number;
  /** 95 % interval of the difference: bootstrap of the probes. */
  readonly interval: readonly [low: number, high: number];
  /** Two-sided, of a permutation of signs: how often chance alone makes a difference this large. */
  readonly p: number;
}

export interface ComparedMeasure {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly significance: Significance;
}

export interface ComparedMemory {
  readonly id: string;
  readonly category: string;
  readonly content: string;
}

export interface CompareResult {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  /** Null when no probes were given. */
  readonly probes: {
    /** How many were asked. */
    readonly n: number;
    readonly category: string;
    /** `recall@1`, `recall@3`, `recall@5`, `recall@10`, `MRR`. */
    readonly measures: readonly ComparedMeasure[];
    /** The place of the first hit that is right, from 1; null where none of ten is. */
    readonly ranks: readonly { readonly question: string; readonly a: number | null; readonly b: number | null }[];
  } | null;
  /** How many expectations of the present hold on each side, and the names of those that hold on one alone; null where there are none. */
  readonly expectations: {
    readonly total: number;
    readonly a: number;
    readonly b: number;
    readonly onlyA: readonly string[];
    readonly onlyB: readonly string[];
  } | null;
  /** Of what people judged in reviews, how much each side knows, by content: what they kept, and what they refused. Null without verdicts. */
  readonly verdicts: {
    readonly kept: { readonly total: number; readonly a: number; readonly b: number };
    readonly refused: { readonly total: number; readonly a: number; readonly b: number };
  } | null;
  /** What is known, by content: how much on both sides, and what on one alone. */
  readonly knowledge: {
    readonly both: number;
    readonly onlyA: number;
    readonly onlyB: number;
    readonly a: readonly ComparedMemory[];
    readonly b: readonly ComparedMemory[];
  };
}

export interface AdoptResult extends Judged {
  readonly name: string;
  /** The merge; null when everything of the experiment is here already. */
  readonly commit: string | null;
  /** Memories that came, went, and were changed by it. */
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** Paths that were changed here since the experiment began, in ways that contradict: they are as they were here. */
  readonly conflicts: readonly string[];
  /** Conversations that came since the experiment began: what was extracted from them here stays as it is. */
  readonly newer: readonly string[];
}

export interface DropExperimentResult {
  readonly name: string;
  readonly commit: string;
  /** Under which it can still be looked at. */
  readonly tag: string;
}
