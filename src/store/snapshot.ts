// A snapshot: all files of a branch at one commit, with what is pending on top where the present is asked. Immutable.

import { MemoryError } from '../errors.ts';
import { newObject } from '../git/object-codec.ts';
import type { Repository } from '../git/repository.ts';
import { diffTrees, findEntry, type TreeDifference, walkTree } from '../git/tree.ts';
import type { Codec } from './codec.ts';
import type { Overlay } from './journal.ts';
import { FoldedNames, findClash } from './name-clash.ts';
import type { FileChange } from './operation.ts';

export class Snapshot {
  /** `null` before the first commit. */
  readonly commit: string | null;
  readonly tree: string | null;
  readonly overlay: Overlay | null;
  private readonly repository: Repository;
  private readonly codec: Codec;

  constructor(repository: Repository, codec: Codec, commit: string | null, overlay: Overlay | null = null) {
    this.repository = repository;
    this.codec = codec;
    this.commit = commit;
    this.tree = commit === null ? null : repository.objects.readCommit(commit).tree;
    this.overlay = overlay;
  }

  /** Gives the same commit without what is pending. */
  withoutOverlay(): Snapshot {
    return this.overlay === null ? this : new Snapshot(this.repository, this.codec, this.commit);
  }

  /** Gives the same files with changes on top, as if they were pending. */
  with(changes: readonly FileChange[]): Snapshot {
    const files = new Map(this.overlay?.files);
    const names = new FoldedNames();
    for (const { path, after } of changes) {
      files.set(path, { oid: after === null ? null : newObject('blob', after).oid, bytes: after });
    }
    for (const [path, { bytes }] of files) if (bytes !== null) names.add(path);
    const version = `${this.overlay?.version ?? ''}+${changes.map(({ path }) => `${path} ${files.get(path)!.oid}`).join(' ')}`;
    return new Snapshot(this.repository, this.codec, this.commit, { files, names, version });
  }

  /** Equal for snapshots that hold the same files. */
  get version(): string {
    return `${this.tree}+${this.overlay?.version ?? ''}`;
  }

  /** Gives the blob id of a file, or `null`. */
  oidOf(path: string): string | null {
    const pending = this.overlay?.files.get(path);
    if (pending) return pending.oid;
    const entry = findEntry(this.tree, path, this.repository.objects.readTree);
    return entry && entry.mode !== '40000' ? entry.oid : null;
  }

  /** Gives the file or folder that keeps a new file from its place: a twin, or one of the other kind; `null` when it is free. */
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
    const pending = this.overlay?.files.get(path);
    if (pending) return pending.oid;
    const entry = findEntry(this.tree, path, this.repository.objects.readTree);
    return entry?.mode === '100644' || entry?.mode === '100755' ? entry.oid : null;
  }

  /** Reads a file as plain bytes, or `null` when there is none. */
  read(path: string): Buffer | null {
    const pending = this.overlay?.files.get(path);
    if (pending) return pending.bytes && this.codec.decode(path, pending.bytes);
    const oid = this.oidOf(path);
    return oid === null ? null : this.codec.decode(path, this.repository.objects.readBlob(oid));
  }

  readText(path: string): string | null {
    return this.read(path)?.toString('utf8') ?? null;
  }

  /** Reads by blob id, which for a pending file is not yet an object. */
  readBlob(oid: string, path: string): Buffer {
    const pending = this.overlay?.files.get(path);
    if (pending?.oid === oid && pending.bytes) return this.codec.decode(path, pending.bytes);
    return this.codec.decode(path, this.repository.objects.readBlob(oid));
  }

  /** Lists path → blob id of all files below a folder such as `memories/`; everything when the prefix is empty. */
  list(prefix = ''): Map<string, string> {
    const { readTree } = this.repository.objects;
    const listing = new Map<string, string>();
    const folder = prefix.replace(/\/$/, '');
    const entry = folder === '' ? null : findEntry(this.tree, folder, readTree);
    const root = folder === '' ? this.tree : entry?.mode === '40000' ? entry.oid : null;
    for (const file of walkTree(root, readTree, folder === '' ? '' : `${folder}/`)) {
      if (file.mode === '100644' || file.mode === '100755') listing.set(file.path, file.oid);
    }
    for (const [path, pending] of this.overlay?.files ?? []) {
      if (!path.startsWith(prefix)) continue;
      if (pending.oid === null) listing.delete(path);
      else listing.set(path, pending.oid);
    }
    return listing;
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
