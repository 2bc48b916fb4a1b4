// Several real processes write to one memory at the same moment: everything acknowledged is in one straight line of commits.
//
//   CONTENTION_WRITERS=n    default 4      CONTENTION_CAPTURES=n    of each writer, default 15
//   FAULT_MINUTES=n         how long engine and native git work beside each other; default 30 rounds

import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Placement } from '../../src/base/types.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { goingOn, longRunMs } from '../helpers/long-run.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { buildProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const writers = Number(process.env.CONTENTION_WRITERS ?? 4);
const captures = Number(process.env.CONTENTION_CAPTURES ?? 15);
const writer = fileURLToPath(new URL('writer.mjs', import.meta.url));

interface Acknowledgement {
  readonly kind: 'capture' | 'remember' | 'touch' | 'event' | 'change';
  /** Of an event. */
  readonly id?: string;
  readonly path: string;
  readonly text: string;
  readonly commit?: string | null;
}

interface Work {
  readonly captures?: number;
  readonly remembers?: number;
  readonly touches?: number;
  readonly events?: number;
  readonly changes?: number;
  /** The mean pause before each; none if left out. */
  readonly pauseMs?: number;
}

beforeAll(buildProgram);

async function makeMemory(placement: Placement): Promise<string> {
  const directory = temporaryFolder();
  await (await openMemory({ dir: directory, create: true, placement })).close();
  return directory;
}

/**
 * Starts writers, lets them begin together, and gives what they were told when all have ended.
 *
 * `beside` runs meanwhile; when it returns while they still write, they stop.
 */
async function runWriters(
  dir: string,
  count: number,
  work: Work,
  beside?: (isOver: () => boolean) => Promise<void>,
): Promise<Acknowledgement[]> {
  const acknowledged: Acknowledgement[] = [];
  const lastAt = new Array<number>(count).fill(0);
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
  const started = performance.now();
  for (const [number, child] of children.entries()) {
    child.on('message', (message) => {
      acknowledged.push(message as Acknowledgement);
      lastAt[number] = performance.now() - started;
    });
    child.send('begin');
  }
  let isOver = false;
  const companion = beside?.(() => isOver).finally(() => {
    for (const child of children) if (child.connected) child.send('stop');
  });
  await Promise.all(ended);
  isOver = true;
  await companion;
  expect(complaints.join('\n')).toBe('');
  const times = lastAt.sort((a, b) => a - b);
  const seconds = times.at(-1)! / 1000;
  console.log(
    `${count} writers: ${acknowledged.length} acknowledged in ${seconds.toFixed(1)} s, ${(acknowledged.length / seconds).toFixed(0)} a second; ` +
      `the slowest took ${(times.at(-1)! / times[Math.floor(count / 2)]!).toFixed(2)} times as long as the median`,
  );
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
    `write ${writers} × ${captures} captures as one line of commits (%s)`,
    async (placement) => {
      const dir = await makeMemory(placement);
      const acknowledged = await runWriters(dir, writers, { captures, remembers: 0 });
      const all = writers * captures;
      expect(acknowledged.length).toBe(all);
      expect(new Set(acknowledged.map(({ commit }) => commit)).size).toBe(all);
      await expectNothingLost(dir, acknowledged);
      if (!hasGit) return;
      expect(subjects(dir).filter((subject) => subject.startsWith('conversation: ')).length).toBe(all);
      expect(subjects(dir).length).toBe(all + 1);
      const numbers = git(dir, 'log', '--first-parent', '--format=%(trailers:key=Sequence,valueonly,separator=)');
      expect(numbers.trim().split('\n').map(Number)).toEqual(
        Array.from({ length: all + 1 }, (_, count) => all + 1 - count),
      );
      if (placement === 'repository') expect(git(dir, 'status', '--porcelain')).toBe('');
    },
    120_000 + writers * captures * 500,
  );

  it('give every event an id of its own, in one row', async () => {
    const dir = await makeMemory('repository');
    const acknowledged = await runWriters(dir, writers, { events: captures });
    await expectNothingLost(dir, acknowledged);
    const memory = await openMemory({ dir, readOnly: true });
    const ids = acknowledged.map(({ id }) => id!);
    expect(new Set(ids).size).toBe(writers * captures);
    for (const path of new Set(acknowledged.map((event) => event.path))) {
      const lines = (await memory.read(path))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const day = path.slice(-16, -6).replaceAll('-', '');
      expect(lines.map(({ id }) => id)).toEqual(lines.map((_, at) => `EVT-${day}-${String(at + 1).padStart(3, '0')}`));
      for (const { id, content } of lines) {
        expect(acknowledged.find((event) => event.id === id)!.text).toBe(content);
      }
    }
    await memory.close();
  });

  it(
    'append 60 events each to the changelog of a project, in one row',
    async () => {
      const dir = await makeMemory('repository');
      const acknowledged = await runWriters(dir, 4, { changes: 60 });
      expect(acknowledged).toHaveLength(240);
      const memory = await openMemory({ dir, readOnly: true });
      const { events, damaged, bent } = await memory.project.changes();
      expect(events.map(({ number }) => number)).toEqual(Array.from({ length: 240 }, (_, at) => at + 1));
      expect([...damaged, ...bent]).toEqual([]);
      const summaries = new Map(events.map(({ id, summary }) => [id, summary]));
      for (const { id, text } of acknowledged) expect(summaries.get(id!)).toBe(text);
      expect(await memory.ledger.check()).toMatchObject({ ok: true, changes: 240 });
      await memory.close();
      if (!hasGit) return;
      expect(subjects(dir).filter((subject) => subject.startsWith('event: evt-'))).toHaveLength(240);
      expect(git(dir, 'status', '--porcelain')).toBe('');
      expect(fsck(dir)).toBe('');
    },
    longRunMs,
  );

  it('lose nothing when captures and the batch of remembered things interleave', async () => {
    const dir = await makeMemory('repository');
    const acknowledged = await runWriters(dir, 4, { captures: 6, remembers: 9 });
    expect(acknowledged.length).toBe(60);
    await expectNothingLost(dir, acknowledged);
    if (!hasGit) return;
    expect(subjects(dir).filter((subject) => subject.startsWith('conversation: ')).length).toBe(24);
    expect(git(dir, 'ls-tree', '-r', '--name-only', 'main', 'memories/').trim().split('\n').length).toBe(36);
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  it('have every use of a memory counted', async () => {
    const dir = await makeMemory('repository');
    const memory = await openMemory({ dir });
    await memory.remember({ id: 'touched', content: 'It is used by all.' });
    await memory.close();
    const acknowledged = await runWriters(dir, 3, { touches: 12, remembers: 4 });
    await expectNothingLost(dir, acknowledged);
    const reader = await openMemory({ dir, readOnly: true });
    expect(await reader.get('touched')).toMatchObject({ useCount: 36, reviewCount: 36, strength: 2 });
    await reader.close();
  });

  it.skipIf(!hasGit)(
    'leave room for a person who commits, packs and collects with native git in the same work tree',
    async () => {
      const dir = await makeMemory('repository');
      const committed = new Map<string, string>();
      const counts = new Map<string, number>();
      const hasMore = goingOn(30);
      const work = { captures: 1e9, remembers: 1e9, pauseMs: 40 };
      const acknowledged = await runWriters(dir, 2, work, async (isOver) => {
        for (let number = 0; hasMore(number) && !isOver(); number++) {
          const name = `knowledge/reference/by-hand-${number}.md`;
          const text = `# By hand ${number}\n`;
          await commitByHand(dir, name, text);
          committed.set(name, text);
          const { parameters, mayFail } = maintenance[number % maintenance.length]!;
          const { status, stderr } = tryGit(dir, parameters);
          const command = parameters.join(' ');
          counts.set(command, (counts.get(command) ?? 0) + 1);
          if (status !== 0 && !mayFail.test(stderr)) throw new Error(`git ${command}: ${stderr}`);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
      console.log(
        `${committed.size} commits by hand; ${[...counts].map(([name, count]) => `${count} × ${name}`).join(', ')}`,
      );
      await expectNothingLost(dir, acknowledged);
      for (const [name, text] of committed) expect(git(dir, 'show', `main:${name}`)).toBe(text);
      expectInStep(dir);
    },
    longRunMs,
  );
});

/** What git does to packs and refs beside us. A lock that the engine holds at that moment may stop it, and nothing else. */
const maintenance = [
  { parameters: ['pack-refs', '--all', '--prune'], mayFail: /Unable to create .*\.lock/ },
  { parameters: ['repack', '-a', '-d', '-q'], mayFail: /^$/ },
  { parameters: ['gc', '-q'], mayFail: /Unable to create .*\.lock|failed to run/ },
  { parameters: ['gc', '-q', '--prune=now'], mayFail: /Unable to create .*\.lock|failed to run/ },
  { parameters: ['maintenance', 'run', '--auto', '--quiet'], mayFail: /Unable to create .*\.lock|failed to run/ },
];

async function commitByHand(dir: string, name: string, text: string): Promise<void> {
  fs.mkdirSync(path.join(dir, path.dirname(name)), { recursive: true });
  fs.writeFileSync(path.join(dir, name), text);
  await untilDone(() => tryGit(dir, ['add', name]).status === 0);
  // The engine may have taken the file in as a hand edit meanwhile; then git finds nothing to commit.
  await untilDone(() => {
    const { status, stdout } = tryGit(dir, ['commit', '-m', `by hand: ${name}`, '--', name]);
    return status === 0 || /nothing to commit|nothing added|no changes added/.test(stdout);
  });
}

/**
 * Expects work tree and index to be in step with the tip, but for what native git itself leaves behind: `git commit` reads the index before
 * it locks it (builtin/commit.c, prepare_index), so that it can write one without the entry of a file that came in that instant. The file is in
 * the tip and in the work tree, and `git reset` brings the entry back.
 */
function expectInStep(dir: string): void {
  const left = git(dir, 'status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '');
  const paths = [...new Set(left.map((line) => line.slice(3)))];
  const expected = paths.flatMap((name) => [`D  ${name}`, `?? ${name}`]);
  expect([...left].sort()).toEqual(expected.sort());
  for (const name of paths)
    expect(git(dir, 'show', `main:${name}`)).toBe(fs.readFileSync(path.join(dir, name), 'utf8'));
  expect(paths.length).toBeLessThanOrEqual(3);
  if (paths.length > 0) console.log(`native git left ${paths.length} files out of its index`);
  git(dir, 'reset', '-q');
  expect(git(dir, 'status', '--porcelain')).toBe('');
}

/** Repeats what fails while somebody else holds a lock, as a person would. */
async function untilDone(attempt: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!attempt()) {
    if (Date.now() > deadline) throw new Error('native git was locked out for 20 seconds');
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
  }
}
