// What can be asked of the changelog of a state: its events, and whether it is whole.

import { defined } from '../../base/defined.ts';
import { MemoryError } from '../../base/errors.ts';
import type { ChangeFilter, ChangesResult, EntryFilter, IntegrityProblem, IntegrityResult } from '../../base/types.ts';
import {
  activeEvents,
  type ChangelogCatalog,
  chainOf,
  checkChangelog,
  type LogState,
  minuteOf,
  type StoredEntry,
  supersessionOf,
} from '../../logs/index.ts';
import { changelogPath, isEventLog, otherFormOf } from '../../store/records/changelog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Snapshot } from '../../store/snapshot.ts';
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
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
    throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
  }
  const moment = { now, timeZone: configuration.timezone };
  const since = timeOf(filter.since, 'since', moment, false);
  const until = timeOf(filter.until, 'until', moment, true);
  const all = [...((filter.archived ?? chain !== undefined) ? archived : []), ...events];
  if (chain !== undefined && !all.some(({ id }) => id === chain)) {
    throw new MemoryError('NOT_FOUND', `there is no event ${chain} in the ${log}`, { where: 'chain' });
  }
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
