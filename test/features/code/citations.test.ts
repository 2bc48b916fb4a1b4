// Citations beside native git, in a history made at random; and each verdict, and each kind of repository, once by hand.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agrees, isFirst, nativeVerdict, randomCitations } from '../../../scripts/bench/citations.mjs';
import { makeCodeHistory } from '../../../scripts/bench/code-history.mjs';
import { nodeFileSystem } from '../../../src/adapters/node.ts';
import type { Citation } from '../../../src/base/types.ts';
import { openCode } from '../../../src/features/code/index.ts';
import { git, hasGit, tryGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const codeIn = (dir: string) => openCode(nodeFileSystem, dir);

/** Numbered lines, so that each is another. */
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `call(${from + n});\n`);

class Repository {
  readonly dir: string;

  constructor(dir = temporaryFolder()) {
    this.dir = dir;
    git(dir, 'init', '-q', '-b', 'main');
  }

  write(name: string, content: string | readonly string[] | Buffer): void {
    fs.mkdirSync(path.dirname(path.join(this.dir, name)), { recursive: true });
    fs.writeFileSync(
      path.join(this.dir, name),
      typeof content === 'object' && !Buffer.isBuffer(content) ? content.join('') : content,
    );
  }

  commit(files: Readonly<Record<string, string | readonly string[] | Buffer>> = {}): string {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
    git(this.dir, 'add', '-A');
    git(this.dir, 'commit', '-qm', 'Change', '--allow-empty');
    return git(this.dir, 'rev-parse', 'HEAD').trim();
  }
}

/** A file of twenty lines, of which 8 to 12 are cited, and what became of it. */
function afterwards(...versions: readonly (readonly string[])[]) {
  const repository = new Repository();
  repository.commit({ 'a.ts': lines(1, 20) });
  const code = codeIn(repository.dir);
  const cited = code.cite('a.ts', { from: 8, to: 12 })!;
  const commits = versions.map((version) => repository.commit({ 'a.ts': version }));
  return { verdict: code.judge(cited), commits, repository, code, cited };
}

