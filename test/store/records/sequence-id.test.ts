// Sequence ids: taken apart, ordered as numbers, found in words.

import { describe, expect, it } from 'vitest';
import {
  compareSequenceIds,
  dayOfSeries,
  formatSequenceId,
  parseSequenceId,
  replaceSequenceIds,
  sequenceIdsIn,
  seriesOfDay,
} from '../../../src/store/records/sequence-id.ts';

describe('a sequence id', () => {
  it('has at least three digits and any number of them', () => {
    expect(formatSequenceId({ series: 'evt', number: 7 })).toBe('evt-007');
    expect(formatSequenceId({ series: 'EVT-20260128', number: 1000 })).toBe('EVT-20260128-1000');
    expect(parseSequenceId('EVT-20260128-1000')).toEqual({ series: 'EVT-20260128', number: 1000 });
    for (const id of ['EVT-20260128-01', 'evt-12', 'EVT-2026-001', 'x', 'EVT-20260128-001a']) {
      expect(parseSequenceId(id)).toBeNull();
    }
  });

  it('is ordered as a number', () => {
    expect(['evt-1000', 'evt-999', 'evt-002'].sort(compareSequenceIds)).toEqual(['evt-002', 'evt-999', 'evt-1000']);
    expect(compareSequenceIds('EVT-20260128-999', 'EVT-20260129-001')).toBeLessThan(0);
  });

  it('is found in words, but not within other names', () => {
    const text = 'see EVT-20260128-001, (evt-012) and evt-012; not my-evt-013, EVT-20260128-001x or evt-0';
    expect(sequenceIdsIn(text)).toEqual(['EVT-20260128-001', 'evt-012']);
  });

  it('is replaced in one go, so that new names do not meet old ones', () => {
    const names: Record<string, string> = { 'evt-001': 'evt-002', 'evt-002': 'evt-001' };
    expect(replaceSequenceIds('evt-001 evt-002 evt-003', (id) => names[id] ?? id)).toBe('evt-002 evt-001 evt-003');
  });

  it('of the ledger tells its day', () => {
    expect(seriesOfDay('2026-01-28')).toBe('EVT-20260128');
    expect(dayOfSeries('EVT-20260128')).toBe('2026-01-28');
    expect(dayOfSeries('evt')).toBeNull();
  });
});
