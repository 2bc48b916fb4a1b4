// Objects that are only thought of: blobs and trees in memory, on top of what a repository holds. Nothing of it is written.

import { type Commit, parseCommit } from './commit-object.ts';
import { emptyTreeOid, type NewObject, newObject } from './object-codec.ts';
import { editTree, entriesOf, findEntry, isNewTree, type NewTree, type TreeChange, type TreeEntry } from './tree.ts';
import { cutTree, type TreeBytes } from './tree-bytes.ts';

/** What reading history asks of a store of objects; throws OBJECT_NOT_FOUND. */
export interface ObjectReader {
  /** The store that it lies on top of and also reads. */
  readonly below?: ObjectReader | undefined;
  readCommit(oid: string): Commit;
  readTree(oid: string): readonly TreeEntry[];
  readTreeBytes(oid: string): TreeBytes;
  readBlob(oid: string): Buffer;
}

/** Reads as the store below does, and knows what was put on top. */
export class ObjectOverlay implements ObjectReader {
  readonly below: ObjectReader;
  private readonly blobs = new Map<string, Buffer>();
  private readonly commits = new Map<string, Commit>();
  private readonly trees = new Map<string, Pick<NewTree, 'data' | 'entries'>>([
    [emptyTreeOid, { data: Buffer.alloc(0), entries: [] }],
  ]);

  constructor(below: ObjectReader) {
    this.below = below;
  }

  readonly readCommit = (oid: string): Commit => this.commits.get(oid) ?? this.below.readCommit(oid);

  readonly readTree = (oid: string): readonly TreeEntry[] => this.trees.get(oid)?.entries ?? this.below.readTree(oid);

  readonly readTreeBytes = (oid: string): TreeBytes => {
    const own = this.trees.get(oid);
    return own ? cutTree(own.data, oid) : this.below.readTreeBytes(oid);
  };

  readonly readBlob = (oid: string): Buffer => this.blobs.get(oid) ?? this.below.readBlob(oid);

  /** Puts any object on top; tags are passed over, since nobody reads them here. */
  add(object: NewObject): void {
    if (object.type === 'blob') this.blobs.set(object.oid, object.data);
    else if (object.type === 'commit') this.commits.set(object.oid, parseCommit(object.data, object.oid));
    else if (object.type === 'tree') {
      const entries = isNewTree(object) ? object.entries : entriesOf(cutTree(object.data, object.oid));
      this.trees.set(object.oid, { data: object.data, entries });
    }
  }

  /** Puts a blob on top and gives its id. */
  addBlob(bytes: Buffer): string {
    const { oid } = newObject('blob', bytes);
    this.blobs.set(oid, bytes);
    return oid;
  }

  /** Puts a tree with changed files on top and gives its id; twins are accepted. */
  editTree(root: string | null, changes: ReadonlyMap<string, TreeChange>): string {
    const edited = editTree(root, changes, this.readTree, { allowTwins: true });
    for (const tree of edited.trees) this.trees.set(tree.oid, tree);
    return edited.root ?? emptyTreeOid;
  }

  /** Puts a tree with other blobs at some paths on top and gives its id; what is executable stays so. */
  editFiles(root: string, blobs: ReadonlyMap<string, string>): string {
    if (blobs.size === 0) return root;
    const modeAt = (path: string) => (findEntry(root, path, this.readTree)?.mode === '100755' ? '100755' : '100644');
    return this.editTree(root, new Map([...blobs].map(([path, oid]) => [path, { mode: modeAt(path), oid }])));
  }

  /** Lists the blobs and trees that were put on top. */
  added(): NewObject[] {
    const blobs = [...this.blobs].map(([oid, data]) => ({ type: 'blob', oid, data }) as const);
    const trees = [...this.trees].map(([oid, { data }]) => ({ type: 'tree', oid, data }) as const);
    return [...blobs, ...trees.filter(({ oid }) => oid !== emptyTreeOid)];
  }
}
