// Search over one state: the word index of the snapshot asked last, joined with who last changed what it finds.

import { defined } from '../base/defined.ts';
import { formatTime } from '../base/time.ts';
import { isUnreadable, MemoryError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { LastChange } from '../history/last-change.ts';
import { gistLineOf } from '../lifecycle/gist/memory-gist.ts';
import { parseUseCounts, useCountsPath } from '../records/use-counts.ts';
import { prepareCompany } from '../search/company.ts';
import type { Corpus } from '../search/corpus.ts';
import type { Layout } from '../search/layout.ts';
import type { SpaceStore } from '../search/learnt-space.ts';
import type { LexicalIndex } from '../search/lexical-index.ts';
import type { RecallOptions as IndexOptions, RankedHit } from '../search/recall-options.ts';
import { SearchIndex } from '../search/search-index.ts';
import type { IsPrivate } from '../search/vectors/semantic-index.ts';
import { isSamePrivacy } from '../store/codec.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { RecallHit } from '../types.ts';
import { holdingFirst, type LogSources, replacedIn } from './holding-hits.ts';

/** What all searchers of one memory share. */
export interface SearchSources extends LogSources {
  readonly repository: Repository;
  readonly corpus: Corpus;
  /** Where the built-in embedder keeps what it learns from a state. */
  readonly spaces: SpaceStore;
  /** The index over words of a small state. */
  smallIndex(): LexicalIndex;
  /** Whether the words of a state may be written to the disk. */
  mayKeep(snapshot: Snapshot): boolean;
}

/** Keeps the listing and the word index of the snapshot that was asked last. */
export class Searcher {
  private readonly index: SearchIndex;
  private readonly sources: SearchSources;
  private readonly isPresent: boolean;
  private readonly lastChange: LastChange;
  private snapshot: Snapshot | null = null;
  private version: string | null = null;
  private damageVersion = 0;

  constructor(sources: SearchSources, isPresent: boolean) {
    const { corpus, repository } = sources;
    this.lastChange = new LastChange(repository);
    this.sources = sources;
    this.isPresent = isPresent;
    this.index = new SearchIndex((oid, path) => readOrNothing(this.snapshot!, oid, path), {
      corpus,
      // Of the past typed arrays are there, or are made in a fraction of the time, and it never changes.
      smallIndex: isPresent ? sources.smallIndex : undefined,
    });
  }

  /** Gives the documents that can be found in a snapshot. */
  layoutOf(snapshot: Snapshot): Layout {
    this.moveTo(snapshot);
    return this.index.layout;
  }

  /** Does ahead of the first question what it would wait for, and keeps it; says how many files were read. */
  prepare(snapshot: Snapshot): { readonly documents: number; readonly read: number } {
    const { corpus, spaces } = this.sources;
    const before = corpus.filesRead;
    this.moveTo(snapshot);
    const mayKeep = this.sources.mayKeep(snapshot);
    corpus.tend((file) => this.index.holds(file), mayKeep, true);
    prepareCompany(this.index.layout, mayKeep ? spaces : undefined);
    return { documents: this.index.size, read: corpus.filesRead - before };
  }

  private moveTo(snapshot: Snapshot): void {
    const before = this.version === null ? null : this.snapshot;
    if (this.version === snapshot.version) return;
    this.version = null;
    this.snapshot = snapshot;
    const { damageVersion } = snapshot;
    // A key that came or went, another configuration, or damage that was met or repaired changes which files there are.
    const isSame =
      before !== null &&
      isSamePrivacy(before.privacy, snapshot.privacy) &&
      before.isUnlocked === snapshot.isUnlocked &&
      this.damageVersion === damageVersion;
    this.damageVersion = damageVersion;
    const changes = isSame && this.index.canMoveBy ? changesBetween(before, snapshot) : null;
    if (changes !== null) this.index.moveBy(changes);
    else this.index.moveTo(snapshot.list());
    this.version = snapshot.version;
    const { corpus, mayKeep } = this.sources;
    corpus.tend(this.isPresent ? (file) => this.index.holds(file) : () => true, mayKeep(snapshot));
  }

  /** Ranks documents as they are, without who changed them last. Throws as the index does. */
  rank(snapshot: Snapshot, query: string, options: IndexOptions): RankedHit[] {
    this.moveTo(snapshot);
    const { mayKeep, spaces } = this.sources;
    return this.index.recall(query, {
      ...options,
      ...(mayKeep(snapshot) ? { spaces } : {}),
      // Spec 5 §6.3 counts references, those of files too.
      ...(options.fusion === 'spec' ? { usesOf: usesOfFiles(snapshot) } : {}),
    });
  }

  /** Tells which event took the place of a hit that is an event of a log; of other hits, and of those that hold, undefined. */
  replacementsIn(snapshot: Snapshot): (hit: RankedHit) => string | undefined {
    return replacedIn(snapshot, this.sources);
  }

  /** Ranks, with what no longer holds last, and says what probably was meant otherwise. Throws as the index does. */
  recall(
    snapshot: Snapshot,
    query: string,
    options: IndexOptions,
  ): { readonly hits: readonly RecallHit[]; readonly hints: readonly string[] } {
    const judged = holdingFirst(
      (limit) => this.rank(snapshot, query, { ...options, limit }),
      options.limit ?? 10,
      snapshot,
      this.sources,
    );
    const hits = judged.map(
      ({ hit: { document, snippet, highlights, line, turns, also, parts }, score, by }): RecallHit => ({
        path: document.path,
        ...defined({ id: document.id }),
        category: document.category,
        ...defined({ session: document.session, turn: document.turn, turns }),
        line,
        ...defined({
          speaker: document.speaker,
          role: document.role,
          time: document.time === undefined ? undefined : formatTime(document.time),
          title: document.title,
          gist: document.record === undefined ? undefined : gistLineOf(document.record),
          sources: document.record?.sources,
          also: also?.map(alsoOf),
          supersededBy: by,
        }),
        snippet,
        highlights,
        score,
        parts: { ...parts },
        commit: this.lastChangeOf(snapshot, document.path),
      }),
    );
    return { hits, hints: this.index.hints(query, options) };
  }

  /** Gives the commit that last changed a file; `null` while a change of it is pending. */
  lastChangeOf(snapshot: Snapshot, path: string): string | null {
    return snapshot.overlay?.files.has(path) ? null : this.lastChange.of(snapshot.commit, path);
  }
}

function alsoOf({ document, score }: NonNullable<RankedHit['also']>[number]): NonNullable<RecallHit['also']>[number] {
  const { path, id, category, session, turn, line } = document;
  return { path, ...defined({ id }), category, ...defined({ session, turn }), line, score };
}

/** A private text that was damaged has no words; doctor tells of it. */
function readOrNothing(snapshot: Snapshot, oid: string, path: string): Buffer {
  try {
    return snapshot.readBlob(oid, path);
  } catch (error) {
    if (error instanceof MemoryError && isUnreadable(error)) return Buffer.alloc(0);
    throw error;
  }
}

/** Lists the files in which two states differ, path → blob id, null for those that are gone; null when the first is no longer there. */
export function changesBetween(before: Snapshot, after: Snapshot): Map<string, string | null> | null {
  const differences = after.diffFrom(before);
  if (differences === null) return null;
  const paths = new Set(differences.map(({ path }) => path));
  for (const { overlay } of [before, after]) for (const path of overlay?.files.keys() ?? []) paths.add(path);
  return new Map([...paths].map((path) => [path, after.listedOidOf(path)]));
}

/** Tells which texts may leave no trace. Until paths are matched one by one, none may where any is private. */
export function privacyOf(privatePaths: readonly string[]): IsPrivate {
  return () => privatePaths.length > 0;
}

function usesOfFiles(snapshot: Snapshot): ReadonlyMap<string, number> {
  const counts = parseUseCounts(snapshot.textIfWhole(useCountsPath));
  return new Map([...counts].map(([path, { count }]) => [path, count]));
}
