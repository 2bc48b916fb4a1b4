import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LearnedResult } from '../../src/base/types.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { commitAll, git, hasGit, newRepository, tryGit } from '../helpers/native-git.ts';
import { random as randomNumbers } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const ask = (dir: string): Promise<Memory> => openMemory({ dir, readOnly: true, anyRepository: true });

const words = ['tea', 'coffee', 'ship', 'wait', 'größe', 'aa', 'aaaa', 'a.b', 'we decided', 'x\u2028y', '\r', '--flag'];

/** A history with branches and merges, files that are edited, renamed, copied, emptied, binary, links and submodules. */
function randomHistory(seed: number, count: number): string {
  const folder = newRepository();
  const random = randomNumbers(seed);
  const line = () =>
    Array.from({ length: 1 + random(5) }, () => words[random(words.length)]).join([' ', '', 'a'][random(3)]);
  const files = new Map<string, string[]>([['start.txt', [line(), line()]]]);
  const stream: string[] = [];
  const put = (text: string) => stream.push(`data ${Buffer.byteLength(text)}\n${text}\n`);
  const write = (path: string, lines: readonly string[]) => {
    stream.push(`M 100644 inline ${path}\n`);
    put(lines.join('\n') + (random(4) === 0 ? '' : '\n'));
  };
  for (let number = 1; number <= count; number++) {
    stream.push(
      `commit refs/heads/main\nmark :${number}\ncommitter P <p@example.org> ${1_700_000_000 + number * 60} +0000\n`,
    );
    put(`commit ${number}`);
    if (number > 1) stream.push(`from :${number - 1}\n`);
    if (number > 10 && number % 9 === 0) stream.push(`merge :${number - 2 - random(7)}\n`);
    // Some commits change so many files that each has a filter of its own.
    const changes = number % 15 === 5 ? 14 : random(4);
    for (let change = 0; change <= changes; change++) {
      const paths = [...files.keys()];
      const path = paths[random(paths.length)] ?? 'start.txt';
      const lines = files.get(path) ?? [];
      const kind = random(12);
      if (kind === 0 && paths.length > 2) {
        stream.push(`D ${path}\n`);
        files.delete(path);
      } else if (kind === 1 && paths.length > 1) {
        const renamed = `${['dir/', ''][random(2)]}file ${number}-${change}.txt`;
        stream.push(`R ${path} ${renamed}\n`.replace(`R ${path} ${renamed}`, `R "${path}" "${renamed}"`));
        files.delete(path);
        files.set(renamed, lines);
        if (random(2) === 0) {
          lines.push(line());
          write(renamed, lines);
        }
      } else if (kind === 2) {
        const added = Array.from({ length: random(9) }, line);
        files.set(`dir/new-${number}-${change}.txt`, added);
        write(`dir/new-${number}-${change}.txt`, added);
      } else if (kind === 3) {
        stream.push('M 100644 inline blob.bin\n');
        put(`\0${line()}\n${line()}`);
      } else if (kind === 4) {
        stream.push('M 120000 inline link\n');
        put(line());
      } else if (kind === 5) stream.push(`M 160000 ${String(number % 10).repeat(40)} module\n`);
      else {
        for (let edit = 0; edit <= random(3); edit++) {
          const place = random(lines.length + 1);
          if (random(3) === 0) lines.splice(place, 1 + random(3));
          else if (random(2) === 0) lines.splice(place, 0, line());
          else lines.splice(random(lines.length + 1), 0, ...lines.splice(place, 2));
        }
        files.set(path, lines);
        write(path, lines);
      }
    }
    stream.push('\n');
  }
  const { status, stderr } = tryGit(folder, ['fast-import', '--quiet'], stream.join(''));
  if (status !== 0) throw new Error(stderr);
  return folder;
}

function native(folder: string, ...options: string[]): string[] {
  return git(folder, 'log', '--format=%H', ...options)
    .split('\n')
    .filter((line) => line !== '');
}

async function ours(memory: Memory, what: string | RegExp, options: Parameters<Memory['learned']>[1] = {}) {
  const { commits } = await memory.learned(what, { limit: 10_000, ...options });
  return [...new Set(commits.map(({ oid }) => oid))];
}

