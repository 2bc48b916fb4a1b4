// Vectors by (hash of the text, fingerprint of the embedder): a text is embedded once, ever. Derived: any of these files can be
// deleted at any moment, and what is damaged is embedded again. embed-texts.ts computes them.
//
//   <own directory>/cache/vectors-1/<first 16 hex digits of the fingerprint's SHA-256>/<16 hex digits>.segment
//
// Every save adds a segment under a name of its own, so processes do not disturb each other; many small ones are joined.

import { sha256Hex } from '../../base/hash.ts';
import type { Embedder, Logger } from '../../base/ports.ts';
import type { Disk } from '../../store/git/disk.ts';
import { privateMode } from '../../store/git/permissions.ts';
import { keepNewestFolders, messageOf, removeFolder, sweepTemporary } from '../cache-folders.ts';
import { KeyIndex, keyOf, keyWords } from './key-index.ts';
import { bytesOf, formatSegment, joinSegments, parseSegment, type Segment } from './segment.ts';
import { VectorTable } from './vector-table.ts';

/** Where vectors are kept. */
export interface VectorCachePlace {
  readonly disk: Disk;
  /** The folder that holds the folders of all embedders; `null` keeps vectors in memory only. */
  readonly directory: string | null;
  /** Hears of files that are damaged or cannot be read or written; none of that is an error. */
  readonly logger: Logger;
  /** The embedder is what a person chose for this memory: the vectors of the one that was chosen before are of no more use. */
  readonly isChosen?: boolean;
}

/** So many segments are read without joining them. */
const maxSegments = 8;
/** A segment becomes about so large at most: files above a few times that are not read. */
const maxSegmentBytes = 2 ** 26;
const suffix = '.segment';
/** The vectors of so many other embedders stay that programs brought along: one runs beside another, and they may have taken hours. */
const otherEmbedders = 3;

/** A file in the folder of an embedder that was chosen. */
const chosen = 'chosen';

/** Removes the vectors of all embedders that were chosen for a memory, but for those in the folder `own`. */
export function forgetReplaced({ disk, directory }: VectorCachePlace, own?: string): void {
  if (directory === null) return;
  const parent = `${directory}/vectors-1`;
  for (const folder of disk.list(parent).map((name) => `${parent}/${name}`)) {
    if (folder !== own && disk.stat(`${folder}/${chosen}`) !== null) removeFolder(disk, folder);
  }
}

/** Holds the vectors of one embedder, and their texts by hash; rows of `table` are numbered in the order they came. */
export class VectorCache {
  readonly table: VectorTable;
  /** By row: the first words of the hash of its text. */
  readonly keys = new KeyIndex();
  readonly #fingerprint: string;
  readonly #place: VectorCachePlace;
  readonly #directory: string | null;
  readonly #known = new Set<string>();
  #unsaved: number[] = [];

  /** Reads what is kept. */
  constructor(embedder: Pick<Embedder, 'fingerprint' | 'dimensions'>, place: VectorCachePlace) {
    this.table = new VectorTable(embedder.dimensions);
    this.#fingerprint = embedder.fingerprint;
    this.#place = place;
    const { directory } = place;
    this.#directory = directory === null ? null : `${directory}/vectors-1/${sha256Hex(this.#fingerprint).slice(0, 16)}`;
    this.refresh();
  }

  /** The number of texts whose vectors are known. */
  get size(): number {
    return this.table.size;
  }

  /** Gives the row of a text by its SHA-256 in hexadecimal; undefined when it has not been embedded. */
  rowOf(hash: string): number | undefined {
    return this.keys.find(keyOf(hash));
  }

