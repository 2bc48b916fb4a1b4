// Memory: the present of a branch with all that it answers and does, composed of families. A part of a memory is made of fewer of them.

import { mergeDriverCommand } from '../adapters/merge-driver-command.ts';
import type { Placement } from '../base/types.ts';
import { checkStorageVersion } from '../core/lifecycle/layout.ts';
import { Batch } from '../core/write/batch.ts';
import { NearDuplicates } from '../core/write/near-duplicates.ts';
import type { Origins } from '../core/write/origin.ts';
import { configureMergeDriver, installMergeAttributes, planInit } from '../features/repository/index.ts';
import { autoPushOf } from '../features/sync/index.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { answer } from '../store/git/file-errors.ts';
import { makeBorrowed } from '../store/known-memory.ts';
import type { InitialConfiguration } from '../store/records/configuration-text.ts';
import type { ScopeInput } from '../store/scope.ts';
import { Branch, type BranchDependencies, isWholeBranch } from './branch.ts';
import { branchVerbs, otherBranches } from './branch-verbs.ts';
import { autoExtractionOf, captureVerbs } from './capture-verbs.ts';
import { compose, withDoor } from './compose.ts';
import { judgingChanges } from './expect-questions.ts';
import { extractionOf, extractionVerbs } from './extraction-verbs.ts';
import { withFormerNames } from './former-names.ts';
import { historyVerbs } from './history-verbs.ts';
import type { Location } from './locate.ts';
import { mountsOf, mountVerbs, withMounts } from './mount-verbs.ts';
import { passVerbs, recordVerbs } from './pass-verbs.ts';
import { passesOf } from './passes.ts';
import { presentVerbs } from './present-verbs.ts';
import { projectVerbs } from './project-verbs.ts';
import { quarantineOf, quarantineVerbs } from './quarantine-verbs.ts';
import { repositoryVerbs } from './repository-verbs.ts';
import { reviewVerbs } from './review-verbs.ts';
import { actingContext, compiledUseOf, shownVerbs, turnVerbs } from './turn-verbs.ts';
import { type Questions, questionsTo } from './view.ts';
import { writeVerbs } from './write-verbs.ts';

/** What an open branch is called, and its end. */
interface OpenedMemory {
  /** The folder that was opened, absolute. */
  readonly directory: string;
  /** Short name. */
  readonly branchName: string;
  /** Where the memory lies in its repository. */
  readonly placement: Placement;
  /** The newest commit of the branch; `null` before the first. */
  readonly tip: string | null;
  /** Whether commits are made unasked: not inside a project, and not where `auto_commit` was off when the memory was opened. */
  readonly commitsUnasked: boolean;
  /** @internal */
  readonly timeZone: string;
  /** @internal */
  readonly store: BranchStore;
  /** @internal */
  readonly batch: Batch;
  /** @internal */
  readonly origins: Origins;
  /** Commits the batch (inside a project: leaves it pending) and lets go of all files. A second call does nothing. */
  close(): Promise<void>;
  /** Lets go of files and timers without committing anything. */
  dispose(): void;
}

type PartVerbs = OpenedMemory &
  Questions &
  ReturnType<typeof presentVerbs<MemoryPart>> &
  ReturnType<typeof captureVerbs> &
  ReturnType<typeof writeVerbs> &
  ReturnType<typeof projectVerbs> &
  ReturnType<typeof turnVerbs> &
  ReturnType<typeof shownVerbs> &
  ReturnType<typeof recordVerbs>;

/** A part of a memory, for an agent that shall see and write no more; answers like a {@link View}. A {@link Memory} is one, too. */
export interface MemoryPart extends PartVerbs {}

type WholeVerbs = MemoryPart &
  ReturnType<typeof historyVerbs> &
  ReturnType<typeof branchVerbs<Memory>> &
  ReturnType<typeof quarantineVerbs> &
  ReturnType<typeof reviewVerbs> &
  ReturnType<typeof extractionVerbs> &
  ReturnType<typeof passVerbs> &
  ReturnType<typeof mountVerbs> &
  ReturnType<typeof repositoryVerbs>;

/** The present of one branch, its tip and journal: answers like a {@link View}, and acts. */
export interface Memory extends WholeVerbs {}

/** What a memory needs beside the place it is at. */
export interface MemoryDependencies extends BranchDependencies {
  /** Opens another branch of the same repository as this one was opened. */
  readonly reopen: (branch: string) => Promise<Memory>;
  /** Opens a part of this branch. */
  readonly openPart: (branch: string, scope: ScopeInput) => Promise<MemoryPart>;
  /** Opens another memory so that nothing of it can change; without it none is looked into. */
  readonly openMounted?: (dir: string) => Promise<Memory>;
}

