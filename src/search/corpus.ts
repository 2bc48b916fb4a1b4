// All documents that were met, whatever view asked for them: segments side by side, each document under a number, its row.
// A view knows which rows are its own (layout.ts); what is derived from a content is derived once.

import { BoundedCache } from '../store/git/bounded-cache.ts';
import type { Reading } from '../store/patience.ts';
import { documentsOf } from './documents.ts';
import { type CorpusFile, fileName, MetFiles } from './file-table.ts';
import { lengthNames } from './postings.ts';
import { rankingSettings } from './ranking-settings.ts';
import type { IndexedDocument, SearchDocument } from './search-document.ts';
import { decodeDocument, type Facet, flag, joinSegments, type Segment, SegmentBuilder, textAt } from './segment.ts';

/** Reads the bytes of a content by its id; asked only for paths that are searched. */
export type ReadBlob = (blobOid: string, path: string) => Uint8Array;

/** A segment in its place: its documents are rows `first` to `end − 1`. */
export interface PlacedSegment {
  readonly segment: Segment;
  readonly first: number;
  readonly end: number;
  /** Under which name it is kept on the disk; null as long as it is not. */
  keptAs: string | null;
}

/** Tells whether a file holds the content of a blob; whoever asks knows the path. */
export const isVersion = ({ name }: CorpusFile, blobOid: string): boolean => name.startsWith(blobOid);

/** Where segments are kept between processes; see segment-cache.ts. */
export interface SegmentStore {
  /** Gives what is kept, but for some names. */
  load(but: ReadonlySet<string>): readonly { readonly name: string; readonly segment: Segment }[];
  /** Reads what is kept under a name; undefined where it is no good. */
  open(name: string): Segment | undefined;
  /** Keeps a segment and gives the name; null where nothing can be kept. */
  save(segment: Segment): string | null;
  remove(names: readonly string[]): void;
  /** Gives the view that is kept; null where none is. */
  loadView(): KeptView | null;
  saveView(view: KeptView): void;
  /** Removes all that is kept. */
  forget(): void;
}

/** Which of all that is kept is in a tree, so that nobody has to list it. */
export interface KeptView {
  readonly tree: string;
  /** By the name of each segment, the places of its files that are not in the tree. */
  readonly idle: Readonly<Record<string, readonly number[]>>;
}

/** So many documents become one segment while many are read. */
const maxBatch = 8192;
/** Of more files than these `onRead` hears, each time that so many were read. */
const manyFiles = 4096;
export const toldEvery = 512;
/** Neighbours of so many documents together are joined at once: that takes some ten milliseconds. */
const quickJoin = 4096;
/** So many documents that are not kept yet are worth a file. */
const worthKeeping = 64;
/** Rows that no view needs stay until they are so many, and more than those that are needed. */
const maxIdle = 10_000;

function grown<Numbers extends Uint8Array | Uint32Array | Int32Array | Float64Array>(
  old: Numbers,
  room: number,
): Numbers {
  if (old.length >= room) return old;
  const larger = new (old.constructor as new (length: number) => Numbers)(Math.max(room, Math.ceil(old.length * 1.5)));
  larger.set(old);
  return larger;
}

/** The numbers of all documents by row; arrays have room for more than there are. See {@link Columns}. */
class RowColumns {
  flags = new Uint16Array(0);
  times = new Float64Array(0);
  freshTimes = new Float64Array(0);
  strengths = new Float64Array(0);
  uses = new Float64Array(0);
  voices = new Uint32Array(0);
  facets = new Uint32Array(0);
  sources = new Uint32Array(0);
  /** The number of the file. */
  fileOf = new Int32Array(0);
  /** The row that stands for it: its own, or the first of a file that is found as a whole. The lengths of that row count for all. */
  units = new Int32Array(0);
  /** How many terms the text, the title and the letters have. */
  textLengths = new Float64Array(0);
  titleLengths = new Float64Array(0);
  letterLengths = new Float64Array(0);
  /** The first and the last turn of its conversation; itself where it is no turn. */
  sessionFirsts = new Int32Array(0);
  sessionLasts = new Int32Array(0);
  /** Of turns: how much of a stretch of talk is left after it, and how much of it one mention is. */
  left = new Float64Array(0);
  mentions = new Float64Array(0);

  /** Makes room for so many rows. */
  reserve(count: number): void {
    for (const name of Object.keys(this) as Exclude<keyof RowColumns, 'append' | 'reserve'>[])
      this[name] = grown(this[name] as Float64Array, count) as never;
  }

