// What happened and was worth telling: milestones, failures, and what somebody has learned to do.

import { anyOf, type Rule } from './rule.ts';

const troubles = anyOf(
  `problem outage incident failure accident crash explosion breakdown breakthrough leak fire emergency undervolt overvolt
  short_circuit blowout data_loss breach regression power_cut`,
);
const turningPoints = anyOf(
  `finished started joined signed won launched shipped released bought adopted moved completed passed graduated landed published
  achieved became opened lost quit left received got took attended visited accepted deployed merged fixed celebrated hired closed
  sold built retired enrolled earned finalised finalized hit reached hosted made returned jettisoned docked separated`,
);
const milestones = anyOf(
  `won launched shipped released graduated got_married got_engaged got_promoted got_hired got_fired got_accepted adopted gave_birth
  passed_the passed_my signed_a signed_the signed_up completed achieved published opened raised deployed migrated celebrated
  participated joined moved_to lost_my lost_our bought_a bought_the visited attended splashed_down set_up organized organised
  hosted volunteered rescued earned received_a received_the met_a started_a started_my began`,
);
const vague =
  /\b(?:got|took|made|left|started|hit|finished|lost) (?:it|that|this|to|all|a (?:lot|bit|look|chance|minute|while|copy|good|feel|few|couple)|the (?:feeling|time|picture|idea)|some|you|him|her|them|me|us|in|on|off|out|up|over|around)\b/i;
/** "The procedure that we just passed you" speaks of the procedure. */
const relative =
  /\b(?:that|which|what|where|how|something|procedure|one) (?:I|we)(?:'ve| have)? (?:just|finally|recently)\b/i;

export const eventRules: readonly Rule[] = [
  {
    category: 'moment',
    confidence: 0.95,
    minTerms: 1,
    pattern: new RegExp(
      `\\b(?:we|i)(?:'ve|'d| have| had)?(?: just| recently| already)? (?:had|got|have|hit|ran into|encountered|experienced|lost) (?:a|an|another|the|some)(?: [\\w-]+){0,3}? (?:${troubles})s?\\b`,
      'i',
    ),
    unless: /\bno (?:problem|trouble)\b|\bproblem-|\bsome (?:money|time)\b/i,
  },
  {
    category: 'moment',
    confidence: 0.85,
    pattern: new RegExp(
      `\\b(?:I|[Ww]e|[Mm]y [a-z]+(?: and I)?|[Oo]ur [a-z]+|\\p{Lu}\\p{Ll}+ and I)(?:'ve| have| had| has)? (?:just|finally|recently|officially|successfully) (?:${turningPoints})(?![\\w'])(?= \\w)`,
      'u',
    ),
    unless: new RegExp(`${vague.source}|${relative.source}`, 'i'),
  },
  {
    category: 'moment',
    confidence: 0.75,
    minTerms: 4,
    pattern: new RegExp(
      `(?:^|, |\\b(?:and|yesterday|today|ago|week|weekend|month|year|night|morning|monday|tuesday|wednesday|thursday|friday|saturday|sunday) )(?:I|we|my [a-z]+ and I)(?:'ve| have)?(?: also| even| actually)? (?:${milestones})(?![\\w'])(?= \\w)`,
      'i',
    ),
    unless: vague,
  },
  {
    category: 'moment',
    confidence: 0.8,
    pattern:
      /\b(?:the|our|my|a|an|its) (?!sun\b)[\w.'-]+(?: [\w.'-]+){0,3} (?:(?:has|have|had|just|suddenly|completely) )?(?:exploded|crashed|ruptured|went down|broke down|caught fire|went off the air|was (?:hacked|breached|struck|damaged|destroyed|stolen)|were (?:hacked|breached|damaged|destroyed|stolen)|is (?:leaking|venting|offline|on fire)|died|passed away)\b/i,
    unless: /\bthe sun\b|\b(?:when|while|before|after|once) the\b/i,
  },
  {
    category: 'moment',
    confidence: 0.8,
    // The crew saw it before anybody knew what it was.
    pattern:
      /\b(?:we are|we're|we were|it is|it's) (?:still |now |also )?(?:venting|leaking|losing (?:pressure|power|oxygen|data|altitude)|on fire|taking on water)\b/i,
    unless: /\b(?:why|how|when|while|time|until|before|after) (?:we are|we're|we were|it is|it's)\b/i,
  },
  {
    category: 'skill',
    confidence: 0.9,
    minTerms: 2,
    pattern:
      /\bI(?:'m| am) (?:very |quite |pretty |fairly )?(?:fluent|proficient|experienced|certified|skilled|trained) (?:in|at|with|as)\b(?! (?:it|that|this)\b)/i,
  },
  {
    category: 'skill',
    confidence: 0.85,
    minTerms: 2,
    pattern:
      /\bI (?:know how to|learned how to|learnt how to|can speak|speak|can play|play the) (?!(?:it|that|this|to|with|for|about|from|game|games)\b)\p{L}{2,}/u,
  },
  {
    category: 'skill',
    confidence: 0.85,
    minTerms: 2,
    pattern:
      /\bI(?:'ve| have) been [a-z]+ing\b.{0,60}\bfor (?:over |almost |about |around |nearly |more than |at least )?(?:\d+|a few|several|many|two|three|four|five|six|seven|eight|nine|ten) (?:years|months|decades)\b/i,
    unless:
      /\bbeen (?:trying|wanting|meaning|looking|thinking|waiting|having|going|feeling|doing)\b|\bing (?:on )?(?:it|this|that)\b|\b(?:on|at|with) (?:it|this|that) for\b/i,
  },
];
