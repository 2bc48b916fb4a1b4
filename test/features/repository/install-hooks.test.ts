import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';
import { commitAll, git, hasGit, newRepository, tryGit } from '../../helpers/native-git.ts';
import { buildProgram } from '../../helpers/program.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';

const waitMs = 60_000;

beforeAll(buildProgram);

/** Waits until something is there that a hook does in the background. */
async function until<Value>(find: () => Value | undefined): Promise<Value> {
  const end = Date.now() + waitMs;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error('what was waited for did not come');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Where git is and neither node nor git-memory: links to what a hook's shell needs. */
function bareBin(): string {
  const bin = temporaryFolder();
  for (const name of ['git', 'sh', 'nice']) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    fs.symlinkSync(found, path.join(bin, name));
  }
  return bin;
}

/** A program in place of git-memory that writes down how it was called, and a node beside it. */
function listeningBin(log: string): string {
  const bin = bareBin();
  fs.writeFileSync(path.join(bin, 'git-memory'), `#!/bin/sh\necho "$*" >>'${log}'\n`, { mode: 0o755 });
  fs.symlinkSync(process.execPath, path.join(bin, 'node'));
  return bin;
}

const put = (directory: string, name: string, text: string) => {
  writeDeep(path.join(directory, name), text);
};

const commit = (directory: string, bin: string, message = 'by hand') =>
  tryGit(directory, ['commit', '-qm', message], undefined, { PATH: bin });

const keptWords = (directory: string): string[] | undefined => {
  const words = path.join(directory, '.git/git-memory/cache/words');
  if (!fs.existsSync(words)) return undefined;
  const names = fs.readdirSync(words).flatMap((folder) => fs.readdirSync(path.join(words, folder)));
  const segments = names.filter((name) => name.endsWith('.segment'));
  return segments.length === 0 || names.some((name) => name.startsWith('tmp-')) ? undefined : segments;
};

describe.runIf(hasGit)('the hooks', () => {
  it(
    'make ready what a person commits, also where git finds neither node nor git-memory',
    async () => {
      const { memory, directory } = await newTestMemory();
      await memory.git.installHooks();
      await memory.close();
      put(directory, 'knowledge/people/ada.md', '# Ada\n\nLives in Lisbon.\n');
      git(directory, 'add', '-A');
      expect(keptWords(directory)).toBeUndefined();
      expect(commit(directory, bareBin()).status).toBe(0);
      expect(await until(() => keptWords(directory))).toHaveLength(1);
    },
    2 * waitMs,
  );

  it(
    'say since when, and do nothing while git replays commits',
    async () => {
      const { memory, directory } = await newTestMemory();
      await memory.write('knowledge/a.md', '# A\n');
      await memory.commit();
      await memory.git.installHooks();
      await memory.close();
      const log = path.join(temporaryFolder(), 'log');
      const bin = listeningBin(log);
      const logged = (count: number) =>
        until(() => {
          const lines = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n') : [];
          const found = lines.filter((line) => line.startsWith('maintain reindex'));
          return found.length >= count ? found : undefined;
        });
      const head = () => git(directory, 'rev-parse', 'HEAD').trim();

      const first = head();
      fs.mkdirSync(path.join(directory, '.git/rebase-merge'));
      expect(
        spawnSync(path.join(directory, '.git/hooks/post-commit'), { cwd: directory, env: { PATH: bin } }).status,
      ).toBe(0);
      fs.rmdirSync(path.join(directory, '.git/rebase-merge'));
      put(directory, 'knowledge/b.md', '# B\n');
      git(directory, 'add', '-A');
      expect(commit(directory, bin).status).toBe(0);
      expect(await logged(1)).toEqual([`maintain reindex --since ${first} --seconds 20`]);

      git(directory, 'checkout', '-qb', 'side');
      put(directory, 'knowledge/c.md', '# C\n');
      git(directory, 'add', '-A');
      expect(tryGit(directory, ['-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'side']).status).toBe(0);
      git(directory, 'checkout', '-q', 'main');
      const second = head();
      expect(tryGit(directory, ['merge', '-q', '--ff-only', 'side'], undefined, { PATH: bin }).status).toBe(0);
      expect((await logged(2))[1]).toBe(`maintain reindex --since ${second} --seconds 20`);
    },
    2 * waitMs,
  );

  it('are put where core.hooksPath says, if that is in the repository', async () => {
    const { memory, directory } = await newTestMemory();
    git(directory, 'config', 'core.hooksPath', '.githooks');
    const { installed } = await memory.git.installHooks();
    for (const name of ['pre-commit', 'post-commit', 'post-merge']) {
      const file = path.join(directory, '.githooks', name);
      expect(installed).toContain(file);
      expect(fs.statSync(file).mode & 0o111).toBe(0o111);
      expect(spawnSync('sh', ['-n', file]).status).toBe(0);
      expect(fs.readFileSync(file, 'utf8')).not.toMatch(/@[A-Z]+@/);
    }
    expect(fs.existsSync(path.join(directory, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('are put nowhere else: another folder, or a link to one, is refused with what to do', async () => {
    const { memory, directory } = await newTestMemory();
    const elsewhere = temporaryFolder();
    fs.symlinkSync(elsewhere, path.join(directory, 'link'));
    for (const named of [elsewhere, '../hooks', 'link', 'link/deeper']) {
      git(directory, 'config', 'core.hooksPath', named);
      await expect(memory.git.installHooks()).rejects.toMatchObject({
        code: 'UNSUPPORTED_REPOSITORY',
        hint: expect.stringContaining('git-memory hooks pre-commit'),
      });
    }
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });

  it('of somebody else stay: a convenience is left and named, the one that keeps the rules is refused', async () => {
    const { memory, directory } = await newTestMemory();
    const file = (name: string) => path.join(directory, '.git/hooks', name);
    put(directory, '.git/hooks/post-merge', '#!/bin/sh\ngit lfs post-merge "$@"\n');
    const { installed, left } = await memory.git.installHooks();
    expect(installed).toEqual(expect.arrayContaining([file('pre-commit'), file('post-commit')]));
    expect(installed).not.toContain(file('post-merge'));
    expect(left).toEqual([{ path: file('post-merge'), line: expect.stringContaining('git-memory hooks post-merge') }]);
    expect(fs.readFileSync(file('post-merge'), 'utf8')).toContain('lfs');
    expect((await memory.git.installHooks()).installed).toEqual(installed.filter((one) => one.includes('/hooks/')));

    fs.rmSync(file('post-commit'));
    fs.writeFileSync(file('pre-commit'), '#!/bin/sh\n');
    await expect(memory.git.installHooks()).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
      where: file('pre-commit'),
    });
    expect(fs.existsSync(file('post-commit'))).toBe(false);
  });
});

it.runIf(hasGit)('a memory that native git does not commit to needs no hooks after a commit', async () => {
  const directory = newRepository();
  put(directory, 'code.c', 'int x;\n');
  commitAll(directory, 'code');
  const { memory } = await newTestMemory({ dir: directory, placement: 'branch' });
  await memory.git.installHooks();
  const names = fs.readdirSync(path.join(directory, '.git/hooks')).filter((name) => !name.endsWith('.sample'));
  expect(names).toEqual(['pre-commit']);
});
