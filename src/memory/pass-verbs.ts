// What happens to records over time: merged, shortened, split, promoted, brought in, kept in order, and when.

import { installedPaths } from '../adapters/installation.ts';
import type { SourceText } from '../operations/import/source.ts';
import type { ScheduleLines, Scheduler } from '../operations/schedule-lines.ts';
import type {
  BundleResult,
  ConsolidateMemoriesOptions,
  ConsolidateResult,
  GistOptions,
  GistResult,
  ImportOptions,
  ImportResult,
  MaintainOptions,
  MaintainResult,
  NightlyOptions,
  NightlyResult,
  PromoteOptions,
  PromoteResult,
  ScheduleResult,
  ScheduleRunResult,
  SchemaOptions,
  SchemaResult,
  SplitCandidates,
  SplitOptions,
  SplitPartInput,
  SplitResult,
} from '../types.ts';
import type { Branch, WholeBranch } from './branch.ts';
import { compose, within } from './compose.ts';
import type { Passes } from './passes.ts';

/** Makes short forms of memories, splits and promotes them: what a part of a memory can do with those it sees. */
export function recordVerbs(branch: Branch, passes: Passes) {
  const { store, shared } = branch;
  return compose(
    {
      /**
       * Gives short forms to the memories that have none, or makes those of `ids`, or `all`, anew, in one commit; says what they save.
       *
       * Throws NOT_FOUND, AMBIGUOUS, LOCKED.
       */
      gist(options: GistOptions = {}): Promise<GistResult> {
        const gist = async () => (await import('../operations/gists.ts')).makeGists(passes.ports(), options);
        return branch.actingUnlessDry(options, gist);
      },

      /**
       * Splits a memory into parts, each a memory as well known as the whole was, in one commit; without `parts`, one for each idea of it.
       *
       * The whole leaves; the parts name it. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, SECRET, LOCKED.
       */
      split(
        id: string,
        parts?: readonly (string | SplitPartInput)[],
        options: SplitOptions = {},
      ): Promise<SplitResult> {
        const split = async () => {
          const { splitMemory } = await import('../operations/split.ts');
          return splitMemory(
            passes.ports(),
            shared.catalog.find(store.snapshot(), id).record.id,
            parts,
            branch.filter(),
            options,
          );
        };
        return branch.actingUnlessDry(options, split);
      },

      /**
       * Makes a knowledge file of each memory that was used and is strong, or of those of `ids`, each in one commit; memory and file name
       * each other, and the memory stays. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
       */
      promote(options: PromoteOptions = {}): Promise<PromoteResult> {
        const promote = async () => (await import('../operations/promote.ts')).promoteMemories(passes.ports(), options);
        return branch.actingUnlessDry(options, promote);
      },
    },
    within(branch.asking, {
      /** Lists memories that could be several: long, with many tags or entities, or used in many domains, and of two ideas or more. */
      async splitCandidates(): Promise<SplitCandidates> {
        const { findSplitCandidates } = await import('../operations/split.ts');
        return findSplitCandidates(shared.catalog, store.snapshot(), branch.configuration());
      },
    }),
  );
}

