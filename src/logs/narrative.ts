// Makes the seven sections of .memory/context.md of the changelog and its graph, by fixed rules.

import type { ChangelogEvent } from '../base/types/changelog-types.ts';
import type { Graph, GraphEdge, GraphNode } from '../store/records/graph-file.ts';
import type { Narrative } from '../store/records/narrative-file.ts';
import { inOrder } from './graph.ts';
import { decisionNameOf } from './graph-builder.ts';
import { retracted } from './supersession.ts';

/** Recent are the events of so many hours before the last one, or so many of the last, whichever are more (spec 2). */
const recentHours = 48;
const recentEvents = 20;

const minuteMs = 60_000;
const hourMs = 3_600_000;
const earliestMs = Date.parse('0001-01-01T00:00Z');

/**
 * Fills the seven sections; `graph` is that of the same events.
 *
 * Hours count back from the last event, not from a clock, so that the page changes with the log alone.
 */
export function narrate(events: readonly ChangelogEvent[], graph: Graph): Narrative {
  const ordered = inOrder(events);
  const recent = recentOf(ordered);
  const blocks = openBlocks(graph);
  return {
    horizon: graph.horizon,
    generated: graph.updated,
    sections: {
      'Active Mission': missionOf(ordered),
      'Current Sprint': sprintOf(graph, blocks),
      'Active Constraints': constraintsOf(ordered, graph),
      Blockers: blocks.map(describeBlock),
      'Recent Changes': [...recent].reverse().map(({ time, summary, id }) => `- ${time} — ${summary} — ${id}`),
      'Key Dependencies': dependenciesOf(graph),
      'Next Actions': actionsOf(graph, blocks),
    },
  };
}

function recentOf(ordered: readonly ChangelogEvent[]): readonly ChangelogEvent[] {
  const last = ordered.at(-1);
  if (last === undefined) return [];
  // Texts of this form are in the order of time.
  const ms = Math.max(earliestMs, timeOf(last) - recentHours * hourMs);
  const since = new Date(Math.ceil(ms / minuteMs) * minuteMs).toISOString().slice(0, 16).replace('T', ' ');
  const lately = ordered.filter(({ time }) => time >= since);
  return lately.length > recentEvents ? lately : ordered.slice(-recentEvents);
}

/** Only distances count, so that the zone does not matter. */
const timeOf = ({ time }: ChangelogEvent): number => Date.parse(`${time.replace(' ', 'T')}:00Z`);

function missionOf(ordered: readonly ChangelogEvent[]): string[] {
  return (['milestone', 'decision'] as const)
    .flatMap((type) => ordered.findLast((event) => event.type === type) ?? [])
    .sort((a, b) => b.number - a.number)
    .map(({ type, summary, id }) => `- ${type === 'milestone' ? 'Milestone' : 'Decision'}: ${summary} — ${id}`);
}

/** So many decisions stand on the page, the newest first; of a long project more are in force than anybody reads. */
const mostConstraints = 100;

/** Decisions in force, whenever they were made: of several about the same the last one holds, and none that was taken back. */
function constraintsOf(ordered: readonly ChangelogEvent[], { nodes }: Graph): string[] {
  const inForce = new Set(
    nodes.flatMap(({ type, status, name }) => (type === 'decision' && status === 'active' ? name : [])),
  );
  const standing = new Map<string, ChangelogEvent>();
  for (const event of ordered) {
    if (event.type !== 'decision' || event.tags.includes(retracted)) continue;
    const name = decisionNameOf(event);
    standing.delete(name);
    if (inForce.has(name)) standing.set(name, event);
  }
  const lines = [...standing.values()].reverse().map(({ summary, id }) => `- ${summary} — ${id}`);
  const left = lines.length - mostConstraints;
  return left > 0 ? [...lines.slice(0, mostConstraints), `- … ${left} older decisions in force`] : lines;
}

const isOpen = (node: GraphNode | undefined): boolean => node?.status === 'active' || node?.status === 'blocked';

/** Edges that block something that is under way; what is done or gone blocks nothing. */
function openBlocks({ nodes, edges }: Graph): readonly GraphEdge[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return edges.filter(({ relation, from, to }) => {
    const source = byName.get(from)?.status;
    return relation === 'blocks' && source !== 'completed' && source !== 'deprecated' && isOpen(byName.get(to));
  });
}

function describeBlock({ from, to, created, attributes }: GraphEdge): string {
  const path = attributes.get('resolution_path');
  return `- ${from} blocks ${to} — ${created}${path === undefined ? '' : `\n  - Way out: ${path}`}`;
}

function sprintOf({ nodes }: Graph, blocks: readonly GraphEdge[]): string[] {
  const tasks = nodes.filter(({ type, status }) => type === 'task' && status === 'active');
  if (tasks.length === 0) return [];
  const rows = tasks.map(({ name, status, attributes }) => {
    const blocking = blocks.filter(({ to }) => to === name).map(({ from }) => from);
    const cells = [name, attributes.get('priority') ?? '—', attributes.get('assignee') ?? '—', status];
    return `| ${[...cells, blocking.join(', ') || '—'].map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return [
    '| Task | Priority | Assignee | Status | Blockers |',
    '|------|----------|----------|--------|----------|',
    ...rows,
  ];
}

function dependenciesOf({ nodes, edges }: Graph): string[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return edges
    .filter(({ relation, from, to }) => {
      const node = byName.get(from);
      const isNeeded = node?.type === 'component' && node.status === 'active';
      return relation === 'depends_on' && isNeeded && byName.get(to)?.status !== 'deprecated';
    })
    .map(({ from, to, created }) => `- ${from} depends on ${to} — ${created}`);
}

/** Active tasks that nothing blocks; one that another precedes stands after it. */
function actionsOf({ nodes, edges }: Graph, blocks: readonly GraphEdge[]): string[] {
  const blocked = new Set(blocks.map(({ to }) => to));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const tasks = nodes.filter(({ type, status, name }) => type === 'task' && status === 'active' && !blocked.has(name));
  const isLeft = ({ from }: GraphEdge): boolean => {
    const status = byName.get(from)?.status;
    return status !== 'completed' && status !== 'deprecated';
  };
  const before = new Map<string, string[]>();
  for (const edge of edges) {
    if (edge.relation !== 'precedes' || !isLeft(edge)) continue;
    before.set(edge.to, [...(before.get(edge.to) ?? []), edge.from]);
  }
  return inSequence(tasks, before).map(({ name }, at) => {
    const first = before.get(name) ?? [];
    return `${at + 1}. ${name}${first.length === 0 ? '' : ` (after ${first.join(', ')})`}`;
  });
}

/** Puts tasks behind those that precede them, and keeps their order otherwise; in a circle the first one begins. */
function inSequence(tasks: readonly GraphNode[], before: ReadonlyMap<string, readonly string[]>): readonly GraphNode[] {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const placed = new Set<GraphNode>();
  const visiting = new Set<GraphNode>();
  // A stack of our own: a chain of tasks can be as long as the log.
  for (const task of tasks) {
    const stack = [task];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      visiting.add(top);
      const next = (before.get(top.name) ?? [])
        .map((name) => byName.get(name))
        .find((other) => other !== undefined && !placed.has(other) && !visiting.has(other));
      if (next !== undefined) stack.push(next);
      else {
        placed.add(top);
        stack.pop();
      }
    }
  }
  return [...placed];
}
