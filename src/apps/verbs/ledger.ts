// Verbs that ask the ledger: its events, open promises, and whether it is whole.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { eventTypes, priorities } from '../../base/types/ledger-types.ts';
import type { EventFilter, IntegrityProblem, ListedEvent, LoopsResult } from '../../base/types.ts';
import { snakeCase } from '../../store/records/new-event.ts';
import { hang, type Style, shortDay } from './style.ts';
import { defineVerb, flag, isOfLog, maybe, oneOf, optional } from './verb.ts';

/** As wide as `EVT-20260128-001` and two spaces. */
const idWidth = 18;

export const events = defineVerb({
  name: 'events',
  summary: 'List events of the ledger',
  help:
    'The oldest event comes first. Superseded and archived events are left out unless you ask for them. --chain shows ' +
    'all events connected with one: those it corrects, those that follow, and the one that closes it.',
  input: z.strictObject({
    chain: maybe('the id of an event: all that is linked to it'),
    type: oneOf(eventTypes, 'only events of this type'),
    priority: oneOf(priorities, 'only events of this priority'),
    entity: maybe('only events about this one'),
    tag: maybe('only events with this tag'),
    since: maybe('recorded at this day or time, or later'),
    until: maybe('recorded by the end of this day'),
    superseded: flag('also events that a later one supersedes'),
    archived: flag('also archived events'),
    limit: optional(z.int().min(1).max(1_000_000), 'how many at most, the newest'),
  }),
  positional: ['chain'],
  usual: ['type', 'priority', 'entity', 'since', 'until', 'limit'],
  flags: { reads: true },
  example: { command: 'ledger list --type decision --since "last monday"', shows: 'what was decided since then' },
  run: async (context, input: EventFilter) => (await context.view()).ledger.list(input),
  text({ events: listed, damaged }, style) {
    const lines = listed.flatMap((one) => describeEvent(one, style));
    if (listed.length === 0) lines.push('No event fits.');
    return [...lines, ...damaged.filter(isOfLog).map((line) => describeProblem(line, style))].join('\n');
  },
});

function describeEvent(event: ListedEvent, style: Style): string[] {
  const { id, type, priority, entity, status, due, supersededBy, archived } = event;
  const marks = [
    ...(entity === undefined ? [] : [entity.replaceAll('_', ' ')]),
    ...(status === undefined ? [] : [status]),
    ...(due === undefined ? [] : [`due ${due}`]),
    ...(supersededBy === undefined ? [] : [`superseded by ${supersededBy}`]),
    ...(archived ? ['archived'] : []),
  ];
  const about = `${priority} ${type}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}: ${event.content}`;
  const lines = hang(id, about, style, idWidth, 3);
  return supersededBy === undefined ? lines : lines.map(style.faint);
}

export const loops = defineVerb({
  name: 'loops',
  summary: 'List promises that are still open',
  help:
    'These are the open commitments of the ledger, each with who said it. Those to come are first, the next to be due ' +
    'before others, then those past due, the last one before others. Close one with `git memory ledger add --closes <id>`. ' +
    'A commitment that names an open one with --related updates it. --at shows what was open then.',
  input: z.strictObject({}),
  flags: { reads: true },
  example: { command: 'ledger loops', shows: 'each open commitment with its age and the day it is due' },
  run: async (context) => (await context.view()).ledger.loops(),
  text(output, style) {
    if (output.loops.length === 0) return 'Nothing is open.';
    return output.loops.flatMap((loop) => describeLoop(loop, style)).join('\n');
  },
});

function describeLoop(loop: LoopsResult['loops'][number], style: Style): string[] {
  const { id, priority, speaker, before, entity, content, ageDays, due, overdue, waiting, updates } = loop;
  const about = entity === undefined || snakeCase(speaker ?? '') === entity ? '' : entity.replaceAll('_', ' ');
  const marks = [
    ...(content.toLowerCase().includes(about.toLowerCase()) ? [] : [speaker === undefined ? about : `about ${about}`]),
    count(ageDays, 'day'),
    ...(due === undefined ? [] : [`${overdue ? 'past due since' : 'due'} ${due}`]),
    ...(waiting ? ['waiting'] : []),
  ];
  const last = updates?.at(-1);
  const then = last === undefined ? '' : ` — then: ${last.content} (${shortDay(last.ts, style)})`;
  return hang(
    id,
    `${priority} ${speaker === undefined ? '' : `${speaker}: `}${before === undefined ? '' : `(${before}) `}${content} (${marks.join(', ')})${then}`,
    style,
    idWidth,
    3,
  ).map(overdue ? style.bad : (line) => line);
}

export const integrity = defineVerb({
  name: 'integrity',
  summary: 'Check ledger and changelog, line by line',
  help:
    'The check covers line format, unique ids without gaps, references, the checkpoint and the list of open ' +
    'commitments. In the changelog it also finds times that go backwards. It changes nothing: log lines never change, ' +
    'and `git memory maintain` rebuilds derived files.',
  input: z.strictObject({}),
  flags: { reads: true },
  example: { command: 'ledger check', shows: 'how many events there are, and every line that is damaged' },
  run: async (context) => (await context.view()).ledger.check(),
  text({ ok, events: total, archived, changes, archivedChanges, permanent, checks }, style) {
    const sumOf = (sum: string, aside: number) => `${sum}${aside === 0 ? '' : `, ${aside} archived`}`;
    const hasChangelog = changes + archivedChanges > 0;
    const ofChangelog = hasChangelog ? `; ${sumOf(count(changes, 'event'), archivedChanges)} in the changelog` : '';
    const lasting = permanent === undefined ? '' : `; ${permanent} of P0 and P1 hold, and compaction keeps them`;
    const sum = `${sumOf(count(total, 'event'), archived)}${lasting}${ofChangelog}`;
    if (ok) return `${style.good(hasChangelog ? 'Both logs are whole:' : 'The ledger is whole:')} ${sum}`;
    return [sum, ...checks.flatMap(({ problems }) => problems.map((one) => describeProblem(one, style)))].join('\n');
  },
  refusal: ({ ok }) => (ok ? undefined : 'INVALID_RECORD'),
});

function describeProblem({ path, line, id, why }: IntegrityProblem, style: Style): string {
  const place = `${path}${line === undefined ? '' : `:${line}`}`;
  return `${style.bad(place)}  ${id === undefined ? '' : `${id}: `}${why}`;
}
