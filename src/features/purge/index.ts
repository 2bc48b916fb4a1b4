// Takes words out of all of history, with a receipt that proves it.
//
// Needs: store, history.
// Start reading: plan.ts, then purge.ts.

export { type CleanHistory, followPurges, refuseHolding, withoutPurged } from './follow.ts';
export { type PurgeDependencies, purge } from './purge.ts';
export type { HistorySource } from './recognise.ts';
