// A tree as its bytes: checked once, cut into entries, looked up and compared without making strings. History reads tens of thousands of
// trees; nearly all entries of each are those of the tree before.

import { compareRanges } from '../../base/compare-ranges.ts';
import { MemoryError } from '../../base/errors.ts';
import { isGitName } from '../guard/path.ts';

/** The modes git knows; the engine itself writes `100644` and `40000` only. */
export type FileMode = '100644' | '100755' | '120000' | '160000' | '40000';

/** One name in a tree. `rawName` is set only when the bytes are not UTF-8, so that they are written back as read. */
export interface TreeEntry {
  readonly mode: FileMode;
  readonly name: string;
  readonly oid: string;
  readonly rawName?: Buffer;
}

/**
 * The content of a tree object that was found whole.
 *
 *     entry     mode in octal | space | name | NUL | 20 bytes of object id
 */
export interface TreeBytes {
  readonly data: Buffer;
  /** Where each entry begins, and the length of all. */
  readonly starts: Uint32Array;
  /** All names are ASCII, and all modes are written as the engine writes them: entries may be taken over as bytes. */
  readonly isPlain: boolean;
}

export const noEntries: TreeBytes = { data: Buffer.alloc(0), starts: new Uint32Array(1), isPlain: true };

/** Reads the bytes of a tree object; may cache, since trees never change. */
export type TreeBytesReader = (oid: string) => TreeBytes;

const space = 0x20;
const slash = 0x2f;
const dot = 0x2e;
const idBytes = 20;
const knownModes: ReadonlySet<string> = new Set(['100644', '100755', '120000', '160000', '40000']);

/**
 * Cuts the content of a tree object into entries. Throws OBJECT_CORRUPT, also for names that lead out of it or into a git directory. Names
 * that occur twice and entries out of order are damage too. Git refuses to check such a tree out, and a path in it has no one answer.
 */
export function cutTree(data: Buffer, oid: string): TreeBytes {
  const damaged = (what: string) => new MemoryError('OBJECT_CORRUPT', `tree ${oid} ${what}`, { where: oid });
  const starts: number[] = [];
  let position = 0;
  let isPlain = true;
  let [previousName, previousEnd, isPreviousFolder] = [0, 0, false];
  while (position < data.length) {
    starts.push(position);
    const nameStart = data.indexOf(space, position) + 1;
    if (nameStart === 0) throw damaged('is damaged');
    const mode = modeOf(data, position, nameStart - 1);
    isPlain &&= mode !== null && isWrittenAs(data, position, nameStart - 1, mode);
    if (mode === null) {
      const written = data.toString('latin1', position, nameStart - 1).replace(/^0+/, '');
      throw damaged(`has an entry of unknown mode ${JSON.stringify(written.slice(0, 12))}`);
    }
    let end = nameStart;
    let hasSlash = false;
    for (let byte = data[end]; byte !== 0; byte = data[++end]) {
      if (byte === undefined) throw damaged('is damaged');
      if (byte === slash) hasSlash = true;
      if (byte >= 0x80) isPlain = false;
    }
    if (end + 1 + idBytes > data.length) throw damaged('is damaged');
    if (
      hasSlash ||
      end === nameStart ||
      (data[nameStart] === dot && isRefusedName(data.toString('utf8', nameStart, end)))
    ) {
      throw damaged(`has an entry named ${JSON.stringify(data.toString('utf8', nameStart, end).slice(0, 80))}`);
    }
    const isFolder = mode === '40000';
    if (starts.length > 1) {
      const order = compareKeys(data, previousName, previousEnd, isPreviousFolder, data, nameStart, end, isFolder);
      if (order >= 0) throw damaged('has entries twice or out of order');
      // A file and a folder of one name are not neighbours in git's order: `a`, `a.txt`, `a/`.
      if (isFolder && hasTwin(data, starts, nameStart, end)) throw damaged('has entries twice or out of order');
    }
    [previousName, previousEnd, isPreviousFolder] = [nameStart, end, isFolder];
    position = end + 1 + idBytes;
  }
  starts.push(data.length);
  return { data, starts: Uint32Array.from(starts), isPlain };
}

function isWrittenAs(data: Buffer, start: number, end: number, mode: string): boolean {
  if (end - start !== mode.length) return false;
  for (let place = 0; place < mode.length; place++) {
    if (data[start + place] !== mode.charCodeAt(place)) return false;
  }
  return true;
}

/** A run of entries, from `at` on, whose place others take. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  /** The bytes of one entry, or none. */
  readonly bytes: Buffer;
}

