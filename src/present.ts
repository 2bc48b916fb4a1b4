// The present of one branch: every call that acts, each a few lines of wiring. What a call does lives in the layers below.

import { hostname } from 'node:os';
import { configuredEmbedder, downloadConfigured } from './adapters/configured-embedder.ts';
import { mergeDriverCommand } from './adapters/merge-driver-command.ts';
import { ulidSource } from './adapters/node.ts';
import { packagedHooks } from './adapters/package.ts';
import { formatTime, parseTime } from './base/time.ts';
import { type CaptureTextOptions, Recorder, type SessionOptions } from './capture/recorder.ts';
import type { Session } from './capture/session.ts';
import { MemoryError } from './errors.ts';
import type { Extractor } from './extract/extractor.ts';
import { ruleExtractor } from './extract/rules.ts';
import { answer } from './git/disk.ts';
import { ProcessLock } from './git/process-lock.ts';
import type { Repository } from './git/repository.ts';
import { commitAt, type RevisionContext, resolveRevision, resolveState } from './git/revision.ts';
import { checkIdentity } from './guard/identity.ts';
import { checkMemoryPath, checkPath } from './guard/path.ts';
import { SecretFilter } from './guard/secret-filter.ts';
import { historyOf } from './history/catalogue.ts';
import { createTag, listTags, tagOf } from './history/tags.ts';
import { checkStorageVersion } from './lifecycle/layout.ts';
import type { Location } from './open.ts';
import { AutoExtraction } from './operations/auto-extraction.ts';
import { Batch } from './operations/batch.ts';
import { bisectRecall } from './operations/bisect-recall.ts';
import {
  type BranchScope,
  branchOf,
  compareBranches,
  createBranch,
  expireBranches,
  listBranches,
} from './operations/branches.ts';
import { checkStaged, type StagedReport } from './operations/check-staged.ts';
import { consolidateMemories } from './operations/consolidate.ts';
import { planRemember, planRemove, planReplace, planWrite } from './operations/edits.ts';
import { extractTranscripts } from './operations/extract.ts';
import { makeGists, withGist } from './operations/gists.ts';
import { importFrom } from './operations/import/import.ts';
import type { SourceText } from './operations/import/source.ts';
import { planInit } from './operations/initialise.ts';
import { type InstalledHooks, installHooks } from './operations/install-hooks.ts';
import { configureMergeDriver, installMergeAttributes } from './operations/install-merge-driver.ts';
import { maintain, maintainUntilStopped } from './operations/maintain.ts';
import { planChange, planForget, planRelation, planUse, relationId } from './operations/memory-edits.ts';
import { type BranchAccess, dropNamed, mergeInto, previewMergeInto } from './operations/merge-branches.ts';
import { NearDuplicates, planConfirmation } from './operations/near-duplicates.ts';
import { bundleOf, distilSchemas, promoteMemories } from './operations/promote.ts';
import { reindex } from './operations/reindex.ts';
import { resolveMerge } from './operations/resolve.ts';
import { findForgotten, planRestore } from './operations/restore.ts';
import type { PassDependencies } from './operations/run-pass.ts';
import { Searcher } from './operations/searcher.ts';
import { findSplitCandidates, splitMemory } from './operations/split.ts';
import { statusOf } from './operations/status.ts';
import { undoOperations } from './operations/undo.ts';
import type { Clock, EmbedderSource, IdSource, Logger, Processes, TextModel } from './ports.ts';
import { type Configuration, defaultConfiguration, type InitialConfiguration } from './records/configuration.ts';
import { newMemory } from './records/memory-record.ts';
import type { MemoryRecord } from './records/types.ts';
import { Corpus } from './search/corpus.ts';
import { SegmentCache } from './search/segment-cache.ts';
import { SemanticIndex } from './search/vectors/semantic-index.ts';
import { BranchStore, type BranchStoreOptions } from './store/branch-store.ts';
import { changeLimits } from './store/change-rules.ts';
import { identityCodec } from './store/codec.ts';
import { ConfigurationReader } from './store/configuration-reader.ts';
import { MemoryCatalog } from './store/memory-catalog.ts';
import type { Snapshot } from './store/snapshot.ts';
import type {
  BisectOptions,
  BisectResult,
  BranchComparison,
  BranchEntry,
  BundleResult,
  CaptureInput,
  CaptureResult,
  CommitResult,
  ConsolidateMemoriesOptions,
  ConsolidateResult,
  DropResult,
  ExpireResult,
  ExtractOptions,
  ExtractResult,
  GistOptions,
  GistResult,
  ImportOptions,
  ImportResult,
  MaintainOptions,
  MaintainResult,
  MergeOptions,
  MergeResult,
  Placement,
  PromoteOptions,
  PromoteResult,
  ReindexOptions,
  ReindexResult,
  RelateOptions,
  RememberInput,
  RememberResult,
  ResolveResult,
  SchemaOptions,
  SchemaResult,
  SnapshotResult,
  SplitCandidates,
  SplitOptions,
  SplitPartInput,
  SplitResult,
  StatusResult,
  TimeInput,
  TouchAllResult,
  TouchOptions,
  UndoOptions,
  UndoResult,
  UndoTarget,
  WriteResult,
} from './types.ts';
import { Reader, View, type ViewContext } from './view.ts';

