// The verb that tells when things are done by themselves, does what is due, and prints lines for the schedulers of the machine.

import { z } from 'zod';
import { count } from '../base/count.ts';
import { type ScheduleLines, schedulers } from '../operations/schedule-lines.ts';
import type { ScheduleResult, ScheduleRunResult } from '../types.ts';
import { describeRun } from './maintain.ts';
import { hang, type Style, shortTime } from './style.ts';
import { defineVerb, underway } from './verb.ts';

type Output = Partial<ScheduleResult> & Partial<ScheduleRunResult> & Partial<ScheduleLines>;

export const schedule = defineVerb({
  name: 'schedule',
  summary: 'Say when what is done, and do what is due',
  help:
    'Alone it lists everything that has a time, when it last ran and when it is due. "run" does once what is due; several at the same time ' +
    'are safe, for one does the work. "crontab", "systemd" and "launchd" print lines that call it every quarter of an hour; nothing is ' +
    'installed. What was missed while the machine slept is done once. Times stand in memory.yaml (schedule, maintain.every_hours) and are ' +
    'read in its timezone. The MCP server does what is due by itself, unless schedule.auto is false.',
  input: z.strictObject({
    action: z
      .enum(['list', 'run', ...schedulers])
      .default('list')
      .describe('list, run, or the scheduler to print lines for: crontab, systemd, launchd'),
  }),
  positional: ['action'],
  flags: { changes: true, writes: 'now', asks: ({ action }) => action !== 'run' },
  example: { command: 'git memory maintain schedule crontab', shows: 'a line for `crontab -e`' },
  async run(context, { action }): Promise<Output> {
    const memory = await context.whole();
    if (action === 'list') return memory.schedule();
    if (action !== 'run') return memory.scheduleLines(action);
    return memory.runSchedule(underway(context));
  },
  text(output, style) {
    if (output.tasks !== undefined) return listed(output as ScheduleResult, style);
    if (output.files !== undefined) return printed(output as ScheduleLines, style);
    if (output.isBusy) return 'Another process is doing what is due.';
    const done = (output.runs ?? []).filter(({ state }) => state !== 'not due');
    if (done.length === 0) return 'Nothing is due.';
    const isIdle = ({ result }: (typeof done)[number]) => result?.items.length === 0 && result.left.length === 0;
    const idle = done.filter(isIdle).length;
    const lines = done.filter((run) => !isIdle(run)).map((run) => describeRun(run, style));
    if (idle > 0) lines.push(style.faint(`${count(idle, 'task')} found nothing to do.`));
    return lines.join('\n');
  },
  refusal: ({ runs }) => runs?.find(({ error }) => error !== undefined)?.error?.code,
});

function listed({ tasks, timeZone, isAutomatic }: ScheduleResult, style: Style): string {
  const width = Math.max(...tasks.map(({ task }) => task.length)) + 2;
  const times = Math.max(...tasks.map(({ when }) => when.length)) + 2;
  const rows = tasks.map(({ task, when, last, next, isDue, elsewhere }) => {
    const state =
      elsewhere !== undefined ? `on ${elsewhere}` : isDue ? style.good('due') : (next && shortTime(next)) || '–';
    const before = last === undefined ? '' : style.faint(`  last ${shortTime(last)}`);
    return `${task.padEnd(width)}${style.faint(when.padEnd(times))}${state}${before}`;
  });
  const who = isAutomatic
    ? 'the MCP server, and `git memory maintain schedule run`'
    : '`git memory maintain schedule run` alone';
  const zones = timeZone === 'UTC' ? 'All times in UTC.' : `Times of day in ${timeZone}, others in UTC.`;
  return [...rows, ...hang('', `${zones} Done by ${who}.`, style, 0)].join('\n');
}

function printed({ files, commands }: ScheduleLines, style: Style): string {
  const texts = files.map(({ path, text }) =>
    path === 'crontab' ? text.trimEnd() : `${style.faint(`# ${path}`)}\n${text}`,
  );
  return [...texts, ...commands.map((command) => style.faint(`# then: ${command}`))].join('\n');
}
