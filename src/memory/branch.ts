// One branch of a repository, opened: where its parts meet, what its present is, and what every verb of a memory asks of it.

import { hostname } from 'node:os';
import { backgroundOf } from '../adapters/background.ts';
import { configuredEmbedder } from '../adapters/configured-embedder.ts';
import { configuredScorer, installedScorer } from '../adapters/configured-scorer.ts';
import { gateModels } from '../adapters/gate-model.ts';
import { filterCommands } from '../adapters/merge-driver-command.ts';
import { miniSearchIndex } from '../adapters/mini-search-index.ts';
import { nodeFileSystem, ulidSource } from '../adapters/node.ts';
import { packagedTable } from '../adapters/table-embedder.ts';
import { MemoryError, orElse } from '../base/errors.ts';
import type { Clock, TurnScorer } from '../base/ports.ts';
import { parseTime } from '../base/time.ts';
import type { Placement, StatusResult, TimeInput } from '../base/types.ts';
import type { TopicPlace } from '../core/context/topics/topic-cache.ts';
import type { TopicCatalog } from '../core/context/topics/topic-catalog.ts';
import { expectFolder } from '../core/expect/expectation.ts';
import { derivationsOf } from '../core/ledger/derivations.ts';
import { ledgerFollower } from '../core/ledger/ledger-follower.ts';
import { lineFollower, NamedMemories, packFollower, updatedFollower } from '../core/ledger/line-follower.ts';
import { gistFollower } from '../core/lifecycle/gist/memory-gist.ts';
import { Searcher } from '../core/recall/searcher.ts';
import type { Watch } from '../core/recall/watch.ts';
import { Origins } from '../core/write/origin.ts';
import { installPrivateFilter } from '../features/repository/index.ts';
import { historyOf, isAncestor } from '../history/index.ts';
import { ChangelogCatalog, type KnownLedgers, LedgerCatalog, ToldMemories } from '../logs/index.ts';
import { Corpus, forgetReplaced, SegmentCache, SemanticIndex, type VectorCachePlace } from '../search/index.ts';
import { BranchStore, type BranchStoreOptions } from '../store/branch-store.ts';
import { changeLimits } from '../store/change-rules.ts';
import { PrivateCodec } from '../store/codec.ts';
import { committedConfiguration } from '../store/committed-configuration.ts';
import { ConfigurationReader } from '../store/configuration-reader.ts';
import { inTurn } from '../store/consequence.ts';
import { isExperiment } from '../store/experiment-names.ts';
import { answer } from '../store/git/file-errors.ts';
import { filesBelow } from '../store/git/files-below.ts';
import { ProcessLock } from '../store/git/process-lock.ts';
import type { Repository } from '../store/git/repository.ts';
import { commitAt, momentNamed, type RevisionContext, resolveRevision, resolveState } from '../store/git/revision.ts';
import { checkIdentity } from '../store/guard/identity.ts';
import { maxFileBytes } from '../store/guard/limits.ts';
import { SecretFilter } from '../store/guard/secret-filter.ts';
import { KeyRing } from '../store/key-ring.ts';
import { MemoryCatalog } from '../store/memory-catalog.ts';
import { Patience } from '../store/patience.ts';
import { type Configuration, defaultConfiguration } from '../store/records/configuration.ts';
import { configurationPath } from '../store/records/configuration-text.ts';
import { agentsPath } from '../store/records/kind.ts';
import { type StoreScope, scopeOf } from '../store/scope.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { Run } from './compose.ts';
import type { Location } from './locate.ts';
import type { LogState } from './log-questions.ts';
import type { OpenOptions } from './open-options.ts';
import type { SharedSources } from './state.ts';

/** What an open branch needs beside the place it is at. */
export interface BranchDependencies
  extends Omit<BranchStoreOptions, 'isProject' | 'scope' | keyof Needed>,
    Needed,
    Pick<
      OpenOptions,
      'scope' | 'authorOf' | 'embedder' | 'turnScorer' | 'model' | 'extractors' | 'agent' | 'network'
    > {}

type Needed = Required<Pick<OpenOptions, 'clock' | 'ids' | 'processes' | 'keys' | 'logger' | 'readOnly' | 'mends'>>;

const fallbackIdentity = { name: 'git-memory', email: 'git-memory@localhost' };

async function loadTopics(place: TopicPlace): Promise<TopicCatalog> {
  const { TopicCatalog } = await import('../core/context/topics/topic-catalog.ts');
  return new TopicCatalog(place);
}

