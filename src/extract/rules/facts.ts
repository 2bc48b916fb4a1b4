// What is so: about the speaker, about how things are set up, and whatever somebody says is to be remembered.

import { anyOf, rulesOf } from './rule.ts';

const notAThing =
  '(?!(?:it|that|this|he|she|they|there|who|what|which|one|these|those|here|everything|something|nothing|all|and|but|so|if|when|where|as|because|you|we|i)\\b)';
const thing = `(?:(?:the|our|my|their|his|her|a|an) )?${notAThing}[\\w.@/'-]+(?: [\\w.@/'-]+){0,4}?`;
const trades = anyOf(
  `developer engineer designer teacher nurse doctor lawyer student manager consultant writer artist musician scientist researcher analyst
  programmer architect founder accountant photographer chef pilot coach therapist journalist counselor counsellor veteran
  freelancer owner director administrator professor translator mechanic`,
);

export const factRules = rulesOf('fact', [
  {
    confidence: 0.97,
    minTerms: 2,
    pattern:
      /(?:(?:^|[,;-] |\band )(?:just )?(?:fyi|for the record|(?:for|by (?:the )?way of) (?:your )?information|for future reference|n\.b\.|be advised)(?:[,:]| that)? |^(?:just )?so you know[,:] )(?!what\b|how\b|and\b)\S.{8,}|^(?:important|note|one note|heads[- ]up|nb)\s?[:,] ?\S.{8,}|^(?:please )?(?:note|remember|keep in mind|bear in mind)(?::| that| the| my| our) (?!(?:this is|we (?:will|are)|I (?:will|am))\b)\S.{8,}/i,
    // What somebody sees or does at the moment is over soon.
    unless:
      /\bremember (?:that time|that day|that one|the (?:time|day|feeling))\b|\b(?:advised|information|fyi|record|know)[,:]?(?: that)?(?: [\w.'-]+,)?(?: that)? (?:I'm|I am|we're|we are|you guys|I have|we have|I've got|we've got|I just|we just) (?:now|still|again|all|getting|seeing|showing|having|reading|starting|ready|standing|the|some|got)\b/i,
    mayBeSupposed: true,
  },
  {
    confidence: 0.97,
    minTerms: 1,
    pattern:
      /\bmy (?:full |first |last |middle |work |home |new )?(?:name|e-?mail(?: address)?|phone(?: number)?|company|employer|role|job|job title|title|address|birthday|anniversary|time ?zone|username|handle|nationality|native language|pronouns|hometown) (?:is|are) (?!(?:to|not|so|very|really|the best|a bit|on|in)\b)\S/i,
  },
  {
    confidence: 0.95,
    minTerms: 1,
    personOnly: true,
    pattern:
      /\bI (?:(?:currently|also|still|now) )?(?:work (?:at|for|in|as)|live (?:in|at|near|on)|grew up (?:in|on|near)|was born (?:in|on|at)|study at|studied (?:at|in|\p{Lu})|majored in|moved (?:here )?(?:to|from)|volunteer at(?= (?:the|a|an|our|my|\p{Lu}))|am (?:based in|originally from)|(?:own|teach) (?:a|an|two|\d))\b|\bI(?:'m| am) (?:originally )?from \p{Lu}/u,
    unless: /\bwork (?:in|for) (?:it|that|this|me|a while|the moment)\b|\blive in the moment\b/i,
  },
  {
    confidence: 0.95,
    minTerms: 1,
    personOnly: true,
    pattern: new RegExp(`\\bI(?:'m| am) (?:now )?(?:a|an|the) (?:[\\w-]+ ){0,3}?(?:${trades})\\b`, 'i'),
  },
  {
    confidence: 0.95,
    minTerms: 1,
    personOnly: true,
    // Who somebody is: "I'm Lena and I …", "I lead the billing team".
    pattern:
      /\bI(?:'m| am) \p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?(?:,? and I\b|, (?:the|an?) \w)|\bI (?:lead|run|manage|head|founded|co-founded|chair) (?:the|an?|our|my|two|three) (?:[\w-]+ ){0,4}?(?:team|department|company|startup|group|shop|store|business|practice|office|agency|studio|lab|club|chapter|division|foundation|project)\b/u,
  },
  {
    confidence: 0.9,
    minTerms: 2,
    pattern:
      /\b\p{Lu}\p{Ll}+'s (?:birthday|anniversary|e-?mail|phone number|address|wife|husband|favou?rite [\w ]{1,20}) (?:is|are)\b/u,
  },
  {
    confidence: 0.85,
    pattern: new RegExp(
      `^${thing} (?:is|are) (?:(?:currently|now|all|always|still) )?(?:(?:located|hosted|deployed|stored|installed|kept|documented|maintained|implemented|configured|scheduled|stowed) (?:in|at|on|with|by|for|under|from|inside|behind)|based in|written in|powered by)\\b`,
      'i',
    ),
  },
  {
    confidence: 0.8,
    pattern: new RegExp(
      `^${thing} (?:(?:currently|now|only|still|also) )?(?:uses|runs on|depends on(?! (?:if|how|what|whether|who|when|where|you|your)\\b)|requires(?! (?:you|us|me)\\b)|is powered by|relies on|listens on|consists of|costs(?= (?:about |around |only |roughly |nearly |up to )?[$€£\\d])|is built (?:with|on|in)|is written in|has been (?:moved|renamed|migrated|replaced))\\b(?! (?:it|that|this|modifying)\\b)`,
      'i',
    ),
  },
  {
    confidence: 0.8,
    minTerms: 1,
    // A capital or digit makes it a thing with a name: "We use Postgres 16".
    pattern:
      /\b(?:[Ww]e|[Oo]ur team|I) (?:(?:currently|now|mainly|only|mostly) )?(?:use|run|run on|deploy (?:to|on|with)|rely on|depend on|work with|build (?:with|on)) (?=[\p{Lu}\d])/u,
  },
  {
    confidence: 0.8,
    pattern:
      /^(?:the|our|my)\b[^.;]{3,80}? (?:runs?|happens?|takes? place|meets?|is|are|starts?|begins?|gets?|goes out|arrives?|opens?|closes?|rotates?)\b.{0,60}\b(?:every|each) (?:other )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun|week|work)?day|week|month|hour|night|morning)s?\b/i,
  },
  {
    confidence: 0.85,
    pattern:
      /^(?:the|our|my|current|total|new)(?: [\w-]+){0,4}? (?:budget|port|version|limit|quota|url|endpoint|deadline|price|cost|salary|capacity|capital|schedule|release|retention|branch|repo|repository|address|phone number|landing (?:site|point|area)|target(?: point)?|weather(?: forecast)?)(?: (?:of|for|in|on)(?: [\w-]+){1,4}?)? (?:is|are|will be) (?!(?:not (?:so|that|very)|so|very|really|too|great|good|nice|fine|okay|ok|amazing|still)\b)\S/i,
  },
  {
    confidence: 0.85,
    tags: ['lesson'],
    minTerms: 4,
    pattern:
      /\b(?:lessons? learned|the lesson (?:here )?(?:is|was)|(?:i|we)(?:'ve| have)? (?:learned|learnt|found out|discovered|realized|realised|confirmed|verified|established) (?:that(?! (?:is|was|we're|it's|this|the hard way)\b| -)|the hard way that)|the (?:root cause|culprit|underlying (?:problem|cause)) (?:is|was)|(?:was|is|were) caused by)\b|^(?:as )?(?:it )?turn(?:s|ed) out\b(?! to\b|,)/i,
  },
  {
    confidence: 0.85,
    minTerms: 4,
    pattern:
      /\bthe (?!(?:first|second|third|other|next|main|only|big|real|whole|last) )(?:[\w-]+ ){0,2}?(?:(?:bug|fix|cause|solution|trick|workaround|fault)(?: (?:for|of|with|in)(?: [\w-]+){1,4}?)? (?:is|was) (?:that|to|in|due|caused|because|a|an|the)|(?:issue|problem)(?: (?:with|in)(?: [\w-]+){1,4}?)? (?:was|is (?:due|caused|in)))\b/i,
  },
  {
    confidence: 0.75,
    minTerms: 2,
    personOnly: true,
    // What somebody is at for longer than a day.
    pattern:
      /\bI(?:'m| am)(?: (?:also|currently|now|still))? (?:working on|writing|building|developing|studying|training for|in the middle of|taking on|researching|majoring in|enrolled in) (?:a|an|my|some|our|\p{Lu})/u,
    unless:
      /\b(?:it|that|this)[.!]?$|\b(?:right now|at the moment)\b|\bon my (?:health|fitness|self|mindset)\b|\bto do (?:that|this|it|so)\b/i,
  },
  {
    confidence: 0.7,
    minTerms: 2,
    personOnly: true,
    pattern:
      /\bI(?:'ve| have) never (?:been|had|played|owned|used|visited|worked|learned|learnt|eaten|tried) (?!(?:so|more|this|that|it|such|happier|better|felt)\b)\w/,
    unless: /\b(?:it|that|this|them)\b/i,
  },
]);
