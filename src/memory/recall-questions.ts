// What is known of something: found by its words and likeness, by id, by tag, by what it is related to.

import { defined, MemoryError, orElse } from '../base/errors.ts';
import { languageNamed } from '../base/languages.ts';
import { LargestValues } from '../base/largest-values.ts';
import { dayOf } from '../base/time.ts';
import type { MemoryRecord } from '../base/types/stored-types.ts';
import type * as types from '../base/types.ts';
import { type Triggered, triggeredBy } from '../core/context/triggers.ts';
import { timeOf } from '../core/recall/asked-times.ts';
import { type FindOptions, privacyOf } from '../core/recall/searcher.ts';
import { likenessIn, parseQuery, type SemanticAnswer, type SemanticIndex } from '../search/index.ts';
import { isDamage } from '../store/damaged-files.ts';
import { type Stored, vitalsOf } from '../store/memory-catalog.ts';
import { actsFolder } from '../store/records/acts-file.ts';
import type { Configuration } from '../store/records/configuration.ts';
import { scoreOf } from '../store/records/strength.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { State } from './state.ts';

function rankedBy(
  { mode }: types.RecallOptions,
  vectors: SemanticAnswer | MemoryError | null,
): Pick<types.RecallResult, 'embedder' | 'embedderNote' | 'unembedded'> {
  if (mode === 'lexical' || vectors === null) return { embedder: null };
  if (vectors instanceof MemoryError) return { embedder: null, embedderNote: vectors.message };
  const { embedder, missing, note } = vectors;
  return { embedder, ...(missing === 0 ? {} : { unembedded: missing }), ...defined({ embedderNote: note }) };
}

/** The files that a question calls for by recall/triggers.json; one that cannot be read is no reason not to answer. */
function calledFor(snapshot: Snapshot, query: string): Triggered[] {
  return orElse(() => triggeredBy(snapshot, query), [], 'INVALID_RECORD', 'INVALID_PATH');
}

/** Asks for the likeness to a question; null where only words are to count. */
export async function likenessTo(
  state: State,
  query: string,
  { mode, signal }: Pick<types.RecallOptions, 'mode' | 'signal'>,
  snapshot: Snapshot,
  configuration: Configuration,
): Promise<SemanticAnswer | MemoryError | null> {
  if (mode === 'lexical' || typeof query !== 'string') return null;
  const text = parseQuery(query, configuration.timezone).text.trim();
  return text === '' ? null : askVectors(state, text, snapshot, configuration, signal);
}

/** Asks how near texts are to each other, whatever is asked. */
export const nearnessIn = async (state: State, snapshot: Snapshot, configuration: Configuration) =>
  likenessIn(await askVectors(state, null, snapshot, configuration));

/** Asks the model that was chosen, or else the table. */
async function askVectors(
  state: State,
  text: string | null,
  snapshot: Snapshot,
  { private: privatePaths }: Configuration,
  signal?: AbortSignal,
): Promise<SemanticAnswer | MemoryError | null> {
  const [model, table] = [state.shared.semantics(), state.shared.table()];
  if (model === null && table === null) return null;
  const layout = state.searcher().layoutOf(snapshot);
  const ask = (semantics: SemanticIndex) => semantics.ask(text, layout, privacyOf(privatePaths), signal);
  const answer = model === null ? null : await ask(model);
  const isReady = answer !== null && !(answer instanceof MemoryError) && answer.likeness !== undefined;
  if (isReady || table === null) return answer;
  const standIn = await ask(table);
  if (answer === null || standIn instanceof MemoryError) return standIn;
  const { missing } = answer instanceof MemoryError ? { missing: 0 } : answer;
  const note =
    answer instanceof MemoryError
      ? answer.message
      : `${missing} of ${layout.count} texts have no vector of ${answer.embedder} yet: \`git memory reindex\` makes them`;
  return { ...standIn, missing, note };
}

