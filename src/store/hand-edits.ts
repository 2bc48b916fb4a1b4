// Finds what a person changed in the work tree: files whose bytes are in neither the tip nor a projection.

import { MemoryError } from '../base/errors.ts';
import type { StoredBytes } from './codec.ts';
import { isKept, restoredEdit } from './engine-files.ts';
import type { FileStat } from './git/disk.ts';
import type { IndexFile } from './git/index-file.ts';
import { maxRawBytes } from './guard/limits.ts';
import { checkMemoryPath, type Extent, layoutRoots } from './guard/path.ts';
import type { FileChange } from './operation.ts';
import type { Moment, WorkTree } from './projection.ts';
import { changelogPath, isEventLog } from './records/changelog.ts';
import { holdsMarkers } from './records/unfinished-merge.ts';
import type { Snapshot } from './snapshot.ts';
import { isTorn } from './work-tree-files.ts';

export interface HandEdits {
  /** Versions that were staged and then changed again: they go into history before {@link changes}. */
  readonly staged: readonly FileChange[];
  readonly changes: readonly FileChange[];
  /** Files that a power cut left short, or that the engine keeps: not edits, but projections to be written again. */
  readonly torn: readonly string[];
  /** What looks like an edit and cannot be one: a link, a name outside the layout. The file stays as it lies. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  /** Files, or folders with many, that are gone without a proof that somebody took them away: the memory has them, and nothing is committed. */
  readonly missing: readonly { readonly path: string; readonly why: string }[];
  /** How many files were looked at. */
  readonly count: number;
}

interface HandEditOptions {
  /** What of the work tree is the memory's. */
  readonly extent: Extent;
  /** Tells whether the engine may have written that blob there: it is a pending version, maybe not the last. */
  isProjection(path: string, oid: string): boolean;
  /** Tells whether the engine may have written some version there that is not in the tip. */
  hasProjection(path: string): boolean;
  /** Says why files that are gone now need not have been removed by a person; null where nothing else is known to have done it. */
  whyUnproven?(): string | null;
  /** Tells which paths somebody wants committed as they lie, also with lines in them that look like conflicts. */
  isNamed?(path: string): boolean;
  /** Tells which files somebody says were removed on purpose. */
  mayBeGone?(path: string): boolean;
  /** When the work tree was looked at; default: now. */
  readonly since?: Moment;
  /** What is about to be written, and looked at wherever it lies. The layout leaves out names that may be a code project's own. */
  readonly also?: Iterable<string>;
}

/** So many files may be gone at once to be believed; more are what a checkout, a sync of folders or an accident leaves. */
const fewMissing = 3;
/** Of more files that are gone only the folders are named. */
const maxNamed = 10;
/** What to do where something is left aside until a person says that it is meant. */
const namedCommitHint = '`git memory commit <path>` commits it as it lies';

/** A state as it lies in the work tree: which files are there as somebody edited them, and which edits no commit would take in. */
export interface LyingState {
  readonly snapshot: Snapshot;
  readonly edited?: readonly string[];
  readonly refused?: HandEdits['skipped'];
}

/** Puts what was found upon a present. */
export const lyingState = (present: Snapshot, { changes, skipped }: HandEdits): LyingState => ({
  snapshot: changes.length === 0 ? present : present.with(changes),
  ...(changes.length === 0 ? {} : { edited: changes.map(({ path }) => path) }),
  ...(skipped.length === 0 ? {} : { refused: skipped }),
});

export const noHandEdits: HandEdits = { staged: [], changes: [], torn: [], skipped: [], missing: [], count: 0 };

export const isUnedited = ({ staged, changes }: HandEdits): boolean => staged.length + changes.length === 0;

/** Gives the hand edits that are wanted; what is left aside elsewhere is named as before. */
export function someEdits(edits: HandEdits, isWanted: (change: FileChange) => boolean): HandEdits {
  return { ...edits, staged: edits.staged.filter(isWanted), changes: edits.changes.filter(isWanted) };
}

/** Tells whether a path is the memory's; default: in a repository of its own. */
export const isMemoryPath = (path: string, extent: Extent = 'memory'): boolean =>
  layoutRoots(extent).includes(path.split('/', 1)[0]!);

