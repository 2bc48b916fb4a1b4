// Trees: bytes ⇄ entries, git's order of names, and the editor that rewrites only the touched chain of a tree.

import { MemoryError } from '../errors.ts';
import { type NewObject, newObject } from './object-codec.ts';

/** The modes git knows; the engine itself writes `100644` and `40000` only. */
export type FileMode = '100644' | '100755' | '120000' | '160000' | '40000';

/** One name in a tree. `rawName` is set only when the bytes are not UTF-8, so that they are written back as read. */
export interface TreeEntry {
  readonly mode: FileMode;
  readonly name: string;
  readonly oid: string;
  readonly rawName?: Buffer;
}

/** A tree to be written, with the entries its data was formatted from. */
export interface NewTree extends NewObject {
  readonly entries: readonly TreeEntry[];
}

export function isNewTree(object: NewObject): object is NewTree {
  return object.type === 'tree' && 'entries' in object;
}

/** What a path becomes: a blob, or nothing. */
export type TreeChange = { readonly mode: '100644' | '100755'; readonly oid: string } | null;

/** Parses the content of a tree object; throws OBJECT_CORRUPT. */
export function parseTree(data: Buffer, oid: string): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let position = 0;
  while (position < data.length) {
    const space = data.indexOf(0x20, position);
    const end = data.indexOf(0, space + 1);
    if (space < 0 || end < 0 || end + 21 > data.length) {
      throw new MemoryError('OBJECT_CORRUPT', `tree ${oid} is damaged`, { where: oid });
    }
    const mode = data.toString('latin1', position, space).replace(/^0+/, '') as FileMode;
    const name = data.toString('utf8', space + 1, end);
    const entry = { mode, name, oid: data.toString('hex', end + 1, end + 21) };
    entries.push(name.includes('�') ? { ...entry, rawName: Buffer.from(data.subarray(space + 1, end)) } : entry);
    position = end + 21;
  }
  return entries;
}

