// Checks objects from elsewhere before they enter, each by itself and all together with nothing missing. Reads only, and throws.

import { MemoryError } from '../../base/errors.ts';
import { hasRefusedTime, timeRepair } from '../../store/git/commit-object.ts';
import type { GitObject } from '../../store/git/object-codec.ts';
import type { ObjectDatabase } from '../../store/git/object-database.ts';
import { checkForm } from '../../store/git/object-form.ts';
import { remoteRefused } from '../../store/git/pkt-line.ts';
import type { TreeEntry } from '../../store/git/tree.ts';
import { cutTree, entriesBeyond, entryAt, findName } from '../../store/git/tree-bytes.ts';
import { maxListedFiles, maxTreeDepth } from '../../store/guard/limits.ts';
import { checkPath } from '../../store/guard/path.ts';
import { WorkBudget } from '../../store/guard/work-budget.ts';
import { parentsFirst } from './parents-first.ts';

/** Passes an object that git and every file system take as it is, but for the rules of paths ({@link checkComplete}). Throws REMOTE_REFUSED. */
export function checkObject(name: string, object: GitObject): void {
  try {
    checkForm(name, object, true);
  } catch (error) {
    throw error instanceof MemoryError ? refused(error.what, error) : error;
  }
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

/** Passes commits of ours that every machine takes, for others would hang on them. Throws INVALID_PATH or INVALID_DATE, with commit and advice. */
export function checkToSend(objects: ObjectDatabase, tip: string, commits: readonly string[]): void {
  // What we committed ourselves may cost what it costs.
  const budget = new WorkBudget({ objects: Infinity, bytes: Infinity, paths: Infinity });
  for (const commit of commits) {
    try {
      checkObject(commit, objects.read(commit));
      checkComplete(objects, [commit], {
        budget,
        isBlob: () => true,
        look: (name, data) => checkObject(name, { type: 'tree', data }),
      });
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
  const isOfTime = hasRefusedTime(objects.read(commit).data);
  const way = isOfTime
    ? timeRepair
    : isTip
      ? 'Rename or remove the file with git, then `git commit --amend`'
      : `Rename or remove the file in that commit: \`git rebase -i ${parent?.slice(0, 12) ?? '--root'}\``;
  return new MemoryError(isOfTime ? 'INVALID_DATE' : 'INVALID_PATH', `no other machine would take what goes: ${what}`, {
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
    if (mode === '120000' || mode === '160000')
      throw refused(`has a symbolic link or submodule: ${JSON.stringify(path.slice(0, 120))}`);
    if (mode === '40000') {
      const folders = same.filter((other) => other.mode === '40000').map((other) => other.oid);
      this.tree(name, folders, path, depth + 1);
      return;
    }
    if (checkPath(path) !== path)
      throw refused(`has a name that is not composed (Unicode NFC): ${JSON.stringify(path.slice(0, 120))}`);
    if (this.options.isBlob(name) || this.seen.has(name)) return;
    this.objects.readBlob(name);
    this.seen.add(name);
  }
}

function refused(what: string, cause?: unknown): MemoryError {
  return remoteRefused(/^has /.test(what) ? what : `${notTaken}${what}`, cause);
}

const notTaken = 'sends what git-memory does not take: ';
