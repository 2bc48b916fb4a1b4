// Recall: keeps the word index in step with a listing of files, and turns a question into ranked hits that say why.
// Knows no git and no file system: the caller lists paths with the ids of their contents and hands out bytes.

import { queryTokensOf, tokensOf } from '../base/tokenizer.ts';
import { MemoryError } from '../errors.ts';
import { answerFactorOf } from './answer-type.ts';
import { arrayIndex } from './array-index.ts';
import { DocumentCache, type ReadBlob } from './document-cache.ts';
import { isSearchedPath, type SearchDocument } from './documents.ts';
import { type DocumentFilter, filterOf } from './filter.ts';
import { type FusionName, fuse, recencyOf } from './fusion.ts';
import { type IndexedDocument, type Layout, layOut } from './layout.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { miniSearchIndex } from './mini-search-index.ts';
import { parseQuery } from './query.ts';
import { type Highlight, snippetOf } from './snippet.ts';
import { companyOf, type LikenessOf, scoreLikeness } from './vector-ranking.ts';
import { scoreWords, type WordScores } from './word-ranking.ts';

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
  /** The share of vectors beside words, 0 to 1; default: what suits the embedder. */
  readonly vectorWeight?: number;
  /** How like the query each document is, −1 to 1, as a model sees it; without it the built-in embedder is asked. */
  readonly likenessOf?: LikenessOf;
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
  /** 0 to 1; near 1 is what has every word of the question and beats all others. */
  readonly score: number;
  /** What the score was made of, each 0 to 1; what a document does not have is absent. */
  readonly parts: {
    readonly lexical: number;
    readonly session?: number;
    readonly vector?: number;
    readonly recency?: number;
    readonly strength?: number;
  };
}

/**
 * What is not asked for otherwise; chosen by evaluation, see docs/search-evaluation.md.
 *
 * Dates and use decide among equals and little more: multiplied in whole, as spec 5 §6.3 does for a context, recency would leave
 * nothing of a conversation half a year old.
 */
export const recallDefaults = {
  sessionWeight: 0.4,
  recency: 0.02,
  use: 0.05,
  /** The built-in embedder knows which words keep company; a model knows what they mean. */
  vectorWeight: { builtIn: 0.2, given: 0.6 },
  /** From this many documents on, typed arrays take over from MiniSearch. */
  arraysFrom: 10_000,
} as const;

const dayMs = 86_400_000;
const maxLimit = 1000;

interface IndexedFile {
  readonly blobOid: string;
  readonly entries: readonly IndexedDocument[];
}

/** So many documents, the best by words and session, are looked at further, whatever the limit. */
const poolSize = maxLimit;
/** Where dates and use may move a score by more, words alone do not choose who is looked at. */
const maxMoved = 0.25;

/** Says how long ago a document was last of interest: a memory when it was used, anything else when it happened. */
function ageDaysOf({ record, time = Number.NaN }: SearchDocument, now: number): number {
  const fresh = record === undefined ? time : Math.max(record.lastUsed, record.createdAt) * 1000;
  return Math.max(0, now - fresh) / dayMs;
}

/** Says how strong a memory is and how much it was used, 0 to 1. */
function strengthOf({ record }: SearchDocument): number {
  return record === undefined ? Number.NaN : Math.min(1, record.strength / 2 + Math.log2(1 + record.useCount) / 10);
}

/**
 * Drops the last digits of a number.
 *
 * The word index keeps running averages whose last bits depend on the order in which documents came; ranks must not.
 */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

interface Candidate {
  readonly slot: number;
  readonly at: number;
  readonly score: number;
}

/**
 * Searches the files of one view of a memory.
 *
 * `moveTo` brings it to any other view; what it answers there does not depend on where it was before.
 */
export class SearchIndex {
  readonly #read: ReadBlob;
  readonly #cache: DocumentCache;
  readonly #arraysFrom: number;
  #lexical: LexicalIndex;
  #usesArrays: boolean;
  readonly #files = new Map<string, IndexedFile>();
  #size = 0;
  #nextId = 0;
  #layout: Layout | undefined;
  #listing: ReadonlyMap<string, string> | undefined;

