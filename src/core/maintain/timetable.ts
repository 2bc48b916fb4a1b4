// When tasks are due by the clock: cron expressions in the time zone of the memory, or every so many hours since the last time.

import { Cron } from 'croner';
import { isCron, never } from '../../base/cron.ts';
import { MemoryError } from '../../base/errors.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { extractionTrigger } from '../extract/auto-extraction.ts';
import type { TaskTimes } from './maintenance-task.ts';
import { groupOf, taskGroups } from './task-groups.ts';

const hourMs = 3_600_000;

/** How a task is timed: an expression, so many milliseconds after the last time, or only when asked for. */
export type Timing =
  | { readonly cron: string; readonly timeZone: string }
  | { readonly everyMs: number }
  | { readonly never: true };

/**
 * Reads the times of a configuration. `schedule.tasks` wins over `maintain.every_hours`, that over the keys of `schedule`, and these over what
 * a task says of itself; a task over its group. Throws INVALID_CONFIG for tasks that do not exist.
 */
export function timesOf(
  configuration: Pick<Configuration, 'maintain' | 'schedule' | 'timezone' | 'extract' | 'autoExtract'>,
  tasks: readonly TaskTimes[],
) {
  const { maintain, schedule, timezone: timeZone } = configuration;
  const names = [...tasks.map(({ name }) => name), ...Object.keys(taskGroups)];
  checkNames('maintain.every_hours', Object.keys(maintain.everyHours), names);
  checkNames('schedule.tasks', Object.keys(schedule.tasks), names);
  const hourly: Readonly<Record<string, number>> = extractionTrigger(configuration) === 'hourly' ? { extract: 1 } : {};
  const ofHours = (hours: number): Timing => (hours === 0 ? { never: true } : { everyMs: hours * hourMs });
  const ofCron = (cron: string): Timing => (cron === never ? { never: true } : { cron, timeZone });
  const timing = ({ name, everyHours, at }: TaskTimes): Timing => {
    const cron = schedule.tasks[name] ?? schedule.tasks[groupOf(name)];
    if (cron !== undefined) return ofCron(cron);
    const hours = maintain.everyHours[name] ?? maintain.everyHours[groupOf(name)] ?? hourly[name];
    if (hours !== undefined) return ofHours(hours);
    if (at === undefined) return ofHours(everyHours);
    return ofCron(typeof at === 'string' ? schedule[at] : at.cron);
  };
  return {
    timing,
    /**
     * Tells when a task is due that last ran at `last`, in milliseconds; null for never. What is missed while no program ran is due at once, and
     * once only. One that never ran, or whose last time lies ahead (a clock gone wrong), is due now.
     */
    next(task: TaskTimes, last: number | null, now: number): number | null {
      const timed = timing(task);
      if ('never' in timed) return null;
      if (last === null || last > now) return now;
      return 'everyMs' in timed ? last + timed.everyMs : nextMatch(timed.cron, timed.timeZone, last);
    },
  };
}

/**
 * Finds the first time after a moment that an expression names on the clocks of a time zone, in milliseconds; null if there is none. A time
 * that a change of clocks leaves out comes right after it, one that comes twice counts once.
 */
export function nextMatch(cron: string, timeZone: string, after: number): number | null {
  if (!isCron(cron) || cron === never) return null;
  const job = new Cron(cron, { paused: true, timezone: timeZone, mode: '5-part' });
  return job.nextRun(new Date(after))?.getTime() ?? null;
}

function checkNames(key: string, named: readonly string[], names: readonly string[]): void {
  const unknown = named.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const hint = `There are ${Object.keys(taskGroups).join(', ')}`;
  throw new MemoryError('INVALID_CONFIG', `${key} names the unknown task ${unknown}`, { where: 'memory.yaml', hint });
}
