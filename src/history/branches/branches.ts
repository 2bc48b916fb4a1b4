// Branches of a memory: which there are, how they stand to each other, and the end of one. Experiments live on `explore/…`, for a week.

import { count } from '../../base/count.ts';
import { MemoryError, orElse } from '../../base/errors.ts';
import { dayMs, formatSeconds, formatTime, millisecondsOf } from '../../base/time.ts';
import type { BranchEntry, DropResult, ExpireResult, Placement } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { damagedFilesOf } from '../../store/damaged-files.ts';
import { flushBefore } from '../../store/flush-before.ts';
import type { Repository } from '../../store/git/repository.ts';
import { checkBranchName } from '../../store/guard/ref-name.ts';
import { isMemoryTree } from '../../store/memory-tree.ts';
import { nearestWord, withGuess } from '../../store/records/nearest-word.ts';
import { commitsBeyond } from '../merge-base.ts';

const heads = 'refs/heads/';
/** Where the branches of a memory inside a code repository live. */
const inside = `${heads}memory/`;

/** Which branches are those of the memory, and how they are called. */
export interface BranchScope {
  readonly repository: Repository;
  /** The branch that the memory is open on. */
  readonly ref: string;
  readonly placement: Placement;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** After so many days an experiment that nobody went on with has expired (design: operations and their git form). */
  readonly exploreDays: number;
}

/** Whether the memory lives inside a code repository, on branches of its own. */
const isInside = ({ placement }: Pick<BranchScope, 'placement'>): boolean => placement === 'branch';

/** Gives the short name of a branch; inside a code repository without its `memory/`. */
export const branchName = (scope: Pick<BranchScope, 'placement'>, ref: string): string =>
  ref.slice((isInside(scope) && ref.startsWith(inside) ? inside : heads).length);

/** Gives the full name of a branch that may not be there yet. */
export const branchRef = (scope: Pick<BranchScope, 'placement'>, name: string): string =>
  `${isInside(scope) && !name.startsWith('memory/') ? inside : heads}${name}`;

/** Finds the full name of a branch that is there; `null` for anything else, such as a date or `HEAD~1`. */
export function findBranch(scope: BranchScope, name: string): string | null {
  if (orElse(() => checkBranchName(name), null, 'INVALID_REF') === null) return null;
  return [branchRef(scope, name), `${heads}${name}`].find((ref) => scope.repository.refs.read(ref) !== null) ?? null;
}

/** Finds the full name of a branch that is there. Throws NOT_FOUND. */
export function branchOf(scope: BranchScope, name: string): string {
  const ref = findBranch(scope, name);
  if (ref !== null) return ref;
  throw new MemoryError('NOT_FOUND', `there is no branch ${name}`, {
    where: name,
    hint: withGuess(
      nearestWord(
        name,
        scope.repository.refs.list('refs/heads/').map(({ ref }) => ref.slice('refs/heads/'.length)),
      ),
      '`git memory branch` lists them',
    ),
  });
}

/**
 * Begins a branch at a commit, by default at the present, and gives its full name. `store` is that of the open branch.
 *
 * Throws ALREADY_EXISTS, INVALID_REF, SECRET, NOT_A_MEMORY; INVALID_ARGUMENT inside a project, whose branches are the code's.
 */
export async function createBranch(
  scope: BranchScope,
  store: BranchStore,
  name: string,
  from: string | undefined,
): Promise<string> {
  refuseInProject(scope, 'git branch');
  const { refs, objects } = scope.repository;
  const ref = branchRef(scope, checkBranchName(name));
  store.checkNewRef(ref);
  const taken = () =>
    new MemoryError('ALREADY_EXISTS', `the branch ${name} is there already`, {
      where: name,
      hint: 'Choose another name',
    });
  if (refs.read(ref) !== null) throw taken();
  if (from === undefined) await flushBefore(store);
  const commit = from ?? store.tip();
  if (commit === null || !isMemoryTree(objects.readCommit(commit).tree, objects.readTree))
    throw new MemoryError('NOT_A_MEMORY', `there is no memory at ${from ?? 'the beginning'}`, { where: name });
  const identity = { ...store.settings(store.at(commit)).identity, time: Math.floor(scope.now / 1000), zone: '+0000' };
  if (!(await store.updateRef({ ref, from: null, to: commit, reason: `branch: created ${name}`, identity })))
    throw taken();
  return ref;
}

/** The branches of a project are those of the code, which the memory leaves to native git. */
export function refuseInProject(scope: Pick<BranchScope, 'placement'>, command: string): void {
  if (scope.placement !== 'project') return;
  throw new MemoryError('INVALID_ARGUMENT', 'inside a project the memory is on the branches of the code', {
    where: 'placement',
    hint: `Use \`${command}\``,
  });
}

