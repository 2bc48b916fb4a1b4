// Changes of TODO.md: an item is added, goes to another section, or is completed. All other lines stay as people left them.

import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import { oneLine, withLastLineEnded } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import { todoSections } from '../../base/types/project-types.ts';
import type { TodoChange, TodoSection, TodoTask } from '../../base/types.ts';
import type { EditPlan } from '../../core/write/edits.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import {
  emptyTodo,
  formatItem,
  parseTodo,
  type TodoFile,
  type TodoItem,
  todoPath,
  withItem,
  withoutItem,
} from '../../store/records/todo-file.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { taskOf } from './project-questions.ts';

export interface TodoContext {
  /** Tells whether the changelog of a state has an event. */
  isEvent(snapshot: Snapshot, id: string): boolean;
  readonly configuration: Configuration;
  /** Milliseconds since the Unix epoch: says which day it is. */
  readonly now: number;
}

const longestTask = 500;

/** Plans a change and tells what became of the task. Throws INVALID_ARGUMENT, NOT_FOUND, AMBIGUOUS, ALREADY_EXISTS, QUOTA (`todo.in_progress`). */
export function planTodo(
  change: TodoChange,
  { isEvent, configuration, now }: TodoContext,
  note: (task: TodoTask) => void,
): EditPlan {
  if (change === null || typeof change !== 'object') throw noChange();
  return (snapshot: Snapshot) => {
    const text = snapshot.readText(todoPath) ?? emptyTodo;
    const limit = configuration.todo.inProgress;
    let after: string;
    let task: string;
    if ('add' in change) {
      const section = sectionOf(change.to ?? 'Backlog');
      task = wordsOf(change.add, 'add');
      after = added(text, task, section, limit);
    } else if ('complete' in change) {
      const item = found(parseTodo(text), change.complete, 'complete', false);
      const event = wordsOf(change.event, 'event');
      if (!isEvent(snapshot, event)) {
        const hint = 'Record it first, or name another event';
        throw new MemoryError('NOT_FOUND', `there is no event ${event} in the changelog`, { where: 'event', hint });
      }
      task = item.task;
      after = completed(text, item, { day: dayOf(now, configuration.timezone), events: [...item.events, event] });
    } else if ('move' in change) {
      const section = sectionOf(change.to);
      const item = found(parseTodo(text), change.move, 'move', true);
      task = item.task;
      after = moved(text, item, section, limit);
    } else {
      throw noChange();
    }
    const { items } = parseTodo(after);
    note(taskOf(items.find((item) => item.task === task)!, items));
    return { path: todoPath, after };
  };
}

const noChange = (): MemoryError =>
  new MemoryError('INVALID_ARGUMENT', 'a change needs add, move or done', { where: 'change' });

function wordsOf(text: unknown, where: string): string {
  const words = typeof text === 'string' ? oneLine(text, longestTask) : '';
  if (words !== '') return words;
  throw new MemoryError('INVALID_ARGUMENT', 'the words of the task are missing', { where });
}

function sectionOf(section: unknown): TodoSection {
  const found = todoSections.find((name) => name === section);
  if (found !== undefined && found !== 'Completed') return found;
  const [what, hint] =
    found === undefined
      ? [`${String(section)} is no section of TODO.md`, `There are ${todoSections.join(', ')}`]
      : ['a task is completed with the event that tells of it', 'Use complete, with event'];
  throw new MemoryError('INVALID_ARGUMENT', what, { where: 'to', hint });
}

/** Finds an item by its words, or by a part of them that no other item has. */
function found({ items }: TodoFile, words: unknown, where: string, isAnywhere: boolean): TodoItem {
  const wanted = wordsOf(words, where).toLowerCase();
  const candidates = isAnywhere ? items : items.filter(({ section }) => section !== 'Completed');
  const same = candidates.filter(({ task }) => task.toLowerCase() === wanted);
  const fitting = same.length > 0 ? same : candidates.filter(({ task }) => task.toLowerCase().includes(wanted));
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) {
    const hint = 'Give more of its words';
    throw new MemoryError('AMBIGUOUS', `${fitting.length} tasks have these words`, { where, hint });
  }
  const what = `no open task of TODO.md says ${JSON.stringify(wanted)}`;
  throw new MemoryError('NOT_FOUND', what, { where, hint: '`git memory project todo` lists them' });
}

function added(text: string, task: string, section: TodoSection, limit: number): string {
  const { items } = parseTodo(text);
  if (items.some((item) => item.section !== 'Completed' && item.task.toLowerCase() === task.toLowerCase()))
    throw new MemoryError('ALREADY_EXISTS', 'TODO.md has that task already', { where: 'add', hint: 'Move it' });
  checkLimit(items, section, limit);
  return withItem(text, section, formatItem(task), 'last');
}

function moved(text: string, item: TodoItem, section: TodoSection, limit: number): string {
  const file = parseTodo(text);
  const others = file.items.filter(({ start }) => start !== item.start);
  checkLimit(others, section, limit);
  const [first, ...below] = file.lines.slice(item.start, item.end);
  // What was done once is open again; its events stay in the log.
  const head = item.section === 'Completed' ? formatItem(item.task) : first!;
  return withItem(withoutItem(file, item), section, withLastLineEnded([head, ...below].join('')), 'last');
}

/** Finds the words of the open task that a caller names; throws NOT_FOUND, AMBIGUOUS. */
export function openTask(snapshot: Snapshot, words: string): string {
  return found(parseTodo(snapshot.readText(todoPath) ?? ''), words, 'complete', false).task;
}

function completed(
  text: string,
  item: TodoItem,
  done: { readonly day: string; readonly events: readonly string[] },
): string {
  const file = parseTodo(text);
  const below = file.lines.slice(item.start + 1, item.end);
  const events = [...new Set(done.events)];
  const lines = [formatItem(item.task, { day: done.day, events }), ...below].join('');
  return withItem(withoutItem(file, item), 'Completed', withLastLineEnded(lines), 'first');
}

function checkLimit(items: readonly TodoItem[], section: TodoSection, limit: number): void {
  const begun = items.filter((item) => item.section === 'In Progress').length;
  if (section !== 'In Progress' || begun < limit) return;
  throw new MemoryError('QUOTA', `${count(begun, 'task is', 'tasks are')} in progress, and ${limit} may be`, {
    where: todoPath,
    hint: 'Complete one or move it back; todo.in_progress in memory.yaml sets the limit',
  });
}
