// Native git as the judge: runs it without the configuration of this machine.

import { runApart } from './attendant.ts';
import { temporaryFolder } from './temporary.ts';

export const hasGit = runApart('git', ['--version']).status === 0;

const environment = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Person',
  GIT_AUTHOR_EMAIL: 'person@example.org',
  GIT_COMMITTER_NAME: 'Person',
  GIT_COMMITTER_EMAIL: 'person@example.org',
  GIT_TERMINAL_PROMPT: '0',
};

export interface GitResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git in a folder and gives back what it said. */
export function tryGit(
  directory: string,
  parameters: readonly string[],
  input?: string,
  variables: Readonly<Record<string, string>> = {},
): GitResult {
  const { status, stdout, stderr } = runApart('git', ['-C', directory, ...parameters], {
    env: { ...environment, ...variables },
    ...(input === undefined ? {} : { input }),
  });
  return { status, stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8') };
}

/** Runs git in a folder; throws when it fails. */
export function git(directory: string, ...parameters: string[]): string {
  const result = tryGit(directory, parameters);
  if (result.status !== 0) throw new Error(`git ${parameters.join(' ')} failed: ${result.stderr}${result.stdout}`);
  return result.stdout;
}

/** Makes an empty repository in a folder of its own, on the branch main. */
export function newRepository(): string {
  const folder = temporaryFolder();
  git(folder, 'init', '-q', '-b', 'main');
  return folder;
}

/** Commits all that changed in a work tree, or some paths. */
export function commitAll(directory: string, message: string, ...paths: string[]): void {
  git(directory, 'add', ...(paths.length === 0 ? ['-A'] : paths));
  git(directory, 'commit', '-qm', message);
}

/** Checks everything git can check; gives the complaint, or an empty text. */
export function fsck(directory: string): string {
  const result = tryGit(directory, ['fsck', '--strict', '--no-dangling', '--full']);
  return result.status === 0 ? '' : `${result.stdout}${result.stderr}`;
}

/** Gives what git finds wrong in a repository, or waiting in its work tree; an empty text where there is neither. */
export function blemishes(directory: string): string {
  return `${git(directory, 'status', '--porcelain')}${fsck(directory)}`;
}
