// The rule of ageing, row by row, and lives that follow it: what stays, what fades, and by which steps it leaves.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemoryRecord, memoryCategories } from '../../../src/base/types/stored-types.ts';
import {
  type AgeingRules,
  ageingOf,
  daysInArchive,
  lastAliveOf,
  protectionOf,
} from '../../../src/core/lifecycle/ageing.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';
import { scoreOf } from '../../../src/store/records/strength.ts';
import { vitalsIn } from '../../../src/store/records/vitals.ts';
import { type ManualClock, newTestMemory } from '../../helpers/memories.ts';
import { anyMemory } from '../../store/records/arbitraries.ts';

const rules = defaultConfiguration();
const dayMs = 86_400_000;
const start = Date.parse('2026-02-16T09:00:00Z');

/** A memory that nobody used for so many days. */
function unused(days: number, changes: Partial<MemoryRecord> = {}) {
  const record = { ...newMemory({ id: 'a', content: 'x', now: start }), ...changes };
  return { record, now: start + days * dayMs };
}
const tagged = (tag: string) => ({ meta: { tags: [tag], source: null, context: null, extra: {} } });
const stageAfter = (days: number, changes: Partial<MemoryRecord>, by: AgeingRules = rules) => {
  const { record, now } = unused(days, changes);
  return ageingOf(vitalsIn(record), now, by)?.stage ?? null;
};
const leavesIn = (days: number): number => start / 1000 + days * 86_400;

describe('the rule of ageing', () => {
  it.each<[what: string, Partial<MemoryRecord>]>([
    ['a correction', { category: 'correction', importance: 0.1 }],
    ['a principle', { category: 'principle', importance: 0.1 }],
    ['a preference', { category: 'preference', importance: 0.1 }],
    ['a decision', { category: 'decision', importance: 0.1 }],
    ['a relationship', { category: 'relationship', importance: 0.1 }],
    ['somebody or something', { category: 'entity', importance: 0.1 }],
    ['a skill', { category: 'skill', importance: 0.1 }],
    ['a fact of normal importance', { category: 'fact', importance: 0.5 }],
    ['a fact whose importance nobody said', { category: 'fact' }],
    ['a memory without a category', {}],
    ['a moment of high importance', { category: 'moment', importance: 0.7 }],
    ['P0', { category: 'moment', ...tagged('P0') }],
    ['P1', { category: 'fact', importance: 0.1, ...tagged('P1') }],
    ['what became knowledge', { category: 'moment', status: 'promoted' }],
    ['a schema', { category: 'moment', status: 'schema' }],
    ['what a person put aside', { category: 'moment', status: 'archived' }],
  ])('leaves alone, in ten years: %s', (_, changes) => {
    for (const days of [1, 30, 100, 3650]) expect(stageAfter(days, changes)).toBeNull();
  });

  it.each<[what: string, Partial<MemoryRecord>]>([
    ['a fact of less importance', { category: 'fact', importance: 0.49 }],
    ['a memory of less importance without a category', { importance: 0.2 }],
    ['a moment', { category: 'moment' }],
    ['a promise that was kept', { category: 'commitment', validUntil: start / 1000 }],
    ['a promise that another took the place of', { category: 'commitment', replacedBy: 'b' }],
  ])('lets fade, archives and then lets go: %s', (_, changes) => {
    expect(stageAfter(24, changes)).toBeNull();
    expect(stageAfter(25, changes)).toBe('archive');
    // However weak it is: it does not skip the archive, and has its time there.
    expect(stageAfter(1000, changes)).toBe('archive');
    const archived = { ...changes, status: 'archived', expiresAt: leavesIn(25 + daysInArchive) } as const;
    expect(stageAfter(25 + daysInArchive - 1, archived)).toBeNull();
    expect(stageAfter(48, archived)).toBeNull();
    expect(stageAfter(49, archived)).toBe('leave');
    expect(stageAfter(1000, { ...archived, expiresAt: leavesIn(1001) })).toBeNull();
  });

  it('gives what was superseded no second archive', () => {
    const moment = { category: 'moment', status: 'superseded' } as const;
    expect([48, 49].map((days) => stageAfter(days, moment))).toEqual([null, 'leave']);
    expect(stageAfter(1000, { category: 'decision', status: 'superseded' })).toBeNull();
  });

  it('lets a use begin anew, and many uses last longer', () => {
    expect(stageAfter(40, { category: 'moment', lastUsed: leavesIn(30) })).toBeNull();
    expect(stageAfter(40, { category: 'moment', useCount: 4 })).toBeNull();
  });

  it('keeps a promise while it is open, until nothing was heard of it for 90 days; then it goes as others do', () => {
    const promise = { category: 'commitment', importance: 0.1 } as const;
    expect([90, 91].map((days) => stageAfter(days, promise))).toEqual([null, 'archive']);
    const due = { ...promise, due: '2026-06-01' };
    expect([90, 195, 197].map((days) => stageAfter(days, due))).toEqual([null, null, 'archive']);
    expect(stageAfter(3650, { ...promise, ...tagged('P1') })).toBeNull();
    const archived = { ...promise, status: 'archived', expiresAt: leavesIn(105) } as const;
    expect([104, 105].map((days) => stageAfter(days, archived))).toEqual([null, 'leave']);
  });

  it('archives whatever has an end when it has come, and lets go of nothing that is protected', () => {
    for (const category of memoryCategories) {
      const ending = { category, importance: 0.9, expiresAt: leavesIn(3) };
      expect([2, 3].map((days) => stageAfter(days, ending))).toEqual([null, 'archive']);
      const isKept = category !== 'commitment';
      expect(stageAfter(1000, { ...ending, status: 'archived' })).toBe(isKept ? null : 'leave');
    }
  });

  it('archives old facts that hardly anybody used where archive_facts says so, also when they were used lately', () => {
    const enabled = { ...rules, archiveFacts: { ...rules.archiveFacts, enabled: true } };
    const fact = { category: 'fact', importance: 0.2, useCount: 2, lastUsed: leavesIn(90) } as const;
    expect(stageAfter(91, fact)).toBeNull();
    expect(stageAfter(91, fact, enabled)).toBe('archive');
    for (const change of [
      { createdAt: leavesIn(2) },
      { importance: 0.3 },
      { importance: undefined },
      { useCount: 3 },
      { category: 'correction' },
      { category: 'skill' },
      { category: 'commitment' },
      { status: 'promoted' },
      { status: 'superseded' },
      tagged('P1'),
    ])
      expect(stageAfter(91, { ...fact, ...change } as never, enabled), JSON.stringify(change)).toBeNull();
    const own = { ...enabled, archiveFacts: { ...enabled.archiveFacts, protected: ['fact'] } } as const;
    expect(stageAfter(91, fact, own as never)).toBeNull();
  });

  it('says why', () => {
    const why = (days: number, changes: Partial<MemoryRecord>) => {
      const { record, now } = unused(days, changes);
      return ageingOf(vitalsIn(record), now, rules)?.why;
    };
    expect(why(30, { category: 'moment' })).toBe('its score 0.081 is below 0.1');
    expect(why(91, { category: 'commitment' })).toBe('nothing was heard of it since 2026-02-16');
    expect(why(3, { expiresAt: start / 1000 })).toBe('it expired 2026-02-16T09:00:00Z');
  });

  it('never lets go of what is protected, active or above the score, whatever the record', () => {
    fc.assert(
      fc.property(anyMemory, fc.integer({ min: 0, max: 4e12 }), (record, now) => {
        const ageing = ageingOf(vitalsIn(record), now, rules);
        if (ageing?.stage === 'archive') expect(record.status).toBe('active');
        if (ageing?.stage !== 'leave') return;
        expect(['archived', 'superseded']).toContain(record.status);
        expect(protectionOf(vitalsIn(record), now)).toBeUndefined();
        expect(scoreOf(record, now, rules.decay)).toBeLessThan(rules.decay.forget);
      }),
      { numRuns: 500 },
    );
  });

  it('a promise is alive until the end of the day on which it is due, and since it was last used', () => {
    const { record: promise } = unused(0, { useCount: 2, lastUsed: leavesIn(5) });
    expect(lastAliveOf(vitalsIn(promise))).toBe(start + 5 * dayMs);
    expect(lastAliveOf(vitalsIn({ ...promise, due: '2026-07-01' }))).toBe(Date.parse('2026-07-02'));
  });
});

