// One branch of a repository as a store: snapshots, appends to the journal, and the one function that commits.

import { MemoryError } from '../errors.ts';
import type { Signature } from '../git/commit-object.ts';
import { hasGcLock } from '../git/gc-lock.ts';
import type { ProcessLock } from '../git/process-lock.ts';
import type { RefUpdate } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { otherWorkTrees } from '../git/work-trees.ts';
import { withoutSecrets } from '../guard/secret-filter.ts';
import type { Clock, Logger } from '../ports.ts';
import { logFormatOf } from '../records/log-readers.ts';
import { planAdvance } from './advance.ts';
import { handEntries, onHandEdits, withHandEdits } from './beside-hand-edits.ts';
import { type Build, buildCommits } from './build.ts';
import { type ChangeLimits, checkChange } from './change-rules.ts';
import { Checkout } from './checkout.ts';
import { type Codec, isSamePrivacy, withQuietSubject } from './codec.ts';
import { type Consequence, type ConsequenceSource, noConsequence, withConsequences } from './consequence.ts';
import { CriticalSection } from './critical-section.ts';
import { type Derivation, derivedFrom } from './derive.ts';
import { withDerived } from './derive-pending.ts';
import { contentOf, hasFilter } from './file-content.ts';
import { Journal } from './journal.ts';
import type { NewPendingEntry, PendingEntry } from './journal-records.ts';
import { lostEntries } from './lost-entries.ts';
import { checkPlace } from './name-clash.ts';
import type { CommitOutcome, Operation } from './operation.ts';
import { checkPending } from './pending-quota.ts';
import { writePrivateAttributes } from './private-attributes.ts';
import { noCommit, WorkTree } from './projection.ts';
import { publish } from './publish.ts';
import { isPurging, removeTextCaches } from './purge-record.ts';
import { hasReturned } from './purged-objects.ts';
import { isMade, journalPath } from './recovery.ts';
import { operationsOf } from './runs.ts';
import type { StoreScope } from './scope.ts';
import { Snapshot } from './snapshot.ts';

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
  /** Look for hand edits of these paths too. */
  readonly look?: readonly string[];
}

