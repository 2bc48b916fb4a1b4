// One branch of a repository as a store: snapshots, appends to the journal, and the one function that commits.

import { MemoryError } from '../errors.ts';
import type { Signature } from '../git/commit-object.ts';
import { asMemoryError } from '../git/disk.ts';
import { newObject } from '../git/object-codec.ts';
import { rollUpPacks } from '../git/pack-maintenance.ts';
import type { ProcessLock } from '../git/process-lock.ts';
import type { RefUpdate } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { findWorkTreeOf, otherWorkTrees } from '../git/work-trees.ts';
import { withoutSecrets } from '../guard/secret-filter.ts';
import { mergeFile } from '../merge/merge-file.ts';
import type { Clock, Logger } from '../ports.ts';
import { type Build, buildCommits } from './build.ts';
import { type ChangeLimits, checkChange } from './change-rules.ts';
import type { Codec } from './codec.ts';
import { findHandEdits, type HandEdits } from './hand-edits.ts';
import { Journal, type NewPendingEntry, type PendingEntry } from './journal.ts';
import { checkMemoryCount, checkRemovals } from './memory-quota.ts';
import type { CommitOutcome, FileChange, Operation } from './operation.ts';
import { type StagedProjection, WorkTree } from './projection.ts';
import { journalPath, recoverRepository } from './recovery.ts';
import { handOperations, operationsOf } from './runs.ts';
import { Snapshot } from './snapshot.ts';

