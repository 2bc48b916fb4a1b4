// Being called by git: `git memory`, `git -C dir memory`, `git --git-dir=… memory`, and from hooks.

import { basename, dirname, resolve } from 'node:path';

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
export function hookIndex(
  environment: Readonly<Record<string, string | undefined>>,
  current: string,
): string | undefined {
  return environment.GIT_INDEX_FILE ? resolve(current, environment.GIT_INDEX_FILE) : undefined;
}

/** Takes the variables of one repository out of an environment, in place. */
export function forgetRepository(environment: Record<string, string | undefined>): void {
  for (const name of repositoryVariables) delete environment[name];
}
