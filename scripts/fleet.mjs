// The hostile fleet by hand, in pieces: each run goes on behind the seeds that held, until all did.
//   npm run fleet -- --seeds 200 --from 1 --minutes 10     200 seeds; this run ends behind the seed in which ten minutes are over
//   npm run fleet -- --from 17 --seeds 1 --watch           one seed again, and after which step a word was gone
//   npm run fleet -- --from 17 --seeds 1 --shrink          the same, with the steps left out that the failure does not need
//   npm run fleet -- --without cuts,bombs                  some hazards are off; test/fleet/hazards.ts lists them
//   npm run fleet -- --state FILE                          where the seeds that held are noted; default: the temporary folder
// Another program, suite or list of hazards begins anew. The exit status is 1 when a seed failed, and 0 when a piece held.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    jobs: { type: 'string', default: '2' },
    state: { type: 'string' },
    without: { type: 'string', default: '' },
    watch: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
  },
});
const [seeds, from, minutes, jobs] = [values.seeds, values.from, values.minutes, values.jobs].map(Number);
if (![seeds, from, jobs].every((number) => Number.isSafeInteger(number) && number > 0) || !(minutes > 0)) {
  console.error('Usage: npm run fleet -- [--seeds N] [--from SEED] [--minutes N] [--jobs N] [--without HAZARDS]');
  process.exit(2);
}

/** Names what was tried: seeds that held say nothing of another program. */
function fingerprint() {
  const hash = createHash('sha256').update(values.without);
  for (const folder of ['src', 'test/fleet', 'test/helpers']) {
    for (const name of fs.readdirSync(path.join(root, folder), { recursive: true }).sort()) {
      const file = path.join(root, folder, name);
      if (fs.statSync(file).isFile()) hash.update(`${name}\0`).update(fs.readFileSync(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

// One seed alone is one to look at again, whether it held or not.
const isAgain = seeds === 1;
const state = values.state ?? path.join(os.tmpdir(), `git-memory-fleet-${fingerprint()}`);
const held = () => {
  const noted = fs.existsSync(state) ? fs.readFileSync(state, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  return new Set(noted.filter((seed) => seed >= from && seed < from + seeds));
};
if (!isAgain) console.log(`${held().size} of ${seeds} seeds from ${from} held before; noted in ${state}`);

/** Runs every so manieth seed. */
function run(job) {
  const environment = {
    ...process.env,
    FLEET_FROM: String(from),
    FLEET_SEEDS: String(seeds),
    FLEET_MINUTES: String(minutes),
    FLEET_JOB: `${job}/${isAgain ? 1 : jobs}`,
    FLEET_WITHOUT: values.without,
    FLEET_SAY: '1',
    ...(isAgain ? {} : { FLEET_STATE: state }),
    ...(values.watch ? { FLEET_WATCH: '1' } : {}),
    ...(values.shrink ? { FLEET_SHRINK: '1' } : {}),
  };
  const child = spawn('npx', ['vitest', 'run', 'test/fleet', '--disable-console-intercept', '--silent=false'], {
    ...{ cwd: root, env: environment, stdio: 'inherit' },
  });
  return new Promise((resolve) => child.on('close', (status) => resolve(status === 0)));
}

const results = await Promise.all(Array.from({ length: isAgain ? 1 : jobs }, (_, job) => run(job)));
const isGood = results.every(Boolean);
if (!isAgain) {
  const left = seeds - held().size;
  const rest = left === 0 ? 'all' : `${seeds - left} of ${seeds}; the same command goes on`;
  console.log(isGood ? `held: ${rest}` : `FAILED; held: ${rest}`);
}
process.exit(isGood ? 0 : 1);
