// Recall: keeps the word index in step with a listing of files, and turns a question into ranked hits that say why.
// Knows no git and no file system: the caller lists paths with the ids of their contents and hands out bytes.

import { LargestValues } from '../base/largest-values.ts';
import { queryTokensOf, tokensOf } from '../base/tokenizer.ts';
import { MemoryError } from '../errors.ts';
import { type AnswerCues, answerFactorOf } from './answer-type.ts';
import { arrayIndex } from './array-index.ts';
import { Corpus, type CorpusFile, type ReadBlob } from './corpus.ts';
import { isSearchedPath, type SearchDocument } from './documents.ts';
import { type DocumentFilter, filterOf } from './filter.ts';
import { type FusionName, fuse, recencyOf } from './fusion.ts';
import { firstOfEach } from './grouping.ts';
import { type Layout, ViewLayout } from './layout.ts';
import type { LexicalEntry, LexicalIndex } from './lexical-index.ts';
import { miniSearchIndex } from './mini-search-index.ts';
import { parseQuery } from './query.ts';
import { fileName, flag, pathOfName } from './segment.ts';
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
  /** How like the query the document of each row is, −1 to 1, as a model sees it; without it the built-in embedder is asked. */
  readonly likenessOf?: LikenessOf;
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
  arraysFrom: 1000,
} as const;

const dayMs = 86_400_000;
const maxLimit = 1000;

