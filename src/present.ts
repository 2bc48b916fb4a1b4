// Memory: what acts on a branch as a whole, its history, its passes, its state. Each call is a few lines of wiring; what it does stands
// in the layers below.

import { hostname } from 'node:os';
import { downloadConfigured } from './adapters/configured-embedder.ts';
import { chooseModel } from './adapters/configured-model.ts';
import { installedPaths } from './adapters/installation.ts';
import { filterCommands, mergeDriverCommand } from './adapters/merge-driver-command.ts';
import { machineNetwork } from './adapters/network.ts';
import { ulidSource } from './adapters/node.ts';
import { packagedHooks } from './adapters/package.ts';
import { userSettings } from './adapters/user-settings.ts';
import type { CaptureTextOptions, SessionOptions } from './capture/recorder.ts';
import type { Session } from './capture/session.ts';
import { MemoryError } from './errors.ts';
import { FollowedMemories } from './extract/followed-memories.ts';
import { answer } from './git/disk.ts';
import { readIndex } from './git/index-file.ts';
import { createTag, listTags, tagOf } from './history/tags.ts';
import { absolutePath, type Location } from './open.ts';
import type { BranchDependencies } from './opened-branch.ts';
import { AutoPush } from './operations/auto-push.ts';
import type { BranchScope } from './operations/branches.ts';
import type { StagedReport } from './operations/check-staged.ts';
import type { ModelWriter } from './operations/condense/writer.ts';
import type { ContextQuestion } from './operations/context.ts';
import type { Ask } from './operations/experiment/compare.ts';
import type { ExperimentDependencies, ExperimentOptions } from './operations/experiment/run.ts';
import type { ExtractionRunOptions } from './operations/extract.ts';
import { flushBefore } from './operations/flush-before.ts';
import type { SourceText } from './operations/import/source.ts';
import type { InstalledHooks } from './operations/install-hooks.ts';
import { configureMergeDriver, installMergeAttributes } from './operations/install-merge-driver.ts';
import type { BranchAccess } from './operations/merge-branches.ts';
import type { ModelChoice, ModelReading } from './operations/model-reading.ts';
import type { Changing, Mounts } from './operations/mounts.ts';
import type { KeyDependencies } from './operations/private-keys.ts';
import { Quarantine } from './operations/quarantine.ts';
import type { PassDependencies } from './operations/run-pass.ts';
import type { ScheduleDependencies } from './operations/schedule.ts';
import type { ScheduleLines, Scheduler } from './operations/schedule-lines.ts';
import { statusWithin } from './operations/scoped-questions.ts';
import type { Configuration } from './records/configuration.ts';
import { refuseWholeOnly, wholeOnly } from './scoped.ts';
import { hasMounts } from './store/mounts.ts';
import type { ScopeInput } from './store/scope.ts';
import type {
  AcceptQuarantineOptions,
  AcceptQuarantineResult,
  AdoptResult,
  BisectOptions,
  BisectResult,
  BlameOptions,
  BlameResult,
  BranchComparison,
  BranchEntry,
  BundleResult,
  CaptureInput,
  CaptureResult,
  CompareOptions,
  CompareResult,
  ConsolidateMemoriesOptions,
  ConsolidateResult,
  DropExperimentResult,
  DropQuarantineResult,
  DropResult,
  ExperimentListResult,
  ExperimentRunResult,
  ExpireResult,
  ExtractOptions,
  ExtractResult,
  GistOptions,
  GistResult,
  ImportOptions,
  ImportResult,
  KeyChange,
  KeyStatus,
  LogFilter,
  LogResult,
  MaintainOptions,
  MaintainResult,
  MergeOptions,
  MergeResult,
  MountInput,
  MountsResult,
  NightlyOptions,
  NightlyResult,
  Probe,
  ProbesOptions,
  PromoteOptions,
  PromoteResult,
  ProvenanceResult,
  PurgeOptions,
  PurgeResult,
  PurgeTarget,
  QuarantineListResult,
  QuarantineShowResult,
  RecallOptions,
  RecallResult,
  ReindexOptions,
  ReindexResult,
  ResolveResult,
  ScheduleResult,
  ScheduleRunResult,
  SchemaOptions,
  SchemaResult,
  ShownKey,
  SnapshotResult,
  SplitCandidates,
  SplitOptions,
  SplitPartInput,
  SplitResult,
  StatusResult,
  SyncOptions,
  SyncResult,
  TimeInput,
  UndoOptions,
  UndoResult,
  UndoTarget,
} from './types.ts';
import { type Reader, View } from './view.ts';
import { WritableBranch } from './writable-branch.ts';

/** What {@link Memory} needs beside the place it is at. */
export interface MemoryDependencies extends BranchDependencies {
  /** Opens another branch of the same repository as this one was opened. */
  readonly reopen: (branch: string, scope?: ScopeInput) => Promise<Memory>;
  /** Opens another memory so that nothing of it can change; without it none is looked into. */
  readonly openMounted?: (dir: string) => Promise<Memory>;
}

/** What extracts is loaded when it is wanted, as all is that a short command can do without. */
const extracting = () =>
  Promise.all([
    import('./extract/rules.ts'),
    import('./operations/extract.ts'),
    import('./operations/extraction-settings.ts'),
  ]);

