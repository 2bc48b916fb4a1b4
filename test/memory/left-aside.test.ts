// What looks like a hand edit and may be none: files that are gone, and merges that nobody has finished. The memory keeps what it has, says
// so, and goes on. Native git makes the situations.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, git, hasGit, tryGit } from '../helpers/native-git.ts';

const page = 'knowledge/plan.md';

/** A memory with pages and a quiet history: what git did to HEAD is long ago. */
async function place(pages = 8): Promise<{ memory: Memory; directory: string; file: (name: string) => string }> {
  const { memory, directory } = await newTestMemory({ indexWaitMs: 50 });
  for (let i = 0; i < pages; i++) await memory.write(`knowledge/projects/p${i}.md`, `# Project ${i}\n`);
  await memory.write(page, '# Plan\n\nOf the ship.\n\n## Goals\n\nIt is blue.\n\n## Dates\n\nWe ship on Tuesday.\n');
  await memory.commit();
  if (hasGit) {
    git(directory, 'config', 'user.name', 'Person');
    git(directory, 'config', 'user.email', 'person@example.org');
    // A clone without our driver: git merges line by line.
    fs.writeFileSync(path.join(directory, '.git/info/attributes'), '* !merge\n');
  }
  return { memory, directory, file: (name) => path.join(directory, name) };
}

const editedIn = async (memory: Memory) => (await memory.status()).edited.map(({ path: name }) => name);
const isKept = async (memory: Memory, name: string) => (await memory.read(name)) !== '';

