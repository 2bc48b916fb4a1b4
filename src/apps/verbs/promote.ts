// Verbs about what lasts: knowledge files of strong memories, schemas distilled from them, and bundles of schemas.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import type { BundleResult, PromoteResult, SchemaResult } from '../../base/types.ts';
import { hang, type Style, shortOid } from './style.ts';
import { defineVerb, filled, passOptions, several } from './verb.ts';

export const promote = defineVerb({
  name: 'promote',
  summary: 'Make knowledge files of strong memories',
  help:
    'Without ids it takes used memories with a strength of at least 0.65, and those with five uses within fourteen ' +
    'days. File and memory name each other. The memory stays and no longer fades. Each file is one commit.',
  input: z.strictObject({ ids: several('ids, or the beginnings of them; all that are strong if left out') }),
  positional: ['ids'],
  flags: { changes: true, writes: 'now' },
  example: { command: 'knowledge promote --dry-run', shows: 'which memories would become knowledge, and why' },
  run: async (context, input) => (await context.memory()).knowledge.promote(passOptions(context, input)),
  text: describePromotion,
});

export const schema = defineVerb({
  name: 'schema',
  summary: 'Distil promoted memories into schemas',
  help:
    'Promoted memories about one subject get a common memory with the status schema. It sums them up and names them; ' +
    'they stay. Under bundles, memory.yaml can name schemas to hand out together.',
  input: z.strictObject({
    ids: several('ids of promoted memories; every cluster without a schema if left out'),
  }),
  positional: ['ids'],
  flags: { changes: true, writes: 'now' },
  example: { command: 'knowledge schema --dry-run', shows: 'the schemas that would be made' },
  run: async (context, input) => (await context.whole()).knowledge.distil(passOptions(context, input)),
  text: describeSchemas,
});

export const bundle = defineVerb({
  name: 'bundle',
  summary: 'Show the schemas that memory.yaml names together',
  help: 'A bundle is a named list of schemas, under bundles in memory.yaml. You see each schema as a model receives it.',
  input: z.strictObject({ name: filled.describe('the name of the bundle') }),
  positional: ['name'],
  example: { command: 'knowledge bundle onboarding', shows: 'what a newcomer should know' },
  run: async (context, input) => (await context.whole()).knowledge.bundle(input.name),
  text: describeBundle,
});

function describePromotion({ items, commits }: PromoteResult, style: Style): string {
  if (items.length === 0) return 'No memory is strong enough to become knowledge.';
  return [
    ...items.flatMap(({ ids, why, to, content }, at) => [
      `${style.strong(ids[0]!.slice(0, 10))}${commits[at] === undefined ? '' : `  ${style.reference(shortOid(commits[at]))}`}  ${style.faint(why)}`,
      `    ${to}`,
      ...hang('', content, style, 4, 2),
    ]),
    style.good(`${count(items.length, 'memory becomes', 'memories become')} knowledge.`),
  ].join('\n');
}

function describeSchemas({ items, commits }: SchemaResult, style: Style): string {
  if (items.length === 0) return 'No cluster of promoted memories is without a schema.';
  return items
    .flatMap(({ into, why, content }, at) => [
      `${style.strong(into.slice(0, 10))}${commits[at] === undefined ? '' : `  ${style.reference(shortOid(commits[at]))}`}  ${style.faint(why)}`,
      ...content.split('\n').flatMap((line) => hang('', line, style, 4)),
    ])
    .join('\n');
}

function describeBundle({ schemas, missing }: BundleResult, style: Style): string {
  const lines = schemas.flatMap(({ line }) => hang('', line, style, 0));
  if (missing.length > 0) lines.push(style.bad(`No schema: ${missing.join(', ')}`));
  return lines.length === 0 ? 'The bundle is empty.' : lines.join('\n');
}