describe.skipIf(!hasGit).each([1, 2])('learned, in random history %i', (seed) => {
  const folder = hasGit ? randomHistory(seed, 80) : '';

  test('finds the commits of git log -S, without filters and with them', async () => {
    const needles = [...words, 'tea coffee', 'e', 'aaa', 'Subproject', '3333333', 'no such text', 'tea\ncoffee', '\n'];
    for (let round = 0; round < 2; round++) {
      const memory = await ask(folder);
      for (const needle of needles) {
        expect([needle, await ours(memory, needle)]).toEqual([needle, native(folder, `-S${needle}`, 'main')]);
        expect([needle, await ours(memory, needle, { path: 'dir' })]).toEqual([
          needle,
          native(folder, `-S${needle}`, 'main', '--', 'dir'),
        ]);
      }
      await memory.close();
    }
  });

  test('finds the commits of git log -G', async () => {
    const memory = await ask(folder);
    const patterns = [
      'tea',
      'we decided',
      '^tea',
      'coffee$',
      't[ea]+ ?c',
      '(ship|wait)',
      'decided.*ship',
      'gr..?e',
      'x{2}',
      'aaaaa*',
    ];
    for (const pattern of patterns) {
      expect([pattern, await ours(memory, new RegExp(pattern, 'u'))]).toEqual([
        pattern,
        native(folder, `-G${pattern}`, 'main'),
      ]);
    }
    expect(await ours(memory, /TEA/i)).toEqual(native(folder, '-i', '-GTEA', 'main'));
    expect(await ours(memory, /ship/, { path: 'start.txt' })).toEqual(
      native(folder, '-Gship', 'main', '--', 'start.txt'),
    );
    await memory.close();
  });

  test('counts what stands in the versions', async () => {
    const memory = await ask(folder);
    const { commits } = await memory.learned('tea', { limit: 10_000 });
    const countIn = (revision: string) => tryGit(folder, ['show', revision]).stdout.split('tea').length - 1;
    for (const { oid, path, renamedFrom, before, after } of commits.filter((_, index) => index % 7 === 0)) {
      const { status } = tryGit(folder, ['cat-file', '-e', `${oid}:${path}`]);
      expect([oid, path, after]).toEqual([oid, path, status === 0 ? countIn(`${oid}:${path}`) : 0]);
      const older = `${oid}^:${renamedFrom ?? path}`;
      const wasThere = tryGit(folder, ['cat-file', '-e', older]).status === 0;
      expect([oid, path, before]).toEqual([oid, path, wasThere ? countIn(older) : 0]);
    }
    await memory.close();
  });
});

describe('learned, in a memory', () => {
  test('tells when a text came and went, by what operation, in pages', async () => {
    const { memory, clock } = await newTestMemory();
    clock.set('2026-02-10T10:00:00Z');
    await memory.write('knowledge/plan.md', '# Plan\n\nWe ship on Tuesday.\n');
    await memory.commit();
    clock.set('2026-02-12T10:00:00Z');
    await memory.edit('knowledge/plan.md', 'Tuesday', 'Friday');
    await memory.commit();
    clock.set('2026-02-14T10:00:00Z');
    await memory.edit('knowledge/plan.md', 'Friday', 'Tuesday, Tuesday');
    await memory.commit();
    const { commits, next } = await memory.learned('Tuesday');
    expect(commits.map(({ time, path, before, after }) => [time, path, before, after])).toEqual([
      ['2026-02-14T10:00:00Z', 'knowledge/plan.md', 0, 2],
      ['2026-02-12T10:00:00Z', 'knowledge/plan.md', 1, 0],
      ['2026-02-10T10:00:00Z', 'knowledge/plan.md', 0, 1],
    ]);
    expect(commits[0]!.operation).toBe('edit');
    expect(next).toBeUndefined();
    const pages: string[] = [];
    let after: string | undefined;
    do {
      const page = await memory.learned('Tuesday', { limit: 1, ...(after === undefined ? {} : { after }) });
      pages.push(...page.commits.map(({ oid }) => oid));
      after = page.next;
    } while (after !== undefined);
    expect(pages).toEqual(commits.map(({ oid }) => oid));
    expect((await memory.learned('Tuesday', { since: '2026-02-11', until: '2026-02-12' })).commits).toHaveLength(1);
    expect((await (await memory.at('2026-02-13')).learned('Tuesday')).commits).toHaveLength(2);
  });

  test.each([
    ['', {}, 'INVALID_ARGUMENT'],
    [/(?=x)/, {}, 'INVALID_ARGUMENT'],
    [/(a)\1/, {}, 'INVALID_ARGUMENT'],
    ['x', { limit: 0 }, 'INVALID_ARGUMENT'],
    ['x', { since: 'some day' }, 'INVALID_DATE'],
    ['x', { after: '0'.repeat(40) }, 'NOT_FOUND'],
    ['x', { path: '../x' }, 'INVALID_PATH'],
  ])('refuses %j with %j', async (what, options, code) => {
    const { memory } = await newTestMemory();
    await expect(memory.learned(what, options)).rejects.toMatchObject({ code });
  });
});

