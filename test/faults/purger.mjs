// A process that purges a text until it is killed; started by purge-kill.test.ts. Says when it begins and when it is done.

import { writeSync } from 'node:fs';
import { openMemory } from '../../dist/library/index.js';

const { dir, text } = JSON.parse(process.argv[2]);
const memory = await openMemory({ dir });
writeSync(1, 'begin\n');
await memory.purge({ text });
writeSync(1, 'done\n');
await memory.close();
