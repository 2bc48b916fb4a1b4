// Sentences that are whole and still lean on those around them: what they leave out was said there, or seen there. Each family says what is open.

const unique =
  'sea|ocean|beach|mountains?|outdoors|rain|snow|sun|winter|summer|autumn|fall|spring|night|morning|theat(?:re|er)|opera|cinema|countryside|city|water|woods|forest|cold|heat|arts?|piano|guitar|violin|drums|gym|library';

/** What a speaker has one of. */
const own =
  'kids|children|boys|girls|twins|dogs?|cats?|family|house|home|garden|car|van|bike|boat|news|internet|bus|train|tram|office|kitchen|balcony|baby|parents|neighbou?rs|holidays|weekend|exams?|finals|market|pool|pub|church|choir|park|lake|river|woods|hills|gym|dishes|laundry|washing|cooking|shopping|bins|rubbish|bills|rent|future|past|country|moment|way';

const praise =
  '(?:amazing|awesome|great|incredible|beautiful|fantastic|good|cool|nice|stunning|lovely|fun|insane|epic|breathtaking|perfect|wonderful|inspiring|interesting)';

/** A day that was written out, or words for one: "on 2026-03-14", "last week". */
const when =
  '(?: (?:yesterday|today|tonight|recently|lately|again|(?:last|this|next|on|in|at|over) (?:the )?(?:\\w+)(?: of [\\d-]+)?))*';
const end = `${when}[.!]*$`;

/** Adds nothing: what somebody thought of a thing that has no name. */
const opinion = `(?:,? (?:and|which|that|-|–|—) ?(?:it|I|we|is|was|has|really|just|['’]s|been|so|very|made|makes|a|big|huge|impact|on|me|us|enjoy|enjoyed|love|loved|like|liked|found|${praise})(?: ?(?:it|was|is|has|['’]s|been|so|really|very|just|totally|hooked|am|['’]m|made|a|big|huge|an|impact|on|me|us|enjoy|enjoyed|love|loved|like|liked|found|${praise}))*)?`;

const anyCase = (...patterns: string[]): RegExp[] => patterns.map((one) => new RegExp(one, 'i'));

/** Which time, which day: "Last time I only survived three hours", "The next quarter I took it again". */
const time = [
  /^(?:(?:[Yy]eah|[Yy]es|[Nn]o|[Ww]ell|[Oo]h),? )?(?:[Ll]ast|[Nn]ext|[Tt]hat|[Tt]he (?:next|first|second|other)) time\b(?!.*\b(?:in|at|to) [A-Z])/,
  ...anyCase(
    '^(?:the (?:next|following|same)|that) (?:day|night|morning|evening|week|weekend|month|year|quarter|term)\\b',
    '\\b(?:worth|all|earlier|later|still|sad|happened|there) (?:on )?that (?:day|night|evening|morning)\\b',
    '^(?:once|twice|(?:two|three|four|five|\\d) times) (?:a|per|every) (?:day|week|month|year)\\b[;,.]',
    `^we meet (?:once|twice|every \\w+|(?:on )?\\w+days)(?: a (?:week|month|year))?[.!]*$`,
    "^(?:I|we) (?:don['’]t|do not) go (?:there )?often\\b",
    '\\bwhat happened (?:the next|next|then|after)\\b',
  ),
];

