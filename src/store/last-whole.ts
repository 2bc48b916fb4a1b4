// Shows the last whole commit of a branch where the newest one, its root folder or memory.yaml cannot be read. It is only shown: nothing is
// written upon it. features/doctor/restore-tip.ts mends the branch.

import { MemoryError, orElse } from '../base/errors.ts';
import { damagedFilesOf, isDamage } from './damaged-files.ts';
import type { Repository } from './git/repository.ts';
import { isMemoryTree } from './memory-tree.ts';
import { configurationFiles } from './records/kind.ts';

/** Reflog lines of moves that only added to a branch; where a reset or an amend led away from is what a person left. */
const isAdding = /^(?:git-memory|commit|commit \(merge\)|merge \S+): /;

/** So far back is looked: in a foreign history there may be no memory at all. */
const maxSearched = 1000;

/** Has a repository show the last readable state of a branch that cannot be read. Without any, questions are refused by what is damaged. */
export function showLastWhole(repository: Repository, ref: string): void {
  const { refs } = repository;
  let tip = '';
  let damage: MemoryError | null;
  try {
    tip = refs.read(ref) ?? '';
    damage = tip === '' ? null : whyUnreadable(repository, tip);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'REF_CORRUPT') throw error;
    damage = error;
  }
  const commit = damage === null ? null : lastWhole(repository, ref, tip);
  if (damage === null || commit === null) return;
  const shown = `${ref} is shown as of ${commit.slice(0, 12)}, the last whole commit, and takes no write`;
  const what = `${shown}: ${tip === '' ? '' : `its newest one is ${tip}, and `}${damage.what}`;
  const hint = '`git memory doctor --tip restore` mends it and keeps all that can be read; then open the memory again';
  refs.standIns.set(ref, { tip, commit, damage: new MemoryError(damage.code, what, { where: ref, hint }) });
}

/** Gives the newest commit behind a tip that can be read, by parents and, where those are lost, by the log of the branch. */
export function lastWhole(repository: Repository, ref: string, tip: string): string | null {
  const { objects } = repository;
  const seen = new Set([tip]);
  const parents = (commit: string) =>
    orElse(() => objects.readCommit(commit).parents, [], 'OBJECT_CORRUPT', 'OBJECT_MISSING');
  const next = [...(tip === '' ? [] : parents(tip)), ...logged(repository, ref, tip)];
  for (const commit of next) {
    if (seen.has(commit)) continue;
    if (seen.size > maxSearched) break;
    seen.add(commit);
    const isWhole = whyUnreadable(repository, commit) === null;
    if (isWhole && isMemoryTree(objects.readCommit(commit).tree, objects.readTree)) return commit;
    next.push(...parents(commit));
  }
  return null;
}

/** Says why no question to a commit can be answered; null where they can. Single files and folders are done without. */
export function whyUnreadable(repository: Repository, commit: string): MemoryError | null {
  const { objects } = repository;
  try {
    const entries = objects.readTree(objects.readCommit(commit).tree);
    const configuration = entries.find(({ name }) => configurationFiles.includes(name));
    if (configuration !== undefined) damagedFilesOf(repository).read(configuration.oid, configuration.name, commit);
    return null;
  } catch (error) {
    if (isDamage(error)) return error;
    throw error;
  }
}

/** Lists where a branch was, newest first. A tip that its log does not know came from nowhere: the branch was where the log ends. */
function logged({ refs }: Repository, ref: string, tip: string): string[] {
  const log = refs.readLog(ref).toReversed();
  const from = Math.max(
    0,
    log.findIndex(({ to }) => to === tip),
  );
  const places: string[] = [];
  for (const { from: before, to, message } of log.slice(from)) {
    if (places.length > 0 && places.at(-1) !== to) break;
    places.push(to);
    if (!isAdding.test(message)) break;
    places.push(before);
  }
  return [...places, refs.notes.read(ref) ?? ''].filter((oid) => /[^0]/.test(oid));
}
