// The verb that finds since when a question is answered worse.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import type { BisectResult, BisectStep } from '../../base/types.ts';
import { cut, type Style, shortOid, shortTime, wrap } from './style.ts';
import { defineVerb, maybe, optional } from './verb.ts';

export const bisect = defineVerb({
  name: 'bisect',
  summary: 'Find when a question or an expectation began to fail',
  help:
    'Bisect asks earlier states, halving the history until it finds the commit between a good and a bad answer. If the ' +
    'answer came and went several times, you see the last loss that bisect met, and the answer says so.',
  input: z.strictObject({
    query: maybe('the question, as for recall'),
    finds: maybe('what it should find: an id, a path, or words of the hit'),
    expect: maybe('instead of both: the name of an expectation'),
    good: maybe('a state in which it was found, such as a day or tag; searched for if left out'),
    limit: optional(z.int().min(1).max(1000), 'among how many hits; 10 if left out'),
  }),
  positional: ['query'],
  words: 'query',
  example: {
    command: 'bisect --finds Paris where does Ada live',
    shows: 'the commit after which the question no longer finds Paris',
  },
  async run(context, { query = '', finds = '', expect, ...options }) {
    if (expect !== undefined && (query !== '' || finds !== '')) {
      throw new MemoryError('INVALID_ARGUMENT', 'an expectation has its own question', {
        where: 'expect',
        hint: 'Leave out either it, or the question and what it should find',
      });
    }
    const onProgress = ({ done, total }: { done: number; total: number }) =>
      context.onProgress({ what: 'asking views', done, total });
    const memory = await context.whole();
    if (expect !== undefined) return memory.bisect({ expect }, { ...options, onProgress });
    return memory.bisect(query, { ...options, finds, onProgress });
  },
  text: describe,
});

function describe(result: BisectResult, style: Style): string {
  const asked = `${count(result.tested, 'view')} of ${count(result.commits, 'commit')} asked`;
  if (result.found) return `Still found (${asked}).`;
  if (result.lost === null || result.lastFound === null)
    return wrap(`Not found in any state that was asked (${asked}).`, style.width).join('\n');
  const lines = [
    `${style.good('found')}  ${stepLine(result.lastFound, style)}`,
    `${style.bad('lost ')}  ${stepLine(result.lost, style)}`,
    style.faint(`${asked}.`),
  ];
  if (result.flips > 1) {
    const note = `It came and went: the views that were asked show ${result.flips} losses. This is the last of them.`;
    lines.push(...wrap(note, style.width));
  }
  return lines.join('\n');
}

function stepLine(step: BisectStep, style: Style): string {
  const room = style.width - 7 - 7 - 2 - 16 - 2;
  return `${style.reference(shortOid(step.oid))}  ${style.faint(shortTime(step.time, style))}  ${cut(step.subject, room)}`;
}
