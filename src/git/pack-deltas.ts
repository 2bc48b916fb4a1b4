// Which objects of a rolled-up pack are stored as deltas of which: versions of one file or folder follow each other.

import { formatDelta, formatTreeDelta } from './delta.ts';
import type { NewObject, ObjectType } from './object-codec.ts';
import { formatDeltaEntry, type PackEntry } from './pack-writer.ts';

/** An object for a new pack, with the whole entry it has at present. */
export interface PackCandidate extends NewObject {
  readonly raw: Buffer;
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
export function formatWithDeltas(candidates: readonly PackCandidate[]): PackEntry[] {
  const groups = new Map<string, PackCandidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
  return [...groups.values()].flatMap(formatGroup);
}

function formatGroup(group: PackCandidate[]): PackEntry[] {
  group.sort((a, b) => b.data.length - a.data.length || (a.oid < b.oid ? -1 : 1));
  let depth = 0;
  return group.map((object, position) => {
    const base = group[position - 1];
    if (base && depth + 1 + object.height <= maxDepth) {
      const delta = (object.type === 'tree' ? formatTreeDelta : formatDelta)(base.data, object.data);
      if (delta.length < object.data.length / 2) {
        depth += 1;
        return formatDeltaEntry(object.oid, base.oid, delta);
      }
    }
    depth = 0;
    return { oid: object.oid, bytes: object.raw };
  });
}

function keyOf({ type, data }: PackCandidate): string {
  const end = type === 'tree' ? data.indexOf(0) : keyBytes;
  return `${type} ${data.toString('latin1', 0, end)}`;
}
