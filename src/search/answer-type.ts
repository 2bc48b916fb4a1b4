// What kind of words would answer a question: a time for "when", a number for "how many", rarely another question, and of two turns
// the one that tells more. The cues are English; in other languages the question mark and the length count, and nothing is lost.

/** What the words of a document could answer. */
export interface AnswerCues {
  readonly asks: boolean;
  readonly hasTime: boolean;
  readonly hasNumber: boolean;
  /** How much it tells, 0.5 to 2: about 1 for a usual turn of a conversation. */
  readonly substance: number;
}

const asks = /[?？؟][\s"'”’)*_]*$/;
const question =
  /[?？؟]\s*$|^\s*(?:what|who|whom|whose|when|where|why|which|how|did|does|do|is|are|was|were|has|have|had|can|could|would|will|should)\b/i;
const whenQuestion = /\bwhen\b|\b(?:what|which) (?:day|date|month|year|time|week)|\bhow long\b|\bsince when\b/i;
const countQuestion = /\bhow (?:many|much|often|long|old|far|big|tall|high)\b/i;
const timeWords =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|week(?:end)?s?|months?|years?|days?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|(?:1[89]|20)\d\d)\b/i;
const numberWords =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|couple|once|twice|several|few|first|second|third)\b/i;

const speaksOfSelf = /\b(?:i|me|my|mine|we|us|our|ours)\b/i;
const speaksToOther = /\b(?:you|your|yours)\b/i;
const acknowledges =
  /^\W*(?:thanks|thank you|wow|congrat\w*|that['’]s|sounds|yeah|yep|yes|cool|awesome|great|nice|glad|good|sure|okay|ok|right|oh|amazing)\b/i;
/** One question and nothing else: it tells nothing. */
const onlyAsks = /^[^.!?…\n]*[?？؟][\s"'”’)*_]*$/;
const quotes = /["“”„«»]/;
const tellsOfPast = /\b(?:was|were|had|did|went|got|made|took|bought|saw|\p{L}+ed)\b/iu;

/** How much the score of a document moves by what it could answer; chosen on LoCoMo-dev and QMSum-dev. */
const weights = { question: 0.25, time: 0.3, number: 0.2 } as const;

/**
 * What a turn tells by each of these, and by its length: its number of terms in shares of a usual one, to this power. What is read out
 * to somebody is longer than a paragraph and tells no more.
 */
const substance = {
  self: 1.1,
  other: 0.9,
  acknowledgement: 0.87,
  onlyQuestion: 0.6,
  quotation: 1.18,
  digit: 1.1,
  past: 1.07,
  time: 1.07,
  length: 0.1,
  usualLength: 12,
  maxLength: 40,
} as const;

function substanceOf(text: string, termCount: number, hasTime: boolean): number {
  return (
    ((1 + Math.min(termCount, substance.maxLength)) / (1 + substance.usualLength)) ** substance.length *
    (speaksOfSelf.test(text) ? substance.self : 1) *
    (speaksToOther.test(text) ? substance.other : 1) *
    (acknowledges.test(text) ? substance.acknowledgement : 1) *
    (onlyAsks.test(text) ? substance.onlyQuestion : 1) *
    (quotes.test(text) ? substance.quotation : 1) *
    (/\d/.test(text) ? substance.digit : 1) *
    (tellsOfPast.test(text) ? substance.past : 1) *
    (hasTime ? substance.time : 1)
  );
}

/** Reads the cues of a text of so many search terms. */
export function answerCuesOf(text: string, termCount: number): AnswerCues {
  const hasTime = timeWords.test(text);
  return {
    asks: asks.test(text),
    hasTime,
    hasNumber: numberWords.test(text),
    substance: substanceOf(text, termCount, hasTime),
  };
}

/**
 * Gives the factor by which a document's score moves for a query: above 1 where it holds the kind of words that answer it, more for
 * a turn that tells more, less for one that only asks in turn; undefined for a query that is no question, where none moves.
 */
export function answerFactorOf(query: string): ((cues: AnswerCues, isSpoken: boolean) => number) | undefined {
  if (!question.test(query)) return undefined;
  const wantsTime = whenQuestion.test(query);
  const wantsNumber = countQuestion.test(query);
  return (cues, isSpoken) =>
    (isSpoken ? cues.substance : 1) *
    (isSpoken && cues.asks ? 1 - weights.question : 1) *
    (wantsTime && cues.hasTime ? 1 + weights.time : 1) *
    (wantsNumber && cues.hasNumber ? 1 + weights.number : 1);
}
