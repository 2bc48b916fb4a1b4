// A process that appends to the changelog of a project until it is killed, and says what was acknowledged; started by a test.

import { writeSync } from 'node:fs';
import { openMemory } from '../../dist/library/index.js';

const [dir, round] = process.argv.slice(2);
const memory = await openMemory({
  dir,
  placement: 'project',
  clock: { now: () => Date.parse('2026-02-16T22:00:00Z') },
});
for (let number = 0; ; number++) {
  const summary = `round ${round}, number ${number}`;
  await memory.project.change({ type: 'fix', agent: 'ada', scope: 'x', summary, details: { entity: 'x' } });
  writeSync(1, `${summary}\n`);
  if (number % 5 === 4) await memory.commit();
}
