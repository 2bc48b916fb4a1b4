// Relations that lose one of their memories.

import type { RelationRecord } from '../records/types.ts';
import type { Stored } from '../store/memory-catalog.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** Relations that tell where a memory comes from: they stay when what they name is gone, for history still has it. */
const lineage: ReadonlySet<string> = new Set(['consolidated_from', 'split_from']);

/** Tells whether a relation says what a memory was made of. */
export function isLineage({ relationType }: RelationRecord): boolean {
  return lineage.has(relationType);
}

/** Relations by the memories at their ends; lineage is left out, since it never becomes an orphan. */
export class Ends {
  private readonly byMemory = new Map<string, Stored<RelationRecord>[]>();

  constructor(relations: Iterable<Stored<RelationRecord>>) {
    for (const stored of relations) {
      if (isLineage(stored.record)) continue;
      for (const id of new Set([stored.record.fromMemoryId, stored.record.toMemoryId])) {
        const known = this.byMemory.get(id);
        if (known) known.push(stored);
        else this.byMemory.set(id, [stored]);
      }
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

/** Lists the ids that stand in memories/, also of files that do not parse: they are damaged, not gone. */
export function idsInTree(snapshot: Snapshot): Set<string> {
  const names = [...snapshot.list('memories/').keys()];
  return new Set(names.map((path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')));
}