/** The present of one branch, its tip and journal: answers like a {@link View}, and acts. */
export class Memory extends WritableBranch {
  private readonly known = new FollowedMemories(this.shared.catalog);
  private readonly reopen: MemoryDependencies['reopen'];
  private readonly openMounted: MemoryDependencies['openMounted'];
  private mounted: Promise<Mounts<Reader, Memory>> | undefined;
  private readonly quarantine: Quarantine<Memory>;
  private readonly autoPush = new AutoPush({
    store: this.store,
    isWanted: () => !this.dependencies.readOnly && this.configuration().autoPush,
    sync: (signal) => this.sync({ signal }),
    warn: (line) => this.dependencies.logger.warn(line),
  });

  /** Use {@link openMemory}. */
  constructor(location: Location, dependencies: MemoryDependencies) {
    super(location, dependencies);
    this.reopen = dependencies.reopen;
    this.openMounted = dependencies.openMounted;
    if (this.shared.scope !== null) refuseWholeOnly(this, wholeOnly);
    this.quarantine = new Quarantine<Memory>({
      access: () => this.branchAccess(),
      open: (name, isNew) => this.branch(name, { create: isNew }),
      ids: dependencies.ids,
      machine: hostname(),
      policy: () => this.configuration().trust,
    });
  }

  // ── other memories ────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Looks into another memory from now on: its hits come with those of this one, marked, and its files are read below `mounts/<name>/`.
   * Nothing of it is ever written, and private texts stay closed. The list is this machine's and does not sync. Views of the past and scoped
   * memories see no mounts. Throws INVALID_ARGUMENT, ALREADY_EXISTS, and as {@link openMemory} for what is there.
   */
  mount(input: MountInput): Promise<MountInput> {
    return this.acting(async () => {
      const dir =
        typeof input?.dir === 'string' && input.dir !== '' ? absolutePath(input.dir, process.cwd()) : input?.dir;
      return (await this.others()).add({ ...input, dir }, this.mountList());
    });
  }

  /** Looks into a mounted memory no more. Throws NOT_FOUND. */
  unmount(name: string): Promise<MountInput> {
    return this.acting(async () => (await this.others()).remove(name, this.mountList()));
  }

  /** Lists what is mounted, and says of each that cannot be asked why. */
  mounts(): Promise<MountsResult> {
    return this.asking(async () => {
      const others = await this.others();
      const problems = await others.problems();
      return { mounts: problems.some(({ name }) => name === '') ? [] : others.list(), problems };
    });
  }

  /** @internal Mounts answer, too. */
  override recall(query: string, options: RecallOptions = {}): Promise<RecallResult> {
    return this.asking(async () => {
      if (!this.looksIntoOthers()) return super.recall(query, options);
      const { withMounted } = await import('./operations/mounts.ts');
      const own = await super.recall(query, options);
      const limit = options.limit ?? this.configuration().recall.limit;
      const { hits, problems } = await (await this.others()).recall(query, { ...options, limit });
      const told = problems.length === 0 ? {} : { mountProblems: problems };
      return { ...own, ...told, hits: withMounted(own.hits, hits).slice(0, limit) };
    });
  }

  /** @internal Mounts answer, too. */
  override read(path: string): Promise<string> {
    return this.elsewhere(
      path,
      (view, there) => view.read(there),
      () => super.read(path),
    );
  }

  /** @internal Mounts answer, too. */
  override log(filter: LogFilter = {}): Promise<LogResult> {
    return this.elsewhere(
      filter?.path,
      (view, there) => view.log({ ...filter, path: there }),
      () => super.log(filter),
    );
  }

  /** @internal Mounts answer, too. */
  override blame(pathOrId: string, options: BlameOptions = {}): Promise<BlameResult> {
    return this.elsewhere(
      pathOrId,
      (view, there) => view.blame(there, options),
      () => super.blame(pathOrId, options),
    );
  }

  /** @internal Mounts answer, too. */
  override provenance(pathOrId: string, line?: number): Promise<ProvenanceResult> {
    return this.elsewhere(
      pathOrId,
      (view, there) => view.provenance(there, line),
      () => super.provenance(pathOrId, line),
    );
  }

  protected override contextQuestion(): ContextQuestion {
    const question = super.contextQuestion();
    if (!this.looksIntoOthers()) return question;
    return {
      ...question,
      others: async (query, limit) => {
        const { asRanked } = await import('./operations/mounts.ts');
        return (await (await this.others()).recall(query, { limit })).hits.map(asRanked);
      },
    };
  }

  private mountList(): Changing {
    return {
      locked: (work) => this.store.exclusively(work),
      holds: (folder) => this.store.snapshot().list(folder).size > 0,
    };
  }

  private looksIntoOthers(): boolean {
    if (this.isClosed || this.shared.scope !== null || this.openMounted === undefined) return false;
    return hasMounts(this.repository);
  }

  /** Asks the mounted memory that a path leads into, or ourselves. */
  private elsewhere<T>(
    path: unknown,
    ask: (view: Reader, there: string) => Promise<T>,
    askOurselves: () => Promise<T>,
  ): Promise<T> {
    if (typeof path !== 'string' || !path.startsWith('mounts/')) return askOurselves();
    return this.asking(async () => {
      if (!this.looksIntoOthers()) return askOurselves();
      const place = await (await this.others()).behind(path);
      if (place !== null) return ask(place.view, place.path);
      throw new MemoryError('NOT_FOUND', `${path} is in no mounted memory`, {
        where: path,
        hint: '`git memory mount` lists what is mounted',
      });
    });
  }

  private others(): Promise<Mounts<Reader, Memory>> {
    this.mounted ??= import('./operations/mounts.ts').then(
      ({ Mounts }) => new Mounts<Reader, Memory>(this.repository, (dir) => this.openOther(dir)),
    );
    return this.mounted;
  }

