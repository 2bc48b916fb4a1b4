// The text filters of commits, made once for each and kept beside the catalogue. git-memory/cache/text has one for each commit. Where a
// commit changed many files, cache/text-files has one for each of these.

import { oncePer } from '../base/once-per.ts';
import { CacheFile } from '../store/cache-file.ts';
import type { Repository } from '../store/git/repository.ts';
import { fileShape, mayHold } from './text-filter.ts';

/** To be raised whenever what a filter holds changes. */
const textFilterVersion = 2;
const fileFilterVersion = 1;
/** More frames than that in the file, and they become one. */
const maxFrames = 32;
/** So many new filters are kept even in the middle of a long question. */
const saveEvery = 5_000;

/** The filters of an open repository. */
export interface KnownFilters {
  readonly ofCommits: TextFilters;
  readonly ofFiles: TextFilters;
}

export const textFiltersOf = oncePer(
  (repository: Repository): KnownFilters => ({
    ofCommits: new TextFilters(new CacheFile(repository, 'text', textFilterVersion)),
    ofFiles: new TextFilters(new CacheFile(repository, 'text-files', fileFilterVersion)),
  }),
);

/**
 * The filters of the files that one commit changed, in the catalogue's order.
 *
 *     count n u32 | end of each filter n × u32 | filters
 */
export class FileFilters {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly count: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.count = bytes.length < 4 ? 0 : this.view.getUint32(0, true);
  }

  /** Tells whether text that holds all these runs, of four bytes each, may have come or gone in the file at a place. */
  mayHold(place: number, runs: readonly number[]): boolean {
    if (place >= this.count) return true;
    const start = place === 0 ? 4 + 4 * this.count : this.view.getUint32(4 * place, true);
    return mayHold(this.bytes, start, this.view.getUint32(4 + 4 * place, true), runs, fileShape);
  }
}

/** Formats what {@link FileFilters} reads. */
export function formatFileFilters(filters: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([endsOf(filters, 4 + filters.length * 4), ...filters]);
}

/** How many filters there are, and where each of them ends; the first begins at `start`. */
function endsOf(filters: readonly Uint8Array[], start: number): Buffer {
  const ends = Buffer.alloc(4 + filters.length * 4);
  ends.writeUInt32LE(filters.length);
  let end = start;
  for (const [index, filter] of filters.entries()) {
    end += filter.length;
    ends.writeUInt32LE(end, 4 + index * 4);
  }
  return ends;
}

/**
 * Keeps what was made for each commit that was ever asked about; it follows from the commit's id alone.
 *
 *     frame     count n u32 | end of each filter n × u32 | ids 20n | filters
 */
class TextFilters {
  private readonly file: CacheFile;
  /** Commit → place in the three lists: ten thousand views of one buffer would take longer to make than to ask. */
  private readonly places = new Map<string, number>();
  private readonly payloads: Uint8Array[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private fresh: string[] = [];
  private frameCount = 0;
  private isLoaded = false;

  constructor(file: CacheFile) {
    this.file = file;
  }

  has(commit: string): boolean {
    this.load();
    return this.places.has(commit);
  }

  /** Tells whether text that holds all these runs may have come or gone with a commit; true also where no filter was made. */
  mayHold(commit: string, runs: readonly number[]): boolean {
    this.load();
    const place = this.places.get(commit);
    return place === undefined || mayHold(this.payloads[place]!, this.starts[place]!, this.ends[place]!, runs);
  }

  bytesOf(commit: string): Uint8Array | undefined {
    this.load();
    const place = this.places.get(commit);
    return place === undefined ? undefined : this.payloads[place]!.subarray(this.starts[place]!, this.ends[place]!);
  }

  add(commit: string, filter: Uint8Array): void {
    this.set(commit, filter, 0, filter.length);
    this.fresh.push(commit);
    if (this.fresh.length >= saveEvery) this.save();
  }

  /** Keeps what was made for later processes; a file system that refuses costs time only. */
  save(): void {
    if (this.fresh.length === 0) return;
    if (this.frameCount < maxFrames) {
      this.file.append(this.format(this.fresh));
      this.frameCount += 1;
    } else {
      this.read();
      this.file.replace([this.format([...this.places.keys()])]);
      this.frameCount = 1;
    }
    this.fresh = [];
  }

  private load(): void {
    if (this.isLoaded) return;
    this.isLoaded = true;
    this.frameCount = this.read();
  }

  private read(): number {
    const payloads = this.file.read();
    for (const payload of payloads) {
      const count = payload.length < 4 ? 0 : payload.readUInt32LE(0);
      const idsAt = 4 + count * 4;
      let start = idsAt + count * 20;
      if (start > payload.length) continue;
      for (let index = 0; index < count; index++) {
        const end = payload.readUInt32LE(4 + index * 4);
        const oid = payload.toString('hex', idsAt + index * 20, idsAt + index * 20 + 20);
        this.set(oid, payload, start, end);
        start = end;
      }
    }
    return payloads.length;
  }

  private set(commit: string, payload: Uint8Array, start: number, end: number): void {
    this.places.set(commit, this.payloads.length);
    this.payloads.push(payload);
    this.starts.push(start);
    this.ends.push(end);
  }

  private format(commits: readonly string[]): Buffer {
    const filters = commits.map((commit) => this.bytesOf(commit)!);
    return Buffer.concat([endsOf(filters, 4 + commits.length * 24), Buffer.from(commits.join(''), 'hex'), ...filters]);
  }
}
