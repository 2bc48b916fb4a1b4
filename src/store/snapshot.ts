// A snapshot: all files of a branch at one commit, with what is pending on top where the present is asked. Immutable.

import { MemoryError, orElse, unreadable } from '../base/errors.ts';
import { type NameHash, sha256Hex } from '../base/hash.ts';
import { type Codec, type PlainBytes, type Privacy, readableOr, type StoredBytes } from './codec.ts';
import { type DamagedFiles, damagedFilesOf } from './damaged-files.ts';
import { newObject } from './git/object-codec.ts';
import type { Repository } from './git/repository.ts';
import { diffTrees, findEntry, type TreeDifference } from './git/tree.ts';
import type { Overlay } from './journal.ts';
import { FoldedNames, findClash } from './name-clash.ts';
import type { FileChange } from './operation.ts';
import { changedBelow, isFile, listingsOf } from './tree-listing.ts';

export class Snapshot {
  /** `null` before the first commit. */
  readonly commit: string | null;
  readonly tree: string | null;
  readonly overlay: Overlay | null;
  private readonly repository: Repository;
  private readonly codec: Codec;
  /** Private files are not there: for what is written down where everybody can read it. */
  private readonly isOpenOnly: boolean;
  readonly damage: DamagedFiles;
  private ownPrivacy: Privacy | undefined;

  constructor(
    repository: Repository,
    codec: Codec,
    commit: string | null,
    overlay: Overlay | null = null,
    isOpenOnly = false,
  ) {
    this.isOpenOnly = isOpenOnly;
    this.repository = repository;
    this.codec = codec;
    this.commit = commit;
    this.tree = commit === null ? null : repository.objects.readCommit(commit).tree;
    this.overlay = overlay;
    this.damage = damagedFilesOf(repository);
  }

  /** Gives the same commit without what is pending. */
  withoutOverlay(): Snapshot {
    return this.overlay === null ? this : new Snapshot(this.repository, this.codec, this.commit, null, this.isOpenOnly);
  }

  /** Gives the same state as it is without its private files. */
  withoutPrivate(): Snapshot {
    if (this.isOpenOnly || this.privacy.patterns.length === 0) return this;
    return new Snapshot(this.repository, this.codec, this.commit, this.overlay, true);
  }

  /** What this state's own configuration says of private texts. */
  get privacy(): Privacy {
    this.ownPrivacy ??= this.codec.privacyOf(this.stored());
    return this.ownPrivacy;
  }

  /**
   * Gives the hash that names files whose name follows from what is said. It is SHA-256 where their place is open. It is keyed where the
   * place is private, so that only a holder of the key can test a guess. `placeOf` gives the path of such a file by its hash.
   */
  nameHash(placeOf: (hash: string) => string): NameHash {
    return (text) => {
      const plain = sha256Hex(text);
      return this.privacy.isPrivate(placeOf(plain)) ? this.codec.nameOf(text, this.privacy) : plain;
    };
  }

  /** The files of the configuration, as they lie there: they are never private. */
  private stored(): { oidOf(path: string): string | null; readBlob(oid: string, path: string): StoredBytes } {
    return { oidOf: (path) => this.storedOidOf(path), readBlob: (oid, path) => this.readStored(oid, path) };
  }

  /** Tells whether the text of a file can be given: it is not private, or its key is here. */
  isReadable(path: string): boolean {
    const { privacy } = this;
    if (!privacy.isPrivate(path)) return true;
    return this.isUnlocked;
  }

  /** Whether all private texts of this state can be given, as far as its configuration names their key. */
  get isUnlocked(): boolean {
    return !this.isOpenOnly && this.codec.holdsKeyOf(this.privacy);
  }

  /** Lists the files below a folder whose text cannot be given. */
  locked(prefix = ''): string[] {
    if (this.privacy.patterns.length === 0 || this.isUnlocked) return [];
    return [...this.listStored(prefix, true).keys()].filter((path) => this.privacy.isPrivate(path));
  }

