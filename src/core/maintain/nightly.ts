// The consolidation of a night (spec 3). What was said becomes memories and events, and those become knowledge. The pack is written, the
// ledger is checked, and a report tells of it. Each step is a commit of one run, so that the night can be taken back as one.

import { defined, MemoryError } from '../../base/errors.ts';
import { dayOf, formatTime } from '../../base/time.ts';
import type { NightlyOptions, NightlyResult, NightlyStep, NightlyStepName, PassResult } from '../../base/types.ts';
import { createTag } from '../../history/index.ts';
import { ChangelogCatalog, growthSince, LedgerCatalog } from '../../logs/index.ts';
import { flushBefore } from '../../store/flush-before.ts';
import { checkpointIn } from '../../store/records/ledger-files.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { packPass } from '../context/pack/pack.ts';
import { askKnowledge, type KnowledgeQuestion } from '../knowledge/knowledge-questions.ts';
import {
  compactionReason,
  ledgerPruning,
  ledgerUpkeep,
  monthlyCompaction,
  pruningReason,
} from '../ledger/ledger-passes.ts';
import { integrityOf } from '../ledger/ledger-questions.ts';
import { ledgerKnowledge } from '../lifecycle/ledger-knowledge.ts';
import type { Pass, PassView } from '../lifecycle/pass.ts';
import { behaviourProfile, entityMerge, entityProfiles } from '../lifecycle/profiles.ts';
import { passViewOf, presentOf, type RunOptions, type RunPorts, refusedEdits, runPass } from '../write/run-pass.ts';
import type { MaintenanceTask } from './maintenance-task.ts';
import { areTold, formatNight, lastNightIn, nightlyReport, notWhole, reportPath } from './nightly-report.ts';
import { type ExtractEnded, extractNew } from './other-tasks.ts';

/** What a night takes beside running passes. */
export interface NightPorts extends RunPorts {
  readonly extract: ExtractEnded;
}

/** A step: the pass, and why this night is one for it; null where it is not. */
interface Step {
  readonly name: NightlyStepName;
  readonly summary: string;
  readonly pass: Pass<void>;
  reason?(view: PassView): string | null;
}

/** What is derived comes after what it is derived from; the checkpoint moves last. */
const steps: readonly Step[] = [
  { name: 'entities', summary: 'join files about one thing', pass: entityMerge },
  { name: 'profiles', summary: 'bring files about entities up to date', pass: entityProfiles },
  { name: 'profile', summary: 'bring the profile up to date', pass: behaviourProfile },
  { name: 'knowledge', summary: 'bring knowledge in step with the ledger', pass: ledgerKnowledge },
  {
    name: 'ledger-compact',
    summary: 'fold and archive what the ledger needs no more',
    pass: monthlyCompaction,
    reason: (view) => compactionReason(view.ledgers.ledgerOf(view.snapshot), view),
  },
  {
    name: 'ledger-prune',
    summary: 'archive events whose time is over',
    pass: ledgerPruning,
    reason: (view) => pruningReason(view.ledgers.ledgerOf(view.snapshot), view),
  },
  { name: 'pack', summary: 'write the page of what matters today', pass: packPass },
  { name: 'ledger', summary: 'check the ledger, and bring its small files up to date', pass: ledgerUpkeep },
];

/**
 * Consolidates what came since the last night, step by step. A step that fails is reported and keeps no other from running. With `dryRun`
 * each is planned upon the present. Throws LOCKED when another program holds git's index before it begins, and the reason of an abort.
 */
export const nightly = async (ports: NightPorts, options: NightlyOptions = {}): Promise<NightlyResult> =>
  new Night(ports, options).run();

/** The task: the steps of a night are listed one by one. */
export function nightTask(ports: NightPorts): MaintenanceTask {
  return {
    name: 'nightly',
    summary: 'consolidate the day',
    everyHours: 24,
    at: 'nightly',
    async run({ onProgress: _, ...options }) {
      const { steps: done, commits } = await nightly(ports, options);
      const failed = done.find(({ state }) => state === 'failed');
      const results = done.flatMap(({ result }) => result ?? []);
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
    },
  };
}

class Night {
  private readonly ports: NightPorts;
  private readonly options: NightlyOptions;
  private readonly done: NightlyStep[] = [];
  private readonly commits: string[] = [];
  private readonly changelogs = new ChangelogCatalog();
  private runId = '';
  private before: { readonly commit: string; tag: string | null } | null = null;

  constructor(ports: NightPorts, options: NightlyOptions) {
    this.ports = ports;
    this.options = options;
  }

