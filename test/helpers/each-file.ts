// What holds for every file of tests: modules are shared between the files of a process, so what a file needs anew is set up here.

import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary.ts';

// The model that somebody chose on this machine ranks in no test.
process.env.XDG_DATA_HOME = '/dev/null';

afterAll(removeTemporaryFolders);

// In CI the properties of fast-check are tried with the same cases each time, as faults are: a change is judged by itself, and new cases are
// found where somebody looks. Elsewhere each run draws new ones.
if (process.env.CI) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: 2 });
}
