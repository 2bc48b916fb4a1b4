// Runs an experiment in a process of its own, slowly enough to be killed within; says how far it is, and when it is done.

import { pathToFileURL } from 'node:url';

const [program, dir] = process.argv.slice(2);
const { openMemory } = await import(pathToFileURL(program).href);
const memory = await openMemory({ dir, model: null });
const onProgress = ({ done }) => {
  process.stdout.write(`${done}\n`);
  // Whoever kills it needs a moment to read; what follows is the work on files.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
};
process.stdout.write('begin\n');
await memory.experiments.run('killed', { checkpoint: 2, onProgress });
process.stdout.write('done\n');
// Closing would commit what waits on the open branch, which is not what is looked at here.
memory.dispose();
