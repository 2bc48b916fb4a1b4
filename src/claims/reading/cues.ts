// Words by which English says that something is otherwise now. Each class is a table of forms; what they mean for a claim is closing.ts's.

/**
 * What a clause says of change.
 *
 * - `change`: something took the place of something else, or begins to hold ("moved to", "took over", "as of July")
 * - `soft`: it holds now, perhaps as before ("now", "these days", "new")
 * - `away`: somebody or something cannot do what it did, for a while ("is swamped", "broke her leg", "double-booked us")
 * - `again`: what held before holds anew
 * - `gone`: something is over, with nothing in its place ("cancelled", "sold", "retired")
 * - `negated`: a verb is denied ("no longer", "don't … any more")
 * - `correction`: what was said before was wrong ("sorry, I meant")
 */
export type Cue = 'change' | 'soft' | 'away' | 'again' | 'gone' | 'negated' | 'correction';

/** "a week", "half an hour", "20 minutes" */
const stretch =
  '(?:half an?|an?|one|two|three|four|five|six|a few|several|\\d+) (?:more )?(?:minutes?|hours?|days?|weeks?|months?)';

const forms: Readonly<Record<Exclude<Cue, 'negated'>, readonly string[]>> = {
  change: [
    '(?:moves?(?! on\\b)|moving(?! on\\b)|ported|porting|switch|switches|switching|swapped|shifted|converted|renamed)',
    '(?:^|please |to |can you |could you |will |ll |must |and |let.s )(?:change|swap)(?= )',
    '(?<!(?:an?|the|of|with) )(?:switched|moved|changed|migrated|migrating|relocated|transferred|promoted|rescheduled|postponed|delayed|extended|shortened|raised|increased|reduced|lowered|upgraded|downgraded|replaced|replaces|redirected)',
    '(?:push|pushed|pushing|bumped|bump|put) (?:\\p{Alpha}+ ){0,3}?(?:to(?= (?:the|an?|my|our|next|\\d+|[a-z]+day|noon|january|february|march|april|may|june|july|august|september|october|november|december)\\b)|back|off|forward)',
    '(?:put|puts|got|gets) (?:me|us|him|her|them) (?:in|on|into|onto|down)',
    '(?:put|placed|stored|hung|stashed|stowed) (?:\\p{Alpha}+ ){1,4}?(?:in|into|on|onto|under|behind|at)',
    'brought forward',
    'same \\p{Alpha}+,? (?:and )?(?:the )?(?:same|still) \\p{Alpha}+',
    '(?:the )?(?:rest|everything else|all else) (?:is |stays |remains )?(?:unchanged|as (?:it was|before|is)|the same)',
    'extra (?:days?|weeks?|time|months?)',
    "(?:dropping|raising|lowering|increasing|cutting|reducing|turning|bumping|moving|switching|changing) (?:[\\p{Alpha}\\d'-]+ ){0,5}?to(?= )",
    '(?:wants|puts|has) (?:me|us|him|her|them) on',
    'same (?:date|day|time|place|room|price|dose|hours|rules)(?=[.,;!]|$)',
    '(?:put|puts|putting) (?:\\p{Alpha}+ ){1,4}(?:up|down)(?! (?:with|the)\\b)',
    'moved up',
    '(?:takes?|took|taken|taking) over',
    'handed? (?:\\p{Alpha}+ ){0,2}?over',
    '(?:steps?|stepped|filling|fills|filled|stands?|standing) in for',
    '(?:cut|cuts|turn|turned|set(?! up\\b)|reset|dial|dialled|crank|cranked) (?:\\p{Alpha}+ ){0,4}?(?:up|down|back|to)',
    // "I bring Elias to school" changes nothing.
    '(?:bring|brought) (?:\\p{Alpha}+ ){0,4}?(?:up|down|back|to(?= (?:about |around |under |below )?(?:\\d|[€$£])))',
    "(?:goes|go|went|going|gone|is|are|\\p{Alpha}+'s|\\p{Alpha}+'re|i'm|rose|rises|fell|falls|drops?|dropped|climbs?|climbed|shrank|grew|jumps?|jumped) (?:\\p{Alpha}+ )?(?:up|down) (?:to|at)",
    '(?:drops?|dropped|rises?|rose|falls?|fell|increases|climbs?|climbed|shrank|grew|grows|raise) to',
    '(?:went|goes|go) to(?= (?:(?:the |an? )?(?:\\p{Alpha}+ )?\\d|[€$£]|weekly|monthly|daily))',
    "i'?m (?:up|down) to",
    'down to',
    '(?:slips?|slipped|slid|slides?) to(?= )',
    `(?:slips?|slipped|slid|slides?|pushed|delayed|put off|moves?|moved) (?:by )?${stretch}`,
    `(?:starts?|begins?|opens?|closes|leaves|ends?|runs?) ${stretch} (?:later|earlier)`,
    '(?:got|get|gets|have|has|had|were given|was given|granted) an? extension',
    '(?:bumped|upped|hiked|trimmed|halved|doubled)(?= (?:the|my|our|it|their|his|her)\\b)',
    'up to(?= \\d)',
    'as of',
    '(?:from|starting|beginning|effective) (?:with )?(?:the )?(?:next|today|tonight|tomorrow|now|this|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\\d+(?:st|nd|rd|th)?)',
    '(?:from|since) (?:the )?(?:(?!this\\b)[\\p{Alpha}\\d]+ ){0,2}(?:\\d+(?:st|nd|rd|th)?|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|now|then|week|month|year|term|semester|spring|summer|autumn|fall|winter) on(?:wards?)?',
    'from here on',
    'going forward',
    'for good',
    'until further notice',
    'since (?:the|our|my|this) (?:[\\p{Alpha}-]+ ){0,2}?[\\p{Alpha}-]+(?=[.,;!]|$| (?:i|we|the|my|our|all|for)(?![\\p{Alpha}]))',
    'since (?:last|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|yesterday|then)',
    '(?:these|nowa)\\s?days',
    'instead',
    'no longer',
    'not (?:\\p{Alpha}+ ){0,6}?any ?more',
    'any ?more(?=[.!,]|$)',
    'any longer',
    'in (?:its|his|her|their) place',
    'no more(?! than)(?= (?!of\\b)\\p{Alpha}+[.!,]*$)',
    'instead of (?:the|my|our|his|her|their)',
    'after all',
    'turns out',
    'turned out',
    'change of plans?',
    "(?:^|the |my |our |his |her |their |its )new (?:[\\p{Alpha}'-]+ ){0,3}?(?:date|time|day|slot|appointment|deadline|price|rate|fee|limit|dose|venue|location|address|number)(?= (?:is|will be)\\b|'s|:)",
    '(?:that|this|which) (?:now )?(?:makes|brings)(?: it| us| me| the \\p{Alpha}+)?(?: up)?(?: to)?(?= \\d)',
    '(?:small|quick|org|new) (?:change|update)',
    '(?:went|gone|turned|became|become|got) (?:vegan|vegetarian|freelance|part-time|full-time|permanent)',
    '(?:signed|started|starting|begun|began) (?:with|at|as)',
    '(?:hired|poached|headhunted|joined|accepted (?:a|the|an) (?:job|offer|position))',
    'new job',
    'made (?:me|him|her|them) an?',
    'got (?:promoted|married|divorced|engaged|hired|moved)',
    '(?:broke|broken|split|splitting) up',
    'moved (?:out|in|away)',
    'all in on',
    'ditched',
    '(?:gave|given|giving) up',
    'extension',
    // "The survey's been shoved to 3 April": whatever was done to it.
    '\\p{Alpha}{2,}(?:ed|en) (?:back |forward |on |out |up )?to(?= (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)|(?:january|february|march|april|june|july|august|september|october|november|december)\\b))(?<!\\b(?:according|added|sent|invited|listened|related|compared|limited) to)',
    'let (?:him|her|them|\\p{Alpha}+) go',
    'unlike before',
    'reopened',
    'unsubscribed',
  ],
  soft: [
    'now(?! that\\b)',
    'currently',
    'presently',
    'at the moment',
    'this (?:month|year|quarter|semester|term|season)',
    '(?:my|our|the|his|her|its) new(?! york| zealand| year)',
    '^new',
    '(?:so|got|have|has|there is) (?:an? )?new',
    '(?:go|goes|went|see|sees) (?:\\p{Alpha}+ )?(?:to |with )?an? new',
    'by now',
    '(?:is|are) today',
    'for the time being',
    'with immediate effect',
  ],
  away: [
    "(?:is|are|\\p{Alpha}+'s) (?:\\p{Alpha}+ )?(?:swamped|ill|sick|off sick|away|busy|on leave|on holiday|on sabbatical|out sick|unavailable|overbooked|fully booked)",
    'broke (?:his|her|their|a) \\p{Alpha}+',
    'double[- ]booked',
    'fell through',
  ],
  again: [
    '(?<=[\\p{Alpha}\\d] )again',
    'once more',
    'back (?:to|on|in|at|with|from)',
    "(?:is|are|\\p{Alpha}+'s|\\p{Alpha}+'re) back",
    'returned to',
    'as before',
    'reverted',
    'rolled back',
    'went back',
    'resumed',
  ],
  gone: [
    "(?:is|are|was|were|been|'s|'re|being|it's) (?:now |already |all |finally |officially |permanently |been )?(?:gone|out(?! of\\b)|over|dead|off|finished|done|history|cancel+ed|sold|closed|discontinued|deprecated|removed|deleted|dropped|pulled|withdrawn|suspended|on hold|abolished|scrapped|shut down|switched off|decommissioned|expired|terminated|dissolved|stolen|wiped|retired|divorced|on (?:leave|parental leave|sabbatical|sick leave|maternity leave)|axed|killed|phased out|leaving)",
    '(?:call(?:ed|s|ing)? (?:it |the \\p{Alpha}+ )?off|broke(?:n)? off|cancel+ed|sold|closed|retired|retires|resigned|quit|quits|left|died|ended(?! up)|discontinued|removed|deleted|dropped|pulled|withdrew|(?:drops|removes|abolishes|scraps|retires)(?! (?:[\\p{Alpha}\\d]+ ){0,3}(?:off|by|at|in|to|from)\\b)|rescinded|revoked|repealed|overturned|abolished|scrapped|decommissioned|expired|ran out|unsubscribed|terminated|stopped|suspended|halted|stepped down|(?<!\\b(?:be|being) )handed in|threw (?:in )?the towel|passed away|(?:broke|broken|split) up|(?:gave|given) up|got rid|ditched|axed|moved (?:out|away|on))',
  ],
  correction: [
    "^(?:(?:oh|ah|um|uh|ok|wait|oops|ugh|argh|hm|hmm|well|hey)[ ,!.]+){0,3}(?:no|nope|sorry|wait|oops|correction|actually|scratch that|not quite|wrong|my (?:bad|mistake)|i misspoke|strike that)\\b(?= ?[,.:;!–—-]|$| (?:it|its|it's|i|the|that|he|she|we|they|not|wait|sorry|actually|no|gate|\\p{Alpha}+ is)\\b)",
    '\\bi (?:had |have )?(?:meant|mistyped|misread|misspoke|misremembered|misheard|mixed up)\\b',
    '\\bgot [^,.;]{1,40} wrong\\b',
    '\\bmixed (?:up|them up|it up)\\b',
    '\\bi lost a zero\\b',
    '\\btypo\\b',
    '\\b(?:swapped|transposed|mixed up) the (?:digits|numbers|figures|names|days)\\b',
    '\\bread the wrong (?:row|line|column|page|date|sheet)\\b',
    '\\b(?:wrong|other) (?:row|line|column|page|sheet|tab|file|list)\\b(?=[,.!]|$)',
    '\\b(?:told|gave|sent) (?:you|them|everyone) (?:rubbish|nonsense|garbage|the wrong|wrong)\\b',
    '\\bcorrection\\b',
    '^not [^,]{1,40},',
    '^[^,]{1,40}, not [^,.]{1,40}[.!,]?',
    '\\bi was wrong\\b',
    '\\bmy mistake\\b',
    '\\bshould (?:have been|say|read)\\b|\\b(?:it|that|this) should be\\b',
    '\\brather than what i said\\b',
  ],
};
const compiled = Object.entries(forms).map(
  ([cue, sources]) =>
    [
      cue as Cue,
      new RegExp(
        cue === 'correction' ? sources.join('|') : `(?<![\\p{Alpha}\\d])(?:${sources.join('|')})(?![\\p{Alpha}\\d])`,
        'u',
      ),
    ] as const,
);

