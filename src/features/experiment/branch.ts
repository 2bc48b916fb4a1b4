// The branch of an experiment: what it is called, and how the experiment stands as its commits tell it.

import { MemoryError } from '../../base/errors.ts';
import type { ExperimentListResult, ExperimentState } from '../../base/types.ts';
import { capturesOf } from '../../core/capture/daily-note.ts';
import { type BranchScope, branchRef, isBehind, listBranches, listTags } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { experimentFolder } from '../../store/experiment-names.ts';
import { checkBranchName } from '../../store/guard/ref-name.ts';
import { findAdoption } from './adoption.ts';
import { type ExperimentReport, reportOf } from './report-line.ts';

/** A branch may have been merged into, or written to, since the last commit that reports. */
const maxSearch = 10_000;

/** Gives the short name of an experiment's branch: `extract/<name>`. Throws INVALID_ARGUMENT, INVALID_REF. */
export function experimentBranch(name: string): string {
  if (typeof name !== 'string' || name === '')
    throw new MemoryError('INVALID_ARGUMENT', 'the name of the experiment is missing', { where: 'name' });
  const short = name.startsWith(experimentFolder) ? name.slice(experimentFolder.length) : name;
  return checkBranchName(`${experimentFolder}${short}`);
}

/** Lists the conversations of a state, in the order of time. */
export const conversationsOf = (store: BranchStore, commit: string): string[] => capturesOf(store.at(commit));

/** Finds what an experiment says of itself, from a commit of its branch on; null where it has not begun. */
export function findReport({ repository }: BranchStore, tip: string, name: string): ExperimentReport | null {
  let oid: string | undefined = tip;
  for (let steps = 0; oid !== undefined && steps < maxSearch; steps++) {
    const { message, parents } = repository.objects.readCommit(oid);
    const report = reportOf(message, name);
    if (report !== null) return report;
    oid = parents[0];
  }
  return null;
}

/** Gives an experiment by its name; `store` is that of the open branch. Throws NOT_FOUND. */
export function experimentOf(scope: BranchScope, store: BranchStore, name: string): ExperimentState {
  const branch = experimentBranch(name);
  const commit = scope.repository.refs.read(branchRef(scope, branch));
  const report = commit === null ? null : findReport(store, commit, branch.slice(experimentFolder.length));
  if (commit !== null && report !== null) return stateOf(store, branch, commit, report);
  throw new MemoryError('NOT_FOUND', `there is no experiment ${name}`, {
    where: name,
    hint: '`git memory experiment list` names them; `git memory experiment run <name>` begins one',
  });
}

/** Makes what a branch says, and how it stands to the open one, a state. */
export function stateOf(store: BranchStore, branch: string, commit: string, report: ExperimentReport): ExperimentState {
  const tip = store.tip()!;
  const isHere = isBehind(store.repository.objects, commit, [tip]);
  return {
    ...report,
    branch,
    commit,
    isAdopted: isHere && (findAdoption(store, tip, commit, report.base)?.undoneBy ?? null) === null,
    newer: newerConversations(store, report.base).length,
  };
}

/** Lists the conversations of the present that an experiment does not know: those that came after its base. */
export function newerConversations(store: BranchStore, base: string): string[] {
  const known = new Set(conversationsOf(store, base));
  return conversationsOf(store, store.tip()!).filter((path) => !known.has(path));
}

/** Lists the experiments of a memory by name, and the tags of those that were dropped. */
export function listExperiments(scope: BranchScope, store: BranchStore): ExperimentListResult {
  const experiments = listBranches(scope).flatMap(({ name, commit }) => {
    if (!name.startsWith(experimentFolder)) return [];
    const stateAt = (): ExperimentState[] => {
      const report = findReport(store, commit, name.slice(experimentFolder.length));
      return report === null ? [] : [stateOf(store, name, commit, report)];
    };
    return store.damage.passed(stateAt, commit) ?? [];
  });
  return { experiments, dropped: listTags(store.repository, `refs/tags/memory/${experimentFolder}`) };
}