describe.skipIf(!hasGit)('the text filters', () => {
  test('say of commits with many files which ones to read', async () => {
    const folder = newRepository();
    const stream = ['commit refs/heads/main\ncommitter P <p@example.org> 1700000000 +0000\ndata 0\n'];
    for (let number = 0; number < 200; number++) {
      const text = `note ${number}: ${number % 100 === 7 ? 'marrowfat' : 'peas'}\n`;
      stream.push(`M 100644 inline notes/${number}.md\ndata ${text.length}\n${text}\n`);
    }
    // As loose files, so that some can be taken away.
    const loose = ['-c', 'fastimport.unpackLimit=1000', 'fast-import', '--quiet'];
    expect(tryGit(folder, loose, stream.join('')).status).toBe(0);
    const memory = await ask(folder);
    expect((await memory.learned('marrowfat')).commits.map(({ path }) => path)).toEqual(['notes/107.md', 'notes/7.md']);
    await memory.close();
    // What is not to be read may as well be missing.
    for (const line of git(folder, 'ls-tree', 'main:notes').trim().split('\n')) {
      const [, oid, number] = /blob (\w+)\t(\d+)/.exec(line)!;
      if (Number(number) % 100 !== 7 && Number(number) % 3 !== 0) {
        rmSync(join(folder, '.git/objects', oid!.slice(0, 2), oid!.slice(2)));
      }
    }
    const later = await ask(folder);
    expect((await later.learned('marrowfat')).commits).toHaveLength(2);
    const { commits, damaged } = (await later.learned('peas')) as LearnedResult & { damaged?: unknown[] };
    const lost = Array.from({ length: 200 }, (_, number) => number).filter((n) => n % 100 !== 7 && n % 3 !== 0).length;
    expect([commits.length, damaged?.length]).toEqual([198 - lost, lost]);
    await later.close();
  });

  test('are not kept for where a history is cut off, since it may be made whole', async () => {
    const folder = newRepository();
    for (const text of ['marrowfat peas\n', 'peas\n', 'peas and beans\n']) {
      writeFileSync(join(folder, 'a.md'), text);
      commitAll(folder, text, 'a.md');
    }
    const clone = join(temporaryFolder(), 'clone');
    git(folder, 'clone', '-q', '--depth', '2', `file://${folder}`, clone);
    const found = async () => {
      const memory = await ask(clone);
      const oids = await ours(memory, 'marrowfat');
      await memory.close();
      return oids;
    };
    expect(await found()).toEqual([]);
    git(clone, 'fetch', '-q', '--unshallow');
    expect(await found()).toEqual(native(clone, '-Smarrowfat'));
    git(clone, 'fetch', '-q', '--depth', '1');
    expect(await found()).toEqual(native(clone, '-Smarrowfat'));
    const memory = await ask(clone);
    expect(await ours(memory, 'peas')).toEqual(native(clone, '-Speas'));
    await memory.close();
  });

  test('grow with the history, and a shallow history says where it ends', async () => {
    const folder = randomHistory(4, 30);
    const memory = await ask(folder);
    await ours(memory, 'coffee');
    writeFileSync(join(folder, 'later.txt'), 'later: coffee\n');
    git(folder, 'reset', '-q');
    commitAll(folder, 'later', 'later.txt');
    expect(await ours(memory, 'coffee')).toEqual(native(folder, '-Scoffee', 'main'));
    await memory.close();
    const clones = temporaryFolder();
    git(clones, 'clone', '-q', '--depth', '2', `file://${folder}`, 'shallow');
    const shallow = await ask(join(clones, 'shallow'));
    const { commits } = await shallow.learned('coffee');
    expect(commits.at(-1)).toMatchObject({ boundary: true });
    expect([...new Set(commits.map(({ oid }) => oid))]).toEqual(native(join(clones, 'shallow'), '-Scoffee'));
    await shallow.close();
  });
});
