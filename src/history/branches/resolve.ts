// Finishes what native git could not merge, above all a file that one side changed and the other removed, for which it asks no driver.

import { MemoryError } from '../../base/errors.ts';
import type { ResolveResult } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { contentOf } from '../../store/file-content.ts';
import type { IndexFile } from '../../store/git/index-file.ts';
import { nativelyLocked } from '../../store/git/native-lock.ts';
import { newObject } from '../../store/git/object-codec.ts';
import type { Repository } from '../../store/git/repository.ts';
import { maxNamed } from '../../store/guard/message.ts';
import type { Extent } from '../../store/guard/path.ts';
import { extentOf, isMemoryPath } from '../../store/hand-edits.ts';
import { textAt } from '../../store/merge-logs.ts';
import { noCommit, WorkTree } from '../../store/projection.ts';
import { kindOf } from '../../store/records/kind.ts';
import { replaceSequenceIds } from '../../store/records/sequence-id.ts';
import { holdsMarkers } from '../../store/records/unfinished-merge.ts';
import type { Version } from '../../store/tree-merge.ts';
import type { ProjectedFile } from '../../store/work-tree-files.ts';
import { newIds } from './merge.ts';
import { readUnfinishedMerge, type UnfinishedMerge, versionOf } from './unfinished-merge.ts';

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