/** An open branch. The families of verbs take what they use of it; callers never see it. */
export class Branch implements LogState {
  /** The folder that was opened, absolute. */
  readonly directory: string;
  /** Short name. */
  readonly branchName: string;
  /** Where the memory lies in its repository. */
  readonly placement: Placement;
  readonly repository: Repository;
  readonly store: BranchStore;
  private readonly configurations: ConfigurationReader;
  readonly keys: KeyRing;
  readonly knownLedgers: KnownLedgers;
  readonly dependencies: BranchDependencies;
  readonly clock: Clock;
  readonly shared: SharedSources;
  /** The part of the memory that may be seen; null: all of it. */
  readonly scope: StoreScope | null;
  /** The name of this machine, as commits and tags tell it. */
  readonly machine = hostname();
  /** The writer of now. */
  readonly origins: Origins;
  isClosed = false;
  private readonly lock: ProcessLock;
  /** Is held by who makes ready what questions wait for. */
  readonly indexing: ProcessLock;
  private readonly presentSearcher: Searcher;
  /** Those who hear of changes, until it is closed. */
  readonly watches = new Set<Watch>();
  private autoCommit: boolean | undefined;
  private openedScorer: Promise<TurnScorer> | undefined;
  private semanticIndex: SemanticIndex | null | undefined;
  private tableIndex: SemanticIndex | undefined;

  constructor(location: Location, dependencies: BranchDependencies) {
    const { repository, ref, placement } = location;
    const lastWhole = () => committedConfiguration(repository, ref)?.configuration ?? null;
    const configurations = new ConfigurationReader(dependencies.readOnly ? null : lastWhole);
    this.configurations = configurations;
    const lock = new ProcessLock(repository.disk, repository.ownDirectory, dependencies.processes, ulidSource().next());
    const ledgers = new LedgerCatalog();
    const changelogs = new ChangelogCatalog();
    let topics: Promise<TopicCatalog> | undefined;
    const keys = new KeyRing(dependencies.keys);
    const codec = new PrivateCodec(keys, configurations);
    const configurationOf: ConfigurationReader['of'] = (files) => configurations.of(files);
    const derivations = derivationsOf({ changelogs, ledgers });
    const knownLedgers = { ledgers, told: new ToldMemories() };
    // An experiment does not tell the ledger; its adoption does.
    const consequences = isExperiment(ref)
      ? {}
      : {
          // The ledger tells of what a person made of a line of knowledge, too, and the pack of what the ledger tells.
          consequences: inTurn(
            lineFollower({ named: new NamedMemories(), configurationOf }),
            gistFollower(configurationOf),
            ledgerFollower(knownLedgers, configurationOf),
            packFollower({ ledgers, configurationOf }),
            updatedFollower({ configurationOf }),
          ),
        };
    const { clock, logger, authorOf = (configured) => configured } = dependencies;
    const scope = dependencies.scope === undefined ? null : scopeOf(repository, codec, dependencies.scope);
    const { scope: _, ...storeOptions } = dependencies;
    const store = new BranchStore(
      {
        repository,
        ref,
        lock,
        codec,
        clock,
        logger,
        leadsTo: (ancestor, descendant) => isAncestor(repository.objects, ancestor, descendant),
        derivations,
        installFilter: (where, patterns) => installPrivateFilter(where, filterCommands(), patterns),
        ...consequences,
      },
      (snapshot) => {
        const configuration = configurations.of(snapshot);
        const identity = checkIdentity(configuration.author ?? authorOf(repository.identity) ?? fallbackIdentity);
        return { identity, limits: changeLimits(configuration) };
      },
      { ...storeOptions, isProject: placement === 'project', ...(scope === null ? {} : { scope }) },
    );
    const { disk, ownDirectory } = repository;
    const place = { disk, ownDirectory, logger };
    const onRead = (done: number, total: number) => logger.progress?.({ what: 'Reading', done, total });
    const directory = repository.workTree ?? repository.gitDirectory;
    const branchName = ref.replace('refs/heads/', '');
    const indexing = lock.beside(`${ownDirectory}/cache/indexing`);
    const mayLeave = location.exists && disk.fs === nodeFileSystem;
    const patience = new Patience(() => (mayLeave ? backgroundOf(indexing, directory, branchName) : null));
    const kept = {
      disk,
      ownDirectory,
      patience,
      mayKeep: (snapshot: Snapshot) => shared.mayKeep(snapshot),
      isPresent: (snapshot: Snapshot) => snapshot.tree === store.snapshot().tree,
    };
    const shared: SharedSources = {
      repository,
      // A part keeps nothing on the disk: what the whole has kept would have to go for it.
      catalog: new MemoryCatalog(scope === null ? kept : null),
      scope,
      ledgers,
      changelogs,
      topics: () => (topics ??= loadTopics(kept)),
      gateModel: gateModels(dependencies.model),
      corpus: new Corpus(new SegmentCache(place), onRead),
      patience,
      smallIndex: miniSearchIndex,
      // The caches hold words of all states together: what is private now was not always.
      mayKeep: (snapshot) =>
        shared.configurationOf(snapshot).private.length === 0 && codec.present.patterns.length === 0,
      history: historyOf(repository),
      semantics: () => this.semantics(),
      table: () => this.table(),
      // What is no memory has no configuration, whatever its memory.yaml may be.
      configurationOf: (snapshot) =>
        location.exists || !dependencies.readOnly ? configurations.of(snapshot) : defaultConfiguration(),
      at: (commit) => store.at(commit),
      sparing: (state, call) => this.sparing(state, call),
      present: () => store.snapshot(),
      expectations: () => this.asItLies(this.expectationFiles()).snapshot,
      stateOf: (revision) => this.stateOf(revision),
    };
    this.shared = shared;
    this.scope = scope;
    const transcripts = { version: () => store.purgeVersion, read: (path: string) => store.snapshot().readText(path) };
    this.origins = new Origins(transcripts, dependencies.agent);
    this.clock = clock;
    this.repository = repository;
    this.store = store;
    this.keys = keys;
    this.knownLedgers = knownLedgers;
    this.lock = lock;
    this.dependencies = dependencies;
    this.placement = placement;
    this.indexing = indexing;
    this.branchName = branchName;
    this.directory = directory;
    this.presentSearcher = new Searcher(shared, scope === null);
  }

