// When a branch and a remote were last in step: a note beside the caches, which may be lost.

import type { Repository } from '../../store/git/repository.ts';
import { maxLineFileBytes } from '../../store/guard/limits.ts';

function pathOf({ ownDirectory }: Repository, remote: string, ref: string): string {
  return `${ownDirectory}/cache/sync/${encodeURIComponent(`${remote} ${ref}`)}`;
}

/** Notes a time, in milliseconds since the Unix epoch. */
export function noteSync(repository: Repository, remote: string, ref: string, now: number): void {
  const { disk } = repository;
  const path = pathOf(repository, remote, ref);
  disk.makeDirectory(path.slice(0, path.lastIndexOf('/')));
  disk.replace(path, [Buffer.from(`${now}\n`)], { sync: false, removesOld: true });
}

/** Gives when that was; null when nobody knows. */
export function lastSync(repository: Repository, remote: string, ref: string): number | null {
  const text = repository.disk.readText(pathOf(repository, remote, ref), maxLineFileBytes) ?? '';
  return /^\d{1,15}\n$/.test(text) ? Number(text) : null;
}
