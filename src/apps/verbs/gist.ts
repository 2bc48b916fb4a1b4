// Verbs about the short forms of memories: making them, and asking for the whole.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import type { GistResult } from '../../base/types.ts';
import { describeMemory } from './recall.ts';
import { hang, type Style, shortOid } from './style.ts';
import { defineVerb, filled, flag, oneOf, passOptions, several } from './verb.ts';

export const gist = defineVerb({
  name: 'gist',
  summary: 'Give memories a short form that loses no number',
  help:
    'New memories of at least 30 words get a gist automatically. This verb gives one to those without, in one commit, ' +
    'and says what that saves. With ids it makes their gists again. Whole sentences go, the least telling first, and ' +
    'none that denies, forbids, limits, dates or sets a condition. The level says how many.',
  input: z.strictObject({
    ids: several('ids, or the beginnings of them; all that have no gist if left out'),
    level: oneOf(
      ['light', 'moderate', 'strong', 'aggressive'],
      'how much to leave out: 5 to 15, 20 to 40 or 50 to 75 % of the tokens; aggressive is strong; memory.yaml has the default',
    ),
    all: flag('make all again, even those of other tools'),
  }),
  positional: ['ids'],
  flags: { changes: true, writes: 'now' },
  example: { command: 'record gist --all --level strong --dry-run', shows: 'the short forms, and what they save' },
  run: async (context, input) => (await context.memory()).records.gist(passOptions(context, input, 'Shortening')),
  text: describe,
});

export const expand = defineVerb({
  name: 'expand',
  summary: 'Show the whole of a memory whose gist was of use',
  help: 'This counts as a use, like touch, so the memory lasts longer. Use show to look without that.',
  input: z.strictObject({ id: filled.describe('the id of a memory, or the beginning of it') }),
  positional: ['id'],
  flags: { writes: 'batch' },
  example: { command: 'record expand 01k9', shows: 'all that the memory says' },
  run: async (context, input) => (await context.memory()).records.expand(input.id),
  text: describeMemory,
});

const shownItems = 20;

function describe(result: GistResult, style: Style): string {
  const { items, tokens } = result;
  if (items.length === 0) return 'Every memory that is long enough has its gist.';
  const lines = items
    .slice(0, shownItems)
    .flatMap(({ ids, gist: short, why }) => [
      `${style.strong(ids[0]!.slice(0, 10))}  ${style.faint(why)}`,
      ...(short === null ? [] : hang('', short, style, 4)),
    ]);
  if (items.length > shownItems) lines.push(`… and ${items.length - shownItems} more`);
  const saved = Math.round((1 - tokens.gists / tokens.full) * 100);
  const commit = result.commits[0] === undefined ? '' : `  ${style.reference(shortOid(result.commits[0]))}`;
  lines.push(
    `${style.good(count(items.length, 'gist'))}: ${tokens.gists} tokens instead of ${tokens.full}, ${saved} % less${commit}`,
  );
  return lines.join('\n');
}