const maxAttempts = 100;
/** How long the work tree may lag behind the journal. */
const placingDelayMs = 20;

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
  /** Pending paths that the work tree does not show yet. */
  private readonly unplaced = new Set<string>();
  private placing: NodeJS.Timeout | null = null;
  /** The state of {@link PurgeMark} that was last read by, and the one that the calls under way began with. */
  private readMark: string;
  private acceptedMark: string;
  private callCount = 0;
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
    };
    const { repository, ref } = this;
    this.readMark = repository.mark.opened;
    this.acceptedMark = this.readMark;
    this.journal = new Journal(repository.disk, journalPath(repository, ref));
    const { codec } = this;
    this.checkout = new Checkout({ repository, ref, journal: this.journal, isProject: this.options.isProject, codec });
    this.section = new CriticalSection({
      ...dependencies,
      journal: this.journal,
      timeoutMs: this.options.lockTimeoutMs,
    });
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
    this.noticePurge();
    for (let attempt = 0; ; attempt++) {
      this.journal.refresh();
      this.journal.checkWhole();
      const tip = this.tip();
      // A flush between the two reads would show a pending write twice or not at all.
      if (!this.journal.refresh() || attempt >= 10) return this.snapshotAt(tip, isLive);
    }
  }

  /** Tells one state of the history from another: each purge, by whomever, makes a new one. */
  get purgeVersion(): string {
    return this.repository.mark.version();
  }

  /** Forgets objects read before a purge: what is gone must not be answered from memory. */
  private noticePurge(): void {
    const version = this.repository.mark.version();
    if (version === this.readMark) return;
    this.repository.objects.forget();
    this.readMark = version;
  }

  /** Runs a call that may write. What it planned before a purge it may not write after it: what was purged would come back. */
  async during<T>(call: () => T | Promise<T>): Promise<T> {
    if (this.callCount === 0) this.acceptedMark = this.repository.mark.version();
    this.callCount += 1;
    try {
      return await call();
    } finally {
      this.callCount -= 1;
    }
  }

  /** Runs a section under the lock that writes. Throws PURGED when the history was rewritten since the call began. */
  private writing<T>(work: () => T): Promise<T> {
    return this.section.run(() => {
      this.noticePurge();
      if (this.readMark === this.acceptedMark) return work();
      throw new MemoryError('PURGED', 'the memory was purged while this was under way; nothing of it was written', {
        where: this.ref,
        hint: 'Repeat the call; start sessions that are open again by their ids',
      });
    });
  }

  /** Rewrites history under the lock; what this process knew of the old one is forgotten, and sessions that are open have to begin again. */
  async rewriting<T>(work: (journal: Journal) => T): Promise<T> {
    return this.writing(() => {
      this.section.needsRecovery = true;
      const result = work(this.journal);
      this.section.needsRecovery = false;
      this.journal.refresh();
      this.unplaced.clear();
      this.noticePurge();
      // Other calls of this process that are under way began before it.
      if (this.callCount <= 1) this.acceptedMark = this.readMark;
      return result;
    });
  }

  /** The state at a commit of any branch. */
  at(commit: string): Snapshot {
    return this.seen(new Snapshot(this.repository, this.dependencies.codec, commit));
  }

  /** `live`: for use within one critical section only. */
  private snapshotAt(tip: string | null, live = false): Snapshot {
    const overlay = this.journal.overlay(tip, live, (mark) => isMade(this.repository, tip, mark));
    const snapshot = new Snapshot(this.repository, this.dependencies.codec, tip, overlay);
    this.codec.follow(snapshot);
    return snapshot;
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
    return this.checkout.workTree;
  }

  /** Lists what people changed in the work tree since; it is committed with the next flush, or says why not. */
  handEdits(): { path: string; why?: string }[] {
    const { staged, changes, skipped } = this.checkout.look(this.wholeSnapshot(), 'all');
    const paths = new Set([...staged, ...changes].map(({ path }) => path));
    return [...[...paths].map((path) => ({ path })), ...skipped];
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
    this.noticePurge();
    this.acceptedMark = this.readMark;
  }

  /**
   * Puts writes into the journal, durable when it returns, and shows them in the work tree.
   *
   * `make` gets the present, under the lock. A hand edit of a touched file goes in first and the write is merged with it.
   */
  async append(make: (snapshot: Snapshot) => readonly NewPendingEntry[]): Promise<readonly PendingEntry[]> {
    return this.writing(() => {
      const snapshot = this.snapshotAt(this.tip(), true);
      const made = make(this.seen(snapshot));
      for (const { changes } of made) this.scope?.check(snapshot, changes);
      const entries = made.map((entry) => this.encoded(entry));
      const consequence = this.consequenceUpon(snapshot, this.dependencies.clock.now());
      const followed = withConsequences(entries, snapshot, consequence, this.codec);
      const planned = withDerived(followed, snapshot, this.derivations, this.codec);
      const paths = planned.flatMap((entry) => entry.changes.map((change) => change.path));
      const handEdits = this.checkout.handEditsOf(snapshot, paths);
      const written = [
        ...handEntries(handEdits, this.dependencies.clock.now()),
        ...planned.map((entry) => onHandEdits(entry, handEdits, snapshot, this.codec)),
      ];
      const checked = written.map((entry) => this.checkedEntry(snapshot, entry));
      this.checkPending(snapshot, planned);
      const appended = this.journal.append(checked);
      for (const entry of checked) for (const { path } of entry.changes) this.unplaced.add(path);
      // Inside a project people work with the files; elsewhere they can follow a moment later, outside the caller's time.
      if (this.options.isProject) this.placePending();
      else this.schedulePlacing();
      return appended;
    });
  }

  /** Brings the work tree in step with the journal now instead of in a moment; for the end of a process. */
  async settle(): Promise<void> {
    this.stop();
    if (this.unplaced.size > 0) await this.section.run(() => this.placePending());
  }

  /** Shows private files anew: open where native git encrypts with us and the key is here, else as git has them. */
  async showAgain(): Promise<void> {
    await this.section.run(() => {
      const tip = this.tip();
      if (tip === null || !this.checkout.isCheckedOut()) return;
      const snapshot = this.snapshotAt(tip, true);
      const listing = this.at(tip).listStored();
      const files = [...listing]
        .filter(([path]) => snapshot.privacy.isPrivate(path))
        // What a person changed stays, and so does what waits for a commit.
        .filter(([path, oid]) => !snapshot.overlay?.files.has(path) && this.workTree!.inspect(path)?.oid === oid)
        .map(([path, oid]) => ({ path, oid, bytes: this.repository.objects.readBlob(oid), isExecutable: false }));
      this.section.needsRecovery = true;
      this.workTree!.renew(files, { from: tip, to: noCommit });
      this.section.needsRecovery = false;
    });
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
    if (this.checkout.isCheckedOut()) this.checkout.show(this.snapshotAt(this.tip(), true), paths);
  }

  /** Commits what is pending: one commit for each run of entries, in one pack, with one move of the ref. */
  async flush(options: { subject?: string; dryRun?: boolean; allowRemovals?: boolean } = {}): Promise<CommitOutcome> {
    return this.commitPlanned(() => operationsOf(this.journal.pending(), options.subject), {
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
      const outcome = await this.writing(() => this.attempt(plan, options));
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
      const outcome = await this.writing(() => this.attemptAdvance(from, to));
      if (outcome !== 'busy') return outcome === 'done';
      if (performance.now() > deadline) throw indexBusy(`${this.repository.gitDirectory}/index.lock`);
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
    }
  }

  private attemptAdvance(from: string, to: string): 'done' | 'busy' | 'retry' {
    if (this.tip() !== from || this.journal.pending().length > 0) return 'retry';
    const isCheckedOut = this.checkout.isCheckedOut();
    if (isCheckedOut) this.renewLostEntries(from);
    const build = planAdvance(this.repository, from, to);
    if (isCheckedOut && hasFilter(this.repository)) {
      writePrivateAttributes(this.repository, this.at(to).privacy.patterns);
    }
    const edits = this.checkout.handEditsOf(this.snapshotAt(from, true), [...build.touched.keys()]);
    if (edits.changes.length > 0 || edits.staged.length > 0) return 'retry';
    const { repository, ref, journal, section } = this;
    return publish(
      { repository, ref, journal, section },
      {
        build,
        from,
        covers: [],
        workTree: isCheckedOut ? this.workTree : null,
        // A rule keeps them out of history; they stay as a person left them.
        blocked: new Set(edits.skipped.map(({ path }) => path)),
      },
    );
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
    return this.writing(() => {
      this.section.needsRecovery = true;
      const result = work();
      this.section.needsRecovery = false;
      return result;
    });
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

  private attempt(
    plan: (snapshot: Snapshot) => readonly Operation[],
    options: CommitOptions,
  ): CommitOutcome | 'busy' | 'retry' {
    const tip = this.tip();
    const snapshot = this.snapshotAt(tip, true);
    const planned = plan(snapshot);
    const covered = this.journal.pending().filter((entry) => options.covers?.(entry) ?? false);
    const isCheckedOut = this.checkout.isCheckedOut();
    if (isCheckedOut && tip !== null && options.dryRun !== true) this.renewLostEntries(tip);
    const isScan = options.scan === true && this.checkout.isScanDue(covered.length === 0);
    const touched = planned.flatMap((operation) => operation.changes.map((change) => change.path));
    const now = this.dependencies.clock.now();
    const consequence = this.consequenceUpon(snapshot, now);
    const { mayWrite } = consequence;
    const looked = [...touched, ...(options.look ?? [])];
    const sources = [...looked, ...mayWrite(looked)];
    const written = [...sources, ...derivedFrom(this.derivations, sources)];
    const handEdits = this.checkout.handEditsOf(snapshot, isScan ? 'all' : written, written);
    const pending = this.journal.pending();
    const operations = withHandEdits(planned, handEdits, pending, options.allowRemovals === true, mayWrite);
    const build = this.build(snapshot, tip, operations, { now, consequence });
    const skipped = [...handEdits.skipped, ...build.skipped.map(({ path, why }) => ({ path, why }))];
    const result = { tip: build.tip, tree: build.tree, conflicts: build.conflicts, skipped, isJournalled: false };
    if (build.refused.length > 0) return { ...result, commits: [], tip, conflicts: build.refused };
    if (options.dryRun) return { ...result, commits: build.commits };
    const kept = new Set(build.skipped.filter(({ operation }) => !operation.isHandEdit).map(({ path }) => path));
    const covers = covered.filter((entry) => !entry.changes.some((change) => kept.has(change.path)));
    if (isCheckedOut) this.checkout.clearReplaced(snapshot.withoutOverlay(), covers, build.touched);
    if (build.commits.length === 0) {
      if (covers.length > 0 && tip !== null) this.dropPending(tip, covers);
      return { ...result, commits: [] };
    }
    if (isCheckedOut && build.privacy.patterns.length > 0 && hasFilter(this.repository)) {
      // Before a file may lie open: native git has to know first that it is one to encrypt.
      writePrivateAttributes(this.repository, build.privacy.patterns);
    }
    const { repository, ref, journal, section } = this;
    const published = publish(
      { repository, ref, journal, section },
      {
        build,
        from: tip,
        covers,
        workTree: isCheckedOut ? this.workTree : null,
        blocked: new Set(skipped.map(({ path }) => path)),
      },
    );
    if (published !== 'done') return published;
    if (!isSamePrivacy(build.privacy, snapshot.privacy)) {
      // What is private from now on was not always: its words lie in caches, and behind what the journal still has.
      removeTextCaches(repository);
      if (journal.bytes > 0 && journal.openMark === null) journal.compact();
    }
    return { ...result, commits: build.commits };
  }

  /** Before hand edits are looked for: an old entry would pass for what somebody staged. */
  private renewLostEntries(tip: string): void {
    const lost = lostEntries(this.workTree!, tip);
    if (lost.length === 0) return;
    this.section.needsRecovery = true;
    this.workTree!.renew(lost, { from: tip, to: noCommit });
    this.section.needsRecovery = false;
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
    throw indexBusy(where);
  }

  private consequenceUpon(snapshot: Snapshot, now: number): Consequence {
    return this.dependencies.consequences?.(snapshot, now) ?? noConsequence;
  }

  private build(
    snapshot: Snapshot,
    tip: string | null,
    operations: readonly Operation[],
    at: { readonly now: number; readonly consequence: Consequence },
  ): Build {
    const { repository, derivations, codec } = this;
    return buildCommits({ repository, codec, derivations, ...at, ...this.settings(snapshot) }, tip, operations);
  }

  /** Gives a write as it is stored: what waits in the journal is no more open than what is committed. */
  private encoded(entry: NewPendingEntry): NewPendingEntry {
    if (this.codec.present.patterns.length === 0) return entry;
    const changes = entry.changes.map((change) => ({
      ...change,
      after: change.after && this.codec.encode(change.path, change.after),
    }));
    return withQuietSubject({ ...entry, changes }, this.codec.present);
  }

  /** Checks a write by the change rules, and gives it with a subject and trailers that tell no secret. */
  private checkedEntry(snapshot: Snapshot, entry: NewPendingEntry): NewPendingEntry {
    const { codec } = this.dependencies;
    const { limits } = this.settings(snapshot);
    for (const { path, after } of entry.changes) {
      const before = snapshot.isReadable(path) ? snapshot.read(path) : null;
      const mayRemoveCaptures = entry.mayRemoveLines === true && logFormatOf(path) !== null;
      checkChange(
        { path, before, after: after && codec.decode(path, after) },
        { limits, mayRemoveCaptures, mayBeLong: entry.mayBeLong === true },
      );
      if (before === null && after !== null) checkPlace(path, snapshot.inTheWayOf(path));
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
    const tip = this.tip();
    const { objects } = this.repository;
    const tree = tip === null ? null : objects.readCommit(tip).tree;
    checkPending(this.journal, planned, { tree, readTree: objects.readTree, limits });
  }

  private signature(oid: string): Signature {
    return this.repository.objects.readCommit(oid).committer;
  }
}

function indexBusy(where: string): MemoryError {
  return new MemoryError('LOCKED', 'another program holds the git index', {
    where,
    hint: 'Finish or close the running git command (an open commit editor?) and repeat the call',
  });
}
