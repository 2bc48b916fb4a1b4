// Files that follow from others: a pure function of a state makes them, and the commit that changes what they follow from holds them anew.
// Which files, and how, is said by those who know them; here stands only when.

import { orElse } from '../base/errors.ts';
import type { Codec, PlainBytes, Privacy, StoredBytes } from './codec.ts';
import type { ConfiguredState } from './configuration-reader.ts';
import { newObject } from './git/object-codec.ts';
import type { ObjectOverlay } from './git/object-overlay.ts';
import { diffTrees, findEntry, type TreeReader, walkTree } from './git/tree.ts';
import type { FileChange } from './operation.ts';
import { changedBelow } from './tree-listing.ts';

/** The files of a state, whether of a commit or of one to be. */
export interface StateFiles extends ConfiguredState {
  readText(path: string): string | null;
  /** Lists path → blob id of all files below a folder such as `ledger/`. */
  list(prefix: string): ReadonlyMap<string, string>;
}

/** Files that are a pure function of others. They are kept up where they are; whoever wants them makes them first. */
export interface Derivation {
  /** What it makes: a merge never looks into these. */
  readonly paths: readonly string[];
  /** Tells whether what it makes may be another when this file changes. */
  isSource(path: string): boolean;
  /** Makes files of a state, path → text; throws nothing for files that are damaged, and leaves out what they do not allow to say. */
  derive(files: StateFiles, wanted: ReadonlySet<string>): ReadonlyMap<string, string>;
}

/** A file that was made, as bytes to be stored. */
interface DerivedFile {
  readonly path: string;
  readonly bytes: StoredBytes;
}

/** Names the files that may have to be made anew when others, or they themselves, change. */
export function derivedFrom(derivations: readonly Derivation[], changed: Iterable<string>): string[] {
  const paths = [...changed];
  return derivations.filter((derivation) => isConcerned(derivation, paths)).flatMap(({ paths: made }) => made);
}

const isConcerned = ({ paths: made, isSource }: Derivation, changed: readonly string[]): boolean =>
  changed.some((path) => isSource(path) || made.includes(path));

/**
 * Makes anew what follows from changed files, as far as it is there. `files` is the state with the changes; `keeps` names files that stay
 * as they are.
 */
export function deriveFiles(
  derivations: readonly Derivation[],
  files: StateFiles,
  changed: Iterable<string>,
  codec: Codec,
  keeps: (path: string) => boolean = () => false,
): DerivedFile[] {
  const paths = [...changed];
  const privacy = codec.privacyOf(files);
  return derivations.flatMap((derivation) => {
    if (!isConcerned(derivation, paths)) return [];
    const wanted = derivation.paths.filter((path) => !keeps(path) && files.oidOf(path) !== null);
    const make = (from: StateFiles, some: ReadonlySet<string>) =>
      some.size === 0
        ? []
        : [...derivation.derive(from, some)]
            .filter(([path]) => some.has(path))
            .map(([path, text]) => ({ path, bytes: codec.encode(path, Buffer.from(text), privacy) }));
    const [open, hidden] = [new Set<string>(), new Set<string>()];
    for (const path of wanted) (privacy.isPrivate(path) ? hidden : open).add(path);
    return [
      ...make(withoutPrivate(files, privacy), open),
      // Without the key they stay as they are; the next to have it makes them anew.
      ...(codec.holdsKeyOf(privacy) ? make(files, hidden) : []),
    ];
  });
}

/** Gives those of these files that stand there otherwise, or cannot be read. */
export function staleFiles(
  { derivations, codec }: { readonly derivations: readonly Derivation[]; readonly codec: Codec },
  files: StateFiles,
  paths: readonly string[] = derivations.flatMap(({ paths: made }) => made),
): (FileChange & { readonly after: StoredBytes })[] {
  const isThere = (path: string, bytes: StoredBytes) => files.readText(path) === codec.decode(path, bytes).toString();
  return deriveFiles(derivations, files, paths, codec)
    .filter(({ path, bytes }) => !orElse(() => isThere(path, bytes), false))
    .map(({ path, bytes }) => ({ path, before: files.oidOf(path), after: bytes }));
}