export interface BranchStoreDependencies {
  readonly repository: Repository;
  /** Full name: `refs/heads/main`. */
  readonly ref: string;
  readonly lock: ProcessLock;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface BranchStoreOptions {
  /** How long to wait for another process of ours; default 10 s. */
  readonly lockTimeoutMs?: number;
  /** How long to wait for native git's index.lock before journalling; default 2 s. */
  readonly indexTimeoutMs?: number;
  /** Whether the work tree is that of a code project, in which only some names are the memory's. Default false. */
  readonly isProject?: boolean;
}

/** What the configuration of the memory says about commits; read anew for each. */
export interface CommitSettings {
  readonly identity: { readonly name: string; readonly email: string };
  readonly limits: ChangeLimits;
}

export interface CommitOptions {
  /** Pending entries that the operations hold; they are pending no more afterwards. */
  readonly covers?: (entry: PendingEntry) => boolean;
  /** Stop before anything is written. */
  readonly dryRun?: boolean;
  /** Hand edits may take many memories away at once. */
  readonly allowRemovals?: boolean;
  /** When git's index is busy: put the operations into the journal, leave all as it is, or fail with LOCKED. */
  readonly onBusy?: 'journal' | 'leave' | 'fail';
  /** Look for hand edits in the whole work tree, when that is due, instead of in the touched paths. */
  readonly scan?: boolean;
}

const maxAttempts = 100;
/** Looking at so many files costs a few milliseconds. */
const maxQuickScan = 500;
/** How long the work tree may lag behind the journal. */
const placingDelayMs = 20;

export class BranchStore {
  readonly ref: string;
  readonly repository: Repository;
  private readonly ownTree: WorkTree | null;
  /** The work tree linked to this one in which the branch is checked out, as of the last look. */
  private linkedTree: WorkTree | null = null;
  private readonly dependencies: BranchStoreDependencies;
  private readonly options: Required<BranchStoreOptions>;
  readonly settings: (snapshot: Snapshot) => CommitSettings;
  readonly codec: Codec;
  private readonly journal: Journal;
  private needsRecovery = true;
  /** Pending paths that the work tree does not show yet. */
  private readonly unplaced = new Set<string>();
  private placing: NodeJS.Timeout | null = null;
  /** As of the last write: what is full is asked after it, when nothing may fail any more. */
  private pendingLimits = { writes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  private lastScan = { end: Number.NEGATIVE_INFINITY, tookMs: 0, count: 0 };

  constructor(
    dependencies: BranchStoreDependencies,
    settings: (snapshot: Snapshot) => CommitSettings,
    options: BranchStoreOptions = {},
  ) {
    this.dependencies = dependencies;
    this.settings = settings;
    this.repository = dependencies.repository;
    this.ref = dependencies.ref;
    this.codec = dependencies.codec;
    this.options = {
      lockTimeoutMs: options.lockTimeoutMs ?? 10_000,
      indexTimeoutMs: options.indexTimeoutMs ?? 2_000,
      isProject: options.isProject ?? false,
    };
    this.ownTree = this.repository.workTree === null ? null : new WorkTree(this.repository, this.ref);
    this.journal = new Journal(this.repository.disk, journalPath(this.repository, this.ref));
  }

  /** The tip of the branch, or `null` before its first commit. */
  tip(): string | null {
    return this.repository.refs.read(this.ref);
  }

  /** The present: the tip with what is pending on top. Consistent although read without the lock. */
  snapshot(): Snapshot {
    for (let attempt = 0; ; attempt++) {
      this.journal.refresh();
      this.journal.checkWhole();
      const tip = this.tip();
      // A flush between the two reads would show a pending write twice or not at all.
      if (!this.journal.refresh() || attempt >= 10) return this.snapshotAt(tip);
    }
  }

  /** The state at a commit of any branch. */
  at(commit: string): Snapshot {
    return new Snapshot(this.repository, this.dependencies.codec, commit);
  }

  /** `live`: for use within one critical section only. */
  private snapshotAt(tip: string | null, live = false): Snapshot {
    return new Snapshot(this.repository, this.dependencies.codec, tip, this.journal.overlay(tip, live));
  }

  /** What is acknowledged and not yet committed, oldest first. */
  pending(): readonly PendingEntry[] {
    this.journal.refresh();
    this.journal.checkWhole();
    return this.journal.pending();
  }

  /** Tells how full the journal is: 1 means that no more writes may wait. */
  get fillLevel(): number {
    return Math.max(this.journal.count / this.pendingLimits.writes, this.journal.bytes / this.pendingLimits.bytes);
  }

  /** The work tree that follows the branch, as of the last operation; our own while nothing was done. */
  get workTree(): WorkTree | null {
    return this.linkedTree ?? this.ownTree;
  }

  /** Copies of damaged journals that were put aside. */
  get damages(): readonly string[] {
    return this.journal.copies();
  }

  /** Lets a recovery run now, if one is due: an operation of a dead process is finished or forgotten. */
  async recover(): Promise<void> {
    this.journal.refresh();
    const holdsLock = this.repository.disk.exists(`${this.repository.ownDirectory}/lock`);
    const trees = [
      ...(this.ownTree === null ? [] : [this.ownTree]),
      ...otherWorkTrees(this.repository).map((view) => new WorkTree(view, this.ref)),
    ];
    const isBegun = this.journal.openMark !== null || trees.some((tree) => tree.left().length > 0);
    if (isBegun || holdsLock || this.journal.isDamaged) await this.locked(() => undefined);
  }

  /**
   * Puts writes into the journal, durable when it returns, and shows them in the work tree.
   *
   * `make` gets the present, under the lock. A hand edit of a touched file goes in first and the write is merged with it.
   */
  async append(make: (snapshot: Snapshot) => readonly NewPendingEntry[]): Promise<readonly PendingEntry[]> {
    return this.locked(() => {
      const snapshot = this.snapshotAt(this.tip(), true);
      const planned = make(snapshot);
      const paths = planned.flatMap((entry) => entry.changes.map((change) => change.path));
      const handEdits = this.handEditsOf(snapshot, paths);
      const written = [
        ...this.handEditEntries(handEdits),
        ...planned.map((entry) => this.mergedEntry(entry, handEdits)),
      ];
      const entries = written.map((entry) => this.checkedEntry(snapshot, entry));
      this.checkPending(snapshot, planned);
      const appended = this.journal.append(entries);
      for (const entry of entries) for (const { path } of entry.changes) this.unplaced.add(path);
      // Inside a project people work with the files; elsewhere they can follow a moment later, outside the caller's time.
      if (this.options.isProject) this.placePending();
      else this.schedulePlacing();
      return appended;
    });
  }

  /** Brings the work tree in step with the journal now instead of in a moment; for the end of a process. */
  async settle(): Promise<void> {
    this.stop();
    if (this.unplaced.size > 0) await this.locked(() => this.placePending());
  }

  /** Lets go of the timer; nothing is written. */
  stop(): void {
    if (this.placing !== null) clearTimeout(this.placing);
    this.placing = null;
  }

  private schedulePlacing(): void {
    if (this.placing !== null || this.workTree === null) return;
    this.placing = setTimeout(() => {
      this.placing = null;
      // The journal has the write and a flush places it too, so a failure here is worth a word and no more.
      this.settle().catch((error: unknown) =>
        this.dependencies.logger.warn(`a pending file cannot be shown: ${error}`),
      );
    }, placingDelayMs);
  }

  /** Shows what is pending in the work tree, but not over what a person wrote there since. */
  private placePending(): void {
    const paths = [...this.unplaced];
    this.unplaced.clear();
    if (!this.isCheckedOut()) return;
    const snapshot = this.snapshotAt(this.tip(), true);
    const handEdits = this.handEditsOf(snapshot, paths);
    const edited = new Set([...handEdits.changes, ...handEdits.staged, ...handEdits.skipped].map(({ path }) => path));
    for (const path of paths) {
      const pending = snapshot.overlay?.files.get(path);
      if (pending && !edited.has(path)) this.workTree!.place({ path, ...pending, isExecutable: false });
    }
  }

  /** Commits what is pending: one commit for each run of entries, in one pack, with one move of the ref. */
  async flush(options: { subject?: string; dryRun?: boolean; allowRemovals?: boolean } = {}): Promise<CommitOutcome> {
    return this.commit(() => operationsOf(this.journal.pending(), options.subject), {
      covers: () => true,
      scan: true,
      onBusy: 'leave',
      ...(options.dryRun ? { dryRun: true } : {}),
      ...(options.allowRemovals ? { allowRemovals: true } : {}),
    });
  }

  /**
   * Commits operations: plan under the lock, apply, merge, check, write objects, move the ref, bring the files in step.
   *
   * `plan` sees the present and is called again when the branch moved on. Operations that change nothing make no commit.
   * A refused operation is reported as `conflicts` without commits. Throws LOCKED, IO, and what a rule says.
   */
  async commit(
    plan: (snapshot: Snapshot) => readonly Operation[],
    options: CommitOptions = {},
  ): Promise<CommitOutcome> {
    const deadline = performance.now() + this.options.indexTimeoutMs;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const outcome = await this.locked(() => this.attempt(plan, options));
      if (typeof outcome !== 'string') return outcome;
      if (outcome === 'busy' && performance.now() > deadline) return this.onBusy(plan, options);
      await new Promise((resolve) =>
        setTimeout(resolve, outcome === 'busy' ? 20 + Math.random() * 30 : Math.random() * 5),
      );
    }
    throw new MemoryError('REF_MOVED', `${this.ref} moved during each of ${maxAttempts} attempts`, {
      where: this.ref,
      hint: 'Another program writes to this branch without pause; repeat the call later',
    });
  }

