// Which category a sentence belongs to: every cue is tried, and the surest that fits decides. worth.ts says whether it is worth keeping.

import { caseless, type Tester } from '../../base/caseless.ts';
import type { MemoryCategory } from '../../records/types.ts';
import { markedDay } from '../due.ts';
import { orderForGood } from '../sentences.ts';
import { mistaken } from './openings.ts';
import { anyOf, kin } from './words.ts';

/**
 * One way of saying something that tells its category.
 *
 * Patterns are tried on single sentences of at most 400 characters. Where a group repeats, each round begins with a space and holds none.
 * So there is one way to match, and no text can make them slow.
 */
export interface Cue {
  readonly category: MemoryCategory;
  readonly pattern: Tester;
  /** How surely it means this category, 0 to 1. */
  readonly confidence: number;
  readonly tags?: readonly string[];
  /** Not if this fits as well. */
  readonly unless?: Tester;
  /** Only what a person says: a program that announces its next step commits nobody, and its wishes are nobody's. */
  readonly personOnly?: boolean;
  /** Only if the sentence names a day that has not passed; its days are marked for the pattern where that asks for one. */
  readonly needsDay?: true | 'marked';
  /** It is meant for every time from now on, so it is kept in any words. */
  readonly isStanding?: boolean;
  /** Not in the first sentence after a question: "No, the colour is red" answers, and takes nothing back. */
  readonly isNoAnswer?: boolean;
}

/** A name; what else begins with a capital at the start of a sentence is none. */
const name =
  "(?!(?:It|That|This|These|Those|He|She|They|There|Here|Who|What|Which|When|Where|Why|How|One|Everyone|Someone|Nobody|Nothing|Then|Yeah|My|Our|Your|His|Her|Their|The|A|An|And|But|So|If|I|You|We|Not|No|Never|Always|Please|Today|Tomorrow|Bet|Lots|Love|Just|Also|Actually|Really|Same|Some|Most|Many|Both|All|Now|Since|Because)\\b)\\p{Upper}[\\p{Alpha}'’-]*(?: \\p{Upper}[\\p{Alpha}'’.-]*){0,2}";
const deeds = anyOf(
  `send write fix deploy email mail book schedule prepare review complete update create implement investigate order pay submit share document migrate test
  deliver draft publish release upload ship arrange organize organise contact notify file refactor rewrite report follow_up look_into set_up work_out sign_up
  design present apply register return host donate teach enroll finish bring call pick_up put_together hand_over hand_in buy renew print proofread clean
  check ask invite take_over take_care reply get_back ring phone fetch collect mend sort_out drop_off`,
);
const will =
  "\\b(?:I|[Ww]e)(?: also| still| really| then)?(?:'ll| will| shall|'m going to|'re going to| am going to| are going to|'m gonna|'re gonna| have to| need to| must|'m supposed to|'ve got to| gotta)(?: also| then| definitely| certainly| still)?";
const noDeed = `(?!(?:not|never|always|probably|likely|hopefully|perhaps|maybe|possibly|be(?! (?:done|finished|ready))|have (?:it|that|this|them|a|an|to|fun|been|time)|${anyOf(
  'see know need want like love feel think miss hope enjoy remember wait stay live sleep rest relax become lose keep',
)})\\b)`;
const byDay = `\\b(?:by|before|until|till|no later than|on or before|within) (?:(?:noon|midnight|\\d{1,2}(?::\\d\\d)? ?(?:[ap]\\.?m\\.?|UTC)?)(?: on)? )?${markedDay}`;
const someDay = `(?:${byDay}|${markedDay}|\\b(?:on|by|before|until|till) the \\d{1,2}(?:st|nd|rd|th)\\b)`;
/** What somebody has to be at, on its day. */
const appointments = anyOf(
  `appointment exam test op operation surgery hearing trial rehearsal interview flight ferry train coach bus check-?up scan viewing inspection audit wedding funeral concert
  meeting match tournament performance recital orientation tooth teeth stitches cast briefing trip consultation vaccination ceremony screening session`,
);
const clock =
  "(?:at )?(?:\\d{1,2}[:.]\\d\\d|\\d{1,2} ?[ap]\\.?m\\b|\\d{1,2} o'clock|(?<=at )\\d{1,2}(?= in the|[.!,]|$)|noon|midnight)";
const things = anyOf(
  `company startup client customer vendor supplier framework library tool project product service database agency studio team platform language application app
  city town village charity organization organisation nonprofit conference festival theatre spacecraft rocket satellite robot website blog band club shop restaurant
  (?:text|code|level|image|photo|video|audio|map)_editor cluster server tracker importer exporter parser pipeline engine bot module package script wiki dataset model codebase
  island village valley river lake hill mountain square street bridge harbour harbor beach forest meadow peak pub café cafe bakery farm mill school clinic hospital museum library chapel church
  dog cat puppy kitten horse parrot rabbit hamster tortoise lagotto poodle labrador terrier collie dachshund
  boat ship book film programme program system dashboard repository branch`,
);
const whose = "(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|\\p{Upper}[\\p{Alpha}-]+['’]s)";
const weekdays = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const ended =
  'yesterday|last (?:night|week|weekend|month|year|spring|summer|fall|autumn|winter|\\w+day)|this morning|the other (?:day|night)|ago|recently|in (?:19|20)\\d\\d|over the (?:weekend|summer)';
const milestones = anyOf(
  `won launched shipped released graduated married engaged promoted hired fired accepted adopted passed signed completed achieved published opened celebrated
  picked_up dropped_off handed_in handed_over swarmed hatched arrived collapsed scored participated joined moved lost bought sold visited attended rescued earned received met started began finished finally went quit retired died passed_away born
  gave_birth broke crashed exploded flooded stolen hacked failed cancelled called_off got hiked flew travelled traveled adopted hosted organized organised volunteered
  made built tried took cooked painted baked ran saw watched read found discovered had`,
);

