import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeFileSystem } from '../../../src/adapters/node.ts';
import { discoverRepository, openRepository, type Repository } from '../../../src/store/git/repository.ts';
import { type RevisionContext, resolveRevision, resolveState } from '../../../src/store/git/revision.ts';
import { git, hasGit, newRepository, tryGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const context: RevisionContext = {
  ref: 'refs/heads/main',
  now: Date.parse('2026-03-01T12:00:00Z'),
  timeZone: 'UTC',
};
const start = Date.parse('2026-02-01T12:00:00Z') / 1000;

/** 600 commits a quarter of an hour apart: so many that some share four digits. Every hundredth is a merge. */
function importCommits(folder: string): void {
  const lines: string[] = [];
  for (let number = 1; number <= 600; number++) {
    const identity = `Person <person@example.org> ${start + number * 900} +0000`;
    lines.push('commit refs/heads/main', `mark :${number}`, `committer ${identity}`);
    lines.push(`data ${Buffer.byteLength(`commit ${number}`)}`, `commit ${number}`);
    if (number > 1) lines.push(`from :${number - 1}`);
    if (number % 100 === 0) lines.push(`merge :${number - 50}`);
    lines.push('M 100644 inline file', `data ${String(number).length}`, String(number), '');
  }
  git(folder, 'init', '-q', '-b', 'main');
  tryGit(folder, ['fast-import', '--quiet'], lines.join('\n'));
  git(folder, 'branch', 'side', 'main~7');
  git(folder, 'branch', 'feature/x', 'main~9');
  git(folder, 'tag', 'light', 'main~3');
  git(folder, 'tag', '-a', '-m', 'annotated', 'v1.0', 'main~20');
  git(folder, 'tag', '-a', '-m', 'a tag of a tag', 'v1.0-signed-off', 'v1.0');
  git(folder, 'tag', 'of-a-tree', 'main^{tree}');
  git(folder, 'tag', 'memory/milestone/move', 'main~30');
  git(folder, 'tag', 'memory/daily/2026-02-03', 'main~31');
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'main~40');
  git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  git(folder, 'update-ref', 'refs/notes/memo', 'main~41');
  git(folder, 'update-ref', 'ORIG_HEAD', 'main~42');
}

async function open(folder: string): Promise<Repository> {
  return openRepository(nodeFileSystem, discoverRepository(nodeFileSystem, folder)!);
}

