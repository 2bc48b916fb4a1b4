// What V8 makes of the program's code is kept between commands: compiling it is a good part of what one takes from cold.

import module from 'node:module';
import path from 'node:path';
import { userCache } from './user-cache.ts';

/** Since Node 22.8, https://nodejs.org/api/module.html#moduleenablecompilecachecachedir */
interface Compiling {
  enableCompileCache?(folder?: string): unknown;
}

/**
 * Keeps compiled code in the user's cache, where Node can: in a folder of our own, since Node's is one that all users of a machine share.
 * What is imported from then on is kept. `NODE_COMPILE_CACHE` names another folder, `NODE_DISABLE_COMPILE_CACHE=1` keeps nothing.
 */
export function keepCompiled(environment: NodeJS.ProcessEnv = process.env): void {
  const { enableCompileCache } = module as Compiling;
  try {
    enableCompileCache?.(environment.NODE_COMPILE_CACHE ?? path.join(userCache(environment), 'compiled'));
  } catch {
    // A user without a home has no cache either; commands are as quick as before.
  }
}