/** What is so each time takes nothing back: "I always want prices in francs, not euros". */
const always = '\\b(?:always|never|every time|from now on|going forward|from here on)\\b';
/** What somebody writes for somebody. */
const writings = anyOf(
  `answers? repl(?:y|ies) responses? messages? commits? commit_messages? pull_requests? prs? branch(?:es)? branch_names? dates? times? prices? amounts? invoices? names? headings? titles? headlines?
  subjects? subject_lines? e-?mails? letters? texts? summar(?:y|ies) reports? numbers? units? measurements? links? sources? quotes? figures? code comments? tests? lists? tables? recipes? translations? plans?
  drafts? posts? captions? file_?names? files? variables? functions? documents? notes? slides? temperatures? distances? weights? quantities`,
);
const verbless =
  /\b(?:is|are|was|were|am|has|have|had|do|does|did|will|would|can|could|may|might|must|should|went|got|took|came|saw|made|'s|'m|'re|\p{Lower}{3,}ed)\b|^(?:the|our|my|this|an?) [^:]*\p{Lower}{3,}s only\b|\b(?:I|we|he|she|they|it)\b/iu;

type CuePatterns = { readonly pattern: RegExp; readonly unless?: RegExp };

const cuesOf = (
  category: MemoryCategory,
  cues: readonly (Omit<Cue, 'category' | keyof CuePatterns> & CuePatterns)[],
): Cue[] =>
  cues.map(({ pattern, unless, ...cue }) => ({
    category,
    pattern: caseless(pattern),
    ...(unless === undefined ? {} : { unless: caseless(unless) }),
    ...cue,
  }));

export const cues: readonly Cue[] = [
  ...cuesOf('correction', [
    { confidence: 0.97, pattern: /^correction(?:\s?[,;:—–-]+|\s+(?:on|to) the)\s?\S+ \S+ \S+/iu },
    {
      confidence: 0.98,
      isNoAnswer: true,
      pattern:
        /^(?:no|nope|wait|sorry|oops|actually|hold on|my mistake|my bad)\b[,.!: -]+(?:no[, ]+|sorry[, ]+|actually[, ]+)?(?:i (?:said|meant)|(?:it|that|this|there|he|she)(?:'s| is| was) |(?:it|that) should be|i was wrong|my (?!god|goodness|pleasure)[a-z]+ is|our [a-z]+ is|the [\w-]+(?: [\w-]+){0,4}? (?:is|was|are|were|closes|opens|starts|takes|has|runs|should be|moved)\b(?! also\b))/iu,
      unless: /\b(?:so|really|very|great|amazing|beautiful|awesome|cool)\b/iu,
    },
    {
      confidence: 0.95,
      pattern:
        /\b(?:that's|that is|that was|this is|you're|you were|i was|we were|it was|i got (?:that|it)) (?:not right|wrong|incorrect|mistaken|not correct|not what i (?:said|meant|asked))\b|\b(?:I|we|\p{Alpha}+) (?:meant to say|misspoke|stand corrected|misread|mixed (?:that|it|this|them|up)|mixed up|got (?:that|it) wrong)\b|\bI meant\b/iu,
    },
    {
      confidence: 0.93,
      pattern: /^(?:not (?!only\b)[^,.;]{1,40}, [^,.;]{1,40}|[^,.;]{1,30}, not [^,.;]{1,30})[.!]?$/iu,
      // "Blame me, not the driver" asks, and "It's a rule, not a wish" insists.
      unless: new RegExp(
        `^\\p{Lower}+ (?:me|us|him|her|them|it)\\b|^(?:this|that|it)(?:'s| is| was) an? |${always}`,
        'iu',
      ),
    },
    {
      confidence: 0.93,
      // "The port is 8080, not 8000."
      pattern:
        /\b(?:is|are|was|were|should be|should read|should say|must be|means?|takes?|has|have|costs?|on|in|at)(?: [\w.:/@'"-]+){1,5},? (?:and )?(?<!\b(?:do|does|did|will|would|can|could|should|may) )not (?!(?:a|just|only|to mention|too|really|because|that|knowing|sure|so|yet|even|necessarily|if|when|for)\b)[\w.:/@'"-]+(?: [\w.:/@'"-]+){0,3}[.!]?$/iu,
      unless: new RegExp(always, 'iu'),
    },
    {
      // "Sorry, I gave you the wrong day, the fitting is on Monday."
      confidence: 0.96,
      pattern: new RegExp(`^(?:(?:sorry|oops|no|wait|ah)\\b[,.! –-]*)*${mistaken}(?:,|:| [–—-]) \\S`, 'iu'),
    },
    { confidence: 0.9, pattern: /\bshould (?:be|read|say)\b.{2,60}\b(?:instead of|rather than|not)\b|\bspelled\b/iu },
  ]),
  ...cuesOf('principle', [
    {
      personOnly: true,
      confidence: 0.96,
      pattern:
        /^(?:from now on|from here on|going forward|as of now|effective immediately),? (?!(?:I|I'm|I'll|we'll|call me)\b)(?!.*\b(?:will|would|could|may|might|hope)\b)\S+ \S|^(?:please|always|never|use|write|keep|only|do|don't|you|everyone|everybody|all|we|answer|reply|respond|speak|address|call|give|show|send|tell|format|quote|name|sign|round|start|stop|avoid|put|make|add|include)\b.* (?:going forward|from now on)[.!]?$|\b(?:as a (?:general )?(?:rule|principle|policy)|(?:our|the|my|house|general|golden) (?:policy|rule|convention|principle)s? (?:is|are|says?)|under no circumstances|without exception)\b/iu,
    },
    {
      personOnly: true,
      confidence: 0.95,
      pattern:
        /^(?:please )?(?:always|never(?: ever)?) (?!(?:mind|again|ever|a|an|the|been|had|thought|heard|seen|happy|have I|would|did|too|got|forget|give up|stop)\b)[a-z-]+ \S/iu,
    },
    {
      // "You never push to a release branch": said to who listens. "You never listen" is a complaint.
      personOnly: true,
      confidence: 0.94,
      isStanding: true,
      pattern:
        /^you (?:never|only ever|always) (?!(?:say|said|know|knew|tell|told|think|listen|get|have|had|do|did|make|made|look|see|seem|forget|want|wanted|ask|asked|call|called|come|came|answer|talk|were|was|are|gave|give|took|can|could|would)\b)\p{Lower}+ (?:to|on|in|into|from|without|before|after|with|the|an?|any|anything|more|our|my)\b/iu,
    },
    {
      personOnly: true,
      confidence: 0.94,
      pattern:
        /\b(?:forbidden|not allowed|prohibited|mandatory|off limits|not permitted|not acceptable)\b|\b(?:must|may|should|shall|can|are to|need to|have to|has to) (?:always|never|not ever|only|not)\b|\bonly [^,;]{2,40} may\b|\b(?:everyone|everybody|nobody|guests?|people|visitors|users?|developers?|agents?|all|[a-z]+s) (?:must|should|shall|ought to|are to) (?:always |never |not )?[a-z]{2,}|\byou always (?:need|have) to\b/iu,
      unless: /\b(?:I|you) (?:must|should) (?:be|have|see|try|feel|check|visit|come|go|definitely|totally)\b|\?/iu,
    },
    {
      personOnly: true,
      confidence: 0.93,
      pattern:
        /^(?:please )?(?:don't|do not) (?:ever )?(?!(?:worry|know|think|be|feel|want|need|like|get|have|you|forget|mind|say|tell|let|give|stress|hesitate|care|really|see|even|remember|believe)\b)[a-z]+ (?!(?:it|that|this|them|yet|worry)\b)\S/iu,
      // Not yet, but some time.
      unless: /\b(?:yet|for now|today|tomorrow|tonight|this (?:morning|evening|afternoon|week))\b/iu,
    },
    {
      personOnly: true,
      confidence: 0.92,
      pattern:
        /^(?:please,? )?no (?!(?:idea|problem|worries|way|one|need|doubt|wonder|matter|thanks|luck|joke|clue|news|rush|more|longer|longer)\b)[\w-]+(?: [\w-]+){0,3} (?:after|before|without|on|in|at|near|during|unless|until|over|above|below)\b/iu,
    },
    {
      personOnly: true,
      confidence: 0.92,
      pattern:
        /\bwe (?:always|never|only|don't|do not) (?![a-z]+ed\b)(?!(?:been|had|wanted|thought|felt|said|knew|have|be|did|was|got|forget|know|imagined|expected|used|saw|heard|would|will|could|can|get|really|found|made|went|came|talked|ended|try|tried|want|look|enjoy|love|like|need|feel|think|hope|seem|appreciate|own|live|see)\b)[a-z]{3,}/iu,
    },
    {
      personOnly: true,
      confidence: 0.9,
      pattern:
        /^(?:please )?(?:use|keep|put|ask|run|wear|leave|store|avoid|write|check|rebase|squash|tag|lock|log|sign|close) (?!(?:it|that|this|them|up|me|us|in touch|on|going|the faith|your (?:chin|head))\b)[\p{Alpha}"'`/][^,;]{2,60}(?:\b(?:before|after|when|unless|everywhere|for (?:all|every|each)|only|always|never|if|first|else|in \p{Alpha}+s)\b)/iu,
    },
    {
      // "Shoes off in the hall, always", "No dogs in the shop, ever".
      personOnly: true,
      confidence: 0.94,
      isStanding: true,
      pattern:
        /^(?!(?:I|we|you|he|she|they|it|that|love|yours|as|thank)\b).{8,}[,:–—-] ?(?:always|no exceptions?|without (?:any )?exceptions?|no matter (?:what|who))[.!]*$|^(?:please )?(?:no|nobody|no one|nothing|never|don't|do not)\b[^?]{6,}, (?:ever|not even|no exceptions?)\b(?! since\b)/iu,
    },
    {
      // "Nobody climbs the ladder without a helmet", "nobody force-pushes to main"; "nobody answers my mails" complains.
      personOnly: true,
      confidence: 0.94,
      isStanding: true,
      pattern:
        /^(?:in (?:this|our|my) \p{Alpha}+,? )?(?:nobody|no one) (?:else )?(?:ever )?(?!(?:is|was|has|does|knows|likes|wants|needs|cares|seems|says|tells|gets|loves|thinks|believes|understands|remembers|answers|replies|calls|listens|helps|visits|comes|talks|laughs|pays|works|reads|notices|expects|sees|hears|feels|means|minds|looks|lives|buys)\b)(?:\p{Lower}+-)?\p{Lower}{2,}s \S|^(?:nobody|no one) \p{Lower}+s \S.*\b(?:alone|without|unless|except)\b/iu,
      unless: /\b(?:my|me|I|anymore|any more|lately|these days)\b/iu,
    },
    {
      // "Rule for the shop: ...", "my rule in life: ...", "house rule: ..."
      personOnly: true,
      confidence: 0.96,
      isStanding: true,
      pattern:
        /^(?:(?:the|my|our|one|another|\p{Alpha}+) )?(?:[\p{Alpha}-]+ )?(?:rule|policy)(?: (?:in|for|of|about|on|with|at|number|no\.?|#)[^:?]{1,60})?(?::| [–—-]) ?\S+ \S/iu,
    },
    {
      // "The names of our clients never go into a letter", "passwords never belong in the code".
      personOnly: true,
      confidence: 0.94,
      isStanding: true,
      pattern:
        /^(?!(?:I|we|you|he|she|they|it|that|this|there|nobody|no one)\b)\p{Alpha}[^,;:?]{2,80} (?:never(?: ever)?|only ever) (?:go(?:es)?|belongs?|leaves?|enters?|stays?|lies|appears?|ends? up|shows? up|touch(?:es)?|travels?|sits?|runs?|ships?|(?:is|are) (?:shared|shown|published|posted|left|used|stored|given|told|sent|put|kept|opened|moved|edited|changed|deleted|thrown|fed|touched|logged|printed|committed|merged|mixed|washed|lent|named|mentioned))\b(?! (?:well|easily|far|old|along|better|right|home|it|on time|back|tired|used|started|anywhere|over|there|down|up|to (?:bed|sleep|school|church))\b)/iu,
      // What animals and people never do is seldom a rule.
      unless:
        /^(?:my|our|the|his|her) (?:\p{Alpha}+ )?(?:kids?|children|sons?|daughters?|boys?|girls?|cats?|dogs?|pupp(?:y|ies)|husband|wife|mum|mom|dad|boss|bus|train)\b (?:never|only ever) \p{Lower}+s?\b(?! \p{Lower}+ed\b)/iu,
    },
    {
      // "Parcels over 20 kg only with two people": what no verb says is a rule.
      personOnly: true,
      confidence: 0.93,
      isStanding: true,
      pattern:
        /^(?:[^:,]{2,30}: )?(?!I\b|we\b|the only\b)\p{Alpha}[^:;]{2,60}? (?:only|always|never(?: ever)?) (?:with|without|after|if|when|by|on|in|into|before|between|at|from|through|via|during|until|for|as|to|under|inside|outside|above|below) \S/iu,
      unless: verbless,
    },
    {
      // "The dedup job has to finish before the currency job, otherwise refunds are counted twice".
      personOnly: true,
      confidence: 0.93,
      isStanding: true,
      pattern:
        /^(?!(?:I|we|you|he|she|they|it|that|this|there)\b)\p{Alpha}[^,;:?]{2,60} (?:has to|have to|needs? to|must(?: not)?|should(?: not|n't)?) \p{Lower}+ [^?]{3,}, (?:otherwise|or else|or it|or they)\b/iu,
    },
    {
      // "Agency staff don't get the keys, not even at night".
      personOnly: true,
      confidence: 0.94,
      isStanding: true,
      pattern:
        /^(?!(?:I|we|you|he|she|they|it|that|this|there)\b)\p{Alpha}[^,;:?]{2,60} (?:don't|doesn't|do not|does not|may not|must not|can't|cannot) \p{Lower}+ [^;:?]{3,}, not even \p{Alpha}/iu,
    },
    {
      // "Antibodies are thawed on ice, never in the water bath".
      personOnly: true,
      confidence: 0.93,
      isStanding: true,
      pattern:
        /^(?!(?:I|we|you|he|she|they|it|that|this|there)\b)\p{Alpha}[^,;:?]{2,60} (?:is|are|goes|go|gets?|stays?|comes?|belongs?) [^,;:?]{3,}, (?:and )?never (?:in|on|at|with|by|to|into|from|under|over|through|without|before|after) \S/iu,
    },
    {
      // "Kids under twelve only go out with an adult in the boat".
      personOnly: true,
      confidence: 0.92,
      isStanding: true,
      pattern:
        /^(?!(?:I|we|you|he|she|they|it|that|this|there|my|our|his|her)\b)\p{Alpha}[^,;:?]{2,60} only (?:go|get|come|enter|work|drive|ride|leave|swim|dive|climb|sail|cook|lift)\b [^;:?]{0,30}\b(?:with|when|after|if|under|before|once|in pairs)\b/iu,
    },
    {
      // "Bram alone may raise that", "only Bram may".
      personOnly: true,
      confidence: 0.92,
      pattern: new RegExp(`\\b${name} alone (?:may|can|must|decides?|signs?|has)\\b`, 'u'),
    },
    {
      personOnly: true,
      confidence: 0.91,
      pattern:
        /\b(?:is|are) (?:enough|required|compulsory) (?:for|below|above|up to|under|over)\b|\b(?:needs?|requires?) (?:a|two|an|the) (?:\w+ )?(?:signatures?|approvals?|reviews?)\b|\bonly (?:the|our|one|two|\p{Upper}\p{Lower}+) .{2,40}\b(?:may|can|is allowed)\b/iu,
    },
  ]),
  ...cuesOf('preference', [
    {
      // "Could you answer in German from now on?"
      personOnly: true,
      confidence: 0.97,
      isStanding: true,
      pattern: orderForGood,
    },
    {
      // "Commit messages in imperative mood please", "all dates in ISO format", "prices always in euros".
      personOnly: true,
      confidence: 0.95,
      isStanding: true,
      pattern: new RegExp(
        `^(?:please,? )?(?:(?:all|any|every|each|the|my|our|your) )*(?:[\\p{Alpha}-]+ )?(?:${writings})(?: (?:of|for|from|to) [^,;:]{2,40})? (?:always |never |only |please )*(?:in|as|with|without|under|by|on|below|before|after)\\b[^?]*(?:\\b(?:please|always|only|never|max|no)\\b|,)|^(?:please,? )?(?:all|every|each) (?:[\\p{Alpha}-]+ )?(?:${writings}) (?:in|as|with|without|under) \\S`,
        'iu',
      ),
      unless: verbless,
    },
    {
      // "Commit messages: imperative mood, no emoji".
      personOnly: true,
      confidence: 0.95,
      isStanding: true,
      pattern: new RegExp(
        `^(?:(?:all|my|our|the|your) )*(?:[\\p{Alpha}-]+ )?(?:${writings}): ?(?!\\d)[^?]{3,}(?:, (?:no|always|never|only|not|max(?:imum)?)\\b|\\b(?:only|always|never|please|mood|at most)\\b)`,
        'iu',
      ),
    },
    {
      // "Please give me weights in grams", "show me times in UTC".
      personOnly: true,
      confidence: 0.95,
      isStanding: true,
      pattern:
        /^(?:and )?(?:please,? )?(?:give|tell|show|send|write|quote) me (?:all |the |your |my |any )*(?:weights?|distances?|prices?|amounts?|measures?|measurements?|temperatures?|times?|dates?|numbers?|figures?|quantities|lengths?|sizes?|answers?|sums?|costs?) in \p{Alpha}/iu,
    },
    {
      // "Tabs, not spaces in this repo."
      personOnly: true,
      confidence: 0.96,
      isStanding: true,
      pattern:
        /^\p{Alpha}[\p{Alpha}-]+(?: [\p{Alpha}-]+)?,? (?:not|over|instead of|rather than) [\p{Alpha}-]+(?: [\p{Alpha}-]+)?,? (?:in|for|on|across) (?:this|our|my|all|every|each|everything|anything)\b/iu,
      unless: verbless,
    },
    {
      // "Please no voice messages", "so no meetings before then please"
      personOnly: true,
      confidence: 0.91,
      isStanding: true,
      pattern:
        /^please,? no (?!(?:more|one|idea|problem|worries|rush|hurry|need|thanks)\b)\p{Alpha}|(?:^|[,;] (?:so |and )?)no (?!(?:more|one|idea|problem|worries|rush|hurry|need|thanks|stress)\b)\p{Alpha}[^,;?]{2,60} please(?:[.!]*$|, )/iu,
    },
    {
      // "Please go back to answering in English", "keep the answers short please", "call me Jo".
      personOnly: true,
      confidence: 0.95,
      isStanding: true,
      pattern: new RegExp(
        `^(?:(?:please|from now on),? )?(?:go back to|switch (?:back )?to|return to|stick (?:to|with)|stop|start) \\p{Alpha}+ing\\b(?=.*\\b(?:in|me|your|${writings})\\b)(?=.*)|^(?:please,? )?(?:keep|make|write|put|give me|send me) (?:all |the |your |my )*(?:${writings}) (?:under|below|short|shorter|brief|formal|informal|to|in|as|at|longer|simple)\\b.*\\bplease\\b|\\b(?:please|from now on|just),? call me (?!(?:back|when|if|at|on|before|after|later|tomorrow|today)\\b)\\p{Alpha}+[.!]*$|\\bcall me \\p{Upper}\\p{Alpha}+,? not \\p{Upper}`,
        'iu',
      ),
      unless: /\b(?:now|today|tonight|tomorrow)[.!]*$/iu,
    },
    {
      personOnly: true,
      confidence: 0.94,
      pattern: /\b(?:I|[Ww]e) always (?:want|need|like|prefer) (?!to (?:be|know|see|go)\b)\S/u,
      unless: /\b(?:wanted|needed)\b/u,
    },
    {
      personOnly: true,
      confidence: 0.95,
      pattern:
        /\b(?:i|we)(?:'d| would)?(?: \w+)? prefer(?:red)? (?!(?:it|that|this)[.!]?$)\S|\b(?:i|we)(?:'d| would) (?:much )?(?:rather|like|love) (?:not )?.+\b(?:than|instead)\b|\b(?:i|we)(?:'d| would) (?:rather|sooner)\b|\bi(?:'d| would| should) like to be (?:addressed|called|written to)\b/iu,
    },
    {
      confidence: 0.94,
      pattern: new RegExp(
        `^(?:(?:The |Our |My )?(?:${name}|[Uu]ser|[Cc]lient|[Cc]ustomer|[Tt]eam|(?:${kin}))|She|He|They)(?: ${name})? (?:strongly |really |usually |always |generally )?(?:prefers?|likes?|loves?|hates?|dislikes?|enjoys?|insists? on|can't stand|doesn't like|does not like|is fond of)\\b`,
        'u',
      ),
    },
    {
      personOnly: true,
      confidence: 0.95,
      pattern:
        /\b(?:my|our) (?:(?:all-time|absolute|personal|new|other) )?fav(?:ou?rite|e)s?\b|\bfavou?rites? of mine\b|\bmy (?:go-to|jam|guilty pleasure|thing)\b/iu,
    },
    {
      personOnly: true,
      confidence: 0.93,
      pattern:
        /\b(?:I|[Ww]e)(?:'ve always|'d)?(?: (?:all|both|really|absolutely|also|just|personally|do|do so|so|truly|especially|always|still|usually|particularly|kinda|mostly))? (?:love|like|enjoy|adore|admire|hate|dislike|detest|despise|can't stand|cannot stand|can't bear|don't like|do not like|don't enjoy|prefer|loved|appreciate) (?!(?:that|this|it|how|your|the way|you|to (?:hear|see|know|say|think|tell|add|ask))\b)\S/u,
      unless:
        /\b(?:things?|ones|people|something|someone|everything|those|who|that|what) I (?:really |just )?(?:love|enjoy|hate|like)\b|\b(?:would|'d) (?:love|like) to\b|\b(?:loved|liked|enjoyed) (?:it|that)\b/iu,
    },
    {
      personOnly: true,
      confidence: 0.93,
      pattern:
        /^(?:really |absolutely |just )?(?:love|hate|enjoy|prefer) (?!(?:that|this|it|how|your|the way|you)\b)\S/iu,
    },
    {
      personOnly: true,
      confidence: 0.92,
      pattern:
        /\bI(?:'m| am)(?: [\w-]+){0,2}? (?:fan of|into|passionate about|obsessed with|hooked on|fond of|keen on|addicted to|interested in|crazy about|partial to|open to|vegetarian|vegan) ?(?!(?:it|that|this|them|you)\b)|\bnot (?:a|much of a) (?:big )?fan\b|\bsoft spot for\b|\bmy (?:passion|hobby|hobbies)\b/iu,
      unless: /\bvegan since\b/iu,
    },
    {
      personOnly: true,
      confidence: 0.9,
      pattern:
        /\bI (?:don't|do not|never|can't|cannot) (?:eat|drink|smoke|wear) (?!(?:it|that|this|them|much|enough|anything|well|here|there|too|so)\b)\w/iu,
    },
    {
      personOnly: true,
      confidence: 0.9,
      pattern:
        /\bi (?:like|want|need) (?:my|all|every|answers|replies|code|commits?|reports?|the (?:answers?|replies|figures|numbers|texts?)) .{3,}|^please (?:keep|avoid|stick to|stick with|prefer|answer|reply|write|use|call me|always answer|always reply|always write|address)\b (?!(?:it|that|this|in touch|me|us|going|up)\b).{4,}/iu,
    },
    {
      // "When you book my flights, take aisle seats", "I want the sources in whatever you write for me".
      personOnly: true,
      confidence: 0.96,
      isStanding: true,
      pattern:
        /^(?:when|whenever|if|every time|each time) you (?!(?:are|were|have|had|did|want|need|like|see|know|think|feel|get|find|notice|hear|wish|can|could|miss|love)\b)\p{Lower}+ (?:[^,]* )?(?:my|me|our|us)\b(?:[^,]*,|(?<=\b(?:for|to) (?:me|us))) (?:please |always |just )?(?!(?:I|we|you|it|that|they|there|he|she|the|my|our|let)\b)\p{Lower}+ \S|\b(?:I|we)(?:'d)? (?:want|need|like|prefer) (?!to\b|you to\b)[^.?]{3,80} (?:in|for|with|on) (?:everything|anything|all|whatever|every \p{Lower}+|each \p{Lower}+|any \p{Lower}+) (?:that )?you \p{Lower}+/iu,
    },
    {
      personOnly: true,
      confidence: 0.82,
      pattern:
        /\bI (?:always|usually|typically|mostly|generally|tend to|mainly|often) (?!(?:been|had|wanted|thought|felt|feel|said|knew|be|have been|there|up|did|was|got|found|forget|forgot|know|used|saw|heard|believed|say|tell|come|mean|am|do)\b)[a-z]{2,}/iu,
    },
    { personOnly: true, confidence: 0.82, pattern: /\b(?:disagree with|in favou?r of|(?:am|are|'m|'re) against)\b/iu },
  ]),
  ...cuesOf('commitment', [
    {
      confidence: 0.96,
      pattern:
        /^(?:\p{Upper}\p{Lower}+ says )?(?:(?:can|could|would|will) you )?(?:please )?(?:also )?(?:remind (?:me|us|him|her|them)\b|(?:don't|do not|never) forget to|(?:please )?remember to (?!(?:be|have|take|focus|breathe|enjoy|smile|love|find|stay|keep|appreciate|never|always|celebrate|prioritize|listen|relax|rest)\b)|follow up (?:with|on|about))/iu,
    },
    {
      confidence: 0.95,
      pattern:
        /\b(?:i|we|he|she|they|\p{Alpha}+)(?:'ve| have| had| has)? (?:promised?|committed|pledged?|vowed?|swore)(?: (?!(?:an?|some|lots?|much|to|that|we|i)\b)[\p{Alpha}.’'-]+){0,4} (?:to|that|we|i)\b|\b(?:i|we)(?:'ve| have)? promised? (?:[\p{Alpha}.’'-]+ ){1,4}(?:an?|the|my|our|his|her|their|some) [^.!?]{2,60} (?:by|before|until|till|on) \S|\b(?:i|we)(?: still)? owe\b|\bI volunteered (?:to|for)\b/iu,
    },
    {
      confidence: 0.93,
      personOnly: true,
      pattern:
        /\b(?:I|[Ww]e)(?:'ve| have| had)? (?:told|assured)(?: (?!(?:that|I|we)\b)[\p{Alpha}.’'-]+){1,4}(?: that)? (?:I|we)(?:'d| would) (?!(?:not|never|rather|like|love|be|have|probably|maybe)\b)[a-z]+ \S|\b(?:I|[Ww]e)(?:'ve| have| had)? (?:said|agreed)(?: that)? (?:I|we)(?:'d| would) (?!(?:not|never|rather|like|love|be|have|probably|maybe)\b)[a-z]+ \S/u,
    },
    {
      confidence: 0.93,
      needsDay: 'marked',
      personOnly: true,
      pattern: new RegExp(
        `\\b(?:wants?|needs?|expects?|requires?|demands?|(?:is|are) waiting for|(?:asked|asks)(?: (?:me|us))? for)(?! (?:to|me|us|you)\\b)(?: [\\p{Alpha}\\d.’'-]+){1,6}? ${byDay}`,
        'iu',
      ),
    },
    {
      confidence: 0.95,
      needsDay: true,
      pattern:
        /\b(?:deadline|due date|launch date|release date|delivery date|cut-?off date)\b|\b(?:is|are|was|were|falls|come|comes|be) due\b/iu,
    },
    {
      confidence: 0.95,
      needsDay: 'marked',
      personOnly: true,
      pattern: new RegExp(`${will} ${noDeed}[a-z][a-z'-]*\\b.{0,200}?${someDay}`, 'iu'),
      unless:
        /\b(?:going to|'ll go to|fly(?:ing)? to) (?:\p{Upper}|the\b)|\b[Ww]hat (?:I|we)\b|(?:'ll|will|to|must) [a-z]+ (?:by|on|before|until|till|within|tomorrow|today|next|this)\b/u,
    },
    {
      confidence: 0.9,
      personOnly: true,
      pattern: new RegExp(
        `${will} (?:${deeds})\\b(?! (?:it|that|this|those|these|them|you|soon|later|now|again|there|here|up|out)\\b[.!]?$)`,
        'u',
      ),
    },
    {
      confidence: 0.9,
      needsDay: 'marked',
      pattern: new RegExp(
        `\\b(?!(?:it|that|this|there|what|which|who|you)\\b)(?:(?:the|my|our) )?\\p{Alpha}+(?:'ll| will| shall| is going to| are going to| needs to| has to| must| plans to| agreed to) (?:${deeds})\\b.{1,200}?${someDay}`,
        'iu',
      ),
    },
    {
      confidence: 0.88,
      personOnly: true,
      needsDay: 'marked',
      pattern: new RegExp(
        `\\b(?:I|[Ww]e|${name} and I)(?:'m| am|'re| are| will)? (?:(?:planning|intending|scheduled|booked|set|plan|intend|hope) (?:to|on)|visit|leaving|flying|planning|travell?ing|moving|starting|presenting|returning|driving|launching|releasing|shipping|meeting|hosting|running|visiting) .{0,160}?${someDay}`,
        'iu',
      ),
      // "We are starting the project today": what goes on is nothing that is owed.
      unless: /\b(?:has|have) been\b|\b(?:today|tonight|this (?:morning|afternoon|evening))\b/iu,
    },
    {
      // "Need to drop off the folders by Wednesday."
      confidence: 0.93,
      personOnly: true,
      needsDay: 'marked',
      pattern: new RegExp(`^(?:[Ss]till )?(?:need|have|got) to ${noDeed}[a-z]+ .{2,120}?${someDay}`, 'iu'),
    },
    {
      // "Councillor Brandt undertook to obtain three quotes by 25 September."
      confidence: 0.93,
      needsDay: 'marked',
      pattern: new RegExp(
        `^(?!(?:it|that|this|there|what|which|who|you|I|we)\\b)(?:(?:my|our|the) )?[\\p{Alpha}.'-]+(?: [\\p{Alpha}.'-]+){0,2} (?:undertook|has undertaken|agreed|has agreed|promised|has promised|has|needs|is) to ${noDeed}[a-z]+ .{2,160}?(?:${byDay}|\\bby the \\d{1,2}(?:st|nd|rd|th)\\b)`,
        'iu',
      ),
    },
    {
      // "You'll have the figures by Thursday from me."
      confidence: 0.94,
      personOnly: true,
      needsDay: 'marked',
      pattern: new RegExp(
        `\\byou(?:'ll| will| shall) (?:have|get|receive) [^.?!]{2,80} (?:${byDay}|${someDay}.{0,20} from (?:me|us)\\b)`,
        'iu',
      ),
    },
    {
      // "Jonna prints the programme by Friday."
      confidence: 0.92,
      personOnly: true,
      needsDay: 'marked',
      pattern: new RegExp(
        `^(?!(?:it|that|this|there|here|what|which|who|you|I|we|if|when|as|so|please)\\b)(?:(?:my|our|the) )?[\\p{Alpha}.'-]+(?: [\\p{Alpha}-]+)?(?: and [\\p{Alpha}-]+)? (?:(?!(?:is|was|has|does|says|this|his|always|never|wants|needs)\\b)[a-z]{2,}s|(?:will|is to|are to|(?:is |are )?going to) [a-z]+) [^;:]{2,120}?${byDay}`,
        'iu',
      ),
    },
    {
      // "The scan has been moved to the 14th", "our train leaves on 3 July at 7:20".
      confidence: 0.93,
      personOnly: true,
      needsDay: 'marked',
      pattern: new RegExp(
        `\\b(?:${appointments})\\b[^;:]{0,60}? (?:(?:set|scheduled|booked|fixed|planned|moved|postponed|rescheduled|pushed(?: back)?|put off|brought forward) (?:for|to|until|till)|(?:comes?|coming|going to come) out(?: on)?) (?:${someDay}|the \\d{1,2}(?:st|nd|rd|th)\\b)|\\b(?:${appointments})\\b[^;]{0,80}? (?:(?:on )?${markedDay}|on the \\d{1,2}(?:st|nd|rd|th)\\b)[^;]{0,30}? ${clock}|\\b(?:${appointments})\\b[^;]{0,60}? at ${clock} on ${markedDay}`,
        'iu',
      ),
      unless:
        /\?\s*$|\b(?:usually|every|always)\b|\bI(?:'m| am) (?:\p{Alpha}+ ){0,3}?(?:trying|worried|feeling|overwhelmed|nervous|excited|wondering|looking)\b/iu,
    },
    {
      confidence: 0.88,
      personOnly: true,
      needsDay: true,
      pattern:
        /\b(?:I|[Ww]e)(?:'ve got| have| got)(?: also)? (?:an?|my|our|the|another) (?:[\w-]+ ){0,4}?(?:meeting|appointment|interview|flight|exam|demo|presentation|call|review|surgery|check-?up|performance|hearing|audit|deadline|workshop|competition|tournament|festival|event|trip)\b/u,
    },
    {
      confidence: 0.92,
      personOnly: true,
      needsDay: 'marked',
      pattern: new RegExp(`^(?:please )?(?:${deeds})\\b.{1,200}${byDay}`, 'iu'),
    },
    {
      confidence: 0.85,
      personOnly: true,
      pattern:
        /\b(?:I|[Ww]e)(?:'m| am|'re| are)(?: also| now)? (?:planning|hoping|aiming|intending) to (?!(?:be|see|have|know)\b)[a-z]+ \S|\bI(?:'ll| will) (?:take over|pick up|do|cover|handle|organi[sz]e|bring)\b/u,
    },
  ]),
  ...cuesOf('decision', [
    {
      confidence: 0.95,
      pattern: new RegExp(
        `^(?:[Dd]ecided|[Aa]greed|[Cc]hose|[Oo]pted|[Aa]pproved|[Rr]esult)\\b|\\b(?:${name}|[Ww]e|[Ii]|they|They|[Hh]e|[Ss]he|team|board|Board|committee|council|management)(?:'ve|'d| have| has| had)?(?: (?:all|both|finally|also|now|already|just|formally|jointly))? (?:decided|agreed|chose|chosen|opted|settled on|elected to|resolved to|picked|voted|ruled out|signed off on|approved|went with|called off|calls off)\\b`,
        'u',
      ),
      unless:
        /\b(?:decided|agreed|chose|chosen|opted) (?:that )?(?:yet|already|before)\b|\b(?:agreed|decided|settled)(?: on| that| upon)?[.!]?$|^agreed[,.!]|\b(?:to (?:do|skip|use|make|try|go with) |on |that )(?:it|that|this|them)[.!]?$/iu,
    },
    {
      confidence: 0.95,
      pattern:
        /\b(?:decision|verdict|consensus|choice|conclusion|outcome|plan of record)\b(?: [\w-]+){0,6}? (?:is|was|has been|:)/iu,
      unless: /\b(?:tough|hard|difficult|great|good|big) (?:decision|choice)\b/iu,
    },
    {
      // "It was resolved that the gate be locked at dusk."
      confidence: 0.95,
      pattern:
        /\b(?:it|motion) (?:was|is|has been) (?:\p{Alpha}+ly )?(?:resolved|decided|agreed|ruled|settled|ordered|voted) (?:that|to)\b/iu,
    },
    {
      // "Final answer: the red one", "it's settled", "agreed unanimously".
      confidence: 0.95,
      pattern:
        /^(?:(?:the|my|our) )?(?:final (?:answer|decision|word|call)|settled|it's (?:settled|decided|final))(?:\s?:|\s[–—-]|,) ?\S|\b(?:it|that)(?:'s| is) (?:all )?(?:settled|decided|unanimous)\b|\b(?:agreed|decided|adopted|passed|approved|carried) unanimously\b|\bunanimously (?:agreed|decided|adopted|passed|approved)\b|\ball (?:agreed|in favou?r)[.!]*$/iu,
      unless: /\b(?:not|isn't|once|when|until|if) (?:it's |it is |that's )?(?:settled|decided)\b/iu,
    },
    {
      confidence: 0.94,
      personOnly: true,
      pattern:
        /\blet's (?:go with|use|stick with|stick to|switch to|adopt|settle on|drop|postpone|cancel|call off|move|plan on|keep|skip|merge)\b (?!(?:\p{Alpha}+ing|it|that|this|going|up|moving|in touch)\b)\S/iu,
    },
    {
      confidence: 0.94,
      personOnly: true,
      pattern:
        /\bwe(?:'re| are|'ll| will)(?: not)? (?:going with|going to (?:go with|use|adopt|switch|drop|move|keep|cancel|postpone|launch|power|stay|ship)|sticking with|switching (?:to|from)|settling on|go with|use|adopt|switch to|drop|keep|power|stick with|not \w+)\b (?!(?:it|that|this|in touch|going|up|an eye|you)\b)\S/iu,
    },
    {
      // "I'm going with mirrors instead of raid."
      confidence: 0.93,
      personOnly: true,
      pattern:
        /\bI(?:'m| am|'ll| will)(?: now| not| just)? (?:going with|go with|sticking (?:with|to)|stick with|switching (?:to|from)|switch to|settling on|settle on|dropping out of|opting for)\b (?!(?:it|that|this|you|her|him|them|my (?:sister|brother|mum|mom|dad|friends?|family))\b)\S/u,
    },
    {
      confidence: 0.92,
      pattern:
        /\b(?:has been|have been|was|were|is|are) (?:approved|cancelled|canceled|postponed|rescheduled|called off|dropped|scrapped|rejected|abandoned|put off|chosen|selected|discontinued)\b|\b[Yy]ou(?:'re| are) (?:\p{Upper}{2,} )?(?:GO|go|cleared) (?:for|to)\b/u,
    },
    {
      confidence: 0.9,
      pattern: /^(?:yes|no|ok|okay|sure),? (?:but )?(?:keep|drop|use|leave|delete|cancel|go with|move)\b/iu,
    },
    {
      confidence: 0.86,
      personOnly: true,
      pattern:
        /\bwe (?:drop|keep|cut|cancel|postpone|stop|switch to|go with|ship|launch)\b(?! (?:it|that|this|in touch)\b)/iu,
      // "The island where we keep the boat": what it is, and nothing settled.
      unless: /\b(?:where|which|that|who|when|how|why|if) we\b/iu,
    },
  ]),
  ...cuesOf('decision', [
    { confidence: 0.9, personOnly: true, pattern: /\bwe recommend(?:ed)? (?:that|using|to|the|a)\b/iu },
  ]),
  ...cuesOf('preference', [
    {
      personOnly: true,
      confidence: 0.82,
      pattern:
        /^(?!(?:it|that|this|these|those|there|here)\b).{3,100} I (?:really |always |especially )?(?:love|enjoy|like|hate|dislike|prefer)[.!]?$|\bI (?:[a-z]+ )?(?:do|play|read|run|walk|swim|train|work out|meditate|practi[cs]e|eat|drink|cook|go|write|paint|take|exercise|drive|bike|cycle)\b.{0,80}\b(?:every|each) (?:single )?(?:day|morning|evening|night|week|weekend|\w+day)s?\b/iu,
    },
  ]),
  ...cuesOf('relationship', [
    {
      confidence: 0.95,
      pattern: new RegExp(
        `\\b(?:${name}(?:, [^,]{3,40},|,| next door| upstairs| downstairs| from [^,;.]{3,20})?|${whose} (?:[a-z][\\w-]* ){0,2}?(?:${kin})) (?:is|was|are|'s) ${whose} (?:[a-z][\\w-]* ){0,2}?(?:${kin})\\b(?!'s)`,
        'u',
      ),
    },
    {
      // "Ms Roth, who runs the kiosk, is the aunt of Jonas."
      confidence: 0.95,
      pattern: new RegExp(
        `\\b${name}(?:, [^,]{3,40},)? (?:is|was|'s) (?:the|an?) (?:[a-z][\\w-]* ){0,2}?(?:${kin}) of (?:(?:(?:little|old|young|big) )?${name}|[Mm]ine|[Oo]urs|[Mm]y|[Oo]ur|[Hh]is|[Hh]ers?)\\b`,
        'u',
      ),
    },
    {
      confidence: 0.9,
      pattern: new RegExp(
        `\\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er) (?:[a-z][\\w-]* ){0,2}?(?:${kin}),? (?:is |is now |is called |is named |named |called |'s name is |is a (?:guy|woman|man) called )${name}`,
        'u',
      ),
    },
    {
      confidence: 0.93,
      pattern: new RegExp(`^(?:My|Our) (?:[a-z][\\w-]* ){0,2}?(?:${kin}),? ${name} (?:is|was|works|lives|has)\\b`, 'u'),
    },
    {
      confidence: 0.9,
      pattern: new RegExp(
        `(?:^|[,;:] )(?:I|${name}) (?:works? (?:for|with|at|on|under)|reports? to|manages?|is married to|is engaged to|is dating|(?:is|am) responsible for|(?:is|am) in charge of|owns|leads|heads|runs|reviews|looks after|takes over|took over(?: from)?|shares?(?: an?| the)? \\w+ with|is (?:now )?(?:the|our|my|their|his|her) (?:[\\w-]+ ){0,4}?(?:lead|manager|owner|head|ceo|cto|cfo|founder|contact|maintainer|director|author|chair|president|treasurer|commander|pilot|engineer|editor|coach|caretaker|lawyer|accountant|contact person|successor|reviewer))\\b`,
        'u',
      ),
    },
    {
      confidence: 0.9,
      pattern:
        /\bI(?:'m| am|'ve been| have been) (?:now |happily |still )?(?:married|engaged|dating|divorced|single|seeing)\b|\b(?:and I|we)(?:'re| are|'ve been| have been)? (?:split up|broke up|got (?:married|engaged|divorced)|married|divorced|together|dating)\b|\bI have (?:a|an|two|three|four|five|\d+) (?:[a-z]+ ){0,2}?(?:kids?|children|sons?|daughters?|brothers?|sisters?|siblings|dogs?|cats?|pets?)\b/iu,
      unless: /\bsingle (?:one|day|time|thing|most)\b/iu,
    },
    {
      confidence: 0.88,
      pattern: new RegExp(
        `\\b(?:[Ii]t's|[Tt]hat's|[Tt]his is|[Hh]e's|[Ss]he's) ${whose} (?:[a-z]+ ){0,2}?(?:${kin})\\b|^${name} is (?:my|our) \\S`,
        'u',
      ),
    },
  ]),
  ...cuesOf('entity', [
    {
      confidence: 0.91,
      pattern: new RegExp(
        `^(?:The |Project )?${name} is (?:a|an|the|our|my) (?:[\\w-]+ ){0,4}?(?:${things})\\b(?! (?:lead|manager|owner|head|director|engineer|editor|founder|team|maintainer|contact|coach|officer|designer|developer|assistant|member)\\b)|^(?:The )?${name} is the name of\\b`,
        'u',
      ),
      unless:
        /\bis an? (?:must-|great|beautiful|really|good|nice|lovely|fun|awesome|amazing|wonderful|such|perfect|fantastic|cool)/iu,
    },
    {
      confidence: 0.88,
      pattern: new RegExp(
        `\\b(?:[Aa]|[Aa]n|[Aa]nother|[Oo]ur|[Mm]y|[Tt]he|[Tt]his) (?:(?!(?:section|page|step|line|item|button|field|column|tab|menu|switch|file|folder|movie|film|book|song|show)\\b)[\\w-]+ ){1,4}?(?:is |are )?(?:called|named) "?${name}`,
        'u',
      ),
    },
  ]),
  ...cuesOf('skill', [
    {
      confidence: 0.94,
      tags: ['procedure'],
      personOnly: true,
      pattern:
        /^(?:to (?!(?:be|me|us|the|a|an|my|your)\b)|(?:when|whenever|if) (?!(?:you're|I was|we were)\b))[^,.;]{3,80}, (?:(?:don't|do not|never) [^:;,]{2,40}[:;] ?)?(?:first |always |just |please |then )?(?:(?:you|we) (?:must|have to|need to|should|first|just|can) )?(?:run|use|open|click|set|call|go to|start|copy|type|execute|add|edit|press|select|check|log|ssh|export|install|push|create|choose|enter|merge|tag|bump|build|restart|stop|rename|move|pull|fetch|apply|write|send|ask|fill|put|take|switch|turn|connect|update|delete|remove|hold|replug|plug|unplug|wait|clear|clean|reset|reboot|lift|light|empty|close|pour|heat|unscrew|tell|ring|kill|drain|flush|scan|sign|make|give|cut|drop|scrape|feed|push|tap|knock|shake|stir|add|let|leave|rinse|wipe|dry|soak|bake|cool|warm|loosen|tighten|screw|slide|twist|whisk|fold|strain|oil|grease|sand|glue|press|blow|bleed|prime|top)\b/iu,
    },
    {
      confidence: 0.9,
      tags: ['procedure'],
      personOnly: true,
      pattern:
        /\bthe (?:right |correct |usual |best |easiest )?way (?:to|we|i) [^,.;]{3,60} is (?:to|by) \w+ \S|\b(?:the|our|my) (?:[\w-]+ ){0,2}?(?:process|procedure|workflow|routine|runbook|checklist|recipe) (?:for [^,.;]{3,60} )?(?:is (?:to|as follows|always|first)|goes)\b/iu,
    },
    {
      // "Grandma's way with sourdough: feed it at night", "the trick with the lock is to lift the door".
      confidence: 0.93,
      tags: ['procedure'],
      personOnly: true,
      pattern:
        /^(?:[\p{Alpha}'’-]+ ){1,3}(?:way|trick|method|knack|secret|recipe|routine) (?:with|to|for|of) [^:.?]{3,60}(?::| is to| is that you) (?!(?:it|that|this|just|be)\b)[a-z]+ \S+ \S/iu,
    },
    {
      // "Mira can weld aluminium now."
      confidence: 0.92,
      pattern: new RegExp(
        `^(?:${name}|(?:My|Our) (?:[a-z-]+ )?(?:${kin})(?: ${name})?) can (?:also |now |even )?(?!(?:be|see|come|go|have|get|do|take|make|stay|join|use|help|say|think|only)\\b)[a-z]+ .*\\b(?:now|up to|by (?:him|her|them)self|without (?:help|supervision)|fluently|blindfolded)\\b`,
        'u',
      ),
    },
    {
      confidence: 0.93,
      pattern:
        /\bI(?:'m| am) (?:very |quite |pretty |fairly |\w+ )?(?:fluent|proficient|experienced|certified|skilled|trained) (?:in|at|with|as)\b|\bI (?:also )?(?:know how to|learn(?:ed|t) (?:how )?to|can (?:speak|play|sail|ride|code|swim|cook|sew|knit|read|type|juggle|dance|fly|ski|surf|weld)|speak (?:a little |some |\w+ly )?\p{Alpha}|play (?:the )?(?:piano|guitar|violin|viola|clarinet|drums|flute|cello|saxophone|trumpet|ukulele|bass|harp|organ|oboe|chess))/iu,
      unless: /\blearn(?:ed|t) to (?:love|appreciate|accept|live|trust|be)\b/iu,
    },
    {
      confidence: 0.92,
      pattern:
        /\bI(?:'ve| have) been (?:\w+ly )?[a-z]+ing\b.{0,60}\bfor (?:over |almost |about |around |nearly |more than |at least )?(?:\d+|a few|several|many|two|three|four|five|six|seven|eight|nine|ten) (?:years|decades)\b|\bI started (?!(?:a|an|the|my|this|that|being|feeling|thinking)\b)[a-z]+ing\b.{0,40}\byears? ago\b/iu,
      unless:
        /\bbeen (?:trying|wanting|meaning|looking|thinking|waiting|having|going|feeling|doing|living|working|married)\b/iu,
    },
    {
      confidence: 0.9,
      pattern:
        /\b(?:I|I'm|I've|I have)(?: also| recently| just| finally| been| am)? (?:started|begun|began)? ?(?:learning|taking (?:lessons|classes|a (?:course|class)) in|studying) (?!(?:about|that|more|a lot|from|so|new|how)\b)\S/iu,
    },
  ]),
  ...cuesOf('moment', [
    {
      confidence: 0.9,
      pattern:
        /\b(?:we|i)(?:'ve|'d| have| had)? (?:just |recently |already )?(?:had|got|hit|ran into|encountered|experienced|lost) (?:a|an|another|the|some)(?: [\w-]+){0,3}? (?:problem|issue|outage|accident|incident|failure|setback|undervolt|alarm|leak|crash|explosion|fire|flood|breakdown|injury|surgery|fight|scare|breakthrough|baby|puppy|job|offer|promotion)s?\b/iu,
    },
    {
      confidence: 0.88,
      pattern: new RegExp(
        `\\b(?:${milestones})\\b.{0,160}\\b(?:${ended}|today|on (?:last )?${weekdays})\\b|\\b(?:${ended}|today|on ${weekdays})\\b.{0,160}\\b(?:${milestones})\\b`,
        'iu',
      ),
      unless: /\b(?:will|going to|since|used to|no longer)\b/iu,
    },
    {
      confidence: 0.86,
      pattern: new RegExp(
        `\\b(?:I|[Ww]e|[Mm]y [a-z]+(?: and I)?|${name} and I|[Ss]he|[Hh]e|[Tt]hey)(?:'ve| have| had| has)?(?: (?:just|finally|recently|also|even|actually|officially))? (?:won|launched|graduated|got (?:married|engaged|promoted|hired|fired|accepted|the keys|a new|the job)|adopted|gave birth|passed|signed|completed|visited|attended|bought|sold|quit|lost|hosted|joined|hiked|celebrated|met|finished|organi[sz]ed|volunteered|moved|received|went (?:to|on|camping|hiking|for|with|skiing|fishing)|took (?:a trip|part|my|our)|made (?:a|my|our|some)|found|tried|saw|started)\\b`,
        'u',
      ),
    },
    {
      confidence: 0.85,
      pattern:
        /^(?:just |finally |recently )?(?:went|got|took|bought|made|had|finished|started|visited|saw|met|watched|joined|signed up|ran|moved|sold|helped) (?:a|an|my|our|the|to|with|up|back|some|another|in|on)\b/iu,
    },
    {
      confidence: 0.86,
      pattern:
        /\b(?:exploded|crashed|ruptured|went down|broke down|caught fire|flooded|died|passed away|was born|were born|was (?:hacked|breached|struck|damaged|destroyed|stolen)|is (?:leaking|venting|on fire))\b/iu,
      unless: /\b(?:when|while|before|after|since|because)\b/iu,
    },
  ]),
  ...cuesOf('fact', [
    {
      confidence: 0.97,
      pattern:
        /(?:^|[,;-] |\band )(?:just )?(?:fyi|for the record|for future reference|n\.b\.|be advised)\b|^(?:important|note|one note|heads[- ]up|nb)\s?[:,] ?\S|^(?:note|keep in mind|bear in mind) that\b/iu,
      // "Heads up: never edit …": a rule, whatever leads in.
      unless: /^[^:,]{1,20}[:,] ?(?:please )?(?:never|always|don['’]t|do not) /iu,
    },
    {
      confidence: 0.97,
      pattern:
        /\b(?:my|\p{Upper}\p{Lower}+'s|our|his|her) (?:[a-z]+ ){0,2}?(?:name|e-?mail(?: address)?|(?:phone|mobile)(?: number)?|number|employer|role|job|title|address|birthday|anniversary|time ?zone|username|handle|nationality|hometown) (?:is|are|changed)\b/iu,
    },
    {
      confidence: 0.93,
      pattern:
        /\bI (?:(?:currently|also|still|now) )?(?:work (?:at|for|in|as)|live (?:in|at|near|on|with)|grew up|was born|study at|studied|majored in|am based in|own|teach)\b|\bI(?:'m| am) (?:originally )?from \p{Upper}/u,
    },
    {
      confidence: 0.9,
      pattern:
        /\b(?:no longer|not [^.;]{2,40} any ?more|is now|are now|has moved|have moved|moved (?:from|to)|switched (?:from|to)|replaced|renamed|migrated|went up to|went down to|since|used to|from (?:january|february|march|april|may|june|july|august|september|october|november|december|\w+day|the) .{2,20} on|as of)\b/iu,
    },
    {
      confidence: 0.9,
      tags: ['lesson'],
      pattern:
        /\b(?:lessons? learned|the lesson (?:here )?(?:is|was)|(?:i|we)(?:'ve| have)? (?:learned|learnt|found out|discovered|realized|realised|confirmed|verified|established) (?:that\b|the hard way)|the (?:root cause|culprit|underlying (?:problem|cause)|cause|fix|solution|trick|workaround) (?:is|was|of|for)|(?:was|is|were) caused by)\b|^(?:as )?(?:it )?turn(?:s|ed) out\b(?! to\b|,)/iu,
    },
    {
      // "The build was slow because the cache was cold."
      confidence: 0.9,
      tags: ['lesson'],
      pattern:
        /^(?:The|Our) [^,;]{2,60}?\b(?:failed|fails|broke|crashed|hung|leaked|stalled|(?:was|were|is|are|went) (?:slow|late|red|down|broken|empty|wrong|missing|stuck|flaky|failing|unreachable|offline)) (?:[\p{Alpha}\d ]{0,30} )?because (?!(?:I|he|she|you)\b)/u,
    },
    { confidence: 0.9, pattern: /\bbirthday|\banniversary/iu },
    {
      // "I'm allergic to penicillin, found out in 2011": what somebody has, whenever it showed.
      confidence: 0.89,
      pattern:
        /\b(?:am|is|'m|'s|are) (?:badly |severely |mildly |slightly |a )?(?:allergic to|lactose intolerant|gluten intolerant|diabetic|co?eliac|asthmatic|epileptic|colou?r[- ]?blind|dyslexic)\b/iu,
    },
    // Whatever is worth keeping and is nothing else.
    { confidence: 0.75, pattern: /\S/u },
  ]),
];

/** The words that name the day by which something is due, before those of any other day. */
export const dueWords = new RegExp(`${byDay}|\\bdue (?:on )?${markedDay}`, 'iu');
