// The outcome of a tree merge as changes of an operation: which files differ from the tip, and with what bytes.

import { defined, MemoryError } from '../base/errors.ts';
import type { ObjectReader } from './git/object-overlay.ts';
import { diffTrees, type TreeDifference } from './git/tree.ts';
import type { FileChange } from './operation.ts';

/** A file of a plan, with its new bytes; the bytes of a link or a submodule are not read. */
export interface PlannedChange extends TreeDifference {
  readonly bytes: Buffer | null;
  /** No commit has this version: the merge made it. */
  readonly isMade: boolean;
}

/** Lists the files in which two trees differ, with the bytes of the second. */
export function plannedChanges(
  objects: Pick<ObjectReader, 'readTreeBytes' | 'readBlob'>,
  before: string | null,
  after: string | null,
  made: ReadonlySet<string>,
): PlannedChange[] {
  return diffTrees(before, after, objects.readTreeBytes).map((change) => ({
    ...change,
    bytes: isFile(change.after) ? objects.readBlob(change.after.oid) : null,
    isMade: change.after !== null && made.has(change.after.oid),
  }));
}

const isFile = (version: TreeDifference['after']): version is NonNullable<TreeDifference['after']> =>
  version !== null && (version.mode === '100644' || version.mode === '100755');

/** Makes a planned change one of an operation; throws INVALID_PATH for links and submodules. */
export function fileChangeOf({ path, before, after, bytes }: PlannedChange): FileChange {
  if ([before, after].some((version) => version !== null && !isFile(version))) {
    throw new MemoryError(
      'INVALID_PATH',
      'the change includes a symbolic link or submodule, which the engine cannot write',
      { where: path, hint: 'Use native git for this change' },
    );
  }
  const mode = after?.mode === '100755' || after?.mode === '100644' ? after.mode : undefined;
  return { path, before: before?.oid ?? null, after: bytes, ...defined({ mode }) };
}
