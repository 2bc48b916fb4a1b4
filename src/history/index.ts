// Questions to the past of any repository, and what takes the past back or parts it: undo and branches.
//
// Needs: base, store, logs.
// Start reading: log.ts and blame.ts; undo/undo.ts; branches/merge.ts.

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
export { changesOf, logOf } from './log.ts';
export { planMerge } from './merge.ts';
export { commitsBehind, commitsBeyond, isAncestor, isBehind, mergeBases } from './merge-base.ts';
export { patchesOf } from './patch-id.ts';
export { placesOfMemory, provenanceOf } from './provenance.ts';
export { owedReceipts, purgeBefore, receiptsOf, refusePurged } from './purged-history.ts';
export { createTag, listTags, tagOf } from './tags.ts';
export { pathsTakenBack } from './taken-back.ts';
export { undoOperations } from './undo/undo.ts';
export { checkTarget, takenBackBy, undoneCommits } from './undo-targets.ts';
export {
  type Brought,
  formatVerdict,
  isKept,
  judgedBy,
  parseVerdict,
  type ReviewHistory,
  reviewHistoryOf,
  type Verdict,
} from './verdicts.ts';
