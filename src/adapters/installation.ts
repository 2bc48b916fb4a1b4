// Where this very installation lies, for what git runs later: `git-memory` need not be on the PATH then.

import { fileURLToPath } from 'node:url';

/** Gives the words of a shell that run this program: the runtime and the program, from src/, dist/ and dist/program/ alike. */
export function installedProgram(): { readonly node: string; readonly program: string } {
  const { node, program } = installedPaths();
  return { node: shellWord(node), program: shellWord(program) };
}

/** Gives the paths of the runtime and of the program as they are. */
export function installedPaths(): { readonly node: string; readonly program: string } {
  return { node: process.execPath, program: fileURLToPath(new URL('../../dist/program/main.js', import.meta.url)) };
}

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
