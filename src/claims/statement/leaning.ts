// Sentences that are whole and still lean on those around them: what they leave out was said there, or seen there.

const unique =
  'sea|ocean|beach|mountains?|outdoors|rain|snow|sun|winter|summer|autumn|fall|spring|night|morning|theat(?:re|er)|opera|cinema|countryside|city|water|woods|forest|cold|heat|arts?|piano|guitar|violin|drums|gym|library';

/** What a speaker has one of. */
const own =
  'kids|children|boys|girls|twins|dogs?|cats?|family|house|home|garden|car|van|bike|boat|news|internet|bus|train|tram|office|kitchen|balcony|baby|parents|neighbou?rs|holidays|weekend|exams?|finals|market|pool|pub|church|choir|park|lake|river|woods|hills|gym|dishes|laundry|washing|cooking|shopping|bins|rubbish|bills|rent|future|past|country|moment|way';

const leans: readonly RegExp[] = [
  // "Last time I only survived three hours", "The next quarter I took it again"
  /^(?:yeah|yes|no|well|oh)?,? ?(?:last|next|this|that|the (?:next|first|second|other)) time\b(?!.*\b(?:in|at|to) \p{Upper})/iu,
  /^(?:the (?:next|following|same)|that) (?:day|night|morning|evening|week|weekend|month|year|quarter|term)\b/iu,
  /\b(?:worth|all|earlier|later|still|sad|happened|there) (?:on )?that (?:day|night|evening|morning)\b/iu,
  // "The one is from Banff"
  /^the one (?:is|was|has|had)\b/iu,
  // "I decided not to", "I haven't gone either", "I won't quit"
  /\b(?:not|decided|wanted|planned|promised|agreed|refused|managed|failed|forgot|going|supposed|used) to(?=\s*[,.!;]|$)/iu,
  /\b\p{Lower}*n['’]?t (?:\p{Lower}+ ){1,3}either\b/iu,
  /^(?:I|we) (?:will never|won['’]?t|will not|can['’]?t|cannot|didn['’]?t|don['’]?t) (?:quit|stop|know|mind|care|remember|wait|help it|complain|agree|give up|lie)[.!]*$/iu,
  // "I went with some friends", "I got kicked out"
  /^(?:I|we)(?: just| also| only)? (?:went|came) with (?!.*\b(?:to|for|on)\b)/iu,
  /^(?:I|we) got (?:kicked|thrown) out\b/iu,
  // "I got the idea from my trip": which one?
  /\b(?:got|had|get|gave \p{Lower}+) (?:the|this|that) idea\b(?! (?:of|to|for|that|about)\b)/iu,
  // "I love the color combination", "I was mesmerized by the castles": which ones?
  new RegExp(
    `^(?:I|we)(?: |(?=['’]))(?:(?:absolutely|really|totally|just|do|also) )*(?:love|loved|like|liked|enjoy|enjoyed|hate|hated|adore|(?:(?:am|are|was|were|['’]m|['’]re) )(?:still |so |really )?(?:loving|enjoying|mesmeri[sz]ed by|amazed by|blown away by|impressed by|fascinated by|deciding on|waiting for)) (?:all )?(?:the|those|these) (?!(?:${unique}|${own})[.!]*$)(?:[\\p{Lower}-]+ )?(?!(?:${unique}|${own})[.!]*$)[\\p{Lower}-]+(?: of the \\p{Lower}+)?(?:, (?:it|they) (?:looks?|is|are)\\b.*)?[.!]*$`,
    'iu',
  ),
  // "In the novel a teacher finds a time machine"
  /^in the (?:novel|book|movie|film|show|series|game|story)\b(?!.*["“])/iu,
  // "My siblings threw me one", "a friend made it for my birthday"
  /\b(?:threw|gave|got|bought|made|sent|showed|lent) (?:me|us|him|her|them) one\b|\b(?:made|wrote|painted|built|knitted|baked|drew) it (?:for|with|from|myself|by)\b/iu,
  // "I'm working on something", "I got this yesterday"
  /\b(?:working on|organi[sz]ing|organi[sz]ed|made|making|building|planning|planned|doing) something\b(?! (?:called|named|like|with \p{Upper}))/iu,
  /\b(?:got|get|bought|found|made|had) (?:this|these)(?=[.,!]|$| (?:yesterday|today|last|from|at|in|on)\b)/iu,
  // "I 100% agree", "I have a funny story", "I'm happy about my decision", "I'm on page sixty"
  /^(?:I|we) (?:100 ?% |totally |completely |fully |really |so )?(?:agree|second that|feel you|hear you)(?=[.,!]|$| with\b)/iu,
  /^(?:I|we)(?: have|['’]ve)?(?: got| had)? (?:an? )?(?:\p{Lower}+ )?(?:story|news|idea|question|surprise|confession)[.!]*$/iu,
  /\b(?:happy|proud|glad|sure|excited) (?:about|of|with) (?:my|our|the|this|that) (?:decision|choice|progress|results?)[.!]*$/iu,
  /^(?:I am|I['’]m) on (?:page|chapter|episode|level|season) [\p{Lower}\d]+[.!]*$/iu,
  /^look (?:how|at|what)\b/iu,
  /^almost like\b|^as (?:I|we)\b[^,]*$/iu,
  // "I have something special, too", "I got the win", "I powered through", "I use one made with silk"
  /\b(?:have|had|got|found) something (?:special|new|else|similar|cool|nice)(?: (?:too|as well|to (?:show|tell) you))?[.!]*$|^something happened\b|, something happened\b/iu,
  /\b(?:got|took) (?:the|a) win\b|\bpowered through[.!]*$|\bin next time[.!]*$|\b(?:playing|trying|watching|reading) one more \p{Lower}+/iu,
  /\b(?:use|used|have|got|bought|wear) one (?:made|with|from|that)\b/iu,
  /\b(?:took|snapped|shot|painted|made|found) (?:that|this) (?:pic|picture|photo|shot|video|one)\b(?!.*\b(?:in|at|to|of|from) (?:the )?\p{Upper})/u,
  /^this (?:book|movie|film|song|game|show|series|recipe|place) (?:I|we|was|is)\b(?!.*["“])/iu,
  /^(?:I|we)(?: also| just)? went on an? (?:tour|trip|walk|hike|date),? (?:which|and it)\b/iu,
  /^(?:my|our) (?:aim|idea|intention|point) was to\b/iu,
  /\bthe (?:main|lead|other) (?:character|part|scene|song|chapter|level)s?[.!]*$/iu,
  /\bplay(?:ed|s|ing)? a lot\b(?! of\b)/iu,
  /\bseeing (?:some |a few )?(?:gains|results|progress|improvements?)[.!]*$/iu,
  /\bable to go (?:for|in) (?:an? |a (?:few|couple of) )?(?:while|days|weeks|months|years)\b/iu,
  // "The author is amazing"
  /^the (?:author|directors?|movie|film|book|show|series|game|characters?|food|music|story|plot|ending|crowd|atmosphere|vibe|energy|views?|scenery|colou?rs|song|album|band|artist)s? (?:is|was|are|were) (?:so |really |very |just |absolutely |also )*(?:amazing|awesome|great|incredible|beautiful|fantastic|good|cool|nice|stunning|lovely|fun|insane|epic|breathtaking|perfect)\b/iu,
  // "When things get tough, it's so important to remember why"
  /^(?:when|if|even when) (?:things|life|times|the going) gets? \p{Lower}+/iu,
  /\b(?:trying|have) to (?:stay|keep|remain) (?:positive|strong|calm|hopeful|optimistic|motivated)\b/iu,
  /\b(?:saw|seen|watched|watching) (?:some|a few) (?:youtube )?(?:videos|things|stuff|pictures|photos|clips|memes)[.!]*$/iu,
];

/** Tells whether a sentence says too little without those around it. */
export const leansOnOthers = (sentence: string): boolean => leans.some((one) => one.test(sentence));
