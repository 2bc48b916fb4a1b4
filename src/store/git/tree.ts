// Trees: bytes ⇄ entries, git's order of names, and the editor that rewrites only the touched chain of a tree.

import { MemoryError } from '../../base/errors.ts';
import { isAscii } from '../../base/text.ts';
import { maxListedFiles, maxTreeDepth } from '../guard/limits.ts';
import { foldPath, twinNames } from '../guard/path.ts';
import { type NewObject, newObject } from './object-codec.ts';
import {
  commonEntries,
  compareEntriesAt,
  countAlike,
  cutTree,
  entryAt,
  entryCount,
  type FileMode,
  isSameEntry,
  noEntries,
  type Splice,
  splicedTree,
  type TreeBytes,
  type TreeBytesReader,
  type TreeEntry,
} from './tree-bytes.ts';

export type { FileMode, TreeEntry } from './tree-bytes.ts';

/** A tree to be written, with the entries its data was formatted from. */
export interface NewTree extends NewObject {
  readonly entries: readonly TreeEntry[];
}

/** How much a new tree takes in memory, in bytes. Most of its entries are those of the tree before. */
export const weightOf = ({ entries, data }: NewTree): number =>
  8 * entries.length + 400 + (bytesOf.has(entries) ? data.length + 4 * entries.length + 400 : 0);

export const isNewTree = (object: NewObject): object is NewTree => object.type === 'tree' && 'entries' in object;

/** What a path becomes: a blob, a link, a submodule, or nothing. */
export type TreeChange = { readonly mode: Exclude<FileMode, '40000'>; readonly oid: string } | null;

/** Smaller folders are formatted anew as quickly, and what is kept of them would be more than they are. */
const leastKept = 128;
/** The bytes that entries were made of: a folder of thousands is edited in one place, and the rest of it is copied. */
const bytesOf = new WeakMap<readonly TreeEntry[], TreeBytes>();

export function entriesOf(tree: TreeBytes): readonly TreeEntry[] {
  const entries = Array.from({ length: entryCount(tree) }, (_, index) => entryAt(tree, index));
  if (tree.isPlain && entries.length >= leastKept) bytesOf.set(entries, tree);
  return entries;
}

/** Formats entries, which must be in git's order, as the content of a tree object. */
export function formatTree(entries: readonly TreeEntry[]): Buffer {
  let size = 0;
  for (const entry of entries)
    size += entry.mode.length + (entry.rawName?.length ?? Buffer.byteLength(entry.name)) + 22;
  const data = Buffer.allocUnsafe(size);
  let position = 0;
  for (const entry of entries) {
    position += data.write(entry.mode, position, 'latin1');
    data[position++] = 0x20;
    position += entry.rawName ? entry.rawName.copy(data, position) : data.write(entry.name, position, 'utf8');
    data[position++] = 0;
    position += data.write(entry.oid, position, 'hex');
  }
  return data;
}

/** Orders names as git does: by bytes, a directory as if its name ended in a slash. */
export function compareEntries(a: NamedEntry, b: NamedEntry): number {
  if (a.rawName || b.rawName) return Buffer.compare(sortKey(a), sortKey(b));
  return compareNames(a.mode === '40000' ? `${a.name}/` : a.name, b.mode === '40000' ? `${b.name}/` : b.name);
}

interface NamedEntry {
  readonly mode: string;
  readonly name: string;
  readonly rawName?: Buffer;
}

function sortKey({ mode, name, rawName }: NamedEntry): Buffer {
  const bytes = rawName ?? Buffer.from(name);
  return mode === '40000' ? Buffer.concat([bytes, Buffer.from('/')]) : bytes;
}

const beyondBasicOrder = /[\ud800-\uffff]/;

