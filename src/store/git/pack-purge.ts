// Takes objects out of a repository for good: packs that hold some are written anew without them, loose files go.
// Which objects those are is decided elsewhere; nothing here looks into them.

import { isSystemError, MemoryError } from '../../base/errors.ts';
import { toEnd } from '../../base/steps.ts';
import type { NewObject } from './object-codec.ts';
import { formatPackEntry } from './pack-format.ts';
import { joinPacks } from './pack-join.ts';
import type { PackReader } from './pack-reader.ts';
import { dropPack, keepReason, releasePack, writeFormatted } from './pack-writer.ts';
import type { Repository } from './repository.ts';

/** Packs are written anew under the lock. */
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

/** Packs of ours that hold some of these objects; those of other repositories are not ours to change. */
function packsHolding({ objects }: Repository, dropped: ReadonlySet<string>): PackReader[] {
  return objects.openPacks().filter((pack) => {
    if (pack.directory !== objects.packDirectory) return false;
    // Whichever list is shorter is gone through.
    if (dropped.size < pack.count) {
      for (const oid of dropped) if (pack.find(oid) >= 0) return true;
      return false;
    }
    for (let position = 0; position < pack.count; position++) if (dropped.has(pack.oidAt(position))) return true;
    return false;
  });
}

/** Those of the objects that lie loose. */
function looseAmong({ disk, commonDirectory }: Repository, oids: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const start of disk.list(`${commonDirectory}/objects`)) {
    if (!/^[0-9a-f]{2}$/.test(start)) continue;
    for (const rest of disk.list(`${commonDirectory}/objects/${start}`)) {
      if (oids.has(start + rest)) found.push(start + rest);
    }
  }
  return found;
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
  const { disk, objects } = repository;
  objects.rescanPacks();
  const holding = packsHolding(repository, dropped);
  const bytes = holding.reduce((sum, pack) => sum + pack.packBytes, 0);
  if (bytes > maxRewrittenBytes) {
    throw new MemoryError('TOO_LARGE', `the packs to rewrite have ${bytes} bytes; the limit is 1 GiB`, {
      where: objects.packDirectory,
      hint: 'Nothing was changed; `git repack -d --max-pack-size=256m -a` makes smaller packs first',
    });
  }
  const joined = toEnd(joinPacks(objects, holding, { besides: made.map(formatPackEntry), without: dropped }));
  const [damaged] = joined.damaged;
  if (damaged !== undefined) {
    throw new MemoryError('OBJECT_CORRUPT', 'a pack that holds purged content is damaged', {
      where: `${objects.packDirectory}/${damaged.name}.pack`,
      hint: 'Nothing was changed; `git memory doctor` shows what can still be read',
    });
  }
  const keeps = holding.flatMap(({ name }) => disk.readText(`${objects.packDirectory}/${name}.keep`) ?? []);
  const foreign = keeps.filter((text) => text !== keepReason);
  return {
    pack: joined.count === 0 ? null : writeFormatted(disk, objects.packPlace, joined.formatted),
    keep: foreign.length === 0 ? null : foreign.join(''),
    packs: holding.map(({ name }) => name),
    loose: looseAmong(repository, dropped),
  };
}

/** Takes back what {@link writeWithout} wrote. */
export function forgetDrop({ disk, objects }: Repository, { pack }: PlannedDrop): void {
  if (pack === null) return;
  for (const suffix of packSuffixes) disk.removeQuietly(`${objects.packDirectory}/${pack}.${suffix}`);
  objects.rescanPacks();
}

/** The index first: git and we see a pack through it. */
export const packSuffixes = ['idx', 'rev', 'bitmap', 'mtimes', 'pack', 'keep'];

/** Removes what git derives of objects: commit graphs, multi-pack indexes, lists for dumb servers. */
export function dropDerived({ disk, objects, commonDirectory }: Repository): void {
  const { packDirectory } = objects;
  objects.forget();
  for (const name of ['objects/info/commit-graph', 'objects/info/packs', 'info/refs'])
    disk.remove(`${commonDirectory}/${name}`);
  const graphs = `${commonDirectory}/objects/info/commit-graphs`;
  for (const name of disk.list(graphs)) disk.remove(`${graphs}/${name}`);
  for (const name of disk.list(packDirectory)) {
    if (name.startsWith('multi-pack-index')) disk.remove(`${packDirectory}/${name}`);
  }
}

/** Removes the old packs and loose objects, and what git derives of objects. May be repeated after it was interrupted. */
export function dropObjects(repository: Repository, drop: PlannedDrop): void {
  const { disk, objects } = repository;
  const { packDirectory } = objects;
  dropDerived(repository);
  for (const name of drop.packs) for (const suffix of packSuffixes) disk.remove(`${packDirectory}/${name}.${suffix}`);
  removeLoose(repository, drop.loose);
  release(repository, drop);
  disk.syncDirectory(packDirectory);
}

/** Tells whether objects that were dropped are here once more: a `git gc` that ran beside the purge had read them before. */
export const isReturned = (repository: Repository, dropped: ReadonlySet<string>): boolean =>
  packsHolding(repository, dropped).length > 0 || looseAmong(repository, dropped).length > 0;

/**
 * Takes out again what came back, under the repository lock. A process that dies in between leaves it to the next, which finds it as it
 * found it.
 *
 * Throws what {@link writeWithout} throws.
 */
export function dropReturned(repository: Repository, dropped: ReadonlySet<string>): void {
  const { disk, objects } = repository;
  const drop = writeWithout(repository, [], dropped);
  objects.forget();
  for (const name of drop.packs) {
    for (const suffix of ['bitmap', 'mtimes', 'keep']) disk.remove(`${objects.packDirectory}/${name}.${suffix}`);
    dropPack(disk, objects.packPlace, name);
  }
  removeLoose(repository, drop.loose);
  release(repository, drop);
  disk.syncDirectory(objects.packDirectory);
  objects.rescanPacks();
}

function removeLoose(repository: Repository, loose: readonly string[]): void {
  const { disk, commonDirectory } = repository;
  for (const oid of loose) disk.remove(`${commonDirectory}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`);
  for (const folder of new Set(loose.map((oid) => `${commonDirectory}/objects/${oid.slice(0, 2)}`))) {
    removeIfEmpty(repository, folder);
    if (disk.exists(folder)) disk.syncDirectory(folder);
  }
}

/** A `.keep` of ours goes from the new pack; one of somebody else comes over to it. */
function release({ disk, objects }: Repository, drop: PlannedDrop): void {
  if (drop.pack === null) return;
  releasePack(disk, objects.packDirectory, drop.pack);
  const keep = `${objects.packDirectory}/${drop.pack}.keep`;
  if (drop.keep !== null && !disk.exists(keep)) disk.writeNew(keep, [Buffer.from(drop.keep)]);
}

function removeIfEmpty({ disk }: Repository, folder: string): void {
  try {
    disk.fs.rmdirSync(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
