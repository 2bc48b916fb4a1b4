// The verb that maintains a memory: forgets, archives, tidies, as it is due.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import { singleSpaced } from '../../base/text.ts';
import type { MaintainResult } from '../../base/types.ts';
import { hang, type Style, shortOid, shortTime } from './style.ts';
import { defineVerb, flag, several } from './verb.ts';

const maxShown = 12;
const maxLeft = 4;
/** As wide as most names of tasks, and a space; a table with a longer one is wider. */
const nameWidth = 16;

export const maintain = defineVerb({
  name: 'maintain',
  summary: 'Archive and forget what faded, and tidy up',
  help:
    'Runs the tasks that are due by maintain.every_hours of memory.yaml, or those you name. Each task is one commit, ' +
    'and undo takes it back. Faded memories are archived, and forgotten at least two weeks later. These do not fade: ' +
    'people, things, relationships, decisions, principles, preferences, corrections, skills, open commitments, P0, P1, ' +
    'and facts of normal importance. To remove more than a fifth of all memories at once, say --force. If memory.yaml ' +
    'sets maintain.machine, only that machine runs tasks. Memories that are used meanwhile stay. A daemon runs until ' +
    'SIGTERM.',
  input: z.strictObject({
    tasks: several('what to do, due or not: memories, fading, pages, journal, storage …; or a single task, such as gc'),
    force: flag('also when more than a fifth of the memories would go at once'),
    daemon: flag('stay, and do what becomes due, until stopped'),
  }),
  positional: ['tasks'],
  flags: { changes: true, writes: 'now', stays: 'daemon' },
  example: { command: 'maintain --dry-run gc', shows: 'what would be forgotten, why, and how weak it is' },
  async run(context, input) {
    const memory = await context.whole();
    const { tasks, force, daemon } = input;
    const options = {
      ...(tasks === undefined || tasks.length === 0 ? {} : { tasks }),
      ...(force ? { force } : {}),
      ...(context.dryRun ? { dryRun: true } : {}),
      onProgress: ({ what, done, total }: { what: string; done: number; total: number }) =>
        context.onProgress({ what, done, total }),
    };
    const { signal } = context;
    if (daemon && signal !== undefined) return memory.maintenance.runUntilStopped({ ...options, signal });
    return memory.maintenance.run({ ...options, ...defined({ signal }) });
  },
  text(output, style) {
    const width = Math.max(nameWidth, ...output.runs.map(({ task }) => task.length + 2));
    const isIdle = ({ state, result }: MaintainResult['runs'][number]) =>
      state === 'not due' || (result?.items.length === 0 && result.left.length === 0);
    const idle = output.runs.filter(isIdle);
    // Where one thing was asked for, that it had nothing to do is the answer.
    const isLong = idle.length > 3;
    const lines = output.runs.filter((run) => !isLong || !isIdle(run)).map((run) => describeRun(run, style, width));
    if (isLong) lines.push(style.faint(`${idle.length} tasks are not due, or found nothing to do.`));
    return lines.join('\n');
  },
  refusal: (output) => output.runs.find(({ error }) => error !== undefined)?.error?.code,
});

/** Renders what became of one task; `width` is that of the column of names. */
export function describeRun(
  run: MaintainResult['runs'][number],
  style: Style,
  width = Math.max(nameWidth, run.task.length + 2),
): string {
  const head = run.task.padEnd(width);
  const { result } = run;
  if (run.state === 'failed') return hang(style.bad(head), run.why ?? '', style, width).join('\n');
  if (result === undefined) {
    const when = run.next === undefined ? '' : `, next ${shortTime(run.next, style)}`;
    return style.faint(`${head}${run.state === 'not due' ? `not due${when}` : (run.why ?? run.state)}`);
  }
  const lines = [`${head}${describeOutcome(run, style)}`];
  // What is to be done is shown whole: by it somebody decides.
  const most = run.state === 'planned' ? undefined : 2;
  for (const item of result.items.slice(0, maxShown)) {
    const about = 'content' in item ? `: ${singleSpaced(String(item.content))}` : '';
    const names = item.ids.map((id) => id.slice(0, 10)).join(', ');
    const said = `${names}${names === '' ? '' : ', '}${item.why}${about}`;
    lines.push(...hang(`  ${style.good(item.action)}`, said, style, 12, most));
  }
  const more = result.items.length - maxShown;
  if (more > 0) lines.push(style.faint(`  … and ${more} more`));
  for (const { action, ids, why } of result.dropped)
    lines.push(...hang('  -', `not done: ${action} ${ids.join(' ')}: ${why}`, style, 4, 2).map(style.faint));
  for (const { id, why } of result.left.slice(0, maxLeft))
    lines.push(...hang('  left', `${id.slice(0, 10)}, ${why}`, style, 12, 2).map(style.faint));
  if (result.left.length > maxLeft) lines.push(style.faint(`  … and ${result.left.length - maxLeft} more left`));
  if (run.why !== undefined) lines.push(...hang(style.bad('  !'), `${run.why}; it needs --force`, style, 4));
  return lines.join('\n');
}

function describeOutcome({ state, result }: MaintainResult['runs'][number], style: Style): string {
  const commits = result!.commits.map((oid) => style.reference(shortOid(oid))).join(' ');
  if (result!.items.length === 0) return style.faint('nothing to do');
  const things = count(result!.items.length, 'thing');
  return state === 'planned' ? `${things} to do` : `${things} done${commits === '' ? '' : `  ${commits}`}`;
}
