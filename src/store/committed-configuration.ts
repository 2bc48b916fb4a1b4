// The configuration that a branch has committed; where the newest file of it is broken, the last whole one, and what broke it.

import { MemoryError } from '../base/errors.ts';
import { damagedFilesOf } from './damaged-files.ts';
import type { Repository } from './git/repository.ts';
import { findEntry } from './git/tree.ts';
import { type Configuration, parseConfiguration } from './records/configuration.ts';
import { configurationFiles } from './records/kind.ts';
import { metaPath } from './records/storage-meta.ts';

interface CommittedConfiguration {
  readonly configuration: Configuration;
  /** Why the newest one is broken, and the commit since which it is. */
  readonly broken?: { readonly error: MemoryError; readonly since: string };
}

/** Finds the configuration of a branch; null where it has none. Throws INVALID_CONFIG where no version of it is whole. */
export function committedConfiguration(repository: Repository, ref: string): CommittedConfiguration | null {
  const { objects, refs } = repository;
  let broken: CommittedConfiguration['broken'];
  let last: string | undefined;
  let commit = refs.read(ref) ?? undefined;
  while (commit !== undefined) {
    const { tree, parents } = objects.readCommit(commit);
    const at = (path: string) => findEntry(tree, path, objects.readTree);
    const path = configurationFiles.find((one) => at(one) !== null);
    // Without memory.yaml the defaults hold in the same memory. History tells its placement.
    if (path === undefined && (broken !== undefined || at(metaPath) === null)) break;
    const { oid } = (path === undefined ? undefined : at(path)) ?? {};
    try {
      if (oid !== undefined && oid !== last) {
        const text = damagedFilesOf(repository).read(oid, path!, commit).toString('utf8');
        return { ...parseConfiguration(text, path!), ...(broken && { broken }) };
      }
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'INVALID_CONFIG') throw error;
      broken = { error: broken?.error ?? error, since: commit };
    }
    if (broken !== undefined && oid === last) broken = { ...broken, since: commit };
    last = oid;
    [commit] = parents;
  }
  if (broken !== undefined) throw broken.error;
  return null;
}
