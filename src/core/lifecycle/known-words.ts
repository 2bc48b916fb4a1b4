// What memories say by now, in the form in which lines of knowledge can be compared with them.

import { normaliseForHash } from '../../base/text.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import type { KnowledgeItem } from '../../store/records/knowledge-items.ts';
import { memoriesOfLine } from '../../store/records/knowledge-marks.ts';

/** Memories by their words. */
export type KnownWords = ReturnType<typeof knownWords>;

/** Indexes memories by {@link normaliseForHash} of what they say. */
export function knownWords(memories: readonly Stored<MemoryRecord>[]) {
  const byKey = new Map<string, MemoryRecord>();
  const rank = ({ status }: MemoryRecord) => (status === 'superseded' ? 0 : status === 'archived' ? 1 : 2);
  for (const { record } of memories) {
    for (const key of [record.content, wordsOfClaim(record)].map(normaliseForHash)) {
      const other = byKey.get(key);
      if (other === undefined || rank(record) >= rank(other)) byKey.set(key, record);
    }
  }
  let byId: ReadonlyMap<string, MemoryRecord> | undefined;
  return {
    /** Gives the memory that says these words, as it was made last. */
    of: (key: string) => byKey.get(key),
    /** Lists the memories that a line names, else the one that says its words. */
    ofLine({ line, key }: Pick<KnowledgeItem, 'line' | 'key'>): readonly MemoryRecord[] {
      const ids = memoriesOfLine(line);
      if (ids.length > 0) byId ??= new Map(memories.map(({ record }) => [record.id, record]));
      const named = ids.flatMap((id) => byId!.get(id) ?? []);
      return named.length > 0 ? named : [byKey.get(key) ?? []].flat();
    },
    /** Tells whether these words were put aside for later ones, and no active memory says them. */
    isSuperseded: (key: string) => byKey.get(key)?.status === 'superseded',
  };
}
