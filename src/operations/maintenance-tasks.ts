// The registry of what `maintain` does, in the order in which it is done. A pass joins it by one line.

import { decayGc } from '../lifecycle/decay-gc.ts';
import { expiry } from '../lifecycle/expiry.ts';
import { layout } from '../lifecycle/layout.ts';
import type { Pass, PassItem } from '../lifecycle/pass.ts';
import { splitProposals } from '../lifecycle/split.ts';
import type { StorageMeta } from '../records/storage-meta.ts';
import type { PassOptions, PassResult } from '../types.ts';
import { consolidateMemories } from './consolidate.ts';
import { makeGists } from './gists.ts';
import { type PassDependencies, runPass } from './run-pass.ts';

/** One thing that is due from time to time. */
export interface MaintenanceTask {
  /** What it is called in memory.yaml and by whoever asks for it alone: lower case, without underscores. */
  readonly name: string;
  /** What it does, in a few words without a full stop. */
  readonly summary: string;
  /** How often it is due unless `maintain.every_hours` says something else; 0 means only when it is asked for. */
  readonly everyHours: number;
  /** Changes nothing that is shared, so that every machine does it. */
  readonly isLocal?: boolean;
  /** Tells from `.meta.json` when it last changed something, in seconds since the Unix epoch. */
  readonly lastIn?: (meta: StorageMeta) => number | null;
  run(dependencies: PassDependencies, options: PassOptions): Promise<PassResult>;
}

/** Lists all tasks. What changes where records stand or what they are comes before what takes some away. */
export const maintenanceTasks: readonly MaintenanceTask[] = [
  passTask(layout, 'bring the storage to its present form', 24, undefined),
  passTask(expiry, 'put aside what expired', 24, undefined),
  {
    name: 'consolidate',
    summary: 'make one memory of several that say the same',
    everyHours: 24,
    lastIn: (meta) => meta.lastConsolidationAt,
    run: consolidateMemories,
  },
  { name: 'gist', summary: 'give gists to memories that have none', everyHours: 24, run: makeGists },
  passTask(splitProposals, 'name memories that could be several', 24 * 7, undefined),
  passTask(decayGc, 'forget what decayed', 24, undefined),
  { name: 'repack', summary: 'join small packs', everyHours: 24, isLocal: true, run: repack },
];

function passTask<Options, Item extends PassItem>(
  pass: Pass<Options, Item>,
  summary: string,
  everyHours: number,
  settings: Options,
): MaintenanceTask {
  const { name, noted } = pass;
  return {
    name,
    summary,
    everyHours,
    ...(noted === 'last_gc_at' ? { lastIn: (meta: StorageMeta) => meta.lastGcAt } : {}),
    ...(noted === 'last_consolidation_at' ? { lastIn: (meta: StorageMeta) => meta.lastConsolidationAt } : {}),
    run: (dependencies, options) => runPass(dependencies, pass, settings, { ...options, isByRule: true }),
  };
}

/** Rolls up packs, which changes no object and no ref; a dry run tells nothing, for it takes reading them. */
async function repack({ store }: PassDependencies, { dryRun }: PassOptions): Promise<PassResult> {
  const result = { pass: 'repack', commits: [], tree: null, left: [], dropped: [] };
  if (dryRun) return { ...result, items: [] };
  const { merged } = await store.maintainPacks();
  const item = { action: 'repack', ids: [], why: `${merged} packs became one`, paths: [] };
  return { ...result, items: merged === 0 ? [] : [item] };
}
