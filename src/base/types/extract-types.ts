// From transcripts to memories.

import type { TextModel } from '../ports.ts';
import type { EventType } from './ledger-types.ts';

export interface ExtractOptions {
  /**
   * A language model that reads in place of the rules: `provider/id`, or one that is at hand; null: rules. Default: what the memory was
   * opened with, else the environment.
   */
  readonly model?: string | TextModel | null;
  /** Names of what reads: `rules`, `model`, `decisions`, `lessons`, `people`, `procedures`, `facts`, `journal`, or own ones. Default: as memory.yaml says. */
  readonly extractors?: readonly string[];
  /** Path, session id, or several; default: every transcript that this extractor has not seen. */
  readonly from?: string | readonly string[];
  /** Leave conversations that may still go on: without an end, and spoken in within a day. Default false. */
  readonly onlyEnded?: boolean;
  /** What a model may take in this run, where that is less than memory.yaml lets it. What it may not read is left for another time. */
  readonly limit?: ModelLimit;
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
  readonly signal?: AbortSignal;
}

/** So many questions, and so many tokens, in and out together. */
export interface ModelLimit {
  readonly requests: number;
  readonly tokens: number;
}

/** What an extraction by a model would take, roughly. */
export interface ExtractEstimate {
  /** Conversations that are to be read. */
  readonly conversations: number;
  readonly requests: number;
  /** Going in and coming out. */
  readonly tokens: number;
  /** By `extract.model.prices` of memory.yaml; null where the model has no price there. */
  readonly cost: number | null;
}

/** What an extraction would cost, and whether somebody should be asked first. */
export interface ReadingCost extends ExtractEstimate {
  /** The model that would read. */
  readonly model: string;
  /** By `extract.model.ask_calls` and `ask_tokens` of memory.yaml. */
  readonly limit: ModelLimit;
  readonly isAbove: boolean;
}

/** What reading with a model took. */
export interface ModelReport {
  readonly name: string;
  /** Questions that were answered. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The provider did not tell, and the tokens are estimated. */
  readonly isEstimated?: boolean;
  /** By `extract.model.prices` of memory.yaml, in its currency; null where the model has no price there. */
  readonly cost: number | null;
  /** In US dollars, where the model itself tells it. */
  readonly costUsd?: number;
  /** Parts of conversations: asked about, answered from what was kept of earlier runs, and given up. */
  readonly windows: { readonly asked: number; readonly kept: number; readonly failed: number };
}

export interface ExtractResult {
  /** What was to read; a conversation that another one read says so. */
  readonly extractor: string;
  /** Absent where none was wanted or none was to be read. */
  readonly model?: ModelReport;
  /** What went otherwise than wanted, for a person: the model could not be asked, a limit was reached. */
  readonly notes?: readonly string[];
  /** Conversations that were left for another time. */
  readonly left?: number;
  /** Conversations that were read and gave nothing, and the first few of them; absent where there were none. */
  readonly barren?: { readonly conversations: number; readonly paths: readonly string[] };
  readonly transcripts: readonly {
    readonly path: string;
    /** Which extractor read it, where it was not the one of the result. */
    readonly extractor?: string;
    readonly commit: string | null;
    readonly created: readonly {
      readonly id: string;
      readonly path: string;
      readonly category?: string;
      readonly content: string;
    }[];
    readonly updated: readonly string[];
    readonly skipped: readonly { readonly content: string; readonly why: string }[];
    /** What went into the ledger; `memory` is absent where an event only takes another one back. */
    readonly events: readonly {
      readonly id: string;
      readonly type: EventType;
      readonly content: string;
      readonly memory?: string;
    }[];
    /** Paths of the memory boxes that changed. */
    readonly boxes: readonly string[];
  }[];
}
