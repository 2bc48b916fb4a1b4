// The verb that tells who wrote each line of a file, and each value of a memory.

import { z } from 'zod';
import { singleSpaced } from '../../base/text.ts';
import type { BlameResult } from '../../base/types.ts';
import { cut, type Style, shortDay, shortOid } from './style.ts';
import { defineVerb, filled, optional } from './verb.ts';

export const blame = defineVerb({
  name: 'blame',
  summary: 'Show which commit each line or value comes from',
  help:
    'Blame agrees with `git blame`, through renames and merges. For a memory it shows each value. A line without a ' +
    'commit yet is pending. A ^ marks a line that is older than a shallow clone reaches.',
  input: z.strictObject({
    what: filled.describe('a path, or the id of a memory'),
    lines: optional(z.string().regex(/^\d+(?:[,-]\d+)?$/, 'is written 12 or 12,20'), 'only these lines: 12 or 12,20'),
  }),
  positional: ['what'],
  flags: { reads: true, anyRepository: true },
  example: {
    command: 'blame knowledge/people/ada.md --lines 3,5',
    shows: 'lines 3 to 5, each with its commit, its day and what that commit did',
  },
  async run(context, { what, lines }) {
    const [first = 0, last = first] = (lines ?? '').split(/[,-]/).map(Number);
    return (await context.view()).blame(what, lines === undefined ? {} : { lines: [first, last] });
  },
  text(result, style) {
    if (result.lines.length === 0) return 'The file is empty.';
    const rows = result.fields && result.lines.length === lineCountOf(result) ? fieldRows(result) : lineRows(result);
    const width = Math.max(...rows.map(({ label }) => [...label].length));
    return rows
      .flatMap(({ commit, label, text }, index) => {
        const head = headOf(result, commit, index > 0 && rows[index - 1]!.commit === commit, style);
        return `${head}  ${style.faint(label.padEnd(width))}  ${text}`.trimEnd();
      })
      .join('\n');
  },
});

interface Row {
  readonly commit: string | null;
  readonly label: string;
  readonly text: string;
}

function lineCountOf(result: BlameResult): number {
  return result.lines[0]!.line === 1 ? result.lines.length : 0;
}

function lineRows(result: BlameResult): Row[] {
  const width = String(result.lines.at(-1)!.line).length;
  return result.lines.map(({ commit, line, text, originalPath }) => ({
    commit,
    label: `${String(line).padStart(width)}${originalPath === result.path ? '' : ` ${originalPath}`}`,
    text: text.replace(/\r$/, ''),
  }));
}

function fieldRows(result: BlameResult): Row[] {
  return result.fields!.map(({ commit, field, value }) => ({
    commit,
    label: field,
    text: typeof value === 'string' ? singleSpaced(value) : JSON.stringify(value),
  }));
}

const subjectWidth = 20;

/** The commit of a row; left blank where it is that of the row above. */
function headOf(result: BlameResult, commit: string | null, isRepeated: boolean, style: Style): string {
  if (isRepeated) return ' '.repeat(8 + 2 + 10 + 2 + subjectWidth);
  const entry = result.commits.find(({ oid }) => oid === commit);
  const name = `${entry?.boundary ? '^' : ''}${shortOid(commit)}`.padEnd(8);
  const day = (entry === undefined ? '' : shortDay(entry.time, style)).padEnd(10);
  const subject = cut(entry?.subject ?? '', subjectWidth);
  return `${style.reference(name)}  ${style.faint(day)}  ${subject}${' '.repeat(subjectWidth - [...subject].length)}`;
}