describe.skipIf(!hasGit)('a citation', () => {
  it('is judged as git blame --reverse does, through merges, renames, moves and reverts', () => {
    const corpus = path.resolve('src/base');
    const dir = makeCodeHistory(temporaryFolder(), { corpus, endings: ['.ts'], commits: 70, seed: 5 });
    const code = codeIn(dir);
    const wrong: unknown[] = [];
    const states = new Set<string>();
    let dated = 0;
    for (const { citation, at } of randomCitations(code, dir, { count: 45, ahead: 40 })) {
      const verdict = code.judge(citation, at);
      const native = nativeVerdict(dir, citation, at);
      if (native === null) continue;
      states.add(verdict.state);
      if (!agrees(verdict, native)) wrong.push({ citation, verdict, native });
      else if (native.lost.length > 0) {
        dated += 1;
        if (!isFirst(dir, citation, verdict, native.lost)) wrong.push({ citation, verdict, native });
      }
    }
    expect(wrong).toEqual([]);
    expect(dated).toBeGreaterThan(10);
    expect(states.size).toBeGreaterThan(3);
  });

  it('holds while nothing touches its lines, and moves with what is put before them', () => {
    expect(afterwards([...lines(1, 20), 'end\n']).verdict).toMatchObject({
      state: 'holds',
      lines: { from: 8, to: 12 },
    });
    const { verdict } = afterwards(['begin\n', ...lines(1, 20)]);
    expect(verdict).toMatchObject({ state: 'moved', path: 'a.ts', lines: { from: 9, to: 13 } });
  });

  it('tells what the code says now, and since when', () => {
    const now = [...lines(1, 8), 'now\n', ...lines(10, 20)];
    const { verdict, commits } = afterwards(['first\n', ...lines(1, 20)], ['first\n', ...now], ['second\n', ...now]);
    expect(verdict).toMatchObject({ state: 'changed', lines: { from: 9, to: 13 }, since: commits[1] });
    expect(verdict.now).toBe('call(8);\nnow\ncall(10);\ncall(11);\ncall(12);\n');
  });

  it('has grown when lines were put between its own', () => {
    const { verdict, commits } = afterwards(
      [...lines(1, 9), 'new\n', ...lines(10, 20)],
      ['x\n', ...lines(1, 9), 'new\n', ...lines(10, 20)],
    );
    expect(verdict).toMatchObject({ state: 'grown', lines: { from: 9, to: 14 }, since: commits[0] });
    expect(verdict.now).toContain('call(9);\nnew\ncall(10);\n');
  });

  it('is gone with its lines or its file', () => {
    const { verdict, commits, repository, code, cited } = afterwards([...lines(1, 6), ...lines(14, 20)]);
    expect(verdict).toMatchObject({ state: 'gone', path: 'a.ts', since: commits[0] });
    fs.rmSync(path.join(repository.dir, 'a.ts'));
    repository.commit();
    const removed = code.judge(cited);
    expect(removed).toMatchObject({ state: 'gone', since: commits[0] });
    expect(removed.path).toBeUndefined();
  });

  it('does not hold after its lines were changed and put back', () => {
    const { verdict, commits } = afterwards([...lines(1, 9), ...lines(12, 20)], lines(1, 20));
    expect(verdict).toMatchObject({ state: 'changed', since: commits[0], sameWords: true });
    expect(verdict.now).toBe(lines(8, 12).join(''));
  });

  it('tells where its words stand that were moved as a block', () => {
    const { verdict, commits } = afterwards([
      ...lines(1, 7),
      ...lines(13, 20),
      ...lines(8, 12).map((line) => `  ${line}`),
    ]);
    expect(verdict).toMatchObject({
      state: 'changed',
      since: commits[0],
      sameWords: true,
      lines: { from: 16, to: 20 },
    });
  });

  it('goes with a file that was renamed, and with a folder', () => {
    const repository = new Repository();
    repository.commit({ 'src/a.ts': lines(1, 20) });
    const code = codeIn(repository.dir);
    const cited = code.cite('src/a.ts', { text: 'call(8);\ncall(9);' })!;
    expect(cited.lines).toEqual({ from: 8, to: 9 });
    git(repository.dir, 'mv', 'src', 'lib');
    repository.commit();
    git(repository.dir, 'mv', 'lib/a.ts', 'lib/b.ts');
    repository.commit({ 'lib/b.ts': lines(2, 20) });
    expect(code.judge(cited)).toMatchObject({ state: 'moved', path: 'lib/b.ts', lines: { from: 7, to: 8 } });
  });

  it('that was noted before its text was committed begins at the commit that brings it', () => {
    const repository = new Repository();
    const first = repository.commit({ 'a.ts': lines(1, 20) });
    const code = codeIn(repository.dir);
    repository.write('a.ts', [...lines(1, 9), '  const rate = sessionRate(hours);\n', ...lines(10, 20)]);
    const cited = code.cite('a.ts', { text: 'const rate = sessionRate(hours);' })!;
    expect(cited).toMatchObject({ commit: first, lines: { from: 10, to: 10 } });
    expect(code.judge(cited).state).toBe('unknown');
    // Committed by hand, with another line end and indentation, and changed later.
    repository.commit({
      'a.ts': ['// top\n', ...lines(1, 9), '\tconst rate = sessionRate(hours);\n', ...lines(10, 20)],
    });
    expect(code.judge(cited)).toMatchObject({ state: 'moved', lines: { from: 11, to: 11 } });
    const changed = repository.commit({ 'a.ts': ['// top\n', ...lines(1, 9), 'const rate = 2;\n', ...lines(10, 20)] });
    expect(code.judge(cited)).toMatchObject({ state: 'changed', since: changed, now: 'const rate = 2;\n' });
  });

  it('is found in history by the text of an edit and its time', () => {
    const repository = new Repository();
    repository.commit({ 'a.ts': lines(1, 5) });
    const brought = repository.commit({ 'a.ts': [...lines(1, 5), 'export const limit = 8;\n'] });
    repository.commit({ 'a.ts': [...lines(1, 5), 'export const limit = 2;\n'] });
    const code = codeIn(repository.dir);
    const edit = { text: 'export const limit = 8;', since: '2001-01-01T00:00:00Z' };
    const cited = code.cite('a.ts', edit)!;
    expect(cited).toMatchObject({ commit: brought, lines: { from: 6, to: 6 } });
    expect(code.judge(cited)).toMatchObject({ state: 'changed', now: 'export const limit = 2;\n' });
    expect(code.cite('a.ts', { ...edit, since: '2100-01-01T00:00:00Z' })).toBeNull();
  });

  it('is judged on another branch by the two versions', () => {
    const repository = new Repository();
    repository.commit({ 'a.ts': lines(1, 20) });
    git(repository.dir, 'switch', '-qc', 'topic');
    repository.commit({ 'a.ts': [...lines(1, 20), 'const onTopic = true;\n'] });
    const code = codeIn(repository.dir);
    const [same, other] = [code.cite('a.ts', { from: 8, to: 9 })!, code.cite('a.ts', { from: 21, to: 21 })!];
    git(repository.dir, 'switch', '-q', 'main');
    git(repository.dir, 'mv', 'a.ts', 'b.ts');
    repository.commit({ 'b.ts': ['first\n', ...lines(1, 20)] });
    expect(code.judge(same)).toMatchObject({ state: 'moved', path: 'b.ts', lines: { from: 9, to: 10 } });
    expect(code.judge(other)).toMatchObject({ state: 'gone' });
  });

  it('of a commit that is lost is judged by its words', () => {
    const { repository, cited } = afterwards();
    const lost: Citation = { ...cited, commit: '1'.repeat(40), blob: '2'.repeat(40) };
    const code = codeIn(repository.dir);
    expect(code.judge(lost)).toMatchObject({ state: 'holds', lines: { from: 8, to: 12 } });
    repository.commit({ 'a.ts': ['x\n', ...lines(1, 20)] });
    expect(code.judge(lost)).toMatchObject({ state: 'moved', lines: { from: 9, to: 13 } });
    repository.commit({ 'a.ts': lines(9, 20) });
    expect(code.judge(lost).state).toBe('unknown');
  });
});

