// Follows memories that were consolidated: relations name the result, as two sides of a merge have them.

import { MemoryError } from '../base/errors.ts';
import type { Codec } from './codec.ts';
import type { ObjectReader } from './git/object-overlay.ts';
import { diffTrees, findEntry } from './git/tree.ts';
import { memoryPath } from './records/memory-record.ts';
import { parseRelation } from './records/relation-record.ts';

/** Knows for a consolidated memory what it became part of. */
export class Lineage {
  private readonly heirs = new Map<string, string[]>();

  /** Reads the relations that trees have and a base has not; null is a base without any. */
  constructor(
    objects: Pick<ObjectReader, 'readTree' | 'readTreeBytes' | 'readBlob'>,
    codec: Codec,
    base: string | null,
    trees: readonly (string | null)[],
  ) {
    const folderOf = (tree: string | null): string | null =>
      findEntry(tree, 'relations', objects.readTree)?.oid ?? null;
    for (const tree of trees) {
      for (const { path, after } of diffTrees(folderOf(base), folderOf(tree), objects.readTreeBytes)) {
        if (after === null || !path.endsWith('.json')) continue;
        const stored = objects.readBlob(after.oid);
        if (!codec.canDecode(stored)) continue;
        this.read(`relations/${path}`, codec.decode(`relations/${path}`, stored).toString('utf8'));
      }
    }
  }

  private read(path: string, text: string): void {
    try {
      const { relationType, fromMemoryId, toMemoryId } = parseRelation(text, path);
      if (relationType !== 'consolidated_from') return;
      this.heirs.set(toMemoryId, [...(this.heirs.get(toMemoryId) ?? []), fromMemoryId].sort());
    } catch (error) {
      // What cannot be read leads nowhere; the rules of changes speak of it.
      if (!(error instanceof MemoryError) || !['INVALID_RECORD', 'TOO_LARGE'].includes(error.code)) throw error;
    }
  }

  /** Gives the path of what a memory became part of, through further consolidations; null if nothing of it is there. */
  heirOf(id: string, isThere: (path: string) => boolean): string | null {
    const seen = new Set([id]);
    const next = [...(this.heirs.get(id) ?? [])];
    for (let heir = next.shift(); heir !== undefined; heir = next.shift()) {
      if (seen.has(heir)) continue;
      seen.add(heir);
      const place = [memoryPath(heir), `memories/${heir}.json`].find(isThere);
      if (place !== undefined) return place;
      next.push(...(this.heirs.get(heir) ?? []));
    }
    return null;
  }
}