/** Tells what of a work tree is the memory's in a state whose files this reads; null is one that is not there, or locked. */
export function extentOf(isProject: boolean, readText: (path: string) => string | null): Extent {
  if (!isProject) return 'memory';
  return isEventLog(readText(changelogPath) ?? '') ? 'logged project' : 'project';
}

/** The same of a state of the memory. */
export const extentAt = (isProject: boolean, state: Snapshot): Extent =>
  extentOf(isProject, (path) => (state.isReadable(path) ? state.textIfWhole(path) : null));

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
  const listing = paths === 'all' ? snapshot.listStored() : null;
  const { index, stat: indexStat } = workTree.index(options.since);
  const candidates = listing === null ? [...paths] : touchedPaths(workTree, listing, options);
  const look: Look = { workTree, snapshot, tip: snapshot.withoutOverlay(), listing, index, indexStat, options };
  const found: Found = { staged: [], changes: [], torn: [], skipped: [], gone: [] };
  for (const path of candidates) lookAt(path, look, found);
  const { gone, changes, ...rest } = found;
  const unasked = gone.filter(({ path }) => !options.mayBeGone?.(path));
  const why = unasked.length > 0 ? whyKept(unasked.length, options) : null;
  const kept = new Set(why === null ? [] : unasked);
  changes.push(...gone.filter((change) => !kept.has(change)));
  const places = new Set([...kept].map(({ path }) => (kept.size > maxNamed ? path.split('/', 1)[0]! : path)));
  const missing = [...places].map((path) => ({ path, why: why! }));
  return { ...rest, changes, missing, count: listing === null ? candidates.length : listing.size };
}

/** The state that files of the work tree are compared with. */
interface Look {
  readonly workTree: WorkTree;
  readonly snapshot: Snapshot;
  /** Without what is pending. */
  readonly tip: Snapshot;
  /** Blob ids by path where every file is looked at. */
  readonly listing: ReadonlyMap<string, string> | null;
  readonly index: IndexFile;
  readonly indexStat: FileStat | null;
  readonly options: HandEditOptions;
}

interface Found {
  readonly staged: FileChange[];
  readonly changes: FileChange[];
  readonly torn: string[];
  readonly skipped: { path: string; why: string }[];
  readonly gone: FileChange[];
}

/** Looks at one file, and notes what became of it. */
function lookAt(path: string, look: Look, found: Found): void {
  const { workTree, snapshot, tip, listing, index, indexStat, options } = look;
  const skip = (why: string): void => void found.skipped.push({ path, why });
  const expected = listing === null ? snapshot.oidOf(path) : (listing.get(path) ?? null);
  const entry = index.find(path);
  const present = workTree.inspect(path, undefined, { index, indexStat, entry });
  if (present !== null && present.oid === expected && entry !== 'unmerged' && entry?.oid === expected) return;
  if (entry === 'unmerged') {
    skip('native git could not merge it: `git memory merge resolve` does, or edit it and `git add` it');
    return;
  }
  const tipOid = tip.oidOf(path);
  const isKnown = (oid: string) => oid === expected || oid === tipOid || options.isProjection(path, oid);
  // Staged and changed again: the staged version would vanish with its index entry, so it goes into history first.
  const staged = entry !== null && !isKnown(entry.oid) && entry.oid !== present?.oid ? entry.oid : null;
  if (present !== null && (present.stat.isSymbolicLink || !present.stat.isFile)) {
    if (expected !== null || present.stat.isSymbolicLink) skip('it is not a regular file');
    return;
  }
  if (present !== null && present.oid === null) {
    skip(`it has ${present.stat.size} bytes, and ${maxRawBytes} are allowed`);
    return;
  }
  if (present === null && entry?.isSkipped) return;
  if (present === null && expected !== null && workTree.files.linkAbove(path) !== null) {
    skip('a symbolic link stands above it');
    return;
  }
  const stagedBytes = staged !== null && (present !== null || listing === null) ? workTree.readStaged(staged) : null;
  const isEdited = present !== null && (stagedBytes !== null || !isKnown(present.oid!));
  // Gone by hand if git's index still knows it; before its first checkout, or with its removal staged, it is not.
  const isGone = present === null && listing !== null && expected !== null && entry?.oid === expected;
  if (stagedBytes === null && !isEdited && !isGone) return;
  const bytes = isEdited ? (present.bytes ?? workTree.files.readFile(path)) : null;
  const kept = () => snapshot.readIfWhole(path) ?? tip.readIfWhole(path);
  const isCut = stagedBytes === null && bytes !== null && isPowerCut(path, bytes, look);
  if (!isCut && isKept(path) && expected !== null && stagedBytes === null && kept() === null) return;
  const restored = !isCut && isKept(path) && (isEdited || isGone) ? restoredEdit(path, kept(), bytes) : bytes;
  if (isCut || (restored !== bytes && restored !== null && kept()?.equals(restored))) {
    found.torn.push(path);
    return;
  }
  if (isEdited && !options.isNamed?.(path) && hasNewMarkers(path, bytes, look)) {
    const what = 'it has the lines by which git marks a conflict';
    skip(`${what}: take them out, or, if they are meant, ${namedCommitHint}`);
    return;
  }
  let stored: StoredBytes | null = null;
  try {
    if (expected === null && checkMemoryPath(path) !== path) {
      skip('its name is not composed (Unicode NFC): rename it, or write it with `git memory file write`');
      return;
    }
    stored = restored && workTree.files.content.toStored(path, restored);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    skip(error.message);
    return;
  }
  if (stagedBytes !== null) found.staged.push({ path, before: expected, after: stagedBytes });
  const before = stagedBytes === null ? expected : staged;
  if (isEdited || (isGone && stored !== null)) found.changes.push({ path, before, after: stored });
  else if (isGone) found.gone.push({ path, before, after: null });
}

