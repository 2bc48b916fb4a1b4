// Parsed records between processes, so that a fresh one inflates and parses only what is new. Derived: the blobs hold the truth.
//
//   cache/memories, cache/relations     frames of [[blob id, record], …] as JSON

import { CacheFile, type CachePlace } from './cache-file.ts';

/** To be raised whenever the same file of a record parses to another value. */
export const recordsVersion = 1;
/** Fewer new records are read from their objects sooner than kept. */
const leastFresh = 16;
/** So many and more are left to their objects: a file of them would take longer to load than they are worth. */
const mostKept = 50_000;
const maxFrames = 16;

/** Keeps the parsed records of one folder, by the ids of their blobs. */
export class RecordCache<Value> {
  private readonly file: CacheFile;
  private readonly place: CachePlace;
  private frameCount = 0;
  /** The ids of what is kept. */
  private known: ReadonlySet<string> | null = null;

  constructor(place: CachePlace, name: 'memories' | 'relations') {
    this.place = place;
    this.file = new CacheFile(place, name, recordsVersion);
  }

  /** Gives what is kept, by blob id; nothing from the second call on. */
  load(): Map<string, Value> {
    const kept = new Map<string, Value>();
    if (this.known !== null) return kept;
    const frames = this.file.read();
    for (const frame of frames) {
      for (const [oid, record] of JSON.parse(frame.toString('utf8')) as [string, Value][]) kept.set(oid, record);
    }
    this.frameCount = frames.length;
    this.known = new Set(kept.keys());
    return kept;
  }

  /** Keeps the records of a state, once enough of them are new; those of other states leave when they are most of the file. */
  save(present: readonly { readonly oid: string; readonly record: Value }[]): void {
    const known = this.known ?? new Set(this.load().keys());
    const fresh = present.filter(({ oid }) => !known.has(oid));
    if (fresh.length < Math.max(leastFresh, present.length / 64) || present.length > mostKept) return;
    const isStale = known.size + fresh.length > 2 * present.length || this.frameCount >= maxFrames;
    const kept = isStale ? present : fresh;
    const frame = Buffer.from(JSON.stringify(kept.map(({ oid, record }) => [oid, record])));
    const isDone = isStale ? this.file.replace([frame]) : this.file.append(frame);
    // A disk that refuses is not asked again and again.
    this.known = new Set([...(isStale ? [] : known), ...present.map(({ oid }) => oid)]);
    if (isDone) this.frameCount = isStale ? 1 : this.frameCount + 1;
  }

  /** Removes what is kept: the words of private files are on no disk in the clear. */
  remove(): void {
    this.place.disk.removeQuietly(this.file.path);
    this.known = new Set();
    this.frameCount = maxFrames;
  }
}
