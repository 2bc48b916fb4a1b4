// The verbs of the changelog: one appends an event, one lists them.

import { z } from 'zod';
import { MemoryError } from '../../base/errors.ts';
import { changelogEventTypes } from '../../base/types/changelog-types.ts';
import type { ChangeFilter, ChangeResult, IntegrityProblem, ListedChange } from '../../base/types.ts';
import { isOfMissing } from '../../store/records/changelog-fields.ts';
import { changelogDetails } from '../../store/records/changelog-types.ts';
import { describeAppended } from './event.ts';
import { hang, type Style } from './style.ts';
import { defineVerb, filled, flag, isOfLog, maybe, oneOf, optional, several } from './verb.ts';

const writtenTypes = changelogEventTypes.filter((type) => type !== 'archive');

const needs = writtenTypes
  .filter((type) => changelogDetails[type].needs.length > 0)
  .map((type) => `${type} (${changelogDetails[type].needs.join(', ')})`)
  .join(', ');

export const change = defineVerb({
  name: 'change',
  summary: 'Record in the changelog what was done in a project',
  help:
    'CHANGELOG.md is append-only: an event gets the next id, is committed at once and never changes. A later one can ' +
    '--supersedes it. A project that has another changelog keeps it, and events go to .memory/changelog.md. Types are ' +
    `${writtenTypes.join(', ')}. Some need details, as --detail key=value: ${needs}.`,
  input: z.strictObject({
    summary: filled.describe('what was done, in one line that makes sense by itself'),
    type: z.enum(writtenTypes).describe('what kind of event it is'),
    scope: filled.describe('the area it affects'),
    detail: several('key=value, such as entity=parser'),
    refs: several('ids of events that led to it, such as evt-012'),
    tags: several('words to find it by'),
    agent: maybe('name of the one who did it; the author of commits if left out'),
    supersedes: maybe('id of the event that it replaces'),
    time: maybe('when it happened, ISO 8601, not before the last event; now if left out'),
  }),
  positional: ['summary'],
  words: 'summary',
  usual: ['type', 'scope', 'detail', 'refs', 'tags', 'supersedes'],
  flags: { writes: 'now' },
  example: {
    command: 'project change --type create --scope parser --detail entity=parser "The parser reads CSV"',
    shows: 'the id that the event was given, evt-001, and its commit',
  },
  async run(context, { detail = [], ...input }) {
    const details = Object.fromEntries(detail.map(detailOf));
    const memory = await context.memory();
    return memory.project.change({ ...input, ...(detail.length === 0 ? {} : { details }) });
  },
  text: (appended: ChangeResult, style) => describeAppended(appended, style),
});

function detailOf(given: string): [string, string] {
  const match = /^([^=:]+)[=:]\s*(.*)$/s.exec(given);
  if (match !== null) return [match[1]!.trim(), match[2]!];
  throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(given)} is not a detail`, {
    where: 'detail',
    hint: 'Give it as key=value, such as entity=parser',
  });
}

/** As wide as `evt-001` and two spaces. */
const idWidth = 9;

export const changes = defineVerb({
  name: 'changes',
  summary: 'List events of the changelog',
  help:
    'The oldest event comes first. Superseded and archived events are left out unless you ask for them. --chain shows ' +
    'all events that refs link with one, in either direction. The answer names unreadable lines and missing parts; ' +
    '--bent also names readable lines of an unusual form.',
  input: z.strictObject({
    chain: maybe('the id of an event: all that is linked to it'),
    type: oneOf(changelogEventTypes, 'only events of this type'),
    agent: maybe('only events of this agent'),
    scope: maybe('only events whose scope has these words'),
    tag: maybe('only events with this tag'),
    since: maybe('at this day or time, or later'),
    until: maybe('by the end of this day'),
    superseded: flag('also events that a later one supersedes'),
    archived: flag('also archived events'),
    bent: flag('also show lines of an unusual form'),
    limit: optional(z.int().min(1).max(1_000_000), 'how many at most, the newest'),
  }),
  positional: ['chain'],
  usual: ['type', 'scope', 'tag', 'since', 'until', 'limit'],
  flags: { reads: true },
  example: { command: 'project changes --type decision --since "last monday"', shows: 'what was decided since then' },
  async run(context, { bent, ...filter }) {
    const listed = await (await context.view()).project.changes(filter as ChangeFilter);
    // What an event lacks is named unasked, and so is a file of another form.
    return bent ? listed : { ...listed, bent: listed.bent.filter((one) => one.id === undefined || isOfMissing(one)) };
  },
  text({ events, damaged, bent }, style) {
    const lines = events.flatMap((one) => describeChange(one, style));
    if (events.length === 0) lines.push('No event fits.');
    const odd = (mark: (text: string) => string) => (one: IntegrityProblem) =>
      `${mark(`${one.path}:${one.line ?? 1}`)}  ${one.id === undefined ? '' : `${one.id}: `}${one.why}`;
    return [...lines, ...damaged.filter(isOfLog).map(odd(style.bad)), ...bent.map(odd(style.faint))].join('\n');
  },
});

function describeChange(event: ListedChange, style: Style): string[] {
  const { id, time, agent, type, scope, summary, supersededBy, archived } = event;
  const marks = [
    ...(supersededBy === undefined ? [] : [`superseded by ${supersededBy}`]),
    ...(archived ? ['archived'] : []),
  ];
  const about = `${time} ${agent} ${type}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}  ${scope}: ${summary}`;
  const lines = hang(id, about, style, idWidth, 3);
  return supersededBy === undefined ? lines : lines.map(style.faint);
}
