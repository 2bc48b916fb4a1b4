import { expect, it } from 'vitest';
import { plainStyle } from '../../../src/apps/verbs/style.ts';
import { writeConfiguration } from '../../helpers/memories.ts';
import { Bench, verbNamed } from './context.ts';

it('quarantine lists, shows, accepts and drops, and says what it takes', async () => {
  const bench = new Bench();
  const memory = await bench.memory();
  await writeConfiguration(memory, 'version: 1\nauto_extract: true\ntrust: { quarantine: true }\n');
  await memory.commit();
  const run = async (input: unknown) => verbNamed('quarantine').text(await bench.run('quarantine', input), plainStyle);
  expect(await run({})).toBe('Nothing waits in quarantine.');
  const captured = (await bench.run('capture', { text: 'Anna works on the platform team in Rome.', trust: 'low' })) as {
    branch: string;
  };
  const name = captured.branch;
  const other = (await bench.run('capture', { text: 'Spam.', trust: 'low', topic: 'spam' })) as { branch: string };
  const listed = await run({ action: 'list' });
  expect(listed).toContain(`${name}  2026-11-02 12:00  1 capture, 1 memory  Anna works on`);
  expect(listed).toContain('1 capture, 0 memories  spam');
  const shown = await run({ action: 'show', name });
  expect(shown).toContain('user: Anna works on the platform team in Rome.');
  expect(shown).toMatch(/1 memory would come:\n {2}new {2}Anna works on the platform team in Rome\.? \(\w+, 0\.\d+\)/);
  const commit = /accept --commit ([0-9a-f]{40}) /.exec(shown)![1]!;
  expect(await run({ action: 'accept', name, commit })).toMatch(/^accepted {2}[0-9a-f]{7} .* 1 capture, 1 memory$/);
  expect(await run({ action: 'drop', name: other.branch })).toContain(`kept as memory/${other.branch}`);
  expect(await run({})).toBe(`Nothing waits in quarantine.\ndropped  memory/${other.branch}`);
  for (const [input, where] of [
    [{ action: 'show' }, 'name'],
    [{ action: 'list', name }, 'name'],
    [{ action: 'show', name, force: true }, 'force'],
    [{ action: 'drop', name, commit }, 'commit'],
  ] as const) {
    await expect(bench.run('quarantine', input)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', where });
  }
  await bench.close();
});
