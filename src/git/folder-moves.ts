// Where the files of folders went that one side of a merge no longer has: counts renames per folder and tells where most of them lead.
// Follows git's directory rename detection (Documentation/technical/directory-rename-detection.txt).

/** Why a folder that went matters: files were added to it on the other side, or only to a folder around it, or to neither. */
export type FolderRelevance = 'self' | 'around' | 'none';

/** Counts the renames out of folders. */
export class FolderMoves {
  private readonly relevanceOf: (folder: string) => FolderRelevance | undefined;
  private readonly counts = new Map<string, Map<string, number>>();

  /** `relevanceOf`: of a folder that this side no longer has; undefined for all others. */
  constructor(relevanceOf: (folder: string) => FolderRelevance | undefined) {
    this.relevanceOf = relevanceOf;
  }

  /**
   * Counts one rename for its folder, and for those around it as long as the names agree: `a/b/c/f` → `a/x/c/f` speaks of `a/b/c` and of
   * `a/b`, not of `a`.
   */
  add(from: string, to: string): void {
    let [old, young] = [folderOf(from), folderOf(to)];
    for (let isFirst = true; ; isFirst = false) {
      const relevance = this.relevanceOf(old);
      if (relevance === undefined) return;
      if (isFirst || relevance === 'self') {
        const targets = this.counts.get(old) ?? new Map<string, number>();
        this.counts.set(old, targets.set(young, (targets.get(young) ?? 0) + 1));
      }
      if (relevance === 'none' || old === '' || young === '' || nameOf(old) !== nameOf(young)) return;
      [old, young] = [folderOf(old), folderOf(young)];
    }
  }

  /** Where most files of each folder went; with equal shares the first counts. */
  guesses(): Map<string, string> {
    return new Map([...this.counts].map(([folder, targets]) => [folder, mostFrequent(targets).folder]));
  }

  /** Where folders went that matter, by the target that has more files than any other; those where none has are split. */
  decide(): { moved: Map<string, string>; split: Set<string> } {
    const moved = new Map<string, string>();
    const split = new Set<string>();
    for (const [folder, targets] of this.counts) {
      const relevance = this.relevanceOf(folder);
      if (relevance === undefined || relevance === 'none') continue;
      const best = mostFrequent(targets);
      if (best.isTied) split.add(folder);
      else moved.set(folder, best.folder);
    }
    return { moved, split };
  }
}

function mostFrequent(targets: ReadonlyMap<string, number>): { folder: string; isTied: boolean } {
  let best = { folder: '', count: 0, isTied: false };
  for (const [folder, count] of targets) {
    if (count > best.count) best = { folder, count, isTied: false };
    else if (count === best.count) best = { ...best, isTied: true };
  }
  return best;
}

/** The folder of a path, `''` at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
