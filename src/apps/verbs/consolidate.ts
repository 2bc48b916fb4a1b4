// The verb that makes one memory of several that say the same.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import type { ConsolidateResult } from '../../base/types.ts';
import { otherWording } from '../../base/word-diff.ts';
import { hang, paintWords, type Style, shortOid } from './style.ts';
import { defineVerb, flag, oneOf, passOptions, several } from './verb.ts';

export const consolidate = defineVerb({
  name: 'consolidate',
  summary: 'Make one memory of several that say the same',
  help:
    'Memories that say the same in the same words become one that names them; letter case, spaces, punctuation and ' +
    'articles may differ. The originals leave, and history keeps them. Each merge is one commit. All else that is alike is ' +
    'shown and left alone: a model that you chose, with condense.model in memory.yaml, may put it into one sentence, ' +
    'which is checked, or you merge it by its ids.',
  input: z.strictObject({
    ids: several('ids, or the beginnings of them: exactly these become one'),
    uncertain: flag('ask the model also about what is hardly alike'),
    likeness: oneOf(['vectors', 'words'], 'compare by vectors of the embedder (the default), or by shared words'),
  }),
  positional: ['ids'],
  flags: { changes: true, writes: 'now' },
  example: { command: 'record consolidate --dry-run', shows: 'what would become one, and why' },
  run: async (context, input) => (await context.whole()).records.consolidate(passOptions(context, input, 'Comparing')),
  text: describe,
});

function describe(result: ConsolidateResult, style: Style): string {
  const lines: string[] = [];
  result.items.forEach(({ into, sources, content, why, by }, at) => {
    const commit = result.commits[at];
    const oid = commit === undefined ? '' : `  ${style.reference(shortOid(commit))}`;
    lines.push(`${style.strong(into.slice(0, 10))}${oid}  ${style.faint(by === 'rule' ? why : `${why}, by ${by}`)}`);
    // Each paragraph for itself: those of a merge come from several memories.
    for (const paragraph of content.split(/\n\s*\n/)) lines.push(...hang(`  ${style.good('+')}`, paragraph, style, 4));
    for (const source of sources)
      lines.push(...hang(`  - ${source.id.slice(0, 10)}`, source.content, style, 16, 2).map(style.faint));
  });
  for (const { ids, contents, why } of result.open) {
    lines.push(`${style.strong('?')} ${why}`);
    const [first = ''] = contents;
    ids.forEach((id, at) => {
      const said = at === 0 ? first : otherWording(first, contents[at] ?? '');
      lines.push(...paintWords(hang(`    ${id.slice(0, 10)}`, said, style, 16, 2), style));
    });
  }
  for (const { ids, why } of result.dropped) lines.push(`left ${ids.join(', ')}: ${why}`);
  if (result.comparedNote !== undefined) lines.push(...hang('', result.comparedNote, style, 0));
  const merged = result.items.reduce((sum, { sources }) => sum + sources.length, 0);
  lines.push(
    merged === 0
      ? `Nothing to merge, compared by ${result.comparedBy}.`
      : `${style.good(`${count(merged, 'memory', 'memories')} become ${result.items.length}`)}, compared by ${result.comparedBy}.`,
  );
  return lines.join('\n');
}
