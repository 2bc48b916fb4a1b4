// Finds, checks, makes and opens a git repository; knows where its parts lie. isomorphic-git reads the configuration.

import { getConfig } from 'isomorphic-git';
import { MemoryError } from '../errors.ts';
import type { FileSystem } from '../ports.ts';
import { Disk } from './disk.ts';
import { isOid } from './object-codec.ts';
import { ObjectDatabase } from './object-database.ts';
import { RefStore } from './refs.ts';

/** Where the parts of a repository lie; absolute paths with forward slashes as given by the caller. */
export interface RepositoryLayout {
  /** HEAD and index of this work tree. */
  readonly gitDirectory: string;
  /** Objects, refs and configuration; differs from `gitDirectory` in linked work trees only. */
  readonly commonDirectory: string;
  /** `null` for a bare repository. */
  readonly workTree: string | null;
}

export interface Repository extends RepositoryLayout {
  readonly disk: Disk;
  readonly objects: ObjectDatabase;
  readonly refs: RefStore;
  /** `git-memory/` in the common directory: lock, journal, cache, temporary files. */
  readonly ownDirectory: string;
  readonly temporaryDirectory: string;
  /** From the repository's own configuration, when both are set. */
  readonly identity: { readonly name: string; readonly email: string } | null;
}

