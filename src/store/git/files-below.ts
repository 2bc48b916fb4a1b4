// Lists the files below a folder, however deep.

import type { Disk, FileStat } from './disk.ts';

/** Lists what is no folder below a folder, with what the file system says of it; no link is followed. A folder that is missing has nothing. */
export function* filesBelow(disk: Disk, folder: string): Generator<{ readonly path: string; readonly stat: FileStat }> {
  for (const name of disk.list(folder)) {
    const path = `${folder}/${name}`;
    const stat = disk.stat(path);
    if (stat?.isDirectory) yield* filesBelow(disk, path);
    else if (stat !== null) yield { path, stat };
  }
}
