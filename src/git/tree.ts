// Trees: bytes ⇄ entries, git's order of names, and the editor that rewrites only the touched chain of a tree.

import { MemoryError } from '../errors.ts';
import { maxListedFiles, maxTreeDepth } from '../guard/limits.ts';
import { foldPath, isGitName } from '../guard/path.ts';
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

/** What a path becomes: a blob, a link, a submodule, or nothing. */
export type TreeChange = { readonly mode: Exclude<FileMode, '40000'>; readonly oid: string } | null;

const knownModes: ReadonlySet<string> = new Set(['100644', '100755', '120000', '160000', '40000']);

/**
 * Parses the content of a tree object; throws OBJECT_CORRUPT, also for names that lead out of it or into a git directory, for
 * names that occur twice and for entries out of order: git refuses to check such a tree out, and to look a path up in it has
 * no one answer.
 */
export function parseTree(data: Buffer, oid: string): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const damaged = (what: string) => new MemoryError('OBJECT_CORRUPT', `tree ${oid} ${what}`, { where: oid });
  let position = 0;
  let previous: TreeEntry | null = null;
  while (position < data.length) {
    const space = data.indexOf(0x20, position);
    const end = data.indexOf(0, space + 1);
    if (space < 0 || end < 0 || end + 21 > data.length) throw damaged('is damaged');
    const written = data.toString('latin1', position, space).replace(/^0+/, '');
    const mode = knownModes.has(written) ? (written as FileMode) : canonicalMode(Number.parseInt(written, 8));
    if (mode === null) throw damaged(`has an entry of unknown mode ${JSON.stringify(written.slice(0, 12))}`);
    const name = data.toString('utf8', space + 1, end);
    if (isRefusedName(name)) throw damaged(`has an entry named ${JSON.stringify(name.slice(0, 80))}`);
    const oidText = data.toString('hex', end + 1, end + 21);
    const entry: TreeEntry = name.includes('�')
      ? { mode, name, oid: oidText, rawName: Buffer.from(data.subarray(space + 1, end)) }
      : { mode, name, oid: oidText };
    if (previous !== null && compareStored(previous, entry) >= 0) throw damaged('has entries twice or out of order');
    previous = entry;
    entries.push(entry);
    position = end + 21;
  }
  refuseSameNames(entries, damaged);
  return entries;
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

function compareStored(a: TreeEntry, b: TreeEntry): number {
  if (a.rawName === undefined && b.rawName === undefined) return compareEntries(a, b);
  const bytes = ({ mode, name, rawName }: TreeEntry) =>
    Buffer.concat([rawName ?? Buffer.from(name), Buffer.from(mode === '40000' ? '/' : '')]);
  return Buffer.compare(bytes(a), bytes(b));
}

function isRefusedName(name: string): boolean {
  return name === '' || name === '.' || name === '..' || name.includes('/') || (name[0] === '.' && isGitName(name));
}

