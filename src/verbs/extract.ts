// The verb that turns conversations into memories.

import { z } from 'zod';
import type { ExtractResult } from '../types.ts';
import { filled, oidOutput } from './schemas.ts';
import { count, hang, type Style, shortOid } from './style.ts';
import { defineVerb } from './verb.ts';

export const extract = defineVerb({
  name: 'extract',
  summary: 'Derive memories from conversations, by rules',
  help:
    'Reads every conversation that it has not read before, by rules and without a language model. One commit for each ' +
    'conversation holds all that was found in it, and each memory names the turn it was taken from.',
  input: z.strictObject({
    from: z.array(filled).exactOptional().describe('paths or session ids to read; all that are new if left out'),
  }),
  output: z.looseObject({
    extractor: z.string(),
    transcripts: z.array(
      z.looseObject({
        path: z.string(),
        commit: oidOutput.nullable(),
        created: z.array(
          z.looseObject({ id: z.string(), path: z.string(), category: z.string().optional(), content: z.string() }),
        ),
        updated: z.array(z.string()),
        skipped: z.array(z.looseObject({ content: z.string(), why: z.string() })),
      }),
    ),
  }),
  positional: ['from'],
  flags: { changes: true, writes: 'now' },
  example: { command: 'git memory extract --dry-run', shows: 'the memories that would be made, with nothing written' },
  async run(context, input) {
    const memory = await context.memory();
    return memory.extract({
      ...(input.from === undefined || input.from.length === 0 ? {} : { from: input.from }),
      ...(context.dryRun ? { dryRun: true } : {}),
      ...(context.signal === undefined ? {} : { signal: context.signal }),
      onProgress: ({ done, total }) => context.onProgress({ what: 'Extracting', done, total }),
    });
  },
  text(output, style) {
    return describeExtraction(output, style);
  },
});

function describeExtraction(result: ExtractResult, style: Style): string {
  if (result.transcripts.length === 0) return 'No conversation is new to the extractor.';
  const lines: string[] = [];
  for (const transcript of result.transcripts) {
    if (transcript.created.length + transcript.updated.length + transcript.skipped.length === 0) continue;
    const oid = transcript.commit === null ? '' : `${style.reference(shortOid(transcript.commit))}  `;
    lines.push(`${oid}${transcript.path}`);
    for (const { category = 'memory', content } of transcript.created) {
      const [first = '', ...rest] = hang(`  ${style.good('+')} ${category}`, content, style, 17, 2);
      lines.push(first, ...rest);
    }
    for (const path of transcript.updated) lines.push(`  ~ ${path}`);
    for (const { content, why } of transcript.skipped) {
      lines.push(...hang('  -', `${content} (${why})`, style, 4, 1).map(style.faint));
    }
  }
  const created = result.transcripts.reduce((sum, transcript) => sum + transcript.created.length, 0);
  const from = count(result.transcripts.length, 'conversation');
  lines.push(`${style.good(count(created, 'memory', 'memories'))} from ${from}, by ${result.extractor}.`);
  return lines.join('\n');
}
