// Lists files that an undo wrote lately: nothing that runs by itself does again at once what somebody took back.

import { millisecondsOf } from '../base/time.ts';
import type { Repository } from '../store/git/repository.ts';
import { parseMessage } from '../store/guard/message.ts';
import { historyOf } from './catalogue.ts';
import { numbersOf } from './log.ts';

/** How git-revert(1) names what it takes back. */
const revertLine = /^This reverts commit ([0-9a-f]{40})\b/m;

/**
 * Gives the files that are in the tree, or were changed, because something was taken back since a time. Each has when that was: path →
 * milliseconds since the Unix epoch.
 *
 * Counts undo and native `git revert`, as long as they were not taken back themselves: a redo says that it was right after all.
 * Reads the messages of the commits of that time alone.
 */
export function pathsTakenBack(repository: Repository, tip: string | null, since: number): Map<string, number> {
  const paths = new Map<string, number>();
  if (tip === null) return paths;
  const catalogue = historyOf(repository);
  const undone = new Set<string>();
  for (const number of numbersOf(repository, catalogue, tip, {})) {
    const time = millisecondsOf(catalogue.timeAt(number));
    // A clock that was wrong once tells nothing about what lies behind it.
    if (time < since) continue;
    const targets = targetsOf(catalogue.messageAt(number));
    if (targets.length === 0 || undone.has(catalogue.oidAt(number))) continue;
    for (const target of targets) undone.add(target);
    if (isRedo(repository, targets[0]!)) continue;
    for (const { path, after } of catalogue.changesAt(number)) {
      if (after !== null && !paths.has(path)) paths.set(path, time);
    }
  }
  return paths;
}

/** Lists the commits that a commit takes back, as its message names them. */
export function targetsOf(message: string): string[] {
  const { trailers } = parseMessage(message);
  const named = trailers.filter(({ key }) => key === 'Undoes').map(({ value }) => value);
  const reverted = revertLine.exec(message)?.[1];
  return reverted === undefined ? named : [...named, reverted];
}

/** Tells whether what a commit takes back was an undo itself, or one of a redo, and so on. */
function isRedo({ objects }: Repository, taken: string): boolean {
  let steps = 0;
  const seen = new Set<string>();
  for (let oid: string | undefined = taken; oid !== undefined && !seen.has(oid) && objects.has(oid); steps++) {
    seen.add(oid);
    [oid] = targetsOf(objects.readCommit(oid).message);
  }
  return steps % 2 === 0;
}
