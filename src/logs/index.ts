// The two logs of a memory, the ledger and the changelog of a project: what is appended, what holds, and what follows from them.
//
// Needs: base, store.
// Start reading: append.ts; ledger.ts and changelog.ts; graph.ts.

export { type AppendPlan, planAppend, type WantedEvent } from './append.ts';
export { type ChangePlan, changelogOf, minuteOf, planChanges } from './append-change.ts';
export { ChangelogCatalog } from './changelog.ts';
export { planArchival, withBatch } from './changelog-archival.ts';
export { checkChangelog } from './changelog-integrity.ts';
export { type Archival, planCompaction, planPruning } from './compaction.ts';
export { GrowingGraph, materialise } from './graph.ts';
export { growthSince } from './growth.ts';
export { HoldingEvents, type KnownLedgers, ToldMemories } from './holding-events.ts';
export { checkIntegrity, refusedProblems } from './integrity.ts';
export { findEvent, type Ledger, LedgerCatalog, type StoredEvent } from './ledger.ts';
export type { LogState, StoredEntry } from './log-catalog.ts';
export { narrate } from './narrative.ts';
export { byDueDay, countPromises, openLoopsOf, waitingTag } from './open-loops.ts';
export { graphProblems, narrativeProblems, todoProblems } from './project-problems.ts';
export {
  activeEvents,
  byTime,
  chainOf,
  changeRetractionOf,
  isPermanent,
  namedBy,
  permanentWords,
  proposal,
  retracted,
  retractionOf,
  supersessionOf,
} from './supersession.ts';