  private async openOther(dir: string): Promise<Memory> {
    const { openMounted } = this;
    if (openMounted === undefined || this.shared.scope !== null) {
      throw new MemoryError('READ_ONLY', 'this memory looks into no other', { where: 'mount' });
    }
    const memory = await openMounted(dir);
    if (memory.repository.commonDirectory !== this.repository.commonDirectory) return memory;
    await memory.close();
    throw new MemoryError('INVALID_ARGUMENT', 'a memory cannot be mounted into itself', { where: dir });
  }

  // ── history ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Finds the commit since which a question does not find any more what it found before, by asking views of the first-parent history.
   *
   * Throws INVALID_ARGUMENT without a question or without what it should find, NOT_FOUND for a `good` state off the branch.
   */
  bisect(query: string, options: BisectOptions): Promise<BisectResult> {
    return answer(async () =>
      (await import('./operations/bisect-recall.ts')).bisectRecall(
        { repository: this.repository, stateOf: this.shared.stateOf, tip: this.tip, at: (commit) => this.at(commit) },
        query,
        options,
      ),
    );
  }

  /**
   * Takes operations back by an inverse commit, three ways against what happened since.
   *
   * Either it succeeds exactly, or names the conflicting paths and changes nothing. Undoing an undo brings things back.
   */
  undo(what: UndoTarget, options: UndoOptions = {}): Promise<UndoResult> {
    const undo = async () => {
      const { undoOperations } = await import('./operations/undo.ts');
      const when = { now: this.now(), timeZone: this.configuration().timezone };
      return undoOperations(this.store, this.shared.catalog, this.resolve, what, options, when);
    };
    return options?.dryRun ? this.asking(undo) : this.acting(undo);
  }

  /**
   * Opens another branch of this memory; with `create` begins it first, at `from` or the present (what waits is committed before that).
   *
   * A branch costs one ref and no files. The caller closes what it opens. Throws NOT_A_MEMORY, ALREADY_EXISTS, NOT_FOUND, INVALID_REF.
   */
  branch(name: string, options: { create?: boolean; from?: string } = {}): Promise<Memory> {
    if (!options.create)
      return this.asking(async () => {
        const { branchOf } = await import('./operations/branches.ts');
        return this.reopen(branchOf(this.branchScope(), name).replace('refs/heads/', ''));
      });
    return this.acting(async () => {
      const { createBranch } = await import('./operations/branches.ts');
      const from = options.from === undefined ? undefined : this.resolve(options.from);
      const ref = await createBranch(this.branchScope(), this.store, name, from);
      return this.reopen(ref.replace('refs/heads/', ''));
    });
  }

  /**
   * Takes a text, memory, session or file out of all history, refs, logs, journals, caches and packs of this repository. This is the one
   * thing that cannot be undone; `dryRun` tells what it would touch. Commits get new ids, and old ones answer PURGED. What was opened or
   * planned before, here or by another process, writes nothing more until it begins anew. Remotes and clones still hold it: see the result.
   *
   * Throws NOT_FOUND, INVALID_ARGUMENT, TOO_LARGE, AMBIGUOUS; CONFLICT and UNSUPPORTED_REPOSITORY for what has to be settled first;
   * LOCKED, REF_MOVED, and the reason of an abort.
   */
  purge(what: PurgeTarget, options: PurgeOptions = {}): Promise<PurgeResult> {
    const run = async () => {
      const { purge } = await import('./operations/purge/purge.ts');
      const { ids, processes } = this.dependencies;
      return purge(
        {
          store: this.store,
          processes,
          placement: this.placement,
          now: () => this.now(),
          machine: hostname(),
          nextId: () => ids.next(),
        },
        what,
        options,
      );
    };
    return options?.dryRun ? this.asking(run) : this.acting(run);
  }

  /**
   * Opens a part of this memory, for an agent that shall see and write no more: folders and files by their paths, and memories by their tags.
   *
   * Whatever it is asked, only these are looked at, and statistics of search count them alone; a write beside them is READ_ONLY, and so is what
   * needs the whole, such as maintenance, branches and provenance. What it remembers gets the tags. Its context counts no uses. The caller
   * closes it. Throws INVALID_ARGUMENT, INVALID_PATH, READ_ONLY for what is not within the present scope.
   */
  scoped(scope: string | ScopeInput): Promise<Memory> {
    return this.asking(async () => {
      const wanted = typeof scope === 'string' ? { paths: [scope] } : scope;
      const { scope: own } = this.shared;
      const isWithin =
        own === null ||
        ((wanted?.paths ?? []).every((path) => own.covers(path)) &&
          (wanted?.tags ?? []).every((tag) => own.tags.includes(tag)));
      if (isWithin) return this.reopen(this.branchName, wanted);
      throw new MemoryError('READ_ONLY', 'this is not within the scope of this memory', { where: 'scope' });
    });
  }

  /** Lists the branches that hold a memory, and how far each is ahead of and behind this one. */
  branches(): Promise<BranchEntry[]> {
    return this.asking(async () => (await import('./operations/branches.ts')).listBranches(this.branchScope()));
  }

  /** Compares a branch, tag or commit with the present: what each has alone, and what a merge would have to decide. */
  compare(theirs: string): Promise<BranchComparison> {
    return this.asking(async () => {
      const { compareBranches } = await import('./operations/branches.ts');
      return compareBranches(this.store, this.resolve('HEAD'), this.resolve(theirs));
    });
  }

