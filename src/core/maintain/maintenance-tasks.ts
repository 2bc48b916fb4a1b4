// The registry of what `maintain` does, in the order in which it is done. A pass joins it by one line.

import { defined } from '../../base/defined.ts';
import { packPass } from '../context/pack/pack.ts';
import { boxSealing, reconciliation } from '../extract/extraction-passes.ts';
import { changelogArchival, graphUpkeep } from '../ledger/changelog-passes.ts';
import { ledgerCompaction, ledgerPruning, ledgerRebuild, ledgerUpkeep } from '../ledger/ledger-passes.ts';
import { decayGc, expiry, gateLogPruning } from '../lifecycle/fading.ts';
import { layout } from '../lifecycle/layout.ts';
import { ledgerKnowledge } from '../lifecycle/ledger-knowledge.ts';
import type { Pass, PassItem } from '../lifecycle/pass.ts';
import { behaviourProfile, entityMerge, entityProfiles } from '../lifecycle/profiles.ts';
import { reflections } from '../lifecycle/shorter-pages.ts';
import { splitProposals } from '../lifecycle/split.ts';
import { topicIndex } from '../lifecycle/topic-index.ts';
import { runPass } from '../write/run-pass.ts';
import { type CondensingPorts, condensing } from './condense/tasks.ts';
import { fold } from './fold.ts';
import { type GitGcPorts, gitGc } from './git-gc.ts';
import { type MaintenanceTask, withoutCommit } from './maintenance-task.ts';
import { type NightPorts, nightTask } from './nightly.ts';
import { reportFolding } from './nightly-report.ts';
import { batchCommit, type ExpiryPorts, exploreExpiry, extractNew, periodicTags } from './other-tasks.ts';
import { type ConsolidatePorts, consolidateMemories, makeGists } from './record-passes.ts';
import { reopening } from './reopen.ts';

/** What the tasks take, each a part of it. */
export type MaintenancePorts = ConsolidatePorts & CondensingPorts & ExpiryPorts & GitGcPorts & NightPorts;

/** Lists all tasks. What changes where records stand or what they are comes before what takes some away. */
export function maintenanceTasks(ports: MaintenancePorts): readonly MaintenanceTask[] {
  const { store, extract } = ports;
  const [daily, weekly] = [24, 24 * 7];
  // What is done daily is done with the night, so that a day has one round and no more.
  const own = (
    name: string,
    summary: string,
    run: MaintenanceTask['run'],
    noted?: MaintenanceTask['noted'],
    everyHours = daily,
  ): MaintenanceTask => {
    return { name, summary, everyHours, run, ...defined({ noted, at: everyHours === daily ? 'nightly' : undefined }) };
  };
  const task = <Item extends PassItem>(pass: Pass<void, Item>, summary: string, everyHours?: number) => {
    const run: MaintenanceTask['run'] = (options) => runPass(ports, pass, undefined, { ...options, isByRule: true });
    return own(pass.name, summary, run, pass.noted, everyHours);
  };
  const following = (one: MaintenanceTask): MaintenanceTask => ({ ...one, followsExtraction: true });
  return [
    // First: what the others write would be somebody's work.
    gitGc(ports),
    batchCommit(ports),
    {
      name: 'extract',
      summary: 'derive memories from conversations that are new',
      // Every hour where `extract.trigger` says so.
      everyHours: 0,
      run: (options) => extractNew(extract, options),
    },
    // What was said comes first; the other tasks of a night join its commit.
    nightTask(ports),
    task(layout, 'bring the storage to its present form'),
    task(reopening(store), 'open again what rules of earlier versions ended', 0),
    following(task(expiry, 'put aside what expired, faded or was promised and not heard of again')),
    following(task(reconciliation, 'name claims that say otherwise of the same')),
    following(
      own(
        'consolidate',
        'make one memory of several that say the same',
        (options) => consolidateMemories(ports, options),
        'last_consolidation_at',
      ),
    ),
    following(task(boxSealing, 'seal boxes in which nothing came any more')),
    following(task(entityMerge, 'join files about one thing')),
    following(task(entityProfiles, 'bring files about entities up to date')),
    following(task(behaviourProfile, 'bring the profile up to date')),
    following(task(reflections, 'shorten reflections that have grown too long')),
    following(task(topicIndex, 'index topics')),
    following(task(fold, 'fold lines that earlier versions wrote twice, or of what is gone')),
    ...condensing(ports),
    { ...task(gateLogPruning, 'remove old decisions of the gate of topics', weekly), at: 'prune' },
    own('gist', 'give gists to memories that have none', (options) => makeGists(ports, options)),
    task(splitProposals, 'name memories that could be several', weekly),
    task(decayGc, 'forget what faded in the archive'),
    task(ledgerKnowledge, 'bring knowledge in step with the ledger'),
    task(changelogArchival, 'archive older events of a long changelog'),
    task(ledgerCompaction, 'fold and archive what a long ledger needs no more', 24 * 30),
    task(ledgerPruning, 'archive events whose time is over', 24 * 90),
    task(ledgerUpkeep, 'bring the small files of the ledger up to date'),
    task(ledgerRebuild, 'make them anew', weekly),
    own(
      'graph',
      'make what follows from the changelog anew where it was left behind',
      // Not by rule: the undo of an event writes these files, and they follow from the log all the same.
      (options) => runPass(ports, graphUpkeep(store), undefined, options),
    ),
    task(reportFolding, 'fold the reports of months that are over'),
    task(packPass, 'write the page of what matters today'),
    ...periodicTags(ports),
    exploreExpiry(ports),
    {
      name: 'repack',
      summary: 'join small packs',
      everyHours: daily,
      isLocal: true,
      // It changes no object and no ref; a dry run tells nothing, for it takes reading the packs.
      async run({ dryRun }) {
        const merged = dryRun ? 0 : (await store.maintainPacks()).merged;
        return withoutCommit('repack', merged === 0 ? [] : [['repack', `${merged} packs became one`]]);
      },
    },
  ];
}
