// A hostile fleet: three machines whose clocks are years apart, on lines that break, beside people, a program and an intruder.
//
//   npm run fleet -- --seeds 200 --minutes 10      by hand, in pieces that go on where the last one stopped
//   FLEET_FROM=17 FLEET_SEEDS=1                    one seed alone, again
//   FLEET_WATCH=1                                  says after which step a word was gone     FLEET_SHRINK=1   leaves out steps
//   FLEET_ONLY=… FLEET_WITHOUT=…                   some hazards; see hazards.ts              FLEET_KEEP=1     keeps the folders

import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gitServerForTests } from '../helpers/git-server.ts';
import { hasGit } from '../helpers/native-git.ts';
import { buildProgram, ProgramBeside, programEnvironment } from '../helpers/program.ts';
import { type Counts, type Outcome, runFleet, type Surroundings, shrink } from './fleet.ts';
import { chosenHazards } from './hazards.ts';
import { Line } from './line.ts';

const hazards = chosenHazards();
const from = Number(process.env.FLEET_FROM ?? 1);
const seeds = Number(process.env.FLEET_SEEDS ?? 24);
const minutes = process.env.FLEET_MINUTES === undefined ? null : Number(process.env.FLEET_MINUTES);
/** Which of several runs beside each other this is, as `0/2`: each takes its share of the seeds. */
const [job, jobs] = (process.env.FLEET_JOB ?? '0/1').split('/').map(Number) as [number, number];
/** Where seeds that held are noted, one a line, so that the next run goes on behind them. */
const state = process.env.FLEET_STATE;

const served = gitServerForTests();
const lines: Line[] = [];
const program = new ProgramBeside();
let surroundings: Surroundings;

beforeAll(async () => {
  await buildProgram();
  for (let number = 0; number < 3; number += 1) {
    const line = new Line(served.server.port);
    await line.open();
    lines.push(line);
  }
  surroundings = { server: served.server, root: served.root, lines, program, environment: programEnvironment() };
}, 300_000);
afterAll(async () => {
  program.stop();
  for (const line of lines) await line.close();
});

const held = () =>
  new Set(state === undefined || !fs.existsSync(state) ? [] : fs.readFileSync(state, 'utf8').split('\n').map(Number));

const told = ({ seed, problems, log }: Outcome) =>
  [`Again: npm run fleet -- --from ${seed} --seeds 1`, ...log, ...problems.map((problem) => `=> ${problem}`)].join(
    '\n',
  );

describe.skipIf(!hasGit)('a fleet of three machines', () => {
  test(
    `comes to one state in which nothing is missing, nothing shows and nothing is broken (seeds from ${from})`,
    async () => {
      const started = performance.now();
      const skipped = held();
      const failed: string[] = [];
      const total: Counts = new Map();
      for (let seed = from; seed < from + seeds; seed += 1) {
        if (skipped.has(seed) || seed % jobs !== job) continue;
        if (minutes !== null && performance.now() - started > minutes * 60_000) break;
        const options = { seed, hazards, isWatched: process.env.FLEET_WATCH !== undefined };
        let outcome = await runFleet(options, surroundings);
        if (outcome.problems.length > 0) {
          if (process.env.FLEET_SHRINK !== undefined) outcome = await shrink(outcome, options, surroundings);
          failed.push(told(outcome));
          if (state === undefined) break;
          console.log(told(outcome));
        } else if (state !== undefined) fs.appendFileSync(state, `${seed}\n`);
        for (const [what, { done, refused }] of outcome.counts) {
          const before = total.get(what) ?? { done: 0, refused: 0 };
          total.set(what, { done: before.done + done, refused: before.refused + refused });
        }
        if (process.env.FLEET_SAY !== undefined) {
          console.log(
            `seed ${seed}: ${outcome.problems.length === 0 ? 'held' : 'FAILED'}, ${outcome.steps.length} steps`,
          );
        }
      }
      if (process.env.FLEET_SAY !== undefined) {
        const line = ([what, { done, refused }]: [string, { done: number; refused: number }]) =>
          `${String(done).padStart(6)} ${what}${refused > 0 ? `, refused ${refused}` : ''}`;
        console.log([...total].map(line).sort().reverse().join('\n'));
      }
      expect(failed.join('\n\n')).toBe('');
    },
    (minutes ?? 30) * 60_000 + 600_000,
  );
});
