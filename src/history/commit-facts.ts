// The facts of one commit, and those of many as columns of bytes that can be asked without being parsed.

import { compareRanges } from '../base/compare-ranges.ts';
import { findOid } from '../store/git/sorted-oids.ts';
import { compareNames, type FileMode, type TreeDifference } from '../store/git/tree.ts';

/** What follows from a commit's id alone. */
export interface CommitFacts {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** Committer time, seconds since the Unix epoch. */
  readonly time: number;
  readonly author: string;
  readonly message: string;
  /** Files in which the tree differs from the first parent's, in git's order; from the empty tree for a root. */
  readonly changes: readonly TreeDifference[];
}

const endianMark = 0x0a0b0c0d;
const modes: readonly (FileMode | null)[] = [null, '100644', '100755', '120000', '160000'];

/**
 * Commits as columns, sorted by id. Asking one thing of all of them touches one array; asking all of one makes strings of it.
 *
 *     head      endian mark, commits n, outside parents, changes c, paths p              5 × u32
 *     u32       parent start n+1 | parents | change start n+1 | path of change c | path start p+1 | text start 2n+1
 *     f64 (copied)  time n
 *     bytes     ids 20n | outside ids | trees 20n | before 20c | after 20c | modes c | paths | texts (author, message)
 *
 * A parent is a position below n, or n plus a position among the outside ids. Paths are sorted by their bytes.
 */
export class CommitColumns {
  readonly count: number;
  readonly parentStart: Uint32Array;
  readonly parents: Uint32Array;
  readonly time: Float64Array;
  readonly changeStart: Uint32Array;
  readonly changePath: Uint32Array;
  readonly pathCount: number;
  private readonly pathStart: Uint32Array;
  private readonly textStart: Uint32Array;
  private readonly oids: Buffer;
  private readonly outside: Buffer;
  private readonly trees: Buffer;
  private readonly before: Buffer;
  private readonly after: Buffer;
  private readonly modes: Buffer;
  private readonly paths: Buffer;
  private readonly texts: Buffer;
  private readonly knownPaths: string[] = [];

  /** Throws a RangeError when the bytes are not what {@link formatColumns} made. */
  constructor(bytes: Buffer) {
    let position = 0;
    const take = (length: number): Buffer => {
      if (position + length > bytes.length) throw new RangeError('the columns are cut');
      position += length;
      return bytes.subarray(position - length, position);
    };
    const numbers = (length: number): Uint32Array => new Uint32Array(copyOf(take(length * 4)));
    const [mark, count, outsideCount, changeCount, pathCount] = numbers(5) as unknown as number[];
    if (mark !== endianMark) throw new RangeError('the columns are of another machine');
    this.count = count!;
    this.pathCount = pathCount!;
    this.parentStart = numbers(count! + 1);
    this.parents = numbers(this.parentStart[count!]!);
    this.changeStart = numbers(count! + 1);
    this.changePath = numbers(changeCount!);
    this.pathStart = numbers(pathCount! + 1);
    this.textStart = numbers(2 * count! + 1);
    this.time = new Float64Array(copyOf(take(count! * 8)));
    this.oids = take(count! * 20);
    this.outside = take(outsideCount! * 20);
    this.trees = take(count! * 20);
    this.before = take(changeCount! * 20);
    this.after = take(changeCount! * 20);
    this.modes = take(changeCount!);
    this.paths = take(this.pathStart[pathCount!]!);
    this.texts = take(this.textStart[2 * count!]!);
    if (position !== bytes.length) throw new RangeError('the columns are too long');
  }

  oidAt(position: number): string {
    return this.oids.toString('hex', position * 20, position * 20 + 20);
  }

  /** Gives the id of a parent that is not a position in here. */
  outsideOid(parent: number): string {
    const start = (parent - this.count) * 20;
    return this.outside.toString('hex', start, start + 20);
  }

  parentsAt(position: number): string[] {
    const found: string[] = [];
    for (let i = this.parentStart[position]!; i < this.parentStart[position + 1]!; i++) {
      const parent = this.parents[i]!;
      found.push(parent < this.count ? this.oidAt(parent) : this.outsideOid(parent));
    }
    return found;
  }

  /** Gives the position of a commit, or -1. */
  find(oid: string): number {
    return findOid(this.oids, 0, 0, this.count, Buffer.from(oid, 'hex'));
  }

  treeAt(position: number): string {
    return this.trees.toString('hex', position * 20, position * 20 + 20);
  }

  factsAt(position: number): CommitFacts {
    return {
      oid: this.oidAt(position),
      tree: this.treeAt(position),
      parents: this.parentsAt(position),
      time: this.time[position]!,
      author: this.authorAt(position),
      message: this.messageAt(position),
      changes: this.changesAt(position),
    };
  }

  messageAt(position: number): string {
    return this.textAt(2 * position + 1);
  }

  authorAt(position: number): string {
    return this.textAt(2 * position);
  }

  private textAt(number: number): string {
    return this.texts.toString('utf8', this.textStart[number]!, this.textStart[number + 1]!);
  }

