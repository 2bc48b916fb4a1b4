// git's index ("staging area"): read whole, some entries replaced, written back through index.lock.
// The engine keeps it in step for people and native git; it is never asked what the state is.
// Format: https://git-scm.com/docs/index-format

import { createHash } from 'node:crypto';
import { compareRanges } from '../../base/compare-ranges.ts';
import { MemoryError } from '../../base/errors.ts';
import { type Disk, type FileStat, millisecondsOf, type QuickStat } from './disk.ts';
import { compareNames } from './tree.ts';

const headerBytes = 12;
const fixedBytes = 62;
/** Of the flags of an entry: its stage in a merge, and that more flags follow. */
const stageAndExtended = 0x7000;

/** One entry of the index, stage 0. */
export interface IndexEntry {
  readonly path: string;
  readonly oid: string;
  readonly mode: number;
  /** Not checked out on purpose (`git sparse-checkout`): its absence says nothing. */
  readonly isSkipped: boolean;
  /** Which entry of its index it is. */
  readonly position: number;
}

/** The stages of a path that is not merged. */
export interface Unmerged {
  readonly base: IndexEntry | null;
  readonly ours: IndexEntry | null;
  readonly theirs: IndexEntry | null;
}

/** What an entry becomes: a blob with the stat of its file (`null` stat makes git look at the file), or nothing. */
export type IndexChange = {
  readonly oid: string;
  readonly isExecutable: boolean;
  readonly stat: FileStat | null;
  /** For what is no file: a link (`0o120000`) or a submodule (`0o160000`). */
  readonly mode?: number;
} | null;

/**
 * Is an index in memory: its bytes and where each entry starts.
 *
 * Entries are kept as bytes, so what the engine does not touch (staged work, flags, file times) is written back as read.
 */
export class IndexFile {
  private readonly bytes: Buffer;
  private readonly starts: Uint32Array;
  private readonly version: number;
  /**
   * The tree of all entries, where it is noted beside them. Native git notes it at a commit or checkout, and forgets it with each change.
   */
  readonly tree: string | null;

  private constructor(bytes: Buffer, starts: Uint32Array, version: number, tree: string | null = null) {
    this.bytes = bytes;
    this.starts = starts;
    this.version = version;
    this.tree = tree;
  }

  static readonly empty = new IndexFile(Buffer.alloc(headerBytes), new Uint32Array([headerBytes]), 2);

