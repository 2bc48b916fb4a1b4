// Finishes what native git could not merge, above all a file that one side changed and the other removed, for which it asks no driver.

import { MemoryError, orElse } from '../../base/errors.ts';
import type { ResolveResult } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import type { Codec } from '../../store/codec.ts';
import { deriveTree } from '../../store/derive.ts';
import { contentOf } from '../../store/file-content.ts';
import { formatCommit } from '../../store/git/commit-object.ts';
import type { IndexEntry, IndexFile, Unmerged } from '../../store/git/index-file.ts';
import { nativelyLocked } from '../../store/git/native-lock.ts';
import { branchUnderWay, isRebasing } from '../../store/git/native-operation.ts';
import { isOid, newObject } from '../../store/git/object-codec.ts';
import { ObjectOverlay } from '../../store/git/object-overlay.ts';
import { publishedTips } from '../../store/git/remotes.ts';
import type { Repository } from '../../store/git/repository.ts';
import { diffTrees, type FileMode, findEntry, type TreeChange } from '../../store/git/tree.ts';
import { maxNamed } from '../../store/guard/message.ts';
import type { Extent } from '../../store/guard/path.ts';
import { extentOf, isMemoryPath } from '../../store/hand-edits.ts';
import { textAt } from '../../store/merge-logs.ts';
import { noCommit, WorkTree } from '../../store/projection.ts';
import { kindOf } from '../../store/records/kind.ts';
import { memoryPath, parseMemory } from '../../store/records/memory-record.ts';
import { replaceSequenceIds } from '../../store/records/sequence-id.ts';
import { holdsMarkers } from '../../store/records/unfinished-merge.ts';
import type { Version } from '../../store/tree-merge.ts';
import type { ProjectedFile } from '../../store/work-tree-files.ts';
import { type MergePlan, type MergeSettings, planMerge } from '../merge.ts';
import { newIds } from './merge.ts';

interface Resolution extends ResolveResult {
  readonly files: readonly ProjectedFile[];
}

/**
 * Settles, in index and work tree, the paths that native git has left unmerged. It also settles those that git merged otherwise than
 * `git memory merge` does, since git knows one file at a time. What a person has edited since stays; in a code project all but the memory
 * does.
 *
 * The commit is left to `git commit` (or `git rebase --continue` …). Throws NOT_FOUND where nothing is unfinished, INVALID_ARGUMENT for a
 * bare repository, LOCKED while native git holds the index.
 */
export async function resolveMerge(store: BranchStore, isProject: boolean, dryRun: boolean): Promise<ResolveResult> {
  const { repository } = store;
  if (repository.workTree === null) {
    throw new MemoryError('INVALID_ARGUMENT', 'a bare repository has no merge to finish', {
      where: repository.gitDirectory,
      hint: 'Use `git memory merge`',
    });
  }
  const workTree = new WorkTree(repository, store.ref, contentOf(repository, store.codec));
  const plan = (): [Resolution, UnfinishedMerge] => {
    const { index } = workTree.index();
    const merge = readUnfinishedMerge(store, index);
    const extent = extentOf(isProject, (path) => textAt(merge.objects, store.codec, merge.tree, path));
    return [planResolution(workTree, index, merge, extent), merge];
  };
  const shown = ({ resolved, conflicts, remaining, tree }: Resolution): ResolveResult => {
    return { resolved, conflicts, remaining, tree };
  };
  if (dryRun) return shown(plan()[0]);
  return store.exclusively(() => {
    const [resolution, merge] = plan();
    if (resolution.files.length > 0) apply(workTree, resolution.files);
    noteInMessages(repository, resolution.conflicts, merge);
    return shown(resolution);
  });
}

function planResolution(workTree: WorkTree, index: IndexFile, merge: UnfinishedMerge, extent: Extent): Resolution {
  const files: ProjectedFile[] = [];
  const remaining: { path: string; why: string }[] = [];
  const after = new Map<string, Version | null>();
  for (const path of merge.paths) {
    const wanted = merge.outcomeAt(path);
    const decision = decide(workTree, index, merge, path, wanted, extent);
    if (decision === 'settled') continue;
    if (decision !== 'settle') {
      remaining.push({ path, why: decision });
      continue;
    }
    after.set(path, wanted);
    files.push({
      path,
      oid: wanted?.oid ?? null,
      bytes: wanted && merge.objects.readBlob(wanted.oid),
      isExecutable: wanted?.mode === '100755',
    });
  }
  const left = new Set(remaining.map(({ path }) => path));
  return {
    files,
    remaining,
    resolved: files.map(({ path, bytes }) => ({ path, outcome: bytes === null ? 'removed' : 'merged' }) as const),
    conflicts: merge.conflicts.filter((path) => !left.has(path) && isOurs(path, extent)),
    tree: [...merge.unmerged.keys()].every((path) => after.has(path)) ? treeAfter(index, merge, after) : null,
  };
}

