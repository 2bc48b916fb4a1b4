// All objects of a repository: reading from packs, loose files and alternates; writing as one pack or a loose file.

import { MemoryError } from '../errors.ts';
import { maxObjectBytes } from '../guard/limits.ts';
import { type Commit, parseCommit, parseTag } from './commit-object.ts';
import type { Disk } from './disk.ts';
import {
  corrupt,
  formatLoose,
  type GitObject,
  hashObject,
  isOid,
  type NewObject,
  type ObjectType,
  parseLoose,
} from './object-codec.ts';
import { DeltaBaseCache, PackReader } from './pack-reader.ts';
import { formatPackEntry, releasePack, writePack } from './pack-writer.ts';
import { isNewTree, parseTree, type TreeEntry } from './tree.ts';

/** Up to this many objects are cheaper as loose files than as a pack with its index. */
const maxLooseObjects = 2;
const maxCachedTrees = 20_000;
const maxCachedCommits = 50_000;

export class ObjectDatabase {
  readonly packDirectory: string;
  /** Where the text of our `.keep` files stands. */
  readonly keepFile: string;
  private readonly disk: Disk;
  private readonly directory: string;
  private readonly alternates: readonly string[];
  private readonly boundary: ReadonlySet<string>;
  private packs: PackReader[] | null = null;
  private readonly deltaBases = new DeltaBaseCache();
  private readonly trees = new Map<string, readonly TreeEntry[]>();
  private readonly commits = new Map<string, Commit>();

  /** `boundary` lists the commits at which a shallow repository ends. */
  constructor(
    disk: Disk,
    directory: string,
    alternates: readonly string[] = [],
    boundary: ReadonlySet<string> = new Set(),
  ) {
    this.disk = disk;
    this.directory = directory;
    this.packDirectory = `${directory}/pack`;
    this.keepFile = `${directory.slice(0, directory.lastIndexOf('/'))}/git-memory/keep`;
    this.alternates = alternates;
    this.boundary = boundary;
  }

  close(): void {
    for (const pack of this.packs ?? []) pack.close();
    this.packs = null;
  }

  /**
   * Reads an object and checks that it is the one its name says.
   *
   * A damaged copy is passed over when there is another. A miss scans the pack folder once more, since native git may
   * have repacked. Throws OBJECT_MISSING, OBJECT_CORRUPT, TOO_LARGE.
   */
  read(oid: string): GitObject {
    if (!isOid(oid)) throw new MemoryError('INVALID_ARGUMENT', `${oid} is not an object id`, { where: oid });
    const failures: unknown[] = [];
    const object =
      this.readPacked(oid, failures) ??
      this.readLoose(oid, failures) ??
      (this.rescanPacks() ? this.readPacked(oid, failures) : null) ??
      this.readLoose(oid, failures);
    if (object) return object;
    const damage = failures.find((error) => error instanceof MemoryError && error.code !== 'OBJECT_MISSING');
    if (damage) throw damage;
    if (failures.length > 0) throw failures[0];
    throw new MemoryError('OBJECT_MISSING', `object ${oid} is not in this repository`, {
      where: oid,
      hint: 'Run `git memory doctor` to see what is missing',
    });
  }

  has(oid: string): boolean {
    try {
      this.read(oid);
      return true;
    } catch (error) {
      if (error instanceof MemoryError && error.code === 'OBJECT_MISSING') return false;
      throw error;
    }
  }

  private readOf(oid: string, type: ObjectType): Buffer {
    const object = this.read(oid);
    if (object.type !== type) {
      throw new MemoryError('OBJECT_CORRUPT', `object ${oid} is a ${object.type}, not a ${type}`, { where: oid });
    }
    return object.data;
  }

  readBlob(oid: string): Buffer {
    return this.readOf(oid, 'blob');
  }

  /** Reads a tree; cached, so a function of the name alone. Bound to the database, to be handed on as a TreeReader. */
  readonly readTree = (oid: string): readonly TreeEntry[] => {
    const cached = this.trees.get(oid);
    if (cached) return cached;
    const entries = parseTree(this.readOf(oid, 'tree'), oid);
    remember(this.trees, oid, entries, maxCachedTrees);
    return entries;
  };

  /** Reads a commit. At a shallow boundary its parents are left out, for they are not there: as native git does. */
  readonly readCommit = (oid: string): Commit => {
    const cached = this.commits.get(oid);
    if (cached) return cached;
    const stored = parseCommit(this.readOf(oid, 'commit'), oid);
    const commit = this.boundary.has(oid) ? { ...stored, parents: [] } : stored;
    remember(this.commits, oid, commit, maxCachedCommits);
    return commit;
  };

  /** Whether the repository is a shallow clone. */
  get isShallow(): boolean {
    return this.boundary.size > 0;
  }

  /** Whether a commit has parents that a shallow clone left out. */
  isBoundary(oid: string): boolean {
    return this.boundary.has(oid);
  }

  /** Follows annotated tags to the commit they mean; throws INVALID_REF when they mean something else. */
  peelToCommit(oid: string): string {
    let current = oid;
    for (let depth = 0; depth < 10; depth++) {
      const object = this.read(current);
      if (object.type === 'commit') return current;
      if (object.type !== 'tag') break;
      current = parseTag(object.data, current).object;
    }
    throw new MemoryError('INVALID_REF', `${oid} is not a commit`, { where: oid });
  }

