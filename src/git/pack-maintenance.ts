// Keeps packs few and small: many become one, as `git repack --geometric` does, with versions of one thing as deltas.

import { MemoryError } from '../errors.ts';
import { formatWithDeltas, isDeltaCandidate, type PackCandidate } from './pack-deltas.ts';
import type { PackReader, StoredEntry } from './pack-reader.ts';
import { dropPack, formatPackEntry, type PackEntry, releasePack, writePack } from './pack-writer.ts';
import type { Repository } from './repository.ts';

/** More packs than this are rolled up; native git itself aims to stay below 50. */
const maxPacks = 24;
/** Packs beyond this size are left to native git: copying them costs more than they cost. */
const maxRollUpBytes = 32 << 20;
/** So much is held in memory to look for deltas; the rest is copied as it is. */
const maxCandidateBytes = 128 << 20;

/**
 * Rolls small packs into one when there are many. Must be called under the repository lock, with refs up to date.
 *
 * The sizes that remain grow by a factor of two or more from one pack to the next, so an object is copied about log(n)
 * times in its life. Packs that somebody keeps (`.keep`), promises, or has bitmaps for are not touched. The new pack is
 * durable before an old one goes; a reader that misses an old one scans the folder again, as git does.
 */
export function rollUpPacks(repository: Repository): { merged: number } {
  const { disk, objects } = repository;
  const { packDirectory } = objects;
  if (objects.openPacks().length <= maxPacks) return { merged: 0 };
  objects.rescanPacks();
  const names = new Set(disk.list(packDirectory));
  const isFree = (pack: PackReader) =>
    pack.packBytes <= maxRollUpBytes &&
    names.has(`${pack.name}.pack`) &&
    !['keep', 'promisor', 'bitmap', 'mtimes'].some((suffix) => names.has(`${pack.name}.${suffix}`));
  const packs = objects
    .openPacks()
    .filter(isFree)
    .sort((a, b) => a.count - b.count);
  const selected = selectRollUp(packs).flatMap((pack) => readSound(pack) ?? []);
  if (objects.openPacks().length <= maxPacks || selected.length < 2) return { merged: 0 };
  const { name } = writePack(
    disk,
    objects.packPlace,
    collectEntries(
      repository,
      selected.map(({ entries }) => entries),
    ),
  );
  releasePack(disk, packDirectory, name);
  for (const { pack } of selected) {
    pack.close();
    dropPack(disk, objects.packPlace, pack.name);
  }
  objects.rescanPacks();
  return { merged: selected.length };
}

/** Reads the entries of a pack; `null` when one is damaged: the pack is left as it is, for `doctor` to look at. */
function readSound(pack: PackReader): { pack: PackReader; entries: StoredEntry[] } | null {
  try {
    return { pack, entries: [...pack.storedEntries()] };
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'OBJECT_CORRUPT') return null;
    throw error;
  }
}

/** Collects what packs hold, each object once: deltas and small objects as they are, the others with new deltas. */
function collectEntries({ objects }: Repository, packs: readonly StoredEntry[][]): PackEntry[] {
  const stored = new Map<string, StoredEntry>();
  for (const entry of packs.flat()) if (!stored.has(entry.oid)) stored.set(entry.oid, entry);
  const heights = heightsOf(stored);
  const entries: PackEntry[] = [];
  const candidates: PackCandidate[] = [];
  let candidateBytes = 0;
  for (const { oid, type, size, baseOid, raw } of stored.values()) {
    // A delta whose base is named and comes along stays one; any other is stored whole, since its base may lie elsewhere.
    const isKept = type !== null || (baseOid !== null && stored.has(baseOid));
    const isCandidate = type !== null && isDeltaCandidate(type, size) && candidateBytes + size <= maxCandidateBytes;
    if (isCandidate) {
      candidateBytes += size;
      candidates.push({ oid, ...objects.read(oid), raw, height: heights.get(oid) ?? 0 });
    } else entries.push(isKept ? { oid, bytes: raw } : formatPackEntry({ oid, ...objects.read(oid) }));
  }
  return [...entries, ...formatWithDeltas(candidates)];
}

/** Counts for each object the longest row of kept deltas that leads to it. */
function heightsOf(stored: ReadonlyMap<string, StoredEntry>): Map<string, number> {
  const heights = new Map<string, number>();
  for (const entry of stored.values()) {
    let height = 0;
    const seen = new Set<string>();
    // Up the chain, as long as this makes it higher; a damaged pack could name itself as a base.
    for (let base = entry.baseOid; base !== null && !seen.has(base); base = stored.get(base)?.baseOid ?? null) {
      height += 1;
      if ((heights.get(base) ?? 0) >= height) break;
      heights.set(base, height);
      seen.add(base);
    }
  }
  return heights;
}

/** Picks the smallest packs up to where each further one is at least as large as all before it together. */
function selectRollUp(sorted: readonly PackReader[]): PackReader[] {
  let total = 0;
  let last = 0;
  for (const [position, pack] of sorted.entries()) {
    if (position > 0 && pack.count < 2 * total) last = position + 1;
    total += pack.count;
  }
  return sorted.slice(0, last);
}
