// Timing in turns, medians, and how they are printed.

import { spawnSync } from 'node:child_process';
import { startAgent } from './agent.mjs';

/** Sorted middle. */
export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** What a turn takes when nothing else disturbs the machine: the fastest tenth ends here. */
export function quiet(values) {
  return quantile(values, 0.1);
}

export async function time(action) {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

/**
 * Runs competitors in turns, each in its own process, so that whatever else the machine does meets all of them alike.
 *
 * The first `warmUp` rounds do not count: an agent's process lives for hours, and its code is compiled after some dozen calls.
 *
 * `entries`: name → `{ options, rounds?, as? }` with `as` the name in the module's table; one with fewer rounds has its turns
 * spread over the others'. Gives name → milliseconds of each round without those of the warm-up, what each said at the end, and what it took.
 */
export async function inTurns(module, entries, { rounds, warmUp = 40 }) {
  const names = Object.keys(entries);
  const agents = {};
  for (const name of names) agents[name] = await startAgent(module, entries[name].as ?? name, entries[name].options);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds + warmUp; round++) {
    // The order changes, so that nobody always runs behind the same neighbour.
    const order = names.map((name) => ({ name, key: Math.random() })).sort((a, b) => a.key - b.key);
    for (const { name } of order) {
      const share = (entries[name].rounds ?? rounds) / rounds;
      const turn = round - warmUp;
      const isDue = turn < 0 ? round === 0 || share === 1 : Math.floor((turn + 1) * share) > Math.floor(turn * share);
      if (!isDue) continue;
      const spent = await agents[name].turn(round);
      if (turn >= 0) times[name].push(spent);
    }
  }
  const said = {};
  const usage = {};
  for (const name of names) ({ result: said[name], usage: usage[name] } = await agents[name].close());
  return { times, said, usage };
}

export const ms = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
export const ratio = (value) => `${value >= 10 ? value.toFixed(0) : value.toFixed(2)}x`;

export function heading(text) {
  console.log(`\n── ${text}`);
}

/** Prints rows in columns, numbers to the right. */
export function table(rows, least = []) {
  const texts = rows.map((row) => row.map(String));
  const widths = texts[0].map((_, column) =>
    Math.max(least[column] ?? 0, ...texts.map((row) => (row[column] ?? '').length)),
  );
  for (const row of texts) {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])));
    console.log(`  ${cells.join('  ')}`);
  }
}

/** Prints the head of a table whose rows take long, and gives what prints each of them as it comes. Columns are as wide as the head. */
export function openTable(head) {
  const widths = head.map((cell) => Math.max(cell.length, 7));
  const print = (row) => table([row], widths);
  print(head);
  return print;
}

/** What a node that does nothing takes on the machine for which times were wanted, in milliseconds. */
const nodeAlone = 54;

/** Measures how much slower this machine is now, from what a node that does nothing takes: times that were wanted are longer by that much. */
export async function slowness() {
  const times = [];
  for (let round = 0; round < 9; round++) times.push(await time(() => spawnSync(process.execPath, ['-e', '0'])));
  return Math.max(1, median(times) / nodeAlone);
}

/** Says how much slower this machine was in the measures taken, and gives it. */
export function tellSlowness(measures) {
  const by = median(measures);
  console.log(`  This machine is ${ratio(by)} slower now than the one that times are wanted for (node alone).`);
  return by;
}

/** One line that says whether a target is met. */
export function verdict(isMet, text) {
  console.log(`  ${isMet ? 'met   ' : 'MISSED'}  ${text}`);
}
