// Maintenance: the tasks that are due, one after the other, each a commit of its own; on the designated machine.

import { count } from '../../base/count.ts';
import { defined, MemoryError, orElse } from '../../base/errors.ts';
import { formatTime, millisecondsOf } from '../../base/time.ts';
import type { MaintainOptions, MaintainResult } from '../../base/types.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { nearestWord, withGuess } from '../../store/records/nearest-word.ts';
import {
  formatRecentExtractions,
  parseRecentExtractions,
  recentExtractionsPath,
} from '../../store/records/recent-extractions.ts';
import { metaPath, parseMeta } from '../../store/records/storage-meta.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Pass } from '../lifecycle/pass.ts';
import { changedFile } from '../lifecycle/record-changes.ts';
import type { Round } from '../write/round.ts';
import { endRound, type RunPorts, runPass } from '../write/run-pass.ts';
import { type MaintenanceLog, maintenanceLog } from './maintenance-log.ts';
import type { MaintenanceTask, TaskOptions } from './maintenance-task.ts';
import { taskGroups, tasksOf } from './task-groups.ts';
import { timesOf } from './timetable.ts';

/** The tasks of a memory, and what running them takes. */
export interface Maintenance extends RunPorts {
  /** In the order in which they are done. */
  readonly tasks: readonly MaintenanceTask[];
}

/**
 * Runs what is due, or the tasks and groups of tasks that are named, due or not.
 *
 * A task that fails is reported and does not keep the others from running. On a machine that is not the one of `maintain.machine` only
 * local tasks run. Throws INVALID_ARGUMENT for an unknown task, INVALID_CONFIG for one in the configuration; what aborts, aborts all.
 */
export async function maintain(maintenance: Maintenance, options: MaintainOptions = {}): Promise<MaintainResult> {
  const { store, clock, configurationOf, machine, isImmediate, tasks, round } = maintenance;
  const { tasks: wanted, dryRun = false, force = false, signal, onProgress } = options;
  const whole = configurationOf(store.snapshot());
  const configuration = whole.maintain;
  const times = timesOf(whole, tasks);
  const chosen = chosenTasks(tasks, wanted);
  const log = maintenanceLog(store.repository, store.ref);
  const designated = configuration.machine ?? null;
  const recent = recentExtractions(store.snapshot(), configuration);
  const runs: MaintainResult['runs'][number][] = [];
  const ran = new Map<string, number>();
  round?.begin();
  for (const task of chosen) {
    signal?.throwIfAborted();
    const last = lastRunOf(task, store, log);
    const now = clock.now();
    const next = task.followsExtraction && recent.areDue ? now : nextTimeOf(task, times, last, now);
    const about = { task: task.name, ...(last === null ? {} : { last: formatTime(last) }) };
    const due = next === null ? {} : { next: formatTime(next) };
    if (designated !== null && designated !== machine && !task.isLocal) {
      runs.push({ ...about, state: 'elsewhere', why: `only ${designated} does this, and this is ${machine}` });
    } else if (wanted === undefined && (next === null || next > now)) {
      runs.push({ ...about, ...due, state: 'not due', why: reasonToWait(task, next) });
    } else {
      const report = (progress: { done: number; total: number }) => onProgress?.({ what: task.summary, ...progress });
      const isNamed = wanted !== undefined;
      if (round !== undefined) round.task = task.name;
      const state = await runTask(task, { dryRun, force, isNamed, onProgress: report, ...defined({ signal }) });
      if (!dryRun && state.state === 'done') ran.set(task.name, now);
      const after = nextTimeOf(task, times, now, now);
      runs.push({ ...about, ...(after === null ? {} : { next: formatTime(after) }), ...state });
    }
  }
  const tried = new Set(runs.filter(({ state }) => state === 'done' || state === 'failed').map(({ task }) => task));
  const haveFollowed = tasks.every(({ name, followsExtraction }) => !followsExtraction || tried.has(name));
  if (haveFollowed && recent.names.length > 0 && isImmediate)
    await runPass(maintenance, afterExtractions, recent.names, { isByRule: true });
  await endRound(maintenance);
  for (const [task, time] of ran) if (round?.lost.has(task) !== true) log.note(task, time);
  return { machine, designated, runs: round === undefined ? runs : runs.map((one) => landedIn(one, round)) };
}

/** Says of a task whose work waited for the end of the round what became of that. */
function landedIn(one: MaintainResult['runs'][number], { landed, lost }: Round): MaintainResult['runs'][number] {
  const [commit, why] = [landed.get(one.task), lost.get(one.task)];
  if (why !== undefined) return { ...one, state: 'failed', why };
  if (commit === undefined || one.result === undefined) return one;
  return { ...one, result: { ...one.result, commits: [...one.result.commits, commit] } };
}

