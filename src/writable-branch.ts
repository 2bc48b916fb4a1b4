// What comes into a branch: captures, and the small writes that are committed together.

import { hostname } from 'node:os';
import { mergeDriverCommand } from './adapters/merge-driver-command.ts';
import { dayOf } from './base/time.ts';
import { appendNote } from './capture/daily-note.ts';
import { type CaptureTextOptions, Recorder, type SessionOptions } from './capture/recorder.ts';
import type { Session } from './capture/session.ts';
import { MemoryError } from './errors.ts';
import { answer } from './git/disk.ts';
import { checkMemoryPath, checkPath } from './guard/path.ts';
import { checkStorageVersion } from './lifecycle/layout.ts';
import type { Location } from './open.ts';
import { type BranchDependencies, OpenedBranch } from './opened-branch.ts';
import { ActingContext } from './operations/acting-context.ts';
import { appendChange } from './operations/append-change.ts';
import { appendEvent } from './operations/append-event.ts';
import { AutoExtraction } from './operations/auto-extraction.ts';
import { Batch, relationSubject } from './operations/batch.ts';
import { CompiledUse, planCompiledUse } from './operations/compiled-use.ts';
import { planMove, planRemember, planRemove, planReplace, planWrite } from './operations/edits.ts';
import { withGist } from './operations/gists.ts';
import { planInit } from './operations/initialise.ts';
import { configureMergeDriver, installMergeAttributes } from './operations/install-merge-driver.ts';
import { MaintenanceLog } from './operations/maintenance-log.ts';
import { planChange, planForget, planRelation, planUse, relationId } from './operations/memory-edits.ts';
import { NearDuplicates, planConfirmation } from './operations/near-duplicates.ts';
import type { RecordingDependencies } from './operations/shutdown.ts';
import type { BatchWriter } from './operations/topic-turns.ts';
import type { InitialConfiguration } from './records/configuration.ts';
import { newMemory } from './records/memory-record.ts';
import type { MemoryRecord } from './records/types.ts';
import type {
  ActivateResult,
  CaptureInput,
  CaptureResult,
  ChangeInput,
  ChangeResult,
  CommitResult,
  ContextOptions,
  ContextResult,
  DeployResult,
  EntityChange,
  EntityChangeResult,
  EventInput,
  EventResult,
  ExtractOptions,
  ExtractResult,
  LfsResult,
  NoteInput,
  NoteResult,
  ProjectTier,
  RateTopicResult,
  RelateOptions,
  RememberInput,
  RememberResult,
  ShutdownResult,
  TodoChange,
  TodoChangeResult,
  TopicEvent,
  TopicInput,
  TopicsOptions,
  TouchAllResult,
  TouchOptions,
  TuneResult,
  VerifyOptions,
  VerifyResult,
  WriteResult,
} from './types.ts';

/** What follows a turn of an agent is loaded by the first. */
const turning = () => import('./operations/topic-turns.ts');

/** A branch that takes captures and writes. */
export abstract class WritableBranch extends OpenedBranch {
  private readonly recorder: Recorder;
  private readonly autoExtraction: AutoExtraction;
  private readonly batch: Batch;
  private readonly compiledUse: CompiledUse;
  private readonly actingContext: ActingContext;
  private readonly nearDuplicates: NearDuplicates;

