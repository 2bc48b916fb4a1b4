// Finds what is wrong with a ledger, by file and line, and with the ids of any log. It repairs nothing: the log is what is true.

import { MemoryError } from '../base/errors.ts';
import { keptIn } from '../base/once-per.ts';
import type { IntegrityCheck, IntegrityProblem } from '../base/types.ts';
import type { HandEdits } from '../store/hand-edits.ts';
import { checkpointPath, openLoopsPath, parseCheckpoint, parseOpenLoops } from '../store/records/ledger-files.ts';
import { dayOfSegment } from '../store/records/ledger-segment.ts';
import { compareSequenceIds, formatSequenceId, parseSequenceId, seriesOfDay } from '../store/records/sequence-id.ts';
import type { Ledger, StoredEvent } from './ledger.ts';
import type { StoredEntry } from './log-catalog.ts';
import { openLoopsOf } from './open-loops.ts';

/** What stands beside the segments, as text; null where there is no such file. */
export interface LedgerSurroundings {
  readonly checkpoint: string | null;
  readonly openLoops: string | null;
  /** The ledger as the checkpoint has seen it; null where that commit is not here. */
  ledgerAt(commit: string): Ledger | null;
}

/** Runs every check; the order of problems is that of the files. */
export function checkIntegrity(ledger: Ledger, surroundings: LedgerSurroundings): readonly IntegrityCheck[] {
  const all = [...ledger.archived, ...ledger.events];
  const known = new Map(all.map((event) => [event.id, event]));
  const check = (name: string, problems: readonly IntegrityProblem[]): IntegrityCheck => ({ name, problems });
  return [
    check('lines', ledger.damaged),
    check('ids', [...(known.size === all.length ? [] : duplicates(all)), ...misplaced(ledger.events)]),
    check('sequence', gaps(ledger.events, known)),
    check(
      'supersession',
      ledger.events
        .filter(({ supersedes }) => supersedes !== undefined)
        .flatMap((event) => supersessionProblems(event, known)),
    ),
    check(
      'related',
      ledger.events
        .filter(({ value: { related, status } }) => related !== undefined || status === 'closed')
        .flatMap((event) => relatedProblems(event, known)),
    ),
    check('checkpoint', checkpointProblems(surroundings, known)),
    check('indexes', indexProblems(ledger, surroundings, known)),
  ];
}

const at = ({ path, line, id }: StoredEvent, why: string): IntegrityProblem => ({ path, line, id, why });

function misplaced(events: readonly StoredEvent[]): IntegrityProblem[] {
  const starts = new Map<string, string>();
  return events
    .filter(({ path, id }) => {
      const start = starts.get(path) ?? `${seriesOfDay(dayOfSegment(path)!)}-`;
      starts.set(path, start);
      return !id.startsWith(start);
    })
    .map((event) => at(event, 'the id is of another day'));
}

/** Ids of a day count up from 1 without a gap; what is archived is no gap. */
function gaps(events: readonly StoredEvent[], taken: ReadonlyMap<string, unknown>): IntegrityProblem[] {
  const problems: IntegrityProblem[] = [];
  const bySeries = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const series = event.id.slice(0, event.id.lastIndexOf('-'));
    keptIn(bySeries, series, () => []).push(event);
  }
  for (const own of bySeries.values()) {
    // Nearly all days are in a row, and a year has many.
    if (own.every(({ id }, position) => Number(id.slice(id.lastIndexOf('-') + 1)) === position + 1)) continue;
    for (const [position, event] of own.entries()) {
      if (position > 0 && compareSequenceIds(own[position - 1]!.id, event.id) > 0)
        problems.push(at(event, 'the id is lower than that of the event before it'));
    }
    problems.push(...missingIds(own, taken));
  }
  return problems;
}

function supersessionProblems(event: StoredEvent, known: ReadonlyMap<string, StoredEvent>): IntegrityProblem[] {
  const old = event.value.supersedes;
  if (old === undefined) return [];
  if (old === event.id) return [at(event, 'it supersedes itself')];
  const other = known.get(old);
  if (other === undefined) return [at(event, `it supersedes ${old}, which is not in the ledger`)];
  return other.time > event.time ? [at(event, `it supersedes ${old}, which is later`)] : [];
}

function relatedProblems(event: StoredEvent, known: ReadonlyMap<string, StoredEvent>): IntegrityProblem[] {
  const { related = [], status, supersedes } = event.value;
  const lost = related.filter((id) => !known.has(id));
  return [
    ...lost.map((id) => at(event, `it is related to ${id}, which is not in the ledger`)),
    ...(related.includes(event.id) ? [at(event, 'it is related to itself')] : []),
    ...(status === 'closed' && related.length === 0 && supersedes === undefined
      ? [at(event, 'it is closed, but names no commitment that it closes')]
      : []),
  ];
}

