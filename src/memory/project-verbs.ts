// The log of a project: its changelog, its tasks, and the files that follow from them.

import type * as types from '../base/types.ts';
import { appendChange } from '../core/write/append-event.ts';
import type { Batch } from '../core/write/batch.ts';
import type { RecordingDependencies } from '../features/project/index.ts';
import type { Branch } from './branch.ts';
import { within } from './compose.ts';

/** Keeps the log of a project. */
export function projectVerbs(
  branch: Pick<Branch, 'acting' | 'clock' | 'configuration' | 'isImmediate' | 'shared' | 'store'>,
  batch: Batch,
) {
  const { store, clock, shared } = branch;
  const recording = (): RecordingDependencies => ({
    store,
    clock,
    isImmediate: branch.isImmediate,
    changelogs: shared.changelogs,
    configuration: branch.configuration(),
  });
  return within(branch.acting, {
    project: {
      /**
       * Records in the changelog of a project what was done, decided or met: text that never changes, and one commit at once.
       *
       * The id is the next one, whoever else writes. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for refs that no event has, SECRET.
       */
      change: async (input: types.ChangeInput): Promise<types.ChangeResult> => appendChange(recording(), input),

      /**
       * Puts the files of a project's log where they are not. `2` is AGENTS.md and CHANGELOG.md, `3` also .memory/context.md, and `5` also
       * TODO.md and .memory/graph.md. AGENTS.md is never written. They wait for the next commit. Throws INVALID_ARGUMENT.
       */
      deploy: async (files: types.ProjectTier): Promise<types.DeployResult> =>
        (await import('../features/project/index.ts')).deployFiles(store, batch, files),

      /** Adds, moves or completes a task of TODO.md. Throws INVALID_ARGUMENT, NOT_FOUND, AMBIGUOUS, ALREADY_EXISTS, QUOTA, SECRET. */
      task: async (change: types.TodoChange): Promise<types.TodoChangeResult> =>
        (await import('../features/project/index.ts')).changeTodo(recording(), batch, change),

      /**
       * Ends the work of an agent on a project. Appends events, makes graph and context anew, also where they were missing, and commits all
       * of it at once, inside a project too. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for refs, SECRET, LOCKED.
       */
      shutdown: async (events: readonly types.ChangeInput[] = []): Promise<types.ShutdownResult> =>
        (await import('../features/project/index.ts')).shutDown(recording(), events),
    },
  });
}
