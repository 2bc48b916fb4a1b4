// Consolidation of real memories: what becomes one, what is asked, what stays apart; nothing is lost, and all of it can be taken back.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextModel } from '../../../src/base/ports.ts';
import { consolidation } from '../../../src/core/lifecycle/consolidate.ts';
import type { PassPorts, PassView } from '../../../src/core/lifecycle/pass.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { sayingOf } from '../../../src/store/claims/saying.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import {
  formatRelation,
  newRelation,
  parseRelation,
  relationPath,
} from '../../../src/store/records/relation-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';

const alike = [
  'The archive moves to Braga because the office in Porto closes.',
  'The archive moves to Braga, because the office in Porto closes.',
  'the archive moves to Braga because an office in Porto closes',
];

async function memoryOf(contents: readonly string[], options: Parameters<typeof newTestMemory>[0] = {}) {
  const { memory, clock } = await newTestMemory(options);
  for (const [at, content] of contents.entries()) {
    clock.advance({ minutes: 1 });
    await memory.remember({ id: `m${at}`, content, tags: [`t${at}`] });
  }
  await memory.commit();
  return { memory, clock };
}

const treeOf = async (memory: Memory): Promise<string> => (await memory.at('HEAD')).tree;

const relationsOf = async (memory: Memory) => {
  const paths = await memory.files('relations/');
  return Promise.all(paths.map(async (path) => parseRelation(await memory.read(path), path)));
};

