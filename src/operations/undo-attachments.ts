// The inverse of a capture that brought files: a file that a transcript which stays names, too, stays with it.

import { attachmentsNamedIn } from '../capture/attachments.ts';
import { diffTrees } from '../git/tree.ts';
import type { UndoPlan } from '../history/inverse.ts';
import { kindOf } from '../records/kind.ts';
import type { Codec } from '../store/codec.ts';
import { plannedChanges } from '../store/planned-change.ts';
import type { Snapshot } from '../store/snapshot.ts';

/**
 * Gives a plan in which no attachment goes that is still named. `oldest` is the first of the commits that are taken back: whoever names what
 * came with it, or later, did so since, so that no older transcript is read.
 */
export function keepNamedAttachments(
  plan: UndoPlan,
  present: Snapshot,
  codec: Codec,
  oldest: string | undefined,
): UndoPlan {
  const going = new Set(
    plan.changes.filter(({ path, after }) => after === null && path.startsWith('attachments/')).map(({ path }) => path),
  );
  if (going.size === 0 || oldest === undefined) return plan;
  const { objects } = plan;
  const parent = objects.readCommit(oldest).parents[0];
  const before = parent === undefined ? null : objects.readCommit(parent).tree;
  const kept = new Set<string>();
  for (const { path, after } of diffTrees(before, plan.tree, objects.readTreeBytes)) {
    if (after === null || kindOf(path) !== 'conversation') continue;
    const text = codec.decode(path, objects.readBlob(after.oid)).toString('utf8');
    for (const named of attachmentsNamedIn(text)) if (going.has(named)) kept.add(named);
  }
  if (kept.size === 0) return plan;
  const edits = new Map(
    [...kept].map((path) => [path, { mode: '100644' as const, oid: present.oidOf(path)! }] as const),
  );
  const tree = objects.editTree(plan.tree, edits);
  const made = new Set(plan.changes.flatMap(({ after, isMade }) => (after !== null && isMade ? [after.oid] : [])));
  return { ...plan, tree, changes: plannedChanges(objects, present.tree, tree, made) };
}
