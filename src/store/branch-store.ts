// One branch of a repository as a store: snapshots, appends to the journal, and the one function that commits. Each is one look at the
// branch under the lock, in a file of its own. This file says who asks for it, and how often it is tried.

import { defined, MemoryError, orElse } from '../base/errors.ts';
import { monotonicMs } from '../base/monotonic.ts';
import { attemptAdvance, planAdvance } from './advance.ts';
import { attemptAppend, type MakeEntries } from './append-attempt.ts';
import type { BranchParts, BranchStoreDependencies, CommitSettings } from './branch-parts.ts';
import { TipProof } from './branch-tip.ts';
import { mostPendingBytes } from './change-rules.ts';
import { Checkout } from './checkout.ts';
import type { Codec } from './codec.ts';
import { attemptCommit, type CommitOptions } from './commit-attempt.ts';
import { noConsequence } from './consequence.ts';
import { CriticalSection } from './critical-section.ts';
import { type DamagedFiles, damagedFilesOf } from './damaged-files.ts';
import type { Derivation } from './derive.ts';
import { KeptFiles, type KeptProblem, keptProblems } from './engine-files.ts';
import { contentOf } from './file-content.ts';
import { hasGcLock } from './git/gc-lock.ts';
import type { NativeOperation } from './git/native-operation.ts';
import { newObject } from './git/object-codec.ts';
import type { RefUpdate } from './git/refs.ts';
import type { Repository } from './git/repository.ts';
import { otherWorkTrees } from './git/work-trees.ts';
import { checkNewRef } from './guard/secret-filter.ts';
import { type LyingState, lyingState, noHandEdits } from './hand-edits.ts';
import type { Journal } from './journal.ts';
import type { PendingEntry } from './journal-records.ts';
import { busyAt, nativelyBusy } from './native-busy.ts';
import type { CommitOutcome, Operation } from './operation.ts';
import { PendingPlacing } from './pending-placing.ts';
import { PrivateFiles } from './private-files.ts';
import { WorkTree } from './projection.ts';
import { PurgeGuard } from './purge-guard.ts';
import { isPurging } from './purge-record.ts';
import { hasReturned } from './purged-objects.ts';
import { PendingView } from './rebase-pending.ts';
import { journalOf } from './recovery.ts';
import { deferredEntries, operationsOf } from './runs.ts';
import { type StoreScope, within } from './scope.ts';
import { Snapshot } from './snapshot.ts';

export interface BranchStoreOptions {
  /** How long to wait for another process of ours; default 10 s. */
  readonly lockTimeoutMs?: number;
  /** How long to wait for native git's index.lock, or its lock of the branch, before journalling; default 2 s. */
  readonly indexTimeoutMs?: number;
  /** Whether the work tree is that of a code project, in which only some names are the memory's. Default false. */
  readonly isProject?: boolean;
  /** The part of the memory that is seen and may be written; default: all of it. */
  readonly scope?: StoreScope;
  /** Brings what a call wrote to where it lasts before the call is answered, where nothing lasts here; default: it lasts where it is. */
  readonly settle?: <T>(store: BranchStore, answer: T) => Promise<T>;
}

const maxAttempts = 100;

