// One branch of a repository as a store: snapshots, appends to the journal, and the one function that commits.

import { MemoryError } from '../errors.ts';
import type { Signature } from '../git/commit-object.ts';
import { hasGcLock } from '../git/gc-lock.ts';
import type { NativeOperation } from '../git/native-operation.ts';
import type { ProcessLock } from '../git/process-lock.ts';
import type { RefUpdate } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { otherWorkTrees } from '../git/work-trees.ts';
import { onlyGrows } from '../merge/growth.ts';
import type { Clock, Logger } from '../ports.ts';
import { attemptAdvance, planAdvance } from './advance.ts';
import { handEntries, onHandEdits, onTyped, takeIn } from './beside-hand-edits.ts';
import type { BranchParts, CommitSettings } from './branch-parts.ts';
import type { ChangeLimits } from './change-rules.ts';
import { Checkout, resolveHint } from './checkout.ts';
import type { Codec } from './codec.ts';
import { attemptCommit, type CommitOptions } from './commit-attempt.ts';
import { type ConsequenceSource, noConsequence, withConsequences } from './consequence.ts';
import { CriticalSection } from './critical-section.ts';
import type { Derivation } from './derive.ts';
import { withDerived } from './derive-pending.ts';
import { isKept, KeptFiles, type KeptProblem, keptProblems } from './engine-files.ts';
import { contentOf } from './file-content.ts';
import { type FilterInstaller, GitFilter } from './git-filter.ts';
import { isUnedited } from './hand-edits.ts';
import { Journal, type Overlay, overlayOf } from './journal.ts';
import type { CommitMark, NewPendingEntry, PendingEntry } from './journal-records.ts';
import { checkedEntry, encodedEntry } from './new-entries.ts';
import { planEncryption } from './open-texts.ts';
import type { CommitOutcome, Operation } from './operation.ts';
import { PendingPlacing } from './pending-placing.ts';
import { checkPending } from './pending-quota.ts';
import { noCommit, WorkTree } from './projection.ts';
import { PurgeGuard } from './purge-guard.ts';
import { isPurging } from './purge-record.ts';
import { hasReturned } from './purged-objects.ts';
import { isUpon, rebasePending } from './rebase-pending.ts';
import { isMade, journalPath } from './recovery.ts';
import { operationsOf } from './runs.ts';
import type { StoreScope } from './scope.ts';
import { Snapshot } from './snapshot.ts';
import type { ProjectedFile } from './work-tree-files.ts';

export interface BranchStoreDependencies {
  readonly repository: Repository;
  /** Full name: `refs/heads/main`. */
  readonly ref: string;
  readonly lock: ProcessLock;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What follows from files, and is made anew in the commit that changes them. Default: nothing. */
  readonly derivations?: readonly Derivation[];
  /** What else has to change with a file, in the same commit. Default: nothing. */
  readonly consequences?: ConsequenceSource;
  /** Lets native git encrypt private files. Default: nobody does, and they lie encrypted in the work tree. */
  readonly installFilter?: FilterInstaller;
}