  /**
   * Merges a branch, tag or commit into this branch, or into `into`; counters add up, lists merge item by item.
   *
   * What contradicts is settled and named: the later change stands, the other one in the record or in history. The commit has both
   * as parents, and can be undone. Throws NOT_FOUND, INVALID_ARGUMENT for histories without a common beginning, LOCKED.
   */
  merge(theirs: string, options: MergeOptions = {}): Promise<MergeResult> {
    const merging = () => import('./operations/merge-branches.ts');
    return options.dryRun
      ? this.asking(async () => (await merging()).previewMergeInto(this.branchAccess(), theirs, options.into))
      : this.acting(async () => (await merging()).mergeInto(this.branchAccess(), theirs, options));
  }

  /**
   * Brings this branch and its milestones in step with a remote: what is there comes, what is here goes, conflicts are settled and named as
   * {@link merge} does. A remote that cannot be reached is an answer (`state`). Throws REMOTE_REFUSED for one that is not followed,
   * NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, REF_MOVED, LOCKED.
   */
  sync(options: SyncOptions = {}): Promise<SyncResult> {
    return this.acting(async () => {
      const { syncBranch } = await import('./operations/sync.ts');
      const { network = machineNetwork() } = this.dependencies;
      const now = () => this.now();
      return syncBranch({ store: this.store, placement: this.placement, network, machine: hostname(), now }, options);
    });
  }

  /**
   * Finishes a merge, cherry-pick, rebase, revert or stash that native git has stopped at: settles what is unmerged as {@link merge} does, in
   * index and work tree, and leaves the commit to git. Throws NOT_FOUND, INVALID_ARGUMENT, LOCKED.
   */
  resolveMerge(options: { dryRun?: boolean } = {}): Promise<ResolveResult> {
    const isProject = this.placement === 'project';
    const dryRun = options.dryRun === true;
    const run = async () => (await import('./operations/resolve.ts')).resolveMerge(this.store, isProject, dryRun);
    return dryRun ? this.asking(run) : this.acting(run);
  }

  /**
   * Ends a branch. With something on it that no other branch or tag has, only with `force`.
   *
   * Throws CONFLICT for such a branch and for one with writes that wait, INVALID_ARGUMENT for the one you are on, NOT_FOUND.
   */
  dropBranch(name: string, options: { force?: boolean } = {}): Promise<DropResult> {
    return this.acting(async () =>
      (await import('./operations/merge-branches.ts')).dropNamed(this.branchAccess(), name, options.force ?? false),
    );
  }

  /** Ends the experiments (`explore/…`) that expired, `explore_days` after their last operation; what is on one alone keeps it. */
  expireBranches(): Promise<ExpireResult> {
    return this.acting(() => this.expiring(false));
  }

  private async expiring(dryRun: boolean): Promise<ExpireResult> {
    const { dropNamed } = await import('./operations/merge-branches.ts');
    const { expireBranches } = await import('./operations/branches.ts');
    return expireBranches(this.branchScope(), (name) => dropNamed(this.branchAccess(), name, false), dryRun);
  }

  private branchAccess(): BranchAccess {
    return {
      scope: this.branchScope(),
      store: this.store,
      resolve: this.resolve,
      open: (name) => this.branch(name),
    };
  }

  private branchScope(): BranchScope {
    return {
      repository: this.repository,
      ref: this.store.ref,
      placement: this.placement,
      now: this.now(),
      exploreDays: this.configuration().exploreDays,
    };
  }

  /**
   * Tags the present: `daily`, `weekly`, `before/<event>`, `extract/<version>`, or a name, which becomes `milestone/<name>`.
   *
   * What is pending is committed first. A tag never moves: a taken name gets the machine behind it. The one of a day or week is made only
   * where something changed since the last. Throws ALREADY_EXISTS, INVALID_REF.
   */
  snapshot(name: string, options: { at?: string } = {}): Promise<SnapshotResult> {
    return this.acting(async () => {
      this.filter().passName(name, 'the name of the snapshot');
      const tag = tagOf(name, this.now(), this.configuration().timezone);
      if (options.at === undefined) await flushBefore(this.store);
      const commit = options.at === undefined ? this.store.tip() : (await this.at(options.at)).commit;
      if (commit === null) {
        throw new MemoryError('NOT_FOUND', 'there is no commit to tag yet', { where: this.branchName });
      }
      return createTag(this.store, tag, commit, hostname());
    });
  }

  /** Lists snapshots, oldest first. */
  snapshots(): Promise<{ tag: string; commit: string; time: string }[]> {
    return answer(() => listTags(this.repository));
  }

  // ── captures of low trust ─────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Records a finished conversation or note; closed and committed when the call returns. With `trust.quarantine` one of low trust goes, with
   * what is extracted from it, to a branch of its own, which the result names: {@link acceptQuarantined} lets it in.
   */
  override capture(input: CaptureInput): Promise<CaptureResult> {
    return answer(async () => {
      if (this.isClosed || !this.quarantine.takes(input)) return super.capture(input);
      return (await this.quarantine.capture(async (branch) => [await branch.capture(input)]))[0]!;
    });
  }

  override captureText(text: string, options: CaptureTextOptions = {}): Promise<CaptureResult[]> {
    return answer(() => {
      if (this.isClosed || !this.quarantine.takes(options)) return super.captureText(text, options);
      return this.quarantine.capture((branch) => branch.captureText(text, options));
    });
  }

  /**
   * Begins a session, or goes on with an open one of that id. With `trust.quarantine` one of low trust is recorded on a branch of its own,
   * which the result of its end names. Throws ALREADY_EXISTS when it has ended.
   */
  override startSession(options: SessionOptions = {}): Promise<Session> {
    return this.acting(async () => (await this.quarantine.startSession(options)) ?? super.startSession(options));
  }

