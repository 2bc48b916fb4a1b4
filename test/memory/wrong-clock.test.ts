// A machine whose clock tells a time that no commit can have: it is told so, whatever it asks.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

afterEach(() => void vi.restoreAllMocks());

describe.each([
  ['before 1970', Date.UTC(1969, 5, 1)],
  ['after 9999', Date.UTC(10026, 5, 1)],
])('a clock %s', (when, time) => {
  const wrong = { code: 'INVALID_DATE', what: `the clock of this machine is wrong: it tells a year ${when}` };

  it('is named, and nothing is written', async () => {
    const dir = temporaryFolder();
    const memory = await openMemory({ dir, create: true, durability: 'fast' });
    const { tip } = memory;
    await memory.close();
    vi.spyOn(Date, 'now').mockReturnValue(time);
    const remember = async () => {
      const late = await openMemory({ dir });
      try {
        await late.remember('Ada drinks tea');
      } finally {
        await late.close();
      }
    };
    await expect(remember()).rejects.toMatchObject(wrong);
    await expect(openMemory({ dir: temporaryFolder(), create: true })).rejects.toMatchObject(wrong);
    vi.restoreAllMocks();
    const again = await openMemory({ dir });
    expect(again.tip).toBe(tip);
    expect((await again.list()).memories).toEqual([]);
    await again.close();
  });
});
