// Questions to the past of any repository, the logs of the memory, and what takes the past back or parts it: undo and branches.
//
// Needs: base, store.
// Start reading: log.ts and blame.ts; undo/undo.ts; branches/merge.ts; logs/append.ts.

export { blameOf } from './blame.ts';
export {
  type BranchScope,
  branchName,
  branchOf,
  branchRef,
  createBranch,
  expireBranches,
  findBranch,
  listBranches,
  refuseInProject,
} from './branches/branches.ts';
export { followNative } from './branches/follow-native.ts';
export {
  type BranchAccess,
  cappedLines,
  compareBranches,
  dropNamed,
  mergeCommit,
  mergeInto,
  type OpenBranch,
  previewMerge,
  previewMergeInto,
} from './branches/merge.ts';
export { resolveMerge } from './branches/resolve.ts';
export { type HistoryCatalogue, historyOf } from './catalogue.ts';
export type { CommitFacts } from './commit-facts.ts';
export { Descent, renamedPath } from './descent.ts';
export { diffSnapshots } from './diff.ts';
export { hunksOf } from './hunk-cache.ts';
export { LastChange } from './last-change.ts';
export { learnedOf } from './learned.ts';
export { changesOf, isSession, logOf } from './log.ts';
export { type AppendPlan, planAppend, type WantedEvent } from './logs/append.ts';
export { type ChangePlan, changelogOf, minuteOf, planChanges } from './logs/append-change.ts';
export { ChangelogCatalog } from './logs/changelog.ts';
export { planArchival, withBatch } from './logs/changelog-archival.ts';
export { checkChangelog } from './logs/changelog-integrity.ts';
export { type Archival, planCompaction, planPruning } from './logs/compaction.ts';
export { GrowingGraph, materialise } from './logs/graph.ts';
export { growthSince } from './logs/growth.ts';
export { HoldingEvents, type KnownLedgers, ToldMemories } from './logs/holding-events.ts';
export { checkIntegrity, refusedProblems } from './logs/integrity.ts';
export { findEvent, type Ledger, LedgerCatalog, type StoredEvent } from './logs/ledger.ts';
export type { LogState, StoredEntry } from './logs/log-catalog.ts';
export { narrate } from './logs/narrative.ts';
export { openLoopsOf } from './logs/open-loops.ts';
export { graphProblems, narrativeProblems, todoProblems } from './logs/project-problems.ts';
export {
  activeEvents,
  byTime,
  chainOf,
  isPermanent,
  namedBy,
  permanentWords,
  proposal,
  retracted,
  retractionOf,
  supersessionOf,
} from './logs/supersession.ts';
export { planMerge } from './merge.ts';
export { commitsBehind, commitsBeyond, isAncestor, isBehind, mergeBases } from './merge-base.ts';
export { patchesOf } from './patch-id.ts';
export { placesOfMemory, provenanceOf } from './provenance.ts';
export { type Census, type CensusSource, takeCensus } from './purge/census.ts';
export { checkNeedle, Needles } from './purge/needles.ts';
export { owedReceipts, purgeBefore, receiptsOf, refusePurged } from './purge/purged-history.ts';
export { HistoryRewrite, type RewriteSource } from './purge/rewrite.ts';
export { createTag, listTags, tagOf } from './tags.ts';
export { pathsTakenBack } from './taken-back.ts';
export { undoOperations } from './undo/undo.ts';
export { checkTarget, takenBackBy, undoneCommits } from './undo-targets.ts';
export {
  type Brought,
  formatVerdict,
  isKept,
  judgedBy,
  pairOf,
  parseVerdict,
  type ReviewHistory,
  reviewHistoryOf,
  type Verdict,
} from './verdicts.ts';
