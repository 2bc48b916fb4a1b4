// The process of one competitor; started by agent.mjs.

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';

const [module, name, options] = process.argv.slice(2);
const { competitors } = await import(module);
const parameters = JSON.parse(options);
const competitor = await competitors[name](parameters);

/** Makes the disk finish what others left unsynced, or the first sync of a turn would pay for it. */
function settle() {
  const file = `${parameters.dir ?? parameters.target}-settle`;
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, 'settle');
  fsyncSync(descriptor);
  closeSync(descriptor);
  rmSync(file);
}

process.on('message', async ({ round, close }) => {
  if (close) return process.send({ result: (await competitor.close?.()) ?? null });
  await competitor.prepare?.(round);
  settle();
  const started = performance.now();
  await competitor.run(round);
  process.send({ ms: performance.now() - started });
});
process.send({ ready: true });