  current(): Snapshot {
    this.checkOpen();
    return this.store.snapshot();
  }

  get lost(): MemoryError | null {
    return this.store.lost;
  }

  searcher(): Searcher {
    return this.presentSearcher;
  }

  now(): number {
    return this.clock.now();
  }

  /** Whether commits are made unasked: not inside a project, and not where `auto_commit` was off when the memory was opened. */
  get isImmediate(): boolean {
    // A reader commits nothing either way, and need not wait for the configuration. What needs that says what is wrong with it.
    const isConfigured = () => orElse(() => this.configuration().autoCommit, true);
    this.autoCommit ??= this.placement !== 'project' && (this.dependencies.readOnly || isConfigured());
    return this.autoCommit;
  }

  configuration(): Configuration {
    // Read at once and kept by nobody: a lasting copy for each write would cost more than the write when many wait.
    return this.shared.configurationOf(this.store.snapshot(true));
  }

  /** Brings a mended configuration in, where what is committed is broken; throws INVALID_CONFIG where it stays so, unless it is to be taken back. */
  async mendConfiguration(): Promise<void> {
    const { configurations, store, dependencies, placement } = this;
    const isBroken = () => configurations.isBroken(store.snapshot(true));
    // A project is committed by its people.
    if (isBroken() && placement !== 'project' && !dependencies.mends) await store.adopt(configurationPath);
    if (!dependencies.mends) configurations.lastWhole = null;
    if (isBroken()) this.configuration();
  }

  /** In the present the file that lies there counts, committed or not, on whatever branch; a link leads somewhere else, and is none. */
  agents(): string | null {
    const { workTree, disk } = this.repository;
    const lying = () => (workTree === null ? null : disk.readText(`${workTree}/${agentsPath}`, maxFileBytes));
    return orElse(lying, null, 'UNSAFE_FILE', 'TOO_LARGE') ?? this.current().readText(agentsPath);
  }

  /** In the present the files of a project's log count as they lie there. People type into them, and an agent that boots shall see it. */
  asItLies(paths: readonly string[]): ReturnType<LogState['asItLies']> {
    const present = this.current();
    if (this.scope !== null) return { snapshot: present };
    try {
      return this.store.asItLies(present, paths);
    } catch (error) {
      if (!(error instanceof MemoryError) || !['INDEX_UNSUPPORTED', 'UNSAFE_FILE'].includes(error.code)) throw error;
      // Without the index nobody can tell what was typed from what native git brought.
      this.dependencies.logger.warn(
        `The answer is that of the last commit, for hand edits cannot be told: ${error.message}`,
      );
      return { snapshot: present };
    }
  }

  private expectationFiles(): string[] {
    const { workTree, disk } = this.repository;
    const lying = workTree === null ? [] : [...filesBelow(disk, `${workTree}/expect`)];
    const paths = lying.map(({ path }) => path.slice(workTree!.length + 1));
    return lying.length === 0 ? [] : [...new Set([...paths, ...this.store.snapshot().list(expectFolder).keys()])];
  }

  /** The model that somebody chose, when it is first asked for; null when nobody did. */
  semantics(): SemanticIndex | null {
    if (this.semanticIndex === undefined) {
      const { embedder: given } = this.dependencies;
      const isChosen = given === undefined;
      const source = isChosen ? configuredEmbedder(this.configuration().embedder) : given;
      const place = { ...this.placeOfVectors(), isChosen };
      if (source === null && isChosen) forgetReplaced(place);
      this.semanticIndex = source && new SemanticIndex(source, { place, clock: this.clock });
    }
    return this.semanticIndex;
  }

