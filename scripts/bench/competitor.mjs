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

const cpu = [];

/** The processor time of a turn, its median behind the first forty, and the most memory that the process took. */
function usageOf() {
  const turns = cpu.slice(Math.min(40, cpu.length >> 1)).sort((a, b) => a - b);
  return { cpuMs: turns[turns.length >> 1] ?? 0, peakMb: process.resourceUsage().maxRSS / 1024 };
}

process.on('message', async ({ round, close }) => {
  if (close) return process.send({ result: (await competitor.close?.()) ?? null, usage: usageOf() });
  await competitor.prepare?.(round);
  settle();
  const before = process.cpuUsage();
  const started = performance.now();
  await competitor.run(round);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  cpu.push((user + system) / 1000);
  process.send({ ms });
});
process.send({ ready: true });
