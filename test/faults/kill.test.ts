// Real processes are killed with SIGKILL at random moments; whatever they were told is durable is there afterwards.

import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory.ts';
import { randomOf } from '../helpers/failing-fs.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const victim = fileURLToPath(new URL('victim.mjs', import.meta.url));
// A change is judged by the same cases each time; people and long runs look for new ones.
const seed = Number(process.env.FAULT_SEED ?? (process.env.CI ? 1 : Math.floor(Math.random() * 1e9)));
const kills = Number(process.env.FAULT_KILLS ?? 30);

interface Line {
  readonly call: 'capture' | 'remember' | 'message' | 'end' | 'commit' | 'undo';
  readonly name?: string;
  readonly id?: string;
  readonly path?: string;
  readonly text?: string;
  readonly commit?: string | null;
  readonly commits?: string[];
  readonly undone?: string;
}

beforeAll(() => {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))]);
});

/** What was promised about one memory over all its processes. */
class Promises {
  /** Texts that must be in a file. */
  readonly texts: { path: string; text: string; commit: string | null }[] = [];
  readonly commits: string[] = [];
  /** Captures whose undo was acknowledged. */
  readonly gone = new Set<string>();
  /** Captures whose undo was begun: there or not, both are right. */
  readonly uncertain = new Set<string>();
  count = 0;

  take(output: string): void {
    const lines = output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { try?: Line; done?: Line });
    for (const { try: intent, done } of lines) {
      if (intent?.call === 'undo') this.uncertain.add(intent.undone!);
      if (!done) continue;
      this.count += 1;
      if (done.text !== undefined) {
        this.texts.push({ path: done.path!, text: done.text, commit: done.commit ?? null });
      }
      this.commits.push(...[done.commit, ...(done.commits ?? [])].filter((oid) => typeof oid === 'string'));
      if (done.call === 'undo') this.gone.add(done.undone!);
    }
  }

  /** Checks with a fresh memory, and what is committed with native git. */
  async check(dir: string): Promise<string[]> {
    const memory = await openMemory({ dir });
    const complaints: string[] = [];
    const files = new Set(await memory.files());
    const pending = new Set((await memory.status()).pending.map(({ path }) => path));
    for (const { path, text, commit } of this.texts) {
      if (commit !== null && this.gone.has(commit)) {
        if (files.has(path)) complaints.push(`${path} came back after its undo`);
      } else if (commit !== null && this.uncertain.has(commit) && !files.has(path)) {
        // The undo that was under way when the process died has happened.
      } else if (!files.has(path)) complaints.push(`${path} is lost`);
      else if (!(await memory.read(path)).includes(text)) complaints.push(`${path} has lost "${text}"`);
    }
    await memory.close();
    if (!hasGit) return complaints;
    const history = new Set(git(dir, 'rev-list', 'refs/heads/main').split('\n'));
    complaints.push(...this.commits.filter((oid) => !history.has(oid)).map((oid) => `commit ${oid} is lost`));
    const committed = [...files].filter((path) => !pending.has(path));
    const answers = tryGit(dir, ['cat-file', '--batch-check'], committed.map((path) => `main:${path}\n`).join(''));
    const unread = answers.stdout.split('\n').filter((line) => line !== '' && !/^[0-9a-f]{40} blob \d+$/.test(line));
    complaints.push(...unread.map((line) => `git cat-file: ${line}`));
    const verdict = fsck(dir);
    if (verdict !== '') complaints.push(`git fsck: ${verdict}`);
    return complaints;
  }
}

/** Runs a process, kills it some time after its first acknowledgement, and gives what it had said. */
async function runAndKill(dir: string, round: number, delayMs: number): Promise<string> {
  const child = spawn(process.execPath, [victim, JSON.stringify({ dir, round })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let output = '';
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (data) => {
      output += data;
      if (output.includes('"done"')) resolve();
    });
    child.once('close', () => resolve());
  });
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  child.kill('SIGKILL');
  await closed;
  if (errors !== '') throw new Error(`round ${round} failed by itself: ${errors}`);
  return output;
}

describe(`kill -9 (FAULT_SEED=${seed})`, () => {
  it(`leaves everything acknowledged readable, ${kills} times`, async () => {
    const random = randomOf(seed);
    const memories: { dir: string; promises: Promises; placement: 'bare' | 'repository' }[] = [];
    for (const placement of ['bare', 'repository'] as const) {
      const dir = temporaryFolder();
      await (await openMemory({ dir, create: true, placement })).close();
      memories.push({ dir, promises: new Promises(), placement });
    }
    let slowestMs = 0;
    const acknowledged = () => memories.reduce((sum, { promises }) => sum + promises.count, 0);
    let round = 0;
    // A slow machine acknowledges less before it is struck, and is struck more often.
    for (; round < kills || (acknowledged() < kills * 5 && round < kills * 4); round++) {
      const { dir, promises } = memories[round % memories.length]!;
      promises.take(await runAndKill(dir, round, random() * 120));
      const started = performance.now();
      const memory = await openMemory({ dir });
      const text = `After kill ${round}.`;
      const { path, commit } = await memory.capture({
        session: `ses_after_${round}`,
        messages: [{ role: 'user', text }],
      });
      slowestMs = Math.max(slowestMs, performance.now() - started);
      await memory.close();
      promises.texts.push({ path, text, commit });
      expect({ round, complaints: await promises.check(dir) }).toEqual({ round, complaints: [] });
    }
    for (const { dir, promises, placement } of memories) {
      const memory = await openMemory({ dir });
      await memory.commit();
      await memory.close();
      expect(await promises.check(dir)).toEqual([]);
      if (hasGit && placement === 'repository') expect(git(dir, 'status', '--porcelain')).toBe('');
    }
    console.log(
      `${round} kills, ${acknowledged()} acknowledgements, slowest next operation ${Math.round(slowestMs)} ms`,
    );
    expect(acknowledged()).toBeGreaterThanOrEqual(kills * 5);
  }, 300_000);
});
