import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit, newRepository, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const ask = (dir: string): Promise<Memory> => openMemory({ dir, readOnly: true, anyRepository: true });

function write(folder: string, path: string | Buffer, content: string | Buffer): void {
  const full = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path)]);
  mkdirSync(dirname(full.toString()), { recursive: true });
  writeFileSync(full, content);
}

function commitAll(folder: string, message: string): void {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', message);
}

const numbered = (count: number, word = 'line') => Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('');

/** Two commits between which everything happens that can happen to a file. */
function repositoryOfChanges(): string {
  const folder = newRepository();
  write(folder, 'plain.txt', numbered(40));
  write(folder, 'no end.txt', 'a\nb');
  write(folder, 'gets an end', 'a\nb');
  write(folder, 'carriage.txt', 'a\r\nb\r\nc\r\n');
  write(folder, 'separators.txt', 'one\u2028two\u2029three\u0085\nfour\u000bfive\u000c\n');
  write(folder, 'empty', '');
  write(folder, 'gets empty', 'full\n');
  write(folder, 'gone.txt', 'bye\n');
  write(folder, 'gone empty', '');
  write(folder, 'mode.sh', 'echo\n');
  write(folder, 'mode and text.sh', 'echo\n');
  write(folder, 'binary', Buffer.from([0, 1, 2, 3, 255, 254]));
  write(folder, 'binary gone', Buffer.concat([Buffer.alloc(3000, 7), Buffer.from([0])]));
  write(folder, 'latin-1.txt', Buffer.from('caf\xe9\nline\n', 'latin1'));
  write(folder, 'late nul', `${'x'.repeat(8000)}\0\n`);
  write(folder, 'dir/größe.txt', 'groß\n');
  write(folder, 'dir/"quoted"\tand\\slashed\n.txt', 'q\n');
  write(folder, Buffer.from('raw-\xff-name', 'latin1'), 'one\n');
  write(folder, Buffer.from('raw-\xfe-name', 'latin1'), 'two\n');
  write(folder, Buffer.from('raw-\xe4/inside', 'latin1').toString('latin1'), 'utf-8\n');
  write(folder, 'becomes a folder', 'file\n');
  write(folder, 'becomes a file/inside', 'file\n');
  write(folder, 'becomes a link', 'text\n');
  symlinkSync('plain.txt', join(folder, 'link'));
  write(folder, 'trailing ', 'x\n');
  commitAll(folder, 'before');

  write(folder, 'plain.txt', numbered(40).replace('line 5\n', 'line five\n').replace('line 30\n', '').concat('end\n'));
  write(folder, 'no end.txt', 'a\nc');
  write(folder, 'gets an end', 'a\nb\n');
  write(folder, 'carriage.txt', 'a\r\nb\nc\r\n');
  write(folder, 'separators.txt', 'one\u2028two\u2029three\u0085\nfour\u000bsix\u000c\n');
  write(folder, 'empty', 'no more\n');
  write(folder, 'gets empty', '');
  rmSync(join(folder, 'gone.txt'));
  rmSync(join(folder, 'gone empty'));
  write(folder, 'new.txt', 'hello\n');
  write(folder, 'new empty', '');
  write(folder, 'new without end', 'hello');
  chmodSync(join(folder, 'mode.sh'), 0o755);
  chmodSync(join(folder, 'mode and text.sh'), 0o755);
  write(folder, 'mode and text.sh', 'echo more\n');
  write(folder, 'binary', Buffer.from([0, 1, 2, 4, 255, 254, 9, 9]));
  rmSync(join(folder, 'binary gone'));
  write(folder, 'binary new', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i) % 251)));
  write(folder, 'latin-1.txt', Buffer.from('caf\xe9\nother\n', 'latin1'));
  write(folder, 'late nul', `${'x'.repeat(8000)}\0!\n`);
  write(folder, 'dir/größe.txt', 'größer\n');
  write(folder, 'dir/"quoted"\tand\\slashed\n.txt', 'quoted\n');
  write(folder, Buffer.from('raw-\xff-name', 'latin1'), 'one more\n');
  rmSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('raw-\xfe-name', 'latin1')]));
  rmSync(join(folder, 'becomes a folder'));
  write(folder, 'becomes a folder/inside', 'file\n');
  rmSync(join(folder, 'becomes a file'), { recursive: true });
  write(folder, 'becomes a file', 'file\n');
  rmSync(join(folder, 'becomes a link'));
  symlinkSync('plain.txt', join(folder, 'becomes a link'));
  rmSync(join(folder, 'link'));
  symlinkSync('new.txt', join(folder, 'link'));
  write(folder, 'trailing ', 'y\n');
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
  commitAll(folder, 'after');
  return folder;
}

/** Applies a patch to a checkout of a commit and gives the tree that comes of it. */
function treeAfterApplying(folder: string, commit: string, patch: string, ...options: string[]): string {
  const index = { GIT_INDEX_FILE: join(temporaryFolder(), 'index') };
  const run = (parameters: string[], input?: string) => {
    const result = tryGit(folder, parameters, input, index);
    if (result.status !== 0) throw new Error(result.stderr);
    return result.stdout.trim();
  };
  run(['read-tree', commit]);
  run(['apply', '--cached', '--whitespace=nowarn', ...options], patch);
  return run(['write-tree']);
}

