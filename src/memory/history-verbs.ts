// What is done with the past of a branch: looked through, taken back, taken out, tagged.

import { defined, MemoryError } from '../base/errors.ts';
import type * as types from '../base/types.ts';
import { timeOf } from '../core/recall/asked-times.ts';
import type { Batch } from '../core/write/batch.ts';
import { checkTarget, createTag, tagOf } from '../history/index.ts';
import type { MomentOptions } from '../language/index.ts';
import { flushBefore } from '../store/flush-before.ts';
import { answer } from '../store/git/file-errors.ts';
import type { WholeBranch } from './branch.ts';
import { compose, within } from './compose.ts';
import { stateAt } from './state.ts';
import { questionsTo, viewOf } from './view.ts';

function withinTimes(what: types.UndoTarget, moment: MomentOptions): types.UndoTarget<number> {
  const target = checkTarget(what);
  if (typeof target === 'string') return target;
  const { since, until, ...rest } = target as Exclude<types.UndoTarget, string> & {
    since?: types.TimeInput;
    until?: types.TimeInput;
  };
  const times = defined({ since: timeOf(since, 'since', moment, false), until: timeOf(until, 'until', moment, true) });
  return { ...rest, ...times } as types.UndoTarget<number>;
}

/** Looks through the history of a whole memory, and acts upon it. */
export function historyVerbs(branch: WholeBranch, batch: Batch) {
  const { repository, store, shared } = branch;
  /** Writes what is expected from an undo on; gives the path of the file, null where there is nothing to expect. */
  const expectFrom = async (commit: string, undone: readonly string[]): Promise<string | null> => {
    const { readyExpectations } = await import('../core/expect/ready-file.ts');
    const before = store.at(repository.objects.readCommit(commit).parents[0]!);
    const file = readyExpectations(before, store.at(commit), `undo of ${undone.at(-1)!.slice(0, 7)}`);
    if (file === null) return null;
    const { planWrite } = await import('../core/write/edits.ts');
    await batch.write('write', planWrite(file.path, file.text, undefined));
    return file.path;
  };
  return compose(
    within(answer, {
      /**
       * Finds the commit since which a question does not find any more what it found before, by asking views of the first-parent history.
       *
       * Or since which an expectation of the present does not hold. Throws INVALID_ARGUMENT without a question or without what it should
       * find. Throws NOT_FOUND for an expectation that is not there, and for a `good` state off the branch.
       */
      async bisect(
        query: string | types.BisectExpectation,
        options?: types.BisectOptions | Omit<types.BisectOptions, 'finds'>,
      ): Promise<types.BisectResult> {
        const { bisectBy, bisectRecall } = await import('../core/recall/bisect.ts');
        const line = { repository, stateOf: shared.stateOf, tip: store.tip() };
        const at = async (commit: string) => viewOf(shared, stateAt(shared, commit));
        if (typeof query === 'string') return bisectRecall({ ...line, at }, query, options as types.BisectOptions);
        const { expectationAt } = await import('./expect-questions.ts');
        const { holdsAt, touches } = await expectationAt(shared, questionsTo, query.expect);
        return bisectBy(line, holdsAt, { ...options, query: query.expect, touches, good: query.good ?? options?.good });
      },
    }),
    within(branch.unlessDry(1), {
      /**
       * Takes operations back by an inverse commit, three ways against what happened since.
       *
       * Either it succeeds exactly, or names the conflicting paths and changes nothing. Undoing an undo brings things back.
       */
      async undo(what: types.UndoTarget, options: types.UndoOptions = {}): Promise<types.UndoResult> {
        const { undoOperations } = await import('../history/index.ts');
        const when = { now: branch.now(), timeZone: branch.configuration().timezone };
        const { expect = false, ...rest } = options ?? {};
        const target = withinTimes(what, when);
        const result = await undoOperations(store, shared.catalog, branch.resolve, target, rest, when);
        if (!expect || rest.dryRun || result.conflicts.length > 0) return result;
        return {
          ...result,
          expectations: result.commit === null ? null : await expectFrom(result.commit, result.undone),
        };
      },

      /**
       * Takes a text, memory, session or file out of all history, refs, logs, journals, caches and packs of this repository. This is the one
       * thing that cannot be undone; `dryRun` tells what it would touch. Commits get new ids, and old ones answer PURGED. What was opened or
       * planned before, here or by another process, writes nothing more until it begins anew. Remotes and clones still hold it: see the result.
       *
       * Throws NOT_FOUND, INVALID_ARGUMENT, TOO_LARGE, AMBIGUOUS; CONFLICT and UNSUPPORTED_REPOSITORY for what has to be settled first;
       * LOCKED, REF_MOVED, and the reason of an abort.
       */
      async purge(what: types.PurgeTarget, options: types.PurgeOptions = {}): Promise<types.PurgeResult> {
        const { purge } = await import('../features/purge/index.ts');
        const { ids, processes } = branch.dependencies;
        return purge(
          {
            store,
            processes,
            placement: branch.placement,
            now: () => branch.now(),
            machine: branch.machine,
            nextId: () => ids.next(),
          },
          what,
          options,
        );
      },
    }),
    within(branch.acting, {
      snapshots: {
        /**
         * Tags the present: `daily`, `weekly`, `before/<event>`, `extract/<version>`, or a name, which becomes `milestone/<name>`.
         *
         * What is pending is committed first. A tag never moves: a taken name gets the machine behind it. The one of a day or week is made only
         * where something changed since the last. Throws ALREADY_EXISTS, INVALID_REF, SECRET.
         */
        async create(name: string, options: { at?: string } = {}): Promise<types.SnapshotResult> {
          const tag = tagOf(name, branch.now(), branch.configuration().timezone);
          store.checkNewRef(`refs/tags/${tag}`);
          if (options.at === undefined) await flushBefore(store);
          const commit = options.at === undefined ? store.tip() : stateAt(shared, options.at).commit;
          if (commit === null)
            throw new MemoryError('NOT_FOUND', 'there is no commit to tag yet', { where: branch.branchName });
          return createTag(store, tag, commit, branch.machine);
        },
      },

      records: {
        /**
         * Brings a memory back by its id or the beginning of it: from the archive, or from history with its relations to what is here.
         *
         * It counts as a use of it. Throws NOT_FOUND when none ever had that id, ALREADY_EXISTS when it is here and not archived, AMBIGUOUS.
         */
        async restore(id: string): Promise<types.WriteResult> {
          const { findForgotten, planRestore } = await import('../core/write/restore.ts');
          const found = findForgotten(shared, store.snapshot(), id);
          const plan = planRestore(shared, found, branch.now(), branch.configuration());
          return batch.write('restore', plan, { records: [found.record] });
        },
      },
    }),
  );
}
