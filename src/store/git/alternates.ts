// The object folders that a repository borrows from: `objects/info/alternates`, followed as git does, within bounds.

import { MemoryError } from '../../base/errors.ts';
import { maxAlternates, maxGitConfigBytes } from '../guard/limits.ts';
import { resolvePath } from './discovery.ts';
import type { Disk } from './disk.ts';

/**
 * Lists the object folders borrowed from, nearest first.
 *
 * One that is gone is passed over, as by git: what it held is then reported as missing. Throws UNSUPPORTED_REPOSITORY for one that
 * is no object folder of a repository of ours (`trusts`), and where they are too many.
 */
export function readAlternates(
  disk: Disk,
  commonDirectory: string,
  trusts: (path: string, owner: number) => boolean,
): string[] {
  const found: string[] = [];
  const visit = (objects: string, depth: number) => {
    const file = `${objects}/info/alternates`;
    disk.refuseLinks(objects, file);
    for (const line of (disk.readText(file, maxGitConfigBytes) ?? '').split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const path = resolvePath(objects, line);
      if (found.includes(path) || !disk.exists(path)) continue;
      const refuse = (why: string) =>
        new MemoryError('UNSUPPORTED_REPOSITORY', `${why}: ${path}`, {
          where: file,
          hint: 'If this repository is yours, copy the objects with `git repack -a -d` and remove the line',
        });
      if (depth >= maxDepth || found.length >= maxAlternates) throw refuse('too many repositories are borrowed from');
      const stat = disk.stat(path);
      // Git makes both folders with every repository.
      const isObjects = ['info', 'pack'].some((name) => disk.stat(`${path}/${name}`)?.isDirectory);
      if (!stat?.isDirectory || !isObjects) throw refuse('objects are borrowed from what is no object folder');
      if (!trusts(path, Number(stat.uid))) throw refuse("objects are borrowed from another user's repository");
      found.push(path);
      visit(path, depth + 1);
    }
  };
  visit(`${commonDirectory}/objects`, 0);
  return found;
}

const maxDepth = 5;
