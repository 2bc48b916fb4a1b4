// Remotes that went elsewhere: refused, kept, and followed on request. Milestones, and machines that push by themselves.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { bareRepository } from '../../helpers/git-server.ts';
import { newTestMemory, writeConfiguration } from '../../helpers/memories.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { tracesOf } from '../../helpers/traces.ts';

/** Two of one name that begin in the same second begin with the same commit. */
const open = (name = 'memory'): Promise<Memory> =>
  openMemory({ dir: temporaryFolder(), create: true, durability: 'fast', configuration: { name } });
const remote = () => bareRepository(path.join(temporaryFolder(), 'x.git'));
const refs = (memory: Memory) =>
  git(memory.directory, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/git-memory/rescue');

describe.skipIf(!hasGit)('a remote', () => {
  test('that was rewound is refused; adopting it keeps what is only here', async () => {
    const bare = remote();
    const a = await open();
    const before = (await a.sync({ remote: bare })).commit!;
    await a.write('knowledge/reference/lost.md', '# Lost\n');
    const last = (await a.sync()).commit!;
    git(bare, 'update-ref', 'refs/heads/main', before);
    await a.write('knowledge/reference/mine.md', '# Mine\n');
    await a.commit();
    const ours = a.tip;
    await expect(a.sync()).rejects.toMatchObject({ code: 'REMOTE_REFUSED', what: expect.stringContaining('rewound') });
    expect(a.tip).toBe(ours);
    expect(refs(a)).toBe(`refs/git-memory/rescue/origin/main/${last.slice(0, 12)} ${last}\n`);
    const subject = 'memory: knowledge/reference/lost.md added';
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    const refused = await a.sync({ adopt: true }).catch((error) => error);
    expect(refused).toMatchObject({
      code: 'REMOTE_REFUSED',
      what: expect.stringContaining(
        `1 commit of this memory would leave, which the remote has given up: ${last.slice(0, 12)}`,
      ),
      hint: expect.stringMatching(/Nothing was done.*--leaving replay.*--leaving drop/),
    });
    expect(refused.toJSON().error.data.left).toEqual({ count: 1, commits: [{ commit: last, day, subject }] });
    expect([a.tip, git(bare, 'rev-parse', 'main').trim()]).toEqual([ours, before]);
    const planned = await a.sync({ adopt: true, dryRun: true });
    expect(planned.left).toMatchObject({ count: 1, commits: [{ commit: last }] });
    const adopted = await a.sync({ adopt: true, leaving: 'drop' });
    expect(adopted.left).toMatchObject({ count: 1, commits: [{ commit: last }], rescued: adopted.rescued });
    expect(adopted).toMatchObject({
      state: 'synced',
      rescued: `refs/git-memory/rescue/origin/main/${ours!.slice(0, 12)}`,
      carried: [{ from: ours, commit: a.tip, subject: 'memory: knowledge/reference/mine.md added', filtered: [] }],
    });
    expect(git(a.directory, 'rev-parse', adopted.rescued!).trim()).toBe(ours);
    expect(git(a.directory, 'log', '-1', '--format=%b', 'main')).toContain('mine.md added');
    expect(await a.files('knowledge/')).toEqual(['knowledge/reference/mine.md']);
    expect(git(bare, 'rev-parse', 'main').trim()).toBe(a.tip);
    expect(git(a.directory, 'status', '--porcelain')).toBe('');
    expect(await a.sync()).toMatchObject({ fetched: 0, pushed: 0 });
    expect(await a.merge(adopted.left!.rescued!)).toMatchObject({ conflicts: [] });
    expect(await a.files('knowledge/')).toEqual(['knowledge/reference/lost.md', 'knowledge/reference/mine.md']);
    await a.sync();
    expect(git(bare, 'rev-parse', 'main').trim()).toBe(a.tip);
    expect(fsck(a.directory)).toBe('');
    await a.close();
  });

  test('that was rewound gets what it has given up again, where it is replayed', async () => {
    const bare = remote();
    const a = await open();
    const before = (await a.sync({ remote: bare })).commit!;
    await a.write('knowledge/reference/lost.md', '# Lost\n');
    await a.sync();
    git(bare, 'update-ref', 'refs/heads/main', before);
    await expect(a.sync({ leaving: 'replay' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', where: 'leaving' });
    const adopted = await a.sync({ adopt: true, leaving: 'replay' });
    expect(adopted.left).toBeUndefined();
    expect(adopted.carried).toMatchObject([{ subject: 'memory: knowledge/reference/lost.md added' }]);
    expect(git(bare, 'ls-tree', '-r', '--name-only', 'main')).toContain('knowledge/reference/lost.md');
    expect(git(bare, 'rev-parse', 'main~1').trim()).toBe(before);
    await a.close();
  });

  test.each(['drop', 'replay'] as const)('that holds another memory now is followed with %s', async (leaving) => {
    const bare = remote();
    const [a, b] = [await open('a'), await open('b')];
    await a.write('knowledge/reference/a.md', '# A\n');
    await b.write('knowledge/reference/b.md', '# B\n');
    await b.commit();
    await a.sync({ remote: bare });
    git(b.directory, 'push', '--quiet', '--force', bare, 'main');
    await expect(a.sync({ adopt: true })).rejects.toMatchObject({ what: expect.stringContaining('2 commits') });
    const { left, rescued } = await a.sync({ adopt: true, leaving });
    const both = ['knowledge/reference/a.md', 'knowledge/reference/b.md'];
    if (leaving === 'drop') {
      expect(left).toMatchObject({ count: 2, rescued });
      expect(await a.files('knowledge/')).toEqual([both[1]]);
      expect(await a.merge(rescued!, { dryRun: true })).not.toHaveProperty('refused');
      await a.merge(rescued!);
    }
    expect(await a.files('knowledge/')).toEqual(both);
    expect(await a.sync()).toMatchObject({ state: 'synced' });
    expect(fsck(a.directory)).toBe('');
    for (const memory of [a, b]) await memory.close();
  });

  test('that was rewound and purged elsewhere brings nothing of that back, also where all is replayed', async () => {
    const bare = remote();
    const [a, b] = [await open(), await open()];
    await a.write('knowledge/reference/word.md', '# The word is xyzzy\n');
    const before = (await a.sync({ remote: bare })).commit!;
    await a.write('knowledge/reference/later.md', '# Later\n');
    await a.sync();
    await b.sync({ remote: bare });
    git(bare, 'update-ref', 'refs/heads/main', before);
    const other = await openMemory({ dir: temporaryFolder(), create: true, durability: 'fast' });
    await other.sync({ remote: bare });
    await other.purge({ path: 'knowledge/reference/word.md' });
    git(other.directory, 'push', '--quiet', '--force', 'origin', 'main');
    const { left } = await b.sync({ adopt: true, leaving: 'replay' });
    expect(left).toBeUndefined();
    expect(await b.files('knowledge/')).toEqual(['knowledge/reference/later.md']);
    expect(tracesOf(b.directory, ['xyzzy'])).toEqual([]);
    expect(git(bare, 'log', '--oneline', '-S', 'xyzzy', 'main')).toBe('');
    for (const memory of [a, b, other]) await memory.close();
  });

  test('that holds another memory is refused, and so is one whose branch is gone', async () => {
    const bare = remote();
    const [a, b] = [await open('a'), await open('b')];
    await a.write('knowledge/reference/a.md', '# A\n');
    await b.write('knowledge/reference/b.md', '# B\n');
    await a.sync({ remote: bare });
    await expect(b.sync({ remote: bare })).rejects.toMatchObject({
      what: expect.stringContaining('no commit in common'),
    });
    const own = b.tip!;
    expect(await b.sync({ adopt: true })).toMatchObject({
      state: 'synced',
      pushed: 3,
      rescued: `refs/git-memory/rescue/origin/main/${own.slice(0, 12)}`,
    });
    expect(git(b.directory, 'rev-parse', 'refs/git-memory/rescue/origin/main/'.concat(own.slice(0, 12))).trim()).toBe(
      own,
    );
    expect(await b.files('knowledge/')).toEqual(['knowledge/reference/a.md', 'knowledge/reference/b.md']);
    // Nothing was taken away there, so both histories are kept whole.
    expect(git(bare, 'log', '--format=%H', 'main')).toContain(own);
    git(bare, 'update-ref', '-d', 'refs/heads/main');
    await expect(b.sync()).rejects.toMatchObject({ code: 'REMOTE_REFUSED', what: expect.stringContaining('lost') });
    await a.close();
    await b.close();
  });

  test('that says it was purged, and has no receipt of it, is one like any other', async () => {
    const bare = remote();
    const [a, b] = [await open(), await open()];
    await a.write('knowledge/reference/a.md', '# A\n');
    await a.sync({ remote: bare });
    await b.sync({ remote: bare });
    await b.write('knowledge/reference/b.md', '# B\n');
    const meta = JSON.parse(git(a.directory, 'show', 'main:.meta.json'));
    writeFileSync(path.join(a.directory, '.meta.json'), JSON.stringify({ ...meta, epoch: 999 }));
    git(a.directory, 'commit', '--quiet', '-a', '-m', 'an epoch that nobody began');
    await a.sync();
    expect(await b.sync()).toMatchObject({ state: 'synced', conflicts: [] });
    expect(await b.files('knowledge/')).toEqual(['knowledge/reference/a.md', 'knowledge/reference/b.md']);
    await a.close();
    await b.close();
  });
});

describe.skipIf(!hasGit)('what every other machine would refuse', () => {
  const decomposed = 'knowledge/cafe\u0301.md';
  const make = {
    'a link': ['docs/link.md', '120000', 'has a symbolic link or submodule'],
    'a name that Windows reserves': ['docs/CON.md', '100644', 'has a segment that Windows reserves'],
    'a name that is not composed': [decomposed, '100644', 'has a name that is not composed'],
  } as const;

  test.each(Object.entries(make))('is not sent: %s', async (_, [file, mode, why]) => {
    const bare = remote();
    const [a, b] = [await open(), await open()];
    await a.sync({ remote: bare });
    await b.sync({ remote: bare });
    const before = git(bare, 'rev-parse', 'main');
    const bring = (name: string, as: string) => {
      const blob = git(a.directory, 'hash-object', '-w', '.meta.json').trim();
      git(a.directory, 'update-index', '--add', '--cacheinfo', `${as},${blob},${name}`);
    };
    bring(file, mode);
    git(a.directory, 'commit', '--quiet', '-m', 'by native git');
    const commit = git(a.directory, 'rev-parse', '--short=12', 'HEAD').trim();
    await a.remember('Ada drinks tea');
    await expect(a.sync()).rejects.toMatchObject({
      code: 'INVALID_PATH',
      where: commit,
      what: expect.stringContaining(why),
      hint: 'Nothing was sent. Rename or remove the file with git, then `git commit --amend`',
    });
    expect(git(bare, 'rev-parse', 'main')).toBe(before);
    // Before anything of ours comes upon it: the last commit can be made anew.
    expect(git(a.directory, 'rev-parse', '--short=12', 'HEAD').trim()).toBe(commit);
    git(a.directory, 'rm', '--quiet', '--cached', '--', file);
    bring('docs/plain.md', '100644');
    git(a.directory, 'commit', '--quiet', '--amend', '-m', 'by native git');
    git(a.directory, 'checkout', '--quiet', '--', 'docs');
    expect(await a.sync()).toMatchObject({ state: 'synced', pushed: 2 });
    expect(await b.sync()).toMatchObject({ state: 'synced', fetched: 2 });
    expect((await b.list()).memories).toMatchObject([{ content: 'Ada drinks tea' }]);
    await a.close();
    await b.close();
  });

  test('is not sent to an empty remote, and the commit is named wherever it stands', async () => {
    const a = await open();
    const blob = git(a.directory, 'hash-object', '-w', '.meta.json').trim();
    git(a.directory, 'update-index', '--add', '--cacheinfo', `120000,${blob},docs/link.md`);
    git(a.directory, 'commit', '--quiet', '-m', 'a link');
    git(a.directory, 'rm', '--quiet', '--cached', 'docs/link.md');
    git(a.directory, 'commit', '--quiet', '-m', 'no link');
    const [commit, parent] = ['HEAD~1', 'HEAD~2'].map((name) =>
      git(a.directory, 'rev-parse', '--short=12', name).trim(),
    );
    await expect(a.sync({ remote: remote() })).rejects.toMatchObject({
      code: 'INVALID_PATH',
      where: commit,
      hint: `Nothing was sent. Rename or remove the file in that commit: \`git rebase -i ${parent}\``,
    });
    await a.close();
  });

  test('is left aside where a person made it', async () => {
    const a = await open();
    mkdirSync(path.join(a.directory, 'knowledge'), { recursive: true });
    writeFileSync(path.join(a.directory, decomposed), '# x\n');
    await a.remember('Ada drinks tea');
    const { skipped } = await a.commit();
    expect(skipped).toEqual([{ path: decomposed, why: expect.stringContaining('rename it') }]);
    await a.sync({ remote: remote() });
    await a.close();
  });
});

test.skipIf(!hasGit)(
  'an epoch that no receipt proves locks nobody out, is told of, and goes with the next commit',
  async () => {
    const bare = remote();
    const [a, b] = [await open(), await open()];
    await a.write('knowledge/reference/a.md', '# A\n');
    await a.sync({ remote: bare });
    await b.sync({ remote: bare });
    const other = temporaryFolder();
    git('/', 'clone', '--quiet', bare, other);
    const meta = JSON.parse(git(other, 'show', 'main:.meta.json'));
    writeFileSync(path.join(other, '.meta.json'), JSON.stringify({ ...meta, epoch: 999 }));
    git(other, 'commit', '--quiet', '-am', 'forged\n\nOperation: write');
    git(other, 'push', '--quiet', 'origin', 'main');
    await a.write('knowledge/reference/b.md', '# B\n');
    expect(await a.sync()).toMatchObject({ state: 'synced' });
    expect(await b.sync()).toMatchObject({ state: 'synced' });
    expect((await b.status()).warnings).toEqual([expect.stringMatching(/^\.meta\.json: .*epoch.*receipts/)]);
    expect((await doctor({ dir: b.directory })).findings).toContainEqual(
      expect.objectContaining({ code: 'KEPT_FILE', where: '.meta.json' }),
    );
    await b.capture('A note.');
    expect(JSON.parse((await b.read('.meta.json'))!).epoch).toBeUndefined();
    expect((await b.status()).warnings).toEqual([]);
    await b.sync();
    await a.sync();
    expect(JSON.parse((await a.read('.meta.json'))!).epoch).toBeUndefined();
    for (const memory of [a, b]) await memory.close();
  },
);

describe.skipIf(!hasGit)('milestones', () => {
  test('travel, keep where they are, and get the name of the machine where theirs is taken', async () => {
    const bare = remote();
    const [a, b] = [await open(), await open()];
    await a.capture('A note.');
    await a.snapshots.create('daily');
    await a.snapshots.create('before/x');
    await a.snapshots.create('release');
    expect((await a.sync({ remote: bare })).tags).toEqual({ fetched: [], pushed: ['memory/milestone/release'] });
    expect((await b.sync({ remote: bare })).tags).toEqual({ fetched: ['memory/milestone/release'], pushed: [] });
    await a.capture('Another.');
    await b.capture('A third.');
    await a.snapshots.create('second');
    await b.snapshots.create('second');
    await a.sync();
    const { tags } = await b.sync();
    expect(tags.fetched).toEqual(['memory/milestone/second-origin']);
    expect(tags.pushed).toEqual([expect.stringMatching(/^memory\/milestone\/second-./)]);
    expect((await a.sync()).tags).toEqual({ fetched: tags.pushed, pushed: [] });
    for (const memory of [a, b, a]) expect((await memory.sync()).tags).toEqual({ fetched: [], pushed: [] });
    expect(
      git(bare, 'tag')
        .split('\n')
        .filter((name) => !name.includes('milestone')),
    ).toEqual(['']);
    await a.close();
    await b.close();
  });

  test('with auto_push and no remote nothing is tried, and status says so', async () => {
    const lines: string[] = [];
    const { memory } = await newTestMemory({ logger: { warn: (line) => lines.push(line) } });
    await writeConfiguration(memory, 'version: 1\nauto_push: true\n');
    await memory.commit();
    expect((await memory.status()).warnings).toEqual([expect.stringContaining('auto_push has no remote')]);
    await memory.close();
    expect(lines).toEqual([]);
  });

  test('with auto_push a memory is pushed behind its commits', async () => {
    const bare = remote();
    const a = await open();
    await a.sync({ remote: bare });
    await writeConfiguration(a, 'version: 1\nauto_push: true\n');
    await a.commit();
    await a.capture('A note.');
    await a.close();
    const again = await openMemory({ dir: a.directory, readOnly: true });
    expect(git(bare, 'rev-parse', 'main').trim()).toBe(again.tip);
    await again.close();
  });
});
