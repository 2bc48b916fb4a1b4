// Where this very installation lies, for what git runs later: `git-memory` need not be on the PATH then.

import { fileURLToPath } from 'node:url';

/** Gives the words of a shell that run this program: the runtime and the program, from src/, dist/ and dist/program/ alike. */
export function installedProgram(): { readonly node: string; readonly program: string } {
  return {
    node: shellWord(process.execPath),
    program: shellWord(fileURLToPath(new URL('../../dist/program/main.js', import.meta.url))),
  };
}

/** Makes one word for the shell. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
