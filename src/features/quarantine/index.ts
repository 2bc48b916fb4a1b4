// Holds what a branch of others brings until somebody has looked at it.
//
// Needs: history.
// Start reading: quarantine.ts.

export { Quarantine, type QuarantineBranch } from './quarantine.ts';
