// Puts the git hooks of the package into a repository, and never over a hook of somebody else.

import { MemoryError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';

/** By this line a hook of ours is known, in any version. */
const mark = '# Installed by `git memory hooks install`';

export interface InstalledHooks {
  /** Paths that were written, or held the same text already. */
  readonly installed: readonly string[];
}

/** A hook to install: its name in git, and its script. */
export interface HookScript {
  readonly name: string;
  readonly text: string;
}

/** Installs hooks; throws ALREADY_EXISTS before anything is written when a foreign one is in the way. */
export function installHooks(repository: Repository, hooks: readonly HookScript[]): InstalledHooks {
  const { disk, commonDirectory } = repository;
  const folder = `${commonDirectory}/hooks`;
  const targets = hooks.map(({ name, text }) => ({ path: `${folder}/${name}`, text }));
  for (const { path } of targets) {
    const present = disk.readText(path);
    if (present === null || present.includes(mark)) continue;
    throw new MemoryError('ALREADY_EXISTS', 'a hook of somebody else is in the way', {
      where: path,
      hint: `Add the line \`git-memory hooks ${path.split('/').at(-1)}\` to it instead`,
    });
  }
  disk.makeDirectory(folder);
  for (const { path, text } of targets) {
    if (disk.readText(path) === text) continue;
    const temporary = disk.temporaryName(`${path}.`);
    disk.writeNew(temporary, [Buffer.from(text)], { mode: 0o755 });
    disk.rename(temporary, path);
  }
  return { installed: targets.map(({ path }) => path) };
}
