// Brings the history of a remote in: into a folder of its own, is examined there object by object, and only then goes beside ours.

import { attempt, MemoryError } from '../../base/errors.ts';
import { type GitObject, isOid } from '../../store/git/object-codec.ts';
import { ObjectDatabase } from '../../store/git/object-database.ts';
import { indexPack } from '../../store/git/pack-indexer.ts';
import { adoptPack, releasePack } from '../../store/git/pack-writer.ts';
import { remoteRefused, type TransferLimits } from '../../store/git/pkt-line.ts';
import { type Connection, fetchPack } from '../../store/git/remote-protocol.ts';
import type { Repository } from '../../store/git/repository.ts';
import { WorkBudget, workForPack } from '../../store/guard/work-budget.ts';
import { checkComplete, checkObject } from './check-objects.ts';

/** Folders of fetches that ended without a word are removed after a day. */
const staleMs = 24 * 3600_000;

export interface FetchSettings {
  readonly limits: TransferLimits;
  readonly signal?: AbortSignal | undefined;
  /** Commits and tips of the remote that we want. */
  readonly wants: readonly string[];
  /** What the remote surely has, and we have too. */
  readonly haves: readonly string[];
  /** Lists the commits behind a tip that are behind none of others; see `history/merge-base.ts`. */
  readonly beyond: (objects: ObjectDatabase, tip: string, others: readonly string[]) => readonly string[];
  /** Commits of ours that are complete here. */
  readonly own: readonly string[];
  readonly onBytes?: (bytes: number) => void;
}

/** What was fetched and found whole; nothing of it is in the repository yet. */
export interface FetchedPack {
  /** Reads theirs and ours. */
  readonly objects: ObjectDatabase;
  readonly bytes: number;
  /** Puts the pack beside ours; to be called under the repository lock. The function it gives is called when a ref leads to it. */
  install(): () => void;
  /** Removes what was not installed. */
  discard(): void;
}

/** Fetches what is wanted and examines all of it, before anything comes in. Throws REMOTE_REFUSED, REMOTE_UNAVAILABLE, TOO_LARGE, IO. */
export async function fetchObjects(
  repository: Repository,
  connection: Connection,
  settings: FetchSettings,
): Promise<FetchedPack> {
  const place = new Quarantine(repository);
  try {
    const bytes = await place.receive(connection, settings);
    place.examine(settings);
    return { objects: place.objects!, bytes, install: () => place.install(), discard: () => place.remove() };
  } catch (error) {
    place.remove();
    throw error;
  }
}

class Quarantine {
  private readonly repository: Repository;
  private readonly folder: string;
  private readonly pack: string;
  private readonly index: string;
  objects: ObjectDatabase | null = null;

  constructor(repository: Repository) {
    const { disk, ownDirectory } = repository;
    const all = `${ownDirectory}/fetch`;
    disk.refuseLinks(repository.commonDirectory, `${all}/`);
    removeStale(repository, all);
    this.repository = repository;
    this.folder = disk.temporaryName(`${all}/`);
    // Their name tells nothing: what a pack is called, we decide when it is taken in.
    this.pack = `${this.folder}/pack/pack-${'0'.repeat(40)}.pack`;
    this.index = this.pack.replace(/pack$/, 'idx');
    disk.makeDirectory(`${this.folder}/pack`);
  }

  async receive(connection: Connection, settings: FetchSettings): Promise<number> {
    const { disk, objects } = this.repository;
    const descriptor = disk.fs.openSync(this.pack, 'wx');
    let count = 0;
    try {
      const take = (bytes: Buffer) => {
        disk.writeAll(descriptor, bytes);
        count += bytes.length;
        settings.onBytes?.(count);
      };
      const shallow = objects.isShallow ? [...objects.boundaries] : [];
      await fetchPack(connection, { wants: settings.wants, haves: settings.haves, shallow }, settings.limits, take);
    } finally {
      disk.fs.closeSync(descriptor);
    }
    return count;
  }

  examine({ wants, own, beyond }: FetchSettings): void {
    const { disk, objects: ours, commonDirectory } = this.repository;
    const budget = new WorkBudget(workForPack(disk.stat(this.pack)?.size ?? 0));
    const blobs = new Set<string>();
    // No deltas upon what only we have: we did not ask for them, and native git would not read such a pack.
    const readBase = (oid: string) => {
      throw new MemoryError('OBJECT_CORRUPT', `the pack lacks the base ${oid}`, { where: oid });
    };
    const look = (oid: string, object: GitObject) => {
      checkObject(oid, object);
      if (object.type === 'blob') blobs.add(oid);
    };
    try {
      disk.writeNew(this.index, [indexPack(disk, this.pack, readBase, { budget, look }).index], { sync: false });
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === 'REMOTE_REFUSED') throw error;
      throw remoteRefused(`sends a pack that cannot be taken: ${error.what}`, error);
    }
    const below = [`${commonDirectory}/objects`, ...ours.borrowed];
    this.objects = new ObjectDatabase(disk, this.folder, below, new Set(ours.boundaries), ours, budget);
    for (const want of wants) {
      try {
        if (!isOid(want)) throw remoteRefused('names what is no object');
        const commit = this.objects.peelToCommit(want);
        checkComplete(this.objects, beyond(this.objects, commit, own), { budget, isBlob: (oid) => blobs.has(oid) });
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code === 'REMOTE_REFUSED') throw error;
        throw remoteRefused(`sends a history that is not whole: ${error.what}`, error);
      }
    }
  }

  install(): () => void {
    const { disk, objects } = this.repository;
    this.objects?.close();
    const name = adoptPack(disk, objects.packPlace, { pack: this.pack, index: this.index });
    objects.rescanPacks();
    this.remove();
    return () => releasePack(disk, objects.packDirectory, name);
  }

  remove(): void {
    this.objects?.close();
    removeFolder(this.repository, this.folder);
  }
}

function removeStale(repository: Repository, all: string): void {
  const { disk } = repository;
  for (const name of disk.list(all)) {
    const stat = disk.stat(`${all}/${name}`);
    const age = Date.now() - Number((stat?.mtimeNs ?? 0n) / 1_000_000n);
    if (stat?.isDirectory && age > staleMs) removeFolder(repository, `${all}/${name}`);
  }
}

/** Removes a folder of a fetch, which is two levels deep; one that stays is stale some day. */
function removeFolder({ disk }: Repository, folder: string): void {
  for (const part of [`${folder}/pack`, folder]) {
    for (const name of disk.list(part)) if (name !== 'pack' || part !== folder) disk.removeQuietly(`${part}/${name}`);
    // Gone already, or somebody put a file there.
    attempt(() => disk.fs.rmdirSync(part), undefined);
  }
}
