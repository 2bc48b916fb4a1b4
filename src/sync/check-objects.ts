// What objects from elsewhere must be like before they may enter: each by itself, as `git fsck --strict` wants it, and all together
// with nothing missing. Reads only; what is found wrong is thrown.

import { MemoryError } from '../errors.ts';
import type { GitObject } from '../git/object-codec.ts';
import type { ObjectDatabase } from '../git/object-database.ts';
import { remoteRefused } from '../git/pkt-line.ts';
import type { TreeEntry } from '../git/tree.ts';
import { cutTree, entriesBeyond, entryAt, entryCount, findName } from '../git/tree-bytes.ts';
import {
  checkSize,
  maxCommitBytes,
  maxListedFiles,
  maxObjectHeadBytes,
  maxParents,
  maxTreeBytes,
  maxTreeDepth,
} from '../guard/limits.ts';
import { checkPath } from '../guard/path.ts';
import { WorkBudget } from '../guard/work-budget.ts';
import { parentsFirst } from './parents-first.ts';

const oid = '[0-9a-f]{40}';
const person = '[^<>\\n\\0]+ <[^<>\\n\\0]*> (?:0|[1-9]\\d{0,18}) [+-]\\d{4}';
const commitHead = new RegExp(
  `^tree ${oid}\\n(?:parent ${oid}\\n)*author ${person}\\ncommitter ${person}\\n(?:[a-z0-9-]+ [^\\n\\0]*\\n(?: [^\\n\\0]*\\n)*)*$`,
);
const tagHead = new RegExp(
  `^object ${oid}\\ntype (?:commit|tree|blob|tag)\\ntag [^\\n\\0]+\\n(?:tagger ${person}\\n)?$`,
);

/**
 * Passes an object whose form git would not complain about, and whose names no file system reads as something else.
 *
 * Throws REMOTE_REFUSED, naming the object. It does not judge attributes and modules: {@link checkComplete} has the rules of paths.
 */
export function checkObject(name: string, { type, data }: GitObject): void {
  try {
    if (type === 'blob') return;
    if (type === 'tree') {
      checkSize(data, maxTreeBytes, `tree ${name}`);
      checkTree(name, data);
      return;
    }
    checkSize(data, maxCommitBytes, `${type} ${name}`);
    const end = data.indexOf('\n\n');
    const head = data.toString('utf8', 0, end < 0 ? data.length : end + 1);
    // Before any pattern is tried on it.
    checkSize(end < 0 ? data.length : end, maxObjectHeadBytes, `the head of ${type} ${name}`);
    if (head.split('\nparent ', maxParents + 2).length > maxParents + 1) {
      throw refused(`commit ${name} has more than ${maxParents} parents`);
    }
    if (!(type === 'commit' ? commitHead : tagHead).test(head) || hasTimeBeyond(head))
      throw refused(`${type} ${name} is not well formed`);
    if (data.includes(0)) throw refused(`${type} ${name} has a character that is none`);
  } catch (error) {
    if (error instanceof MemoryError && error.code !== 'REMOTE_REFUSED') throw refused(error.message, error);
    throw error;
  }
}

/** Whether a time has more than the 63 bits that git takes. */
function hasTimeBeyond(head: string): boolean {
  return [...head.matchAll(/> (\d{19}) [+-]\d{4}$/gm)].some(([, digits]) => BigInt(digits!) >= 2n ** 63n);
}

function checkTree(name: string, data: Buffer): void {
  const tree = cutTree(data, name);
  for (let index = 0; index < entryCount(tree); index += 1) {
    const start = tree.starts[index]!;
    if (isPlainEntry(data, start, tree.starts[index + 1]!)) continue;
    if (data[start] === 0x30) throw refused(`tree ${name} writes a mode with a zero before it`);
    const written = data.toString('latin1', start, data.indexOf(0x20, start));
    const entry = entryAt(tree, index);
    if (written !== entry.mode) throw refused(`tree ${name} writes a mode as nobody does`);
    if (entry.rawName !== undefined) throw refused(`tree ${name} has a name that is no UTF-8`);
    if (/^0{40}$/.test(entry.oid)) throw refused(`tree ${name} points nowhere`);
  }
}

/** Whether an entry is like nearly all are: a file or folder of a name in ASCII, with an id that begins with no zero. Makes no strings. */
function isPlainEntry(data: Buffer, start: number, end: number): boolean {
  const idStart = end - 20;
  const mode = data.readUInt32BE(start);
  const isFile =
    mode === 0x31303036 && data[start + 4] === 0x34 && data[start + 5] === 0x34 && data[start + 6] === 0x20;
  const isFolder = mode === 0x34303030 && data[start + 4] === 0x30 && data[start + 5] === 0x20;
  if (!(isFile || isFolder) || data[idStart] === 0) return false;
  for (let place = start + 6; place < idStart; place += 1) if (data[place]! >= 0x80) return false;
  return true;
}

/** What a walk over new commits is held by. */
export interface CompleteOptions {
  /** What may be spent on it. */
  readonly budget: WorkBudget;
  /** Tells of a blob that it was looked at already. */
  readonly isBlob: (oid: string) => boolean;
  /** Looks at each tree by itself, where nobody did before. */
  readonly look?: (oid: string, data: Buffer) => void;
}

