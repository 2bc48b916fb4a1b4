// One reading of a text: what it is worth, what kind of text it is, which times and numbers it names. Learned weights and words are data.
//
// Needs: base.
// Start reading: read.ts, then given-times.ts.

export type { Setting } from './features.ts';
export { comingDay, comingTime, type MomentOptions, noDay, parseMoment } from './given-times.ts';
export { asks, leansBack, leavesOpen } from './leaning.ts';
export { dayText, firstTimeIn, type NamedTime, saysWhen, timesIn, withoutTimes } from './moments.ts';
export {
  type Category,
  categories,
  changeIn,
  type Reading,
  read,
  type Scores,
  scoresOf,
  shortTurn,
  type TextKind,
  textKinds,
  thresholds,
  tierOf,
} from './read.ts';
export { listMark, sentencesOf } from './sentences.ts';
