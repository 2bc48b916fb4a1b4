// Tasks of maintenance that are no passes: the batch, new conversations and expired experiments. Another tags the days and weeks that are
// over and changed something (spec 5 §3.4). The tags stay on this machine.

import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import { dayMs, dayOf, endOfDay, isoWeek } from '../../base/time.ts';
import type { ExpireResult, ExtractResult, PassOptions, PassResult } from '../../base/types.ts';
import { createTag, isAncestor, listTags } from '../../history/index.ts';
import { commitAt } from '../../store/git/revision.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { RunOptions, RunPorts } from '../write/run-pass.ts';
import { type MaintenanceTask, withoutCommit } from './maintenance-task.ts';

/** Commits the batch when its oldest write has waited for `flush_minutes`; inside a project commits are made on request. */
export function batchCommit(ports: Pick<RunPorts, 'store' | 'configurationOf' | 'isImmediate'>): MaintenanceTask {
  const { store, configurationOf, isImmediate } = ports;
  return {
    name: 'commit',
    summary: 'commit what has waited long enough',
    everyHours: 0,
    isLocal: true,
    dueAt() {
      const oldest = isImmediate ? store.pending()[0] : undefined;
      return oldest === undefined ? null : oldest.time + configurationOf(store.snapshot()).flushMinutes * 60_000;
    },
    async run({ dryRun }): Promise<PassResult> {
      const waiting = store.pending().length;
      if (waiting === 0 || !isImmediate) return withoutCommit('commit');
      const told = [['commit', `${waiting} writes wait`]] as const;
      if (dryRun) return withoutCommit('commit', told);
      const { commits, tree, skipped } = await store.flush();
      const left = skipped.map(({ path, why }) => ({ id: path, why }));
      return { ...withoutCommit('commit', commits.length === 0 ? [] : told, left), commits, tree };
    },
  };
}

export interface ExpiryPorts {
  /** Ends the experiments that expired, or with `dryRun` names them; where branches are not the memory's own, there are none. */
  readonly expireBranches: (dryRun: boolean) => Promise<ExpireResult>;
}

/** Ends `explore/*` branches that nobody went on with for `explore_days`, but for those that hold something of their own. */
export function exploreExpiry({ expireBranches }: ExpiryPorts): MaintenanceTask {
  return {
    name: 'explore',
    summary: 'end experiments that expired',
    everyHours: 24,
    isLocal: true,
    async run({ dryRun = false }): Promise<PassResult> {
      const { dropped, kept } = await expireBranches(dryRun);
      const left = kept.map(({ name, unmerged }) => ({
        id: name,
        why: unmerged === 0 ? 'it has writes that wait' : `it expired, and ${unmerged} operations are on it alone`,
      }));
      const told = (name: string, commit: string) =>
        `${name} expired at ${commit.slice(0, 7)}, and others have all of it`;
      return withoutCommit(
        'explore',
        dropped.map(({ name, commit }) => ['drop', told(name, commit)]),
        left,
      );
    },
  };
}

/** Extracts from the conversations that have ended and are new. */
export type ExtractEnded = (options: PassOptions & Pick<RunOptions, 'run'>) => Promise<ExtractResult>;

/** Reads what is new, each conversation a commit; rules cost nothing, and what a model may take is in memory.yaml. */
export async function extractNew(extract: ExtractEnded, options: PassOptions): Promise<PassResult> {
  const { transcripts, notes = [], left = 0 } = await extract(options);
  return {
    pass: 'extract',
    commits: transcripts.flatMap(({ commit }) => commit ?? []),
    tree: null,
    items: transcripts
      .map(({ path, created, updated }) => ({
        action: 'extract',
        ids: [...created.map(({ id }) => id), ...updated],
        why: `${created.length} new memories from ${path}`,
        paths: created.map((record) => record.path),
      }))
      .filter(({ ids }) => ids.length > 0),
    left: [
      ...notes.map((why) => ({ id: 'model', why })),
      ...(left === 0 ? [] : [{ id: 'rest', why: `${count(left, 'conversation is', 'conversations are')} left` }]),
    ],
    dropped: [],
  };
}

