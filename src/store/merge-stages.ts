// What stands at each path before a merge of trees: the version of the base and of both sides, and which folders one side lost.

import { type FolderRelevance, folderOf } from '../git/folder-moves.ts';
import type { ObjectReader } from '../git/object-overlay.ts';
import { compareNames, diffTrees, type FileMode, findEntryIn } from '../git/tree.ts';

/** What stands at a path: a file, a link or a submodule. */
export interface Version {
  readonly mode: Exclude<FileMode, '40000'>;
  readonly oid: string;
}

/** Trees by their ids; null is a tree without files. */
export interface MergeSides {
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

export type Side = 'ours' | 'theirs';

/** The stages of one path, as in git's index; renames move them from one path to another. */
export interface PathStages {
  base: Version | null;
  ours: Version | null;
  theirs: Version | null;
  /** What happened to the path, not to its content, contradicts. */
  isPathConflict: boolean;
  /** The file went elsewhere: nothing is left to be merged here. */
  isMoved: boolean;
}

export function otherSide(side: Side): Side {
  return side === 'ours' ? 'theirs' : 'ours';
}

export function stagesOf(base: Version | null, ours: Version | null, theirs: Version | null): PathStages {
  return { base, ours, theirs, isPathConflict: false, isMoved: false };
}

/** Lists the paths that a side changed, in git's order. */
export function collectStages(
  objects: Pick<ObjectReader, 'readTreeBytes'>,
  sides: MergeSides,
): Map<string, PathStages> {
  const table = new Map<string, PathStages>();
  for (const side of ['ours', 'theirs'] as const) {
    for (const { path, before, after } of diffTrees(sides.base, sides[side], objects.readTreeBytes)) {
      const base = before as Version | null;
      const stages = table.get(path) ?? stagesOf(base, base, base);
      stages[side] = after as Version | null;
      table.set(path, stages);
    }
  }
  return new Map([...table].sort(([a], [b]) => compareNames(a, b)));
}

/**
 * Tells which folders of the base a side no longer has and whether where they went matters: only if the other side added files to them, or
 * to a folder around them.
 */
export class LostFolders {
  private readonly objects: Pick<ObjectReader, 'readTreeBytes'>;
  private readonly sides: MergeSides;
  /** Folders that got files of their own, by the side that added them. */
  private readonly addedTo: Readonly<Record<Side, ReadonlySet<string>>>;
  private readonly folders = new Map<string, boolean>();
  private readonly watched = new Map<string, Side | 'all' | null>();

  constructor(
    objects: Pick<ObjectReader, 'readTreeBytes'>,
    sides: MergeSides,
    table: ReadonlyMap<string, Readonly<PathStages>>,
  ) {
    this.objects = objects;
    this.sides = sides;
    const added = { ours: new Set<string>(), theirs: new Set<string>() };
    for (const [path, { base, ours, theirs }] of table) {
      if (base === null && ours !== null && theirs === null) added.ours.add(folderOf(path));
      if (base === null && theirs !== null && ours === null) added.theirs.add(folderOf(path));
    }
    this.addedTo = added;
  }

  /** Why it matters where a side put a folder; undefined for one that it has, or that was none. */
  relevanceOf(folder: string, side: Side): FolderRelevance | undefined {
    if (folder === '' || !this.has('base', folder) || this.has(side, folder)) return undefined;
    if (this.isWatched(folder) && this.addedTo[otherSide(side)].has(folder)) return 'self';
    return this.isWatched(folderOf(folder)) ? 'around' : 'none';
  }

  /** Whether a folder, or one around it, was lost on one side and got files on the other. */
  isWatched(folder: string): boolean {
    return this.watchOf(folder) === 'all';
  }

  /** The side that kept a folder which the other lost, until a file is found that it added there: then all below counts. */
  private watchOf(folder: string): Side | 'all' | null {
    if (folder === '') return null;
    const known = this.watched.get(folder);
    if (known !== undefined) return known;
    let watch = this.watchOf(folderOf(folder));
    if (watch !== 'all' && this.has('base', folder)) {
      const [ours, theirs] = [this.has('ours', folder), this.has('theirs', folder)];
      if (ours !== theirs) watch = ours ? 'ours' : 'theirs';
    }
    if ((watch === 'ours' || watch === 'theirs') && this.addedTo[watch].has(folder)) watch = 'all';
    this.watched.set(folder, watch);
    return watch;
  }

  private has(tree: keyof MergeSides, folder: string): boolean {
    const key = `${tree}:${folder}`;
    let isThere = this.folders.get(key);
    if (isThere === undefined) {
      isThere = findEntryIn(this.sides[tree], folder, this.objects.readTreeBytes)?.mode === '40000';
      this.folders.set(key, isThere);
    }
    return isThere;
  }
}