/** A verb that is denied from now on. */
const ceased =
  /(?<!\b(?:not|never|don't|didn't|won't|doesn't|can't|ever|without) )\b(?:no longer|any ?more|any longer|no more(?! than\b)|stop(?:ped|s|ping)?|quit|gave up|given up|giving up|drop(?:ped|s)? support)\b/;

/** Tells whether a clause says that what was done is done no longer. */
export function isCeased(clause: string): boolean {
  return ceased.test(clause.toLowerCase());
}

const negation =
  /\b(?:no longer|no more(?! than\b)|not(?! only| just)|never|cannot|stop(?:ped)?|stopping|quit|gave up|given up|avoid)\b|n['’]t\b|(?<=\b(?:have|has|is|are|there's|with|please|eat|eats|drink|drinks) )no\b(?! (?:problem|worries|wonder|doubt|idea|matter|time))/;

/** "I never moved": what did not happen changed nothing. */
const unchanged =
  /\b(?:never|not|cannot)\b(?! (?:only|just))(?: (?:\p{Alpha}+ )?to)?(?: (?:yet|even|actually|really|ever|been|be|get|going))? (?:mov\p{Alpha}+|switch\p{Alpha}*|chang\p{Alpha}+|swap\p{Alpha}*|migrat\p{Alpha}+|relocat\p{Alpha}+|replac\p{Alpha}+|transfer\p{Alpha}*|join\p{Alpha}*|reschedul\p{Alpha}+|postpon\p{Alpha}+|renam\p{Alpha}+|upgrad\p{Alpha}+|tak\p{Alpha}+ over)\b/u;

/** Lists what a clause says of change. */
export function cuesOf(clause: string): ReadonlySet<Cue> {
  const text = clause.replaceAll('’', "'").toLowerCase();
  const found = new Set<Cue>();
  for (const [cue, form] of compiled) if (form.test(text)) found.add(cue);
  if (unchanged.test(text.replace(/n't\b/g, ' not')) && !ceased.test(text)) found.delete('change');
  if (negation.test(text)) found.add('negated');
  return found;
}
