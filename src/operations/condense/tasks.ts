// The life of knowledge as tasks of maintenance (spec 5 §8.4 to §8.6): day, week, month, pruning; by rules, or with the model that is set.

import { defined } from '../../base/defined.ts';
import { dayOf, millisecondsOf } from '../../base/time.ts';
import { MemoryError } from '../../errors.ts';
import { LastChange } from '../../history/last-change.ts';
import { createTag } from '../../history/tags.ts';
import { coreMemoryPruning } from '../../lifecycle/core-memory.ts';
import { distillation } from '../../lifecycle/distil.ts';
import { eviction } from '../../lifecycle/evict.ts';
import { daySummary, journalRetention } from '../../lifecycle/journal.ts';
import type { Pass, PassItem } from '../../lifecycle/pass.ts';
import { projectLists } from '../../lifecycle/projects.ts';
import { weeklyRollup } from '../../lifecycle/rollup.ts';
import type { Configuration } from '../../records/configuration.ts';
import type { PassOptions, PassResult } from '../../types.ts';
import type { MaintenanceTask, TimeKey } from '../maintenance-task.ts';
import { type RunPorts, runPass } from '../run-pass.ts';
import { dayWriter, pruneChooser, reviewer, rollupChooser } from './model-writers.ts';
import type { ModelWriter } from './writer.ts';

/** What condensing takes beside running a pass. */
export interface CondensingPorts extends RunPorts {
  /** The model that condenses, with the answers that are kept; null where rules do. Throws MODEL_UNAVAILABLE. */
  readonly writer: () => Promise<ModelWriter | null>;
}

/** What a pass is given beside the view. */
interface Given {
  readonly writer: ModelWriter | null;
  readonly settings: Configuration['condense'];
  readonly signal?: AbortSignal;
  /** When a file last changed in history, in milliseconds; null where no commit of this branch did. */
  readonly changedAt: (path: string) => number | null;
}

interface TaskShape<Options, Item extends PassItem> {
  readonly pass: Pass<Options, Item>;
  readonly summary: string;
  readonly everyHours: number;
  readonly at?: TimeKey;
  /** A model may have a part in it. */
  readonly asksModel?: boolean;
  /** It takes lines or files away, so the state before it gets a tag. */
  readonly takesAway?: boolean;
  readonly options: (given: Given) => Options;
}

function taskOf<Options, Item extends PassItem>(
  ports: CondensingPorts,
  shape: TaskShape<Options, Item>,
): MaintenanceTask {
  const { pass, summary, everyHours, at } = shape;
  const run = (options: PassOptions) => runShape(ports, shape, options);
  return { name: pass.name, summary, everyHours, run, ...defined({ at }) };
}

async function runShape<Options, Item extends PassItem>(
  ports: CondensingPorts,
  { pass, asksModel, takesAway, options: optionsOf }: TaskShape<Options, Item>,
  options: PassOptions,
): Promise<PassResult<Item>> {
  const { store, configurationOf } = ports;
  const { signal } = options;
  const { condense: settings } = configurationOf(store.snapshot());
  const { writer, note } = asksModel && settings.model ? await writerOf(ports) : { writer: null, note: undefined };
  const changes = new LastChange(store.repository);
  const changedAt = (path: string): number | null => {
    const commit = changes.of(store.tip(), path);
    if (commit === null) return null;
    const { readCommit } = store.repository.objects;
    const { committer, parents } = readCommit(commit);
    // No commit is older than its parents, whatever the clock of its machine told: nothing goes to the archive for a clock.
    return millisecondsOf(Math.max(committer.time, ...parents.map((parent) => readCommit(parent).committer.time)));
  };
  const given = { writer, settings, changedAt, ...defined({ signal }) };
  const before = takesAway ? { before: (tip: string) => tagBefore(ports, pass.name, tip) } : {};
  const result = await runPass(ports, pass, optionsOf(given), { ...options, ...before, isByRule: true });
  return note === undefined ? result : { ...result, left: [...result.left, { id: 'model', why: note }] };
}

/** A model that cannot be had is told of, and rules do its work. */
async function writerOf({ writer }: CondensingPorts): Promise<{ writer: ModelWriter | null; note?: string }> {
  try {
    return { writer: await writer() };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { writer: null, note: error.message };
  }
}

/** Names the state that a pass begins with; undo needs no tag, people do. */
async function tagBefore(
  { store, clock, configurationOf, machine }: RunPorts,
  name: string,
  tip: string,
): Promise<void> {
  const day = dayOf(clock.now(), configurationOf(store.snapshot()).timezone);
  await createTag(store, `memory/before/${name}-${day}`, tip, machine);
}

const withModel = <Option>(make: (writer: ModelWriter, given: Given) => Option, key: string) =>
  ((given: Given) => (given.writer === null ? {} : { [key]: make(given.writer, given), model: given.writer.name })) as (
    given: Given,
  ) => Record<string, never>;

/** Lists the tasks in the order in which they are done: what is summarised first is there to be rolled up. */
export function condensing(ports: CondensingPorts): readonly MaintenanceTask[] {
  const task = <Options, Item extends PassItem>(shape: TaskShape<Options, Item>) => taskOf(ports, shape);
  return [
    task({
      pass: daySummary,
      summary: 'summarise days in their journals',
      everyHours: 24,
      at: 'condense',
      asksModel: true,
      options: withModel((writer, { settings, signal }) => dayWriter(writer, settings, signal), 'write'),
    }),
    task({
      pass: weeklyRollup,
      summary: 'bring what journals hold into MEMORY.md',
      everyHours: 24 * 7,
      at: 'week',
      asksModel: true,
      options: withModel((writer, { settings, signal }) => rollupChooser(writer, settings, signal), 'choose'),
    }),
    task({
      pass: distillation,
      summary: 'take lines out of knowledge that no longer hold',
      everyHours: 24 * 30,
      at: 'month',
      asksModel: true,
      takesAway: true,
      options: withModel((writer, { settings, signal }) => reviewer(writer, settings, signal), 'review'),
    }),
    task({
      pass: coreMemoryPruning,
      summary: 'keep MEMORY.md short',
      everyHours: 24 * 7,
      at: 'prune',
      asksModel: true,
      takesAway: true,
      options: withModel((writer, { settings, signal }) => pruneChooser(writer, settings, signal), 'choose'),
    }),
    task({
      pass: journalRetention,
      summary: 'archive old journals',
      everyHours: 24 * 7,
      at: 'prune',
      takesAway: true,
      options: () => undefined,
    }),
    task({
      pass: eviction,
      summary: 'archive knowledge that nobody refers to',
      everyHours: 24 * 7,
      at: 'prune',
      takesAway: true,
      options: ({ changedAt }) => ({ changedAt }),
    }),
    task({
      pass: projectLists,
      summary: 'keep the lists of projects and people',
      everyHours: 24,
      options: ({ changedAt }) => ({ changedAt }),
    }),
  ];
}