  /** Lists the names that begin with at least four hex digits. */
  withPrefix(prefix: string): string[] {
    const found = new Set<string>();
    const fanOut = prefix.slice(0, 2);
    for (const directory of [this.directory, ...this.alternates]) {
      for (const name of this.disk.list(`${directory}/${fanOut}`)) {
        if (isOid(fanOut + name) && (fanOut + name).startsWith(prefix)) found.add(fanOut + name);
      }
    }
    for (const pack of this.openPacks()) for (const oid of pack.withPrefix(prefix)) found.add(oid);
    return [...found];
  }

  /**
   * Writes objects durably and returns a function to be called once a ref leads to them.
   *
   * Many become one pack, one or two become loose files. A damaged loose file of the same name is repaired. Objects that
   * exist already are written again all the same: the old copy may be unreachable and about to be pruned.
   */
  write(objects: readonly NewObject[]): () => void {
    if (objects.length === 0) return () => {};
    this.repairLoose(objects);
    let release = () => {};
    if (objects.length <= maxLooseObjects) for (const object of objects) this.writeLoose(object);
    else {
      const written = writePack(this.disk, this.packDirectory, objects.map(formatPackEntry), this.keepFile);
      this.packs?.unshift(new PackReader(this.disk, this.packDirectory, written.name, written));
      release = () => releasePack(this.disk, this.packDirectory, written.name);
    }
    for (const object of objects) {
      if (isNewTree(object)) remember(this.trees, object.oid, object.entries, maxCachedTrees);
      else if (object.type === 'commit') {
        remember(this.commits, object.oid, parseCommit(object.data, object.oid), maxCachedCommits);
      }
    }
    return release;
  }

  private loosePath(oid: string, directory = this.directory): string {
    return `${directory}/${oid.slice(0, 2)}/${oid.slice(2)}`;
  }

  private writeLoose(object: NewObject): void {
    const path = this.loosePath(object.oid);
    const folder = path.slice(0, path.lastIndexOf('/'));
    const temporary = this.disk.temporaryName(`${this.directory}/tmp_obj_`);
    this.disk.writeNew(temporary, [formatLoose(object)], { mode: 0o444 });
    try {
      // Native gc removes fan-out folders that it emptied, so one made a moment ago may be gone: try again.
      for (let attempt = 0; ; attempt++) {
        this.disk.makeDirectory(folder);
        try {
          this.disk.rename(temporary, path);
          break;
        } catch (error) {
          if (attempt >= 5 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        }
      }
    } catch (error) {
      this.disk.removeQuietly(temporary);
      throw error;
    }
    this.disk.syncDirectory(folder);
    this.disk.syncDirectory(this.directory);
  }

  /** Replaces damaged loose files of the same names; a crash without syncs can leave them empty, and git never heals them. */
  private repairLoose(objects: readonly NewObject[]): void {
    for (const object of objects) {
      const bytes = this.disk.stat(this.loosePath(object.oid)) && this.disk.read(this.loosePath(object.oid));
      if (!bytes) continue;
      try {
        parseLoose(bytes, object.oid, Math.max(object.data.length, 1));
      } catch {
        // Whatever is wrong with it, the right bytes are at hand.
        this.writeLoose(object);
      }
    }
  }

  private readLoose(oid: string, failures: unknown[]): GitObject | null {
    for (const directory of [this.directory, ...this.alternates]) {
      const bytes = this.disk.read(this.loosePath(oid, directory));
      if (bytes === null) continue;
      try {
        return parseLoose(bytes, oid, maxObjectBytes);
      } catch (error) {
        failures.push(error);
      }
    }
    return null;
  }

  private readPacked(oid: string, failures: unknown[]): GitObject | null {
    for (const pack of this.openPacks()) {
      const offset = pack.find(oid);
      if (offset < 0) continue;
      try {
        const object = pack.readAt(offset, oid, (base) => this.read(base), this.deltaBases, maxObjectBytes);
        if (hashObject(object.type, object.data) !== oid) throw corrupt(oid);
        return object;
      } catch (error) {
        failures.push(error);
      }
    }
    return null;
  }

  /** The packs of this repository and its alternates, newest first as far as we know. */
  openPacks(): readonly PackReader[] {
    if (this.packs === null) this.rescanPacks();
    return this.packs!;
  }

  /** Looks for packs that came or went; returns whether anything did. */
  rescanPacks(): boolean {
    const known = new Map((this.packs ?? []).map((pack) => [pack.name, pack]));
    const packs: PackReader[] = [];
    let isChanged = this.packs === null;
    for (const directory of [this.directory, ...this.alternates]) {
      for (const file of this.disk.list(`${directory}/pack`)) {
        if (!file.startsWith('pack-') || !file.endsWith('.idx')) continue;
        const name = file.slice(0, -4);
        const pack = known.get(name);
        if (pack) {
          packs.push(pack);
          known.delete(name);
          continue;
        }
        try {
          packs.push(new PackReader(this.disk, `${directory}/pack`, name));
          isChanged = true;
        } catch (error) {
          // A damaged index hides its pack, as it does from native git; what it held is then reported as missing.
          if (!(error instanceof MemoryError)) throw error;
        }
      }
    }
    for (const gone of known.values()) {
      gone.close();
      isChanged = true;
    }
    this.packs = packs;
    return isChanged;
  }
}

function remember<V>(cache: Map<string, V>, key: string, value: V, max: number): void {
  if (cache.size >= max) cache.delete(cache.keys().next().value!);
  cache.set(key, value);
}
