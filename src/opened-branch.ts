// One branch of a repository, opened: where its parts meet, what its present is, and what every call on it may ask.

import { hostname } from 'node:os';
import { configuredEmbedder } from './adapters/configured-embedder.ts';
import { gateModels } from './adapters/gate-model.ts';
import { filterCommands } from './adapters/merge-driver-command.ts';
import { miniSearchIndex } from './adapters/mini-search-index.ts';
import { ulidSource } from './adapters/node.ts';
import { parseTime } from './base/time.ts';
import type { TopicPlace } from './context/topics/topic-cache.ts';
import type { TopicCatalog } from './context/topics/topic-catalog.ts';
import { MemoryError } from './errors.ts';
import { answer } from './git/disk.ts';
import { ProcessLock } from './git/process-lock.ts';
import type { Repository } from './git/repository.ts';
import { commitAt, type RevisionContext, resolveRevision, resolveState } from './git/revision.ts';
import { checkIdentity } from './guard/identity.ts';
import { maxFileBytes } from './guard/limits.ts';
import { SecretFilter } from './guard/secret-filter.ts';
import { historyOf } from './history/catalogue.ts';
import { ChangelogCatalog } from './logs/changelog.ts';
import type { KnownLedgers } from './logs/holding-events.ts';
import { LedgerCatalog } from './logs/ledger.ts';
import { ToldMemories } from './logs/told-memories.ts';
import type { Location } from './open.ts';
import { derivationsOf } from './operations/derivations.ts';
import { isExperiment } from './operations/experiment/names.ts';
import { installPrivateFilter } from './operations/install-git-drivers.ts';
import { ledgerFollower } from './operations/ledger-follower.ts';
import { Searcher } from './operations/searcher.ts';
import { Watch } from './operations/watch.ts';
import type { Clock, EmbedderSource, IdSource, KeyStore, Logger, Network, Processes, TextModel } from './ports.ts';
import { type Configuration, defaultConfiguration } from './records/configuration.ts';
import { agentsPath } from './records/kind.ts';
import { Corpus } from './search/corpus.ts';
import { SegmentCache } from './search/segment-cache.ts';
import { SpaceCache } from './search/space-cache.ts';
import { SemanticIndex } from './search/vectors/semantic-index.ts';
import { BranchStore, type BranchStoreOptions } from './store/branch-store.ts';
import { changeLimits } from './store/change-rules.ts';
import { PrivateCodec } from './store/codec.ts';
import { ConfigurationReader } from './store/configuration-reader.ts';
import { KeyRing } from './store/key-ring.ts';
import { MemoryCatalog } from './store/memory-catalog.ts';
import { type ScopeInput, scopeOf } from './store/scope.ts';
import type { Snapshot } from './store/snapshot.ts';
import type { MemoryChange, MemoryWatch, Placement, TimeInput, WatchOptions } from './types.ts';
import { Reader, View } from './view/view.ts';
import type { ViewContext } from './view/view-context.ts';

/** What an open branch needs beside the place it is at. */
export interface BranchDependencies extends Omit<BranchStoreOptions, 'isProject' | 'scope'> {
  /** The part of the memory that is seen and may be written; default: all of it. */
  readonly scope?: ScopeInput;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly processes: Processes;
  /** Where the keys of private texts lie. */
  readonly keys: KeyStore;
  readonly logger: Logger;
  readonly readOnly: boolean;
  readonly embedder?: EmbedderSource | null;
  readonly model?: TextModel | null;
  readonly network?: Network;
}

const fallbackIdentity = { name: 'git-memory', email: 'git-memory@localhost' };

async function loadTopics(place: TopicPlace): Promise<TopicCatalog> {
  const { TopicCatalog } = await import('./context/topics/topic-catalog.ts');
  return new TopicCatalog(place);
}

/** The present of one branch, its tip and journal: answers like a {@link View}. */
export abstract class OpenedBranch extends Reader {
  /** The folder that was opened, absolute. */
  readonly directory: string;
  /** Short name. */
  readonly branchName: string;
  /** Where the memory lies in its repository. */
  readonly placement: Placement;
  protected readonly repository: Repository;
  /** @internal */
  readonly store: BranchStore;
  private readonly lock: ProcessLock;
  private autoCommit: boolean | undefined;
  protected readonly keys: KeyRing;
  protected readonly knownLedgers: KnownLedgers;
  protected readonly dependencies: BranchDependencies;
  protected readonly sharedSearcher: Searcher;
  protected semanticIndex: SemanticIndex | null | undefined;
  /** The name of this machine, as commits and tags tell it. */
  protected readonly machine = hostname();
  protected isClosed = false;
  private readonly watches = new Set<Watch>();

