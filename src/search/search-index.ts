// Recall: keeps the word index in step with a listing of files, and turns a question into ranked hits that say why.
// Knows no git and no file system: the caller lists paths with the ids of their contents and hands out bytes.

import { queryTokensOf, tokensOf } from '../base/tokenizer.ts';
import { MemoryError } from '../errors.ts';
import {
  type DocumentCategory,
  documentsOf,
  isSearchedPath,
  lexicalFieldsOf,
  type SearchDocument,
} from './documents.ts';
import { type LexicalIndex, type LexicalMatch, miniSearchIndex } from './lexical-index.ts';
import { snippetOf } from './snippet.ts';

/** Says what to find and what to leave out. */
export interface RecallOptions {
  /** How many hits at most, 1 to 1000; default 10. */
  readonly limit?: number;
  /**
   * A category of documents, `knowledge` for everything under knowledge/, or a kind of memory such as `decision`.
   *
   * `memory` finds memory records and knowledge/memory/.
   */
  readonly category?: string;
  /** Only what happened at this time or later, in milliseconds. What has no date is left out. */
  readonly since?: number;
  /** Only what happened at this time or earlier, in milliseconds. */
  readonly until?: number;
  readonly mode?: 'lexical';
  /** The time that recency is counted from, in milliseconds: now, or the time of the view. */
  readonly now: number;
  /** Finds superseded and archived memories and archive/ too; default false. */
  readonly includeArchived?: boolean;
  /** Only this session, by its id. */
  readonly session?: string;
}

/** One answer, with its reasons. */
export interface RankedHit {
  readonly document: SearchDocument;
  /** At most 240 characters on one line: the whole text, or the sentences that fit the question best. */
  readonly snippet: string;
  /** The 1-based line of the file where the snippet starts, as near as the format allows. */
  readonly line: number;
  /** 0 to 1; 1 is a document of today that has every word of the question and beats all others. */
  readonly score: number;
  /** What the score was made of, each 0 to 1; what a document does not have counts as 0.5 and is absent here. */
  readonly parts: { readonly lexical: number; readonly recency?: number; readonly strength?: number };
}

/**
 * Weighs a hit: its words make it, its date and use move it by at most so much.
 *
 * ```
 * score = lexical · (0.7 + 0.2 · recency + 0.1 · strength)
 * recency = 2^(−age / 7 days)       strength = strength / 2 + log2(1 + uses) / 10
 * ```
 *
 * Half-life and weight of recency are those of spec 5 §6.3 (exp(−0.1 · days)) and of the facts behind spec 4. Multiplied in whole,
 * as §6.3 does for a context, recency would leave nothing of a conversation half a year old.
 */
export const recallWeights = { recency: 0.2, strength: 0.1, halfLifeDays: 7 } as const;

const dayMs = 86_400_000;
const maxLimit = 1000;
const maxCachedDocuments = 20_000;

interface Entry {
  readonly id: number;
  readonly document: SearchDocument;
}

interface IndexedFile {
  readonly blobOid: string;
  readonly entries: readonly Entry[];
}

const knowledgeCategories: ReadonlySet<DocumentCategory> = new Set<DocumentCategory>([
  'core',
  'identity',
  'journal',
  'project',
  'person',
  'entity',
  'procedure',
  'principle',
  'insight',
  'reference',
  'knowledge',
]);

function hasCategory(document: SearchDocument, category: string): boolean {
  if (document.category === category || document.record?.category === category) return true;
  if (category === 'knowledge') return knowledgeCategories.has(document.category);
  return category === 'memory' && document.category === 'core';
}

function isWanted(document: SearchDocument, options: RecallOptions): boolean {
  const { category, since, until, session, includeArchived = false } = options;
  if (!includeArchived && (document.status === 'archived' || document.status === 'superseded')) return false;
  if (category !== undefined && !hasCategory(document, category)) return false;
  if (session !== undefined && document.session !== session) return false;
  if (since !== undefined && !(document.time !== undefined && document.time >= since)) return false;
  return until === undefined || (document.time !== undefined && document.time <= until);
}

