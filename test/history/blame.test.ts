// Blame beside native git, in histories made at random, and what only a memory has: values, and what is pending.

import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BlameResult } from '../../src/base/types.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { randomOf } from '../helpers/failing-fs.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { commitAll, git, hasGit, newRepository, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

async function blame(
  directory: string,
  path: string,
  lines?: [number, number],
  revision?: string,
): Promise<BlameResult> {
  const memory = await openMemory({ dir: directory, readOnly: true, anyRepository: true });
  try {
    const view = revision === undefined ? memory : await memory.at(revision);
    return await view.blame(path, lines === undefined ? {} : { lines });
  } finally {
    memory.dispose();
  }
}

/** `commit originalLine originalPath` of each line, as native git says. */
function native(directory: string, path: string, revision = 'HEAD'): string[] {
  const output = git(directory, 'blame', '--line-porcelain', revision, '--', path);
  const found: string[] = [];
  let head = '';
  for (const line of output.split('\n')) {
    const start = /^([0-9a-f]{40}) (\d+) \d+/.exec(line);
    if (start) head = `${start[1]} ${start[2]}`;
    else if (line.startsWith('filename ')) found.push(`${head} ${line.slice(9)}`);
  }
  return found;
}

function shown(result: BlameResult): string[] {
  return result.lines.map(({ commit, originalLine, originalPath }) => `${commit} ${originalLine} ${originalPath}`);
}

/** Edits, renames, and branches that are merged again, also with clocks that went wrong. */
function randomHistory(seed: number, steps: number): string {
  const random = randomOf(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const directory = newRepository();
  git(directory, 'config', 'user.name', 'Person');
  git(directory, 'config', 'user.email', 'person@example.org');
  const line = () => (pick(4) === 0 ? '\n' : `${' '.repeat(2 * pick(3))}word ${pick(30)}\n`);
  const files = new Map([
    ['a.md', Array.from({ length: 30 }, line)],
    ['b.md', Array.from({ length: 10 }, line)],
  ]);
  let branch = 'main';
  let branches = 0;
  for (let step = 0; step < steps; step++) {
    const names = fs.readdirSync(directory).filter((name) => name !== '.git');
    const choice = step === 0 ? 0 : pick(12);
    if (choice === 10 && names.length > 0) {
      git(directory, 'mv', names[pick(names.length)]!, `renamed${step}.md`);
    } else if (choice === 11) {
      if (branch === 'main') {
        branch = `side${branches++}`;
        git(directory, 'checkout', '-q', '-b', branch);
      } else {
        git(directory, 'checkout', '-q', 'main');
        const merge = tryGit(directory, ['merge', '-q', '--no-ff', '-X', 'ours', '-m', `merge ${branch}`, branch]);
        if (merge.status !== 0) {
          git(directory, 'add', '-A');
          git(directory, 'commit', '-q', '--no-edit');
        }
        branch = 'main';
      }
      continue;
    } else {
      const name = step === 0 ? 'a.md' : (names[pick(names.length)] ?? 'a.md');
      const lines =
        step === 0
          ? [...files.values()][0]!
          : fs.readFileSync(`${directory}/${name}`, 'utf8').match(/[^\n]*\n|[^\n]+$/g);
      const next = [...(lines ?? [])];
      for (let edit = 0; edit <= pick(3); edit++) {
        const place = pick(next.length + 1);
        next.splice(place, pick(3), ...Array.from({ length: pick(4) }, line));
      }
      fs.writeFileSync(`${directory}/${name}`, next.join('') + (pick(10) === 0 ? 'no line feed' : ''));
      if (step === 0) fs.writeFileSync(`${directory}/b.md`, files.get('b.md')!.join(''));
    }
    git(directory, 'add', '-A');
    const time = `${1_700_000_000 + step * 60 - (pick(8) === 0 ? 500 : 0)} +0000`;
    git(
      directory,
      '-c',
      `user.name=P${pick(3)}`,
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      `step ${step}`,
      '--date',
      time,
    );
  }
  if (branch !== 'main') git(directory, 'checkout', '-q', 'main');
  return directory;
}

describe.skipIf(!hasGit)('blame', () => {
  it('gives commit, original line and original path of native git, through edits, renames and merges', async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const directory = randomHistory(seed, 40);
      const paths = git(directory, 'ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n');
      expect(paths.length).toBeGreaterThan(0);
      for (const path of paths) {
        const expected = native(directory, path);
        expect({ seed, path, lines: shown(await blame(directory, path)) }).toEqual({ seed, path, lines: expected });
        if (expected.length < 3) continue;
        const part = await blame(directory, path, [2, 3]);
        expect(shown(part)).toEqual(expected.slice(1, 3));
      }
    }
  });

  it('is the same whatever was asked before, and whatever became of what is kept of it', async () => {
    const directory = randomHistory(11, 60);
    const cache = `${directory}/.git/git-memory/cache`;
    const expected = new Map<string, string[]>();
    const revisions = ['HEAD~20', 'HEAD', 'HEAD~9', 'HEAD~3'];
    const ask = async () => {
      for (const revision of revisions) {
        for (const path of git(directory, 'ls-tree', '-r', '--name-only', revision).trim().split('\n')) {
          const key = `${revision}:${path}`;
          if (!expected.has(key)) expected.set(key, native(directory, path, revision));
          const lines = shown(await blame(directory, path, undefined, revision));
          expect({ key, lines }).toEqual({ key, lines: expected.get(key) });
        }
      }
    };
    await ask();
    expect(fs.statSync(`${cache}/blame`).size).toBeGreaterThan(0);
    await ask();
    for (const name of ['blame', 'hunks', 'history']) {
      const whole = fs.readFileSync(`${cache}/${name}`);
      const flipped = Buffer.from(whole);
      flipped[whole.length >> 1]! ^= 4;
      fs.writeFileSync(`${cache}/${name}`, flipped);
      await ask();
      fs.writeFileSync(`${cache}/${name}`, whole.subarray(0, whole.length - 7));
      await ask();
      fs.rmSync(`${cache}/${name}`);
      await ask();
    }
  });

  it('says where a shallow clone ends, and goes no further', async () => {
    const directory = randomHistory(3, 20);
    const clone = `${temporaryFolder()}/clone`;
    git(directory, 'clone', '-q', '--depth', '3', `file://${directory}`, clone);
    const path = git(clone, 'ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n')[0]!;
    const result = await blame(clone, path);
    expect(shown(result)).toEqual(native(clone, path));
    const ends = git(clone, 'rev-list', '--max-parents=0', 'HEAD').trim().split('\n');
    const boundary = result.commits.filter((commit) => commit.boundary).map((commit) => commit.oid);
    expect(boundary.length).toBeGreaterThan(0);
    for (const oid of boundary) expect(ends).toContain(oid);
  });

  it('answers what it cannot know with an error', async () => {
    const directory = newRepository();
    await expect(blame(directory, 'a.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    fs.mkdirSync(`${directory}/folder`);
    fs.writeFileSync(`${directory}/folder/a.md`, 'a\nb\n');
    commitAll(directory, 'one');
    fs.writeFileSync(`${directory}/folder/a.md`, 'a\nc\n');
    git(directory, 'commit', '-qam', 'two');
    await expect(blame(directory, 'folder')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(blame(directory, '../a.md')).rejects.toMatchObject({ code: 'INVALID_PATH' });
    await expect(blame(directory, 'folder/b.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(blame(directory, 'folder/a.md', [3, 3])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(blame(directory, 'folder/a.md', [2, 1])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const first = git(directory, 'rev-parse', 'HEAD~').trim();
    fs.rmSync(`${directory}/.git/objects/${first.slice(0, 2)}/${first.slice(2)}`);
    const { lines, damaged } = (await blame(directory, 'folder/a.md')) as BlameResult & { damaged?: unknown };
    const second = git(directory, 'rev-parse', 'HEAD').trim();
    expect(lines.map(({ commit }) => commit)).toEqual([second, second]);
    expect(damaged).toMatchObject([{ object: first, commit: first }]);
  });
});

describe('blame of a memory', () => {
  it('tells of each value from which commit it is', async () => {
    const { memory, clock } = await newTestMemory();
    const { id, path } = await memory.remember({ content: 'Ada lives in Paris', tags: ['place'] });
    const [made] = (await memory.commit()).commits;
    clock.advance({ days: 1 });
    await memory.records.touch(id!);
    const [touched] = (await memory.commit()).commits;
    const result = await memory.blame(id!);
    expect(result).toMatchObject({ id, path });
    const commitOf = Object.fromEntries(result.fields!.map(({ field, commit }) => [field, commit]));
    expect(commitOf).toMatchObject({
      content: made,
      'meta.tags': made,
      id: made,
      last_used: touched,
      use_count: touched,
    });
    expect(result.commits.map(({ oid }) => oid)).toEqual([touched, made]);
    await memory.records.archive(id!);
    const pending = await memory.blame(id!);
    expect(pending.fields!.find(({ field }) => field === 'status')!.commit).toBeNull();
    expect(pending.fields!.find(({ field }) => field === 'content')!.commit).toBe(made);
  });

  it('tells pending lines from committed ones, and answers from an earlier state', async () => {
    const { memory } = await newTestMemory();
    const path = 'knowledge/people/ada.md';
    await memory.write(path, '# Ada\n\nLives in Paris\n');
    const [first] = (await memory.commit()).commits;
    await memory.write(path, '# Ada\n\nLives in Rome\n');
    const now = await memory.blame(path);
    expect(now.lines.map(({ commit }) => commit)).toEqual([first, first, null]);
    expect(now.lines[2]).toMatchObject({ text: 'Lives in Rome', originalLine: 3 });
    const before = await (await memory.at(first!)).blame(path);
    expect(before.lines.map(({ text, commit }) => [text, commit])).toEqual([
      ['# Ada', first],
      ['', first],
      ['Lives in Paris', first],
    ]);
    await memory.write('knowledge/people/eve.md', 'new\n');
    expect((await memory.blame('knowledge/people/eve.md')).lines[0]!.commit).toBeNull();
  });
});
