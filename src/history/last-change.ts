// Finds the commit that last changed each file, backwards from the tip as far as somebody asked, and keeps it.

import type { Repository } from '../store/git/repository.ts';
import { historyOf } from './catalogue.ts';

/** For more paths it is cheaper to ask each commit for all that it changed. */
const singlePaths = 32;

/** Answers for the first-parent line of one tip at a time; following a tip that moves on costs only the new commits. */
export class LastChange {
  private readonly repository: Repository;
  private tip: string | null = null;
  /** The next commit whose changes are all to be found, going back. */
  private next: string | null = null;
  private singles = 0;
  private readonly found = new Map<string, string | null>();

  constructor(repository: Repository) {
    this.repository = repository;
  }

  /** Gives the commit that last changed a file of the tip's tree; `null` when no commit did. */
  of(tip: string | null, path: string): string | null {
    this.moveTo(tip);
    if (!this.found.has(path) && this.singles < singlePaths) {
      this.singles += 1;
      this.found.set(path, this.find(path));
    }
    while (!this.found.has(path) && this.next !== null) this.lookAt(this.next);
    return this.found.get(path) ?? null;
  }

  /** Reads no more of each commit than the folders on the way of one path. */
  private find(path: string): string | null {
    const history = historyOf(this.repository);
    const changeAt = history.changesOfFile(path);
    let place = -1;
    const isChanged = (number: number) => {
      place = number;
      return changeAt(number) !== null;
    };
    const walk = () => {
      let number = this.tip === null ? undefined : history.numberOf(this.tip);
      while (number !== undefined) {
        number = history.passOver(number, isChanged);
        if (isChanged(number)) return history.oidAt(number);
        const [parent] = history.parentOidsAt(number);
        number = parent === undefined ? undefined : history.numberOf(parent);
      }
      return null;
    };
    try {
      return walk();
    } catch (error) {
      // What was changed there nobody can tell, so neither can the way behind it be believed.
      history.damage.passOver(error, place < 0 ? this.tip : history.oidAt(place));
      return null;
    }
  }

  private lookAt(oid: string): void {
    const history = historyOf(this.repository);
    const look = () => {
      const number = history.numberOf(oid);
      return { paths: history.pathsAt(number), parents: history.parentOidsAt(number) };
    };
    // As in `find`.
    const { paths, parents } = history.damage.passed(look, oid) ?? { paths: [], parents: [] };
    for (const path of paths) if (!this.found.has(path)) this.found.set(path, oid);
    this.next = parents[0] ?? null;
  }

  private moveTo(tip: string | null): void {
    if (tip === this.tip) return;
    const history = historyOf(this.repository);
    const fresh: string[] = [];
    let oid = tip;
    // Only a short way: beyond it, beginning anew and looking back on demand is cheaper.
    while (this.tip !== null && oid !== null && oid !== this.tip && fresh.length < 500) {
      const commit = oid;
      fresh.push(commit);
      oid = history.damage.passed(() => this.repository.objects.readCommit(commit).parents[0] ?? null, commit);
    }
    if (this.tip !== null && oid === this.tip) {
      for (const commit of fresh.reverse()) {
        for (const { path } of history.changesOf(commit)) this.found.set(path, commit);
      }
    } else {
      this.found.clear();
      this.singles = 0;
      this.next = tip;
    }
    this.tip = tip;
  }
}