  /** Moves any ref of the repository, such as a tag; see {@link RefStore.update}. */
  async updateRef(update: RefUpdate): Promise<boolean> {
    return this.locked(() => {
      this.needsRecovery = true;
      const isMoved = this.repository.refs.update(update);
      this.needsRecovery = this.repository.refs.hasLeftLock;
      return isMoved;
    });
  }

  /** Removes the branch itself if it still is at a commit. Throws CONFLICT while something waits in its journal, REF_MOVED. */
  async remove(tip: string): Promise<void> {
    await this.locked(() => {
      const waiting = this.journal.pending().length;
      if (waiting > 0) {
        throw new MemoryError('CONFLICT', `${waiting} acknowledged writes wait for a commit on this branch`, {
          where: this.ref,
          hint: 'Commit them first: `git memory commit --branch <name>`',
        });
      }
      this.needsRecovery = true;
      const reason = 'git-memory: branch dropped';
      const isGone = this.repository.refs.update({
        ref: this.ref,
        from: tip,
        to: null,
        reason,
        identity: this.signature(tip),
      });
      this.needsRecovery = this.repository.refs.hasLeftLock;
      if (!isGone) throw new MemoryError('REF_MOVED', 'the branch moved on', { where: this.ref, hint: 'Look again' });
    });
  }

