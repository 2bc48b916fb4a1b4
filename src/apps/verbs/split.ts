// The verb that makes several memories of one.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { SplitCandidates, SplitResult } from '../../base/types.ts';
import { hang, type Style, shortOid } from './style.ts';
import { defineVerb, filled, maybe, several, underway } from './verb.ts';

const ofEach = (meaning: string) =>
  z
    .union([z.array(filled), z.array(z.array(filled))])
    .exactOptional()
    .describe(meaning);

/** The words for one part: a list, or a text with commas. */
const wordsOf = (given: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof given === 'string' ? given.split(',').map((word) => word.trim()) : given;

export const split = defineVerb({
  name: 'split',
  summary: 'Make several memories of one that says many things',
  help:
    'Without an id it lists memories that you could split, and their parts. With an id it replaces the memory by its ' +
    'parts: those you give, or one for each idea. Each part is as strong as the whole was and names it; history keeps ' +
    'the whole.',
  input: z.strictObject({
    id: maybe('the id of a memory, or the beginning of it'),
    parts: several('the text of each new memory; one for each idea if left out'),
    tags: ofEach('the tags of each part, with commas between; those of the whole if left out'),
    entities: ofEach('the names in each part, likewise'),
  }),
  positional: ['id', 'parts'],
  flags: { changes: true, writes: 'now' },
  example: {
    command: 'record split 01k9 "Ana sings" "Rui plays chess" --dry-run',
    shows: 'the two memories that would take its place',
  },
  async run(context, input): Promise<SplitCandidates | SplitResult> {
    const memory = await context.memory();
    const { id, parts, tags, entities } = input;
    if (id === undefined) return memory.records.splitCandidates();
    const { onProgress: _, ...options } = underway(context);
    for (const [where, lists] of Object.entries({ tags, entities })) {
      if (lists === undefined || lists.length === (parts?.length ?? 0)) continue;
      throw new MemoryError(
        'INVALID_ARGUMENT',
        `${where} has ${lists.length} entries for ${parts?.length ?? 0} parts`,
        { where, hint: 'Give one for each part, in their order' },
      );
    }
    const given = parts?.map((content, at) => ({
      content,
      ...defined({ tags: wordsOf(tags?.[at]), entities: wordsOf(entities?.[at]) }),
    }));
    return memory.records.split(id, given?.length === 0 ? undefined : given, options);
  },
  text: (output, style) => ('candidates' in output ? describeCandidates(output, style) : describeSplit(output, style)),
});

function describeCandidates({ candidates }: SplitCandidates, style: Style): string {
  if (candidates.length === 0) return 'No memory says so many things that it should be several.';
  return candidates
    .map(({ id, reasons, parts }) =>
      [
        `${style.strong(id.slice(0, 10))}  ${style.faint(reasons.join(', '))}`,
        ...parts.flatMap(({ content }) => hang('  +', content, style, 4, 2)),
      ].join('\n'),
    )
    .join('\n');
}

function describeSplit({ items, commits, dropped }: SplitResult, style: Style): string {
  const lines = items.flatMap(({ from, parts }) => [
    `${style.strong(from.slice(0, 10))}${commits[0] === undefined ? '' : `  ${style.reference(shortOid(commits[0]))}`}`,
    ...parts.flatMap(({ id, content }) => hang(`  ${style.good('+')} ${id.slice(0, 10)}`, content, style, 16)),
    style.good(`becomes ${count(parts.length, 'memory', 'memories')}.`),
  ]);
  return [...lines, ...dropped.map(({ why }) => `not split: ${why}`)].join('\n');
}
