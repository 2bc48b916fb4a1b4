// What is known of something: found by its words and likeness, by id, by tag, by what it is related to.

import { dayOf } from '../base/time.ts';
import { type Triggered, triggeredBy } from '../context/triggers.ts';
import { MemoryError } from '../errors.ts';
import { answer } from '../git/disk.ts';
import { timeOf } from '../operations/asked-times.ts';
import { privacyOf } from '../operations/searcher.ts';
import type { Configuration } from '../records/configuration.ts';
import { scoreOf } from '../records/strength.ts';
import type { MemoryRecord } from '../records/types.ts';
import { builtInEmbedder } from '../search/built-in-embedder.ts';
import { parseQuery } from '../search/query.ts';
import type { SemanticAnswer } from '../search/vectors/semantic-index.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type {
  DueOptions,
  DueResult,
  ListFilter,
  ListResult,
  RecallHit,
  RecallOptions,
  RecallResult,
  RelationsResult,
} from '../types.ts';
import { StateQuestions } from './state-questions.ts';

/** Copies the options of those names that are set. */
function given<Options extends object, Name extends keyof Options>(
  options: Options,
  names: readonly Name[],
): { [Key in Name]?: Exclude<Options[Key], undefined> } {
  const set: { [Key in Name]?: Exclude<Options[Key], undefined> } = {};
  for (const name of names) {
    const value = options[name];
    if (value !== undefined) set[name] = value as Exclude<Options[Name], undefined>;
  }
  return set;
}

/** Says which embedder ranked, and why not another. */
function rankedBy(
  { mode }: RecallOptions,
  vectors: SemanticAnswer | MemoryError | null,
): Pick<RecallResult, 'embedder' | 'embedderNote' | 'unembedded'> {
  if (mode === 'lexical') return { embedder: null };
  if (vectors === null) return { embedder: builtInEmbedder.name };
  if (vectors instanceof MemoryError) return { embedder: builtInEmbedder.name, embedderNote: vectors.message };
  return { embedder: vectors.embedder, ...(vectors.missing === 0 ? {} : { unembedded: vectors.missing }) };
}

/** The files that a question calls for by recall/triggers.json; one that cannot be read is no reason not to answer. */
function calledFor(snapshot: Snapshot, query: string): Triggered[] {
  try {
    return triggeredBy(snapshot, query);
  } catch (error) {
    if (error instanceof MemoryError && ['INVALID_RECORD', 'INVALID_PATH'].includes(error.code)) return [];
    throw error;
  }
}

/** A state of a memory, whose memories are looked for. */
export abstract class RecallQuestions extends StateQuestions {
  /**
   * Finds what was said or known, best first, each hit with its reasons. Throws INVALID_ARGUMENT, INVALID_DATE.
   *
   * An embedder that fails is no error: the built-in one ranks, and the result says so and why.
   */
  recall(query: string, options: RecallOptions = {}): Promise<RecallResult> {
    return answer(async () => {
      const snapshot = this.current();
      const configuration = this.shared.configurationOf(snapshot);
      const moment = { now: this.now(), timeZone: configuration.timezone };
      const since = timeOf(options.since, 'since', moment, false);
      const until = timeOf(options.until, 'until', moment, true);
      const vectors = await this.likenessTo(query, options, snapshot, configuration);
      const { hits, hints } = this.searcher().recall(snapshot, query, {
        limit: options.limit ?? configuration.recall.limit,
        weights: configuration.search,
        now: this.now(),
        ...(options.category === undefined ? {} : { category: options.category }),
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
        ...given(options, [
          'mode',
          'fusion',
          'recency',
          'use',
          'vectorWeight',
          'session',
          'paths',
          'group',
          'includeArchived',
        ]),
        timeZone: configuration.timezone,
        ...(vectors === null || vectors instanceof MemoryError ? {} : { likenessOf: vectors.likenessOf }),
      });
      const shown = await this.blended(snapshot, hits, options, configuration);
      this.shared.history.save();
      const triggered = calledFor(snapshot, query);
      const told = {
        ...(hints.length === 0 ? {} : { hints }),
        ...lockedIn(snapshot),
        ...(triggered.length === 0 ? {} : { triggered }),
      };
      const day = dayOf(moment.now, moment.timeZone);
      const dated = shown.some(({ path }) => path.startsWith('knowledge/'))
        ? (await import('../operations/knowledge-questions.ts')).withFreshness(
            shown,
            snapshot,
            configuration.knowledge,
            day,
          )
        : shown;
      return { query, commit: snapshot.commit, ...rankedBy(options, vectors), ...told, hits: dated };
    });
  }

