// Tries another way of extraction on a branch, compares it, and adopts or drops it.
//
// Needs: history, core.
// Start reading: run.ts, then compare.ts.

export { listExperiments } from './branch.ts';
export { type Ask, compareExperiments } from './compare.ts';
export { adoptExperiment, dropExperiment } from './end.ts';
export { makeProbes } from './make-probes.ts';
export { formatProbes, parseProbes } from './probes.ts';
export { describeCost, formatComparison } from './report.ts';
export { type ExperimentDependencies, runExperiment } from './run.ts';
