// Machines that push at the same time; what becomes of machines that write at any time is the matter of test/fleet.
//
//   SYNC_WRITERS=n SYNC_PUSHES=n   default 4 and 4

import path from 'node:path';
import { expect, test } from 'vitest';
import { machineNetwork } from '../../../src/adapters/network.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../../helpers/git-server.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

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

test.skipIf(!hasGit)(
  'machines that push at the same moment all get through',
  async () => {
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
  },
  600_000,
);
