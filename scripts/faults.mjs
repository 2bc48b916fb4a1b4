// Long runs of the fault suites: the same tests as for each change, with more time and new seeds.
//   npm run faults -- --minutes 60               all suites, the time shared between them
//   npm run faults -- --minutes 10 --seed 7      the same choices again
//   npm run faults -- kill flips --minutes 30    some: sweep, reads, caches, kill, purge, flips, clock, contention, interleaved, appends
// Prints what each suite says of itself (seeds, totals, what failed); the exit status is 1 when one failed.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Each suite: its file, and the environment in which it goes on for so many minutes. */
const suites = {
  sweep: {
    file: 'test/faults/sweep.test.ts',
    environment: (minutes) => ({ FAULT_BUDGET_MS: String(minutes * 60_000), FAULT_SAY: '1' }),
  },
  reads: {
    file: 'test/faults/reads.test.ts',
    environment: (minutes) => ({ FAULT_BUDGET_MS: String(minutes * 60_000) }),
  },
  caches: { file: 'test/faults/caches.test.ts', environment: forMinutes },
  kill: { file: 'test/faults/kill.test.ts', environment: forMinutes },
  purge: { file: 'test/faults/purge-kill.test.ts', environment: forMinutes },
  experiment: { file: 'test/faults/experiment.test.ts', environment: forMinutes },
  // Three kinds of repository, one after the other; four tests, and one goes on; and so on.
  flips: { file: 'test/faults/flips.test.ts', environment: (minutes) => forMinutes(minutes / 3) },
  clock: { file: 'test/faults/clock.test.ts', environment: forMinutes },
  contention: { file: 'test/concurrency/contention.test.ts', environment: forMinutes },
  interleaved: {
    file: 'test/concurrency/native-git-interleaved.test.ts',
    environment: (minutes, seed) => ({ ...forMinutes(minutes), INTERLEAVE_SEED: String(seed) }),
  },
  // Three kinds of file in two places.
  appends: { file: 'test/concurrency/appends.test.ts', environment: (minutes) => forMinutes(minutes / 6) },
};

function forMinutes(minutes) {
  return { FAULT_MINUTES: String(minutes) };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string' } },
});
const names = positionals.length > 0 ? positionals : Object.keys(suites);
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const unknown = names.filter((name) => !(name in suites));
if (unknown.length > 0 || !(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error(
    unknown.length > 0
      ? `Unknown suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.`
      : 'Usage: npm run faults -- [SUITE…] --minutes N [--seed S]',
  );
  process.exit(2);
}

console.log(`${names.join(', ')}: ${minutes} minutes together, seed ${seed}`);
const results = [];
for (const name of names) {
  const { file, environment } = suites[name];
  const started = performance.now();
  const { status } = spawnSync('npx', ['vitest', 'run', file, '--disable-console-intercept'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, ...environment(minutes / names.length, seed), FAULT_SEED: String(seed) },
  });
  results.push({ name, isGood: status === 0, tookMs: performance.now() - started });
}
for (const { name, isGood, tookMs } of results) {
  console.log(`${isGood ? 'held' : 'FAILED'}  ${name}  ${(tookMs / 60_000).toFixed(1)} min`);
}
if (results.some(({ isGood }) => !isGood)) {
  console.log(`Again: npm run faults -- ${names.join(' ')} --minutes ${minutes} --seed ${seed}`);
  process.exit(1);
}
