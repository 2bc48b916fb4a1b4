// The two ends of an experiment: its memories become those of the open branch, or its branch goes and a tag keeps it.

import { MemoryError } from '../../errors.ts';
import { changesOf } from '../../history/log.ts';
import { createTag } from '../../history/tags.ts';
import { kindOf } from '../../records/kind.ts';
import type { AdoptResult, DropExperimentResult } from '../../types.ts';
import { adoptOperation, mergeCommit } from '../merge.ts';
import { dropNamed } from '../merge-branches.ts';
import { experimentFolder, experimentOf } from './branch.ts';
import type { ExperimentDependencies } from './run.ts';

/**
 * Merges an experiment into the open branch, in one commit. What was changed here since it began stays as it is here, also where a record
 * was edited that the experiment made anew.
 *
 * Throws NOT_FOUND; INVALID_ARGUMENT for one that is not finished; LOCKED.
 */
export async function adoptExperiment(dependencies: ExperimentDependencies, name: string): Promise<AdoptResult> {
  const { scope, store, open } = dependencies;
  const state = experimentOf(scope, store, name);
  if (!state.isFinished) {
    throw new MemoryError('INVALID_ARGUMENT', `${state.total - state.done} conversations were not read yet`, {
      where: name,
      hint: `\`git memory experiment run ${state.name}\` goes on with it`,
    });
  }
  const other = await open(state.branch);
  try {
    // What was written to the branch by hand belongs to it.
    await other.commit();
    const theirs = other.store.tip()!;
    const { commit, conflicts } = await mergeCommit(store, theirs, state.branch, true, {
      newer: 'ours',
      as: adoptOperation,
    });
    const changes = commit === null ? [] : changesOf(scope.repository, commit);
    const memories = changes.filter(({ path }) => kindOf(path) === 'memory');
    const added = memories.filter(({ before }) => before === null).length;
    const removed = memories.filter(({ after }) => after === null).length;
    return { name: state.name, commit, added, removed, changed: memories.length - added - removed, conflicts };
  } finally {
    await other.close();
  }
}

/** Ends the branch of an experiment; the tag `memory/extract/<name>` keeps what it was. Throws NOT_FOUND, CONFLICT, INVALID_ARGUMENT. */
export async function dropExperiment(
  dependencies: ExperimentDependencies,
  name: string,
): Promise<DropExperimentResult> {
  const { scope, store, machine } = dependencies;
  const state = experimentOf(scope, store, name);
  const { tag } = await createTag(store, `memory/${experimentFolder}${state.name}`, state.commit, machine);
  const { commit } = await dropNamed(dependencies, state.branch, false);
  return { name: state.name, commit, tag };
}
