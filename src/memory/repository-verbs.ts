// What concerns the repository of a memory as a whole: its hooks, its attributes, what is kept beside it.

import { downloadConfigured } from '../adapters/configured-embedder.ts';
import { filterCommands, mergeDriverCommand } from '../adapters/merge-driver-command.ts';
import { packagedHooks } from '../adapters/package.ts';
import { userSettings } from '../adapters/user-settings.ts';
import type { LfsResult, ReindexOptions, ReindexResult, TimeInput } from '../base/types.ts';
import { configureMergeDriver, type InstalledHooks, installMergeAttributes } from '../features/repository/index.ts';
import { answer } from '../store/git/file-errors.ts';
import type { WholeBranch } from './branch.ts';
import { compose, within } from './compose.ts';

/** Another process is waited for so long that makes the same ready. */
const otherIndexMs = 600_000;

/** Makes the repository of a whole memory ready for native git, for attachments and for questions. */
export function repositoryVerbs(branch: WholeBranch) {
  const { store, shared, placement, repository } = branch;
  return compose(
    within(branch.acting, {
      git: {
        /**
         * Puts git hooks into this repository and tells native git to merge memories with git-memory; what a person has set stays.
         *
         * `pre-commit` judges what is staged; `post-commit` and `post-merge` make ready in the background what git brought. Throws
         * ALREADY_EXISTS when somebody else has a pre-commit hook, UNSUPPORTED_REPOSITORY when git takes hooks from elsewhere, LOCKED.
         */
        async installHooks(): Promise<InstalledHooks> {
          const { installHooks } = await import('../features/repository/index.ts');
          // On a branch of its own, and where there is no work tree, native git commits nothing of the memory.
          const isCommittedByHand = placement === 'repository' || placement === 'project';
          const hooks = packagedHooks().filter(({ isBackground }) => isCommittedByHand || !isBackground);
          const { installed, ...rest } = installHooks(repository, hooks, userSettings('core.hookspath').at(-1));
          const configured = configureMergeDriver(repository, mergeDriverCommand(), placement);
          const snapshot = store.snapshot();
          const attributes = installMergeAttributes(repository, snapshot, placement === 'project');
          const { patterns } = snapshot.privacy;
          const { install } = await import('../features/repository/index.ts');
          const filter = patterns.length === 0 ? [] : install({ store: store, commands: filterCommands() }, patterns);
          if (filter.length > 0) await store.showAgain();
          return {
            installed: [...installed, configured, attributes, ...filter].filter((path) => path !== null),
            ...rest,
          };
        },

        /**
         * Writes the lines of `.gitattributes` that hand attachments to git-lfs, and `attachments.lfs` of memory.yaml, in one commit. The engine
         * stores bytes nevertheless, and no pointers. Throws INVALID_ARGUMENT inside a project, LOCKED.
         */
        trackWithLfs: async (): Promise<LfsResult> =>
          (await import('../features/repository/index.ts')).trackWithLfs(store, placement, shared.configurationOf),
      },
    }),
    within(answer, {
      maintenance: {
        /**
         * Gives every text its vector, or those of files that changed since a state, so that no question has to wait.
         *
         * Throws EMBEDDER_UNAVAILABLE, EMBEDDING_FAILED, INVALID_ARGUMENT when there is no model to download; what was done until then stays.
         */
        async reindex(options: ReindexOptions = {}): Promise<ReindexResult> {
          const { reindex } = await import('../core/recall/reindex.ts');
          const configuration = branch.configuration();
          const context = {
            snapshot: branch.current(),
            searcher: branch.searcher(),
            configuration,
            semantics: () => branch.semantics(),
            table: () => branch.table(),
            catalog: shared.catalog,
            history: shared.history,
            isInParts: shared.patience.background?.isOne === true,
            at: (state: TimeInput) => {
              const commit = branch.stateOf(state);
              return commit === null ? null : store.at(commit);
            },
            download: (reporting: Parameters<typeof downloadConfigured>[1]) =>
              downloadConfigured(configuration.embedder, reporting),
          };
          const { isLeft, ...done } = await branch.indexing.through(otherIndexMs, () => reindex(context, options));
          if (isLeft) shared.patience.background?.begin();
          return done;
        },
      },
    }),
  );
}