  private async blended(
    snapshot: Snapshot,
    hits: readonly RecallHit[],
    { review, limit, category }: RecallOptions,
    configuration: Configuration,
  ): Promise<readonly RecallHit[]> {
    if (review === undefined || review === false) return hits;
    const { withReviews } = await import('../operations/review.ts');
    return withReviews(hits, this.shared.catalog.stored(snapshot), {
      share: review,
      limit: limit ?? configuration.recall.limit,
      now: this.now(),
      configuration,
      category,
      commitOf: (path) => this.searcher().lastChangeOf(snapshot, path),
    });
  }

  /** Lists memories that are worth coming back to before they fade, as of the view's time. Throws INVALID_ARGUMENT. */
  due(options: DueOptions = {}): Promise<DueResult> {
    return answer(async () => {
      const { dueMemories } = await import('../operations/review.ts');
      const snapshot = this.current();
      const memories = this.shared.catalog.stored(snapshot);
      return dueMemories(memories, this.now(), this.shared.configurationOf(snapshot), options);
    });
  }

  /** Lists relations, or those of one memory by its id or the beginning of one; oldest first. Throws NOT_FOUND, AMBIGUOUS. */
  relations(id?: string): Promise<RelationsResult> {
    return answer(() => {
      const snapshot = this.current();
      const { catalog } = this.shared;
      const whole = id === undefined ? undefined : catalog.find(snapshot, id).record.id;
      const relations = catalog
        .relations(snapshot)
        .filter(({ record }) => whole === undefined || [record.fromMemoryId, record.toMemoryId].includes(whole))
        .map(({ path, record }) => ({ ...record, path }))
        .sort((a, b) => a.createdAt - b.createdAt || (a.path < b.path ? -1 : 1));
      return { relations };
    });
  }

  /** Asks the embedder that is not built in; null when there is none, or when only words are to count. */
  protected async likenessTo(
    query: string,
    { mode, signal }: RecallOptions,
    snapshot: Snapshot,
    { timezone, private: privatePaths }: Configuration,
  ): Promise<SemanticAnswer | MemoryError | null> {
    const semantics = mode === 'lexical' ? null : this.shared.semantics();
    const text = semantics === null || typeof query !== 'string' ? '' : parseQuery(query, timezone).text.trim();
    if (semantics === null || text === '') return null;
    return semantics.ask(text, this.searcher().layoutOf(snapshot), privacyOf(privatePaths), signal);
  }

  /** Gives one memory by id or the beginning of one; `score` is its strength at the view's time. Throws NOT_FOUND, AMBIGUOUS. */
  get(id: string): Promise<MemoryRecord & { path: string; score: number }> {
    return answer(() => {
      const snapshot = this.current();
      const { path, record } = this.shared.catalog.find(snapshot, id);
      return { ...record, path, score: this.scoreOf(snapshot, record) };
    });
  }

  /** Lists memories, strongest first. */
  list(filter: ListFilter = {}): Promise<ListResult> {
    return answer(async () => {
      const snapshot = this.current();
      if (filter.limit !== undefined && !(Number.isInteger(filter.limit) && filter.limit > 0)) {
        throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
      }
      const { catalog } = this.shared;
      const asked = filter.tag === undefined ? catalog.stored(snapshot) : catalog.tagged(snapshot, filter.tag);
      const memories = asked
        .filter(({ record }) => fits(record, filter))
        .map(({ path, record }) => ({ ...record, path, score: this.scoreOf(snapshot, record) }))
        .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
      const locked = lockedIn(snapshot, 'memories/');
      if (memories.length > 0)
        return { memories: filter.limit === undefined ? memories : memories.slice(0, filter.limit), ...locked };
      const { hintsForList } = await import('../operations/list-hints.ts');
      const hints = hintsForList(
        [...catalog.all(snapshot)].map(([, record]) => record),
        filter,
      );
      return { memories, ...(hints.length === 0 ? {} : { hints }), ...locked };
    });
  }

  private scoreOf(snapshot: Snapshot, record: MemoryRecord): number {
    return scoreOf(record, this.now(), this.shared.configurationOf(snapshot).decay);
  }
}

function fits(record: MemoryRecord, filter: ListFilter): boolean {
  return (
    (filter.category === undefined || record.category === filter.category) &&
    (filter.entity === undefined || record.entities.includes(filter.entity)) &&
    (filter.status === undefined || record.status === filter.status) &&
    (filter.session === undefined || (record.sources ?? []).some((source) => source.path.includes(filter.session!)))
  );
}

/** How many private files nobody can look into here; nothing where there are none. */
function lockedIn(snapshot: Snapshot, prefix = ''): { locked?: number } {
  const { length } = snapshot.locked(prefix);
  return length === 0 ? {} : { locked: length };
}
