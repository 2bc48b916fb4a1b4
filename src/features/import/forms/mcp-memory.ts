// The knowledge graph of the MCP memory server: JSON lines, each an entity with what was observed of it, or a relation of two. An answer of
// its `read_graph` holds the same in one object. Nothing has a time.
//
//   {"type":"entity","name":"Ada","entityType":"person","observations":["keeps bees"]}
//   {"type":"relation","from":"Ada","to":"Oslo","relationType":"lives_in"}

import { type Fields, fieldsOf, listOf, wordOf } from './fields.ts';
import { type At, type Entry, type Form, factId, type Reading, told } from './form.ts';
import { firstLines, jsonLines, wholeJson } from './json-files.ts';

export const mcpMemory: Form = {
  channel: '',
  isKnowledge: true,
  // Where npx puts the server, and the server its file. MEMORY_FILE_PATH in the settings of a client names another.
  places: [
    { root: '~/.npm/_npx', files: '*/node_modules/@modelcontextprotocol/server-memory/dist/memory.{json,jsonl}' },
  ],

  detect(path, head) {
    if (!/\.jsonl?$/i.test(path)) return 0;
    if (firstLines(head).some((value) => isEntity(value) || isRelation(value))) return 0.95;
    return /^\s*\{\s*"entities"\s*:\s*\[/.test(head) && head.includes('"entityType"') ? 0.9 : 0;
  },

  *read(file, reading) {
    const isWhole = /^\s*\{\s*"entities"\s*:\s*\[/.test(file.head(4096).toString('utf8'));
    if (!isWhole) {
      for (const { line, value } of jsonLines(file, reading)) yield* entriesOf(value, line, reading);
      return;
    }
    const graph = fieldsOf(wholeJson(file, reading));
    for (const [type, list] of [['entity', graph.entities] as const, ['relation', graph.relations] as const])
      for (const [at, value] of listOf(list).entries())
        yield* entriesOf({ ...fieldsOf(value), type }, `${type} ${at + 1}`, reading);
  },
};

const isEntity = ({ type, name, observations }: Fields): boolean =>
  type === 'entity' && wordOf(name) !== undefined && Array.isArray(observations);
const isRelation = ({ type, from, to, relationType }: Fields): boolean =>
  type === 'relation' && [from, to, relationType].every((word) => wordOf(word) !== undefined);

function* entriesOf(value: Fields, line: At, reading: Reading): Generator<Entry> {
  if (isRelation(value)) {
    const [from, to, relation] = [value.from, value.to, value.relationType].map((word) => String(word).trim());
    const text = `${from} ${relation} ${to}`;
    yield { kind: 'record', id: factId('mcp', from!, text), text, tags: [relation!], entities: [from!, to!], line };
  } else if (isEntity(value)) {
    const name = String(value.name).trim();
    const type = wordOf(value.entityType);
    const tags = type === undefined ? [] : [type];
    const observations = listOf(value.observations);
    for (const observation of observations) {
      // Other servers of this kind keep observations with times.
      const text = wordOf(observation) ?? wordOf(fieldsOf(observation).content);
      if (text === undefined) reading.broken('has an observation that is no text', line);
      else
        yield { kind: 'record', id: factId('mcp', name, text), text: told(name, text), tags, entities: [name], line };
    }
    const text = type === undefined ? name : `${name} (${type})`;
    if (observations.length === 0)
      yield { kind: 'record', id: factId('mcp', name, text), text, tags, entities: [name], line };
  } else reading.broken('is neither an entity nor a relation of a knowledge graph', line);
}
