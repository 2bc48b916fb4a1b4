// Finds what a person changed in the work tree: files whose bytes are in neither the tip nor a projection.

import { MemoryError } from '../errors.ts';
import { checkMemoryPath, layoutRoots } from '../guard/path.ts';
import type { FileChange } from './operation.ts';
import type { WorkTree } from './projection.ts';
import type { Snapshot } from './snapshot.ts';

export interface HandEdits {
  /** Versions that were staged and then changed again: they go into history before {@link changes}. */
  readonly staged: readonly FileChange[];
  readonly changes: readonly FileChange[];
  /** What looks like an edit and cannot be one: a link, a name outside the layout. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

/** Tells whether a path has its place in the layout. */
export function isMemoryPath(path: string, isProject: boolean): boolean {
  return layoutRoots(isProject).includes(path.split('/', 1)[0]!);
}

/**
 * Compares files of the work tree with what the engine put there.
 *
 * `paths`: only those; `all`: every file of the layout, and files of the tip that are gone. Nothing outside the layout
 * is looked at: it is the person's own.
 */
export function findHandEdits(
  workTree: WorkTree,
  snapshot: Snapshot,
  paths: Iterable<string> | 'all',
  options: { isProject: boolean },
): HandEdits {
  const stagedChanges: FileChange[] = [];
  const changes: FileChange[] = [];
  const skipped: { path: string; why: string }[] = [];
  const tip = new Map<string, string | null>();
  const candidates = paths === 'all' ? allPaths(workTree, snapshot, options.isProject) : paths;
  const { index } = workTree.index();
  for (const path of candidates) {
    const expected = snapshot.oidOf(path);
    const entry = index.find(path);
    const present = workTree.inspect(path);
    if (entry === 'unmerged') {
      skipped.push({ path, why: 'a merge of it is in progress' });
      continue;
    }
    const projections = [expected, tipOid(snapshot, tip, path)];
    // Staged and changed again: the staged version would vanish with its index entry, so it goes into history first.
    const staged = entry !== null && !projections.includes(entry.oid) && entry.oid !== present?.oid ? entry.oid : null;
    if (present !== null && (present.stat.isSymbolicLink || !present.stat.isFile)) {
      if (expected !== null || present.stat.isSymbolicLink) skipped.push({ path, why: 'it is not a regular file' });
      continue;
    }
    const stagedBytes = staged !== null && (present !== null || paths !== 'all') ? workTree.readStaged(staged) : null;
    const isEdited = present !== null && (stagedBytes !== null || !projections.includes(present.oid));
    // Gone by hand if git's index still knows it; before its first checkout, or with its removal staged, it is not.
    const isGone = present === null && paths === 'all' && expected !== null && entry?.oid === expected;
    if (stagedBytes === null && !isEdited && !isGone) continue;
    try {
      if (expected === null) checkMemoryPath(path);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      skipped.push({ path, why: error.message });
      continue;
    }
    if (stagedBytes !== null) stagedChanges.push({ path, before: expected, after: stagedBytes });
    const before = stagedBytes === null ? expected : staged;
    if (isEdited) changes.push({ path, before, after: present.bytes ?? workTree.readFile(path) });
    else if (isGone) changes.push({ path, before, after: null });
  }
  return { staged: stagedChanges, changes, skipped };
}

function tipOid(snapshot: Snapshot, cache: Map<string, string | null>, path: string): string | null {
  if (!cache.has(path)) cache.set(path, snapshot.withoutOverlay().oidOf(path));
  return cache.get(path)!;
}

function* allPaths(workTree: WorkTree, snapshot: Snapshot, isProject: boolean): Generator<string> {
  const seen = new Set<string>();
  const roots = layoutRoots(isProject);
  for (const root of roots) {
    for (const path of workTree.walk(root)) {
      seen.add(path);
      yield path;
    }
  }
  for (const path of snapshot.list().keys()) {
    if (!seen.has(path) && roots.includes(path.split('/', 1)[0]!)) yield path;
  }
}
