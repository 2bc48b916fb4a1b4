// Sets the modes of what the engine makes, and finds what other users of this machine may reach.

import type { RepositoryLayout } from './discovery.ts';
import type { Disk } from './disk.ts';

/** Of folders that hold what people said and nobody else has to read. What is inside needs no modes of its own. */
export const privateMode = 0o700;

/** The folders of a repository, where they are. */
interface Places extends RepositoryLayout {
  readonly disk: Disk;
  readonly ownDirectory: string;
}

/** Finds folders of the repository in which any user of this machine may put files; Windows has no such modes. */
export function openFolders({ disk, gitDirectory, commonDirectory, workTree, ownDirectory }: Places): string[] {
  if (process.platform === 'win32') return [];
  const folders = [
    gitDirectory,
    commonDirectory,
    `${commonDirectory}/refs`,
    `${commonDirectory}/objects`,
    ownDirectory,
  ];
  return [...new Set(workTree === null ? folders : [workTree, ...folders])].filter((path) => {
    const mode = disk.fs.statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & 0o002) !== 0;
  });
}
