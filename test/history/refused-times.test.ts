// Times that git does not take. Commits are dated as near as git can, records keep the true day, and what has such commits is repaired.

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { formatCommit, formatSignature } from '../../src/store/git/commit-object.ts';
import { emptyTreeOid, newObject } from '../../src/store/git/object-codec.ts';
import { bareRepository } from '../helpers/git-server.ts';
import { countingIds, ManualClock, newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { buildProgram, runHere } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const lastSecond = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** A remote that looks at each object as strictly as git can. */
function strictRemote(): string {
  const bare = bareRepository(path.join(temporaryFolder(), 'bare.git'));
  git(bare, 'config', 'transfer.fsckObjects', 'true');
  return bare;
}

const datesOf = (folder: string, ref = 'HEAD') =>
  git(folder, 'log', '--reverse', '--format=%at %ct', ref).trim().split('\n');

describe('a signature', () => {
  it.each([
    [-247_068_000, 0],
    [-1, 0],
    [0, 0],
    [lastSecond, lastSecond],
    [lastSecond + 1, lastSecond],
    [Number.MAX_SAFE_INTEGER, lastSecond],
  ])('of %d is dated %d', (time, written) => {
    const signature = { name: 'Ada', email: 'ada@example.org', time, zone: '+0000' };
    expect(formatSignature(signature)).toBe(`Ada <ada@example.org> ${written} +0000`);
  });
});

describe.skipIf(!hasGit)('a memory of 1962', () => {
  it('is whole for git and for a strict remote, and its records keep their day', async () => {
    const clock = new ManualClock('1962-03-04T10:00:00Z');
    const { memory, directory } = await newTestMemory({ clock });
    const { path: conversation } = await memory.capture('We met at the harbour, and I live in Lisbon now.');
    clock.advance({ minutes: 5 });
    await memory.remember('Ada drinks tea.');
    await memory.ledger.add({ content: 'The harbour was opened.', type: 'fact' });
    await memory.write('knowledge/reference/harbour.md', '# Harbour\n\nIt has two piers.\n');
    await memory.commit();
    clock.advance({ days: 40 });
    await memory.extract();
    await memory.records.consolidate();
    await memory.capture('Ada has moved to Porto.');
    await memory.undo(memory.tip!);
    expect((await memory.snapshots.create('daily')).tag).toBe('memory/daily/1962-04-13');
    expect(new Set(datesOf(directory))).toEqual(new Set(['0 0']));
    expect(conversation).toMatch(/^raw\/conversations\/1962\/03\/04\//);
    expect(await memory.read(conversation)).toContain('started: 1962-03-04T10:00:00Z');
    expect((await memory.list()).memories.map(({ createdAt }) => createdAt)).toContain(
      Date.parse('1962-03-04T10:05:00Z') / 1000,
    );
    expect((await memory.recall('harbour', { until: '1962-03-05' })).hits[0]?.time).toMatch(/^1962-03-04T/);
    expect((await memory.ledger.list()).events[0]?.ts).toMatch(/^1962-03-04T/);
    expect(fsck(directory)).toBe('');
    const bare = strictRemote();
    expect((await memory.sync({ remote: bare })).state).toBe('synced');
    expect(fsck(bare)).toBe('');
    expect((await doctor({ dir: directory, clock })).findings.map(({ code }) => code)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:TIME|CLOCK)_/)]),
    );
  });

  it('says of a day before 1970 that no commit is dated so', async () => {
    const { memory } = await newTestMemory({ clock: new ManualClock('1962-03-04T10:00:00Z') });
    await memory.capture('We met at the harbour.');
    await expect(memory.at('1965-01-01')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('from 1970 on'),
    });
    expect((await memory.at('1970-01-01')).commit).toBe(memory.tip);
  });

  it('goes on in the present, and dates that as it is', async () => {
    const clock = new ManualClock('1962-03-04T10:00:00Z');
    const { memory, directory } = await newTestMemory({ clock });
    await memory.capture('We met at the harbour.');
    clock.set('2026-02-16T09:00:00Z');
    await memory.capture('We met again.');
    expect(datesOf(directory).at(-1)).toBe('1771232400 1771232400');
    expect((await memory.at('2026-02-15')).commit).not.toBe(memory.tip);
  });
});

