// The word index of one view, kept in step with a listing of files. Which hits a question has, and why, is decided in rank.ts.
// Knows no git and no file system: the caller lists paths with the ids of their contents and hands out bytes.

import { defined } from '../base/errors.ts';
import type { Reading } from '../store/patience.ts';
import { memoryPath } from '../store/records/memory-record.ts';
import { newestFirst } from '../store/records/newest-first.ts';
import { arrayIndex } from './array-index.ts';
import { Corpus, isVersion, type ReadBlob, toldEvery } from './corpus.ts';
import { isSearchedPath } from './documents.ts';
import type { CorpusFile, MetFiles } from './file-table.ts';
import { filterOf } from './filter.ts';
import { type Follower, type FollowingOptions, followersOf } from './followers.ts';
import { hintsOf } from './hints.ts';
import { type Layout, ViewLayout } from './layout.ts';
import type { LexicalEntry, LexicalIndex } from './lexical-index.ts';
import { parseQuery } from './query.ts';
import { rank } from './rank.ts';
import { checkOptions, type RankedHit, type RecallOptions, recallDefaults } from './recall-options.ts';
import type { SearchDocument } from './search-document.ts';
import { flag } from './segment.ts';
import { ViewClaims } from './view-claims.ts';

/** A document whose words are looked up by whoever needs them: typed arrays have them already. */
class RowEntry implements LexicalEntry {
  readonly id: number;
  readonly #layout: Layout;

  constructor(layout: Layout, row: number) {
    this.#layout = layout;
    this.id = row;
  }

  get terms(): LexicalEntry['terms'] {
    return this.#layout.termsOf(this.id);
  }
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
  readonly #smallIndex: (() => LexicalIndex) | undefined;
  #generation: number;
  #layout: ViewLayout;
  #lexical: LexicalIndex;
  #usesArrays: boolean;
  /** All files that were met, in the numbering of this view's rows. */
  #met: MetFiles;
  /** The files of the view that have no documents, by number. */
  readonly #blank = new Set<number>();
  #claims: { readonly version: object; readonly claims: ViewClaims } | undefined;
  #isWhole = false;
  #unseen = 0;

  /**
   * `read` gives the bytes of a content by its id; it is asked once per new content, only for paths that are searched.
   *
   * Views of one memory share a `corpus`. `smallIndex` serves less than `arraysFrom` documents, typed arrays all else.
   */
  constructor(
    read: ReadBlob,
    options: {
      readonly corpus?: Corpus;
      readonly smallIndex?: (() => LexicalIndex) | undefined;
      readonly arraysFrom?: number;
    } = {},
  ) {
    this.#read = read;
    this.#corpus = options.corpus ?? new Corpus();
    this.#smallIndex = options.smallIndex;
    this.#arraysFrom = options.arraysFrom ?? recallDefaults.arraysFrom;
    this.#generation = this.#corpus.generation;
    this.#met = this.#corpus.files;
    this.#layout = new ViewLayout(this.#corpus, read);
    this.#usesArrays = this.#smallIndex === undefined;
    this.#lexical = this.#emptyIndex();
  }