  constructor(location: Location, dependencies: BranchDependencies) {
    super(location, dependencies);
    const { store } = this;
    this.nearDuplicates = new NearDuplicates(this.shared.catalog, this.repository.objects.readTree);
    this.batch = new Batch({
      store,
      clock: dependencies.clock,
      logger: dependencies.logger,
      isImmediate: this.isImmediate,
      configuration: () => this.configuration(),
      subject: () => this.proposedSubject(),
    });
    this.autoExtraction = new AutoExtraction({
      store,
      logger: dependencies.logger,
      isImmediate: this.isImmediate,
      configuration: () => this.configuration(),
      hourly: {
        last: () => new MaintenanceLog(this.repository, store.ref).read().get('extract'),
        note: () => new MaintenanceLog(this.repository, store.ref).note('extract', dependencies.clock.now()),
        now: () => dependencies.clock.now(),
      },
      // Nobody asked for it, so nobody waits for a model longer than this.
      extract: (what) => {
        const { waitSeconds } = this.configuration().extract.model;
        return this.extractFrom({ ...what, signal: AbortSignal.timeout(waitSeconds * 1000) });
      },
      maintain: () => this.maintainAfterExtractions(),
    });
    this.compiledUse = new CompiledUse((used) => {
      const plan = planCompiledUse(this.shared.catalog, used, this.configuration(), this.now());
      return this.batch.write('touch', plan, { records: [], subject: 'touch what contexts have shown' });
    });
    this.actingContext = new ActingContext({
      use: this.compiledUse,
      configuration: () => this.configuration(),
      snapshot: () => store.snapshot(),
      compile: async (message, options) => {
        const { contextOf } = await import('./operations/context.ts');
        const question = this.contextQuestion();
        return contextOf({ ...question, topics: (text, asked) => this.activate(text, asked) }, message, options);
      },
      compileAgain: (message, options) => super.context(message, options),
      extract: async (path) => {
        await this.autoExtraction.settled(path);
        return this.extractFrom({ from: path });
      },
    });
    this.recorder = new Recorder({
      observer: this.autoExtraction,
      store,
      clock: dependencies.clock,
      ids: dependencies.ids,
      isImmediate: this.isImmediate,
      rules: () => {
        const { secrets, limits, attachments } = this.configuration();
        return { secrets, maxMessages: limits.sessionMessages, attachments };
      },
      lastChangeOf: (path) => this.sharedSearcher.lastChangeOf(store.snapshot(), path),
    });
  }

  /** The loop that does what is due while the memory is open, where one was wanted. */
  protected background: { stop(): Promise<void> } | null = null;

  /** Runs the passes that follow every few extractions, if they are due. */
  protected abstract maintainAfterExtractions(): Promise<unknown>;

  /** Says what a commit of all that waits is to be called; undefined where the rules are to. */
  protected abstract proposedSubject(): Promise<string | undefined>;

  /** Extracts without asking whether this may act. */
  protected abstract extractFrom(options: ExtractOptions): Promise<ExtractResult>;

  /** Finishes what a dead process left, makes the first commit of a new memory, and flushes what is overdue. @internal */
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

  /**
   * Writes the lines of `.gitattributes` that hand attachments to git-lfs, and `attachments.lfs` of memory.yaml, in one commit. The engine
   * stores bytes nevertheless, and no pointers. Throws INVALID_ARGUMENT inside a project, LOCKED.
   */
  trackWithLfs(): Promise<LfsResult> {
    return this.acting(async () =>
      (await import('./operations/track-with-lfs.ts')).trackWithLfs(
        this.store,
        this.placement,
        this.shared.configurationOf,
      ),
    );
  }

  /**
   * Records in the ledger what happened, was decided, promised or learnt: one line that never changes, and one commit at once.
   *
   * The id is the next of its day, whoever else writes. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for ids that it names, SECRET.
   */
  event(input: EventInput): Promise<EventResult> {
    return this.acting(() => {
      const { store, isImmediate } = this;
      return appendEvent(
        { store, isImmediate, clock: this.dependencies.clock, configuration: this.configuration() },
        input,
      );
    });
  }

  /**
   * Records in the changelog of a project what was done, decided or met: text that never changes, and one commit at once.
   *
   * The id is the next one, whoever else writes. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for refs that no event has, SECRET.
   */
  logChange(input: ChangeInput): Promise<ChangeResult> {
    return this.acting(() => {
      const { store, isImmediate } = this;
      const configuration = this.configuration();
      return appendChange({ store, isImmediate, clock: this.dependencies.clock, configuration }, input);
    });
  }

