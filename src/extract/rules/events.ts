// What happened and was worth telling: milestones, failures, and what somebody has learned to do.

import { anyOf, rulesOf } from './rule.ts';

const troubles = anyOf(
  `problem outage incident failure accident crash explosion breakdown breakthrough leak fire emergency undervolt overvolt
  short_circuit blowout data_loss breach regression power_cut`,
);
const turningPoints = anyOf(
  `finished started joined signed won launched shipped released bought adopted moved completed passed graduated landed published
  achieved became opened quit left received attended visited accepted deployed merged fixed celebrated hired
  sold built retired enrolled earned finalised finalized reached hosted returned jettisoned docked separated
  lost_my lost_our lost_contact lost_the got_my got_our got_engaged got_married got_promoted got_hired got_fired got_accepted
  got_back_from got_home_from got_into got_a_new got_a_job got_an_offer got_the_job got_the_offer got_a_promotion got_a_call_from took_my took_our took_a_trip took_part
  hit_a hit_the hit_our made_my made_our`,
);
const milestones = anyOf(
  `won launched shipped released graduated got_married got_engaged got_promoted got_hired got_fired got_accepted adopted gave_birth
  passed_the passed_my signed_a signed_the signed_up completed achieved published opened raised deployed migrated celebrated
  participated joined moved_to lost_my lost_our bought_a bought_the visited attended splashed_down set_up organized organised
  hosted volunteered rescued earned received_a received_the met_a started_a started_my began`,
);
/** Pictures taken and ways home are no events. */
const trifle =
  /\b(?:took|taken) (?:this|that|the|a|some|these) (?:[a-z]+ )?(?:pics?|photos?|pictures?|shots?|selfies?)\b|\bgot (?:back|home) from (?:(?:a|my|the) )?(?:(?:morning|evening|daily|lunch) )?(?:walk|run|lunch|break|shower|meeting|call)\b/i;
/** After a verb of many meanings: what "got it", "took a look" and "left off" mean can be understood by nobody later. */
const named =
  '(?!(?<=\\b(?:got|took|made|left|started|hit|finished|lost|opened|gone|had|did|gave|found|tried|saw|met)) (?:up|it|that|this|to|all|a (?:lot|bit|look|chance|minute|while|copy|good|feel|few|couple|chat|talk|thought|question)|the (?:feeling|time|picture|idea)|some|you|him|her|them|me|us|in|on|off|out|over|around|time|doing (?:this|that|it))\\b)';
/** A time that is over. */
const past =
  '(?:[Yy]esterday|[Tt]he day before yesterday|[Ll]ast (?:night|week|weekend|month|year|spring|summer|fall|autumn|winter|(?:[Mm]on|[Tt]ues?|[Ww]ed|[Tt]hur?s?|[Ff]ri|[Ss]at|[Ss]un)(?:day|nesday|sday|rsday|urday)?)|[Tt]his (?:morning|past \\w+)|(?:(?:[Aa]|[Aa]n|[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|\\d+|[Aa] few|[Aa] couple of|[Ss]everal) (?:day|week|month|year)s? (?:ago|back))|[Tt]he other (?:day|week|night)|[Oo]ver the weekend|[Tt]his weekend|[Rr]ecently|for the first time|[Ii]n (?:19|20)\\d\\d)';
/** What people do that is told with a day; thinking, talking to each other and being are left out. */
const deedsDone = anyOf(
  `went visited hiked celebrated attended met took had got bought made won lost joined started finished began signed_up moved flew
  drove travelled traveled camped ran ended_up organized organised hosted held played gave found adopted passed launched shipped released
  deployed broke crashed received interviewed volunteered donated tried participated painted built cooked presented submitted applied quit left
  helped announced opened closed hired fixed merged published adopted created set_up checked_out came_back got_back returned broke_down passed_away
  died retired graduated married tested ordered`,
);
const teller =
  "(?:I|[Ww]e|[Mm]y [a-z]+(?: and I)?|[Oo]ur [a-z]+|[Aa] (?:friend|buddy|colleague|neighbou?r|cousin) of mine|[Tt]he (?:team|crew|company|board|family|kids|server|service|database|site)|\\p{Lu}\\p{Ll}+(?: and I)?)(?:'ve|'d| have| had)?(?: (?:all|both|also|even|actually|finally|just|recently))?";
