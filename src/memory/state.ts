// What questions are put to: one state of a memory as of a time, and what all states of one memory share.

import { formatTime } from '../base/time.ts';
import type { TimeInput } from '../base/types.ts';
import type { TopicCatalog } from '../core/context/topics/topic-catalog.ts';
import type { GateModel } from '../core/handed/topics.ts';
import type { Searcher, SearchSources } from '../core/recall/searcher.ts';
import type { HistoryCatalogue } from '../history/index.ts';
import type { MomentOptions } from '../language/index.ts';
import type { ChangelogCatalog, LedgerCatalog } from '../logs/index.ts';
import type { SemanticIndex } from '../search/index.ts';
import { noCommitBy } from '../store/git/revision.ts';
import type { MemoryCatalog } from '../store/memory-catalog.ts';
import type { Configuration } from '../store/records/configuration.ts';
import type { StoreScope } from '../store/scope.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** What the states of one memory share; all of it is derived and can be thrown away. */
export interface SharedSources extends SearchSources {
  readonly catalog: MemoryCatalog;
  readonly ledgers: LedgerCatalog;
  readonly changelogs: ChangelogCatalog;
  topics(): Promise<TopicCatalog>;
  /** The model of the gate of topics, as whoever opened the memory chose it. */
  gateModel(configuration: Configuration): Promise<GateModel>;
  readonly history: HistoryCatalogue;
  /** The part of the memory that may be seen; null: all of it. */
  readonly scope: StoreScope | null;
  /** The model that somebody chose to rank with; null when nobody did. */
  semantics(): SemanticIndex | null;
  /** The table of the package, which ranks where no model is ready; null where words alone are to count. */
  table(): SemanticIndex | null;
  configurationOf(snapshot: Snapshot): Configuration;
  at(commit: string): Snapshot;
  /** Runs a call about a state so that each damaged file costs itself alone, and the answer names it. */
  sparing<T>(state: () => Snapshot, call: () => T | Promise<T>): Promise<T>;
  /** The tip of the branch with what is pending on top. */
  present(): Snapshot;
  /** The same, with the files of expectations as they lie in the work tree: whoever writes one wants to see it judged. */
  expectations(): Snapshot;
  /** Finds the commit that a revision or time names; `null` for a time before the first one. Throws as `resolveRevision`. */
  stateOf(revision: TimeInput): string | null;
}

/** One state of a memory: the present, or that of a commit. */
export interface State {
  readonly shared: SharedSources;
  /** Gives what is known in it. Throws CLOSED, PURGED. */
  current(): Snapshot;
  searcher(): Searcher;
  /** The time from which recency and strength are counted, in milliseconds. */
  now(): number;
}

/** Gives the state that a revision or time names. Throws NOT_FOUND, and as `resolveRevision`. */
export function stateAt(shared: SharedSources, when: TimeInput): Snapshot {
  const commit = shared.stateOf(when);
  if (commit !== null) return shared.at(commit);
  throw noCommitBy(when instanceof Date ? formatTime(Number(when)) : String(when), 'when');
}

/** Tells what times in words are counted from. The configuration is read when the time zone matters. */
export function momentOf(state: State, snapshot: Snapshot): MomentOptions {
  return {
    now: state.now(),
    get timeZone() {
      return state.shared.configurationOf(snapshot).timezone;
    },
  };
}