  async run(): Promise<NightlyResult> {
    const { store, clock, configurationOf, isImmediate } = this.ports;
    const { dryRun = false, signal } = this.options;
    if (!dryRun && isImmediate) await flushBefore(store);
    const start = store.snapshot();
    const { timezone } = configurationOf(start);
    const day = dayOf(clock.now(), timezone);
    if (start.commit !== null) this.before = { commit: start.commit, tag: null };
    this.runId = `nightly-${day}-${start.commit?.slice(0, 12) ?? 'new'}`;
    const known = new Set(start.list('knowledge/').keys());
    const total = steps.length + 2;
    const isByHand = configurationOf(start).extract.trigger === 'manual';
    if (isByHand) this.done.push({ step: 'extract', state: 'nothing', why: 'extract.trigger is manual' });
    else
      await this.step('extract', 'derive memories from conversations', total, (running) =>
        extractNew(this.ports.extract, running),
      );
    for (const { name, summary, pass, reason } of steps) {
      signal?.throwIfAborted();
      const why = reason?.(passViewOf(this.ports, presentOf(this.ports)));
      if (why === null) this.done.push({ step: name, state: 'nothing' });
      else await this.step(name, summary, total, (running) => runPass(this.ports, pass, undefined, running), why);
    }
    const told = this.tell(start, known, day);
    const failures = this.done.filter(({ state }) => state === 'failed');
    const hasChanged = this.done.some(({ state }) => state === 'done' || state === 'planned');
    // A report is a change: what fails night after night gets one, and not one each night.
    const last = lastNightIn(presentOf(this.ports));
    const isNews = !areTold(failures, last) || (!told.ok && !last.includes(notWhole));
    if (hasChanged || isNews) {
      const night = { ...told, run: this.runId, before: this.before?.tag ?? null, steps: this.done };
      const text = formatNight(night, this.at(), formatTime(clock.now()));
      await this.step('report', 'report', total, (running) =>
        runPass(this.ports, nightlyReport, { day, text, mayWait: !isNews }, running),
      );
    } else this.done.push({ step: 'report', state: 'nothing' });
    const report = this.done.at(-1)!;
    return {
      ...told,
      run: this.commits.length === 0 ? null : this.runId,
      before: this.before?.tag ?? null,
      commits: this.commits,
      steps: this.done,
      report: report.state === 'done' || report.state === 'planned' ? reportPath(day) : null,
    };
  }

  /** Runs one step, and names the state before the night when the first one has changed something. */
  private async step(
    step: NightlyStepName,
    summary: string,
    total: number,
    run: (options: RunOptions) => Promise<PassResult>,
    why?: string,
  ): Promise<void> {
    const { dryRun = false, force = false, signal, onProgress } = this.options;
    onProgress?.({ what: summary, done: this.done.length, total });
    const reason = why === undefined ? {} : { why };
    try {
      const isByRule = step !== 'report' || this.ports.round !== undefined;
      const named = this.ports.isImmediate ? this.runId : undefined;
      const result = await run({ dryRun, force, isByRule, ...defined({ signal, run: named }) });
      this.commits.push(...result.commits);
      if (result.commits.length > 0) await this.nameBefore();
      const isIdle = result.items.length === 0;
      this.done.push({ step, state: isIdle ? 'nothing' : dryRun ? 'planned' : 'done', ...reason, result });
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.done.push({ step, state: 'failed', why: error.message, ...error.toJSON() });
    }
  }

  private async nameBefore(): Promise<void> {
    const { before, ports } = this;
    if (before === null || before.tag !== null) return;
    const day = this.runId.slice('nightly-'.length, 'nightly-0000-00-00'.length);
    const { tag } = await createTag(ports.store, `memory/before/nightly-${day}`, before.commit, ports.machine);
    before.tag = tag;
  }

  private tell(start: Snapshot, known: ReadonlySet<string>, day: string) {
    const present = presentOf(this.ports);
    const isChanged = (path: string) => present.oidOf(path) !== start.oidOf(path);
    const inRound = [...(present.overlay?.files.keys() ?? [])].filter(isChanged);
    const inCommits = present.commit === start.commit ? [] : (present.diffFrom(start) ?? []).map(({ path }) => path);
    const changed = [...new Set([...inCommits, ...inRound])];
    const files = changed.filter((path) => path.startsWith('knowledge/') && present.oidOf(path) !== null);
    const { counts, conflicts } = askKnowledge(this.at(), { day, states: [] });
    const extracted = this.done.find(({ step }) => step === 'extract')?.result?.items ?? [];
    return {
      day,
      events: newEvents(start, present, (commit) => passViewOf(this.ports, present).earlier(commit)),
      memories: extracted.flatMap(({ ids }) => ids),
      knowledge: {
        created: files.filter((path) => !known.has(path)).sort(),
        updated: files.filter((path) => known.has(path)).sort(),
      },
      stale: counts.stale,
      aging: counts.aging,
      conflicts: conflicts.length,
      ok: integrityOf(this.at()).ok,
    };
  }

  private at(): KnowledgeQuestion {
    const { store, catalog, configurationOf, clock, ledgers } = this.ports;
    const snapshot = presentOf(this.ports);
    return {
      ledgers,
      changelogs: this.changelogs,
      snapshot,
      refused: refusedEdits(store, snapshot),
      configuration: configurationOf(snapshot),
      now: clock.now(),
      at: (commit) => store.at(commit),
      claims: { memories: catalog.stored(snapshot), relations: catalog.relations(snapshot) },
    };
  }
}

/** Events since the checkpoint that stood when the night began; those of a compaction are its own. */
function newEvents(start: Snapshot, present: Snapshot, earlier: (commit: string) => Snapshot | null): string[] {
  const commit = checkpointIn((path) => start.readText(path))?.commit;
  const seen = commit ? earlier(commit) : null;
  const growth = seen === null ? null : growthSince(seen, present);
  if (growth !== null) return growth.map(({ id }) => id);
  // Before there was a checkpoint, and in a night of compaction: what the tree of the checkpoint has not.
  const catalog = new LedgerCatalog();
  const old = new Set(seen === null ? [] : catalog.ledgerOf(seen).events.map(({ id }) => id));
  const { events } = catalog.ledgerOf(present);
  return events.filter(({ id, value }) => !old.has(id) && value.compacts === undefined).map(({ id }) => id);
}
