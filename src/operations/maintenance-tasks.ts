// The registry of what `maintain` does, in the order in which it is done. A pass joins it by one line.

import { behaviourProfile } from '../lifecycle/behaviour-profile.ts';
import { commitmentDecay } from '../lifecycle/commitments.ts';
import { decayGc } from '../lifecycle/decay-gc.ts';
import { entityMerge, entityProfiles } from '../lifecycle/entity-profiles.ts';
import { expiry } from '../lifecycle/expiry.ts';
import { factArchival } from '../lifecycle/fact-archival.ts';
import { gateLogPruning } from '../lifecycle/gate-log-pruning.ts';
import { layout } from '../lifecycle/layout.ts';
import { ledgerKnowledge } from '../lifecycle/ledger-knowledge.ts';
import type { Pass, PassItem } from '../lifecycle/pass.ts';
import { reflections } from '../lifecycle/reflections.ts';
import { splitProposals } from '../lifecycle/split.ts';
import { topicIndex } from '../lifecycle/topic-index.ts';
import type { Configuration } from '../records/configuration.ts';
import type { StorageMeta } from '../records/storage-meta.ts';
import type { PassOptions, PassResult } from '../types.ts';
import { changelogArchival } from './changelog-passes.ts';
import { condensing } from './condense/tasks.ts';
import { consolidateMemories } from './consolidate.ts';
import { batchCommit, exploreExpiry } from './due-by-themselves.ts';
import { extractNew } from './extract-new.ts';
import { boxSealing, reconciliation } from './extraction-passes.ts';
import { makeGists } from './gists.ts';
import { gitGc } from './git-gc.ts';
import { ledgerCompaction, ledgerPruning, ledgerRebuild, ledgerUpkeep } from './ledger-passes.ts';
import { nightly } from './nightly.ts';
import { packPass } from './pack.ts';
import { periodicTags } from './periodic-tags.ts';
import { graphUpkeep } from './project-files.ts';
import { type PassDependencies, runPass } from './run-pass.ts';

/** The keys of `schedule` that hold a time of day. */
export type TimeKey = Exclude<keyof Configuration['schedule'], 'auto' | 'tasks'>;

/** One thing that is due from time to time. */
export interface MaintenanceTask {
  /** What it is called in memory.yaml and by whoever asks for it alone: lower case, without underscores. */
  readonly name: string;
  /** What it does, in a few words without a full stop. */
  readonly summary: string;
  /** How often it is due unless `maintain.every_hours` says something else; 0 means only when it is asked for. */
  readonly everyHours: number;
  /** The key of `schedule` that says at which time of day it is due, in place of every so many hours. */
  readonly at?: TimeKey;
  /** Tells when it is due where that follows from what waits, and not from a time; null when nothing waits. */
  readonly dueAt?: (dependencies: PassDependencies) => number | null;
  /** Changes nothing that is shared, so that every machine does it. */
  readonly isLocal?: boolean;
  /** Keeps in order what extraction makes, so that it also runs after every few of them (`maintain.every_extractions`). */
  readonly followsExtraction?: boolean;
  /** Tells from `.meta.json` when it last changed something, in seconds since the Unix epoch. */
  readonly lastIn?: (meta: StorageMeta) => number | null;
  /** Tells before which time, in milliseconds, it is not due, whatever its times say, and why; who asks for it by name waits for nothing. */
  readonly notBefore?: (dependencies: PassDependencies) => { readonly time: number; readonly why: string };
  run(dependencies: PassDependencies, options: TaskOptions): Promise<PassResult>;
}

/** How a task runs; `isNamed`: somebody asked for it by its name. */
export type TaskOptions = PassOptions & { readonly isNamed?: boolean };

