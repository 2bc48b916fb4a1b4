import { describe, expect, it } from 'vitest';
import { contradictionsAmong } from '../../../src/core/extract/reconcile.ts';
import { formatMemory, memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';

const claim = (id: string, minute: number, given: { subject?: string; attribute?: string } = {}) =>
  newMemory({ id, content: `The office is in ${id}.`, now: minute * 60_000, ...given });
const office = { subject: 'the office', attribute: 'place' };

describe('what says otherwise of the same', () => {
  it('is named with the newest, where somebody gave subject and attribute of both', () => {
    const records = [claim('rome', 3, office), claim('oslo', 1, office), claim('bonn', 2, office), claim('kiel', 4)];
    const found = contradictionsAmong(records).map(({ old, by }) => [old.id, by.id]);
    expect(found).toEqual([
      ['oslo', 'rome'],
      ['bonn', 'rome'],
    ]);
  });

  it('is nothing where one is closed, or where a subject or an attribute is missing', () => {
    const closed = { ...claim('oslo', 1, office), status: 'superseded' as const };
    const open = claim('rome', 2, office);
    const bare = [claim('bonn', 3, { subject: 'the office' }), claim('kiel', 4, { attribute: 'place' })];
    expect(contradictionsAmong([closed, open, ...bare])).toEqual([]);
  });

  it('is nothing where one ends before the other begins', () => {
    const [old, next] = [claim('oslo', 1, office), claim('rome', 2, office)];
    const till = { ...old, validUntil: 1_000 };
    expect(contradictionsAmong([till, { ...next, validFrom: 1_000 }])).toEqual([]);
    expect(
      contradictionsAmong([
        { ...till, replacedBy: 'rome' },
        { ...next, validFrom: 1_000 },
      ]),
    ).toEqual([]);
    expect(contradictionsAmong([till, { ...next, validFrom: 900 }])).toHaveLength(1);
  });

  it('is told by the pass, which changes nothing', async () => {
    const { memory } = await newTestMemory();
    for (const record of [claim('oslo', 1, office), claim('rome', 2, office)])
      await memory.write(memoryPath(record.id), formatMemory(record));
    const { runs } = await memory.maintenance.run({ tasks: ['reconcile'] });
    expect(runs[0]!.result).toMatchObject({ items: [], left: [{ id: 'oslo', why: expect.stringContaining('rome') }] });
    expect((await memory.list()).memories.map(({ status }) => status)).toEqual(['active', 'active']);
  });
});
