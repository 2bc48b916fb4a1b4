// Keeps the number of packs small: many small ones become one by copying their entries, as `git repack --geometric` does.

import { maxObjectBytes } from '../guard/limits.ts';
import type { PackReader } from './pack-reader.ts';
import { formatPackEntry, type PackEntry, releasePack, writePack } from './pack-writer.ts';
import type { Repository } from './repository.ts';

/** More packs than this are rolled up; native git itself aims to stay below 50. */
const maxPacks = 24;
/** Packs beyond this size are left to native git: copying them costs more than they cost. */
const maxRollUpBytes = 32 << 20;

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
  const selected = selectRollUp(packs);
  if (objects.openPacks().length <= maxPacks || selected.length < 2) return { merged: 0 };
  const entries = new Map<string, PackEntry>();
  for (const pack of selected) {
    for (let position = 0; position < pack.count; position++) {
      const oid = pack.oidAt(position);
      if (entries.has(oid)) continue;
      const raw = pack.rawEntryAt(pack.offsetAt(position), oid, maxObjectBytes);
      // A delta is stored whole in the new pack: its base may lie elsewhere.
      entries.set(oid, raw ? { oid, bytes: raw } : formatPackEntry({ oid, ...objects.read(oid) }));
    }
  }
  const { name } = writePack(disk, packDirectory, [...entries.values()], objects.keepFile);
  releasePack(disk, packDirectory, name);
  for (const pack of selected) {
    if (pack.name === name) continue;
    pack.close();
    // Index first: git and we see a pack through it, so nobody finds an index without its pack.
    for (const suffix of ['idx', 'rev', 'pack']) disk.remove(`${packDirectory}/${pack.name}.${suffix}`);
  }
  objects.rescanPacks();
  return { merged: selected.length };
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
