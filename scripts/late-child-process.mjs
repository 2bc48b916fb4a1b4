// Stands for node:child_process in the bundled program: few commands start a process, and none should wait for what that takes to load.

import { createRequire } from 'node:module';

const late = createRequire(import.meta.url);
const load = () => late('node:child_process');

export const fork = (...given) => load().fork(...given);
export const spawn = (...given) => load().spawn(...given);
