// The store beside LangGraph's own in-memory store, operation by operation, and inside a real graph.

import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { InMemoryStore, InvalidNamespaceError, type Operation } from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GitMemoryStore, textsAt } from '../../../src/apps/langgraph/memory-store.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { fsck, hasGit } from '../../helpers/native-git.ts';

const label = fc.constantFrom('users', 'Users', 'ada', 'con', 'a b', 'café', '~', '%41');
const namespace = fc.array(label, { minLength: 1, maxLength: 3 });
const key = fc.constantFrom('prefs', 'Prefs', 'a.b', '../x', 'x/y', 'é');
const value = fc.record({
  kind: fc.constantFrom('a', 'b'),
  rank: fc.integer({ min: 0, max: 3 }),
  text: fc.string({ maxLength: 8 }),
});
const filter = fc.constantFrom<Record<string, unknown>>(
  {},
  { kind: 'a' },
  { rank: { $gte: 2 } },
  { rank: { $in: [1, 3] }, kind: { $ne: 'b' } },
  { rank: { $lt: 2, $gt: 0 } },
  { kind: { $nin: ['a'] } },
  { kind: { nested: 1 } },
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ namespace, key, value }) },
  { weight: 1, arbitrary: fc.record({ namespace, key, value: fc.constant(null) }) },
  { weight: 2, arbitrary: fc.record({ namespace, key }) },
  {
    weight: 2,
    arbitrary: fc.record({ namespacePrefix: fc.array(label, { maxLength: 2 }), filter, limit: fc.constant(1000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      matchConditions: fc.array(
        fc.record({
          matchType: fc.constantFrom('prefix' as const, 'suffix' as const),
          path: fc.array(fc.oneof(label, fc.constant('*' as const)), { minLength: 1, maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      maxDepth: fc.constantFrom(1, 2, 3),
      limit: fc.constant(1000),
      offset: fc.constant(0),
    }),
  },
);

/** What an answer says, whatever the order of equals and the moment it was asked. */
function comparable(result: unknown): unknown {
  if (Array.isArray(result))
    return result
      .map(comparable)
      .map((one) => JSON.stringify(one))
      .sort();
  if (typeof result !== 'object' || result === null || !('value' in result)) return result ?? null;
  const { value: held, key: name, namespace: labels } = result as Record<string, unknown>;
  return { held, name, labels };
}

it('answers every batch of operations as the in-memory store does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      async (batches) => {
        const { memory } = await newTestMemory();
        const store = new GitMemoryStore(memory);
        const oracle = new InMemoryStore();
        for (const batch of batches) {
          const [ours, theirs] = [await store.batch(batch), await oracle.batch(structuredClone(batch))];
          // A namespace whose last item went is still listed there, and is no folder here.
          batch.forEach((one, at) => {
            if (!('matchConditions' in one)) expect(comparable(ours[at])).toEqual(comparable(theirs[at]));
          });
        }
        await memory.close();
      },
    ),
    { numRuns: 25 },
  );
});

it('lists namespaces by their beginning, end and depth, a page at a time', async () => {
  const { memory } = await newTestMemory();
  const [store, oracle] = [new GitMemoryStore(memory), new InMemoryStore()];
  for (const one of [store, oracle]) {
    for (const labels of [['users', 'ada'], ['users', 'bob', 'notes'], ['agents', 'x', 'notes'], ['users']]) {
      await one.put(labels, 'k', { n: 1 });
    }
  }
  for (const options of [
    {},
    { prefix: ['users'] },
    { suffix: ['notes'] },
    { prefix: ['*', 'bob'] },
    { maxDepth: 1 },
    { limit: 2, offset: 1 },
  ]) {
    expect(await store.listNamespaces(options)).toEqual(await oracle.listNamespaces(options));
  }
  await expect(store.put([], 'k', { n: 1 })).rejects.toThrow(InvalidNamespaceError);
  await expect(store.put(['a.b'], 'k', { n: 1 })).rejects.toThrow(InvalidNamespaceError);
});

it('finds items by words, beside everything else that is remembered, and only where it is told to', async () => {
  const { memory, directory: dir } = await newTestMemory();
  const store = new GitMemoryStore(memory);
  await store.put(['users', 'ada'], 'tea', { text: 'Ada drinks green tea every morning' });
  await store.put(['users', 'bob'], 'tea', { text: 'Bob drinks black tea' });
  await store.put(['users', 'ada'], 'secret', { text: 'green tea under another name' }, false);
  await store.put(['users', 'ada'], 'part', { text: 'unsaid', deep: [{ said: 'Ada likes green mountains' }] }, [
    'deep[*].said',
  ]);

  const found = await store.search(['users', 'ada'], { query: 'green tea' });
  expect(found[0]).toMatchObject({ namespace: ['users', 'ada'], key: 'tea', score: expect.any(Number) });
  expect(found.find((item) => item.key === 'secret')?.score).toBeUndefined();
  expect(found.every((item) => item.namespace[1] === 'ada')).toBe(true);
  expect((await memory.recall('mountains')).hits[0]).toMatchObject({
    category: 'item',
    path: 'store/users/ada/part.json',
  });
  expect((await memory.recall('unsaid')).hits).toEqual([]);
  expect((await memory.recall('tea', { paths: ['store/users/bob'] })).hits.map(({ path }) => path)).toEqual([
    'store/users/bob/tea.json',
  ]);
  await memory.commit();
  if (hasGit) expect(fsck(dir)).toBe('');
});

it('shows what was kept at any time, and does not change it', async () => {
  const { memory } = await newTestMemory();
  const store = new GitMemoryStore(memory);
  await store.put(['users'], 'city', { name: 'Lyon' });
  const [then] = (await memory.commit()).commits;
  await store.put(['users'], 'city', { name: 'Bergen' });
  await memory.commit();
  const past = new GitMemoryStore(await memory.at(then!));
  expect((await past.get(['users'], 'city'))?.value).toEqual({ name: 'Lyon' });
  await expect(past.put(['users'], 'city', { name: 'Rome' })).rejects.toMatchObject({ code: 'READ_ONLY' });
  await memory.undo('HEAD');
  const item = await store.get(['users'], 'city');
  expect(item?.value).toEqual({ name: 'Lyon' });
  expect(item!.createdAt.getTime()).toBeLessThanOrEqual(item!.updatedAt.getTime());
  await expect(store.put(['users'], 'list', [] as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

it('serves the nodes of a real graph', async () => {
  const { memory } = await newTestMemory();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('remember', async ({ messages }, config) => {
      await config.store!.put(['users', 'ada'], 'said', { text: String(messages.at(-1)!.content) });
      return {};
    })
    .addNode('answer', async (_, config) => {
      const [best] = await config.store!.search(['users'], { query: 'favourite colour' });
      return { messages: [{ role: 'assistant', content: best!.value.text }] };
    })
    .addEdge(START, 'remember')
    .addEdge('remember', 'answer')
    .addEdge('answer', END)
    .compile({ store: new GitMemoryStore(memory) });
  const { messages } = await graph.invoke({ messages: [{ role: 'user', content: 'My favourite colour is green' }] });
  expect(messages.at(-1)!.content).toBe('My favourite colour is green');
});

it('reads fields in the notation of LangGraph', () => {
  const value = {
    title: 'T',
    meta: { author: 'Ada', year: 1843 },
    chapters: [{ text: 'one' }, { text: 'two' }],
    none: null,
  };
  const expected: Record<string, string[]> = {
    title: ['T'],
    'meta.author': ['Ada'],
    'meta.*': ['Ada', '1843'],
    'chapters[*].text': ['one', 'two'],
    'chapters[0].text': ['one'],
    'chapters[-1].text': ['two'],
    '{title,meta.author}': ['T', 'Ada'],
    none: [],
    'title.deeper': [],
    constructor: [],
    $: [JSON.stringify(value, null, 2)],
  };
  for (const [field, texts] of Object.entries(expected)) expect([field, textsAt(value, field)]).toEqual([field, texts]);
});