  /** The table of the package, which ranks where no model is ready; null where words alone are to count. */
  table(): SemanticIndex | null {
    if (this.dependencies.embedder === null) return null;
    this.tableIndex ??= new SemanticIndex(packagedTable, { place: this.placeOfVectors(), clock: this.clock });
    return this.tableIndex;
  }

  /** Gives the scorer of turns that was given or added, opened at the first extraction; null for none. Throws EMBEDDER_UNAVAILABLE. */
  async turnScorer(): Promise<TurnScorer | null> {
    const { turnScorer: given = configuredScorer() } = this.dependencies;
    if (typeof given !== 'function') return given;
    this.openedScorer ??= given();
    return this.openedScorer;
  }

  /** Says which scorer of turns that would be, without opening it. */
  keeping(): StatusResult['keeping'] {
    const { turnScorer: given } = this.dependencies;
    if (given === undefined) return installedScorer();
    return { scorer: given === null ? null : typeof given === 'function' ? 'given' : given.name };
  }

  private placeOfVectors(): VectorCachePlace {
    const { disk, ownDirectory } = this.repository;
    return { disk, directory: `${ownDirectory}/cache`, logger: this.dependencies.logger };
  }

  /** For what changes something. */
  readonly acting = <T>(call: () => T | Promise<T>): Promise<T> =>
    answer(() => {
      this.checkOpen();
      if (this.dependencies.readOnly) {
        const { damage } = this.repository.refs.standIns.get(this.store.ref) ?? {};
        const hint = 'To change it, open it anew, without readOnly';
        const where = this.directory;
        throw damage ?? new MemoryError('READ_ONLY', 'the memory was opened read only', { where, hint });
      }
      return this.store.during(() => this.sparing(() => this.store.snapshot(), call));
    });

  /** For what only looks, whether the memory is open for writing or not. */
  readonly asking = <T>(call: () => T | Promise<T>): Promise<T> =>
    answer(() => {
      this.checkOpen();
      return this.sparing(() => this.store.snapshot(), call);
    });

  private sparing<T>(state: () => Snapshot, call: () => T | Promise<T>): Promise<T> {
    return this.store.damage.sparing(call, {
      writes: () => this.store.writeCount,
      files: () => state().listStored('', true),
      oidOf: (path) => state().objectAt(path),
      bringerOf: (path, from) => this.presentSearcher.lastChangeOf(this.store.at(from), path),
    });
  }

  filter(): SecretFilter {
    return new SecretFilter(this.configuration().secrets);
  }

  /** For what plans and then acts: a dry run only looks. Says which of what is given holds the options, counted from 0. */
  unlessDry(place: number): Run {
    return (call, given) => {
      const options = given[place] as { readonly dryRun?: boolean } | null | undefined;
      return options?.dryRun ? this.asking(call) : this.acting(call);
    };
  }

  readonly resolve = (revision: string): string => resolveRevision(this.repository, revision, this.revisions());

  stateOf(when: TimeInput): string | null {
    return typeof when === 'string'
      ? resolveState(this.repository, when, this.revisions())
      : commitAt(this.repository, this.store.tip(), parseTime(when, 'when'));
  }

  /** Gives the time that somebody asks for in place of a commit, and no later one than now. */
  momentAsked(when: TimeInput): number | undefined {
    const named = () => momentNamed(this.repository, String(when), this.revisions());
    const moment = typeof when === 'string' ? named() : parseTime(when, 'when');
    return moment === undefined ? undefined : Math.min(moment, this.now());
  }

  revisions(): RevisionContext {
    const configuration = () => this.configuration();
    return {
      ref: this.store.ref,
      now: this.now(),
      // Read for a day alone: most revisions name none.
      get timeZone() {
        return configuration().timezone;
      },
    };
  }

  private checkOpen(): void {
    if (this.isClosed) throw new MemoryError('CLOSED', 'the memory has been closed', { where: this.directory });
  }

  /** Lets go of files and timers without committing anything. */
  dispose(): void {
    this.isClosed = true;
    for (const watch of this.watches) watch.stop();
    this.watches.clear();
    this.store.stop();
    this.lock.dispose();
    this.indexing.dispose();
    this.repository.objects.close();
  }

  /** Lets go of the embedder and of the scorer of turns, if one was asked for. */
  async closeModels(): Promise<void> {
    await this.semanticIndex?.close();
    const scorer = await this.openedScorer?.catch(() => undefined);
    await scorer?.close?.();
  }
}

/** A branch that may be seen whole: what only the whole can do takes this, and the compiler refuses it a part. */
export type WholeBranch = Branch & { readonly scope: null };

/** Whether all of a branch may be seen. */
export const isWholeBranch = (branch: Branch): branch is WholeBranch => branch.scope === null;
