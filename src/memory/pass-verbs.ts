// What happens to records over time: merged, shortened, split, promoted, brought in, kept in order, and when.

import { installedPaths } from '../adapters/installation.ts';
import { MemoryError } from '../base/errors.ts';
import type * as types from '../base/types.ts';
import type { ScheduleLines, Scheduler } from '../core/maintain/schedule-lines.ts';
import type { SourceText } from '../features/import/index.ts';
import type { Branch, WholeBranch } from './branch.ts';
import { compose, within } from './compose.ts';
import type { Passes } from './passes.ts';

/** Makes short forms of memories, splits and promotes them: what a part of a memory can do with those it sees. */
export function recordVerbs(
  branch: Pick<Branch, 'asking' | 'configuration' | 'filter' | 'shared' | 'store' | 'unlessDry'>,
  passes: Passes,
) {
  const { store, shared } = branch;
  return compose(
    within(branch.unlessDry(0), {
      records: {
        /**
         * Gives short forms to the memories that have none, or makes those of `ids`, or `all`, anew, in one commit; says what they save.
         *
         * Throws NOT_FOUND, AMBIGUOUS, LOCKED.
         */
        gist: async (options: types.GistOptions = {}): Promise<types.GistResult> =>
          (await import('../core/maintain/record-passes.ts')).makeGists(passes.ports(), options),
      },

      knowledge: {
        /**
         * Makes a knowledge file of each memory that was used and is strong, or of those of `ids`, each in one commit. Memory and file name
         * each other, and the memory stays. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
         */
        promote: async (options: types.PromoteOptions = {}): Promise<types.PromoteResult> =>
          (await import('../core/maintain/record-passes.ts')).promoteMemories(passes.ports(), options),
      },
    }),
    within(branch.unlessDry(2), {
      records: {
        /**
         * Splits a memory in one commit into `parts`, or else into one for each idea of it. Each part is a memory as well known as the whole.
         *
         * The whole leaves; the parts name it. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, SECRET, LOCKED.
         */
        async split(
          id: string,
          parts?: readonly (string | types.SplitPartInput)[],
          options: types.SplitOptions = {},
        ): Promise<types.SplitResult> {
          const { splitMemory } = await import('../core/maintain/record-passes.ts');
          const { id: whole } = shared.catalog.find(store.snapshot(), id).record;
          return splitMemory(passes.ports(), whole, parts, branch.filter(), options);
        },
      },
    }),
    within(branch.asking, {
      records: {
        /** Lists memories that could be several: long, with many tags or entities, or used in many domains, and of two ideas or more. */
        splitCandidates: async (): Promise<types.SplitCandidates> =>
          (await import('../core/maintain/record-passes.ts')).findSplitCandidates(shared.catalog, store.snapshot()),
      },
    }),
  );
}