  /** Rolls small packs of the engine into larger ones when there are many; see {@link rollUpPacks}. */
  async maintainPacks(): Promise<void> {
    await this.locked(() => rollUpPacks(this.repository));
  }

  private attempt(
    plan: (snapshot: Snapshot) => readonly Operation[],
    options: CommitOptions,
  ): CommitOutcome | 'busy' | 'retry' {
    const tip = this.tip();
    const snapshot = this.snapshotAt(tip, true);
    const planned = plan(snapshot);
    const covered = this.journal.pending().filter((entry) => options.covers?.(entry) ?? false);
    const isCheckedOut = this.isCheckedOut();
    const isScan = options.scan === true && this.isScanDue(covered.length === 0);
    const paths = isScan ? 'all' : planned.flatMap((operation) => operation.changes.map((change) => change.path));
    const handEdits = this.handEditsOf(snapshot, paths);
    const operations = this.inOrder(planned, handEdits, options.allowRemovals === true);
    const build = this.build(snapshot, tip, operations);
    const skipped = [...handEdits.skipped, ...build.skipped.map(({ path, why }) => ({ path, why }))];
    const result = { tip: build.tip, tree: build.tree, conflicts: build.conflicts, skipped, isJournalled: false };
    if (build.refused.length > 0) return { ...result, commits: [], tip, conflicts: build.refused };
    if (options.dryRun) return { ...result, commits: build.commits };
    const kept = new Set(build.skipped.filter(({ operation }) => !operation.isHandEdit).map(({ path }) => path));
    const covers = covered.filter((entry) => !entry.changes.some((change) => kept.has(change.path)));
    if (isCheckedOut) this.clearReplaced(snapshot.withoutOverlay(), covers, build);
    if (build.commits.length === 0) {
      if (covers.length > 0 && tip !== null) this.dropPending(tip, covers);
      return { ...result, commits: [] };
    }
    const published = this.publish(build, tip, covers, isCheckedOut, new Set(skipped.map(({ path }) => path)));
    return published === 'done' ? { ...result, commits: build.commits } : published;
  }

  /**
   * What the covered entries leave as the tip has it is in no commit, so no projection follows; but an earlier pending version
   * may stand in the work tree, and without the journal it would look like a hand edit.
   */
  private clearReplaced(tip: Snapshot, covers: readonly PendingEntry[], build: Build): void {
    const paths = new Set(covers.flatMap((entry) => entry.changes.map(({ path }) => path)));
    for (const path of paths) {
      if (build.touched.has(path)) continue;
      const present = this.workTree!.inspect(path)?.oid ?? null;
      const oid = tip.oidOf(path);
      if (present === null || present === oid || !this.journal.isProjection(path, present)) continue;
      const bytes = oid === null ? null : this.repository.objects.readBlob(oid);
      this.workTree!.placeForGood({ path, oid, bytes, isExecutable: false });
    }
  }

  /**
   * Looking at every file costs time that grows with the memory, so that at most a twentieth of the time is spent on it.
   *
   * One of few files is always due, and with nothing else to commit it is what the caller came for.
   */
  private isScanDue(isAllThereIs: boolean): boolean {
    const { end, tookMs, count } = this.lastScan;
    return isAllThereIs || count <= maxQuickScan || performance.now() - end > 20 * tookMs;
  }

