// The tags that are made by themselves (spec 5 §3.4): of each day and week that is over and changed something. They stay on this machine.

import { dayOf, endOfDay, isoWeek } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import { commitAt } from '../git/revision.ts';
import { createTag, listTags } from '../history/tags.ts';
import type { Configuration } from '../records/configuration.ts';
import type { PassResult } from '../types.ts';
import { type MaintenanceTask, type TimeKey, withoutCommit } from './maintenance-task.ts';
import type { RunPorts } from './run-pass.ts';

/** So far back days are tagged that passed while nothing ran. */
const maxDays = 31;
const dayMs = 86_400_000;

interface Period {
  readonly tag: string;
  /** The last moment of it, in milliseconds. */
  readonly end: number;
}

/** Lists the days that are over, the newest last; or the weeks, each by its Sunday. */
function periodsBefore(now: number, timeZone: string, kind: 'daily' | 'weekly'): Period[] {
  const today = dayOf(now, timeZone);
  const noon = Date.parse(`${today}T12:00:00Z`);
  const days = Array.from({ length: maxDays }, (_, at) => new Date(noon - (maxDays - at) * dayMs));
  return days
    .filter((day) => kind === 'daily' || day.getUTCDay() === 0)
    .map((day) => day.toISOString().slice(0, 10))
    .map((day) => ({
      tag: kind === 'daily' ? `memory/daily/${day}` : `memory/weekly/${isoWeek(day)}`,
      end: endOfDay(day, timeZone),
    }));
}

type TagPorts = Pick<RunPorts, 'store' | 'clock' | 'configurationOf' | 'machine'>;

function tagTask(ports: TagPorts, kind: 'daily' | 'weekly', at: TimeKey, summary: string): MaintenanceTask {
  return {
    name: `tag-${kind}`,
    summary,
    everyHours: kind === 'daily' ? 24 : 24 * 7,
    at,
    isLocal: true,
    run: ({ dryRun = false }) => tagPeriods(ports, kind, dryRun),
  };
}

async function tagPeriods(
  { store, clock, configurationOf, machine }: TagPorts,
  kind: 'daily' | 'weekly',
  dryRun: boolean,
): Promise<PassResult> {
  const { repository } = store;
  const { tags, timezone }: Pick<Configuration, 'tags' | 'timezone'> = configurationOf(store.snapshot());
  const items: PassResult['items'][number][] = [];
  const left: { id: string; why: string }[] = [];
  const treeOf = (commit: string) => repository.objects.readCommit(commit).tree;
  const known = listTags(repository, `refs/tags/memory/${kind}/`);
  const names = new Set(known.map(({ tag }) => tag));
  let before = known.at(-1)?.commit;
  for (const { tag, end } of tags[kind] ? periodsBefore(clock.now(), timezone, kind) : []) {
    // A tag never moves, also not one that somebody made in the middle of the day.
    if (names.has(tag) || (known.length > 0 && tag < known.at(-1)!.tag)) continue;
    const commit = commitAt(repository, store.tip(), end);
    if (commit === null || (before !== undefined && treeOf(before) === treeOf(commit))) continue;
    before = commit;
    if (!dryRun) {
      try {
        const made = await createTag(store, tag, commit, machine);
        if (!made.isNew) continue;
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code !== 'ALREADY_EXISTS') throw error;
        left.push({ id: tag, why: error.what });
        continue;
      }
    }
    items.push({ action: 'tag', ids: [], why: `${tag} at ${commit.slice(0, 7)}`, paths: [] });
  }
  return withoutCommit(`tag-${kind}`, { items, left });
}

export function periodicTags(ports: TagPorts): readonly MaintenanceTask[] {
  return [
    tagTask(ports, 'daily', 'tagDaily', 'tag the days that are over'),
    tagTask(ports, 'weekly', 'tagWeekly', 'tag the weeks that are over'),
  ];
}
