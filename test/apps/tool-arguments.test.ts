// Arguments as models really give them, for every tool of every set: names of nothing, lists and objects as texts, a single word for a list.

import { expect, it } from 'vitest';
import { z } from 'zod';
import { asMeant } from '../../src/apps/as-meant.ts';
import { MemoryHost } from '../../src/apps/mcp/host.ts';
import { messageAsMeant } from '../../src/apps/mcp/message.ts';
import { referenceTools } from '../../src/apps/mcp/reference.ts';
import { callTool } from '../../src/apps/tool-answers.ts';
import { type Tool, toolsOf } from '../../src/apps/tools.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const tools = await toolsOf('all', false);
const nothings = [null, 'null', 'undefined', 'None', 'NULL', ''];

interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Field;
  readonly anyOf?: readonly Field[];
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly pattern?: string;
}

/** A value that a field takes. */
function sampleOf(field: Field): unknown {
  if (field.const !== undefined) return field.const;
  if (field.enum !== undefined) return field.enum[0];
  if (field.anyOf !== undefined) return sampleOf(field.anyOf.at(-1)!);
  if (field.type === 'array') return [sampleOf(field.items ?? {})];
  if (field.type === 'object') return objectOf(field);
  if (field.type === 'boolean') return true;
  if (field.type === 'integer' || field.type === 'number') return Math.max(1, field.minimum ?? 1);
  return field.pattern?.includes('d') ? '3' : 'word';
}

/** An object with what it must have. */
function objectOf({ properties = {}, required = [] }: Field): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name]!)]));
}

const schemaOf = ({ input }: Tool) => z.toJSONSchema(input, { io: 'input' }) as Field;
const isList = ({ type, anyOf = [] }: Field) => type === 'array' || anyOf.some((one) => one.type === 'array');

/** Gives what reaches the verb of a tool: its input, the state that is asked for, whether it is to be planned. */
async function reaching(tool: Tool, given: unknown): Promise<unknown> {
  let seen: unknown;
  const run: Tool['verb']['run'] = async ({ at, dryRun }, input) => {
    seen = { at, dryRun, input };
    throw new Error('seen');
  };
  // The verb must not mind a combination that this test does not mean.
  const { actions: _, ...verb } = tool.verb;
  const memory = { store: { damage: { now: 0 } } } as unknown as Memory;
  await callTool({ ...tool, verb: { ...verb, run } }, async () => memory, given, {}).catch((error: Error) => {
    if (error.message !== 'seen') throw error;
  });
  return seen;
}

const optional = tools.flatMap((tool) => {
  const { properties = {}, required = [] } = schemaOf(tool);
  return Object.entries(properties)
    .filter(([name]) => !required.includes(name))
    .map(([name, field]) => ({ tool, name, field }));
});

it('an optional argument that says nothing is as left out, in every tool', async () => {
  expect(optional.length).toBeGreaterThan(100);
  for (const { tool, name } of optional) {
    const other = tool.entry.asWritten?.[name];
    const base = {
      ...objectOf(schemaOf(tool)),
      ...(other === undefined ? {} : { [other]: [{ role: 'user', text: 'a' }] }),
    };
    const without = await reaching(tool, base);
    for (const nothing of nothings) {
      const about = `${tool.entry.name} ${name} ${JSON.stringify(nothing)}`;
      expect([about, await reaching(tool, { ...base, [name]: nothing })]).toEqual([about, without]);
    }
  }
});

it('a list as JSON in a text, and a single word, are lists in every tool', async () => {
  const lists = tools.flatMap((tool) =>
    Object.entries(schemaOf(tool).properties ?? {}).flatMap(([name, field]) =>
      isList(field) ? [{ tool, name, field }] : [],
    ),
  );
  expect(lists.length).toBeGreaterThan(15);
  for (const { tool, name, field } of lists) {
    const base = objectOf(schemaOf(tool));
    const value = sampleOf(field) as unknown[];
    const wanted = await reaching(tool, { ...base, [name]: value });
    const given = [JSON.stringify(value), ...(field.anyOf === undefined ? [value[0], JSON.stringify(value[0])] : [])];
    for (const one of given.filter((text) => typeof value[0] !== 'string' || text !== JSON.stringify(value[0]))) {
      const about = `${tool.entry.name} ${name} ${JSON.stringify(one)}`;
      expect([about, await reaching(tool, { ...base, [name]: one })]).toEqual([about, wanted]);
    }
    const withNothing = [about(tool, name), await reaching(tool, { ...base, [name]: [...value, null] })];
    expect(withNothing).toEqual([about(tool, name), wanted]);
  }
});

