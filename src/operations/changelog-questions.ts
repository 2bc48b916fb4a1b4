// What can be asked of the changelog of a state: its events, and whether it is whole.

import { MemoryError } from '../errors.ts';
import { minuteOf } from '../logs/append-change.ts';
import type { ChangelogCatalog } from '../logs/changelog.ts';
import { checkChangelog } from '../logs/changelog-integrity.ts';
import { activeEvents, chainOf, supersessionOf } from '../logs/supersession.ts';
import type { Configuration } from '../records/configuration.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { ChangeFilter, ChangesResult, IntegrityCheck } from '../types.ts';
import { timeOf } from './asked-times.ts';

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

/** Lists events, oldest first. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for the id of a chain. */
export function listChanges(question: ChangelogQuestion, filter: ChangeFilter): ChangesResult {
  const { changelogs, snapshot, configuration, now } = question;
  const { type, agent, scope, tag, chain, limit } = filter;
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
    throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
  }
  const moment = { now, timeZone: configuration.timezone };
  const since = timeOf(filter.since, 'since', moment, false);
  const until = timeOf(filter.until, 'until', moment, true);
  // The file has what a clock showed, without a zone.
  const [first, last] = [since, until].map((ms) => (ms === undefined ? ms : minuteOf(ms, configuration.timezone)));
  const { superseded = chain !== undefined, archived = chain !== undefined } = filter;
  const changelog = changelogs.changelogOf(snapshot);
  const all = [...(archived ? changelog.archived : []), ...changelog.events];
  if (chain !== undefined && !all.some(({ id }) => id === chain)) {
    throw new MemoryError('NOT_FOUND', `there is no event ${chain} in the changelog`, { where: 'chain' });
  }
  const successors = supersessionOf(all);
  const standing = new Set(superseded ? all : activeEvents(all));
  const area = scope?.toLowerCase();
  const archive = new Set(changelog.archived);
  const events = (chain === undefined ? all : chainOf(all, chain))
    .filter((event) => standing.has(event))
    .filter(
      ({ value }) =>
        (type === undefined || value.type === type) &&
        (agent === undefined || value.agent === agent) &&
        (area === undefined || value.scope.toLowerCase().includes(area)) &&
        (tag === undefined || value.tags.includes(tag)) &&
        (first === undefined || value.time >= first) &&
        (last === undefined || value.time <= last),
    )
    .map((event) => {
      const by = successors.get(event.id);
      return {
        ...event.value,
        path: event.path,
        ...(by === undefined ? {} : { supersededBy: by.id }),
        ...(archive.has(event) ? { archived: true as const } : {}),
      };
    });
  const { damaged, bent } = changelog;
  const { edited } = question;
  return {
    events: limit === undefined ? events : events.slice(-limit),
    damaged,
    bent,
    ...(edited === undefined ? {} : { edited }),
  };
}

/** Checks the changelog; no checks where there is none. */
export function changelogChecks({ changelogs, snapshot }: ChangelogQuestion): {
  readonly changes: number;
  readonly archivedChanges: number;
  readonly checks: readonly IntegrityCheck[];
} {
  const changelog = changelogs.changelogOf(snapshot);
  const isThere = changelog.events.length + changelog.archived.length + changelog.damaged.length > 0;
  return {
    changes: changelog.events.length,
    archivedChanges: changelog.archived.length,
    checks: isThere ? checkChangelog(changelog) : [],
  };
}