describe.skipIf(!hasGit)('the patches of a diff', () => {
  const folder = hasGit ? repositoryOfChanges() : '';
  const tree = (revision: string) => git(folder, 'rev-parse', `${revision}^{tree}`).trim();

  test('are those of git for texts', async () => {
    const memory = await ask(folder);
    const { files, from, to } = await memory.diff('HEAD~1..HEAD');
    expect([from, to]).toEqual([git(folder, 'rev-parse', 'HEAD~1').trim(), git(folder, 'rev-parse', 'HEAD').trim()]);
    const native = git(folder, '-c', 'core.quotePath=false', 'diff', '--no-renames', '--abbrev=7', 'HEAD~1', 'HEAD')
      .split(/^(?=diff --git )/m)
      .filter((part) => !/^(?:Binary|GIT binary)|\ufffd|\\3[0-7]{2}/m.test(part));
    const ours = files.flatMap(({ patch }) => patch!.split(/^(?=diff --git )/m));
    for (const part of native) expect(ours).toContain(part);
    expect(native.length).toBeGreaterThan(20);
    await memory.close();
  });

  test('are applied by git, forwards and backwards', async () => {
    const memory = await ask(folder);
    const forward = (await memory.diff('HEAD~1..HEAD')).files.map(({ patch }) => patch).join('');
    expect(treeAfterApplying(folder, 'HEAD~1', forward)).toBe(tree('HEAD'));
    expect(treeAfterApplying(folder, 'HEAD', forward, '-R')).toBe(tree('HEAD~1'));
    const backward = (await memory.diff('HEAD..HEAD~1')).files.map(({ patch }) => patch).join('');
    expect(treeAfterApplying(folder, 'HEAD', backward)).toBe(tree('HEAD~1'));
    const narrow = (await memory.diff('HEAD~1..HEAD', undefined, { context: 0 })).files.map(({ patch }) => patch);
    expect(treeAfterApplying(folder, 'HEAD~1', narrow.join(''), '--unidiff-zero')).toBe(tree('HEAD'));
    await memory.close();
  });

  test('count what git counts', async () => {
    const memory = await ask(folder);
    const native = new Map(
      git(folder, 'diff', '--numstat', '--no-renames', '-z', 'HEAD~1', 'HEAD')
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => line.split('\t') as [string, string, string])
        .map(([added, removed, ...path]) => [path.join('\t'), `${added} ${removed}`]),
    );
    const { files } = await memory.diff('HEAD~1', 'HEAD', { patch: false });
    // Two names are not UTF-8 and look alike here.
    expect([...new Set(files.map(({ path }) => path))].sort()).toEqual([...native.keys()].sort());
    for (const { path, binary, added, removed, patch } of files) {
      expect(patch).toBeUndefined();
      if (path.includes('\ufffd')) continue;
      if (!binary) expect([path, `${added} ${removed}`]).toEqual([path, native.get(path)]);
      else expect(['- -', '1 1']).toContain(native.get(path));
    }
    await memory.close();
  });

  test('are narrowed to a file or folder', async () => {
    const memory = await ask(folder);
    const paths = async (path: string) =>
      (await memory.diff('HEAD~1', 'HEAD', { path })).files.map((file) => `${file.change} ${file.path}`);
    expect(await paths('plain.txt')).toEqual(['modified plain.txt']);
    expect(await paths('dir/')).toEqual(['modified dir/"quoted"\tand\\slashed\n.txt', 'modified dir/größe.txt'].sort());
    expect(await paths('becomes a folder')).toEqual(['removed becomes a folder', 'added becomes a folder/inside']);
    expect(await paths('becomes a file')).toEqual(['added becomes a file', 'removed becomes a file/inside']);
    expect(await paths('no/such')).toEqual([]);
    await memory.close();
  });
});

