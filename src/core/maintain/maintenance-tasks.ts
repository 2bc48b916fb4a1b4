// The registry of what `maintain` does, in the order in which it is done. A pass joins it by one line.

import { defined } from '../../base/errors.ts';
import { dayOf } from '../../base/time.ts';
import { logOf } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { isOpen, reopened } from '../../store/claims/claim.ts';
import { packPass } from '../context/pack/pack.ts';
import { boxSealing, reconciliation } from '../extract/extraction-passes.ts';
import { changelogArchival, graphUpkeep } from '../ledger/changelog-passes.ts';
import { ledgerCompaction, ledgerPruning, ledgerRebuild, ledgerUpkeep } from '../ledger/ledger-passes.ts';
import { decayGc, expiry, gateLogPruning } from '../lifecycle/fading.ts';
import { layout } from '../lifecycle/layout.ts';
import { ledgerKnowledge } from '../lifecycle/ledger-knowledge.ts';
import type { Pass, PassItem, PassView } from '../lifecycle/pass.ts';
import { behaviourProfile, entityMerge, entityProfiles } from '../lifecycle/profiles.ts';
import { changedMemory } from '../lifecycle/record-changes.ts';
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

/** What the tasks take, each a part of it. */
type MaintenancePorts = ConsolidatePorts & CondensingPorts & ExpiryPorts & GitGcPorts & NightPorts;

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
  const join: MaintenanceTask['run'] = (options) => consolidateMemories(ports, options);
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
    following(own('consolidate', 'make one memory of several that say the same', join, 'last_consolidation_at')),
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

// Endings by rules: versions before 0.2 let hand-written rules decide that a later sentence ends an earlier one. Such an ending stays, as what
// was stored, until somebody asks for this pass. It lists them, and opens the claims again.

/** The rules that ended claims, alone or beside other extractors. */
const endingRules = /^rules(?:[/+][^@]*)?@[1-4](?:\D|$)/;

/** An ending that no act made. */
interface EndingByRules {
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** Memories of the commit that ended it: what took its place is among them, unless it was known to be over from the start. */
  readonly by: ReadonlySet<string>;
}

function endingsByRules(store: BranchStore, commit: string | null): Map<string, EndingByRules> {
  const endings = new Map<string, EndingByRules>();
  for (const [operation, text] of Object.entries({ extract: 'Closes: ', reconcile: 'Memory: ' })) {
    const { commits } = logOf(store.repository, commit, { text, limit: Number.POSITIVE_INFINITY });
    for (const { trailers, time } of commits) {
      const valuesOf = (wanted: string) => trailers.flatMap(({ key, value }) => (key === wanted ? [value] : []));
      const isByRules =
        operation === 'extract'
          ? valuesOf('Extractor').some((name) => endingRules.test(name))
          : valuesOf('Operation').includes(operation);
      if (!isByRules) continue;
      const memories = valuesOf('Memory');
      for (const id of operation === 'extract' ? valuesOf('Closes') : memories)
        if (!endings.has(id)) endings.set(id, { time: Date.parse(time), by: new Set(memories) });
    }
  }
  return endings;
}

/** Makes the pass that opens what rules of earlier versions ended, one commit each; what somebody ended since stays ended. */
function reopening(store: BranchStore): Pass<void> {
  return {
    name: 'reopen',
    commits: 'each',
    plan({ snapshot, memories, configuration: { timezone } }: PassView) {
      const endings = endingsByRules(store, snapshot.commit);
      const items = memories.flatMap((stored) => {
        const { id, replacedBy } = stored.record;
        const ending = endings.get(id);
        if (ending === undefined || replacedBy === undefined || isOpen(stored.record)) return [];
        if (!ending.by.has(replacedBy) && !ending.by.has(id)) return [];
        const why = `ended by rules on ${dayOf(ending.time, timezone)}, in favour of ${replacedBy}`;
        const changes = [changedMemory(stored, reopened(stored.record))];
        return [{ action: 'reopen', ids: [id, replacedBy], why, changes }];
      });
      return { items, left: [] };
    },
    describe: ([item]) => ({ subject: `${item!.ids[0]!.slice(0, 8)}, which rules had ended` }),
  };
}
