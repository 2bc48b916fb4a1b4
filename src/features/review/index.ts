// The deck of what a person should look at, and the verdicts on it.
//
// Needs: store, history, core.
// Start reading: judge.ts.

export { reviewDeck } from './deck.ts';
export { claimsIn } from './disputed-lines.ts';
export { judge } from './judge.ts';