describe.skipIf(!hasGit)('a clock beyond the year 9999', () => {
  it('dates commits as of its last second, and is refused where a record would have to say it', async () => {
    const { memory, directory, clock } = await newTestMemory();
    await memory.write('knowledge/reference/harbour.md', '# Harbour\n');
    await memory.commit();
    clock.set('+012000-03-04T10:00:00Z');
    await expect(memory.capture('We met at the harbour.')).rejects.toMatchObject({ code: 'INVALID_DATE' });
    await expect(memory.remember('Ada drinks tea.')).rejects.toMatchObject({ code: 'INVALID_DATE' });
    await memory.write('knowledge/reference/harbour.md', '# Harbour\n\nIt has two piers.\n');
    await memory.commit();
    expect(datesOf(directory).at(-1)).toBe(`${lastSecond} ${lastSecond}`);
    expect((await memory.sync({ remote: strictRemote() })).state).toBe('synced');
    expect(fsck(directory)).toBe('');
  });
});

describe.skipIf(!hasGit)('init --from-histories of 1962', () => {
  beforeAll(buildProgram);
  it('dates what is older than 1970 as of its first second, and finds it by its own day', async () => {
    const folder = temporaryFolder();
    fs.writeFileSync(
      path.join(folder, 'old.txt'),
      '[1962-11-03 10:00] Ana: My copper kettle whistles.\n[1962-11-03 10:01] Ben: Nice.\n',
    );
    fs.writeFileSync(
      path.join(folder, 'new.txt'),
      '[2024-11-03 10:00] Ana: I sold it.\n[2024-11-03 10:01] Ben: Good.\n',
    );
    const dir = temporaryFolder();
    const made = await runHere(dir, ['init', '--from-histories', folder, '--json']);
    expect(JSON.parse(made.stdout)).toMatchObject({ conversations: 2, warnings: [] });
    expect(datesOf(dir).slice(0, 2)).toEqual(['0 0', '0 0']);
    expect(fsck(dir)).toBe('');
    expect((await runHere(dir, ['sync', strictRemote()])).status).toBe(0);
    const { stdout } = await runHere(dir, ['recall', 'kettle', '--until', '1965-01-01', '--json']);
    expect(JSON.parse(stdout).hits[0].path).toMatch(/^raw\/conversations\/1962\/11\/03\//);
  });
});

describe.skipIf(!hasGit)('an object that git would call corrupt', () => {
  it('is refused before anything of its write is on the disk', async () => {
    const { memory, directory } = await newTestMemory();
    const { objects } = memory.store.repository;
    const person = { name: 'Ada', email: 'ada@example.org', time: 0, zone: '+0000' };
    const commit = { tree: emptyTreeOid, parents: [], author: person, committer: person, message: 'one\n' };
    const whole = formatCommit(commit).toString();
    const blob = newObject('blob', Buffer.from('beside it'));
    for (const bad of [
      newObject('commit', Buffer.from(whole.replaceAll(' 0 +0000', ' -5 +0000'))),
      newObject('commit', Buffer.from(whole.replaceAll(' 0 +0000', ' 9223372036854775808 +0000'))),
      newObject('commit', Buffer.from(whole.replaceAll(' +0000', ' UTC'))),
      newObject('commit', Buffer.from(whole.replace('<ada', '<<ada'))),
      newObject('tree', Buffer.concat([Buffer.from('100644 a\0'), Buffer.alloc(20)])),
      newObject('tag', Buffer.from(`object ${memory.tip}\ntype commit\ntagger Ada <a@example.org> 0 +0000\n\none\n`)),
    ]) {
      expect(() => objects.write([blob, bad])).toThrow(
        expect.objectContaining({ code: 'OBJECT_CORRUPT', where: bad.oid }),
      );
      expect(objects.has(blob.oid)).toBe(false);
    }
    objects.write([newObject('commit', Buffer.from(whole))])();
    expect(fsck(directory)).toBe('');
  });
});

/** Makes a commit on top of `HEAD` as older versions did it, with one more file. */
function commitAt(folder: string, time: string, name: string): string {
  const blob = tryGit(folder, ['hash-object', '-w', '--stdin'], `# ${name}\n\nOtters like ${name}.\n`).stdout.trim();
  git(folder, 'update-index', '--add', '--cacheinfo', `100644,${blob},knowledge/reference/${name}.md`);
  const [tree, parent] = [git(folder, 'write-tree').trim(), git(folder, 'rev-parse', 'HEAD').trim()];
  const text = `tree ${tree}\nparent ${parent}\nauthor P <p@example.org> ${time} +0000\ncommitter P <p@example.org> ${time} +0000\n\n${name} after ${parent}\n`;
  const oid = tryGit(folder, ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], text).stdout.trim();
  git(folder, 'update-ref', 'HEAD', oid);
  git(folder, 'reset', '-q', '--hard');
  return oid;
}