  private publish(
    build: Build,
    tip: string | null,
    covers: readonly PendingEntry[],
    isCheckedOut: boolean,
    blocked: ReadonlySet<string>,
  ): 'done' | 'busy' | 'retry' {
    const { repository } = this;
    const workTree = isCheckedOut ? this.workTree : null;
    if (workTree?.isIndexLocked()) return 'busy';
    this.needsRecovery = true;
    const release = repository.objects.write(build.objects);
    // The log of HEAD is that of the work tree in which the branch is checked out.
    const { refs } = workTree?.repository ?? repository;
    let staged: StagedProjection | null = null;
    let isLocked = false;
    const to = build.tip!;
    const mark = { id: to, from: tip, to, covers: covers.map((entry) => entry.sequence) };
    const forget = (outcome: 'busy' | 'retry') => {
      if (staged) workTree!.abandon(staged, isLocked);
      if (isMarked) this.journal.done(mark.id, false);
      release();
      this.needsRecovery = refs.hasLeftLock;
      return outcome;
    };
    let isMarked = false;
    if (workTree) staged = workTree.stage([...build.touched.values()], mark, blocked);
    if (covers.length > 0) {
      this.journal.mark(mark);
      isMarked = true;
    }
    if (staged) {
      const state = workTree!.lock(staged);
      if (state !== 'locked') return forget(state === 'busy' ? 'busy' : 'retry');
      isLocked = true;
    }
    if (!refs.update({ ref: this.ref, from: tip, to, reason: this.reasonOf(to), identity: this.signature(to) })) {
      return forget('retry');
    }
    try {
      if (staged) workTree!.finish(staged);
      if (isMarked) this.journal.done(mark.id, true);
      release();
    } catch (error) {
      throw isMade(to, error);
    }
    this.needsRecovery = false;
    rollUpPacks(repository);
    return 'done';
  }

  /** Entries whose content is in the tip already need no commit; they are pending no more. */
  private dropPending(tip: string, covers: readonly PendingEntry[]): void {
    const id = `none-${tip}`;
    this.journal.mark({ id, from: tip, to: tip, covers: covers.map((entry) => entry.sequence) });
    this.journal.done(id, true);
  }

  private async onBusy(
    plan: (snapshot: Snapshot) => readonly Operation[],
    options: CommitOptions,
  ): Promise<CommitOutcome> {
    const where = `${this.repository.gitDirectory}/index.lock`;
    if (options.onBusy === 'journal') {
      await this.append((snapshot) =>
        plan(snapshot).map((operation, position) => ({
          run: `deferred:${this.dependencies.clock.now()}:${position}`,
          kind: operation.kind,
          name: operation.name,
          ...(operation.subject === undefined ? {} : { subject: operation.subject }),
          trailers: operation.trailers,
          changes: operation.changes,
          time: operation.time ?? this.dependencies.clock.now(),
        })),
      );
    }
    if (options.onBusy === 'journal' || options.onBusy === 'leave') {
      const tip = this.tip();
      const skipped = [
        { path: where, why: 'the git index is locked by another program; the changes wait in the journal' },
      ];
      return { commits: [], tip, tree: null, conflicts: [], skipped, isJournalled: true };
    }
    throw new MemoryError('LOCKED', 'another program holds the git index', {
      where,
      hint: 'Finish or close the running git command (an open commit editor?) and repeat the call',
    });
  }

  private build(snapshot: Snapshot, tip: string | null, operations: readonly Operation[]): Build {
    const { codec, clock } = this.dependencies;
    const context = { repository: this.repository, codec, now: clock.now(), ...this.settings(snapshot) };
    return buildCommits(context, tip, operations);
  }

  /** Looks where the branch is checked out: in our work tree, in another one of this repository, or nowhere. */
  private isCheckedOut(): boolean {
    if (this.ownTree?.isCheckedOut()) {
      this.linkedTree = null;
      return true;
    }
    const view = findWorkTreeOf(this.repository, this.ref);
    if (view === null) this.linkedTree = null;
    else if (this.linkedTree?.root !== view.workTree) this.linkedTree = new WorkTree(view, this.ref);
    return view !== null;
  }