/** Finds what is known of something in a state. */
export function recallQuestions(state: State) {
  const { shared } = state;
  const score = (snapshot: Snapshot, record: MemoryRecord) =>
    scoreOf(record, state.now(), shared.configurationOf(snapshot).decay);
  return {
    /**
     * Finds what was said or known, best first, each hit with its reasons. Throws INVALID_ARGUMENT, INVALID_DATE.
     *
     * An embedder that fails is no error: words alone rank, and the result says so and why.
     */
    async recall(query: string, options: types.RecallOptions = {}): Promise<types.RecallResult> {
      const snapshot = state.current();
      const configuration = shared.configurationOf(snapshot);
      const moment = { now: state.now(), timeZone: configuration.timezone };
      const since = timeOf(options.since, 'since', moment, false);
      const until = timeOf(options.until, 'until', moment, true);
      const vectors = await likenessTo(state, query, options, snapshot, configuration);
      const { mode, fusion, recency, use, vectorWeight, session, paths, group, includeArchived, category } = options;
      const narrowed = { mode, fusion, recency, use, vectorWeight, session, paths, group, includeArchived, category };
      const learnt = await learntFrom(state, snapshot);
      const { hits, probablyNothing, hints } = state.searcher().recall(snapshot, query, {
        ...defined({ learntFrom: learnt }),
        limit: options.limit ?? configuration.recall.limit,
        weights: configuration.search,
        now: state.now(),
        ...defined({ ...narrowed, since, until }),
        timeZone: configuration.timezone,
        ...defined({ language: languageNamed(configuration.language) }),
        ...likenessIn(vectors),
      });
      const shown = await blended(state, snapshot, hits, options, configuration);
      // Each file that was new lies in a folder, before and after: of many an answer does not wait for its part.
      if (learnt === undefined && !shared.patience.leaves(2 * shared.corpus.filesRead)) shared.history.save();
      else (await import('../features/code/index.ts')).keepLearnt(shared.repository);
      const triggered = calledFor(snapshot, query);
      const told = {
        ...(probablyNothing ? { probablyNothing } : {}),
        ...(hints.length === 0 ? {} : { hints }),
        ...lockedIn(snapshot),
        ...(triggered.length === 0 ? {} : { triggered }),
      };
      const day = dayOf(moment.now, moment.timeZone);
      const answered = { query, commit: snapshot.commit, ...rankedBy(options, vectors), ...told };
      if (!shown.some(({ path }) => path.startsWith('knowledge/'))) return { ...answered, hits: shown };
      const { withFreshness } = await import('../core/knowledge/knowledge-questions.ts');
      return { ...answered, hits: withFreshness(shown, snapshot, configuration.knowledge, day) };
    },

    /**
     * Tells what sessions of coding agents, talks and memories say of a path, a command, an error or a name of code. Nothing known, nothing
     * said. Throws INVALID_ARGUMENT, TOO_LARGE.
     */
    async about(target: string, options: types.AboutOptions = {}): Promise<types.AboutResult> {
      if (target.trim() === '') {
        throw new MemoryError('INVALID_ARGUMENT', 'a path, a command, an error or a name of code is missing', {
          where: 'target',
          hint: 'Name one, such as src/login.ts or "npm test"',
        });
      }
      if (target.length > mostAskedAbout) {
        throw new MemoryError('TOO_LARGE', `what is asked about has more than ${mostAskedAbout} characters`, {
          where: 'target',
          hint: 'Give the lines that say what went wrong',
        });
      }
      const { aboutIn } = await import('../features/about/index.ts');
      const snapshot = state.current();
      const { timezone: zone } = shared.configurationOf(snapshot);
      const { repository, catalog } = shared;
      return aboutIn(repository).of(snapshot, target, options, {
        ...{ zone, now: state.now() },
        claims: () => catalog.stored(snapshot),
        learntFrom: () => learntFrom(state, snapshot),
      });
    },

    records: {
      /** Lists memories that are worth coming back to before they fade, as of the view's time. Throws INVALID_ARGUMENT. */
      async due(options: types.DueOptions = {}): Promise<types.DueResult> {
        const { dueMemories } = await import('../core/recall/review-questions.ts');
        const snapshot = state.current();
        const memories = shared.catalog.stored(snapshot);
        return dueMemories(memories, state.now(), shared.configurationOf(snapshot), options);
      },

      /** Lists relations, or those of one memory by its id or the beginning of one; oldest first. Throws NOT_FOUND, AMBIGUOUS. */
      async relations(id?: string): Promise<types.RelationsResult> {
        const snapshot = state.current();
        const { catalog } = shared;
        const whole = id === undefined ? undefined : catalog.find(snapshot, id).record.id;
        const relations = catalog
          .relations(snapshot)
          .filter(({ record }) => whole === undefined || [record.fromMemoryId, record.toMemoryId].includes(whole))
          .map(({ path, record }) => ({ ...record, path }))
          .sort((a, b) => a.createdAt - b.createdAt || (a.path < b.path ? -1 : 1));
        return { relations };
      },
    },

    /** Gives one memory by id or the beginning of one; `score` is its strength at the view's time. Throws NOT_FOUND, AMBIGUOUS. */
    async get(id: string): Promise<MemoryRecord & { path: string; score: number }> {
      const snapshot = state.current();
      const { path, record } = shared.catalog.find(snapshot, id);
      return { ...record, path, score: score(snapshot, record) };
    },

    /** Lists memories, strongest first. */
    async list(filter: types.ListFilter = {}): Promise<types.ListResult> {
      const snapshot = state.current();
      if (filter.limit !== undefined && !(Number.isInteger(filter.limit) && filter.limit > 0))
        throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
      const { catalog } = shared;
      const asked = filter.tag === undefined ? catalog.newest(snapshot) : catalog.tagged(snapshot, filter.tag);
      const { decay } = shared.configurationOf(snapshot);
      const now = state.now();
      const best = new LargestValues(Math.min(filter.limit ?? asked.length, asked.length) || 1);
      const scores: number[] = [];
      const scored = asked.where((stored) => {
        const score = fits(stored, filter) ? scoreOf(vitalsOf(stored), now, decay) : Number.NEGATIVE_INFINITY;
        // Of equals the first are shown.
        if (score <= best.least) return false;
        best.add(score);
        return scores.push(score) > 0;
      });
      const found = [...scored.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, filter.limit);
      const memories = found.map((at) => ({ ...scored[at]!.record, path: scored[at]!.path, score: scores[at]! }));
      const locked = lockedIn(snapshot, 'memories/');
      if (memories.length > 0) return { memories, ...locked };
      const { hintsForList } = await import('../core/recall/list-hints.ts');
      const hints = hintsForList([...catalog.all(snapshot).values()], filter);
      return { memories, ...(hints.length === 0 ? {} : { hints }), ...locked };
    },
  };
}

