// Code beside a memory: where a text speaks of it, how that stands at another commit, and whether a branch has landed.
//
// Needs: store, history.
// Start reading: code.ts.

export type { CitedText } from './cite.ts';
export { type Code, codeOf, openCode } from './code.ts';
export { branchesToNote, codeOfProject, keepLearnt, type LearntFrom, learntIn } from './learnt.ts';
export type { StandingOf } from './standing.ts';