export interface BranchStoreOptions {
  /** How long to wait for another process of ours; default 10 s. */
  readonly lockTimeoutMs?: number;
  /** How long to wait for native git's index.lock before journalling; default 2 s. */
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
  private readonly dependencies: BranchStoreDependencies;
  private readonly options: Required<Omit<BranchStoreOptions, 'scope'>>;
  private readonly scope: StoreScope | null;
  readonly settings: (snapshot: Snapshot) => CommitSettings;
  readonly codec: Codec;
  readonly derivations: readonly Derivation[];
  private readonly journal: Journal;
  private readonly section: CriticalSection;
  private readonly checkout: Checkout;
  private readonly parts: BranchParts;
  private readonly placing: PendingPlacing;
  private readonly guard: PurgeGuard;
  private readonly filter: GitFilter;
  /** The tip in which a flush looked for private texts that lie open. */
  private checkedTip: string | null = null;
  /** The commit, and the journal, whose entries were found to be written upon it. */
  private inStep: {
    readonly upon: string;
    readonly version: string;
    readonly paths: Set<string>;
    last: number;
  } | null = null;
  /** What is pending, as it is upon a tip that has moved on since it was written. */
  private rebased: {
    readonly key: string;
    readonly entries: readonly PendingEntry[];
    readonly overlay: Overlay;
  } | null = null;
  /** As of the last write: what is full is asked after it, when nothing may fail any more. */
  private pendingLimits = { writes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

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
    this.derivations = dependencies.derivations ?? [];
    this.scope = options.scope ?? null;
    this.options = {
      lockTimeoutMs: options.lockTimeoutMs ?? 10_000,
      indexTimeoutMs: options.indexTimeoutMs ?? 2_000,
      isProject: options.isProject ?? false,
      settle: options.settle ?? (async (_, answer) => answer),
    };
    const { repository, ref } = this;
    this.journal = new Journal(repository.disk, journalPath(repository, ref));
    const { codec } = this;
    this.checkout = new Checkout({
      repository,
      ref,
      journal: this.journal,
      isProject: this.options.isProject,
      codec,
      limits: (snapshot) => settings(snapshot).limits,
    });
    this.section = new CriticalSection({
      ...dependencies,
      journal: this.journal,
      timeoutMs: this.options.lockTimeoutMs,
    });
    this.guard = new PurgeGuard(repository, ref);
    const { clock, logger, consequences } = dependencies;
    this.filter = new GitFilter(repository, dependencies.installFilter, logger);
    const { checkout, section, journal, derivations, filter } = this;
    const tip = () => this.tip();
    const snapshotAt = (at: string | null) => this.snapshotAt(at, true);
    this.parts = {
      repository,
      ref,
      codec,
      clock,
      journal,
      section,
      checkout,
      kept: new KeptFiles(),
      filter,
      derivations,
      settings,
      tip,
      snapshotAt,
      consequenceUpon: (snapshot, now) => consequences?.(snapshot, now) ?? noConsequence,
    };
    this.placing = new PendingPlacing({ section, checkout, tip, snapshotAt, logger });
  }

  /** The tip of the branch, or `null` before its first commit. */
  tip(): string | null {
    return this.repository.refs.read(this.ref);
  }

  /**
   * The present: the tip with what is pending on top. Consistent although read without the lock.
   *
   * `isLive`: valid until the next write, for who looks at once and keeps nothing.
   */
  snapshot(isLive = false): Snapshot {
    return this.seen(this.wholeSnapshot(isLive));
  }

  private seen(snapshot: Snapshot): Snapshot {
    return this.scope === null ? snapshot : this.scope.view(snapshot);
  }

  private wholeSnapshot(isLive = false): Snapshot {
    this.guard.notice();
    for (let attempt = 0; ; attempt++) {
      this.journal.refresh();
      this.journal.checkWhole();
      const tip = this.tip();
      // A flush between the two reads would show a pending write twice or not at all; with none pending there is none to show.
      if (this.journal.isEmpty || !this.journal.refresh() || attempt >= 10) return this.snapshotAt(tip, isLive);
    }
  }

  /** Tells one state of the history from another: each purge, by whomever, makes a new one. */
  get purgeVersion(): string {
    return this.guard.version;
  }

  /** Runs a call that may write. What it planned before a purge it may not write after it: what was purged would come back. */
  during<T>(call: () => T | Promise<T>): Promise<T> {
    return this.guard.during(async () => this.options.settle(this, await call()));
  }

  /** Runs a section under the lock that writes. Throws PURGED when the history was rewritten since the call began. */
  private writing<T>(work: (tip: string | null) => T): Promise<T> {
    return this.section.run(() => {
      this.guard.check();
      // Native git may move it meanwhile: the ref moves by compare-and-swap, and what is pending is read as it is upon any tip.
      const tip = this.tip();
      this.reconcile(tip);
      return work(tip);
    });
  }

