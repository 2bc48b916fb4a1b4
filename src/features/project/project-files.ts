// The files of a project's log, made where they are wanted.

import { MemoryError } from '../../base/errors.ts';
import type { DeployResult, ProjectTier } from '../../base/types.ts';
import type { Batch } from '../../core/write/batch.ts';
import { changelogOf } from '../../logs/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { changelogPath } from '../../store/records/changelog.ts';
import { newChangelog } from '../../store/records/changelog-types.ts';
import { graphPath } from '../../store/records/graph-file.ts';
import { narrativePath } from '../../store/records/narrative-file.ts';
import { emptyTodo, todoPath } from '../../store/records/todo-file.ts';
import type { Snapshot } from '../../store/snapshot.ts';

const projectTiers = [2, 3, 5] as const satisfies readonly ProjectTier[];

/**
 * Puts the files of a tier where they are not. Two are AGENTS.md, which is yours and never written, and CHANGELOG.md. Three have
 * .memory/context.md beside them, and five TODO.md and .memory/graph.md as well. What is there stays as it is; beside a changelog of
 * another kind the events have .memory/changelog.md. They wait for the next commit. Throws INVALID_ARGUMENT.
 */
export async function deployFiles(store: BranchStore, batch: Batch, files: ProjectTier): Promise<DeployResult> {
  if (!projectTiers.includes(files)) {
    const hint = 'Use 2, 3 or 5';
    throw new MemoryError('INVALID_ARGUMENT', `there is no tier of ${String(files)} files`, { where: 'files', hint });
  }
  const isShown = store.workTree?.isCheckedOut() === true;
  /** What stands there for a person: in the work tree, whether it was committed or not. */
  const textOf = (snapshot: Snapshot, path: string): string | null => {
    const own = snapshot.readText(path);
    return own === null && isShown ? (store.workTree!.files.readFile(path)?.toString('utf8') ?? null) : own;
  };
  const snapshot = store.snapshot();
  const logPath = changelogOf(snapshot, textOf(snapshot, changelogPath));
  const wanted = pathsOfTier(files, logPath).map((path) => [path, templateOf(path)] as const);
  const missing = wanted.filter(([path]) => textOf(snapshot, path) === null);
  const kept = wanted.map(([path]) => path).filter((path) => !missing.some(([other]) => other === path));
  const [first, ...rest] = missing.map(([path, after]) => ({ path, after }));
  if (first !== undefined) await batch.write('deploy', () => [first, ...rest]);
  return { written: missing.map(([path]) => path), kept, pending: first !== undefined };
}

/** Lists the files that a tier has beside AGENTS.md, where the log stands at a path. */
export function pathsOfTier(files: ProjectTier, logPath: string): string[] {
  return [logPath, ...(files >= 3 ? [narrativePath] : []), ...(files === 5 ? [graphPath, todoPath] : [])];
}

function templateOf(path: string): string {
  if (path === todoPath) return emptyTodo;
  // What is derived is filled when it is committed.
  return path === graphPath || path === narrativePath ? '' : newChangelog();
}