/** Finds the repository that a folder belongs to; `null` when it belongs to none. */
export function discoverRepository(fs: FileSystem, directory: string): RepositoryLayout | null {
  const disk = new Disk(fs);
  for (let folder = directory; ; ) {
    const layout = layoutAt(disk, folder);
    if (layout) return layout;
    const parent = parentOf(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

function layoutAt(disk: Disk, folder: string): RepositoryLayout | null {
  const dotGit = join(folder, '.git');
  const stat = disk.stat(dotGit);
  if (stat?.isDirectory && isGitDirectory(disk, dotGit)) {
    return { gitDirectory: dotGit, commonDirectory: commonDirectoryOf(disk, dotGit), workTree: folder };
  }
  if (stat?.isFile) {
    const target = /^gitdir: (.+?)\s*$/.exec(disk.readText(dotGit) ?? '')?.[1];
    if (target === undefined) {
      throw new MemoryError('UNSUPPORTED_REPOSITORY', 'a .git file does not name a git directory', { where: dotGit });
    }
    const gitDirectory = target.startsWith('/') || /^[A-Za-z]:[\\/]/.test(target) ? target : join(folder, target);
    return { gitDirectory, commonDirectory: commonDirectoryOf(disk, gitDirectory), workTree: folder };
  }
  if (isGitDirectory(disk, folder)) return { gitDirectory: folder, commonDirectory: folder, workTree: null };
  return null;
}

function isGitDirectory(disk: Disk, path: string): boolean {
  return (
    disk.stat(join(path, 'HEAD')) !== null &&
    (disk.stat(join(path, 'commondir')) !== null ||
      (disk.stat(join(path, 'objects'))?.isDirectory === true && disk.stat(join(path, 'refs'))?.isDirectory === true))
  );
}

function commonDirectoryOf(disk: Disk, gitDirectory: string): string {
  const target = disk.readText(join(gitDirectory, 'commondir'))?.trim();
  if (target === undefined) return gitDirectory;
  return target.startsWith('/') ? target : join(gitDirectory, target);
}

/**
 * Opens a repository after checking that its format is one the engine can write without harm.
 *
 * Throws UNSUPPORTED_REPOSITORY for SHA-256, reftable, partial clones and extensions it does not know.
 */
export async function openRepository(fs: FileSystem, layout: RepositoryLayout, sync = true): Promise<Repository> {
  const disk = new Disk(fs, sync);
  const { gitDirectory, commonDirectory } = layout;
  const configuration = disk.readText(join(commonDirectory, 'config')) ?? '';
  await checkFormat(fs, commonDirectory, configuration);
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map((path) => readConfigValue(fs, commonDirectory, path)),
  );
  const ownDirectory = join(commonDirectory, 'git-memory');
  const temporaryDirectory = join(ownDirectory, 'tmp');
  return {
    ...layout,
    disk,
    ownDirectory,
    temporaryDirectory,
    objects: new ObjectDatabase(
      disk,
      join(commonDirectory, 'objects'),
      readAlternates(disk, commonDirectory),
      readBoundary(disk, commonDirectory),
    ),
    refs: new RefStore(disk, gitDirectory, commonDirectory, temporaryDirectory),
    identity: name && email ? { name, email } : null,
  };
}

const knownExtensions = new Set(['noop', 'preciousobjects', 'worktreeconfig', 'objectformat', 'refstorage']);

async function checkFormat(fs: FileSystem, commonDirectory: string, configuration: string): Promise<void> {
  const refuse = (what: string, hint: string) =>
    new MemoryError('UNSUPPORTED_REPOSITORY', what, { where: join(commonDirectory, 'config'), hint });
  const version = await readConfigValue(fs, commonDirectory, 'core.repositoryformatversion');
  if (version !== undefined && !['0', '1'].includes(String(version))) {
    throw refuse(`repository format version ${version} is not supported`, 'Versions 0 and 1 are');
  }
  for (const key of extensionKeys(configuration)) {
    const value = await readConfigValue(fs, commonDirectory, `extensions.${key}`);
    if (key === 'objectformat' && value !== 'sha1') {
      throw refuse(`object format ${value} is not supported`, 'Use a repository with SHA-1 object names');
    }
    if (key === 'refstorage' && value !== 'files') {
      throw refuse(`ref storage ${value} is not supported`, 'Convert it with `git refs migrate --ref-format=files`');
    }
    if (key === 'partialclone') throw refuse('partial clones are not supported', 'Clone without --filter');
    if (!knownExtensions.has(key))
      throw refuse(`extension ${key} is not known to git-memory`, 'Use another repository');
  }
}

/** Lists the keys of the `[extensions]` section, lower case; isomorphic-git can look keys up but not list them. */
function extensionKeys(configuration: string): string[] {
  const keys: string[] = [];
  let isInside = false;
  for (const line of configuration.split('\n')) {
    const section = /^\s*\[\s*([^\]\s]+)/.exec(line);
    if (section) isInside = section[1]!.toLowerCase() === 'extensions';
    const key = /^\s*(?:\[[^\]]*\]\s*)?([A-Za-z][A-Za-z0-9-]*)\s*(?:=|$)/.exec(line)?.[1];
    if (isInside && key !== undefined) keys.push(key.toLowerCase());
  }
  return keys;
}

async function readConfigValue(fs: FileSystem, gitdir: string, path: string): Promise<string | undefined> {
  const value: unknown = await getConfig({ fs: asPromises(fs), gitdir, path });
  return value === undefined || value === null ? undefined : String(value);
}

/** Dresses the synchronous port in the form that isomorphic-git wants. Only what reading needs. */
export function asPromises(fs: FileSystem) {
  const call =
    (name: 'readFileSync' | 'readdirSync' | 'statSync' | 'lstatSync' | 'readlinkSync') =>
    async (...parameters: unknown[]) =>
      (fs[name] as (...all: unknown[]) => unknown)(...parameters);
  const refuse = async () => {
    throw new Error('isomorphic-git is used for reading only');
  };
  return {
    promises: {
      readFile: call('readFileSync'),
      readdir: call('readdirSync'),
      stat: call('statSync'),
      lstat: call('lstatSync'),
      readlink: call('readlinkSync'),
      writeFile: refuse,
      unlink: refuse,
      mkdir: refuse,
      rmdir: refuse,
      symlink: refuse,
    },
  };
}

/** Reads the commits at which a shallow clone ends. */
function readBoundary(disk: Disk, commonDirectory: string): Set<string> {
  return new Set((disk.readText(join(commonDirectory, 'shallow')) ?? '').split('\n').filter(isOid));
}

function readAlternates(disk: Disk, commonDirectory: string): string[] {
  const found: string[] = [];
  const visit = (objects: string, depth: number) => {
    for (const line of (disk.readText(join(objects, 'info/alternates')) ?? '').split('\n')) {
      if (line === '' || line.startsWith('#') || depth > 5) continue;
      const path = line.startsWith('/') ? line : join(objects, line);
      if (found.includes(path)) continue;
      found.push(path);
      visit(path, depth + 1);
    }
  };
  visit(join(commonDirectory, 'objects'), 0);
  return found;
}

/**
 * Makes an empty repository the way `git init` does, with settings that suit a memory.
 *
 * `core.trustctime=false`: files land by rename, which changes the inode time after the index has noted it.
 * `gc.auto=0`: packs are kept few by the engine. `core.fsync`: native commits beside us are as durable as ours.
 */
export function initRepository(fs: FileSystem, directory: string, options: { bare: boolean; ref: string }): void {
  const disk = new Disk(fs);
  const gitDirectory = options.bare ? directory : join(directory, '.git');
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info']) {
    disk.makeDirectory(join(gitDirectory, folder));
  }
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
    '',
  ];
  // By rename: what an interrupted attempt left may be torn, and without HEAD it belongs to no repository yet.
  const temporary = disk.temporaryName(join(gitDirectory, 'config_'));
  disk.writeNew(temporary, [Buffer.from(lines.join('\n'))]);
  disk.rename(temporary, join(gitDirectory, 'config'));
  // HEAD last: without it the folder is not yet a repository, so a crash before leaves nothing half made.
  new RefStore(disk, gitDirectory, gitDirectory, gitDirectory).writeHead(options.ref);
}

export function join(folder: string, name: string): string {
  const parts = `${folder.replace(/[\\/]+$/, '')}/${name}`.replaceAll('\\', '/').split('/');
  const result: string[] = [];
  for (const [position, part] of parts.entries()) {
    if (part === '.' || (part === '' && position > 0)) continue;
    if (part === '..' && result.length > 1) result.pop();
    else result.push(part);
  }
  return result.length === 1 && result[0] === '' ? '/' : result.join('/');
}

export function parentOf(path: string): string {
  const end = path.replace(/\/+$/, '').lastIndexOf('/');
  if (end < 0) return path;
  return end === 0 ? '/' : path.slice(0, end);
}
