// A merge that native git has begun and not finished, read from its index and heads. Says what the outcome should be, and what git has made
// of it.

import { MemoryError, orElse } from '../../base/errors.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import type { Codec } from '../../store/codec.ts';
import { deriveTree } from '../../store/derive.ts';
import { formatCommit } from '../../store/git/commit-object.ts';
import type { IndexEntry, IndexFile, Unmerged } from '../../store/git/index-file.ts';
import { branchUnderWay, isRebasing } from '../../store/git/native-operation.ts';
import { isOid, newObject } from '../../store/git/object-codec.ts';
import { ObjectOverlay } from '../../store/git/object-overlay.ts';
import { publishedTips } from '../../store/git/remotes.ts';
import type { Repository } from '../../store/git/repository.ts';
import { diffTrees, type FileMode, findEntry, type TreeChange } from '../../store/git/tree.ts';
import { kindOf } from '../../store/records/kind.ts';
import { memoryPath, parseMemory } from '../../store/records/memory-record.ts';
import type { Version } from '../../store/tree-merge.ts';
import { type MergePlan, type MergeSettings, planMerge } from '../merge.ts';

/** What a merge of native git should come to. */
export interface UnfinishedMerge {
  /** Holds the objects of the outcome, and `tree` is that. */
  readonly objects: ObjectOverlay;
  readonly tree: string;
  readonly unmerged: ReadonlyMap<string, Unmerged>;
  /** Paths whose outcome has to be looked at. */
  readonly paths: readonly string[];
  readonly conflicts: readonly string[];
  /** Entries of logs that are called otherwise now. */
  readonly renamed: MergePlan['renamed'];
  /** One commit is taken over, with its message. */
  readonly isPick: boolean;
  /** What should stand at a path. */
  outcomeAt(path: string): Version | null;
  /** What native git can have made of a path that it holds for merged, with our driver and without; none: whatever it has. */
  nativesAt(path: string): readonly (Version | null)[];
}

/** What is merged into what, and how, where that is not as the histories say. */
interface Parties extends Pick<MergeSettings, 'bases' | 'first' | 'newer' | 'followsLineage' | 'names'> {
  readonly ours: string;
  readonly theirs: string;
}

const maxHeadBytes = 1 << 16;

/**
 * Plans the outcome of a merge that is in the index.
 *
 * Of `git merge` it is what `git memory merge` of the two commits would be, of a rebase, cherry-pick or revert the same of that one commit.
 * Of a stash the index is all there is: its stages are merged, theirs as the later side. Throws NOT_FOUND where nothing is unfinished,
 * INVALID_ARGUMENT for merges of more than two.
 */
export function readUnfinishedMerge(
  { repository, codec, derivations }: BranchStore,
  index: IndexFile,
): UnfinishedMerge {
  const unmerged = index.unmerged();
  const objects = new ObjectOverlay(repository.objects);
  const { ours, theirs, ...way } = partiesOf(repository, objects, codec, index);
  const branch = branchUnderWay(repository);
  const published = branch === null ? [] : publishedTips(repository, branch);
  const settings = { by: 'kind', codec, published, ...way } as const;
  const plan = planMerge(objects, ours, theirs, settings);
  const natives = [{ asDriver: true }, { by: 'line' }] as const;
  const plans = natives.map((one) => planMerge(objects, ours, theirs, { ...settings, ...one }));
  const staged = plan.objects.editTree(null, new Map(stagedVersions(index)));
  const before = objects.readCommit(ours).tree;
  const outcome = deriveTree(derivations, plan.objects, before, plan.tree, codec);
  // Git's guess of a rename can have taken a file away that by rights nobody changed here.
  const moved = diffTrees(before, staged, plan.objects.readTreeBytes);
  const derived = diffTrees(plan.tree, outcome, plan.objects.readTreeBytes);
  const changed = [...plan.changes, ...plans.flatMap(({ changes }) => changes), ...moved, ...derived];
  return {
    objects: plan.objects,
    tree: outcome,
    unmerged,
    paths: [...new Set([...unmerged.keys(), ...changed.map(({ path }) => path)])].sort(),
    conflicts: plan.conflicts,
    renamed: plan.renamed,
    isPick: way.bases !== undefined,
    outcomeAt: (path) => versionAt(plan.objects, outcome, path),
    nativesAt: (path) => plans.map((one) => versionAt(one.objects, one.tree, path)),
  };
}

