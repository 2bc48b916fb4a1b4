// Finds what a person changed in the work tree: files whose bytes are in neither the tip nor a projection.

import { MemoryError } from '../errors.ts';
import type { FileStat } from '../git/disk.ts';
import { maxRawBytes } from '../guard/limits.ts';
import { checkMemoryPath, layoutRoots } from '../guard/path.ts';
import type { StoredBytes } from './codec.ts';
import { isKept, restoredEdit } from './engine-files.ts';
import type { FileChange } from './operation.ts';
import type { WorkTree } from './projection.ts';
import type { Snapshot } from './snapshot.ts';
import { isTorn } from './work-tree-files.ts';

export interface HandEdits {
  /** Versions that were staged and then changed again: they go into history before {@link changes}. */
  readonly staged: readonly FileChange[];
  readonly changes: readonly FileChange[];
  /** Files that a power cut left short, or that the engine keeps: not edits, but projections to be written again. */
  readonly torn: readonly string[];
  /** What looks like an edit and cannot be one: a link, a name outside the layout. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  /** How many files were looked at. */
  readonly count: number;
}

export interface HandEditOptions {
  /** The work tree is that of a code project. */
  readonly isProject: boolean;
  /** Tells whether the engine may have written that blob there: it is a pending version, maybe not the last. */
  isProjection(path: string, oid: string): boolean;
  /** Tells whether the engine may have written some version there that is not in the tip. */
  hasProjection(path: string): boolean;
  /** What is about to be written, and looked at wherever it lies: in a code project the layout leaves out names that may be its own. */
  readonly also?: Iterable<string>;
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
  options: HandEditOptions,
): HandEdits {
  const stagedChanges: FileChange[] = [];
  const changes: FileChange[] = [];
  const torn: string[] = [];
  const skipped: { path: string; why: string }[] = [];
  const tip = snapshot.withoutOverlay();
  const listing = paths === 'all' ? snapshot.listStored() : null;
  const candidates = listing === null ? somePaths(paths) : allPaths(workTree, listing, options);
  const { index, stat: indexStat } = workTree.index();
  let count = 0;
  for (const { path, stat } of candidates) {
    count += 1;
    const expected = listing === null ? snapshot.oidOf(path) : (listing.get(path) ?? null);
    const entry = index.find(path);
    const present = workTree.inspect(path, stat, { index, indexStat, entry });
    // The usual case by far, and the only one that has to be quick.
    if (present !== null && present.oid === expected && entry !== 'unmerged' && entry?.oid === expected) continue;
    if (entry === 'unmerged') {
      skipped.push({ path, why: 'a merge of it is in progress' });
      continue;
    }
    const tipOid = tip.oidOf(path);
    const isKnown = (oid: string) => oid === expected || oid === tipOid || options.isProjection(path, oid);
    // Staged and changed again: the staged version would vanish with its index entry, so it goes into history first.
    const staged = entry !== null && !isKnown(entry.oid) && entry.oid !== present?.oid ? entry.oid : null;
    if (present !== null && (present.stat.isSymbolicLink || !present.stat.isFile)) {
      if (expected !== null || present.stat.isSymbolicLink) skipped.push({ path, why: 'it is not a regular file' });
      continue;
    }
    if (present !== null && present.oid === null) {
      skipped.push({ path, why: `it has ${present.stat.size} bytes, and ${maxRawBytes} are allowed` });
      continue;
    }
    if (present === null && entry?.isSkipped) continue;
    if (present === null && expected !== null && workTree.files.linkAbove(path) !== null) {
      skipped.push({ path, why: 'a symbolic link stands above it' });
      continue;
    }
    const stagedBytes = staged !== null && (present !== null || paths !== 'all') ? workTree.readStaged(staged) : null;
    const isEdited = present !== null && (stagedBytes !== null || !isKnown(present.oid!));
    // Gone by hand if git's index still knows it; before its first checkout, or with its removal staged, it is not.
    const isGone = present === null && paths === 'all' && expected !== null && entry?.oid === expected;
    if (stagedBytes === null && !isEdited && !isGone) continue;
    const bytes = isEdited ? (present.bytes ?? workTree.files.readFile(path)) : null;
    // What a power cut leaves is the beginning of the version that was placed last: the present one, or that of the tip while the present
    // waits for its place. Of a file that came and went before the flush it may leave the name alone.
    const isPowerCut = () =>
      [snapshot, tip].some((state) => {
        // Of a text that is locked nobody knows the beginning.
        if (!state.isReadable(path)) return false;
        const placed = state.read(path);
        return placed === null ? bytes!.length === 0 && options.hasProjection(path) : isTorn(path, bytes!, placed);
      });
    if (stagedBytes === null && bytes !== null && isPowerCut()) {
      torn.push(path);
      continue;
    }
    const kept = () => snapshot.read(path) ?? tip.read(path);
    const restored = isKept(path) && (isEdited || isGone) ? restoredEdit(path, kept(), bytes) : bytes;
    if (restored !== bytes && restored !== null && kept()?.equals(restored)) {
      torn.push(path);
      continue;
    }
    let stored: StoredBytes | null = null;
    try {
      if (expected === null) checkMemoryPath(path);
      stored = restored && workTree.files.content.toStored(path, restored);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      skipped.push({ path, why: error.message });
      continue;
    }
    if (stagedBytes !== null) stagedChanges.push({ path, before: expected, after: stagedBytes });
    const before = stagedBytes === null ? expected : staged;
    if (isEdited) changes.push({ path, before, after: stored });
    else if (isGone) changes.push({ path, before, after: stored });
  }
  return { staged: stagedChanges, changes, torn, skipped, count };
}

interface Candidate {
  readonly path: string;
  /** Known where the file was found by walking the work tree. */
  readonly stat?: FileStat;
}

function* somePaths(paths: Iterable<string> | 'all'): Generator<Candidate> {
  for (const path of paths) yield { path };
}

function* allPaths(
  workTree: WorkTree,
  listing: ReadonlyMap<string, string>,
  { isProject, also = [] }: Pick<HandEditOptions, 'isProject' | 'also'>,
): Generator<Candidate> {
  const seen = new Set<string>();
  const roots = new Set(layoutRoots(isProject));
  for (const root of roots) {
    for (const found of workTree.files.walk(root)) {
      seen.add(found.path);
      yield found;
    }
  }
  for (const path of listing.keys()) {
    if (!seen.has(path) && roots.has(path.split('/', 1)[0]!)) yield { path };
  }
  for (const path of new Set(also)) if (!roots.has(path.split('/', 1)[0]!)) yield { path };
}