  /** Brings the journal in step with a tip that others have moved: what that holds is pending no more, the rest is pending upon it. */
  private reconcile(tip: string | null): void {
    const rebased = this.rebasedUpon(tip);
    if (rebased === null) return;
    const left = new Map(rebased.entries.flatMap(({ changes }) => changes.map(({ path }) => [path, null])));
    if (this.checkout.isCheckedOut()) {
      this.checkout.clearReplaced(this.snapshotAt(tip, true).withoutOverlay(), this.journal.pending(), left);
    }
    this.journal.replace(rebased.entries);
    this.placing.add(rebased.entries);
    this.placing.schedule();
  }

  /** Null while what is pending was written upon this tip. */
  private rebasedUpon(tip: string | null): { entries: readonly PendingEntry[]; overlay: Overlay } | null {
    const isBehind = (mark: CommitMark) => isMade(this.repository, tip, mark);
    const overlay = this.journal.overlay(tip, true, isBehind);
    if (overlay === null) return null;
    const { codec, repository, derivations, journal } = this;
    const key = `${tip} ${overlay.version}`;
    if (this.inStep?.version === key) return null;
    if (this.rebased?.key === key) return this.rebased;
    const upon = `${tip} ${journal.identity}`;
    const seen = this.inStep?.upon === upon ? this.inStep : { upon, paths: new Set<string>(), last: 0 };
    const pending = journal.pendingAt(tip, isBehind);
    const state = new Snapshot(repository, codec, tip);
    // What was looked at before need not be again: a batch of thousands would be, for each write that joins it.
    if (
      isUpon(
        pending.filter(({ sequence }) => sequence > seen.last),
        state,
        seen.paths,
      )
    ) {
      this.inStep = { ...seen, version: key, last: pending.at(-1)?.sequence ?? 0 };
      return null;
    }
    this.inStep = null;
    const { objects } = repository;
    const entries = rebasePending(pending, state, {
      codec,
      derivations,
      versionsOf: (path) => journal.versionsOf(path),
      readObject: (oid) => (objects.has(oid) ? objects.readBlob(oid) : null),
    });
    this.rebased = { key, entries, overlay: overlayOf(entries, `${overlay.version}@${tip}`) };
    return this.rebased;
  }

  /** Rewrites history under the lock; what this process knew of the old one is forgotten, and sessions that are open have to begin again. */
  async rewriting<T>(work: (journal: Journal) => T): Promise<T> {
    return this.writing(() => {
      const result = this.section.unsettled(() => work(this.journal));
      this.journal.refresh();
      this.placing.clear();
      this.guard.acceptOwn();
      return result;
    });
  }

  /** The state at a commit of any branch. */
  at(commit: string): Snapshot {
    return this.seen(new Snapshot(this.repository, this.dependencies.codec, commit));
  }

  /** `live`: for use within one critical section only. */
  private snapshotAt(tip: string | null, live = false): Snapshot {
    const rebased = this.rebasedUpon(tip);
    const overlay =
      rebased === null
        ? this.journal.overlay(tip, live, (mark) => isMade(this.repository, tip, mark))
        : rebased.overlay;
    const snapshot = new Snapshot(this.repository, this.dependencies.codec, tip, overlay);
    this.codec.follow(snapshot);
    return snapshot;
  }

  /** What is acknowledged and not yet committed, oldest first. */
  pending(): readonly PendingEntry[] {
    this.journal.refresh();
    this.journal.checkWhole();
    return this.rebasedUpon(this.tip())?.entries ?? this.journal.pending();
  }

  /** Tells how full the journal is: 1 means that no more writes may wait. */
  get fillLevel(): number {
    return Math.max(this.journal.count / this.pendingLimits.writes, this.journal.bytes / this.pendingLimits.bytes);
  }

