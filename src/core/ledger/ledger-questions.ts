// What can be asked of the ledger of a state: its events, what is open, whether it is whole.

import { defined } from '../../base/defined.ts';
import { orElse } from '../../base/or-else.ts';
import { dayMs, dayOf, formatTime } from '../../base/time.ts';
import type { EventFilter, EventsResult, IntegrityResult, LoopsResult } from '../../base/types.ts';
import {
  activeEvents,
  byTime,
  checkIntegrity,
  isPermanent,
  type LedgerCatalog,
  openLoopsOf,
  refusedProblems,
} from '../../logs/index.ts';
import type { HandEdits } from '../../store/hand-edits.ts';
import { checkpointPath, openLoopsPath } from '../../store/records/ledger-files.ts';
import { snakeCase } from '../../store/records/new-event.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { packPath } from '../context/pack/pack.ts';
import { buildPack } from '../context/pack/recall-pack.ts';
import { askedEntries, type ChangelogQuestion, changelogChecks } from './changelog-questions.ts';

/** The state that is asked, and how. */
export interface LedgerQuestion extends Omit<ChangelogQuestion, 'edited'> {
  readonly ledgers: LedgerCatalog;
  at(commit: string): Snapshot;
  /** Edits of the logs by hand that no commit takes in; default: none. */
  readonly refused?: HandEdits['skipped'];
}

/** Lists events, oldest first. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for the id of a chain. */
export function listEvents(question: LedgerQuestion, filter: EventFilter): EventsResult {
  const { type, priority, tag, limit } = filter;
  const entity = filter.entity === undefined ? undefined : snakeCase(filter.entity);
  const ledger = question.ledgers.ledgerOf(question.snapshot);
  const events = askedEntries(
    ledger,
    filter,
    question,
    'ledger',
    (since, until) =>
      ({ value, time }) =>
        (type === undefined || value.type === type) &&
        (priority === undefined || value.priority === priority) &&
        (entity === undefined || value.entity === entity) &&
        (tag === undefined || value.tags?.includes(tag) === true) &&
        (since === undefined || time >= since) &&
        (until === undefined || time <= until),
  )
    .sort((a, b) => byTime(a.entry, b.entry))
    .map(({ entry: { path, line, value }, became }) => ({ ...value, path, line, ...became }));
  return { events: limit === undefined ? events : events.slice(-limit), damaged: ledger.damaged };
}

/** Lists open commitments, oldest first. */
export function listLoops({ ledgers, snapshot, configuration, now }: LedgerQuestion): LoopsResult {
  const today = dayOf(now, configuration.timezone);
  const loops = openLoopsOf(ledgers.ledgerOf(snapshot).events).map(({ event, since, due, updates }) => ({
    ...event.value,
    ...defined({ due }),
    path: event.path,
    line: event.line,
    since: formatTime(since),
    ageDays: Math.max(0, Math.floor((now - since) / dayMs)),
    overdue: due !== undefined && due < today,
    waiting: event.value.tags?.includes('waiting') === true,
    ...(updates.length > 0 && { updates: updates.map(({ value: { id, ts, content } }) => ({ id, ts, content })) }),
  }));
  return { loops };
}

/** Checks the ledger and what stands beside it, and the changelog. */
export function integrityOf({
  ledgers,
  changelogs,
  snapshot,
  configuration,
  now,
  at,
  refused = [],
}: LedgerQuestion): IntegrityResult {
  const ledger = ledgers.ledgerOf(snapshot);
  // Only constraints can make it too long; what supersedes them has to be known.
  const events = ledger.events.filter(({ value }) => value.priority === 'P0' || value.supersedes !== undefined);
  const day = dayOf(now, configuration.timezone);
  const pack = buildPack({ day, events, archived: [], knowledge: [], conflicts: [], problems: [], configuration });
  const packProblems = pack.ok ? [] : [{ path: packPath, why: 'P0 alone does not fit into the pack' }];
  const found = checkIntegrity(ledger, {
    checkpoint: snapshot.textIfWhole(checkpointPath),
    openLoops: snapshot.textIfWhole(openLoopsPath),
    ledgerAt(commit) {
      // In a shallow clone, and after a history was rewritten, that commit is not here.
      return orElse(() => ledgers.ledgerOf(at(commit)), null, 'OBJECT_MISSING');
    },
  });
  const { checks: ofChangelog, ...changes } = changelogChecks({ changelogs, snapshot, configuration, now });
  const permanent = activeEvents(ledger.events).filter(isPermanent).length;
  const byHand = { name: 'edits by hand', problems: refusedProblems(refused) };
  const checks = [
    ...found,
    ...(refused.length > 0 ? [byHand] : []),
    { name: 'pack', problems: packProblems },
    ...ofChangelog,
  ];
  return {
    ok: checks.every(({ problems }) => problems.length === 0),
    events: ledger.events.length,
    archived: ledger.archived.length,
    ...changes,
    ...(permanent > configuration.ledger.compactAbove ? { permanent } : {}),
    checks,
  };
}
