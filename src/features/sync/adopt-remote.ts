// Follows a remote whose history is another one than ours, and takes along what only we have.

import { commitsBeyond, mergeBases } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { sequenceOf } from '../../store/commit-order.ts';
import { deriveTree } from '../../store/derive.ts';
import { formatCommit } from '../../store/git/commit-object.ts';
import { type NewObject, newObject } from '../../store/git/object-codec.ts';
import { ObjectOverlay } from '../../store/git/object-overlay.ts';
import { editTree, type TreeChange } from '../../store/git/tree.ts';
import { cappedLines, formatMessage, parseMessage } from '../../store/guard/message.ts';
import { fileChangeOf, plannedChanges } from '../../store/planned-change.ts';
import { mergeTrees } from '../../store/tree-merge.ts';

/** The branch after it, and the commits whose changes are in its newest one. */
export interface Adoption {
  readonly tip: string;
  readonly carried: readonly string[];
  readonly conflicts: readonly string[];
}

export interface AdoptionSettings {
  /** The state that both had in common last; null where nobody knows. */
  readonly last: string | null;
  /** The history of ours must not come along, also where nothing is in common. */
  readonly isCutOff: boolean;
  readonly remote: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Moves the branch, in one step, to a commit upon that of the remote. The commit has what changed here since `last`, the state both had in
 * common.
 *
 * Where there is such a state, the commit has no parent in the old history. What was taken away there does not come back with it. The
 * commit is one and not one for each of ours, since a log that meets another renumbers. What refers to an event has to follow in the same
 * step. Without a state in common nothing was taken away: the commit merges both histories, whole.
 *
 * Gives null when the branch moved on meanwhile.
 */
export async function adoptTheirs(
  store: BranchStore,
  ours: string,
  theirs: string,
  { last, isCutOff, remote, now }: AdoptionSettings,
): Promise<Adoption | null> {
  const { objects } = store.repository;
  const common = last ?? mergeBases(objects, [ours], [theirs])[0] ?? null;
  const overlay = new ObjectOverlay(objects);
  const treeOf = (commit: string) => objects.readCommit(commit).tree;
  const sides = { base: common === null ? null : treeOf(common), ours: treeOf(theirs), theirs: treeOf(ours) };
  const merged = mergeTrees(overlay, sides, {
    by: 'kind',
    codec: store.codec,
    newer: 'ours',
    names: { ours: remote, theirs: 'here' },
    followsLineage: 'added',
  });
  const tree = deriveTree(store.derivations, overlay, sides.ours, merged.tree, store.codec);
  const planned = plannedChanges(overlay, sides.ours, tree, new Set()).map(fileChangeOf);
  if (planned.length === 0)
    return (await store.advance(ours, theirs)) ? { tip: theirs, carried: [], conflicts: [] } : null;
  const blobs = new Map<string, NewObject>();
  const edits = new Map<string, TreeChange>();
  for (const { path, after, mode = '100644' } of planned) {
    const blob = after === null ? null : newObject('blob', after);
    if (blob !== null) blobs.set(blob.oid, blob);
    edits.set(path, blob === null ? null : { mode, oid: blob.oid });
  }
  const edited = editTree(sides.ours, edits, objects.readTree, { allowTwins: true });
  const isMerge = common === null && !isCutOff;
  const carried = isMerge ? [] : commitsBeyond(objects, ours, common === null ? [theirs] : [common, theirs]);
  const { identity } = store.settings(store.snapshot());
  const signature = { ...identity, time: Math.floor(now / 1000), zone: '+0000' };
  const subjects = carried.map((oid) => `- ${parseMessage(objects.readCommit(oid).message).subject}`);
  const message = formatMessage({
    subject: `merge: what was only here, upon ${remote}`,
    body: cappedLines(subjects, 'operations').join('\n'),
    trailers: [
      { key: 'Operation', value: 'adopt-remote' },
      ...merged.conflicts.slice(0, 50).map((value) => ({ key: 'Conflict', value }) as const),
      { key: 'Sequence', value: String(sequenceOf(store.repository, theirs) + 1) },
    ],
  });
  const parents = isMerge ? [theirs, ours] : [theirs];
  const commit = newObject(
    'commit',
    formatCommit({ tree: edited.root!, parents, author: signature, committer: signature, message }),
  );
  const release = await store.exclusively(() => objects.write([...blobs.values(), ...edited.trees, commit]));
  try {
    const isMoved = await store.advance(ours, commit.oid);
    return isMoved ? { tip: commit.oid, carried, conflicts: merged.conflicts } : null;
  } finally {
    release();
  }
}
