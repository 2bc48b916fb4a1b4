// Finds the commit that last changed each file, backwards from the tip as far as somebody asked, and keeps it.

import type { Repository } from '../store/git/repository.ts';
import { historyOf } from './catalogue.ts';

/** Answers for the first-parent line of one tip at a time; following a tip that moves on costs only the new commits. */
export class LastChange {
  private readonly repository: Repository;
  private tip: string | null = null;
  /** The next commit to look at, going back. */
  private next: string | null = null;
  private readonly found = new Map<string, string>();

  constructor(repository: Repository) {
    this.repository = repository;
  }

  /** Gives the commit that last changed a file of the tip's tree; `null` when no commit did. */
  of(tip: string | null, path: string): string | null {
    this.moveTo(tip);
    while (!this.found.has(path) && this.next !== null) this.lookAt(this.next);
    return this.found.get(path) ?? null;
  }

  private lookAt(oid: string): void {
    const history = historyOf(this.repository);
    const look = () => {
      const number = history.numberOf(oid);
      return { paths: history.pathsAt(number), parents: history.parentOidsAt(number) };
    };
    // What was changed there nobody can tell, so neither can the way behind it be believed.
    const { paths, parents } = history.damage.passed(look, oid) ?? { paths: [], parents: [] };
    for (const path of paths) if (!this.found.has(path)) this.found.set(path, oid);
    this.next = parents[0] ?? null;
  }

  private parentOf(oid: string): string | null {
    const { damage } = historyOf(this.repository);
    return damage.passed(() => this.repository.objects.readCommit(oid).parents[0] ?? null, oid);
  }

  private moveTo(tip: string | null): void {
    if (tip === this.tip) return;
    const fresh: string[] = [];
    let oid = tip;
    // Only a short way: beyond it, beginning anew and looking back on demand is cheaper.
    while (this.tip !== null && oid !== null && oid !== this.tip && fresh.length < 500) {
      fresh.push(oid);
      oid = this.parentOf(oid);
    }
    if (this.tip !== null && oid === this.tip) {
      for (const commit of fresh.reverse()) {
        for (const { path } of historyOf(this.repository).changesOf(commit)) this.found.set(path, commit);
      }
    } else {
      this.found.clear();
      this.next = tip;
    }
    this.tip = tip;
  }
}
