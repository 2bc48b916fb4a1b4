// Choices that were made: decided, agreed, planned, approved, called off. "Decision: …" stands in labels.ts.

import { anyOf, rulesOf } from './rule.ts';

const choices = anyOf(
  `use adopt switch move migrate drop keep stay stick skip replace power leave postpone delay cancel
  ship launch build support rename split merge abandon retire`,
);
/** What follows must be a thing, not a pronoun: "we'll use that" can be understood by nobody later. */
const something =
  '(?= [\\w"\'(])(?! (?:it|that|this|those|these|them|one|here|there|so|now|going|on|up|trying|doing|looking|you|what)\\b)';
/** Where a statement begins: "the parts we'll use" speaks of the parts. */
const clauseStart =
  '(?:^|[,;:.–—-] ?|^(?:for|in|on|at|from|until|after|before|to|with) [^,;]{2,60} |\\b(?:and|but|so|then|that|think|because|since|instead|today|now|tomorrow|yes|no|ok|okay|means|says) )';
const leaver = /\bkeep (?:\w+ing|up|an eye|in (?:mind|touch)|you|track|at|our fingers)\b|\bstart \w+ing\b/i;
/** What one does with a day or with oneself is no choice between things. */
const trifle =
  /\b(?:decided|chose|opted) (?:to|for) (?:challenge (?:my|our)sel|spend (?:some |the |more )?(?:time|day|evening|morning)|treat|take (?:a|some|it|time)|give (?:it|myself)|go (?:for|out|ahead)|get (?:some|a)|have (?:a|some)|relax|rest|stay in|start (?:my|our|the) day|pay\b)|\bplan is to (?:gain|improve|become|get better|keep|stay|learn|grow|enjoy)\b/i;
const vague =
  /\b(?:that way|to (?:do|skip|use|drop|keep|make|try|change|leave|have|go with) (?:it|that|this|so|them)|(?:on|with|to) (?:it|that|this|them)[.!]?$|(?:on|upon|with|for|against)\s*[.!]?$)/i;
/** It stands for a moment only, or speaks of a thing that was chosen: "the colours that we'll use". */
const passing =
  /\b(?:the|an?|those|these|any|every) (?:[\w-]+ ){1,3}?that we(?:'ll|'re| will| are)\b|\b(?:until|at this (?:time|point)|all the way|down to (?:page|panel|line|step|the bottom)|for now|right now|for a (?:moment|minute|while|bit|second)|stand by|in a (?:moment|minute|second|bit)|(?:ones?|things?|what|how|which|when|where|why|way)(?: that)? we(?:'ll| will|'re| are))\b/i;

