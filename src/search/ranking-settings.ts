// The constants of the ranking, chosen by leaving out one corpus at a time and looking at the worst; see docs/search-evaluation.md.
// Lengths are counted in terms: words that are no stop words.

export const rankingSettings = {
  /** A term counts half of what it can when it occurs `once + length / perLength` times: absolute, whatever is usual in a store. */
  once: 0.6,
  perLength: 50,
  /** What a title counts beside the text, and how much it counts less the longer it is. */
  title: 3,
  titleByLength: 0.5,
  /** What the name of the speaker counts, and the day and topic of a conversation. */
  speaker: 1.5,
  context: 0.25,
  /** What tags, entities and matter of a memory count: they say what it is about. */
  about: 1,
  /** Words around a turn count e^(−words between / near), more from before than from after; at most so many turns away. */
  near: 60,
  before: 1,
  after: 0.5,
  perTurn: 0.8,
  maxTurns: 6,
  aroundWorth: 2.5,
  /** What the answer of another speaker takes from a turn that ends in a question, beside what others take. */
  reply: 2,
  /** Turns longer than this give less of themselves to others, and take less. */
  usual: 30,
  /** How far a stretch of talk reaches, in both directions. */
  wide: 250,
  /** What others say of the matter counts e^(−words between / company). */
  company: 100,
  /** Words that say what to do with what is found, as "list", weigh so much where talk is searched, and where a library is. */
  framing: 0.2,
  framingInLibrary: 0.5,
  /** What a term counts for that is only like the one asked for. */
  similar: 0.6,
  maxSimilar: 8,
  /** Of longer questions only the rarest terms are looked at, and so many misspelt ones. */
  maxTerms: 64,
  maxMisspelt: 8,
  /** A term in n sentences of a question weighs n^repeated; twice in one sentence is its grammar. */
  repeated: 0.7,
  /** So many terms of so many of the best documents join the question. */
  expandFrom: 8,
  expandBy: 15,
  /** They count in full where a document holds such a share of the question, and by the square of what is held of that below. */
  expandHeld: 0.5,
  /** So many of the best by each kind of evidence are looked at closely. */
  pool: 100,
  /** Vectors count more, by so much, the further the best document is below holding such a share of the question. */
  sureFrom: 0.8,
  unsure: 1.5,
  /** A question of more content words than this is ranked by its words the more. */
  shortQuestion: 3.5,
  /** The nearest of n texts is √(2 ln n) deviations off by chance; so much more than that says that it is near. */
  overChance: 1.3,
  /** What has no word of a question is found by vectors from this cosine on. */
  leastLikeness: 0.2,
  /** The answer of another speaker is as near as the question that it follows, by so much. */
  replyMeans: 0.8,
  /** A few texts say little of what is usual: so many pairs of texts that have nothing to do with each other count with them. */
  usualCount: 4,
  usualLikeness: 0.08,
  usualDeviation: 0.1,
  /** For the verdict: so many turns around a hit are looked at, and what only they hold counts so much. */
  around: 2,
  inAround: 0.7,
  /** What makes a hit probable, see confidence.ts: fitted by scripts/train/confidence to LoCoMo, REALTALK and writers, half to what is known. */
  confidence: {
    byBoth: { base: -1.43, held: 4.01, absent: -2.85 },
    byWords: { base: 0.62, held: 3.75, absent: -3.72 },
  },
  /** Where none of so many hits is as probable as that, there is probably nothing. */
  lookedAt: 10,
  leastConfidence: 0.5,
} as const;

/** What each feature weighs; each is a share of what a perfect document would have, 0 to 1. */
export const weights = {
  /** Words of the question in the document itself. */
  own: 1.5,
  /** The same with what is said around it. */
  joint: 0.5,
  /** What the stretch of talk is about. */
  wide: 0.5,
  /** Other speakers nearby say what counts, too. */
  company: 0.2,
  /** Words that stand together in the question stand together here. */
  pairs: 0.3,
  /** Words that the best documents share. */
  expansion: 0.35,
  /** The question holds the title as a whole. */
  title: 0.8,
  /** Its speaker is named in the question. */
  speaker: 0.18,
  /** Another speaker has just asked about it. */
  reply: 0.8,
  /** It says when, where the question asks for that. */
  when: 0.5,
  /** It happened in the time that the question names. */
  day: 0.3,
  /** The person says what "I" asks for, the assistant what "you" does; where roles are known. */
  voice: 0.25,
  /** Letters in threes: forms and compounds of words. */
  letters: 2,
} as const;

export type Feature = keyof typeof weights;