/** Composes a memory, or where a scope was given a part of one, which lacks the verbs that need the whole; `begin` makes it ready. */
export function memoryAt(location: Location, dependencies: MemoryDependencies) {
  const branch = new Branch(location, dependencies);
  const { store } = branch;
  const { logger, readOnly } = dependencies;
  const { lost } = store;
  if (lost !== null) logger.warn(lost.message);
  const others = otherBranches(branch, dependencies.reopen);
  const extraction = extractionOf(branch);
  const { extractFrom } = extraction;
  const passes = passesOf(branch, { extractFrom, expiring: others.expiring });
  const autoExtraction = autoExtractionOf(branch, extractFrom, passes.afterExtractions);
  const quarantine = quarantineOf(branch, others);
  const batch = new Batch({
    store,
    clock: branch.clock,
    logger,
    isImmediate: branch.isImmediate,
    configuration: () => branch.configuration(),
    subject: passes.proposedSubject,
  });
  const compiledUse = compiledUseOf(branch, batch);
  const settle = () => compiledUse.settle();
  const begin = (initial: InitialConfiguration | null) => beginBranch(branch, batch, initial);
  const dispose = () => {
    quarantine.dispose();
    batch.stop();
    branch.dispose();
  };
  const mounts = isWholeBranch(branch) ? mountsOf(branch, dependencies.openMounted) : undefined;
  let autoPush: ReturnType<typeof autoPushOf> | undefined;
  const opened: OpenedMemory = {
    directory: branch.directory,
    branchName: branch.branchName,
    placement: branch.placement,
    get tip() {
      return store.tip();
    },
    get commitsUnasked() {
      return branch.isImmediate;
    },
    get timeZone() {
      return branch.configuration().timezone;
    },
    store,
    batch,
    origins: branch.origins,
    close: () =>
      answer(async () => {
        if (branch.isClosed) return;
        await mounts?.close();
        await quarantine.close();
        await autoPush?.finish();
        await passes.stopSchedule();
        await autoExtraction.idle();
        try {
          if (!readOnly) await settle();
          if (!readOnly) await batch.finish();
        } finally {
          dispose();
          await branch.closeModels();
        }
      }),
    dispose,
  };

  const mounted = mounts?.asking;
  const asked = questionsTo(branch, mounted);
  const nearDuplicates = new NearDuplicates(branch.shared.catalog, branch.repository.objects.readTree);
  const turns = turnVerbs(branch, batch);
  const part: MemoryPart = compose(
    opened,
    asked,
    presentVerbs(branch, (scope) => dependencies.openPart(branch.branchName, scope)),
    captureVerbs(branch, { autoExtraction, quarantine }),
    writeVerbs(branch, { batch, settle, asked, nearDuplicates }),
    projectVerbs(branch, batch),
    turns,
    shownVerbs(branch, compiledUse),
    actingContext(branch, {
      asked,
      activate: turns.topics.turn,
      autoExtraction,
      compiledUse,
      extractFrom,
      mounted,
      questionsOf: questionsTo,
    }),
    recordVerbs(branch, passes),
  );
  if (!isWholeBranch(branch) || mounts === undefined) return { memory: withFormerNames(withDoor(part)), begin };

  const branches = branchVerbs(branch, others);
  autoPush = autoPushOf({
    store,
    isWanted: () => !readOnly && branch.configuration().autoPush,
    sync: (signal) => branches.sync({ signal }),
    warn: (line) => logger.warn(line),
  });
  const pushed = autoPush;
  const commit: Memory['commit'] = async (...given) => {
    const result = await part.commit(...given);
    // A commit does not wait for the sync behind it.
    if (result.commits.length > 0) void pushed.begin();
    return result;
  };
  const whole = compose(
    part,
    withMounts(branch, mounts, asked),
    { commit },
    historyVerbs(branch, batch),
    branches,
    quarantineVerbs(branch, quarantine),
    reviewVerbs(branch, { batch, passes, quarantine, nearDuplicates, acts: { remember: part.remember, commit } }),
    extractionVerbs(branch, extraction, others),
    passVerbs(branch, passes),
    mountVerbs(branch, mounts),
    repositoryVerbs(branch),
  );
  const { merge, sync, undo, experiments, maintenance } = whole;
  const { adopt } = experiments;
  const { run, night } = maintenance;
  const changing = { merge, sync, undo, experiments: { adopt }, maintenance: { run, night } };
  const judged = judgingChanges(branch, questionsTo, changing);
  const memory: Memory = compose(whole, judged);
  return { memory: withFormerNames(withDoor(memory)), begin };
}

// The beginning of an open branch: what a dead process left, and the first commit of a new memory.

/** Finishes what a dead process left, makes the first commit of a new memory, and flushes what is overdue. */
export async function beginBranch(
  branch: Pick<
    Branch,
    'dependencies' | 'isImmediate' | 'machine' | 'mendConfiguration' | 'now' | 'placement' | 'repository' | 'store'
  >,
  batch: Batch,
  initial: InitialConfiguration | null,
): Promise<void> {
  const { store, placement, repository } = branch;
  const { logger } = branch.dependencies;
  await store.recover();
  await makeBorrowed(store, branch.now());
  if (initial === null) await branch.mendConfiguration();
  checkStorageVersion(store.snapshot());
  // Elsewhere the first commit holds the attributes; those of a project are its own, and it may have a log of events since.
  if (placement === 'project') installMergeAttributes(repository, store.snapshot(true), true, initial === null);
  if (initial !== null) {
    configureMergeDriver(repository, mergeDriverCommand(), placement);
    const options = { now: branch.now(), machine: branch.machine, configuration: initial };
    await store.commit(
      (snapshot) => {
        const tree = store.workTree?.isCheckedOut() ? store.workTree : null;
        const read = (path: string) => tree?.files.readFile(path)?.toString('utf8') ?? null;
        const operation = planInit(snapshot, placement, { ...options, read });
        // A file that a person has put there stays as it is.
        const isFree = (path: string) => (tree?.inspect(path) ?? null) === null;
        return [{ ...operation, changes: operation.changes.filter(({ path }) => isFree(path)) }];
      },
      { onBusy: 'fail' },
    );
    // Files of the layout that were here before are part of the memory from now on.
    if (placement === 'repository') {
      const { skipped } = await store.flush();
      for (const { path, why } of skipped) logger.warn(`${path} was left out: ${why}`);
    }
  }
  const { lost } = store;
  if (branch.isImmediate && lost === null) {
    // An edit of the configuration holds from now on.
    const why = await store.adopt('memory.yaml');
    if (why !== null) logger.warn(`memory.yaml stays as it was committed: ${why}`);
  }
  await store.followPrivacy();
  if (lost === null) await batch.resume();
}