describe.skipIf(!hasGit)('resolveRevision', () => {
  let folder: string;
  let repository: Repository;
  beforeAll(async () => {
    folder = temporaryFolder();
    importCommits(folder);
    repository = await open(folder);
  });
  const resolve = (revision: string) => resolveRevision(repository, revision, context);
  const native = (revision: string) => git(folder, 'rev-parse', '--verify', `${revision}^{commit}`).trim();
  const code = (revision: string) => {
    try {
      return resolve(revision);
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };

  test.each([
    ...['HEAD', '@', 'main', 'heads/main', 'refs/heads/main', 'side', 'feature/x', 'notes/memo', 'ORIG_HEAD'],
    ...['light', 'v1.0', 'tags/v1.0', 'v1.0-signed-off', 'v1.0-signed-off^{}', 'v1.0^{commit}', 'v1.0^0', 'v1.0~0'],
    ...['origin/main', 'origin', 'remotes/origin/main', 'memory/milestone/move'],
    ...['HEAD~3', 'HEAD~', 'HEAD^', 'main^^', '@~2^', 'v1.0~5', 'v1.0-signed-off^^~2', 'HEAD^2', 'HEAD^2~3', 'HEAD^1'],
    ...['main~100^2^', 'HEAD^0', 'main~599'],
  ])('finds %s as git does', (revision) => {
    expect(resolve(revision)).toBe(native(revision));
  });

  test('finds what git describe says', () => {
    const name = git(folder, 'describe', 'main~5').trim();
    expect(name).toMatch(/^v1\.0.*-g/);
    expect(resolve(name)).toBe(native(name));
  });

  test('finds ids and their beginnings, in capitals too', () => {
    const oid = native('main~50');
    for (const name of [oid, oid.toUpperCase(), oid.slice(0, 12), oid.slice(0, 12).toUpperCase()]) {
      expect(resolve(name)).toBe(oid);
    }
    expect(resolve(`${oid.slice(0, 12)}~2`)).toBe(native('main~52'));
  });

  test('refuses a beginning that fits several commits, and names them', () => {
    const oids = git(folder, 'rev-list', 'main').trim().split('\n');
    const groups = groupBy(oids);
    const twins = [...groups.values()].filter((group) => group.length > 1);
    expect(twins.length).toBeGreaterThan(0);
    for (const group of twins) {
      try {
        resolve(group[0]!.slice(0, 4));
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: 'AMBIGUOUS' });
        for (const oid of group) expect(String(error)).toContain(oid.slice(0, 12));
      }
    }
  });

  test('takes a beginning that fits one commit and other objects for the commit, as git does', () => {
    const all = git(folder, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)')
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]);
    const groups = new Map<string, [string, string][]>();
    for (const entry of all) groups.set(entry[0].slice(0, 4), [...(groups.get(entry[0].slice(0, 4)) ?? []), entry]);
    // An annotated tag, whose name changes with the time of the test, stands for a commit too.
    const mixed = [...groups.values()].filter(
      (group) =>
        group.length > 1 &&
        group.filter(([, type]) => type === 'commit').length === 1 &&
        group.every(([, type]) => type !== 'tag'),
    );
    expect(mixed.length).toBeGreaterThan(0);
    for (const group of mixed.slice(0, 10)) {
      const prefix = group[0]![0].slice(0, 4);
      expect(resolve(prefix)).toBe(group.find(([, type]) => type === 'commit')![0]);
    }
  });

  test('knows snapshots without their first words', () => {
    expect(resolve('move')).toBe(native('main~30'));
    expect(resolve('daily/2026-02-03')).toBe(native('main~31'));
  });

  test('knows days and moments, whatever the reflog says', () => {
    const before = (time: string) => git(folder, 'rev-list', '-1', '--first-parent', `--before=${time}`, 'main').trim();
    expect(resolve('2026-02-03')).toBe(before('2026-02-03T23:59:59Z'));
    expect(resolve('2026-02-03~2')).toBe(native(`${before('2026-02-03T23:59:59Z')}~2`));
    expect(resolve('2026-02-02T13:10:00Z')).toBe(before('2026-02-02T13:10:00Z'));
    expect(resolve('@{2026-02-03}')).toBe(resolve('2026-02-03'));
    expect(resolve('main@{26 days ago}')).toBe(before('2026-02-03T12:00:00Z'));
    expect(resolve('26.days.ago')).toBe(before('2026-02-03T12:00:00Z'));
    expect(resolve('HEAD@{yesterday}')).toBe(native('main'));
    expect(resolve('side@{yesterday}')).toBe(native('side'));
    expect(resolve('@{yesterday}~3')).toBe(native('main~3'));
  });

  test('knows a day in the zone of the memory', () => {
    const inTokyo = resolveRevision(repository, '2026-02-03', { ...context, timeZone: 'Asia/Tokyo' });
    expect(inTokyo).toBe(git(folder, 'rev-list', '-1', '--before=2026-02-03T14:59:59Z', 'main').trim());
  });

  test('gives nothing for a day before the first commit', () => {
    expect(resolveState(repository, '2026-01-31', context)).toBeNull();
    expect(resolveState(repository, '@{10 years ago}~3', context)).toBeNull();
    expect(code('2026-01-31')).toBe('NOT_FOUND');
  });

  test('reads moves and checkouts from the reflog', async () => {
    const moved = newRepository();
    for (const name of ['a', 'b', 'c']) git(moved, 'commit', '-q', '--allow-empty', '-m', name);
    git(moved, 'checkout', '-q', '-b', 'other', 'main~1');
    git(moved, 'commit', '-q', '--allow-empty', '-m', 'd');
    git(moved, 'checkout', '-q', 'main');
    git(moved, 'reset', '-q', '--hard', 'HEAD~2');
    const there = await open(moved);
    for (const revision of [
      '@{0}',
      'main@{1}',
      'main@{2}',
      'main@{3}',
      '@{1}',
      'HEAD@{1}',
      'HEAD@{3}',
      '@{-1}',
      '@{-1}~1',
    ]) {
      expect([revision, resolveRevision(there, revision, context)]).toEqual([
        revision,
        git(moved, 'rev-parse', '--verify', revision).trim(),
      ]);
    }
    appendFileSync(join(moved, '.git/logs/refs/heads/main'), '1234 torn');
    expect(resolveRevision(there, 'main@{1}', context)).toBe(git(moved, 'rev-parse', 'main@{1}').trim());
    expect(() => resolveRevision(there, 'main@{9}', context)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    rmSync(join(moved, '.git/logs'), { recursive: true });
    expect(() => resolveRevision(there, '@{1}', context)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    expect(resolveRevision(there, '@{now}', { ...context, now: Date.now() })).toBe(
      git(moved, 'rev-parse', 'main').trim(),
    );
  });

  test('refuses a name that is a tag and a branch of different commits, as git warns of it', () => {
    git(folder, 'tag', 'twin', 'main~1');
    git(folder, 'branch', 'twin', 'main~2');
    expect(code('twin')).toBe('AMBIGUOUS');
    expect(resolve('tags/twin')).toBe(native('main~1'));
    expect(resolve('refs/heads/twin')).toBe(native('main~2'));
  });

  test.each([
    ['', 'INVALID_ARGUMENT'],
    ['no-such-thing', 'NOT_FOUND'],
    ['main~600', 'NOT_FOUND'],
    ['main^3', 'NOT_FOUND'],
    ['HEAD~1^2', 'NOT_FOUND'],
    ['0'.repeat(40), 'NOT_FOUND'],
    ['f'.repeat(40), 'NOT_FOUND'],
    ['of-a-tree', 'INVALID_REF'],
    ['main^{tree}', 'INVALID_REF'],
    ['main@{u}', 'INVALID_REF'],
    ['main@{some week}', 'INVALID_DATE'],
    ['no-such@{yesterday}', 'NOT_FOUND'],
    ['2026-02-31', 'INVALID_DATE'],
    ['../../etc/passwd', 'NOT_FOUND'],
    ['main..side', 'NOT_FOUND'],
    ['main~99999999999999999999', 'NOT_FOUND'],
    ['\0', 'NOT_FOUND'],
    ['main\n', 'NOT_FOUND'],
    ['FETCH_HEAD', 'NOT_FOUND'],
  ])('refuses %j with %s', (revision, expected) => {
    expect(code(revision)).toBe(expected);
  });

  test('refuses what is very long as fast', () => {
    for (const revision of ['x'.repeat(100_000), `main${'^'.repeat(100_000)}`, `main@{${'1 '.repeat(50_000)}}`]) {
      expect(code(revision)).toBe('NOT_FOUND');
    }
  });

  test('says so on a branch without commits', async () => {
    const empty = newRepository();
    const there = await open(empty);
    for (const revision of ['HEAD', '@~2', 'yesterday', '@{1 week ago}', '2026-02-01']) {
      expect(() => resolveRevision(there, revision, context)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    }
  });

  test('says where a shallow repository ends, and never gives a wrong commit', async () => {
    const shallow = temporaryFolder();
    git(shallow, 'clone', '-q', '--depth', '3', `file://${folder}`, 'clone');
    const there = await open(join(shallow, 'clone'));
    expect(resolveRevision(there, 'HEAD~2', context)).toBe(native('main~2'));
    for (const revision of ['HEAD~3', 'HEAD~2^', '2026-02-03', '@{25 days ago}']) {
      expect(() => resolveRevision(there, revision, context)).toThrow(
        expect.objectContaining({ code: 'OBJECT_MISSING' }),
      );
    }
  });

  test('names a commit that is missing', async () => {
    const broken = newRepository();
    for (const name of ['a', 'b']) git(broken, 'commit', '-q', '--allow-empty', '-m', name);
    const lost = git(broken, 'rev-parse', 'main~1').trim();
    rmSync(join(broken, '.git/objects', lost.slice(0, 2), lost.slice(2)));
    const there = await open(broken);
    expect(() => resolveRevision(there, 'main~2', context)).toThrow(
      expect.objectContaining({ code: 'OBJECT_MISSING', where: lost }),
    );
    writeFileSync(join(broken, '.git/refs/heads/torn'), 'not an id\n');
    expect(() => resolveRevision(there, 'torn', context)).toThrow(expect.objectContaining({ code: 'REF_CORRUPT' }));
  });
});

function groupBy(oids: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const oid of oids) groups.set(oid.slice(0, 4), [...(groups.get(oid.slice(0, 4)) ?? []), oid]);
  return groups;
}
