// The small writes that are committed together: the batch of a branch, from what a dead process left of it to its last flush.

import { mergeDriverCommand } from '../adapters/merge-driver-command.ts';
import { dayOf } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import { answer } from '../git/disk.ts';
import { checkMemoryPath, checkPath } from '../guard/path.ts';
import { refreshGist, withGist } from '../lifecycle/gist/memory-gist.ts';
import { checkStorageVersion } from '../lifecycle/layout.ts';
import type { Location } from '../open.ts';
import type { BranchDependencies } from '../opened-branch.ts';
import { Batch, relationSubject } from '../operations/batch.ts';
import { notThere, planMove, planRemember, planRemove, planReplace, planWrite } from '../operations/edits.ts';
import { planInit } from '../operations/initialise.ts';
import { configureMergeDriver, installMergeAttributes } from '../operations/install-git-drivers.ts';
import { planChange, planForget, planRelation, planUse, relationId } from '../operations/memory-edits.ts';
import { NearDuplicates, planConfirmation } from '../operations/near-duplicates.ts';
import type { InitialConfiguration } from '../records/configuration-text.ts';
import { memoryPath, newMemory } from '../records/memory-record.ts';
import type { MemoryRecord } from '../records/types.ts';
import type {
  CommitOptions,
  CommitResult,
  EntityChange,
  EntityChangeResult,
  RelateOptions,
  RememberInput,
  RememberResult,
  TouchAllResult,
  TouchOptions,
  VerifyOptions,
  VerifyResult,
  WriteResult,
} from '../types.ts';
import { CaptureVerbs } from './capture-verbs.ts';

/** A branch of which memories and files are changed. */
export abstract class WriteVerbs extends CaptureVerbs {
  protected readonly batch: Batch;
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
      refreshGist: (edit, before) => refreshGist(edit, before, this.configuration().gist),
    });
  }

  /** The loop that does what is due while the memory is open, where one was wanted. */
  protected background: { stop(): Promise<void> } | null = null;

  /** Says what a commit of all that waits is to be called; undefined where the rules are to. */
  protected abstract proposedSubject(): Promise<string | undefined>;

  /** Puts into the batch what was noted and is not in it yet. */
  protected abstract settle(): Promise<void>;

  /** Finishes what a dead process left, makes the first commit of a new memory, and flushes what is overdue. @internal */
  async begin(initial: InitialConfiguration | null): Promise<void> {
    await this.store.recover();
    checkStorageVersion(this.store.snapshot());
    if (initial !== null) {
      configureMergeDriver(this.repository, mergeDriverCommand(), this.placement);
      // Elsewhere the first commit holds the attributes; those of a project are its own.
      if (this.placement === 'project') installMergeAttributes(this.repository, null, true);
      const options = { now: this.now(), machine: this.machine, configuration: initial };
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
    await this.store.followPrivacy();
    await this.batch.resume();
  }

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
      const name = filter.passName(id, 'id');
      const isPrivate = typeof name === 'string' && this.store.snapshot(true).privacy.isPrivate(memoryPath(name));
      const named = { ...(isPrivate ? words : filter.passAll(words, 'the memory')), id: name };
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

  /**
   * Writes a whole file; `ifBlob` makes it fail with CONFLICT unless the file still has that blob id (`null`: is absent).
   *
   * Throws INVALID_PATH for memory.yaml, which {@link configure} changes, and for `.meta.json`, `.gitattributes` and receipts of purges; so do
   * `edit`, `move` and `remove`.
   */
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
      const { planConfiguration } = await import('../operations/configuration.ts');
      return this.batch.write('config', planConfiguration(values), { isConfiguration: true });
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
      (await import('../operations/verify.ts')).verifyFacts(
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
      const { NothingToChange, planEntityChange } = await import('../operations/entity-graph.ts');
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

  /**
   * Gives a file, or all below a folder, another name, all or nothing. What is private goes to a private place, unless `plain` is set: then
   * it lies open there, without its secrets. Throws NOT_FOUND, ALREADY_EXISTS, INVALID_ARGUMENT, IMMUTABLE, PRIVATE_OPEN, SECRET.
   */
  move(from: string, to: string, options: { plain?: boolean } = {}): Promise<WriteResult> {
    return this.acting(() => {
      const plan = planMove(checkPath(from), checkMemoryPath(to), options?.plain === true);
      return this.batch.write('move', plan);
    });
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
      const { findForgotten, planRestore } = await import('../operations/restore.ts');
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

  /** Completes an abbreviated id now, so that trailers and answers name the memory in full. */
  protected found(id: string): MemoryRecord {
    return this.shared.catalog.find(this.store.snapshot(), id).record;
  }

  /**
   * Commits the batch, and what people changed in the work tree, now.
   *
   * What is only gone, or looks like an unfinished merge, stays as it is unless `paths` names it. Throws LOCKED, also while a merge of native
   * git is not finished, SECRET, and for `paths` INVALID_PATH and NOT_FOUND.
   */
  commit(message?: string, { paths, ...options }: CommitOptions = {}): Promise<CommitResult> {
    return this.acting(async () => {
      await this.settle();
      if (paths === undefined) return this.batch.commit(message, options);
      return this.batch.commit(message, { ...options, paths: paths.map((path) => this.placeOf(path)) });
    });
  }

  /** Checks a file or folder that is named to be committed; throws INVALID_PATH, NOT_FOUND. */
  private placeOf(given: string): string {
    if (typeof given !== 'string') throw new MemoryError('INVALID_ARGUMENT', 'a path is a text', { where: 'paths' });
    const path = checkPath(given.replace(/\/$/, ''));
    const present = this.store.snapshot();
    const isThere = present.oidOf(path) !== null || present.list(`${path}/`).size > 0;
    if (!isThere && this.store.workTree?.files.stat(path) == null) throw notThere(present, path);
    return path;
  }

  /** Commits the batch (inside a project: leaves it pending) and lets go of all files. A second call does nothing. */
  close(): Promise<void> {
    return answer(async () => {
      if (this.isClosed) return;
      await this.background?.stop();
      await this.autoExtraction.idle();
      try {
        if (!this.dependencies.readOnly) await this.settle();
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