export const decisionRules = rulesOf('decision', [
  { confidence: 0.97, minTerms: 2, pattern: /^approved(?:\s?:|\s[—–-]\s)\s?\S/i },
  { confidence: 0.95, pattern: /^(?:decided|agreed|chose|opted) (?:to|on|for|against|not)\b/i },
  {
    confidence: 0.95,
    // Case counts here: a name may decide, any other word may not.
    pattern:
      /\b(?:[Ww]e|I|[Tt]hey|[Hh]e|[Ss]he|[Tt]eam|[Bb]oard|[Mm]anagement|[Gg]round|(?!You\b)\p{Lu}\p{Ll}+)(?:'ve|'d| have| has| had)?(?: (?:all|both|finally|also|now|already|just|jointly|formally))? (?:decided(?: (?:yesterday|today|together|unanimously|in the end|(?:last|this) (?:week|month|year|night|morning|afternoon)))? (?:to|on|against|that(?! (?:already|before|now|yesterday|last|earlier)\b)|not|for|we)|agreed (?:to|on|that|upon|we)|chose (?!it\b|that\b|this\b|them\b|to be\b)\w+|chosen (?:to|the|a|an|\p{Lu})|opted (?:for|to|against|out)|settled on|elected to|resolved to|picked (?:the|a|an|\p{Lu})|went with|voted (?:to|for|against)|ruled out|signed off on)\b/u,
    unless: new RegExp(`${vague.source}|${trifle.source}`, 'i'),
  },
  {
    confidence: 0.95,
    pattern:
      /\b(?:our|the|my|a|final|unanimous)(?: \w+)? (?:decision|verdict|consensus|choice|conclusion)(?: [\w-]+){0,5}? (?:is|was|has been) (?:to|that|not|on|made|reached|we)\b/i,
    unless: vague,
  },
  { confidence: 0.95, pattern: /\bwhat we(?:'ve| have)? (?:decided|agreed)(?: [\w-]+){0,6}? is\b/i },
  {
    confidence: 0.85,
    // A program proposes; who decides is the person it talks to.
    personOnly: true,
    pattern: new RegExp(
      `\\blet's (?:go with|use|stick with|stick to|switch to|adopt|settle on|drop|postpone|cancel|call off|move to|plan on)${something}`,
      'i',
    ),
  },
  {
    confidence: 0.85,
    personOnly: true,
    minTerms: 1,
    // What has a name can be understood alone: "let's go with Postgres".
    pattern:
      /\b[Ll]et's (?:go with|use|stick with|stick to|switch to|adopt|settle on) (?=(?:the |a |an )?\p{Lu}[\p{L}\p{N}])/u,
  },
  {
    confidence: 0.85,
    personOnly: true,
    minTerms: 1,
    pattern: new RegExp(
      `${clauseStart}we(?:'re| are) (?:not )?(?:going with|sticking with|switching to|switching from [\\w.-]+ to|settling on)\\b${something}`,
      'i',
    ),
    unless: passing,
  },
  {
    confidence: 0.8,
    pattern: new RegExp(
      `${clauseStart}we(?:'re| are) (?:not )?(?:going to|gonna) (?:go with|${choices})\\b${something}`,
      'i',
    ),
    unless: new RegExp(`${leaver.source}|${passing.source}`, 'i'),
  },
  {
    confidence: 0.75,
    // A program proposes; who decides is the person it talks to.
    personOnly: true,
    pattern: new RegExp(
      `${clauseStart}we(?:'ll| will)(?: not)? (?:use|go with|stick with|switch to|adopt|drop|keep|skip|postpone|delay|cancel)${something}`,
      'i',
    ),
    unless: new RegExp(`${leaver.source}|${passing.source}`, 'i'),
  },
  {
    confidence: 0.85,
    pattern:
      /\b(?:our|the|my|current|present|new)(?: [\w-]+)? plan(?: [\w-]+){0,3}? (?:is|was|will be|calls) (?:to|for|not)\b/i,
    unless: trifle,
  },
  {
    confidence: 0.75,
    pattern: new RegExp(
      `\\b(?:we|they)(?:'re| are| do|'ve)?(?: not| don't)? plan(?:ning)? (?:to|on) (?!(?:do|try|get|have|be|see)\\b)\\w+${something}`,
      'i',
    ),
    unless: /\b(?:how|why|when|where) (?:we|they)(?:'re| are)? plan/i,
  },
  {
    confidence: 0.85,
    tags: ['go'],
    minTerms: 2,
    // Said by whoever may say it: "you are GO for the burn". Written in capitals, or it is merely movement.
    pattern: /\b(?:[Yy]ou|[Ww]e|[Ii]t)(?:'re|'s| are| is)(?: now)? (?:a )?GO (?:for|on|to)\b/,
  },
  {
    confidence: 0.8,
    pattern:
      /^(?!(?:it|that|this|they|he|she|which|who)\b).{3,80} (?:is|are|was|were|has been|have been|got) (?:now )?(?:officially )?(?:approved|rejected|cancelled|canceled|postponed|rescheduled|scrubbed|called off|deprecated|greenlit|put on hold|ruled out)\b/i,
  },
  {
    confidence: 0.65,
    tags: ['recommendation'],
    // What a program recommends is decided by whoever asked it.
    personOnly: true,
    minTerms: 4,
    pattern:
      /\b(?:we(?:'d| would)?(?: strongly| do| also)? recommend (?:that )?(?:you|we|not|against|the|a|\w+ing)|(?:i(?:'d| would)?|they)(?: strongly| do| also)? recommend (?:that )?(?:you|we|not|against|using|keeping))\b(?! (?:it|that|this|all|go ahead|get started|check|try|watch|read|visit)\b)/i,
  },
  {
    confidence: 0.7,
    tags: ['recommendation'],
    personOnly: true,
    minTerms: 4,
    pattern: /\b(?:our|the|my)(?: \w+)? recommendation(?: [\w-]+){0,4}? (?:is|was) (?:to|that|not|going)\b/i,
  },
]);
