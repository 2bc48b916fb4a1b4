// Finds a file in the parents of a commit as `git blame` does, with renames; in its children as `git blame --reverse` does.

import { keptIn } from '../base/once-per.ts';
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

/** Gives the children of a commit that are looked at, in git's order. */
export type ChildrenOf = (number: number) => readonly number[];

export class FileAncestry {
  private readonly catalogue: HistoryCatalogue;
  private readonly objects: ObjectDatabase;
  private readonly childrenOf: ChildrenOf | null;
  private readonly changeOf = new Map<string, ReturnType<HistoryCatalogue['changesOfFile']>>();

  /** With `childrenOf`, what is said of parents here holds for children. */
  constructor(catalogue: HistoryCatalogue, objects: ObjectDatabase, childrenOf: ChildrenOf | null = null) {
    this.catalogue = catalogue;
    this.objects = objects;
    this.childrenOf = childrenOf;
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
    const parents = this.childrenOf?.(number) ?? this.catalogue.parentsAt(number);
    const found: (FileVersion | undefined)[] = parents.map(() => undefined);
    // First by name in all parents, then by rename in those that lack the name.
    for (const isByName of [true, false]) {
      for (const [place, parent] of parents.entries()) {
        if (found[place]) continue;
        const source = isByName ? this.sameName(version, parent, place) : this.otherName(version, parent, place);
        if (source === null) continue;
        if (source.oid === oid) return { same: { ...source, number: this.untouched(parent, source.path) } };
        // A parent with the same content as an earlier one has nothing to add.
        if (found.slice(0, place).some((earlier) => earlier?.oid === source.oid)) continue;
        found[place] = { ...source, number: parent };
      }
    }
    return { different: found.filter((one) => one !== undefined) };
  }

  /** Goes on over commits that have one parent, or lead to one child, and leave the file alone. */
  private untouched(from: number, path: string): number {
    const changeOf = this.changesOf(path);
    if (!this.childrenOf) return this.catalogue.passOver(from, (number) => changeOf(number) !== null);
    for (let place = from; ; ) {
      const [child, other] = this.childrenOf(place);
      if (child === undefined || other !== undefined || !this.isFirstParent(place, child)) return place;
      if (changeOf(child) !== null) return place;
      place = child;
    }
  }

  private isFirstParent(number: number, child: number): boolean {
    return this.catalogue.parentsAt(child)[0] === number;
  }

  private changesOf(path: string): ReturnType<HistoryCatalogue['changesOfFile']> {
    return keptIn(this.changeOf, path, () => this.catalogue.changesOfFile(path));
  }

  private sameName({ number, path, oid }: FileVersion, parent: number, place: number): PathAndOid | null {
    const isDown = this.childrenOf !== null;
    if (isDown ? this.isFirstParent(number, parent) : place === 0) {
      const change = this.changesOf(path)(isDown ? parent : number);
      if (change === null) return { path, oid };
      const [there, here] = isDown ? [change.after, change.before] : [change.before, change.after];
      return there && kindOf(there.mode) === kindOf(here?.mode) ? { path, oid: there.oid } : null;
    }
    const [before, after] = [this.entryAt(parent, path), this.entryAt(number, path)];
    return before && after && kindOf(before.mode) === kindOf(after.mode) ? { path, oid: before.oid } : null;
  }

  private otherName({ number, path }: FileVersion, parent: number, place: number): PathAndOid | null {
    const { catalogue } = this;
    if (!this.childrenOf)
      return findRename(this.objects, catalogue.changesAgainst(catalogue.oidAt(number), place), path);
    const changes = catalogue.changesAgainst(catalogue.oidAt(parent), catalogue.parentsAt(parent).indexOf(number));
    const back = changes.map((change) => ({ ...change, before: change.after, after: change.before }));
    return findRename(this.objects, back, path);
  }

  private entryAt(number: number, path: string) {
    const entry = findEntry(this.catalogue.treeAt(number), path, this.objects.readTree);
    return entry?.mode === '40000' ? null : entry;
  }
}

type PathAndOid = Pick<FileVersion, 'path' | 'oid'>;

/** Files, links and submodules are different things under one name. */
const kindOf = (mode: string | undefined): string | undefined => (mode?.startsWith('100') ? '100' : mode);