/** Orders strings by their UTF-8 bytes. */
export function compareNames(a: string, b: string): number {
  // UTF-16 order equals byte order except around surrogates, and those have to be in both.
  if (beyondBasicOrder.test(a) && beyondBasicOrder.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reads the entries of a tree object; may cache, since trees never change. */
export type TreeReader = (oid: string) => readonly TreeEntry[];

/** A pending edit: leaves are changes of files, nodes are directories. */
interface Edit {
  readonly files: Map<string, TreeChange>;
  readonly directories: Map<string, Edit>;
}

interface EditOptions {
  /** Accept twins, as a history made elsewhere may hold. Default false. */
  readonly allowTwins?: boolean;
}

/**
 * Applies changes of files to a tree and returns its new name with the tree objects that are new.
 *
 *     root ─ raw ─ conversations ─ 2026 ─ …      only the chain above a changed file is rewritten;
 *          └ knowledge                            every other entry keeps its name and is not read
 *
 * Directories that become empty vanish, so that a file may take the place of one that the same edit empties. Returns `root: null` when
 * nothing is left. Throws INVALID_PATH when a file would take the name of a directory or the other way round, or would be beside a twin. A
 * twin is the same name where case and composition are ignored.
 */
export function editTree(
  root: string | null,
  changes: ReadonlyMap<string, TreeChange>,
  readTree: TreeReader,
  options: EditOptions = {},
): { root: string | null; trees: NewTree[] } {
  const edit: Edit = { files: new Map(), directories: new Map() };
  for (const [path, change] of changes) {
    const segments = path.split('/');
    const name = segments.pop()!;
    let node = edit;
    for (const segment of segments) {
      let next = node.directories.get(segment);
      if (!next) {
        next = { files: new Map(), directories: new Map() };
        node.directories.set(segment, next);
      }
      node = next;
    }
    node.files.set(name, change);
  }
  const trees: NewTree[] = [];
  return { root: applyEdit(root, edit, '', readTree, trees, options), trees };
}

function applyEdit(
  oid: string | null,
  edit: Edit,
  path: string,
  readTree: TreeReader,
  trees: NewTree[],
  options: EditOptions,
): string | null {
  const before = oid === null ? none : readTree(oid);
  /** What the edit makes of a name; null: nothing. */
  const made = new Map<string, TreeEntry | null>();
  const current = (name: string) => {
    const edited = made.get(name);
    return edited === undefined ? (before[indexOfName(before, name)] ?? null) : edited;
  };
  for (const [name, change] of edit.files) {
    if (change === null && current(name)?.mode !== '40000') made.set(name, null);
  }
  for (const [name, child] of edit.directories) {
    const present = current(name);
    if (present && present.mode !== '40000') {
      if (isRemovalOnly(child)) continue;
      const hint = 'Choose another name';
      throw new MemoryError('INVALID_PATH', `${path}${name} is a file, not a directory`, { hint });
    }
    const subtree = applyEdit(present?.oid ?? null, child, `${path}${name}/`, readTree, trees, options);
    made.set(name, subtree === null ? null : { mode: '40000', name, oid: subtree });
  }
  for (const [name, change] of edit.files) {
    if (change === null) continue;
    const present = current(name);
    if (present?.mode === '40000')
      throw new MemoryError('INVALID_PATH', `${path}${name} is a directory`, { hint: 'Choose another name' });
    made.set(name, { ...present, mode: change.mode, name, oid: change.oid });
  }
  const after = withMade(before, made);
  const added = [...made].flatMap(([name, entry]) => (entry && indexOfName(before, name) < 0 ? [name] : []));
  if (added.length > 0 && !options.allowTwins) refuseTwins(added, after, path);
  if (after.length === 0) return null;
  const tree = newObject('tree', bytesOf.get(after)?.data ?? formatTree(after));
  if (after.length >= leastKept && !bytesOf.has(after)) {
    const bytes = cutTree(tree.data, tree.oid);
    if (bytes.isPlain) bytesOf.set(after, bytes);
  }
  if (tree.oid !== oid) trees.push({ ...tree, entries: after });
  return tree.oid;
}

const none: readonly TreeEntry[] = [];

/** Gives entries with some made anew: what lies between them is copied, as bytes, too, where those are at hand. */
function withMade(before: readonly TreeEntry[], made: ReadonlyMap<string, TreeEntry | null>): readonly TreeEntry[] {
  const changes: { at: number; removed: number; entry: TreeEntry | null }[] = [];
  for (const [name, entry] of made) {
    const at = indexOfName(before, name);
    if (entry === null || at < 0 || isFolder(before[at]!) !== isFolder(entry)) {
      if (at >= 0) changes.push({ at, removed: 1, entry: null });
      if (entry !== null) changes.push({ at: lowerBound(before, entry), removed: 0, entry });
    } else changes.push({ at, removed: 1, entry });
  }
  // What comes in at a place stands before what is there.
  changes.sort((a, b) => a.at - b.at || a.removed - b.removed || compareEntries(a.entry!, b.entry!));
  const after: TreeEntry[] = [];
  let from = 0;
  for (const { at, removed, entry } of changes) {
    for (let index = from; index < at; index++) after.push(before[index]!);
    if (entry !== null) after.push(entry);
    from = at + removed;
  }
  for (let index = from; index < before.length; index++) after.push(before[index]!);
  const bytes = bytesOf.get(before);
  if (
    bytes !== undefined &&
    after.length >= leastKept &&
    changes.every(({ entry }) => entry === null || isAscii(entry.name))
  ) {
    const splices = changes.map(
      ({ at, removed, entry }): Splice => ({ at, removed, bytes: formatTree(entry === null ? [] : [entry]) }),
    );
    bytesOf.set(after, splicedTree(bytes, splices));
  }
  return after;
}

const isFolder = ({ mode }: NamedEntry) => mode === '40000';

/** Finds the place where an entry stands or would stand. */
function lowerBound(entries: readonly TreeEntry[], wanted: NamedEntry): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareEntries(entries[middle]!, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** So many names are compared one by one as quickly as a few are in git's order. */
const fewEntries = 256;

/** Finds an entry by name, be it a file or a folder; -1 where there is none. */
function indexOfName(entries: readonly TreeEntry[], name: string): number {
  // What is not UTF-8 stands where its bytes say, and is known by what it decodes to.
  if (entries.length <= fewEntries || name.includes('\ufffd')) {
    for (let at = 0; at < entries.length; at++) if (entries[at]!.name === name) return at;
    return -1;
  }
  for (const mode of ['100644', '40000']) {
    const at = lowerBound(entries, { mode, name });
    if (entries[at]?.name === name) return at;
  }
  return -1;
}

function isRemovalOnly(edit: Edit): boolean {
  return (
    [...edit.files.values()].every((change) => change === null) && [...edit.directories.values()].every(isRemovalOnly)
  );
}

function refuseTwins(added: readonly string[], entries: readonly TreeEntry[], path: string): void {
  const bytes = bytesOf.get(entries);
  if (bytes !== undefined && added.every((name) => countAlike(bytes, name) === 1)) return;
  const folded = new Map<string, string>();
  const wanted = new Set(added.map(foldPath));
  for (const { name } of entries) {
    const key = foldPath(name);
    if (!wanted.has(key)) continue;
    const twin = folded.get(key);
    if (twin !== undefined) {
      const hint = 'Some file systems cannot hold both; choose another name';
      throw new MemoryError('INVALID_PATH', twinNames(`${path}${name}`, `${path}${twin}`), { hint });
    }
    folded.set(key, name);
  }
}

/** One file in which two trees differ; `null` where the file is absent. */
export interface TreeDifference {
  readonly path: string;
  /** Set only when the bytes of the path are not UTF-8. */
  readonly rawPath?: Buffer;
  readonly before: { readonly mode: FileMode; readonly oid: string } | null;
  readonly after: { readonly mode: FileMode; readonly oid: string } | null;
}

/**
 * Lists the files in which two trees differ, in git's order, reading only subtrees that differ.
 *
 * Throws TOO_LARGE for more than {@link maxListedFiles} or folders deeper than {@link maxTreeDepth}.
 */
export function diffTrees(before: string | null, after: string | null, readTree: TreeBytesReader): TreeDifference[] {
  const differences: TreeDifference[] = [];
  collectDifferences(
    before,
    after,
    { text: '' },
    readTree,
    differences,
    new WalkBudget((oid) => entriesOf(readTree(oid))),
  );
  return differences;
}

/** Bounds a walk over trees: a few hundred bytes can name more files than any machine can list. */
class WalkBudget {
  private files = maxListedFiles;
  private folders = maxListedFiles;
  private readonly met = new Set<string>();
  private readonly counts = new Map<string, number>();
  private readonly readTree: FolderReader;

  constructor(readTree: FolderReader) {
    this.readTree = readTree;
  }

  file(): void {
    if (this.files-- <= 0) throw tooManyFiles();
  }

  /**
   * Counts a folder in. When a tree comes a second time, all files below `top`, which is listed whole, are counted tree by tree.
   * So a tree of trees of itself is refused before its paths are made.
   */
  folder(depth: number, oid: string | null, top: Top | null): void {
    if (depth > maxTreeDepth) throw tooLarge(`the tree is deeper than ${maxTreeDepth} folders`);
    if (this.folders-- <= 0) throw tooLarge(`the tree holds more than ${maxListedFiles} folders`);
    if (oid === null || top === null) return;
    if (!this.met.has(oid)) this.met.add(oid);
    else if (!this.counts.has(top.oid) && this.filesBelow(top, 0) > maxListedFiles) throw tooManyFiles();
  }

  private filesBelow({ oid, folder }: Top, depth: number): number {
    const known = this.counts.get(oid);
    if (known !== undefined || depth > maxTreeDepth) return known ?? 0;
    let count = 0;
    for (const { mode, name, oid: child } of this.readTree(oid, folder))
      count += mode === '40000' ? this.filesBelow({ oid: child, folder: `${folder}${name}/` }, depth + 1) : 1;
    this.counts.set(oid, count);
    return count;
  }
}

/** The tree whose files are all listed, and its folder, which ends in `/` or is that of the root. */
interface Top {
  readonly oid: string;
  readonly folder: string;
}

const tooManyFiles = (): MemoryError => tooLarge(`the tree holds more than ${maxListedFiles} files`);

const tooLarge = (what: string): MemoryError =>
  new MemoryError('TOO_LARGE', what, { hint: 'This is not a memory; `git log` and `git ls-tree` can read it' });

/** The folders above; `raw` is set when their names are not UTF-8. */
interface Prefix {
  readonly text: string;
  readonly raw?: Buffer;
}

function collectDifferences(
  before: string | null,
  after: string | null,
  prefix: Prefix,
  readTree: TreeBytesReader,
  differences: TreeDifference[],
  budget: WalkBudget,
  depth = 0,
  top: Top | null = null,
): void {
  if (before === after) return;
  const oneSided = before === null ? after : after === null ? before : null;
  const whole = top ?? (oneSided === null ? null : { oid: oneSided, folder: prefix.text });
  budget.folder(depth, oneSided, whole);
  const left = before === null ? noEntries : readTree(before);
  const right = after === null ? noEntries : readTree(after);
  const [leftCount, rightCount] = [entryCount(left), entryCount(right)];
  let i = commonEntries(left, right);
  let j = i;
  while (i < leftCount || j < rightCount) {
    const order = i >= leftCount ? 1 : j >= rightCount ? -1 : compareEntriesAt(left, i, right, j);
    const [fromIndex, toIndex] = [order <= 0 ? i++ : -1, order >= 0 ? j++ : -1];
    if (order === 0 && isSameEntry(left, fromIndex, right, toIndex)) continue;
    const from = fromIndex < 0 ? null : entryAt(left, fromIndex);
    const to = toIndex < 0 ? null : entryAt(right, toIndex);
    const { name, rawName } = (from ?? to)!;
    const path = `${prefix.text}${name}`;
    const rawPath =
      rawName || prefix.raw
        ? Buffer.concat([prefix.raw ?? Buffer.from(prefix.text), rawName ?? Buffer.from(name)])
        : undefined;
    // Equal order means both are directories or neither is.
    if (from?.mode === '40000' || to?.mode === '40000') {
      const below = { text: `${path}/`, ...(rawPath && { raw: Buffer.concat([rawPath, Buffer.from('/')]) }) };
      collectDifferences(from?.oid ?? null, to?.oid ?? null, below, readTree, differences, budget, depth + 1, whole);
      continue;
    }
    budget.file();
    differences.push({
      path,
      ...(rawPath && { rawPath }),
      before: from && { mode: from.mode, oid: from.oid },
      after: to && { mode: to.mode, oid: to.oid },
    });
  }
}

/** Reads a folder; gets its path as well, which ends in `/` or is that of the root. */
type FolderReader = (oid: string, folder: string) => readonly TreeEntry[];

/**
 * Lists all files of a tree, in git's order.
 *
 * Throws TOO_LARGE for more than {@link maxListedFiles} or folders deeper than {@link maxTreeDepth}.
 */
export function* walkTree(
  oid: string | null,
  readTree: FolderReader,
  prefix = '',
): Generator<{ path: string; mode: FileMode; oid: string }> {
  if (oid !== null) yield* walkFolder(oid, readTree, prefix, new WalkBudget(readTree), 0, { oid, folder: prefix });
}

function* walkFolder(
  oid: string,
  readTree: FolderReader,
  prefix: string,
  budget: WalkBudget,
  depth: number,
  top: Top,
): Generator<{ path: string; mode: FileMode; oid: string }> {
  budget.folder(depth, oid, top);
  for (const entry of readTree(oid, prefix)) {
    const path = `${prefix}${entry.name}`;
    if (entry.mode === '40000') yield* walkFolder(entry.oid, readTree, `${path}/`, budget, depth + 1, top);
    else {
      budget.file();
      yield { path, mode: entry.mode, oid: entry.oid };
    }
  }
}

/** Finds one entry by path; `null` when there is none. */
export function findEntry(root: string | null, path: string, readTree: TreeReader): TreeEntry | null {
  let oid = root;
  const segments = path.split('/');
  for (const [position, segment] of segments.entries()) {
    if (oid === null) return null;
    const entries: readonly TreeEntry[] = readTree(oid);
    const entry = entries[indexOfName(entries, segment)];
    if (!entry) return null;
    if (position === segments.length - 1) return entry;
    if (entry.mode !== '40000') return null;
    oid = entry.oid;
  }
  return null;
}
