// Does to the graph of a changelog what one event asks. graph.ts says which events count.

import { oneLine } from '../base/text.ts';
import type { ChangelogEvent } from '../base/types/changelog-types.ts';
import {
  type EdgeRelation,
  edgeRelations,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type NodeStatus,
  type NodeType,
  nodeStatuses,
  nodeTypes,
} from '../store/records/graph-file.ts';

type Open<Row> = { -readonly [Key in keyof Row]: Row[Key] };

interface OpenNode extends Open<GraphNode> {
  readonly attributes: Map<string, string>;
  /** Events have only named it until now, so that its type is a guess. */
  isGuess: boolean;
}

type OpenEdge = Open<GraphEdge>;

/** The details of an event under keys as the formats write them: `From agent` is `from_agent`. */
type Details = ReadonlyMap<string, string>;

/** What the graph says by other means, or what tells of the event and not of the thing. */
const spoken: ReadonlySet<string> = new Set([
  ...edgeRelations,
  'entity',
  'entities',
  'target',
  'task',
  'name',
  'type',
  'status',
  'decision',
  'resolves',
  'changes',
  'symptom',
  'root_cause',
  'resolution',
  'blocked_entity',
  'blocking_entity',
  'resolution_path',
  'from_agent',
  'to_agent',
  'payload',
  'payload_summary',
  'supersedes',
]);

/** Nodes and edges as events are added to them, one after the other. */
export class GraphBuilder {
  private readonly nodes = new Map<string, OpenNode>();
  private readonly edges = new Map<string, OpenEdge>();
  /** Those of `edges` that block something: each fix looks for what it frees. */
  private readonly blocks = new Map<string, OpenEdge>();
  last: ChangelogEvent | undefined;

  /** As of now: what is added later changes nothing of it. */
  graph(): Graph {
    const { nodes, edges, last } = this;
    return {
      nodes: [...nodes.values()].map(({ name, type, status, created, last: lastEvent, attributes }) => {
        return { name, type, status, created, last: lastEvent, attributes: new Map(attributes) };
      }),
      edges: [...edges.values()].map((edge) => ({ ...edge })),
      horizon: last?.id ?? null,
      updated: last?.time ?? null,
    };
  }

  add(event: ChangelogEvent): void {
    const details = detailsOf(event);
    switch (event.type) {
      case 'create':
      case 'modify':
      case 'delete':
      case 'test':
      case 'fix':
        this.change(event, details);
        break;
      case 'decision':
        this.decide(event, details);
        break;
      case 'dependency':
        this.depend(event, details);
        break;
      case 'blocker':
        this.block(event, details);
        break;
      case 'milestone':
        this.reach(event, details);
        break;
      case 'handoff':
        this.handOver(event, details);
        break;
      default:
    }
  }

  private change(event: ChangelogEvent, details: Details): void {
    const status = statusOf(details);
    for (const name of subjectsOf(event, details)) {
      const isKnown = this.nodes.has(name);
      const node = this.touch(name, event, typeOf(details) ?? typeByPath(details.get('path') ?? name));
      if (typeOf(details) !== undefined) node.type = typeOf(details)!;
      if (event.type === 'delete') node.status = 'deprecated';
      else if (status !== undefined) node.status = status;
      else if (event.type === 'create' && isKnown && node.status === 'deprecated') node.status = 'active';
      this.describe(node, details);
      this.relate(name, event, details);
    }
    if (event.type === 'fix') this.free(event, details);
  }

  /** Notes that a later event took the place of one: what that one would have brought is there, and over. */
  takeBack(event: ChangelogEvent, by: ChangelogEvent): void {
    const alone = new GraphBuilder();
    alone.add(event);
    for (const { name, type } of alone.graph().nodes) {
      if (this.nodes.has(name)) continue;
      const node = this.touch(name, event, type);
      node.status = 'deprecated';
      node.last = by.id;
    }
  }

  private decide(event: ChangelogEvent, details: Details): void {
    const affected = affectedBy(details);
    const name = nameOfDecision(event, details);
    const node = this.touch(name, event, 'decision');
    node.status = statusOf(details) ?? 'active';
    this.describe(node, details);
    for (const component of affected.length > 0 ? affected : namesIn(event.scope)) {
      if (component === name) continue;
      this.expect(component, event, typeByPath(component));
      this.link(component, name, 'implements', event);
    }
    this.relate(name, event, details);
  }

