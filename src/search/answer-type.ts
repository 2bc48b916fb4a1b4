// What kind of words would answer a question: a time for "when", a number for "how many", and rarely another question.
// The cues are English; in other languages only the question mark counts, and nothing is lost.

/** What the words of a document could answer. */
export interface AnswerCues {
  readonly asks: boolean;
  readonly hasTime: boolean;
  readonly hasNumber: boolean;
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

/** How much the score of a document moves by what it could answer; chosen on LoCoMo-dev and QMSum-dev. */
const weights = { question: 0.25, time: 0.3, number: 0.2 } as const;

export function answerCuesOf(text: string): AnswerCues {
  return { asks: asks.test(text), hasTime: timeWords.test(text), hasNumber: numberWords.test(text) };
}

/**
 * Gives the factor by which a document's score moves for a query: above 1 where it holds the kind of words that answer it,
 * below 1 where it is said and only asks in turn, 1 for a query that is no question.
 */
export function answerFactorOf(query: string): (cues: AnswerCues, isSpoken: boolean) => number {
  if (!question.test(query)) return () => 1;
  const wantsTime = whenQuestion.test(query);
  const wantsNumber = countQuestion.test(query);
  return (cues, isSpoken) =>
    (isSpoken && cues.asks ? 1 - weights.question : 1) *
    (wantsTime && cues.hasTime ? 1 + weights.time : 1) *
    (wantsNumber && cues.hasNumber ? 1 + weights.number : 1);
}
