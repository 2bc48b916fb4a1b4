// Who else pushes to the remote, by native git alone: what only looks like a memory, and what is one of an impossible time.

import fs from 'node:fs';
import path from 'node:path';
import { type GitResult, git, tryGit } from '../helpers/native-git.ts';

const main = 'refs/heads/main';

export class Intruder {
  private readonly remote: string;
  /** Where the branch was before what no memory can take. */
  private before: string | null = null;

  constructor(remote: string) {
    this.remote = remote;
  }

  /** Asked behind each sync, so that it is read where git keeps it as a file of its own. */
  get tip(): string | null {
    const file = path.join(this.remote, main);
    if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim();
    const { status, stdout }: GitResult = tryGit(this.remote, ['rev-parse', '--verify', '--quiet', main]);
    return status === 0 ? stdout.trim() : null;
  }

  get hasBomb(): boolean {
    return this.before !== null;
  }

  /** Pushes a dozen objects that are 10^10 paths. */
  bomb(): void {
    this.before = this.tip;
    let entry = `100644 blob ${this.write('boom\n')}`;
    for (let level = 0; level < 10; level += 1) {
      const lines = Array.from({ length: 10 }, (_, number) => `${entry}\tb${number}${level === 0 ? '.md' : ''}\n`);
      entry = `040000 tree ${this.tree(lines.join(''))}`;
    }
    const top = git(this.remote, 'ls-tree', `${this.before}^{tree}`);
    this.commit(this.tree(`${top}${entry}\tbomb\n`), 'a bomb');
  }

  /** The operator of the remote takes back what no machine could take. */
  takeBack(): void {
    if (this.before !== null) git(this.remote, 'update-ref', main, this.before);
    this.before = null;
  }

  /** Pushes a page, in a commit of a time of its own. */
  page(name: string, text: string, seconds?: number): void {
    const top = git(this.remote, 'ls-tree', `${this.tip}^{tree}`);
    const folder = tryGit(this.remote, ['ls-tree', `${this.tip}:pages`]).stdout;
    const pages = this.tree(`${folder}100644 blob ${this.write(text)}\t${name}\n`);
    const rest = top.split('\n').filter((line) => line !== '' && !line.endsWith('\tpages'));
    this.commit(this.tree(`${[...rest, `040000 tree ${pages}\tpages`].join('\n')}\n`), `page ${name}`, seconds);
  }

  /** Pushes a `.meta.json` that tells of so many purges. */
  epoch(epoch: number): void {
    const meta = JSON.parse(git(this.remote, 'cat-file', 'blob', `${this.tip}:.meta.json`));
    const blob = this.write(`${JSON.stringify({ ...meta, epoch }, null, 2)}\n`);
    const top = git(this.remote, 'ls-tree', `${this.tip}^{tree}`).split('\n');
    const lines = top.map((line) => (line.endsWith('\t.meta.json') ? `100644 blob ${blob}\t.meta.json` : line));
    this.commit(this.tree(lines.join('\n')), 'an epoch');
  }

  private commit(tree: string, message: string, seconds = Math.floor(Date.parse('2026-02-16T09:00:00Z') / 1000)): void {
    const date = `@${seconds} +0000`;
    const { stdout } = tryGit(this.remote, ['commit-tree', tree, '-p', this.tip!, '-m', message], undefined, {
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    });
    git(this.remote, 'update-ref', main, stdout.trim());
  }

  private write(text: string): string {
    return tryGit(this.remote, ['hash-object', '-w', '--stdin'], text).stdout.trim();
  }

  private tree(lines: string): string {
    return tryGit(this.remote, ['mktree'], lines).stdout.trim();
  }
}