  private depend(event: ChangelogEvent, details: Details): void {
    const to = details.get('to');
    const listed = to === undefined ? this.listedIn(details) : [];
    const about = details.get('entity');
    const users = namesIn(details.get('from') ?? (to === undefined && listed.length === 0 ? event.scope : about));
    const needed = to !== undefined ? namesIn(to) : listed.length > 0 ? [] : subjectsOf(event, details);
    const own = new Map([...details].filter(([key]) => key !== 'from' && key !== 'to' && !isList(key)));
    for (const user of listed.length > 0 ? users : []) this.touch(user, event, typeByPath(user));
    for (const { name, version, isGone } of [...listed, ...needed.map((one): Listed => ({ name: one }))]) {
      const node = this.touch(name, event, 'dependency');
      const status = isGone ? 'deprecated' : statusOf(details);
      node.status = status ?? (node.status === 'deprecated' ? 'active' : node.status);
      this.describe(node, version === undefined ? own : new Map([...own, ['version', version]]));
      for (const user of users) {
        if (user === name) continue;
        this.expect(user, event, typeByPath(user));
        this.link(user, name, 'depends_on', event);
      }
      this.relate(name, event, details);
    }
  }

  /**
   * What an event lists as needed by its entity: `Dependencies added: numpy 2.1, pytest`. Where no key says so, and the entity is no dependency
   * itself, it is a list in which all have a version.
   */
  private listedIn(details: Details): Listed[] {
    const listed = [...details].filter(([key]) => isList(key));
    if (listed.length > 0) return listed.flatMap(([key, value]) => itemsIn(value, key));
    const { type = 'dependency', isGuess } = this.nodes.get(nameOf(details.get('entity') ?? '')) ?? {};
    if ((type === 'dependency' && isGuess !== true) || details.has('version')) return [];
    return [...details].flatMap(([key, value]) => {
      const items = spoken.has(key) ? [] : itemsIn(value, key);
      return items.every(({ version }) => version !== undefined) ? items : [];
    });
  }

  private block(event: ChangelogEvent, details: Details): void {
    const blocked = namesIn(details.get('blocked_entity') ?? details.get('entity') ?? event.scope);
    const blocking = namesIn(details.get('blocking_entity') ?? event.summary, !details.has('blocking_entity'));
    const path = details.get('resolution_path');
    for (const from of blocking) {
      this.expect(from, event, 'dependency');
      for (const to of blocked) {
        if (from === to) continue;
        this.expect(to, event, typeByPath(to));
        this.link(from, to, 'blocks', event, path === undefined ? [] : [['resolution_path', path]]);
      }
    }
  }

  private reach(event: ChangelogEvent, details: Details): void {
    const name = nameOf(details.get('name') ?? details.get('entity') ?? event.summary) || event.id;
    const node = this.touch(name, event, 'milestone');
    node.status = statusOf(details) ?? 'completed';
    this.describe(node, details);
    this.relate(name, event, details);
  }

  private handOver(event: ChangelogEvent, details: Details): void {
    const assignee = details.get('to_agent') ?? details.get('assignee');
    const named = details.get('task') ?? details.get('entity');
    for (const name of namesIn(named ?? event.scope)) {
      const { type = 'task', isGuess = true } = this.nodes.get(name) ?? {};
      const node = this.touch(name, event, named === undefined ? type : 'task');
      // The area of a handoff is what is worked on: whoever creates it says what it is.
      if (named === undefined) node.isGuess = isGuess;
      const status = statusOf(details);
      if (status !== undefined) node.status = status;
      this.describe(node, details);
      if (assignee !== undefined) node.attributes.set('assignee', assignee);
      this.relate(name, event, details);
    }
  }

  /** Takes out the edges that a fix resolves: those it names, by event or by what blocked, else all of the fixed thing itself. */
  private free(event: ChangelogEvent, details: Details): void {
    if (this.blocks.size === 0) return;
    const blocks = [...this.blocks];
    const named = new Set([...event.refs, ...namesIn(details.get('resolves'))]);
    const chosen = blocks.filter(([, { created, from }]) => named.has(created) || named.has(from));
    const fixed = subjectsOf(event, details);
    const freed = chosen.length > 0 ? chosen : blocks.filter(([, { from }]) => fixed.includes(from));
    for (const [key] of freed) {
      this.edges.delete(key);
      this.blocks.delete(key);
    }
  }

  /** Gives the node of a name, which the event changes or brings. */
  private touch(name: string, event: ChangelogEvent, type: NodeType): OpenNode {
    const { id } = event;
    const known = this.nodes.get(name);
    if (known === undefined) {
      const made: OpenNode = {
        name,
        type,
        status: 'active',
        created: id,
        last: id,
        attributes: new Map(),
        isGuess: false,
      };
      this.nodes.set(name, made);
      return made;
    }
    known.last = id;
    if (known.isGuess) {
      known.type = type;
      known.isGuess = false;
      if (event.type === 'create') known.created = id;
    }
    return known;
  }

  /** Brings a node that the event only names; one that is there stays as it is. */
  private expect(name: string, event: ChangelogEvent, type: NodeType): void {
    if (!this.nodes.has(name)) this.touch(name, event, type).isGuess = true;
  }

