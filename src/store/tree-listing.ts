// The files of whole folders by the id of their tree, kept between processes. A listing that was made once follows the difference of two
// trees, and a process that begins reads one file instead of some hundred trees. Derived: the trees hold the truth.
//
//   cache/listing, cache/listing-memories, …     one frame = tree id | count u32 LE | blob ids | paths, with \0 between them

import { orElse } from '../base/errors.ts';
import { keptIn, oncePer } from '../base/once-per.ts';
import { CacheFile, type CachePlace } from './cache-file.ts';
import { damages } from './damaged-files.ts';
import type { Repository } from './git/repository.ts';
import { compareNames, diffTrees, findEntry, type TreeDifference, type TreeEntry, walkTree } from './git/tree.ts';

/** To be raised whenever the frame changes, or what counts as a file. */
const listingVersion = 1;
/** A listing that takes fewer trees is read from them sooner than kept. */
const worthTrees = 8;
/** So many changes each process follows before they are kept: each costs some trees, and keeping costs as much as a thousandth of the files. */
const leastChanged = 8;
/** In all, following and keeping cost least where the number of changes grows with the square root of that of the files. */
export const worthKeeping = (files: number, least = leastChanged): number => Math.max(least, Math.sqrt(files) / 8);
const oidBytes = 20;
/** Folders that are asked for as a whole and lie in many trees. */
const keptFolders: ReadonlySet<string> = new Set(['', 'memories', 'relations', 'raw/conversations', 'raw/code']);

interface Listing {
  readonly tree: string;
  /** In git's order. */
  readonly files: ReadonlyMap<string, string>;
}

/** Throws the error again where the folder cannot be done without. */
type PassOver = (error: unknown, folder: string) => void;

/** Lists the files of one repository's trees; the newest listing of each folder is kept. */
export class TreeListings {
  private readonly repository: Pick<Repository, 'objects'> & CachePlace;
  private readonly folders = new Map<string, KeptListing>();

  constructor(repository: Pick<Repository, 'objects'> & CachePlace) {
    this.repository = repository;
  }

  /**
   * Lists path → blob id of the files in the tree of a folder (`''` for the root), in git's order. Links and submodules are no files.
   *
   * What a folder below throws goes to `passOver`, where there is one: a listing without that folder is not kept. Throws TOO_LARGE as
   * `walkTree` does.
   */
  filesOf(folder: string, tree: string, passOver?: PassOver): ReadonlyMap<string, string> {
    if (!keptFolders.has(folder)) return this.walk(folder, tree, passOver).files;
    const kept = keptIn(this.folders, folder, () => new KeptListing(this.repository, folder));
    const last = kept.last();
    if (last?.tree === tree) return last.files;
    const followed = last === null ? null : this.follow(last, folder, tree);
    if (followed !== null) {
      kept.put(followed.listing, followed.changed > worthKeeping(followed.listing.files.size));
      return followed.listing.files;
    }
    const part = this.partOfRoot(folder, tree);
    if (part !== null) kept.put({ tree, files: part }, false);
    if (part !== null) return part;
    const { files, trees, isWhole } = this.walk(folder, tree, passOver);
    if (isWhole) kept.put({ tree, files }, trees >= worthTrees);
    return files;
  }

  /** Lists a folder by all files that were listed last; null where it has another tree there, and where none were. */
  private partOfRoot(folder: string, tree: string): ReadonlyMap<string, string> | null {
    const all = folder === '' ? null : (this.folders.get('')?.last() ?? null);
    const find = () => findEntry(all?.tree ?? null, folder, this.repository.objects.readTree)?.oid;
    if (all === null || orElse(find, null, ...damages) !== tree) return null;
    return new Map([...all.files].filter(([path]) => path.startsWith(prefixOf(folder))));
  }

  private walk(folder: string, tree: string, passOver?: PassOver) {
    const files = new Map<string, string>();
    let trees = 0;
    let isWhole = true;
    const readTree = (oid: string, path: string): readonly TreeEntry[] => {
      trees += 1;
      try {
        return this.repository.objects.readTree(oid);
      } catch (error) {
        if (passOver === undefined || path === '') throw error;
        passOver(error, path);
        isWhole = false;
        return [];
      }
    };
    for (const { path, mode, oid } of walkTree(tree, readTree, prefixOf(folder)))
      if (isFile(mode)) files.set(path, oid);
    return { files, trees, isWhole };
  }

