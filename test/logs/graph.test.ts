// The graph of a changelog: what each event does to it, and its file, which gives it back.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changelogEventTypes } from '../../src/base/types/changelog-types.ts';
import { GrowingGraph, materialise } from '../../src/logs/graph.ts';
import { narrate } from '../../src/logs/narrative.ts';
import { edgeRelations, formatGraph, parseGraph } from '../../src/store/records/graph-file.ts';
import { formatNarrative, narrativeSections, parseNarrative } from '../../src/store/records/narrative-file.ts';
import { changelog, type Draft } from './changelogs.ts';

const nodesOf = (...drafts: Draft[]) =>
  materialise(changelog(...drafts)).nodes.map(({ name, type, status, last }) => `${name} ${type} ${status} ${last}`);
const edgesOf = (...drafts: Draft[]) =>
  materialise(changelog(...drafts)).edges.map(
    ({ from, relation, to, created }) => `${from} ${relation} ${to} ${created}`,
  );
const create = (entity: string, more: Record<string, string> = {}): Draft => ({
  type: 'create',
  details: { entity, ...more },
});

describe('what an event does', () => {
  it('a created node has the type of its detail, else that of its path', () => {
    expect(
      nodesOf(create('a', { type: 'task' }), create('b', { path: 'docs/b.md' }), create('c', { path: 'c.ts' })),
    ).toEqual(['a task active evt-001', 'b document active evt-002', 'c component active evt-003']);
    expect(nodesOf(create('a', { type: 'gadget' }))).toEqual(['a component active evt-001']);
  });

  it('a modification changes status, last event and attributes, and what is deleted stays as deprecated', () => {
    const drafts: Draft[] = [
      create('a', { path: 'a.ts', owner: 'x' }),
      { type: 'modify', details: { entity: 'a', status: 'planned', owner: 'y', changes: 'much' } },
      { type: 'delete', details: { entity: 'a', reason: 'not needed' } },
    ];
    const [node] = materialise(changelog(...drafts.slice(0, 2))).nodes;
    expect(node).toMatchObject({ status: 'planned', created: 'evt-001', last: 'evt-002' });
    expect([...node!.attributes]).toEqual([
      ['path', 'a.ts'],
      ['owner', 'y'],
    ]);
    expect(nodesOf(...drafts)).toEqual(['a component deprecated evt-003']);
    expect(nodesOf(...drafts, create('a'))).toEqual(['a component active evt-004']);
  });

  it('a decision about the same takes the place of the last, and the component implements it', () => {
    const choose = (to: string): Draft => ({
      type: 'decision',
      summary: `${to} it is`,
      details: { entity: 'cache', attribute: 'store', to },
    });
    const log = changelog(create('cache'), choose('Redis'), choose('Valkey'));
    const graph = materialise(log);
    expect(graph.edges.map(({ from, relation, to }) => [from, relation, to])).toEqual([
      ['cache', 'implements', 'cache.store'],
    ]);
    expect(graph.nodes[1]!.attributes.get('to')).toBe('Valkey');
    const page = formatNarrative(narrate(log, graph));
    expect(page).toContain('## Active Constraints\n\n- Valkey it is — evt-003\n\n');
  });

  it('who depends on what is said by from and to, else by the scope', () => {
    expect(edgesOf({ type: 'dependency', scope: 'auth', details: { entity: 'jwt', version: '2' } })).toEqual([
      'auth depends_on jwt evt-001',
    ]);
    expect(edgesOf({ type: 'dependency', details: { entity: 'jwt', from: 'a, b' } })).toEqual([
      'a depends_on jwt evt-001',
      'b depends_on jwt evt-001',
    ]);
    expect(edgesOf({ type: 'dependency', details: { entity: 'auth', to: 'jwt' } })).toEqual([
      'auth depends_on jwt evt-001',
    ]);
  });

  it('a fix frees what it names, else what the fixed thing blocks, and nothing else', () => {
    const block = (blocking: string, blocked: string): Draft => ({
      type: 'blocker',
      details: { blocking_entity: blocking, blocked_entity: blocked },
    });
    const blocks = [block('x', 'a'), block('x', 'b'), block('y', 'a')];
    const left = (fix: Draft) =>
      edgesOf(...blocks, fix).map((edge) => edge.slice(0, 1) + edge.slice(-8, -8) + edge.at(-1));
    expect(left({ type: 'fix', details: { entity: 'a' }, refs: ['evt-001'] })).toEqual(['x2', 'y3']);
    expect(left({ type: 'fix', details: { entity: 'x' } })).toEqual(['y3']);
    expect(left({ type: 'fix', details: { entity: 'a', resolves: 'y' } })).toEqual(['x1', 'x2']);
    expect(left({ type: 'fix', details: { entity: 'a' } })).toEqual(['x1', 'x2', 'y3']);
  });

  it('keys are read as people write them', () => {
    const graph = materialise(
      changelog({ type: 'handoff', scope: 'auth', details: { 'From agent': 'a', 'To agent': 'b' } }),
    );
    expect(graph.nodes[0]).toMatchObject({ name: 'auth', type: 'task' });
    expect(graph.nodes[0]!.attributes.get('assignee')).toBe('b');
  });

  it('what an event brought that was superseded is deprecated, and what it said does not count', () => {
    const drafts: Draft[] = [
      create('a', { status: 'planned' }),
      { type: 'modify', details: { entity: 'a', status: 'completed' } },
      { type: 'modify', details: { entity: 'a', supersedes: 'evt-002' } },
      create('b'),
      { type: 'escalation', details: { supersedes: 'evt-004' } },
    ];
    expect(nodesOf(...drafts)).toEqual(['a component planned evt-003', 'b component deprecated evt-005']);
  });
});

