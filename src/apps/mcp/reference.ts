// The tools of the reference memory server of the Model Context Protocol, in its names and shapes, over our memory. Its source is
// github.com/modelcontextprotocol/servers, src/memory. Entities are files of knowledge, changed as one write each time.

import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MemoryError } from '../../base/errors.ts';
import type { Entity, EntityChange, EntityGraph, EntityRelation } from '../../base/types.ts';
import { entityFolders } from '../../core/recall/entity-graph.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { asMeant } from '../as-meant.ts';
import type { ToolAnswer } from '../tool-answers.ts';
import { parseInput } from '../verbs/verb.ts';
import type { MemoryHost } from './host.ts';
import type { ToolDefinition } from './register.ts';

/** The whole graph as a resource, under the name that the reference server gives it. */
export const graphUri = 'memory://knowledge-graph';

/** How many entities a search by words alone may bring, where no text holds the query as it is. */
const mostByWords = 10;

const entity = z.strictObject({
  name: z.string().describe('the name of the entity'),
  entityType: z.string().describe('the type of the entity'),
  observations: z.array(z.string()).describe('what is known of it, one thought each'),
});
const relation = z.strictObject({
  from: z.string().describe('the name of the entity where the relation starts'),
  to: z.string().describe('the name of the entity where the relation ends'),
  relationType: z.string().describe('the type of the relation, in active voice'),
});
const graph = z.strictObject({ entities: z.array(entity), relations: z.array(relation) });

interface Described<Input extends z.ZodObject> {
  /** Also says its title: `read_graph` is "Read Graph". */
  readonly name: string;
  readonly description: string;
  readonly kind: ToolDefinition['kind'];
  readonly isIdempotent?: boolean;
  readonly input: Input;
  readonly output: z.ZodObject;
  answer(memory: MemoryPart, input: z.output<Input>): Promise<ToolAnswer>;
}

interface Deleting<Input extends z.ZodObject> extends Pick<Described<Input>, 'name' | 'description' | 'input'> {
  /** What its answer calls that which is gone. */
  readonly what: string;
  change(input: z.output<Input>): EntityChange;
}

/** Makes the nine tools over a memory; without those that write where it is only read. */
export function referenceTools(host: MemoryHost): ToolDefinition[] {
  return host.isReadOnly
    ? askingTools(host)
    : [...addingTools(host), ...deletingTools(host)].map((one) => telling(one, host)).concat(askingTools(host));
}

const addingTools = (host: MemoryHost): ToolDefinition[] => [
  tool(host, {
    name: 'create_entities',
    description:
      'Create multiple new entities in the knowledge graph. Those whose name is there already stay as they are.',
    kind: 'add',
    input: z.strictObject({ entities: z.array(entity).describe('the entities') }),
    output: z.object({ entities: z.array(entity) }),
    answer: async (memory, { entities }) => {
      const { created } = await memory.knowledge.changeEntities({ create: entities });
      return answered(created, { entities: created });
    },
  }),
  tool(host, {
    name: 'create_relations',
    description:
      'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice',
    kind: 'add',
    input: z.strictObject({ relations: z.array(relation).describe('the relations') }),
    output: z.object({ relations: z.array(relation) }),
    answer: async (memory, { relations }) => {
      const { related } = await memory.knowledge.changeEntities({ relate: relations });
      return answered(related, { relations: related });
    },
  }),
  tool(host, {
    name: 'add_observations',
    description: 'Add new observations to existing entities in the knowledge graph',
    kind: 'add',
    input: z.strictObject({
      observations: z
        .array(
          z.strictObject({
            entityName: z.string().describe('the name of the entity to add to'),
            contents: z.array(z.string()).describe('the observations to add'),
          }),
        )
        .describe('the entities and what is new of them'),
    }),
    output: z.object({
      results: z.array(z.strictObject({ entityName: z.string(), addedObservations: z.array(z.string()) })),
    }),
    answer: async (memory, { observations }) => {
      const observe = observations.map(({ entityName, contents }) => ({ name: entityName, observations: contents }));
      const { observed } = await memory.knowledge.changeEntities({ observe });
      const results = observed.map(({ name, observations: added }) => ({ entityName: name, addedObservations: added }));
      return answered(results, { results });
    },
  }),
];

const deletingTools = (host: MemoryHost): ToolDefinition[] => [
  deleting(host, {
    name: 'delete_entities',
    description: 'Delete multiple entities and their associated relations from the knowledge graph. History keeps them',
    input: z.strictObject({ entityNames: z.array(z.string()).describe('the names of the entities to delete') }),
    what: 'Entities',
    change: ({ entityNames }) => ({ remove: entityNames }),
  }),
  deleting(host, {
    name: 'delete_observations',
    description: 'Delete specific observations from entities in the knowledge graph',
    input: z.strictObject({
      deletions: z
        .array(
          z.strictObject({
            entityName: z.string().describe('the name of the entity that has the observations'),
            observations: z.array(z.string()).describe('the observations to delete, word for word'),
          }),
        )
        .describe('the entities and what shall go'),
    }),
    what: 'Observations',
    change: ({ deletions }) => ({
      unobserve: deletions.map(({ entityName, observations }) => ({ name: entityName, observations })),
    }),
  }),
  deleting(host, {
    name: 'delete_relations',
    description: 'Delete multiple relations from the knowledge graph',
    input: z.strictObject({ relations: z.array(relation).describe('the relations to delete') }),
    what: 'Relations',
    change: ({ relations }) => ({ unrelate: relations }),
  }),
];

