// Finds a file in the parents of a commit as `git blame` does, with renames.

import type { ObjectDatabase } from '../store/git/object-database.ts';
import { findEntry } from '../store/git/tree.ts';
import type { HistoryCatalogue } from './catalogue.ts';
import { findRename } from './renames.ts';

/** A file as it is in one commit; commits by their number in the catalogue. */
export interface FileVersion {
  readonly number: number;
  readonly path: string;
  readonly oid: string;
}

export class FileAncestry {
  private readonly catalogue: HistoryCatalogue;
  private readonly objects: ObjectDatabase;
  private readonly changeOf = new Map<string, ReturnType<HistoryCatalogue['changesOfFile']>>();

  constructor(catalogue: HistoryCatalogue, objects: ObjectDatabase) {
    this.catalogue = catalogue;
    this.objects = objects;
  }

  /** Gives the file of a commit; `null` when it has none of that name. */
  at(commit: string, path: string): FileVersion | null {
    const number = this.catalogue.numberOf(commit);
    const entry = this.entryAt(number, path);
    return entry && { number, path, oid: entry.oid };
  }

  /**
   * Finds the file in the parents of its commit, in their order. That is one version that is the same file, as far back as nothing touches
   * it or history branches, or the different ones.
   */
  before(version: FileVersion): { readonly same: FileVersion } | { readonly different: readonly FileVersion[] } {
    const { number, oid } = version;
    const parents = this.catalogue.parentsAt(number);
    const found: (FileVersion | undefined)[] = parents.map(() => undefined);
    // First by name in all parents, then by rename in those that lack the name.
    for (const isByName of [true, false]) {
      for (const [place, parent] of parents.entries()) {
        if (found[place]) continue;
        const source = isByName ? this.sameName(version, place) : this.otherName(version, place);
        if (source === null) continue;
        if (source.oid === oid) return { same: { ...source, number: this.untouched(parent, source.path) } };
        // A parent with the same content as an earlier one has nothing to add.
        if (found.slice(0, place).some((earlier) => earlier?.oid === source.oid)) continue;
        found[place] = { ...source, number: parent };
      }
    }
    return { different: found.filter((one) => one !== undefined) };
  }

  /** Goes back over commits that have one parent and leave the file alone. */
  private untouched(from: number, path: string): number {
    const changeOf = this.changesOf(path);
    return this.catalogue.passOver(from, (number) => changeOf(number) !== null);
  }

  private changesOf(path: string): ReturnType<HistoryCatalogue['changesOfFile']> {
    let changeOf = this.changeOf.get(path);
    if (!changeOf) {
      changeOf = this.catalogue.changesOfFile(path);
      this.changeOf.set(path, changeOf);
    }
    return changeOf;
  }

  private sameName({ number, path, oid }: FileVersion, place: number): { path: string; oid: string } | null {
    if (place === 0) {
      const change = this.changesOf(path)(number);
      if (change === null) return { path, oid };
      return change.before && kindOf(change.before.mode) === kindOf(change.after?.mode)
        ? { path, oid: change.before.oid }
        : null;
    }
    const parent = this.catalogue.parentsAt(number)[place]!;
    const [before, after] = [this.entryAt(parent, path), this.entryAt(number, path)];
    return before && after && kindOf(before.mode) === kindOf(after.mode) ? { path, oid: before.oid } : null;
  }

  private otherName({ number, path }: FileVersion, place: number): { path: string; oid: string } | null {
    return findRename(this.objects, this.catalogue.changesAgainst(this.catalogue.oidAt(number), place), path);
  }

  private entryAt(number: number, path: string) {
    const entry = findEntry(this.catalogue.treeAt(number), path, this.objects.readTree);
    return entry?.mode === '40000' ? null : entry;
  }
}

/** Files, links and submodules are different things under one name. */
const kindOf = (mode: string | undefined): string | undefined => (mode?.startsWith('100') ? '100' : mode);