/** Gives a plain tree with some of its entries replaced by other plain ones; splices come in the order of their places. */
export function splicedTree(tree: TreeBytes, splices: readonly Splice[]): TreeBytes {
  const { data, starts } = tree;
  const count = entryCount(tree);
  const added = splices.filter(({ bytes }) => bytes.length > 0).length;
  const removed = splices.reduce((sum, splice) => sum + splice.removed, 0);
  const result = new Uint32Array(count + added - removed + 1);
  const parts: Buffer[] = [];
  let [from, filled, length] = [0, 0, 0];
  const keep = (to: number) => {
    const shift = length - starts[from]!;
    for (let index = from; index < to; index++) result[filled++] = starts[index]! + shift;
    parts.push(data.subarray(starts[from]!, starts[to]!));
    length += starts[to]! - starts[from]!;
  };
  for (const splice of splices) {
    keep(splice.at);
    from = splice.at + splice.removed;
    if (splice.bytes.length === 0) continue;
    result[filled++] = length;
    parts.push(splice.bytes);
    length += splice.bytes.length;
  }
  keep(count);
  result[filled] = length;
  // By itself: a piece of one of Node's blocks of 8 KiB would keep the block.
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) at += part.copy(bytes, at);
  return { data: bytes, starts: result, isPlain: true };
}

/** Counts the entries of a plain tree whose names are this one where case is ignored. */
export function countAlike(tree: TreeBytes, name: string): number {
  const wanted = Buffer.from(name, 'latin1');
  let found = 0;
  for (let index = 0; index < entryCount(tree); index++) {
    const start = nameStartAt(tree, index);
    if (nameEndAt(tree, index) - start !== wanted.length) continue;
    // From the end: neighbours begin alike.
    let place = wanted.length - 1;
    while (place >= 0 && lowered(tree.data[start + place]!) === lowered(wanted[place]!)) place -= 1;
    if (place < 0) found += 1;
  }
  return found;
}

const lowered = (byte: number) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

export const entryCount = (tree: TreeBytes): number => tree.starts.length - 1;

export function entryAt(tree: TreeBytes, index: number): TreeEntry {
  const { data } = tree;
  const [nameStart, end] = [nameStartAt(tree, index), nameEndAt(tree, index)];
  const mode = modeAt(tree, index);
  const name = data.toString('utf8', nameStart, end);
  const oid = oidAt(tree, index);
  return name.includes('\ufffd')
    ? { mode, name, oid, rawName: Buffer.from(data.subarray(nameStart, end)) }
    : { mode, name, oid };
}

export const modeAt = (tree: TreeBytes, index: number): FileMode =>
  modeOf(tree.data, tree.starts[index]!, nameStartAt(tree, index) - 1)!;

export function oidAt({ data, starts }: TreeBytes, index: number): string {
  const end = starts[index + 1]!;
  return data.toString('hex', end - idBytes, end);
}

function nameStartAt({ data, starts }: TreeBytes, index: number): number {
  const start = starts[index]!;
  // A mode has at least five digits, and nearly always no more than six.
  if (data[start + 5] === space) return start + 6;
  return data[start + 6] === space ? start + 7 : data.indexOf(space, start) + 1;
}

const nameEndAt = ({ starts }: TreeBytes, index: number): number => starts[index + 1]! - idBytes - 1;

/** Finds an entry by name, or -1. */
export function findName(tree: TreeBytes, name: string): number {
  // What is not UTF-8 is known by what it decodes to.
  if (name.includes('\ufffd')) {
    for (let index = 0; index < entryCount(tree); index++) if (entryAt(tree, index).name === name) return index;
    return -1;
  }
  const wanted = Buffer.from(name);
  const file = search(tree, wanted, false);
  return file >= 0 ? file : search(tree, wanted, true);
}

