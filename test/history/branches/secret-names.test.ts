import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { tracesOf } from '../../helpers/traces.ts';

const secret = ['ghp', 'R4kTz8WqYb2NcVx7Lm5JdHs9PfGa1UeKoQ3i'].join('_');

/** Whether it is in any name, file or object below a folder. */
const isNamed = (directory: string) => tracesOf(directory, [secret]).length > 0;

describe('a secret in the name of a ref', () => {
  it.each(['branches.open', 'experiments.run', 'snapshots.create'] as const)('is refused by %s', async (door) => {
    const { memory, directory } = await newTestMemory();
    await memory.remember('the kettle is green');
    const made = {
      'branches.open': () => memory.branches.open(`explore/${secret}`, { create: true }),
      'experiments.run': () => memory.experiments.run(secret),
      'snapshots.create': () => memory.snapshots.create(secret),
    }[door]();
    const error = await made.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SECRET', hint: expect.stringContaining('secrets.allow') });
    expect(String(error)).not.toContain(secret);
    expect(isNamed(directory)).toBe(false);
  });

  it('makes no memory', async () => {
    const directory = path.join(temporaryFolder(), 'new');
    await expect(openMemory({ dir: directory, create: true, branch: secret })).rejects.toMatchObject({
      code: 'SECRET',
    });
    expect(fs.existsSync(path.join(directory, '.git'))).toBe(false);
  });

  it('is let in where memory.yaml knows that it is none', async () => {
    const { memory } = await newTestMemory({}, `secrets:\n  allow: ["${secret.slice(0, 12)}*"]\n`);
    const other = await memory.branches.open(`explore/${secret}`, { create: true });
    expect(other.branchName).toBe(`explore/${secret}`);
    await other.close();
  });

  it.skipIf(!hasGit)('goes to no remote, whoever made the ref', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.remember('the kettle is green');
    await memory.commit();
    git(directory, 'tag', `memory/milestone/${secret}`);
    const remote = path.join(temporaryFolder(), 'x.git');
    git('.', 'init', '-q', '--bare', remote);
    await expect(memory.sync({ remote })).rejects.toMatchObject({ code: 'SECRET' });
    expect(isNamed(remote)).toBe(false);
    git(directory, 'tag', '-d', `memory/milestone/${secret}`);
    expect(await memory.sync({ remote })).toMatchObject({ state: 'synced' });
  });
});
