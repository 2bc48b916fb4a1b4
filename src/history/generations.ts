// Generations: how far a commit is from its roots. They order a history by what leads to what, which no clock can.
//
//     root 1 ◄── 2 ◄── 3 ◄───── 5        1 + the largest of the parents'; a commit is of a later generation than all that lead to it
//                └──── 3 ◄── 4 ◄┘

import { orElse } from '../base/errors.ts';
import { oncePer } from '../base/once-per.ts';
import { CacheFile, type CachePlace } from '../store/cache-file.ts';
import type { CommitLinks } from '../store/git/commit-graph.ts';
import type { ObjectReader } from '../store/git/object-overlay.ts';
import { findOid } from '../store/git/sorted-oids.ts';

/** What a walk over ancestors needs of a store of objects; see {@link generationsOf}. */
export interface Commits extends Pick<ObjectReader, 'readCommit' | 'below'> {
  /** Where a store on disk keeps what was found out about its objects; none where a shallow clone cuts histories off. */
  readonly factsPlace?: CachePlace | null;
  linksOf?(oid: string): Links;
}

const fileName = 'generations';
const fileVersion = 1;
/** So many that are not in the file are worth a write; fewer are found out again as fast as they are read. */
const saveFrom = 256;
/** With so many frames in the file, they become one. */
const maxFrames = 32;

/**
 * Gives the generations of what a store of objects holds.
 *
 * A repository keeps them in git-memory/cache/generations. What lies on top of one asks it and keeps its own in memory. Such are objects
 * that exist only there, and a fetched pack that is not let in. So nothing of what is refused stays.
 */
export const generationsOf: (objects: Commits) => Generations = oncePer((objects) => new Generations(objects));

/** Answers generations, each found out once: from the file, from native git's commit graph, or by walking what is not known yet. */
class Generations {
  private readonly objects: Commits;
  private readonly below: Generations | null;
  private readonly file: CacheFile | null;
  private frames: Frame[] | null = null;
  private readonly found = new Map<string, number>();
  /** Those of `found` that are not in the file. */
  private unsaved: [oid: string, generation: number][] = [];
  /** Of commits behind which something cannot be read: they hold for one question, since somebody may bring it back. */
  private readonly passing = new Map<string, number>();

  constructor(objects: Commits) {
    this.objects = objects;
    this.below = objects.below ? generationsOf(objects.below) : null;
    const place = this.below === null ? objects.factsPlace : null;
    this.file = place ? new CacheFile(place, fileName, fileVersion) : null;
  }

  /** To be called when a question begins. */
  begin(): this {
    this.passing.clear();
    return this;
  }

  /** Gives the generation of a commit, from 1. Without what it cannot read, for a damaged commit costs no answer about others. */
  of(oid: string): number {
    const answer = this.knownOf(oid);
    if (answer !== undefined) return answer;
    const open: Visit[] = [{ oid }];
    for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
      if (this.knownOf(visit.oid) !== undefined) open.pop();
      else for (const parent of this.findOut(visit)) open.push({ oid: parent });
    }
    if (this.unsaved.length >= saveFrom) this.save();
    return this.knownOf(oid)!;
  }

  /** Gives what is known without reading a commit. */
  private knownOf(oid: string): number | undefined {
    return this.found.get(oid) ?? this.passing.get(oid) ?? this.below?.keptOf(oid) ?? this.keptOf(oid);
  }

  private keptOf(oid: string): number | undefined {
    const own = this.found.get(oid);
    if (own !== undefined || this.file === null) return own;
    this.frames ??= framesOf(this.file.read());
    const wanted = Buffer.from(oid, 'hex');
    for (const { count, oids, generations } of this.frames) {
      const row = findOid(oids, 0, 0, count, wanted);
      if (row >= 0) return generations.readUInt32LE(row * 4);
    }
    return undefined;
  }

  /** Finds out one generation, or gives the parents whose generations are needed first. */
  private findOut(visit: Visit): readonly string[] {
    const { oid } = visit;
    // Read once, although it is come by twice: a long line of history is more than what caches hold.
    visit.links ??= this.linksOf(oid) ?? 'unreadable';
    const links = visit.links === 'unreadable' ? null : visit.links;
    if (links?.generation !== undefined) {
      this.keep(oid, links.generation);
      return [];
    }
    let generation = 1;
    let isPassing = links === null;
    const unknown: string[] = [];
    for (const parent of links?.parents ?? []) {
      const before = this.knownOf(parent);
      if (before === undefined) unknown.push(parent);
      else generation = Math.max(generation, before + 1);
      isPassing ||= this.passing.has(parent);
    }
    if (unknown.length > 0) return unknown;
    if (isPassing) this.passing.set(oid, generation);
    else this.keep(oid, generation);
    return [];
  }

  private keep(oid: string, generation: number): void {
    this.found.set(oid, generation);
    if (this.file !== null) this.unsaved.push([oid, generation]);
  }

  private linksOf(oid: string): Links | null {
    return orElse(() => this.objects.linksOf?.(oid) ?? this.objects.readCommit(oid), null);
  }

  /** A file system that refuses costs time only. */
  private save(): void {
    const file = this.file!;
    const news = formatFrame(this.unsaved);
    this.unsaved = [];
    if ((this.frames?.length ?? 0) < maxFrames) {
      file.append(news);
      this.frames?.push(...framesOf([news]));
      return;
    }
    // Read again, for others may have appended.
    const all = new Map<string, number>();
    for (const { count, oids, generations } of framesOf([...file.read(), news])) {
      for (let row = 0; row < count; row++)
        all.set(oids.toString('hex', row * 20, row * 20 + 20), generations.readUInt32LE(row * 4));
    }
    const joined = formatFrame([...all]);
    file.replace([joined]);
    this.frames = framesOf([joined]);
  }
}

type Links = Pick<CommitLinks, 'parents' | 'generation'>;

/** A commit on the way down to what is known. */
interface Visit {
  readonly oid: string;
  links?: Links | 'unreadable';
}

/** Commits in order of their ids: count u32 LE | ids 20n | generations n × u32 LE. */
interface Frame {
  readonly count: number;
  readonly oids: Buffer;
  readonly generations: Buffer;
}

function formatFrame(rows: readonly (readonly [oid: string, generation: number])[]): Buffer {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = Buffer.alloc(4 + sorted.length * 24);
  bytes.writeUInt32LE(sorted.length);
  for (const [row, [oid, generation]] of sorted.entries()) {
    bytes.write(oid, 4 + row * 20, 'hex');
    bytes.writeUInt32LE(generation, 4 + sorted.length * 20 + row * 4);
  }
  return bytes;
}

function framesOf(payloads: readonly Buffer[]): Frame[] {
  return payloads.flatMap((bytes) => {
    const count = bytes.length < 4 ? -1 : bytes.readUInt32LE(0);
    if (bytes.length !== 4 + count * 24) return [];
    return [{ count, oids: bytes.subarray(4, 4 + count * 20), generations: bytes.subarray(4 + count * 20) }];
  });
}
