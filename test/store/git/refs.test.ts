import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { discoverRepository, initRepository, openRepository } from '../../../src/store/git/repository.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const identity = { name: 'Ana', email: 'ana@example.org', time: 1_700_000_000, zone: '+0000' };

async function repositoryWithCommits() {
  const directory = temporaryFolder();
  initRepository(fs, directory, { bare: false, ref: 'refs/heads/main' });
  for (const message of ['one', 'two', 'three']) git(directory, 'commit', '-q', '--allow-empty', '-m', message);
  const oids = git(directory, 'rev-list', 'main').trim().split('\n');
  return { directory, oids, repository: await openRepository(fs, discoverRepository(fs, directory)!) };
}

describe.runIf(hasGit)('a ref', () => {
  it('moves only from what it was expected to hold, and writes the reflog that native git reads', async () => {
    const { directory, oids, repository } = await repositoryWithCommits();
    const [newest, middle] = oids as [string, string];
    const move = (from: string | null, to: string | null) =>
      repository.refs.update({ ref: 'refs/heads/main', from, to, reason: 'a test\nof two lines', identity });
    expect(move(middle, newest)).toBe(false);
    expect(move(newest, middle)).toBe(true);
    expect(git(directory, 'rev-parse', 'main').trim()).toBe(middle);
    expect(git(directory, 'reflog', '-1', '--format=%gs', 'main').trim()).toBe('a test of two lines');
    expect(git(directory, 'reflog', '-1', '--format=%gs', 'HEAD').trim()).toBe('a test of two lines');
    git(directory, 'pack-refs', '--all');
    expect(repository.refs.read('refs/heads/main')).toBe(middle);
    expect(move(newest, middle)).toBe(false);
    expect(move(middle, newest)).toBe(true);
    expect(repository.refs.read('refs/heads/main')).toBe(newest);
  });

  it.each([false, true])('is found where git packs it while it moves on (packed again: %s)', async (isPackedAgain) => {
    const { directory } = await repositoryWithCommits();
    git(directory, 'pack-refs', '--all');
    const moveOn = [
      // Its file was not there; when packed-refs is read, it is, two commits further.
      () => ['four', 'five'].forEach((message) => void git(directory, 'commit', '-q', '--allow-empty', '-m', message)),
      () => isPackedAgain && git(directory, 'pack-refs', '--all'),
    ];
    const openSync = (name: string, ...rest: never[]): number => {
      try {
        return (fs.openSync as (...all: unknown[]) => number)(name, ...rest);
      } finally {
        if (isWatched && /\/(?:logs\/)?refs\/heads\/main$/.test(name)) moveOn.shift()?.();
      }
    };
    let isWatched = false;
    const disk = { ...fs, openSync } as unknown as typeof fs;
    const repository = await openRepository(disk, discoverRepository(disk, directory)!);
    isWatched = true;
    const found = repository.refs.read('refs/heads/main');
    expect(moveOn).toEqual([]);
    expect(found).toBe(git(directory, 'rev-parse', 'main').trim());
  });

  it('without its file, behind where its log says it was, is refused', async () => {
    const { directory, repository } = await repositoryWithCommits();
    fs.rmSync(path.join(directory, '.git/refs/heads/main'));
    expect(() => repository.refs.read('refs/heads/main')).toThrow(expect.objectContaining({ code: 'REF_CORRUPT' }));
  });

  it('is made, listed and removed, packed or not', async () => {
    const { directory, oids, repository } = await repositoryWithCommits();
    const update = (ref: string, from: string | null, to: string | null) =>
      repository.refs.update({ ref, from, to, reason: 'test', identity });
    for (const name of ['a', 'b/c']) expect(update(`refs/tags/memory/${name}`, null, oids[0]!)).toBe(true);
    expect(update('refs/tags/memory/a', null, oids[1]!)).toBe(false);
    git(directory, 'pack-refs', '--all');
    git(directory, 'tag', '-a', '-m', 'annotated', 'memory/z');
    git(directory, 'pack-refs', '--all');
    expect(repository.refs.list('refs/tags/memory/').map(({ ref }) => ref)).toEqual([
      'refs/tags/memory/a',
      'refs/tags/memory/b/c',
      'refs/tags/memory/z',
    ]);
    expect(update('refs/tags/memory/a', oids[0]!, null)).toBe(true);
    expect(git(directory, 'tag').trim().split('\n')).toEqual(['memory/b/c', 'memory/z']);
    expect(repository.objects.peelToCommit(repository.refs.read('refs/tags/memory/z')!)).toBe(oids[0]);
    expect(() => update('refs/tags/memory/b', null, oids[0]!)).toThrow(
      expect.objectContaining({ code: 'INVALID_REF' }),
    );
  });

  it('that is torn is an error, never an unborn branch or an older packed value', async () => {
    const { directory, repository } = await repositoryWithCommits();
    git(directory, 'pack-refs', '--all');
    for (const torn of [
      '',
      '0123',
      'ref: ../../../etc/passwd\n',
      'ref: refs/heads/../../../etc/passwd\n',
      'x'.repeat(40),
    ]) {
      fs.writeFileSync(path.join(directory, '.git/refs/heads/main'), torn);
      expect(() => repository.refs.read('refs/heads/main')).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/REF/) }),
      );
    }
  });

  it("waits for git's lock, and says which file it waits for in vain", async () => {
    const { directory, oids, repository } = await repositoryWithCommits();
    const lock = path.join(directory, '.git/refs/heads/main.lock');
    fs.writeFileSync(lock, '');
    const update = { ref: 'refs/heads/main', from: oids[0]!, to: oids[1]!, reason: 'test', identity };
    expect(() => repository.refs.update(update, 30)).toThrow(expect.objectContaining({ code: 'LOCKED', where: lock }));
    expect(fs.existsSync(lock)).toBe(true);
    fs.rmSync(lock);
    expect(repository.refs.update(update)).toBe(true);
    expect(fs.readdirSync(path.dirname(lock))).toEqual(['main']);
  });
});