  /** Appends to today's note in raw/daily, which only grows; committed at once. Throws INVALID_ARGUMENT, SECRET. */
  note(input: NoteInput | string): Promise<NoteResult> {
    return this.acting(async () => {
      const { store, isImmediate } = this;
      const { timezone: timeZone, secrets } = this.configuration();
      const noted = await appendNote({ store, isImmediate, clock: this.dependencies.clock, timeZone, secrets }, input);
      return this.autoExtraction.closed(noted);
    });
  }

  // ── the log of a project ──────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Puts the files of a project's log where they are not: 2 (AGENTS.md, which is never written, and CHANGELOG.md), 3 (and
   * .memory/context.md) or 5 (and TODO.md, .memory/graph.md). They wait for the next commit. Throws INVALID_ARGUMENT.
   */
  deploy(files: ProjectTier): Promise<DeployResult> {
    return this.acting(async () =>
      (await import('./operations/project-files.ts')).deployFiles(this.store, this.batch, files),
    );
  }

  /** Adds, moves or completes a task of TODO.md. Throws INVALID_ARGUMENT, NOT_FOUND, AMBIGUOUS, ALREADY_EXISTS, QUOTA, SECRET. */
  task(change: TodoChange): Promise<TodoChangeResult> {
    return this.acting(async () =>
      (await import('./operations/shutdown.ts')).changeTodo(this.recording(), this.batch, change),
    );
  }

  /**
   * Ends the work of an agent on a project: appends events, makes graph and context anew, also where they were missing, and commits all of it
   * at once, inside a project too. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for refs, SECRET, LOCKED.
   */
  shutdown(events: readonly ChangeInput[] = []): Promise<ShutdownResult> {
    return this.acting(async () => (await import('./operations/shutdown.ts')).shutDown(this.recording(), events));
  }

  private recording(): RecordingDependencies {
    const { store, isImmediate } = this;
    const { changelogs } = this.shared;
    return { store, isImmediate, changelogs, clock: this.dependencies.clock, configuration: this.configuration() };
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
      const inScope = { ...named, ...this.scopeTags(named.tags) };
      const record = withGist(newMemory({ ...inScope, now: this.now() }), configuration.gist);
      const { duplicate: threshold, compareUpTo: upTo } = configuration.consolidate;
      const { same, near } = this.nearDuplicates.find(this.store.snapshot(true), record, { threshold, upTo });
      if (same !== null && given.id === undefined) {
        const plan = planConfirmation(this.shared.catalog, same.id, record, configuration, this.now());
        const written = await this.batch.write('remember', plan, { records: [same], filter });
        return { ...written, isDuplicate: true };
      }
      const written = await this.batch.write('remember', planRemember(record), { records: [record], filter });
      return near.length === 0 ? written : { ...written, near };
    });
  }

  /** The tags of a memory that is to be seen within the scope: where it has none of the scope's, it gets them. */
  private scopeTags(tags: readonly string[] = []): { tags?: readonly string[] } {
    const { scope } = this.shared;
    if (scope === null || scope.covers('memories') || scope.tags.some((tag) => tags.includes(tag))) return {};
    return { tags: [...tags, ...scope.tags] };
  }

  /** Writes a whole file; `ifBlob` makes it fail with CONFLICT unless the file still has that blob id (`null`: is absent). */
  write(path: string, text: string, options: { ifBlob?: string | null } = {}): Promise<WriteResult> {
    return this.acting(() => {
      if (typeof text !== 'string') throw new MemoryError('INVALID_ARGUMENT', 'the text is missing', { where: 'text' });
      return this.batch.write('write', planWrite(checkMemoryPath(path), text, options.ifBlob));
    });
  }

  /**
   * Changes keys of memory.yaml, such as `{ 'decay.half_life_days': 7 }`; its comments stay. A text is read as YAML, and undefined brings the
   * default back. Joins the batch. Throws NOT_FOUND for an unknown key, INVALID_CONFIG for a value that it does not take.
   */
  configure(values: Readonly<Record<string, unknown>>): Promise<WriteResult> {
    return this.acting(async () => {
      const { planConfiguration } = await import('./operations/configuration.ts');
      return this.batch.write('config', planConfiguration(values));
    });
  }

  /**
   * Confirms a fact of a knowledge file, by its line or some of its words, or all that grow old: they get `[verified: day]`.
   *
   * Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, INVALID_DATE, INVALID_PATH, INVALID_RECORD.
   */
  verify(path: string, options: VerifyOptions = {}): Promise<VerifyResult> {
    const { batch, store } = this;
    const today = () => dayOf(this.now(), this.configuration().timezone);
    return this.acting(async () =>
      (await import('./operations/verify.ts')).verifyFacts(
        { batch, store },
        checkMemoryPath(path),
        options,
        options.day ?? today(),
      ),
    );
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

  /**
   * Removes a file, or with `recursive` all below a folder, from the present; history keeps it. Throws NOT_FOUND, IMMUTABLE,
   * MASS_REMOVAL.
   */
  remove(path: string, options: { allowRemovals?: boolean; recursive?: boolean } = {}): Promise<WriteResult> {
    const { recursive, ...rest } = options;
    return this.acting(() => this.batch.write('remove', planRemove(checkPath(path), recursive), rest));
  }

  /**
   * Creates, relates, describes and removes entities, all in one write that joins the batch. Names and texts are compared as they are.
   *
   * Throws NOT_FOUND for observations of an entity that is not there, INVALID_ARGUMENT, SECRET, QUOTA; then nothing is written.
   */
  changeEntities(change: EntityChange): Promise<EntityChangeResult> {
    return this.acting(async () => {
      const filter = this.filter();
      const { NothingToChange, planEntityChange } = await import('./operations/entity-graph.ts');
      const { plan, outcome } = planEntityChange(filter.passAll(change, 'the entities'), this.now());
      try {
        const { redacted } = await this.batch.write('entities', plan, { filter });
        return { ...outcome(), pending: true, ...(redacted === undefined ? {} : { redacted }) };
      } catch (error) {
        if (error instanceof NothingToChange) return { ...outcome(), pending: false };
        throw error;
      }
    });
  }

  /** Gives a file, or all below a folder, another name, all or nothing. Throws NOT_FOUND, ALREADY_EXISTS, INVALID_ARGUMENT, IMMUTABLE. */
  move(from: string, to: string): Promise<WriteResult> {
    return this.acting(() => this.batch.write('move', planMove(checkPath(from), checkMemoryPath(to))));
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

  /**
   * As of a {@link View}, and beside it: what is shown counts as used, written with the next commit; what the gate of topics decided is noted;
   * and turns of a recorded `session` are extracted from before they leave the window, unless `context.flush` or `extract.trigger` of memory.yaml say otherwise. Open for reading
   * only, it writes nothing.
   */
  override context(message: string, options: ContextOptions = {}): Promise<ContextResult> {
    const isCounted = !this.dependencies.readOnly && this.shared.scope === null && options?.counts !== false;
    if (!isCounted) return super.context(message, options);
    return this.acting(() => this.actingContext.compile(message, options));
  }

  private use(records: readonly MemoryRecord[], { tags, boost }: TouchOptions): Promise<WriteResult> {
    if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string'))) {
      throw new MemoryError('INVALID_ARGUMENT', 'tags must be a list of words', { where: 'tags' });
    }
    const use = { now: this.now(), ...(tags === undefined ? {} : { tags }), ...(boost ? { boost } : {}) };
    const ids = records.map(({ id }) => id);
    return this.batch.write('touch', planUse(this.shared.catalog, ids, use, this.configuration()), { records });
  }

  /** Takes a memory out of recall and keeps it where it is. Throws NOT_FOUND, AMBIGUOUS. */
  archive(id: string): Promise<WriteResult> {
    return this.acting(() => {
      const record = this.found(id);
      const plan = planChange(this.shared.catalog, record.id, (present) => ({ ...present, status: 'archived' }));
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
      return this.batch.write('forget', planForget(this.shared.catalog, record.id), { records: [record], ...options });
    });
  }

  /**
   * Brings a memory back by its id or the beginning of it: from the archive, or from history with its relations to what is here.
   *
   * It counts as a use of it. Throws NOT_FOUND when none ever had that id, ALREADY_EXISTS when it is here and not archived, AMBIGUOUS.
   */
  restore(id: string): Promise<WriteResult> {
    return this.acting(async () => {
      const { findForgotten, planRestore } = await import('./operations/restore.ts');
      const found = findForgotten(this.shared, this.store.snapshot(), id);
      const plan = planRestore(this.shared, found, this.now(), this.configuration());
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
      const written = await this.batch.write('relate', planRelation(this.shared.catalog, relation), {
        records,
        filter,
        subject: relationSubject(records[0]!, records[1]!, relation.type),
      });
      return { ...written, id: relationId(relation) };
    });
  }

  // ── topics ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Finds the topics of a turn of an agent as {@link topics} does, or those of an event, and notes in the batch what the gate decided; with
   * `turns` and `output` also whether the topics of the turn before were of use.
   */
  activate(message: string | TopicEvent, options: TopicsOptions = {}): Promise<ActivateResult> {
    return this.acting(async () => {
      const { activateForTurn } = await turning();
      const isText = typeof message === 'string';
      const events = isText ? options.events : [message, ...(options.events ?? [])];
      const given = events === undefined ? options : { ...options, events };
      return activateForTurn(await this.topicQuestion(), isText ? message : '', given, this.inBatch);
    });
  }

  /** Writes a new topic file. Throws ALREADY_EXISTS, INVALID_PATH, INVALID_ARGUMENT for a pattern that cannot be read. */
  newTopic(input: TopicInput): Promise<WriteResult> {
    return this.acting(async () => (await turning()).newTopic(input, this.inBatch));
  }

  /** Notes whether a topic was of use when it was decided upon last, or for a message. Throws NOT_FOUND, INVALID_ARGUMENT. */
  rateTopic(name: string, wasUseful: boolean, message?: string): Promise<RateTopicResult> {
    return this.acting(async () =>
      (await turning()).rateTopic(await this.topicQuestion(), name, wasUseful, message, this.inBatch),
    );
  }

  /** Proposes better thresholds from what the gate decided and how it turned out; `apply` writes them into the topics. */
  tuneTopics(options: { apply?: boolean } = {}): Promise<TuneResult> {
    const tune = async () => (await turning()).tuneTopics(await this.topicQuestion(), options, this.inBatch);
    return options.apply ? this.acting(tune) : this.asking(tune);
  }

  private readonly inBatch: BatchWriter = (name, plan) => this.batch.write(name, plan);

  /** Completes an abbreviated id now, so that trailers and answers name the memory in full. */
  protected found(id: string): MemoryRecord {
    return this.shared.catalog.find(this.store.snapshot(), id).record;
  }

  /**
   * Commits the batch, and what people changed in the work tree, now.
   *
   * `allowRemovals`: also when people took away so many memories that it looks like an accident. Throws LOCKED, SECRET.
   */
  commit(message?: string, options: { allowRemovals?: boolean } = {}): Promise<CommitResult> {
    return this.acting(async () => {
      await this.compiledUse.settle();
      return this.batch.commit(message, options);
    });
  }

  /** Commits the batch (inside a project: leaves it pending) and lets go of all files. A second call does nothing. */
  close(): Promise<void> {
    return answer(async () => {
      if (this.isClosed) return;
      await this.background?.stop();
      await this.autoExtraction.idle();
      try {
        if (!this.dependencies.readOnly) await this.compiledUse.settle();
        if (!this.dependencies.readOnly) await this.batch.finish();
      } finally {
        this.dispose();
        await this.semanticIndex?.close();
      }
    });
  }

  override dispose(): void {
    this.batch.stop();
    super.dispose();
  }
}
