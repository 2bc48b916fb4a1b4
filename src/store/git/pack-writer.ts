// Puts packs in place with their index, and takes them away again. Their bytes are pack-format.ts.

import { createHash } from 'node:crypto';
import { attempt, isSystemError } from '../../base/errors.ts';
import type { Disk } from './disk.ts';
import { type FormattedPack, formatPack, type PackEntry } from './pack-format.ts';
import type { WrittenPack } from './pack-reader.ts';

export interface PackPlace {
  readonly packDirectory: string;
  /** Folder of ours for files on their way, on the same file system. */
  readonly temporaryDirectory: string;
  /** Where the text of our `.keep` files stands. */
  readonly keepFile: string;
}

/**
 * Writes entries as one pack and returns its name with what was written.
 *
 * A `.keep` comes first: a `git repack -a -d` beside us that listed the packs before our ref moved would otherwise drop these
 * objects as unreachable. The caller removes it with {@link releasePack} once a ref leads to them. Nor may the pack have the name
 * of one that is there, which may be on such a list already. Files on their way lie in a folder of ours, since `git prune` removes
 * every `tmp_*` of the objects folder. The index is renamed last, since git sees a pack only through it.
 */
export function writePack(
  disk: Disk,
  place: PackPlace,
  entries: readonly PackEntry[],
): { readonly name: string; readonly written: WrittenPack } {
  const unique = new Map(entries.map((entry) => [entry.oid, entry]));
  const formatted = formatPack([...unique.values()]);
  return { name: writeFormatted(disk, place, formatted), written: formatted };
}

/** Writes a pack that is formatted already, in which no object stands twice, and gives its name; see {@link writePack}. */
export function writeFormatted(disk: Disk, place: PackPlace, { chunks, index, checksum }: FormattedPack): string {
  const { packDirectory, temporaryDirectory, keepFile } = place;
  disk.ensureDirectory(packDirectory);
  disk.ensureDirectory(temporaryDirectory);
  const name = freeName(disk, packDirectory, checksum);
  const base = `${packDirectory}/${name}`;
  const temporaryPack = disk.temporaryName(`${temporaryDirectory}/pack_`);
  const temporaryIndex = disk.temporaryName(`${temporaryDirectory}/idx_`);
  try {
    disk.writeNew(temporaryPack, chunks(), { mode: 0o444 });
    disk.writeNew(temporaryIndex, [index], { mode: 0o444 });
    keepPack(disk, base, keepFile);
    disk.rename(temporaryPack, `${base}.pack`);
    disk.rename(temporaryIndex, `${base}.idx`);
    disk.syncDirectory(packDirectory);
  } catch (error) {
    for (const path of [temporaryPack, temporaryIndex]) disk.removeQuietly(path);
    // Where the disk still refuses, a recovery knows it by its `.keep`.
    attempt(() => removeUnfinished(disk, base), undefined);
    throw error;
  }
  return name;
}

/**
 * Moves a finished pack and its index, which lie on the same file system, to where packs are; gives its name. As with {@link writePack}
 * a `.keep` stands beside it until {@link releasePack}.
 */
export function adoptPack(
  disk: Disk,
  place: PackPlace,
  files: { readonly pack: string; readonly index: string },
): string {
  const { packDirectory, keepFile } = place;
  disk.ensureDirectory(packDirectory);
  for (const path of [files.pack, files.index]) disk.syncFile(path);
  const name = disk.inFile(files.pack, 'r', (descriptor) => {
    const size = disk.fs.fstatSync(descriptor).size;
    return freeName(disk, packDirectory, disk.readAt(descriptor, size - 20, 20));
  });
  const base = `${packDirectory}/${name}`;
  try {
    keepPack(disk, base, keepFile);
    disk.rename(files.pack, `${base}.pack`);
    disk.rename(files.index, `${base}.idx`);
    disk.syncDirectory(packDirectory);
  } catch (error) {
    attempt(() => removeUnfinished(disk, base), undefined);
    throw error;
  }
  return name;
}

/**
 * Removes a pack whose objects are all in another one.
 *
 * Its index goes first, since git and we see a pack through it, and lies in our folder meanwhile. Should we die in between, it shows a
 * recovery what is ours to remove. A `.keep` would tell that too, and have a `git repack` leave these objects out of its new pack.
 */
export function dropPack(disk: Disk, { packDirectory, temporaryDirectory }: PackPlace, name: string): void {
  const base = `${packDirectory}/${name}`;
  const aside = `${temporaryDirectory}/${droppedPrefix}${name}`;
  disk.rename(`${base}.idx`, aside);
  for (const path of [`${base}.rev`, `${base}.pack`, aside]) disk.remove(path);
}

const droppedPrefix = 'dropped_';

/** Finishes what {@link dropPack} began. */
export function finishDrops(disk: Disk, { packDirectory, temporaryDirectory }: PackPlace): void {
  for (const name of disk.list(temporaryDirectory)) {
    const base = `${packDirectory}/${name.slice(droppedPrefix.length)}`;
    if (!name.startsWith(droppedPrefix) || disk.exists(`${base}.idx`)) continue;
    for (const suffix of ['rev', 'pack']) disk.remove(`${base}.${suffix}`);
  }
}

/** Removes a pack whose writer did not come to its index, which nobody can have read from, and its `.keep`. */
export function removeUnfinished(disk: Disk, base: string): void {
  if (!disk.exists(`${base}.idx`)) disk.remove(`${base}.pack`);
  disk.remove(`${base}.keep`);
}

/** Git names a pack by its checksum and asks nothing of the name; the same objects written again get another one. */
function freeName(disk: Disk, packDirectory: string, checksum: Buffer): string {
  for (let attempt = 0; ; attempt++) {
    const id = attempt === 0 ? checksum : createHash('sha1').update(checksum).update(String(attempt)).digest();
    const name = `pack-${id.toString('hex')}`;
    if (!['pack', 'idx', 'keep'].some((suffix) => disk.exists(`${packDirectory}/${name}.${suffix}`))) return name;
  }
}

/** Marks the reason of our `.keep` files, by which a recovery tells them from those of people. */
export const keepReason = 'git-memory: objects of an operation in progress\n';

/** A link to one synced file: even after a power cut it holds its reason, by which a recovery knows it as ours. */
function keepPack(disk: Disk, base: string, keepFile: string): void {
  try {
    disk.publish(keepFile, `${base}.keep`);
    return;
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
  disk.makeDirectory(keepFile.slice(0, keepFile.lastIndexOf('/')));
  const temporary = disk.temporaryName(`${keepFile}_`);
  disk.writeNew(temporary, [Buffer.from(keepReason)]);
  disk.rename(temporary, keepFile);
  disk.publish(keepFile, `${base}.keep`);
}

/** Lets native git repack a pack again. */
export function releasePack(disk: Disk, packDirectory: string, name: string): void {
  disk.remove(`${packDirectory}/${name}.keep`);
}
