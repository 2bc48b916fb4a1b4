import { describe, expect, it } from 'vitest';
import { triggerOf } from '../../../src/core/capture/smart-buffer.ts';
import type { Configuration } from '../../../src/store/records/configuration.ts';

const minute = 60_000;
const settings = (mode: Configuration['buffer']['mode']) => ({ mode, turns: 5, minutes: 15 });
const state = (buffered: number, extracted: number | null = null) => ({ buffered, extracted });
const high = { level: 'high', time: 100 * minute } as const;
const low = { level: 'low', time: 100 * minute } as const;

describe('the buffer of a session', () => {
  it('when smart, is emptied by a high signal, by its fifth turn, and after a quarter of an hour', () => {
    expect(triggerOf(state(1), high, settings('smart'))).toBe('now');
    expect(triggerOf(state(4), low, settings('smart'))).toBeNull();
    expect(triggerOf(state(5), low, settings('smart'))).toBe('batch');
    expect(triggerOf(state(1, 85 * minute + 1), low, settings('smart'))).toBeNull();
    expect(triggerOf(state(1, 85 * minute), low, settings('smart'))).toBe('batch');
  });

  it('is not emptied by time before the first extraction, nor when there is nothing in it', () => {
    expect(triggerOf(state(1), low, settings('smart'))).toBeNull();
    expect(triggerOf(state(0, 0), low, settings('smart'))).toBeNull();
  });

  it('may count turns only, or time only, or wait for the end', () => {
    expect(triggerOf(state(4, 0), high, settings('every_n'))).toBeNull();
    expect(triggerOf(state(5), low, settings('every_n'))).toBe('batch');
    expect(triggerOf(state(9), high, settings('time_based'))).toBeNull();
    expect(triggerOf(state(1, 0), low, settings('time_based'))).toBe('batch');
    expect(triggerOf(state(9, 0), high, settings('session_end'))).toBeNull();
  });
});