/** A memory in step with a strict remote, upon which two bad commits and a good one came. */
async function badMemory(): Promise<{ memory: Memory; directory: string; bare: string; bad: readonly string[] }> {
  const bare = strictRemote();
  const { memory, directory, clock } = await newTestMemory();
  await memory.write('knowledge/reference/plain.md', '# Plain\n\nOtters like fish.\n');
  await memory.commit();
  await memory.sync({ remote: bare });
  const bad = [commitAt(directory, '-247068000', 'crabs'), commitAt(directory, '9223372036854775808', 'clams')];
  const tag = `object ${bad[0]}\ntype commit\ntag older\ntagger P <p@example.org> -5 +0000\n\nolder\n`;
  const older = tryGit(directory, ['hash-object', '-t', 'tag', '-w', '--stdin', '--literally'], tag).stdout.trim();
  git(directory, 'update-ref', 'refs/tags/memory/milestone/old', bad[0]!);
  git(directory, 'update-ref', 'refs/tags/memory/milestone/older', older);
  git(directory, 'update-ref', 'refs/heads/memory/beside', bad[1]!);
  // Nothing but a log leads to it.
  commitAt(directory, '-5', 'lost');
  git(directory, 'reset', '-q', '--hard', 'HEAD~1');
  clock.advance({ minutes: 5 });
  await memory.remember('Otters sleep in the afternoon.');
  await memory.commit();
  return { memory, directory, bare, bad };
}

