// Finds the objects of a joined pack that are better stored as deltas: versions of one file or folder follow each other.

import { keptIn } from '../../base/once-per.ts';
import type { Steps } from '../../base/steps.ts';
import { crc32 } from './crc32.ts';
import { formatDelta, formatTreeDelta } from './delta.ts';
import type { ObjectType } from './object-codec.ts';
import { formatDeltaEntry } from './pack-format.ts';

/** Objects that stand whole so far, known by numbers. They are read one at a time, twice at most. */
interface DeltaCandidates {
  readonly rows: Iterable<number>;
  typeOf(row: number): ObjectType;
  sizeOf(row: number): number;
  oidOf(row: number): string;
  /** How many deltas in a row already lead to it. */
  heightOf(row: number): number;
  /** Null where it cannot be read; it stays as it is then. */
  read(row: number): Buffer | null;
}

/** Reading an object applies at most so many deltas. Native git allows as many by default. */
const maxDepth = 50;
/** Smaller objects are not worth a delta. */
const minBytes: Readonly<Partial<Record<ObjectType, number>>> = { tree: 256, blob: 512 };
/** Two of these are in memory together. */
const maxBytes = 16 << 20;
/** So many bytes at the beginning tell a file: front matter, a title, an id. */
const keyBytes = 96;
/** Deltas are held until the pack is written, and no more than these; what is left the next join finds. */
const maxHeldBytes = 16 << 20;

/** Tells whether an object may be worth a delta. */
export const isDeltaCandidate = (type: ObjectType, size: number): boolean =>
  size >= (minBytes[type] ?? Number.POSITIVE_INFINITY) && size <= maxBytes;

/**
 * Gives the entries of those that are better stored as deltas of others, by number.
 *
 * What begins alike is taken for versions of one thing: a tree by its first name, a blob by its first bytes. The largest is stored whole,
 * since what grows is read most at its newest (git's own heuristic). Each next one is a delta of the one before. A delta of more than half
 * the object is not worth its reading. Equal input gives equal bytes.
 */
export function* findDeltas(candidates: DeltaCandidates): Steps<Map<number, Buffer>> {
  const groups = new Map<number, number[]>();
  for (const row of candidates.rows) {
    const data = candidates.read(row);
    if (data !== null) keptIn(groups, keyOf(candidates.typeOf(row), data), () => []).push(row);
    yield 1 + candidates.sizeOf(row) / inflatedPerStep;
  }
  const deltas = new Map<number, Buffer>();
  let held = 0;
  for (const group of groups.values()) {
    if (group.length < 2 || held > maxHeldBytes) continue;
    const ordered = group
      .map((row) => ({ row, size: candidates.sizeOf(row), oid: candidates.oidOf(row) }))
      .sort((a, b) => b.size - a.size || (a.oid < b.oid ? -1 : 1));
    let depth = 0;
    let base: { readonly oid: string; readonly data: Buffer } | null = null;
    for (const { row, size, oid } of ordered) {
      const data = candidates.read(row);
      if (data === null) continue;
      const mayFollow = base !== null && depth + 1 + candidates.heightOf(row) <= maxDepth && held <= maxHeldBytes;
      const entry: Buffer | null = mayFollow ? formatDeltaOf(base!, { oid, data }, candidates.typeOf(row)) : null;
      depth = entry === null ? 0 : depth + 1;
      if (entry !== null) {
        // By itself: a piece of one of Node's blocks of 8 KiB would keep the block.
        deltas.set(row, Buffer.from(new Uint8Array(entry).buffer));
        held += entry.length;
      }
      yield base === null ? 0.1 : 1 + size / comparedPerStep;
      base = { oid, data };
    }
  }
  return deltas;
}

/** Inflating so many bytes, or comparing so many, takes about as long as one step of other work on packs. */
const inflatedPerStep = 8192;
const comparedPerStep = 4096;

/** Gives null where the delta is not worth its reading. */
function formatDeltaOf(
  base: { readonly oid: string; readonly data: Buffer },
  object: { readonly oid: string; readonly data: Buffer },
  type: ObjectType,
): Buffer | null {
  const delta = (type === 'tree' ? formatTreeDelta : formatDelta)(base.data, object.data);
  return delta.length < object.data.length / 2 ? formatDeltaEntry(object.oid, base.oid, delta).bytes : null;
}

/** Two things that share a number are compared in vain. */
function keyOf(type: ObjectType, data: Buffer): number {
  const end = type === 'tree' ? data.indexOf(0) : keyBytes;
  return crc32(data.subarray(0, end)) * 2 + (type === 'tree' ? 1 : 0);
}