const statusOf = async (memory: Memory, id: string): Promise<string> => {
  const found = (await memory.list()).memories.find((one) => one.id === id);
  return found?.status ?? 'gone';
};

async function live(memory: Memory, clock: ManualClock, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    clock.advance({ days: 1 });
    const { runs } = await memory.maintenance.run({ tasks: ['expire', 'gc'] });
    expect(runs.map(({ state }) => state)).toEqual(['done', 'done']);
  }
}

describe('a life of sixty days', () => {
  it('keeps what is protected, and lets a small fact fade, archives it and lets it go', async () => {
    const { memory, clock } = await newTestMemory();
    for (const category of memoryCategories) {
      await memory.remember({ id: category, content: `Something of the kind ${category}.`, category });
    }
    await memory.remember({ id: 'small', content: 'The umbrella stand is brown.', category: 'fact', importance: 0.2 });
    await memory.remember({ id: 'faint', content: 'Short answers at night.', category: 'preference', importance: 0.1 });
    await memory.remember({ id: 'first', content: 'Never open the valve.', category: 'moment', tags: ['P0'] });
    await memory.commit();
    const seen: string[] = [];
    for (const days of [24, 1, 23, 1, 11]) {
      await live(memory, clock, days);
      seen.push(`${await statusOf(memory, 'small')}, ${await statusOf(memory, 'moment')}`);
    }
    expect(seen).toEqual(['active, active', 'archived, archived', 'archived, archived', 'gone, gone', 'gone, gone']);
    const { memories } = await memory.list({ status: 'active' });
    const kept = [...memoryCategories.filter((one) => one !== 'moment'), 'faint', 'first'];
    expect(memories.map(({ id }) => id).sort()).toEqual(kept.sort());
    const log = (await memory.log({ limit: 2 })).commits.map(({ operation, subject }) => [operation, subject]);
    expect(log).toEqual([
      ['gc', 'maintenance: 2 memories forgotten by decay'],
      ['expire', 'maintenance: 2 memories archived'],
    ]);
    // History has it, and it comes back to stay for as long again.
    await memory.records.restore('small');
    expect(await memory.get('small')).toMatchObject({ status: 'active' });
    expect((await memory.get('small')).expiresAt).toBeUndefined();
    await live(memory, clock, 20);
    expect(await statusOf(memory, 'small')).toBe('active');
  }, 600_000);

  it('gives a memory that comes back to a desk after months its time in the archive', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.remember({ id: 'small', content: 'The umbrella stand is brown.', importance: 0.2 });
    await memory.commit();
    clock.advance({ days: 200 });
    await live(memory, clock, daysInArchive);
    expect(await statusOf(memory, 'small')).toBe('archived');
    await memory.records.restore('small');
    await memory.records.archive('small');
    await memory.commit();
    await live(memory, clock, 2);
    // What a person put aside stays.
    clock.advance({ days: 400 });
    await live(memory, clock, 1);
    expect(await statusOf(memory, 'small')).toBe('archived');
  });
});
