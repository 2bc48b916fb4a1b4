// What becomes of relations when a memory leaves. Some lose an end with it, some tell what came from it, and some move to what replaces it.

import { sha256Hex } from '../../base/hash.ts';
import { keptIn } from '../../base/once-per.ts';
import type { MemoryRecord, RelationRecord } from '../../base/types/stored-types.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import type { FileChange } from '../../store/operation.ts';
import { formatRelation, newRelation } from '../../store/records/relation-record.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { addedRelation, changedMemory, removed } from './record-changes.ts';

/** Relations that tell where a memory comes from: they stay when what they name is gone, for history still has it. */
const lineage: ReadonlySet<string> = new Set(['consolidated_from', 'split_from']);

/** Tells whether a relation says what a memory was made of. */
export const isLineage = ({ relationType }: RelationRecord): boolean => lineage.has(relationType);

/** Relations by the memories at their ends; lineage is left out, since it never becomes an orphan. */
export class Ends {
  private readonly byMemory = new Map<string, Stored<RelationRecord>[]>();

  constructor(relations: Iterable<Stored<RelationRecord>>) {
    for (const stored of relations) {
      if (isLineage(stored.record)) continue;
      for (const id of new Set([stored.record.fromMemoryId, stored.record.toMemoryId]))
        keptIn(this.byMemory, id, () => []).push(stored);
    }
  }

  /** Lists the relations that would be orphans without a memory. */
  of(id: string): readonly Stored<RelationRecord>[] {
    return this.byMemory.get(id) ?? [];
  }

  /** Lists the memories that relations name. */
  ids(): Iterable<string> {
    return this.byMemory.keys();
  }
}

/** Lists the memories that relations name and that are gone. One that is damaged may come back, and its relations with it. */
export function lostEnds(snapshot: Snapshot, ends: Ends): string[] {
  if (!snapshot.isListedWhole('memories/')) return [];
  const alive = idsInTree(snapshot);
  return [...ends.ids()].filter((id) => !alive.has(id));
}

/** Lists the ids that are in memories/, also of files that do not parse: they are damaged, not gone. */
function idsInTree(snapshot: Snapshot): Set<string> {
  const names = [...snapshot.list('memories/').keys()];
  return new Set(names.map((path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')));
}

/** What links a memory to one it was made of. The id follows from the ends, so that two machines make the same. */
export function lineageRelation(
  type: 'consolidated_from' | 'split_from',
  from: string,
  to: string,
  now: number,
  metadata: Readonly<Record<string, unknown>>,
): FileChange {
  const id = sha256Hex(`${type}\n${from}\n${to}`).slice(0, 32);
  return addedRelation(newRelation({ id, fromMemoryId: from, toMemoryId: to, relationType: type, now, metadata }));
}

/** What says that one memory may have changed another, until somebody decides. Two machines make the same. */
export function doubtRelation(
  { newer, older }: { readonly newer: string; readonly older: string },
  now: number,
): FileChange {
  const id = sha256Hex(`contradicts\n${newer}\n${older}`).slice(0, 32);
  const ends = { fromMemoryId: newer, toMemoryId: older, relationType: 'contradicts' } as const;
  return addedRelation(newRelation({ id, ...ends, now }));
}

/** Knows which records name a memory. */
export class References {
  private readonly relations: Ends;
  private readonly superseded = new Map<string, Stored<MemoryRecord>[]>();
  private readonly kinds = new Map<string, string>();

  constructor(relations: readonly Stored<RelationRecord>[], memories: readonly Stored<MemoryRecord>[]) {
    this.relations = new Ends(relations);
    for (const { record } of relations) if (!isLineage(record)) this.kinds.set(keyOf(record), record.id);
    for (const stored of memories) {
      if (stored.record.replacedBy !== undefined)
        keptIn(this.superseded, stored.record.replacedBy, () => []).push(stored);
    }
  }

  /**
   * Plans to let the records that name a memory name the one that took its place. `placeOf` gives that, or the id itself; it gets the other
   * end of a relation.
   *
   * Lineage stays as it is: it names what was. A relation of a memory to itself, or one that is there already, goes.
   */
  changesFor(id: string, placeOf: (id: string, other?: string) => string): FileChange[] {
    const changes = this.relations.of(id).map((stored) => {
      const { record } = stored;
      const { fromMemoryId: from, toMemoryId: to } = record;
      const moved = { ...record, fromMemoryId: placeOf(from, to), toMemoryId: placeOf(to, from) };
      const twin = this.kinds.get(keyOf(moved));
      const isKept = moved.fromMemoryId !== moved.toMemoryId && (twin === undefined || twin === record.id);
      if (!isKept) return removed(stored);
      this.kinds.set(keyOf(moved), record.id);
      return { path: stored.path, before: stored.oid, after: Buffer.from(formatRelation(moved)), isFormatted: true };
    });
    for (const stored of this.superseded.get(id) ?? [])
      changes.push(changedMemory(stored, { ...stored.record, replacedBy: placeOf(id) }));
    return changes;
  }
}

const keyOf = ({ fromMemoryId, toMemoryId, relationType }: RelationRecord): string =>
  `${relationType} ${fromMemoryId} ${toMemoryId}`;
