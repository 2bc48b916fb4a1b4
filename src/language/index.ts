// What words mean, as far as it was learned from data: `read` scores a turn and its sentences. Pure, one millisecond a turn, English only. What a
// scorer of turns says (ports.ts) is joined with that where somebody asked it.

export type { Setting } from './features.ts';
export { leansBack } from './leaning.ts';
export {
  type Category,
  categories,
  type Reading,
  read,
  type Scores,
  scoresOf,
  type TextKind,
  textKinds,
  thresholds,
  tierOf,
} from './read.ts';
export { listMark, sentencesOf } from './sentences.ts';
