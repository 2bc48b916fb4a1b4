// How a clause is meant: stated as it is, asked, supposed, wished, told of the past, quoted, an exception, a rumour, a plan, a joke. Only
// what is stated says how things are.

/** How a clause is meant. */
export type Mode = 'stated' | 'asked' | 'supposed' | 'past' | 'quoted' | 'exception' | 'rumour' | 'planned' | 'joke';

const change =
  '(?:switch|move|change|swap|set|push|shift|reschedule|rename|replace|update|cancel|book|put|make|send|ping|address|use|write)';
/** A question that asks for a change is an order: "Can you move our pickup to Sunday?" */
const order = new RegExp(`\\b(?:can|could|would|will) you (?:please |pls |just |also )?${change}\\b`);
const inverted =
  /^(?:(?:well|so|and|but|um|uh|ok|okay|hey|hm|btw)[, ]+)?(?:do|does|did|can|could|would|should|is|are|am|was|were|has|have|had|will|shall|may|won't|don't|didn't|isn't|aren't|can't|couldn't|wouldn't) (?:i|you|we|he|she|it|they|there|the|this|that|these|those|my|your|our|any\p{Alpha}+|some\p{Alpha}+)\b/u;
const supposed =
  /\b(?:if|unless|may (?:have|be|well|also|soon)|whether|suppose|supposing|assuming|imagine|might|maybe|perhaps|possibly|hypothetically|in case|would|wouldn't|could|couldn't|i'd|we'd|he'd|she'd|they'd|wonder(?:ing)?|not sure|i wish|wish we|hopefully|hoping|i hope|we hope|hope to|dream of|one day|some ?day|must (?:be|have)|as if|as though|otherwise(?!\s*[.!,]*$))\b/;
/** "I'd had" and "I would like you to" tell or ask; "would" in a reason takes nothing back that another clause says. */
const notSupposed =
  /\b(?:i|we)(?:'d| would) (?:like|rather) (?:you|to have|my|your|the|all|every)\b|\bnot sure whether i told\b|\b(?:could|couldn't) (?:finally|not)\b/;
const planned =
  /\b(?:thinking (?:of|about)|thought (?:of|about)|considering|considered|(?:was|were|is) (?:a|some|the) (?:plan|talk|idea)|talked about|discuss(?:ed|ing)|toying with|trying (?:\p{Alpha}+ ){0,3}to|(?:i|we|they|he|she|somebody|someone|\p{Alpha}+) wanted to|(?:was|were) (?:going|about|meant|supposed) to|nearly|almost (?:moved|switched|bought|took)|proposed|suggest(?:ed|s|ing)|off the table|decided against|changed (?:my|our|his|her|their) mind|came to nothing|never happened|(?:want|wants|like|love) to (?:try|get|have|buy|move|go|learn|switch)|planning (?:to|on)|plans? to|looking (?:at|into|for)|tempted|forget it|stays? as it (?:is|was))\b/u;
const rumour =
  /\b(?:rumou?rs?|gossip|allegedly|supposedly|unconfirmed|(?:not|nobody|no one)(?: \p{Alpha}+)? confirmed|word is|there(?:'s| is) talk|speculat\p{Alpha}+|claim(?:s|ed|ing) (?:that|to)\b|\bclaimed the\b|(?:i|we) heard (?:that )?(?:some|they|he|she))\b/u;
const fiction =
  'blog(?: ?posts?)?|book|novel|film|movie|song|lyrics|story|poem|heroine|hero|character|article|tweet|podcast|tutorial|example|sample|template|screenshot|series|episode|game|joke|meme|magazine|play|thriller|documentary|sitcom|textbook|fairy tale|advert|ad|commercial|demo video|brochure|leaflet|prospectus';
/** "The hero of the novel"; "the start of the game" is somebody's day. */
const told =
  'hero|heroine|characters?|narrator|author|protagonist|villain|detective|plot|story|ending|chapters?|pages?|scenes?|lines?|verses?|words|moral|setting|world|part|act|beginning|star|cast';
const heroes = 'heroine|hero|protagonist|main character|narrator|villain';
/** What any of those needs: it is quick to tell that a sentence has none. */
const mayBeQuoted = new RegExp(`${fiction}|for (?:example|instance)|${heroes}`);
/** Words of a book, an example or a stranger say nothing of the speaker; a letter, a mail and release notes do. */
const quoted = new RegExp(
  `\\b(?:in|from|read) (?:a|an|the|my|this|that|some|our|her|his) (?:[\\p{Alpha}'-]+ ){0,2}(?:${fiction})\\b|\\b(?:${told}) of (?:a|an|the|this|that|some|my|her|his) (?:[\\p{Alpha}-]+ ){0,2}(?:${fiction})\\b|(?<!\\b(?:i|we|you|they|to|can|will|always|usually|often|never) )\\b(?:${fiction})\\b (?:\\p{Alpha}+ ){0,4}(?:says?|said|reads|shows?|showed|tells?|told|where|about|like|with)\\b|\\bfor (?:example|instance)\\b|\\b(?:my|our|the|his|her) (?:\\p{Alpha}+ )?(?:${heroes})\\b`,
  'u',
);
/** "I moved to Rome", says the heroine: "I" is whoever is quoted. */
const ofOthers =
  /["“][^"”]*\b(?:i|i'm|my|we|our)\b[^"”]*["”],? (?:\p{Alpha}+ )?(?:says?|said|writes?|wrote|sings?|sang|goes|reads?|asks?|asked)\b|["”],? (?:says?|said|writes?|wrote|asks?|asked|replied|cried|whispered) \p{Alpha}+,? ["“][^"”]*\b(?:i|i'm|my|we|our)\b/u;
const exception =
  /\b(?:just|only) (?:this|for) (?:once|week|time|today|now)\b|\bfor once\b|(?<!\b(?:since|from|as of|by|until) )\bthis (?:week|once|weekend)\b(?!'s)|\bfor a change\b|\b(?:one-off|exceptionally|by way of exception|as an exception)\b|\btoday only\b|\bthis (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bnext week only\b|\bfor now\b|\bfor the moment\b|\btemporar(?:y|ily)\b/;
/** What holds on one day only, where nothing says that it goes on. */
const oneDay =
  /\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening)|last night|right now|at the moment only)\b/;
/** "The podcast is at 2,115 subscribers this morning": what was counted is so until it is counted again. */
const counted = /\b(?:is|are|'s) (?:now |already )?at \d[\d.,]* (?!degrees?\b)\p{Alpha}+s\b/u;
const past =
  /(?<!\b(?:like|as) (?:i|we|he|she|they|it) )\bused to\b|\b(?:as (?:a|an) (?:kid|child|boy|girl|teen(?:ager)?|student|teenager|baby)|when (?:i|we|he|she|they) (?:was|were|lived|worked|had|went|did|taught|ran|drove|sang|sold|wrote|led|kept|held|got|made|came|left|began|met|bought|built|\p{Alpha}+ed)|back (?:then|when)|back in (?:the (?:day|\d|\p{Alpha}+ies)|\d{4}|college|school|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)|(?:years?|months|decades) ago|in those days|at school|in (?:my|our) (?:youth|childhood|twenties|teens)|growing up|originally|previously|formerly|at first|our old|my old|his old|her old|their old|in the old days|before (?:that|the))\b/u;
const lastYear =
  /\blast (?:year|month|week|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december)\b/;
const code = /;\s*$|\w\(\w*\s?=|\w\[["']|^\w[\w.]*\s?=\s/;
/** "As the sample announcement I put "…"": nobody's words. */
const invented = /\b(?:sample|example|template|placeholder|dummy|fictional|made-up|pretend|mock)\b[^.!?"“]*["“]/;
const laugh = /\b(?:lol|haha+|hehe|jk|just kidding|rofl|lmao)\b|[😂🤣😆🤪😜]/u;
const hyperbole =
  /\b(?:officially|basically|practically|technically|pretty much|virtually) (?:a|an|the|my|our|full)\b|\bat this rate\b|\b(?:a|one) (?:million|billion|trillion|gazillion|zillion)\b|\bfeels? like\b|\bso (?:much|many|bad) (?:that )?(?:they|we|i|you)\b/;

/** "Cancelled the subscription yesterday": what somebody ended on a day stays so. */
const ended =
  /^(?:(?:i|we|and|so|ok|okay|just|finally|have|i've|we've)[, ]+)*(?:cancel+ed|sold|quit|deleted|removed|dropped|stopped|left|closed|scrapped|ditched|gave up|got rid of|threw out|handed in|unsubscribed)\b/;

/** A clause in its sentence, as far as its mode needs it. */
interface Meant {
  readonly clause: string;
  readonly sentence: string;
  /** Whether the clause has words of change: what changed "today" goes on tomorrow. */
  readonly isChange: boolean;
}

const imperative = new RegExp(`^(?:(?:ok|okay|and|so|then|hey|hi|also|thanks|please|pls)[, ]+)*${change}\\b`);
/** Tells whether a sentence asks for a change: "Can you move our pickup to Sunday?", "Change the order to tea." */
export function isOrder(sentence: string): boolean {
  const low = sentence.toLowerCase();
  return order.test(low) || imperative.test(low);
}

/** "Tell me if I forget": what is asked for supposes nothing of what stands before it. */
const askedFor =
  /,? ?\b(?:(?:tell me|let me know|ask me|remind me|shout|check|see) if\b.*|if (?:that|it|this) (?:matters|helps|counts|makes (?:a|any) difference)\b.*|if (?:you're|anyone is|anybody is) (?:wondering|asking|interested)\b.*)$/;

/** Tells how a clause is meant. */
export function modeOf(meant: Meant): Mode {
  const { isChange } = meant;
  const [clause, sentence] = [meant.clause, meant.sentence].map((text) => text.toLowerCase().replace(askedFor, '')) as [
    string,
    string,
  ];
  // Code is nobody's statement.
  if (
    (mayBeQuoted.test(sentence) && quoted.test(sentence)) ||
    ofOthers.test(sentence) ||
    invented.test(sentence) ||
    code.test(sentence) ||
    (sentence.match(/[{}<>=;|\\$]/g)?.length ?? 0) > 2
  )
    return 'quoted';
  if (rumour.test(sentence)) return 'rumour';
  if ((/\?["”'’)\s]*$/.test(clause) || inverted.test(clause)) && !order.test(clause)) return 'asked';
  if (planned.test(clause)) return 'planned';
  if (supposed.test(clause) && !notSupposed.test(clause) && !order.test(clause)) return 'supposed';
  if (
    /\bif\b/.test(sentence) &&
    /\b(?:would|could|might|i'd|we'd|i'll|we'll)\b/.test(sentence) &&
    !order.test(sentence)
  )
    return 'supposed';
  if (
    hyperbole.test(clause) ||
    (!isChange && ((laugh.test(sentence) && /^(?:lol|haha)/.test(sentence)) || /[😂🤣😆🤪😜]/u.test(clause)))
  )
    return 'joke';
  if (past.test(clause) || (!isChange && lastYear.test(clause))) return 'past';
  // What was raised "for now" is so until somebody says otherwise.
  if (
    exception.test(isChange ? clause.replace(/\bfor (?:now|the moment)\b/, '') : clause) ||
    (!isChange && /\bthis time\b/.test(clause))
  )
    return 'exception';
  if (oneDay.test(clause) && !isChange && !ended.test(clause) && !counted.test(clause)) return 'exception';
  return 'stated';
}