const askingTools = (host: MemoryHost): ToolDefinition[] => [
  tool(host, {
    name: 'read_graph',
    description: 'Read the entire knowledge graph',
    kind: 'ask',
    input: z.strictObject({}),
    output: graph,
    answer: async (memory) => graphAnswer(await memory.knowledge.entities()),
  }),
  tool(host, {
    name: 'search_nodes',
    description:
      'Search for nodes in the knowledge graph: those whose name, type or observations hold the query, else those that its words find',
    kind: 'ask',
    input: z.strictObject({ query: z.string().describe('what to look for in names, types and observations') }),
    output: graph,
    answer: async (memory, { query }) => graphAnswer(await search(memory, query)),
  }),
  tool(host, {
    name: 'open_nodes',
    description: 'Open specific nodes in the knowledge graph by their names',
    kind: 'ask',
    input: z.strictObject({ names: z.array(z.string()).describe('the names of the entities') }),
    output: graph,
    answer: async (memory, { names }) =>
      graphAnswer(around(await memory.knowledge.entities(), (one) => names.includes(one.name))),
  }),
];

/** Registers the graph as a resource. */
export function registerGraph(server: McpServer, host: MemoryHost): void {
  server.registerResource(
    'knowledge-graph',
    graphUri,
    {
      title: 'Knowledge Graph',
      description: 'The full knowledge graph with all entities and relations',
      mimeType: 'application/json',
    },
    async (uri) => {
      const text = JSON.stringify(shown(await (await host.memory()).knowledge.entities()), null, 2);
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
    },
  );
}

function tool<Input extends z.ZodObject>(host: MemoryHost, { answer, ...described }: Described<Input>): ToolDefinition {
  const words = described.name.split('_').map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`);
  return {
    ...described,
    title: words.join(' '),
    run: async (given) => {
      const input = parseInput(described, asMeant(described.input, given ?? {})) as z.output<Input>;
      return answer(await host.memory(), input);
    },
  };
}

function deleting<Input extends z.ZodObject>(
  host: MemoryHost,
  { what, change, ...described }: Deleting<Input>,
): ToolDefinition {
  return tool(host, {
    ...described,
    kind: 'change',
    isIdempotent: true,
    output: z.strictObject({ success: z.boolean(), message: z.string() }),
    answer: async (memory, input) => {
      await memory.knowledge.changeEntities(change(input));
      const message = `${what} deleted successfully`;
      return { text: message, data: { success: true, message }, isError: false };
    },
  });
}

function telling(one: ToolDefinition, host: MemoryHost): ToolDefinition {
  return {
    ...one,
    run: async (given, call) => {
      const answer = await one.run(given, call);
      host.look();
      return answer;
    },
  };
}

/** A query that no text holds as it is, such as a question, finds entities by its words. */
async function search(memory: MemoryPart, query: string): Promise<EntityGraph> {
  const whole = await memory.knowledge.entities();
  const wanted = query.toLowerCase();
  const holds = (text: string) => text.toLowerCase().includes(wanted);
  const found = around(
    whole,
    ({ name, entityType, observations }) => holds(name) || holds(entityType) || observations.some(holds),
  );
  if (found.entities.length > 0) return found;
  try {
    const { hits } = await memory.recall(query, { limit: mostByWords, paths: entityFolders });
    const hit = new Set(hits.map(({ path }) => path));
    return around(whole, ({ path }) => hit.has(path));
  } catch (error) {
    // A query that recall cannot read, such as one that is empty or too long, holds nothing.
    if (error instanceof MemoryError && error.code === 'INVALID_ARGUMENT') return found;
    throw error;
  }
}

/** Those entities, with every relation that begins or ends at one of them. */
function around(
  { entities, relations }: EntityGraph,
  isWanted: (one: EntityGraph['entities'][number]) => boolean,
): EntityGraph {
  const wanted = entities.filter(isWanted);
  const names = new Set(wanted.map(({ name }) => name));
  return { entities: wanted, relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
}

function shown({ entities, relations }: EntityGraph): { entities: Entity[]; relations: readonly EntityRelation[] } {
  return { entities: entities.map(({ path: _, ...one }) => one), relations };
}

function graphAnswer(found: EntityGraph): ToolAnswer {
  const value = shown(found);
  return answered(value, value);
}

function answered(text: unknown, data: object): ToolAnswer {
  return { text: JSON.stringify(text, null, 2), data: { ...data }, isError: false };
}
