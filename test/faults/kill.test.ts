// Real processes are killed with SIGKILL at random moments; whatever they were told is durable is there afterwards.
//
//   FAULT_KILLS=n   default 30     FAULT_SEED=n   the same delays again     FAULT_MINUTES=n   as many kills as fit

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Placement } from '../../src/base/types.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { randomOf } from '../helpers/failing-fs.ts';
import { goingOn, longRunMs, seed } from '../helpers/long-run.ts';
import { commitAll, git, hasGit } from '../helpers/native-git.ts';
import { buildProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { Promises } from './promises.ts';

const victim = fileURLToPath(new URL('victim.mjs', import.meta.url));
const kills = Number(process.env.FAULT_KILLS ?? 30);
/** What a victim does, over and over, in an order of its own. */
const actions = [
  ...['capture', 'captureText', 'remember', 'write', 'touch', 'archive', 'forget', 'edit', 'remove', 'session'],
  ...['commit', 'snapshot', 'extract', 'undo'],
];
/** Calls as a victim names them: a session is messages and an end. */
const calls = [...actions.filter((name) => name !== 'session'), 'message', 'end'];
/** What of all kills each kind of call gets, as far as they hit: one in four comes between two calls. */
const shareOfEach = 1 / (calls.length + 3);
/** A memory is looked at as a whole after each kill, so that many kills need many memories. */
const killsPerMemory = 40;
const checkNatively = 8;
/** A victim that did not come to the call it was to be struck in is struck anyway. */
const maxCalls = 80;

beforeAll(buildProgram);

/** Runs a process and kills it: some time after it began its `count`th call, or of those named so; gives what it said. */
async function runAndKill(
  dir: string,
  round: number,
  order: readonly string[],
  moment: { call: string; count: number; delayMs: number },
): Promise<string> {
  const child = spawn(process.execPath, [victim, JSON.stringify({ dir, round, order })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let output = '';
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const count = (sign: string) => output.split(sign).length - 1;
  let isStruck = false;
  child.stdout.on('data', (data) => {
    output += data;
    const isTime = count(`{"try":{"call":"${moment.call}`) >= moment.count || count('"try"') >= maxCalls;
    if (isStruck || !isTime) return;
    isStruck = true;
    if (moment.delayMs < 0.1) child.kill('SIGKILL');
    else setTimeout(() => child.kill('SIGKILL'), moment.delayMs);
  });
  await closed;
  if (errors !== '') throw new Error(`round ${round} failed by itself: ${errors}`);
  return output;
}

interface Victimised {
  readonly dir: string;
  readonly placement: Placement;
  readonly promises: Promises;
}

async function newMemory(placement: Placement): Promise<Victimised> {
  const dir = temporaryFolder();
  if (placement === 'branch') {
    git(dir, 'init', '-q', '-b', 'main');
    fs.writeFileSync(path.join(dir, 'code.txt'), 'code\n');
    commitAll(dir, 'code');
  }
  await (await openMemory({ dir, create: true, placement })).close();
  const ref = placement === 'branch' ? 'refs/heads/memory/main' : 'refs/heads/main';
  return { dir, placement, promises: new Promises(dir, ref) };
}

/** Everything is committed, and nothing is left of those who died. */
async function expectSettled({ dir, placement, promises }: Victimised): Promise<void> {
  const memory = await openMemory({ dir });
  await memory.commit();
  await memory.close();
  expect(await promises.check(true)).toEqual([]);
  const gitDirectory = placement === 'bare' ? dir : path.join(dir, '.git');
  // Who died while it wrote who it is left less than that; it goes once nobody can be writing it.
  const isUnsaid = (name: string) =>
    /^git-memory\/locks\/./.test(name) && fs.statSync(path.join(gitDirectory, name)).size < 20;
  const names = fs.readdirSync(gitDirectory, { recursive: true, encoding: 'utf8' }).filter((name) => !isUnsaid(name));
  expect(names.filter((name) => /\.(?:lock|keep)$|tmp_|^git-memory\/(?:lock$|locks\/.|tmp\/.)/.test(name))).toEqual([]);
  if (hasGit && placement !== 'bare') expect(git(dir, 'status', '--porcelain')).toBe('');
}

describe(`kill -9 (FAULT_SEED=${seed})`, () => {
  it(
    'leaves everything acknowledged readable',
    async () => {
      const random = randomOf(seed);
      const placements: readonly Placement[] = hasGit ? ['bare', 'repository', 'branch'] : ['bare', 'repository'];
      const struck = new Map(calls.map((call) => [call, 0]));
      const reports = new Map<string, number>();
      const memories: Victimised[] = [];
      let slowestMs = 0;
      let acknowledged = 0;
      const note = (report: string) => {
        const kind = report.replace(/[0-9a-f]{12}/, '…');
        reports.set(kind, (reports.get(kind) ?? 0) + 1);
      };
      const summary = () =>
        `${round} kills, ${acknowledged} acknowledgements, slowest next open and capture ${Math.round(slowestMs)} ms\n` +
        `struck within: ${[...struck].map(([call, count]) => `${call} ${count}`).join(', ')}\n` +
        `recoveries said: ${[...reports].map(([kind, count]) => `${count} × ${kind}`).join('; ') || 'nothing'}`;
      const hasMore = goingOn(kills);
      let round = 0;
      // A slow machine acknowledges less before it is struck, and is struck more often.
      for (; hasMore(round) || (acknowledged < round * 5 && round < kills * 4); round++) {
        const number = round % placements.length;
        if (round % (killsPerMemory * placements.length) < placements.length) {
          if (memories[number]) await expectSettled(memories[number]);
          memories[number] = await newMemory(placements[number]!);
        }
        const { dir, promises } = memories[number]!;
        // In the middle of the kind of call that was struck least, until each has its share; else at any moment.
        const [rarest, times] = [...struck].sort((a, b) => a[1] - b[1])[0]!;
        const moment =
          times < round * shareOfEach || random() < 0.5
            ? { call: `${rarest}"`, count: 1 + Math.floor(random() * 2), delayMs: random() * random() * 4 }
            : { call: '', count: 5 + Math.floor(random() * 30), delayMs: random() * 20 };
        const order = actions
          .map((name) => ({ name, at: random() }))
          .sort((a, b) => a.at - b.at)
          .map(({ name }) => name);
        const before = promises.acknowledged;
        const interrupted = promises.take(await runAndKill(dir, round, order, moment));
        acknowledged += promises.acknowledged - before;
        if (interrupted !== null) struck.set(interrupted, (struck.get(interrupted) ?? 0) + 1);
        const started = performance.now();
        const memory = await openMemory({ dir, logger: { warn: note } });
        const text = `After kill ${round}.`;
        const result = await memory.capture({ session: `ses_after_${round}`, messages: [{ role: 'user', text }] });
        slowestMs = Math.max(slowestMs, performance.now() - started);
        await memory.close();
        promises.acknowledge({ call: 'capture', has: [{ path: result.path, text }], commits: [result.commit] });
        const complaints = await promises.check(round % checkNatively === 0);
        expect({ round, complaints }).toEqual({ round, complaints: [] });
        if (round % 250 === 249) console.log(summary());
      }
      for (const victimised of memories) await expectSettled(victimised);
      console.log(summary());
      expect(acknowledged).toBeGreaterThanOrEqual(kills * 5);
      // In the first rounds chance has the say.
      if (round >= 1000) expect(Math.min(...struck.values())).toBeGreaterThan(round / (calls.length + 7));
    },
    longRunMs + kills * 5_000,
  );
});