/** Tells when a document was last of interest: a memory when it was used, anything else when it happened. */
function freshTimeOf({ record, time }: SearchDocument): number | undefined {
  return record === undefined ? time : Math.max(record.lastUsed, record.createdAt) * 1000;
}

function partsOf(document: SearchDocument, lexical: number, now: number): RankedHit['parts'] {
  const time = freshTimeOf(document);
  const { record } = document;
  return {
    lexical: rounded(lexical),
    ...(time === undefined
      ? {}
      : { recency: rounded(2 ** (-Math.max(0, now - time) / (recallWeights.halfLifeDays * dayMs))) }),
    ...(record === undefined
      ? {}
      : { strength: rounded(Math.min(1, record.strength / 2 + Math.log2(1 + record.useCount) / 10)) }),
  };
}

function scoreOf({ lexical, recency = 0.5, strength = 0.5 }: RankedHit['parts']): number {
  const { recency: ofRecency, strength: ofStrength } = recallWeights;
  return rounded(lexical * (1 - ofRecency - ofStrength + ofRecency * recency + ofStrength * strength));
}

/**
 * Drops the last digits of a number.
 *
 * The word index keeps running averages whose last bits depend on the order in which documents came; ranks must not.
 */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

function before(one: RankedDraft, other: RankedDraft): number {
  if (one.score !== other.score) return other.score - one.score;
  const [a, b] = [one.document, other.document];
  if (a.time !== b.time) return (b.time ?? Number.NEGATIVE_INFINITY) - (a.time ?? Number.NEGATIVE_INFINITY);
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}

interface RankedDraft {
  readonly document: SearchDocument;
  readonly score: number;
  readonly parts: RankedHit['parts'];
}

/**
 * Searches the files of one view of a memory.
 *
 * `moveTo` brings it to any other view; what it answers there does not depend on where it was before.
 */
export class SearchIndex {
  readonly #read: (blobOid: string, path: string) => Uint8Array;
  readonly #lexical: LexicalIndex = miniSearchIndex();
  readonly #files = new Map<string, IndexedFile>();
  readonly #documents = new Map<number, SearchDocument>();
  /** Documents of files that were left; going back to them needs neither reading nor parsing. Oldest first. */
  readonly #left = new Map<string, readonly SearchDocument[]>();
  #leftCount = 0;
  #nextId = 0;
  #listing: ReadonlyMap<string, string> | undefined;

  /** `read` gives the bytes of a content by its id; it is asked once per new content, only for paths that are searched. */
  constructor(read: (blobOid: string, path: string) => Uint8Array) {
    this.#read = read;
  }

  /** The number of documents that can be found. */
  get size(): number {
    return this.#documents.size;
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
   * Finds what the query speaks of, best first.
   *
   * A query of stop words and signs alone (`to be or not to be`, `!!!`) is looked up letter by letter instead of by words.
   *
   * @throws MemoryError INVALID_ARGUMENT when the query is blank or an option out of range.
   */
  recall(query: string, options: RecallOptions): RankedHit[] {
    if (typeof query !== 'string' || query.trim() === '') {
      throw new MemoryError('INVALID_ARGUMENT', 'The query is empty', { hint: 'Say what to look for in a few words' });
    }
    const { limit = 10, mode = 'lexical', now } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
      throw new MemoryError('INVALID_ARGUMENT', `The limit ${limit} is not a whole number from 1 to ${maxLimit}`, {
        where: 'limit',
      });
    }
    if (mode !== 'lexical') {
      throw new MemoryError('INVALID_ARGUMENT', `No search mode ${String(mode)}`, {
        where: 'mode',
        hint: 'Use lexical',
      });
    }

    const terms = queryTokensOf(query);
    const matches = (tokensOf(query).length > 0 ? this.#lexical.search(terms) : this.#literalMatches(query)).flatMap(
      (match) => {
        const document = this.#documents.get(match.id);
        return document !== undefined && isWanted(document, options) ? [{ match, document }] : [];
      },
    );
    const best = matches[0]?.match;
    if (best === undefined) return [];

    // Best-first order by words bounds what any later document can still reach, so most are never weighed.
    const scale = best.terms.length / Math.max(1, terms.length) / best.score;
    const ranked: RankedDraft[] = [];
    let cutoff = Number.NEGATIVE_INFINITY;
    for (const { match, document } of matches) {
      const lexical = Math.min(1, match.score * scale);
      if (rounded(lexical) < cutoff) break;
      const parts = partsOf(document, lexical, now);
      ranked.push({ document, score: scoreOf(parts), parts });
      if (ranked.length >= limit * 4) {
        ranked.sort(before);
        ranked.length = limit;
        cutoff = ranked[limit - 1]!.score;
      }
    }
    return ranked
      .sort(before)
      .slice(0, limit)
      .map(({ document, score, parts }) => {
        const { text, line } = snippetOf(document.text, terms);
        return {
          document,
          snippet: text,
          line: document.textLine === undefined ? document.line : document.textLine + line,
          score,
          parts,
        };
      });
  }