/** What {@link Memory} needs beside the place it is at. */
export interface MemoryDependencies extends Omit<BranchStoreOptions, 'isProject'> {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly processes: Processes;
  readonly logger: Logger;
  readonly readOnly: boolean;
  /** Opens another branch of the same repository as this one was opened. */
  readonly reopen: (branch: string) => Promise<Memory>;
  readonly embedder?: EmbedderSource | null;
  readonly model?: TextModel;
}

const fallbackIdentity = { name: 'git-memory', email: 'git-memory@localhost' };

/** The present of one branch, its tip and journal: answers like a {@link View}, and acts. */
export class Memory extends Reader {
  readonly directory: string;
  /** Short name. */
  readonly branchName: string;
  readonly placement: Placement;
  private readonly repository: Repository;
  /** @internal */
  readonly store: BranchStore;
  private readonly lock: ProcessLock;
  private readonly dependencies: MemoryDependencies;
  private readonly sharedSearcher: Searcher;
  private readonly extractor: Extractor = ruleExtractor;
  private readonly recorder: Recorder;
  private readonly autoExtraction: AutoExtraction;
  private readonly batch: Batch;
  private readonly nearDuplicates: NearDuplicates;
  private semanticIndex: SemanticIndex | null | undefined;
  private isClosed = false;

