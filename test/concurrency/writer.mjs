// One of several processes that write to the same memory at once; started by contention.test.ts.
// Says `ready`, waits for the word to begin, reports every acknowledged call as a message, and exits when its work is done or
// it is told to stop.

import { openMemory } from '../../dist/library/index.js';

const {
  dir,
  name,
  captures = 0,
  remembers = 0,
  touches = 0,
  events = 0,
  changes = 0,
  pauseMs,
} = JSON.parse(process.argv[2]);
const memory = await openMemory({ dir, lockWaitMs: 60_000 });
await new Promise((resolve) => {
  process.once('message', resolve);
  process.send({ ready: true });
});
let isOver = false;
process.once('message', () => {
  isOver = true;
});
for (let number = 0; number < Math.max(captures, remembers, touches, events, changes) && !isOver; number++) {
  if (pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs * Math.random() * 2));
  if (number < captures) {
    const text = `${name} says number ${number}.`;
    const { path, commit } = await memory.capture({
      session: `ses_${name}_${number}`,
      messages: [{ role: 'user', text }],
    });
    process.send({ kind: 'capture', path, commit, text });
  }
  if (number < remembers) {
    const text = `${name} remembers number ${number}.`;
    const { path } = await memory.remember({ id: `${name}-${number}`, content: text });
    process.send({ kind: 'remember', path, text });
  }
  if (number < events) {
    const text = `${name} promises number ${number}.`;
    const { id, path, commit } = await memory.ledger.add({ type: 'commitment', content: text, agent: name });
    process.send({ kind: 'event', path, commit, text, id });
  }
  if (number < changes) {
    const text = `${name} does number ${number}.`;
    const { id, path, commit } = await memory.project.change({
      type: 'decision',
      scope: name,
      summary: text,
      agent: name,
    });
    process.send({ kind: 'change', path, commit, text, id });
  }
  if (number < touches) {
    const { path } = await memory.records.touch('touched', { boost: true });
    process.send({ kind: 'touch', path, text: '"touched"' });
  }
}
await memory.close();
process.disconnect();
