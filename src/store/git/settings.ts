// Reads a few keys of a repository's own configuration, by name. Nothing else in it is read, so that a filter, pager, hook path, monitor or
// include of a hostile repository means nothing here.

import { MemoryError } from '../../base/errors.ts';
import { type ConfigValues, isTrue, readConfigFile } from './config-file.ts';
import { isSamePlace, join, type RepositoryLayout, resolvePath } from './discovery.ts';
import type { Disk } from './disk.ts';

interface RepositorySettings {
  /** Whether files of a work tree are none of its business, although it may lie in one. */
  readonly isBare: boolean;
  /** `user.name` and `user.email`, when both are set. */
  readonly identity: { readonly name: string; readonly email: string } | null;
}

/** Extensions that change nothing for us, or are checked below; git's list is in gitrepository-layout(5) and setup.c. */
const knownExtensions = new Set([
  'noop',
  'preciousobjects',
  'worktreeconfig',
  'relativeworktrees',
  'objectformat',
  'refstorage',
  'partialclone',
]);

/** Reads and judges the configuration; throws REPOSITORY_CORRUPT, UNSUPPORTED_REPOSITORY. */
export function readSettings(disk: Disk, layout: RepositoryLayout): RepositorySettings {
  const path = join(layout.commonDirectory, 'config');
  const shared = readConfigFile(disk, path);
  checkFormat(shared, path);
  const isLinked = layout.gitDirectory !== layout.commonDirectory;
  // What holds for one work tree alone is in a file of its own, and overrides.
  const ownPath = join(layout.gitDirectory, 'config.worktree');
  const own: ConfigValues = isTrue(shared, 'extensions.worktreeconfig') ? readConfigFile(disk, ownPath) : new Map();
  const values = new Map([...shared, ...own]);
  checkWorkTree(disk, layout, (isLinked ? own : values).get('core.worktree')?.at(-1), path);
  const [name, email] = ['user.name', 'user.email'].map((key) => values.get(key)?.at(-1));
  return {
    isBare: layout.workTree === null || isTrue(isLinked ? own : values, 'core.bare'),
    identity: name && email ? { name, email } : null,
  };
}

function checkFormat(values: ConfigValues, where: string): void {
  const refuse = (what: string, hint: string) => new MemoryError('UNSUPPORTED_REPOSITORY', what, { where, hint });
  const version = values.get('core.repositoryformatversion')?.at(-1);
  if (version !== undefined && version !== '0' && version !== '1') {
    throw refuse(
      `repository format version ${JSON.stringify(version.slice(0, 20))} is not supported`,
      'Versions 0 and 1 are',
    );
  }
  for (const [key, all] of values) {
    if (/^remote\..*\.promisor$/.test(key) && isTrue(values, key)) throw partialClone(refuse);
    if (!key.startsWith('extensions.')) continue;
    const extension = key.slice('extensions.'.length);
    const value = all.at(-1)!;
    if (extension === 'objectformat' && value !== 'sha1')
      throw refuse(`object format ${value} is not supported`, 'Use a repository with SHA-1 object names');
    if (extension === 'refstorage' && value !== 'files')
      throw refuse(`ref storage ${value} is not supported`, 'Convert it with `git refs migrate --ref-format=files`');
    if (extension === 'partialclone') throw partialClone(refuse);
    if (!knownExtensions.has(extension))
      throw refuse(`extension ${extension} is not known to git-memory`, 'Use another repository');
  }
}

const partialClone = (refuse: (what: string, hint: string) => MemoryError): MemoryError =>
  refuse('partial clones are not supported', 'Clone without --filter');

/** A repository may say that its files lie elsewhere; we write them nowhere but beside it. */
function checkWorkTree(disk: Disk, layout: RepositoryLayout, workTree: string | undefined, where: string): void {
  if (workTree === undefined) return;
  const named = resolvePath(layout.gitDirectory, workTree);
  if (layout.workTree !== null && isSamePlace(disk, named, layout.workTree)) return;
  throw new MemoryError('UNSUPPORTED_REPOSITORY', `core.worktree moves the files elsewhere: ${workTree}`, {
    where,
    hint: 'Open the memory from that folder, or from a repository without core.worktree',
  });
}