  append({ columns, postings, size, files }: Segment, first: number, firstFacet: number, firstFile: number): void {
    const end = first + size;
    this.reserve(end);
    this.flags.set(columns.flags, first);
    for (const name of ['times', 'freshTimes', 'strengths', 'uses'] as const) this[name].set(columns[name], first);
    this.sources.set(columns.sources, first);
    this.voices.set(columns.voices, first);
    this.facets.set(columns.facets, first);
    if (firstFacet > 0) for (let at = first; at < end; at++) this.facets[at]! += firstFacet;
    // Short loops: a command goes through them once, in code that nothing has made quick yet.
    const { units } = this;
    for (let at = first; at < end; at++) units[at] = at;
    this.sessionFirsts.set(units.subarray(first, end), first);
    this.sessionLasts.set(units.subarray(first, end), first);
    for (const name of lengthNames) this[name].set(postings[name], first);
    const { rowEnds } = files.columns;
    for (let index = 0, head = first, fileEnd = first; index < rowEnds.length; index++, head = fileEnd) {
      fileEnd = first + rowEnds[index]!;
      if (fileEnd - head === 1) this.fileOf[head] = firstFile + index;
      if (fileEnd - head < 2) continue;
      this.fileOf.fill(firstFile + index, head, fileEnd);
      if ((this.flags[head]! & flag.passage) !== 0) this.#unite(head, fileEnd);
      let spoken = head;
      while (spoken < fileEnd && (this.flags[spoken]! & flag.spoken) === 0) spoken += 1;
      this.sessionFirsts.fill(spoken, spoken, fileEnd);
      this.sessionLasts.fill(fileEnd - 1, spoken, fileEnd);
      const { wide, usual } = rankingSettings;
      for (let at = spoken; at < fileEnd; at++) {
        const length = this.textLengths[at]!;
        this.left[at] = Math.exp(-Math.max(3, length) / wide);
        this.mentions[at] = 1 / (1 + length / usual);
      }
    }
  }

  /** Makes the first of some rows stand for all. */
  #unite(head: number, end: number): void {
    for (let row = head + 1; row < end; row++) {
      this.units[row] = head;
      for (const name of lengthNames) this[name][head]! += this[name][row]!;
    }
  }
}

/** What a decoded document takes beside its text, and all of them at most. */
const decodedBytes = 800;
const mostDecodedBytes = 16 << 20;

/** Holds every document once. All views of a memory share one. */
export class Corpus {
  readonly #store: SegmentStore | undefined;
  readonly #onRead: ((done: number, total: number) => void) | undefined;
  #isLoaded = false;
  /** Whether something may be kept that has to go once it may not be. */
  #mayLieOnDisk = true;
  #segments: PlacedSegment[] = [];
  #columns = new RowColumns();
  #size = 0;
  #files = new MetFiles();
  #facets: string[] = [];
  #parsedFacets: Facet[] = [];
  #generation = 0;
  #filesRead = 0;
  /** Documents by row, as of one numbering: a question and the next mostly find the same. */
  readonly #decoded = new BoundedCache<SearchDocument, number>(mostDecodedBytes);

  /** Without a store everything stays in memory. `onRead` hears how many of many files were read. */
  constructor(store?: SegmentStore, onRead?: (done: number, total: number) => void) {
    this.#store = store;
    this.#onRead = onRead;
  }

  /** Rows and files are numbered anew whenever this changes. */
  get generation(): number {
    return this.#generation;
  }

  /** The number of rows. */
  get size(): number {
    return this.#size;
  }

  get columns(): RowColumns {
    return this.#columns;
  }

  get segments(): readonly PlacedSegment[] {
    return this.#segments;
  }

  /** All files that were met; others from the next {@link generation} on. */
  get files(): MetFiles {
    return this.#files;
  }

  get facetCount(): number {
    return this.#facets.length;
  }

  /** How many files were read, and not found on the disk. */
  get filesRead(): number {
    return this.#filesRead;
  }

  /** Whether the disk has some of it. */
  get isKept(): boolean {
    return this.#segments.some(({ keptAs }) => keptAs !== null);
  }

