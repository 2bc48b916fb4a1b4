// All objects of a repository: reading from packs, loose files and alternates; writing as one pack or a loose file.

import { defined, MemoryError, succeeds } from '../../base/errors.ts';
import { maxObjectBytes, maxTreeBytes } from '../guard/limits.ts';
import type { WorkBudget } from '../guard/work-budget.ts';
import { BoundedCache } from './bounded-cache.ts';
import { CommitGraph, type CommitLinks } from './commit-graph.ts';
import { type Commit, parseCommit, parseTag } from './commit-object.ts';
import type { Disk } from './disk.ts';
import { LooseObjects } from './loose-objects.ts';
import {
  corrupt,
  type GitObject,
  hashObject,
  isOid,
  type NewObject,
  type ObjectType,
  ownBytes,
} from './object-codec.ts';
import { checkForm } from './object-form.ts';
import { formatPackEntry } from './pack-format.ts';
import { indexPack } from './pack-indexer.ts';
import { newDeltaBaseCache, PackReader, type WrittenPack } from './pack-reader.ts';
import { type PackPlace, releasePack, writePack } from './pack-writer.ts';
import { entriesOf, isNewTree, type TreeEntry, weightOf } from './tree.ts';
import { cutTree, type TreeBytes } from './tree-bytes.ts';

/** In names; each takes about 200 bytes. */
const maxCachedTreeEntries = 500_000;
const maxCachedTreeBytes = 8 << 20;
/** In bytes with a thousand for each; a log that grows by a line is asked for again right behind the commit that wrote it. */
const maxCachedBlobBytes = 8 << 20;
/** In UTF-16 units of messages, with a few hundred for the rest of each commit. */
const maxCachedCommitLength = 32_000_000;
/** What this process wrote is asked for again soon or hardly ever, so little of it is kept: trees in bytes, commits as above. */
const maxWritten = { trees: 8 << 20, commits: 500_000 };
/** Tags of tags; git has no limit. */
const maxTagDepth = 5_000;
/** Bases in other packs on the way to one object. */
const maxBaseDepth = 64;
/** How often the pack folder is scanned for one object while others repack. */
const maxScans = 32;
/** Packs that are held in memory as a whole, together. */
const maxSlurpedBytes = 64 << 20;
/** A question for the links of so many commits walks far: only then is native git's graph worth being read. */
const graphFrom = 64;

export class ObjectDatabase {
  readonly packDirectory: string;
  readonly packPlace: PackPlace;
  /** The database that this one lies on top of, where it holds what is not let in yet. */
  readonly below: ObjectDatabase | undefined;
  /** Where facts about commits are kept; `null` where a shallow clone cuts their history off, so that they hold here alone. */
  readonly factsPlace: { readonly disk: Disk; readonly ownDirectory: string } | null;
  private readonly disk: Disk;
  private readonly directory: string;
  private readonly alternates: readonly string[];
  private readonly loose: LooseObjects;
  private readonly boundary: ReadonlySet<string>;
  private packs: PackReader[] | null = null;
  private baseDepth = 0;
  private readonly deltaBases = newDeltaBaseCache();
  private readonly trees = new BoundedCache<readonly TreeEntry[]>(maxCachedTreeEntries);
  private readonly treeBytes = new BoundedCache<TreeBytes>(maxCachedTreeBytes);
  private readonly commits = new BoundedCache<Commit>(maxCachedCommitLength);
  private readonly blobs = new BoundedCache<Buffer>(maxCachedBlobBytes);
  private readonly written = {
    trees: new BoundedCache<readonly TreeEntry[]>(maxWritten.trees),
    commits: new BoundedCache<Commit>(maxWritten.commits),
  };
  private graph: CommitGraph | null = null;
  private linksAsked = 0;
  /** Packs that cannot be read through their index, and why; what they hold is missing for us. */
  private readonly unreadable = new Map<string, MemoryError>();
  /** Packs without an index that can be read, by name: where they lie. */
  private readonly unindexed = new Map<string, string>();
  /** Those of them that are read by an index made anew, in memory; it takes its place on the disk with the next write. */
  private readonly reindexed = new Map<string, { readonly pack: PackReader; readonly index: Buffer } | null>();
  private readonly budget: WorkBudget | null;

