// Keeps where the lines of whole versions came from, in git-memory/cache/blame: a later blame goes back to such a version only.

import { keptIn, oncePer } from '../base/once-per.ts';
import { CacheFile } from '../store/cache-file.ts';
import type { Repository } from '../store/git/repository.ts';

const fileName = 'blame';
/** To be raised whenever the format or what blame answers changes. */
const fileVersion = 2;
/** A larger file is begun anew with the newer half. */
const maxBytes = 2 << 20;
const maxEntries = 512;
const keyBytes = 20;

export const blamesOf = oncePer((repository: Repository) => new BlameCache(repository));

/** A run of lines that come from one commit. Lines count from 0. */
export interface BlamedRange {
  readonly start: number;
  readonly count: number;
  /** `null`: of the text that was given, and of no commit. */
  readonly commit: string | null;
  readonly originalPath: string;
  readonly originalStart: number;
}

/** As it is kept: commits and paths once each, ranges as five numbers. */
interface Kept {
  readonly path: string;
  readonly commits: readonly string[];
  readonly paths: readonly string[];
  readonly ranges: readonly (readonly [
    start: number,
    count: number,
    commit: number,
    path: number,
    originalStart: number,
  ])[];
}

/**
 * Keeps answers by the commit that made a version and its path there. They follow from these two, as long as all history is there: where
 * it is cut off nothing is kept and nothing is known.
 *
 *     payload   id of the commit, 20 bytes | JSON
 */
export class BlameCache {
  private readonly repository: Repository;
  private readonly file: CacheFile;
  private payloads: Buffer[] | null = null;
  /** Commit → its known versions; nearly all questions are about commits without any. */
  private readonly known = new Map<string, Buffer[]>();
  private fresh: Buffer[] = [];

  constructor(repository: Repository) {
    this.repository = repository;
    this.file = new CacheFile(repository, fileName, fileVersion);
  }

  /** Gives the ranges of all lines of a version, in order, or `null`. */
  of(commit: string, path: string): readonly BlamedRange[] | null {
    if (this.repository.objects.isShallow) return null;
    this.load();
    const kept = this.known
      .get(commit)
      ?.map((payload) => JSON.parse(payload.toString('utf8', keyBytes)) as Kept)
      .find((one) => one.path === path);
    if (kept === undefined) return null;
    const { commits, paths, ranges } = kept;
    return ranges.map(([start, count, by, from, originalStart]) => ({
      start,
      count,
      commit: commits[by]!,
      originalPath: paths[from]!,
      originalStart,
    }));
  }

  /** Keeps the ranges of all lines of a version without pending lines. */
  add(commit: string, path: string, ranges: readonly BlamedRange[]): void {
    if (this.repository.objects.isShallow) return;
    this.load();
    const [commits, paths] = [new Map<string, number>(), new Map<string, number>()];
    const numberIn = (table: Map<string, number>, text: string) => keptIn(table, text, () => table.size);
    const rows = ranges.map(
      ({ start, count, commit: by, originalPath, originalStart }) =>
        [start, count, numberIn(commits, by!), numberIn(paths, originalPath), originalStart] as const,
    );
    const kept: Kept = { path, commits: [...commits.keys()], paths: [...paths.keys()], ranges: rows };
    const payload = Buffer.concat([Buffer.from(commit, 'hex'), Buffer.from(JSON.stringify(kept))]);
    this.learn(payload);
    this.fresh.push(payload);
  }

  /** Keeps what was found for later processes; a file system that refuses costs time only. */
  save(): void {
    if (this.fresh.length === 0) return;
    const all = [...(this.payloads ?? []), ...this.fresh];
    const bytes = all.reduce((sum, payload) => sum + payload.length, 0);
    if (bytes <= maxBytes && all.length <= maxEntries) {
      for (const payload of this.fresh) this.file.append(payload);
      this.payloads = all;
    } else {
      this.payloads = all.slice(all.length >> 1);
      this.file.replace(this.payloads);
    }
    this.fresh = [];
  }

  private load(): void {
    if (this.payloads) return;
    this.payloads = this.file.read();
    for (const payload of this.payloads) this.learn(payload);
  }

  private learn(payload: Buffer): void {
    const commit = payload.toString('hex', 0, keyBytes);
    keptIn(this.known, commit, () => []).push(payload);
  }
}
