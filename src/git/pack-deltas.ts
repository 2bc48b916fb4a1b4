// Which objects of a rolled-up pack are stored as deltas of which: versions of one file or folder follow each other.

import type { Steps } from '../base/steps.ts';
import { formatDelta, formatTreeDelta } from './delta.ts';
import type { NewObject, ObjectType } from './object-codec.ts';
import { formatDeltaEntry, type PackEntry } from './pack-format.ts';

/** An object for a new pack, with the whole entry it has at present. */
export interface PackCandidate extends NewObject {
  readonly raw: Buffer;
  /** The checksum of that entry. */
  readonly crc: number;
  /** How many deltas in a row already lead to it. */
  readonly height: number;
}

/** Reading an object applies at most so many deltas. Native git allows as many by default. */
const maxDepth = 50;
/** Smaller objects are not worth a delta. */
const minBytes: Readonly<Partial<Record<ObjectType, number>>> = { tree: 256, blob: 512 };
/** So many bytes at the beginning tell a file: front matter, a title, an id. */
const keyBytes = 96;

/** Tells whether an object may be worth a delta. */
export function isDeltaCandidate(type: ObjectType, size: number): boolean {
  return size >= (minBytes[type] ?? Number.POSITIVE_INFINITY);
}

/**
 * Formats objects as entries of one pack, versions of one thing as deltas of each other.
 *
 * What begins alike is taken for versions of one thing: a tree by its first name, a blob by its first bytes. The largest is
 * stored whole, since what grows is read most at its newest (git's own heuristic), and each next one as a delta of the one
 * before. A delta of more than half the object is not worth its reading. Equal input gives equal bytes.
 */
export function* formatWithDeltas(candidates: readonly PackCandidate[]): Steps<PackEntry[]> {
  const groups = new Map<string, PackCandidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
    yield 0.1;
  }
  const entries: PackEntry[] = [];
  for (const group of groups.values()) {
    group.sort((a, b) => b.data.length - a.data.length || (a.oid < b.oid ? -1 : 1));
    let depth = 0;
    for (const [position, object] of group.entries()) {
      const base = group[position - 1];
      const entry = base && depth + 1 + object.height <= maxDepth ? formatDeltaOf(base, object) : null;
      depth = entry === null ? 0 : depth + 1;
      entries.push(entry ?? { oid: object.oid, bytes: object.raw, crc: object.crc });
      yield base === undefined ? 0.1 : 1 + object.data.length / bytesPerStep;
    }
  }
  return entries;
}

/** Comparing so many bytes takes about as long as one step of other work on packs. */
const bytesPerStep = 4096;

/** Gives null where the delta is not worth its reading. */
function formatDeltaOf(base: PackCandidate, object: PackCandidate): PackEntry | null {
  const delta = (object.type === 'tree' ? formatTreeDelta : formatDelta)(base.data, object.data);
  return delta.length < object.data.length / 2 ? formatDeltaEntry(object.oid, base.oid, delta) : null;
}

function keyOf({ type, data }: PackCandidate): string {
  const end = type === 'tree' ? data.indexOf(0) : keyBytes;
  return `${type} ${data.toString('latin1', 0, end)}`;
}
