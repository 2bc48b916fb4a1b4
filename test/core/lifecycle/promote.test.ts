// What lasts: strong memories become knowledge, knowledge is distilled into schemas, and bundles hand those out.

import { describe, expect, it } from 'vitest';
import { strengthReasonOf } from '../../../src/core/lifecycle/promote.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { parseKnowledge } from '../../../src/store/records/knowledge-file.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';
import { newTestMemory, writeConfiguration } from '../../helpers/memories.ts';

const treeOf = async (memory: Memory): Promise<string> => (await memory.at('HEAD')).tree;

describe('strengthReasonOf', () => {
  const { decay } = defaultConfiguration();
  const day = 86_400_000;
  const record = (given: Partial<Parameters<typeof newMemory>[0]>) =>
    newMemory({ id: 'a', content: 'x', now: 0, ...given });

  it('asks for use beside the score, or for many uses early on', () => {
    expect(strengthReasonOf(record({}), 0, decay)).toBeUndefined();
    expect(strengthReasonOf(record({ useCount: 1 }), 0, decay)).toBe('used 1 times, score 1.52');
    expect(strengthReasonOf(record({ useCount: 1 }), 30 * day, decay)).toBeUndefined();
    expect(strengthReasonOf(record({ useCount: 5, strength: 0.1 }), 14 * day, decay)).toBe('used 5 times in 14 days');
    expect(strengthReasonOf(record({ useCount: 5, strength: 0.1 }), 15 * day, decay)).toBeUndefined();
    expect(strengthReasonOf(record({ useCount: 4, strength: 0.1 }), day, decay)).toBeUndefined();
    expect(strengthReasonOf(record({ useCount: 9, status: 'archived' }), 0, decay)).toBeUndefined();
  });
});

describe('promote', () => {
  it('makes a knowledge file that names the memory, which names the file, in one commit', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.capture({ messages: [{ role: 'user', text: 'Decision: the archive moves to Braga in November.' }] });
    await memory.extract();
    const [extracted] = (await memory.list()).memories;
    await memory.remember({ id: 'weak', content: 'Nobody asked for this.' });
    await memory.records.touch(extracted!.id);
    await memory.commit();
    const before = await treeOf(memory);
    const shown = await memory.knowledge.promote({ dryRun: true });
    expect(await treeOf(memory)).toBe(before);
    const { items, commits } = await memory.knowledge.promote();
    expect(items).toEqual(shown.items);
    expect(items).toHaveLength(1);
    expect(items[0]!.to).toMatch(/^knowledge\/insights\/.*\.md$/);
    const promoted = await memory.get(extracted!.id);
    expect(promoted).toMatchObject({
      status: 'promoted',
      promotedAt: Math.floor(clock.now() / 1000),
      promotedTo: items[0]!.to,
    });
    const file = parseKnowledge(await memory.read(items[0]!.to), items[0]!.to);
    expect(file.data).toMatchObject({ type: 'promoted', memory: extracted!.id, category: 'decision' });
    expect(file.sections[0]!.text).toContain(extracted!.content);
    expect(file.sections[0]!.text).toMatch(/\[source: raw\/conversations\/.*#1\]$/);
    expect((await memory.provenance(items[0]!.to)).commits[0]!.trailers).toContainEqual({
      key: 'Memory',
      value: extracted!.id,
    });
    expect((await memory.knowledge.promote()).items).toEqual([]);
    await memory.undo(commits[0]!);
    expect(await treeOf(memory)).toBe(before);
  });

  it('takes what is named, whatever its strength, and nothing that is not active', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({
      id: 'skill',
      content: 'How to bake bread: knead for ten minutes.',
      category: 'skill',
      tags: ['bread'],
    });
    await memory.remember({ id: 'skill-2', content: 'How to bake bread: knead for ten minutes.', category: 'skill' });
    const { items } = await memory.knowledge.promote({ ids: ['skill', 'skill-2'] });
    expect(items.map(({ to }) => to)).toEqual([
      'knowledge/procedures/how-to-bake-bread-knead-for-ten-minutes-skill.md',
      'knowledge/procedures/how-to-bake-bread-knead-for-ten-minutes-skill-2.md',
    ]);
    await expect(memory.knowledge.promote({ ids: ['skill'] })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.knowledge.promote({ ids: ['nobody'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('schemas', () => {
  const bread = [
    'To bake bread, knead the dough for ten minutes and let it rest.',
    'To bake bread, let the dough rest for an hour after you knead it.',
    'To bake bread, heat the oven before the dough goes in, and knead the dough well.',
  ];

  it('say what a cluster of promoted memories says, name them, and are handed out in bundles', async () => {
    const { memory } = await newTestMemory();
    for (const [at, content] of bread.entries())
      await memory.remember({ id: `b${at}`, content, tags: ['bread', `t${at}`] });
    await memory.remember({ id: 'other', content: 'Ana plays chess on Sundays.' });
    expect((await memory.knowledge.distil()).items).toEqual([]);
    await memory.knowledge.promote({ ids: ['b0', 'b1', 'b2', 'other'] });
    const { items, commits } = await memory.knowledge.distil();
    expect(items).toHaveLength(1);
    expect([...items[0]!.ids].slice(1)).toEqual(['b0', 'b1', 'b2']);
    const schema = await memory.get(items[0]!.into);
    expect(schema).toMatchObject({ status: 'schema', meta: { tags: ['bread', 't0', 't1', 't2'] } });
    expect(schema.strength).toBeGreaterThan(1);
    for (const content of bread) expect(schema.content).toContain(content);
    expect((await memory.get('b0')).status).toBe('promoted');
    const { from } = await memory.provenance(schema.id);
    expect(from!.map(({ id, origin }) => [id, origin!.alive])).toEqual([
      ['b0', true],
      ['b1', true],
      ['b2', true],
    ]);
    expect((await memory.knowledge.distil()).items).toEqual([]);
    await writeConfiguration(memory, `bundles:\n  - name: kitchen\n    schemas: [${schema.id.slice(0, 8)}, nobody]\n`);
    const bundle = await memory.knowledge.bundle('kitchen');
    expect(bundle.missing).toEqual(['nobody']);
    expect(bundle.schemas[0]!.line).toContain(`[${schema.id.slice(0, 8)}] `);
    await expect(memory.knowledge.bundle('garage')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await writeConfiguration(memory, null);
    await memory.commit();
    await memory.undo(commits[0]!);
    expect((await memory.list({ status: 'schema' })).memories).toEqual([]);
  });

  it('are made of promoted memories only', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ id: 'a', content: bread[0]! });
    await memory.remember({ id: 'b', content: bread[1]! });
    await expect(memory.knowledge.distil({ ids: ['a', 'b'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.knowledge.promote({ ids: ['a', 'b'] });
    await expect(memory.knowledge.distil({ ids: ['a'] })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const before = await treeOf(memory);
    const { items, commits } = await memory.knowledge.distil({ ids: ['a', 'b'] });
    expect(items[0]!.sources.map(({ id }) => id)).toEqual(['a', 'b']);
    await memory.undo(commits[0]!);
    expect(await treeOf(memory)).toBe(before);
  });
});
