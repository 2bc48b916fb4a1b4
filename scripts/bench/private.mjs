// What private paths cost: the same work on a memory without and on one that encrypts everything, in turns, as processor time.

import path from 'node:path';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, ratio, table } from './measure.mjs';
import { textOf } from './repositories.mjs';

const size = 1000;
const rounds = 60;
const warmUp = 10;
const coldRounds = 5;
const paths = ['raw/**', 'memories/**', 'relations/**', 'knowledge/**', 'state/**', 'boxes/**', 'ledger/**'];

/** Milliseconds of processor time, of all threads of this process. */
async function cpuOf(action) {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function keyStore() {
  const texts = [];
  return { place: 'this bench', read: () => texts, add: (text) => void texts.push(text) };
}

async function filled(dir, isPrivate) {
  const options = { dir, keys: keyStore(), model: null };
  const memory = await openMemory({ ...options, create: true, placement: 'bare' });
  if (isPrivate) await memory.keys.new({ paths });
  for (let number = 0; number < size; number++) {
    await memory.remember({ id: `m${number}`, content: textOf(number, 20) });
  }
  await memory.commit();
  return { options, memory };
}

const actions = {
  capture: (memory, round) =>
    memory.capture({ session: `ses_${round}`, messages: [{ role: 'user', text: textOf(1_000_000 + round, 60) }] }),
  'remember and its commit': async (memory, round) => {
    await memory.remember({ id: `r${round}`, content: textOf(2_000_000 + round, 20) });
    await memory.commit();
  },
  recall: (memory, round) => memory.recall(textOf(round, 3)),
  list: (memory) => memory.list(),
};

export async function benchPrivate({ root }) {
  heading(`private paths at ${size.toLocaleString('en')} memories, milliseconds of processor time`);
  const sides = {
    open: await filled(path.join(root, 'open'), false),
    private: await filled(path.join(root, 'private'), true),
  };
  const rows = [['', 'open', 'private', 'private/open']];
  const add = (name, times) =>
    rows.push([
      name,
      ms(median(times.open)),
      ms(median(times.private)),
      ratio(median(times.private) / median(times.open)),
    ]);
  for (const [name, action] of Object.entries(actions)) {
    const times = { open: [], private: [] };
    for (let round = 0; round < rounds + warmUp; round++) {
      const order = round % 2 === 0 ? ['open', 'private'] : ['private', 'open'];
      for (const side of order) {
        const spent = await cpuOf(() => action(sides[side].memory, round));
        if (round >= warmUp) times[side].push(spent);
      }
    }
    add(name, times);
  }
  const cold = { open: [], private: [] };
  for (const { memory } of Object.values(sides)) await memory.close();
  for (let round = 0; round < coldRounds; round++) {
    for (const side of ['open', 'private']) {
      const spent = await cpuOf(async () => {
        const memory = await openMemory({ ...sides[side].options, readOnly: true });
        await memory.recall(textOf(round, 3));
        await memory.close();
      });
      cold[side].push(spent);
    }
  }
  add('open and first recall', cold);
  table(rows);
  console.log(
    '  Nothing of a private memory is cached on the disk, so that the first recall of a process reads every text.',
  );
}
