// The passes of the ledger: its small files brought up to date, made anew, and the archival that keeps it short.

import { formatJson } from '../base/canonical-json.ts';
import { formatTime } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import type { Pass, PassItem, PassView } from '../lifecycle/pass.ts';
import { planAppend } from '../logs/append.ts';
import { type Archival, planCompaction, planPruning } from '../logs/compaction.ts';
import { checkIntegrity } from '../logs/integrity.ts';
import { type Ledger, LedgerCatalog } from '../logs/ledger.ts';
import { activeEvents } from '../logs/supersession.ts';
import {
  checkpointPath,
  formatCheckpoint,
  formatOpenLoops,
  integrityLogPath,
  integrityPath,
  openLoopsPath,
  parseCheckpoint,
} from '../records/ledger-files.ts';
import { ledgerArchivePath, parseLedger } from '../records/ledger-segment.ts';
import { joinPieces } from '../records/log.ts';
import { compareSequenceIds, dayOfSeries, parseSequenceId } from '../records/sequence-id.ts';
import type { FileChange } from '../store/operation.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { openIds } from './derivations.ts';

/** Brings open loops, checkpoint and the report on integrity in step with the ledger, where events came or went since. */
export const ledgerUpkeep = upkeep('ledger', false);

/** Makes them anew, whatever stands there: a correctness reset. */
export const ledgerRebuild = upkeep('ledger-rebuild', true);

function upkeep(name: string, always: boolean): Pass<void> {
  return {
    name,
    kind: 'maintenance',
    commits: 'together',
    plan({ snapshot, now }) {
      const ledger = new LedgerCatalog().ledgerOf(snapshot);
      if (ledger.events.length === 0 && snapshot.oidOf(checkpointPath) === null) return { items: [], left: [] };
      const open = openIds(ledger);
      const last = lastId(ledger);
      const before = readCheckpoint(snapshot);
      const isSame =
        before?.lastProcessedEventId === last &&
        before?.eventsProcessed === ledger.events.length &&
        snapshot.readText(openLoopsPath) === formatOpenLoops(open);
      if (isSame && !always) return { items: [], left: [] };
      const changes = derivedFiles(snapshot, ledger, now, snapshot.commit).filter(
        (change) => !isUnchanged(snapshot, change),
      );
      if (isSame && changes.every(({ path }) => path !== openLoopsPath)) return { items: [], left: [] };
      const why = `${ledger.events.length} events, ${open.length} open`;
      return { items: [{ action: 'derive', ids: [], why, changes }], left: [] };
    },
    describe: ([item]) => ({ subject: `ledger: ${item?.why ?? ''}` }),
  };
}

/** Folds and archives when the ledger has more events that hold than `ledger.compact_above`. */
export const ledgerCompaction: Pass<void> = {
  ...archival('ledger-compact', (ledger, view, rules) =>
    activeEvents(ledger.events).length > view.configuration.ledger.compactAbove
      ? planCompaction(ledger.events, rules)
      : [],
  ),
};

/** Archives the events of P2 and P3 whose time is over. */
export const ledgerPruning: Pass<void> = archival('ledger-prune', (ledger, _, rules) =>
  planPruning(ledger.events, rules),
);

function archival(
  name: string,
  planOf: (ledger: Ledger, view: PassView, rules: Parameters<typeof planCompaction>[1]) => readonly Archival[],
): Pass<void> {
  return {
    name,
    kind: 'maintenance',
    commits: 'together',
    mayRemoveLines: true,
    plan(view) {
      const { snapshot, configuration, now } = view;
      const { p2Days, p3Days } = configuration.ledger;
      const ledger = new LedgerCatalog().ledgerOf(snapshot);
      const plans = planOf(ledger, view, { now, timeZone: configuration.timezone, p2Days, p3Days });
      if (plans.length === 0) return { items: [], left: [] };
      const changes = archivalChanges(view, ledger, plans);
      // One thing, done as a whole: the items tell what it is made of, and share the changes.
      const items = plans.map(
        ({ events, why, summary }): PassItem => ({
          action: summary === undefined ? 'archive' : 'fold',
          ids: [],
          why: `${events.map(({ id }) => id).join(', ')}: ${why}`,
          changes,
        }),
      );
      return { items, left: [] };
    },
    describe: (items) => ({
      subject: `ledger: ${items.length} ${items.length === 1 ? 'thing' : 'things'} put into its archive`,
    }),
  };
}

