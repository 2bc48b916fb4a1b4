// The shell lines with which git calls this program: to merge one file, and to encrypt and decrypt private ones.

import { installedProgram } from './installation.ts';

/** Gives the line for `merge.<name>.driver`: the program on the PATH, else this installation, else git's own merge of lines. */
export function mergeDriverCommand(): string {
  const { node, program } = installedProgram();
  // Git reads % as the beginning of a placeholder.
  const here = [node, program].map((word) => word.replaceAll('%', '%%'));
  const files = 'merge-driver %O %A %B %P';
  return [
    `if command -v git-memory >/dev/null && command -v node >/dev/null; then git-memory ${files}`,
    `elif test -x ${here[0]} && test -f ${here[1]}; then ${here.join(' ')} ${files}`,
    'else git merge-file -L ours -L base -L theirs %A %O %B',
    'fi',
  ].join('; ');
}

/** Gives the lines for `filter.<name>.process` and `diff.<name>.textconv`. Where our program is nowhere, git says so and stores nothing. */
export function filterCommands(): { readonly process: string; readonly textconv: string } {
  const { node, program } = installedProgram();
  const run = (mode: string) =>
    `if command -v git-memory >/dev/null && command -v node >/dev/null; then exec git-memory filter ${mode}; else exec ${node} ${program} filter ${mode}; fi`;
  // Git puts the name of the file behind a textconv as one more word.
  return { process: run('process'), textconv: `f() { ${run('textconv "$1"')}; }; f` };
}