/** Formats entries, which must be in git's order, as the content of a tree object. */
export function formatTree(entries: readonly TreeEntry[]): Buffer {
  let size = 0;
  for (const entry of entries) size += entry.mode.length + nameLength(entry) + 22;
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

function nameLength(entry: TreeEntry): number {
  return entry.rawName?.length ?? Buffer.byteLength(entry.name);
}

/** Orders names as git does: by bytes, a directory as if its name ended in a slash. */
export function compareEntries(a: { mode: string; name: string }, b: { mode: string; name: string }): number {
  return compareNames(a.mode === '40000' ? `${a.name}/` : a.name, b.mode === '40000' ? `${b.name}/` : b.name);
}

const beyondBasicOrder = /[\ud800-\uffff]/;

/** Orders strings by their UTF-8 bytes. */
export function compareNames(a: string, b: string): number {
  // UTF-16 order equals byte order except around surrogates.
  if (beyondBasicOrder.test(a) || beyondBasicOrder.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reads the entries of a tree object; may cache, since trees never change. */
export type TreeReader = (oid: string) => readonly TreeEntry[];

/** A pending edit: leaves are changes of files, nodes are directories. */
interface Edit {
  readonly files: Map<string, TreeChange>;
  readonly directories: Map<string, Edit>;
}

/**
 * Applies changes of files to a tree and returns its new name with the tree objects that are new.
 *
 *     root ─ raw ─ conversations ─ 2026 ─ …      only the chain above a changed file is rewritten;
 *          └ knowledge                            every other entry keeps its name and is not read
 *
 * Directories that become empty vanish. Returns `root: null` when nothing is left. Throws INVALID_PATH when a file
 * would stand where a directory is or the other way round, or beside a name that differs only by case.
 */
export function editTree(
  root: string | null,
  changes: ReadonlyMap<string, TreeChange>,
  readTree: TreeReader,
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
  return { root: applyEdit(root, edit, '', readTree, trees), trees };
}

function applyEdit(oid: string | null, edit: Edit, path: string, readTree: TreeReader, trees: NewTree[]) {
  const before = oid === null ? [] : readTree(oid);
  const entries = new Map(before.map((entry) => [entry.name, entry]));
  const added: string[] = [];
  for (const [name, change] of edit.files) {
    const current = entries.get(name);
    if (current?.mode === '40000') {
      if (change === null) continue;
      throw new MemoryError('INVALID_PATH', `${path}${name} is a directory`, { hint: 'Choose another name' });
    }
    if (change === null) entries.delete(name);
    else {
      if (!current) added.push(name);
      entries.set(name, { mode: change.mode, name, oid: change.oid });
    }
  }
  for (const [name, child] of edit.directories) {
    const current = entries.get(name);
    if (current && current.mode !== '40000') {
      if (isRemovalOnly(child)) continue;
      throw new MemoryError('INVALID_PATH', `${path}${name} is a file, not a directory`, {
        hint: 'Choose another name',
      });
    }
    const subtree = applyEdit(current?.oid ?? null, child, `${path}${name}/`, readTree, trees);
    if (subtree === null) entries.delete(name);
    else {
      if (!current) added.push(name);
      entries.set(name, { mode: '40000', name, oid: subtree });
    }
  }
  if (added.length > 0) refuseTwins(added, entries, path);
  if (entries.size === 0) return null;
  const after = [...entries.values()];
  // Replacing keeps a map's order, so sorting is needed only when a name came in.
  if (added.length > 0) after.sort(compareEntries);
  const tree = newObject('tree', formatTree(after));
  if (tree.oid !== oid) trees.push({ ...tree, entries: after });
  return tree.oid;
}

function isRemovalOnly(edit: Edit): boolean {
  return (
    [...edit.files.values()].every((change) => change === null) && [...edit.directories.values()].every(isRemovalOnly)
  );
}

function refuseTwins(added: readonly string[], entries: ReadonlyMap<string, TreeEntry>, path: string): void {
  const folded = new Map<string, string>();
  const wanted = new Set(added.map(foldName));
  for (const name of entries.keys()) {
    const key = foldName(name);
    if (!wanted.has(key)) continue;
    const twin = folded.get(key);
    if (twin !== undefined) {
      throw new MemoryError('INVALID_PATH', `${path}${name} differs from ${path}${twin} only by case`, {
        hint: 'Some file systems cannot hold both; choose another name',
      });
    }
    folded.set(key, name);
  }
}

function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** One file in which two trees differ; `null` where the file is absent. */
export interface TreeDifference {
  readonly path: string;
  readonly before: { readonly mode: FileMode; readonly oid: string } | null;
  readonly after: { readonly mode: FileMode; readonly oid: string } | null;
}

/** Lists the files in which two trees differ, in git's order, reading only subtrees that differ. */
export function diffTrees(before: string | null, after: string | null, readTree: TreeReader): TreeDifference[] {
  const differences: TreeDifference[] = [];
  collectDifferences(before, after, '', readTree, differences);
  return differences;
}

function collectDifferences(
  before: string | null,
  after: string | null,
  prefix: string,
  readTree: TreeReader,
  differences: TreeDifference[],
): void {
  if (before === after) return;
  const left = before === null ? [] : readTree(before);
  const right = after === null ? [] : readTree(after);
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const order = i >= left.length ? 1 : j >= right.length ? -1 : compareEntries(left[i]!, right[j]!);
    const from = order <= 0 ? left[i++]! : null;
    const to = order >= 0 ? right[j++]! : null;
    if (from && to && from.oid === to.oid && from.mode === to.mode) continue;
    const name = `${prefix}${(from ?? to)!.name}`;
    // Equal order means both are directories or neither is.
    if (from?.mode === '40000' || to?.mode === '40000') {
      collectDifferences(from?.oid ?? null, to?.oid ?? null, `${name}/`, readTree, differences);
      continue;
    }
    differences.push({
      path: name,
      before: from && { mode: from.mode, oid: from.oid },
      after: to && { mode: to.mode, oid: to.oid },
    });
  }
}

/** Lists all files of a tree, in git's order. */
export function* walkTree(
  oid: string | null,
  readTree: TreeReader,
  prefix = '',
): Generator<{ path: string; mode: FileMode; oid: string }> {
  if (oid === null) return;
  for (const entry of readTree(oid)) {
    const path = `${prefix}${entry.name}`;
    if (entry.mode === '40000') yield* walkTree(entry.oid, readTree, `${path}/`);
    else yield { path, mode: entry.mode, oid: entry.oid };
  }
}

/** Finds one entry by path; `null` when there is none. */
export function findEntry(root: string | null, path: string, readTree: TreeReader): TreeEntry | null {
  let oid = root;
  const segments = path.split('/');
  for (const [position, segment] of segments.entries()) {
    if (oid === null) return null;
    const entry = readTree(oid).find((candidate) => candidate.name === segment);
    if (!entry) return null;
    if (position === segments.length - 1) return entry;
    if (entry.mode !== '40000') return null;
    oid = entry.oid;
  }
  return null;
}