describe('a file that is gone from the work tree', () => {
  it('was removed by a person where it is one of few and nothing else happened', async () => {
    const { memory, file } = await place();
    fs.rmSync(file('knowledge/projects/p1.md'));
    const { commits, skipped } = await memory.commit();
    expect([commits.length, skipped]).toEqual([1, []]);
    await expect(memory.read('knowledge/projects/p1.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('stays in the memory where many are gone, and is named until it comes back', async () => {
    const { memory, directory, file } = await place();
    const names = [0, 1, 2, 3, 4].map((i) => `knowledge/projects/p${i}.md`);
    for (const name of names) fs.renameSync(file(name), file(name.replace('knowledge/projects', '.git')));
    await memory.remember('something else');
    const { commits, skipped } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect(skipped.map(({ path: name }) => name)).toEqual(names);
    expect(skipped[0]!.why).toMatch(/5 files are gone at once.*`git memory commit <path>`/);
    for (const name of names) expect(await isKept(memory, name)).toBe(true);
    expect(await editedIn(memory)).toEqual(names);
    expect((await doctor({ dir: directory })).findings).toContainEqual(
      expect.objectContaining({ code: 'FILE_MISSING', where: names[0] }),
    );
    for (const name of names) fs.renameSync(file(name.replace('knowledge/projects', '.git')), file(name));
    expect(await editedIn(memory)).toEqual([]);
    expect(await memory.commit()).toEqual({ commits: [], skipped: [] });
    expect((await doctor({ dir: directory })).findings.map(({ code }) => code)).not.toContain('FILE_MISSING');
  });

  it('goes when somebody names it, or its folder, and nothing else does', async () => {
    const { memory, directory, file } = await place(12);
    fs.rmSync(file('knowledge/projects'), { recursive: true });
    fs.appendFileSync(file(page), 'More.\n');
    expect((await memory.commit()).skipped).toMatchObject([
      { path: 'knowledge', why: expect.stringMatching(/12 files/) },
    ]);
    fs.appendFileSync(file(page), 'And more.\n');
    await memory.commit(undefined, { paths: ['knowledge/projects/p3.md'] });
    await expect(memory.read('knowledge/projects/p3.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await memory.read('knowledge/projects/p4.md')).toBe('# Project 4\n');
    expect(await memory.read(page)).not.toContain('And more');
    expect((await memory.commit('they are over', { paths: ['knowledge/projects/'] })).skipped).toEqual([]);
    expect(await memory.files('knowledge/projects/')).toEqual([]);
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({ operation: 'edit' });
    await memory.commit();
    expect(await memory.read(page)).toContain('And more');
    for (const wrong of ['knowledge/nothing.md', '../x', '.git/config']) {
      await expect(memory.commit(undefined, { paths: [wrong] })).rejects.toMatchObject({
        code: wrong.startsWith('knowledge') ? 'NOT_FOUND' : 'INVALID_PATH',
      });
    }
    if (hasGit) expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  it.runIf(hasGit)('stays in the memory while git has only just moved HEAD', async () => {
    const { memory, directory, file } = await place();
    git(directory, 'branch', 'other', 'HEAD~1');
    git(directory, 'checkout', '-q', 'other');
    git(directory, 'checkout', '-q', 'main');
    fs.rmSync(file('knowledge/projects/p1.md'));
    expect((await memory.commit()).skipped).toMatchObject([
      { path: 'knowledge/projects/p1.md', why: expect.stringMatching(/changed what is checked out a moment ago/) },
    ]);
    // An hour later nobody thinks of that.
    const log = file('.git/logs/HEAD');
    const past = Math.floor(Date.now() / 1000) - 3600;
    fs.writeFileSync(log, fs.readFileSync(log, 'utf8').replace(/> \d+( \+0000\tcheckout:)/g, `> ${past}$1`));
    expect((await memory.commit()).skipped).toEqual([]);
    expect(await memory.files()).not.toContain('knowledge/projects/p1.md');
  });

  it.runIf(hasGit)(
    'stays in the memory while git writes the index, as what it wrote meanwhile is no edit',
    async () => {
      const { memory, directory, file } = await place();
      await memory.edit(page, 'Tuesday', 'Friday');
      await memory.commit();
      // A checkout that is under way: it holds the index, has put back one file and taken away another.
      fs.writeFileSync(file('.git/index.lock'), '');
      fs.rmSync(file('knowledge/projects/p1.md'));
      fs.writeFileSync(file(page), git(directory, 'show', `HEAD~1:${page}`));
      await memory.edit(page, '# Plan\n', '# Plan\n\nA line of the engine.\n');
      await expect(memory.commit()).rejects.toMatchObject({ code: 'LOCKED' });
      expect(await memory.read(page)).toContain('Friday');
      fs.rmSync(file('.git/index.lock'));
      git(directory, 'checkout', '-q', '--', '.');
      await memory.commit();
      expect(await memory.read(page)).toMatch(/A line of the engine.*Friday/s);
      expect(await isKept(memory, 'knowledge/projects/p1.md')).toBe(true);
      expect((await memory.log({ path: 'knowledge/projects/p1.md' })).commits).toHaveLength(1);
    },
  );
});

describe.runIf(hasGit)('a merge that native git has stopped at', () => {
  /** A branch that says something else of the page, and the page as this branch has it. */
  async function dispute() {
    const { memory, directory, file } = await place();
    const commitBy = (text: string, subject: string) => {
      fs.writeFileSync(file(page), text);
      git(directory, 'commit', '-qam', subject);
    };
    git(directory, 'checkout', '-qb', 'other');
    commitBy('# Plan\n\nWe ship on Thursday.\n', 'theirs');
    git(directory, 'checkout', '-q', 'main');
    commitBy('# Plan\n\nWe ship on Friday.\n', 'ours');
    return { memory, directory, file };
  }

  const starts: Readonly<Record<string, readonly string[]>> = {
    merge: ['merge', 'other'],
    'cherry-pick': ['cherry-pick', 'other'],
    revert: ['revert', 'HEAD~1'],
    rebase: ['rebase', 'other'],
  };

  it.each(['merge', 'cherry-pick', 'rebase'])(
    'is not committed over, and what is written waits for it: %s',
    async (name) => {
      const { memory, directory } = await dispute();
      expect(tryGit(directory, starts[name]!).status).toBe(1);
      const tip = memory.tip;
      const { commit, path: said } = await memory.capture('Ana says the ship is blue.');
      expect(commit).toBe(null);
      await memory.remember({ id: 'blue', content: 'The ship is blue.' });
      await expect(memory.commit()).rejects.toMatchObject({
        code: 'LOCKED',
        what: expect.stringContaining(`a ${name} of native git is not finished`),
      });
      expect(memory.tip).toBe(tip);
      const status = await memory.status();
      expect(status.warnings.join('\n')).toContain('git memory merge resolve');
      expect((await doctor({ dir: directory })).findings.map(({ code }) => code)).toContain('MERGE_UNFINISHED');
      expect(JSON.stringify((await memory.recall('HEAD Thursday ship')).hits)).not.toMatch(/Thursday|<<<<<<</);
      git(directory, name, '--abort');
      expect((await memory.commit()).skipped).toEqual([]);
      expect(await memory.read(page)).toContain('Friday');
      expect(await isKept(memory, said)).toBe(true);
      expect((await memory.get('blue')).content).toBe('The ship is blue.');
      expect(blemishes(directory)).toBe('');
    },
  );

  it('is finished by a person, and then what waits is committed upon it', async () => {
    const { memory, directory } = await dispute();
    tryGit(directory, starts.merge!);
    await memory.remember({ id: 'blue', content: 'The ship is blue.' });
    await memory.git.resolveMerge();
    git(directory, 'commit', '-qm', 'both');
    const merge = git(directory, 'rev-parse', 'HEAD').trim();
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect(git(directory, 'rev-parse', 'HEAD~1').trim()).toBe(merge);
    expect(git(directory, 'rev-list', '--parents', '-1', merge).trim().split(' ')).toHaveLength(3);
    expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  it('of a stash is left aside with its file alone', async () => {
    const { memory, directory, file } = await dispute();
    fs.writeFileSync(file(page), '# Plan\n\nWe ship on Monday.\n');
    git(directory, 'stash', '-q');
    fs.writeFileSync(file(page), '# Plan\n\nWe ship on Sunday.\n');
    git(directory, 'commit', '-qam', 'sooner');
    expect(tryGit(directory, ['stash', 'pop']).status).toBe(1);
    fs.utimesSync(file('.git/index'), new Date(), new Date(Date.now() - 60_000));
    await memory.remember('something else');
    const { commits, skipped } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect(skipped).toMatchObject([{ path: page, why: expect.stringContaining('git memory merge resolve') }]);
    expect(await memory.read(page)).toContain('Sunday');
    expect(git(directory, 'ls-files', '-u', page)).not.toBe('');
  });
});

describe('lines by which git marks a conflict', () => {
  const disputed = '# Plan\n\n<<<<<<< HEAD\nWe ship on Friday.\n=======\nWe ship on Thursday.\n>>>>>>> other\n';

  it('keep a file that was edited by hand out of the memory, until they are taken out or it is named', async () => {
    const { memory, directory, file } = await place();
    fs.writeFileSync(file(page), disputed);
    fs.writeFileSync(file('knowledge/new.md'), disputed.replace('=======', '||||||| base\nWe ship.\n======='));
    if (hasGit) git(directory, 'add', '-A');
    const { commits, skipped } = await memory.commit();
    expect(commits).toEqual([]);
    expect(skipped.map(({ path: name }) => name).sort()).toEqual(['knowledge/new.md', page]);
    expect(skipped[0]!.why).toMatch(/marks a conflict.*git memory commit <path>/);
    expect(await editedIn(memory)).toHaveLength(2);
    expect(JSON.stringify((await memory.recall('ship on Thursday')).hits)).not.toMatch(/Thursday|<<<<<<</);
    expect((await doctor({ dir: directory })).findings.map(({ code }) => code)).toContain('FILE_LEFT_OUT');
    fs.writeFileSync(file(page), '# Plan\n\nWe ship on Thursday.\n');
    await memory.commit();
    expect(await memory.read(page)).toContain('Thursday');
    await memory.commit(undefined, { paths: ['knowledge/new.md'] });
    expect(await memory.read('knowledge/new.md')).toContain('>>>>>>> other');
    // It waits to be mended; what else is done to it meanwhile is no matter of the merge.
    expect(JSON.stringify((await memory.recall('ship on Thursday')).hits)).not.toMatch(/new\.md|<<<<<<</);
    fs.appendFileSync(file('knowledge/new.md'), 'Later.\n');
    expect((await memory.commit()).skipped).toEqual([]);
  });

  it('are no page that the engine writes; in a fence, in what was said, and one alone they are words like others', async () => {
    const { memory, file } = await place();
    await expect(memory.write('knowledge/git.md', disputed)).rejects.toMatchObject({
      code: 'INVALID_RECORD',
      hint: expect.stringContaining('code fence'),
    });
    const example = `# Git\n\nA dispute of two crews looks like this:\n\n\`\`\`text\n${disputed}\`\`\`\n`;
    await memory.write('knowledge/git.md', example);
    await memory.remember('A conflict begins with\n<<<<<<< HEAD\nthen\n=======\nand ends with\n>>>>>>> other');
    await memory.capture(`He pasted:\n${disputed}`);
    fs.writeFileSync(file('knowledge/heading.md'), 'Plan\n=======\n\nWe ship.\n\n<<<<<<< HEAD\n');
    expect((await memory.commit()).skipped).toEqual([]);
    expect(await memory.read('knowledge/git.md')).toBe(example);
    expect(await memory.read('knowledge/heading.md')).toContain('=======');
    expect((await memory.recall('a dispute of two crews')).hits[0]!.path).toBe('knowledge/git.md');
  });
});