/** So far back days are tagged that passed while nothing ran, and weeks. */
const maxDays = { daily: 14, weekly: 31 } as const;

/** Lists the days that are over, with their last moments, the newest last; or the weeks, each by its Sunday. */
function periodsBefore(now: number, timeZone: string, kind: 'daily' | 'weekly') {
  const today = dayOf(now, timeZone);
  const noon = Date.parse(`${today}T12:00:00Z`);
  const days = Array.from({ length: maxDays[kind] }, (_, at) => new Date(noon - (maxDays[kind] - at) * dayMs));
  return days
    .filter((day) => kind === 'daily' || day.getUTCDay() === 0)
    .map((day) => day.toISOString().slice(0, 10))
    .map((day) => ({
      tag: kind === 'daily' ? `memory/daily/${day}` : `memory/weekly/${isoWeek(day)}`,
      end: endOfDay(day, timeZone),
    }));
}

/** Tags that the engine makes and takes away after so many days. A day is still found by its date, and each week has a tag. */
const passing: readonly (readonly [tag: RegExp, days: number])[] = [
  [/^memory\/daily\//, maxDays.daily],
  [/^memory\/before\/(?:nightly|distil|memory-md|journals|evict)-\d{4}-\d\d-\d\d/, 14],
];

/** Takes away tags whose time is over; what they name stays in the history of the branch, or they stay. */
async function expireTags({ store, clock, configurationOf }: TagPorts, dryRun: boolean): Promise<Told[]> {
  const { repository } = store;
  const { timezone } = configurationOf(store.snapshot());
  const told: Told[] = [];
  const tip = store.tip();
  const tags = tip === null ? [] : listTags(repository);
  // The last day that changed something stands for all since.
  const last = tags.findLast(({ tag }) => tag.startsWith('memory/daily/'))?.tag;
  for (const { tag, commit } of tags) {
    const days = passing.find(([kind]) => kind.test(tag))?.[1];
    const day = /\d{4}-\d\d-\d\d/.exec(tag)?.[0];
    if (tag === last || days === undefined || day === undefined || day >= dayOf(clock.now() - days * dayMs, timezone))
      continue;
    const ref = `refs/tags/${tag}`;
    const from = repository.refs.read(ref);
    // A tag that somebody made anew, with words of his own, is his.
    if (from !== commit || !isAncestor(repository.objects, commit, tip!)) continue;
    const identity = repository.objects.readCommit(commit).committer;
    const reason = `git-memory: ${tag} is over`;
    if (!dryRun && !(await store.updateRef({ ref, from, to: null, reason, identity }))) continue;
    told.push(['untag', `${tag} at ${commit.slice(0, 7)} is older than ${days} days`]);
  }
  return told;
}

type Told = readonly [action: string, why: string];
type TagPorts = Pick<RunPorts, 'store' | 'clock' | 'configurationOf' | 'machine'>;

async function tagPeriods(
  { store, clock, configurationOf, machine }: TagPorts,
  kind: 'daily' | 'weekly',
  dryRun: boolean,
): Promise<PassResult> {
  const { repository } = store;
  const { tags, timezone }: Pick<Configuration, 'tags' | 'timezone'> = configurationOf(store.snapshot());
  const told: Told[] = [];
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
    told.push(['tag', `${tag} at ${commit.slice(0, 7)}`]);
  }
  if (kind === 'daily') told.push(...(await expireTags({ store, clock, configurationOf, machine }, dryRun)));
  return withoutCommit(`tag-${kind}`, told, left);
}

/** Tags the days and the weeks that are over. */
export function periodicTags(ports: TagPorts): readonly MaintenanceTask[] {
  const task = (kind: 'daily' | 'weekly', days: number, cron: string, summary: string): MaintenanceTask => ({
    name: `tag-${kind}`,
    summary,
    everyHours: 24 * days,
    at: { cron },
    isLocal: true,
    run: ({ dryRun = false }) => tagPeriods(ports, kind, dryRun),
  });
  return [
    task('daily', 1, '0 0 * * *', 'tag the days that are over'),
    task('weekly', 7, '0 0 * * 1', 'tag the weeks that are over'),
  ];
}
