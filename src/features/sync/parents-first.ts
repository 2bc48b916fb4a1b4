// The order in which commits say what they added: each after all its parents, whatever their clocks told.

import type { ObjectReader } from '../../store/git/object-overlay.ts';

/** Orders commits parents first. Walks that look at a tree once, and at what parents lack, need it: a change that is taken back repeats a tree. */
export function parentsFirst(objects: Pick<ObjectReader, 'readCommit'>, commits: readonly string[]): string[] {
  const wanted = new Set(commits);
  const done = new Set<string>();
  for (const start of commits) {
    const open = [start];
    for (let oid = open.at(-1); oid !== undefined; oid = open.at(-1)) {
      // Asked first: a commit waits here once for each child that it has.
      const before = done.has(oid)
        ? []
        : objects.readCommit(oid).parents.filter((parent) => wanted.has(parent) && !done.has(parent));
      if (before.length === 0) {
        done.add(oid);
        open.pop();
      } else open.push(...before);
    }
  }
  return [...done];
}