  /** The work tree that follows the branch, as of the last operation; our own while nothing was done. */
  get workTree(): WorkTree | null {
    return this.checkout.workTree;
  }

  /** Lists what people changed in the work tree since; it is committed with the next flush, or says why not. */
  handEdits(): { path: string; why?: string }[] {
    const { checkout } = this;
    const { staged, changes, torn, skipped, missing } = checkout.look(checkout.standing(), this.wholeSnapshot(), 'all');
    const paths = new Set([...staged, ...changes].map(({ path }) => path));
    const kept = torn.filter(isKept).map((path) => ({ path, why: 'the engine keeps it, and puts it back' }));
    return [...[...paths].map((path) => ({ path })), ...kept, ...skipped, ...missing];
  }

  /** Lists files of the tip that the engine keeps and that are not as they must be; the next commit puts them back. */
  keptProblems(): readonly KeptProblem[] {
    const tip = this.tip();
    return tip === null ? [] : keptProblems(this.repository, this.codec, tip, this.options.isProject);
  }

  /** What native git has begun on the branch and not finished; until then nothing is committed over it, and what is written waits. */
  get unfinished(): NativeOperation | null {
    return this.checkout.unfinished();
  }

  /** A present with the hand edits of some files on top, as the next commit would take them in. It only looks. */
  asItLies(present: Snapshot, paths: readonly string[]): { snapshot: Snapshot; edited?: readonly string[] } {
    const { changes } = this.checkout.look(this.checkout.standing(), present, paths);
    return changes.length === 0
      ? { snapshot: present }
      : { snapshot: present.with(changes), edited: changes.map(({ path }) => path) };
  }

  /** Commits the hand edit of one file now, if there is one; gives why it cannot be. Nothing happens while git's index is busy. */
  async adopt(path: string): Promise<string | null> {
    const present = this.workTree?.isCheckedOut() ? this.workTree.inspect(path) : null;
    if (present === null || present.oid === this.wholeSnapshot().oidOf(path)) return null;
    const { skipped } = await this.commit(() => [], { look: [path], onBusy: 'leave' });
    return skipped.find((file) => file.path === path)?.why ?? null;
  }

  /** Copies of damaged journals that were put aside. */
  get damages(): readonly string[] {
    return this.journal.copies();
  }

  /** Lets a recovery run now, if one is due: an operation of a dead process is finished or forgotten. */
  async recover(): Promise<void> {
    this.journal.refresh();
    const holdsLock = this.repository.disk.exists(`${this.repository.ownDirectory}/lock`) || hasGcLock(this.repository);
    const trees = [
      ...(this.checkout.ownTree === null ? [] : [this.checkout.ownTree]),
      ...otherWorkTrees(this.repository).map((view) => new WorkTree(view, this.ref, contentOf(view, this.codec))),
    ];
    const isBegun =
      isPurging(this.repository) || this.journal.openMark !== null || trees.some((tree) => tree.left().length > 0);
    if (isBegun || holdsLock || this.journal.isDamaged || hasReturned(this.repository))
      await this.section.run(() => undefined);
    this.guard.accept();
  }

  /**
   * Puts writes into the journal, durable when it returns, and shows them in the work tree.
   *
   * `make` gets the present, under the lock. A hand edit of a touched file goes in first and the write is merged with it; where it is an
   * addition to a file that grows, `make` is called again and gets it as a part of the present.
   */
  async append(make: (snapshot: Snapshot) => readonly NewPendingEntry[]): Promise<readonly PendingEntry[]> {
    return this.writing((tip) => this.appendUpon(tip, make, null));
  }

