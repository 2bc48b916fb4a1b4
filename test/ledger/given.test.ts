// What somebody gave, and what rules only read: priorities, categories, attributes.

import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';

const conflictsOf = (text: string) => text.match(/⚠️ CONFLICT: .*/g) ?? [];

describe.runIf(hasGit)('a conflict', () => {
  it('stays on the page while both sides are open, and goes with either', async () => {
    const { memory, directory } = await newTestMemory();
    const given = { subject: 'gate', attribute: 'code owner' };
    const ada = await memory.remember({ content: 'Ada keeps the code of the gate', ...given });
    const ole = await memory.remember({ content: 'Ole keeps the code of the gate', ...given, validFrom: '2025-01-01' });
    const bench = await memory.remember({ content: 'We decided that the bench stays green', category: 'decision' });
    await memory.commit();
    await memory.maintenance.run({ tasks: ['pack'] });
    const page = async () => conflictsOf((await memory.read('recall/pack.md'))!);
    const line = `⚠️ CONFLICT: ${ole.id} says "Ole keeps the code of the gate", ${ada.id} says "Ada keeps the code of the gate" — needs resolution`;
    expect(await page()).toEqual([line]);
    expect(conflictsOf((await memory.sessionStart()).text)).toEqual([line]);
    await memory.forget(bench.id!);
    await memory.commit();
    expect(await page()).toEqual([line]);
    await memory.forget(ole.id!);
    await memory.commit();
    expect(await page()).toEqual([]);
    expect(conflictsOf((await memory.pack()).text)).toEqual([]);
    await memory.close();
    expect(fsck(directory)).toBe('');
  });
});
