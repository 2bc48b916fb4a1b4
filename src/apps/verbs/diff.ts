// The verb that compares states. What it prints is a patch: what it says to people is in lines that `git apply` passes over.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { singleSpaced } from '../../base/text.ts';
import type { DiffFile, DiffResult } from '../../base/types.ts';
import { cut, paintWords, type Style, shortOid, wrap } from './style.ts';
import { defineVerb, filled, flag, maybe, optional } from './verb.ts';

export const diff = defineVerb({
  name: 'diff',
  summary: 'Show what differs between two states',
  help:
    'States are commits, tags, branches and dates: "yesterday..now", "@{1 week ago}", "2026-02-01..2026-02-16"; a day ' +
    'means its end. Three dots, "main...explore/plan", show what the second state added since the two parted. A single ' +
    'state is compared with the present, including pending writes. The answer is a patch for git apply. A summary of ' +
    'changed fields comes before the patch of a memory. --words shows changes within lines.',
  input: z.strictObject({
    from: filled.describe('the state to compare with, or two of them as from..to or from...to'),
    to: maybe('the other state; now if left out'),
    path: maybe('only this file or folder'),
    context: optional(z.int().min(0).max(1000), 'lines of context around a change; 3 if left out'),
    words: flag('show changes word by word, [-gone-]{+new+}; for reading, not for git apply'),
    stat: flag('only which files differ, and by how many lines'),
  }),
  positional: ['from', 'to'],
  flags: { reads: true, anyRepository: true },
  example: {
    command: 'diff --path knowledge yesterday..now',
    shows: 'what changed today in the knowledge files, as a patch',
  },
  run: async (context, { from, to, stat, ...options }) =>
    (await context.view()).diff(from, to, { ...options, ...(stat ? { patch: false } : {}) }),
  text(result, style) {
    if (result.files.length === 0) return 'No differences.';
    const isShort = result.files[0]!.patch === undefined && result.files[0]!.words === undefined;
    return isShort ? describeStat(result, style).join('\n') : describePatch(result, style).join('\n');
  },
});

function describePatch(result: DiffResult, style: Style): string[] {
  const head = `# ${nameOf(result.from)}..${nameOf(result.to)}: ${summary(result.files)}`;
  const lines = [...wrap(head, style.width).map(style.faint)];
  for (const { change, fields, patch, words } of result.files) {
    const shownLines = (words ?? patch!).replace(/\n$/, '').split('\n');
    if (words !== undefined) {
      lines.push('');
      const painted = paintWords(
        shownLines.map((line) => paintHead(line, style) ?? line),
        style,
      );
      for (const line of painted) lines.push(line);
      continue;
    }
    // Of a record that came or went the patch alone says everything.
    lines.push('', ...(change === 'modified' ? describeFields(fields ?? [], style) : []));
    // One by one: as arguments of one call, the lines of a large file are too many.
    for (const line of shownLines) lines.push(paint(line, style));
  }
  return lines;
}

function nameOf(oid: string | null): string {
  return oid === null ? 'nothing' : shortOid(oid);
}

function paint(line: string, style: Style): string {
  const head = paintHead(line, style);
  if (head !== undefined) return head;
  if (line.startsWith('+')) return style.good(line);
  return line.startsWith('-') ? style.bad(line) : line;
}

/** Undefined for a line of a file's text. */
function paintHead(line: string, style: Style): string | undefined {
  if (/^(?:diff --git |index |--- |\+\+\+ |(?:new|old|deleted) (?:file )?mode )/.test(line)) return style.strong(line);
  return line.startsWith('@@ ') ? style.reference(line) : undefined;
}

function describeFields(fields: NonNullable<DiffFile['fields']>, style: Style): string[] {
  return fields.flatMap(({ field, before, after }) => {
    const parts = [before === undefined ? '' : `− ${shown(before)}`, after === undefined ? '' : `+ ${shown(after)}`];
    const room = style.width - 4;
    const short = `${field}: ${parts.filter((part) => part !== '').join('  ')}`;
    if ([...short].length <= room) return [style.faint(`# ${short}`)];
    const wrapped = parts.filter((part) => part !== '').flatMap((part) => wrap(part, room, 4));
    return [style.faint(`# ${field}:`), ...wrapped.map((line) => style.faint(`#   ${line}`))];
  });
}

function shown(value: unknown): string {
  return typeof value === 'string' ? singleSpaced(value) : JSON.stringify(value);
}

function summary(files: readonly DiffFile[]): string {
  const [added, removed] = [total(files, 'added'), total(files, 'removed')];
  return [
    `${count(files.length, 'file')} changed`,
    ...(added > 0 ? [`${count(added, 'insertion')}(+)`] : []),
    ...(removed > 0 ? [`${count(removed, 'deletion')}(-)`] : []),
    ...(files.some(({ pending }) => pending) ? ['some of it not committed yet'] : []),
  ].join(', ');
}

function total(files: readonly DiffFile[], side: 'added' | 'removed'): number {
  return files.reduce((sum, file) => sum + file[side], 0);
}

const letters = { added: 'A', modified: 'M', removed: 'D' } as const;

/** One line for each file, as `git diff --stat` has it, with a letter as of `git status`: `M path | 12 ++++--`. */
function describeStat({ files }: DiffResult, style: Style): string[] {
  const most = Math.max(...files.map((file) => file.added + file.removed));
  const numbers = Math.max(String(most).length, files.some(({ binary }) => binary) ? 3 : 1);
  const longest = Math.max(...files.map(({ path }) => [...path].length));
  const names = Math.min(longest, style.width - numbers - 6 - Math.min(most, Math.floor(style.width / 4)));
  const room = style.width - names - numbers - 6;
  const scaled = (lines: number) =>
    most <= room || lines === 0 ? lines : Math.max(1, Math.round((lines * (room - 1)) / most));
  const lines = files.map((file) => {
    const length = [...file.path].length;
    const name = length > names ? `…${[...file.path].slice(length - names + 1).join('')}` : file.path.padEnd(names);
    const amount = (file.binary ? 'Bin' : String(file.added + file.removed)).padStart(numbers);
    const graph = style.good('+'.repeat(scaled(file.added))) + style.bad('-'.repeat(scaled(file.removed)));
    return `${letters[file.change]} ${name} | ${amount} ${graph}`.trimEnd();
  });
  return [...lines, cut(summary(files), style.width)];
}