  /**
   * Adds the vector of a text and gives its row; one that is there stays as it is.
   *
   * With `isPrivate` it stays in memory: a vector tells much of its text.
   */
  add(hash: string, vector: Float32Array, isPrivate = false): number {
    const key = keyOf(hash);
    const known = this.keys.find(key);
    if (known !== undefined) return known;
    const row = this.table.add(vector);
    this.keys.add(key);
    if (!isPrivate && this.#directory !== null) this.#unsaved.push(row);
    return row;
  }

  /** Takes in what other processes have saved since. */
  refresh(): void {
    if (this.#directory === null) return;
    let isGone = true;
    // A segment that vanishes between listing and reading is part of a joined one, which another listing shows.
    for (let attempt = 0; isGone && attempt < 3; attempt++) {
      isGone = false;
      const taken: Segment[] = [];
      for (const name of this.#names()) {
        if (this.#known.has(name)) continue;
        const segment = this.#read(name);
        if (segment === null) isGone = true;
        else if (segment !== undefined) taken.push(segment);
        this.#known.add(name);
      }
      if (taken.length > 0) this.#take(taken);
    }
  }

  /** Writes what is not kept yet, where it is so many vectors. A disk that refuses is reported, and they wait for the next call. */
  save(least = 1): void {
    if (this.#unsaved.length < least || this.#directory === null) return;
    try {
      this.#place.disk.makeDirectory(this.#directory, privateMode);
      const rows = Math.ceil(maxSegmentBytes / bytesOf(1, this.table.dimensions));
      for (let from = 0; from < this.#unsaved.length; from += rows) {
        this.#known.add(this.#write(this.#segmentOf(this.#unsaved.slice(from, from + rows))));
      }
      this.#unsaved = [];
      this.#join();
      if (this.#place.isChosen === true) this.#place.disk.replace(`${this.#directory}/${chosen}`, [], { sync: false });
      if (this.#place.isChosen === true) forgetReplaced(this.#place, this.#directory);
      keepNewestFolders(this.#place.disk, `${this.#place.directory}/vectors-1`, this.#directory, otherEmbedders);
    } catch (error) {
      this.#place.logger.warn(`vectors are not kept: ${messageOf(error)}`);
    }
  }

  #names(): string[] {
    try {
      return this.#place.disk.list(this.#directory!).filter((name) => name.endsWith(suffix));
    } catch (error) {
      this.#place.logger.warn(`kept vectors cannot be listed: ${messageOf(error)}`);
      return [];
    }
  }

  /** Reads a segment; null when it is not there, undefined when it is no good. */
  #read(name: string): Segment | null | undefined {
    const path = `${this.#directory}/${name}`;
    const { disk, logger } = this.#place;
    try {
      const file = disk.read(path);
      if (file === null) return null;
      const segment = parseSegment(file, this.#fingerprint, this.table.dimensions);
      if (segment !== undefined) return segment;
      logger.warn(`${path} is damaged; its texts are embedded again`);
      disk.removeQuietly(path);
    } catch (error) {
      logger.warn(`${path} cannot be read: ${messageOf(error)}`);
    }
    return undefined;
  }

  #take(segments: readonly Segment[]): void {
    const { dimensions } = this.table;
    // A fresh process meets nothing that it knows.
    const areNew = this.keys.addAll(segments.map(({ keys }) => keys));
    for (const { keys, scales, integers } of segments) {
      if (areNew) this.table.addQuantised(integers, scales);
      // Neighbours that are all new are copied at once.
      for (let from = 0; from < scales.length && !areNew; ) {
        let to = from;
        while (to < scales.length && this.keys.add(keys, to * keyWords)) to += 1;
        this.table.addQuantised(integers.subarray(from * dimensions, to * dimensions), scales.subarray(from, to));
        from = to + 1;
      }
    }
  }

  #segmentOf(rows: readonly number[]): Segment {
    const { dimensions } = this.table;
    const segment: Segment = {
      keys: new Uint32Array(rows.length * keyWords),
      scales: new Float32Array(rows.length),
      integers: new Int8Array(rows.length * dimensions),
    };
    for (const [index, row] of rows.entries()) {
      segment.keys.set(this.keys.keyAt(row), index * keyWords);
      segment.scales[index] = this.table.scaleOf(row);
      segment.integers.set(this.table.integersOf(row), index * dimensions);
    }
    return segment;
  }

  #write(segment: Segment): string {
    const { disk } = this.#place;
    const file = formatSegment(segment, this.#fingerprint);
    const name = `${sha256Hex(file).slice(0, 16)}${suffix}`;
    // Not synced: a power cut costs some vectors at most, which the checksum finds out.
    disk.replace(`${this.#directory}/${name}`, [file], { beside: `${this.#directory}/tmp-`, sync: false });
    return name;
  }

  /** Joins the smallest segments so that each is at least as large as all smaller ones together, as git's geometric repack does. */
  #join(): void {
    const { disk } = this.#place;
    const sized = this.#names()
      .map((name) => ({ name, size: disk.stat(`${this.#directory}/${name}`)?.size ?? 0 }))
      .filter(({ size }) => size < maxSegmentBytes / 2)
      .sort((one, other) => one.size - other.size);
    if (sized.length <= maxSegments) return;
    let smaller = sized[0]!.size;
    let count = 2;
    for (const [at, { size }] of sized.entries()) {
      if (at === 0) continue;
      if (smaller + size > maxSegmentBytes) break;
      if (size < smaller) count = at + 1;
      smaller += size;
    }
    const joined = sized.slice(0, count).flatMap(({ name }) => {
      const segment = this.#read(name);
      return segment ? [{ name, segment }] : [];
    });
    const segments = joined.map(({ segment }) => segment);
    const name = this.#write(joinSegments(segments, this.table.dimensions));
    this.#known.add(name);
    for (const old of joined) if (old.name !== name) disk.remove(`${this.#directory}/${old.name}`);
    sweepTemporary(disk, this.#directory!, name);
  }
}
