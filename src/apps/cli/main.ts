// The program as it is compiled file by file; what is installed begins in start.cjs.

import { run } from './run.ts';

await run();