  /** `before`: the present as it was before additions by hand were taken in; null until then. */
  private appendUpon(
    tip: string | null,
    make: (snapshot: Snapshot) => readonly NewPendingEntry[],
    before: Snapshot | null,
  ): readonly PendingEntry[] {
    const { clock } = this.dependencies;
    const standing = this.checkout.renewed(tip, this.section);
    const snapshot = this.snapshotAt(tip, before === null);
    const made = make(this.seen(snapshot));
    for (const { changes } of made) this.scope?.check(snapshot, changes);
    const entries = made.map((entry) => onTyped(encodedEntry(entry, this.codec), before, snapshot, this.codec));
    const consequence = this.parts.consequenceUpon(snapshot, clock.now());
    const followed = withConsequences(entries, snapshot, consequence, this.codec);
    const planned = withDerived(followed, snapshot, this.derivations, this.codec);
    const paths = planned.flatMap((entry) => entry.changes.map((change) => change.path));
    const handEdits = this.checkout.handEditsOf(standing, snapshot, paths);
    if (before === null && !isUnedited(handEdits)) {
      const present = this.snapshotAt(tip);
      const growing = new Set(paths.filter((path) => onlyGrows(path)));
      const taken = takeIn(this.journal, handEdits, growing, clock.now());
      this.placing.add(taken);
      if (taken.length > 0) return this.appendUpon(tip, make, present);
    }
    const written = [
      ...handEntries(handEdits, clock.now()),
      ...planned.map((entry) => onHandEdits(entry, handEdits, snapshot, this.codec)),
    ];
    const { limits } = this.settings(snapshot);
    const checked = written.map((entry) => checkedEntry(entry, snapshot, this.codec, limits));
    this.checkPending(tip, limits, planned);
    const appended = this.journal.append(checked);
    this.placing.add(checked);
    // Inside a project people work with the files; elsewhere they can follow a moment later, outside the caller's time.
    if (this.options.isProject) this.placing.place();
    else this.placing.schedule();
    return appended;
  }

  /** Brings the work tree in step with the journal now instead of in a moment; for the end of a process. */
  async settle(): Promise<void> {
    await this.placing.settle();
  }

  /**
   * Sees to it that native git encrypts the private paths of the present, and that their files lie open where the key is here. Whoever opens
   * the memory asks for it: the rule may have come by a clone or a pull of native git, the key by another memory.
   */
  async followPrivacy(): Promise<void> {
    const { privacy } = this.snapshot(true);
    if (privacy.patterns.length === 0 || !this.checkout.isCheckedOut()) return;
    if (!this.filter.covers(privacy.patterns)) await this.section.run(() => this.filter.bring(privacy.patterns));
    if (this.filter.isDue(this.codec.holdsKeyOf(privacy))) await this.showAgain();
  }

  /** Shows private files anew: open where native git encrypts with us and the key is here, else as git has them. */
  async showAgain(): Promise<void> {
    await this.section.run(() => {
      const tip = this.tip();
      if (tip === null || !this.checkout.isCheckedOut()) return;
      const snapshot = this.snapshotAt(tip, true);
      const { files: placed } = this.workTree!;
      const { index } = this.workTree!.index();
      const files: ProjectedFile[] = [];
      for (const [path, oid] of new Snapshot(this.repository, this.codec, tip).listStored()) {
        const entry = snapshot.privacy.isPrivate(path) ? index.find(path) : null;
        // What a person changed or staged stays, and so does what waits for a commit.
        if (entry === null || entry === 'unmerged' || entry.oid !== oid || snapshot.overlay?.files.has(path)) continue;
        if (this.workTree!.inspect(path)?.oid !== oid) continue;
        const bytes = this.repository.objects.readBlob(oid);
        if (!placed.isShown(path, bytes)) files.push({ path, oid, bytes, isExecutable: entry.mode === 0o100755 });
      }
      this.section.unsettled(() => this.workTree!.renew(files, { from: tip, to: noCommit }));
      const isLocked = !this.codec.holdsKeyOf(snapshot.privacy);
      this.filter.shown(isLocked || files.some(({ path, bytes }) => !placed.isShown(path, bytes!)));
    });
  }

