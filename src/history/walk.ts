// Walks the line of first parents.

import type { Commit } from '../git/commit-object.ts';
import type { ObjectDatabase } from '../git/object-database.ts';

/** One commit on a walk. */
export interface WalkedCommit {
  readonly oid: string;
  readonly commit: Commit;
}

/** Walks the first-parent line: what the branch was, step by step. */
export function* walkFirstParents(objects: ObjectDatabase, tip: string | null): Generator<WalkedCommit> {
  let oid = tip ?? undefined;
  while (oid !== undefined) {
    const commit = objects.readCommit(oid);
    yield { oid, commit };
    oid = commit.parents[0];
  }
}
