// Lists the other memories that a repository looks into, beside the caches and never in the tree. Paths of one machine say nothing on another;
// and a list that comes with a sync could point our reads at any folder.

import { formatJson, isJsonObject, parseJson } from '../base/canonical-json.ts';
import { defined, MemoryError } from '../base/errors.ts';
import type { MountInput } from '../base/types.ts';
import type { Repository } from './git/repository.ts';
import { maxLineFileBytes } from './guard/limits.ts';
import { mountFolder } from './guard/path.ts';

/** Another memory that is looked into. */
export type Mount = MountInput;

export const mountListOf = ({ ownDirectory }: Repository): string => `${ownDirectory}/mounts.json`;

export const hasMounts = (repository: Repository): boolean => repository.disk.stat(mountListOf(repository)) !== null;

/** Lists what is mounted, by name. Throws INVALID_CONFIG for a list that cannot be read. */
export function readMounts(repository: Repository): readonly Mount[] {
  const path = mountListOf(repository);
  const text = repository.disk.readText(path, maxLineFileBytes);
  if (text === null) return [];
  const value = parseJson(text, path);
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return entries.map(([name, entry]) => {
    const { dir, at } = isJsonObject(entry) ? entry : {};
    if (!isMountName(name) || typeof dir !== 'string' || (at !== undefined && typeof at !== 'string')) {
      const hint = 'Remove the file, and mount again with `git memory mount`';
      throw new MemoryError('INVALID_CONFIG', `${name} is not a mount`, { where: path, hint });
    }
    return { name, dir, ...defined({ at }) };
  });
}

/** Writes the list, whole or not at all. */
export function writeMounts(repository: Repository, mounts: readonly Mount[]): void {
  const { disk } = repository;
  const path = mountListOf(repository);
  const sorted = [...mounts].sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = formatJson(Object.fromEntries(sorted.map(({ name, ...mount }) => [name, mount])));
  disk.ensureDirectory(repository.temporaryDirectory);
  disk.replace(path, [Buffer.from(text)], { beside: `${repository.temporaryDirectory}/file_` });
  disk.syncDirectory(repository.ownDirectory);
}

export const isMountName = (name: unknown): name is string =>
  typeof name === 'string' && /^[a-z0-9][a-z0-9-]{0,39}$/.test(name);

/** Cuts `mounts/team/knowledge/a.md` into `team` and `knowledge/a.md`; null for what lies elsewhere. */
export function cutMounted(path: string): { readonly name: string; readonly path: string } | null {
  const [top, name, ...rest] = path.split('/');
  return top === mountFolder && isMountName(name) && rest.length > 0 ? { name, path: rest.join('/') } : null;
}
