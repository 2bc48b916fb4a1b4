// Puts the git hooks of the package where native git looks for them, and never over a hook of somebody else.

import { MemoryError } from '../../base/errors.ts';
import { readConfigFile } from '../../store/git/config-file.ts';
import { join, resolvePath } from '../../store/git/discovery.ts';
import type { Repository } from '../../store/git/repository.ts';
import { maxGitConfigBytes } from '../../store/guard/limits.ts';

/** By this line a hook of ours is known, in any version. */
const mark = '# Installed by `git memory hooks install`';

/** What a person can add to a hook of his own. */
const lines: Readonly<Record<string, string>> = {
  'pre-commit': 'git-memory hooks pre-commit',
  'post-commit': 'git-memory hooks post-commit </dev/null >&2',
  'post-merge': 'git-memory hooks post-merge </dev/null >&2',
  'post-rewrite': 'git-memory hooks post-rewrite >&2',
};

export interface InstalledHooks {
  /** Paths that were written, or held the same text already. */
  readonly installed: readonly string[];
  /** Hooks of somebody else that stay, with the line that would do there what ours does. Absent when there are none. */
  readonly left?: readonly { readonly path: string; readonly line: string }[];
}

/** A hook to install: its name in git, and its script. */
export interface HookScript {
  readonly name: string;
  readonly text: string;
  /** Whether it only prepares what would be done later anyway; then nothing is lost where it cannot be installed. */
  readonly isBackground: boolean;
}

/**
 * Installs hooks where native git looks for them: in the folder of the repository, or the one that `core.hooksPath` names. `userHooksPath` is
 * what the user's own configuration says of that.
 *
 * Throws ALREADY_EXISTS before anything is written when somebody else has a hook that is more than a convenience. Throws
 * UNSUPPORTED_REPOSITORY when the folder is not one of this repository alone.
 */
export function installHooks(
  repository: Repository,
  hooks: readonly HookScript[],
  userHooksPath?: string,
): InstalledHooks {
  const { disk } = repository;
  const folder = hooksFolder(repository, userHooksPath);
  const targets = hooks.map((hook) => ({ ...hook, path: `${folder}/${hook.name}` }));
  const foreign = targets.filter(({ path }) => disk.readText(path)?.includes(mark) === false);
  const refusing = foreign.find(({ isBackground }) => !isBackground);
  if (refusing !== undefined) {
    const hint = `Add the line \`${lines[refusing.name]}\` to it instead`;
    throw new MemoryError('ALREADY_EXISTS', 'another hook is in the way', { where: refusing.path, hint });
  }
  const ours = targets.filter((target) => !foreign.includes(target));
  disk.makeDirectory(folder);
  for (const { path, text } of ours) {
    if (disk.readText(path) === text) continue;
    disk.replace(path, [Buffer.from(text)], { beside: `${path}.`, mode: 0o755 });
  }
  const left = foreign.map(({ path, name }) => ({ path, line: lines[name]! }));
  return { installed: ours.map(({ path }) => path), ...(left.length === 0 ? {} : { left }) };
}

/** The state of a hook of the package in a repository: as it should be, of another version, of somebody else, or not there. */
export interface HookState {
  readonly name: string;
  readonly path: string;
  readonly state: 'installed' | 'old' | 'foreign' | 'missing';
}

/** Tells how each hook stands where native git looks for it. Throws UNSUPPORTED_REPOSITORY as {@link installHooks}. */
export function hookStates(
  repository: Repository,
  hooks: readonly HookScript[],
  userHooksPath: string | undefined,
): HookState[] {
  const folder = hooksFolder(repository, userHooksPath);
  return hooks.map(({ name, text }) => {
    const path = `${folder}/${name}`;
    const stat = repository.disk.stat(path);
    if (stat === null) return { name, path, state: 'missing' };
    const found = stat.isFile ? (repository.disk.readText(path, maxGitConfigBytes) ?? '') : '';
    if (found === text) return { name, path, state: 'installed' };
    return { name, path, state: found.includes(mark) ? 'old' : 'foreign' };
  });
}

/** Finds the folder in which native git looks: https://git-scm.com/docs/git-config#Documentation/git-config.txt-corehooksPath */
function hooksFolder(repository: Repository, userHooksPath: string | undefined): string {
  const { disk, commonDirectory, gitDirectory, workTree } = repository;
  const config = `${commonDirectory}/config`;
  const own = readConfigFile(disk, config).get('core.hookspath')?.at(-1);
  const named = own ?? userHooksPath;
  if (named === undefined || named === '') return `${commonDirectory}/hooks`;
  const folder = resolvePath(workTree ?? gitDirectory, named);
  const root = [commonDirectory, workTree].find((one) => one !== null && `${folder}/`.startsWith(`${one}/`));
  if (root === undefined || root === null || leadsAway(repository, root, folder)) {
    const what = 'git runs the hooks of a folder that is not of this repository alone';
    const hint = `core.hooksPath names it. Add to pre-commit there: ${lines['pre-commit']}`;
    throw new MemoryError('UNSUPPORTED_REPOSITORY', what, { where: folder, hint });
  }
  return folder;
}

function leadsAway({ disk }: Repository, root: string, folder: string): boolean {
  let path = root;
  for (const name of folder.slice(root.length).split('/')) {
    path = join(path, name === '' ? '.' : name);
    if (disk.stat(path)?.isSymbolicLink === true && path !== root) return true;
  }
  return false;
}