  private describe(node: OpenNode, details: Details): void {
    for (const [key, value] of details) {
      if (!spoken.has(key) && value !== '') node.attributes.set(key, oneLine(value, longestAttribute));
    }
  }

  private relate(name: string, event: ChangelogEvent, details: Details): void {
    for (const relation of edgeRelations) {
      for (const other of namesIn(details.get(relation))) {
        if (other === name) continue;
        this.expect(other, event, relation === 'depends_on' ? 'dependency' : typeByPath(other));
        this.link(name, other, relation, event);
      }
    }
  }

  private link(
    from: string,
    to: string,
    relation: EdgeRelation,
    event: ChangelogEvent,
    attributes: readonly (readonly [string, string])[] = [],
  ): void {
    const key = `${from}\n${to}\n${relation}`;
    const known = this.edges.get(key);
    if (known === undefined) {
      const made = { from, to, relation, created: event.id, attributes: new Map(attributes) };
      this.edges.set(key, made);
      if (relation === 'blocks') this.blocks.set(key, made);
    } else if (attributes.length > 0) known.attributes = new Map([...known.attributes, ...attributes]);
  }
}

/** A dependency of a list, and its version. */
interface Listed {
  readonly name: string;
  readonly version?: string;
  readonly isGone?: boolean;
}

const isList = (key: string): boolean => /^dependenc(?:y|ies)(?:_|$)/.test(key);
/** `PyYAML 6.0`, `vite@5.4.2`, `django==5.1`. */
const versioned = /^(.+?)(?:\s+v?|@|\s*(?:[=~^<>]=?|===?)\s*)(\d[\w.+*-]*)$/;

/** Reads a list of names, some with their versions; `Removed` and `Deprecated` are of Keep a Changelog. */
function itemsIn(value: string, key: string): Listed[] {
  const isGone = /_(?:removed|deprecated)$/.test(key);
  return namesIn(value).map((item) => {
    const [, name = item, version] = versioned.exec(item) ?? [];
    return { name: nameOf(name), isGone, ...(version === undefined ? {} : { version }) };
  });
}

/** Gives the name of the node that a decision becomes: a later decision of that name takes its place. */
export const decisionNameOf = (event: ChangelogEvent): string => nameOfDecision(event, detailsOf(event));

function nameOfDecision(event: ChangelogEvent, details: Details): string {
  const [first] = affectedBy(details);
  const attribute = details.get('attribute');
  const about = first !== undefined && attribute !== undefined ? `${first}.${attribute}` : event.summary;
  return nameOf(details.get('decision') ?? details.get('name') ?? about) || event.id;
}

const affectedBy = (details: Details): readonly string[] => namesIn(details.get('entity') ?? details.get('entities'));

function detailsOf({ details }: ChangelogEvent): Details {
  const read = new Map<string, string>();
  for (const { key, value } of details) {
    const name = /^[a-z0-9_-]+$/.test(key)
      ? key
      : key
          .trim()
          .toLowerCase()
          .replace(/[^\p{L}\p{N}_-]+/gu, '_');
    if (name !== '' && !read.has(name)) read.set(name, oneLine(value, longestDetail));
  }
  return read;
}

/** What an event is about: its entity, else its path, else its scope. */
function subjectsOf({ scope }: ChangelogEvent, details: Details): readonly string[] {
  const named = details.get('entity') ?? details.get('entities') ?? details.get('target') ?? details.get('task');
  return namesIn(named ?? details.get('path') ?? scope);
}

const longestName = 200;
const longestDetail = 4000;
/** The event has the rest. */
const longestAttribute = 300;

/** Names parted by commas, each once; `isOne` takes the whole text for one. */
function namesIn(text: string | undefined, isOne = false): readonly string[] {
  const parts = isOne ? [text ?? ''] : (text ?? '').split(/[,;]/);
  return [...new Set(parts.map(nameOf))].filter((name) => name !== '' && !/^\(?none\)?$/i.test(name));
}

const nameOf = (text: string): string => oneLine(text, longestName).replace(/^[`*"'\s]+|[`*"'\s]+$/gu, '');

function statusOf(details: Details): NodeStatus | undefined {
  const status = details.get('status')?.toLowerCase();
  return nodeStatuses.find((name) => name === status);
}

function typeOf(details: Details): NodeType | undefined {
  const type = details.get('type')?.toLowerCase();
  return nodeTypes.find((name) => name === type);
}

/** A path of text for people is a document, anything else a component. */
const typeByPath = (path: string): NodeType =>
  /\.(?:md|mdx|markdown|txt|rst|adoc|pdf|docx?)$/i.test(path) ? 'document' : 'component';