export class BranchStore {
  readonly ref: string;
  readonly repository: Repository;
  readonly settings: (snapshot: Snapshot) => CommitSettings;
  readonly codec: Codec;
  readonly derivations: readonly Derivation[];
  readonly damage: DamagedFiles;
  private readonly scope: StoreScope | null;
  private readonly indexTimeoutMs: number;
  private readonly acknowledge: NonNullable<BranchStoreOptions['settle']>;
  private readonly parts: BranchParts;
  private readonly pendingView: PendingView;
  private readonly guard: PurgeGuard;
  /** The present as it was seen by whoever looked first; goes with the next write, and before anybody who waited goes on. */
  private live: Snapshot | null = null;
  private readonly proof: TipProof;
  /** How often this process has written something here. */
  writeCount = 0;
  /** As of the last write: what is full is asked after it, when nothing may fail any more. */
  private pendingLimits = { writes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

  constructor(
    dependencies: BranchStoreDependencies,
    settings: (snapshot: Snapshot) => CommitSettings,
    options: BranchStoreOptions = {},
  ) {
    const { repository, ref, codec, clock, logger, leadsTo, consequences, installFilter } = dependencies;
    const { derivations = [] } = dependencies;
    const { isProject = false, lockTimeoutMs: timeoutMs = 10_000 } = options;
    this.ref = ref;
    this.repository = repository;
    this.settings = settings;
    this.codec = codec;
    this.derivations = derivations;
    this.damage = damagedFilesOf(repository);
    this.damage.readAs((path, bytes) => codec.encode(path, bytes));
    this.scope = options.scope ?? null;
    this.indexTimeoutMs = options.indexTimeoutMs ?? 2_000;
    this.acknowledge = options.settle ?? (async (_, answer) => answer);
    this.guard = new PurgeGuard(repository, ref);
    this.proof = new TipProof(repository, ref, leadsTo);
    const journal = journalOf(repository, ref);
    const limits = (snapshot: Snapshot) => settings(snapshot).limits;
    const shared = {
      repository,
      codec,
      checkout: new Checkout({ repository, ref, journal, isProject, codec, limits, logger }),
      section: new CriticalSection({ ...dependencies, journal, timeoutMs }),
      tip: () => this.tip(),
      snapshotAt: (at: string | null, isLive = true) => this.snapshotAt(at, isLive),
    };
    this.pendingView = new PendingView({ repository, codec, journal, derivations });
    this.parts = {
      ...shared,
      ref,
      clock,
      journal,
      derivations,
      settings,
      placing: new PendingPlacing({ ...shared, logger }),
      kept: new KeptFiles(),
      privates: new PrivateFiles({ ...shared, logger, ...defined({ installFilter }) }),
      consequenceUpon: (snapshot, now) => consequences?.(snapshot, now) ?? noConsequence,
    };
  }

  /** The tip of the branch, or `null` before its first commit. */
  tip(): string | null {
    return this.repository.refs.read(this.ref);
  }

  /** Why nothing may be written: the branch is not where it was last seen. Null when all is well. */
  get lost(): MemoryError | null {
    // A ref or commit that cannot be read is named by the question that needs it.
    return orElse(() => this.proof.lost(), null);
  }

  /**
   * The present: the tip with what is pending on top. Consistent although read without the lock.
   *
   * `isLive`: valid until the next write, for who looks at once and keeps nothing.
   */
  snapshot(isLive = false): Snapshot {
    const snapshot = this.wholeSnapshot(isLive);
    return this.scope?.view(snapshot) ?? snapshot;
  }

  /** The state at a commit of any branch. */
  at(commit: string): Snapshot {
    const snapshot = new Snapshot(this.repository, this.codec, commit);
    return this.scope?.view(snapshot) ?? snapshot;
  }

  private wholeSnapshot(isLive = false): Snapshot {
    if (isLive && this.live !== null) return this.live;
    const { journal } = this.parts;
    this.guard.notice();
    for (let attempt = 0; ; attempt++) {
      journal.refresh();
      journal.checkWhole();
      const tip = this.tip();
      // A flush between the two reads would show a pending write twice or not at all; with none pending there is none to show.
      if (journal.isEmpty || !journal.refresh() || attempt >= 10) {
        const snapshot = this.snapshotAt(tip, isLive);
        if (isLive) this.keepLive(snapshot);
        return snapshot;
      }
    }
  }

  /** One verb asks for the present half a dozen times in one breath: what is private, which rules hold. They are asked of one look. */
  private keepLive(snapshot: Snapshot): void {
    this.live = snapshot;
    queueMicrotask(() => {
      this.live = null;
    });
  }

  private snapshotAt(tip: string | null, isLive: boolean): Snapshot {
    const snapshot = new Snapshot(this.repository, this.codec, tip, this.pendingView.overlayAt(tip, isLive));
    this.codec.follow(snapshot);
    return snapshot;
  }

  /** Tells one state of the history from another: each purge, by whomever, makes a new one. */
  get purgeVersion(): string {
    return this.guard.version;
  }

  /** Runs a call that may write. What it planned before a purge it may not write after it: what was purged would come back. */
  during<T>(call: () => T | Promise<T>): Promise<T> {
    return this.guard.during(async () => this.acknowledge(this, await call()));
  }

  /** Runs a section under the lock that writes. Throws BRANCH_LOST, and PURGED when the history was rewritten since the call began. */
  private writing<T>(work: (tip: string | null) => T): Promise<T> {
    return this.parts.section.run(() => {
      this.live = null;
      this.guard.check();
      // Native git may move it meanwhile: the ref moves by compare-and-swap, and what is pending is read as it is upon any tip.
      const tip = this.proof.tip();
      this.reconcile(tip);
      try {
        return work(tip);
      } finally {
        this.live = null;
      }
    });
  }

  /** Brings the journal in step with a tip that others have moved: what that holds is pending no more, the rest is pending upon it. */
  private reconcile(tip: string | null): void {
    const { checkout, journal, placing } = this.parts;
    const rebased = this.pendingView.rebasedUpon(tip);
    if (rebased === null) return;
    const left = new Map(rebased.entries.flatMap(({ changes }) => changes.map(({ path }) => [path, null])));
    if (checkout.isCheckedOut())
      checkout.clearReplaced(this.snapshotAt(tip, true).withoutOverlay(), journal.pending(), left);
    journal.replace(rebased.entries);
    placing.add(rebased.entries);
    placing.schedule();
  }

  /** Runs what writes and may find native git at work, or the branch moved on: until it is done, or has waited too long (`busy`). */
  private async trying<T>(attempt: (tip: string | null) => T | 'busy' | 'retry'): Promise<T | 'busy'> {
    const deadline = monotonicMs() + this.indexTimeoutMs;
    for (let count = 0; count < maxAttempts; count++) {
      const outcome = await this.writing(attempt);
      if (outcome !== 'busy' && outcome !== 'retry') {
        await this.parts.privates.showNew();
        return outcome as T;
      }
      if (outcome === 'busy' && (monotonicMs() > deadline || this.unfinished !== null)) return 'busy';
      const waitMs = outcome === 'busy' ? 20 + Math.random() * 30 : Math.random() * 5;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    throw new MemoryError('REF_MOVED', `${this.ref} moved during each of ${maxAttempts} attempts`, {
      where: this.ref,
      hint: 'Another program keeps writing to this branch; repeat the call later',
    });
  }

  /** Rewrites history under the lock; what this process knew of the old one is forgotten, and sessions that are open have to begin again. */
  async rewriting<T>(work: (journal: Journal) => T): Promise<T> {
    const { journal, section, placing } = this.parts;
    this.writeCount += 1;
    return this.writing(() => {
      const result = section.unsettled(() => work(journal));
      journal.refresh();
      placing.clear();
      this.guard.acceptOwn();
      return result;
    });
  }

  /** What is acknowledged and not yet committed, oldest first. */
  pending(): readonly PendingEntry[] {
    const { journal } = this.parts;
    journal.refresh();
    journal.checkWhole();
    return this.pendingView.entriesAt(this.tip());
  }

  /** Tells how full the journal is: 1 means that no more writes may wait. */
  get fillLevel(): number {
    const { count, bytes } = this.parts.journal;
    return Math.max(count / this.pendingLimits.writes, bytes / this.pendingLimits.bytes);
  }

  /** The work tree that follows the branch, as of the last operation; our own while nothing was done. */
  get workTree(): WorkTree | null {
    return this.parts.checkout.workTree;
  }

  /** Lists what people changed in the work tree since, as {@link Checkout.edited} does. */
  handEdits(): ReturnType<Checkout['edited']> {
    return this.parts.checkout.edited(this.wholeSnapshot());
  }

  /** Lists files of the tip that the engine keeps and that are not as they must be; the next commit puts them back. */
  keptProblems(): readonly KeptProblem[] {
    const tip = this.tip();
    return tip === null ? [] : keptProblems(this.repository, this.codec, tip, this.parts.checkout.isProject);
  }

  /** What native git has begun on the branch and not finished; until then nothing is committed over it, and what is written waits. */
  get unfinished(): NativeOperation | null {
    return this.parts.checkout.unfinished();
  }

  /** A present with the hand edits of some files on top, as the next commit would take them in, and what it would not. It only looks. */
  asItLies(present: Snapshot, paths: readonly string[]): LyingState {
    const { checkout } = this.parts;
    const look = () => checkout.look(checkout.standing(), present, paths);
    const found = this.unlessIndexDamaged(look, ({ what, where, hint }) => {
      const why = `${what}, so that edits by hand are not known`;
      this.damage.tell({ ...defined({ path: where }), commit: null, why, hint: hint ?? '' });
      return noHandEdits;
    });
    return lyingState(present, found);
  }

  /** Looks at the work tree, or gives what else there is to give where its index cannot be read. The next write makes it anew. */
  private unlessIndexDamaged<T, Else>(look: () => T, otherwise: (error: MemoryError) => Else): T | Else {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'REPOSITORY_CORRUPT') throw error;
      return otherwise(error);
    }
  }

