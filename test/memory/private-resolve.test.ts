// Disputes over private files that native git could not settle, on machines with the key and without.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResolveResult } from '../../src/base/types.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { buildProgram, programEnvironment } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const secret = 'Vollmondquitte';
const [ada, bob] = ['knowledge/people/ada.md', 'knowledge/people/bob.md'];

describe.skipIf(!hasGit)('a dispute over private files', () => {
  beforeAll(buildProgram, 120_000);

  it('is settled with the key; without it both versions stay as they are, for whoever has it', async () => {
    const texts: string[] = [];
    const keys = { place: '/elsewhere/keys', texts, read: () => texts, add: (text: string) => void texts.push(text) };
    const { memory, directory } = await newTestMemory({ keys });
    await memory.keys.new({ paths: ['knowledge/people/**'] });
    await memory.write(ada, `# Ada\n\n- one ${secret}\n- two\n`);
    await memory.write(bob, `# Bob\n\n- one ${secret}\n`);
    await memory.commit();
    await memory.close();
    const keyed = programEnvironment({ GIT_MEMORY_KEY: texts[0]!, XDG_CONFIG_HOME: temporaryFolder() });
    const keyless = programEnvironment({ XDG_CONFIG_HOME: temporaryFolder() });
    const ask = (dir: string, environment: typeof keyed, ...parameters: string[]) =>
      tryGit(dir, parameters, undefined, environment);
    const run = (dir: string, ...parameters: string[]) => {
      const result = ask(dir, keyed, ...parameters);
      expect(`${parameters[0]} ${result.status} ${result.stderr}`).toMatch(/^\w+ 0 /);
      return result.stdout;
    };
    // Of two commits of one second their ids would say which is the later.
    const commit = (dir: string, subject: string, date: string) =>
      expect(ask(dir, { ...keyed, GIT_COMMITTER_DATE: date }, 'commit', '-qam', subject).status).toBe(0);
    const other = join(temporaryFolder(), 'other');
    git(directory, 'clone', '-q', directory, other);
    run(other, 'memory', 'hooks', 'install');
    run(directory, 'memory', 'hooks', 'install');
    const edit = (dir: string, file: string, from: string, to: string) =>
      writeFileSync(join(dir, file), readFileSync(join(dir, file), 'utf8').replace(from, to));
    edit(other, ada, '- two', `- two of other, ${secret}`);
    edit(other, bob, '- one', '- one of other');
    commit(other, 'other', '2026-11-20T10:00:00Z');
    edit(directory, ada, '- two', '- two of ours');
    run(directory, 'rm', '-q', bob);
    commit(directory, 'ours', '2026-11-20T10:00:01Z');
    // A third machine has both histories and no key.
    const third = join(temporaryFolder(), 'third');
    git(directory, 'clone', '-q', directory, third);
    ask(third, keyless, 'memory', 'hooks', 'install');
    const merge = (dir: string, environment: typeof keyed) => {
      ask(dir, environment, 'fetch', '-q', other, 'main');
      expect(ask(dir, environment, 'merge', '-m', 'both', 'FETCH_HEAD').status).toBe(1);
      const resolved = ask(dir, environment, 'memory', 'merge', 'resolve', '--json');
      expect([resolved.status, resolved.stderr]).toEqual([0, '']);
      expect(ask(dir, environment, 'commit', '-q', '--no-edit').status).toBe(0);
      expect(ask(dir, environment, 'status', '--porcelain').stdout).toBe('');
      expect(fsck(dir)).toBe('');
      // Nothing of it stands open in git.
      expect(tryGit(dir, ['grep', '-a', '-c', secret, 'HEAD']).stdout).toBe('');
      const { conflicts, ...rest } = JSON.parse(resolved.stdout) as ResolveResult;
      const named = conflicts.map((path) => `Conflict: ${path}\n`).join('');
      expect(git(dir, 'log', '-1', '--format=%B')).toBe(`both\n\n${named}\n`);
      return { conflicts, ...rest };
    };
    expect(merge(directory, keyed)).toMatchObject({ resolved: [{ path: bob }], conflicts: [ada, bob], remaining: [] });
    expect(readFileSync(join(directory, ada), 'utf8')).toContain(`- two of other, ${secret}\n- two of ours\n`);
    expect(readFileSync(join(directory, bob), 'utf8')).toContain(`- one of other ${secret}`);

    const beside = `${ada}~${git(other, 'rev-parse', 'HEAD').trim()}`;
    const { resolved, conflicts, remaining } = merge(third, keyless);
    expect(conflicts).toEqual([ada, beside, bob]);
    expect([resolved.map(({ path }) => path), remaining]).toEqual([[ada, beside, bob], []]);
    expect(readFileSync(join(third, beside), 'latin1')).not.toContain(secret);
    // Who has the key reads both, and settles it.
    const later = await openMemory({ dir: third, keys, durability: 'fast' });
    expect(await later.read(ada)).toContain('- two of ours');
    expect(await later.read(beside)).toContain(`- two of other, ${secret}`);
    await later.edit(ada, '- two of ours', `- two of both, ${secret}`);
    await later.remove(beside);
    await later.commit();
    await later.close();
    expect(git(third, 'ls-tree', '-r', '--name-only', 'HEAD', 'knowledge/people').trim().split('\n')).toEqual([
      ada,
      bob,
    ]);
    expect(tryGit(third, ['grep', '-a', '-c', secret, 'HEAD']).stdout).toBe('');
  }, 600_000);
});
