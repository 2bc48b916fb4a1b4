// The passes of the ledger: its small files brought up to date, made anew, and the archival that keeps it short.

import { formatJson } from '../../base/canonical-json.ts';
import { count } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import { withLastLineEnded } from '../../base/text.ts';
import { dayMs, formatTime } from '../../base/time.ts';
import {
  type Archival,
  activeEvents,
  checkIntegrity,
  type Ledger,
  planAppend,
  planCompaction,
  planPruning,
} from '../../logs/index.ts';
import type { FileChange } from '../../store/operation.ts';
import {
  checkpointIn,
  checkpointPath,
  formatCheckpoint,
  formatOpenLoops,
  integrityLogPath,
  integrityPath,
  openLoopsPath,
} from '../../store/records/ledger-files.ts';
import { ledgerArchivePath, parseLedger } from '../../store/records/ledger-segment.ts';
import { joinPieces } from '../../store/records/log.ts';
import { compareSequenceIds, dayOfSeries, parseSequenceId } from '../../store/records/sequence-id.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Pass, PassItem, PassView } from '../lifecycle/pass.ts';
import { changedFile } from '../lifecycle/record-changes.ts';
import { openIds } from './derivations.ts';

/** Brings open loops, checkpoint and the report on integrity in step with the ledger, where events came or went since. */
export const ledgerUpkeep = upkeep('ledger', false);

/** Makes them anew, whatever stands there: a correctness reset. */
export const ledgerRebuild = upkeep('ledger-rebuild', true);

function upkeep(name: string, always: boolean): Pass<void> {
  return {
    name,
    plan(view) {
      const { snapshot, now } = view;
      const ledger = view.ledgers.ledgerOf(snapshot);
      if (ledger.events.length === 0 && snapshot.oidOf(checkpointPath) === null) return { items: [], left: [] };
      const open = openIds(ledger);
      const before = checkpointIn((path) => snapshot.textIfWhole(path));
      const isSame =
        before?.lastProcessedEventId === lastId(ledger) &&
        before?.eventsProcessed === ledger.events.length &&
        snapshot.textIfWhole(openLoopsPath) === formatOpenLoops(open);
      if (isSame && !always) return { items: [], left: [] };
      const changes = smallFiles(snapshot, ledger, open, now).filter((change) => !isUnchanged(snapshot, change));
      if (isSame && changes.every(({ path }) => path !== openLoopsPath)) return { items: [], left: [] };
      const why = `${count(ledger.events.length, 'event')}, ${open.length} open`;
      const mayWait = !always && changes.every(({ path }) => path !== openLoopsPath);
      return { items: [{ action: 'derive', ids: [], why, changes, mayWait }], left: [] };
    },
    describe: ([item]) => ({ subject: `ledger: ${item?.why ?? ''}` }),
  };
}

/** Folds and archives when the ledger has more events that hold than `ledger.compact_above`. */
export const ledgerCompaction: Pass<void> = archival('ledger-compact', (ledger, view, rules) =>
  activeEvents(ledger.events).length > view.configuration.ledger.compactAbove
    ? planCompaction(ledger.events, rules)
    : [],
);

/** A night compacts a shorter ledger, too, and prunes, when something could have gone for so many days: a month, and a quarter (spec 3). */
const compactDays = 30;
const pruneDays = 90;

/** Tells why a night is one to compact: too many events that hold, or one that could have gone a month ago; null for none. */
export function compactionReason(ledger: Ledger, { now, configuration }: LedgerMoment): string | null {
  const { compactAbove } = configuration.ledger;
  const holding = activeEvents(ledger.events).length;
  if (holding > compactAbove) return `${count(holding, 'event')} hold, more than ${compactAbove}`;
  const plans = planCompaction(ledger.events, rulesOf({ now: now - compactDays * dayMs, configuration }));
  return plans.length === 0 ? null : `${plans.length} could have gone for ${compactDays} days`;
}

/** Tells why a night is one to prune: something was over a quarter ago; null for none. */
export function pruningReason(ledger: Ledger, { now, configuration }: LedgerMoment): string | null {
  const plans = planPruning(ledger.events, rulesOf({ now: now - pruneDays * dayMs, configuration }));
  return plans.length === 0 ? null : `${plans.length} were over for ${pruneDays} days`;
}

type LedgerMoment = Pick<PassView, 'now' | 'configuration'>;

