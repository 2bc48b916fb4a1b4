// Verbs about TODO.md: what is to be done, and the changes that leave all other lines as they are.

import { z } from 'zod';
import { defined, MemoryError } from '../../base/errors.ts';
import type { TodoChange, TodoResult, TodoSection, TodoTask } from '../../base/types.ts';
import { describeProblem } from './project.ts';
import type { Style } from './style.ts';
import { defineVerb, filled, maybe, oneOf } from './verb.ts';

export const todo = defineVerb({
  name: 'todo',
  summary: 'List the tasks of TODO.md',
  help:
    'The order is that of the file: in progress, up next, completed, backlog. "(after: another task)" in a task names ' +
    'what comes first. The list reports, by line, too many tasks in progress, and completed tasks without a day or an ' +
    'event.',
  input: z.strictObject({}),
  flags: { reads: true },
  example: { command: 'project todo', shows: 'the tasks by section, and what each waits for' },
  run: async (context): Promise<TodoResult> => (await context.view()).project.todo(),
  text({ tasks, problems }, style) {
    const sections = [...new Set(tasks.map(({ section }) => section))];
    const lines = sections.flatMap((section) => [
      style.strong(section),
      ...tasks.filter((task) => task.section === section).map((task) => `  ${describeTask(task, style)}`),
    ]);
    if (tasks.length === 0) lines.push('There is nothing to do.');
    return [...lines, ...problems.map((problem) => describeProblem(problem, style))].join('\n');
  },
});

function describeTask({ task, completed, events, waitsFor }: TodoTask, style: Style): string {
  const marks = [...(completed === undefined ? [] : [completed]), ...events];
  const waits = waitsFor.length === 0 ? '' : `  ${style.bad(`waits for ${waitsFor.join(', ')}`)}`;
  return `${task}${marks.length === 0 ? '' : `  ${style.faint(marks.join(', '))}`}${waits}`;
}

const places = { 'in-progress': 'In Progress', 'up-next': 'Up Next', backlog: 'Backlog' } as const;
const placeNames = Object.keys(places) as [keyof typeof places, ...(keyof typeof places)[]];

export const task = defineVerb({
  name: 'task',
  summary: 'Add, move or complete a task of TODO.md',
  help:
    'Name a task by its words, or by a part that no other task has. At most three tasks may be in progress ' +
    '(`todo.in_progress` in memory.yaml). A completed task names its event in the changelog; without --event the same ' +
    'commit records one. All other lines of the file stay unchanged.',
  input: z.strictObject({
    action: z.enum(['add', 'move', 'done']).describe('add, move or done'),
    task: filled.describe('the words of the task'),
    to: oneOf(placeNames, 'in-progress, up-next or backlog; where it is added or goes'),
    event: maybe('the event that tells of what is done, such as evt-012'),
  }),
  positional: ['action', 'task'],
  words: 'task',
  flags: { writes: 'batch' },
  example: { command: 'project task move --to in-progress migrations', shows: 'the task and the section it is in now' },
  run: async (context, { action, task: words, to, event }) =>
    (await context.memory()).project.task(changeOf(action, words, to === undefined ? undefined : places[to], event)),
  text: ({ task: { section, ...made } }, style) =>
    `${style.strong(section)}: ${describeTask({ section, ...made }, style)}`,
});

function changeOf(action: string, words: string, to: TodoSection | undefined, event: string | undefined): TodoChange {
  if (action === 'add') return { add: words, ...defined({ to }) };
  if (action === 'done') return { complete: words, ...defined({ event }) };
  if (to !== undefined) return { move: words, to };
  throw new MemoryError('INVALID_ARGUMENT', 'task move needs --to', {
    where: 'to',
    hint: `Use ${placeNames.join(', ')}`,
  });
}
