// The one scheduler: what has a time is a task of maintenance, and here is who runs the tasks when. A program calls it once, from cron say,
// or stays and calls it whenever something is due. Of several at the same time one does the work.

import type { Logger, Processes } from '../../base/ports.ts';
import { formatTime } from '../../base/time.ts';
import type { MaintainOptions, MaintainResult, ScheduleResult, ScheduleRunResult } from '../../base/types.ts';
import { asMemoryError } from '../../store/git/file-errors.ts';
import { ProcessLock } from '../../store/git/process-lock.ts';
import { lastRunOf, type Maintenance, maintain, nextTimeOf } from './maintain.ts';
import { maintenanceLog } from './maintenance-log.ts';
import { groupOf } from './task-groups.ts';
import { timesOf } from './timetable.ts';

/** How long the loop waits at least between two rounds, and at most: a machine may have slept, and the configuration may have changed. */
const minPauseMs = 1_000;
const maxPauseMs = 10 * 60_000;
/** A program that is over sooner is not held up. */
const firstPauseMs = 60_000;

/** What running tasks again and again takes. */
export interface SchedulePorts {
  readonly maintenance: Maintenance;
  readonly processes: Processes;
  readonly logger: Logger;
  readonly nonce: () => string;
}

/** Tells when each task last ran here and when it is due. Throws INVALID_CONFIG. */
export function scheduleOf({ store, clock, configurationOf, machine, tasks }: Maintenance): ScheduleResult {
  const configuration = configurationOf(store.snapshot());
  const times = timesOf(configuration, tasks);
  const log = maintenanceLog(store.repository, store.ref);
  const now = clock.now();
  const { machine: designated = null } = configuration.maintain;
  return {
    timeZone: configuration.timezone,
    isAutomatic: configuration.schedule.auto,
    tasks: tasks.map((task) => {
      const last = lastRunOf(task, store, log);
      const next = nextTimeOf(task, times, last, now);
      const timing = times.timing(task);
      const when =
        task.dueAt !== undefined
          ? 'when something waits'
          : 'never' in timing
            ? 'when asked for'
            : 'cron' in timing
              ? timing.cron
              : `every ${timing.everyMs / 3_600_000} hours`;
      return {
        task: task.name,
        group: groupOf(task.name),
        summary: task.summary,
        when,
        ...(last === null ? {} : { last: formatTime(last) }),
        ...(next === null ? {} : { next: formatTime(Math.max(next, now)), isDue: next <= now }),
        ...(designated === null || designated === machine || task.isLocal ? {} : { elsewhere: designated }),
      };
    }),
  };
}

/** Does once what is due. Another process that is at it already, on whichever branch, is left alone: the answer says so. */
export async function runSchedule(
  { maintenance, processes, nonce }: SchedulePorts,
  options: MaintainOptions = {},
): Promise<ScheduleRunResult> {
  const { machine, store } = maintenance;
  const { disk, ownDirectory } = store.repository;
  const lock = new ProcessLock(disk, `${ownDirectory}/schedule`, processes, nonce());
  try {
    if (lock.tryAcquire() === null) return { machine, designated: null, runs: [], isBusy: true };
    try {
      return { ...(await maintain(maintenance, options)), isBusy: false };
    } finally {
      lock.release();
    }
  } finally {
    lock.dispose();
  }
}

/** Does what is due again and again until it is stopped; a stop during a task lets that task end, unless it can be aborted. */
export async function runUntilStopped(
  ports: SchedulePorts,
  { signal, onRun, ...options }: MaintainOptions & { signal: AbortSignal; onRun?: (result: MaintainResult) => void },
): Promise<MaintainResult & { rounds: number }> {
  const { maintenance } = ports;
  let result: MaintainResult = { machine: maintenance.machine, designated: null, runs: [] };
  let rounds = 0;
  while (!signal.aborted) {
    try {
      const { isBusy, ...done } = await runSchedule(ports, { ...options, signal });
      if (!isBusy) {
        result = done;
        rounds += 1;
        onRun?.(result);
      }
    } catch (error) {
      if (signal.aborted) break;
      throw error;
    }
    await pause(pauseAfter(maintenance, result), signal);
  }
  return { ...result, rounds };
}

function pauseAfter({ clock }: Maintenance, { runs }: MaintainResult): number {
  const times = runs.flatMap(({ next }) => (next === undefined ? [] : [Date.parse(next)]));
  return Math.min(Math.max(Math.min(...times) - clock.now(), minPauseMs), maxPauseMs);
}

/**
 * Begins the loop of a memory that is open, a while after it was opened; it never fails anybody else's call. Gives what ends it, and resolves when
 * what was under way is done or left.
 */
export function startSchedule(ports: SchedulePorts, startAfterMs = firstPauseMs): () => Promise<void> {
  const { maintenance, logger } = ports;
  const controller = new AbortController();
  const { signal } = controller;
  const loop = async (): Promise<void> => {
    await pause(startAfterMs, signal, true);
    while (!signal.aborted) {
      let pauseMs = maxPauseMs;
      try {
        if (maintenance.configurationOf(maintenance.store.snapshot()).schedule.auto) {
          const result = await runSchedule(ports, { signal });
          const failed = result.runs.filter(({ state }) => state === 'failed');
          for (const { task, why } of failed) logger.warn(`the task ${task} failed: ${why}`);
          pauseMs = pauseAfter(maintenance, result);
        }
      } catch (error) {
        if (signal.aborted) return;
        logger.warn(`what is due could not be done: ${asMemoryError(error)}`);
      }
      await pause(pauseMs, signal, true);
    }
  };
  const running = loop();
  return async () => {
    controller.abort();
    await running;
  };
}

/** `isIdle`: the wait alone keeps no program running. */
function pause(ms: number, signal: AbortSignal, isIdle = false): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (isIdle) timer.unref();
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