function rulesOf({ now, configuration: { ledger, timezone } }: LedgerMoment): Parameters<typeof planCompaction>[1] {
  return { now, timeZone: timezone, p2Days: ledger.p2Days, p3Days: ledger.p3Days };
}

/** Folds and archives whatever its number: for who knows that it is time. */
export const monthlyCompaction = archival('ledger-compact', ({ events }, _, rules) => planCompaction(events, rules));

/** Archives the events of P2 and P3 whose time is over. */
export const ledgerPruning = archival('ledger-prune', ({ events }, _, rules) => planPruning(events, rules));

function archival(
  name: string,
  planOf: (ledger: Ledger, view: PassView, rules: Parameters<typeof planCompaction>[1]) => readonly Archival[],
): Pass<void> {
  return {
    name,
    mayRemoveLines: true,
    plan(view) {
      const ledger = view.ledgers.ledgerOf(view.snapshot);
      const plans = planOf(ledger, view, rulesOf(view));
      if (plans.length === 0) return { items: [], left: [] };
      const changes = archivalChanges(view, ledger, plans);
      // One thing, done as a whole: the items tell what it is made of, and share the changes.
      const items = plans.map(({ events, why: reason, summary }): PassItem => {
        const why = `${events.map(({ id }) => id).join(', ')}: ${reason}`;
        return { action: summary === undefined ? 'archive' : 'fold', ids: [], why, changes };
      });
      return { items, left: [] };
    },
    describe: (items) => ({ subject: `ledger: ${count(items.length, 'thing')} put into its archive` }),
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
    return changedFile(snapshot, path, isEmpty ? null : joinPieces(kept));
  });
  const archived = [...archives].map(([path, added]): FileChange => {
    const before = withLastLineEnded(snapshot.readText(path) ?? '');
    return changedFile(snapshot, path, before + added.join(''));
  });
  const drafts = plans.flatMap(({ summary }) => (summary === undefined ? [] : [{ draft: summary, time: now }]));
  const summaries = planAppend(snapshot, drafts, { now, timeZone: configuration.timezone });
  // The list of open commitments stays what it was: only what is closed or over has left.
  const last = summaries.events.at(-1)?.id ?? lastId(ledger);
  const left = ledger.events.length - leaving.length + summaries.events.length;
  const reset = snapshot.oidOf(checkpointPath) === null ? [] : [checkpointAt(snapshot, last, left, now, null)];
  return [...segments, ...archived, ...summaries.changes, ...reset];
}

/** What stands beside the segments, as the ledger says it. */
function smallFiles(snapshot: Snapshot, ledger: Ledger, open: readonly string[], now: number): FileChange[] {
  const checks = checkIntegrity(ledger, { checkpoint: null, openLoops: null, ledgerAt: () => null });
  const problems = checks.flatMap((check) => check.problems);
  const events = ledger.events.length;
  const log = snapshot.readText(integrityLogPath) ?? '# Integrity of the ledger\n\n';
  const [first] = problems;
  const wrong = `${count(problems.length, 'problem')}, the first ${first?.path}:${first?.line ?? 1}`;
  const sum = first === undefined ? 'whole' : wrong;
  const report = formatJson({ checked_at: formatTime(now), ok: first === undefined, checks });
  return [
    changedFile(snapshot, openLoopsPath, formatOpenLoops(open)),
    checkpointAt(snapshot, lastId(ledger), events, now, snapshot.commit),
    changedFile(snapshot, integrityPath, report),
    changedFile(snapshot, integrityLogPath, `${log}- ${formatTime(now)}: ${count(events, 'event')}, ${sum}\n`),
  ];
}

/** Notes how far the small files have come; what MEMORY.md has taken over stays. */
function checkpointAt(
  snapshot: Snapshot,
  lastProcessedEventId: string | null,
  eventsProcessed: number,
  now: number,
  commit: string | null,
): FileChange {
  const knowledge = checkpointIn((path) => snapshot.textIfWhole(path))?.knowledge;
  const checkpoint = { lastProcessedEventId, lastRunTs: formatTime(now), eventsProcessed, commit };
  return changedFile(snapshot, checkpointPath, formatCheckpoint({ ...checkpoint, ...defined({ knowledge }) }));
}

function isUnchanged(snapshot: Snapshot, { path, after }: FileChange): boolean {
  return after !== null && snapshot.read(path)?.equals(after) === true;
}

const lastId = ({ events }: Ledger): string | null => events.at(-1)?.id ?? null;