const name = fc.constantFrom(
  'a',
  'b',
  'c|d',
  'e\\f',
  'docs/g.md',
  'h: i',
  '`j`',
  'k, l',
  '(none)',
  'm  n',
  '|',
  '\\',
  '\\|',
);
const value = fc.oneof(
  name,
  fc.string({ maxLength: 12 }),
  fc.constantFrom('x, y: z', 'a\\, b: c', 'path: a.ts, b.ts', '\\', 'q\\'),
);
const detail = fc.tuple(
  fc.constantFrom(
    'entity',
    'attribute',
    'path',
    'status',
    'owner',
    'From agent',
    'resolves',
    'blocked_entity',
    'blocking_entity',
    'to',
    'supersedes',
    ...edgeRelations,
  ),
  fc.oneof({ weight: 3, arbitrary: value }, fc.constantFrom('completed', 'planned', 'evt-001', 'evt-002')),
);
const drafts = fc.array(
  fc.record({
    type: fc.constantFrom(...changelogEventTypes),
    scope: name,
    details: fc.array(detail, { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
    refs: fc.subarray(['evt-001', 'evt-003']),
  }),
  { maxLength: 12 },
);

describe('a graph of any events', () => {
  it('has no edge without both ends, no row that goes again, and a horizon', () => {
    fc.assert(
      fc.property(drafts, (list) => {
        const log = changelog(...list);
        let before = new Set<string>();
        for (let count = 0; count <= log.length; count++) {
          const { nodes, edges, horizon } = materialise(log.slice(0, count));
          const names = new Set(nodes.map((node) => node.name));
          expect(names.size).toBe(nodes.length);
          for (const { from, to } of edges) expect([names.has(from), names.has(to)]).toEqual([true, true]);
          expect([...before].filter((old) => !names.has(old))).toEqual([]);
          expect(horizon).toBe(log[count - 1]?.id ?? null);
          before = names;
        }
      }),
    );
  });

  it('grows event by event to what a replay of all gives, and one that was given stays as it is', () => {
    fc.assert(
      fc.property(drafts, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (list, steps) => {
        const growing = new GrowingGraph();
        const events = changelog(...list);
        let count = 0;
        while (count < events.length) {
          // Now and then a state comes between that lacks the last events, as an undo or a preview would bring it.
          const state = events.slice(0, steps.pop() ? Math.max(0, count - 2) : ++count);
          const graph = growing.of(state);
          expect(graph).toEqual(materialise(state));
          const text = formatGraph(graph);
          growing.of(events);
          expect(formatGraph(graph)).toBe(text);
          growing.of(state);
        }
      }),
    );
  });

  it('is what its file says', () => {
    fc.assert(
      fc.property(drafts, (list) => {
        const graph = materialise(changelog(...list));
        const text = formatGraph(graph);
        const { problems, nodes, edges, horizon, updated } = parseGraph(text);
        expect(problems).toEqual([]);
        const plain = <Row extends { line: number }>(rows: readonly Row[]) => rows.map(({ line: _, ...row }) => row);
        expect({ nodes: plain(nodes), edges: plain(edges), horizon, updated }).toEqual(graph);
        expect(formatGraph({ nodes: plain(nodes), edges: plain(edges), horizon, updated })).toBe(text);
      }),
      // A quotation mark with a space before it.
      { examples: [[[{ type: 'decision', scope: 'a', details: { entity: "! '" }, refs: [] }]]] },
    );
  });

  it('has a narrative of seven sections with its horizon', () => {
    fc.assert(
      fc.property(drafts, (list) => {
        const log = changelog(...list);
        const graph = materialise(log);
        const page = parseNarrative(formatNarrative(narrate(log, graph)));
        expect(page.missing).toEqual([]);
        expect([...page.sections.keys()]).toEqual(narrativeSections);
        expect(page.horizon).toBe(graph.horizon);
        expect(page.sections.get('Recent Changes')!.filter(({ text }) => text.includes('—'))).toHaveLength(log.length);
      }),
    );
  });
});

describe('recent changes', () => {
  const at = (day: number, hour: number): Draft => ({
    type: 'escalation',
    time: `2026-03-${String(day).padStart(2, '0')} ${String(hour).padStart(2, '0')}:00`,
  });
  const recent = (...list: Draft[]) => {
    const log = changelog(...list);
    const { sections } = narrate(log, materialise(log));
    return sections['Recent Changes'].map((line) => line.slice(-7));
  };

  it('are the last twenty when fewer are of the last two days, and all of those when more are', () => {
    const slow = Array.from({ length: 30 }, (_, day) => at(day + 1, 9));
    expect(recent(...slow)).toHaveLength(20);
    expect(recent(...slow)[0]).toBe('evt-030');
    const fast = Array.from({ length: 40 }, (_, count) => at(10 + Math.floor(count / 20), count % 20));
    expect(recent(at(1, 1), ...fast)).toHaveLength(40);
  });
});

describe('a graph that people wrote', () => {
  it('is read where it is clear, and the rest is told by line', () => {
    const text = [
      '## Nodes',
      '| Node | Type | Status | Created (evt) | Last Event | Attributes |',
      '|---|:-:|---|---|---|---|',
      '| auth | component | active | evt-001 | evt-002 | path: src/auth/, coverage: 87% |',
      '| web | gadget | active | evt-001 | evt-002 | |',
      '| short | component |',
      '## Edges',
      '| From | To | Relation | Created (evt) | Attributes |',
      '|---|---|---|---|---|',
      '| auth | jwt | depends_on | evt-002 | JWT strategy |',
      '## Meta',
      '| Key | Value |',
      '|---|---|',
      '| Event horizon | evt-002 |',
    ].join('\n');
    const { nodes, edges, problems, horizon } = parseGraph(text);
    expect(nodes).toMatchObject([{ name: 'auth', line: 4 }]);
    expect([...nodes[0]!.attributes.keys()]).toEqual(['path', 'coverage']);
    expect([...edges[0]!.attributes]).toEqual([['note', 'JWT strategy']]);
    expect(horizon).toBe('evt-002');
    expect(problems.map(({ line }) => line)).toEqual([5, 6]);
  });
});
