// Renames in a merge of trees whose files are lines: what one side did to a file follows it to where the other put it. Works on the stages of
// paths before their contents are merged, and says what git's merge-ort says of renames that contradict.

import { FolderMoves, folderOf } from '../git/folder-moves.ts';
import type { ObjectReader } from '../git/object-overlay.ts';
import { pairRenames, type RenamePair } from '../git/rename-pairs.ts';
import { compareNames, findEntryIn } from '../git/tree.ts';
import {
  LostFolders,
  type MergeSides,
  otherSide,
  type PathStages,
  type Side,
  stagesOf,
  type Version,
} from './merge-stages.ts';

/** Merges what stands at one path. */
export type MergeContent = (
  path: string,
  base: Version | null,
  ours: Version,
  theirs: Version,
) => { readonly after: Version; readonly isConflict: boolean };

/** How renames are followed. */
export interface RenameSettings {
  readonly mergeContent: MergeContent;
  /** Files that were added to a folder follow it as well (and are a conflict, as by git's default); not in the base of another merge. */
  readonly withFolders: boolean;
}

interface Rename extends RenamePair {
  readonly side: Side;
}

/**
 * Moves stages along renames.
 *
 * ```
 * ours    a → b         b: base a, ours b, theirs a       content follows
 * theirs  a changed     b: base a, ours b                 a removed: rename/delete, a conflict at b
 *         a → c         a, b, c conflicts                 rename/rename(1to2); b and c hold the merged content
 *         b added       b: ours merged with a, theirs b   rename/add, two files in one place
 * ```
 */
export function followRenames(
  objects: Pick<ObjectReader, 'readTreeBytes' | 'readBlob'>,
  sides: MergeSides,
  table: Map<string, PathStages>,
  settings: RenameSettings,
): void {
  new RenameFollower(objects, sides, table, settings).run();
}

class RenameFollower {
  private readonly objects: Pick<ObjectReader, 'readTreeBytes' | 'readBlob'>;
  private readonly sides: MergeSides;
  private readonly table: Map<string, PathStages>;
  private readonly settings: RenameSettings;
  private readonly lost: LostFolders;

  constructor(
    objects: Pick<ObjectReader, 'readTreeBytes' | 'readBlob'>,
    sides: MergeSides,
    table: Map<string, PathStages>,
    settings: RenameSettings,
  ) {
    this.objects = objects;
    this.sides = sides;
    this.table = table;
    this.settings = settings;
    this.lost = new LostFolders(objects, sides, table);
  }

  run(): void {
    const [ours, theirs] = [this.findRenames('ours'), this.findRenames('theirs')];
    let renames = [...ours.renames, ...theirs.renames];
    if (this.settings.withFolders) renames = this.followFolders(renames, ours.folders, theirs.folders);
    renames.sort((a, b) => compareNames(a.from, b.from));
    for (let i = 0; i < renames.length; i += 1) {
      const [first, second] = [renames[i]!, renames[i + 1]];
      if (second?.from === first.from) {
        this.followBoth(first.from, first.to, second.to);
        i += 1;
      } else this.follow(first);
    }
  }

  // ── finding ───────────────────────────────────────────────────────────────────────────────────────────────────────

  private findRenames(side: Side): { renames: Rename[]; folders: FolderMoves } {
    const other = otherSide(side);
    const went = [];
    const came = [];
    const relevant = new Set<string>();
    for (const [path, stages] of this.table) {
      const [base, here] = [stages.base, stages[side]];
      if (base !== null && here === null) {
        went.push({ path, ...base });
        // Where the other side left the file alone it makes no difference where it went, but for its folder.
        if (!isSame(base, stages[other]) || this.lost.isWatched(folderOf(path))) relevant.add(path);
      } else if (base === null && here !== null) came.push({ path, ...here });
    }
    const folders = new FolderMoves((folder) => this.lost.relevanceOf(folder, side));
    if (relevant.size === 0 || came.length === 0) return { renames: [], folders };
    const pairs = pairRenames(went, came, {
      readBlob: this.objects.readBlob,
      isRelevant: (path) => relevant.has(path),
      folders,
    });
    return { renames: pairs.map((pair) => ({ ...pair, side })), folders };
  }

  // ── folders ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Moves what a side put into a folder to where the other side moved the folder. */
  private followFolders(renames: readonly Rename[], ours: FolderMoves, theirs: FolderMoves): Rename[] {
    const lost = { ours: ours.decide(), theirs: theirs.decide() };
    for (const folder of [...lost.ours.moved.keys()]) {
      // Where both sides moved it, each has decided for its own files.
      if (lost.theirs.moved.delete(folder)) lost.ours.moved.delete(folder);
    }
    return (['ours', 'theirs'] as const).flatMap((side) => {
      const mine = renames.filter((rename) => rename.side === side);
      const moved = this.placesOf(side, lost[otherSide(side)], lost[side].moved, mine);
      for (const [path, place] of moved) this.moveAdded(path, place, side);
      return mine.map((rename) => ({ ...rename, to: moved.get(rename.to) ?? rename.to }));
    });
  }

