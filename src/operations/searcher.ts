// Search over one state: the word index of the snapshot asked last, joined with who last changed what it finds.

import { formatTime } from '../base/time.ts';
import type { Repository } from '../git/repository.ts';
import { LastChange } from '../history/last-change.ts';
import { gistLineOf } from '../lifecycle/gist/present-memory.ts';
import type { SearchDocument } from '../search/documents.ts';
import { SearchIndex } from '../search/search-index.ts';
import type { IsPrivate } from '../search/vectors/semantic-index.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { RecallHit } from '../types.ts';

/** Keeps the listing and the word index of the snapshot that was asked last. */
export class Searcher {
  private readonly index: SearchIndex;
  private readonly lastChange: LastChange;
  private snapshot: Snapshot | null = null;
  private version: string | null = null;

  constructor(repository: Repository, options: ConstructorParameters<typeof SearchIndex>[1]) {
    this.lastChange = new LastChange(repository);
    this.index = new SearchIndex((oid, path) => this.snapshot!.readBlob(oid, path), options);
  }

  /** Gives the documents that can be found in a snapshot. */
  documentsOf(snapshot: Snapshot): readonly SearchDocument[] {
    this.moveTo(snapshot);
    return this.index.documents;
  }

  private moveTo(snapshot: Snapshot): void {
    if (this.version === snapshot.version) return;
    this.version = null;
    this.snapshot = snapshot;
    this.index.moveTo(snapshot.list());
    this.version = snapshot.version;
  }

  recall(snapshot: Snapshot, query: string, options: Parameters<SearchIndex['recall']>[1]): RecallHit[] {
    this.moveTo(snapshot);
    return this.index.recall(query, options).map(({ document, snippet, highlights, line, score, parts }) => ({
      path: document.path,
      ...(document.id === undefined ? {} : { id: document.id }),
      category: document.category,
      ...(document.session === undefined ? {} : { session: document.session }),
      ...(document.turn === undefined ? {} : { turn: document.turn }),
      line,
      ...(document.speaker === undefined ? {} : { speaker: document.speaker }),
      ...(document.role === undefined ? {} : { role: document.role }),
      ...(document.time === undefined ? {} : { time: formatTime(document.time) }),
      ...(document.title === undefined ? {} : { title: document.title }),
      ...(document.record === undefined ? {} : { gist: gistLineOf(document.record) }),
      snippet,
      highlights,
      score,
      parts: { ...parts },
      commit: this.lastChangeOf(snapshot, document.path),
    }));
  }

  /** Gives the commit that last changed a file; `null` while a change of it is pending. */
  lastChangeOf(snapshot: Snapshot, path: string): string | null {
    return snapshot.overlay?.files.has(path) ? null : this.lastChange.of(snapshot.commit, path);
  }
}

/** Tells which texts may leave no trace. Until paths are matched one by one, none may where any is private. */
export function privacyOf(privatePaths: readonly string[]): IsPrivate {
  return () => privatePaths.length > 0;
}
