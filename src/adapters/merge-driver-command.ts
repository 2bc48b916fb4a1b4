// The shell line with which git calls this program to merge one file.

import { fileURLToPath } from 'node:url';

/**
 * Gives the line for git's `merge.<name>.driver`: the program on the PATH, else this very installation, which needs no PATH, else
 * git's own merge of lines, so that a machine without git-memory can merge all the same.
 */
export function mergeDriverCommand(): string {
  // From src/, dist/ and dist/program/ alike.
  const program = shellWord(fileURLToPath(new URL('../../dist/program/main.js', import.meta.url)));
  const node = shellWord(process.execPath);
  const files = 'merge-driver %O %A %B %P';
  return [
    `if command -v git-memory >/dev/null && command -v node >/dev/null; then git-memory ${files}`,
    `elif test -x ${node} && test -f ${program}; then ${node} ${program} ${files}`,
    'else git merge-file -L ours -L base -L theirs %A %O %B',
    'fi',
  ].join('; ');
}

/** One word for the shell, in which git finds no placeholder. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`;
}
