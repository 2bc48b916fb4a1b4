// Machines whose clocks are wrong: what a remote holds is judged by what leads to what, never by a time.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { bareRepository } from '../../helpers/git-server.ts';
import { ManualClock } from '../../helpers/memories.ts';
import { fsck, git, hasGit, tryGit } from '../../helpers/native-git.ts';
import { random } from '../../helpers/random.ts';
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
  test.each([2, -2, 3 * years, -3 * years])('of which one is %d days off stay in step', async (daysOff) => {
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

  test('with any clocks become one, and their milestones go along', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const next = random(seed);
      const bare = bareRepository(path.join(temporaryFolder(), 'bare.git'));
      const machines: Machine[] = [];
      for (let number = 0; number < 3; number += 1) machines.push(await machine(bare, (next(7) - 3) * years));
      const words: string[] = [];
      for (let step = 0; step < 24; step += 1) {
        const { memory, clock } = machines[next(3)]!;
        const choice = next(6);
        // Clocks are set right and wrong in between.
        if (choice === 0) clock.advance({ days: (next(7) - 3) * years });
        else if (choice < 3) {
          words.push(`word${seed}x${step}`);
          await memory.write(`knowledge/reference/${words.at(-1)}.md`, `# ${words.at(-1)}\n`);
          await memory.commit();
        } else if (choice === 3) await memory.snapshots.create(`memory/milestone/at-${step}`);
        else expect((await memory.sync()).state).toBe('synced');
      }
      for (const number of [0, 1, 2, 0, 1]) await machines[number]!.memory.sync();
      const tips = machines.map(({ memory }) => git(memory.directory, 'rev-parse', 'main').trim());
      expect(new Set([...tips, git(bare, 'rev-parse', 'main').trim()]).size).toBe(1);
      for (const word of words)
        expect(tryGit(bare, ['cat-file', '-e', `main:knowledge/reference/${word}.md`]).status).toBe(0);
      const tags = machines.map(({ memory }) => git(memory.directory, 'tag', '--list', 'memory/milestone/*'));
      expect(new Set([...tags, git(bare, 'tag', '--list', 'memory/milestone/*')]).size).toBe(1);
      expect(fsck(bare)).toBe('');
      for (const { memory } of machines) await memory.close();
    }
  });
});