/** A file and a folder of one name are not neighbours in git's order: `a`, `a.txt`, `a/`. */
function refuseSameNames(entries: readonly TreeEntry[], damaged: (what: string) => MemoryError): void {
  for (let i = 1; i < entries.length; i++) {
    const { mode, name } = entries[i]!;
    if (mode !== '40000') continue;
    for (let j = i - 1; j >= 0 && entries[j]!.name.startsWith(name); j--) {
      if (entries[j]!.name === name) throw damaged('has entries twice or out of order');
    }
  }
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

/** How to edit a tree. */
export interface EditOptions {
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
 * nothing is left. Throws INVALID_PATH when a file would stand where a directory is or the other way round, or beside a twin: a
 * name that is the same where case and composition are ignored.
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
  const before = oid === null ? [] : readTree(oid);
  const entries = new Map(before.map((entry) => [entry.name, entry]));
  const added: string[] = [];
  for (const [name, change] of edit.files) {
    if (change === null && entries.get(name)?.mode !== '40000') entries.delete(name);
  }
  for (const [name, child] of edit.directories) {
    const current = entries.get(name);
    if (current && current.mode !== '40000') {
      if (isRemovalOnly(child)) continue;
      throw new MemoryError('INVALID_PATH', `${path}${name} is a file, not a directory`, {
        hint: 'Choose another name',
      });
    }
    const subtree = applyEdit(current?.oid ?? null, child, `${path}${name}/`, readTree, trees, options);
    if (subtree === null) entries.delete(name);
    else {
      if (!current) added.push(name);
      entries.set(name, { mode: '40000', name, oid: subtree });
    }
  }
  for (const [name, change] of edit.files) {
    if (change === null) continue;
    const current = entries.get(name);
    if (current?.mode === '40000') {
      throw new MemoryError('INVALID_PATH', `${path}${name} is a directory`, { hint: 'Choose another name' });
    }
    if (!current) added.push(name);
    entries.set(name, { ...current, mode: change.mode, name, oid: change.oid });
  }
  if (added.length > 0 && !options.allowTwins) refuseTwins(added, entries, path);
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
  const wanted = new Set(added.map(foldPath));
  for (const name of entries.keys()) {
    const key = foldPath(name);
    if (!wanted.has(key)) continue;
    const twin = folded.get(key);
    if (twin !== undefined) {
      throw new MemoryError('INVALID_PATH', `${path}${name} and ${path}${twin} are one name where case is ignored`, {
        hint: 'Some file systems cannot hold both; choose another name',
      });
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
export function diffTrees(before: string | null, after: string | null, readTree: TreeReader): TreeDifference[] {
  const differences: TreeDifference[] = [];
  collectDifferences(before, after, { text: '' }, readTree, differences, new WalkBudget());
  return differences;
}

/** Bounds a walk over trees: a few hundred bytes can name more files than any machine can list. */
class WalkBudget {
  private files = maxListedFiles;
  private folders = maxListedFiles;

  file(): void {
    if (this.files-- <= 0) throw tooLarge(`the tree holds more than ${maxListedFiles} files`);
  }

  folder(depth: number): void {
    if (depth > maxTreeDepth) throw tooLarge(`the tree is deeper than ${maxTreeDepth} folders`);
    if (this.folders-- <= 0) throw tooLarge(`the tree holds more than ${maxListedFiles} folders`);
  }
}

function tooLarge(what: string): MemoryError {
  return new MemoryError('TOO_LARGE', what, { hint: 'This is no memory; ask `git log` and `git ls-tree` about it' });
}

/** The folders above; `raw` is set when their names are not UTF-8. */
interface Prefix {
  readonly text: string;
  readonly raw?: Buffer;
}

function collectDifferences(
  before: string | null,
  after: string | null,
  prefix: Prefix,
  readTree: TreeReader,
  differences: TreeDifference[],
  budget: WalkBudget,
  depth = 0,
): void {
  if (before === after) return;
  budget.folder(depth);
  const left = before === null ? [] : readTree(before);
  const right = after === null ? [] : readTree(after);
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const order = i >= left.length ? 1 : j >= right.length ? -1 : compareEntries(left[i]!, right[j]!);
    const from = order <= 0 ? left[i++]! : null;
    const to = order >= 0 ? right[j++]! : null;
    if (from && to && from.oid === to.oid && from.mode === to.mode) continue;
    const { name, rawName } = (from ?? to)!;
    const path = `${prefix.text}${name}`;
    const rawPath =
      rawName || prefix.raw
        ? Buffer.concat([prefix.raw ?? Buffer.from(prefix.text), rawName ?? Buffer.from(name)])
        : undefined;
    // Equal order means both are directories or neither is.
    if (from?.mode === '40000' || to?.mode === '40000') {
      const below = { text: `${path}/`, ...(rawPath && { raw: Buffer.concat([rawPath, Buffer.from('/')]) }) };
      collectDifferences(from?.oid ?? null, to?.oid ?? null, below, readTree, differences, budget, depth + 1);
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

/**
 * Lists all files of a tree, in git's order.
 *
 * Throws TOO_LARGE for more than {@link maxListedFiles} or folders deeper than {@link maxTreeDepth}.
 */
export function* walkTree(
  oid: string | null,
  readTree: TreeReader,
  prefix = '',
): Generator<{ path: string; mode: FileMode; oid: string }> {
  if (oid !== null) yield* walkFolder(oid, readTree, prefix, new WalkBudget(), 0);
}

function* walkFolder(
  oid: string,
  readTree: TreeReader,
  prefix: string,
  budget: WalkBudget,
  depth: number,
): Generator<{ path: string; mode: FileMode; oid: string }> {
  budget.folder(depth);
  for (const entry of readTree(oid)) {
    const path = `${prefix}${entry.name}`;
    if (entry.mode === '40000') yield* walkFolder(entry.oid, readTree, `${path}/`, budget, depth + 1);
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
    const entry = readTree(oid).find((candidate) => candidate.name === segment);
    if (!entry) return null;
    if (position === segments.length - 1) return entry;
    if (entry.mode !== '40000') return null;
    oid = entry.oid;
  }
  return null;
}
