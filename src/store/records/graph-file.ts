// .memory/graph.md as a value: the nodes and edges that follow from a changelog, as two tables and what they are made from.
// logs/graph.ts works out what follows from which event.

import type { ProjectEdge, ProjectNode } from '../../base/types.ts';
import { edgeDetails } from './changelog-types.ts';

export const graphPath = '.memory/graph.md';

export const nodeTypes = ['component', 'task', 'dependency', 'decision', 'document', 'milestone'] as const;
export const nodeStatuses = ['active', 'blocked', 'completed', 'deprecated', 'planned'] as const;
/** What may stand between two nodes; an event that has one of these as a detail brings such edges. */
export const edgeRelations = edgeDetails;

export type NodeType = (typeof nodeTypes)[number];
export type NodeStatus = (typeof nodeStatuses)[number];
export type EdgeRelation = (typeof edgeRelations)[number];

/** A word and what it says: `path` → `src/auth/`. A key holds neither colon nor comma, a value no line feed. */
type Attributes = ReadonlyMap<string, string>;

export interface GraphNode extends Omit<ProjectNode, 'attributes'> {
  readonly attributes: Attributes;
}

export interface GraphEdge extends Omit<ProjectEdge, 'attributes'> {
  readonly attributes: Attributes;
}

export interface Graph {
  /** In the order in which events brought them, and so are edges. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The last event of the log; null for an empty one. */
  readonly horizon: string | null;
  /** When that was, as the log writes it: `2026-11-22 09:30`. */
  readonly updated: string | null;
}

type Placed<Row> = Row & { readonly line: number };

interface GraphReading extends Omit<Graph, 'nodes' | 'edges'> {
  readonly nodes: readonly Placed<GraphNode>[];
  readonly edges: readonly Placed<GraphEdge>[];
  readonly problems: readonly { readonly line: number; readonly why: string }[];
}

const head = `# Knowledge Graph

<!-- Layer 2: what follows from the event log, event by event. Made anew with each event: an edit here does not last. -->
`;
const nodeColumns = ['Node', 'Type', 'Status', 'Created (evt)', 'Last Event', 'Attributes'];
const edgeColumns = ['From', 'To', 'Relation', 'Created (evt)', 'Attributes'];
const nothing = '(none)';

/** Formats a graph; equal graphs are equal bytes, and {@link parseGraph} gives them back. */
export function formatGraph({ nodes, edges, horizon, updated }: Graph): string {
  const nodeRows = nodes.map(({ name, type, status, created, last, attributes }) =>
    row([cell(name), type, status, created, last, formatAttributes(attributes)]),
  );
  const edgeRows = edges.map(({ from, to, relation, created, attributes }) =>
    row([cell(from), cell(to), relation, created, formatAttributes(attributes)]),
  );
  const meta = [
    ['Last updated', updated ?? nothing],
    ['Event horizon', horizon ?? nothing],
    ['Nodes', String(nodes.length)],
    ['Edges', String(edges.length)],
  ].map(([key, value]) => `- **${key}**: ${value}`);
  return [
    head,
    `## Nodes\n\n${table(nodeColumns, nodeRows)}\n`,
    `## Edges\n\n${table(edgeColumns, edgeRows)}\n`,
    `## Meta\n\n${meta.join('\n')}\n`,
  ].join('\n');
}

const table = (columns: readonly string[], rows: readonly string[]): string =>
  [row(columns), `|${columns.map((name) => '-'.repeat(name.length + 2)).join('|')}|`, ...rows].join('\n');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const cell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|');

/** A comma within a value looks like the end of it only where something like a key follows. */
function formatAttributes(attributes: Attributes): string {
  if (attributes.size === 0) return nothing;
  return [...attributes]
    .map(([key, value]) => `${cell(key)}: ${cell(value).replace(/,(?= [^\s:,|\\]+: )/g, '\\,')}`)
    .join(', ');
}

/**
 * Reads the graph of a file, by this engine or by people. It passes over what it cannot read, and names it with its line.
 *
 * Names of sections and columns may be written in any case; Meta may be a list or a table.
 */