describe('consolidate', () => {
  it('makes one memory of several in one commit, links it to them, and is taken back exactly', async () => {
    const { memory } = await memoryOf([...alike, 'Ana plays chess on Sundays with her brother Rui.']);
    const before = await treeOf(memory);
    const shown = await memory.records.consolidate({ dryRun: true });
    expect(shown.commits).toEqual([]);
    expect(await treeOf(memory)).toBe(before);
    const { items, commits, open, comparedBy } = await memory.records.consolidate();
    expect(comparedBy).toBe('hashed words');
    expect(open).toEqual([]);
    expect(items).toEqual(shown.items);
    expect(commits).toHaveLength(1);
    expect(items[0]).toMatchObject({ action: 'merge', by: 'rule' });
    expect(items[0]!.why).toMatch(/^3 memories alike, cohesion 1\.00$/);
    const merged = await memory.get(items[0]!.into);
    expect(merged.meta.tags).toEqual(['t0', 't1', 't2']);
    // The first wording stands; the others are its sources.
    expect(merged.content).toBe(alike[0]);
    expect((await memory.list()).memories).toHaveLength(2);
    const relations = await relationsOf(memory);
    expect(relations.map(({ relationType, toMemoryId }) => [relationType, toMemoryId]).sort()).toEqual([
      ['consolidated_from', 'm0'],
      ['consolidated_from', 'm1'],
      ['consolidated_from', 'm2'],
    ]);
    expect(relations[0]!.metadata.cluster_id).toMatch(/^clust-/);
    const [commit] = (await memory.log({ limit: 1 })).commits;
    expect(commit!.subject).toBe(`consolidate: merge 3 memories into ${items[0]!.into.slice(0, 8)}`);
    expect(commit!.paths).toHaveLength(1 + 3 + 3 + 1);
    await memory.undo(commits[0]!);
    expect(await treeOf(memory)).toBe(before);
    await memory.undo({ redo: true });
    expect((await memory.get(items[0]!.into)).content).toBe(merged.content);
    await memory.close();
  });

  it('can be followed back to the words, through one consolidation after another', async () => {
    const { memory } = await newTestMemory();
    await memory.capture({ messages: [{ role: 'user', text: `Decision: ${alike[0]}` }] });
    await memory.extract();
    const [extracted] = (await memory.list({ category: 'decision' })).memories;
    expect(extracted).toBeDefined();
    await memory.remember({ id: 'second', content: extracted!.content.replace('closes', 'closes now') });
    const first = await memory.records.consolidate({ ids: [extracted!.id, 'second'] });
    await memory.remember({ id: 'third', content: 'The boxes of the archive are counted.' });
    const last = await memory.records.consolidate({ ids: [first.items[0]!.into.slice(0, 12), 'third'] });
    const { from } = await memory.provenance(last.items[0]!.into);
    const inner = from!.find(({ id }) => id === first.items[0]!.into)!;
    const source = inner.origin!.from!.find(({ id }) => id === extracted!.id)!;
    expect(source.origin!.alive).toBe(false);
    expect(source.origin!.sources[0]!.text).toContain('moves to Braga');
    await memory.close();
  });

  it('asks about clusters in doubt, and merges them on request', async () => {
    const contents = [
      'The build of the project needs Node 20 and npm, nothing else is installed.',
      'The build of the project needs Node 20 and npm; nothing else has to be there.',
    ];
    const { memory } = await memoryOf(contents);
    const asked = await memory.records.consolidate();
    expect(asked.items).toEqual([]);
    expect(asked.open).toMatchObject([{ ids: ['m0', 'm1'], contents }]);
    expect(asked.open[0]!.why).toMatch(/^to be asked: alike, cohesion 0\.\d\d, and not word for word the same$/);
    const merged = await memory.records.consolidate({ uncertain: true });
    expect(merged.items).toHaveLength(1);
    await memory.close();
  });

  it('keeps a chain apart whose ends have little in common', async () => {
    const contents = [
      'The harbour opens at dawn for boats.',
      'Boats leave the harbour early.',
      'Early boats are loud.',
    ];
    const memories = contents.map((content, at) => {
      const record = newMemory({ id: `m${at}`, content, now: 0 });
      return { path: memoryPath(record.id), oid: String(at), record };
    });
    const alike = (one: number, other: number) => (one + other === 2 ? 0.3 : 0.85);
    const pairs = [
      [0, 1],
      [1, 2],
    ].map(([one, other]) => ({ one: one!, other: other!, likeness: 0.85 }));
    const view = { memories, relations: [], configuration: defaultConfiguration(), now: 0 } as unknown as PassView;
    const likeness = { by: 'a script', pairs: async () => pairs, of: alike };
    const { items, left } = await consolidation.plan(view, {} as PassPorts, {
      likenessOf: async () => likeness,
      uncertain: true,
    });
    expect(items).toEqual([]);
    expect(left).toEqual([{ id: 'm0', why: 'kept apart: cohesion 0.67 is below 0.75 (with m1, m2)' }]);
  });

  it('never merges by itself what differs in a number, a name, a denial or a due day', async () => {
    const { memory } = await memoryOf([
      'The server of the project listens on port 8080 in production.',
      'The server of the project listens on port 8081 in production.',
      'We never use Redis for the sessions of the users.',
      'We use Redis for the sessions of the users.',
    ]);
    for (const [id, due] of [
      ['d1', '2026-03-01'],
      ['d2', '2026-03-02'],
    ] as const) {
      await memory.remember({ id, content: 'I will send the contract to the landlord.', category: 'commitment', due });
    }
    const { items } = await memory.records.consolidate({ uncertain: true, likeness: 'words' });
    expect(items).toEqual([]);
    await memory.close();
  });

  it('merges what has the same words, and offers what is near', async () => {
    const same = ['The shop shuts at 18:00', 'Shop shuts at 18:00!'];
    const near = ['Zeynep is allergic to walnuts', 'Zeynep has a walnut allergy'];
    const turned = ['The east gate opens before the market', 'The east gate opens after the market'];
    const { memory } = await memoryOf([...same, ...near, ...turned]);
    // The same words of two people are two claims.
    await memory.remember({ id: 'x', content: 'I ride to work', subject: 'Ada' });
    await memory.remember({ id: 'y', content: 'I ride to work.', subject: 'Ben' });
    const { items, open } = await memory.records.consolidate();
    expect(items.map(({ content }) => content)).toEqual([same[0]]);
    expect(open.map(({ contents }) => contents).sort()).toEqual([near, turned].sort());
    await memory.close();
  });

  it('moves the relations of the sources to what they became', async () => {
    const { memory } = await memoryOf([...alike.slice(0, 2), 'Ana plays chess on Sundays.']);
    const relate = async (id: string, from: string, to: string, type: string) => {
      const record = newRelation({ id, fromMemoryId: from, toMemoryId: to, relationType: type, now: 0 });
      await memory.write(relationPath(id), formatRelation(record));
    };
    await relate('r1', 'm0', 'm2', 'supports');
    await relate('r2', 'm1', 'm2', 'supports');
    await relate('r3', 'm0', 'm1', 'related');
    await relate('r4', 'm0', 'older', 'split_from');
    const { items } = await memory.records.consolidate();
    const { into } = items[0]!;
    const relations = (await relationsOf(memory)).filter(({ relationType }) => relationType !== 'consolidated_from');
    expect(relations.map((one) => [one.relationType, one.fromMemoryId, one.toMemoryId]).sort()).toEqual([
      ['split_from', 'm0', 'older'],
      ['supports', into, 'm2'],
    ]);
    await memory.close();
  });

  it('says what stands in the way', async () => {
    const { memory } = await memoryOf(alike);
    await expect(memory.records.consolidate({ ids: ['m0'] })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.records.consolidate({ ids: ['m0', 'nobody'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.records.archive('m1');
    await expect(memory.records.consolidate({ ids: ['m0', 'm1'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.close();
  });

  it('loses nothing, whatever is merged', async () => {
    const fact = fc.constantFrom(
      ...alike,
      'Ana plays chess.',
      'ana plays chess',
      'Rui sings.',
      'Rui sings.\n\nAna plays chess.',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fact, { minLength: 2, maxLength: 8 }), async (contents) => {
        const { memory } = await memoryOf(contents);
        const before = await treeOf(memory);
        const { items, commits } = await memory.records.consolidate({ uncertain: true });
        const alive = (await memory.list()).memories;
        for (const [at, content] of contents.entries()) {
          const holder = items.find(({ ids }) => ids.includes(`m${at}`));
          if (holder === undefined) expect(alive.some(({ id }) => id === `m${at}`)).toBe(true);
          else {
            const text = (await memory.get(holder.into)).content.toLowerCase();
            const isThere = content
              .toLowerCase()
              .split('\n\n')
              .every((part) => text.includes(part));
            expect(isThere || sayingOf(text) === sayingOf(content)).toBe(true);
            const { from } = await memory.provenance(holder.into);
            expect(from!.find(({ id }) => id === `m${at}`)!.origin!.content).toBe(content);
          }
        }
        for (const commit of [...commits].reverse()) await memory.undo(commit);
        expect(await treeOf(memory)).toBe(before);
        await memory.close();
      }),
      { numRuns: 12 },
    );
  });
});

describe('consolidate with a model', () => {
  const answering = (answer: string | Error): TextModel & { asked: string[] } => {
    const asked: string[] = [];
    return {
      name: 'scripted',
      asked,
      complete: ({ prompt }) => {
        asked.push(prompt);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    };
  };

  it('lets it put the words together, and names it', async () => {
    const model = answering('The archive moves to Braga soon, because the office in Porto closes.');
    const { memory } = await memoryOf(alike, { model });
    const { items } = await memory.records.consolidate();
    expect(items[0]).toMatchObject({
      by: 'scripted',
      content: 'The archive moves to Braga soon, because the office in Porto closes.',
    });
    expect(model.asked[0]).toContain(alike[2]);
    const [commit] = (await memory.log({ limit: 1 })).commits;
    expect(commit!.trailers).toContainEqual({ key: 'Model', value: 'scripted' });
    await memory.close();
  });

  it.each([
    ['forgets a name', 'The archive moves to Braga.'],
    ['answers nothing', ' '],
    ['fails', new Error('no connection')],
    ['talks', `${'The archive moves to Braga, the office in Porto closes soon. '.repeat(9)}`],
  ])('merges by rule when it %s', async (_, answer) => {
    const { memory } = await memoryOf(alike, { model: answering(answer) });
    const { items } = await memory.records.consolidate();
    expect(items[0]!.by).toBe('rule');
    expect(items[0]!.content).toBe(alike[0]);
    await memory.close();
  });

  it('asks it about clusters in doubt, and believes it when it keeps them apart', async () => {
    const contents = ['Ana likes long walks by the river at night.', 'Ana likes long walks by the sea at night.'];
    const model = answering('Keep apart.');
    const { memory } = await memoryOf(contents, { model });
    const { items, left, open } = await memory.records.consolidate();
    expect([items, open]).toEqual([[], []]);
    expect(left[0]!.why).toMatch(/^kept apart by scripted/);
    await memory.close();
  });
});