/** What somebody does not do, or does as others do: "I decided not to", "I'd love to", "I haven't gone either". */
const deeds = anyCase(
  '\\b(?:not|decided|wanted|planned|promised|agreed|refused|managed|failed|forgot|going|supposed|used) to(?=\\s*[,.!;]|$)',
  '\\b(?:love|loves|loved|like|likes|want|wants|need|needs|hope|hoped|tried|hate|prefer|have|had) to[.!]*$',
  "\\b\\w*n?['’]t (?:\\w+ ){1,3}either\\b",
  "^(?:I|we) (?:will never|won['’]?t|will not|can['’]?t|cannot|didn['’]?t|don['’]?t) (?:quit|stop|know|mind|care|remember|wait|help it|complain|agree|give up|lie)[.!]*$",
  '^(?:I|we)(?: just| also| only)? (?:went|came) with (?!.*\\b(?:to|for|on)\\b)',
  '^(?:I|we) got (?:kicked|thrown) out\\b',
  '\\bpowered through[.!]*$|\\bin next time[.!]*$',
  '\\bplay(?:ed|s|ing)? a lot\\b(?! of\\b)',
  "\\b(?:started|been|keep|kept|am|['’]m|again|before) (?:practi[cs]ing|playing)(?: again)?[.!]*$|\\bkept playing (?:through|for|until)\\b",
  '\\bable to go (?:for|in) (?:an? |a (?:few|couple of) )?(?:while|days|weeks|months|years)\\b',
  `\\bthinking (?:about|of) going${end}|\\bthinking (?:about|of) going (?:on|in the|tomorrow|this|next|when)\\b`,
  '^(?:(?:I|we) (?:am|are) )?(?:by|after|before) doing so\\b',
  "^(?:I am|I['’]m) (?:\\w+ing myself|proud|happy|glad) too\\b",
);

/** What it was, or which: "I got the idea from my trip", "I have a funny story", "a recipe I found", "the color combination". */
const things = [
  ...anyCase(
    '\\b(?:got|had|get|gave \\w+) (?:the|this|that) idea\\b(?! (?:of|to|for|that|about)\\b)',
    `^(?:I|we)(?: |(?=['’]))(?:(?:absolutely|really|totally|just|do|also) )*(?:love|loved|like|liked|enjoy|enjoyed|hate|hated|adore|(?:(?:am|are|was|were|['’]m|['’]re) )(?:still |so |really )?(?:loving|enjoying|mesmeri[sz]ed by|amazed by|blown away by|impressed by|fascinated by|deciding on|waiting for)) (?:all )?(?:the|those|these) (?!(?:${unique}|${own})[.!]*$)(?:[a-z-]+ )?(?!(?:${unique}|${own})[.!]*$)[a-z-]+(?: of the [a-z]+)?(?:, (?:it|they) (?:looks?|is|are)\\b.*)?[.!]*$`,
    '\\b(?:threw|gave|got|bought|made|sent|showed|lent) (?:me|us|him|her|them) one\\b|\\b(?:made|wrote|painted|built|knitted|baked|drew) it (?:for|with|from|myself|by)\\b',
    '\\b(?:got|get|bought|found|made|had) (?:this|these)(?=[.,!]|$| (?:yesterday|today|last|from|at|in|on)\\b)',
    '\\b(?:happy|proud|glad|sure|excited) (?:about|of|with) (?:my|our|the|this|that) (?:decision|choice|progress|results?)[.!]*$',
    "^(?:I am|I['’]m) on (?:page|chapter|episode|level|season) [a-z\\d]+[.!]*$",
    '\\b(?:got|took) (?:the|a) win\\b|\\b(?:playing|trying|watching|reading) one more [a-z]+',
    '\\bthe (?:main|lead|other) (?:character|part|scene|song|chapter|level)s?[.!]*$|\\bthe best part[.!]*$',
    '\\bseeing (?:some |a few )?(?:gains|results|progress|improvements?)[.!]*$|\\bthe progress\\b(?! (?:of|on|in|with)\\b)',
    '\\b(?:saw|seen|watched|watching) (?:some|a few) (?:youtube )?(?:videos|things|stuff|pictures|photos|clips|memes)[.!]*$',
    '\\bseeing (?:my|our|the|all) (?:\\w+ )?(?:efforts?|work) pay(?:ing)? off\\b',
    '\\b(?:exploring|considering|weighing|looking (?:at|into)) (?:\\w+ ){0,2}options[.!]*$|\\brecommendations[.!]*$|\\bsketches and notes[.!]*$',
    '\\bmake an appointment(?: soon)?[.!]*$|\\bgetting over (?:my|the) disappointment\\b|\\bis my (?:recommendation|advice|suggestion|tip)[.!]*$',
    '\\b(?:another|other|different) (?:country|city|place|town|perspective)s?[.!]*$',
    '\\bto celebrate[.!]*$|\\bm(?:ade|aking|ake) a (?:real|big|huge) difference(?=[.,!]|$)',
    '\\bgets? stuck (?:on|at) (?:year|level|day|page|part)\\b|\\badded (?:some|a (?:bit|little|pinch) of) \\w+ for\\b',
    '^(?:(?!\\b(?:that|which|who|I|we)\\b).)*\\b(?:adopted|bought|ordered|built) (?:last (?:week|month|year)|yesterday|recently)[.!]*$',
    '^(?:I|we) (?:\\w+ly )?(?:love|loved|like|liked) the (?:[\\w-]+ ){1,4}(?:theme|vibe|concept|message|style|design|look|connection)(?: to nature)?[.!]*$|\\bsaw an? (?:\\w+ )?(?:design|shade|look)\\b',
    // "Recently I had a setback", "I went to an event and it was fantastic", "Recently I watched a movie"
    `\\b(?:had|have|hit|faced|ran into) (?:a bit of )?an? (?:\\w+ )?(?:setback|snag|bump|sore spot|challenge|accomplishment|win|moment)${end}`,
    `^(?:\\w+,? )?(?:I|we)(?:['’]ve| have| am|['’]m)? (?:\\w+ly |just |also )?(?:went to|attended|joined|watched|watching|read|(?:currently )?reading|saw|finished|found|tried|loving|(?:been )?getting into|took a trip to) an? (?:new |good |really |very |${praise} )*(?:event|movie|film|book|show|hobby|recipe|game|place|one)(?: I found)?${opinion}${end}`,
    `\\bsaw (?:this|that|it) coming\\b|\\bor whatever (?:they|it|that)\\b|\\bfor (?:these|those) (?:kids|children|people)\\b|\\b(?:during|after|before) (?:these|those) \\w+s\\b`,
    `\\ba lot(?:['’]s| has)? happened since\\b[^–—-]*$|\\bexciting things are happening[.!]*$`,
    `^(?:I|we)(?: both| all)? had (?:an? |so much |lots of |a lot of )(?:really |very )?(?:${praise} )?(?:time|blast|fun|day|evening|night|weekend)(?: (?:yesterday|today|on [\\d-]+|(?:last|this|over the|in the) \\w+(?: of [\\d-]+)?))*[.!]*$`,
    `^(?:this|last|the) (?:week|month|day|year)(?: of [\\d-]+)? (?:has been|was|is) (?:so |really |very |pretty |quite |a bit )*(?:chaotic|crazy|busy|hectic|wild|insane|rough|tough)(?: with everything going on)?[.!]*$`,
    '^(?:lots|many|a lot|some|everyone|everybody)(?: of (?:people|them))? (?:showed up|came along|joined in)\\b',
  ),
];

