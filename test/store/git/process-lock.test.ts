import fs from 'node:fs';
import { posix as path } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Disk } from '../../../src/store/git/disk.ts';
import { ProcessLock } from '../../../src/store/git/process-lock.ts';
import { ProcessGroup } from '../../helpers/failing-fs.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

function lockOf(directory: string, group: ProcessGroup, nonce: string) {
  const { processes, kill } = group.spawn();
  return { lock: new ProcessLock(new Disk(fs, false), directory, processes, nonce), kill };
}

describe('the repository lock', () => {
  it('lets sections that one process asks for at the same time follow one another', async () => {
    const { lock } = lockOf(temporaryFolder(), new ProcessGroup(), 'one');
    const seen: number[] = [];
    await Promise.all([0, 1, 2].map((number) => lock.hold(0, () => seen.push(number))));
    expect(seen).toEqual([0, 1, 2]);
    const failing = lock.hold(0, () => {
      throw new Error('inside');
    });
    await expect(failing).rejects.toThrow('inside');
    expect(await lock.hold(0, () => 'free')).toBe('free');
    lock.dispose();
  });

  it('is held by one at a time and waits until it is free', async () => {
    const directory = temporaryFolder();
    const group = new ProcessGroup();
    const one = lockOf(directory, group, 'one').lock;
    const two = lockOf(directory, group, 'two').lock;
    expect(one.tryAcquire()).toEqual({ takenFrom: null });
    expect(two.tryAcquire()).toBeNull();
    const waiting = two.acquire(5000);
    setTimeout(() => one.release(), 20);
    expect(await waiting).toEqual({ takenFrom: null });
    await expect(one.acquire(30)).rejects.toMatchObject({ code: 'LOCKED', message: expect.stringContaining('doctor') });
    two.dispose();
    one.dispose();
    expect(fs.readdirSync(directory)).toEqual(['locks']);
    expect(fs.readdirSync(path.join(directory, 'locks'))).toEqual([]);
  });

  it('that cannot be read is not waited for, once nobody can be writing it', async () => {
    const directory = temporaryFolder();
    const { lock } = lockOf(directory, new ProcessGroup(), 'one');
    const file = path.join(directory, 'lock');
    fs.writeFileSync(file, 'x');
    expect(lock.tryAcquire()).toBeNull();
    fs.utimesSync(file, 0, 0);
    await expect(lock.acquire(60_000)).rejects.toMatchObject({ code: 'LOCKED', where: file });
    fs.rmSync(file);
    expect(await lock.acquire(0)).toEqual({ takenFrom: null });
    // A lock that somebody else took, after all of it was swept by hand, stays.
    fs.rmSync(file);
    fs.writeFileSync(file, '{"nonce":"two"}');
    lock.release();
    expect(fs.readFileSync(file, 'utf8')).toContain('two');
  });

  it('is not kept by who died while it wrote who it is', () => {
    const directory = temporaryFolder();
    const { lock } = lockOf(directory, new ProcessGroup(), 'one');
    lock.tryAcquire();
    const [old, young] = ['old', 'young'].map((name) => path.join(directory, 'locks', name)) as [string, string];
    for (const file of [old, young]) fs.writeFileSync(file, '{"pid":');
    fs.utimesSync(old, 0, 0);
    lock.sweep();
    expect(fs.readdirSync(path.join(directory, 'locks')).sort()).toEqual(['one', 'young']);
    lock.dispose();
  });

  it('is taken over from the dead by exactly one of many', () => {
    const directory = temporaryFolder();
    const group = new ProcessGroup();
    for (let round = 0; round < 20; round++) {
      const dead = lockOf(directory, group, `dead${round}`);
      expect(dead.lock.tryAcquire()).not.toBeNull();
      dead.kill();
      const candidates = Array.from({ length: 5 }, (_, i) => lockOf(directory, group, `c${round}x${i}`).lock);
      const results = candidates.map((candidate) => candidate.tryAcquire());
      expect(results.filter((result) => result !== null)).toEqual([{ takenFrom: `dead${round}` }]);
      dead.lock.release();
      const holder = candidates[results.findIndex((result) => result !== null)]!;
      expect(candidates.filter((c) => c !== holder).every((c) => c.tryAcquire() === null)).toBe(true);
      holder.release();
    }
  });

  it('is taken over although a process died in the middle of taking it over', () => {
    const directory = temporaryFolder();
    const group = new ProcessGroup();
    const first = lockOf(directory, group, 'first');
    first.lock.tryAcquire();
    first.kill();
    const second = lockOf(directory, group, 'second');
    second.lock.tryAcquire();
    second.lock.release();
    // As if the second had died while it held the right to replace the first.
    fs.writeFileSync(path.join(directory, 'lock'), fs.readFileSync(path.join(directory, 'locks/first')));
    fs.linkSync(path.join(directory, 'locks/second'), path.join(directory, 'lock.first'));
    second.kill();
    const third = lockOf(directory, group, 'third').lock;
    expect(third.tryAcquire()).toEqual({ takenFrom: 'first' });
    expect(fs.readdirSync(directory).sort()).toEqual(['lock', 'locks']);
  });

  it('is left to a holder of whom nothing can be known', () => {
    const directory = temporaryFolder();
    const group = new ProcessGroup();
    const { lock } = lockOf(directory, group, 'here');
    fs.writeFileSync(path.join(directory, 'lock'), '');
    expect(lock.tryAcquire()).toBeNull();
    const elsewhere = { pid: 1, start: '1', boot: 'other', space: 'other', host: 'other', nonce: 'far' };
    fs.writeFileSync(path.join(directory, 'lock'), JSON.stringify(elsewhere));
    const unknown = {
      self: { pid: 2, start: '2', boot: 'b', space: 's', host: 'h' },
      stateOf: () => 'unknown' as const,
    };
    expect(new ProcessLock(new Disk(fs, false), directory, unknown, 'near').tryAcquire()).toBeNull();
  });
});
