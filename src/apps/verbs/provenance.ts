// The verb that tells where a memory, a file or a line comes from, as a tree that ends at the words somebody said.

import { z } from 'zod';
import type { ProvenanceResult } from '../../base/types.ts';
import { cut, type Style, shortOid, shortTime, wrap } from './style.ts';
import { defineVerb, filled, optional } from './verb.ts';

export const provenance = defineVerb({
  name: 'provenance',
  summary: 'Show where a memory comes from, to the very words',
  help:
    'Provenance names the commits that changed the memory, with extractor, model and agent, and quotes the turns it ' +
    'comes from. It continues to the memories it was merged or split from, even if they are gone. With a line, or ' +
    'PATH#TURN as recall prints it, it answers for that line or turn only.',
  input: z.strictObject({
    what: filled.describe('the id of a memory, a path, or PATH#TURN'),
    line: optional(z.int().min(1), 'one line of the file'),
  }),
  positional: ['what', 'line'],
  flags: { reads: true, anyRepository: true },
  example: { command: 'provenance 3f2a', shows: 'its commits, and its source turn word for word' },
  run: async (context, input) => (await context.view()).provenance(input.what, input.line),
  text: (output, style) => [titleOf(output, style), ...branchesOf(output, style, '')].join('\n'),
});

function titleOf(result: ProvenanceResult, style: Style): string {
  const place = result.line === undefined ? result.path : `${result.path}:${result.line.line}`;
  return style.strong(place) + (result.alive ? '' : style.bad('  (no longer there)'));
}

/** One branch of the tree: its first line, and what hangs below it, which gets the columns that come before it. */
interface Branch {
  readonly head: string;
  readonly below?: (indent: string) => string[];
}

function branchesOf(result: ProvenanceResult, style: Style, indent: string): string[] {
  const branches: Branch[] = [];
  const words = result.line?.text.trim() ?? result.content;
  const quoted = words === undefined || words === '' ? [] : wrap(words, style.width - indent.length - 4, 3);
  for (const commit of result.commits) {
    const made = commit.change === 'added' ? makerOf(result) : '';
    const change = commit.change === 'boundary' ? 'or before' : commit.change;
    const head = `${shortOid(commit.oid)}  ${shortTime(commit.time, style)}  ${change.padEnd(9)}${made} `;
    const room = style.width - indent.length - 3 - head.length;
    branches.push({
      head: `${style.reference(head.slice(0, 7))}${style.faint(head.slice(7))}${cut(commit.subject, room)}`,
    });
  }
  if (result.commits.length === 0) branches.push({ head: style.faint('not committed yet') });
  if (result.source !== undefined)
    branches.push({ head: `from ${cut(result.source, style.width - indent.length - 8)}` });
  if (result.session !== undefined) branches.push({ head: `in the session ${result.session}` });
  for (const source of result.sources) branches.push(describeSource(source, style));
  for (const { relation, id, origin } of result.from ?? []) {
    const head = `${relation === 'split_from' ? 'split from' : 'consolidated from'} `;
    if (origin) {
      branches.push({ head: head + titleOf(origin, style), below: (inner) => branchesOf(origin, style, inner) });
    } else branches.push({ head: `${head}${id}${style.faint('  (told above, or not in this history)')}` });
  }
  const hasPlace = result.sources.length > 0 || result.source !== undefined || result.session !== undefined;
  if (!hasPlace && !result.from) branches.push({ head: style.faint('no conversation is named as its source') });
  const lines = quoted.map((line) => `${indent}│  ${line}`);
  for (const [index, branch] of branches.entries()) {
    const isLast = index === branches.length - 1;
    lines.push(`${indent}${isLast ? '└─ ' : '├─ '}${branch.head}`);
    lines.push(...(branch.below?.(`${indent}${isLast ? '   ' : '│  '}`) ?? []));
  }
  return lines;
}

function makerOf({ extractor, model, agent }: ProvenanceResult): string {
  const names = [extractor, model, agent].filter((name) => name !== undefined);
  return names.length === 0 ? '' : `by ${names.join(', ')}  `;
}

function describeSource(source: ProvenanceResult['sources'][number], style: Style): Branch {
  const place = source.turn === undefined ? source.path : `${source.path}#${source.turn}`;
  const who = [source.speaker ?? source.role, source.time === undefined ? undefined : shortTime(source.time, style)]
    .filter((part) => part !== undefined)
    .join(', ');
  const recorded = source.commit === undefined ? '' : style.reference(shortOid(source.commit));
  return {
    head: `said in ${place}`,
    below: (indent) => {
      const about = [style.faint(who), recorded].filter((part) => part !== '').join('  ');
      const words = (source.text ?? '').split(/\n+/).filter((part) => part.trim() !== '');
      const lines = words.flatMap((paragraph) => wrap(paragraph, style.width - indent.length - 2));
      return [
        ...(about === '' ? [] : [`${indent}${about}`]),
        ...lines.map((line) => `${indent}${style.faint('|')} ${line}`),
      ];
    },
  };
}