/** "Something", "one", "some" and a mere colour stand for a thing that was named. */
const standIns = [
  /\b(?:working on|organi[sz]ing|organi[sz]ed|made|making|building|planning|planned|doing) something\b(?! (?:called|named|like|with [A-Z]))/,
  ...anyCase(
    '\\b(?:have|had|got|found|to) something (?:special|new|else|similar|cool|nice|different|comforting)(?: (?:too|as well|to (?:show|tell) you))?[.!]*$|^something happened\\b|, something happened\\b',
    '^the one (?:is|was|has|had)\\b|\\bfavou?rite ones? (?:is|was|are|were)\\b|\\b(?:stayed|ate|stopped|worked) at one\\b',
    "\\b(?:use|used|have|got|bought|wear|made|built|welded|there['’]s|there is) one (?:made|with|from|that)\\b",
    '\\b(?:add(?:ed)?|\\w+ing) some (?:to|for)\\b|\\bcame even though\\b|\\b(?:got|tried|bought|ordered|brought|grabbed) some(?=[.,!]|$| (?:too|yesterday|last|for you)\\b)',
    '\\b(?:go|went|going|idea of|chose|picked|decided on)(?: with)? an? (?:\\w+ )?(?:red|blue|green|yellow|pink|purple|black|white|grey|gray|orange|brown|turquoise|beige)(?: with [a-z ]+)?[.!]*$',
    '\\bowes? (?:you|me|him|her|them|us) one\\b|\\b(?:stumped|stuck|thinking) (?:about|on) something\\b|\\bgood ones\\b',
    '\\b(?:an?|the|very|quite|pretty) simil(?:ar|iar)\\b(?! (?:to|in (?:that|how|taste|size|price)|as)\\b)',
  ),
];