  /** Lists what lies in quarantine: captures, and what was extracted from them; and the tags of what was dropped. */
  quarantined(): Promise<QuarantineListResult> {
    return this.asking(() => this.quarantine.list());
  }

  /** Tells what a branch of quarantine would bring, word for word, and where it contradicts the present. Throws NOT_FOUND. */
  showQuarantined(name: string): Promise<QuarantineShowResult> {
    return this.asking(() => this.quarantine.show(name));
  }

  /**
   * Lets a branch of quarantine in, in one commit that undo takes back, and ends it. With `commit` only if it is still what was looked at.
   *
   * Throws NOT_FOUND; CONFLICT when it went on since, or a session goes on there; LOCKED.
   */
  acceptQuarantined(name: string, options: AcceptQuarantineOptions = {}): Promise<AcceptQuarantineResult> {
    return this.acting(() => this.quarantine.accept(name, options));
  }

  /**
   * Ends a branch of quarantine and lets nothing in; the tag `memory/quarantine/<name>` keeps it. Throws NOT_FOUND; CONFLICT while a session
   * goes on there, unless `force` is set.
   */
  dropQuarantined(name: string, options: { force?: boolean } = {}): Promise<DropQuarantineResult> {
    return this.acting(() => this.quarantine.drop(name, options));
  }

  /** With `auto_push`, syncs behind it: whoever commits does not wait. */
  override async commit(...given: Parameters<WritableBranch['commit']>): ReturnType<WritableBranch['commit']> {
    const result = await super.commit(...given);
    if (result.commits.length > 0) void this.autoPush.begin();
    return result;
  }

  override async close(): Promise<void> {
    if (!this.isClosed) {
      await this.mounted?.then((others) => others.close());
      await answer(() => this.quarantine.close());
      await this.autoPush.finish();
    }
    return super.close();
  }

  override dispose(): void {
    this.quarantine.dispose();
    super.dispose();
  }

  // ── passes ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Derives memories from conversations: one atomic commit for each transcript that yields something. */
  extract(options: ExtractOptions = {}): Promise<ExtractResult> {
    return this.acting(() => this.extractFrom(options));
  }

  protected override async extractFrom(options: ExtractionRunOptions): Promise<ExtractResult> {
    if (!options.dryRun && this.isImmediate) await flushBefore(this.store);
    const { store, isImmediate } = this;
    const { clock } = this.dependencies;
    const { known } = this;
    const configuration = this.configuration();
    const { choice, note } = chooseModel(configuration.extract.model, options.model, this.dependencies.model);
    const model = choice === null ? null : { choice, open: () => this.openReading(choice, configuration) };
    const [{ ruleExtractor }, { extractTranscripts }, { extractionSettings }] = await extracting();
    const settings = extractionSettings(configuration, ruleExtractor, this.shared.catalog, this.knownLedgers);
    return extractTranscripts(
      { store, known, clock, isImmediate, model, ...(note === undefined ? {} : { modelNote: note }), ...settings },
      options,
    );
  }

  private async openReading(choice: ModelChoice, configuration: Configuration): Promise<ModelReading> {
    const { openModelReading } = await import('./operations/model-reading.ts');
    return openModelReading(choice, { place: this.repository, clock: this.dependencies.clock, configuration });
  }

  // ── experiments ───────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Tries another way to extract on all captures: replays them in order onto `extract/<name>`, from the present without what was extracted
   * before, or goes on where the last run stopped. What waits is committed first; else neither the work tree nor this branch is touched.
   *
   * The same captures and settings give the same memories. Throws INVALID_REF, INVALID_CONFIG, INVALID_ARGUMENT for an experiment that was
   * begun with other settings, EXTRACTION_FAILED; what was found until then is kept.
   */
  experiment(name: string, options: ExperimentOptions = {}): Promise<ExperimentRunResult> {
    return this.acting(async () => {
      const { runExperiment } = await import('./operations/experiment/run.ts');
      return runExperiment(await this.experimenting(options), name, options);
    });
  }

  /** Lists experiments with how far they are and what they cost, and the tags of those that were dropped. */
  experiments(): Promise<ExperimentListResult> {
    return this.asking(async () =>
      (await import('./operations/experiment/branch.ts')).listExperiments(this.branchScope(), this.store),
    );
  }

  /**
   * Compares two experiments, or one with a branch such as `main`: what each knows and costs, what one knows alone, and what each finds of
   * the same probes, with how sure the difference is. Throws NOT_FOUND, INVALID_RECORD for probes that cannot be used.
   */
  compareExperiments(a: string, b: string, options: CompareOptions = {}): Promise<CompareResult> {
    const askAt = async (commit: string): Promise<Ask> => {
      const view = new View(this.shared, this.store.at(commit));
      return async (question, asking) => (await view.recall(question, asking)).hits;
    };
    return this.asking(async () => {
      const { compareExperiments } = await import('./operations/experiment/compare.ts');
      return compareExperiments({ ...(await this.experimenting()), askAt }, [a, b], options);
    });
  }

  /** Makes probes of the captures: turns are asked for by their rare words. The same captures, count and seed give the same. */
  probes(options: ProbesOptions = {}): Promise<Probe[]> {
    return this.asking(async () =>
      (await import('./operations/experiment/make-probes.ts')).makeProbes(this.store, options),
    );
  }