  #emptyIndex(): LexicalIndex {
    return this.#usesArrays ? arrayIndex(this.#layout) : this.#smallIndex!();
  }

  /** How many files of the listing were left when it was last moved. */
  get unseen(): number {
    return this.#unseen;
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

  /** What the memories of the view say of when they hold. */
  get claims(): ViewClaims {
    const { version } = this.layout;
    if (this.#claims?.version !== version) {
      const claims = new ViewClaims(this.#layout, (id) => this.#documentAt(memoryPath(id)));
      this.#claims = { version, claims };
    }
    return this.#claims.claims;
  }

  /** Gives the document of a turn of a conversation, by its number; undefined where the view has none. */
  turnAt(path: string, number: number): SearchDocument | undefined {
    this.#settle();
    const file = this.#heldAt(path);
    if (file === undefined || file.count === 0) return undefined;
    // A text before the first turn is a row of its own, an empty turn is none.
    for (let row = file.first + Math.min(number, file.count - 1); row >= file.first; row--) {
      const document = this.#layout.document(row);
      if (document.turn === number) return document;
      if (document.turn === undefined || document.turn < number) return undefined;
    }
    return undefined;
  }

  /** Lists all turns of the view that are not put aside, where they have no more than so many words; undefined where they have more. */
  allTurns(mostWords: number): SearchDocument[] | undefined {
    this.#settle();
    const { flags, textLengths } = this.#corpus.columns;
    const slots: number[] = [];
    let words = 0;
    for (let slot = 0; slot < this.#layout.size; slot++) {
      if (!(this.#layout.fileOf[slot]! >= 0) || (flags[slot]! & (flag.spoken | flag.hidden)) !== flag.spoken) continue;
      words += textLengths[slot]! + 1;
      if (words > mostWords) return undefined;
      slots.push(slot);
    }
    return slots.map((slot) => this.#layout.document(slot));
  }

  /**
   * Lists what was said after each hit and is near it, as {@link followersOf} does. The filters of the query and of the options hold for
   * them, too. Throws as {@link recall}.
   */
  followersOf(hits: readonly SearchDocument[], query: string, options: FollowingOptions): Follower[][] {
    this.#settle();
    const isWanted = filterOf(parseQuery(query, options.timeZone ?? 'UTC'), options, this.#layout);
    const { most, least, likeness } = options;
    return followersOf(hits, this.#layout, { most, least, isWanted, ...defined({ likeness }) });
  }

  #documentAt(path: string): SearchDocument | undefined {
    this.#settle();
    const file = this.#heldAt(path);
    return file === undefined || file.count === 0 ? undefined : this.#layout.document(file.first);
  }

  /** Tells whether a file belongs to the view. */
  holds(file: CorpusFile): boolean {
    return file.count > 0 ? this.#layout.fileOf[file.first] === file.number : this.#blank.has(file.number);
  }

  #heldAt(path: string): CorpusFile | undefined {
    return this.#corpus.files.find(path, (file) => this.holds(file));
  }

  /** The files of the view. */
  #held(): CorpusFile[] {
    return this.#layout.count + this.#blank.size === 0 ? [] : [...this.#met].filter((file) => this.holds(file));
  }

  /**
   * Makes the index answer for exactly these files, or for those that `reading` does not leave.
   *
   * Costs one look-up per path, plus reading and tokenising what no view has met. When `read` throws, the error goes through, and
   * the next call goes on from there.
   */
  moveTo(listing: ReadonlyMap<string, string>, reading?: () => Reading): void {
    this.#renew();
    if (this.#unseen > 0) this.#corpus.load(true);
    const gone = this.#held().flatMap(({ path }) => (listing.has(path) ? [] : path));
    this.#change(listing, gone, reading);
  }

  /**
   * Takes over the view that is kept beside the documents, and gives the tree that it is of. Null where none is, and where this index has a
   * view: then nothing changes.
   */
  adopt(): string | null {
    this.#renew();
    const kept = this.#layout.count + this.#blank.size > 0 ? null : this.#corpus.keptView();
    if (kept === null) return null;
    this.#usesArrays = true;
    this.#lexical = this.#emptyIndex();
    this.#layout.addAllBut(kept.idle);
    for (const number of this.#corpus.files.blank()) if (!kept.idle.has(number)) this.#blank.add(number);
    this.#isWhole = true;
    return kept.tree;
  }

  /** Does what {@link moveTo} does where only these files are others, path → blob id, null for those that are gone. */
  moveBy(changes: ReadonlyMap<string, string | null>, reading?: () => Reading): void {
    if (!this.#isWhole || this.#generation !== this.#corpus.generation) {
      throw new Error('an index that was not brought to a whole listing cannot follow changes');
    }
    const there = new Map<string, string>();
    const gone: string[] = [];
    for (const [path, blobOid] of changes) {
      if (blobOid === null) gone.push(path);
      else there.set(path, blobOid);
    }
    this.#change(there, gone, reading);
  }

  /** Whether {@link moveBy} may be called. */
  get canMoveBy(): boolean {
    return this.#isWhole && this.#generation === this.#corpus.generation;
  }

  /**
   * Finds what the query speaks of, best first; see query.ts for the phrases and filters it may hold.
   *
   * A query of stop words and signs alone (`to be or not to be`, `!!!`) is looked up letter by letter instead of by words. One of filters
   * alone lists what they let through, newest first.
   *
   * @throws MemoryError INVALID_ARGUMENT when the query is blank or an option out of range, INVALID_DATE.
   */
  recall(query: string, options: RecallOptions): RankedHit[] {
    checkOptions(query, options);
    this.#settle();
    return rank(query, options, this.#layout, this.#lexical);
  }

  /** Says what a query probably was to mean otherwise, in sentences; empty for most. Throws as {@link recall}. */
  hints(query: string, options: RecallOptions): string[] {
    checkOptions(query, options);
    this.#settle();
    return hintsOf(query, parseQuery(query, options.timeZone ?? 'UTC'), options, this.#layout);
  }

  /** Begins anew when rows have other numbers. */
  #renew(): void {
    this.#corpus.load();
    if (this.#generation === this.#corpus.generation) return;
    this.#generation = this.#corpus.generation;
    this.#met = this.#corpus.files;
    this.#blank.clear();
    this.#isWhole = false;
    this.#layout = new ViewLayout(this.#corpus, this.#read);
    this.#lexical = this.#emptyIndex();
  }

  /** Makes what was asked before fit rows that have other numbers by now. */
  #settle(): void {
    if (this.#generation !== this.#corpus.generation) {
      const listing = new Map(this.#held().map(({ path, name }) => [path, name.slice(0, name.indexOf(' '))]));
      this.moveTo(listing);
    }
    this.#layout.reach();
  }

  #change(listing: ReadonlyMap<string, string>, gone: readonly string[], reading?: () => Reading): void {
    this.#isWhole = false;
    const leaving = new Map<string, CorpusFile>();
    const isEmpty = this.#layout.count + this.#blank.size === 0;
    const heldAt = (path: string) => (isEmpty ? undefined : this.#heldAt(path));
    const leave = (path: string, file = heldAt(path)): void => {
      if (file !== undefined) leaving.set(path, file);
    };
    const arriving = new Map<string, CorpusFile>();
    const unmet: { path: string; blobOid: string }[] = [];
    for (const path of gone) leave(path);
    for (const [path, blobOid] of listing) {
      const known = heldAt(path);
      if (known !== undefined && isVersion(known, blobOid)) continue;
      const met = this.#corpus.find(path, blobOid);
      if (met === undefined && !isSearchedPath(path)) continue;
      leave(path, known);
      if (met === undefined) unmet.push({ path, blobOid });
      else arriving.set(path, met);
    }
    const isFresh = this.#layout.count === 0 && arriving.size > 0;
    const isMuch = reading !== undefined && unmet.length > toldEvery;
    const [files, look] = isMuch ? [newestFirst(unmet, ({ path }) => path), reading()] : [unmet, undefined];
    const read = this.#corpus.read(files, this.#read, look);
    for (const file of read) arriving.set(file.path, file);
    this.#unseen = unmet.length - read.length;
    this.#layout.reach();

    // A view that is large from the start, or that was kept, needs no other kind of index in between.
    const size = this.#layout.count + rowsIn(arriving.values()) - rowsIn(leaving.values());
    const changes = !this.#usesArrays && (size >= this.#arraysFrom || isFresh);
    this.#lexical.remove(this.#entriesOf(leaving.values()));
    for (const file of leaving.values()) {
      this.#layout.remove(file);
      this.#blank.delete(file.number);
    }
    for (const file of arriving.values()) {
      this.#layout.add(file);
      if (file.count === 0) this.#blank.add(file.number);
    }
    if (changes) {
      // Both kinds give the same answers, so nobody notices but the clock.
      this.#usesArrays = true;
      this.#lexical = this.#emptyIndex();
      this.#lexical.add(this.#entriesOf(this.#held()));
    } else this.#lexical.add(this.#entriesOf(arriving.values()));
    this.#isWhole = this.#unseen === 0;
  }

  *#entriesOf(files: Iterable<CorpusFile>): Generator<LexicalEntry> {
    for (const file of files) for (const row of rowsOf(file)) yield new RowEntry(this.#layout, row);
  }
}

function* rowsOf({ first, count }: CorpusFile): Generator<number> {
  for (let row = first; row < first + count; row++) yield row;
}

function rowsIn(files: Iterable<CorpusFile>): number {
  let rows = 0;
  for (const { count } of files) rows += count;
  return rows;
}
