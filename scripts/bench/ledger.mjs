// A ledger of 10,000 events over a year. Measured are appending one more and what is asked of all of them, beside the floor of reading the
// files.

import fs from 'node:fs';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, quiet, table, time, verdict } from './measure.mjs';

const count = 10_000;
const types = ['fact', 'decision', 'preference', 'commitment', 'constraint', 'procedure', 'relationship'];
const start = Date.UTC(2025, 0, 1);

/** The segments of a year, 28 events a day: path → text; nearly all commitments are closed by a later one. */
function segments() {
  const files = new Map();
  const open = [];
  for (let number = 0; number < count; number++) {
    const day = new Date(start + Math.floor(number / 28) * 86_400_000).toISOString().slice(0, 10);
    const id = `EVT-${day.replaceAll('-', '')}-${String((number % 28) + 1).padStart(3, '0')}`;
    const type = types[number % 7];
    const isClosing = type === 'commitment' && number % 21 !== 3 && open.length > 0;
    const event = {
      ts: `${day}T08:${String(number % 28).padStart(2, '0')}:00Z`,
      id,
      type,
      priority: number % 97 === 0 ? 'P0' : `P${1 + (number % 3)}`,
      content: `Number ${number}: the budget of office ${number % 50} moved on, and somebody should know about it`,
      entity: `office_${number % 50}`,
      source: 'live',
      ...(isClosing ? { related: [open.shift()], status: 'closed' } : type === 'commitment' ? { status: 'open' } : {}),
    };
    if (type === 'commitment' && !isClosing) open.push(id);
    const path = `ledger/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.jsonl`;
    files.set(path, `${files.get(path) ?? ''}${JSON.stringify(event)}\n`);
  }
  return files;
}

async function newMemory(dir, files) {
  let now = start + 366 * 86_400_000;
  const clock = { now: () => (now += 10) };
  const memory = await openMemory({ dir, create: true, clock });
  for (const [path, text] of files) await memory.write(path, text);
  await memory.commit();
  return { memory, clock };
}

async function appends(memory, rounds) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    times.push(
      await time(() =>
        memory.ledger.add({ type: 'decision', content: `Decision ${round} of a long day, in a few words` }),
      ),
    );
  }
  return times;
}

export async function benchLedger({ root }) {
  heading(`${count.toLocaleString('en')} events over a year, milliseconds`);
  fs.mkdirSync(root, { recursive: true });
  const files = segments();
  const { memory: small } = await newMemory(`${root}/small`, new Map());
  const { memory: big, clock } = await newMemory(`${root}/big`, files);
  const few = await appends(small, 100);
  const many = await appends(big, 100);
  await appends(big, 800);
  const late = await appends(big, 100);
  await small.close();
  await big.close();
  const cold = async (ask) => {
    const memory = await openMemory({ dir: `${root}/big`, clock });
    const times = [await time(() => ask(memory))];
    for (let round = 0; round < 5; round++) times.push(await time(() => ask(memory)));
    await memory.close();
    return times;
  };
  const asked = {
    'open loops': await cold((memory) => memory.ledger.loops()),
    integrity: await cold((memory) => memory.ledger.check()),
    pack: await cold((memory) => memory.pack()),
  };
  const memory = await openMemory({ dir: `${root}/big`, clock });
  const rebuild = await time(() => memory.maintenance.run({ tasks: ['ledger-rebuild'] }));
  await memory.close();
  const floor = await time(() => {
    for (const path of files.keys()) {
      for (const line of fs.readFileSync(`${root}/big/${path}`, 'utf8').trimEnd().split('\n')) JSON.parse(line);
    }
  });
  table([
    ['', 'median', 'quiet'],
    ['append, behind none', ms(median(few)), ms(quiet(few))],
    ['append, behind 10,000 of other days', ms(median(many)), ms(quiet(many))],
    ['append, behind 900 of the same day', ms(median(late)), ms(quiet(late))],
    ['reading and parsing the files', ms(floor), ''],
    ...Object.entries(asked).flatMap(([name, [first, ...again]]) => [
      [`${name}, first`, ms(first), ''],
      [`${name}, again`, ms(median(again)), ''],
    ]),
    ['full rebuild, with its commit', ms(rebuild), ''],
  ]);
  verdict(median(many) < 5, `appends in under 5 ms: ${ms(median(many))} ms`);
  verdict(median(late) < 10, `appends to a day of 900 events in under 10 ms: ${ms(median(late))} ms`);
  for (const [name, [first]] of Object.entries(asked)) verdict(first < 200, `${name} in under 200 ms: ${ms(first)} ms`);
  verdict(rebuild < 1000, `full rebuild in under 1 s: ${ms(rebuild)} ms`);
}