  /** Lets go of the timer; nothing is written. */
  stop(): void {
    this.placing.stop();
  }

  /** Commits what is pending: one commit for each run of entries, in one pack, with one move of the ref. */
  async flush(
    options: { subject?: string; dryRun?: boolean; allowRemovals?: boolean; paths?: readonly string[] } = {},
  ): Promise<CommitOutcome> {
    const context = { codec: this.codec, objects: this.repository.objects };
    const plan = () => [...this.encryptions(), ...operationsOf(this.pending(), context, options.subject)];
    const outcome = await this.commitPlanned(plan, {
      covers: () => true,
      scan: true,
      onBusy: 'leave',
      ...(options.dryRun ? { dryRun: true } : {}),
      ...(options.allowRemovals ? { allowRemovals: true } : {}),
      ...(options.paths === undefined ? {} : { paths: options.paths }),
    });
    if (!options.dryRun && !outcome.isJournalled) this.noteEncrypted(outcome.tip);
    return outcome;
  }

  /** Stores encrypted what native git committed open at private paths: a file that nobody changes since is no hand edit. */
  private encryptions(): Operation[] {
    const tip = this.tip();
    const { objects } = this.repository;
    if (tip === null || this.codec.present.patterns.length === 0) return [];
    const known = this.filter.encryptedAt();
    if (known === tip) return [];
    const changes = planEncryption(objects, this.codec, tip, known !== null && objects.has(known) ? known : null);
    this.checkedTip = changes === null ? null : tip;
    if (changes === null || changes.length === 0) return [];
    const subject = 'encrypt what was committed open';
    return [{ kind: 'maintenance', name: 'encrypt', subject, trailers: [], changes, onConflict: 'later' }];
  }

  /** `tip`: what the flush has led to, and no commit that came after it. */
  private noteEncrypted(tip: string | null): void {
    if (this.checkedTip !== null && tip !== null) this.filter.noteEncrypted(tip);
    this.checkedTip = null;
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
    const { scope } = this;
    if (scope === null) return this.commitPlanned(plan, options);
    const judged = (snapshot: Snapshot) => {
      const planned = plan(scope.view(snapshot));
      for (const { changes } of planned) scope.check(snapshot, changes);
      return planned;
    };
    return this.commitPlanned(judged, options);
  }

