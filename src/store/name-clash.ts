// Tells whether a new file has a place beside those that are there. A twin is in its way, since some file systems take both for one name; so is a
// file where a folder is needed. Asked before a write is acknowledged, since one without a place can never be committed.

import { MemoryError } from '../base/errors.ts';
import { type TreeEntry, type TreeReader, walkTree } from './git/tree.ts';
import { foldPath, twinNames } from './guard/path.ts';

/**
 * Names of files, and of the folders above them, by what they are where case is ignored.
 *
 * Names only come: who finds one here looks whether it still stands. Folders end in a slash.
 */
export class FoldedNames {
  private readonly names = new Map<string, string | string[]>();

  add(path: string): void {
    let spelled = path;
    while (this.note(spelled)) {
      const slash = path.lastIndexOf('/', spelled.length - 2);
      if (slash < 0) return;
      spelled = path.slice(0, slash + 1);
    }
  }

  clear(): void {
    this.names.clear();
  }

  /** Lists names that are in the way of a new file. These are twins of it or of a folder above it, or the same name as another kind. */
  *inTheWayOf(path: string): Generator<string> {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
      yield* this.others(path.slice(0, end + 1));
    yield* this.others(path);
  }

  private *others(spelled: string): Generator<string> {
    const known = this.names.get(foldPath(withoutSlash(spelled))) ?? [];
    for (const name of typeof known === 'string' ? [known] : known) if (name !== spelled) yield name;
  }

  /** Returns false for a name that is known, as are then the folders above it. */
  private note(spelled: string): boolean {
    const key = foldPath(withoutSlash(spelled));
    const known = this.names.get(key);
    if (known === undefined) this.names.set(key, spelled);
    else if (typeof known === 'string') {
      if (known === spelled) return false;
      this.names.set(key, [known, spelled]);
    } else {
      if (known.includes(spelled)) return false;
      known.push(spelled);
    }
    return true;
  }
}

const withoutSlash = (spelled: string): string => (spelled.endsWith('/') ? spelled.slice(0, -1) : spelled);

/** The files of a tip with what is pending on top. */
interface PresentNames {
  readonly tree: string | null;
  readonly readTree: TreeReader;
  /** What is pending by path; null ids are gone. */
  readonly pending: ReadonlyMap<string, { readonly oid: string | null }>;
  readonly pendingNames: FoldedNames;
}

/** Throws INVALID_PATH when a new file has no place; `inTheWay` is what {@link findClash} gave for it. */
export function checkPlace(path: string, inTheWay: string | null): void {
  if (inTheWay === null) return;
  const isKind = path === inTheWay || path.startsWith(`${inTheWay}/`);
  throw new MemoryError(
    'INVALID_PATH',
    isKind
      ? `${inTheWay} is a ${path === inTheWay ? 'folder' : 'file'}, and cannot be both`
      : twinNames(path, inTheWay),
    {
      where: path,
      hint: isKind
        ? 'Choose another name'
        : 'Some file systems cannot hold both; write to the existing one, or choose another name',
    },
  );
}

/** Gives the file or folder that is in the way of a new file, or `null`. */
export function findClash(present: PresentNames, path: string): string | null {
  for (const name of present.pendingNames.inTheWayOf(path)) {
    const isFolder = name.endsWith('/');
    const stands = isFolder
      ? [...present.pending].some(([file, { oid }]) => oid !== null && file.startsWith(name))
      : present.pending.get(name)?.oid != null;
    if (stands) return withoutSlash(name);
  }
  return findClashInTree(present, path);
}

function findClashInTree(present: PresentNames, path: string): string | null {
  let oid = present.tree;
  let folder = '';
  const segments = path.split('/');
  for (const [position, segment] of segments.entries()) {
    if (oid === null) return null;
    const isLast = position === segments.length - 1;
    let next: string | null = null;
    for (const entry of alike(present.readTree(oid), segment)) {
      const isFolder = entry.mode === '40000';
      if (entry.name === segment && isFolder !== isLast) {
        if (isFolder) next = entry.oid;
      } else if (stands(present, entry, `${folder}${entry.name}`)) return `${folder}${entry.name}`;
    }
    oid = next;
    folder = `${folder}${segment}/`;
  }
  return null;
}

/** Tells whether an entry of the tip is still there with what is pending on top. */
function stands(present: PresentNames, entry: TreeEntry, path: string): boolean {
  const isKept = (file: string) => present.pending.get(file)?.oid !== null;
  if (entry.mode !== '40000') return isKept(path);
  for (const file of walkTree(entry.oid, present.readTree, `${path}/`)) if (isKept(file.path)) return true;
  return false;
}

/** Folded names of folders that were asked about: a batch writes many files into one of the same tip. */
const foldedFolders = new WeakMap<readonly TreeEntry[], Map<string, TreeEntry | readonly TreeEntry[]>>();

function alike(entries: readonly TreeEntry[], name: string): readonly TreeEntry[] {
  let folded = foldedFolders.get(entries);
  if (!folded) {
    folded = new Map();
    for (const entry of entries) {
      const key = foldPath(entry.name);
      const known = folded.get(key);
      folded.set(
        key,
        known === undefined ? entry : Array.isArray(known) ? [...known, entry] : [known as TreeEntry, entry],
      );
    }
    foldedFolders.set(entries, folded);
  }
  const found = folded.get(foldPath(name)) ?? [];
  return Array.isArray(found) ? found : [found as TreeEntry];
}