/** Keeps the records of a whole memory in order. */
export function passVerbs(branch: WholeBranch, passes: Passes) {
  const { store, shared } = branch;
  return compose(
    {
      /**
       * Merges memories that say the same: clusters above `consolidate.automatic` of memory.yaml, each in one commit that makes the new
       * memory, links it to its sources and removes them.
       *
       * Clusters in doubt are merged by the model, if one is set, and else left in `open`. Throws NOT_FOUND and INVALID_ARGUMENT for
       * `ids`, LOCKED.
       */
      consolidate(options: ConsolidateMemoriesOptions = {}): Promise<ConsolidateResult> {
        const consolidate = async () =>
          (await import('../operations/consolidate.ts')).consolidateMemories(passes.ports(), options);
        return branch.actingUnlessDry(options, consolidate);
      },

      /**
       * Imports memories and notes from a file, a folder or texts: what is new, and what changed there since the last import; a second
       * import of the same changes nothing. What is another here stays and is named in the answer, unless `overwrite`.
       *
       * One commit, or one for each conversation, behind a tag of the state before, which stays when the import fails. Throws NOT_FOUND,
       * INVALID_ARGUMENT, TOO_LARGE, UNSAFE_FILE of the source, SECRET, QUOTA, LOCKED.
       */
      import(from: string | readonly SourceText[], options: ImportOptions = {}): Promise<ImportResult> {
        const run = async () =>
          (await import('../operations/import/import.ts')).importFrom(passes.ports(), from, options);
        return branch.actingUnlessDry(options, run);
      },

      /**
       * Distils clusters of promoted memories, or those of `ids`, into memories of the status `schema`, which name them; the members stay.
       *
       * Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
       */
      distil(options: SchemaOptions = {}): Promise<SchemaResult> {
        const distil = async () => (await import('../operations/promote.ts')).distilSchemas(passes.ports(), options);
        return branch.actingUnlessDry(options, distil);
      },

      /**
       * Runs the tasks of maintenance that are due, or those that are named: each is a plan with reasons, and a commit of its own.
       *
       * A task that fails is told and keeps no other from running; one that takes away more memories than `limits.removed_share` says needs
       * `force`. Throws INVALID_ARGUMENT for an unknown task, INVALID_CONFIG.
       */
      maintain(options: MaintainOptions = {}): Promise<MaintainResult> {
        // What maintains is loaded when it is wanted: a short command pays for no pass.
        const run = async () =>
          (await import('../operations/maintain.ts')).maintain(await passes.maintenance(), options);
        return branch.actingUnlessDry(options, run);
      },

      /**
       * Consolidates what came since the last night: extracts, brings knowledge in step with the ledger, writes the pack, checks the ledger and
       * reports, each step a commit of one run. A second run finds nothing to do. Throws LOCKED.
       */
      nightly(options: NightlyOptions = {}): Promise<NightlyResult> {
        const run = async () => {
          const { nightly } = await import('../operations/nightly.ts');
          return nightly({ ...passes.ports(), extract: passes.extractEnded }, options);
        };
        return branch.actingUnlessDry(options, run);
      },

      /**
       * Does once what is due, as {@link maintain} does, unless another process is at it. Throws INVALID_CONFIG; a task that fails is told in the
       * result.
       */
      runSchedule(options: Omit<MaintainOptions, 'tasks'> = {}): Promise<ScheduleRunResult> {
        const run = async () =>
          (await import('../operations/schedule.ts')).runSchedule(await passes.scheduling(), options);
        return branch.actingUnlessDry(options, run);
      },

      /** Does what is due while the memory is open, from a minute after now on; {@link Memory.close} ends it. */
      startSchedule(): Promise<void> {
        return passes.startSchedule();
      },
    },
    within(branch.asking, {
      /** Gives the schemas that memory.yaml names under a bundle. Throws NOT_FOUND. */
      async bundle(name: string): Promise<BundleResult> {
        const { bundleOf } = await import('../operations/promote.ts');
        return bundleOf(shared.catalog, store.snapshot(), branch.configuration(), name);
      },

      /** Tells what is done by itself: when it last was, and when it is due. Throws INVALID_CONFIG. */
      async schedule(): Promise<ScheduleResult> {
        return (await import('../operations/schedule.ts')).scheduleOf(await passes.maintenance());
      },

      /** Makes ready lines for a scheduler of the machine, which call `git memory schedule run`; installs nothing. */
      async scheduleLines(kind: Scheduler): Promise<ScheduleLines> {
        const { directory, branchName } = branch;
        return (await import('../operations/schedule-lines.ts')).scheduleLines(kind, {
          ...installedPaths(),
          directory,
          branch: branchName,
        });
      },
    }),
    within(branch.acting, {
      /** Maintains again and again, as tasks become due, until the signal says stop; tells of each round, and how many there were. */
      async maintainUntilStopped(
        options: MaintainOptions & { signal: AbortSignal; onRun?: (result: MaintainResult) => void },
      ): Promise<MaintainResult & { rounds: number }> {
        return (await import('../operations/schedule.ts')).runUntilStopped(await passes.scheduling(), options);
      },
    }),
  );
}