function reasonToWait(task: MaintenanceTask, next: number | null): string {
  if (next === null) return task.dueAt === undefined ? 'it runs when asked for' : 'nothing waits for it';
  const wait = task.notBefore?.();
  return wait?.time === next ? wait.why : 'it ran lately';
}

type TaskState = Omit<MaintainResult['runs'][number], 'task' | 'last' | 'next'>;

async function runTask(task: MaintenanceTask, options: TaskOptions): Promise<TaskState> {
  try {
    const result = await task.run(options);
    if (options.dryRun) return { state: 'planned', ...(result.refused ? { why: result.refused } : {}), result };
    return { state: 'done', result };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { state: 'failed', why: error.message, ...error.toJSON() };
  }
}

function chosenTasks(tasks: readonly MaintenanceTask[], wanted: MaintainOptions['tasks']): readonly MaintenanceTask[] {
  if (wanted === undefined) return tasks;
  const names = tasks.map(({ name }) => name);
  const chosen = tasksOf(wanted);
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown === undefined) return tasks.filter(({ name }) => chosen.includes(name));
  throw new MemoryError('INVALID_ARGUMENT', `there is no task ${unknown}`, {
    where: 'tasks',
    hint: withGuess(
      nearestWord(unknown, [...names, ...Object.keys(taskGroups)]),
      `There are ${Object.keys(taskGroups).join(', ')}`,
    ),
  });
}

/**
 * Runs the tasks that keep in order what extraction makes, if `maintain.every_extractions` extractions were made since they last ran. Null
 * if they are not due, or another machine maintains this memory. Throws LOCKED; the result names a task that fails.
 */
export async function maintainAfterExtractions(maintenance: Maintenance): Promise<MaintainResult | null> {
  const { store, configurationOf, machine, tasks } = maintenance;
  const snapshot = store.snapshot();
  const { machine: designated = machine, ...settings } = configurationOf(snapshot).maintain;
  if (!recentExtractions(snapshot, settings).areDue || designated !== machine) return null;
  const following = tasks.filter(({ followsExtraction }) => followsExtraction).map(({ name }) => name);
  return maintain(maintenance, { tasks: following });
}

/** The later of when it ran here and when it changed something anywhere; null when neither is known. */
export function lastRunOf(
  { name, noted }: MaintenanceTask,
  store: RunPorts['store'],
  log: MaintenanceLog,
): number | null {
  const text = noted === undefined ? null : store.snapshot().textIfWhole(metaPath);
  // The file is there to inform, and stops nothing.
  const meta = text === null ? null : orElse(() => parseMeta(text), null, 'INVALID_RECORD');
  const seconds = meta && (noted === 'last_gc_at' ? meta.lastGcAt : meta.lastConsolidationAt);
  const times = [log.read().get(name) ?? [], seconds === null ? [] : millisecondsOf(seconds)].flat();
  return times.length === 0 ? null : Math.max(...times);
}

/** When a task is due, in milliseconds; null for one that runs only when asked for, or for which nothing waits. */
export function nextTimeOf(
  task: MaintenanceTask,
  times: ReturnType<typeof timesOf>,
  last: number | null,
  now: number,
): number | null {
  const next = task.dueAt === undefined ? times.next(task, last, now) : task.dueAt();
  return next === null || task.notBefore === undefined ? next : Math.max(next, task.notBefore().time);
}

/** Names the extractions since the passes ran, and tells whether they are due again. */
function recentExtractions(
  snapshot: Snapshot,
  { everyExtractions }: Pick<Configuration['maintain'], 'everyExtractions'>,
): { readonly names: readonly string[]; readonly areDue: boolean } {
  const names = parseRecentExtractions(snapshot.textIfWhole(recentExtractionsPath));
  return { names, areDue: everyExtractions > 0 && names.length >= everyExtractions };
}

/** Notes that passes have followed some extractions; those that came meanwhile still count. Each extraction's commit notes itself. */
const afterExtractions: Pass<readonly string[]> = {
  name: 'after-extractions',
  plan({ snapshot }, _, names) {
    const settled = new Set(names);
    const before = snapshot.textIfWhole(recentExtractionsPath);
    const after = formatRecentExtractions(parseRecentExtractions(before).filter((name) => !settled.has(name)));
    if (before === null || after === before) return { items: [], left: [] };
    const why = `passes after ${count(names.length, 'extraction')}`;
    const changes = [changedFile(snapshot, recentExtractionsPath, after)];
    return { items: [{ action: 'note', ids: [], why, changes }], left: [] };
  },
  describe: ([item]) => ({ subject: item!.why }),
};