/** In a repository of its own all is the memory's. */
const isOurs = (path: string, extent: Extent): boolean => extent === 'memory' || isMemoryPath(path, extent);

/** Whether a path is to be settled, is settled already, or why it stays. */
function decide(
  workTree: WorkTree,
  index: IndexFile,
  merge: UnfinishedMerge,
  path: string,
  wanted: Version | null,
  extent: Extent,
): string {
  const stages = merge.unmerged.get(path);
  if (!isOurs(path, extent)) return stages === undefined ? 'settled' : 'it is not part of the memory';
  if (wanted !== null && !wanted.mode.startsWith('100'))
    return stages === undefined ? 'settled' : 'the engine writes no links and no submodules';
  const natives = merge.nativesAt(path);
  const known = [wanted, ...natives, ...Object.values(stages ?? {}).map((entry) => entry && versionOf(entry))];
  const entry = index.find(path);
  const staged = entry === null || entry === 'unmerged' ? null : versionOf(entry);
  if (stages === undefined) {
    if (isSame(staged, wanted)) return 'settled';
    // Git's guess that a folder moved takes a record away from its place; nobody else does in a merge.
    const isMoved = staged === null && wanted !== null && ['memory', 'relation'].includes(kindOf(path));
    const isNative = natives.length === 0 || natives.some((native) => isSame(staged, native));
    if (!isNative && !isMoved) return 'it was resolved by hand';
    known.push(staged);
  }
  const found = workTree.inspect(path);
  const isKnown = found === null || known.some((version) => version?.oid === found.oid);
  const isOfGit =
    stages !== undefined && holdsMarkers(workTree.files.readFile(path)?.toString('latin1') ?? '', 'counts');
  return isKnown || isOfGit ? 'settle' : 'it was edited by hand; `git add` keeps that';
}

function treeAfter(index: IndexFile, merge: UnfinishedMerge, after: ReadonlyMap<string, Version | null>): string {
  const files = new Map([...index.entries()].map((entry) => [entry.path, versionOf(entry) as Version | null]));
  for (const [path, version] of after) files.set(path, version);
  return merge.objects.editTree(null, files);
}

/** Writes blobs, files and index; until the index is renamed into place, the merge is as unfinished as before. */
function apply(workTree: WorkTree, files: readonly ProjectedFile[]): void {
  const { repository } = workTree;
  const blobs = files.flatMap(({ bytes }) => (bytes === null ? [] : newObject('blob', bytes)));
  const release = repository.objects.write(blobs.filter(({ oid }) => !repository.objects.has(oid)));
  const staged = workTree.stage(files, { from: repository.refs.read('HEAD'), to: noCommit });
  const state = workTree.lock(staged, true);
  if (state !== 'locked') {
    workTree.abandon(staged, false);
    release();
    throw nativelyLocked(repository, `${repository.gitDirectory}/index.lock`, 'another program holds the git index');
  }
  workTree.finish(staged, true);
  release();
}

/**
 * Names in the message of the commit to come what was kept against the other side, and the new ids. `git memory merge` does so in its own. In
 * the message of a commit that is taken over the ids are the new ones.
 */
function noteInMessages(
  { disk, gitDirectory }: Repository,
  conflicts: readonly string[],
  { renamed, isPick }: UnfinishedMerge,
): void {
  const names = new Map(renamed.flatMap(({ side, from, to }) => (side === 'theirs' ? [[from, to] as const] : [])));
  for (const name of ['MERGE_MSG', 'rebase-merge/message']) {
    const path = `${gitDirectory}/${name}`;
    const message = conflicts.length + renamed.length === 0 ? null : disk.readText(path);
    if (message === null) continue;
    const lines = message.split('\n').filter((line) => !line.startsWith('#') && !line.startsWith('Conflict: '));
    const text = lines.join('\n').trimEnd();
    const withIds = () => [text, '', ...newIds(renamed, 'theirs')].join('\n').trimEnd();
    const told = isPick ? replaceSequenceIds(text, (id) => names.get(id) ?? id) : withIds();
    const named = conflicts.slice(0, maxNamed).map((one) => `Conflict: ${one}`);
    disk.replace(path, [Buffer.from(`${told}\n${named.length === 0 ? '' : `\n${named.join('\n')}\n`}`)]);
  }
}

const isSame = (a: Version | null, b: Version | null): boolean => a?.oid === b?.oid && a?.mode === b?.mode;

/** What a merge of native git should come to. */
interface UnfinishedMerge {
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
function readUnfinishedMerge({ repository, codec, derivations }: BranchStore, index: IndexFile): UnfinishedMerge {
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
function versionOf({ mode, oid }: IndexEntry): Version {
  return { mode: mode.toString(8) as Exclude<FileMode, '40000'>, oid };
}
