// Verbs that ask the ledger: its events, open promises, and whether it is whole.

import { z } from 'zod';
import { count } from '../base/count.ts';
import { eventTypes, priorities } from '../records/ledger-event.ts';
import type { EventFilter, IntegrityProblem, ListedEvent, LoopsResult } from '../types.ts';
import { filled } from './schemas.ts';
import { hang, type Style } from './style.ts';
import { defineVerb } from './verb.ts';

/** As wide as `EVT-20260128-001` and two spaces. */
const idWidth = 18;

export const events = defineVerb({
  name: 'events',
  summary: 'List events of the ledger',
  help:
    'Oldest first; what was superseded or archived is left out unless it is asked for. With --chain it shows all that belongs together ' +
    'with one event: what it corrects, what came of it, what closed it.',
  input: z.strictObject({
    chain: filled.exactOptional().describe('the id of an event: all that is linked to it'),
    type: z.enum(eventTypes).exactOptional().describe('only events of this type'),
    priority: z.enum(priorities).exactOptional().describe('only events of this priority'),
    entity: filled.exactOptional().describe('only events about this one'),
    tag: filled.exactOptional().describe('only events with this tag'),
    since: filled.exactOptional().describe('recorded at this day or time, or later'),
    until: filled.exactOptional().describe('recorded by the end of this day'),
    superseded: z.boolean().exactOptional().describe('also what a later event took the place of'),
    archived: z.boolean().exactOptional().describe('also what was archived'),
    limit: z.int().min(1).max(1_000_000).exactOptional().describe('how many at most, the newest'),
  }),
  positional: ['chain'],
  usual: ['type', 'priority', 'entity', 'since', 'until', 'limit'],
  flags: { reads: true },
  example: {
    command: 'git memory ledger list --type decision --since "last monday"',
    shows: 'what was decided since then',
  },
  async run(context, input: EventFilter) {
    return (await context.view()).events(input);
  },
  text({ events: listed, damaged }, style) {
    const lines = listed.flatMap((one) => describeEvent(one, style));
    if (listed.length === 0) lines.push('No event fits.');
    return [...lines, ...damaged.map((line) => describeProblem(line, style))].join('\n');
  },
});

function describeEvent(event: ListedEvent, style: Style): string[] {
  const { id, type, priority, status, due, supersededBy, archived } = event;
  const marks = [
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
  summary: 'List what was promised and not yet done',
  help:
    'Open commitments of the ledger, oldest first. One is closed by an event that names it: `git memory ledger add --closes <id>`. With --at it ' +
    'tells what was open then.',
  input: z.strictObject({}),
  positional: [],
  flags: { reads: true },
  example: { command: 'git memory ledger loops', shows: 'each open commitment with its age and the day it is due' },
  async run(context) {
    return (await context.view()).loops();
  },
  text(output, style) {
    if (output.loops.length === 0) return 'Nothing is open.';
    return output.loops.flatMap((loop) => describeLoop(loop, style)).join('\n');
  },
});

function describeLoop(loop: LoopsResult['loops'][number], style: Style): string[] {
  const { id, priority, content, ageDays, due, overdue, waiting } = loop;
  const marks = [
    count(ageDays, 'day'),
    ...(due === undefined ? [] : [`${overdue ? 'was due' : 'due'} ${due}`]),
    ...(waiting ? ['waiting'] : []),
  ];
  return hang(id, `${priority} ${content} (${marks.join(', ')})`, style, idWidth, 3).map(
    overdue ? style.bad : (line) => line,
  );
}

export const integrity = defineVerb({
  name: 'integrity',
  summary: 'Check ledger and changelog, line by line',
  help:
    'Valid lines, ids that are unique and in a row, references that lead somewhere, and whether checkpoint and list of open commitments are ' +
    'what the ledger says; in the changelog also times that go back. It changes nothing: what stands in a log never changes, and what is ' +
    'derived is made anew by `git memory maintain`.',
  input: z.strictObject({}),
  positional: [],
  flags: { reads: true },
  example: { command: 'git memory ledger check', shows: 'how many events there are, and every line that is damaged' },
  async run(context) {
    return (await context.view()).integrity();
  },
  text({ ok, events: total, archived, changes, archivedChanges, checks }, style) {
    const sumOf = (sum: string, aside: number) => `${sum}${aside === 0 ? '' : `, ${aside} archived`}`;
    const hasChangelog = changes + archivedChanges > 0;
    const ofChangelog = hasChangelog ? `; ${sumOf(count(changes, 'event'), archivedChanges)} in the changelog` : '';
    const sum = `${sumOf(count(total, 'event'), archived)}${ofChangelog}`;
    if (ok) return `${style.good(hasChangelog ? 'Both logs are whole:' : 'The ledger is whole:')} ${sum}`;
    return [sum, ...checks.flatMap(({ problems }) => problems.map((one) => describeProblem(one, style)))].join('\n');
  },
  refusal({ ok }) {
    return ok ? undefined : 'INVALID_RECORD';
  },
});

function describeProblem({ path, line, id, why }: IntegrityProblem, style: Style): string {
  const place = `${path}${line === undefined ? '' : `:${line}`}`;
  return `${style.bad(place)}  ${id === undefined ? '' : `${id}: `}${why}`;
}