  /** Gives the same files with changes on top, as if they were pending. */
  with(changes: readonly FileChange[]): Snapshot {
    const files = new Map(this.overlay?.files);
    const names = new FoldedNames();
    for (const { path, after } of changes) {
      const bytes = after && this.codec.encode(path, after, this.privacy);
      files.set(path, { oid: bytes === null ? null : newObject('blob', bytes).oid, bytes });
    }
    for (const [path, { bytes }] of files) if (bytes !== null) names.add(path);
    const version = `${this.overlay?.version ?? ''}+${changes.map(({ path }) => `${path} ${files.get(path)!.oid}`).join(' ')}`;
    return new Snapshot(this.repository, this.codec, this.commit, { files, names, version }, this.isOpenOnly);
  }

  /** Equal for snapshots that hold the same files. */
  get version(): string {
    return `${this.tree}+${this.overlay?.version ?? ''}${this.isUnlocked ? '' : '-'}${this.damageVersion || ''}`;
  }

  /** Differs where other damaged files are left out of what can be listed. */
  get damageVersion(): number {
    return this.damage.version;
  }

  /** Gives the blob id of a file, or `null`. */
  oidOf(path: string): string | null {
    return this.isHidden(path) ? null : this.storedOidOf(path);
  }

  private isHidden(path: string): boolean {
    return this.isOpenOnly && this.privacy.isPrivate(path);
  }

  private storedOidOf(path: string): string | null {
    const pending = this.overlay?.files.get(path);
    if (pending) return pending.oid;
    const entry = findEntry(this.tree, path, this.repository.objects.readTree);
    return entry && entry.mode !== '40000' ? entry.oid : null;
  }

  /** Gives the file or folder that keeps a new file from its place: a twin, or one of the other kind. `null` when the place is free. */
  inTheWayOf(path: string): string | null {
    const { readTree } = this.repository.objects;
    const pending = this.overlay?.files ?? new Map();
    return findClash(
      { tree: this.tree, readTree, pending, pendingNames: this.overlay?.names ?? new FoldedNames() },
      path,
    );
  }

  /** Gives the blob id under which {@link list} names a file, or `null`: neither links nor submodules are files. */
  listedOidOf(path: string): string | null {
    if (!this.isReadable(path)) return null;
    const pending = this.overlay?.files.get(path);
    if (pending) return pending.oid;
    const entry = findEntry(this.tree, path, this.repository.objects.readTree);
    return isFile(entry?.mode) && !this.damage.lacks(entry!.oid, path) ? entry!.oid : null;
  }

  /** Gives the id of what stands at a path, a folder included; null where there is nothing, or nobody can tell. */
  objectAt(path: string): string | null {
    const find = () => this.oidOf(path) ?? findEntry(this.tree, path, this.repository.objects.readTree)?.oid ?? null;
    return orElse(find, null, 'OBJECT_CORRUPT', 'OBJECT_MISSING');
  }

  /** Reads a file as plain bytes, or `null` when there is none. */
  read(path: string): PlainBytes | null {
    const oid = this.oidOf(path);
    return oid === null ? null : this.readBlob(oid, path);
  }

  readText(path: string): string | null {
    return this.read(path)?.toString('utf8') ?? null;
  }

  /** Reads by blob id, which for a pending file is not yet an object. */
  readBlob(oid: string, path: string): PlainBytes {
    return this.codec.decode(path, this.readStored(oid, path));
  }

  /** What stored bytes of any file and time say, or they themselves where the key is missing or they were damaged. */
  plainOr(stored: StoredBytes): Buffer {
    return orElse(() => readableOr(this.codec, '', stored) ?? stored, stored, ...unreadable);
  }

  /** Reads the bytes that git has, or will have. */
  readStored(oid: string, path: string): StoredBytes {
    const pending = this.overlay?.files.get(path);
    return pending?.oid === oid && pending.bytes ? pending.bytes : this.damage.read(oid, path, this.commit);
  }

  /** Reads a file for who can do without it. Null where there is none, and where it or its folder is lost, which the answer tells. */
  readIfWhole(path: string): PlainBytes | null {
    const oid = this.damage.passed(() => this.oidOf(path), this.commit, path);
    return oid === null ? null : orElse(() => this.readBlob(oid, path), null, 'OBJECT_CORRUPT', 'OBJECT_MISSING');
  }

