// The verb that lists what is worth coming back to before it fades.

import { z } from 'zod';
import { count } from '../base/count.ts';
import type { DueResult } from '../types.ts';
import { cut, hang, type Style } from './style.ts';
import { defineVerb } from './verb.ts';

export const due = defineVerb({
  name: 'due',
  summary: 'List memories worth coming back to before they fade',
  help:
    'Memories lose strength with time; between a score of 0.35 and 0.15 a review does most for them. `git memory record touch` says that one ' +
    'was of use. With --weak it lists all that is weak, and what fits each: reinforce, consolidate, promote or collect.',
  input: z.strictObject({
    limit: z.int().min(1).max(100_000).exactOptional().describe('how many at most; 50 if left out'),
    weak: z.boolean().exactOptional().describe('all that is weak, weakest first'),
  }),
  positional: [],
  flags: { reads: true },
  example: {
    command: 'git memory record due --limit 10',
    shows: 'ten memories with their score, most worthwhile first',
  },
  async run(context, input) {
    return (await context.view()).due(input);
  },
  text(output, style) {
    const rows = output.memories.map((memory) => describeDue(memory, style));
    if (rows.length === 0) rows.push('Nothing is due for review.');
    if (output.urgent > 0) {
      const them = count(output.urgent, 'memory is', 'memories are');
      rows.push(style.faint(`${them} about to be archived; see --weak and \`git memory maintain --dry-run expire\`.`));
    }
    if (output.memories.length > 0) {
      const offer =
        '`git memory undo --expect COMMIT` takes back what brought it, and writes an expectation that it stays away.';
      rows.push(
        ...hang('', `Is one wrong? \`git memory provenance ID\` names its commit; ${offer}`, style, 0).map(style.faint),
      );
    }
    return rows.join('\n');
  },
});

function describeDue(memory: DueResult['memories'][number], style: Style): string {
  const head = `${memory.id.slice(0, 10).padEnd(10)}  ${memory.score.toFixed(2)}  ${memory.action.padEnd(11)}  `;
  return style.faint(head) + cut(memory.content.replace(/\s+/g, ' '), style.width - head.length);
}