/** What was seen, heard or read: pictures, works of art, and what is in them. */
const shown = [
  /\b(?:took|snapped|shot|painted|made|found) (?:that|this) (?:pic|picture|photo|shot|video|one)\b(?!.*\b(?:in|at|to|of|from) (?:the )?[A-Z])/,
  ...anyCase(
    '^in the (?:novel|book|movie|film|show|series|game|story)\\b(?!.*["“\\uE000])',
    '^look (?:how|at|what)\\b',
    '^this (?:book|movie|film|song|game|show|series|recipe|place) (?:I|we|was|is)\\b(?!.*["“\\uE000])',
    `^the (?:author|directors?|movie|film|book|show|series|game|characters?|food|music|story|plot|ending|crowd|atmosphere|vibe|energy|views?|scenery|colou?rs|song|album|band|artist)s? (?:is|was|are|were) (?:so |really |very |just |absolutely |also )*${praise}\\b`,
    '\\bthis particular\\b|\\b(?:learning|playing|reading|watching|getting|buying) this [a-z]+(?: [a-z]+)?(?=[.,!]|$| and\\b)|\\bthe intense moments\\b|\\bcheck (?:it|this|them) out\\b|\\b(?:take|have) a look[.!]*$',
  ),
];

/** Nods, farewells and what holds for everybody: "I 100% agree", "When things get tough, it's important to remember why". */
const replies = anyCase(
  '^(?:I|we) (?:100 ?% |totally |completely |fully |really |so )?(?:agree|second that|feel you|hear you)(?=[.,!]|$| with\\b)',
  "^(?:I|we)(?: have|['’]ve)?(?: got| had)? (?:an? )?(?:\\w+ )?(?:story|news|idea|question|surprise|confession)[.!]*$",
  '^(?:I|we)(?: \\w+)? (?:love|like) the idea of\\b|^the idea of \\w+ing\\b|^[a-z]+ is another (?:\\w+ )?(?:option|choice)[.!]*$|\\bgo with (?:an answer|that|it)\\b',
  '\\bhave (?:a|any) particular \\w+ in mind\\b|^(?:before|after|during) class\\b|\\bsome stuff (?:has|is|was)\\b|\\bthen[.!]+$|\\bis the (?:man|goat)[.!]*$|\\bmore into (?!.*\\bthan\\b)',
  "^(?:as an? [\\w ]+, )?(?:I|we) (?:can['’]?t|don['’]?t) agree\\b|^(?:I|we)(?:['’]ve| have)? had an? (?:eventful|crazy|busy|wild) (?:week|day|month)\\b",
  '^almost like\\b|^as (?:I|we)\\b[^,]*$',
  '^(?:I|we)(?: also| just)? went on an? (?:tour|trip|walk|hike|date),? (?:which|and it)\\b',
  '^(?:my|our) (?:aim|idea|intention|point|strategy|trick) (?:was to|involved)\\b',
  '^\\w+ing .* is an? (?:creative|nice|cool|great|interesting|clever) (?:twist|idea|touch|way|concept|approach)[.!]*$',
  '^(?:when|if|even when) (?:things|life|times|the going) (?:get|gets|are) \\w+',
  '\\b(?:trying|have) to (?:stay|keep|remain) (?:positive|strong|calm|hopeful|optimistic|motivated)\\b',
  '^count (?:me|us) in\\b|\\bkeep (?:that|this|it) in mind\\b|\\bhere (?:we are|I am)[.!]*$|\\bwaiting to report\\b|^my (?:day|week|weekend) (?:has been|was|is) (?:\\w+ )*(?:good|great|fine|ok|okay|nice)[.!]*$',
  "^we have to stick together\\b|^it['’]s (?:amazing|incredible|crazy|funny|wild) how\\b|^have (?:fun|a (?:great|good|nice|lovely))\\b|\\blet['’]?s (?:chat|talk|catch up) (?:soon|later)\\b",
  "\\b(?:think|thought|believe|feel) that(?:['’]s| is) an?\\b",
);

