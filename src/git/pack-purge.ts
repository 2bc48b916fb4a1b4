// Takes objects out of a repository for good: packs that hold some are written anew without them, loose files go.
// Which objects those are is decided elsewhere; nothing here looks into them.

import { toEnd } from '../base/steps.ts';
import { isSystemError, MemoryError } from '../errors.ts';
import type { NewObject } from './object-codec.ts';
import { formatPackEntry } from './pack-format.ts';
import { joinPacks } from './pack-join.ts';
import { keepReason, releasePack, writeFormatted } from './pack-writer.ts';
import type { Repository } from './repository.ts';

/** Packs to be written anew are held in memory. */
const maxRewrittenBytes = 1 << 30;

/** What has to go when the references no longer lead there. */
export interface PlannedDrop {
  /** The pack that holds what is new, and what stays of the packs that go; null when there is nothing of either. */
  readonly pack: string | null;
  /** The text of a `.keep` file that somebody put beside a pack that goes; the new one gets it. */
  readonly keep: string | null;
  /** Packs whose objects are in the new one, or go. */
  readonly packs: readonly string[];
  /** Loose objects that go. */
  readonly loose: readonly string[];
}

/**
 * Writes one pack with new objects and with all that stays of the packs which hold dropped ones. Call it under the repository lock.
 *
 * A `.keep` of ours stands beside the pack until {@link dropObjects}. Throws TOO_LARGE when those packs have more than 1 GiB.
 */
export function writeWithout(
  repository: Repository,
  made: readonly NewObject[],
  dropped: ReadonlySet<string>,
): PlannedDrop {
  const { disk, objects, commonDirectory } = repository;
  objects.rescanPacks();
  const holding = objects.openPacks().filter((pack) => {
    if (pack.directory !== objects.packDirectory) return false;
    for (let position = 0; position < pack.count; position++) if (dropped.has(pack.oidAt(position))) return true;
    return false;
  });
  const bytes = holding.reduce((sum, pack) => sum + pack.packBytes, 0);
  if (bytes > maxRewrittenBytes) {
    throw new MemoryError('TOO_LARGE', `the packs to be written anew have ${bytes} bytes, and at most 1 GiB fits`, {
      where: objects.packDirectory,
      hint: 'Nothing was changed; `git repack -d --max-pack-size=256m -a` makes smaller packs first',
    });
  }
  const joined = toEnd(joinPacks(objects, holding, { besides: made.map(formatPackEntry), without: dropped }));
  const [damaged] = joined.damaged;
  if (damaged !== undefined) {
    throw new MemoryError('OBJECT_CORRUPT', 'a pack that holds what is to go is damaged', {
      where: `${objects.packDirectory}/${damaged.name}.pack`,
      hint: 'Nothing was changed; `git memory doctor` tells what can be read of it',
    });
  }
  const isEmpty = joined.formatted.index.readUInt32BE(8 + 255 * 4) === 0;
  const loose = [...dropped].filter((oid) => disk.exists(loosePath(commonDirectory, oid)));
  const keeps = holding.flatMap(({ name }) => disk.readText(`${objects.packDirectory}/${name}.keep`) ?? []);
  const foreign = keeps.filter((text) => text !== keepReason);
  return {
    pack: isEmpty ? null : writeFormatted(disk, objects.packPlace, joined.formatted).name,
    keep: foreign.length === 0 ? null : foreign.join(''),
    packs: holding.map(({ name }) => name),
    loose,
  };
}

/** Takes back what {@link writeWithout} wrote. */
export function forgetDrop({ disk, objects }: Repository, { pack }: PlannedDrop): void {
  if (pack === null) return;
  for (const suffix of packSuffixes) disk.removeQuietly(`${objects.packDirectory}/${pack}.${suffix}`);
  objects.rescanPacks();
}

/** The index first: git and we see a pack through it. */
const packSuffixes = ['idx', 'rev', 'bitmap', 'mtimes', 'pack', 'keep'];

/**
 * Removes the old packs and loose objects, and what git derives of objects: commit graphs, multi-pack indexes, lists for dumb servers.
 *
 * May be repeated after it was interrupted.
 */
export function dropObjects(repository: Repository, drop: PlannedDrop): void {
  const { disk, objects, commonDirectory } = repository;
  const { packDirectory } = objects;
  objects.forget();
  for (const name of ['objects/info/commit-graph', 'objects/info/packs', 'info/refs']) {
    disk.remove(`${commonDirectory}/${name}`);
  }
  const graphs = `${commonDirectory}/objects/info/commit-graphs`;
  for (const name of disk.list(graphs)) disk.remove(`${graphs}/${name}`);
  for (const name of disk.list(packDirectory)) {
    if (name.startsWith('multi-pack-index')) disk.remove(`${packDirectory}/${name}`);
  }
  for (const name of drop.packs) for (const suffix of packSuffixes) disk.remove(`${packDirectory}/${name}.${suffix}`);
  for (const oid of drop.loose) disk.remove(loosePath(commonDirectory, oid));
  for (const folder of new Set(drop.loose.map((oid) => `${commonDirectory}/objects/${oid.slice(0, 2)}`))) {
    removeIfEmpty(repository, folder);
    if (disk.exists(folder)) disk.syncDirectory(folder);
  }
  if (drop.pack !== null) {
    releasePack(disk, packDirectory, drop.pack);
    const keep = `${packDirectory}/${drop.pack}.keep`;
    if (drop.keep !== null && !disk.exists(keep)) disk.writeNew(keep, [Buffer.from(drop.keep)]);
  }
  disk.syncDirectory(packDirectory);
}

function removeIfEmpty({ disk }: Repository, folder: string): void {
  try {
    disk.fs.rmdirSync(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

function loosePath(commonDirectory: string, oid: string): string {
  return `${commonDirectory}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
}
