// What can be asked of the logs of a state: events of the ledger and of the changelog, what is open, whether they are whole.

import { defined, MemoryError, orElse } from '../../base/errors.ts';
import { dayOf, daysBetween, formatTime } from '../../base/time.ts';
import type {
  ChangeFilter,
  ChangesResult,
  EntryFilter,
  EventFilter,
  EventsResult,
  IntegrityProblem,
  IntegrityResult,
  LoopsResult,
} from '../../base/types.ts';
import {
  activeEvents,
  byDueDay,
  byTime,
  type ChangelogCatalog,
  chainOf,
  checkChangelog,
  checkIntegrity,
  isPermanent,
  type LedgerCatalog,
  type LogState,
  minuteOf,
  openLoopsOf,
  refusedProblems,
  type StoredEntry,
  supersessionOf,
  waitingTag,
} from '../../logs/index.ts';
import { speakerOfQuote } from '../../store/claims/speaker.ts';
import type { HandEdits } from '../../store/hand-edits.ts';
import { changelogPath, isEventLog, otherFormOf } from '../../store/records/changelog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { checkpointPath, openLoopsPath } from '../../store/records/ledger-files.ts';
import { snakeCase } from '../../store/records/new-event.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { memoryTold, packPath } from '../context/pack/pack.ts';
import { buildPack } from '../context/pack/recall-pack.ts';
import { saidBefore } from '../lifecycle/quoted.ts';
import { timeOf } from '../recall/asked-times.ts';

/** The state that is asked, and how. */
export interface ChangelogQuestion {
  readonly changelogs: ChangelogCatalog;
  readonly snapshot: Snapshot;
  readonly configuration: Configuration;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Files that are seen as somebody edited them, and no commit has yet. */
  readonly edited?: readonly string[];
}

/** Lists the entries of a log that a filter asks for and the test lets through, each with what became of it. The limit is the caller's. */
export function askedEntries<Value extends { readonly tags?: readonly string[] }>(
  { events, archived }: Pick<LogState<Value>, 'events' | 'archived'>,
  filter: EntryFilter,
  { configuration, now }: Pick<ChangelogQuestion, 'configuration' | 'now'>,
  log: string,
  testOf: (since: number | undefined, until: number | undefined) => (entry: StoredEntry<Value>) => boolean,
): { entry: StoredEntry<Value>; became: { supersededBy?: string; archived?: true } }[] {
  const { chain, limit, superseded = chain !== undefined } = filter;
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
  const moment = { now, timeZone: configuration.timezone };
  const since = timeOf(filter.since, 'since', moment, false);
  const until = timeOf(filter.until, 'until', moment, true);
  const all = [...((filter.archived ?? chain !== undefined) ? archived : []), ...events];
  if (chain !== undefined && !all.some(({ id }) => id === chain))
    throw new MemoryError('NOT_FOUND', `there is no event ${chain} in the ${log}`, { where: 'chain' });
  const successors = supersessionOf(all);
  const standing = new Set(superseded ? all : activeEvents(all));
  const aside = new Set(archived);
  const fits = testOf(since, until);
  return (chain === undefined ? all : chainOf(all, chain))
    .filter((entry) => standing.has(entry) && fits(entry))
    .map((entry) => {
      const became = { supersededBy: successors.get(entry.id)?.id, archived: aside.has(entry) || undefined };
      return { entry, became: defined(became) as { supersededBy?: string; archived?: true } };
    });
}

/** Lists events, oldest first. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for the id of a chain. */
export function listChanges(question: ChangelogQuestion, filter: ChangeFilter): ChangesResult {
  const { changelogs, snapshot, configuration, edited } = question;
  const { type, agent, scope, tag, limit } = filter;
  const changelog = changelogs.changelogOf(snapshot);
  const bent = [...formOf(snapshot), ...changelog.bent];
  const area = scope?.toLowerCase();
  const events = askedEntries(changelog, filter, question, 'changelog', (since, until) => {
    // The file has what a clock showed, without a zone.
    const [first, last] = [since, until].map((ms) => (ms === undefined ? ms : minuteOf(ms, configuration.timezone)));
    return ({ value }) =>
      (type === undefined || value.type === type) &&
      (agent === undefined || value.agent === agent) &&
      (area === undefined || value.scope.toLowerCase().includes(area)) &&
      (tag === undefined || value.tags.includes(tag)) &&
      (first === undefined || value.time >= first) &&
      (last === undefined || value.time <= last);
  }).map(({ entry, became }) => ({ ...entry.value, path: entry.path, ...became }));
  return {
    events: limit === undefined ? events : events.slice(-limit),
    damaged: changelog.damaged,
    bent,
    ...defined({ edited }),
  };
}

type Checked = Pick<IntegrityResult, 'changes' | 'archivedChanges' | 'checks'>;

/** Checks the changelog; no checks where there is none. */
export function changelogChecks({ changelogs, snapshot }: ChangelogQuestion): Checked {
  const changelog = changelogs.changelogOf(snapshot);
  const isThere = changelog.events.length + changelog.archived.length + changelog.damaged.length > 0;
  return {
    changes: changelog.events.length,
    archivedChanges: changelog.archived.length,
    checks: isThere ? checkChangelog(changelog, formOf(snapshot, true)) : [],
  };
}

/** Tells where the file lacks the section of events; `isLog`: only where it has events all the same. */
function formOf(snapshot: Snapshot, isLog = false): IntegrityProblem[] {
  const text = snapshot.textIfWhole(changelogPath);
  const why = text === null || (isLog && !isEventLog(text)) ? null : otherFormOf(text);
  return why === null ? [] : [{ path: changelogPath, line: 1, why }];
}

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

/** Lists open commitments, the next to be due first. */
export function listLoops({ ledgers, snapshot, configuration, now }: LedgerQuestion): LoopsResult {
  const today = dayOf(now, configuration.timezone);
  const toldBy = (event: (typeof open)[number]['event']) => {
    const record = memoryTold(snapshot, event.value);
    return record === null ? {} : { speaker: speakerOfQuote(record), before: saidBefore(snapshot)(record) };
  };
  const open = openLoopsOf(ledgers.ledgerOf(snapshot).events).sort(byDueDay(today));
  const loops = open.map(({ event, since, due, updates }) => ({
    ...event.value,
    ...defined({ due, ...toldBy(event) }),
    path: event.path,
    line: event.line,
    since: formatTime(since),
    ageDays: Math.max(0, daysBetween(dayOf(since, configuration.timezone), today)),
    overdue: due !== undefined && due < today,
    waiting: event.value.tags?.includes(waitingTag) === true,
    ...(updates.length > 0 && { updates: updates.map(({ value: { id, ts, content } }) => ({ id, ts, content })) }),
  }));
  return { loops };
}

/** Checks the ledger and what stands beside it, and the changelog. */
export function integrityOf(question: LedgerQuestion): IntegrityResult {
  const { ledgers, changelogs, snapshot, configuration, now, at, refused = [] } = question;
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
