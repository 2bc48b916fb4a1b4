// Looks at other programs' stores, which it never changes: that of Git LFS, and the repositories of submodules.

import { filesBelow } from '../../store/git/files-below.ts';
import type { ObjectDatabase } from '../../store/git/object-database.ts';
import type { Repository } from '../../store/git/repository.ts';
import type { Needles } from './needles.ts';

interface Left {
  readonly where: string;
  readonly why: string;
}

/** A pointer has three lines and no more than some 200 bytes (git-lfs, docs/spec.md). */
const maxPointerBytes = 1024;
const pointer =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v\d+\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n/;
const maxLookedAt = 64 << 20;

/** Finds what pointers among these objects stand for: the ids of files in the store of Git LFS. */
export function largeFilesOf(objects: ObjectDatabase, oids: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const oid of oids) {
    const { type, data } = objects.read(oid);
    if (type !== 'blob' || data.length > maxPointerBytes) continue;
    const id = pointer.exec(data.toString('latin1'))?.[1];
    if (id !== undefined) found.add(id);
  }
  return found;
}

/** Lists files of Git LFS on this machine that were pointed at by what goes, or hold what is to go. */
export function leftInLargeFiles(
  { disk, commonDirectory }: Repository,
  needles: Needles,
  pointed: ReadonlySet<string>,
): Left[] {
  const root = `${commonDirectory}/lfs/objects`;
  const left: Left[] = [];
  for (const { path: where, stat } of filesBelow(disk, root)) {
    if (!stat.isFile) continue;
    const isPointedAt = pointed.has(where.slice(where.lastIndexOf('/') + 1));
    const bytes = isPointedAt || stat.size > maxLookedAt ? null : disk.read(where, maxLookedAt);
    if (!isPointedAt && (bytes === null || !needles.isIn(bytes))) continue;
    left.push({ where, why: `a file of Git LFS; nothing of git leads to it now, so remove it: \`rm '${where}'\`` });
  }
  return left;
}

/** Lists the repositories of submodules, which are memories or code of their own. */
export function submodulesOf({ disk, commonDirectory }: Repository): Left[] {
  const found: Left[] = [];
  const visit = (folder: string): void => {
    for (const name of disk.list(folder)) {
      const where = `${folder}/${name}`;
      if (disk.stat(where)?.isDirectory !== true) continue;
      // The name of a submodule may have slashes.
      if (!disk.exists(`${where}/HEAD`)) visit(where);
      else {
        const why = `the repository of a submodule, which was not looked into: \`git memory purge --dir '${where}' …\``;
        found.push({ where, why });
      }
    }
  };
  visit(`${commonDirectory}/modules`);
  return found;
}
