// One run of the program: from its arguments to its exit number.

import { basename, dirname, resolve } from 'node:path';
import { exitNumberOfFailure } from '../exit-codes.ts';
import { printError } from './execute.ts';
import { runProgram } from './program.ts';

/** Does what the arguments of this process ask for, and sets its exit number. */
export async function run(): Promise<void> {
  // A reader that has seen enough, such as head, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  // A reader of warnings that went away stops nothing.
  process.stderr.on('error', () => undefined);
  // No handler for SIGINT: it would only make a synchronous process deaf. A killed one loses nothing acknowledged, and the next one tidies up.
  const args = process.argv.slice(2);
  const start = startDirectory(process.env, process.cwd());
  const gitIndex = hookIndex(process.env, process.cwd());
  forgetRepository(process.env);
  // An agent waits for its hooks: they go without a parser of options.
  if (args.length === 1 && args[0] === 'hook') return (await import('./run-hook.ts')).runHook(start);
  // What is thrown where nobody waits for it ends a command as any failure does, and costs a server one warning.
  process.on('uncaughtException', (error) => {
    printError(error, args.includes('--json'));
    if (args[0] !== 'mcp' && args[0] !== 'ui') process.exit(exitNumberOfFailure(args[0], error));
  });
  try {
    process.exitCode = await runProgram(args, start, gitIndex);
  } catch (error) {
    printError(error, args.includes('--json'));
    process.exitCode = exitNumberOfFailure(args[0], error);
  }
}

// Being called by git: `git memory`, `git -C dir memory`, `git --git-dir=… memory`, and from hooks.

/** Variables with which git tells its children about a repository; they must not reach another one. */
const repositoryVariables = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
];

/**
 * Finds the folder to look for a memory in when no `--dir` was given.
 *
 * `GIT_WORK_TREE`, else the folder of a `GIT_DIR` that `git --git-dir=…` or a hook has set, else the current folder. The git
 * directory of a linked work tree says nothing about where its files are: git starts us inside, so the current folder is right.
 */
export function startDirectory(environment: Readonly<Record<string, string | undefined>>, current: string): string {
  if (environment.GIT_WORK_TREE) return resolve(current, environment.GIT_WORK_TREE);
  if (!environment.GIT_DIR) return current;
  const gitDirectory = resolve(current, environment.GIT_DIR);
  if (/[\\/]worktrees[\\/][^\\/]+$/.test(gitDirectory)) return current;
  return basename(gitDirectory) === '.git' ? dirname(gitDirectory) : gitDirectory;
}

/** Finds the index that a commit in progress uses, when git runs us from a hook: with `commit -a` it is not the usual one. */
function hookIndex(environment: Readonly<Record<string, string | undefined>>, current: string): string | undefined {
  return environment.GIT_INDEX_FILE ? resolve(current, environment.GIT_INDEX_FILE) : undefined;
}

/** Takes the variables of one repository out of an environment, in place. */
export function forgetRepository(environment: Record<string, string | undefined>): void {
  for (const name of repositoryVariables) delete environment[name];
}
