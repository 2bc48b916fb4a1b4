#!/usr/bin/env node

// The program `git-memory`, which git runs for `git memory`.

import { keepCompiled } from '../../adapters/compile-cache.ts';

// First: it counts for what is imported from here on, and that is all the rest.
keepCompiled();
const { run } = await import('./run.ts');
await run();