  /** Commits the hand edit of one file now, if there is one; gives why it cannot be. Nothing happens while git's index is busy. */
  async adopt(path: string): Promise<string | null> {
    const inspect = () => (this.workTree?.isCheckedOut() ? this.workTree.inspect(path) : null);
    const present = this.unlessIndexDamaged(inspect, () => undefined);
    if (present === null || present?.oid === this.wholeSnapshot().oidOf(path)) return null;
    const { skipped } = await this.commit(() => [], { look: [path], onBusy: 'leave' });
    return skipped.find((file) => file.path === path)?.why ?? null;
  }

  /** Copies of damaged journals that were put aside. */
  get damages(): readonly string[] {
    return this.parts.journal.copies();
  }

  /** Lets a recovery run now, if one is due: an operation of a dead process is finished or forgotten. */
  async recover(): Promise<void> {
    const { repository } = this;
    const { journal, checkout, section } = this.parts;
    journal.refresh();
    const holdsLock = repository.disk.exists(`${repository.ownDirectory}/lock`) || hasGcLock(repository);
    const trees = [
      ...(checkout.ownTree === null ? [] : [checkout.ownTree]),
      ...otherWorkTrees(repository).map((view) => new WorkTree(view, this.ref, contentOf(view, this.codec))),
    ];
    const isBegun = isPurging(repository) || journal.openMark !== null || trees.some((tree) => tree.left().length > 0);
    if (isBegun || holdsLock || journal.isDamaged || hasReturned(repository)) await section.run(() => undefined);
    this.guard.accept();
  }

