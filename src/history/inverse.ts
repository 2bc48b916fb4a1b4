// The inverse of commits, as a plan against a tree and as an operation.

import { emptyTreeOid } from '../store/git/object-codec.ts';
import { ObjectOverlay, type ObjectReader } from '../store/git/object-overlay.ts';
import { parseMessage } from '../store/guard/message.ts';
import type { Operation } from '../store/operation.ts';
import { fileChangeOf, type PlannedChange, plannedChanges } from '../store/planned-change.ts';
import { mergeTrees, type TreeMergeSettings } from '../store/tree-merge.ts';

/** The inverse of commits, worked out against a state. */
export interface UndoPlan {
  /** The files that change, against that state. */
  readonly changes: readonly PlannedChange[];
  readonly tree: string;
  /** Paths that later changes contradict. */
  readonly conflicts: readonly string[];
  /** Holds the objects of that tree. */
  readonly objects: ObjectOverlay;
}

/** Which files a plan may change, and how they merge. */
interface UndoSettings extends Pick<TreeMergeSettings, 'by' | 'codec' | 'isWanted'> {
  /** Names the state, for a file that has to give way to a folder. */
  readonly name: string;
}

/**
 * Plans the inverse of commits, given newest first, on top of a tree. For each it merges the changes from it to its first parent into what
 * was made of the tree so far. What git-revert(1) does, for any number of commits at once; of a merge it takes back what it brought.
 */
export function planInverse(
  below: ObjectReader,
  tree: string | null,
  commits: readonly string[],
  settings: UndoSettings,
): UndoPlan {
  const objects = new ObjectOverlay(below);
  const conflicts = new Set<string>();
  const made = new Set<string>();
  let result = tree;
  for (const oid of commits) {
    const commit = objects.readCommit(oid);
    const parent = commit.parents[0];
    const theirs = parent === undefined ? null : objects.readCommit(parent).tree;
    const merged = mergeTrees(
      objects,
      { base: commit.tree, ours: result, theirs },
      { ...settings, takesBack: true, newer: 'theirs', names: { ours: settings.name, theirs: `parent of ${oid}` } },
    );
    for (const path of merged.conflicts) conflicts.add(path);
    for (const { after, isMade } of merged.changes) if (after !== null && isMade) made.add(after.oid);
    result = merged.tree;
  }
  return {
    changes: plannedChanges(objects, tree, result, made),
    tree: result ?? emptyTreeOid,
    conflicts: [...conflicts],
    objects,
  };
}

/**
 * Makes a plan the operation that takes commits back.
 *
 * @throws MemoryError INVALID_PATH for links and submodules, which the engine does not write.
 */
export function undoOperation(objects: ObjectReader, commits: readonly string[], plan: UndoPlan): Operation {
  const messages = commits.map((oid) => parseMessage(objects.readCommit(oid).message));
  const subjects = messages.map(({ subject }) => subjectOf(subject));
  const isFold = messages.every(({ trailers }) =>
    trailers.some(({ key, value }) => key === 'Operation' && value === 'fold'),
  );
  return {
    kind: 'undo',
    name: 'undo',
    subject: commits.length === 1 ? subjects[0]! : `${commits.length} operations, from ${subjects.at(-1)}`,
    body: commits.length === 1 ? '' : listOf(subjects),
    trailers: commits.map((oid) => ({ key: 'Undoes', value: oid }) as const),
    changes: plan.changes.map(fileChangeOf),
    onConflict: 'refuse',
    mayRemoveCaptures: true,
    bringsBack: true,
    ...(isFold ? { keepsLines: true } : {}),
  };
}

/** Undoing an undo brings something back, and undoing that takes it away again; the subject says which. */
function subjectOf(subject: string): string {
  const undone = /^undo: (bring back )?(.*)$/s.exec(subject);
  if (!undone) return subject;
  return undone[1] === undefined ? `bring back ${undone[2]}` : undone[2]!;
}

function listOf(subjects: readonly string[]): string {
  const lines = subjects.slice(0, 50).map((subject) => `- ${subject}`);
  if (subjects.length > lines.length) lines.push(`- and ${subjects.length - lines.length} more`);
  return lines.join('\n');
}