describe.skipIf(!hasGit)('a diff', () => {
  test('begins with nothing for a day before the first commit', async () => {
    const folder = repositoryOfChanges();
    const memory = await ask(folder);
    const { files, from } = await memory.diff('1999-01-01');
    expect(from).toBeNull();
    expect(files.every(({ change }) => change === 'added')).toBe(true);
    const empty = git(folder, 'hash-object', '-t', 'tree', '-w', '--stdin').trim();
    expect(treeAfterApplying(folder, empty, files.map(({ patch }) => patch).join(''))).toBe(
      git(folder, 'rev-parse', 'HEAD^{tree}').trim(),
    );
    await memory.close();
  });

  test('of three dots shows what one side did since they parted', async () => {
    const folder = newRepository();
    const add = (name: string) => {
      writeFileSync(join(folder, name), `${name}\n`);
      git(folder, 'add', name);
      git(folder, 'commit', '-q', '-m', name);
    };
    add('start.txt');
    git(folder, 'checkout', '-q', '-b', 'side');
    add('side.txt');
    git(folder, 'checkout', '-q', 'main');
    add('main.txt');
    const memory = await ask(folder);
    const names = async (range: string) => (await memory.diff(range)).files.map(({ path }) => path);
    for (const range of ['main...side', 'side...main', 'side...', '...side', 'HEAD...side']) {
      const native = git(folder, 'diff', '--name-only', range).trim().split('\n');
      expect([range, await names(range)]).toEqual([range, native]);
    }
    // Merged into each other: two places where they parted; git takes one of them, too.
    const [main, side] = ['main', 'side'].map((name) => git(folder, 'rev-parse', name).trim());
    git(folder, 'merge', '-q', '--no-ff', '-m', 'one', 'side');
    git(folder, 'checkout', '-q', 'side');
    git(folder, 'merge', '-q', '--no-ff', '-m', 'other', main!);
    add('later.txt');
    expect([main, side]).toContain((await memory.diff('main...side')).from);
    expect(await names('main...side')).toContain('later.txt');
    git(folder, 'checkout', '-q', '--orphan', 'alone');
    git(folder, 'commit', '-q', '-m', 'alone');
    await expect(memory.diff('main...alone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.close();
  });

  test('of an unborn branch is empty', async () => {
    const folder = temporaryFolder();
    git(folder, 'init', '-q');
    const memory = await ask(folder);
    await expect(memory.diff('HEAD')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await memory.diff('..')).toEqual({ from: null, to: null, files: [] });
    await expect(memory.diff('...')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.close();
  });

  test.each([
    ['', 'INVALID_ARGUMENT'],
    ['main....HEAD', 'INVALID_ARGUMENT'],
    ['1999-01-01...main', 'NOT_FOUND'],
    ['nothing..main', 'NOT_FOUND'],
    ['2026-02-31..now', 'INVALID_DATE'],
  ])('refuses %j with %s', async (range, code) => {
    const { memory } = await newTestMemory();
    await expect(memory.diff(range)).rejects.toMatchObject({ code });
    await expect(memory.diff('HEAD', undefined, { context: -1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.diff('HEAD', undefined, { path: '../x' })).rejects.toMatchObject({ code: 'INVALID_PATH' });
  });
});

describe('the diff of a memory', () => {
  test('goes from day to day, whatever the reflog says, and tells fields of memories', async () => {
    const { memory, clock, directory } = await newTestMemory();
    clock.set('2026-02-14T10:00:00Z');
    const { id } = await memory.remember({ content: 'We ship on Tuesday', tags: ['release'] });
    await memory.write('knowledge/people/ada.md', '# Ada\n\n- Lives in Paris\n');
    await memory.commit();
    clock.set('2026-02-15T10:00:00Z');
    await memory.edit('knowledge/people/ada.md', 'Paris', 'Rome');
    await memory.commit();
    clock.set('2026-02-16T09:00:00Z');
    await memory.records.touch(id!);
    await memory.write('knowledge/people/bob.md', '# Bob\n');
    rmSync(join(directory, '.git/logs'), { recursive: true, force: true });
    const paths = async (from: string, to?: string) => (await memory.diff(from, to)).files.map(({ path }) => path);
    expect(await paths('2026-02-14..2026-02-15')).toEqual(['knowledge/people/ada.md']);
    expect(await paths('@{1 day ago}..@{now}')).toEqual(['knowledge/people/ada.md']);
    const today = await memory.diff('yesterday..');
    expect(today.files.map(({ path, pending }) => [path, pending])).toEqual([
      ['knowledge/people/bob.md', true],
      [`memories/${today.files[1]!.path.split('/')[1]}/${id}.json`, true],
    ]);
    expect(today.files[1]!.fields!.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['last_used', 'use_count']),
    );
    expect(today.files[1]!.kind).toBe('memory');
    expect(await paths('yesterday..now')).toEqual(today.files.map(({ path }) => path));
    expect(await paths('yesterday..HEAD')).toEqual([]);
    await memory.commit();
    expect(await paths('yesterday..now')).toEqual(today.files.map(({ path }) => path));
    const view = await memory.at('2026-02-15');
    expect((await view.diff('2026-02-14')).files.map(({ path }) => path)).toEqual(['knowledge/people/ada.md']);
    expect((await memory.diff('2026-02-13')).from).toBeNull();
  });

  test('shows what changed within lines, word by word', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.write('knowledge/people/ada.md', '# Ada\n\n- Lives in Paris\n- Likes tea\n');
    await memory.commit();
    await memory.edit('knowledge/people/ada.md', 'Paris', 'Rome');
    await memory.write('knowledge/people/bob.md', '# Bob');
    await memory.commit();
    const { files } = await memory.diff('HEAD~1', 'HEAD', { words: true });
    expect(files.map(({ patch }) => patch)).toEqual([undefined, undefined]);
    expect(files.map(({ words }) => words).join('')).toBe(git(directory, 'diff', '--word-diff', 'HEAD~1', 'HEAD'));
    expect(files[0]!.words).toContain('- Lives in [-Paris-]{+Rome+}\n');
    const short = await memory.diff('HEAD~1', 'HEAD', { words: true, patch: false });
    expect(short.files.map(({ words, patch }) => [words, patch])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });
});
