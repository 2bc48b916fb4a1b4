// Doctor and the merge driver: a clone brings the attributes along, and not what they mean.

import { expect, it } from 'vitest';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const codesOf = async (dir: string) => (await doctor({ dir })).findings.map(({ code }) => code);

it.runIf(hasGit)(
  'doctor says that native git would merge a clone as text, until the hooks are installed there',
  async () => {
    const { memory, directory } = await newTestMemory();
    await memory.close();
    expect(await codesOf(directory)).not.toContain('MERGE_DRIVER');
    const clone = `${temporaryFolder()}/clone`;
    git(directory, 'clone', '-q', '.', clone);
    const { findings, isHealthy } = await doctor({ dir: clone });
    expect(findings.find(({ code }) => code === 'MERGE_DRIVER')).toMatchObject({
      severity: 'warning',
      fix: expect.stringContaining('git memory hooks install'),
    });
    expect(isHealthy).toBe(true);
    const cloned = await openMemory({ dir: clone });
    await cloned.git.installHooks();
    await cloned.close();
    expect(await codesOf(clone)).not.toContain('MERGE_DRIVER');
  },
);

it.runIf(hasGit)('doctor looks for the driver also where only this clone gives the layout to it', async () => {
  const code = `${temporaryFolder()}/code`;
  git('.', 'init', '-q', code);
  git(code, 'commit', '-q', '--allow-empty', '-m', 'code');
  const { memory } = await newTestMemory({ dir: code, placement: 'project' });
  await memory.capture('Decided in the project itself.');
  await memory.commit();
  await memory.close();
  expect(await codesOf(code)).not.toContain('MERGE_DRIVER');
  git(code, 'config', '--remove-section', 'merge.git-memory');
  expect(await codesOf(code)).toContain('MERGE_DRIVER');
});