/** Lists the branches that hold a memory, by name. One that cannot be read is passed over, and the answer names it. */
export function listBranches(scope: BranchScope): BranchEntry[] {
  const { repository, ref, now } = scope;
  const own = repository.refs.read(ref);
  const damage = damagedFilesOf(repository);
  const entryOf = (branch: string, oid: string): BranchEntry => {
    const name = branchName(scope, branch);
    const expires = name.startsWith('explore/') ? lastMove(repository, branch, oid) + scope.exploreDays * dayMs : null;
    const others = own === null ? [] : [own];
    return {
      name,
      commit: oid,
      time: formatSeconds(repository.objects.readCommit(oid).committer.time),
      isCurrent: branch === ref,
      ahead: own === null ? 0 : commitsBeyond(repository.objects, oid, others).length,
      behind: own === null ? 0 : commitsBeyond(repository.objects, own, [oid]).length,
      ...(expires === null ? {} : { expires: formatTime(expires), isExpired: expires <= now }),
    };
  };
  return memoryBranches(scope).flatMap(({ ref: branch, oid }) => damage.passed(() => entryOf(branch, oid), oid) ?? []);
}

function memoryBranches(scope: BranchScope): { ref: string; oid: string }[] {
  const { objects } = scope.repository;
  const damage = damagedFilesOf(scope.repository);
  return damage
    .refs(isInside(scope) ? inside : heads)
    .filter(
      ({ oid }) => damage.passed(() => isMemoryTree(objects.readCommit(oid).tree, objects.readTree), oid) === true,
    );
}

/** When a branch was made or last moved, in milliseconds: its reflog knows, and without one its newest commit. */
function lastMove(repository: Repository, ref: string, oid: string): number {
  const seconds = repository.refs.readLog(ref).at(-1)?.time ?? 0;
  return millisecondsOf(Math.max(seconds, repository.objects.readCommit(oid).committer.time));
}

/**
 * Ends a branch; `target` is its store. What it alone holds is lost to everybody but the reflog's reader, so that has to be asked for.
 *
 * Throws CONFLICT with `force` missing where work would be lost, INVALID_ARGUMENT for the branch that is open or checked out.
 */
export async function dropBranch(scope: BranchScope, target: BranchStore, force: boolean): Promise<DropResult> {
  const { repository } = scope;
  const name = branchName(scope, target.ref);
  const head = repository.refs.readHead();
  if (target.ref === scope.ref || ('ref' in head && head.ref === target.ref)) {
    const hint = 'Open another branch first';
    throw new MemoryError('INVALID_ARGUMENT', `${name} is the branch you are on`, { where: name, hint });
  }
  const commit = target.tip();
  if (commit === null) throw new MemoryError('NOT_FOUND', `there is no branch ${name}`, { where: name });
  const unmerged = onlyOn(repository, target.ref, commit);
  if (unmerged.length > 0 && !force) {
    throw new MemoryError(
      'CONFLICT',
      `${count(unmerged.length, 'operation')} of ${name} ${unmerged.length === 1 ? 'is' : 'are'} on no other branch and would be lost`,
      {
        where: name,
        hint: `Merge it first with \`git memory merge ${name}\`; a branch that is dropped unmerged is lost`,
      },
    );
  }
  await target.remove(commit);
  return { name, commit, unmerged };
}

/**
 * Ends the experiments that expired, through `drop`. One that holds something of its own, or has writes that wait, stays and is named: nothing
 * ends by itself that could be missed. A dry run drops none.
 */
export async function expireBranches(
  scope: BranchScope,
  drop: (name: string) => Promise<DropResult>,
  dryRun = false,
): Promise<ExpireResult> {
  const dropped: DropResult[] = [];
  const kept: { name: string; unmerged: number }[] = [];
  for (const { name, commit, isExpired, isCurrent } of listBranches(scope)) {
    if (!isExpired || isCurrent) continue;
    if (dryRun) {
      const unmerged = onlyOn(scope.repository, branchRef(scope, name), commit);
      if (unmerged.length > 0) kept.push({ name, unmerged: unmerged.length });
      else dropped.push({ name, commit, unmerged });
      continue;
    }
    try {
      dropped.push(await drop(name));
    } catch (error) {
      if (!(error instanceof MemoryError) || !['CONFLICT', 'INVALID_ARGUMENT'].includes(error.code)) throw error;
      kept.push({ name, unmerged: onlyOn(scope.repository, branchRef(scope, name), commit).length });
    }
  }
  return { dropped, kept };
}

/** Lists what no other branch or tag of the repository leads to. */
function onlyOn(repository: Repository, ref: string, tip: string): string[] {
  const { objects, refs } = repository;
  const others = ['refs/heads/', 'refs/tags/', 'refs/remotes/']
    .flatMap((prefix) => refs.list(prefix))
    .filter((other) => other.ref !== ref)
    .map(({ oid }) => objects.peelToCommit(oid));
  return commitsBeyond(objects, tip, others);
}
