// A process that works on a memory until it is killed; started by kill.test.ts.
// Each line on standard output is one call: `{"try":…}` before it, `{"done":…}` once it was awaited.

import { writeSync } from 'node:fs';
import { openMemory } from '../../dist/index.js';

const { dir, round } = JSON.parse(process.argv[2]);
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const memory = await openMemory({ dir });
let number = 0;
const captured = [];

async function call(intent, action) {
  say({ try: intent });
  say({ done: { ...intent, ...(await action()) } });
}

for (;;) {
  number += 1;
  const name = `r${round}n${number}`;
  await call({ call: 'capture', name, text: `Captured as ${name}.` }, async () => {
    const { path, commit } = await memory.capture({
      session: `ses_${name}`,
      messages: [{ role: 'user', text: `Captured as ${name}.` }],
    });
    captured.push(commit);
    return { path, commit };
  });
  for (const part of ['a', 'b']) {
    const id = `${name}${part}`;
    await call({ call: 'remember', id, text: `Remembered as ${id}.` }, async () => {
      const { path } = await memory.remember({ id, content: `Remembered as ${id}.` });
      return { path };
    });
  }
  const session = await memory.startSession({ session: `ses_talk_${name}`, topic: `talk ${name}` });
  for (const word of ['first', 'second']) {
    const text = `The ${word} message of ${name}.`;
    await call({ call: 'message', path: session.path, text }, async () => {
      await session.message('user', text);
      return {};
    });
  }
  // Long enough for the work tree to follow what is pending.
  if (number % 2 === 1) await new Promise((resolve) => setTimeout(resolve, 25));
  if (number % 2 === 0)
    await call({ call: 'end', path: session.path }, async () => ({ commit: (await session.end()).commit }));
  if (number % 3 === 1) await call({ call: 'commit' }, async () => ({ commits: (await memory.commit()).commits }));
  if (number % 3 === 2) {
    const undone = captured.shift();
    await call({ call: 'undo', undone }, async () => ({ commit: (await memory.undo(undone)).commit }));
  }
}
