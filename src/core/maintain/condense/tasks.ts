// The life of knowledge as tasks of maintenance (spec 5 §8.4 to §8.6): day, week, month, pruning. They go by rules, or ask the model that
// is set.

import { MemoryError } from '../../../base/errors.ts';
import { dayOf, millisecondsOf } from '../../../base/time.ts';
import type { PassOptions } from '../../../base/types.ts';
import { blameOf, createTag, LastChange } from '../../../history/index.ts';
import type { BranchStore } from '../../../store/branch-store.ts';
import { eviction } from '../../lifecycle/evict.ts';
import { daySummary, journalRetention } from '../../lifecycle/journal.ts';
import type { Adviser, Pass, PassItem } from '../../lifecycle/pass.ts';
import { projectLists } from '../../lifecycle/projects.ts';
import { weeklyRollup } from '../../lifecycle/rollup.ts';
import { coreMemoryPruning, distillation } from '../../lifecycle/shorter-pages.ts';
import { roundName } from '../../write/round.ts';
import { type RunPorts, runPass } from '../../write/run-pass.ts';
import type { MaintenanceTask } from '../maintenance-task.ts';
import { dayWriter, pruneChooser, reviewer, rollupChooser } from './model-writers.ts';
import type { ModelWriter } from './writer.ts';

/** What condensing takes beside running a pass. */
export interface CondensingPorts extends RunPorts {
  /** The model that condenses, with the answers that are kept; null where rules do. Throws MODEL_UNAVAILABLE. */
  readonly writer: () => Promise<ModelWriter | null>;
}

/** Makes what a pass is given beside the view; `note` tells why it is not all that was wanted. */
type Giver<Options> = (running: PassOptions) => Promise<{ readonly options: Options; readonly note?: string }>;

/** Lists the tasks in the order in which they are done: what is summarised first is there to be rolled up. */
export function condensing(ports: CondensingPorts): readonly MaintenanceTask[] {
  const { store, configurationOf, clock, machine } = ports;

  /** Names the state that a pass begins with; undo needs no tag, people do. */
  const tagBefore = async (name: string, tip: string): Promise<void> => {
    const day = dayOf(clock.now(), configurationOf(store.snapshot()).timezone);
    await createTag(store, `memory/before/${name}-${day}`, tip, machine);
  };

  const task = <Options, Item extends PassItem>(
    pass: Pass<Options, Item>,
    give: Giver<Options>,
    summary: string,
    [days, at]: readonly [days: number, at: NonNullable<MaintenanceTask['at']>],
    takesAway?: 'takes away',
  ): MaintenanceTask => ({
    name: pass.name,
    summary,
    everyHours: 24 * days,
    at,
    async run(running) {
      const { options, note } = await give(running);
      // What takes lines or files away has the state before it tagged.
      const before = takesAway ? { before: (tip: string) => tagBefore(pass.name, tip) } : {};
      const result = await runPass(ports, pass, options, { ...running, ...before, isByRule: true });
      return note === undefined ? result : { ...result, left: [...result.left, { id: 'model', why: note }] };
    },
  });

  /** A missing model is reported, and rules do its work. */
  const advisedBy =
    <Ask>(make: (writer: ModelWriter, signal?: AbortSignal) => Ask): Giver<Adviser<Ask> | null> =>
    async ({ signal }) => {
      const { condense } = configurationOf(store.snapshot());
      try {
        const writer = condense.model ? await ports.writer() : null;
        return { options: writer && { model: writer.name, ask: make(writer, signal) } };
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        return { options: null, note: error.message };
      }
    };

  const knowingChanges = async () => ({ options: { changedAt: changesIn(store) } });
  const knowingOwnLines = async () => ({ options: { changedAt: changesIn(store), ownLines: linesBy(store, 'lists') } });

  const nothing = async () => ({ options: undefined });
  const sunday = [7, { cron: '30 23 * * 0' }] as const;
  const firstOfMonth = [30, { cron: '0 1 1 * *' }] as const;
  const weekly = [7, 'prune'] as const;
  const lasting = 'take lines out of knowledge that no longer hold';
  return [
    task(daySummary, advisedBy(dayWriter), 'summarise days in their journals', [1, 'condense']),
    task(weeklyRollup, advisedBy(rollupChooser), 'bring what journals hold into MEMORY.md', sunday),
    task(distillation, advisedBy(reviewer), lasting, firstOfMonth, 'takes away'),
    task(coreMemoryPruning, advisedBy(pruneChooser), 'keep MEMORY.md short', weekly, 'takes away'),
    task(journalRetention, nothing, 'archive old journals', weekly, 'takes away'),
    task(eviction, knowingChanges, 'archive knowledge that nobody refers to', weekly, 'takes away'),
    task(projectLists, knowingOwnLines, 'keep the lists of projects and people', [1, 'nightly']),
  ];
}

/** Tells which lines of a file of the present an operation of this name wrote, and nobody since. */
function linesBy(store: BranchStore, operation: string): (path: string) => ReadonlySet<number> {
  return (path) => {
    const { lines, commits } = blameOf(store.repository, store.snapshot(), path);
    // In a round of maintenance no other pass writes that file.
    const names = [operation, roundName];
    const own = new Set(commits.flatMap(({ oid, operation: name }) => (names.includes(name ?? '') ? [oid] : [])));
    return new Set(lines.flatMap(({ line, commit }) => (commit !== null && own.has(commit) ? [line] : [])));
  };
}

/** Tells when a file last changed in history, in milliseconds; null where no commit of this branch changed it. */
function changesIn(store: BranchStore): (path: string) => number | null {
  const changes = new LastChange(store.repository);
  return (path) => {
    const commit = changes.of(store.tip(), path);
    if (commit === null) return null;
    const { readCommit } = store.repository.objects;
    const { committer, parents } = readCommit(commit);
    // No commit is older than its parents, whatever the clock of its machine told: nothing goes to the archive for a clock.
    return millisecondsOf(Math.max(committer.time, ...parents.map((parent) => readCommit(parent).committer.time)));
  };
}
