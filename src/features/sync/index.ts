// Exchanges a memory with other machines: fetch, judge, fold in, push.
//
// Needs: store, history, features/purge.
// Start reading: sync.ts.

export { Acknowledgement, branchOfRemote } from './acknowledgement.ts';
export { autoPushOf } from './auto-push.ts';
export { lastSync } from './last-sync.ts';
export { syncBranch } from './sync.ts';
