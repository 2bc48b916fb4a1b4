// Finds out which repository, which branch and which placement a caller means, and makes what `create` asks for.

import { MemoryError } from '../base/errors.ts';
import type { FileSystem } from '../base/ports.ts';
import type { Placement } from '../base/types.ts';
import { branchLost, seenTip } from '../store/branch-tip.ts';
import { committedConfiguration } from '../store/committed-configuration.ts';
import { Disk } from '../store/git/disk.ts';
import { branchUnderWay } from '../store/git/native-operation.ts';
import {
  discoverRepository,
  initRepository,
  join,
  openRepository,
  type Repository,
  type RepositoryLayout,
  type Trust,
} from '../store/git/repository.ts';
import { checkBranchName, memoryRef } from '../store/guard/ref-name.ts';
import { checkNewRef } from '../store/guard/secret-filter.ts';
import { bornElsewhere, headRef, holdsMemory, isKnownMemory, notAMemory } from '../store/known-memory.ts';
import { showLastWhole } from '../store/last-whole.ts';

const defaultRef = 'refs/heads/main';

export interface Location {
  readonly repository: Repository;
  /** Full name of the branch; `HEAD` where that is detached, in a repository without memory. */
  readonly ref: string;
  readonly placement: Placement;
  /** Whether a memory is there already. */
  readonly exists: boolean;
}

export interface LocateOptions {
  readonly create: boolean;
  readonly branch?: string;
  readonly placement?: Placement;
  readonly sync: boolean;
  /** Take the branch that is checked out where there is no memory. */
  readonly anyRepository?: boolean;
  /** A broken configuration may be mended: the last whole one tells the placement. */
  readonly mends?: boolean;
  /** Whose repositories may be worked in. */
  readonly trusts: Trust;
}

/** Locates a memory. Throws NOT_A_REPOSITORY, NOT_A_MEMORY, BRANCH_LOST, INVALID_REF, and as {@link openRepository}, {@link discoverRepository}. */
export async function locate(fs: FileSystem, directory: string, options: LocateOptions): Promise<Location> {
  const layout = findLayout(fs, directory, options);
  return located(openRepository(fs, layout, options.sync, options.trusts), directory, options);
}

function located(repository: Repository, directory: string, options: LocateOptions): Location {
  try {
    return locateIn(repository, directory, options);
  } catch (error) {
    // Packs that were looked into stay open otherwise, with each attempt some more.
    repository.objects.close();
    throw error;
  }
}

function locateIn(repository: Repository, directory: string, options: LocateOptions): Location {
  if (!options.anyRepository) return locateMemory(repository, directory, options);
  try {
    return locateMemory(repository, directory, options);
  } catch (error) {
    // A file of the name memory.yaml that is none of ours, or no memory at all.
    if (!(error instanceof MemoryError) || !['NOT_A_MEMORY', 'INVALID_CONFIG'].includes(error.code)) throw error;
    const { branch } = options;
    if (branch === undefined && bornElsewhere(repository)) throw error;
    const ref = branch === undefined ? (headRef(repository) ?? 'HEAD') : `refs/heads/${checkBranchName(branch)}`;
    return { repository, ref, placement: 'repository', exists: false };
  }
}

function locateMemory(repository: Repository, directory: string, options: LocateOptions): Location {
  const { branch } = options;
  const named = branch === undefined ? [] : [checkBranchName(branch), checkBranchName(`memory/${branch}`)];
  const refs = [headRef(repository), memoryRef, ...named.map((name) => `refs/heads/${name}`)];
  for (const ref of refs) if (ref !== null) showLastWhole(repository, ref);
  const placement = options.placement ?? detectPlacement(repository, options);
  const ref = chooseRef(repository, placement, options.branch);
  // Whatever became of other branches, this memory is whole.
  for (const other of refs) if (other !== null && other !== ref) repository.refs.standIns.delete(other);
  // What is checked out and has no commit yet would lose its files by one.
  const isApart = placement === 'branch' || (branch !== undefined && ref !== headRef(repository));
  const exists = isApart ? isKnownMemory(repository, ref) : holdsMemory(repository, ref);
  if (!exists && options.create) checkNewRef(ref);
  if (!exists && !options.create) {
    const found = seenTip(repository, ref);
    if (found.tip === null && found.seen !== null) throw branchLost(found);
    throw notAMemory(repository, ref, directory, branch !== undefined);
  }
  return { repository, ref, placement, exists };
}