/** Gives files as if private ones were not there: what is made of them may stand where everybody can read it. */
export function withoutPrivate(
  files: StateFiles,
  { patterns, isPrivate }: Pick<Privacy, 'isPrivate' | 'patterns'>,
): StateFiles {
  if (patterns.length === 0) return files;
  return {
    oidOf: (path) => (isPrivate(path) ? null : files.oidOf(path)),
    readText: (path) => (isPrivate(path) ? null : files.readText(path)),
    readBlob: (oid, path) => files.readBlob(oid, path),
    list: (prefix) => new Map([...files.list(prefix)].filter(([path]) => !isPrivate(path))),
  };
}

/** Gives files with texts on top, null for one that is gone; texts that are added later are seen, too. */
export function withTexts(files: StateFiles, texts: ReadonlyMap<string, string | null>): StateFiles {
  const oidOf = (text: string | null) => (text === null ? null : newObject('blob', Buffer.from(text)).oid);
  return {
    oidOf: (path) => (texts.has(path) ? oidOf(texts.get(path)!) : files.oidOf(path)),
    readText: (path) => (texts.has(path) ? texts.get(path)! : files.readText(path)),
    readBlob(oid, path) {
      const text = texts.get(path);
      return text != null && oidOf(text) === oid ? Buffer.from(text) : files.readBlob(oid, path);
    },
    list: (prefix) =>
      changedBelow(
        prefix,
        files.list(prefix),
        [...texts].map(([path, text]) => [path, oidOf(text)]),
      ),
  };
}

/** Gives a tree in which all that follows from the files between `before` and `tree` is made anew; that tree itself where nothing does. */
export function deriveTree(
  derivations: readonly Derivation[],
  objects: ObjectOverlay,
  before: string | null,
  tree: string,
  codec: Codec,
): string {
  if (derivations.length === 0) return tree;
  const changed = diffTrees(before, tree, objects.readTreeBytes).map(({ path }) => path);
  const files = new TreeFiles(tree, objects, codec);
  const made = deriveFiles(derivations, files, changed, codec);
  return objects.editFiles(tree, new Map(made.map(({ path, bytes }) => [path, objects.addBlob(bytes)])));
}

/** How the objects of a state are read, whether they are stored or only thought of. */
interface StateObjects {
  readonly readTree: TreeReader;
  readBlob(oid: string): StoredBytes;
}

/** The files of a tree, with some changed on top: path → blob id, null for one that is gone. */
export class TreeFiles implements StateFiles {
  private readonly tree: string | null;
  private readonly objects: StateObjects;
  private readonly codec: Codec;
  private readonly changed: ReadonlyMap<string, string | null>;

  constructor(
    tree: string | null,
    objects: StateObjects,
    codec: Codec,
    changed: ReadonlyMap<string, string | null> = new Map(),
  ) {
    this.tree = tree;
    this.objects = objects;
    this.codec = codec;
    this.changed = changed;
  }

  oidOf(path: string): string | null {
    const changed = this.changed.get(path);
    if (changed !== undefined) return changed;
    const entry = findEntry(this.tree, path, this.objects.readTree);
    return entry?.mode === '100644' || entry?.mode === '100755' ? entry.oid : null;
  }

  readText(path: string): string | null {
    const oid = this.oidOf(path);
    return oid === null ? null : this.readBlob(oid, path).toString('utf8');
  }

  readBlob(oid: string, path: string): PlainBytes {
    return this.codec.decode(path, this.objects.readBlob(oid));
  }

  list(prefix: string): ReadonlyMap<string, string> {
    const listing = new Map<string, string>();
    const folder = prefix.replace(/\/$/, '');
    const entry = folder === '' ? null : findEntry(this.tree, folder, this.objects.readTree);
    const root = folder === '' ? this.tree : entry?.mode === '40000' ? entry.oid : null;
    for (const file of walkTree(root, this.objects.readTree, folder === '' ? '' : `${folder}/`)) {
      if (file.mode === '100644' || file.mode === '100755') listing.set(file.path, file.oid);
    }
    return changedBelow(prefix, listing, this.changed);
  }
}