  /** Parses the bytes of an index; throws INDEX_UNSUPPORTED for version 4, split and sparse ones, REPOSITORY_CORRUPT. */
  static parse(bytes: Buffer, where: string): IndexFile {
    const unsupported = (what: string, hint: string) => new MemoryError('INDEX_UNSUPPORTED', what, { where, hint });
    const damaged = () =>
      new MemoryError('REPOSITORY_CORRUPT', 'the git index is damaged', {
        where,
        hint: 'The next write, or `git memory doctor --fix`, puts it aside and makes a new one from the last commit',
      });
    if (bytes.length < headerBytes + 20 || bytes.toString('latin1', 0, 4) !== 'DIRC') throw damaged();
    const version = bytes.readUInt32BE(4);
    if (version === 4)
      throw unsupported('git index version 4 is not supported', 'Run `git update-index --index-version 2`');
    if (version !== 2 && version !== 3) throw damaged();
    const checksum = bytes.subarray(-20);
    // All zero stands for "not computed" (index.skipHash).
    if (checksum.some((byte) => byte !== 0)) {
      if (!createHash('sha1').update(bytes.subarray(0, -20)).digest().equals(checksum)) throw damaged();
    }
    const count = bytes.readUInt32BE(8);
    if (count > bytes.length / fixedBytes) throw damaged();
    const starts = new Uint32Array(count + 1);
    let position = headerBytes;
    for (let i = 0; i < count; i++) {
      if (position + fixedBytes > bytes.length - 20) throw damaged();
      starts[i] = position;
      const flags = bytes.readUInt16BE(position + 60);
      const nameStart = position + fixedBytes + (flags & 0x4000 ? 2 : 0);
      const length = flags & 0xfff;
      const nameEnd = length < 0xfff ? nameStart + length : bytes.indexOf(0, nameStart);
      if (nameEnd < nameStart || nameEnd >= bytes.length - 20 || bytes[nameEnd] !== 0) throw damaged();
      position += Math.ceil((nameEnd - position + 1) / 8) * 8;
    }
    starts[count] = position;
    if (position > bytes.length - 20) throw damaged();
    let tree: string | null = null;
    for (let at = position; at + 8 <= bytes.length - 20; ) {
      const signature = bytes.toString('latin1', at, at + 4);
      if (signature === 'link')
        throw unsupported('split indexes are not supported', 'Run `git update-index --no-split-index`');
      if (signature === 'sdir')
        throw unsupported('sparse indexes are not supported', 'Run `git sparse-checkout reapply --no-sparse-index`');
      if (signature === 'TREE') tree = rootOf(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at + 4)));
      at += 8 + bytes.readUInt32BE(at + 4);
    }
    return new IndexFile(bytes, starts, version, tree);
  }

  get count(): number {
    return this.starts.length - 1;
  }

  private nameRange(position: number): { start: number; end: number } {
    const entry = this.starts[position]!;
    const flags = this.bytes.readUInt16BE(entry + 60);
    const start = entry + fixedBytes + (flags & 0x4000 ? 2 : 0);
    const length = flags & 0xfff;
    return { start, end: length < 0xfff ? start + length : this.bytes.indexOf(0, start) };
  }

  private pathAt(position: number): string {
    const { start, end } = this.nameRange(position);
    return this.bytes.toString('utf8', start, end);
  }

  /** Finds where a path stands, or would stand. */
  private lowerBound(path: Buffer): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { start, end } = this.nameRange(middle);
      if (compareRanges(this.bytes, start, end, path, 0, path.length) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Gives the range of positions that hold a path: none, one, or up to three stages of a merge. */
  private rangeOf(path: string): { from: number; to: number } {
    const wanted = Buffer.from(path);
    const from = this.lowerBound(wanted);
    let to = from;
    while (to < this.count && this.pathAt(to) === path) to += 1;
    return { from, to };
  }

  /** Looks a path up; `unmerged` when a merge has left it in stages. */
  find(path: string): IndexEntry | 'unmerged' | null {
    const { from, to } = this.rangeOf(path);
    if (from === to) return null;
    if (to - from > 1 || ((this.bytes.readUInt16BE(this.starts[from]! + 60) >> 12) & 3) !== 0) return 'unmerged';
    return this.entryAt(from);
  }

  private entryAt(position: number): IndexEntry {
    const start = this.starts[position]!;
    const isExtended = (this.bytes.readUInt16BE(start + 60) & 0x4000) !== 0;
    return {
      path: this.pathAt(position),
      isSkipped: isExtended && (this.bytes.readUInt16BE(start + 62) & 0x4000) !== 0,
      oid: this.bytes.toString('hex', start + 40, start + 60),
      mode: this.bytes.readUInt32BE(start + 24),
      position,
    };
  }

  /** Lists all entries of stage 0, or those whose path begins with a prefix. */
  *entries(prefix = ''): Generator<IndexEntry> {
    const wanted = Buffer.from(prefix);
    for (let i = this.lowerBound(wanted); i < this.count; i++) {
      const { start } = this.nameRange(i);
      if (!wanted.equals(this.bytes.subarray(start, start + wanted.length))) return;
      if (((this.bytes.readUInt16BE(this.starts[i]! + 60) >> 12) & 3) === 0) yield this.entryAt(i);
    }
  }

  /** Whether a merge has left any path in stages. */
  get hasUnmerged(): boolean {
    for (let i = 0; i < this.count; i++) {
      if (((this.bytes.readUInt16BE(this.starts[i]! + 60) >> 12) & 3) !== 0) return true;
    }
    return false;
  }

  /** Lists what an unfinished merge has left: for each path the entries of base (1), ours (2) and theirs (3), as far as there are. */
  unmerged(): Map<string, Unmerged> {
    const paths = new Map<string, { base: IndexEntry | null; ours: IndexEntry | null; theirs: IndexEntry | null }>();
    for (let i = 0; i < this.count; i++) {
      const stage = (this.bytes.readUInt16BE(this.starts[i]! + 60) >> 12) & 3;
      if (stage === 0) continue;
      const entry = this.entryAt(i);
      const stages = paths.get(entry.path) ?? { base: null, ours: null, theirs: null };
      stages[stage === 1 ? 'base' : stage === 2 ? 'ours' : 'theirs'] = entry;
      paths.set(entry.path, stages);
    }
    return paths;
  }

  /** Tells whether a file still has the stat that the entry noted, so that its content need not be read. */
  isUnchanged(position: number, stat: FileStat, indexMtimeNs: bigint): boolean {
    const start = this.starts[position]!;
    const billion = 1_000_000_000n;
    return (
      // The times of a file that changed in the same instant as the index was written cannot show that ("racily clean").
      stat.mtimeNs < indexMtimeNs &&
      stat.size % 2 ** 32 === this.bytes.readUInt32BE(start + 36) &&
      Number((stat.mtimeNs / billion) & 0xffffffffn) === this.bytes.readUInt32BE(start + 8) &&
      Number(stat.mtimeNs % billion) === this.bytes.readUInt32BE(start + 12) &&
      Number(stat.ino & 0xffffffffn) === this.bytes.readUInt32BE(start + 20)
    );
  }

  /**
   * Gives where a path stands; -1 where it does not as a plain file that git looks at. `hint` is where it is looked for first: who goes
   * through files in order gives the place behind the last one.
   */
  positionOf(path: string, hint: number): number {
    const isAt = (position: number) => position < this.count && this.pathAt(position) === path;
    let position = hint;
    if (!isAt(position)) {
      position = this.lowerBound(Buffer.from(path));
      if (!isAt(position)) return -1;
    }
    const flags = this.bytes.readUInt16BE(this.starts[position]! + 60);
    return (flags & stageAndExtended) === 0 ? position : -1;
  }

  oidAt(position: number): string {
    const start = this.starts[position]!;
    return this.bytes.toString('hex', start + 40, start + 60);
  }

  /** Tells the same as {@link isUnchanged} of a quick look. */
  isUntouched(position: number, stat: QuickStat, indexMtimeMs: number): boolean {
    const start = this.starts[position]!;
    return (
      stat.mtimeMs < indexMtimeMs &&
      stat.size % 2 ** 32 === this.bytes.readUInt32BE(start + 36) &&
      stat.ino === this.bytes.readUInt32BE(start + 20) &&
      stat.mtimeMs === millisecondsOf(this.bytes.readUInt32BE(start + 8), this.bytes.readUInt32BE(start + 12))
    );
  }

  /** Gives a new index in which entries note the present stats of their files. These were read, and found to be as noted. */
  withStats(stats: Iterable<readonly [position: number, stat: FileStat]>): IndexFile {
    const bytes = Buffer.from(this.bytes);
    for (const [position, stat] of stats) writeStat(bytes.subarray(this.starts[position]!), stat);
    return new IndexFile(bytes, this.starts, this.version, this.tree);
  }

  /** Gives a new index in which some paths are replaced or removed; extensions are dropped, git recomputes them. */
  with(changes: ReadonlyMap<string, IndexChange>): IndexFile {
    const pieces: Buffer[] = [];
    const starts: number[] = [];
    let length = headerBytes;
    let next = 0;
    const keepUntil = (position: number) => {
      if (position <= next) return;
      const from = this.starts[next]!;
      const shift = length - from;
      for (let i = next; i < position; i++) starts.push(this.starts[i]! + shift);
      pieces.push(this.bytes.subarray(from, this.starts[position]!));
      length += this.starts[position]! - from;
      next = position;
    };
    for (const path of [...changes.keys()].sort(compareNames)) {
      const change = changes.get(path)!;
      const { from, to } = this.rangeOf(path);
      keepUntil(from);
      next = Math.max(next, to);
      if (change === null) continue;
      const entry = formatEntry(path, change);
      starts.push(length);
      pieces.push(entry);
      length += entry.length;
    }
    keepUntil(this.count);
    starts.push(length);
    const header = Buffer.alloc(headerBytes);
    header.write('DIRC', 'latin1');
    header.writeUInt32BE(this.version, 4);
    header.writeUInt32BE(starts.length - 1, 8);
    return new IndexFile(Buffer.concat([header, ...pieces], length), Uint32Array.from(starts), this.version);
  }

  /** Formats the index with its checksum. */
  format(): Buffer[] {
    const content = this.bytes.subarray(0, this.starts[this.count]!);
    if (this.count === 0) {
      content.write('DIRC', 'latin1');
      content.writeUInt32BE(this.version, 4);
    }
    return [content, createHash('sha1').update(content).digest()];
  }
}