/** Lists all tasks. What changes where records stand or what they are comes before what takes some away. */
export const maintenanceTasks: readonly MaintenanceTask[] = [
  // First: what the others write would be somebody's work.
  gitGc,
  batchCommit,
  {
    name: 'extract',
    summary: 'derive memories from conversations that are new',
    // Every hour where `extract.trigger` says so.
    everyHours: 0,
    run: extractNew,
  },
  passTask(layout, 'bring the storage to its present form', 24, undefined),
  following(passTask(expiry, 'put aside what expired', 24, undefined)),
  following(passTask(reconciliation, 'let notes give way to later ones that say otherwise', 24, undefined)),
  following({
    name: 'consolidate',
    summary: 'make one memory of several that say the same',
    everyHours: 24,
    lastIn: (meta) => meta.lastConsolidationAt,
    run: consolidateMemories,
  }),
  following(passTask(commitmentDecay, 'put aside promises that nobody came back to', 24, undefined)),
  following(passTask(factArchival, 'put aside old facts of no use', 24, undefined)),
  following(passTask(boxSealing, 'seal boxes in which nothing came any more', 24, undefined)),
  following(passTask(entityMerge, 'join files about one thing', 24, undefined)),
  following(passTask(entityProfiles, 'bring files about entities up to date', 24, undefined)),
  following(passTask(behaviourProfile, 'bring the profile up to date', 24, undefined)),
  following(passTask(reflections, 'shorten reflections that have grown too long', 24, undefined)),
  following(passTask(topicIndex, 'index topics', 24, undefined)),
  ...condensing,
  { ...passTask(gateLogPruning, 'remove old decisions of the gate of topics', 24 * 7, undefined), at: 'prune' },
  { name: 'gist', summary: 'give gists to memories that have none', everyHours: 24, run: makeGists },
  passTask(splitProposals, 'name memories that could be several', 24 * 7, undefined),
  passTask(decayGc, 'forget what decayed', 24, undefined),
  { name: 'nightly', summary: 'consolidate the day', everyHours: 24, at: 'nightly', run: consolidateDay },
  passTask(ledgerKnowledge, 'bring knowledge in step with the ledger', 24, undefined),
  passTask(changelogArchival, 'archive older events of a long changelog', 24, undefined),
  passTask(ledgerCompaction, 'fold and archive what a long ledger needs no more', 24 * 30, undefined),
  passTask(ledgerPruning, 'archive events whose time is over', 24 * 90, undefined),
  passTask(ledgerUpkeep, 'bring the small files of the ledger up to date', 24, undefined),
  passTask(ledgerRebuild, 'make them anew', 24 * 7, undefined),
  {
    name: 'graph',
    summary: 'make what follows from the changelog anew where it was left behind',
    everyHours: 24,
    // Not by rule: the undo of an event writes these files, and they follow from the log all the same.
    run: (dependencies, options) => runPass(dependencies, graphUpkeep(dependencies.store), undefined, options),
  },
  { ...passTask(packPass, 'write the page of what matters today', 24, undefined), at: 'nightly' },
  ...periodicTags,
  exploreExpiry,
  { name: 'repack', summary: 'join small packs', everyHours: 24, isLocal: true, run: repack },
];

function following(task: MaintenanceTask): MaintenanceTask {
  return { ...task, followsExtraction: true };
}

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

/** Runs the steps of a night; what they do is told one by one. */
async function consolidateDay(dependencies: PassDependencies, options: PassOptions): Promise<PassResult> {
  const { onProgress: _, ...rest } = options;
  const { steps, commits } = await nightly(dependencies, rest);
  const failed = steps.find(({ state }) => state === 'failed');
  const results = steps.flatMap(({ result }) => result ?? []);
  return {
    pass: 'nightly',
    commits,
    tree: results.at(-1)?.tree ?? null,
    items: results.flatMap(({ items }) => items),
    left: [
      ...results.flatMap(({ left }) => left),
      ...(failed === undefined ? [] : [{ id: failed.step, why: failed.why ?? 'it failed' }]),
    ],
    dropped: results.flatMap(({ dropped }) => dropped),
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
