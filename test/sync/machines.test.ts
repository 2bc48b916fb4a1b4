// Machines that write at the same time.
//
//   SYNC_SEEDS=n   so many histories of three machines; default 20    SYNC_WRITERS=n SYNC_PUSHES=n   default 4 and 4

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { machineNetwork } from '../../src/adapters/network.ts';
import { type Memory, openMemory } from '../../src/memory.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../helpers/git-server.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { random } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const seeds = Number(process.env.SYNC_SEEDS ?? 20);
const from = Number(process.env.SYNC_FROM ?? 1);
const writers = Number(process.env.SYNC_WRITERS ?? 4);
const pushes = Number(process.env.SYNC_PUSHES ?? 4);

const served = gitServerForTests();
const { root } = served;

const network = { ...machineNetwork(), credentialFor: async () => serverCredential };
const open = () => openMemory({ dir: temporaryFolder(), create: true, durability: 'fast', network });

async function machines(name: string, count: number): Promise<{ memories: Memory[]; bare: string }> {
  const bare = bareRepository(path.join(root, name));
  const memories: Memory[] = [];
  for (let number = 0; number < count; number += 1) {
    const memory = await open();
    await memory.sync({ remote: `${served.server.origin}/${name}` });
    memories.push(memory);
  }
  return { memories, bare };
}

describe.skipIf(!hasGit)('machines', () => {
  test('of any history become one, without a text marker and without a loss', async () => {
    for (let seed = from; seed < from + seeds; seed += 1) {
      const next = random(seed);
      const { memories, bare } = await machines(`seed${seed}.git`, 3);
      const words: string[] = [];
      const ids: string[] = [];
      for (let step = 0; step < 18; step += 1) {
        const memory = memories[next(3)]!;
        const choice = next(10);
        const word = `word${seed}x${step}`;
        if (choice < 3) {
          const { id } = await memory.remember({ content: `It is ${word}.`, tags: [word] });
          ids.push(id!);
          words.push(word);
        } else if (choice < 5) {
          const list = await memory.read('knowledge/reference/list.md').catch(() => '# List\n\n');
          await memory.write('knowledge/reference/list.md', `${list}- ${word}\n`);
          words.push(word);
        } else if (choice < 6) {
          await memory.capture(`We spoke of ${word}.`);
          words.push(word);
        } else if (choice < 7 && ids.length > 0) {
          await memory.touch(ids[next(ids.length)]!).catch(() => undefined);
        } else if (choice < 8)
          await memory
            .event({ type: 'decision', priority: 'P1', content: `Decided ${word}.` })
            .then(() => words.push(word));
        else await memory.sync();
      }
      // The first has the changes of all when the last has pushed.
      for (const position of [0, 1, 2, 0, 1]) await memories[position]!.sync();
      const trees = new Set(memories.map(({ directory }) => git(directory, 'rev-parse', 'HEAD^{tree}').trim()));
      expect([seed, trees.size]).toEqual([seed, 1]);
      const all = git(bare, 'grep', '-h', '-E', 'word[0-9]+x[0-9]+', 'main');
      expect([seed, words.filter((word) => !new RegExp(`${word}\\b`).test(all))]).toEqual([seed, []]);
      expect(tryGit(bare, ['grep', '-E', '^(<<<<<<<|>>>>>>>)', 'main']).stdout).toBe('');
      if (seed % 5 === 1) expect(fsck(bare)).toBe('');
      for (const memory of memories) {
        if (seed % 5 === 1) expect(git(memory.directory, 'status', '--porcelain')).toBe('');
        await memory.close();
      }
    }
  }, 600_000);

  test('that push at the same moment all get through', async () => {
    const { memories, bare } = await machines('writers.git', writers);
    await Promise.all(
      memories.map(async (memory, writer) => {
        for (let number = 0; number < pushes; number += 1) {
          await memory.write(`knowledge/reference/w${writer}-${number}.md`, `# ${writer} ${number}\n`);
          const { state, why } = await memory.sync();
          expect([state, why]).toEqual(['synced', undefined]);
        }
      }),
    );
    const names = git(bare, 'ls-tree', '--name-only', 'main', 'knowledge/reference/').trim().split('\n');
    expect(names).toHaveLength(writers * pushes);
    expect(fsck(bare)).toBe('');
    for (const memory of memories) await memory.close();
  }, 600_000);
});
