// Several real processes write to one memory at the same moment: everything acknowledged is in one straight line of commits.

import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory.ts';
import type { Placement } from '../../src/types.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url));

interface Acknowledgement {
  readonly kind: 'capture' | 'remember';
  readonly path: string;
  readonly text: string;
  readonly commit?: string | null;
}

beforeAll(() => {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))]);
});

async function makeMemory(placement: Placement): Promise<string> {
  const directory = temporaryFolder();
  await (await openMemory({ dir: directory, create: true, placement })).close();
  return directory;
}

/** Starts writers, lets them begin together, and gives what they were told when all have ended. */
async function runWriters(
  dir: string,
  count: number,
  work: { captures: number; remembers: number },
  beside: (isOver: () => boolean) => Promise<void> = async () => {},
): Promise<Acknowledgement[]> {
  const acknowledged: Acknowledgement[] = [];
  const complaints: string[] = [];
  const children: ChildProcess[] = [];
  const ready: Promise<void>[] = [];
  const ended: Promise<void>[] = [];
  for (let number = 0; number < count; number++) {
    const parameters = JSON.stringify({ dir, name: `w${number}`, ...work });
    const child = fork(writer, [parameters], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    children.push(child);
    child.stderr!.on('data', (data) => complaints.push(String(data)));
    ready.push(new Promise((resolve) => child.once('message', () => resolve())));
    ended.push(
      new Promise((resolve) =>
        child.once('close', (code) => {
          if (code !== 0) complaints.push(`w${number} ended with ${code}`);
          resolve();
        }),
      ),
    );
  }
  await Promise.race([Promise.all(ready), Promise.all(ended)]);
  for (const child of children) {
    child.on('message', (message) => acknowledged.push(message as Acknowledgement));
    child.send('begin');
  }
  let isOver = false;
  const companion = beside(() => isOver);
  await Promise.all(ended);
  isOver = true;
  await companion;
  expect(complaints.join('\n')).toBe('');
  return acknowledged;
}

/** Checks everything that was acknowledged with a fresh memory and with native git. */
async function expectNothingLost(dir: string, acknowledged: readonly Acknowledgement[]): Promise<void> {
  const memory = await openMemory({ dir });
  await memory.commit();
  for (const { path: file, text } of acknowledged) expect(await memory.read(file)).toContain(text);
  expect((await memory.status()).pending).toEqual([]);
  await memory.close();
  if (!hasGit) return;
  const history = new Set(git(dir, 'rev-list', '--first-parent', 'refs/heads/main').split('\n'));
  const lost = acknowledged.filter(({ commit }) => typeof commit === 'string' && !history.has(commit));
  expect(lost).toEqual([]);
  expect(git(dir, 'rev-list', '--merges', 'refs/heads/main')).toBe('');
  expect(fsck(dir)).toBe('');
}

const subjects = (dir: string) =>
  git(dir, 'log', '--first-parent', '--format=%s', 'refs/heads/main').trim().split('\n');

describe('several processes', () => {
  it.each(['bare', 'repository'] as const)(
    'write 4 × 25 captures as 100 commits in one line (%s)',
    async (placement) => {
      const dir = await makeMemory(placement);
      const acknowledged = await runWriters(dir, 4, { captures: 25, remembers: 0 });
      expect(acknowledged.length).toBe(100);
      expect(new Set(acknowledged.map(({ commit }) => commit)).size).toBe(100);
      await expectNothingLost(dir, acknowledged);
      if (!hasGit) return;
      expect(subjects(dir).filter((subject) => subject.startsWith('conversation: ')).length).toBe(100);
      expect(subjects(dir).length).toBe(101);
      const numbers = git(dir, 'log', '--first-parent', '--format=%(trailers:key=Sequence,valueonly,separator=)');
      expect(numbers.trim().split('\n').map(Number)).toEqual(Array.from({ length: 101 }, (_, count) => 101 - count));
      if (placement === 'repository') expect(git(dir, 'status', '--porcelain')).toBe('');
    },
  );

  it('lose nothing when captures and the batch of remembered things interleave', async () => {
    const dir = await makeMemory('repository');
    const acknowledged = await runWriters(dir, 4, { captures: 10, remembers: 15 });
    expect(acknowledged.length).toBe(100);
    await expectNothingLost(dir, acknowledged);
    if (!hasGit) return;
    expect(subjects(dir).filter((subject) => subject.startsWith('conversation: ')).length).toBe(40);
    expect(git(dir, 'ls-tree', '-r', '--name-only', 'main', 'memories/').trim().split('\n').length).toBe(60);
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  it.skipIf(!hasGit)('leave room for a person who commits with native git in the same work tree', async () => {
    const dir = await makeMemory('repository');
    const committed = new Map<string, string>();
    const acknowledged = await runWriters(dir, 2, { captures: 20, remembers: 5 }, async (isOver) => {
      for (let number = 0; !isOver() || number < 5; number++) {
        const name = `knowledge/reference/by-hand-${number}.md`;
        fs.mkdirSync(path.join(dir, 'knowledge/reference'), { recursive: true });
        fs.writeFileSync(path.join(dir, name), `# By hand ${number}\n`);
        await untilDone(() => tryGit(dir, ['add', name]).status === 0);
        // The engine may have taken the file in as a hand edit meanwhile; then git finds nothing to commit.
        await untilDone(() => {
          const { status, stdout } = tryGit(dir, ['commit', '-m', `by hand ${number}`, '--', name]);
          return status === 0 || /nothing to commit|nothing added|no changes added/.test(stdout);
        });
        committed.set(name, `# By hand ${number}\n`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    expect(acknowledged.length).toBe(50);
    await expectNothingLost(dir, acknowledged);
    for (const [name, text] of committed) expect(git(dir, 'show', `main:${name}`)).toBe(text);
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });
});

/** Repeats what fails while somebody else holds a lock, as a person would. */
async function untilDone(attempt: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!attempt()) {
    if (Date.now() > deadline) throw new Error('native git was locked out for 20 seconds');
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
  }
}
