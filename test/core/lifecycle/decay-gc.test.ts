// Forgetting by decay: what goes with a memory, and that it can be taken back. What goes at all is the rule of ageing.

import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../../src/base/types/stored-types.ts';
import { decayGc, expiry } from '../../../src/core/lifecycle/fading.ts';
import type { PassView } from '../../../src/core/lifecycle/pass.ts';
import { runPass } from '../../../src/core/write/run-pass.ts';
import { LedgerCatalog } from '../../../src/logs/ledger.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { formatRelation, newRelation, relationPath } from '../../../src/store/records/relation-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { runPortsOf } from '../../helpers/passes.ts';

const relation = (id: string, from: string, to: string, type = 'related') =>
  newRelation({ id, fromMemoryId: from, toMemoryId: to, relationType: type, now: 0 });

async function memoryWith(...names: string[]) {
  const { memory, clock } = await newTestMemory();
  for (const id of names) await memory.remember({ id, content: `Content of ${id}.`, importance: 0.2 });
  const relate = async (record: ReturnType<typeof relation>) => {
    await memory.write(relationPath(record.id), formatRelation(record));
  };
  return { memory, clock, relate, dependencies: runPortsOf(memory, clock) };
}

describe('garbage collection by decay', () => {
  it('forgets what is weak, weakest first, with the relations that lose an end', async () => {
    const { memory, clock, relate, dependencies } = await memoryWith('weak', 'used', 'weaker');
    await relate(relation('r1', 'weak', 'used'));
    await relate(relation('r2', 'weaker', 'weak'));
    await relate(relation('r3', 'used', 'used'));
    clock.advance({ days: 1 });
    await memory.records.touch('weak');
    clock.advance({ days: 85 });
    await memory.records.touch('used');
    await memory.commit();
    await runPass(dependencies, expiry, undefined);
    expect((await runPass(dependencies, decayGc, undefined)).items).toEqual([]);
    clock.advance({ days: 14 });
    const before = (await memory.at('HEAD')).tree;
    const { items, commits } = await runPass(dependencies, decayGc, undefined);
    expect(items.map(({ action, ids }) => [action, ids[0]])).toEqual([
      ['forget', 'weaker'],
      ['forget', 'weak'],
    ]);
    expect(items[0]!.why).toMatch(/^its score 0\.0\d+ is below 0\.05$/);
    expect(commits).toHaveLength(1);
    expect(await memory.files('memories/')).toHaveLength(1);
    expect(await memory.files('relations/')).toEqual([relationPath('r3')]);
    expect((await memory.log({ limit: 1 })).commits[0]!.subject).toBe('maintenance: 2 memories forgotten by decay');
    await memory.undo(commits[0]!);
    expect((await memory.at('HEAD')).tree).toBe(before);
  });

  it('never takes relations of lineage, and drops those that were orphans before', async () => {
    const { memory, clock, relate, dependencies } = await memoryWith('weak', 'kept');
    await relate(relation('line', 'weak', 'source', 'consolidated_from'));
    await relate(relation('part', 'kept', 'whole', 'split_from'));
    await relate(relation('lost', 'kept', 'gone'));
    clock.advance({ days: 200 });
    await memory.records.touch('kept');
    await runPass(dependencies, expiry, undefined);
    clock.advance({ days: 14 });
    const { items } = await runPass(dependencies, decayGc, undefined);
    expect(items.map(({ action, why }) => [action, why.replace(/\d\.\d+/, 'n')])).toEqual([
      ['forget', 'its score n is below 0.05'],
      ['unlink', 'memory gone is gone'],
    ]);
    expect((await memory.files('relations/')).sort()).toEqual([relationPath('line'), relationPath('part')].sort());
  });

  it('leaves relations to a memory whose file is damaged', async () => {
    const { memory, relate, dependencies } = await memoryWith('whole');
    await relate(relation('edge', 'whole', 'torn'));
    await memory.commit();
    const snapshot = { list: () => new Map([['memories/torn.json', 'x']]), isListedWhole: () => true };
    const view = { snapshot };
    const plan = await decayGc.plan(
      { ...viewOf([], 0), ...view, relations: dependencies.catalog.relations(memory.store.snapshot()) } as never,
      { ids: dependencies.ids, machine: 'test-machine' },
    );
    expect(plan.items.map(({ why }) => why)).toEqual(['memory whole is gone']);
  });
});

function viewOf(records: readonly MemoryRecord[], now: number): PassView {
  return {
    snapshot: { list: () => new Map(), isListedWhole: () => true } as never,
    memories: records.map((record) => ({ path: `memories/${record.id}.json`, oid: '0'.repeat(40), record })),
    relations: [],
    configuration: defaultConfiguration(),
    now,
    ledgers: new LedgerCatalog(),
    earlier: () => null,
  };
}
