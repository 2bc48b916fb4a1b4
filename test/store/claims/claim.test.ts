import { describe, expect, test } from 'vitest';
import { closed, holdsAt, isOver, reopened } from '../../../src/store/claims/claim.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';

const record = newMemory({ id: 'lease', content: 'The boiler is serviced by Krol.', now: 1_000_000 });

describe('a claim', () => {
  test('holds from its first second until its last', () => {
    const limited = { ...record, validFrom: 2_000, validUntil: 3_000 };
    expect([1_999, 2_000, 2_999, 3_000].map((time) => holdsAt(limited, time))).toEqual([false, true, true, false]);
    expect([1_999, 2_999, 3_000].map((time) => isOver(limited, time))).toEqual([false, false, true]);
  });

  test('that is closed now is superseded; one that ends later is judged when asked', () => {
    const now = closed(record, { by: 'next', from: 2_000, now: 2_000 });
    expect(now).toMatchObject({ status: 'superseded', validUntil: 2_000, replacedBy: 'next' });
    const later = closed(record, { by: 'next', from: 9_000, now: 2_000 });
    expect(later).toMatchObject({ status: 'active', validUntil: 9_000, replacedBy: 'next' });
    expect([holdsAt(later, 8_999), holdsAt(later, 9_000), isOver(later, 9_000)]).toEqual([true, false, true]);
    expect([reopened(now), reopened(later)]).toEqual([record, record]);
  });
});