/** "The procedure that we just passed you" speaks of the procedure. */
const relative =
  /\b(?:that|which|what|where|how|something|procedure|one) (?:I|we)(?:'ve| have)? (?:just|finally|recently)\b/i;

export const eventRules = [
  ...rulesOf('moment', [
    {
      confidence: 0.95,
      minTerms: 1,
      pattern: new RegExp(
        `\\b(?:we|i)(?:'ve|'d| have| had)?(?: just| recently| already)? (?:had|got|have|hit|ran into|encountered|experienced|lost) (?:a|an|another|the|some)(?: [\\w-]+){0,3}? (?:${troubles})s?\\b`,
        'i',
      ),
      // That there is a problem tells nothing without a word about it; "we've had a problem" is how it begins.
      unless:
        /\bno (?:problem|trouble)\b|\bproblem-|\bsome (?:money|time)\b|\ba bit of a\b|\b(?:we|i) have (?:a|an|another|the|some)(?: [\w-]+){0,3}? problems?(?! with\b)|\bi think\b/i,
    },
    {
      confidence: 0.85,
      minTerms: 2,
      pattern: new RegExp(
        `\\b(?:I|[Ww]e|[Mm]y [a-z]+(?: and I)?|[Oo]ur [a-z]+|\\p{Lu}\\p{Ll}+ and I)(?:'ve| have| had| has)? (?:just|finally|recently|officially|successfully) (?:${turningPoints})(?![\\w'])(?= \\w)${named}`,
        'u',
      ),
      unless: new RegExp(`${trifle.source}|${relative.source}`, 'i'),
    },
    {
      confidence: 0.75,
      minTerms: 4,
      pattern: new RegExp(
        `(?:^|, |\\b(?:and|yesterday|today|ago|week|weekend|month|year|night|morning|monday|tuesday|wednesday|thursday|friday|saturday|sunday) )(?:I|we|my [a-z]+ and I)(?:'ve| have)?(?: also| even| actually)? (?:${milestones})(?![\\w'])(?= \\w)${named}`,
        'i',
      ),
      unless: trifle,
    },
    {
      confidence: 0.8,
      pattern:
        /\b(?:the|our|my|a|an|its) (?!sun\b)[\w.'-]+(?: [\w.'-]+){0,3} (?:(?:has|have|had|just|suddenly|completely) )?(?:exploded|crashed|ruptured|went down|broke down|caught fire|went off the air|was (?:hacked|breached|struck|damaged|destroyed|stolen)|were (?:hacked|breached|damaged|destroyed|stolen)|is (?:leaking|venting|offline|on fire)|died|passed away)\b/i,
      unless: /\bthe sun\b|\b(?:when|while|before|after|once|where|which|in) the\b/i,
    },
    {
      confidence: 0.8,
      // The crew saw it before anybody knew what it was.
      pattern:
        /\b(?:we are|we're|we were|it is|it's) (?:still |now |also )?(?:venting|leaking|losing (?:pressure|power|oxygen|data|altitude)|on fire|taking on water)\b/i,
      unless: /\b(?:why|how|when|while|time|until|before|after) (?:we are|we're|we were|it is|it's)\b/i,
    },
  ]),
  ...rulesOf('skill', [
    {
      confidence: 0.9,
      minTerms: 2,
      pattern:
        /\bI(?:'m| am) (?:very |quite |pretty |fairly )?(?:fluent|proficient|experienced|certified|skilled|trained) (?:in|at|with|as)\b(?! (?:it|that|this)\b)/i,
    },
    {
      confidence: 0.85,
      minTerms: 2,
      pattern:
        /\bI (?:know how to|learned how to|learnt how to|can speak|speak|can play|play the) (?!(?:it|that|this|to|with|for|about|from|game|games)\b)\p{L}{2,}/u,
    },
    {
      confidence: 0.85,
      minTerms: 1,
      pattern:
        /\bI (?:also )?play (?:the )?(?:piano|guitar|violin|clarinet|drums|flute|cello|saxophone|trumpet|ukulele|bass|harp|organ|chess)\b|\b(?:I|I've|I have)(?: also| recently| just| finally)? (?:started|begun|began) (?:learning|taking (?:lessons|classes) in)\b/i,
      unless: /\blearning (?:about|that|more|a lot|from)\b/i,
    },
    {
      confidence: 0.8,
      minTerms: 2,
      pattern:
        /(?<!\bsince )\bI started (?!(?:a|an|the|doing|my|this|that|being|feeling|thinking|seeing|getting|having|noticing)\b)[a-z]+(?:ing)?\b.{0,40}\b(?:\d+|a|one|a few|several|two|three|four|five|six|seven|eight|nine|ten) years? ago\b|\bI(?:'ve| have) (?:known how to|been able to|coached|taught|practi[sc]ed) .{3,60}\bfor (?:\d+|a few|several|many|two|three|four|five|ten) years\b/i,
    },
    {
      confidence: 0.85,
      minTerms: 2,
      pattern:
        /\bI(?:'ve| have) been [a-z]+ing\b.{0,60}\bfor (?:over |almost |about |around |nearly |more than |at least )?(?:\d+|a few|several|many|two|three|four|five|six|seven|eight|nine|ten) (?:years|months|decades)\b/i,
      unless:
        /\bbeen (?:trying|wanting|meaning|looking|thinking|waiting|having|going|feeling|doing)\b|\bing (?:on )?(?:it|this|that)\b|\b(?:on|at|with) (?:it|this|that) for\b/i,
    },
  ]),
  ...rulesOf('moment', [
    {
      confidence: 0.8,
      minTerms: 2,
      pattern: new RegExp(
        `(?:^|[,;:–—-] |\\b(?:and|but|when|that) )${teller} (?:${deedsDone})\\b${named}.{1,160}?\\b${past}(?![\\p{L}'])|(?:^|[,;:–—-] |\\b(?:and|but|then|so) )${past},? ${teller} (?:${deedsDone})\\b${named}`,
        'u',
      ),
      unless: new RegExp(`${relative.source}|${trifle.source}`, 'i'),
    },
  ]),
];