  /**
   * Merges a finished experiment into this branch, in one commit that undo takes back. What was changed here since it began stays as it is
   * here. Throws NOT_FOUND, INVALID_ARGUMENT, LOCKED.
   */
  adoptExperiment(name: string): Promise<AdoptResult> {
    return this.acting(async () =>
      (await import('./operations/experiment/end.ts')).adoptExperiment(await this.experimenting(), name),
    );
  }

  /** Ends the branch of an experiment; the tag `memory/extract/<name>` keeps what it was. Throws NOT_FOUND, CONFLICT. */
  dropExperiment(name: string): Promise<DropExperimentResult> {
    return this.acting(async () =>
      (await import('./operations/experiment/end.ts')).dropExperiment(await this.experimenting(), name),
    );
  }

  private async experimenting({
    extractor,
    model,
  }: Pick<ExperimentOptions, 'extractor' | 'model'> = {}): Promise<ExperimentDependencies> {
    const { extractionSettings } = await import('./operations/extraction-settings.ts');
    const { ruleExtractor } = await import('./extract/rules.ts');
    return {
      ...this.branchAccess(),
      ledger: this.knownLedgers,
      now: () => this.now(),
      catalog: this.shared.catalog,
      machine: hostname(),
      configurationOf: this.shared.configurationOf,
      readerOf: async (configuration) => {
        const settings = extractionSettings(configuration, extractor ?? ruleExtractor, this.shared.catalog, null);
        if (extractor !== undefined) return settings;
        const { choice } = chooseModel(configuration.extract.model, model, this.dependencies.model);
        if (choice === null) return settings;
        const reading = await this.openReading(choice, configuration);
        const cost = () => {
          const { calls, inputTokens, outputTokens, cost: price } = reading.report();
          return { calls, inputTokens, outputTokens, price };
        };
        return { ...settings, extractor: reading.extractor, cost };
      },
    };
  }

  /**
   * Merges memories that say the same: clusters above `consolidate.automatic` of memory.yaml, each in one commit that makes the new
   * memory, links it to its sources and removes them.
   *
   * Clusters in doubt are merged by the model, if one is set, and else left in `open`. Throws NOT_FOUND and INVALID_ARGUMENT for
   * `ids`, LOCKED.
   */
  consolidate(options: ConsolidateMemoriesOptions = {}): Promise<ConsolidateResult> {
    const consolidate = async () =>
      (await import('./operations/consolidate.ts')).consolidateMemories(this.passes(), options);
    return options.dryRun ? this.asking(consolidate) : this.acting(consolidate);
  }

  /**
   * Gives short forms to the memories that have none, or makes those of `ids`, or `all`, anew, in one commit; says what they save.
   *
   * Throws NOT_FOUND, AMBIGUOUS, LOCKED.
   */
  gist(options: GistOptions = {}): Promise<GistResult> {
    const gist = async () => (await import('./operations/gists.ts')).makeGists(this.passes(), options);
    return options.dryRun ? this.asking(gist) : this.acting(gist);
  }

  /**
   * Imports memories and notes from a file, a folder or texts: what is new, and what changed there since the last import; a second
   * import of the same changes nothing. What is another here stays and is named in the answer, unless `overwrite`.
   *
   * One commit, or one for each conversation, behind a tag of the state before, which stays when the import fails. Throws NOT_FOUND,
   * INVALID_ARGUMENT, TOO_LARGE, UNSAFE_FILE of the source, SECRET, QUOTA, LOCKED.
   */
  import(from: string | readonly SourceText[], options: ImportOptions = {}): Promise<ImportResult> {
    const run = async () => (await import('./operations/import/import.ts')).importFrom(this.passes(), from, options);
    return options.dryRun ? this.asking(run) : this.acting(run);
  }

  /**
   * Splits a memory into parts, each a memory as well known as the whole was, in one commit; without `parts`, one for each idea of it.
   *
   * The whole leaves; the parts name it. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, SECRET, LOCKED.
   */
  split(id: string, parts?: readonly (string | SplitPartInput)[], options: SplitOptions = {}): Promise<SplitResult> {
    const split = async () => {
      const { splitMemory } = await import('./operations/split.ts');
      return splitMemory(this.passes(), this.found(id).id, parts, this.filter(), options);
    };
    return options.dryRun ? this.asking(split) : this.acting(split);
  }

  /** Lists memories that could be several: long, with many tags or entities, or used in many domains, and of two ideas or more. */
  splitCandidates(): Promise<SplitCandidates> {
    return this.asking(async () => {
      const { findSplitCandidates } = await import('./operations/split.ts');
      return findSplitCandidates(this.shared.catalog, this.store.snapshot(), this.configuration());
    });
  }

  /**
   * Makes a knowledge file of each memory that was used and is strong, or of those of `ids`, each in one commit; memory and file name
   * each other, and the memory stays. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
   */
  promote(options: PromoteOptions = {}): Promise<PromoteResult> {
    const promote = async () => (await import('./operations/promote.ts')).promoteMemories(this.passes(), options);
    return options.dryRun ? this.asking(promote) : this.acting(promote);
  }

  /**
   * Distils clusters of promoted memories, or those of `ids`, into memories of the status `schema`, which name them; the members stay.
   *
   * Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
   */
  distil(options: SchemaOptions = {}): Promise<SchemaResult> {
    const distil = async () => (await import('./operations/promote.ts')).distilSchemas(this.passes(), options);
    return options.dryRun ? this.asking(distil) : this.acting(distil);
  }

  /** Gives the schemas that memory.yaml names under a bundle. Throws NOT_FOUND. */
  bundle(name: string): Promise<BundleResult> {
    return this.asking(async () => {
      const { bundleOf } = await import('./operations/promote.ts');
      return bundleOf(this.shared.catalog, this.store.snapshot(), this.configuration(), name);
    });
  }