function checkpointProblems(
  { checkpoint }: LedgerSurroundings,
  known: ReadonlyMap<string, StoredEvent>,
): IntegrityProblem[] {
  if (checkpoint === null) return [];
  return readable(checkpointPath, (): IntegrityProblem[] => {
    const { lastProcessedEventId: id } = parseCheckpoint(checkpoint);
    return id === null || known.has(id) ? [] : [{ path: checkpointPath, id, why: `${id} is not in the ledger` }];
  });
}

/**
 * The list of open loops has to be what the ledger says, or what it said when the checkpoint was made. Native git, or an engine that did
 * not keep the list in step, may have brought events later; they are no contradiction. What it names has to be an event in any case.
 */
function indexProblems(
  ledger: Ledger,
  { checkpoint, openLoops, ledgerAt }: LedgerSurroundings,
  known: ReadonlyMap<string, StoredEvent>,
): IntegrityProblem[] {
  if (openLoops === null) return [];
  return readable(openLoopsPath, (): IntegrityProblem[] => {
    const listed = parseOpenLoops(openLoops);
    if (isListOf(listed, ledger)) return [];
    const lost = listed.filter((id) => !known.has(id));
    if (lost.length > 0) return lost.map((id) => ({ path: openLoopsPath, id, why: `${id} is not in the ledger` }));
    const commit = checkpoint === null ? null : readable(checkpointPath, () => parseCheckpoint(checkpoint).commit);
    const then = typeof commit === 'string' ? ledgerAt(commit) : null;
    return then === null || isListOf(listed, then)
      ? []
      : [
          {
            path: openLoopsPath,
            why: 'it is not what the ledger says; `git memory maintain ledger-rebuild` makes it anew',
          },
        ];
  });
}

function isListOf(listed: readonly string[], { events }: Ledger): boolean {
  const open = openLoopsOf(events).map(({ event }) => event.id);
  return listed.length === open.length && [...listed].sort().join() === open.sort().join();
}

function readable<T>(path: string, read: () => T): T | IntegrityProblem[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'INVALID_RECORD') return [{ path, why: error.what }];
    throw error;
  }
}

/** Says of edits by hand that no commit takes in what is wrong with them, at their lines. */
export const refusedProblems = (refused: HandEdits['skipped']): IntegrityProblem[] =>
  refused.map(({ path, why }) => {
    const told = why.startsWith(`${path}:`) ? why.slice(path.length) : '';
    const [, line, words] = /^:(\d+) (.*?)(?:\. `|$)/s.exec(told) ?? [];
    return { path, ...(line === undefined ? { why } : { line: Number(line), why: words! }) };
  });

const mostMissing = 20;

/** Finds ids that were given twice. */
export function duplicates(entries: readonly StoredEntry[]): IntegrityProblem[] {
  const first = new Map<string, StoredEntry>();
  return entries.flatMap((entry) => {
    const { path, line, id } = entry;
    const other = first.get(id);
    if (other === undefined) first.set(id, entry);
    return other === undefined ? [] : [{ path, line, id, why: `the id is that of ${other.path}:${other.line}, too` }];
  });
}

/** Finds the ids of one series that are missing below the highest; what is archived is not missing. */
export function missingIds(
  entries: readonly StoredEntry[],
  taken: { has(id: string): boolean } = new Set(entries.map(({ id }) => id)),
): IntegrityProblem[] {
  const [first] = entries;
  if (first === undefined) return [];
  const { series } = parseSequenceId(first.id)!;
  const last = entries.reduce((a, b) => (compareSequenceIds(a.id, b.id) > 0 ? a : b));
  const missing: string[] = [];
  for (let number = 1; number < parseSequenceId(last.id)!.number && missing.length < mostMissing; number++) {
    const id = formatSequenceId({ series, number });
    if (!taken.has(id)) missing.push(id);
  }
  return missing.length === 0
    ? []
    : [{ path: last.path, why: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing` }];
}

/** Finds ids that entries name and that no entry has, or that are their own; `log` is what it is called. */
export function lostNames(
  entries: readonly StoredEntry[],
  known: ReadonlySet<string>,
  log: string,
): IntegrityProblem[] {
  return entries.flatMap(({ path, line, id, names = [] }) =>
    names.flatMap((name) => {
      if (name === id) return [{ path, line, id, why: 'it refers to itself' }];
      return known.has(name) ? [] : [{ path, line, id, why: `it refers to ${name}, which is not in the ${log}` }];
    }),
  );
}