  /**
   * `read` gives the bytes of a content by its id; it is asked once per new content, only for paths that are searched.
   *
   * With `arraysFrom` 0 the index is made of typed arrays from the start, which is quicker to build and to ask.
   */
  constructor(read: ReadBlob, options: { readonly cache?: DocumentCache; readonly arraysFrom?: number } = {}) {
    this.#read = read;
    this.#cache = options.cache ?? new DocumentCache();
    this.#arraysFrom = options.arraysFrom ?? recallDefaults.arraysFrom;
    this.#usesArrays = this.#arraysFrom === 0;
    this.#lexical = this.#usesArrays ? arrayIndex() : miniSearchIndex();
  }

  /** The number of documents that can be found. */
  get size(): number {
    return this.#size;
  }

  /** The documents of the view. */
  get documents(): readonly SearchDocument[] {
    return this.#laidOut().documents;
  }

  /**
   * Makes the index answer for exactly these files, and says how many documents that added and removed.
   *
   * Costs one look-up per path, plus reading and tokenising what changed. The listing must not be changed afterwards. When
   * `read` throws, the error goes through, and the next call goes on from there.
   */
  moveTo(listing: ReadonlyMap<string, string>): { added: number; removed: number } {
    let added = 0;
    let removed = 0;
    if (listing === this.#listing) return { added, removed };
    this.#listing = undefined;
    this.#layout = undefined;
    for (const path of this.#files.keys()) {
      if (!listing.has(path)) removed += this.#change(path, undefined).removed;
    }
    for (const [path, blobOid] of listing) {
      if (this.#files.get(path)?.blobOid === blobOid || !isSearchedPath(path)) continue;
      const change = this.#change(path, blobOid);
      added += change.added;
      removed += change.removed;
    }
    this.#listing = listing;
    return { added, removed };
  }

  /**
   * Finds what the query speaks of, best first; see query.ts for the phrases and filters it may hold.
   *
   * A query of stop words and signs alone (`to be or not to be`, `!!!`) is looked up letter by letter instead of by words; one
   * of filters alone lists what they let through, newest first.
   *
   * @throws MemoryError INVALID_ARGUMENT when the query is blank or an option out of range, INVALID_DATE.
   */
  recall(query: string, options: RecallOptions): RankedHit[] {
    checkOptions(query, options);
    const { limit = 10, mode = 'hybrid', fusion = 'sum', now, timeZone = 'UTC' } = options;
    const parsed = parseQuery(query, timeZone);
    const layout = this.#laidOut();
    const isWanted = filterOf(parsed, options);
    const hasWords = tokensOf(parsed.text).length > 0;
    const terms = queryTokensOf(parsed.text);
    const scores = hasWords ? scoreWords(terms, this.#lexical, layout) : literalScores(parsed.text, terms, layout);

    const factorOf = answerFactorOf(parsed.text);
    const { own, session } = scores;
    for (let slot = 0; slot < own.length; slot++) {
      if (own[slot] !== 0) own[slot]! *= factorOf(layout.cues[slot]!, layout.isSpoken[slot] === 1);
    }

    const { recency = recallDefaults.recency, use = recallDefaults.use } = options;
    const { likenessOf } = options;
    const company =
      hasWords && mode !== 'lexical' && likenessOf === undefined ? companyOf(scores.terms, layout) : undefined;
    // The built-in embedder knows words only, so it orders what words have found; a model finds by itself.
    const isByVectors =
      hasWords && mode !== 'lexical' && (likenessOf !== undefined || (mode === 'vector' && company !== undefined));
    const wanted = slotsOf(layout, (slot) => (isByVectors || own[slot]! > 0) && isWanted(layout.documents[slot]!));
    if (wanted.length === 0) return [];
    const isByWords = !isByVectors && recency + use <= maxMoved;
    const slots = isByWords
      ? poolOf(
          wanted,
          (slot) => own[slot]!,
          (slot) => session[layout.fileOf[slot]!]!,
        )
      : wanted;

    const likeness = isByVectors && likenessOf !== undefined ? likenessIn(layout, slots, likenessOf) : company?.(slots);
    const evidence = {
      words: pick(slots, (slot) => own[slot]!),
      session: pick(slots, (slot) => session[layout.fileOf[slot]!]!),
      vector: likeness,
      ageDays: pick(slots, (slot) => ageDaysOf(layout.documents[slot]!, now)),
      strength: pick(slots, (slot) => strengthOf(layout.documents[slot]!)),
      uses: pick(slots, (slot) => layout.documents[slot]!.record?.useCount ?? Number.NaN),
    };
    const { builtIn, given } = recallDefaults.vectorWeight;
    const vectorWeight = mode === 'vector' ? 1 : (options.vectorWeight ?? (likenessOf === undefined ? builtIn : given));
    const fused = fuse(evidence, {
      strategy: fusion,
      vectorWeight,
      sessionWeight: recallDefaults.sessionWeight,
      recency,
      use,
    });

    // Of a query of which little was found, even the best hit is an uncertain one.
    let certainty = isByVectors ? vectorWeight : 0;
    for (const slot of slots) certainty = Math.max(certainty, scores.coverage[slot]!);

    return bestOf(fused.score, slots, layout, limit).map(({ slot, at, score }) => {
      const document = layout.documents[slot]!;
      const { text, line, highlights } = snippetOf(document.text, scores.terms);
      const age = evidence.ageDays[at]!;
      const strength = evidence.strength[at]!;
      return {
        document,
        snippet: text,
        highlights,
        line: document.textLine === undefined ? document.line : document.textLine + line,
        score: rounded(score * certainty),
        parts: {
          lexical: rounded(fused.words[at]! * certainty),
          ...(layout.fileSizes[layout.fileOf[slot]!]! > 1 ? { session: rounded(fused.session[at]!) } : {}),
          ...(fused.vector === undefined ? {} : { vector: rounded(fused.vector[at]!) }),
          ...(Number.isNaN(age) ? {} : { recency: rounded(recencyOf(age)) }),
          ...(Number.isNaN(strength) ? {} : { strength: rounded(strength) }),
        },
      };
    });
  }

  #laidOut(): Layout {
    this.#layout ??= layOut(
      [...this.#files.values()].map(({ entries }) => entries),
      this.#nextId,
    );
    return this.#layout;
  }

  /** Replaces the documents of one path; a document whose words stay keeps its place in the word index. */
  #change(path: string, blobOid: string | undefined): { added: number; removed: number } {
    const documents = blobOid === undefined ? [] : this.#cache.documentsOf(path, blobOid, this.#read);
    const leaving = new Map<string, IndexedDocument[]>();
    for (const entry of this.#files.get(path)?.entries ?? []) {
      const same = leaving.get(entry.document.key);
      if (same === undefined) leaving.set(entry.document.key, [entry]);
      else same.push(entry);
    }
    const entries: IndexedDocument[] = [];
    const arriving: IndexedDocument[] = [];
    for (const document of documents) {
      const kept = leaving.get(document.key)?.shift();
      const entry = { id: kept?.id ?? this.#nextId++, document };
      entries.push(entry);
      if (kept === undefined) arriving.push(entry);
    }
    const departing = [...leaving.values()].flat();

    this.#lexical.remove(departing.map(lexicalEntry));
    this.#lexical.add(arriving.map(lexicalEntry));
    this.#size += arriving.length - departing.length;
    if (blobOid === undefined) this.#files.delete(path);
    else this.#files.set(path, { blobOid, entries });
    if (!this.#usesArrays && this.#size >= this.#arraysFrom) this.#changeToArrays();
    return { added: arriving.length, removed: departing.length };
  }

  /** Changes the kind of index; both give the same answers, so nobody notices but the clock. */
  #changeToArrays(): void {
    this.#usesArrays = true;
    this.#lexical = arrayIndex();
    const entries = [...this.#files.values()].flatMap((file) => file.entries).sort((one, other) => one.id - other.id);
    this.#lexical.add(entries.map(lexicalEntry));
  }
}

const lexicalEntry = ({ id, document }: IndexedDocument) => ({ id, terms: document.terms });

/** Gives the likeness of documents and those around them, from where nothing is alike. */
function likenessIn(layout: Layout, slots: readonly number[], likenessOf: LikenessOf): Float64Array {
  const likeness = scoreLikeness(slots, layout, likenessOf);
  // Models find everything a little alike; only what goes beyond that says something.
  const least = likeness.reduce((smaller, value) => Math.min(smaller, value), Number.POSITIVE_INFINITY);
  return likeness.map((value) => value - least);
}

function slotsOf(layout: Layout, isMeant: (slot: number) => boolean): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < layout.size; slot++) if (isMeant(slot)) slots.push(slot);
  return slots;
}

function pick(slots: readonly number[], valueAt: (slot: number) => number): Float64Array {
  const values = new Float64Array(slots.length);
  for (let at = 0; at < values.length; at++) values[at] = valueAt(slots[at]!);
  return values;
}

/** Finds the value that `count` others reach, or nearly: numbers that differ in their last digits are equal. */
function thresholdOf(values: Float64Array, count: number): number {
  const sorted = values.slice().sort();
  return sorted[Math.max(0, sorted.length - count)]! * (1 - 1e-5);
}

/** Chooses the best by words and session; those that tie with the last are all chosen. */
function poolOf(
  slots: readonly number[],
  wordsOf: (slot: number) => number,
  sessionOf: (slot: number) => number,
): readonly number[] {
  if (slots.length <= poolSize) return slots;
  const words = pick(slots, wordsOf);
  const session = pick(slots, sessionOf);
  const most = (values: Float64Array): number => values.reduce((larger, value) => Math.max(larger, value), 0) || 1;
  const [mostWords, mostSession] = [most(words), most(session)];
  const scores = words.map(
    (value, at) => value / mostWords + (recallDefaults.sessionWeight * session[at]!) / mostSession,
  );
  const threshold = thresholdOf(scores, poolSize);
  return slots.filter((_, at) => scores[at]! >= threshold);
}

/** Scores texts that contain the query as it stands, in any case, the earlier the better; all, for a blank query. */
function literalScores(query: string, terms: readonly string[], layout: Layout): WordScores {
  const wanted = query.trim().toLowerCase();
  const own = Float64Array.from(layout.documents, (document) => {
    const at = document.text.toLowerCase().indexOf(wanted);
    return at < 0 ? 0 : 1 / (1 + at / 1000);
  });
  return {
    own,
    coverage: own.map((score) => (score > 0 ? 1 : 0)),
    session: new Float64Array(layout.fileSizes.length),
    terms,
  };
}

function before(one: SearchDocument, other: SearchDocument): number {
  if (one.time !== other.time) return (other.time ?? Number.NEGATIVE_INFINITY) - (one.time ?? Number.NEGATIVE_INFINITY);
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line;
}

/** Gives the best candidates, sorted by score, then date and place. */
function bestOf(scores: Float64Array, slots: readonly number[], layout: Layout, limit: number): Candidate[] {
  const threshold = thresholdOf(scores, limit);
  const candidates: Candidate[] = [];
  for (let at = 0; at < scores.length; at++) {
    if (scores[at]! >= threshold) candidates.push({ slot: slots[at]!, at, score: rounded(scores[at]!) });
  }
  return candidates
    .sort((one, other) => other.score - one.score || before(layout.documents[one.slot]!, layout.documents[other.slot]!))
    .slice(0, limit);
}

function checkOptions(query: string, options: RecallOptions): void {
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