function search(tree: TreeBytes, wanted: Buffer, isFolder: boolean): number {
  let low = 0;
  let high = entryCount(tree);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareWith(tree, middle, wanted, isFolder);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

function compareWith(tree: TreeBytes, index: number, wanted: Buffer, isFolder: boolean): number {
  const [start, end] = [nameStartAt(tree, index), nameEndAt(tree, index)];
  return compareKeys(tree.data, start, end, isFolderAt(tree, index), wanted, 0, wanted.length, isFolder);
}

/** Orders an entry of one tree and one of another as git does. */
export function compareEntriesAt(a: TreeBytes, i: number, b: TreeBytes, j: number): number {
  const [aStart, aEnd] = [nameStartAt(a, i), nameEndAt(a, i)];
  const [bStart, bEnd] = [nameStartAt(b, j), nameEndAt(b, j)];
  return compareKeys(a.data, aStart, aEnd, isFolderAt(a, i), b.data, bStart, bEnd, isFolderAt(b, j));
}

function isFolderAt({ data, starts }: TreeBytes, index: number): boolean {
  // `40000`, or `040000` as some tools write it; no other mode git knows begins with a 4.
  let place = starts[index]!;
  while (data[place] === 0x30) place += 1;
  return data[place] === 0x34;
}

/** Counts the entries with which both trees begin: the same names with the same modes and ids. */
export function commonEntries(a: TreeBytes, b: TreeBytes): number {
  const shorter = Math.min(a.data.length, b.data.length);
  let equal = 0;
  for (let step = 4096; step > 0 && equal < shorter; ) {
    const size = Math.min(step, shorter - equal);
    if (compareRanges(a.data, equal, equal + size, b.data, equal, equal + size) === 0) equal += size;
    else step = size >> 1;
  }
  // The last entry that begins at or before the first byte that differs is the first that may.
  let low = 0;
  let high = Math.min(entryCount(a), entryCount(b));
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (a.starts[middle]! <= equal) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Lists the entries of a tree that another one does not have as they are, by their places. */
export function entriesBeyond(tree: TreeBytes, other: TreeBytes): number[] {
  const found: number[] = [];
  const [count, otherCount] = [entryCount(tree), entryCount(other)];
  let i = commonEntries(tree, other);
  for (let j = i; i < count; ) {
    const order = j >= otherCount ? -1 : compareEntriesAt(tree, i, other, j);
    const isNew = order < 0 || (order === 0 && !isSameEntry(tree, i, other, j));
    if (isNew) found.push(i);
    if (order <= 0) i += 1;
    if (order >= 0) j += 1;
    // Mostly one entry differs, and what follows is the same to the end.
    if (isNew && i < count && isSameRest(tree, i, other, j)) break;
  }
  return found;
}

function isSameRest(a: TreeBytes, i: number, b: TreeBytes, j: number): boolean {
  const [aStart, bStart] = [a.starts[i]!, b.starts[j]!];
  const [aEnd, bEnd] = [a.data.length, b.data.length];
  return aEnd - aStart === bEnd - bStart && compareRanges(a.data, aStart, aEnd, b.data, bStart, bEnd) === 0;
}

/** Whether an entry of one tree has the mode and id of one of another. */
export function isSameEntry(a: TreeBytes, i: number, b: TreeBytes, j: number): boolean {
  const [aEnd, bEnd] = [a.starts[i + 1]!, b.starts[j + 1]!];
  return (
    compareRanges(a.data, aEnd - idBytes, aEnd, b.data, bEnd - idBytes, bEnd) === 0 && modeAt(a, i) === modeAt(b, j)
  );
}

/** Compares names by their bytes, a folder as if its name ended in a slash. */
function compareKeys(
  a: Buffer,
  aStart: number,
  aEnd: number,
  isFolderA: boolean,
  b: Buffer,
  bStart: number,
  bEnd: number,
  isFolderB: boolean,
): number {
  const shorter = Math.min(aEnd - aStart, bEnd - bStart);
  for (let place = 0; place < shorter; place++) {
    const difference = a[aStart + place]! - b[bStart + place]!;
    if (difference !== 0) return difference;
  }
  const next = (bytes: Buffer, place: number, end: number, isFolder: boolean) =>
    place < end ? bytes[place]! : isFolder && place === end ? slash : -1;
  const difference = next(a, aStart + shorter, aEnd, isFolderA) - next(b, bStart + shorter, bEnd, isFolderB);
  if (difference !== 0) return difference;
  // Equal so far: one is `x/` as a folder, the other a longer name with a slash, which no tree holds.
  return aEnd - aStart - (bEnd - bStart);
}

/** Looks for an earlier entry with the very name of a folder: all that stand between begin with it. */
function hasTwin(data: Buffer, starts: readonly number[], nameStart: number, nameEnd: number): boolean {
  const length = nameEnd - nameStart;
  for (let index = starts.length - 2; index >= 0; index--) {
    const start = data.indexOf(space, starts[index]!) + 1;
    const end = starts[index + 1]! - idBytes - 1;
    if (end - start < length || data.compare(data, nameStart, nameEnd, start, start + length) !== 0) return false;
    if (end - start === length) return true;
  }
  return false;
}

/** Reads a mode, or gives null for none that git knows. */
function modeOf(data: Buffer, start: number, end: number): FileMode | null {
  // Nearly all are one of these two.
  if (end - start === 6 && data[start] === 0x31 && data[start + 1] === 0x30 && data[start + 3] === 0x36) {
    if (data[start + 2] === 0x30 && data[start + 4] === 0x34 && data[start + 5] === 0x34) return '100644';
  } else if (end - start === 5 && data[start] === 0x34 && isZeros(data, start + 1, end)) return '40000';
  const written = data.toString('latin1', start, end).replace(/^0+/, '');
  if (knownModes.has(written)) return written as FileMode;
  return /^[0-7]{5,}$/.test(written) ? canonicalMode(Number.parseInt(written, 8)) : null;
}

function isZeros(data: Buffer, start: number, end: number): boolean {
  for (let place = start; place < end; place++) if (data[place] !== 0x30) return false;
  return true;
}

/** Reads a mode as git does: early versions wrote the rights of the group too. */
function canonicalMode(mode: number): FileMode | null {
  switch (mode >> 12) {
    case 0o4:
      return '40000';
    case 0o10:
      return (mode & 0o100) !== 0 ? '100755' : '100644';
    case 0o12:
      return '120000';
    case 0o16:
      return '160000';
    default:
      return null;
  }
}

const isRefusedName = (name: string): boolean => name === '.' || name === '..' || isGitName(name);