  /** Finds texts that contain the query as it stands, in any case; the earlier in the text, the better. */
  #literalMatches(query: string): LexicalMatch[] {
    const wanted = query.trim().toLowerCase();
    const terms = queryTokensOf(query);
    const matches: LexicalMatch[] = [];
    for (const [id, document] of this.#documents) {
      const at = document.text.toLowerCase().indexOf(wanted);
      if (at >= 0) matches.push({ id, score: 1 / (1 + at / 1000), terms });
    }
    return matches.sort((one, other) => other.score - one.score);
  }

  /** Replaces the documents of one path; a document whose words stay keeps its place in the word index. */
  #change(path: string, blobOid: string | undefined): { added: number; removed: number } {
    const documents = blobOid === undefined ? [] : this.#documentsOf(path, blobOid);
    const old = this.#files.get(path);
    const leaving = new Map<string, Entry[]>();
    for (const entry of old?.entries ?? []) {
      const same = leaving.get(entry.document.key);
      if (same === undefined) leaving.set(entry.document.key, [entry]);
      else same.push(entry);
    }
    const entries: Entry[] = [];
    const arriving: Entry[] = [];
    for (const document of documents) {
      const kept = leaving.get(document.key)?.shift();
      const entry = { id: kept?.id ?? this.#nextId++, document };
      entries.push(entry);
      if (kept === undefined) arriving.push(entry);
    }
    const departing = [...leaving.values()].flat();

    this.#lexical.remove(departing.map(({ id, document }) => ({ id, fields: lexicalFieldsOf(document) })));
    for (const { id } of departing) this.#documents.delete(id);
    this.#lexical.add(arriving.map(({ id, document }) => ({ id, fields: lexicalFieldsOf(document) })));
    for (const { id, document } of entries) this.#documents.set(id, document);
    if (old !== undefined) {
      this.#remember(
        path,
        old.blobOid,
        old.entries.map(({ document }) => document),
      );
    }
    if (blobOid === undefined) this.#files.delete(path);
    else this.#files.set(path, { blobOid, entries });
    return { added: arriving.length, removed: departing.length };
  }

  #documentsOf(path: string, blobOid: string): readonly SearchDocument[] {
    const name = `${blobOid} ${path}`;
    const left = this.#left.get(name);
    if (left !== undefined) {
      this.#left.delete(name);
      this.#leftCount -= left.length;
      return left;
    }
    return documentsOf(path, new TextDecoder().decode(this.#read(blobOid, path)));
  }

  #remember(path: string, blobOid: string, documents: readonly SearchDocument[]): void {
    const name = `${blobOid} ${path}`;
    const known = this.#left.get(name);
    if (known !== undefined) this.#leftCount -= known.length;
    this.#left.delete(name);
    this.#left.set(name, documents);
    this.#leftCount += documents.length;
    for (const [oldest, dropped] of this.#left) {
      if (this.#leftCount <= maxCachedDocuments) break;
      this.#left.delete(oldest);
      this.#leftCount -= dropped.length;
    }
  }
}
