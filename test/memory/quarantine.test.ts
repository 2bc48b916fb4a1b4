import { expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';

it('a capture of low trust waits on a branch of its own until somebody merges it', async () => {
  const { memory } = await newTestMemory({ model: null });
  await memory.write('memory.yaml', 'version: 1\nauto_extract: true\ntrust: { quarantine: true }\n');
  await memory.commit();
  const tip = memory.tip;
  const mail = { messages: [{ role: 'user', text: 'Our office in Rome moved to the Via Appia in 2025.' }] };
  const { branch, path, commit } = await memory.capture({ ...mail, channel: 'web' });
  expect(branch).toMatch(/^quarantine\//);
  expect(commit).not.toBeNull();
  expect(memory.tip).toBe(tip);
  await expect(memory.read(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await memory.recall('Via Appia')).hits).toEqual([]);
  expect((await memory.captureText('User: x\nAssistant: y', { trust: 'low' }))[0]!.branch).not.toBe(branch);
  // Others go where they always went.
  expect(await memory.capture(mail)).not.toHaveProperty('branch');

  expect((await memory.compare(branch!)).ahead).not.toEqual([]);
  await memory.merge(branch!);
  expect(await memory.read(path)).toContain('Via Appia');
  expect((await memory.branches()).filter(({ name }) => name.startsWith('quarantine/'))).toHaveLength(2);
  await memory.undo('HEAD', { allowRemovals: true });
  await expect(memory.read(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await memory.close();
});
