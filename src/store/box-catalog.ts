// The memory boxes of a snapshot as values; each blob is parsed once as long as it is remembered.

import { MemoryError } from '../errors.ts';
import { type Box, parseBox } from '../records/box-file.ts';
import type { Stored } from './memory-catalog.ts';
import type { Snapshot } from './snapshot.ts';

const maxParsed = 20_000;

/** Reads boxes; a file in boxes/ that is none is passed over. */
export class BoxCatalog {
  private readonly parsed = new Map<string, Box | null>();
  private last: { readonly version: string; readonly stored: readonly Stored<Box>[] } | null = null;

  /** Lists all boxes of a snapshot, in the order of the tree. */
  stored(snapshot: Snapshot): readonly Stored<Box>[] {
    const { version } = snapshot;
    if (this.last?.version === version) return this.last.stored;
    const stored: Stored<Box>[] = [];
    for (const [path, oid] of snapshot.list('boxes/')) {
      const record = this.read(snapshot, path, oid);
      if (record !== null) stored.push({ path, oid, record });
    }
    this.last = { version, stored };
    return stored;
  }

  private read(snapshot: Snapshot, path: string, oid: string): Box | null {
    const known = this.parsed.get(oid);
    if (known !== undefined) return known;
    let box: Box | null = null;
    try {
      box = parseBox(snapshot.readBlob(oid, path).toString('utf8'), path);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
    }
    if (this.parsed.size >= maxParsed) this.parsed.delete(this.parsed.keys().next().value!);
    this.parsed.set(oid, box);
    return box;
  }
}
