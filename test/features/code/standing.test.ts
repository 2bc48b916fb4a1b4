// Where a commit stands, in branches that came to every end that a branch can come to; native git makes them.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src/adapters/node.ts';
import { type Code, openCode } from '../../../src/features/code/index.ts';
import type { BranchNote } from '../../../src/store/records/branch-notes.ts';
import { commitAll, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const file = 'tax.ts';

class Branches {
  readonly dir = temporaryFolder();
  /** The first and the last commit of each branch. */
  readonly made = new Map<string, readonly [string, string]>();

  constructor() {
    git(this.dir, 'init', '-q', '-b', 'main');
    this.write((_, line) => `line ${line}`);
    this.commit('Begin');
  }

  write(lineOf: (text: string, line: number) => string): void {
    const place = path.join(this.dir, file);
    const before = fs.existsSync(place) ? fs.readFileSync(place, 'utf8').trimEnd().split('\n') : Array(80).fill('');
    fs.writeFileSync(place, `${before.map(lineOf).join('\n')}\n`);
  }

  change(...lines: number[]): void {
    this.write((text, line) => (lines.includes(line) ? `${text} changed` : text));
  }

  commit(subject: string): string {
    commitAll(this.dir, subject);
    return git(this.dir, 'rev-parse', 'HEAD').trim();
  }

  /** A branch of two commits; main is checked out again. */
  branch(name: string, line: number): void {
    git(this.dir, 'switch', '-qc', name, 'main');
    const commits = [line, line + 3].map((at) => {
      this.change(at);
      return this.commit(`Change line ${at}`);
    });
    this.made.set(name, [commits[0]!, commits[1]!]);
    git(this.dir, 'switch', '-q', 'main');
  }

  code(notes: readonly BranchNote[] = []): Code {
    return openCode(nodeFileSystem, this.dir, { notes: () => notes });
  }

  standings(code = this.code()): Record<string, string> {
    const told = [...this.made].map(([name, commits]) => {
      const all = new Set(commits.map((commit) => code.standing(commit, name)));
      return [name, [...all].join(' ')];
    });
    return Object.fromEntries(told);
  }
}

describe.skipIf(!hasGit)('work on a branch', () => {
  const fates = {
    merged: 'here',
    rebased: 'landed',
    picked: 'landed',
    squashed: 'landed',
    open: 'elsewhere',
    dropped: 'lost',
  };

  function allFates(): { readonly branches: Branches; readonly notes: BranchNote[] } {
    const branches = new Branches();
    for (const [place, name] of Object.keys(fates).entries()) branches.branch(name, 8 + 12 * place);
    const notes = Object.keys(fates).map((name) => branches.code().noteOf(name)!);
    endAll(branches);
    return { branches, notes };
  }

  function endAll(branches: Branches): void {
    const run = (...args: string[]) => git(branches.dir, ...args);
    branches.change(1);
    branches.commit('Change the first line');
    run('merge', '-q', '--no-ff', '-m', 'Merge', 'merged');
    run('switch', '-q', 'rebased');
    run('rebase', '-q', 'main');
    run('switch', '-q', 'main');
    run('merge', '-q', '--ff-only', 'rebased');
    run('cherry-pick', 'main..picked');
    run('merge', '-q', '--squash', 'squashed');
    branches.commit('All of squashed');
    for (const name of ['merged', 'rebased', 'picked', 'squashed', 'dropped']) run('branch', '-qD', name);
  }

  it('is here, landed, elsewhere or lost by what became of the branch', () => {
    const { branches, notes } = allFates();
    expect(branches.standings()).toEqual(fates);
    fs.rmSync(path.join(branches.dir, '.git/logs'), { recursive: true });
    // Of a squashed branch that is gone, its last commit alone tells what all of it did, unless that was noted.
    expect(branches.standings()).toEqual({ ...fates, squashed: 'lost landed' });
    expect(branches.standings(branches.code(notes))).toEqual(fates);
  });

  it.each(['with', 'without'])('is judged by the commit that takes it in, %s the log of HEAD', (log) => {
    const branches = new Branches();
    const base = git(branches.dir, 'rev-parse', 'HEAD').trim();
    const before = Date.now() - 5000;
    for (const [place, name] of Object.keys(fates).entries()) branches.branch(name, 8 + 12 * place);
    branches.made.set('idle', [base, base]);
    git(branches.dir, 'branch', 'idle');
    const code = () => branches.code(notes);
    const notes: BranchNote[] = Object.keys(fates).map((name) => branches.code().noteOf(name)!);
    const told = () => Object.keys(fates).map((name) => code().standings()(base, name, before));
    if (log === 'without') fs.rmSync(path.join(branches.dir, '.git/logs'), { recursive: true });
    expect(new Set(told())).toEqual(new Set(['elsewhere']));
    expect(code().standings()(base, 'idle', before)).toBe('here');
    expect(code().standings()(base, 'main', before)).toBe('here');
    endAll(branches);
    expect(told()).toEqual(Object.values(fates));
  });

  it('is known by what was noted when git has thrown its commits away', () => {
    const { branches, notes } = allFates();
    git(branches.dir, 'reflog', 'expire', '--expire=now', '--all');
    git(branches.dir, 'gc', '-q', '--prune=now');
    expect(branches.standings(branches.code(notes))).toEqual(fates);
    expect(branches.standings()).toMatchObject({ squashed: 'unknown', dropped: 'unknown' });
  });

  it('is seen from the branch that is checked out, and follows what moves', () => {
    const branches = new Branches();
    branches.branch('topic', 10);
    const code = branches.code();
    expect(branches.standings(code)).toEqual({ topic: 'elsewhere' });
    git(branches.dir, 'switch', '-q', 'topic');
    expect(branches.standings(code)).toEqual({ topic: 'here' });
    git(branches.dir, 'switch', '-q', '--detach', 'main');
    git(branches.dir, 'branch', '-qD', 'topic');
    expect(branches.standings(code)).toEqual({ topic: 'lost' });
    git(branches.dir, 'switch', '-q', 'main');
    branches.change(70);
    branches.commit('Change another line');
    git(branches.dir, 'cherry-pick', branches.made.get('topic')![0]);
    expect(code.standing(branches.made.get('topic')![0], 'topic')).toBe('landed');
    expect(code.standing(branches.made.get('topic')![1], 'topic')).toBe('lost');
  });

  it('is here after its commit was amended, and lost after a reset', () => {
    const branches = new Branches();
    branches.change(5);
    const before = branches.commit('Change a line');
    branches.change(6);
    git(branches.dir, 'commit', '-qa', '--amend', '-m', 'Change two lines');
    const after = git(branches.dir, 'rev-parse', 'HEAD').trim();
    expect(branches.code().standing(before, 'main')).toBe('here');
    git(branches.dir, 'reset', '-q', '--hard', 'HEAD~1');
    expect(branches.code().standing(after, 'main')).toBe('lost');
  });

  it('has not landed by a change that was there before the branch began', () => {
    const branches = new Branches();
    branches.change(5);
    branches.commit('Change a line');
    git(branches.dir, 'revert', '--no-edit', 'HEAD');
    git(branches.dir, 'switch', '-qc', 'again');
    branches.change(5);
    const again = branches.commit('Change it again');
    git(branches.dir, 'switch', '-q', 'main');
    expect(branches.code().standing(again, 'again')).toBe('elsewhere');
  });

  it('is unknown where a commit is none, and in a folder without a repository', () => {
    const branches = new Branches();
    expect(branches.code().standing(`${'0'.repeat(39)}1`, 'main')).toBe('unknown');
    expect(branches.code().standing('not an id')).toBe('unknown');
    expect(openCode(nodeFileSystem, temporaryFolder()).standing('1'.repeat(40))).toBe('unknown');
  });
});
