// What was wrong, and what is right instead. "Correction: …" stands in labels.ts.

import { rulesOf } from './rule.ts';

export const correctionRules = rulesOf('correction', [
  { confidence: 0.95, minTerms: 5, pattern: /^correction(?:\s?[,;—–-]+|\s+(?:on|to) the)\s?\S/i },
  {
    confidence: 0.95,
    isNoAnswer: true,
    pattern:
      /^(?:no|nope|wait|sorry|oops|actually|hold on)\b[,.! -]+(?:no[, ]+|sorry[, ]+|actually[, ]+)?(?:i meant|(?:it|that|this|there)(?:'s| is| was) (?:not|actually|wrong|incorrect)|(?:it|that) should be|i was wrong|i misspoke|we were wrong|my (?!god|goodness|pleasure)[a-z]+ is|our [a-z]+ is|the [\w-]+(?: [\w-]+){0,2}? (?:is|was|are|should be|moved)\b(?! also\b)|we (?:use|moved|switched|changed|don't|no longer))\b/i,
    unless: /^(?:oh|hmm|wait)\b.{0,12}\bthe [\w-]+ (?:is|was|are) (?:so|really|very|great|amazing|beautiful)\b/i,
  },
  {
    confidence: 0.9,
    minTerms: 4,
    pattern:
      /\b(?:that's|that is|that was|this is|you're|you were|i was|we were|it was) (?:not right|wrong|incorrect|mistaken|not correct|not what i (?:said|meant|asked))\b/i,
  },
  { confidence: 0.9, pattern: /\bI (?:meant to say|misspoke|stand corrected)\b/i },
  {
    confidence: 0.85,
    // "The port is 8080, not 8000."
    pattern:
      /\b(?:is|are|was|should be|should read|should say|must be|means?)(?: [\w.:/@'"-]+){1,3}, (?:not|rather than|instead of) (?!(?:a|just|only|to mention|too|really|because|that|knowing|sure|so|yet|even|necessarily|if|when|for|in)\b)[\w.:/@'"-]+(?: [\w.:/@'"-]+){0,2}[.!]?$/i,
  },
  { confidence: 0.85, pattern: /\bshould (?:be|read|say)\b.{2,60}\b(?:instead of|rather than)\b/i },
]);
