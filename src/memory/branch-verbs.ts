// Branches beside this one, here and on remotes: opened, compared, merged, synced, ended.

import { machineNetwork } from '../adapters/network.ts';
import type * as types from '../base/types.ts';
import { refuseInScope } from '../core/recall/scoped-questions.ts';
import type { BranchAccess, BranchScope, OpenBranch } from '../history/index.ts';
import { answer } from '../store/git/file-errors.ts';
import type { Branch, WholeBranch } from './branch.ts';
import { compose, within } from './compose.ts';

/** The branches beside an open one, and how one is opened. */
export interface OtherBranches<Memory> {
  scope(): BranchScope;
  access(): BranchAccess;
  /** Opens another branch; with `create` begins it first. */
  open(name: string, options?: { create?: boolean; from?: string }): Promise<Memory>;
  /** Ends the experiments that expired, or with a dry run names them. */
  expiring(dryRun: boolean): Promise<types.ExpireResult>;
}

/** Finds the branches beside an open one; `reopen` opens one as this one was opened. */
export function otherBranches<Memory extends OpenBranch>(
  branch: Branch,
  reopen: (name: string) => Promise<Memory>,
): OtherBranches<Memory> {
  const { store, repository, placement } = branch;
  const scope = (): BranchScope => ({
    repository,
    ref: store.ref,
    placement,
    now: branch.now(),
    exploreDays: branch.configuration().exploreDays,
  });
  const open: OtherBranches<Memory>['open'] = (name, options = {}) => {
    const opening = async (): Promise<Memory> => {
      refuseInScope(branch.shared, 'another branch');
      const { branchOf, createBranch } = await import('../history/index.ts');
      if (!options.create) return reopen(branchOf(scope(), name).replace('refs/heads/', ''));
      const from = options.from === undefined ? undefined : branch.resolve(options.from);
      return reopen((await createBranch(scope(), store, name, from)).replace('refs/heads/', ''));
    };
    return options.create ? branch.acting(opening) : branch.asking(opening);
  };
  const access = (): BranchAccess => ({
    scope: scope(),
    store,
    resolve: branch.resolve,
    timeZone: branch.configuration().timezone,
    open,
  });
  const expiring = async (dryRun: boolean): Promise<types.ExpireResult> => {
    const { dropNamed, expireBranches } = await import('../history/index.ts');
    return expireBranches(scope(), (name) => dropNamed(access(), name, false), dryRun);
  };
  return { scope, access, open, expiring };
}

/** Opens, compares, merges, syncs and ends branches of a whole memory. */
export function branchVerbs<Memory>(branch: WholeBranch, others: OtherBranches<Memory>) {
  const { store, placement } = branch;
  return compose(
    within(answer, {
      branches: {
        /**
         * Opens another branch of this memory; with `create` begins it first, at `from` or the present (what waits is committed before that).
         *
         * A branch costs one ref and no files. The caller closes what it opens. Throws NOT_A_MEMORY, ALREADY_EXISTS, NOT_FOUND, INVALID_REF, SECRET.
         */
        open: (name: string, options: { create?: boolean; from?: string } = {}): Promise<Memory> =>
          others.open(name, options),
      },
    }),
    within(branch.unlessDry(1), {
      /**
       * Merges a branch, tag or commit into this branch, or into `into`; counters add up, lists merge item by item.
       *
       * What contradicts is settled and named: the later change stands, the other one in the record or in history. The commit has both
       * as parents, and can be undone. What an earlier merge of it brought and an undo took away comes back, with what is new (`undone`).
       *
       * Others may have written the branch. Throws SECRET where one of its commits holds one. Throws UNACCEPTED where it changes what has to
       * be accepted, and MASS_REMOVAL. With `dryRun` the answer says so (`refused`). Also throws NOT_FOUND, INVALID_ARGUMENT for histories
       * without a common beginning, LOCKED.
       */
      async merge(theirs: string, options: types.MergeOptions = {}): Promise<types.MergeResult> {
        const { mergeInto, previewMergeInto } = await import('../history/index.ts');
        if (options.dryRun) return previewMergeInto(others.access(), theirs, options);
        return mergeInto(others.access(), theirs, options);
      },
    }),
    within(branch.unlessDry(0), {
      git: {
        /**
         * Finishes a merge, cherry-pick, rebase, revert or stash that native git has stopped at. Settles what is unmerged as {@link merge}
         * does, in index and work tree, and leaves the commit to git. Throws NOT_FOUND, INVALID_ARGUMENT, LOCKED.
         */
        resolveMerge: async (options: { dryRun?: boolean } = {}): Promise<types.ResolveResult> =>
          (await import('../history/index.ts')).resolveMerge(store, placement === 'project', options.dryRun === true),
      },

      /**
       * Brings this branch and its milestones in step with a remote. What is there comes, what is here goes, and conflicts are settled and
       * named as {@link merge} does. A remote that cannot be reached is an answer (`state`). Throws REMOTE_REFUSED for one that is not
       * followed, NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, TOO_LARGE, REF_MOVED, LOCKED.
       */
      async sync(options: types.SyncOptions = {}): Promise<types.SyncResult> {
        const { syncBranch } = await import('../features/sync/index.ts');
        const { network = machineNetwork() } = branch.dependencies;
        const { ids, processes } = branch.dependencies;
        const scope = {
          store,
          placement,
          network,
          machine: branch.machine,
          processes,
          now: () => branch.now(),
          nextId: () => ids.next(),
        };
        return syncBranch(scope, options);
      },
    }),
    within(branch.acting, {
      git: {
        /**
         * Brings in step what native git left behind where it merged, committed or rebased. That is files that follow from logs, and what
         * cites events by former ids. Hooks ask for it; `rewritten` says what a rebase has made. Gives the commit that does, null where nothing is
         * behind. Throws INVALID_ARGUMENT.
         */
        follow: async (
          rewritten: readonly { readonly from: string; readonly to: string }[] = [],
        ): Promise<string | null> => (await import('../history/index.ts')).followNative(store, rewritten),
      },

      branches: {
        /**
         * Ends a branch. With something on it that no other branch or tag has, only with `force`.
         *
         * Throws CONFLICT for such a branch and for one with writes that wait, INVALID_ARGUMENT for the one you are on, NOT_FOUND.
         */
        drop: async (name: string, options: { force?: boolean } = {}): Promise<types.DropResult> =>
          (await import('../history/index.ts')).dropNamed(others.access(), name, options.force ?? false),

        /** Ends the experiments (`explore/…`) that expired, `explore_days` after their last operation; what is on one alone keeps it. */
        expire: async (): Promise<types.ExpireResult> => others.expiring(false),
      },
    }),
    within(branch.asking, {
      branches: {
        /** Lists the branches that hold a memory, and how far each is ahead of and behind this one. */
        list: async (): Promise<types.BranchEntry[]> =>
          (await import('../history/index.ts')).listBranches(others.scope()),

        /** Compares a branch, tag or commit with the present: what each has alone, and what a merge would have to decide. */
        compare: async (theirs: string): Promise<types.BranchComparison> =>
          (await import('../history/index.ts')).compareBranches(store, branch.resolve('HEAD'), branch.resolve(theirs)),
      },
    }),
  );
}
