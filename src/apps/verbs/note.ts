// The verb that writes into today's note.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { type Priority, priorities } from '../../base/types/ledger-types.ts';
import type { NoteResult } from '../../base/types.ts';
import { describeRedactions } from './redactions.ts';
import { type Style, shortOid } from './style.ts';
import { defineVerb, maybe, several } from './verb.ts';

export const note = defineVerb({
  name: 'note',
  summary: "Write into today's note",
  help:
    'Appends your words to raw/daily/YYYY-MM-DD.md, under the time of day, and commits them at once. The note only ' +
    'grows. Give what matters with --extract, priority first. It goes under "Priority Extracts", where `git memory ' +
    'extract` finds it.',
  input: z.strictObject({
    text: maybe('the words'),
    extract: several('what matters, such as "P0 Deadline moved to Feb 15"'),
  }),
  positional: ['text'],
  words: 'text',
  flags: { writes: 'now' },
  example: {
    command: 'capture note --extract "P1 Tiered prices" "Long talk with Ana about prices"',
    shows: "today's note and the commit that holds the addition",
  },
  async run(context, { text, extract = [] }) {
    const extracts = extract.map(extractOf);
    const memory = await context.memory();
    return memory.note({ ...defined({ text }), ...(extracts.length === 0 ? {} : { extracts }) });
  },
  text: describeNote,
});

function extractOf(given: string): { priority: Priority; text: string } {
  const match = /^\[?(P[0-3])\]?:? +(.*\S)/s.exec(given.trim());
  if (match !== null) return { priority: match[1] as Priority, text: match[2]! };
  throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(given)} has no priority`, {
    where: 'extract',
    hint: `Begin with ${priorities.join(', ')}, as in "P1 Tiered prices"`,
  });
}

function describeNote({ path, commit, redacted = [], extraction }: NoteResult, style: Style): string {
  const lines = [`${style.reference(shortOid(commit))}  ${path}`, ...describeRedactions(redacted, style, true)];
  if (extraction !== undefined) lines.push(`extracted  ${count(extraction.created.length, 'memory', 'memories')}`);
  if (extraction?.error !== undefined) lines.push(`not extracted  ${extraction.error}`);
  if (commit === null) lines.push('It is durable in the journal; the next commit of the memory holds it.');
  return lines.join('\n');
}