/** Reads the empty path of the root, how many entries (-1 while that is not known) and subtrees its tree has, and its id. */
function rootOf(extension: Buffer): string | null {
  const head = /^\0[1-9]\d* \d+\n/.exec(extension.toString('latin1', 0, 40))?.[0];
  if (head === undefined || extension.length < head.length + 20) return null;
  return extension.toString('hex', head.length, head.length + 20);
}

function formatEntry(path: string, change: NonNullable<IndexChange>): Buffer {
  const name = Buffer.from(path);
  const entry = Buffer.alloc(Math.ceil((fixedBytes + name.length + 1) / 8) * 8);
  if (change.stat) writeStat(entry, change.stat);
  entry.writeUInt32BE(change.mode ?? (change.isExecutable ? 0o100755 : 0o100644), 24);
  entry.write(change.oid, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  name.copy(entry, fixedBytes);
  return entry;
}

function writeStat(entry: Buffer, stat: FileStat): void {
  const billion = 1_000_000_000n;
  const low = (value: bigint) => Number(value & 0xffffffffn);
  entry.writeUInt32BE(low(stat.ctimeNs / billion), 0);
  entry.writeUInt32BE(Number(stat.ctimeNs % billion), 4);
  entry.writeUInt32BE(low(stat.mtimeNs / billion), 8);
  entry.writeUInt32BE(Number(stat.mtimeNs % billion), 12);
  entry.writeUInt32BE(low(stat.dev), 16);
  entry.writeUInt32BE(low(stat.ino), 20);
  entry.writeUInt32BE(low(stat.uid), 28);
  entry.writeUInt32BE(low(stat.gid), 32);
  entry.writeUInt32BE(stat.size % 2 ** 32, 36);
}

/** Reads the index of a repository with the stat by which a later change is noticed; absent is empty. */
export function readIndex(disk: Disk, path: string): { index: IndexFile; stat: FileStat | null } {
  // Stat first: when the file is replaced in between, the next look sees another stat and reads again.
  const stat = disk.stat(path);
  const bytes = stat === null ? null : disk.read(path);
  return bytes === null ? { index: IndexFile.empty, stat: null } : { index: IndexFile.parse(bytes, path), stat };
}

export function isSameFile(a: FileStat | null, b: FileStat | null): boolean {
  if (a === null || b === null) return a === b;
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
