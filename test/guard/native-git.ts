// Asks the git program what it thinks, for tests in which git is the judge. Not a test itself.

import { spawnSync } from 'node:child_process';

/** Tells whether there is a git program to ask. */
export const hasGit = spawnSync('git', ['--version']).status === 0;

/** Runs git away from any configuration of the machine, and gives what it printed and whether it agreed. */
export function git(args: readonly string[], input = ''): { ok: boolean; output: string } {
  const run = spawnSync('git', args, {
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/nonexistent' },
  });
  return { ok: run.status === 0, output: run.stdout };
}
