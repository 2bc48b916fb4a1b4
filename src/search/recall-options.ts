// What a search takes and what it answers: options with their defaults, and a hit with its reasons.

import { MemoryError } from '../base/errors.ts';
import type { Language } from '../base/languages.ts';
import type { DocumentFilter } from './filter.ts';
import type { FusionName } from './fusion.ts';
import type { Layout } from './layout.ts';
import type { Feature } from './ranking-settings.ts';
import type { SearchDocument } from './search-document.ts';
import type { Highlight } from './snippet.ts';

/** How like a text the documents of a view are, −1 to 1: that of a slot is `scores[rows[slot]]`, NaN where nobody knows. */
export interface Likenesses {
  readonly rows: Int32Array;
  readonly scores: Float64Array;
}

/** What an embedder says of the documents of a view. */
export interface Likeness {
  /** How like the question each is. */
  readonly ofQuestion: (view: Layout) => Likenesses;
  /** How like each of some documents they are, in their order; undefined for one without a vector. Valid until the next call. */
  readonly of: (documents: readonly SearchDocument[], view: Layout) => readonly (Likenesses | undefined)[];
  /** How near each of some texts is to one, word by word, 0 to 1; absent where only whole texts are compared. */
  readonly byWords?: (text: string, others: readonly string[]) => number[];
  /** What it weighs beside words that answer a question well, 0 to 1. */
  readonly leastShare: number;
  /** Whether it understands a language. */
  readonly understands: (language: Language) => boolean;
}

/** How to search: by words, by vectors, or by both. */
export type RecallMode = 'lexical' | 'vector' | 'hybrid';

/** Says what to find and what to leave out. */
export interface RecallOptions extends DocumentFilter {
  /** How many hits at most, 1 to 1000; default 10. */
  readonly limit?: number;
  /** Default `hybrid`. */
  readonly mode?: RecallMode;
  /** Default `sum`. */
  readonly fusion?: FusionName;
  /** How much of a score depends on the date, 0 to 1; default see {@link recallDefaults}. */
  readonly recency?: number;
  /** How much of a score depends on strength and use of a memory, 0 to 1. */
  readonly use?: number;
  /** The share of vectors beside words, 0 to 1; default: by how much of the query words find, see `meaningWeight`. */
  readonly vectorWeight?: number;
  /** What words and vectors weigh beside each other under `spec` and `rrf`; default see {@link recallDefaults}. */
  readonly weights?: { readonly bm25Weight: number; readonly vectorWeight: number };
  /** How often files were used, by path; counts for documents that do not count their uses themselves. */
  readonly usesOf?: ReadonlyMap<string, number>;
  /** What an embedder says of the documents; without it words alone rank. */
  readonly likeness?: Likeness;
  /** In which language a question is whose words do not tell; default: the most frequent one of the view. */
  readonly language?: Language;
  /** Whether the turns of a session come as one hit, the best of them. Default: each by itself. */
  readonly group?: 'session';
  /** The time that recency is counted from, in milliseconds: now, or the time of the view. */
  readonly now: number;
  /** Decides which day a filter in the query means; default UTC. */
  readonly timeZone?: string;
}

/** One answer, with its reasons. */
export interface RankedHit {
  readonly document: SearchDocument;
  /** At most 240 characters on one line: the whole text, or the sentences that fit the question best. */
  readonly snippet: string;
  /** Which parts of the snippet answer words of the query. */
  readonly highlights: readonly Highlight[];
  /** The 1-based line of the file where the snippet starts, as near as the format allows. */
  readonly line: number;
  /** How many turns of the session were found, where they come as one hit. */
  readonly turns?: number;
  /** What was ranked below and says the same: the turn that a memory was taken from, or memories taken from a turn. */
  readonly also?: readonly { readonly document: SearchDocument; readonly score: number }[];
  /** 0 to 1; near 1 is what has every word of the question and beats all others. */
  readonly score: number;
  /** How probable it is that it answers, see `confidenceOf`; absent where no words were asked for. */
  readonly confidence?: number;
  /** What the score was made of, each 0 to 1, and what the confidence was; what a document does not have is absent. */
  readonly parts: Partial<Record<Feature, number>> & {
    readonly lexical: number;
    readonly vector?: number;
    readonly recency?: number;
    readonly strength?: number;
    readonly coverage?: number;
    readonly unsaid?: number;
    readonly cosine?: number;
  };
}

/**
 * What is not asked for otherwise; chosen by evaluation, see docs/search-evaluation.md.
 *
 * Dates and use decide among equals and little more. Multiplied in whole, as spec 5 §6.3 does for a context, recency would leave nothing of
 * a conversation half a year old.
 */
export const recallDefaults = {
  recency: 0.02,
  use: 0.05,
  /** Spec 5 §7. */
  weights: { bm25Weight: 0.4, vectorWeight: 0.6 },
  /** From this many documents on, which is when their words are kept on the disk, typed arrays take over from MiniSearch. */
  arraysFrom: 64,
} as const;

export const maxLimit = 1000;

/** Throws INVALID_ARGUMENT for a blank query and options out of range. */
export function checkOptions(query: string, options: RecallOptions): void {
  if (typeof query !== 'string' || query.trim() === '') {
    throw new MemoryError('INVALID_ARGUMENT', 'The query is empty', { hint: 'Say what to look for in a few words' });
  }
  const { limit = 10, mode = 'hybrid', fusion = 'sum' } = options;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new MemoryError('INVALID_ARGUMENT', `The limit ${limit} is not a whole number from 1 to ${maxLimit}`, {
      where: 'limit',
    });
  }
  for (const [where, value, names] of [
    ['mode', mode, ['lexical', 'vector', 'hybrid']],
    ['fusion', fusion, ['sum', 'rrf', 'spec']],
  ] as const) {
    if (!(names as readonly string[]).includes(value)) {
      throw new MemoryError('INVALID_ARGUMENT', `No search ${where} ${String(value)}`, {
        where,
        hint: `Use ${names.join(', ')}`,
      });
    }
  }
  if (options.group !== undefined && options.group !== 'session') {
    throw new MemoryError('INVALID_ARGUMENT', `hits cannot be grouped by ${String(options.group)}`, {
      where: 'group',
      hint: 'Use session, or leave it out',
    });
  }
  const { paths } = options;
  if (paths !== undefined && !(Array.isArray(paths) && paths.every((path) => typeof path === 'string'))) {
    throw new MemoryError('INVALID_ARGUMENT', 'paths is no list of paths', { where: 'paths' });
  }
  for (const where of ['recency', 'use', 'vectorWeight'] as const) {
    const value = options[where];
    if (value !== undefined && !(value >= 0 && value <= 1)) {
      throw new MemoryError('INVALID_ARGUMENT', `${where} is ${value}, not a number from 0 to 1`, { where });
    }
  }
  if ((options.recency ?? 0) + (options.use ?? 0) > 1) {
    throw new MemoryError('INVALID_ARGUMENT', 'recency and use together are more than 1', { where: 'recency' });
  }
}