describe.skipIf(!hasGit)('code', () => {
  it('is read in a linked work tree, and a submodule is another repository', () => {
    const inner = new Repository();
    inner.commit({ 'lib.ts': lines(1, 5) });
    const repository = new Repository();
    repository.commit({ 'a.ts': lines(1, 5) });
    tryGit(repository.dir, ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.dir, 'sub']);
    repository.commit();
    const tree = path.join(temporaryFolder(), 'tree');
    git(repository.dir, 'worktree', 'add', '-q', '-b', 'side', tree);
    const [main, side] = [codeIn(repository.dir), codeIn(tree)];
    expect([main.branch(), side.branch()]).toEqual(['main', 'side']);
    fs.writeFileSync(path.join(tree, 'a.ts'), lines(1, 6).join(''));
    git(tree, 'commit', '-qam', 'Change');
    expect(side.head()).not.toBe(main.head());
    expect(side.judge(main.cite('a.ts')!)).toMatchObject({ state: 'grown', since: side.head()! });
    expect(side.pathOf(path.join(tree, 'deep/b.ts'))).toBe('deep/b.ts');
    expect(main.pathOf('/elsewhere/b.ts')).toBeNull();
    expect(main.cite('sub')).toBeNull();
    expect(main.cite('sub/lib.ts')).toBeNull();
    expect(codeIn(path.join(repository.dir, 'sub')).cite('lib.ts')).toMatchObject({ path: 'lib.ts' });
  });

  it('is unknown where a shallow clone ends, in SHA-256, and without a repository', () => {
    const { repository, commits, cited } = afterwards(lines(1, 21), lines(1, 22));
    const shallow = path.join(temporaryFolder(), 'shallow');
    git(repository.dir, 'clone', '-q', '--depth', '1', `file://${repository.dir}`, shallow);
    const words = { ...cited, blob: '2'.repeat(40) };
    expect(codeIn(shallow).judge(words)).toMatchObject({ state: 'holds', at: commits[1] });
    expect(codeIn(shallow).judge({ ...words, fingerprint: '0123456789abcdef' })).toMatchObject({ state: 'unknown' });
    const other = temporaryFolder();
    if (tryGit(other, ['init', '-q', '--object-format=sha256']).status === 0) {
      fs.writeFileSync(path.join(other, 'a.ts'), 'x\n');
      expect(codeIn(other).cite('a.ts')).toBeNull();
      expect(codeIn(other).judge(cited)).toEqual({ state: 'unknown', at: null });
    }
    expect(codeIn(temporaryFolder()).judge(cited)).toEqual({ state: 'unknown', at: null });
  });

  it('is compared as a whole where it is no text or very large, and by its lines whatever ends them', () => {
    const repository = new Repository();
    const large = Buffer.alloc(5 << 20, 'a line of a large file\n');
    repository.commit({
      'a.bin': Buffer.from([0, 1]),
      'large.txt': large,
      'crlf.ts': lines(1, 9).join('').replaceAll('\n', '\r\n'),
    });
    const code = codeIn(repository.dir);
    const [binary, big, crlf] = [
      code.cite('a.bin', { from: 1, to: 1 })!,
      code.cite('large.txt', undefined, code.head()!)!,
      code.cite('crlf.ts', { text: 'call(3);\ncall(4);' })!,
    ];
    expect(binary.lines).toBeUndefined();
    expect(crlf.lines).toEqual({ from: 3, to: 4 });
    repository.commit({ 'b.ts': 'x\n' });
    expect([binary, big, crlf].map((one) => code.judge(one).state)).toEqual(['holds', 'holds', 'holds']);
    repository.commit({ 'a.bin': Buffer.from([0, 2]), 'large.txt': 'small\n', 'crlf.ts': lines(1, 9) });
    expect([binary, big, crlf].map((one) => code.judge(one).state)).toEqual(['changed', 'changed', 'changed']);
  });

  it('that is checked out with CRLF is cited as git keeps it', () => {
    const repository = new Repository();
    repository.commit({ 'a.ts': lines(1, 9) });
    const code = codeIn(repository.dir);
    const before = code.cite('a.ts', { from: 2, to: 3 });
    repository.write('a.ts', lines(1, 9).join('').replaceAll('\n', '\r\n'));
    expect(code.cite('a.ts', { text: 'call(2);\r\ncall(3);' })).toEqual(before);
  });

  it('is not cited where it is not there', () => {
    const repository = new Repository();
    expect(codeIn(repository.dir).cite('a.ts')).toBeNull();
    repository.commit({ 'a.ts': lines(1, 9) });
    fs.symlinkSync('a.ts', path.join(repository.dir, 'link.ts'));
    repository.commit();
    const code = codeIn(repository.dir);
    const nothing = [
      code.cite('b.ts'),
      code.cite('link.ts'),
      code.cite('a.ts', { from: 10, to: 12 }),
      code.cite('a.ts', { from: 0, to: 2 }),
      code.cite('a.ts', { text: 'nowhere' }),
      code.cite('a.ts', { from: 1, to: 2 }, 'not an id'),
      code.cite('../a.ts'),
    ];
    expect(nothing).toEqual(nothing.map(() => null));
  });
});
