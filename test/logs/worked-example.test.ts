// Eight events on their way through the layers: the log, the graph that follows from it, the narrative of both. Written out, so that whoever
// changes a rule sees what it does to a page.

import { expect, it } from 'vitest';
import { materialise } from '../../src/logs/graph.ts';
import { narrate } from '../../src/logs/narrative.ts';
import { graphProblems, narrativeProblems } from '../../src/logs/project-problems.ts';
import { parseChangelog } from '../../src/store/records/changelog.ts';
import { formatGraph } from '../../src/store/records/graph-file.ts';
import { formatNarrative } from '../../src/store/records/narrative-file.ts';
import { changelog, changelogText } from './changelogs.ts';

const events = changelog(
  {
    type: 'create',
    scope: 'api',
    summary: 'Task API begun',
    details: { entity: 'task-api', path: 'src/', purpose: 'tasks over HTTP' },
  },
  {
    type: 'decision',
    scope: 'database',
    summary: 'SQLite holds the tasks',
    details: { entity: 'task-api', attribute: 'storage', from: 'none', to: 'SQLite', rationale: 'one file, no server' },
    refs: ['evt-001'],
  },
  {
    type: 'create',
    scope: 'planning',
    summary: 'Migrations are to be written',
    details: { entity: 'migrations', type: 'task', priority: 'high', precedes: 'release' },
  },
  {
    type: 'create',
    scope: 'planning',
    summary: 'The release is to be cut',
    details: { entity: 'release', type: 'task' },
  },
  {
    type: 'blocker',
    scope: 'migrations',
    summary: 'Migrations fail on a column that may be null',
    details: {
      blocked_entity: 'migrations',
      blocking_entity: 'nullable-column',
      resolution_path: 'Give it a default',
    },
  },
  {
    type: 'fix',
    scope: 'src/task.ts',
    summary: 'The due date has a default',
    details: { entity: 'task-api', symptom: 'migration failed', resolution: 'default added' },
    refs: ['evt-005'],
  },
  {
    type: 'test',
    scope: 'tests',
    summary: '12 tests pass',
    details: { target: 'task-api', result: 'pass', coverage: '87%' },
  },
  {
    type: 'handoff',
    scope: 'migrations',
    summary: 'Migrations go to Bea',
    details: { from_agent: 'builder', to_agent: 'bea', phase: 'review', entity: 'migrations' },
  },
);

const graphText = `# Knowledge Graph

<!-- Layer 2: what follows from the event log, event by event. Made anew with each event: an edit here does not last. -->

## Nodes

| Node | Type | Status | Created (evt) | Last Event | Attributes |
|------|------|--------|---------------|------------|------------|
| task-api | component | active | evt-001 | evt-007 | path: src/, purpose: tasks over HTTP, result: pass, coverage: 87% |
| task-api.storage | decision | active | evt-002 | evt-002 | attribute: storage, from: none, to: SQLite, rationale: one file, no server |
| migrations | task | active | evt-003 | evt-008 | priority: high, phase: review, assignee: bea |
| release | task | active | evt-004 | evt-004 | (none) |
| nullable-column | dependency | active | evt-005 | evt-005 | (none) |

## Edges

| From | To | Relation | Created (evt) | Attributes |
|------|----|----------|---------------|------------|
| task-api | task-api.storage | implements | evt-002 | (none) |
| migrations | release | precedes | evt-003 | (none) |

## Meta

- **Last updated**: 2026-02-10 10:10
- **Event horizon**: evt-008
- **Nodes**: 5
- **Edges**: 2
`;

const narrativeText = `# Current Context

<!-- Layer 3: what follows from the event log and the graph. Made anew with each event: an edit here does not last. -->
<!-- Last generated: 2026-02-10 10:10 | Event horizon: evt-008 -->

## Active Mission

- Decision: SQLite holds the tasks — evt-002

## Current Sprint

| Task | Priority | Assignee | Status | Blockers |
|------|----------|----------|--------|----------|
| migrations | high | bea | active | — |
| release | — | — | active | — |

## Active Constraints

- SQLite holds the tasks — evt-002

## Blockers

- (none)

## Recent Changes

- 2026-02-10 10:10 — Migrations go to Bea — evt-008
- 2026-02-10 10:00 — 12 tests pass — evt-007
- 2026-02-10 09:50 — The due date has a default — evt-006
- 2026-02-10 09:40 — Migrations fail on a column that may be null — evt-005
- 2026-02-10 09:30 — The release is to be cut — evt-004
- 2026-02-10 09:20 — Migrations are to be written — evt-003
- 2026-02-10 09:10 — SQLite holds the tasks — evt-002
- 2026-02-10 09:00 — Task API begun — evt-001

## Key Dependencies

- (none)

## Next Actions

1. migrations
2. release (after migrations)
`;

