// TODO.md: tasks in four sections, which people edit. Every change is a change of lines; all others stay as they are.

import { splitKeepingEnds } from '../../base/text.ts';
import { type TodoSection, todoSections } from '../../base/types/project-types.ts';
import { sequenceIdsIn } from './sequence-id.ts';

export const todoPath = 'TODO.md';

/** An item with the lines below it that belong to it. */
export interface TodoItem {
  readonly section: TodoSection;
  /** The words behind the box, without day and events of a completion. */
  readonly task: string;
  readonly isDone: boolean;
  readonly completed: string | null;
  readonly events: readonly string[];
  /** What it names as to be done before. */
  readonly after: readonly string[];
  /** 0-based: its first line, and the one behind its last. */
  readonly start: number;
  readonly end: number;
}

export interface TodoFile {
  readonly lines: readonly string[];
  /** The line of each heading, 0-based. */
  readonly headings: ReadonlyMap<TodoSection, number>;
  readonly items: readonly TodoItem[];
}

/** TODO.md without tasks. */
export const emptyTodo = `# TODO

${todoSections.map((title) => `## ${title}\n`).join('\n')}`;

const itemStart = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(\S.*?)\r?\n?$/;
const placeholder = /^(?:\(?none(?: yet)?\)?|—|-)$/i;

/** Reads a list of tasks. The four headings may have any level and other words beside theirs; a plain list of boxes needs none. */
export function parseTodo(text: string): TodoFile {
  const lines = splitKeepingEnds(text);
  const headings = new Map<TodoSection, number>();
  const items: TodoItem[] = [];
  let section: TodoSection | null = null;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (/^ {0,3}#{1,6}[ \t]/.test(line)) {
      const title = line.toLowerCase();
      section = todoSections.find((name) => title.includes(name.toLowerCase())) ?? null;
      if (section !== null && !headings.has(section)) headings.set(section, at);
      continue;
    }
    const match = itemStart.exec(line);
    // Outside of the sections a box says what a task is.
    const own = section ?? (match?.[1] === undefined ? null : match[1] === ' ' ? 'Up Next' : 'Completed');
    if (own === null || match === null || placeholder.test(match[2]!)) continue;
    const start = at;
    while (at + 1 < lines.length && indentOf(lines[at + 1]!) > indentOf(line)) at += 1;
    items.push({ section: own, ...readItem(match[2]!), isDone: /x/i.test(match[1] ?? ''), start, end: at + 1 });
  }
  return { lines, headings, items };
}

/** How far a line is indented; -1 for a blank one, which ends an item. */
const indentOf = (line: string): number => (line.trim() === '' ? -1 : /^[ \t]*/.exec(line)![0].length);

/** ` — 2026-11-22, evt-012` at the end of an item that is done. */
const completion = / [—–-] (\d{4}-\d\d-\d\d)?[, ]*((?:evt-\d{3,9}[, ]*)*)$/;

function readItem(words: string): Pick<TodoItem, 'task' | 'completed' | 'events' | 'after'> {
  const done = completion.exec(words);
  const isDone = done !== null && (done[1] !== undefined || done[2] !== '');
  const task = isDone ? words.slice(0, done.index) : words;
  const after = /\((?:after|depends on|needs):? ([^()]+)\)/i.exec(task)?.[1] ?? '';
  return {
    task: task.trim(),
    completed: (isDone ? done[1] : undefined) ?? /\b\d{4}-\d\d-\d\d\b/.exec(isDone ? '' : words)?.[0] ?? null,
    events: sequenceIdsIn(words),
    after: after
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  };
}

/** Formats the first line of an item. */
export const formatItem = (
  task: string,
  done?: { readonly day: string; readonly events: readonly string[] },
): string => (done === undefined ? `- [ ] ${task}\n` : `- [x] ${task} — ${[done.day, ...done.events].join(', ')}\n`);

export const withoutItem = ({ lines }: TodoFile, { start, end }: TodoItem): string =>
  [...lines.slice(0, start), ...lines.slice(end)].join('');

/** Gives a text with an item, given as its lines, in a section: at its end, or `first`. A section that is missing is made at the end. */
export function withItem(text: string, section: TodoSection, item: string, place: 'first' | 'last'): string {
  const file = parseTodo(text);
  const heading = file.headings.get(section);
  const lines = file.lines.map((line, at) =>
    at === file.lines.length - 1 && !line.endsWith('\n') ? `${line}\n` : line,
  );
  if (heading === undefined) {
    const gap = lines.length === 0 || lines.at(-1)!.trim() === '' ? '' : '\n';
    return `${lines.join('')}${gap}## ${section}\n\n${item}`;
  }
  const own = file.items.filter((one) => one.section === section && one.start > heading);
  const at = own.length === 0 ? null : place === 'first' ? own[0]!.start : own.at(-1)!.end;
  if (at !== null) return [...lines.slice(0, at), item, ...lines.slice(at)].join('');
  // Behind what introduces the section; a line that only says that there is nothing gives way.
  const next = lines.findIndex((line, index) => index > heading && /^ {0,3}#{1,6}[ \t]/.test(line));
  const body = lines.slice(heading + 1, next < 0 ? lines.length : next).filter((line) => !isPlaceholder(line));
  while (body.length > 0 && body.at(-1)!.trim() === '') body.pop();
  const rest = next < 0 ? [] : ['\n', ...lines.slice(next)];
  const gap = body.length === 0 ? [] : ['\n'];
  return [...lines.slice(0, heading + 1), ...(body.length === 0 ? ['\n'] : body), ...gap, item, ...rest].join('');
}

function isPlaceholder(line: string): boolean {
  const match = itemStart.exec(line);
  return match !== null && placeholder.test(match[2]!);
}