  private handEditsOf(snapshot: Snapshot, paths: readonly string[] | 'all'): HandEdits {
    if (!this.isCheckedOut()) return { staged: [], changes: [], torn: [], skipped: [], count: 0 };
    const start = performance.now();
    const handEdits = findHandEdits(this.workTree!, snapshot, paths === 'all' ? paths : new Set(paths), {
      isProject: this.options.isProject,
      isProjection: (path, oid) => this.journal.isProjection(path, oid),
      hasProjection: (path) => this.journal.hasProjection(path),
    });
    for (const path of handEdits.torn) {
      const oid = snapshot.oidOf(path);
      const pending = snapshot.overlay?.files.get(path);
      const bytes = pending ? pending.bytes : oid === null ? null : this.repository.objects.readBlob(oid);
      this.workTree!.placeForGood({ path, bytes, oid, isExecutable: false });
    }
    if (paths === 'all') {
      const end = performance.now();
      this.lastScan = { end, tookMs: end - start, count: handEdits.count };
    }
    return handEdits;
  }

  /** Hand edits go first, but for those of files that are pending: they were made upon the pending version. */
  private inOrder(planned: readonly Operation[], handEdits: HandEdits, mayRemoveMany: boolean): Operation[] {
    const pending = new Set(this.journal.pending().flatMap((entry) => entry.changes.map(({ path }) => path)));
    const isLater = ({ path }: FileChange) => pending.has(path);
    const part = (isWanted: (change: FileChange) => boolean) =>
      handOperations({
        staged: handEdits.staged.filter(isWanted),
        changes: handEdits.changes.filter(isWanted),
        torn: [],
        count: 0,
        skipped: [],
      }).map((operation) => ({ ...operation, mayRemoveMany }));
    return [...part((change) => !isLater(change)), ...planned, ...part(isLater)];
  }

  private handEditEntries(handEdits: HandEdits): NewPendingEntry[] {
    return handOperations(handEdits).map(({ kind, name, trailers, changes }, layer) => ({
      run: `hand:${kind}:${layer}`,
      kind,
      name,
      trailers,
      changes,
      time: this.dependencies.clock.now(),
      isHandEdit: true,
    }));
  }

  /** Bases a write on the hand edit that goes before it. */
  private mergedEntry(entry: NewPendingEntry, handEdits: HandEdits): NewPendingEntry {
    const { codec } = this.dependencies;
    const edited = new Map([...handEdits.staged, ...handEdits.changes].map((change) => [change.path, change]));
    if (!entry.changes.some((change) => edited.has(change.path))) return entry;
    const text = (path: string, bytes: Buffer | null) => bytes && codec.decode(path, bytes).toString('utf8');
    const changes = entry.changes.map((change) => {
      const hand = edited.get(change.path);
      if (!hand) return change;
      const base =
        change.before === null ? null : this.snapshotAt(this.tip(), true).readBlob(change.before, change.path);
      const before = hand.after && newObject('blob', hand.after).oid;
      const merged = mergeFile(
        change.path,
        base?.toString('utf8') ?? null,
        text(change.path, hand.after),
        text(change.path, change.after),
      );
      const isClean = merged.conflicts.length === 0;
      const after = isClean ? merged.merged && codec.encode(change.path, Buffer.from(merged.merged)) : change.after;
      return { path: change.path, before, after: after || null };
    });
    return { ...entry, changes };
  }

  /** Checks a write by the change rules, and gives it with a subject and trailers that tell no secret. */
  private checkedEntry(snapshot: Snapshot, entry: NewPendingEntry): NewPendingEntry {
    const { codec } = this.dependencies;
    const { limits } = this.settings(snapshot);
    for (const { path, after } of entry.changes) {
      checkChange({ path, before: snapshot.read(path), after: after && codec.decode(path, after) }, { limits });
    }
    const clean = (line: string) => withoutSecrets(line, limits.secrets);
    return {
      ...entry,
      ...(entry.subject === undefined ? {} : { subject: clean(entry.subject) }),
      trailers: entry.trailers.map(({ key, value }) => ({ key, value: clean(value) })),
    };
  }