it('eight events become a log, a graph and a narrative', () => {
  const read = parseChangelog(changelogText(events), 'CHANGELOG.md').flatMap((piece) =>
    piece.kind === 'entry' ? [piece.value] : [],
  );
  expect(read.map(({ line: _, ...event }) => event)).toEqual(events.map(({ line: _, ...event }) => event));
  const graph = materialise(read);
  expect(formatGraph(graph)).toBe(graphText);
  expect(formatNarrative(narrate(read, graph))).toBe(narrativeText);
});

it('what blocks stands on the page until it is fixed, and its task in no list of what to do next', () => {
  const before = events.slice(0, 5);
  const page = formatNarrative(narrate(before, materialise(before)));
  expect(page).toContain('- nullable-column blocks migrations — evt-005\n  - Way out: Give it a default\n');
  expect(page).toContain('| migrations | high | — | active | nullable-column |');
  expect(page).toContain('## Next Actions\n\n1. release (after migrations)\n');
});

/** As an agent writes by hand: keys with capitals, nested details, rules between events; `id | time | agent | type | scope | summary | refs | tags`. */
const byHand = [
  'evt-001 | 2026-04-06 08:00 | planner-01 | decision | tides | Tide tables come from one harbour office | none | source, tides',
  'evt-002 | 2026-04-06 08:20 | planner-01 | decision | ferry_board | The board refreshes each minute | evt-001 | display',
  'evt-003 | 2026-04-06 09:00 | planner-01 | handoff | ferry_board | Plans are done, the builder takes over | evt-001, evt-002 | handoff',
  'evt-004 | 2026-04-06 11:00 | builder-02 | dependency | ferry_board | Clock and drawing come from libraries | evt-002 | dependency',
  'evt-005 | 2026-04-06 11:30 | builder-02 | create | ferry_board | The board stands | evt-003 | board',
  'evt-006 | 2026-04-07 09:10 | builder-02 | dependency | ferry_board | Drawing is done by hand now | evt-004 | dependency',
  'evt-007 | 2026-04-07 10:00 | builder-02 | dependency | tide_reader | The reader speaks Modbus | evt-005 | dependency',
  'evt-008 | 2026-04-07 12:00 | tester-01 | test | ferry_board | Nine tests pass | evt-005 | testing',
].map((line) => line.split(' | '));
const detailsByHand: readonly (readonly string[])[] = [
  ['Entity: tides', 'Attribute: source', 'From: (none)', 'To: harbour office', 'Rationale: one table, no disputes'],
  ['Entity: ferry_board', 'Attribute: refresh', 'To: each minute'],
  [
    'From agent: planner-01',
    'To agent: builder',
    'Payload:',
    '  - Invariants: one table, no login',
    '  - Boundaries: src/board/ only',
  ],
  ['Entity: ferry_board', 'Dependencies added: Luxon 3.4.4, sharp@0.33.5, leaflet', 'Reason: clock, pictures, map'],
  ['Entity: ferry_board', 'Path: src/board/', 'Purpose: departures at the pier'],
  ['Entity: ferry_board', 'Dependencies removed: sharp'],
  ['Entity: tide_reader', 'Libraries: jsmodbus 4.0.10, serialport 12.0.0', 'Reason: the sensor has no other port'],
  ['Target: ferry_board', 'Result: pass', 'Coverage: 88%'],
];