/** So many documents, the best by words and session, are looked at further, whatever the limit. */
const poolSize = maxLimit;
/** Where dates and use may move a score by more, words alone do not choose who is looked at. */
const maxMoved = 0.25;

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
  readonly #corpus: Corpus;
  readonly #arraysFrom: number;
  #generation: number;
  #layout: ViewLayout;
  #lexical: LexicalIndex;
  #usesArrays: boolean;
  readonly #files = new Map<string, CorpusFile>();
  #isWhole = false;

  /**
   * `read` gives the bytes of a content by its id; it is asked once per new content, only for paths that are searched.
   *
   * Views of one memory share a `corpus`. With `arraysFrom` 0 the index is made of typed arrays from the start.
   */
  constructor(read: ReadBlob, options: { readonly corpus?: Corpus; readonly arraysFrom?: number } = {}) {
    this.#read = read;
    this.#corpus = options.corpus ?? new Corpus();
    this.#arraysFrom = options.arraysFrom ?? recallDefaults.arraysFrom;
    this.#generation = this.#corpus.generation;
    this.#layout = new ViewLayout(this.#corpus, read);
    this.#usesArrays = this.#arraysFrom === 0;
    this.#lexical = this.#usesArrays ? arrayIndex(this.#layout) : miniSearchIndex();
  }

  /** The number of documents that can be found. */
  get size(): number {
    return this.#layout.count;
  }

  /** The documents of the view. */
  get layout(): Layout {
    this.#settle();
    return this.#layout;
  }

  /** Tells whether a file belongs to the view. */
  holds(file: CorpusFile): boolean {
    return this.#files.get(pathOfName(file.name)) === file;
  }

  /**
   * Makes the index answer for exactly these files, and says how many documents that added and removed.
   *
   * Costs one look-up per path, plus reading and tokenising what no view has met. When `read` throws, the error goes through, and
   * the next call goes on from there.
   */
  moveTo(listing: ReadonlyMap<string, string>): { added: number; removed: number } {
    this.#renew();
    const gone = [...this.#files.keys()].filter((path) => !listing.has(path));
    return this.#change(listing, gone);
  }

  /** Does what {@link moveTo} does where only these files are others, path → blob id, null for those that are gone. */
  moveBy(changes: ReadonlyMap<string, string | null>): { added: number; removed: number } {
    if (!this.#isWhole || this.#generation !== this.#corpus.generation) {
      throw new Error('an index that was not brought to a whole listing cannot follow changes');
    }
    const there = new Map<string, string>();
    const gone: string[] = [];
    for (const [path, blobOid] of changes) {
      if (blobOid === null) gone.push(path);
      else there.set(path, blobOid);
    }
    return this.#change(there, gone);
  }

  /** Whether {@link moveBy} may be called. */
  get canMoveBy(): boolean {
    return this.#isWhole && this.#generation === this.#corpus.generation;
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
    this.#settle();
    const layout = this.#layout;
    const { columns } = layout.corpus;
    const isWanted = filterOf(parsed, options, layout);
    const hasWords = tokensOf(parsed.text).length > 0;
    const terms = queryTokensOf(parsed.text);
    const scores = hasWords ? scoreWords(terms, this.#lexical, layout) : literalScores(parsed.text, terms, layout);

    const factorOf = answerFactorOf(parsed.text);
    const { own, session } = scores;
    if (factorOf !== undefined) {
      for (const slot of scores.slots) own[slot]! *= factorOf(cuesAt(layout, slot), isSpokenAt(layout, slot));
    }

    const { recency = recallDefaults.recency, use = recallDefaults.use } = options;
    const { likenessOf } = options;
    const company =
      hasWords && mode !== 'lexical' && likenessOf === undefined ? companyOf(scores.terms, layout) : undefined;
    // The built-in embedder knows words only, so it orders what words have found; a model finds by itself.
    const isByVectors =
      hasWords && mode !== 'lexical' && (likenessOf !== undefined || (mode === 'vector' && company !== undefined));
    const wanted = isByVectors ? slotsOf(layout, isWanted) : scores.slots.filter(isWanted);
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
      ageDays: pick(slots, (slot) => Math.max(0, now - columns.freshTimes[slot]!) / dayMs),
      strength: pick(slots, (slot) => columns.strengths[slot]!),
      uses: pick(slots, (slot) => columns.uses[slot]!),
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

    const isGrouped = options.group === 'session';
    const best = bestOf(fused.score, slots, layout, isGrouped ? maxLimit : limit);
    const sessionAt = ({ slot }: Candidate): number | undefined =>
      isGrouped && isSpokenAt(layout, slot) ? layout.fileOf[slot] : undefined;
    const shown = firstOfEach(best, sessionAt).slice(0, limit);
    return shown.map(({ item: { slot, at, score }, count }) => {
      const document = layout.document(slot);
      const { text, line, highlights } = snippetOf(document.text, scores.terms);
      const age = evidence.ageDays[at]!;
      const strength = evidence.strength[at]!;
      return {
        document,
        snippet: text,
        highlights,
        line: document.textLine === undefined ? document.line : document.textLine + line,
        ...(count === undefined ? {} : { turns: count }),
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

  /** Begins anew when rows have other numbers. */
  #renew(): void {
    this.#corpus.load();
    if (this.#generation === this.#corpus.generation) return;
    this.#generation = this.#corpus.generation;
    this.#files.clear();
    this.#isWhole = false;
    this.#layout = new ViewLayout(this.#corpus, this.#read);
    this.#lexical = this.#usesArrays ? arrayIndex(this.#layout) : miniSearchIndex();
  }

  /** Makes what was asked before fit rows that have other numbers by now. */
  #settle(): void {
    if (this.#generation !== this.#corpus.generation) {
      const listing = new Map([...this.#files].map(([path, { name }]) => [path, name.slice(0, name.indexOf(' '))]));
      this.moveTo(listing);
    }
    this.#layout.reach();
  }

  #change(listing: ReadonlyMap<string, string>, gone: readonly string[]): { added: number; removed: number } {
    this.#isWhole = false;
    const moved: { path: string; blobOid: string }[] = [];
    for (const [path, blobOid] of listing) {
      if (this.#files.get(path)?.name !== fileName(path, blobOid) && isSearchedPath(path))
        moved.push({ path, blobOid });
    }
    const unmet = moved.filter(({ path, blobOid }) => this.#corpus.find(path, blobOid) === undefined);
    this.#corpus.read(unmet, this.#read);
    this.#layout.reach();
    const leaving = [...gone, ...moved.map(({ path }) => path)].flatMap((path) => this.#files.get(path) ?? []);
    const arriving = moved.map(({ path, blobOid }) => this.#corpus.find(path, blobOid)!);

    // A view that is large from the start, or that was kept, needs no other kind of index in between.
    const size = this.#layout.count + rowsIn(arriving) - rowsIn(leaving);
    const isFresh = this.#layout.count === 0 && unmet.length < moved.length;
    const changes = !this.#usesArrays && (size >= this.#arraysFrom || isFresh);
    this.#lexical.remove(this.#entriesOf(leaving));
    for (const file of leaving) {
      this.#layout.remove(file);
      this.#files.delete(pathOfName(file.name));
    }
    for (const file of arriving) {
      this.#layout.add(file);
      this.#files.set(pathOfName(file.name), file);
    }
    if (changes) {
      // Both kinds give the same answers, so nobody notices but the clock.
      this.#usesArrays = true;
      this.#lexical = arrayIndex(this.#layout);
      this.#lexical.add(this.#entriesOf(this.#files.values()));
    } else this.#lexical.add(this.#entriesOf(arriving));
    this.#isWhole = true;
    return this.#differenceOf(leaving, arriving);
  }

  *#entriesOf(files: Iterable<CorpusFile>): Generator<LexicalEntry> {
    for (const { first, count } of files) {
      for (let id = first; id < first + count; id++) {
        const document = (): SearchDocument => this.#layout.document(id);
        yield {
          id,
          get terms() {
            return document().terms;
          },
        };
      }
    }
  }

  /** Counts the documents with words that were not there before, and those whose words are gone. */
  #differenceOf(leaving: readonly CorpusFile[], arriving: readonly CorpusFile[]): { added: number; removed: number } {
    const [added, removed] = [rowsIn(arriving), rowsIn(leaving)];
    if (added === 0 || removed === 0) return { added, removed };
    const old = new Map<string, number>();
    const nameOf = (file: CorpusFile, row: number): string => `${this.#corpus.keyOf(row)} ${pathOfName(file.name)}`;
    let kept = 0;
    for (const file of leaving) {
      for (const row of rowsOf(file)) old.set(nameOf(file, row), (old.get(nameOf(file, row)) ?? 0) + 1);
    }
    for (const file of arriving) {
      for (const row of rowsOf(file)) {
        const left = old.get(nameOf(file, row)) ?? 0;
        if (left === 0) continue;
        old.set(nameOf(file, row), left - 1);
        kept += 1;
      }
    }
    return { added: added - kept, removed: removed - kept };
  }
}

function* rowsOf({ first, count }: CorpusFile): Generator<number> {
  for (let row = first; row < first + count; row++) yield row;
}

const rowsIn = (files: readonly CorpusFile[]): number => files.reduce((sum, { count }) => sum + count, 0);

function isSpokenAt({ corpus }: Layout, slot: number): boolean {
  return (corpus.columns.flags[slot]! & flag.spoken) !== 0;
}

function cuesAt({ corpus: { columns } }: Layout, slot: number): AnswerCues {
  const flags = columns.flags[slot]!;
  return {
    asks: (flags & flag.asks) !== 0,
    hasTime: (flags & flag.hasTime) !== 0,
    hasNumber: (flags & flag.hasNumber) !== 0,
    substance: columns.substances[slot]!,
  };
}

/** Gives the likeness of documents and those around them, from where nothing is alike. */
function likenessIn(layout: Layout, slots: Int32Array, likenessOf: LikenessOf): Float64Array {
  const likeness = scoreLikeness(slots, layout, likenessOf);
  // Models find everything a little alike; only what goes beyond that says something.
  const least = likeness.reduce((smaller, value) => Math.min(smaller, value), Number.POSITIVE_INFINITY);
  return likeness.map((value) => value - least);
}

function slotsOf(layout: Layout, isMeant: (slot: number) => boolean): Int32Array {
  const slots = new Int32Array(layout.count);
  let size = 0;
  for (let slot = 0; slot < layout.size; slot++) if (isMeant(slot)) slots[size++] = slot;
  return slots.subarray(0, size);
}

function pick(slots: Int32Array, valueAt: (slot: number) => number): Float64Array {
  const values = new Float64Array(slots.length);
  for (let at = 0; at < values.length; at++) values[at] = valueAt(slots[at]!);
  return values;
}

/** Finds the value that `count` others reach, or nearly: numbers that differ in their last digits are equal. */
function thresholdOf(values: Float64Array, count: number): number {
  const largest = new LargestValues(count);
  for (let at = 0; at < values.length; at++) largest.add(values[at]!);
  return largest.least * (1 - 1e-5);
}

/** Chooses the best by words and session; those that tie with the last are all chosen. */
function poolOf(slots: Int32Array, wordsOf: (slot: number) => number, sessionOf: (slot: number) => number): Int32Array {
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
  const own = new Float64Array(layout.size);
  const coverage = new Float64Array(layout.size);
  const slots = slotsOf(layout, (slot) => {
    if (layout.fileOf[slot]! < 0) return false;
    const at = wanted === '' ? 0 : layout.document(slot).text.toLowerCase().indexOf(wanted);
    if (at < 0) return false;
    own[slot] = 1 / (1 + at / 1000);
    coverage[slot] = 1;
    return true;
  });
  return { slots, own, coverage, session: new Float64Array(layout.fileSizes.length), terms };
}

/** Orders documents of equal score: the newest first, then by place. */
function before({ corpus }: Layout, one: number, other: number): number {
  const { times } = corpus.columns;
  const [time, otherTime] = [times[one]!, times[other]!];
  if (time !== otherTime && !(Number.isNaN(time) && Number.isNaN(otherTime))) {
    return (
      (Number.isNaN(otherTime) ? Number.NEGATIVE_INFINITY : otherTime) -
      (Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time)
    );
  }
  const [place, otherPlace] = [corpus.placeOf(one), corpus.placeOf(other)];
  if (place.path !== otherPlace.path) return place.path < otherPlace.path ? -1 : 1;
  return place.line - otherPlace.line;
}

/** Gives the best candidates, sorted by score, then date and place. */
function bestOf(scores: Float64Array, slots: Int32Array, layout: Layout, limit: number): Candidate[] {
  const threshold = thresholdOf(scores, limit);
  const candidates: Candidate[] = [];
  for (let at = 0; at < scores.length; at++) {
    if (scores[at]! >= threshold) candidates.push({ slot: slots[at]!, at, score: rounded(scores[at]!) });
  }
  return candidates
    .sort((one, other) => other.score - one.score || before(layout, one.slot, other.slot))
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
  if (options.group !== undefined && options.group !== 'session') {
    throw new MemoryError('INVALID_ARGUMENT', `hits cannot be grouped by ${String(options.group)}`, {
      where: 'group',
      hint: 'Use session, or leave it out',
    });
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
