// The verb that tells when things are done by themselves, does what is due, and prints lines for the schedulers of the machine.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import type { ScheduleResult, ScheduleRunResult } from '../../base/types.ts';
import { type ScheduleLines, schedulers } from '../../core/maintain/schedule-lines.ts';
import { taskGroups } from '../../core/maintain/task-groups.ts';
import { describeRun } from './maintain.ts';
import { hang, type Style, shortTime } from './style.ts';
import { defineVerb, underway } from './verb.ts';

type Output = Partial<ScheduleResult> &
  Partial<ScheduleRunResult> &
  Partial<ScheduleLines> & { readonly isShort?: boolean };

export const schedule = defineVerb({
  name: 'schedule',
  summary: 'Show when work is due, and do what is due',
  help:
    'Without arguments it lists scheduled work, its last run and its next. "tasks" lists every single task. "run" does ' +
    'what is due, once; parallel calls are safe, because one does the work. "crontab", "systemd" and "launchd" print ' +
    'lines that call it every quarter of an hour; they install nothing. Work that was missed while the machine slept is ' +
    'done once. Times are in memory.yaml (schedule, maintain.every_hours), in its timezone. The MCP server does due ' +
    'work by itself, unless schedule.auto is false.',
  input: z.strictObject({
    action: z
      .enum(['list', 'tasks', 'run', ...schedulers])
      .default('list')
      .describe('list, tasks, run, or the scheduler to print lines for: crontab, systemd, launchd'),
  }),
  positional: ['action'],
  flags: { changes: true, writes: 'now', asks: ({ action }) => action !== 'run' },
  example: { command: 'maintain schedule crontab', shows: 'a line for `crontab -e`' },
  async run(context, { action }): Promise<Output> {
    const memory = await context.whole();
    if (action === 'list') return { ...(await memory.maintenance.schedule()), isShort: true };
    if (action === 'tasks') return memory.maintenance.schedule();
    if (action !== 'run') return memory.maintenance.scheduleLines(action);
    return memory.maintenance.runDue(underway(context));
  },
  text(output, style) {
    if (output.tasks !== undefined) return listed(output as ScheduleResult, style, output.isShort === true);
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

type Row = ScheduleResult['tasks'][number];

function listed({ tasks, timeZone, isAutomatic }: ScheduleResult, style: Style, isShort: boolean): string {
  const rows = isShort ? groupRows(tasks, style) : taskRows(tasks, style);
  const who = isAutomatic
    ? 'the MCP server, and `git memory maintain schedule run`'
    : '`git memory maintain schedule run` alone';
  const zones = timeZone === 'UTC' ? 'All times in UTC.' : `Times of day in ${timeZone}, others in UTC.`;
  return [...rows, ...hang('', `${zones} Done by ${who}.`, style, 0)].join('\n');
}

function taskRows(tasks: readonly Row[], style: Style): string[] {
  const width = Math.max(...tasks.map(({ task }) => task.length)) + 2;
  const times = Math.max(...tasks.map(({ when }) => when.length)) + 2;
  return tasks.map((row) => `${row.task.padEnd(width)}${style.faint(row.when.padEnd(times))}${stateOf([row], style)}`);
}

/** A line for each group: which of its tasks is due first, and which ran last. */
function groupRows(tasks: readonly Row[], style: Style): string[] {
  const names = Object.keys(taskGroups).filter((name) => tasks.some(({ group }) => group === name));
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return names.flatMap((name) => [
    `${name.padEnd(width)}${stateOf(
      tasks.filter(({ group }) => group === name),
      style,
    )}`,
    ...hang('', taskGroups[name]!.summary, style, width).map(style.faint),
  ]);
}

function stateOf(rows: readonly Row[], style: Style): string {
  const [first, ...others] = rows;
  const next = rows.flatMap(({ next: time }) => time ?? []).sort()[0];
  const last = rows
    .flatMap(({ last: time }) => time ?? [])
    .sort()
    .at(-1);
  const isElsewhere = first?.elsewhere !== undefined && others.every(({ elsewhere }) => elsewhere === first.elsewhere);
  const due = rows.some(({ isDue }) => isDue) ? style.good('due') : next === undefined ? '–' : shortTime(next, style);
  const state = isElsewhere ? `on ${first.elsewhere}` : due;
  return last === undefined ? state : `${state}${style.faint(`  last ${shortTime(last, style)}`)}`;
}

function printed({ files, commands }: ScheduleLines, style: Style): string {
  const texts = files.map(({ path, text }) =>
    path === 'crontab' ? text.trimEnd() : `${style.faint(`# ${path}`)}\n${text}`,
  );
  return [...texts, ...commands.map((command) => style.faint(`# then: ${command}`))].join('\n');
}