  /** New places of the files that a side added; a conflict where there is none, it is taken, or two would meet. */
  private placesOf(
    side: Side,
    { moved, split }: ReturnType<FolderMoves['decide']>,
    own: ReadonlyMap<string, string>,
    renames: readonly Rename[],
  ): Map<string, string> {
    const places = new Map<string, string>();
    if (moved.size + split.size === 0) return places;
    const renamed = new Set(renames.map(({ to }) => to));
    const count = new Map<string, number>();
    for (const [path, stages] of this.table) {
      if (stages[side] === null || stages[otherSide(side)] !== null) continue;
      if (stages.base !== null && !renamed.has(path)) continue;
      const folder = folderAround(path, moved);
      if (folder === undefined) {
        if (split.has(folderOf(path))) stages.isPathConflict = true;
        continue;
      }
      const target = moved.get(folder)!;
      // A folder that this side moved itself is no place to put something into.
      if (own.has(target)) continue;
      const place = target === '' ? path.slice(folder.length + 1) : target + path.slice(folder.length);
      places.set(path, place);
      count.set(place, (count.get(place) ?? 0) + 1);
    }
    for (const [path, place] of places) {
      if (count.get(place) === 1 && !this.isTaken(side, place)) continue;
      places.delete(path);
      this.table.get(path)!.isPathConflict = true;
    }
    return places;
  }

  private isTaken(side: Side, place: string): boolean {
    const stages = this.table.get(place);
    if (stages !== undefined) return stages[side] !== null;
    return findEntryIn(this.sides[side], place, this.objects.readTreeBytes) !== null;
  }

  private moveAdded(path: string, place: string, side: Side): void {
    const from = this.table.get(path)!;
    const to = this.stagesAt(place);
    to[side] = from[side];
    to.isPathConflict = true;
    from[side] = null;
    from.isMoved = true;
  }

  // ── following ─────────────────────────────────────────────────────────────────────────────────────────────────────

  private stagesAt(path: string): PathStages {
    const known = this.table.get(path);
    if (known !== undefined) return known;
    const at = (tree: string | null): Version | null => {
      const entry = findEntryIn(tree, path, this.objects.readTreeBytes);
      return entry === null || entry.mode === '40000' ? null : { mode: entry.mode, oid: entry.oid };
    };
    const { base, ours, theirs } = this.sides;
    const stages = stagesOf(at(base), at(ours), at(theirs));
    this.table.set(path, stages);
    return stages;
  }

  /** One side renamed a file. */
  private follow({ from, to, side }: Rename): void {
    const old = this.table.get(from)!;
    if (old.isMoved) return;
    const target = this.stagesAt(to);
    const other = otherSide(side);
    const isRemoved = old.ours === null && old.theirs === null;
    const [there, here] = [old[other], target[side]];
    const isOtherType = !isRemoved && isFile(there) !== isFile(here);
    // A link in the old place hides that the other side renamed the file as well, so that both are one file.
    const isMeeting = target[other] !== null && !isOtherType;
    if (isMeeting && isRemoved) target.isPathConflict = true;
    else if (isMeeting) {
      const [ours, theirs] = side === 'ours' ? [here!, there!] : [there!, here!];
      const { after, isConflict } = this.settings.mergeContent(to, old.base, ours, theirs);
      target[side] = after;
      if (isConflict) target.isPathConflict = true;
    } else {
      target.base = old.base;
      if (isOtherType) old.base = null;
      else if (isRemoved) target.isPathConflict = true;
      else target[other] = there;
      if (isOtherType && target[other] === null) target.isPathConflict = true;
    }
    if (!isOtherType) old.isMoved = true;
  }

  /** Both sides renamed a file: to the same place, or to two. */
  private followBoth(from: string, ours: string, theirs: string): void {
    const old = this.table.get(from)!;
    if (old.isMoved) return;
    const [mine, other] = [this.stagesAt(ours), this.stagesAt(theirs)];
    if (ours === theirs) {
      mine.base = old.base;
      old.isMoved = true;
      return;
    }
    const { after } = this.settings.mergeContent(from, old.base, mine.ours!, other.theirs!);
    mine.ours = after;
    other.theirs = after;
    for (const stages of [old, mine, other]) stages.isPathConflict = true;
  }
}

/** The innermost folder around a path that moved. */
function folderAround(path: string, moves: ReadonlyMap<string, unknown>): string | undefined {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) if (moves.has(folder)) return folder;
  return undefined;
}

function isFile(version: Version | null): boolean {
  return version?.mode.startsWith('100') === true;
}

function isSame(a: Version | null, b: Version | null): boolean {
  return a === b || (a !== null && b !== null && a.oid === b.oid && a.mode === b.mode);
}
