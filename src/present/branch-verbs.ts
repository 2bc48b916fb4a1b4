// Branches beside this one, here and on remotes: opened, compared, merged, synced, ended.

import { machineNetwork } from '../adapters/network.ts';
import { MemoryError } from '../errors.ts';
import type { Location } from '../open.ts';
import { AutoPush } from '../operations/auto-push.ts';
import type { BranchScope } from '../operations/branches.ts';
import type { BranchAccess } from '../operations/merge-branches.ts';
import type { ScopeInput } from '../store/scope.ts';
import type {
  BranchComparison,
  BranchEntry,
  DropResult,
  ExpireResult,
  MergeOptions,
  MergeResult,
  ResolveResult,
  SyncOptions,
  SyncResult,
} from '../types.ts';
import type { MemoryDependencies } from './dependencies.ts';
import { HistoryVerbs } from './history-verbs.ts';
import type { Memory } from './memory.ts';

/** A branch that knows the other branches of its repository. */
export abstract class BranchVerbs extends HistoryVerbs {
  private readonly reopen: MemoryDependencies['reopen'];
  private readonly autoPush = new AutoPush({
    store: this.store,
    isWanted: () => !this.dependencies.readOnly && this.configuration().autoPush,
    sync: (signal) => this.sync({ signal }),
    warn: (line) => this.dependencies.logger.warn(line),
  });

  constructor(location: Location, dependencies: MemoryDependencies) {
    super(location, dependencies);
    this.reopen = dependencies.reopen;
  }

  /**
   * Opens another branch of this memory; with `create` begins it first, at `from` or the present (what waits is committed before that).
   *
   * A branch costs one ref and no files. The caller closes what it opens. Throws NOT_A_MEMORY, ALREADY_EXISTS, NOT_FOUND, INVALID_REF.
   */
  branch(name: string, options: { create?: boolean; from?: string } = {}): Promise<Memory> {
    if (!options.create)
      return this.asking(async () => {
        const { branchOf } = await import('../operations/branches.ts');
        return this.reopen(branchOf(this.branchScope(), name).replace('refs/heads/', ''));
      });
    return this.acting(async () => {
      const { createBranch } = await import('../operations/branches.ts');
      const from = options.from === undefined ? undefined : this.resolve(options.from);
      const ref = await createBranch(this.branchScope(), this.store, name, from);
      return this.reopen(ref.replace('refs/heads/', ''));
    });
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
    return this.asking(async () => (await import('../operations/branches.ts')).listBranches(this.branchScope()));
  }

  /** Compares a branch, tag or commit with the present: what each has alone, and what a merge would have to decide. */
  compare(theirs: string): Promise<BranchComparison> {
    return this.asking(async () => {
      const { compareBranches } = await import('../operations/branches.ts');
      return compareBranches(this.store, this.resolve('HEAD'), this.resolve(theirs));
    });
  }

  /**
   * Merges a branch, tag or commit into this branch, or into `into`; counters add up, lists merge item by item.
   *
   * What contradicts is settled and named: the later change stands, the other one in the record or in history. The commit has both
   * as parents, and can be undone. What an earlier merge of it brought and an undo took away comes back, with what is new (`undone`). Throws NOT_FOUND, INVALID_ARGUMENT for histories without a common beginning, LOCKED.
   */
  merge(theirs: string, options: MergeOptions = {}): Promise<MergeResult> {
    const merging = () => import('../operations/merge-branches.ts');
    return options.dryRun
      ? this.asking(async () => (await merging()).previewMergeInto(this.branchAccess(), theirs, options.into))
      : this.acting(async () => (await merging()).mergeInto(this.branchAccess(), theirs, options));
  }

  /**
   * Brings this branch and its milestones in step with a remote: what is there comes, what is here goes, conflicts are settled and named as
   * {@link merge} does. A remote that cannot be reached is an answer (`state`). Throws REMOTE_REFUSED for one that is not followed,
   * NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, TOO_LARGE, REF_MOVED, LOCKED.
   */
  sync(options: SyncOptions = {}): Promise<SyncResult> {
    return this.acting(async () => {
      const { syncBranch } = await import('../operations/sync.ts');
      const { network = machineNetwork() } = this.dependencies;
      const { ids, processes } = this.dependencies;
      const scope = {
        store: this.store,
        placement: this.placement,
        network,
        machine: this.machine,
        processes,
        now: () => this.now(),
        nextId: () => ids.next(),
      };
      return syncBranch(scope, options);
    });
  }

  /**
   * Finishes a merge, cherry-pick, rebase, revert or stash that native git has stopped at: settles what is unmerged as {@link merge} does, in
   * index and work tree, and leaves the commit to git. Throws NOT_FOUND, INVALID_ARGUMENT, LOCKED.
   */
  resolveMerge(options: { dryRun?: boolean } = {}): Promise<ResolveResult> {
    const isProject = this.placement === 'project';
    const run = async () =>
      (await import('../operations/resolve.ts')).resolveMerge(this.store, isProject, options.dryRun === true);
    return this.actingUnlessDry(options, run);
  }

  /**
   * Ends a branch. With something on it that no other branch or tag has, only with `force`.
   *
   * Throws CONFLICT for such a branch and for one with writes that wait, INVALID_ARGUMENT for the one you are on, NOT_FOUND.
   */
  dropBranch(name: string, options: { force?: boolean } = {}): Promise<DropResult> {
    return this.acting(async () =>
      (await import('../operations/merge-branches.ts')).dropNamed(this.branchAccess(), name, options.force ?? false),
    );
  }

  /** Ends the experiments (`explore/…`) that expired, `explore_days` after their last operation; what is on one alone keeps it. */
  expireBranches(): Promise<ExpireResult> {
    return this.acting(() => this.expiring(false));
  }

  protected async expiring(dryRun: boolean): Promise<ExpireResult> {
    const { dropNamed } = await import('../operations/merge-branches.ts');
    const { expireBranches } = await import('../operations/branches.ts');
    return expireBranches(this.branchScope(), (name) => dropNamed(this.branchAccess(), name, false), dryRun);
  }

  protected branchAccess(): BranchAccess {
    return {
      scope: this.branchScope(),
      store: this.store,
      resolve: this.resolve,
      timeZone: this.configuration().timezone,
      open: (name) => this.branch(name),
    };
  }

  protected branchScope(): BranchScope {
    return {
      repository: this.repository,
      ref: this.store.ref,
      placement: this.placement,
      now: this.now(),
      exploreDays: this.configuration().exploreDays,
    };
  }

  /** With `auto_push`, syncs behind it: whoever commits does not wait. */
  override async commit(...given: Parameters<HistoryVerbs['commit']>): ReturnType<HistoryVerbs['commit']> {
    const result = await super.commit(...given);
    if (result.commits.length > 0) void this.autoPush.begin();
    return result;
  }

  override async close(): Promise<void> {
    if (!this.isClosed) await this.autoPush.finish();
    return super.close();
  }
}
