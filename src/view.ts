// A view: everything that can be asked of a memory, at one commit or of the present. Keeps no state but caches. What answers a question is
// loaded when it is asked: a short command pays for its own alone.

import type { MomentOptions } from './base/moment.ts';
import { dayOf, formatTime } from './base/time.ts';
import type { TopicCatalog } from './context/topics/topic-catalog.ts';
import { type Triggered, triggeredBy } from './context/triggers.ts';
import { MemoryError } from './errors.ts';
import { answer } from './git/disk.ts';
import { maxObjectBytes } from './guard/limits.ts';
import { askedPath, checkPath } from './guard/path.ts';
import type { HistoryCatalogue } from './history/catalogue.ts';
import { logOf } from './history/log.ts';
import type { ChangelogCatalog } from './logs/changelog.ts';
import type { LedgerCatalog } from './logs/ledger.ts';
import { rangeOf, timeOf } from './operations/asked-times.ts';
import type { ContextQuestion } from './operations/context.ts';
import { notThere } from './operations/edits.ts';
import type { LedgerQuestion } from './operations/ledger-questions.ts';
import { placeOf, placesOf } from './operations/places.ts';
import type { ProjectQuestion } from './operations/project-questions.ts';
import { askedWithin, checkSeen, refuseInScope, withoutOthers } from './operations/scoped-questions.ts';
import { privacyOf, Searcher, type SearchSources } from './operations/searcher.ts';
import type { GateModel, TopicQuestion } from './operations/topics.ts';
import type { Configuration } from './records/configuration.ts';
import { agentsPath } from './records/kind.ts';
import { scoreOf } from './records/strength.ts';
import type { MemoryRecord } from './records/types.ts';
import { builtInEmbedder } from './search/built-in-embedder.ts';
import { parseQuery } from './search/query.ts';
import type { SemanticAnswer, SemanticIndex } from './search/vectors/semantic-index.ts';
import type { MemoryCatalog } from './store/memory-catalog.ts';
import type { StoreScope } from './store/scope.ts';
import type { Snapshot } from './store/snapshot.ts';
import type {
  BacklinksResult,
  BlameOptions,
  BlameResult,
  BootResult,
  BoxesResult,
  BoxFilter,
  BoxResult,
  ChangeFilter,
  ChangesResult,
  ConfigurationResult,
  ContextOptions,
  ContextResult,
  DiffOptions,
  DiffResult,
  DueOptions,
  DueResult,
  EntityGraph,
  EventFilter,
  EventsResult,
  ExportOptions,
  ExportResult,
  GraphResult,
  IntegrityResult,
  KnowledgeOptions,
  KnowledgeResult,
  LearnedOptions,
  LearnedResult,
  ListFilter,
  ListResult,
  LogFilter,
  LogResult,
  LoopsResult,
  PackOptions,
  PackResult,
  ProvenanceResult,
  RecallHit,
  RecallOptions,
  RecallResult,
  RelationsResult,
  SessionStartOptions,
  SessionStartResult,
  TimeInput,
  TodoResult,
  TopicListResult,
  TopicsOptions,
  TopicsResult,
} from './types.ts';

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

/** What can be asked of any state of a memory, whether of the present or of a commit. */
export abstract class Reader {
  protected readonly shared: ViewContext;

  constructor(context: ViewContext) {
    this.shared = context;
  }

  /** The state that is asked. */
  protected abstract current(): Snapshot;

  protected abstract searcher(): Searcher;

  /** The time from which recency and strength are counted, in milliseconds. */
  protected abstract now(): number;

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
        ? (await import('./operations/knowledge-questions.ts')).withFreshness(
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
    const { withReviews } = await import('./operations/review.ts');
    return withReviews(hits, this.shared.catalog.stored(snapshot), {
      share: review,
      limit: limit ?? configuration.recall.limit,
      now: this.now(),
      configuration,
      category,
      commitOf: (path) => this.searcher().lastChangeOf(snapshot, path),
    });
  }

  /** Tells every key of memory.yaml, or those of a name or section: what holds, its default, what it does. Throws NOT_FOUND, INVALID_CONFIG. */
  config(name?: string): Promise<ConfigurationResult> {
    return answer(async () => (await import('./operations/configuration.ts')).configurationOf(this.current(), name));
  }