function archivalChanges(
  { snapshot, configuration, now }: PassView,
  ledger: Ledger,
  plans: readonly Archival[],
): FileChange[] {
  const leaving = plans
    .flatMap(({ events }) => events)
    .sort((a, b) => a.time - b.time || compareSequenceIds(a.id, b.id));
  const lines = new Map<string, Set<number>>();
  const archives = new Map<string, string[]>();
  for (const { path, line, id, text } of leaving) {
    lines.set(path, (lines.get(path) ?? new Set()).add(line));
    const archive = ledgerArchivePath(dayOfSeries(parseSequenceId(id)!.series)!);
    archives.set(archive, [...(archives.get(archive) ?? []), text.endsWith('\n') ? text : `${text}\n`]);
  }
  const segments = [...lines].map(([path, gone]): FileChange => {
    const kept = parseLedger(snapshot.readText(path)!, path).filter(({ line }) => !gone.has(line));
    const isEmpty = kept.every(({ text }) => text.trim() === '');
    return { path, before: snapshot.oidOf(path), after: isEmpty ? null : Buffer.from(joinPieces(kept)) };
  });
  const archived = [...archives].map(([path, added]): FileChange => {
    const before = snapshot.readText(path) ?? '';
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    return { path, before: snapshot.oidOf(path), after: Buffer.from(before + gap + added.join('')) };
  });
  const drafts = plans.flatMap(({ summary }) => (summary === undefined ? [] : [{ draft: summary, time: now }]));
  const summaries = planAppend(snapshot, drafts, { now, timeZone: configuration.timezone });
  // The list of open commitments stays what it was: only what is closed or over has left.
  const reset: FileChange[] =
    snapshot.oidOf(checkpointPath) === null
      ? []
      : [
          change(
            snapshot,
            checkpointPath,
            formatCheckpoint({
              lastProcessedEventId: summaries.events.at(-1)?.id ?? lastId(ledger),
              lastRunTs: formatTime(now),
              eventsProcessed: ledger.events.length - leaving.length + summaries.events.length,
              commit: null,
            }),
          ),
        ];
  return [...segments, ...archived, ...summaries.changes, ...reset];
}

/** What stands beside the segments, as the ledger says it; also for who merges ledgers. */
export function derivedFiles(snapshot: Snapshot, ledger: Ledger, now: number, commit: string | null): FileChange[] {
  const checks = checkIntegrity(ledger, { checkpoint: null, openLoops: null, ledgerAt: () => null });
  const problems = checks.flatMap((check) => check.problems);
  const checkpoint = {
    lastProcessedEventId: lastId(ledger),
    lastRunTs: formatTime(now),
    eventsProcessed: ledger.events.length,
    commit,
  };
  const log = snapshot.readText(integrityLogPath) ?? '# Integrity of the ledger\n\n';
  const sum =
    problems.length === 0
      ? 'whole'
      : `${problems.length} problems, the first ${problems[0]!.path}:${problems[0]!.line ?? 1}`;
  return [
    change(snapshot, openLoopsPath, formatOpenLoops(openIds(ledger))),
    change(snapshot, checkpointPath, formatCheckpoint(checkpoint)),
    change(snapshot, integrityPath, formatJson({ checked_at: formatTime(now), ok: problems.length === 0, checks })),
    change(snapshot, integrityLogPath, `${log}- ${formatTime(now)}: ${ledger.events.length} events, ${sum}\n`),
  ];
}

function change(snapshot: Snapshot, path: string, text: string): FileChange {
  return { path, before: snapshot.oidOf(path), after: Buffer.from(text) };
}

function isUnchanged(snapshot: Snapshot, { path, after }: FileChange): boolean {
  return after !== null && snapshot.read(path)?.equals(after) === true;
}

function lastId({ events }: Ledger): string | null {
  return events.at(-1)?.id ?? null;
}

function readCheckpoint(snapshot: Snapshot) {
  const text = snapshot.readText(checkpointPath);
  try {
    return text === null ? null : parseCheckpoint(text);
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'INVALID_RECORD') return null;
    throw error;
  }
}