/** Throws as {@link readUnfinishedMerge}. */
function partiesOf(repository: Repository, objects: ObjectOverlay, codec: Codec, index: IndexFile): Parties {
  const path = `${repository.gitDirectory}/MERGE_HEAD`;
  const heads = (repository.disk.readText(path, maxHeadBytes) ?? '').split('\n').filter((line) => line !== '');
  const ours = repository.refs.read('HEAD');
  if (heads.length > 1 || !heads.every(isOid)) {
    const hint = 'Merge them one by one';
    throw new MemoryError('INVALID_ARGUMENT', 'more than two histories are being merged', { where: path, hint });
  }
  const [merged] = heads;
  const isStopped = index.unmerged().size > 0;
  const named = merged !== undefined ? { theirs: merged } : isStopped ? pickedIn(repository) : null;
  if (named !== null && ours !== null) return { ours, ...named };
  if (isStopped) return sidesOfStages(objects, codec, index);
  throw new MemoryError('NOT_FOUND', 'no merge is unfinished here', {
    where: repository.gitDirectory,
    hint: 'Resolve finishes what `git merge` could not settle; `git memory merge` needs no help',
  });
}

/** Finds the one commit that native git is taking over, or back; null where there is none. A rebase has our own as theirs. */
function pickedIn(repository: Repository): Omit<Parties, 'ours'> | null {
  const { disk, gitDirectory, objects } = repository;
  for (const name of ['REBASE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'] as const) {
    const commit = disk.readText(`${gitDirectory}/${name}`, maxHeadBytes)?.trim() ?? '';
    // A rebase leaves the name of its last stop behind.
    if (!isOid(commit) || (name === 'REBASE_HEAD' && !isRebasing(repository))) continue;
    const [parent] = objects.readCommit(commit).parents;
    if (parent === undefined) return null;
    if (name === 'REVERT_HEAD') return { theirs: parent, bases: [commit], newer: 'theirs' };
    return { theirs: commit, bases: [parent], newer: 'theirs', first: name === 'REBASE_HEAD' ? 'theirs' : 'ours' };
  }
  return null;
}

/** Of a stash git names no commits: each side is the index with its stages, thought of as one. What merged is on all sides. */
function sidesOfStages(objects: ObjectOverlay, codec: Codec, index: IndexFile): Parties {
  const commitOf = (side: keyof Unmerged): string => {
    const files = new Map<string, TreeChange>(stagedVersions(index));
    for (const [path, stages] of index.unmerged()) {
      const version = stages[side] && versionOf(stages[side]);
      if (version !== null) files.set(placeOf(objects, codec, path, version), version);
    }
    const nobody = { name: side, email: '', time: 0, zone: '+0000' };
    const content = {
      tree: objects.editTree(null, files),
      parents: [],
      author: nobody,
      committer: nobody,
      message: '',
    };
    const thought = newObject('commit', formatCommit(content));
    objects.add(thought);
    return thought.oid;
  };
  const [base, ours, theirs] = [commitOf('base'), commitOf('ours'), commitOf('theirs')];
  const names = { ours: 'ours', theirs: 'theirs' };
  return { ours, theirs, bases: [base], newer: 'theirs', followsLineage: 'any', names };
}

const stagedVersions = (index: IndexFile): (readonly [string, Version])[] =>
  [...index.entries()].map((entry) => [entry.path, versionOf(entry)] as const);

/** Where a record belongs by its id: git's rename detection may have put it under the name of another that is alike. */
function placeOf(objects: ObjectOverlay, codec: Codec, path: string, version: Version): string {
  if (kindOf(path) !== 'memory' || !version.mode.startsWith('100')) return path;
  const read = () => {
    const stored = objects.readBlob(version.oid);
    return codec.canDecode(stored) ? parseMemory(codec.decode(path, stored).toString('utf8'), path) : null;
  };
  const record = orElse(read, null, 'INVALID_RECORD', 'TOO_LARGE');
  return record === null || path.endsWith(`/${record.id}.json`) ? path : memoryPath(record.id);
}

function versionAt(objects: ObjectOverlay, tree: string, path: string): Version | null {
  const entry = findEntry(tree, path, objects.readTree);
  return entry === null || entry.mode === '40000' ? null : { mode: entry.mode, oid: entry.oid };
}

/** An entry of the index as one of a tree. */
export function versionOf({ mode, oid }: IndexEntry): Version {
  return { mode: mode.toString(8) as Exclude<FileMode, '40000'>, oid };
}