/**
 * Passes complete commits: all that they hold is there, of the right type, under paths that every system can hold.
 *
 * `commits` are those that we did not have, and `objects` holds both theirs and ours. What a parent has at the same place was passed
 * with that parent, so that a walk costs what the commits changed. Throws REMOTE_REFUSED, also for more paths than the budget has, and for
 * a commit that changes more of them than any listing holds. A few trees of trees name more files than there are atoms.
 */
export function checkComplete(objects: ObjectDatabase, commits: readonly string[], options: CompleteOptions): void {
  const walk = new CompleteWalk(objects, options);
  for (const commit of parentsFirst(objects, commits)) {
    try {
      const { tree, parents } = objects.readCommit(commit);
      const known = parents.map((parent) => objects.readCommit(parent).tree);
      walk.commit(tree, known);
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === 'REMOTE_REFUSED') throw error;
      throw refused(`commit ${commit.slice(0, 12)} cannot be taken: ${error.what}`, error);
    }
  }
}

/**
 * Passes commits of ours that every machine takes when it fetches them: the same rules, asked before anything is sent.
 *
 * What all others refuse would hold them up for ever. Throws INVALID_PATH, naming the commit and what to do.
 */
export function checkToSend(objects: ObjectDatabase, tip: string, commits: readonly string[]): void {
  // What we committed ourselves may cost what it costs.
  const budget = new WorkBudget({ objects: Infinity, bytes: Infinity, paths: Infinity });
  for (const commit of commits) {
    try {
      checkObject(commit, objects.read(commit));
      checkComplete(objects, [commit], { budget, isBlob: () => true, look: checkTree });
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'REMOTE_REFUSED') throw error;
      throw unsendable(objects, commit, commit === tip, error);
    }
  }
}

/** Says that a commit must not leave the machine, and how it is made anew. `isTip`: nothing was committed since. */
function unsendable(objects: ObjectDatabase, commit: string, isTip: boolean, refusal: MemoryError): MemoryError {
  const short = commit.slice(0, 12);
  const what = refusal.what.replace(/^the remote /, '').replace(notTaken, '');
  const [parent] = objects.readCommit(commit).parents;
  const way = isTip
    ? 'Rename or remove the file with git, then `git commit --amend`'
    : `Rename or remove the file in that commit: \`git rebase -i ${parent?.slice(0, 12) ?? '--root'}\``;
  return new MemoryError('INVALID_PATH', `no other machine would take what goes: ${what}`, {
    where: short,
    hint: `Nothing was sent. ${way}`,
    cause: refusal,
  });
}

const emptyTree = cutTree(Buffer.alloc(0), '');

class CompleteWalk {
  private readonly objects: ObjectDatabase;
  private readonly options: CompleteOptions;
  /** Trees by place, since the rules are those of paths; blobs by name alone. */
  private readonly seen = new Set<string>();
  /** What the commit may still change. */
  private left = 0;

  constructor(objects: ObjectDatabase, options: CompleteOptions) {
    this.objects = objects;
    this.options = options;
  }

  commit(tree: string, parents: readonly string[]): void {
    // Files and folders, as listings count them.
    this.left = 2 * maxListedFiles;
    this.tree(tree, parents, '', 0);
  }

  private tree(name: string, parents: readonly string[], path: string, depth: number): void {
    const key = `${name}/${path}`;
    if (parents.includes(name) || this.seen.has(key)) return;
    if (depth > maxTreeDepth) throw refused('has folders in folders without end');
    this.seen.add(key);
    const tree = this.objects.readTreeBytes(name);
    this.options.look?.(name, tree.data);
    const known = parents.map((parent) => this.objects.readTreeBytes(parent));
    const [first = emptyTree] = known;
    for (const index of entriesBeyond(tree, first)) {
      const entry = entryAt(tree, index);
      const same = known.flatMap((other) => {
        const place = findName(other, entry.name);
        return place < 0 ? [] : entryAt(other, place);
      });
      if (same.some((other) => other.oid === entry.oid && other.mode === entry.mode)) continue;
      this.entry(entry, same, path === '' ? entry.name : `${path}/${entry.name}`, depth);
    }
  }

  private entry({ mode, oid: name }: TreeEntry, same: readonly TreeEntry[], path: string, depth: number): void {
    this.options.budget.spend('paths');
    this.left -= 1;
    if (this.left < 0) throw refused(`has a commit of more than ${maxListedFiles} files or folders`);
    if (mode === '120000' || mode === '160000') {
      throw refused(`has a symbolic link or submodule: ${JSON.stringify(path.slice(0, 120))}`);
    }
    if (mode === '40000') {
      const folders = same.filter((other) => other.mode === '40000').map((other) => other.oid);
      this.tree(name, folders, path, depth + 1);
      return;
    }
    if (checkPath(path) !== path) {
      throw refused(`has a name that is not composed (Unicode NFC): ${JSON.stringify(path.slice(0, 120))}`);
    }
    if (this.options.isBlob(name) || this.seen.has(name)) return;
    this.objects.readBlob(name);
    this.seen.add(name);
  }
}

function refused(what: string, cause?: unknown): MemoryError {
  return remoteRefused(/^has /.test(what) ? what : `${notTaken}${what}`, cause);
}

const notTaken = 'sends what git-memory does not take: ';