  /** Throws QUOTA when too much waits already, and MASS_REMOVAL when the writes take too much away with what waits. */
  private checkPending(snapshot: Snapshot, planned: readonly NewPendingEntry[]): void {
    const { limits } = this.settings(snapshot);
    this.pendingLimits = { writes: limits.maxPendingWrites, bytes: limits.maxPendingBytes };
    const { count, bytes } = this.journal;
    if (count >= limits.maxPendingWrites || bytes >= limits.maxPendingBytes) {
      throw new MemoryError('QUOTA', `${count} writes of ${bytes} bytes wait for a commit, and no more may`, {
        where: 'limits.pending_writes',
        hint: 'Commit them (`git memory commit`), or raise limits.pending_writes and limits.pending_bytes in memory.yaml',
      });
    }
    const tip = this.tip();
    if (tip === null) return;
    const { objects } = this.repository;
    const { tree } = objects.readCommit(tip);
    const changes = () =>
      [...this.journal.pending(), ...planned].flatMap((entry) =>
        entry.changes.map((change) => ({ ...change, after: change.after === null ? null : '' })),
      );
    const isWanted = (isKind: (change: FileChange) => boolean) =>
      planned.some((entry) => entry.changes.some((change) => change.path.startsWith('memories/') && isKind(change)));
    const mostAdded = isWanted(({ before }) => before === null) ? count + planned.length : 0;
    checkMemoryCount(tree, objects.readTree, mostAdded, changes, limits);
    const isRemoval = isWanted(({ after }) => after === null) && !planned.every((entry) => entry.mayRemoveMany);
    if (isRemoval) checkRemovals(tree, objects.readTree, changes(), limits);
  }

  private reasonOf(oid: string): string {
    const { message } = this.repository.objects.readCommit(oid);
    return `git-memory: ${message.split('\n', 1)[0]}`;
  }

  private signature(oid: string): Signature {
    return this.repository.objects.readCommit(oid).committer;
  }

  /** Runs a critical section: no `await` inside, so nothing of this process comes between either. */
  private async locked<T>(section: () => T): Promise<T> {
    const { lock, logger } = this.dependencies;
    const { takenFrom } = await lock.acquire(this.options.lockTimeoutMs);
    try {
      this.journal.refresh();
      const copy = this.journal.isDamaged ? this.journal.keepCopy() : null;
      if (takenFrom !== null || this.needsRecovery || this.journal.openMark !== null) {
        const report = recoverRepository(this.repository, this.journal, this.ref);
        lock.sweep();
        this.needsRecovery = false;
        for (const line of report) logger.warn(line);
      }
      if (copy !== null) this.goOnWithout(copy);
      return section();
    } catch (error) {
      this.tryRecover();
      throw error;
    } finally {
      lock.release();
    }
  }

  /** Drops the damaged part of the journal, and says so once: what was acknowledged and is gone must not go unnoticed. */
  private goOnWithout(copy: string): never {
    this.journal.compact();
    throw new MemoryError(
      'JOURNAL_CORRUPT',
      'a part of the journal was damaged, and pending writes in it cannot be read',
      {
        where: copy,
        hint: 'The file named there is a copy of the journal as it was; the writes that are whole are pending as before, so repeat the call to go on with them',
      },
    );
  }

  /** After a failure half way: frees native git and our readers at once where that is possible. */
  private tryRecover(): void {
    if (!this.needsRecovery) return;
    try {
      this.journal.refresh();
      if (this.journal.isDamaged) return;
      recoverRepository(this.repository, this.journal, this.ref);
      this.needsRecovery = false;
    } catch {
      // The disk still refuses: needsRecovery stays set, so the next operation tries again. The first failure is reported.
    }
  }
}

/** Tells the caller of a failure behind the point of no return that the commit stands, so that he does not make it twice. */
function isMade(commit: string, cause: unknown): unknown {
  const error = asMemoryError(cause);
  if (!(error instanceof MemoryError)) return cause;
  return new MemoryError(error.code, `the commit ${commit} is made, but what follows it failed: ${error.what}`, {
    ...(error.where === undefined ? {} : { where: error.where }),
    hint: 'It is saved and need not be repeated; the next call brings files and index in step',
    cause,
  });
}