  /** Lists memories that are worth coming back to before they fade, as of the view's time. Throws INVALID_ARGUMENT. */
  due(options: DueOptions = {}): Promise<DueResult> {
    return answer(async () => {
      const { dueMemories } = await import('./operations/review.ts');
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
  private async likenessTo(
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
      const { hintsForList } = await import('./operations/list-hints.ts');
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

  // ── the ledger ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Lists events of the ledger that hold, or those of a chain, oldest first. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND. */
  events(filter: EventFilter = {}): Promise<EventsResult> {
    return answer(async () =>
      (await import('./operations/ledger-questions.ts')).listEvents(this.ledgerQuestion(), filter),
    );
  }

  /** Lists events of the changelog that hold, or those of a chain, oldest first. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND. */
  changes(filter: ChangeFilter = {}): Promise<ChangesResult> {
    return answer(async () =>
      (await import('./operations/changelog-questions.ts')).listChanges(this.ledgerQuestion(), filter),
    );
  }

  /** Lists what was promised and not yet done, oldest first. */
  loops(): Promise<LoopsResult> {
    return answer(async () => (await import('./operations/ledger-questions.ts')).listLoops(this.ledgerQuestion()));
  }

  /** Checks ledger and changelog: their lines, ids, references, and what was derived from them. What is wrong is told, not thrown. */
  integrity(): Promise<IntegrityResult> {
    return answer(async () => (await import('./operations/ledger-questions.ts')).integrityOf(this.ledgerQuestion()));
  }

  /**
   * Gives one page of what matters: constraints, open commitments, what to do today, what was decided lately; always below 3,000 words,
   * the same bytes for the same files and day, and for each line why it is there. Throws INVALID_DATE.
   */
  pack(options: PackOptions = {}): Promise<PackResult> {
    return answer(async () => (await import('./operations/pack.ts')).packOf(this.ledgerQuestion(), options));
  }

  // ── knowledge ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Lists facts of knowledge files that nobody has verified lately, oldest first, with what contradicts. Throws INVALID_ARGUMENT,
   * INVALID_DATE, INVALID_PATH, NOT_FOUND.
   */
  knowledge(options: KnowledgeOptions = {}): Promise<KnowledgeResult> {
    return answer(async () =>
      (await import('./operations/knowledge-questions.ts')).askKnowledge(this.ledgerQuestion(), options),
    );
  }

  /** Lists the lines of knowledge files that link to a file or name it. Throws INVALID_PATH, NOT_FOUND. */
  backlinks(path: string): Promise<BacklinksResult> {
    return answer(async () => (await import('./operations/backlinks.ts')).backlinksTo(this.current(), path));
  }

  /** Gives the entities that have files in knowledge/people and knowledge/entities, what is known of them, and how they relate. */
  entities(): Promise<EntityGraph> {
    return answer(async () => (await import('./operations/entity-graph.ts')).entityGraphOf(this.current()));
  }

  /** Lists memory boxes, oldest first. Throws INVALID_ARGUMENT. */
  boxes(filter: BoxFilter = {}): Promise<BoxesResult> {
    return answer(async () =>
      (await import('./operations/box-questions.ts')).listBoxes(this.shared.catalog, this.current(), filter),
    );
  }

  /** Gives a box with its memories and the others on its trace, by its id or the beginning of it. Throws NOT_FOUND, AMBIGUOUS. */
  box(id: string): Promise<BoxResult> {
    return answer(async () =>
      (await import('./operations/box-questions.ts')).showBox(this.shared.catalog, this.current(), id),
    );
  }

  /**
   * Compiles what an agent is handed for a message: identity, memory, the session so far, active topics and what fits, within a budget of
   * tokens, each block with its reason. Writes nothing. Throws INVALID_ARGUMENT, also for a budget below the identity; NOT_FOUND.
   */
  context(message: string, options: ContextOptions = {}): Promise<ContextResult> {
    return answer(async () =>
      (await import('./operations/context.ts')).contextOf(this.contextQuestion(), message, options),
    );
  }

  /**
   * Compiles what a session begins with: identity, the recall pack, what was noted yesterday and today, active projects, and with the owner
   * alone MEMORY.md. Throws INVALID_ARGUMENT, INVALID_DATE.
   */
  sessionStart(options: SessionStartOptions = {}): Promise<SessionStartResult> {
    return answer(async () =>
      (await import('./operations/session-start.ts')).sessionStartOf(this.ledgerQuestion(), options),
    );
  }

  protected contextQuestion(): ContextQuestion {
    const question = this.ledgerQuestion();
    const { snapshot, configuration } = question;
    return {
      ...question,
      searcher: this.searcher(),
      likenessTo: (query, signal) =>
        this.likenessTo(query, signal === undefined ? {} : { signal }, snapshot, configuration),
      topics: async (text, asked) =>
        (await import('./operations/topics.ts')).topicsOf(await this.topicQuestion(), text, asked),
    };
  }

  // ── the log of a project ──────────────────────────────────────────────────────────────────────────────────────────

  /** Gives the graph that the changelog comes to, how the files that follow from it stand to it, and what is wrong with them. */
  graph(): Promise<GraphResult> {
    return answer(async () => (await import('./operations/project-questions.ts')).graphOf(this.projectQuestion()));
  }

  /** Gives what an agent reads before it begins: AGENTS.md, the context and the graph, made anew where their files are stale. */
  boot(): Promise<BootResult> {
    return answer(async () => (await import('./operations/project-questions.ts')).bootOf(this.projectQuestion()));
  }

  /** Lists the tasks of TODO.md, and what is wrong with them. */
  todo(): Promise<TodoResult> {
    return answer(async () => (await import('./operations/project-questions.ts')).todoOf(this.projectQuestion()));
  }

  protected projectQuestion(): ProjectQuestion {
    const { changelogs, configurationOf } = this.shared;
    const snapshot = this.current();
    return { changelogs, snapshot, configuration: configurationOf(snapshot), agents: this.agents() };
  }

  /** What AGENTS.md says in this state; null where there is none. */
  protected agents(): string | null {
    return this.current().readText(agentsPath);
  }

  protected ledgerQuestion(): LedgerQuestion {
    const { ledgers, changelogs, configurationOf, at } = this.shared;
    const snapshot = this.current();
    return { ledgers, changelogs, snapshot, at, configuration: configurationOf(snapshot), now: this.now() };
  }

  // ── topics ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Finds the topics that a message brings up, and says for each what spoke for it and why it is active or not; `corrections` is what the
   * agent should hear about its own `output`. Writes nothing; a model is asked at the gate only if somebody chose one.
   *
   * What is wrong with a topic file is told in `problems`. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for `activeTopics`, TOO_LARGE.
   */
  topics(message: string, options: TopicsOptions = {}): Promise<TopicsResult> {
    return answer(async () =>
      (await import('./operations/topics.ts')).topicsOf(await this.topicQuestion(), message, options),
    );
  }

  /** Lists the topics, and what is wrong with their files, by line. */
  topicFiles(): Promise<TopicListResult> {
    return answer(async () => (await import('./operations/topics.ts')).listTopics(await this.topicQuestion()));
  }

  protected async topicQuestion(): Promise<TopicQuestion> {
    const { topics, gateModel, configurationOf } = this.shared;
    const snapshot = this.current();
    return { topics: await topics(), gateModel, snapshot, configuration: configurationOf(snapshot), now: this.now() };
  }

  /** Reads a file as text. Throws NOT_FOUND, INVALID_PATH. */
  read(path: string): Promise<string> {
    return answer(() => {
      const text = this.current().readText(checkPath(path));
      if (text !== null) return text;
      throw notThere(this.current(), path);
    });
  }

  /** Reads a file as bytes, such as an attachment. Throws NOT_FOUND, INVALID_PATH. */
  readBytes(path: string): Promise<Uint8Array> {
    return answer(() => {
      const bytes = this.current().read(checkPath(path));
      if (bytes !== null) return bytes;
      throw notThere(this.current(), path);
    });
  }

  /** Lists files below a folder, in order of path. */
  files(prefix = ''): Promise<string[]> {
    return answer(() => [...this.current().list(prefix).keys()].sort());
  }

  /** What times in words are counted from. The configuration is read when the time zone matters. */
  private momentOf(snapshot: Snapshot): MomentOptions {
    const { shared } = this;
    return {
      now: this.now(),
      get timeZone() {
        return shared.configurationOf(snapshot).timezone;
      },
    };
  }

  /** Lists operations, newest first. Throws NOT_FOUND for an unknown `after`. */
  log(filter: LogFilter = {}): Promise<LogResult> {
    return answer(() => {
      const snapshot = this.current();
      const moment = this.momentOf(snapshot);
      const { id, path, since, until, ...rest } = filter;
      const from = timeOf(since, 'since', moment, false);
      const to = timeOf(until, 'until', moment, true);
      if (filter.follow && path === undefined) {
        throw new MemoryError('INVALID_ARGUMENT', 'follow needs the path of a file', { where: 'follow' });
      }
      if (id !== undefined) checkSeen(this.shared, snapshot, id);
      const place =
        path === undefined && id !== undefined
          ? placesOf(this.shared, snapshot, id)
          : askedWithin(this.shared, snapshot, path === undefined ? undefined : askedPath(path));
      const log = logOf(this.shared.repository, snapshot.commit, {
        ...rest,
        ...(place === undefined ? {} : { path: place }),
        ...(from === undefined ? {} : { since: from }),
        ...(to === undefined ? {} : { until: to }),
      });
      return withoutOthers(this.shared, snapshot, log);
    });
  }

  /**
   * Tells from which commit each line of a file is, and each value of a memory; `at` asks another state. Throws NOT_FOUND,
   * INVALID_ARGUMENT, and as {@link Memory.at}.
   */
  blame(pathOrId: string, options: BlameOptions = {}): Promise<BlameResult> {
    return answer(async () => {
      const { blameOf } = await import('./history/blame.ts');
      const { at: when, ...rest } = options;
      const here = this.current();
      const snapshot = when === undefined ? here : this.stateAt(when);
      checkSeen(this.shared, snapshot, pathOrId);
      const { path, id } = placeOf(this.shared, snapshot, pathOrId);
      const blame = blameOf(this.shared.repository, snapshot, path, rest);
      return { ...(id === undefined ? {} : { id }), ...withoutOthers(this.shared, snapshot, blame) };
    });
  }

  /** Gives the state that a revision or time names. Throws as {@link Memory.at}. */
  protected stateAt(when: TimeInput): Snapshot {
    const commit = this.shared.stateOf(when);
    if (commit !== null) return this.shared.at(commit);
    throw new MemoryError(
      'NOT_FOUND',
      `the branch had no commit by ${when instanceof Date ? formatTime(Number(when)) : when}`,
      { where: 'when', hint: '`git memory log` shows when it begins' },
    );
  }

  /**
   * Tells where a file, a memory or one line comes from, down to the turns of conversations and on through consolidations and splits;
   * also of what is gone. Throws NOT_FOUND, INVALID_ARGUMENT.
   */
  provenance(pathOrId: string, line?: number): Promise<ProvenanceResult> {
    return answer(async () => {
      refuseInScope(this.shared, 'provenance');
      const { provenanceOf } = await import('./history/provenance.ts');
      const snapshot = this.current();
      const { repository, at } = this.shared;
      const context = { repository, snapshot, at };
      if (line !== undefined)
        return provenanceOf(context, [placeOf(this.shared, snapshot, pathOrId).path], pathOrId, line);
      return provenanceOf(context, placesOf(this.shared, snapshot, pathOrId), pathOrId);
    });
  }

  /**
   * Finds when a text came or went: commits, newest first, in which the number of its occurrences in a file changed (`git log -S`).
   *
   * A RegExp (RE2 syntax: no look-around, no back-references) finds commits whose added or removed lines match (`git log -G`). Throws
   * INVALID_ARGUMENT, INVALID_DATE, TOO_LARGE for a pattern or text too large to be searched, and NOT_FOUND for an unknown `after`.
   */
  learned(what: string | RegExp, options: LearnedOptions = {}): Promise<LearnedResult> {
    return answer(async () => {
      const { learnedOf } = await import('./history/learned.ts');
      const { compilePattern } = await import('./guard/pattern.ts');
      const { path, since, until, limit = 50, after } = options;
      if (!(what instanceof RegExp) && (typeof what !== 'string' || what === '')) {
        throw new MemoryError('INVALID_ARGUMENT', 'what to look for is missing', { where: 'what' });
      }
      if (!(Number.isInteger(limit) && limit > 0)) {
        throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
      }
      const snapshot = this.current();
      this.checkPathInScope(snapshot, 'learned', path);
      const moment = this.momentOf(snapshot);
      const [from, to] = [timeOf(since, 'since', moment, false), timeOf(until, 'until', moment, true)];
      const needle =
        typeof what === 'string'
          ? what
          : {
              pattern: await compilePattern(what, { where: 'what', maxTextBytes: maxObjectBytes }),
              source: what.source,
              ignoresCase: what.ignoreCase,
            };
      return learnedOf(this.shared.repository, snapshot.commit, {
        what: needle,
        limit,
        plain: (stored) => snapshot.plainOr(stored),
        ...(path === undefined ? {} : { path: checkPath(path.replace(/\/$/, '')) }),
        ...(from === undefined ? {} : { since: from }),
        ...(to === undefined ? {} : { until: to }),
        ...(after === undefined ? {} : { after }),
      });
    });
  }

  /**
   * Compares a state with this one, or two states: files, the fields of memories, and patches for `git apply`.
   *
   * States are revisions and times, or a range of them as in `yesterday..now`; an end that is left out of a range is this state. A time
   * before the first commit is an empty state. With three dots, as in `main...explore/plan`, the second state is compared with where it
   * parted from the first (of several places the newest, as in git). Throws as {@link Memory.at}, and NOT_FOUND where they never were one.
   */
  diff(from: TimeInput, to?: TimeInput, options: DiffOptions = {}): Promise<DiffResult> {
    return answer(async () => {
      const { diffSnapshots } = await import('./history/diff.ts');
      const { context = 3, path } = options;
      if (!Number.isInteger(context) || context < 0 || context > 1000) {
        throw new MemoryError('INVALID_ARGUMENT', 'context must be a whole number from 0 to 1000', {
          where: 'context',
        });
      }
      this.checkPathInScope(this.current(), 'diff', path);
      const range = to === undefined ? rangeOf(from) : { from, to, sinceParting: false };
      const stateAt = (end: TimeInput | undefined): Snapshot | null => {
        if (end === undefined) return this.current();
        if (end === 'now') return this.shared.present();
        const commit = this.shared.stateOf(end);
        return commit === null ? null : this.shared.at(commit);
      };
      const after = stateAt(range.to);
      const named = stateAt(range.from);
      const before = range.sinceParting ? await this.whereParted(named, after) : named;
      const query = { context, ...(path === undefined ? {} : { path: checkPath(path.replace(/\/$/, '')) }) };
      const files = diffSnapshots(this.shared.repository, before?.withoutOverlay() ?? null, after, query);
      const shown = options.patch === false ? files.map(({ patch: _, ...file }) => file) : files;
      return { from: before?.commit ?? null, to: after?.commit ?? null, files: shown };
    });
  }

  /** Within a scope such questions are about a path of it. */
  private checkPathInScope(snapshot: Snapshot, what: string, path: string | undefined): void {
    if (this.shared.scope === null) return;
    if (path === undefined) refuseInScope(this.shared, `${what} without a path`);
    else checkSeen(this.shared, snapshot, checkPath(path.replace(/\/$/, '')));
  }

  private async whereParted(one: Snapshot | null, other: Snapshot | null): Promise<Snapshot> {
    const { mergeBases } = await import('./history/merge-base.ts');
    const [left, right] = [one?.commit ?? null, other?.commit ?? null];
    const bases = left === null || right === null ? [] : mergeBases(this.shared.repository.objects, [left], [right]);
    if (bases[0] !== undefined) return this.shared.at(bases[0]);
    throw new MemoryError('NOT_FOUND', 'the two states have no commit in common', {
      where: 'from',
      hint: 'Compare them with two dots',
    });
  }

  /**
   * Writes this state into a folder, in a form that other tools and `import` read; what is pending counts as part of the present.
   *
   * Nothing is written outside the folder, and nothing over a file that differs, unless `overwrite`: ALREADY_EXISTS. The same state
   * gives the same bytes. Throws INVALID_ARGUMENT, INVALID_PATH, UNSAFE_FILE, IO.
   */
  export(target: string, options: ExportOptions = {}): Promise<ExportResult> {
    return answer(async () => {
      const { exportTo } = await import('./operations/export/export.ts');
      const { repository, catalog } = this.shared;
      return exportTo({ disk: repository.disk, snapshot: this.current(), catalog }, target, options);
    });
  }
}

/** The read-only state at one commit. Scores of the past are those of the past: a view's time is that of its commit. */
export class View extends Reader {
  private readonly fixed: Snapshot;
  private ownSearcher: Searcher | null = null;
  /** Since when its commit is known to be there: a purge may take it away. */
  private markVersion: string;

  constructor(context: ViewContext, snapshot: Snapshot) {
    super(context);
    this.fixed = snapshot;
    this.markVersion = context.repository.mark.version();
  }

  /** Id of the commit that is asked. */
  get commit(): string {
    return this.fixed.commit!;
  }

  /** Id of its tree, which is the whole of what it knows. */
  get tree(): string {
    return this.fixed.tree!;
  }

  /** When it was committed, ISO 8601; strength and recency are scored as of then. */
  get time(): string {
    return formatTime(this.now());
  }

  protected override current(): Snapshot {
    const { mark, objects } = this.shared.repository;
    const version = mark.version();
    if (version !== this.markVersion) {
      objects.forget();
      if (!objects.has(this.commit)) throw mark.purged(this.commit);
      this.markVersion = version;
    }
    return this.fixed;
  }

  protected override searcher(): Searcher {
    this.ownSearcher ??= new Searcher(this.shared, false);
    return this.ownSearcher;
  }

  protected override now(): number {
    return this.shared.repository.objects.readCommit(this.commit).committer.time * 1000;
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