  /**
   * `boundary` lists the commits at which a shallow repository ends. `below` is read through `alternates`. `budget` is what may be spent on
   * packs of the folder itself, where they are not ours.
   */
  constructor(
    disk: Disk,
    directory: string,
    alternates: readonly string[] = [],
    boundary: ReadonlySet<string> = new Set(),
    below?: ObjectDatabase,
    budget: WorkBudget | null = null,
  ) {
    this.below = below;
    this.disk = disk;
    this.directory = directory;
    this.packDirectory = `${directory}/pack`;
    const own = `${directory.slice(0, directory.lastIndexOf('/'))}/git-memory`;
    this.factsPlace = below || boundary.size > 0 ? null : { disk, ownDirectory: own };
    this.packPlace = { packDirectory: this.packDirectory, temporaryDirectory: `${own}/tmp`, keepFile: `${own}/keep` };
    this.alternates = alternates;
    this.loose = new LooseObjects(disk, [directory, ...alternates], this.packPlace.temporaryDirectory);
    this.boundary = boundary;
    this.budget = budget;
  }

  close(): void {
    for (const pack of this.packs ?? []) pack.close();
    this.packs = null;
  }

  /** Forgets all that was read, so that what is no longer in the repository is found to be missing. */
  forget(): void {
    this.close();
    this.deltaBases.clear();
    this.trees.clear();
    this.treeBytes.clear();
    this.commits.clear();
    this.blobs.clear();
    for (const cache of Object.values(this.written)) cache.clear();
    this.graph = null;
    this.linksAsked = 0;
  }

  /**
   * Reads an object and checks that it is the one its name says.
   *
   * A damaged copy is passed over when there is another. A miss scans the pack folder again, for others may have repacked. It tries once
   * more as long as packs came or went. Where several repack, a pack found a moment ago may be gone before it is read. Throws
   * OBJECT_MISSING, OBJECT_CORRUPT, TOO_LARGE when it has more than `maxBytes`.
   */
  read(oid: string, maxBytes = maxObjectBytes): GitObject {
    if (!isOid(oid)) throw new MemoryError('INVALID_ARGUMENT', `${oid} is not an object id`, { where: oid });
    const failures: unknown[] = [];
    for (let scans = 0; ; scans++) {
      const packs = this.openPacks();
      const object = this.readPacked(oid, failures, maxBytes) ?? this.loose.read(oid, failures, maxBytes);
      if (object) return object;
      this.rescanPacks();
      if ((this.packs === packs && !this.indexAnew()) || scans >= maxScans) break;
    }
    const damage = failures.find((error) => error instanceof MemoryError && error.code !== 'OBJECT_MISSING');
    if (damage) throw damage;
    if (failures.length > 0) throw failures[0];
    const [pack] = this.unreadable.keys();
    throw new MemoryError('OBJECT_MISSING', `object ${oid} is not in this repository`, {
      where: oid,
      hint: `Run \`git memory doctor\` to see what is missing${pack === undefined ? '' : `; ${pack} cannot be read`}`,
    });
  }

  has(oid: string): boolean {
    return succeeds(() => this.read(oid), 'OBJECT_MISSING');
  }

  /** Whether an object is there and is what its name says. */
  isWhole(oid: string): boolean {
    return succeeds(() => this.read(oid), 'OBJECT_MISSING', 'OBJECT_CORRUPT');
  }

  private readOf(oid: string, type: ObjectType, maxBytes?: number): Buffer {
    const object = this.read(oid, maxBytes);
    if (object.type !== type)
      throw new MemoryError('OBJECT_CORRUPT', `object ${oid} is a ${object.type}, not a ${type}`, { where: oid });
    return object.data;
  }