function findLayout(fs: FileSystem, directory: string, options: LocateOptions): RepositoryLayout {
  const found = chooseLayout(fs, directory, options);
  if (found !== null) return found;
  initRepository(fs, directory, { bare: options.placement === 'bare', ref: defaultRef });
  const made = discoverRepository(fs, directory);
  if (!made) throw new MemoryError('IO', 'the new repository cannot be read back', { where: directory });
  return made;
}

/** Gives the repository to work in, or null where one has to be made. */
function chooseLayout(fs: FileSystem, directory: string, options: LocateOptions): RepositoryLayout | null {
  const found = discoverRepository(fs, directory);
  const isThere = new Disk(fs).exists(directory);
  const what = isThere ? `${directory} is not inside a git repository` : `there is no folder ${directory}`;
  if (!options.create) {
    if (found) return found;
    throw new MemoryError('NOT_A_REPOSITORY', what, {
      where: directory,
      hint: isThere
        ? 'Create a memory there with `git memory init`, or give another folder with --dir'
        : 'Check the name; `git memory init` creates a folder with a memory',
    });
  }
  const isHere = found !== null && (found.workTree ?? found.gitDirectory) === directory;
  if (found && (isHere || options.placement === 'branch' || options.placement === 'project')) return found;
  // A folder somewhere inside a code repository: without being asked we do not nest one repository in another.
  if (found && options.placement === undefined) return found;
  if (options.placement === 'branch' || options.placement === 'project') {
    throw new MemoryError('NOT_A_REPOSITORY', what, {
      where: directory,
      hint: 'The placements branch and project need a git repository; create it with `git init`',
    });
  }
  checkNewRef(options.branch ?? defaultRef);
  return null;
}

/** Where a memory would be that {@link locate} is asked to make; the repository is null where it would have to be made, too. */
type PlannedLocation = Omit<Location, 'repository'> & { readonly repository: Repository | null };

/** Tells what {@link locate} would give with `create`, and makes nothing; throws what it throws. The caller closes the repository's objects. */
export function planLocation(
  fs: FileSystem,
  directory: string,
  options: Omit<LocateOptions, 'create'>,
): PlannedLocation {
  const wanted = { ...options, anyRepository: false, create: true };
  const layout = chooseLayout(fs, directory, wanted);
  if (layout === null) {
    const ref = options.branch === undefined ? defaultRef : `refs/heads/${checkBranchName(options.branch)}`;
    return { repository: null, ref, placement: options.placement ?? 'repository', exists: false };
  }
  return located(openRepository(fs, layout, options.sync, options.trusts), directory, wanted);
}

function detectPlacement(repository: Repository, { create, mends }: LocateOptions): Placement {
  if (repository.workTree === null) return repository.refs.read(memoryRef) === null ? 'bare' : 'branch';
  const head = branchUnderWay(repository) ?? defaultRef;
  const tip = repository.refs.read(head);
  if (tip !== null) {
    const found = committedConfiguration(repository, head);
    if (found?.broken && !mends) throw found.broken.error;
    if (found !== null) return found.configuration.placement ?? 'repository';
  }
  if (isKnownMemory(repository, memoryRef) || repository.refs.read(memoryRef) !== null) return 'branch';
  // A repository with commits of its own and no memory is somebody's code.
  return create && tip !== null ? 'branch' : 'repository';
}

function chooseRef(repository: Repository, placement: Placement, branch: string | undefined): string {
  if (branch !== undefined) {
    const direct = `refs/heads/${checkBranchName(branch)}`;
    const inside = `refs/heads/memory/${branch}`;
    return placement === 'branch' && !branch.startsWith('memory/') && repository.refs.read(direct) === null
      ? inside
      : direct;
  }
  if (placement === 'branch') return memoryRef;
  return branchUnderWay(repository) ?? defaultRef;
}

/** Makes a folder absolute, without knowing the process: the caller gives its working directory. */
export function absolutePath(directory: string, workingDirectory: string): string {
  const path = directory.replaceAll('\\', '/');
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:\//.test(path);
  return join(isAbsolute ? path : join(workingDirectory.replaceAll('\\', '/'), path), '.');
}