export function parseGraph(text: string): GraphReading {
  const nodes: Placed<GraphNode>[] = [];
  const edges: Placed<GraphEdge>[] = [];
  const problems: { line: number; why: string }[] = [];
  const meta = new Map<string, string>();
  let section = '';
  for (const [index, raw] of text.split('\n').entries()) {
    const line = index + 1;
    const words = raw.trim();
    if (/^#{1,6}\s/.test(words)) section = words.replace(/^#+\s+/, '').toLowerCase();
    else if (section === 'meta') readMeta(words, meta);
    else if (words.startsWith('|') && (section === 'nodes' || section === 'edges')) {
      const cells = cellsOf(words);
      if (isFrame(cells)) continue;
      const found = section === 'nodes' ? nodeOf(cells) : edgeOf(cells);
      if (typeof found === 'string') problems.push({ line, why: found });
      else if ('name' in found) nodes.push({ ...found, line });
      else edges.push({ ...found, line });
    }
  }
  const told = (key: string): string | null => {
    const value = meta.get(key);
    return value === undefined || value === nothing ? null : value;
  };
  return { nodes, edges, horizon: told('event horizon'), updated: told('last updated'), problems };
}

const longestMeta = 200;

function readMeta(words: string, meta: Map<string, string>): void {
  if (words.length > longestMeta) return;
  const item = /^[-*+]\s+\**([^:*]+?)\**\s*:\**\s*(.*)$/.exec(words);
  const cells = words.startsWith('|') ? cellsOf(words) : [];
  const [key, value] = item === null ? cells : [item[1], item[2]];
  if (key !== undefined && value !== undefined) meta.set(key.replaceAll('*', '').toLowerCase(), value.trim());
}

/** Whether a row is the head of a table or the line below it. */
function isFrame(cells: readonly string[]): boolean {
  const first = cells[0]?.toLowerCase();
  return cells.every((text) => /^:?-+:?$/.test(text)) || first === 'node' || (first === 'from' && cells[1] === 'To');
}

function cellsOf(words: string): string[] {
  const inside = words.replace(/^\|/, '').replace(/(?<!\\)((?:\\\\)*)\|$/, '$1');
  return inside.split(/(?<=(?<!\\)(?:\\\\)*)\|/).map((text) => text.trim());
}

const plain = (text: string): string => text.replace(/\\([\\|,])/g, '$1');

function nodeOf(cells: readonly string[]): GraphNode | string {
  if (cells.length !== nodeColumns.length)
    return `a node has ${nodeColumns.length} columns, and here are ${cells.length}`;
  const [name, type, status, created, last, attributes] = cells as [string, string, string, string, string, string];
  if (name === '') return 'the node has no name';
  if (!isOneOf(nodeTypes, type)) return `${type} is no type of a node; there are ${nodeTypes.join(', ')}`;
  if (!isOneOf(nodeStatuses, status)) return `${status} is no status; there are ${nodeStatuses.join(', ')}`;
  return { name: plain(name), type, status, created, last, attributes: parseAttributes(attributes) };
}

function edgeOf(cells: readonly string[]): GraphEdge | string {
  if (cells.length !== edgeColumns.length)
    return `an edge has ${edgeColumns.length} columns, and here are ${cells.length}`;
  const [from, to, relation, created, attributes] = cells as [string, string, string, string, string];
  if (from === '' || to === '') return 'the edge lacks an end';
  if (!isOneOf(edgeRelations, relation)) return `${relation} is no relation; there are ${edgeRelations.join(', ')}`;
  return { from: plain(from), to: plain(to), relation, created, attributes: parseAttributes(attributes) };
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

/** A part without a key, as people write it, is an attribute called `note`. */
function parseAttributes(text: string): Attributes {
  const attributes = new Map<string, string>();
  if (text === nothing || text === '') return attributes;
  for (const part of text.split(/(?<=(?<!\\)(?:\\\\)*), (?=[^\s:,|\\]+: )/)) {
    const colon = part.indexOf(': ');
    if (colon < 0) attributes.set('note', plain(part));
    else attributes.set(plain(part.slice(0, colon)), plain(part.slice(colon + 2)));
  }
  return attributes;
}
