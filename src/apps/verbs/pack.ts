// The verb that gives the one page an agent reads before it begins.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import type { PackResult } from '../../base/types.ts';
import { hang, type Style } from './style.ts';
import { defineVerb, flag, maybe } from './verb.ts';

export const pack = defineVerb({
  name: 'pack',
  summary: 'Give one page of what matters today',
  help:
    'The page lists constraints (P0), open commitments, debts of others, tasks for today, recent decisions, procedures ' +
    'and accounts. Fixed rules build it, within 3,000 words: the same files and day give the same page. --why names the ' +
    'rule behind each line. `git memory maintain pack` writes the page to recall/pack.md; this also happens ' +
    'automatically when more than the day changes. The mission and all budgets are under `pack:` in memory.yaml.',
  input: z.strictObject({
    day: maybe('the day it is for, such as 2026-02-16; today if left out'),
    why: flag('show why each line is there, instead of the page'),
  }),
  positional: ['day'],
  flags: { reads: true },
  example: { command: 'context pack --why', shows: 'every line of the page with the rule that put it there' },
  async run(context, { day, why }) {
    const result = await (await context.view()).pack(day === undefined ? {} : { day });
    return { ...result, ...(why ? { why } : {}) };
  },
  text: (output: PackResult & { readonly why?: boolean }, style) =>
    output.why ? explain(output, style) : output.text.trimEnd(),
});

function explain({ lines, left, words, day }: PackResult, style: Style): string {
  const told = lines.flatMap(({ section, text, why }) => [
    ...hang(style.strong(section), text, style, 12, 3),
    ...hang('', why, style, 14).map(style.faint),
  ]);
  const missing = left.map(({ section, count: number }) => style.faint(`${section}: ${number} did not fit`));
  return [...told, ...missing, `${count(words, 'word')} for ${day}`].join('\n');
}
