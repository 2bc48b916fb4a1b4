// A remote in a folder whose hooks would judge a push: they are not run, and whoever pushes is told so.

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { bareRepository } from '../../helpers/git-server.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { buildProgram, runHere } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A remote with these files in a folder of hooks; `mode` of each. */
function remoteWith(hooks: Readonly<Record<string, number>>, folder = 'hooks'): string {
  const bare = bareRepository(path.join(temporaryFolder(), 'bare.git'));
  fs.mkdirSync(path.resolve(bare, folder), { recursive: true });
  for (const [name, mode] of Object.entries(hooks)) {
    fs.writeFileSync(path.resolve(bare, folder, name), '#!/bin/sh\nexit 1\n', { mode });
  }
  if (folder !== 'hooks') git(bare, 'config', 'core.hooksPath', folder);
  return bare;
}

describe.skipIf(!hasGit)('a sync with a folder whose hooks would judge the push', () => {
  it.each([
    ['pre-receive', { 'pre-receive': 0o755 }, 'hooks'],
    ['update', { update: 0o755 }, 'hooks'],
    ['pre-receive, update', { update: 0o755, 'pre-receive': 0o755 }, 'own-hooks'],
    ['update', { update: 0o755 }, path.join(temporaryFolder(), 'hooks-of-all')],
  ])('names %s', async (named, hooks, folder) => {
    const remote = remoteWith(hooks, folder);
    const { memory, directory, clock } = await newTestMemory();
    await memory.remember('Ada drinks tea.');
    await memory.commit();
    const warning = expect.stringMatching(new RegExp(`does not run: ${named}\\. .*ssh://localhost${remote}`));
    expect((await memory.sync({ remote, dryRun: true })).warnings).toEqual([warning]);
    expect(await memory.sync({ remote })).toMatchObject({ state: 'synced', warnings: [warning] });
    // Where nothing goes no hook is asked.
    expect((await memory.sync()).warnings).toBeUndefined();
    const { findings } = await doctor({ dir: directory, clock });
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'HOOKS_PASSED', severity: 'warning', what: warning }),
    );
  });

  it('says nothing of samples, of what cannot be run, of other hooks, and of an emptied core.hooksPath', async () => {
    const none = remoteWith({ 'pre-receive.sample': 0o755, update: 0o644, 'post-receive': 0o755 });
    const emptied = remoteWith({ 'pre-receive': 0o755 });
    git(emptied, 'config', 'core.hooksPath', '/dev/null');
    for (const remote of [none, emptied]) {
      const { memory, directory, clock } = await newTestMemory();
      await memory.remember('Ada drinks tea.');
      await memory.commit();
      expect(await memory.sync({ remote })).not.toHaveProperty('warnings');
      const { findings } = await doctor({ dir: directory, clock });
      expect(findings.map(({ code }) => code)).not.toContain('HOOKS_PASSED');
      await memory.close();
    }
  });

  it('is told of a repository with a work tree, by the folder of its files', async () => {
    const folder = temporaryFolder();
    git(folder, 'init', '-q', '-b', 'other');
    fs.writeFileSync(path.join(folder, '.git/hooks/update'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { memory } = await newTestMemory();
    await memory.remember('Ada drinks tea.');
    await memory.commit();
    expect((await memory.sync({ remote: folder })).warnings).toHaveLength(1);
  });
});

describe.skipIf(!hasGit)('on the command line', () => {
  beforeAll(buildProgram);
  it('the warning is shown, and is in the JSON', async () => {
    const remote = remoteWith({ 'pre-receive': 0o755 });
    const { memory, directory } = await newTestMemory();
    await memory.close();
    const shown = await runHere(directory, ['sync', remote]);
    expect(shown.status).toBe(0);
    expect(shown.stdout.replace(/\s+/g, ' ')).toContain('does not run: pre-receive');
    expect((await runHere(directory, ['remember', 'Ada drinks tea.'])).status).toBe(0);
    expect((await runHere(directory, ['commit'])).status).toBe(0);
    expect(JSON.parse((await runHere(directory, ['sync', '--json'])).stdout).warnings).toHaveLength(1);
  });
});
