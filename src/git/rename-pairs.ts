// Which of the files that went are which of those that came: git's rename detection for all changes of a tree at once, by content, by
// name and by likeness. Follows diffcore-rename.c of git 2.47 as merges call it.

import { type FolderMoves, folderOf, nameOf } from './folder-moves.ts';
import { emptyBlobOid } from './object-codec.ts';
import { maxScore, Similarity } from './similarity.ts';

/** What is renamed is at least half alike. */
export const minimumScore = maxScore / 2;
/** Files of the same name need three quarters to be paired without looking further. */
export const sameNameScore = (maxScore * 3) / 4;
/** Above so many comparisons, likeness is not looked at: git's limit for diffs; its merges go further, which takes minutes. */
export const maxComparisons = 1_000 * 1_000;
/** Candidates that git keeps of all, for each file that came. */
export const maxCandidates = 4;
/** So many sources of the same content are looked at. */
const maxIdentical = 100;

/** A file that went or came. */
export interface MovedFile {
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
}

/** A file that was renamed. */
export interface RenamePair {
  readonly from: string;
  readonly to: string;
}

/** What the search is told beside the files. */
export interface RenameSearch {
  readonly readBlob: (oid: string) => Buffer;
  /** Sources worth comparing by likeness; others are paired by their exact content only. */
  readonly isRelevant: (path: string) => boolean;
  /** Learns the renames, and guesses from the first of them where files of equal names belong. */
  readonly folders: FolderMoves;
}

/**
 * Pairs files that went with files that came, each used once, in the order of `came`. Empty files are no pair of anything.
 *
 * Three passes: the same content; the same name, if it is the only one or its folder is known to have moved, and three quarters alike; the
 * best pairs of the rest that are half alike.
 */
export function pairRenames(
  went: readonly MovedFile[],
  came: readonly MovedFile[],
  search: RenameSearch,
): readonly RenamePair[] {
  return new RenamePairing(went, came, search).run();
}

interface Candidate {
  readonly source: MovedFile;
  readonly target: MovedFile;
  readonly score: number;
  readonly isSameName: boolean;
}

class RenamePairing {
  private readonly search: RenameSearch;
  private readonly came: readonly MovedFile[];
  private sources: readonly MovedFile[];
  private readonly used = new Set<MovedFile>();
  private readonly pairs = new Map<MovedFile, RenamePair>();
  private readonly contents = new Map<string, Similarity>();

  constructor(went: readonly MovedFile[], came: readonly MovedFile[], search: RenameSearch) {
    this.sources = went.filter(({ oid }) => oid !== emptyBlobOid);
    this.came = came.filter(({ oid }) => oid !== emptyBlobOid);
    this.search = search;
  }

  run(): readonly RenamePair[] {
    this.pairIdentical();
    this.dropUsed();
    // Names count among all sources that are left, but only the relevant ones are read.
    this.pairSameNames();
    this.dropUsed();
    this.sources = this.sources.filter(({ path }) => this.search.isRelevant(path));
    this.pairAlike();
    return this.came.flatMap((target) => this.pairs.get(target) ?? []);
  }

  private dropUsed(): void {
    this.sources = this.sources.filter((source) => !this.used.has(source));
  }

  private record(source: MovedFile, target: MovedFile): void {
    this.used.add(source);
    this.pairs.set(target, { from: source.path, to: target.path });
    this.search.folders.add(source.path, target.path);
  }

  private pairIdentical(): void {
    const byContent = new Map<string, MovedFile[]>();
    for (const source of this.sources) {
      const same = byContent.get(source.oid);
      if (same === undefined) byContent.set(source.oid, [source]);
      else same.push(source);
    }
    for (const target of this.came) {
      let best: MovedFile | undefined;
      let seen = 0;
      for (const source of byContent.get(target.oid) ?? []) {
        if (!(isRegular(source) && isRegular(target)) && source.mode !== target.mode) continue;
        if (this.used.has(source)) continue;
        best ??= source;
        if (isSameName(source, target)) {
          best = source;
          break;
        }
        seen += 1;
        if (seen > maxIdentical) break;
      }
      if (best !== undefined) this.record(best, target);
    }
  }

  private pairSameNames(): void {
    const sourcesNamed = countNames(this.sources);
    const free = this.came.filter((target) => !this.pairs.has(target));
    const targetsNamed = countNames(free);
    const byName = new Map(free.map((target) => [nameOf(target.path), target]));
    const byPath = new Map(free.map((target) => [target.path, target]));
    const guesses = this.search.folders.guesses();
    for (const source of this.sources) {
      if (!this.search.isRelevant(source.path)) continue;
      const name = nameOf(source.path);
      const count = targetsNamed.get(name) ?? 0;
      if (count === 0) continue;
      const guess = guesses.get(folderOf(source.path));
      const target =
        count === 1 && sourcesNamed.get(name) === 1
          ? byName.get(name)
          : guess === undefined
            ? undefined
            : byPath.get(guess === '' ? name : `${guess}/${name}`);
      if (target === undefined || this.pairs.has(target)) continue;
      if (this.scoreOf(source, target, sameNameScore) >= sameNameScore) this.record(source, target);
    }
  }

  private pairAlike(): void {
    const targets = this.came.filter((target) => !this.pairs.has(target));
    if (targets.length * this.sources.length > maxComparisons) return;
    const candidates = targets.flatMap((target) => this.bestFor(target)).sort(compareCandidates);
    for (const { source, target, score } of candidates) {
      if (score < minimumScore) break;
      if (!this.used.has(source) && !this.pairs.has(target)) this.record(source, target);
    }
  }

  private bestFor(target: MovedFile): Candidate[] {
    const best: Candidate[] = [];
    for (const source of this.sources) {
      const score = this.scoreOf(source, target, minimumScore);
      const candidate = { source, target, score, isSameName: isSameName(source, target) };
      if (best.length < maxCandidates) {
        best.push(candidate);
        continue;
      }
      let worst = 0;
      for (let i = 1; i < maxCandidates; i++) if (compareCandidates(best[i]!, best[worst]!) > 0) worst = i;
      if (compareCandidates(best[worst]!, candidate) > 0) best[worst] = candidate;
    }
    return best;
  }

  private scoreOf(source: MovedFile, target: MovedFile, minimum: number): number {
    if (!isRegular(source) || !isRegular(target)) return 0;
    return this.contentOf(target).scoreOf(this.contentOf(source), minimum);
  }

  private contentOf({ oid }: MovedFile): Similarity {
    let content = this.contents.get(oid);
    if (content === undefined) {
      content = new Similarity(this.search.readBlob(oid));
      this.contents.set(oid, content);
    }
    return content;
  }
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return b.score - a.score || Number(b.isSameName) - Number(a.isSameName);
}

function countNames(files: readonly MovedFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(nameOf(path), (counts.get(nameOf(path)) ?? 0) + 1);
  return counts;
}

function isRegular({ mode }: MovedFile): boolean {
  return mode.startsWith('100');
}

function isSameName(a: MovedFile, b: MovedFile): boolean {
  return nameOf(a.path) === nameOf(b.path);
}