const about = ({ entry }: Tool, name: string) => `${entry.name} ${name}`;

it('an object inside of a list is read like the input itself', () => {
  const [capture] = tools.filter(({ entry }) => entry.name === 'memory_capture');
  for (const nothing of nothings) {
    const message = { role: 'user', text: 'None', time: nothing, speaker: nothing };
    expect(asMeant(capture!.input, { messages: [message] })).toEqual({ messages: [{ role: 'user', text: 'None' }] });
    expect(asMeant(capture!.input, { messages: [JSON.stringify(message)] })).toEqual({
      messages: [{ role: 'user', text: 'None' }],
    });
  }
});

it('the one thing that a tool is about may be called id or what', async () => {
  const about = tools.filter(({ input }) => ['id', 'what'].filter((name) => name in input.shape).length === 1);
  expect(about.length).toBeGreaterThan(8);
  for (const tool of about) {
    const [name, other] = 'id' in tool.input.shape ? ['id', 'what'] : ['what', 'id'];
    const { [name]: _, ...base } = objectOf(schemaOf(tool));
    const wanted = await reaching(tool, { ...base, [name]: 'abc' });
    expect(await reaching(tool, { ...base, [other!]: 'abc' })).toEqual(wanted);
    expect(await reaching(tool, { ...base, [name]: 'abc', [other!]: 'None' })).toEqual(wanted);
    await expect(reaching(tool, { ...base, [name]: 'abc', [other!]: 'xyz' })).rejects.toThrow(`"${other}"`);
  }
});

it('words that are asked for stay as they are, whatever they say', async () => {
  const { memory } = await newTestMemory();
  const call = (name: string, given: unknown) =>
    callTool(tools.find(({ entry }) => entry.name === name)!, async () => memory, given, {});
  const { data } = await call('memory_add', { content: 'null', subject: 'undefined' });
  expect(await memory.get(data.id as string)).toMatchObject({ content: 'null' });
  await call('memory_capture', { text: 'None', messages: 'null' });
  const [path] = await memory.files('raw/conversations');
  expect(await memory.read(path!)).toContain('\nNone');
});

it('two memories whose subject is a name of nothing do not end each other', async () => {
  const { memory } = await newTestMemory();
  const call = (given: unknown) =>
    callTool(tools.find(({ entry }) => entry.name === 'memory_add')!, async () => memory, given, {});
  for (const [at, nothing] of nothings.entries()) {
    const empty = { subject: nothing, attribute: nothing, replaces: nothing, tags: nothing, session: nothing };
    await call({ content: `The ferry leaves at noon, says timetable ${at}`, ...empty });
    const { session: _, ...ofClaim } = empty;
    await call({ claims: JSON.stringify([{ content: `The harbour has ${at} cranes`, ...ofClaim }]) });
  }
  const { memories } = await memory.list();
  expect(memories).toHaveLength(2 * nothings.length);
  expect(memories.every(({ status, validUntil }) => status === 'active' && validUntil === undefined)).toBe(true);
});

it('claims may be words alone, JSON in a text, and name what they replace in a text or a list', async () => {
  const { memory } = await newTestMemory();
  const call = async (given: unknown) => {
    const tool = tools.find(({ entry }) => entry.name === 'memory_add')!;
    return (await callTool(tool, async () => memory, given, {})).data;
  };
  const { id: one } = await call({ content: 'The bakery opens at seven' });
  const { id: other } = await call({ content: 'The mill is closed on Mondays' });
  await call({ claims: 'The bakery sells rye bread' });
  await call({ content: 'The bakery opens at six', replaces: [one] });
  await call({ claims: [JSON.stringify({ content: 'The mill never closes', replaces: JSON.stringify([other]) })] });
  const { memories } = await memory.list({ status: 'active' });
  expect(memories.map(({ content }) => content).sort()).toEqual([
    'The bakery opens at six',
    'The bakery sells rye bread',
    'The mill never closes',
  ]);
});