/**
 * Tells whether a file is what a power cut leaves: the beginning of the version that was placed last. That is the present one, or that of the
 * tip while the present waits for its place. Of a file that came and went before the flush it may leave the name alone.
 */
function isPowerCut(path: string, bytes: Buffer, { snapshot, tip, options }: Look): boolean {
  return [snapshot, tip].some((state) => {
    // Of a text that is locked nobody knows the beginning.
    if (!state.isReadable(path)) return false;
    const placed = state.readIfWhole(path);
    return placed === null ? bytes.length === 0 && options.hasProjection(path) : isTorn(path, bytes, placed);
  });
}

function hasNewMarkers(path: string, bytes: Buffer | null, { snapshot, tip }: Look): boolean {
  const hasMarkers = (text: Buffer | null) => text !== null && holdsMarkers(text.toString('latin1'));
  const had = (state: Snapshot) => state.isReadable(path) && hasMarkers(state.readIfWhole(path));
  return hasMarkers(bytes) && !had(snapshot) && !had(tip);
}

/** A missing file proves nothing; a few in a work tree in which nothing else happened were taken away by a person. */
function whyKept(count: number, options: HandEditOptions): string | null {
  const why = count > fewMissing ? `${count} files are gone at once` : (options.whyUnproven?.() ?? null);
  return why === null
    ? null
    : `gone from the work tree, and kept in the memory, for ${why}: if it is meant, ${namedCommitHint}`;
}

/** Lists what has to be looked at. Files that git's index has as the memory has them, and that were not touched since, need not be. */
function touchedPaths(
  workTree: WorkTree,
  listing: ReadonlyMap<string, string>,
  { extent, also = [], since }: Pick<HandEditOptions, 'extent' | 'also' | 'since'>,
): string[] {
  const roots = new Set(layoutRoots(extent));
  const isOutside = (path: string) => !roots.has(path.split('/', 1)[0]!);
  const isUntouched = workTree.untouched(since);
  const touched: string[] = [];
  // Both go through the files in about the same order: to look each of 100,000 paths up would cost a third of what lstat(2) does.
  const rest = listing.entries();
  let next = rest.next().value;
  const passed = new Set<string>();
  const expectedOf = (path: string): string | undefined => {
    if (next?.[0] !== path) {
      const oid = listing.get(path);
      if (oid === undefined || passed.delete(path)) return oid;
      for (; next![0] !== path; next = rest.next().value) passed.add(next![0]);
    }
    const [, oid] = next!;
    next = rest.next().value;
    return oid;
  };
  for (const root of [...roots].sort()) {
    workTree.files.walk(root, (path, stat) => {
      if (!isUntouched(path, stat, expectedOf(path))) touched.push(path);
    });
  }
  for (; next !== undefined; next = rest.next().value) passed.add(next[0]);
  for (const path of passed) if (!isOutside(path)) touched.push(path);
  for (const path of new Set(also)) if (isOutside(path)) touched.push(path);
  return touched;
}
