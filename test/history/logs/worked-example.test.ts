// Eight events on their way through the layers: the log, the graph that follows from it, the narrative of both. Written out, so that whoever
// changes a rule sees what it does to a page.

import { expect, it } from 'vitest';
import { materialise } from '../../../src/history/logs/graph.ts';
import { narrate } from '../../../src/history/logs/narrative.ts';
import { parseChangelog } from '../../../src/store/records/changelog.ts';
import { formatGraph } from '../../../src/store/records/graph-file.ts';
import { formatNarrative } from '../../../src/store/records/narrative-file.ts';
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