  protected override async maintainAfterExtractions(): Promise<MaintainResult | null> {
    const { maintainAfterExtractions } = await import('./operations/after-extractions.ts');
    return maintainAfterExtractions(this.passes());
  }

  /** The model that writes, as a person chose it; null where none is. */
  private async writer(): Promise<ModelWriter | null> {
    const configuration = this.configuration();
    const { choice } = chooseModel(configuration.extract.model, undefined, this.dependencies.model);
    if (choice === null) return null;
    const { openWriter } = await import('./operations/condense/writer.ts');
    return openWriter(choice, { place: this.repository, clock: this.dependencies.clock, configuration });
  }

  protected override async proposedSubject(): Promise<string | undefined> {
    const { extract, ...configuration } = this.configuration();
    if (chooseModel(extract.model, undefined, this.dependencies.model).choice === null) return undefined;
    const { proposedSubject } = await import('./operations/commit-message.ts');
    return proposedSubject(this.store, configuration, () => this.writer());
  }

  private passes(): PassDependencies {
    const { network = machineNetwork(), processes } = this.dependencies;
    return {
      store: this.store,
      catalog: this.shared.catalog,
      clock: this.dependencies.clock,
      ids: this.dependencies.ids,
      configurationOf: this.shared.configurationOf,
      machine: hostname(),
      isImmediate: this.isImmediate,
      semantics: () => this.semantics(),
      model: this.dependencies.model ?? null,
      writer: () => this.writer(),
      gitPorts: { programs: network.programs, processes, nonce: () => ulidSource().next() },
      ...(this.isImmediate ? { expireBranches: (dryRun: boolean) => this.expiring(dryRun) } : {}),
      ledgers: this.shared.ledgers,
      extract: ({ dryRun, signal, onProgress, run }) =>
        this.extractFrom({
          onlyEnded: true,
          ...(run === undefined ? {} : { run }),
          ...(dryRun ? { dryRun } : {}),
          ...(signal === undefined ? {} : { signal }),
          ...(onProgress === undefined ? {} : { onProgress }),
        }),
    };
  }

  /**
   * Runs the tasks of maintenance that are due, or those that are named: each is a plan with reasons, and a commit of its own.
   *
   * A task that fails is told and keeps no other from running; one that takes away more memories than `limits.removed_share` says needs
   * `force`. Throws INVALID_ARGUMENT for an unknown task, INVALID_CONFIG.
   */
  maintain(options: MaintainOptions = {}): Promise<MaintainResult> {
    // What maintains is loaded when it is wanted: a short command pays for no pass.
    const run = async () => (await import('./operations/maintain.ts')).maintain(this.passes(), options);
    return options.dryRun ? this.asking(run) : this.acting(run);
  }

  /**
   * Consolidates what came since the last night: extracts, brings knowledge in step with the ledger, writes the pack, checks the ledger and
   * reports, each step a commit of one run. A second run finds nothing to do. Throws LOCKED.
   */
  nightly(options: NightlyOptions = {}): Promise<NightlyResult> {
    const run = async () => (await import('./operations/nightly.ts')).nightly(this.passes(), options);
    return options.dryRun ? this.asking(run) : this.acting(run);
  }

  /** Maintains again and again, as tasks become due, until the signal says stop; tells of each round, and how many there were. */
  maintainUntilStopped(
    options: MaintainOptions & { signal: AbortSignal; onRun?: (result: MaintainResult) => void },
  ): Promise<MaintainResult & { rounds: number }> {
    return this.acting(async () =>
      (await import('./operations/schedule.ts')).runUntilStopped(this.scheduling(), options),
    );
  }

  /** Tells what is done by itself: when it last was, and when it is due. Throws INVALID_CONFIG. */
  schedule(): Promise<ScheduleResult> {
    return this.asking(async () => (await import('./operations/schedule.ts')).scheduleOf(this.passes()));
  }

  /**
   * Does once what is due, as {@link maintain} does, unless another process is at it. Throws INVALID_CONFIG; a task that fails is told in the
   * result.
   */
  runSchedule(options: Omit<MaintainOptions, 'tasks'> = {}): Promise<ScheduleRunResult> {
    const run = async () => (await import('./operations/schedule.ts')).runSchedule(this.scheduling(), options);
    return options.dryRun ? this.asking(run) : this.acting(run);
  }

  /** Makes ready lines for a scheduler of the machine, which call `git memory schedule run`; installs nothing. */
  scheduleLines(kind: Scheduler): Promise<ScheduleLines> {
    const { directory, branchName: branch } = this;
    return this.asking(async () =>
      (await import('./operations/schedule-lines.ts')).scheduleLines(kind, { ...installedPaths(), directory, branch }),
    );
  }

  /** Does what is due while the memory is open, from a minute after now on; {@link close} ends it. */
  async startSchedule(): Promise<void> {
    const { BackgroundSchedule } = await import('./operations/schedule.ts');
    this.background ??= new BackgroundSchedule(this.scheduling());
  }

  private scheduling(): ScheduleDependencies {
    const { processes, logger } = this.dependencies;
    return { passes: () => this.passes(), processes, logger, nonce: () => ulidSource().next() };
  }