  /** Reads a blob. Its bytes are shared with whoever asks next, so they must not be changed. */
  readBlob(oid: string): Buffer {
    const cached = this.blobs.get(oid);
    if (cached) return cached;
    const bytes = this.readOf(oid, 'blob');
    this.keepBlob(oid, bytes);
    return bytes;
  }

  /** Holds the bytes of a blob that were found elsewhere, as long as there is room for them. */
  lend(oid: string, bytes: Buffer): void {
    this.keepBlob(oid, bytes);
  }

  private keepBlob(oid: string, bytes: Buffer): void {
    this.blobs.set(oid, ownBytes(bytes), bytes.length + 1_000);
  }

  /** Reads a tree; cached, so a function of the name alone. Bound to the database, to be handed on as a TreeReader. */
  readonly readTree = (oid: string): readonly TreeEntry[] => {
    const cached = this.trees.get(oid) ?? this.written.trees.get(oid);
    if (cached) return cached;
    const entries = entriesOf(this.readTreeBytes(oid));
    this.trees.set(oid, entries, entries.length + 1);
    return entries;
  };

  /** Reads a tree as its bytes, cached; for comparing many trees that are mostly alike. */
  readonly readTreeBytes = (oid: string): TreeBytes => {
    const cached = this.treeBytes.get(oid);
    if (cached) return cached;
    const tree = cutTree(ownBytes(this.readOf(oid, 'tree', maxTreeBytes)), oid);
    this.treeBytes.set(oid, tree, tree.data.length + tree.starts.byteLength);
    return tree;
  };

  /** Reads a commit. At a shallow boundary its parents are left out, for they are not there: as native git does. */
  readonly readCommit = (oid: string): Commit => {
    const cached = this.commits.get(oid) ?? this.written.commits.get(oid);
    if (cached) return cached;
    const stored = parseCommit(this.readOf(oid, 'commit'), oid);
    const commit = this.boundary.has(oid) ? { ...stored, parents: [] } : stored;
    keepCommit(this.commits, oid, commit);
    return commit;
  };

  /** Gives tree, parents and time of a commit as {@link readCommit} does, from native git's commit graph where that knows it. */
  linksOf(oid: string): CommitLinks {
    this.linksAsked += 1;
    // Where history is cut off the graph tells of parents that are not there; git does not ask it either.
    if (this.linksAsked === graphFrom && !this.isShallow) this.graph = CommitGraph.open(this.disk, this.directory);
    const known = this.graph?.linksOf(oid);
    if (known) return known;
    const { tree, parents, committer } = this.readCommit(oid);
    return { tree, parents, time: committer.time };
  }

  /** Whether the repository is a shallow clone. */
  get isShallow(): boolean {
    return this.boundary.size > 0;
  }

  /** The commits at which a shallow clone ends. */
  get boundaries(): ReadonlySet<string> {
    return this.boundary;
  }

  /** Object folders that are read beside our own. */
  get borrowed(): readonly string[] {
    return this.alternates;
  }

  /** Whether a commit has parents that a shallow clone left out. */
  isBoundary(oid: string): boolean {
    return this.boundary.has(oid);
  }

