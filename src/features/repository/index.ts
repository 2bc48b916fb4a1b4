// What a memory is made of on disk: init, hooks, keys, attributes.
//
// Needs: store, core.
// Start reading: initialise.ts.

export { checkStaged, type StagedReport, stagedChanges } from './check-staged.ts';
export { planInit } from './initialise.ts';
export { configureMergeDriver, installMergeAttributes, installPrivateFilter } from './install-git-drivers.ts';
export { type HookScript, type HookState, hookStates, type InstalledHooks, installHooks } from './install-hooks.ts';
export { mergePrivateForGit, type PrivateFilter, privateFilter } from './private-filter.ts';
export { importKey, install, type KeyDependencies, keyStatusOf, nameNewKey, shownKey } from './private-keys.ts';
export { statusOf } from './status.ts';
export { trackWithLfs } from './track-with-lfs.ts';