  /** The same for what was judged before, such as the batch with what others wrote into it. */
  private async commitPlanned(
    plan: (snapshot: Snapshot) => readonly Operation[],
    options: CommitOptions = {},
  ): Promise<CommitOutcome> {
    const deadline = performance.now() + this.options.indexTimeoutMs;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const outcome = await this.writing((tip) => attemptCommit(this.parts, tip, plan, options));
      if (typeof outcome !== 'string') {
        await this.showNew();
        return outcome;
      }
      const isOver = () => performance.now() > deadline || this.unfinished !== null;
      if (outcome === 'busy' && isOver()) return this.onBusy(plan, options);
      await new Promise((resolve) =>
        setTimeout(resolve, outcome === 'busy' ? 20 + Math.random() * 30 : Math.random() * 5),
      );
    }
    throw new MemoryError('REF_MOVED', `${this.ref} moved during each of ${maxAttempts} attempts`, {
      where: this.ref,
      hint: 'Another program writes to this branch without pause; repeat the call later',
    });
  }

  /**
   * Moves the branch from a commit to another one that is there already, and brings the files in step; false when it is elsewhere, or
   * something waits for a commit. What people edited by hand at its paths is committed first, and then it is elsewhere.
   *
   * Throws LOCKED while another program holds the git index.
   */
  async advance(from: string, to: string): Promise<boolean> {
    const look = [...planAdvance(this.repository, from, to).touched.keys()];
    if (this.checkout.isCheckedOut()) await this.commit(() => [], { look, onBusy: 'fail' });
    const deadline = performance.now() + this.options.indexTimeoutMs;
    for (;;) {
      const outcome = await this.writing((tip) => attemptAdvance(this.parts, tip, from, to));
      if (outcome !== 'busy') {
        await this.showNew();
        return outcome === 'done';
      }
      if (performance.now() > deadline || this.unfinished !== null) throw this.indexBusy();
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
    }
  }

  /** Where native git has just learnt of private paths, files that no commit touched lie there encrypted. */
  private async showNew(): Promise<void> {
    if (this.filter.isDue(false)) await this.showAgain();
  }

  /** Moves any ref of the repository, such as a tag; see {@link RefStore.update}. */
  async updateRef(update: RefUpdate): Promise<boolean> {
    return this.writing(() => {
      this.section.needsRecovery = true;
      const isMoved = this.repository.refs.update(update);
      this.section.needsRecovery = this.repository.refs.hasLeftLock;
      return isMoved;
    });
  }

  /** Runs something under the lock of the repository; when it fails half way, what it left is settled by the next to come. */
  async exclusively<T>(work: () => T): Promise<T> {
    return this.writing(() => this.section.unsettled(work));
  }

  /** Removes the branch itself if it still is at a commit. Throws CONFLICT while something waits in its journal, REF_MOVED. */
  async remove(tip: string): Promise<void> {
    await this.writing(() => {
      const waiting = this.journal.pending().length;
      if (waiting > 0) {
        throw new MemoryError('CONFLICT', `${waiting} acknowledged writes wait for a commit on this branch`, {
          where: this.ref,
          hint: 'Commit them first: `git memory commit --branch <name>`',
        });
      }
      this.section.needsRecovery = true;
      const reason = 'git-memory: branch dropped';
      const isGone = this.repository.refs.update({
        ref: this.ref,
        from: tip,
        to: null,
        reason,
        identity: this.signature(tip),
      });
      this.section.needsRecovery = this.repository.refs.hasLeftLock;
      if (!isGone) throw new MemoryError('REF_MOVED', 'the branch moved on', { where: this.ref, hint: 'Look again' });
    });
  }

  /** Joins packs into larger ones, until their sizes grow by a factor of two; see `git/pack-keeper.ts`. */
  async maintainPacks(): Promise<{ merged: number }> {
    return this.section.run(() => this.repository.packKeeper.joinAll());
  }

  private async onBusy(
    plan: (snapshot: Snapshot) => readonly Operation[],
    options: CommitOptions,
  ): Promise<CommitOutcome> {
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
      const { what, where } = this.indexBusy();
      const skipped = [{ path: where!, why: `${what}; the changes wait in the journal` }];
      return { commits: [], tip, tree: null, conflicts: [], skipped, isJournalled: true };
    }
    throw this.indexBusy();
  }

  private indexBusy(): MemoryError {
    const { unfinished } = this;
    if (unfinished !== null) {
      const what = `a ${unfinished.name} of native git is not finished`;
      return new MemoryError('LOCKED', what, { where: unfinished.path, hint: resolveHint });
    }
    return new MemoryError('LOCKED', 'another program holds the git index', {
      where: `${this.repository.gitDirectory}/index.lock`,
      hint: 'Finish or close the running git command (an open commit editor?) and repeat the call',
    });
  }

  /** Throws QUOTA when too much waits already, and MASS_REMOVAL when the writes take too much away with what waits. */
  private checkPending(tip: string | null, limits: ChangeLimits, planned: readonly NewPendingEntry[]): void {
    this.pendingLimits = { writes: limits.maxPendingWrites, bytes: limits.maxPendingBytes };
    const { objects } = this.repository;
    const tree = tip === null ? null : objects.readCommit(tip).tree;
    checkPending(this.journal, planned, { tree, readTree: objects.readTree, limits });
  }

  private signature(oid: string): Signature {
    return this.repository.objects.readCommit(oid).committer;
  }
}