  /** Follows annotated tags to the commit they mean; throws INVALID_REF when they mean something else. */
  peelToCommit(oid: string): string {
    let current = oid;
    for (let depth = 0; depth < maxTagDepth; depth++) {
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
   * They become one pack, also where a loose file would be cheaper. A `git prune` beside us that walked the refs before ours moved removes
   * loose files, and nothing can keep it from that. A damaged loose file of the same name is repaired. Objects that exist already are
   * written again all the same: the old copy may be unreachable and about to be pruned. Throws OBJECT_CORRUPT, TOO_LARGE for one that git
   * or another machine would refuse: nothing is written then.
   */
  write(objects: readonly NewObject[]): () => void {
    if (objects.length === 0) return () => {};
    for (const object of objects) checkForm(object.oid, object);
    this.loose.repair(objects);
    // Native git, too, is to read what the new trees name.
    if (this.unreadable.size > 0) this.indexAnew();
    this.placeIndexes();
    const { name, written } = writePack(this.disk, this.packPlace, objects.map(formatPackEntry));
    // A process that writes for days would hold every pack that a question has once read.
    for (const pack of this.packs ?? []) pack.releaseUnread();
    this.addWritten(name, written);
    const { trees, commits } = this.written;
    for (const object of objects) {
      if (isNewTree(object)) trees.set(object.oid, object.entries, weightOf(object));
      else if (object.type === 'commit') keepCommit(commits, object.oid, parseCommit(object.data, object.oid));
      else if (object.type === 'blob') this.keepBlob(object.oid, object.data);
    }
    return () => releasePack(this.disk, this.packDirectory, name);
  }

  /** Takes in a pack that was put in place just now, without reading its index. */
  addWritten(name: string, written: WrittenPack): void {
    this.packs?.unshift(new PackReader(this.disk, this.packDirectory, name, { written }));
  }

  private readFromPack(pack: PackReader, oid: string, name: Buffer, maxBytes: number): GitObject | null {
    const position = pack.positionOf(name);
    if (position < 0) return null;
    const object = pack.readAt(
      pack.offsetAt(position),
      oid,
      (base) => this.readBase(base),
      this.deltaBases,
      maxBytes,
      (bytes) => {
        if (pack.directory === this.packDirectory) this.budget?.spend('bytes', bytes);
      },
    );
    if (hashObject(object.type, object.data) !== oid) throw corrupt(oid);
    return object;
  }

  private readPacked(oid: string, failures: unknown[], maxBytes: number): GitObject | null {
    const name = Buffer.from(oid, 'hex');
    for (const pack of this.openPacks()) {
      try {
        const object = this.readFromPack(pack, oid, name, maxBytes);
        if (object !== null) return object;
      } catch (error) {
        failures.push(error);
      }
    }
    return null;
  }

  /** Packs may name each other's objects as bases in circles; git's chains end after fifty. */
  private readBase(oid: string): GitObject {
    if (this.baseDepth >= maxBaseDepth) throw corrupt(oid);
    this.baseDepth += 1;
    try {
      return this.read(oid);
    } finally {
      this.baseDepth -= 1;
    }
  }

  /** The packs of this repository and its alternates, newest first as far as we know. */
  openPacks(): readonly PackReader[] {
    if (this.packs === null) this.rescanPacks();
    return this.packs!;
  }

  /** Lists every stored copy of every object of this repository, but not of those it borrows from; `read` checks that copy. */
  *copies(): Generator<{ readonly oid: string; readonly where: string; readonly read: () => GitObject }> {
    for (const { oid, where, read } of this.loose.copies()) yield { oid, where, read: () => this.readCopy(read, oid) };
    this.rescanPacks();
    // What a pack holds is there, whatever became of its index.
    if (this.unindexed.size > 0) this.indexAnew();
    for (const pack of this.openPacks()) {
      if (pack.directory !== this.packDirectory) continue;
      const where = `${this.packDirectory}/${pack.name}.pack`;
      for (let position = 0; position < pack.count; position++) {
        const oid = pack.oidAt(position);
        yield {
          oid,
          where,
          read: () => this.readCopy(() => this.readFromPack(pack, oid, pack.nameAt(position), maxObjectBytes), oid),
        };
      }
    }
  }

  private readCopy(read: () => GitObject | null, oid: string): GitObject {
    const object = read();
    if (object === null) throw corrupt(oid);
    return object;
  }

  /** Packs that cannot be read through their index, by the path of the index. */
  get unreadablePacks(): ReadonlyMap<string, MemoryError> {
    return this.unreadable;
  }

  /**
   * Makes the indexes of packs that have none to be read, once something is missing: they follow from the packs. False where no pack came
   * to be read by that.
   */
  private indexAnew(): boolean {
    let isAny = false;
    for (const [name, directory] of this.unindexed) {
      if (this.reindexed.has(name)) continue;
      // Bases in other packs are looked for meanwhile, but not in this one.
      this.reindexed.set(name, null);
      const path = `${directory}/${name}.pack`;
      try {
        const { index } = indexPack(
          this.disk,
          path,
          (oid) => this.readBase(oid),
          defined({ budget: this.budget ?? undefined }),
        );
        const pack = this.disk.read(path);
        if (pack === null) continue;
        const reader = new PackReader(this.disk, directory, name, { written: { index, pack, packBytes: pack.length } });
        this.reindexed.set(name, { pack: reader, index });
        isAny = true;
      } catch (error) {
        // The pack itself is damaged, or too large to be held: doctor tells.
        if (!(error instanceof MemoryError)) throw error;
      }
    }
    if (isAny) this.rescanPacks();
    return isAny;
  }

  /** Puts indexes that were made anew in the places of those that were damaged or missing, for native git and the next process. */
  private placeIndexes(): void {
    for (const [name, made] of this.reindexed) {
      if (made === null || made.pack.directory !== this.packDirectory) continue;
      this.disk.ensureDirectory(this.packPlace.temporaryDirectory);
      const temporary = this.disk.temporaryName(`${this.packPlace.temporaryDirectory}/index_`);
      this.disk.writeNew(temporary, [made.index], { mode: 0o444 });
      this.disk.rename(temporary, `${this.packDirectory}/${name}.idx`);
      this.reindexed.delete(name);
      this.unindexed.delete(name);
    }
  }

  /** Looks for packs that came or went; where none did, {@link openPacks} gives the same list as before. */
  rescanPacks(): void {
    const known = new Map((this.packs ?? []).map((pack) => [pack.name, pack]));
    const packs: PackReader[] = [];
    let isChanged = this.packs === null;
    let slurpable = maxSlurpedBytes;
    const unreadableBefore = new Set(this.unreadable.keys());
    this.unreadable.clear();
    this.unindexed.clear();
    for (const directory of [this.directory, ...this.alternates]) {
      const files = this.disk.list(`${directory}/pack`);
      const names = new Set(files);
      for (const file of files) {
        if (!file.startsWith('pack-')) continue;
        if (file.endsWith('.pack') && !names.has(`${file.slice(0, -5)}.idx`))
          this.unindexed.set(file.slice(0, -5), `${directory}/pack`);
        if (!file.endsWith('.idx')) continue;
        const name = file.slice(0, -4);
        const pack = this.reindexed.get(name) ? undefined : known.get(name);
        if (pack) {
          slurpable -= pack.slurpedBytes;
          packs.push(pack);
          known.delete(name);
          continue;
        }
        try {
          const opened = new PackReader(this.disk, `${directory}/pack`, name, { slurpBytes: slurpable });
          slurpable -= opened.slurpedBytes;
          packs.push(opened);
          this.reindexed.delete(name);
          isChanged = true;
        } catch (error) {
          // A damaged index hides its pack, as it does from native git; what it held is then reported as missing.
          if (!(error instanceof MemoryError)) throw error;
          this.unreadable.set(`${directory}/pack/${file}`, error);
          if (error.code === 'OBJECT_CORRUPT') this.unindexed.set(name, `${directory}/pack`);
          // One that went while the folder was read is none that stands there damaged: what took its place may not be in the list.
          if (error.code === 'OBJECT_MISSING' && !unreadableBefore.has(`${directory}/pack/${file}`)) isChanged = true;
        }
      }
    }
    for (const name of this.unindexed.keys()) {
      const made = this.reindexed.get(name)?.pack;
      if (!made) continue;
      packs.push(made);
      if (!known.delete(name)) isChanged = true;
    }
    for (const gone of known.values()) {
      gone.close();
      isChanged = true;
    }
    if (isChanged) this.packs = packs;
  }
}

function keepCommit(cache: BoundedCache<Commit>, oid: string, commit: Commit): void {
  cache.set(oid, commit, commit.message.length + 40 * commit.parents.length + 400);
}
