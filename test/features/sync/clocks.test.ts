// Machines whose clocks are wrong: what a remote holds is judged by what leads to what, never by a time.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { bareRepository } from '../../helpers/git-server.ts';
import { ManualClock } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const years = 365;

interface Machine {
  readonly memory: Memory;
  readonly clock: ManualClock;
}

async function machine(bare: string, daysOff: number): Promise<Machine> {
  const clock = new ManualClock();
  clock.advance({ days: daysOff });
  const memory = await openMemory({ dir: temporaryFolder(), create: true, durability: 'fast', clock });
  await memory.sync({ remote: bare });
  return { memory, clock };
}

describe.skipIf(!hasGit)('machines', () => {
  test.each([-2, 3 * years])('of which one is %d days off stay in step', async (daysOff) => {
    const bare = bareRepository(path.join(temporaryFolder(), 'bare.git'));
    const machines = [await machine(bare, 0), await machine(bare, daysOff)];
    for (let round = 0; round < 6; round += 1) {
      for (const [number, { memory, clock }] of machines.entries()) {
        await memory.write(`knowledge/reference/m${number}.md`, `# ${number}\n\nRound ${round}\n`);
        await memory.commit();
        await memory.capture(`Round ${round} of ${number}.`);
        clock.advance({ minutes: 1 });
        if ((round + number) % 3 !== 0) expect((await memory.sync()).state).toBe('synced');
      }
    }
    for (const number of [0, 1, 0]) await machines[number]!.memory.sync();
    const [first, second] = machines.map(({ memory }) => git(memory.directory, 'rev-parse', 'main').trim());
    expect(second).toBe(first);
    const { sync } = await machines[1]!.memory.status();
    expect([sync?.ahead, sync?.behind]).toEqual([0, 0]);
    for (const { memory } of machines) await memory.close();
  });
});