  /**
   * Puts writes into the journal, durable when it returns, and shows them in the work tree; see {@link attemptAppend}.
   *
   * `make` gets the present, under the lock, and is called again where a person has added to what it writes.
   */
  async append(make: MakeEntries): Promise<readonly PendingEntry[]> {
    const { entries, limits } = await this.writing((tip) => attemptAppend(this.parts, tip, within(this.scope, make)));
    this.writeCount += 1;
    this.pendingLimits = { writes: limits.maxPendingWrites, bytes: mostPendingBytes };
    return entries;
  }

  /** Brings the work tree in step with the journal now instead of in a moment; for the end of a process. */
  async settle(): Promise<void> {
    await this.parts.placing.settle();
  }

  /** Has native git encrypt what is private now: the rule may have come by a pull, the key by another memory. */
  async followPrivacy(): Promise<void> {
    await this.parts.privates.follow(this.snapshot(true));
  }

  /** Shows private files anew: open where native git encrypts with us and the key is here, else as git has them. */
  async showAgain(): Promise<void> {
    await this.parts.privates.showAgain();
  }

  /** Lets go of the timer; nothing is written. */
  stop(): void {
    this.parts.placing.stop();
  }

  /** Commits what is pending: one commit for each run of entries, in one pack, with one move of the ref. */
  async flush(
    options: { subject?: string } & Omit<CommitOptions, 'covers' | 'onBusy' | 'look'> = {},
  ): Promise<CommitOutcome> {
    const { subject, scan = true, ...said } = options;
    const { privates } = this.parts;
    const context = { codec: this.codec, objects: this.repository.objects };
    const plan = () => [...privates.encryptions(), ...operationsOf(this.pending(), context, subject)];
    const outcome = await this.commitPlanned(plan, { ...said, covers: () => true, scan, onBusy: 'leave' });
    if (!options.dryRun && !outcome.isJournalled) privates.noteEncrypted(outcome.tip);
    return outcome;
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
    return this.commitPlanned(within(this.scope, plan), options);
  }

  /** The same for what was judged before, such as the batch with what others wrote into it. */
  private async commitPlanned(
    plan: (snapshot: Snapshot) => readonly Operation[],
    options: CommitOptions,
  ): Promise<CommitOutcome> {
    const outcome = await this.trying((tip) => attemptCommit(this.parts, tip, plan, options));
    if (outcome !== 'busy' && outcome.commits.length > 0 && !options.dryRun) this.writeCount += 1;
    return outcome === 'busy' ? this.onBusy(plan, options) : outcome;
  }

