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
export type Ends = ReadonlyMap<string, readonly Stored<RelationRecord>[]>;

/** Groups relations by the memories at their ends: those of a memory would be orphans without it. */
export function endsOf(relations: Iterable<Stored<RelationRecord>>): Ends {
  const byMemory = new Map<string, Stored<RelationRecord>[]>();
  for (const stored of relations) {
    if (isLineage(stored.record)) continue;
    for (const id of new Set([stored.record.fromMemoryId, stored.record.toMemoryId]))
      keptIn(byMemory, id, () => []).push(stored);
  }
  return byMemory;
}

/** Lists the memories that relations name and that are gone. One that is damaged may come back, and its relations with it. */
export function lostEnds(snapshot: Snapshot, ends: Ends): string[] {
  if (!snapshot.isListedWhole('memories/')) return [];
  const alive = idsInTree(snapshot);
  return [...ends.keys()].filter((id) => !alive.has(id));
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

/**
 * Makes what plans to let the records that name a memory name the one that took its place. `placeOf` gives that, or the id itself; it gets the
 * other end of a relation.
 *
 * Lineage stays as it is: it names what was. A relation of a memory to itself, or one that is there already, goes.
 */
export function renamingIn(relations: readonly Stored<RelationRecord>[], memories: readonly Stored<MemoryRecord>[]) {
  const ends = endsOf(relations);
  const superseded = new Map<string, Stored<MemoryRecord>[]>();
  const kinds = new Map<string, string>();
  for (const { record } of relations) if (!isLineage(record)) kinds.set(keyOf(record), record.id);
  for (const stored of memories) {
    if (stored.record.replacedBy !== undefined) keptIn(superseded, stored.record.replacedBy, () => []).push(stored);
  }
  return (id: string, placeOf: (id: string, other?: string) => string): FileChange[] => {
    const changes = (ends.get(id) ?? []).map((stored) => {
      const { record } = stored;
      const { fromMemoryId: from, toMemoryId: to } = record;
      const moved = { ...record, fromMemoryId: placeOf(from, to), toMemoryId: placeOf(to, from) };
      const twin = kinds.get(keyOf(moved));
      const isKept = moved.fromMemoryId !== moved.toMemoryId && (twin === undefined || twin === record.id);
      if (!isKept) return removed(stored);
      kinds.set(keyOf(moved), record.id);
      return { path: stored.path, before: stored.oid, after: Buffer.from(formatRelation(moved)), isFormatted: true };
    });
    const replaced = superseded.get(id) ?? [];
    return [...changes, ...replaced.map((one) => changedMemory(one, { ...one.record, replacedBy: placeOf(id) }))];
  };
}

const keyOf = ({ fromMemoryId, toMemoryId, relationType }: RelationRecord): string =>
  `${relationType} ${fromMemoryId} ${toMemoryId}`;