it('what an agent writes by hand is read field by field, and what it lists as dependencies are nodes on which its entity depends', () => {
  const blocks = byHand.map(([id, time, agent, type, scope, summary, refs, tags], at) => {
    const details = detailsByHand[at]!.map((line) => (line.startsWith(' ') ? line : `- ${line}`)).join('\n');
    const head = `\n### ${id} | ${time} | ${agent} | ${type}\n\n**Scope**: ${scope}\n**Summary**: ${summary}\n`;
    return `${head}**Details**:\n${details}\n\n**Refs**: ${refs}\n**Tags**: ${tags}\n\n---\n`;
  });
  const pieces = parseChangelog(`# Log\n\n## Event Log\n${blocks.join('')}`, 'CHANGELOG.md');
  const read = pieces.flatMap((piece) => (piece.kind === 'entry' ? [piece.value] : []));
  const fields = read.flatMap(({ id, time, agent, type, scope, summary, refs, tags }) => {
    return [id, time, agent, type, scope, summary, refs.join(', ') || 'none', tags.join(', ')];
  });
  expect(fields).toHaveLength(64);
  expect(fields).toEqual(byHand.flat());
  expect(pieces.filter((piece) => piece.kind === 'rest' && piece.why !== undefined)).toEqual([]);
  expect(read[2]!.details.at(-1)).toEqual({
    key: 'Payload',
    value: 'Invariants: one table, no login; Boundaries: src/board/ only',
  });
  // The reader was there before: it is no dependency of the board, and what has versions is listed.
  const [reader] = changelog({
    type: 'create',
    details: { entity: 'tide_reader' },
    time: '2026-04-05 08:00',
    id: 'evt-009',
    number: 9,
  });
  const events = [...read, reader!];
  const graph = materialise(events);
  const rows = graph.nodes.map(({ name, type, status, attributes }) => [name, type, status, attributes.get('version')]);
  expect(rows).toEqual([
    ['tide_reader', 'component', 'active', undefined],
    ['tides.source', 'decision', 'active', undefined],
    ['tides', 'component', 'active', undefined],
    ['ferry_board.refresh', 'decision', 'active', undefined],
    ['ferry_board', 'component', 'active', undefined],
    ['Luxon', 'dependency', 'active', '3.4.4'],
    ['sharp', 'dependency', 'deprecated', '0.33.5'],
    ['leaflet', 'dependency', 'active', undefined],
    ['jsmodbus', 'dependency', 'active', '4.0.10'],
    ['serialport', 'dependency', 'active', '12.0.0'],
  ]);
  expect(graph.edges.map(({ from, to, relation }) => `${from} ${relation} ${to}`)).toEqual([
    'tides implements tides.source',
    'ferry_board implements ferry_board.refresh',
    ...['Luxon', 'sharp', 'leaflet'].map((name) => `ferry_board depends_on ${name}`),
    ...['jsmodbus', 'serialport'].map((name) => `tide_reader depends_on ${name}`),
  ]);
  const page = formatNarrative(narrate(events, graph));
  expect(page).toContain(
    ['Luxon — evt-004', 'leaflet — evt-004'].map((line) => `- ferry_board depends on ${line}\n`).join('') +
      ['jsmodbus — evt-007', 'serialport — evt-007'].map((line) => `- tide_reader depends on ${line}\n`).join(''),
  );
  expect(graphProblems(formatGraph(graph), events, graph)).toEqual([]);
  expect(narrativeProblems(page, events, graph)).toEqual([]);
});

it('decisions in force stand on the page however long ago they were made, and one that was replaced does not', () => {
  const made = changelog(
    { type: 'decision', summary: 'Fares in euros', details: { entity: 'fares', attribute: 'currency' } },
    { type: 'decision', summary: 'Paper tickets', details: { entity: 'tickets', attribute: 'kind' } },
    ...Array.from(
      { length: 60 },
      (_, at) => ({ type: 'fix', summary: `mended ${at}`, details: { entity: 'gate' } }) as const,
    ),
    { type: 'decision', summary: 'Tickets on phones', details: { entity: 'tickets', attribute: 'kind' } },
    { type: 'decision', summary: 'Taken back: x', details: { entity: 'x' }, tags: ['retracted'] },
  );
  const page = formatNarrative(narrate(made, materialise(made)));
  expect(page).toContain('## Active Constraints\n\n- Tickets on phones — evt-063\n- Fares in euros — evt-001\n\n##');
});