  /**
   * Moves the branch from a commit to another one that is there already, and brings the files in step. False when it is elsewhere, or
   * something waits for a commit. What people edited by hand at its paths is committed first, and then it is elsewhere.
   *
   * Throws LOCKED while another program holds the git index.
   */
  async advance(from: string, to: string): Promise<boolean> {
    const look = [...planAdvance(this.repository, from, to).touched.keys()];
    if (this.parts.checkout.isCheckedOut()) await this.commit(() => [], { look, onBusy: 'fail' });
    const outcome = await this.trying((tip) => attemptAdvance(this.parts, tip, from, to));
    this.writeCount += 1;
    if (outcome === 'busy') throw nativelyBusy(this.parts);
    return outcome;
  }

  /** Refuses a new ref whose name holds a secret. Throws SECRET. */
  checkNewRef(ref: string): void {
    checkNewRef(ref, this.settings(this.snapshot()).limits.secrets);
  }

  /** Moves any ref of the repository, such as a tag; see {@link RefStore.update}. Throws SECRET as well. */
  async updateRef(update: RefUpdate): Promise<boolean> {
    if (update.from === null) this.checkNewRef(update.ref);
    return this.writing(() => this.move(update));
  }

  private move(update: RefUpdate): boolean {
    const { section } = this.parts;
    const { refs } = this.repository;
    section.needsRecovery = true;
    this.writeCount += 1;
    const isMoved = refs.update(update);
    section.needsRecovery = refs.hasLeftLock;
    return isMoved;
  }

  /** Runs something under the lock of the repository; when it fails half way, what it left is settled by the next to come. */
  async exclusively<T>(work: () => T): Promise<T> {
    return this.writing(() => this.parts.section.unsettled(work));
  }

  /** Writes the object of a file of the present again where it cannot be read, given its very bytes. */
  async repair(path: string, plain: Buffer): Promise<void> {
    const { objects } = this.repository;
    const snapshot = this.wholeSnapshot(true);
    const blob = newObject('blob', this.codec.encode(path, plain, snapshot.privacy));
    if (snapshot.withoutOverlay().oidOf(path) !== blob.oid || objects.isWhole(blob.oid)) return;
    await this.exclusively(() => objects.write([blob])());
  }

  /** Removes the branch itself if it still is at a commit. Throws CONFLICT while something waits in its journal, REF_MOVED. */
  async remove(tip: string): Promise<void> {
    await this.writing(() => {
      const { count } = this.parts.journal;
      if (count > 0) {
        throw new MemoryError('CONFLICT', `${count} acknowledged writes wait for a commit on this branch`, {
          where: this.ref,
          hint: 'Commit them first: `git memory commit --branch <name>`',
        });
      }
      const { committer: identity } = this.repository.objects.readCommit(tip);
      const isGone = this.move({ ref: this.ref, from: tip, to: null, reason: 'git-memory: branch dropped', identity });
      if (!isGone) throw new MemoryError('REF_MOVED', 'the branch has moved', { where: this.ref, hint: 'Look again' });
    });
  }

  /** Joins packs into larger ones, until their sizes grow by a factor of two; see `store/git/pack-keeper.ts`. */
  async maintainPacks(): Promise<{ merged: number }> {
    return this.parts.section.run(() => this.repository.packKeeper.joinAll());
  }

  private async onBusy(
    plan: (snapshot: Snapshot) => readonly Operation[],
    { onBusy }: CommitOptions,
  ): Promise<CommitOutcome> {
    if (onBusy !== 'journal' && onBusy !== 'leave') throw nativelyBusy(this.parts);
    if (onBusy === 'journal') {
      const { clock } = this.parts;
      await this.append((snapshot) => deferredEntries(plan(snapshot), clock.now()));
    }
    // The caller of a commit learns what is in the way; a capture does not wait until that is found out.
    const { what, where } = onBusy === 'journal' ? busyAt(this.parts) : nativelyBusy(this.parts);
    const skipped = [{ path: where!, why: `${what}; the changes wait in the journal` }];
    return { commits: [], tip: this.tip(), tree: null, conflicts: [], skipped, isJournalled: true };
  }
}