  // ── state ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Says what is where: branch, counts, what is pending, what needs attention. */
  status(): Promise<StatusResult> {
    return answer(async () => {
      const { scope, catalog } = this.shared;
      const { statusOf } = await import('./operations/status.ts');
      const { integrityOf } = await import('./operations/ledger-questions.ts');
      const snapshot = this.current();
      const integrity = integrityOf(this.ledgerQuestion());
      const status = statusOf(this.store, catalog, snapshot, integrity, this.placement === 'project');
      const place = { directory: this.directory, placement: this.placement, branch: this.branchName };
      return { ...place, ...(scope === null ? status : statusWithin(scope, snapshot, status)) };
    });
  }

  /**
   * Puts git hooks into this repository and tells native git to merge memories with git-memory; what a person has set stays.
   *
   * `pre-commit` judges what is staged; `post-commit` and `post-merge` make ready in the background what git brought. Throws
   * ALREADY_EXISTS when somebody else has a pre-commit hook, UNSUPPORTED_REPOSITORY when git takes hooks from elsewhere, LOCKED.
   */
  installHooks(): Promise<InstalledHooks> {
    return this.acting(async () => {
      const { installHooks } = await import('./operations/install-hooks.ts');
      // On a branch of its own, and where there is no work tree, native git commits nothing of the memory.
      const isCommittedByHand = this.placement === 'repository' || this.placement === 'project';
      const hooks = packagedHooks().filter(({ isBackground }) => isCommittedByHand || !isBackground);
      const { installed, ...rest } = installHooks(this.repository, hooks, userSettings('core.hookspath').at(-1));
      const configured = configureMergeDriver(this.repository, mergeDriverCommand(), this.placement);
      const own = this.store.snapshot().read('.gitattributes')?.toString('utf8') ?? null;
      const attributes = installMergeAttributes(this.repository, own, this.placement === 'project');
      const { patterns } = this.store.snapshot().privacy;
      const { install } = await import('./operations/private-keys.ts');
      const filter = patterns.length === 0 ? [] : install({ store: this.store, commands: filterCommands() }, patterns);
      if (filter.length > 0) await this.store.showAgain();
      return { installed: [...installed, configured, attributes, ...filter].filter((path) => path !== null), ...rest };
    });
  }

  /** Tells what is private, under which keys it lies, and whether they are here. */
  keyStatus(): Promise<KeyStatus> {
    return this.asking(async () => {
      const { keyStatusOf } = await import('./operations/private-keys.ts');
      return keyStatusOf(this.store.snapshot(), this.keys, this.store);
    });
  }

  /**
   * Makes the key of private texts, or with `isRotation` another one, keeps it outside the repository and stores private texts under it in
   * one commit. Older commits stay as they are. `paths` (globs) are private from then on.
   *
   * Throws ALREADY_EXISTS, NOT_FOUND, PRIVATE_KEY_MISSING, INVALID_ARGUMENT, LOCKED.
   */
  newKey({ paths, isRotation = false }: { paths?: readonly string[]; isRotation?: boolean } = {}): Promise<KeyChange> {
    return this.acting(async () => {
      const { nameNewKey } = await import('./operations/private-keys.ts');
      return nameNewKey(this.keyDependencies(), { ...(paths === undefined ? {} : { paths }), isRotation });
    });
  }

  /** Keeps a key of private texts that was made elsewhere. Throws INVALID_ARGUMENT for what is no key. */
  importKey(key: string): Promise<KeyChange> {
    return this.acting(async () =>
      (await import('./operations/private-keys.ts')).importKey(this.keyDependencies(), key),
    );
  }

  /** Gives a key as people pass it on: whoever has it reads what is private. Throws PRIVATE_KEY_MISSING, NOT_FOUND. */
  showKey(id?: string): Promise<ShownKey> {
    return this.asking(async () => {
      const { shownKey } = await import('./operations/private-keys.ts');
      const { text, ...key } = shownKey(this.store.snapshot(), this.keys, id);
      return { id: key.id, key: text };
    });
  }

  private keyDependencies(): KeyDependencies {
    const { store, keys, isImmediate } = this;
    return { store, keys, isImmediate, clock: this.dependencies.clock, commands: filterCommands() };
  }

  /** Judges what is staged by the change rules; `indexFile` is that of a commit in progress, as a hook knows it. */
  checkStaged(indexFile?: string): Promise<StagedReport> {
    return answer(async () => {
      const { repository, workTree } = this.store;
      if (workTree === null || !workTree.isCheckedOut()) return { violations: [], warnings: [] };
      const { checkStaged } = await import('./operations/check-staged.ts');
      return checkStaged({
        index: indexFile === undefined ? workTree.index().index : readIndex(repository.disk, indexFile).index,
        tip: this.store.snapshot().withoutOverlay(),
        objects: repository.objects,
        configuration: this.configuration(),
        isProject: this.placement === 'project',
      });
    });
  }

  /**
   * Gives every text its vector, or those of files that changed since a state, so that no question has to wait; without an embedder
   * beside the built-in one there is none to keep.
   *
   * Throws EMBEDDER_UNAVAILABLE, EMBEDDING_FAILED, INVALID_ARGUMENT when there is no model to download; what was done until then stays.
   */
  reindex(options: ReindexOptions = {}): Promise<ReindexResult> {
    return answer(async () => {
      const { reindex } = await import('./operations/reindex.ts');
      const configuration = this.configuration();
      const context = {
        snapshot: this.current(),
        searcher: this.sharedSearcher,
        configuration,
        semantics: () => this.semantics(),
        at: (state: TimeInput) => {
          const commit = this.stateOf(state);
          return commit === null ? null : this.store.at(commit);
        },
        download: (reporting: Parameters<typeof downloadConfigured>[1]) =>
          downloadConfigured(configuration.embedder, reporting),
      };
      return reindex(context, options);
    });
  }
}