  /** Null when trees of the state that was listed are not there any more. */
  private follow(last: Listing, folder: string, tree: string): { listing: Listing; changed: number } | null {
    const { objects } = this.repository;
    const differences = orElse(() => diffTrees(last.tree, tree, objects.readTreeBytes), null, ...damages);
    if (differences === null) return null;
    const files = changed(last.files, prefixOf(folder), differences);
    return { listing: { tree, files }, changed: differences.length };
  }
}

/** Gives the listings of an opened repository: one for all its snapshots. */
export const listingsOf = oncePer((repository: Repository) => new TreeListings(repository));

/** One folder's newest listing, in memory and in its file. */
class KeptListing {
  private readonly file: CacheFile;
  private listing: Listing | null | undefined;

  constructor(place: CachePlace, folder: string) {
    const name = folder === '' ? 'listing' : `listing-${folder.replace('/', '-')}`;
    this.file = new CacheFile(place, name, listingVersion);
  }

  last(): Listing | null {
    if (this.listing === undefined) this.listing = parseListing(this.file.read().at(-1));
    return this.listing;
  }

  put(listing: Listing, isWorthKeeping: boolean): void {
    this.listing = listing;
    if (isWorthKeeping) this.file.replace([formatListing(listing)]);
  }
}

const prefixOf = (folder: string): string => (folder === '' ? '' : `${folder}/`);
export const isFile = (mode: string | undefined): boolean => mode === '100644' || mode === '100755';

/** Brings a listing to another tree; what came in stands where git has it. */
function changed(
  files: ReadonlyMap<string, string>,
  prefix: string,
  differences: readonly TreeDifference[],
): ReadonlyMap<string, string> {
  if (differences.length === 0) return files;
  const after = new Map(files);
  const added: [string, string][] = [];
  for (const difference of differences) {
    const path = `${prefix}${difference.path}`;
    const oid = isFile(difference.after?.mode) ? difference.after!.oid : null;
    if (oid === null) after.delete(path);
    else if (after.has(path)) after.set(path, oid);
    else added.push([path, oid]);
  }
  return added.length === 0 ? after : merged(after, added);
}

/** Gives a listing with the files that differ below a prefix, null for one that is gone. */
export function changedBelow(
  prefix: string,
  listing: ReadonlyMap<string, string>,
  files: Iterable<readonly [path: string, oid: string | null]>,
): ReadonlyMap<string, string> {
  const differing = [...files].filter(([path]) => path.startsWith(prefix));
  if (differing.length === 0) return listing;
  const after = new Map(listing);
  for (const [path, oid] of differing) {
    if (oid === null) after.delete(path);
    else after.set(path, oid);
  }
  return after;
}

/** Two lists in git's order as one. */
export function merged(
  files: Iterable<readonly [string, string]>,
  added: readonly (readonly [string, string])[],
): ReadonlyMap<string, string> {
  const both = new Map<string, string>();
  let next = 0;
  for (const [path, oid] of files) {
    for (; next < added.length && compareNames(added[next]![0], path) < 0; next++) both.set(...added[next]!);
    both.set(path, oid);
  }
  for (; next < added.length; next++) both.set(...added[next]!);
  return both;
}

function formatListing({ tree, files }: Listing): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(files.size);
  const oids = Buffer.from([...files.values()].join(''), 'hex');
  return Buffer.concat([Buffer.from(tree, 'hex'), count, oids, Buffer.from([...files.keys()].join('\0'))]);
}

/** Null for what is none: its checksum held, so that only another version of this file could have written it. */
function parseListing(frame: Buffer | undefined): Listing | null {
  if (frame === undefined || frame.length < oidBytes + 4) return null;
  const count = frame.readUInt32LE(oidBytes);
  const pathsFrom = oidBytes + 4 + count * oidBytes;
  if (pathsFrom > frame.length) return null;
  const paths = count === 0 ? [] : frame.toString('utf8', pathsFrom).split('\0');
  if (paths.length !== count) return null;
  const oids = frame.toString('hex', oidBytes + 4, pathsFrom);
  const files = new Map<string, string>();
  for (let at = 0; at < count; at++) files.set(paths[at]!, oids.slice(at * 2 * oidBytes, (at + 1) * 2 * oidBytes));
  return { tree: frame.toString('hex', 0, oidBytes), files };
}