/** Longer than any path, command or message of an error. */
const mostAskedAbout = 100_000;

/** Tells where conversations were held, where any was with code. */
export async function learntFrom(
  { shared }: Pick<State, 'shared'>,
  snapshot: Snapshot,
): Promise<FindOptions['learntFrom']> {
  try {
    if (snapshot.list(actsFolder).size === 0) return undefined;
  } catch (error) {
    // The answer names what is damaged by itself.
    if (isDamage(error)) return undefined;
    throw error;
  }
  return (await import('../features/code/index.ts')).learntIn(shared.repository, snapshot);
}

/** Puts memories that are due for a review among the hits, where that is wanted. */
async function blended(
  state: State,
  snapshot: Snapshot,
  hits: readonly types.RecallHit[],
  { review, limit, category }: types.RecallOptions,
  configuration: Configuration,
): Promise<readonly types.RecallHit[]> {
  if (review === undefined || review === false) return hits;
  const { withReviews } = await import('../core/recall/review-questions.ts');
  return withReviews(hits, state.shared.catalog.stored(snapshot), {
    share: review,
    limit: limit ?? configuration.recall.limit,
    now: state.now(),
    configuration,
    category,
    commitOf: (path) => state.searcher().lastChangeOf(snapshot, path),
  });
}

function fits(stored: Stored<MemoryRecord>, { category, status, entity, session }: types.ListFilter): boolean {
  return (
    (category === undefined || vitalsOf(stored).category === category) &&
    (status === undefined || vitalsOf(stored).status === status) &&
    (entity === undefined || stored.record.entities.includes(entity)) &&
    (session === undefined || isOfSession(stored.record, session))
  );
}

function isOfSession({ sources = [], meta }: MemoryRecord, session: string): boolean {
  return meta.extra.session === session || sources.some(({ path }) => path.includes(session));
}

/** How many private files nobody can look into here; nothing where there are none. */
function lockedIn(snapshot: Snapshot, prefix = ''): { locked?: number } {
  const { length } = snapshot.locked(prefix);
  return length === 0 ? {} : { locked: length };
}
