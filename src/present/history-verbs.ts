// What is done with the past of a branch: looked through, taken back, taken out, tagged.

import { MemoryError } from '../errors.ts';
import { answer } from '../git/disk.ts';
import { createTag, listTags, tagOf } from '../history/tags.ts';
import { flushBefore } from '../operations/flush-before.ts';
import type {
  BisectOptions,
  BisectResult,
  PurgeOptions,
  PurgeResult,
  PurgeTarget,
  SnapshotResult,
  UndoOptions,
  UndoResult,
  UndoTarget,
} from '../types.ts';
import { TurnVerbs } from './turn-verbs.ts';

/** A branch whose history is looked through and acted upon. */
export abstract class HistoryVerbs extends TurnVerbs {
  /**
   * Finds the commit since which a question does not find any more what it found before, by asking views of the first-parent history.
   *
   * Throws INVALID_ARGUMENT without a question or without what it should find, NOT_FOUND for a `good` state off the branch.
   */
  bisect(query: string, options: BisectOptions): Promise<BisectResult> {
    return answer(async () =>
      (await import('../operations/bisect.ts')).bisectRecall(
        { repository: this.repository, stateOf: this.shared.stateOf, tip: this.tip, at: (commit) => this.at(commit) },
        query,
        options,
      ),
    );
  }

  /**
   * Takes operations back by an inverse commit, three ways against what happened since.
   *
   * Either it succeeds exactly, or names the conflicting paths and changes nothing. Undoing an undo brings things back.
   */
  undo(what: UndoTarget, options: UndoOptions = {}): Promise<UndoResult> {
    const undo = async () => {
      const { undoOperations } = await import('../operations/undo.ts');
      const when = { now: this.now(), timeZone: this.configuration().timezone };
      return undoOperations(this.store, this.shared.catalog, this.resolve, what, options, when);
    };
    return this.actingUnlessDry(options, undo);
  }

  /**
   * Takes a text, memory, session or file out of all history, refs, logs, journals, caches and packs of this repository. This is the one
   * thing that cannot be undone; `dryRun` tells what it would touch. Commits get new ids, and old ones answer PURGED. What was opened or
   * planned before, here or by another process, writes nothing more until it begins anew. Remotes and clones still hold it: see the result.
   *
   * Throws NOT_FOUND, INVALID_ARGUMENT, TOO_LARGE, AMBIGUOUS; CONFLICT and UNSUPPORTED_REPOSITORY for what has to be settled first;
   * LOCKED, REF_MOVED, and the reason of an abort.
   */
  purge(what: PurgeTarget, options: PurgeOptions = {}): Promise<PurgeResult> {
    const run = async () => {
      const { purge } = await import('../operations/purge/purge.ts');
      const { ids, processes } = this.dependencies;
      return purge(
        {
          store: this.store,
          processes,
          placement: this.placement,
          now: () => this.now(),
          machine: this.machine,
          nextId: () => ids.next(),
        },
        what,
        options,
      );
    };
    return this.actingUnlessDry(options, run);
  }

  /**
   * Tags the present: `daily`, `weekly`, `before/<event>`, `extract/<version>`, or a name, which becomes `milestone/<name>`.
   *
   * What is pending is committed first. A tag never moves: a taken name gets the machine behind it. The one of a day or week is made only
   * where something changed since the last. Throws ALREADY_EXISTS, INVALID_REF.
   */
  snapshot(name: string, options: { at?: string } = {}): Promise<SnapshotResult> {
    return this.acting(async () => {
      this.filter().passName(name, 'the name of the snapshot');
      const tag = tagOf(name, this.now(), this.configuration().timezone);
      if (options.at === undefined) await flushBefore(this.store);
      const commit = options.at === undefined ? this.store.tip() : (await this.at(options.at)).commit;
      if (commit === null) {
        throw new MemoryError('NOT_FOUND', 'there is no commit to tag yet', { where: this.branchName });
      }
      return createTag(this.store, tag, commit, this.machine);
    });
  }

  /** Lists snapshots, oldest first. */
  snapshots(): Promise<{ tag: string; commit: string; time: string }[]> {
    return answer(() => listTags(this.repository));
  }
}