/** Keeps the records of a whole memory in order. */
export function passVerbs(branch: WholeBranch, passes: Passes) {
  const { store, shared } = branch;
  return compose(
    within(branch.unlessDry(0), {
      records: {
        /**
         * Merges clusters of memories that say the same. One commit for each makes the new memory, links it to its sources and removes them.
         *
         * What has the same words, but for case, spaces, punctuation and articles, needs no more. What else is alike is put into one sentence by
         * the model, if one is set, and else left in `open`. Throws NOT_FOUND and INVALID_ARGUMENT for `ids`, LOCKED.
         */
        consolidate: async (options: types.ConsolidateMemoriesOptions = {}): Promise<types.ConsolidateResult> =>
          (await import('../core/maintain/record-passes.ts')).consolidateMemories(await passes.merging(), options),
      },

      knowledge: {
        /**
         * Distils clusters of promoted memories, or those of `ids`, into memories of the status `schema`, which name them; the members stay.
         *
         * Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
         */
        distil: async (options: types.SchemaOptions = {}): Promise<types.SchemaResult> =>
          (await import('../core/maintain/record-passes.ts')).distilSchemas(passes.ports(), options),
      },

      maintenance: {
        /**
         * Runs the tasks of maintenance that are due, or those that are named: each is a plan with reasons, and a commit of its own.
         *
         * A task that fails is reported and keeps no other from running; one that takes away more memories than `limits.removed_share` says
         * needs `force`. Throws INVALID_ARGUMENT for an unknown task, INVALID_CONFIG.
         */
        run: async (options: types.MaintainOptions = {}): Promise<types.MaintainResult> =>
          (await import('../core/maintain/maintain.ts')).maintain(await passes.maintenance(), options),

        /**
         * Consolidates what came since the last night, each step a commit of one run. Extracts, brings knowledge in step with the ledger,
         * writes the pack, checks the ledger and reports. A second run finds nothing to do. Throws LOCKED.
         */
        night: async (options: types.NightlyOptions = {}): Promise<types.NightlyResult> =>
          (await import('../core/maintain/nightly.ts')).nightly(
            { ...passes.ports(), extract: passes.extractEnded },
            options,
          ),

        /** Does once what is due, as `run` does, unless another process is at it. Names a task that fails. Throws INVALID_CONFIG. */
        runDue: async (options: Omit<types.MaintainOptions, 'tasks'> = {}): Promise<types.ScheduleRunResult> =>
          (await import('../core/maintain/schedule.ts')).runSchedule(await passes.scheduling(), options),
      },
    }),
    within(branch.unlessDry(1), {
      /**
       * Imports memories and notes from a file, a folder or texts: what is new, and what changed there since the last import. A second
       * import of the same changes nothing. What is another here stays and is named in the answer, unless `overwrite`.
       *
       * One commit, or one for each conversation, behind a tag of the state before, which stays when the import fails. Throws NOT_FOUND,
       * INVALID_ARGUMENT, TOO_LARGE, UNSAFE_FILE of the source, SECRET, QUOTA, LOCKED.
       */
      import: async (
        sources: string | readonly SourceText[],
        options: types.ImportOptions = {},
      ): Promise<types.ImportResult> =>
        (await import('../features/import/index.ts')).importFrom(passes.ports(), sources, options),
    }),
    within(branch.asking, {
      knowledge: {
        /** Gives the schemas that memory.yaml names under a bundle. Throws NOT_FOUND. */
        bundle: async (name: string): Promise<types.BundleResult> =>
          (await import('../core/maintain/record-passes.ts')).bundleOf(
            shared.catalog,
            store.snapshot(),
            branch.configuration(),
            name,
          ),
      },

      maintenance: {
        /** Tells what is done by itself: when it last was, and when it is due. Throws INVALID_CONFIG. */
        schedule: async (): Promise<types.ScheduleResult> =>
          (await import('../core/maintain/schedule.ts')).scheduleOf(await passes.maintenance()),

        /** Makes ready lines for a scheduler of the machine, which call `git memory maintain schedule run`; installs nothing. */
        async scheduleLines(kind: Scheduler): Promise<ScheduleLines> {
          const { directory, branchName } = branch;
          return (await import('../core/maintain/schedule-lines.ts')).scheduleLines(kind, {
            ...installedPaths(),
            directory,
            branch: branchName,
          });
        },
      },
    }),
    within(branch.acting, {
      maintenance: {
        /** Maintains again and again, as tasks become due, until the signal says stop; tells of each round, and how many there were. */
        async runUntilStopped(
          options: types.MaintainOptions & { signal: AbortSignal; onRun?: (result: types.MaintainResult) => void },
        ): Promise<types.MaintainResult & { rounds: number }> {
          if (options.signal === undefined)
            throw new MemoryError('INVALID_ARGUMENT', 'what goes on needs a signal that stops it', { where: 'signal' });
          return (await import('../core/maintain/schedule.ts')).runUntilStopped(await passes.scheduling(), options);
        },
      },
    }),
    {
      maintenance: {
        /** Does what is due while the memory is open, from a minute after now on; {@link Memory.close} ends it. */
        start: (): Promise<void> => passes.startSchedule(),
      },
    },
  );
}