describe.skipIf(!hasGit)('a memory with commits of times that git does not take', () => {
  beforeAll(buildProgram);
  it('is repaired by the command that sync and doctor name', async () => {
    const { memory, directory, bare, bad } = await badMemory();
    const kept = git(directory, 'rev-parse', `${bad[0]}~1`).trim();
    const files = git(directory, 'ls-tree', '-r', 'HEAD');
    const refusal = { code: 'INVALID_DATE', hint: expect.stringContaining('`git memory purge --times --dry-run`') };
    await expect(memory.sync()).rejects.toMatchObject(refusal);
    const found = (await doctor({ dir: directory })).findings.filter(({ code }) => code === 'TIME_REFUSED');
    expect(found).toMatchObject([{ severity: 'error', fix: expect.stringContaining('--times') }]);
    expect(found[0]!.what).toContain('2 commits have times');
    const [before, tip] = [git(directory, 'for-each-ref'), memory.tip];
    const shown = await memory.purge({ times: true }, { dryRun: true });
    expect(git(directory, 'for-each-ref')).toBe(before);
    const done = await memory.purge({ times: true });
    expect(shown).toMatchObject({ commits: done.commits, objects: done.objects, files: [], messages: 0 });
    expect(done.refs.map(({ ref }) => ref)).toEqual(
      expect.arrayContaining([
        'refs/heads/main',
        'refs/heads/memory/beside',
        'refs/tags/memory/milestone/old',
        'refs/tags/memory/milestone/older',
      ]),
    );
    expect(fsck(directory)).toBe('');
    expect(git(directory, 'rev-parse', 'memory/milestone/old~1').trim()).toBe(kept);
    expect(git(directory, 'rev-parse', 'memory/milestone/older^{}')).toBe(
      git(directory, 'rev-parse', 'memory/milestone/old'),
    );
    expect(datesOf(directory, 'memory/beside~1').slice(-2)).toEqual(['0 0', `${lastSecond} ${lastSecond}`]);
    // Messages name the commits by their new ids.
    expect(git(directory, 'log', '-1', '--format=%s', 'memory/beside~1').trim()).toBe(
      `clams after ${git(directory, 'rev-parse', 'memory/milestone/old').trim()}`,
    );
    expect(git(directory, 'diff', '--name-only', 'memory/beside', 'main').split('\n')).toEqual(
      expect.not.arrayContaining(['knowledge/reference/crabs.md', 'knowledge/reference/plain.md']),
    );
    for (const line of files
      .trim()
      .split('\n')
      .filter((one) => !one.includes('.meta.json')))
      expect(git(directory, 'ls-tree', '-r', 'HEAD')).toContain(line);
    await expect(memory.at(tip!)).rejects.toMatchObject({ code: 'PURGED' });
    await expect(memory.purge({ times: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await doctor({ dir: directory })).findings.filter(({ code }) => code === 'TIME_REFUSED')).toEqual([]);
    expect((await memory.sync()).state).toBe('synced');
    expect(fsck(bare)).toBe('');
  });

  it('needs nothing of a machine that never had them, and the same ids of one that has', async () => {
    const { memory, directory, bare } = await badMemory();
    const [beside, copy] = [temporaryFolder(), temporaryFolder()];
    const other = await openMemory({ dir: beside, create: true, durability: 'fast', ids: countingIds('other') });
    await other.sync({ remote: bare });
    await other.remember('Otters float on their backs.');
    await other.commit();
    fs.cpSync(directory, copy, { recursive: true });
    await memory.purge({ times: true });
    const repaired = memory.tip!;
    await memory.sync();
    expect((await other.sync()).state).toBe('synced');
    expect(git(beside, 'merge-base', '--is-ancestor', repaired, 'HEAD')).toBe('');
    const late = await openMemory({ dir: copy, ids: countingIds('late') });
    await late.remember('Otters have pockets.');
    await late.commit();
    await expect(late.sync()).rejects.toMatchObject({ code: 'INVALID_DATE' });
    await late.purge({ times: true });
    expect((await late.sync()).state).toBe('synced');
    expect(fsck(copy)).toBe('');
    expect(git(copy, 'merge-base', '--is-ancestor', repaired, 'HEAD')).toBe('');
    expect((await late.list()).memories.map(({ content }) => content)).toContain('Otters have pockets.');
    for (const one of [memory, other, late]) await one.close();
  });

  it('is shown and repaired on the command line', async () => {
    const { memory, directory } = await badMemory();
    await memory.close();
    const refused = await runHere(directory, ['purge', '--times']);
    expect(refused.stderr).toContain('--yes');
    const shown = await runHere(directory, ['purge', '--times', '--dry-run']);
    expect(shown.stdout).toMatch(/would purge {2}4 commits rewritten[\s\S]*refs\/heads\/main/);
    expect((await runHere(directory, ['purge', '--times', '--yes'])).status).toBe(0);
    expect(fsck(directory)).toBe('');
    const again = await runHere(directory, ['purge', '--times', '--yes']);
    expect(again.stderr).toContain('all commits here have times that git takes');
  });
});
