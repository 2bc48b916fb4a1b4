// The verb that consolidates what came since the last night.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import type { NightlyStep } from '../../base/types.ts';
import { hang, type Style, shortOid } from './style.ts';
import { defineVerb, flag, underway } from './verb.ts';

const stepWidth = 16;
const maxShown = 6;

export const nightly = defineVerb({
  name: 'nightly',
  summary: 'Consolidate the day: extract, know, pack, check, report',
  help:
    'The night turns ended conversations into memories and events, and these into lines of knowledge files. It folds a ' +
    'long ledger, writes recall/pack.md, checks the ledger and writes a report into knowledge/consolidation-reports/. ' +
    'Each step is a commit of one run: `git memory undo --run <run>` takes the whole night back. No step is done twice, ' +
    'so a second call finds nothing to do. A dry run plans each step on the present state.',
  input: z.strictObject({ force: flag('also when more than a fifth of the memories would go at once') }),
  flags: { changes: true, writes: 'now' },
  example: { command: 'maintain night --dry-run', shows: 'each step with what it would do' },
  run: async (context, { force }) =>
    (await context.whole()).maintenance.night({ ...(force ? { force } : {}), ...underway(context) }),
  text({ steps, run, report, before, stale, aging, conflicts, ok, events, memories }, style) {
    const sum = [
      ...(events.length === 0 ? [] : [count(events.length, 'new event')]),
      ...(memories.length === 0 ? [] : [count(memories.length, 'memory extracted', 'memories extracted')]),
      ...(stale + aging === 0 ? [] : [`${stale} stale and ${aging} aging facts`]),
      ...(conflicts === 0 ? [] : [count(conflicts, 'conflict')]),
      ok ? 'the ledger is whole' : 'the ledger is not whole',
    ];
    return [
      ...steps.flatMap((step) => describeStep(step, style)),
      ...hang('', sum.join(', '), style, 0),
      ...(run === null ? [] : [`${style.reference(report ?? '')}`]),
      ...(run === null
        ? []
        : hang('', `Taken back as one by ${style.command(`undo --run ${run}`)}`, style, 0).map(style.faint)),
      ...(before === null ? [] : [style.faint(`The state before is ${before}`)]),
    ].join('\n');
  },
  refusal: (output) => output.steps.find(({ error }) => error !== undefined)?.error?.code,
});

function describeStep({ step, state, why, result }: NightlyStep, style: Style): string[] {
  const head = step.padEnd(stepWidth);
  if (state === 'failed') return hang(style.bad(head), why ?? '', style, stepWidth);
  if (state === 'nothing' || result === undefined) return [style.faint(`${head}${why ?? 'nothing to do'}`)];
  const commits = result.commits.map((oid) => style.reference(shortOid(oid))).join(' ');
  const more = result.items.length - maxShown;
  const since = why === undefined ? '' : style.faint(`  since ${why}`);
  return [
    `${head}${count(result.items.length, 'thing')} ${state === 'planned' ? 'to do' : `done  ${commits}`}${since}`,
    ...result.items.slice(0, maxShown).flatMap((item) => hang(`  ${style.good(item.action)}`, item.why, style, 12, 2)),
    ...(more > 0 ? [style.faint(`  … and ${more} more`)] : []),
    ...result.left
      .slice(0, maxShown)
      .flatMap(({ id, why: reason }) => hang('  left', `${id.slice(0, 24)}, ${reason}`, style, 12, 2).map(style.faint)),
  ];
}