  /** Gives the position of the commit that one of all changes belongs to. */
  commitOfChange(index: number): number {
    let low = 0;
    let high = this.count;
    // The last commit whose changes begin at or before it; those without changes begin where the next one does.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.changeStart[middle + 1]! <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  pathsAt(position: number): string[] {
    const found: string[] = [];
    for (let i = this.changeStart[position]!; i < this.changeStart[position + 1]!; i++)
      found.push(this.pathAt(this.changePath[i]!));
    return found;
  }

  changesAt(position: number): TreeDifference[] {
    const found: TreeDifference[] = [];
    for (let i = this.changeStart[position]!; i < this.changeStart[position + 1]!; i++) found.push(this.changeAt(i));
    return found;
  }

  /** Gives one change by its position among all. */
  changeAt(index: number): TreeDifference {
    const code = this.modes[index]!;
    const side = (oids: Buffer, mode: FileMode | null | undefined) =>
      mode == null ? null : { mode, oid: oids.toString('hex', index * 20, index * 20 + 20) };
    return {
      path: this.pathAt(this.changePath[index]!),
      before: side(this.before, modes[code & 15]),
      after: side(this.after, modes[code >>> 4]),
    };
  }

  pathAt(number: number): string {
    this.knownPaths[number] ??= this.paths.toString('utf8', this.pathStart[number]!, this.pathStart[number + 1]!);
    return this.knownPaths[number]!;
  }

  /** Gives the numbers of paths, as `[from, to)`, that begin with some bytes. */
  pathsWith(prefix: string): [number, number] {
    const wanted = Buffer.from(prefix);
    const bound = (isUpper: boolean): number => {
      let low = 0;
      let high = this.pathCount;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const start = this.pathStart[middle]!;
        const end = Math.min(this.pathStart[middle + 1]!, start + wanted.length);
        const order = compareRanges(this.paths, start, end, wanted, 0, wanted.length);
        if (order < 0 || (isUpper && order === 0)) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    return [bound(false), bound(true)];
  }

  /** Gives the number of a path, or -1. */
  pathNumber(path: string): number {
    const [from, to] = this.pathsWith(path);
    return from < to && this.pathAt(from) === path ? from : -1;
  }
}

/** Numbers in a buffer of their own, for a subarray need not begin where numbers may. */
function copyOf(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}

/** Formats commits, in any order and each once, as {@link CommitColumns} reads them. */
export function formatColumns(commits: readonly CommitFacts[]): Buffer {
  const sorted = [...commits].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const count = sorted.length;
  const positions = new Map(sorted.map((facts, position) => [facts.oid, position]));
  const outside = new Map<string, number>();
  const pathNumbers = new Map<string, number>();
  const [parentStart, changeStart, textStart] = [[0], [0], [0]];
  const parents: number[] = [];
  const texts: string[] = [];
  for (const facts of sorted) {
    for (const oid of facts.parents) {
      const position = positions.get(oid) ?? outside.get(oid) ?? count + outside.size;
      if (position === count + outside.size) outside.set(oid, position);
      parents.push(position);
    }
    parentStart.push(parents.length);
    for (const { path } of facts.changes) if (!pathNumbers.has(path)) pathNumbers.set(path, 0);
    changeStart.push(changeStart.at(-1)! + facts.changes.length);
    for (const text of [facts.author, facts.message]) {
      texts.push(text);
      textStart.push(textStart.at(-1)! + Buffer.byteLength(text));
    }
  }
  const changeCount = changeStart.at(-1)!;
  const paths = [...pathNumbers.keys()].sort(compareNames);
  const pathStart = [0];
  for (const [number, path] of paths.entries()) {
    pathNumbers.set(path, number);
    pathStart.push(pathStart.at(-1)! + Buffer.byteLength(path));
  }
  const changePath: number[] = [];
  const sides = Buffer.alloc(changeCount * 40);
  const modeCodes = Buffer.alloc(changeCount);
  for (const facts of sorted) {
    for (const { path, before, after } of facts.changes) {
      const index = changePath.push(pathNumbers.get(path)!) - 1;
      if (before) sides.write(before.oid, index * 20, 'hex');
      if (after) sides.write(after.oid, (changeCount + index) * 20, 'hex');
      modeCodes[index] = modeCode(before?.mode) | (modeCode(after?.mode) << 4);
    }
  }
  const bytesOf = (numbers: Iterable<number>) => Buffer.from(Uint32Array.from(numbers).buffer);
  return Buffer.concat([
    bytesOf([endianMark, count, outside.size, changeCount, paths.length]),
    bytesOf(parentStart),
    bytesOf(parents),
    bytesOf(changeStart),
    bytesOf(changePath),
    bytesOf(pathStart),
    bytesOf(textStart),
    Buffer.from(Float64Array.from(sorted, (facts) => facts.time).buffer),
    Buffer.from(sorted.map((facts) => facts.oid).join(''), 'hex'),
    Buffer.from([...outside.keys()].join(''), 'hex'),
    Buffer.from(sorted.map((facts) => facts.tree).join(''), 'hex'),
    sides,
    modeCodes,
    Buffer.from(paths.join('')),
    Buffer.from(texts.join('')),
  ]);
}

const modeCode = (mode: FileMode | undefined): number => (mode === undefined ? 0 : modes.indexOf(mode));