  constructor(location: Location, dependencies: BranchDependencies) {
    const { repository, ref, placement } = location;
    const configurations = new ConfigurationReader();
    const lock = new ProcessLock(repository.disk, repository.ownDirectory, dependencies.processes, ulidSource().next());
    const ledgers = new LedgerCatalog();
    const changelogs = new ChangelogCatalog();
    let topics: Promise<TopicCatalog> | undefined;
    const keys = new KeyRing(dependencies.keys);
    const codec = new PrivateCodec(keys, configurations);
    const derivations = derivationsOf({
      changelogs,
      ledgers,
      configurationOf: (files) => configurations.of(files),
    });
    const knownLedgers = { ledgers, told: new ToldMemories() };
    // An experiment does not tell the ledger; its adoption does.
    const consequences = isExperiment(ref)
      ? {}
      : { consequences: ledgerFollower(knownLedgers, (files) => configurations.of(files).timezone) };
    const { clock, logger } = dependencies;
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
        derivations,
        installFilter: (where, patterns) => installPrivateFilter(where, filterCommands(), patterns),
        ...consequences,
      },
      (snapshot) => {
        const configuration = configurations.of(snapshot);
        const identity = checkIdentity(configuration.author ?? repository.identity ?? fallbackIdentity);
        return { identity, limits: changeLimits(configuration) };
      },
      { ...storeOptions, isProject: placement === 'project', ...(scope === null ? {} : { scope }) },
    );
    const place = { disk: repository.disk, directory: `${repository.ownDirectory}/cache`, logger: dependencies.logger };
    const context: ViewContext = {
      repository,
      // A part keeps nothing on the disk: what the whole has kept would have to go for it.
      catalog: new MemoryCatalog(
        scope !== null
          ? null
          : {
              disk: repository.disk,
              ownDirectory: repository.ownDirectory,
              mayKeep: (snapshot) => context.mayKeep(snapshot),
            },
      ),
      scope,
      ledgers,
      changelogs,
      topics: () =>
        (topics ??= loadTopics({
          disk: repository.disk,
          ownDirectory: repository.ownDirectory,
          mayKeep: (snapshot) => context.mayKeep(snapshot),
        })),
      gateModel: gateModels(dependencies.model),
      corpus: new Corpus(new SegmentCache(place)),
      smallIndex: miniSearchIndex,
      spaces: new SpaceCache(place),
      // The caches hold words of all states together: what is private now was not always.
      mayKeep: (snapshot) =>
        this.shared.configurationOf(snapshot).private.length === 0 && codec.present.patterns.length === 0,
      history: historyOf(repository),
      semantics: () => this.semantics(),
      // What is no memory has no configuration, whatever its memory.yaml may be.
      configurationOf: (snapshot) =>
        location.exists || !dependencies.readOnly ? configurations.of(snapshot) : defaultConfiguration(),
      at: (commit) => store.at(commit),
      present: () => store.snapshot(),
      stateOf: (revision) => this.stateOf(revision),
    };
    super(context);
    this.repository = repository;
    this.store = store;
    this.keys = keys;
    this.knownLedgers = knownLedgers;
    this.lock = lock;
    this.dependencies = dependencies;
    this.placement = placement;
    this.branchName = ref.replace('refs/heads/', '');
    this.directory = repository.workTree ?? repository.gitDirectory;
    this.sharedSearcher = new Searcher(context, scope === null);
  }

  protected override current(): Snapshot {
    if (this.isClosed) throw new MemoryError('CLOSED', 'the memory has been closed', { where: this.directory });
    return this.store.snapshot();
  }

  protected override searcher(): Searcher {
    return this.sharedSearcher;
  }

  protected override now(): number {
    return this.dependencies.clock.now();
  }

  /** Whether commits are made unasked: not inside a project, and not where `auto_commit` was off when the memory was opened. */
  get commitsUnasked(): boolean {
    // Who only reads commits nothing either way, and need not wait for the configuration.
    this.autoCommit ??= this.placement !== 'project' && (this.dependencies.readOnly || this.configuredToCommit());
    return this.autoCommit;
  }

  protected get isImmediate(): boolean {
    return this.commitsUnasked;
  }

  private configuredToCommit(): boolean {
    try {
      return this.configuration().autoCommit;
    } catch (error) {
      // Whoever needs the configuration says what is wrong with it.
      if (error instanceof MemoryError) return true;
      throw error;
    }
  }

  /** The newest commit of the branch; `null` before the first. */
  get tip(): string | null {
    return this.store.tip();
  }

  protected configuration(): Configuration {
    // Read at once and kept by nobody: a lasting copy for each write would cost more than the write when many wait.
    return this.shared.configurationOf(this.store.snapshot(true));
  }

  /** In the present the file that lies there counts, committed or not, on whatever branch; a link leads somewhere else, and is none. */
  protected override agents(): string | null {
    const { workTree, disk } = this.repository;
    try {
      const text = workTree === null ? null : disk.readText(`${workTree}/${agentsPath}`, maxFileBytes);
      return text ?? super.agents();
    } catch (error) {
      if (error instanceof MemoryError && ['UNSAFE_FILE', 'TOO_LARGE'].includes(error.code)) return super.agents();
      throw error;
    }
  }

  /** In the present the files of a project's log count as they lie there: people type into them, and an agent that boots shall see it. */
  protected override asItLies(paths: readonly string[]): {
    readonly snapshot: Snapshot;
    readonly edited?: readonly string[];
  } {
    const present = this.current();
    return this.shared.scope === null ? this.store.asItLies(present, paths) : { snapshot: present };
  }

  /** The embedder that is not built in, chosen when it is first asked for. */
  protected semantics(): SemanticIndex | null {
    if (this.semanticIndex === undefined) {
      const { embedder: named } = this.configuration();
      const { embedder: given, clock, logger } = this.dependencies;
      const source = given === undefined ? configuredEmbedder(named) : given;
      const { disk, ownDirectory } = this.repository;
      const place = { disk, directory: `${ownDirectory}/cache`, logger };
      this.semanticIndex = source && new SemanticIndex(source, { place, clock, patienceMs: named.waitMs });
    }
    return this.semanticIndex;
  }

  protected acting<T>(call: () => T | Promise<T>): Promise<T> {
    return answer(() => {
      if (this.isClosed) throw new MemoryError('CLOSED', 'the memory has been closed', { where: this.directory });
      if (this.dependencies.readOnly) {
        throw new MemoryError('READ_ONLY', 'the memory was opened read only', {
          where: this.directory,
          hint: 'Open it without readOnly to change it',
        });
      }
      return this.store.during(call);
    });
  }

  protected filter(): SecretFilter {
    return new SecretFilter(this.configuration().secrets);
  }

  /** For what only looks, whether the memory is open for writing or not. */
  protected asking<T>(call: () => T | Promise<T>): Promise<T> {
    return answer(() => {
      if (this.isClosed) throw new MemoryError('CLOSED', 'the memory has been closed', { where: this.directory });
      return call();
    });
  }

  /** For what plans and then acts: a dry run only looks. */
  protected actingUnlessDry<T>(
    options: { readonly dryRun?: boolean } | null | undefined,
    call: () => T | Promise<T>,
  ): Promise<T> {
    return options?.dryRun ? this.asking(call) : this.acting(call);
  }

  protected readonly resolve = (revision: string): string =>
    resolveRevision(this.repository, revision, this.revisions());

  /** Opens the state at a day, a time, a tag, a commit or a branch; see `resolveRevision`. Throws NOT_FOUND, AMBIGUOUS, INVALID_DATE. */
  at(when: TimeInput): Promise<View> {
    return answer(() => new View(this.shared, this.stateAt(when)));
  }

  protected stateOf(when: TimeInput): string | null {
    return typeof when === 'string'
      ? resolveState(this.repository, when, this.revisions())
      : commitAt(this.repository, this.store.tip(), parseTime(when, 'when'));
  }

  /**
   * Tells of every change of this branch, whoever makes it: this process, another one, a plain `git commit`. Files that people changed and
   * nobody committed are none yet. Keeps no process alive; ends when it is stopped or the memory is closed. Throws INVALID_ARGUMENT.
   */
  watch(onChange: (change: MemoryChange) => void, { everyMs = 1000 }: WatchOptions = {}): MemoryWatch {
    if (typeof onChange !== 'function' || !(Number.isInteger(everyMs) && everyMs >= 50)) {
      throw new MemoryError(
        'INVALID_ARGUMENT',
        'a watch needs a function, and at least 50 milliseconds between looks',
        {
          where: 'everyMs',
        },
      );
    }
    this.current();
    const present = (isLive: boolean) => this.store.snapshot(isLive);
    const watch = new Watch({ present, logger: this.dependencies.logger, everyMs, onChange });
    this.watches.add(watch);
    const stop = () => {
      watch.stop();
      this.watches.delete(watch);
    };
    return { look: () => (this.watches.has(watch) ? watch.look() : undefined), stop };
  }

  protected revisions(): RevisionContext {
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

  /** Lets go of files and timers without committing anything. */
  dispose(): void {
    this.isClosed = true;
    for (const watch of this.watches) watch.stop();
    this.watches.clear();
    this.store.stop();
    this.lock.dispose();
    this.repository.objects.close();
  }
}
