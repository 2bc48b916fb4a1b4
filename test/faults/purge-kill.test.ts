// Real processes are killed with SIGKILL in the middle of a purge: afterwards it has happened as a whole, or not at all.
//
//   FAULT_PURGE_KILLS=n   default 8     FAULT_SEED=n   the same delays again     FAULT_MINUTES=n   as many kills as fit

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { randomOf } from '../helpers/failing-fs.ts';
import { goingOn, longRunMs, seed } from '../helpers/long-run.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { buildProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { tracesOf } from '../helpers/traces.ts';
import { makeBase, secret } from './operations.ts';

const purger = fileURLToPath(new URL('purger.mjs', import.meta.url));
const kills = Number(process.env.FAULT_PURGE_KILLS ?? 8);
const traces = ['blue heron', 'blue-heron'];

beforeAll(buildProgram);

/** Runs a purge and kills it so long after it began; gives whether it was acknowledged, and how long it took. */
async function purgeAndKill(dir: string, delayMs: number): Promise<{ isDone: boolean; tookMs: number }> {
  const child = spawn(process.execPath, [purger, JSON.stringify({ dir, text: secret })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let [output, errors, began, tookMs] = ['', '', 0, 0];
  child.stderr.on('data', (data) => {
    errors += data;
  });
  child.stdout.on('data', (data) => {
    output += data;
    if (began === 0) {
      began = performance.now();
      if (Number.isFinite(delayMs)) setTimeout(() => child.kill('SIGKILL'), delayMs);
    }
    if (output.includes('done')) tookMs = performance.now() - began;
  });
  await closed;
  if (errors !== '') throw new Error(`the purge failed by itself: ${errors}`);
  return { isDone: output.includes('done'), tookMs };
}

describe.skipIf(!hasGit)(`kill -9 of a purge (FAULT_SEED=${seed})`, () => {
  it(
    'leaves all of it or nothing of it',
    async () => {
      const random = randomOf(seed);
      const root = temporaryFolder();
      await makeBase(`${root}/base`, 'told', 'repository');
      const copy = (name: string) => {
        fs.cpSync(`${root}/base`, `${root}/${name}`, { recursive: true });
        return `${root}/${name}`;
      };
      const { tookMs } = await purgeAndKill(copy('whole'), Number.POSITIVE_INFINITY);
      expect(tracesOf(`${root}/whole`, traces)).toEqual([]);
      const counts = { done: 0, finished: 0, taken: 0 };
      const hasMore = goingOn(kills);
      for (let round = 0; hasMore(round); round++) {
        const dir = copy(`round-${round}`);
        // Reading takes most of it, and what is dangerous comes at the end.
        const { isDone } = await purgeAndKill(dir, tookMs * random() ** 0.3);
        const memory = await openMemory({ dir });
        const isPurged = !(await memory.read('knowledge/people/rui.md')).includes(secret);
        counts[isDone ? 'done' : isPurged ? 'finished' : 'taken'] += 1;
        const where = `round ${round}`;
        expect(isDone && !isPurged, where).toBe(false);
        expect(fsck(dir), where).toBe('');
        expect(git(dir, 'status', '--porcelain'), where).toBe('');
        if (isPurged) expect(tracesOf(dir, traces), where).toEqual([]);
        else await memory.purge({ text: secret });
        await memory.capture('Life goes on.');
        await memory.close();
        expect(tracesOf(dir, traces), where).toEqual([]);
        expect(fsck(dir), where).toBe('');
        const names = fs.readdirSync(path.join(dir, '.git'), { recursive: true, encoding: 'utf8' });
        expect(
          names.filter((name) => /\.(?:lock|keep)$|tmp_|^git-memory\/(?:lock$|purge\/|tmp\/.)/.test(name)),
        ).toEqual([]);
        fs.rmSync(dir, { recursive: true, force: true });
      }
      if (kills > 50) console.log(counts);
    },
    longRunMs + kills * 5_000,
  );
});
