// A process that captures for long keeps no more of it than one that captured a little.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { buildProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

beforeAll(buildProgram);

it('what is kept of captures does not grow with their number', () => {
  const script = fileURLToPath(new URL('captures-memory.mjs', import.meta.url));
  const folder = join(temporaryFolder(), 'memory');
  const stops = [200, 250, 300, 350, 700, 750, 800, 850];
  const told = execFileSync(process.execPath, ['--expose-gc', script, folder, ...stops.map(String)], {
    encoding: 'utf8',
  });
  const bytes = told.trim().split('\n').map(Number);
  expect(bytes).toHaveLength(stops.length);
  // The least of four, since packs that are being joined come and go. What is kept of the latest is not yet full.
  const [few, many] = [Math.min(...bytes.slice(0, 4)), Math.min(...bytes.slice(4))];
  expect(many - few).toBeLessThan(4_500_000);
});