  /** Takes in what the disk has, the first time, or what others have kept since. */
  load(again = false): void {
    if (this.#isLoaded && !again) return;
    this.#isLoaded = true;
    const known = new Set(this.#segments.flatMap(({ keptAs }) => keptAs ?? []));
    const kept = this.#store?.load(known) ?? [];
    this.#columns.reserve(kept.reduce((sum, { segment }) => sum + segment.size, this.#size));
    for (const { name, segment } of kept) this.#append(segment, name);
  }

  /** The tree whose view is kept, whatever segments are; null where none is. */
  get keptTree(): string | null {
    return this.#store?.loadView()?.tree ?? null;
  }

  /** Gives the tree whose view is kept, and the numbers of the files that it lacks; null where other segments were kept with it. */
  keptView(): { readonly tree: string; readonly idle: ReadonlySet<number> } | null {
    const view = this.#store?.loadView() ?? null;
    const names = this.#segments.map(({ keptAs }) => keptAs);
    if (view === null || names.length !== Object.keys(view.idle).length) return null;
    const all = new Set<number>();
    let number = 0;
    for (const { segment, keptAs } of this.#segments) {
      const idle = keptAs === null ? undefined : view.idle[keptAs];
      if (idle === undefined) return null;
      for (const at of idle) all.add(number + at);
      number += segment.files.length;
    }
    return { tree: view.tree, idle: all };
  }

  /** Keeps which files a tree has, and tells so. Nothing is done where some are not kept themselves. */
  keepView(tree: string, isInView: (file: CorpusFile) => boolean): boolean {
    if (this.#size === 0 || this.#segments.some(({ keptAs }) => keptAs === null)) return false;
    const idle: Record<string, number[]> = {};
    let number = 0;
    for (const { segment, keptAs } of this.#segments) {
      const left: number[] = [];
      for (let at = 0; at < segment.files.length; at++) if (!isInView(this.#files.at(number + at))) left.push(at);
      idle[keptAs!] = left;
      number += segment.files.length;
    }
    this.#store?.saveView({ tree, idle });
    return true;
  }

  /** Finds a file that was met. */
  find(path: string, blobOid: string): CorpusFile | undefined {
    return this.#files.find(path, (file) => isVersion(file, blobOid));
  }

  /**
   * Reads files and takes their documents in, numbered in their order; what `read` throws goes through, and files before it stay. Where
   * `reading` is given some may be left, and what was read is kept at once.
   */
  read(
    files: readonly { readonly path: string; readonly blobOid: string }[],
    read: ReadBlob,
    reading?: Reading,
  ): CorpusFile[] {
    const known = this.#files.count;
    const decoder = new TextDecoder();
    let builder = new SegmentBuilder();
    const firstRow = this.#size;
    let mayLeave = reading !== undefined;
    const finish = () => {
      const isTaken = builder.fileCount === 0 || this.#take(builder.finish(), reading?.keeps === true);
      // Where the disk refuses, nobody else could go on from here, either.
      mayLeave &&= isTaken;
      builder = new SegmentBuilder();
      if (reading === undefined) this.#join();
    };
    try {
      for (const [done, { path, blobOid }] of files.entries()) {
        if (files.length > manyFiles && done % toldEvery === 0) this.#onRead?.(done, files.length);
        if (mayLeave && done > 0 && done % toldEvery === 0 && reading!.isEnough(this.#size + builder.size - firstRow))
          break;
        builder.add(fileName(path, blobOid), documentsOf(path, decoder.decode(read(blobOid, path))));
        this.#filesRead += 1;
        if (builder.size >= maxBatch) finish();
      }
    } finally {
      finish();
    }
    return Array.from({ length: this.#files.count - known }, (_, at) => this.#files.at(known + at));
  }

  /** Gives a document. One whose bytes cannot be read any more is made again from its file. */
  document(row: number, read: ReadBlob): SearchDocument {
    const known = this.#decoded.get(row);
    if (known !== undefined) return known;
    const { segment, first } = this.segmentOf(row);
    const file = this.#files.at(this.#columns.fileOf[row]!);
    const key = `${file.name}#${row - file.first}`;
    const decoded = decodeDocument(segment, row - first, file.path);
    if (decoded === undefined) return { ...this.readDocument(row, read).document, key };
    const document = { ...decoded, key };
    this.#decoded.set(row, document, document.text.length + decodedBytes);
    return document;
  }

  /** Makes a document again from its file, with its terms. */
  readDocument(row: number, read: ReadBlob): IndexedDocument {
    const file = this.#files.at(this.#columns.fileOf[row]!);
    const { path } = file;
    const blobOid = file.name.slice(0, file.name.indexOf(' '));
    return documentsOf(path, new TextDecoder().decode(read(blobOid, path)))[row - file.first]!;
  }

  /** Gives the text of a document without decoding the rest. */
  textOf(row: number): string {
    const { segment, first } = this.segmentOf(row);
    return textAt(segment, row - first);
  }

  /** Gives the 1-based line of a document without decoding it. */
  lineOf(row: number): number {
    const { segment, first } = this.segmentOf(row);
    return segment.columns.lines[row - first]!;
  }

  facet(number: number): Facet {
    this.#parsedFacets[number] ??= JSON.parse(this.#facets[number]!) as Facet;
    return this.#parsedFacets[number];
  }

  segmentOf(row: number): PlacedSegment {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#segments[middle]!.end <= row) low = middle + 1;
      else high = middle;
    }
    return this.#segments[low]!;
  }

  /**
   * Keeps what is worth it, and lets go of what is not needed. `isNeeded` tells of the files of the present, which have `needed` rows; where
   * it is left out, all are needed.
   *
   * May number rows anew. With `keepsAll` the smallest segment is worth a file. Tells whether other segments are kept than before.
   */
  tend(
    mayKeep: boolean,
    keepsAll = false,
    { needed, isNeeded }: { readonly needed: number; isNeeded(file: CorpusFile): boolean } = {
      needed: this.#size,
      isNeeded: () => true,
    },
  ): boolean {
    const idle = this.#size - needed;
    const isRenewed = idle > maxIdle && idle > this.#size - idle && this.#drop(isNeeded);
    if (this.#store === undefined) return false;
    // The words of private files are on no disk in the clear, and what is private now was not always.
    if (!mayKeep && this.#mayLieOnDisk) this.#store.forget();
    this.#mayLieOnDisk = mayKeep;
    if (!mayKeep) return false;
    const fresh = this.#segments.filter(({ keptAs }) => keptAs === null);
    const count = fresh.reduce((sum, { segment }) => sum + segment.size, 0);
    if (count < (keepsAll ? 1 : worthKeeping) && !isRenewed) return false;
    for (const placed of fresh) placed.keptAs = this.#store.save(placed.segment);
    if (fresh.some(({ keptAs }) => keptAs === null)) return false;
    this.#store.remove(this.#replaced);
    this.#replaced = [];
    return true;
  }

  /** Takes in a segment that is whole. What is kept of it need not be held: it is read from there. False where it could not be kept. */
  #take(segment: Segment, keeps: boolean): boolean {
    const name = keeps ? (this.#store?.save(segment) ?? null) : null;
    this.#append((name === null ? undefined : this.#store?.open(name)) ?? segment, name);
    return !keeps || name !== null;
  }

  /** Files on the disk whose documents are in others by now. */
  #replaced: string[] = [];

  #append(segment: Segment, keptAs: string | null): void {
    const first = this.#size;
    this.#columns.append(segment, first, this.#facets.length, this.#files.count);
    for (const facet of segment.facets) this.#facets.push(facet);
    this.#files.add(segment.files, first);
    this.#size += segment.size;
    this.#segments.push({ segment, first, end: this.#size, keptAs });
  }

  /** Joins the last segments, so that each is larger than what follows it, as far as that is done quickly. Rows stay. */
  #join(): void {
    while (this.#segments.length > 1) {
      const [one, other] = this.#segments.slice(-2) as [PlacedSegment, PlacedSegment];
      const together = one.segment.size + other.segment.size;
      if (one.segment.size > 2 * other.segment.size || together > quickJoin) return;
      const segment = joinSegments([one.segment, other.segment]);
      if (segment === undefined) return;
      for (const { keptAs } of [one, other]) if (keptAs !== null) this.#replaced.push(keptAs);
      this.#segments.splice(-2, 2, { segment, first: one.first, end: other.end, keptAs: null });
      this.#files.joinLast(segment.files);
    }
  }

  /** Leaves files out that are not needed, where they are most of a segment. */
  #drop(isNeeded: (file: CorpusFile) => boolean): boolean {
    const kept: { segment: Segment; keptAs: string | null }[] = [];
    let number = 0;
    let isChanged = false;
    for (const { segment, keptAs } of this.#segments) {
      const firstFile = number;
      number += segment.files.length;
      const needed = new Set<number>();
      let size = 0;
      for (let at = 0; at < segment.files.length; at++) {
        const file = this.#files.at(firstFile + at);
        if (!isNeeded(file)) continue;
        needed.add(at);
        size += file.count;
      }
      const smaller = size * 2 < segment.size ? joinSegments([segment], (at) => needed.has(at)) : undefined;
      if (smaller === undefined) kept.push({ segment, keptAs });
      else {
        isChanged = true;
        if (keptAs !== null) this.#replaced.push(keptAs);
        if (smaller.size > 0) kept.push({ segment: smaller, keptAs: null });
      }
    }
    if (!isChanged) return false;
    this.#generation += 1;
    this.#decoded.clear();
    this.#segments = [];
    this.#columns = new RowColumns();
    this.#size = 0;
    this.#files = new MetFiles();
    this.#facets = [];
    this.#parsedFacets = [];
    for (const { segment, keptAs } of kept) this.#append(segment, keptAs);
    return true;
  }
}
