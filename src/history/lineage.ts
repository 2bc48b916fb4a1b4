// Tells what a memory was made of: consolidation and splitting leave relations, also where they or the memories are gone.

import { MemoryError } from '../base/errors.ts';
import type { RelationRecord } from '../base/types/stored-types.ts';
import type { TreeDifference } from '../store/git/tree.ts';
import { kindOf } from '../store/records/kind.ts';
import { parseRelation } from '../store/records/relation-record.ts';
import type { Snapshot } from '../store/snapshot.ts';

type LineageType = 'consolidated_from' | 'split_from';

/** One memory that another was made of. */
interface Ancestor {
  readonly type: LineageType;
  readonly id: string;
}

/** Answers for one state of the memory; each relation is read once. */
export class Lineage {
  private readonly snapshot: Snapshot;
  private readonly known = new Map<string, RelationRecord | null>();
  private present: Map<string, Ancestor[]> | null = null;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  /**
   * Lists the memories that one was made of.
   *
   * `changes` are those of the commits that touched its file: a relation that is gone by now came with one of them.
   */
  ancestorsOf(id: string, changes: readonly TreeDifference[]): Ancestor[] {
    const found = new Map<string, Ancestor>();
    const add = (ancestor: Ancestor) => found.set(`${ancestor.type} ${ancestor.id}`, ancestor);
    for (const change of changes) {
      if (kindOf(change.path) !== 'relation') continue;
      for (const side of [change.before, change.after]) {
        const relation = side && this.read(side.oid, change.path);
        if (relation?.fromMemoryId === id && isLineage(relation.relationType)) {
          add({ type: relation.relationType, id: relation.toMemoryId });
        }
      }
    }
    for (const ancestor of this.presentOnes().get(id) ?? []) add(ancestor);
    return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  private presentOnes(): ReadonlyMap<string, readonly Ancestor[]> {
    if (this.present) return this.present;
    this.present = new Map();
    for (const [path, oid] of this.snapshot.list('relations/')) {
      const relation = kindOf(path) === 'relation' ? this.read(oid, path) : null;
      if (!relation || !isLineage(relation.relationType)) continue;
      const ancestors = this.present.get(relation.fromMemoryId) ?? [];
      ancestors.push({ type: relation.relationType, id: relation.toMemoryId });
      this.present.set(relation.fromMemoryId, ancestors);
    }
    return this.present;
  }

  private read(oid: string, path: string): RelationRecord | null {
    const known = this.known.get(oid);
    if (known !== undefined) return known;
    let relation: RelationRecord | null = null;
    try {
      relation = parseRelation(this.snapshot.readBlob(oid, path).toString('utf8'), path);
    } catch (error) {
      // A file that is no relation relates nothing; `git memory doctor` names it.
      if (!(error instanceof MemoryError) || error.code !== 'INVALID_RECORD') throw error;
    }
    this.known.set(oid, relation);
    return relation;
  }
}

const isLineage = (type: string): type is LineageType => type === 'consolidated_from' || type === 'split_from';
