// What beginning a memory would make, told without making it: the dry run of `git memory init`.

import { nodeFileSystem } from '../adapters/node.ts';
import { userTrust } from '../adapters/trust.ts';
import { defined } from '../base/errors.ts';
import type { FileSystem } from '../base/ports.ts';
import type { Placement, ProjectTier } from '../base/types.ts';
import { pathsOfTier } from '../features/project/index.ts';
import { planInit } from '../features/repository/index.ts';
import { changelogOf } from '../logs/index.ts';
import { identityCodec } from '../store/codec.ts';
import { Disk } from '../store/git/disk.ts';
import { answer } from '../store/git/file-errors.ts';
import { layoutRoots } from '../store/guard/path.ts';
import { changelogPath } from '../store/records/changelog.ts';
import { Snapshot } from '../store/snapshot.ts';
import { absolutePath, planLocation } from './locate.ts';

export interface PlanOptions {
  readonly dir: string;
  readonly branch?: string;
  readonly placement?: Placement;
  /** With the files of a project's log. */
  readonly files?: ProjectTier;
  readonly fs?: FileSystem;
}

/** What would be there that is not. */
export interface MemoryPlan {
  /** The work tree, or the folder of a bare repository. */
  readonly directory: string;
  readonly placement: Placement;
  readonly branch: string;
  /** There is a memory already; it stays as it is. */
  readonly exists: boolean;
  /** The git repository that would be made; null where there is one. */
  readonly repository: string | null;
  /** Files that would be written, by their paths in the memory. */
  readonly files: readonly string[];
  /** What is in the folder, belongs to a memory, and would be committed as part of it. */
  readonly adopts: readonly string[];
}

/** Tells what {@link openMemory} with `create` would make, and writes and locks nothing; throws what that throws of a bad place. */
export async function planMemory(options: PlanOptions): Promise<MemoryPlan> {
  const { dir, branch, placement, files, fs = nodeFileSystem } = options;
  return answer(() => {
    const directory = absolutePath(dir, process.cwd());
    const location = planLocation(fs, directory, {
      sync: true,
      trusts: userTrust(),
      ...defined({ branch, placement }),
    });
    const { repository, ref, exists } = location;
    try {
      const isBare = repository === null ? location.placement === 'bare' : repository.workTree === null;
      const head = repository?.refs.readHead();
      const isShown = !isBare && (head === undefined || ('ref' in head && head.ref === ref));
      const root = repository === null ? directory : (repository.workTree ?? repository.gitDirectory);
      const disk = new Disk(fs);
      const stands = (path: string): boolean => isShown && disk.stat(`${root}/${path}`) !== null;
      const state = repository === null ? nothing : new Snapshot(repository, identityCodec, repository.refs.read(ref));
      const isFree = (path: string): boolean => state.oidOf(path) === null && !stands(path);
      const read = (path: string) => (stands(path) ? (disk.read(`${root}/${path}`)?.toString('utf8') ?? null) : null);
      const first = exists ? [] : planInit(state, location.placement, { now: 0, machine: '', read }).changes;
      const beside = stands(changelogPath) ? disk.read(`${root}/${changelogPath}`) : null;
      const log = files === undefined ? [] : pathsOfTier(files, changelogOf(state, beside?.toString('utf8') ?? null));
      // In a project what is there is the code's own.
      const mayAdopt = !exists && location.placement === 'repository';
      return {
        directory: root,
        placement: location.placement,
        branch: ref.replace('refs/heads/', ''),
        exists,
        repository: repository !== null ? null : isBare ? directory : `${directory}/.git`,
        files: [...first.map(({ path }) => path), ...log].filter(isFree),
        adopts: mayAdopt ? layoutRoots('memory').filter((name) => stands(name) && state.oidOf(name) === null) : [],
      };
    } finally {
      repository?.objects.close();
    }
  });
}

/** The state of a repository that has to be made. */
const nothing: Pick<Snapshot, 'oidOf' | 'readText'> = { oidOf: () => null, readText: () => null };