  /** The same as text. */
  textIfWhole(path: string): string | null {
    return this.readIfWhole(path)?.toString('utf8') ?? null;
  }

  /** Takes bytes that somebody brings for a file: where its damaged object held just these, they are read in its place. */
  offer(path: string, plain: Buffer): void {
    if (!this.damage.isEmpty) this.damage.offer(this.oidOf(path), this.codec.encode(path, plain, this.privacy));
  }

  /**
   * Lists path → blob id of all files below a folder such as `memories/`; everything when the prefix is empty.
   *
   * Private files whose key is not here are none of them: see {@link locked}. Neither are damaged ones, once somebody met them.
   */
  list(prefix = ''): ReadonlyMap<string, string> {
    const listing = this.listNamed(prefix);
    if (this.damage.isEmpty) return listing;
    return new Map([...listing].filter(([path, oid]) => !this.damage.lacks(oid, path)));
  }

  /** Tells whether no damage keeps anything below a folder out of {@link list}: what is not listed is not there, then. */
  isListedWhole(prefix: string): boolean {
    const find = () => {
      this.listStored(prefix);
      return this.listNamed(prefix).size === this.list(prefix).size;
    };
    return orElse(find, false, 'OBJECT_CORRUPT', 'OBJECT_MISSING');
  }

  /** Tells whether it shows all that its tree holds, to everybody: nothing is private, and nothing was met damaged. */
  get showsAll(): boolean {
    return this.damage.isEmpty && !this.isOpenOnly && this.privacy.patterns.length === 0;
  }

  /** Gives the tree of a folder in the commit, such as `memories`; null where there is none. Throws OBJECT_CORRUPT, OBJECT_MISSING. */
  treeOf(folder: string): string | null {
    const entry = findEntry(this.tree, folder, this.repository.objects.readTree);
    return entry?.mode === '40000' ? entry.oid : null;
  }

  /** Lists in what two trees differ, by paths within them. Throws as `diffTrees` does. */
  diffOf(before: string, after: string | null): TreeDifference[] {
    return diffTrees(before, after, this.repository.objects.readTreeBytes);
  }

  /** Lists the same with the damaged ones, whose names are known; what a damaged folder holds is not. */
  listNamed(prefix = ''): ReadonlyMap<string, string> {
    const listing = this.listStored(prefix, true);
    if (this.privacy.patterns.length === 0 || this.isUnlocked) return listing;
    return new Map([...listing].filter(([path]) => !this.privacy.isPrivate(path)));
  }

  /** Lists all files, whether their texts can be given or not; `isSparing` passes over damaged folders, which the answer tells. */
  listStored(prefix = '', isSparing = false): ReadonlyMap<string, string> {
    const passOver = (error: unknown, path: string) => this.damage.passOver(error, this.commit, path.slice(0, -1));
    const { readTree } = this.repository.objects;
    const folder = prefix.replace(/\/$/, '');
    const entry = folder === '' ? null : findEntry(this.tree, folder, readTree);
    const root = folder === '' ? this.tree : entry?.mode === '40000' ? entry.oid : null;
    const stored =
      root === null ? new Map() : listingsOf(this.repository).filesOf(folder, root, isSparing ? passOver : undefined);
    const pending = [...(this.overlay?.files ?? [])].map(([path, { oid }]) => [path, oid] as const);
    return changedBelow(prefix, stored, pending);
  }

  /** Lists the files in which this snapshot's commit differs from another's; null when a purge has taken that one away. */
  diffFrom(before: Snapshot): TreeDifference[] | null {
    const { objects } = this.repository;
    try {
      return diffTrees(before.tree, this.tree, objects.readTreeBytes);
    } catch (error) {
      const isMissing = error instanceof MemoryError && error.code === 'OBJECT_MISSING';
      if (isMissing && before.commit !== null && !objects.has(before.commit)) return null;
      throw error;
    }
  }
}
