// What the views of one memory have in common.

import type { TopicCatalog } from '../context/topics/topic-catalog.ts';
import type { HistoryCatalogue } from '../history/catalogue.ts';
import type { ChangelogCatalog } from '../logs/changelog.ts';
import type { LedgerCatalog } from '../logs/ledger.ts';
import type { SearchSources } from '../operations/searcher.ts';
import type { GateModel } from '../operations/topics.ts';
import type { Configuration } from '../records/configuration.ts';
import type { SemanticIndex } from '../search/vectors/semantic-index.ts';
import type { MemoryCatalog } from '../store/memory-catalog.ts';
import type { StoreScope } from '../store/scope.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { TimeInput } from '../types.ts';

/** What views of one memory share; all of it is derived and can be thrown away. */
export interface ViewContext extends SearchSources {
  readonly catalog: MemoryCatalog;
  readonly ledgers: LedgerCatalog;
  readonly changelogs: ChangelogCatalog;
  topics(): Promise<TopicCatalog>;
  /** The model of the gate of topics, as whoever opened the memory chose it. */
  gateModel(configuration: Configuration): Promise<GateModel>;
  readonly history: HistoryCatalogue;
  /** The part of the memory that may be seen; null: all of it. */
  readonly scope: StoreScope | null;
  /** The embedder that is not built in; null when there is none. */
  semantics(): SemanticIndex | null;
  configurationOf(snapshot: Snapshot): Configuration;
  at(commit: string): Snapshot;
  /** The tip of the branch with what is pending on top. */
  present(): Snapshot;
  /** Finds the commit that a revision or time names; `null` for a time before the first one. Throws as `resolveRevision`. */
  stateOf(revision: TimeInput): string | null;
}
