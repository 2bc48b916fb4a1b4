// What somebody likes, wants and avoids. What is so because it is a rule stands in principles.ts.

import { rulesOf } from './rule.ts';

/** Enthusiasm about what was just said tells nothing of the speaker: "I love that!", "I love how you did it". */
const merePraise =
  '(?!(?:that|this|it|how|your|the way|you|to (?:hear|see|know|help|chat|talk|learn|check|try|join|come|say|tell|break|admit|bother|ask|think|wake|do)|these|those|them|what|hearing|seeing|being here|when you|him|her|and|but|so|the (?:[\\w-]+ ){0,4}?(?:idea|theme|photo|picture|pic|colou?rs?|vibe|look|design|view|sound)|all the)\\b)';

export const preferenceRules = rulesOf('preference', [
  {
    personOnly: true,
    confidence: 0.95,
    pattern:
      /\b(?:i|we)(?:'d| would)?(?: (?:really|strongly|much|generally|usually|always|personally|still|also|do|actually))? prefer(?:red)? (?!(?:it|that|this)[.!]?$)\S/i,
    unless: /\b(?:for|right) now\b|\bat the moment\b/i,
  },
  {
    confidence: 0.95,
    pattern:
      /^(?:[Tt]he |[Oo]ur |[Mm]y )?(?:(?!(?:It|That|This|He|She|They|There|Everyone|Who|What|Which|One|Bet)\b)\p{Lu}[\p{L}\p{N}.'-]*|user|client|customer|team|wife|husband)(?: \p{Lu}\p{Ll}+)? (?:strongly |really |usually |always |generally )?(?:prefers|likes|loves|hates|dislikes|enjoys|insists on|can't stand|doesn't like|does not like)\b/u,
  },
  { personOnly: true, confidence: 0.9, pattern: /\bI(?:'d| would)(?: much)? rather (?:not )?\w+ .+\bthan\b/i },
  {
    personOnly: true,
    confidence: 0.95,
    minTerms: 2,
    pattern:
      /\b(?:my|our) (?:all-time |absolute |personal |new )?favou?rite(?:s)?(?: [\w-]+){0,4}? (?:is|are|was|has to be|would be|have to be) \S/i,
  },
  {
    personOnly: true,
    confidence: 0.9,
    pattern:
      /^(?!(?:it|that|this|he|she|they|these|those|here|there)\b).{3,80} (?:is|are) (?:definitely |still |also |probably )?(?:(?:one|some|two|three) of )?(?:my|our) (?:all-time |absolute |personal )?favou?rites?\b|^(?:one|two|three|some) of (?:my|our) (?:all-time |absolute )?favou?rites?\b/i,
  },
  {
    confidence: 0.85,
    minTerms: 2,
    pattern: new RegExp(
      `\\b(?:I|[Ww]e) (?:(?:all|both|really|absolutely|also|just|personally|do|truly|especially|always) )?(?:love|enjoy|adore|admire|hate|dislike|detest|despise|can't stand|cannot stand|don't like|do not like) ${merePraise}[a-zA-Z]|\\bI (?:always |usually |try to )?avoid ${merePraise}[a-zA-Z]`,
    ),
    // "The things I love make …" is about the things.
    unless:
      /\b(?:things?|ones|people|something|someone|everything|those|who|that) I (?:really |just )?(?:love|enjoy|hate)\b/i,
  },
  {
    personOnly: true,
    confidence: 0.9,
    minTerms: 2,
    pattern:
      /\bI(?:'m| am)(?: (?:a|an|really|strictly|mostly))? (?:(?:big |huge |great |not a |not a big )?fan of|allergic to|vegetarian|vegan|lactose intolerant|gluten[- ]free)\b(?! (?:it|that|this|yours?)\b)/i,
  },
  {
    personOnly: true,
    confidence: 0.85,
    minTerms: 1,
    pattern:
      /\bI (?:don't|do not|never|can't|cannot) (?:eat|drink|smoke) (?!(?:it|that|this|them|much|enough|anything|well|here|there|too|so)\b)\w/,
  },
  {
    confidence: 0.85,
    role: 'user',
    pattern:
      /\bi (?:like|want|need) (?:my|all|every|answers|replies|code|commits?|reports?) .{3,}|^please (?:keep|avoid|stick to|stick with|prefer) (?!(?:it|that|this|in touch|me|us|going|up)\b).{4,}/i,
    unless: /\bplease keep (?:\w+ing|your|an eye)\b|\bmy (?:kids|family|friends)\b|\b(?:that|it|this)(?: too)?[.!]?$/i,
  },
  {
    confidence: 0.8,
    personOnly: true,
    pattern:
      /\bI (?:always|usually|typically) (?!(?:been|had|wanted|thought|felt|feel|said|knew|dreamed|dreamt|have|be|there|here|up|did|was|got|found|forget|forgot|know|imagined|expected|used|saw|heard|seen|believed|happened|came|really|say|tell|come|mean|look forward|get to|got to|would|will|could|can|make sure|hold)\b)[a-z]{3,}/,
  },
  {
    confidence: 0.8,
    minTerms: 2,
    personOnly: true,
    pattern:
      /\bI(?:'m| am) (?:really |more |totally |deeply |very |super |so |also )?(?:into|passionate about|obsessed with|hooked on|fond of|keen on|addicted to|interested in) (?!(?:it|that|this|them|these|those|you|your|what|how|hearing|seeing|knowing|learning more|trying|getting)\b)\w/i,
    unless: /\bwhy I/i,
  },
  {
    confidence: 0.8,
    personOnly: true,
    // The thing first: "Skiing and skating are winter sports I enjoy."
    pattern:
      /^(?!(?:it|that|this|these|those|there|here)\b).{3,100} (?:is|are) (?:a |an |the |all |some |things? |something )?(?:[\w-]+ ){0,4}?(?:that )?I (?:really |always |especially )?(?:love|enjoy|like|hate|dislike|prefer)[.!]?$/i,
  },
  {
    confidence: 0.75,
    personOnly: true,
    pattern:
      /^(?:Really |Absolutely |Just )?(?:[Ll]ove|[Hh]ate|[Ee]njoy) (?!(?:hearing|seeing|being|having|talking|chatting|that|this|it|how|your|the way|you|when)\b)[a-z]+ing\b|^(?:Really |Absolutely )?(?:Love|Hate) (?:hearing|seeing) the\b/,
  },
  {
    confidence: 0.75,
    minTerms: 3,
    personOnly: true,
    pattern:
      /\bI (?:[a-z]+ )?(?:do|play|read|run|walk|swim|train|work out|meditate|practi[cs]e|eat|drink|cook|go|write|paint|take|exercise|drive|bike|cycle|check|review|start|get up|wake up)\b.{0,80}\b(?:every|each) (?:single )?(?:day|morning|evening|night|week|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b/i,
  },
  {
    confidence: 0.8,
    minTerms: 2,
    personOnly: true,
    pattern:
      /\bI (?:(?:really|also|usually|mostly|generally|do|still|just) )?like (?:to (?!(?:hear|see|think|know|say|add|ask|point|make|mention|remind|thank|go back|be|call|believe|imagine|start|begin|propose|suggest|come)\b)\w+ \w|(?!(?:being|having|seeing|hearing)\b)[a-z]+ing (?!(?:it|that|this|them|you|him|her)\b)\w)/,
    unless: /\b(?:things?|why|ones|what|how|something|place|part) I (?:really |also )?like\b/i,
  },
  {
    confidence: 0.75,
    minTerms: 2,
    personOnly: true,
    // What somebody values.
    pattern:
      /^(?!(?:it|that|this|these|those|your|you|which|all)\b)[^,;]{3,60} (?:means? (?:a lot|the world|everything|so much)|matters? (?:most|a lot|so much)|(?:is|are) (?:really |very |so |super |extremely )?important) to (?:me|us)\b/i,
    unless: /\b(?:your|you|thanks?|support|kind|words)\b/i,
  },
]);