  /** Use {@link openMemory}. */
  constructor(location: Location, dependencies: MemoryDependencies) {
    const { repository, ref, placement } = location;
    const configurations = new ConfigurationReader();
    const lock = new ProcessLock(repository.disk, repository.ownDirectory, dependencies.processes, ulidSource().next());
    const store = new BranchStore(
      { repository, ref, lock, codec: identityCodec, clock: dependencies.clock, logger: dependencies.logger },
      (snapshot) => {
        const configuration = configurations.of(snapshot);
        const identity = checkIdentity(configuration.author ?? repository.identity ?? fallbackIdentity);
        return { identity, limits: changeLimits(configuration) };
      },
      { ...dependencies, isProject: placement === 'project' },
    );
    const context: ViewContext = {
      repository,
      catalog: new MemoryCatalog(),
      corpus: new Corpus(
        new SegmentCache({
          disk: repository.disk,
          directory: `${repository.ownDirectory}/cache`,
          logger: dependencies.logger,
        }),
      ),
      mayKeep: (snapshot) => this.context.configurationOf(snapshot).private.length === 0,
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
    this.lock = lock;
    this.dependencies = dependencies;
    this.placement = placement;
    this.branchName = ref.replace('refs/heads/', '');
    this.directory = repository.workTree ?? repository.gitDirectory;
    this.nearDuplicates = new NearDuplicates(context.catalog, repository.objects.readTree);
    this.sharedSearcher = new Searcher(repository, context.corpus, context.mayKeep, true);
    this.batch = new Batch({
      store,
      clock: dependencies.clock,
      logger: dependencies.logger,
      isImmediate: this.isImmediate,
      configuration: () => this.configuration(),
    });
    this.autoExtraction = new AutoExtraction({
      store,
      logger: dependencies.logger,
      isImmediate: this.isImmediate,
      configuration: () => this.configuration(),
      extract: (path) => this.extractFrom({ from: path }),
    });
    this.recorder = new Recorder({
      observer: this.autoExtraction,
      store,
      clock: dependencies.clock,
      ids: dependencies.ids,
      isImmediate: this.isImmediate,
      rules: () => {
        const { secrets, limits } = this.configuration();
        return { secrets, maxMessages: limits.sessionMessages };
      },
      lastChangeOf: (path) => this.sharedSearcher.lastChangeOf(store.snapshot(), path),
    });
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

  /** Finishes what a dead process left, makes the first commit of a new memory, and flushes what is overdue. */
  async begin(initial: InitialConfiguration | null): Promise<void> {
    await this.store.recover();
    checkStorageVersion(this.store.snapshot());
    if (initial !== null) {
      configureMergeDriver(this.repository, mergeDriverCommand(), this.placement);
      // Elsewhere the first commit holds the attributes; those of a project are its own.
      if (this.placement === 'project') installMergeAttributes(this.repository, null, true);
      const options = { now: this.now(), machine: hostname(), configuration: initial };
      await this.store.commit(
        (snapshot) => {
          const operation = planInit(snapshot, this.placement, options);
          // A file that a person has put there stays as it is.
          const isFree = (path: string) =>
            !this.store.workTree?.isCheckedOut() || this.store.workTree.inspect(path) === null;
          return [{ ...operation, changes: operation.changes.filter(({ path }) => isFree(path)) }];
        },
        { onBusy: 'fail' },
      );
      // Files of the layout that were here before are part of the memory from now on.
      if (this.placement === 'repository') {
        const { skipped } = await this.store.flush();
        for (const { path, why } of skipped) this.dependencies.logger.warn(`${path} was left out: ${why}`);
      }
    }
    if (this.isImmediate) {
      // Who edits the configuration means from now on.
      const why = await this.store.adopt('memory.yaml');
      if (why !== null) this.dependencies.logger.warn(`memory.yaml stays as it was committed: ${why}`);
    }
    await this.batch.resume();
  }

  /** Inside a project commits are made on request only. */
  private get isImmediate(): boolean {
    return this.placement !== 'project';
  }

  /** The newest commit of the branch; `null` before the first. */
  get tip(): string | null {
    return this.store.tip();
  }

  private configuration(): Configuration {
    return this.context.configurationOf(this.store.snapshot());
  }

  /** The embedder that is not built in, chosen when it is first asked for. */
  private semantics(): SemanticIndex | null {
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

  private acting<T>(call: () => T | Promise<T>): Promise<T> {
    return answer(() => {
      if (this.isClosed) throw new MemoryError('CLOSED', 'the memory has been closed', { where: this.directory });
      if (this.dependencies.readOnly) {
        throw new MemoryError('READ_ONLY', 'the memory was opened read only', {
          where: this.directory,
          hint: 'Open it without readOnly to change it',
        });
      }
      return call();
    });
  }

  private filter(): SecretFilter {
    return new SecretFilter(this.configuration().secrets);
  }

  /** For what only looks, whether the memory is open for writing or not. */
  private asking<T>(call: () => T | Promise<T>): Promise<T> {
    return answer(() => {
      if (this.isClosed) throw new MemoryError('CLOSED', 'the memory has been closed', { where: this.directory });
      return call();
    });
  }

  private readonly resolve = (revision: string): string => resolveRevision(this.repository, revision, this.revisions());

  // ── captures ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Begins a session, or goes on with an open one of that id. Throws ALREADY_EXISTS when it has ended. */
  startSession(options: SessionOptions = {}): Promise<Session> {
    return this.acting(async () => {
      await this.autoExtraction.prepare();
      return this.recorder.start(options);
    });
  }

  /** Records a finished conversation or note; closed and committed when the call returns. */
  capture(input: CaptureInput): Promise<CaptureResult> {
    return this.acting(() => this.recorder.capture(input));
  }

  /** Records a text as found in a file: a transcript, plain text, JSON or JSONL messages; see {@link CaptureTextOptions}. */
  captureText(text: string, options: CaptureTextOptions = {}): Promise<CaptureResult[]> {
    return this.acting(() => this.recorder.captureText(text, options));
  }

  // ── the batch ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Keeps a memory; durable when the call returns, committed with the next flush.
   *
   * Without an `id` of its own, what another active memory says already, letter case and punctuation apart, writes no second one: that
   * one is used, confirmed and gets the tags and source. What is nearly the same is kept, and the answer names the others.
   */
  remember(input: RememberInput | string): Promise<RememberResult> {
    return this.acting(async () => {
      const given = typeof input === 'string' ? { content: input } : input;
      if (given === null || typeof given !== 'object') {
        throw new MemoryError('INVALID_ARGUMENT', 'remember needs content', { where: 'content' });
      }
      const filter = this.filter();
      const { id = this.dependencies.ids.next(), ...words } = given;
      const named = { ...filter.passAll(words, 'the memory'), id: filter.passName(id, 'id') };
      const configuration = this.configuration();
      const record = withGist(newMemory({ ...named, now: this.now() }), configuration.gist);
      const { duplicate: threshold, compareUpTo: upTo } = configuration.consolidate;
      const { same, near } = this.nearDuplicates.find(this.store.snapshot(), record, { threshold, upTo });
      if (same !== null && given.id === undefined) {
        const plan = planConfirmation(this.context.catalog, same.id, record, configuration, this.now());
        const written = await this.batch.write('remember', plan, { records: [same], filter });
        return { ...written, isDuplicate: true };
      }
      const written = await this.batch.write('remember', planRemember(record), { records: [record], filter });
      return near.length === 0 ? written : { ...written, near };
    });
  }

  /** Writes a whole file; `ifBlob` makes it fail with CONFLICT unless the file still has that blob id (`null`: is absent). */
  write(path: string, text: string, options: { ifBlob?: string | null } = {}): Promise<WriteResult> {
    return this.acting(() => {
      if (typeof text !== 'string') throw new MemoryError('INVALID_ARGUMENT', 'the text is missing', { where: 'text' });
      return this.batch.write('write', planWrite(checkMemoryPath(path), text, options.ifBlob));
    });
  }

  /** Replaces a text that occurs exactly once. Throws NOT_FOUND, AMBIGUOUS. */
  edit(path: string, oldText: string, newText: string): Promise<WriteResult> {
    return this.acting(() => {
      if (typeof oldText !== 'string' || oldText === '' || typeof newText !== 'string') {
        throw new MemoryError('INVALID_ARGUMENT', 'edit needs the old and the new text', { where: 'oldText' });
      }
      return this.batch.write('edit', planReplace(checkMemoryPath(path), oldText, newText));
    });
  }

  /** Removes a file from the present; history keeps it. Throws NOT_FOUND, IMMUTABLE, MASS_REMOVAL. */
  remove(path: string, options: { allowRemovals?: boolean } = {}): Promise<WriteResult> {
    return this.acting(() => this.batch.write('remove', planRemove(checkPath(path)), options));
  }

  /**
   * Notes that a memory was of use: it decays later. `tags` are those of what it was used for: a use in another domain makes it stronger,
   * and so does one that is boosted. Throws NOT_FOUND, AMBIGUOUS.
   */
  touch(id: string, options: TouchOptions = {}): Promise<WriteResult> {
    return this.acting(() => this.use([this.found(id)], options));
  }

  /** Gives the whole of a memory of which the gist was of use, and notes that use. Throws NOT_FOUND, AMBIGUOUS. */
  expand(id: string, options: TouchOptions = {}): Promise<MemoryRecord & { path: string; score: number }> {
    return this.acting(async () => {
      const record = this.found(id);
      await this.use([record], options);
      return this.get(record.id);
    });
  }

  /** Notes one use of each of several memories, in one write. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT; then none is noted. */
  touchAll(ids: readonly string[], options: TouchOptions = {}): Promise<TouchAllResult> {
    return this.acting(async () => {
      if (!Array.isArray(ids) || ids.length === 0) {
        throw new MemoryError('INVALID_ARGUMENT', 'the ids of the memories are missing', { where: 'ids' });
      }
      const records = [...new Map(ids.map((id) => this.found(id)).map((record) => [record.id, record])).values()];
      const { pending } = await this.use(records, options);
      return { ids: records.map(({ id }) => id), pending };
    });
  }

  private use(records: readonly MemoryRecord[], { tags, boost }: TouchOptions): Promise<WriteResult> {
    if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string'))) {
      throw new MemoryError('INVALID_ARGUMENT', 'tags must be a list of words', { where: 'tags' });
    }
    const use = { now: this.now(), ...(tags === undefined ? {} : { tags }), ...(boost ? { boost } : {}) };
    const ids = records.map(({ id }) => id);
    return this.batch.write('touch', planUse(this.context.catalog, ids, use, this.configuration()), { records });
  }

  /** Takes a memory out of recall and keeps it where it is. Throws NOT_FOUND, AMBIGUOUS. */
  archive(id: string): Promise<WriteResult> {
    return this.acting(() => {
      const record = this.found(id);
      const plan = planChange(this.context.catalog, record.id, (present) => ({ ...present, status: 'archived' }));
      return this.batch.write('archive', plan, { records: [record] });
    });
  }

  /**
   * Removes a memory from the present with the relations that lose an end; history still answers, and `restore` or undo bring it back.
   *
   * Throws NOT_FOUND, AMBIGUOUS, and MASS_REMOVAL when with what waits for the same commit it would be a large part of them,
   * unless `allowRemovals` is set.
   */
  forget(id: string, options: { allowRemovals?: boolean } = {}): Promise<WriteResult> {
    return this.acting(() => {
      const record = this.found(id);
      return this.batch.write('forget', planForget(this.context.catalog, record.id), { records: [record], ...options });
    });
  }

  /**
   * Brings a memory back by its id or the beginning of it: from the archive, or from history with its relations to what is here.
   *
   * It counts as a use of it. Throws NOT_FOUND when none ever had that id, ALREADY_EXISTS when it is here and not archived, AMBIGUOUS.
   */
  restore(id: string): Promise<WriteResult> {
    return this.acting(() => {
      const found = findForgotten(this.context, this.store.snapshot(), id);
      const plan = planRestore(this.context, found, this.now(), this.configuration());
      return this.batch.write('restore', plan, { records: [found.record] });
    });
  }

  /**
   * Relates two memories: `related`, `causes`, `supports`, `contradicts`, `has_decision` or a word of one's own.
   *
   * Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, ALREADY_EXISTS when they are related so already.
   */
  relate(from: string, to: string, type = 'related', options: RelateOptions = {}): Promise<WriteResult> {
    return this.acting(async () => {
      const records = [this.found(from), this.found(to)];
      const filter = this.filter();
      const relation = {
        ...filter.passAll(options, 'the relation'),
        from: records[0]!.id,
        to: records[1]!.id,
        type: filter.passName(type, 'type'),
        now: this.now(),
      };
      const written = await this.batch.write('relate', planRelation(this.context.catalog, relation), {
        records,
        filter,
      });
      return { ...written, id: relationId(relation) };
    });
  }

  /** Completes an abbreviated id now, so that trailers and answers name the memory in full. */
  private found(id: string): MemoryRecord {
    return this.context.catalog.find(this.store.snapshot(), id).record;
  }

  /**
   * Commits the batch, and what people changed in the work tree, now.
   *
   * `allowRemovals`: also when people took away so many memories that it looks like an accident. Throws LOCKED, SECRET.
   */
  commit(message?: string, options: { allowRemovals?: boolean } = {}): Promise<CommitResult> {
    return this.acting(() => this.batch.commit(message, options));
  }

  // ── history ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Opens the state at a day, a time, a tag, a commit or a branch; see `resolveRevision`. Throws NOT_FOUND, AMBIGUOUS, INVALID_DATE. */
  at(when: TimeInput): Promise<View> {
    return answer(() => {
      const commit = this.stateOf(when);
      if (commit !== null) return new View(this.context, this.store.at(commit));
      throw new MemoryError(
        'NOT_FOUND',
        `the branch had no commit by ${when instanceof Date ? formatTime(Number(when)) : when}`,
        {
          where: 'when',
          hint: '`git memory log` shows when it begins',
        },
      );
    });
  }

  private stateOf(when: TimeInput): string | null {
    return typeof when === 'string'
      ? resolveState(this.repository, when, this.revisions())
      : commitAt(this.repository, this.store.tip(), parseTime(when, 'when'));
  }

  /**
   * Finds the commit since which a question does not find any more what it found before, by asking views of the first-parent history.
   *
   * Throws INVALID_ARGUMENT without a question or without what it should find, NOT_FOUND for a `good` state off the branch.
   */
  bisect(query: string, options: BisectOptions): Promise<BisectResult> {
    return answer(() =>
      bisectRecall(
        { repository: this.repository, stateOf: this.context.stateOf, tip: this.tip, at: (commit) => this.at(commit) },
        query,
        options,
      ),
    );
  }

  private revisions(): RevisionContext {
    return { ref: this.store.ref, now: this.now(), timeZone: this.configuration().timezone };
  }

  /**
   * Takes operations back by an inverse commit, three ways against what happened since.
   *
   * Either it succeeds exactly, or names the conflicting paths and changes nothing. Undoing an undo brings things back.
   */
  undo(what: UndoTarget, options: UndoOptions = {}): Promise<UndoResult> {
    const undo = () => undoOperations(this.store, this.context.catalog, this.resolve, what, options);
    return options?.dryRun ? this.asking(undo) : this.acting(undo);
  }

  /**
   * Opens another branch of this memory; with `create` begins it first, at `from` or the present (what waits is committed before that).
   *
   * A branch costs one ref and no files. The caller closes what it opens. Throws NOT_A_MEMORY, ALREADY_EXISTS, NOT_FOUND, INVALID_REF.
   */
  branch(name: string, options: { create?: boolean; from?: string } = {}): Promise<Memory> {
    if (!options.create)
      return this.asking(() => this.dependencies.reopen(branchOf(this.branchScope(), name).replace('refs/heads/', '')));
    return this.acting(async () => {
      const from = options.from === undefined ? undefined : this.resolve(options.from);
      const ref = await createBranch(this.branchScope(), this.store, name, from);
      return this.dependencies.reopen(ref.replace('refs/heads/', ''));
    });
  }

  /** Lists the branches that hold a memory, and how far each is ahead of and behind this one. */
  branches(): Promise<BranchEntry[]> {
    return this.asking(() => listBranches(this.branchScope()));
  }

  /** Compares a branch, tag or commit with the present: what each has alone, and what a merge would have to decide. */
  compare(theirs: string): Promise<BranchComparison> {
    return this.asking(() => compareBranches(this.store, this.resolve('HEAD'), this.resolve(theirs)));
  }

  /**
   * Merges a branch, tag or commit into this branch, or into `into`; counters add up, lists merge item by item.
   *
   * What contradicts is settled and named: the later change stands, the other one in the record or in history. The commit has both
   * as parents, and can be undone. Throws NOT_FOUND, INVALID_ARGUMENT for histories without a common beginning, LOCKED.
   */
  merge(theirs: string, options: MergeOptions = {}): Promise<MergeResult> {
    return options.dryRun
      ? this.asking(() => previewMergeInto(this.branchAccess(), theirs, options.into))
      : this.acting(() => mergeInto(this.branchAccess(), theirs, options));
  }

  /**
   * Finishes a merge, cherry-pick, rebase, revert or stash that native git has stopped at: settles what is unmerged as {@link merge} does, in
   * index and work tree, and leaves the commit to git. Throws NOT_FOUND, INVALID_ARGUMENT, LOCKED.
   */
  resolveMerge(options: { dryRun?: boolean } = {}): Promise<ResolveResult> {
    const isProject = this.placement === 'project';
    return options.dryRun
      ? this.asking(() => resolveMerge(this.store, isProject, true))
      : this.acting(() => resolveMerge(this.store, isProject, false));
  }

  /**
   * Ends a branch. With something on it that no other branch or tag has, only with `force`.
   *
   * Throws CONFLICT for such a branch and for one with writes that wait, INVALID_ARGUMENT for the one you are on, NOT_FOUND.
   */
  dropBranch(name: string, options: { force?: boolean } = {}): Promise<DropResult> {
    return this.acting(() => dropNamed(this.branchAccess(), name, options.force ?? false));
  }

  /** Ends the experiments (`explore/…`) that expired, `explore_days` after their last operation; what is on one alone keeps it. */
  expireBranches(): Promise<ExpireResult> {
    return this.acting(() => expireBranches(this.branchScope(), (name) => dropNamed(this.branchAccess(), name, false)));
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
      if (options.at === undefined) await this.store.flush();
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

  // ── passes ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Derives memories from conversations: one atomic commit for each transcript that yields something. */
  extract(options: ExtractOptions = {}): Promise<ExtractResult> {
    return this.acting(() => this.extractFrom(options));
  }

  private async extractFrom(options: ExtractOptions): Promise<ExtractResult> {
    if (!options.dryRun && this.isImmediate) await this.store.flush();
    const { timezone, extract, secrets, gist } = this.configuration();
    const { store, extractor, isImmediate } = this;
    const context = {
      timeZone: timezone,
      ...(extract.minConfidence > 0 ? { minConfidence: extract.minConfidence } : {}),
    };
    const { clock } = this.dependencies;
    const { catalog } = this.context;
    return extractTranscripts({ store, catalog, clock, extractor, isImmediate, secrets, gist, context }, options);
  }

  /**
   * Merges memories that say the same: clusters above `consolidate.automatic` of memory.yaml, each in one commit that makes the new
   * memory, links it to its sources and removes them.
   *
   * Clusters in doubt are merged by the model, if one is set, and else left in `open`. Throws NOT_FOUND and INVALID_ARGUMENT for
   * `ids`, LOCKED.
   */
  consolidate(options: ConsolidateMemoriesOptions = {}): Promise<ConsolidateResult> {
    const consolidate = () => consolidateMemories(this.passes(), options);
    return options.dryRun ? this.asking(consolidate) : this.acting(consolidate);
  }

  /**
   * Gives short forms to the memories that have none, or makes those of `ids`, or `all`, anew, in one commit; says what they save.
   *
   * Throws NOT_FOUND, AMBIGUOUS, LOCKED.
   */
  gist(options: GistOptions = {}): Promise<GistResult> {
    const gist = () => makeGists(this.passes(), options);
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
    const run = () => importFrom(this.passes(), from, options);
    return options.dryRun ? this.asking(run) : this.acting(run);
  }

  /**
   * Splits a memory into parts, each a memory as well known as the whole was, in one commit; without `parts`, one for each idea of it.
   *
   * The whole leaves; the parts name it. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, SECRET, LOCKED.
   */
  split(id: string, parts?: readonly (string | SplitPartInput)[], options: SplitOptions = {}): Promise<SplitResult> {
    const split = () => splitMemory(this.passes(), this.found(id).id, parts, this.filter(), options);
    return options.dryRun ? this.asking(split) : this.acting(split);
  }

  /** Lists memories that could be several: long, with many tags or entities, or used in many domains, and of two ideas or more. */
  splitCandidates(): Promise<SplitCandidates> {
    return this.asking(() => findSplitCandidates(this.context.catalog, this.store.snapshot(), this.configuration()));
  }

  /**
   * Makes a knowledge file of each memory that was used and is strong, or of those of `ids`, each in one commit; memory and file name
   * each other, and the memory stays. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
   */
  promote(options: PromoteOptions = {}): Promise<PromoteResult> {
    const promote = () => promoteMemories(this.passes(), options);
    return options.dryRun ? this.asking(promote) : this.acting(promote);
  }

  /**
   * Distils clusters of promoted memories, or those of `ids`, into memories of the status `schema`, which name them; the members stay.
   *
   * Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
   */
  distil(options: SchemaOptions = {}): Promise<SchemaResult> {
    const distil = () => distilSchemas(this.passes(), options);
    return options.dryRun ? this.asking(distil) : this.acting(distil);
  }

  /** Gives the schemas that memory.yaml names under a bundle. Throws NOT_FOUND. */
  bundle(name: string): Promise<BundleResult> {
    return this.asking(() => bundleOf(this.context.catalog, this.store.snapshot(), this.configuration(), name));
  }

  private passes(): PassDependencies {
    return {
      store: this.store,
      catalog: this.context.catalog,
      clock: this.dependencies.clock,
      ids: this.dependencies.ids,
      configurationOf: this.context.configurationOf,
      machine: hostname(),
      isImmediate: this.isImmediate,
      semantics: () => this.semantics(),
      model: this.dependencies.model ?? null,
    };
  }

  /**
   * Runs the tasks of maintenance that are due, or those that are named: each is a plan with reasons, and a commit of its own.
   *
   * A task that fails is told and keeps no other from running; one that takes away more memories than `limits.removed_share` says needs
   * `force`. Throws INVALID_ARGUMENT for an unknown task, INVALID_CONFIG.
   */
  maintain(options: MaintainOptions = {}): Promise<MaintainResult> {
    const run = () => maintain(this.passes(), options);
    return options.dryRun ? this.asking(run) : this.acting(run);
  }

  /** Maintains again and again, as tasks become due, until the signal says stop; tells of each round, and how many there were. */
  maintainUntilStopped(
    options: MaintainOptions & { signal: AbortSignal; onRun?: (result: MaintainResult) => void },
  ): Promise<MaintainResult & { rounds: number }> {
    return this.acting(() => maintainUntilStopped(this.passes(), options));
  }

  // ── state ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Says what is where: branch, counts, what is pending, what needs attention. */
  status(): Promise<StatusResult> {
    return answer(() => ({
      directory: this.directory,
      placement: this.placement,
      branch: this.branchName,
      ...statusOf(this.store, this.context.catalog, this.current()),
    }));
  }

  /**
   * Puts the pre-commit hook into this repository and tells native git to merge memories with git-memory; what a person has set stays.
   * Throws ALREADY_EXISTS when somebody else has a hook there, LOCKED.
   */
  installHooks(): Promise<InstalledHooks> {
    return this.acting(() => {
      const { installed } = installHooks(this.repository, packagedHooks());
      const configured = configureMergeDriver(this.repository, mergeDriverCommand(), this.placement);
      const own = this.store.snapshot().read('.gitattributes')?.toString('utf8') ?? null;
      const attributes = installMergeAttributes(this.repository, own, this.placement === 'project');
      return { installed: [...installed, configured, attributes].filter((path) => path !== null) };
    });
  }

  /** Judges what is staged by the change rules; `indexFile` is that of a commit in progress, as a hook knows it. */
  checkStaged(indexFile?: string): Promise<StagedReport> {
    return answer(() => checkStaged(this.store, this.configuration(), this.placement === 'project', indexFile));
  }

  /**
   * Gives every text its vector, or those of files that changed since a state, so that no question has to wait; without an embedder
   * beside the built-in one there is none to keep.
   *
   * Throws EMBEDDER_UNAVAILABLE, EMBEDDING_FAILED, INVALID_ARGUMENT when there is no model to download; what was done until then stays.
   */
  reindex(options: ReindexOptions = {}): Promise<ReindexResult> {
    return answer(() => {
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

  /** Commits the batch (inside a project: leaves it pending) and lets go of all files. A second call does nothing. */
  close(): Promise<void> {
    return answer(async () => {
      if (this.isClosed) return;
      await this.autoExtraction.idle();
      try {
        if (!this.dependencies.readOnly && this.isImmediate && this.store.pending().length > 0)
          await this.store.flush();
      } finally {
        this.dispose();
        await this.semanticIndex?.close();
      }
    });
  }

  /** Lets go of files and timers without committing anything. */
  dispose(): void {
    this.isClosed = true;
    this.batch.stop();
    this.store.stop();
    this.lock.dispose();
    this.repository.objects.close();
  }
}
