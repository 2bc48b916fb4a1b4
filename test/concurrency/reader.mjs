// Another process that reads one file of a memory; started by read-your-write.test.ts. Prints the text, or null.

import { openMemory } from '../../dist/library/index.js';

const { dir, path } = JSON.parse(process.argv[2]);
const memory = await openMemory({ dir, readOnly: true });
const text = (await memory.files()).includes(path) ? await memory.read(path) : null;
process.stdout.write(JSON.stringify(text));
await memory.close();
