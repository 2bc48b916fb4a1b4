// Checks, opens and makes a git repository. Where one lies is found in discovery.ts.

import { MemoryError } from '../../base/errors.ts';
import type { FileSystem } from '../../base/ports.ts';
import { maxAlternates, maxGitConfigBytes, maxPackedRefsBytes } from '../guard/limits.ts';
import { join, type RepositoryLayout, resolvePath } from './discovery.ts';
import { Disk } from './disk.ts';
import { isOid } from './object-codec.ts';
import { ObjectDatabase } from './object-database.ts';
import { PackKeeper } from './pack-keeper.ts';
import { privateMode } from './permissions.ts';
import { PurgeMark } from './purge-mark.ts';
import { RefStore } from './refs.ts';
import { readSettings } from './settings.ts';

export { discoverRepository, join, parentOf, type RepositoryLayout } from './discovery.ts';

export interface Repository extends RepositoryLayout {
  readonly disk: Disk;
  readonly objects: ObjectDatabase;
  readonly packKeeper: PackKeeper;
  readonly refs: RefStore;
  /** Tells whether a purge has rewritten the history. */
  readonly mark: PurgeMark;
  /** `git-memory/` in the common directory: lock, journal, cache, temporary files. */
  readonly ownDirectory: string;
  readonly temporaryDirectory: string;
  /** From the repository's own configuration, when both are set. */
  readonly identity: { readonly name: string; readonly email: string } | null;
}

/** Tells whether a folder of that owner may be worked in; see git's safe.directory. */
export type Trust = (path: string, owner: number) => boolean;

/**
 * Opens a repository after checking that its format is one the engine can write without harm.
 *
 * Of its configuration only {@link readSettings} is known: nothing in it is run, and nothing included. Throws
 * UNSUPPORTED_REPOSITORY for SHA-256, reftable, partial clones, extensions it does not know and work trees elsewhere,
 * UNTRUSTED_REPOSITORY for one of another user, REPOSITORY_CORRUPT, UNSAFE_FILE.
 */
export function openRepository(
  fs: FileSystem,
  layout: RepositoryLayout,
  sync = true,
  trusts: Trust = () => true,
): Repository {
  const disk = new Disk(fs, sync);
  const { gitDirectory, commonDirectory } = layout;
  checkOwner(disk, layout, trusts);
  checkFolders(disk, commonDirectory);
  const settings = readSettings(disk, layout);
  const ownDirectory = join(commonDirectory, 'git-memory');
  const temporaryDirectory = join(ownDirectory, 'tmp');
  const alternates = readAlternates(disk, commonDirectory, trusts);
  const objects = new ObjectDatabase(
    disk,
    join(commonDirectory, 'objects'),
    alternates,
    readBoundary(disk, commonDirectory),
  );
  const mark = new PurgeMark(disk, ownDirectory);
  fenceCaches(disk, `${ownDirectory}/cache/`, mark);
  return {
    ...layout,
    workTree: settings.isBare ? null : layout.workTree,
    disk,
    ownDirectory,
    temporaryDirectory,
    objects,
    packKeeper: new PackKeeper(disk, objects),
    refs: new RefStore(disk, gitDirectory, commonDirectory, temporaryDirectory),
    mark,
    identity: settings.identity,
  };
}

/** What a process has read before a purge it must not put into the caches after it. */
function fenceCaches(disk: Disk, folder: string, mark: PurgeMark): void {
  disk.fence(
    (path) =>
      !path.startsWith(folder) || textlessCache.test(path.slice(folder.length)) || mark.version() === mark.opened,
  );
}

/** When tasks ran, what a day cost, when a remote was last in step: no words of anybody, so that a purge leaves them. */
export const textlessCache = /^(?:maintenance|model-use|sync)(?:$|[/.])/;

function checkOwner(disk: Disk, layout: RepositoryLayout, trusts: Trust): void {
  for (const path of new Set([layout.gitDirectory, layout.commonDirectory])) {
    const owner = Number(disk.stat(path)?.uid ?? 0);
    if (trusts(path, owner) || (layout.workTree !== null && trusts(layout.workTree, owner))) continue;
    const hint = `If you trust it, tell git: \`git config --global --add safe.directory ${layout.workTree ?? path}\``;
    throw new MemoryError('UNTRUSTED_REPOSITORY', 'the repository belongs to another user', { where: path, hint });
  }
}

/** Reads the commits at which a shallow clone ends. */
function readBoundary(disk: Disk, commonDirectory: string): ReadonlySet<string> {
  const path = join(commonDirectory, 'shallow');
  const lines = (disk.readText(path, maxPackedRefsBytes) ?? '').split('\n');
  const isWhole = lines.pop() === '' && lines.every(isOid);
  if (isWhole) return new Set(lines);
  throw new MemoryError('REPOSITORY_CORRUPT', 'the list of boundary commits of this shallow clone is damaged', {
    where: path,
    hint: 'Nothing was changed; `git fetch --unshallow` gets the whole history',
  });
}

/** Folders in which the engine makes and removes files by rule: a link there would have it do so elsewhere. */
function checkFolders(disk: Disk, commonDirectory: string): void {
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'logs/refs/heads', ...ownFolders])
    disk.refuseLinks(commonDirectory, `${join(commonDirectory, folder)}/`);
}

const ownFolders = ['tmp', 'tips', 'locks', 'journal', 'cache', 'quarantine'].map((name) => `git-memory/${name}`);

/**
 * Makes an empty repository the way `git init` does, with settings that suit a memory.
 *
 * `core.trustctime=false`: files land by rename, which changes the inode time after the index has noted it.
 * `gc.auto=0`, `maintenance.auto=false`: no command of native git stops to tidy up; `git-memory.gc=idle`: that is left to a time when
 * nobody writes, see core/maintain/git-gc.ts. `core.fsync`: native commits beside us are as durable as ours.
 */
export function initRepository(fs: FileSystem, directory: string, options: { bare: boolean; ref: string }): void {
  const disk = new Disk(fs);
  const gitDirectory = options.bare ? directory : join(directory, '.git');
  // A folder that was there before keeps its mode; what is made for the memory is its owner's.
  disk.makeDirectory(gitDirectory, privateMode);
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'])
    disk.makeDirectory(join(gitDirectory, folder));
  const lines = [
    '[core]',
    '\trepositoryformatversion = 0',
    `\tfilemode = ${process.platform !== 'win32'}`,
    `\tbare = ${options.bare}`,
    '\tlogallrefupdates = true',
    '\ttrustctime = false',
    '\tfsync = objects,reference',
    '\tautocrlf = false',
    '[gc]',
    '\tauto = 0',
    '[maintenance]',
    '\tauto = false',
    '[git-memory]',
    '\tgc = idle',
    '',
  ];
  // By rename: what an interrupted attempt left may be torn, and without HEAD it belongs to no repository yet.
  disk.replace(join(gitDirectory, 'config'), [Buffer.from(lines.join('\n'))]);
  // HEAD last: without it the folder is not yet a repository, so a crash before leaves nothing half made.
  new RefStore(disk, gitDirectory, gitDirectory, gitDirectory).writeHead(options.ref);
}

// The object folders that a repository borrows from: `objects/info/alternates`, followed as git does, within bounds.

/**
 * Lists the object folders borrowed from, nearest first.
 *
 * One that is gone is passed over, as by git: what it held is then reported as missing. Throws UNSUPPORTED_REPOSITORY for one that
 * is no object folder of a repository of ours (`trusts`), and where they are too many.
 */
function readAlternates(
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
