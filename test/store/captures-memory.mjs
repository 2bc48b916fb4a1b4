// A process that captures and says how much it keeps; started by captures-memory.test.ts with --expose-gc.

import { openMemory } from '../../dist/library/index.js';

const [dir, ...stops] = process.argv.slice(2);
let time = Date.parse('2026-01-01T00:00:00Z');
const memory = await openMemory({
  dir,
  create: true,
  placement: 'bare',
  durability: 'fast',
  clock: { now: () => time },
});
for (let count = 1; count <= Number(stops.at(-1)); count++) {
  // A hundred a day; each twentieth is a conversation of twenty turns.
  time += 864_000;
  const turns = count % 20 === 0 ? 20 : 1;
  const messages = Array.from({ length: turns }, (_, turn) => ({
    role: 'user',
    text: `Note ${count}.${turn}: tea is green`,
  }));
  await memory.capture({ messages });
  if (stops.includes(String(count))) {
    globalThis.gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    console.log(heapUsed + arrayBuffers);
  }
}
await memory.close();
