// A memory that only grows: so many captures, a tenth as many memories. It shows packs, size and answers, beside the same history as `git
// gc` packs it and beside a memory that has just begun.
//   npm run bench -- growth --sizes 100000     the size that is promised; 10,000 by default

import fs from 'node:fs';
import path from 'node:path';
import { openMemory } from '../../dist/index.js';
import { heading, inTurns, median, ms, quantile, ratio, table, time, verdict } from './measure.mjs';
import { git, textOf } from './repositories.mjs';

/** A hundred captures a day, from the first of January 2020 on. */
const start = Date.UTC(2020, 0, 1);
const pause = 864_000;
const flushEvery = 100;
const rounds = 60;
const freshSize = 1000;

export async function benchGrowth({ root, chosenSizes, hasGit }) {
  if (!hasGit) return console.log('  needs native git to compare with');
  for (const size of chosenSizes ?? [10_000]) {
    heading(`${size.toLocaleString('en')} captures and ${(size / 10).toLocaleString('en')} memories`);
    fs.mkdirSync(root, { recursive: true });
    const [grown, packed, fresh] = ['grown', 'packed', 'fresh'].map((name) => `${root}/${size}-${name}`);
    const { captures, seconds, early, late } = await grow(grown, size);
    const ours = measure(grown);
    await grow(fresh, Math.min(freshSize, size));
    fs.cpSync(grown, packed, { recursive: true });
    const native = await time(() => git(packed, ['gc', '-q', '--prune=now']));
    const theirs = measure(packed);
    table([
      ['', 'packs', 'loose', 'MB', 'of it indexes'],
      ['ours', ours.packs, ours.loose, mb(ours.bytes), mb(ours.indexBytes)],
      [`git gc (${(native / 1000).toFixed(0)} s)`, theirs.packs, theirs.loose, mb(theirs.bytes), mb(theirs.indexBytes)],
    ]);
    const slowest = [...captures].sort((a, b) => b - a);
    console.log(
      `  ${seconds.toFixed(0)} s in all; a capture without syncs: median ${ms(median(captures))} ms, first tenth ` +
        `${ms(median(captures.slice(0, captures.length / 10)))}, last tenth ${ms(median(captures.slice(-captures.length / 10)))}, ` +
        `99 % ${ms(quantile(captures, 0.99))}, 99.9 % ${ms(quantile(captures, 0.999))}, slowest ${slowest.slice(0, 3).map(ms).join(', ')} ms`,
    );
    verdict(
      late <= 1.1 * early,
      `the process stays within a tenth: ${mb(early)} MB after half of them, ${mb(late)} after all`,
    );
    verdict(ours.packs < 50, `fewer than 50 packs: ${ours.packs}`);
    verdict(ours.loose < 1000, `fewer than 1,000 loose objects: ${ours.loose}`);
    verdict(ours.bytes <= 2 * theirs.bytes, `at most 2x what git gc reaches: ${ratio(ours.bytes / theirs.bytes)}`);
    await answers(size, { grown, packed, fresh });
    if (git(grown, ['fsck', '--strict', '--connectivity-only']).toString() !== '') throw new Error('git finds fault');
  }
}

async function answers(size, places) {
  const rows = [['milliseconds', 'grown', 'after git gc', `${freshSize.toLocaleString('en')} captures`, '/gc', '/new']];
  for (const what of ['capture', 'recall', 'open and recall']) {
    const entries = Object.fromEntries(
      Object.entries(places).map(([name, dir]) => [name, { as: what, options: { dir, size } }]),
    );
    const few = what === 'open and recall';
    const { times } = await inTurns(import.meta.url, entries, { rounds: few ? 5 : rounds, warmUp: few ? 1 : 40 });
    const [grown, packed, fresh] = ['grown', 'packed', 'fresh'].map((name) => median(times[name]));
    rows.push([what, ms(grown), ms(packed), ms(fresh), ratio(grown / packed), ratio(grown / fresh)]);
  }
  table(rows);
}

/** Captures notes and remembers facts as a clock of its own goes by. */
async function grow(dir, size) {
  fs.mkdirSync(dir, { recursive: true });
  const clock = { time: start, now: () => clock.time };
  const memory = await openMemory({ dir, create: true, placement: 'bare', durability: 'fast', clock });
  const captures = [];
  let early = 0;
  const began = performance.now();
  for (let number = 0; number < size; number++) {
    clock.time += pause;
    captures.push(await time(() => memory.capture(noteOf(number))));
    if (number % 10 === 9) await memory.remember({ content: textOf(number + 1_000_000, 20) });
    if (number % flushEvery === flushEvery - 1) await memory.commit();
    if (number === size >> 1) early = rssAfterCollection();
    if (process.env.GROWTH_PROGRESS && number % 5000 === 4999) {
      const { packs, bytes } = measure(dir);
      console.log(
        `  … ${number + 1}: ${((performance.now() - began) / 1000).toFixed(0)} s, ${packs} packs, ${mb(bytes)} MB`,
      );
    }
  }
  const late = rssAfterCollection();
  await memory.close();
  return { captures, seconds: (performance.now() - began) / 1000, early, late };
}

function rssAfterCollection() {
  globalThis.gc();
  return process.memoryUsage().rss;
}

const noteOf = (number) => ({ session: `ses_growth${number}`, messages: [{ role: 'user', text: textOf(number) }] });

/** Counts what native git would count, and the bytes of packs with their indexes and of loose objects. */
function measure(dir) {
  const counts = Object.fromEntries(
    git(dir, ['count-objects', '-v'])
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split(': ')),
  );
  const folder = path.join(dir, 'objects/pack');
  const files = fs.readdirSync(folder).map((name) => ({ name, bytes: fs.statSync(path.join(folder, name)).size }));
  const sum = (ending) => files.filter(({ name }) => name.endsWith(ending)).reduce((all, { bytes }) => all + bytes, 0);
  const indexBytes = sum('.idx');
  return {
    packs: Number(counts.packs),
    loose: Number(counts.count),
    indexBytes,
    bytes: sum('.pack') + indexBytes + Number(counts.size) * 1024,
  };
}

const mb = (bytes) => (bytes / 1e6).toFixed(1);

let count = process.pid * 10_000;
export const competitors = {
  capture: async ({ dir }) => {
    const memory = await openMemory({ dir });
    const run = () => {
      count += 1;
      return memory.capture(noteOf(count));
    };
    return { run, close: () => memory.close() };
  },
  recall: async ({ dir, size }) => {
    const memory = await openMemory({ dir, readOnly: true });
    return { run: (round) => memory.recall(textOf((round * 7919) % size, 3)), close: () => memory.close() };
  },
  'open and recall': async ({ dir, size }) => ({
    run: async (round) => {
      const memory = await openMemory({ dir, readOnly: true });
      await memory.recall(textOf((round * 7919) % size, 3));
      await memory.close();
    },
  }),
};
