// Calls of one program that do not wait for each other, as an agent that runs several tools at once makes them.

import { expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

it.each(['repository', 'bare'] as const)(
  'calls that do not wait for each other all succeed and lose nothing (%s)',
  async (placement) => {
    const dir = temporaryFolder();
    const memory = await openMemory({ dir, create: true, placement });
    const many = Array.from({ length: 12 }, (_, index) => index);
    const results = await Promise.all(
      many.flatMap((number): Promise<unknown>[] => [
        memory.remember({ id: `memory-${number}`, content: `Number ${number} is worth keeping` }),
        memory.write(`knowledge/file-${number}.md`, `- ${number}\n`).then(() => memory.commit()),
        memory.capture({
          messages: [{ role: 'user', text: `I will do ${number} by Friday.` }],
          session: `ses_${number}`,
        }),
        memory.recall(`number ${number}`),
        memory.extract(),
      ]),
    );
    expect(results).toHaveLength(5 * many.length);
    await memory.commit();
    expect((await memory.files('knowledge')).filter((path) => path.includes('/file-'))).toHaveLength(many.length);
    expect(await memory.status()).toMatchObject({ conversations: many.length, pending: [] });
    for (const number of many) expect(await memory.get(`memory-${number}`)).toMatchObject({ useCount: 0 });
    await memory.close();
    if (hasGit) {
      expect(fsck(dir)).toBe('');
      if (placement === 'repository') expect(git(dir, 'status', '--porcelain')).toBe('');
    }
  },
);