it('the reference tools read lists as models give them', async () => {
  const dir = temporaryFolder();
  const host = new MemoryHost({ dir, start: dir, environment: {}, logger: { warn: () => undefined } });
  const reference = new Map(referenceTools(host).map((tool) => [tool.name, tool]));
  const call = (name: string, given: unknown) => reference.get(name)!.run(given, {});
  const entity = { name: 'Mill', entityType: 'building', observations: 'stands by the river' };
  await call('create_entities', { entities: JSON.stringify([entity]) });
  await call('create_entities', { entities: { ...entity, name: 'Bakery', observations: '["bakes rye", "null"]' } });
  await call('add_observations', { observations: JSON.stringify({ entityName: 'Mill', contents: 'is old' }) });
  expect((await call('open_nodes', { names: 'Mill' })).data).toMatchObject({
    entities: [{ name: 'Mill', observations: ['stands by the river', 'is old'] }],
  });
  expect((await call('open_nodes', { names: '["Bakery"]' })).data).toMatchObject({
    entities: [{ name: 'Bakery', observations: ['bakes rye', 'null'] }],
  });
  await host.close();
});

it('null is as left out in every message of the protocol', () => {
  const message = (params: unknown, method = 'tools/list') => ({ jsonrpc: '2.0', id: 1, method, params });
  expect(messageAsMeant(message(null))).toEqual({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(messageAsMeant(message({ cursor: null, _meta: null }))).toEqual(message({}));
  expect(messageAsMeant(message({ cursor: 'null', _meta: { progressToken: null } }))).toEqual(message({ _meta: {} }));
  expect(messageAsMeant(message({ name: 'x', arguments: null }, 'tools/call'))).toEqual(
    message({ name: 'x' }, 'tools/call'),
  );
  const said = message({ name: 'x', arguments: { query: null, text: 'None' } }, 'tools/call');
  expect(messageAsMeant(said)).toEqual(said);
  expect(messageAsMeant(message({ name: 'x', arguments: '{"query":"a"}' }, 'tools/call'))).toEqual(
    message({ name: 'x', arguments: { query: 'a' } }, 'tools/call'),
  );
  expect(messageAsMeant(message({ name: 'x', arguments: { about: 'None' } }, 'prompts/get'))).toEqual(
    message({ name: 'x', arguments: {} }, 'prompts/get'),
  );
  const answer = { jsonrpc: '2.0', id: 1, result: { content: null } };
  expect(messageAsMeant(answer)).toEqual(answer);
});

it('a split takes tags and names by part, under the names of spec 1 too', async () => {
  const { memory } = await newTestMemory();
  const call = (given: unknown) =>
    callTool(tools.find(({ entry }) => entry.name === 'memory_split')!, async () => memory, given, {});
  const { id = '' } = await memory.remember({ content: 'The kiln is hot, and the van is sold.', tags: ['yard'] });
  const parts = { split_contents: ['The kiln is hot.', 'The van is sold.'] };
  await expect(call({ memory_id: id, ...parts, split_tags: [['kiln']] })).rejects.toThrow(
    /tags has 1 entries for 2 parts/,
  );
  await call({ memory_id: id, ...parts, split_tags: [['kiln', 'heat'], ['van']], split_entities: [[], ['Van']] });
  const { memories } = await memory.list();
  const kept = memories.map(({ id: one }) => memory.get(one));
  const found = (await Promise.all(kept)).map(({ content, meta, entities }) => [content, meta.tags, entities]);
  expect(found.sort()).toEqual([
    ['The kiln is hot.', ['kiln', 'heat'], []],
    ['The van is sold.', ['van'], ['Van']],
  ]);
});
