// The names of experiments in refs and operations: a leaf, for every memory that is opened asks.

/** Branches of experiments are called so, below what branches of the memory are called. */
export const experimentFolder = 'extract/';

/** The operation of the commit that brings an experiment into the open branch. */
export const adoptOperation = 'adopt';

/** Tells whether a full ref name is that of an experiment's branch, also inside a code repository. */
export function isExperiment(ref: string): boolean {
  return /^refs\/heads\/(?:memory\/)?extract\//.test(ref);
}