/** Torn: a list without its items, a word that was lost. */
const torn = anyCase(
  ':\\s*$',
  '\\ban? (?:after|before|when|because|and|but|which)\\b',
  '\\bwhen (?:my|our) (?:\\w+ )?\\w+s[.!]*$',
);

const leans = [...time, ...deeds, ...things, ...standIns, ...shown, ...replies, ...torn];

/** Things that talk brings up once and calls "the" from then on. */
const broughtUp =
  'events?|class|classes|sessions?|lesson|workshop|tournament|competition|contest|match|show|movie|film|book|novel|story|plot|game|concert|performance|conversation|convo|talk|series|piece|song|album|city|country|town|course|puppy|kitten|design|theme|message|character|recipe|dish|liquid|dough|venue|organi[sz]er|instructor|professor|teacher|author|bugs|local (?:cuisine|food)';
const broughtUpThing = new RegExp(
  `\\b(?:the|each|that|those|these) (?:same |whole |entire |new |actual )?(?:${broughtUp})\\b(?!['’]s\\b| (?:of|from|in|at|with|that|where|which|who|for|about|called|named|on|I|we|my|our|${broughtUp}|\\w+ed by|and \\w+ of)\\b|-| [A-Z“"\uE000])`,
  'g',
);
const asTopic = new RegExp(
  `^The (?:${broughtUp}) (?:is|was|has|had|got|started|began|ended|took|made|went|will)\\b(?!.*(?:called|named|["“\uE000]))|^(?:At|During|After|Before|In|Once|When) the (?:${broughtUp})(?: \\w+s)?,`,
);
/** A name or a title: the sentence says itself what "the book" is. */
const namesSomething =
  /["“\uE000]|(?<!^)(?<![.!?] )\b(?!I\b|I['’]|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)[A-Z][A-Za-z]/;

/** What is arranged, and how it changed: "The match is on Friday" is said of the one that everybody there knows. */
const arranged =
  /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|\b(?:\d{4}-\d\d|\d+(?::\d\d| ?(?:am|pm|euros?|dollars?|pounds|%)|(?:st|nd|rd|th)\b)|noon|midnight|tomorrow|postponed|cancel(?:l?ed)?|moved (?:to|from|up|back)|called off|brought forward|rescheduled|no longer|instead)\b|[$€£]\d|\b(?:on|at|until|from|by|since) \d/;

/** Tells whether a sentence calls a thing "the" that neither it nor the world has told of. */
function pointsAtUntold(sentence: string): boolean {
  if (arranged.test(sentence)) return false;
  if (asTopic.test(sentence)) return true;
  if (namesSomething.test(sentence)) return false;
  return [...sentence.replace(/^The\b/, 'the').matchAll(broughtUpThing)].some(({ 0: words, index }) => {
    const noun = words
      .split(' ')
      .at(-1)!
      .replace(/(?:es|s)$/, '');
    return !sentence.slice(0, index).toLowerCase().includes(noun);
  });
}

/** "The shrimp ones", "the new one": of a kind that the sentence has not named. */
function countsUntold(sentence: string): boolean {
  const found = /\b(?:the|an?) (?:[a-z]+ ){1,2}(ones?)\b(?! (?:of|day|time)\b)/.exec(sentence);
  if (found === null) return false;
  const lead = sentence.slice(0, found.index);
  return !(found[1] === 'ones' ? /[a-z]{2}[^su]s\b/ : /\b(?:an?|the|my|our|\d+) [a-z]/).test(lead);
}

/** Tells whether a sentence says too little without those around it. */
export const leansOnOthers = (sentence: string): boolean =>
  leans.some((one) => one.test(sentence)) || pointsAtUntold(sentence) || countsUntold(sentence);
