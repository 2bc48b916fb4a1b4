// Keeping derived files within bounds: what dead processes left, and the folders of versions that nobody uses any more.

import { MemoryError } from '../base/errors.ts';
import type { Disk } from '../store/git/disk.ts';

const staleNs = 3_600_000_000_000n;

/** Removes unfinished files (`tmp-…`) that are an hour older than the `latest` one. */
export function sweepTemporary(disk: Disk, directory: string, latest: string): void {
  const now = disk.stat(`${directory}/${latest}`)?.mtimeNs ?? 0n;
  for (const name of disk.list(directory)) {
    if (!name.startsWith('tmp-')) continue;
    const path = `${directory}/${name}`;
    const stat = disk.stat(path);
    if (stat !== null && stat.mtimeNs < now - staleNs) disk.removeQuietly(path);
  }
}

/** Leaves, of the folders below `parent`, `own` and the `count` others in which something was written last; the rest is removed. */
export function keepNewestFolders(disk: Disk, parent: string, own: string, count: number): void {
  const others = disk
    .list(parent)
    .map((name) => `${parent}/${name}`)
    .filter((path) => path !== own && disk.stat(path)?.isDirectory === true);
  if (others.length <= count) return;
  const writtenAt = (path: string): bigint =>
    disk.list(path).reduce((latest, name) => {
      const at = disk.stat(`${path}/${name}`)?.mtimeNs ?? 0n;
      return at > latest ? at : latest;
    }, 0n);
  const sorted = others
    .map((path) => ({ path, at: writtenAt(path) }))
    .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  for (const { path } of sorted.slice(count)) removeFolder(disk, path);
}

/** Removes a folder of files. */
export function removeFolder(disk: Disk, path: string): void {
  for (const name of disk.list(path)) disk.removeQuietly(`${path}/${name}`);
  try {
    disk.fs.rmdirSync(path);
  } catch {
    // Somebody has put something there.
  }
}

/** Says why a file could not be read or written. */
export function messageOf(error: unknown): string {
  return error instanceof MemoryError ? error.what : (error as Error).message;
}
