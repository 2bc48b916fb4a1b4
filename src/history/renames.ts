// Detects renames as git does, for one path: by name, content and likeness, at least half alike, at most 1,000 × 1,000 comparisons. Follows
// diffcore-rename.c of git 2.47 with its defaults.

import type { ObjectDatabase } from '../store/git/object-database.ts';
import { maxScore, Similarity } from '../store/git/similarity.ts';
import { type TreeDifference, walkTree } from '../store/git/tree.ts';

/** What is renamed is at least half alike. */
const minimumScore = maxScore / 2;
/** Files of the same name need three quarters to be paired without looking further. */
const sameNameScore = (maxScore * 3) / 4;
const maxComparisons = 1_000 * 1_000;
/** Candidates that git keeps of all, for each file that came. */
const maxCandidates = 4;
/** Above so many files that stayed they are no sources but for their exact text: each would have to be read. */
const maxCopySources = 5_000;

/** A file of the tree before. */
interface RenameSource {
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
}

interface Source extends RenameSource {
  /** It is still there afterwards, so this would be a copy. */
  readonly isKept: boolean;
}

interface Candidate {
  readonly source: Source;
  readonly score: number;
  readonly isSameName: boolean;
}

/**
 * Finds the file that a path was renamed from, given all changes of the commit; `null` when it was not, or was there before.
 *
 * With `copies`, the tree before: its files that are still there count as sources too (`--find-copies-harder`, as `git log --follow`
 * does).
 */
export function findRename(
  objects: ObjectDatabase,
  changes: readonly TreeDifference[],
  path: string,
  copies?: { readonly tree: string },
): RenameSource | null {
  const target = changes.find((change) => change.path === path);
  if (!target?.after || target.before) return null;
  const sources: Source[] = copies
    ? allSources(objects, changes, copies.tree)
    : changes.flatMap((change) =>
        change.before && !change.after ? [{ path: change.path, ...change.before, isKept: false }] : [],
      );
  return (
    findIdentical(sources, target.after, path) ?? findAlike(objects, sources, target.after, path, copies !== undefined)
  );
}

function allSources(objects: ObjectDatabase, changes: readonly TreeDifference[], tree: string): Source[] {
  const removed = new Set(changes.filter((change) => change.after === null).map((change) => change.path));
  const sources: Source[] = [];
  for (const file of walkTree(tree, objects.readTree))
    sources.push({ path: file.path, oid: file.oid, mode: file.mode, isKept: !removed.has(file.path) });
  return sources;
}

function findIdentical(
  sources: readonly Source[],
  target: { readonly mode: string; readonly oid: string },
  path: string,
): Source | null {
  let best: Source | null = null;
  let bestScore = -1;
  for (const source of sources) {
    if (source.oid !== target.oid) continue;
    if (!(isRegular(source.mode) && isRegular(target.mode)) && source.mode !== target.mode) continue;
    const score = (source.isKept ? 0 : 1) + (isSameName(source.path, path) ? 1 : 0);
    if (score <= bestScore) continue;
    best = source;
    bestScore = score;
  }
  return best;
}

function findAlike(
  objects: ObjectDatabase,
  all: readonly Source[],
  target: { readonly mode: string; readonly oid: string },
  path: string,
  withCopies: boolean,
): Source | null {
  if (!isRegular(target.mode)) return null;
  const gone = all.filter((source) => !source.isKept);
  const sources = all.length - gone.length > maxCopySources ? gone : all;
  if (sources.length === 0 || sources.length > maxComparisons) return null;
  const similarity = new Similarity(objects.readBlob(target.oid));
  const scoreOf = (source: Source, minimum: number) =>
    isRegular(source.mode) ? similarity.scoreOf(objects.readBlob(source.oid), minimum) : 0;
  if (!withCopies) {
    const named = sources.filter((source) => isSameName(source.path, path));
    if (named.length === 1 && scoreOf(named[0]!, sameNameScore) >= sameNameScore) return named[0]!;
  }
  const candidates: Candidate[] = [];
  for (const source of sources) {
    const candidate = { source, score: scoreOf(source, minimumScore), isSameName: isSameName(source.path, path) };
    if (candidates.length < maxCandidates) {
      candidates.push(candidate);
      continue;
    }
    let worst = 0;
    for (let i = 1; i < maxCandidates; i++) if (compareCandidates(candidates[i]!, candidates[worst]!) > 0) worst = i;
    if (compareCandidates(candidates[worst]!, candidate) > 0) candidates[worst] = candidate;
  }
  const good = candidates.sort(compareCandidates).filter(({ score }) => score >= minimumScore);
  // A file that went is a likelier source than a better one that stayed.
  return (good.find(({ source }) => !source.isKept) ?? good[0])?.source ?? null;
}

const compareCandidates = (a: Candidate, b: Candidate): number =>
  b.score - a.score || Number(b.isSameName) - Number(a.isSameName);

const isRegular = (mode: string): boolean => mode.startsWith('100');

const isSameName = (a: string, b: string): boolean =>
  a.slice(a.lastIndexOf('/') + 1) === b.slice(b.lastIndexOf('/') + 1);
