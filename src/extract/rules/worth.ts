// Whether a sentence is worth keeping: traits of its words, each with a weight, and their sum. What kind of thing it is,
// categories.ts decides.

import { caseless, type Tester } from '../../base/caseless.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { MemoryCategory } from '../../records/types.ts';
import { namesIn } from '../names.ts';
import { saysSomething } from '../sentences.ts';
import { unnamedThing } from './definite.ts';
import { mistaken } from './openings.ts';
import { anyOf, kin } from './words.ts';

/** What is known of a sentence beside its words. */
export interface Setting {
  /** What kind of thing its words say it is, where they do. */
  readonly category?: MemoryCategory;
  /** It says of a matter what somebody has just asked of it: then it matters, whatever it is. */
  readonly isAskedFor?: boolean;
  /** What it asks for is meant for every time. */
  readonly isStanding?: boolean;
  /** The turn that a program said is long: advice, lists, reports. */
  readonly isEssay: boolean;
  /** It was said by a program, with a name or without. */
  readonly isAgent: boolean;
  /** It was said by a program without a name. */
  readonly isProgram: boolean;
  /** People by name talk with each other: more of it is small talk than of what somebody tells a program. */
  readonly isTalk: boolean;
  /** It opens a turn that follows somebody's question for a name, a place, a time or a number. */
  readonly answers: boolean;
}

const irregular =
  anyOf(`went got had made took bought saw met came gave found told said left lost won ran flew drove rode swam built began broke brought
  caught chose did drank ate fell felt forgot grew heard held hurt kept knew led lent let lay paid put quit read rang sang sat sold sent set shot slept spent
  spoke stood stole swore taught threw thought understood woke wore wrote cut hit cost dropped was were became beat bent bet dug drew fought froze hid laid`);
const participle =
  anyOf(`been gone got gotten had made taken bought seen met come given found told left lost won run flown driven begun broken brought chosen done
  drunk eaten fallen grown heard held kept known led paid put quit read sold sent set spent spoken taught written hit become known`);
const past = `(?:${irregular}|[a-z]{2,}ed)`;
const adverbs =
  '(?: (?:just|also|finally|recently|already|even|actually|once|both|all|really|never|always|first|then|only|still|currently|now|mostly|usually|personally|literally|definitely|originally))?';
const months =
  'january|february|march|april|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec';
const weekdays = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const quantity =
  anyOf(`two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
  million dozen half twice double couple`);

const judgement =
  anyOf(`great awesome amazing beautiful wonderful fantastic incredible lovely nice cool good fun perfect super impressive gorgeous delicious stunning adorable cute
  interesting inspiring exciting special magical memorable unforgettable best worst tough hard difficult easy bad terrible awful horrible weird strange funny hilarious crazy insane
  wild soft juicy tasty yummy crispy refreshing relaxing peaceful calming soothing engaging captivating mesmerizing fascinating powerful meaningful important key crucial essential
  rewarding fulfilling challenging frustrating annoying boring sad happy scary intense big huge unique true real worth must blast treat treasure dream gem joy pleasure
  pain mess hit way lot matter part reminder top okay ok solid decent overrated underrated popular classic masterpiece iconic legendary priceless comforting heartwarming
  breathtaking charming vibrant lively rich wholesome surreal bittersweet emotional quiet loud cozy comfy understandable helpful useful`);
const notAName =
  '(?:It|That|This|These|Those|There|Here|They|You|I|We|He|She|What|Who|Which|How|Why|When|Where|If|One|Everything|Something|Nothing|Everyone|And|But|So|Yes|No)\\b';

const of = (source: string, flags = 'iu'): RegExp => new RegExp(source, flags);

const patterns = {
  // What it names.
  number: /\d/u,
  quantity: of(`\\b(?:${quantity})\\b`),
  measure:
    /[$€£¥]\s?\d|\d\s?(?:%|[ap]\.?m\b|k\b|km|kg|mg|ml|cm|gb|mb|kb|ms|min\b|(?:euros?|dollars?|pounds|percent|per cent|hours?|minutes?|seconds?|days?|weeks?|months?|years?|miles|kilomet|met(?:er|re)s|lit(?:er|re)s|people|times|users|nodes)\b)/iu,
  /** "I have choir on Tuesdays." */
  weekly: of(
    `\\b(?:I|we|my|our)\\b.*\\b(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)days|every (?:mon|tues|wednes|thurs|fri|satur|sun)day)\\b`,
  ),
  day: of(`\\b(?:${months}|${weekdays}|(?:19|20)\\d\\d|\\d{1,2}(?:st|nd|rd|th)|may \\d|\\d of may|in may)\\b`),
  clock:
    /\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?[ap]\.?m\b|\b(?:noon|midnight|o'clock)\b|\bat (?:\d{1,2}|six|seven|eight|nine|ten|eleven)\b/iu,
  pastTime:
    /\b(?:yesterday|last (?:night|week|weekend|month|year|spring|summer|fall|autumn|winter|time|\w+day)|ago|this morning|recently|lately|the other (?:day|night|week)|earlier (?:this|today)|since|back in|years? back|these days|over the (?:weekend|summer|holidays))\b/iu,
  nextTime:
    /\b(?:tomorrow|tonight|next (?:week|weekend|month|year|spring|summer|fall|autumn|winter|time|\w+day)|this (?:weekend|week|month|year|summer|semester|season)|soon|later (?:this|today)|upcoming|in (?:a|an|\w+) (?:days?|weeks?|months?|years?)|by (?:the end|then|\w+day))\b/iu,
  span: /\bfor (?:over |about |almost |nearly |more than |at least |the past |the last )?(?:an?|\d+|many|several|two|three|four|five|six|seven|eight|nine|ten|a few|a couple of) (?:days?|weeks?|months?|years?|decades?|hours?)\b|\b(?:first|second|third|last) (?:time|day|week|year)\b/iu,
  repeat:
    /\b(?:every|each) (?:other |single )?(?:day|morning|evening|night|week|weekend|month|year|\w+day)|\b(?:once|twice|\d times|three times|\w+ hours?|\w+ days?) (?:a|per) (?:day|week|month|year)\b|\b(?:daily|nightly|weekly|monthly|yearly|usually|normally|regularly)\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b/iu,
  literal:
    /https?:|\w@\w|\b[\w-]+\.(?:[a-z]{2,4}|internal|example)\b|(?:^|\s)[./~]?[\w.-]+\/[\w./-]+|\b[a-z]+[A-Z]\w+|\b\p{Upper}{2,}\d*\b|\b\w+_\w+|`[^`]+`|\b(?:port|version|branch) \S/u,
  place: /\b(?:in|at|to|from|near|around|across|through|with|by|for) (?:the )?\p{Upper}[\p{Alpha}\d]/u,
  title: /["“][\p{Upper}\d][^"”]{2,60}["”]|\b(?:called|named|titled) ["“\p{Upper}]/u,
  kin: of(
    `\\b(?:my|our|his|her|their|\\p{Alpha}+'s) (?:[\\w-]+ )?(?:${kin}|kids|children|friends|team|company|dog|cat|puppy|kitten|pet)s?\\b`,
  ),
  mine: /\b(?:my|our) \p{Alpha}/iu,
  // What it says of whom.
  iDid: of(
    `\\b(?:I|we)${adverbs} ${past}\\b|^(?:just |also |finally |recently |actually )?(?:${anyOf('went got took bought made had finished started tried visited saw met been watched played joined signed ran moved sold booked wrote helped cancelled canceled')}|[a-z]{2,}ed (?:up|off|out|down|in|away|over|back) (?:my|the|an?|our|some))\\b`,
  ),
  iHave: of(`\\b(?:I|we)(?:'ve|'d| have| had)${adverbs} (?:${participle}|[a-z]{2,}ed)\\b`),
  iWill:
    /\b(?:I|we)(?:'ll| will| shall|'m going to|'re going to| am going to| are going to|'m gonna|'re gonna| plan| intend| aim| have to| need to| must|'m planning|'re planning)\b|^(?:going to|gonna|planning)\b/iu,
  iHope:
    /\b(?:I|we)(?:'m|'re| am| are)?(?: also| really)? (?:thinking (?:of|about)|hop(?:e|ing) to|looking forward|considering|want(?:ed)? to|would like to|'d like to|trying to|excited (?:to|for|about)|dream(?:ing)? of)\b/iu,
  iDo: of(
    `\\b(?:I|we)(?:'m|'re| am| are)${adverbs} [a-z]+ing\\b|^(?:been |currently |still )?[a-z]+ing (?:a|an|my|our|the|on|for|with|at|some)\\b`,
  ),
  iAm: of(
    `\\b(?:I|we)(?:'m|'re| am| are)${adverbs} (?:a|an|the|from|in|at|on|based|married|engaged|single|divorced|allergic|vegan|vegetarian|fluent|part|with|responsible|member|head|\\d|not)\\b|^im\\b`,
  ),
  iOwn: /(?:^|[,;] |\b(?:and|but|so|because|now|that) )(?:I|we|We)(?:'ve got)?(?: (?:also|currently|still|now|only|both|all|mostly|mainly|usually|always|never))? (?!(?:am|are|was|were|will|would|could|can|can't|should|might|may|must|think|feel|guess|hope|wish|know|see|hear|mean|bet|believe|suppose|understand|agree|get|got|went|had|did|want|need|love|like|hate|just|really|have|say|said|don't|didn't|do|try|miss|totally|actually|found|saw|felt|thought|knew|made|took|came|told|gave|met|ran|ate|bought|left|kept|sat|lost|won)\b)[a-z]+(?<!ed|ly) \S|\b(?:I|we|We)(?:'ve got| have| own)(?: also)? (?:a|an|two|three|four|five|six|no|\d+|my|our) /u,
  theyDid: of(
    `^(?:The|Our|My|His|Her|Their|An?|(?!${notAName})\\p{Upper}[\\p{Alpha}'.-]+)(?: [\\w'.-]+){0,4} (?:has|have|had|${past})\\b`,
    'u',
  ),
  theyAre: of(
    `^(?:The|Our|My|His|Her|Their|(?!${notAName})\\p{Upper}[\\p{Alpha}\\d'./-]*)(?: [\\w'./@-]+){0,6} (?:is|are|was|were|will be)\\b`,
    'u',
  ),
  theyDo:
    /^(?!(?:This|That|Its?|Always|Perhaps|Thanks|Yes|There|Here|What|Who|How|Lets)\b)(?:(?:The|Our|My|His|Her|Their|An?) )?[\p{Alpha}\d'./@-]+(?: [\p{Alpha}\d'./@-]+){0,4} (?!(?:this|his|is|as|was|has|always|perhaps|yes|us)\b)\p{Lower}{2,}(?<!s)s\b/u,
  change:
    /\b(?:now|no longer|not any ?more|any ?more|instead(?: of)?|rather than|moved|switched|changed?|replaced|migrated|renamed|as of|from now on|starting|these days|took over|takes over|became|becomes|back (?:to|on|in|at)|again|quit|retired|stopped|until|used to|new)\b/iu,
  cause: /\b(?:because|since|due to|so that|which is why|that's why|in order to|thanks to)\b/iu,
  status:
    /\b(?:open|closed|broken|down|red|green|blocked|done|finished|ready|due|full|empty|missing|failed|fails|fixed|works? (?:on|with|for|at)|runs?|owns?|leads?|handles?|reviews?|responsible|in charge|belongs?|costs?|takes?|holds?|lies|stands|sits|contains?|needs?|requires?|supports?|allows?|starts?|ends?|expires?|opens?|closes?|meets?|hosted|located|stored|written in|kept|lives?)\b|\b(?:has|have) (?:the|an?|no|\d)\b/iu,
  located:
    /\b(?:is|are|'s|was|were|live|lives|lies|sits?|stands?|stays?|goes?|runs?|hangs?|kept|stored) (?:\w+ )?(?:in|at|on|under|behind|below|above|with|from|until|till|by|next to|near|through) (?!(?:it|that|this|fire|time|track|me|you|point)\b)\S/iu,
  news: of(
    `\\b(?:I|we|my \\w+|our \\w+)(?:'ve|'s| have| has|'m| am|'re| are)? (?:just|finally|recently|officially|already) (?:${past}|${participle}|[a-z]+ing)\\b`,
  ),
  atWork:
    /\b(?:I|we)(?:'m|'re| am| are|'ve been| have been)(?: also| currently| still| now| just)? (?:working on|writing|building|developing|studying|training for|learning|preparing|planning|organi[sz]ing|renovating|applying|saving|taking|reading|playing|running|teaching|making|practi[sc]ing|volunteering|moving|flying|leaving|getting|starting|porting|migrating|switching) (?!(?:it|that|this|so|too|very|up|about|to (?:know|see))\b)\S/iu,
  trouble:
    /\b(?:problems?|failures?|failed|outage|broken?|broke|crash\w*|errors?|accident|injur\w+|leak\w*|stolen|died|dead|burn\w*|fire|flood\w*|delayed|late|missing|out of|wrong|bugs?|down)\b/iu,
  namedSubject: of(
    `^(?!${notAName})\\p{Upper}\\p{Lower}+(?: \\p{Upper}\\p{Lower}+)?(?: and (?:I|\\p{Upper}\\p{Lower}+))? (?:is|are|was|has|have|had|will|does|did|no longer|${past}|\\p{Lower}+[^s]s) `,
    'u',
  ),
  // What takes away from it.
  you: /\b(?:you(?!(?: are|'re) (?:go|cleared)\b)|your|yours|you're|you've|ya|u|yourself)\b/iu,
  praise:
    /\b(?:great|awesome|amazing|beautiful|wonderful|fantastic|incredible|lovely|nice|cool(?! (?:down|off|for|to|in)\b)|good|fun|perfect|super|impressive|gorgeous|delicious|stunning|adorable|cute|interesting|inspiring|exciting|special|magical|memorable|unforgettable|best)\b/iu,
  bareThe:
    /\b(?:love|like|enjoy|liked|loved|enjoyed|hate)s? (?:the|those|these) \p{Alpha}+(?: and (?:the )?\p{Alpha}+)?[.!]*$/iu,
  home: /\b(?:got|get|getting|left|went|going|heading|headed|back) (?:home|back|up|to (?:bed|sleep|work)|the office|from work)\b|\bjust (?:had|ate|woke|got off|finished (?:eating|work))\b|\bhead(?:ing|ed)? to bed\b|\bhad (?:an?|such an?) (?:[\w-]+ ){0,2}(?:day|time|week|night|laugh|chat|experience)[.!]*$|\brn$/iu,
  kinds: of(
    `^(?!${notAName})\\p{Upper}\\p{Lower}+s (?:are|have|can|do|get|make|need|keep|take|bring|help|really|always)\\b|^(?!.*\\b(?:I|my|we|our)\\b)\\p{Upper}\\p{Lower}+ing(?: [a-z]+){0,3} (?:is|are|was|can|helps|makes)\\b|^(?:Family|Life|Love|Friendship|Nature|Music|Art|Health|Hope|Change|Success|Progress|Balance|Patience|Kindness) (?:is|are|can|means|has|makes)\\b|^Don't be\\b`,
    'u',
  ),
  // Talk about a film, a game, a dish or a town, which nobody here made, has or did.
  fiction:
    /^(?!.*\b(?:I|my|we|our|me|us)\b).*\b(?:characters?|episodes?|seasons? (?:\d|one|two|three)|plots?|storylines?|villains?|protagonists?|gameplay|anime|manga|franchise|sequels?|trilog\w+|DLC|movies?|films?|novels?|series|goddess|mythology|playlist|album|boss fight|levels?)\b/iu,
  brochure:
    /^(?!.*\b(?:I|my|we|our|me|us)\b).*\b(?:offers? (?:an?|the|\p{Alpha}+ (?:range|array|variety|experience))|(?:range|array|blend|mix) of|revolves? around|world leader|packed with|known for|making it an?|a way of|famous for|takes place in|is set in|rich in|full of|a must|dates? back)\b/iu,
  maxim:
    /^(?!.*\b(?:I|my|we|our|me|us)\b)(?:\p{Upper}\p{Lower}+ing|Progress|Success|Change|Life|Love|Time|Trust|Family|Friends|Friendship|Practice|Patience|Balance|Growth|Health|Music|Art|Nature|Kindness|Hard work|Small steps|Every\p{Alpha}+ \p{Alpha}+) (?:\p{Lower}+ ){0,4}?(?:always|never|takes|brings?|makes?|gives?|opens?|teaches|matters?|helps?|heals?|counts?|requires?|starts? with|comes? from)\b/u,
  hour: /\bjust (?:had|ate|grabbed|made|cooked|drank|woke|finished|ordered) (?:some |an? |my |the )?(?:\p{Alpha}+ )?(?:coffee|tea|lunch|dinner|breakfast|brunch|snacks?|food|meal|shower|nap|pizza|soup|sandwich)\b|\b(?:currently|right now|rn) (?:out|at|on|in|having|eating|watching|getting|making|cooking|drinking|listening|sitting)\b|\bas for (?:my|the|this) (?:evening|night|afternoon|day)\b|\b(?:had|ate|got|made|cooked|ordered|have|cooking|making|ordering|eating) (?:[\p{Alpha}'-]+ ){0,5}(?:earlier|just now|for (?:breakfast|lunch|dinner|brunch)|tonight)[.!]*$|^(?:eating|having|watching|drinking|cooking|sitting|lying|waiting|heading|listening)\b/iu,
  aTime:
    /\bhad (?:an?|such an?|so much) (?:[\w-]+ ){0,2}(?:day|time|week|night|laugh|chat|experience|fun|blast)(?: (?:last|this|on|over|yesterday|today|together|too|there)\b[\w ]{0,16})?[.!]*$|\bhuge fan[.!]*$/iu,
  // It leaves open which: "a milestone moment", "some big names", "a new recipe and".
  unnamed:
    /\b(?:an?|some|any|one|the|another|such an?) (?:[\p{Alpha}-]+ ){0,2}(?:experiences?|milestones?|moments?|setbacks?|times?|win|trophy|things?|stuff|names?|ideas?|changes?|thoughts|days?|weekends?|vibes?|chances?|challenges?|bit|ton|loads|lots?|one|ones|movie|game|book|show|recipe|pic|photo|picture|salad|dinner|lunch|food)(?=[.!,]|$| (?:and|but|so|that|on|at|in|with|today|yesterday|last|this|I|we|of (?:it|them|that))\b)/iu,
  // The one that was spoken of: "the game", "that world".
  theOne:
    /(?<!\b(?:to|at|in|on|into|through|around|of|for|from|by|near|all|over) )\b(?:the|that|those) (?!(?:day|week|weekend|month|year|morning|evening|afternoon|night|summer|winter|time|kids|outdoors|internet|world|best|same|first|most|piano|guitar|cello|violin|drums)\b)(?:whole |entire )?[\p{Lower}-]{3,}(?=[.!,]|$| (?:and|but|so|is|was|on|online|because|yet|when|before|after|again|now)\b)/iu,
  // It gives back what somebody else just said.
  echoed:
    /\bindeed\b|\bdo(?:es)? (?:look|sound|seem|make|have)\b|\bsounds?\b|\b(?:beyond words|like no other|no doubt|trust me|thrilled (?:to hear|for)|glad (?:to hear|you)|smart (?:move|choice|idea)|wise (?:move|choice))\b/iu,
  tail: /^(?:until|almost|mostly|packed|talk|like|such|just like|kind of|sort of|except|besides|or|nor|than|especially|probably|not|have an?|fold|next,|picked(?! (?:up|out))|add|mix|stir)\b/iu,
  request: /\bremind (?:me|us|him|her|them)\b|\bdon't forget to\b(?=.*(?:\d|\w+day\b|tomorrow|tonight))/iu,
  relative:
    /^(?:the|those|these|an?|any|all)(?: [\w-]+){1,3}(?: that| which)? (?:I|we|you|they)(?:'ve|'d| have|'re| are| just)?(?: just)? [a-z]+/iu,
  judged: of(
    `(?:\\b(?:is|are|was|were|be|been|looks?|sounds?|tastes?|feels?|seems?)|\\b(?:[Ii]t|[Tt]h(?:at|is|ere)|[Ss]?[Hh]e|[Ww]h(?:at|o)|\\p{Lower}+)'s|'re)(?: (?:so|very|really|pretty|quite|just|actually|always|also|such|an?|all|definitely|too|super|truly)){0,3} (?:${judgement})\\b`,
    'u',
  ),
  chat: /\bsince we (?:last )?\w+|\bbeen a while|\b(?:news to share|something (?:new|cool|great|funny|crazy) (?:happened|to)|something new|lots? (?:has|have|is|'s) |a lot(?:'s| has)|catch up|what's up|long time)\b|^been (?:a|so|such|really)\b/iu,
  state:
    /\b(?:I'm|im|I am|feeling|we're)(?: \w+)? (?:cold|hot|hungry|full|sleepy|sick|sicker|tired|bored|busy|fine|good|okay|ok|well|back|home|here|done|ready|late|so|just|in the mood|about to|gonna|on my way)\b/iu,
  pronoun:
    /^(?:it|that|they|he|she|there|here|which|who|mine|yours)\b|^(?:this|these|those)(?:'s| (?:is|was|are|were|one|ones|has|will|would|makes?|all|too))\b/iu,
  itIs: /^(?:it|that|this|they|these|those|there)(?:'s|'re| is| are| was| were| sounds?| looks?| seems?| must| feels?| has| makes?| helps?)\b/iu,
  exclaim: /!["”')]*$/u,
  opinion:
    /\b(?:I|we)(?:'m| am)?(?: \w+)? (?:think|feel|believe|guess|hope|wish|suppose|mean|imagine|understand|agree|bet|doubt|wonder|see(?! (?:my|our|dr|an? [a-z]+(?:ist|or|er|io))\b)|hear|glad|sure|sorry|agree|appreciate)\b|\bin my opinion\b/iu,
  courtesy:
    /\b(?:thanks?|thank you|thx|welcome|congrat\w*|good (?:luck|morning|night|evening|job|point|idea|question)|have a (?:great|good|nice)|take care(?! of)|see you|talk (?:soon|later)|bye|hello|hi|hey|cheers|sorry|no worries|of course|sure thing|sounds (?:good|great|like)|glad|delighted|appreciate|proud of)\b/iu,
  modal: /\b(?:could|would|might|may|should|can|can't(?! stand| bear)|cannot|couldn't|wouldn't)\b/iu,
  supposed:
    /\b(?:(?<!even )if|unless|whether|suppose|maybe|perhaps|possibly|probably|hopefully|wish|imagine|might|kinda|not sure|i guess|i'd love|would be|would have|could have)\b/iu,
  generic:
    /\b(?:people|everyone|everybody|someone|somebody|anyone|things?|stuff|something|anything|nothing|life|world|it all|each other|others|way|kind of|sort of|lots? of)\b/iu,
  laugh:
    /\b(?:a?ha(?:ha)+|lol|lmao|omg|hehe|wow|ugh|yay|damn|oops|phew|aww?)\b|[\u{1F600}-\u{1F64F}\u{1F923}-\u{1F929}]/iu,
  picture: /\b(?:photos?|pics?|pictures?|selfies?|images?|screenshots?|video)\b/iu,
  feeling:
    /\b(?:happy|sad|excited|proud|glad|nervous|scared|grateful|thankful|stressed|tired|blessed|lucky|joy|love|feels?|feeling|felt|relaxed|overwhelm\w+|motivated|inspir\w+|passion\w*|emotion\w*|peace\w*|comfort\w*)\b/iu,
  abstract:
    /\b(?:journey|experiences?|memories|strength|support|inspiration|courage|power|growth|hope|dreams?|happiness|mindset|moments?|bonds?|perspective|opportunit\w+|success|progress|challenges?|balance|connections?|community|environment|importan\w+|reminds?|reminder)\b/iu,
  ask: /^(?:let|let's|just|try|keep|check|look|go|enjoy|hang|tell|give|make|come|be|stay|imagine|send|show|can|could|would|let me|feel free|hope|wish|wait|hold|stop)\b/iu,
  vague: /\b(?:it|that|this|them|so|one|there|here|too|though|too much|well|again|also|up|on|in|out|about)[.!,]*$/iu,
  passing:
    /\bhere[.!]?$|\buntil (?:you|we|i)\b|\b(?:right now|at the moment|for now|in a (?:moment|minute|second|bit|sec)|one sec|just a|hold on|on my way|brb|let me|gotta (?:run|go|dash)|have to (?:run|dash)[.!]?$)\b/iu,
  // How somebody feels, strives or was moved.
  mood: /\b(?:I|we)(?:'m|'re| am| are| was| were| feel| felt|'ve been| have been)(?: \p{Alpha}+ly| so| really| just| super| pretty| very| always| also| still| more| been| feeling| a bit| such)* (?:excited|grateful|lucky|proud|thankful|blessed|motivated|inspired|stoked|thrilled|happy|glad|upset|sad|stressed|delighted|determined|jealous|nervous|anxious|worried|overwhelmed|pumped|surprised|amazed|blown|sorry|okay|fine|ready|eager|honou?red|relieved|frustrated|disappointed|curious|confident|committed|optimistic|hopeful|down)\b/iu,
  striving:
    /\b(?:do|doing|did|done|try|trying|tried) (?:my|our|the) best\b|\bmak(?:e|es|ing) (?:\p{Alpha}+ )*(?:difference|impact|change)s?\b|\bkeep(?:s|ing)? (?:going|working|pushing|fighting|making|improving|trying|moving|learning|growing|up)\b|\bmoving forward|\bpaying off|\bback on track/iu,
  effect:
    /\b(?:gives?|gave|brings?|brought|keeps?|kept|makes?|made|helps?|helped|reminds?|reminded|push(?:es|ed)|inspire[sd]?|motivate[sd]?|ground(?:s|ed)?|taught|teaches|drives?|means?|meant) (?:me|us|my|our|a lot|so much|the world)\b/iu,
  noticed:
    /\b(?:I|we)(?: \p{Alpha}+ly| still| just| never| always|'ve)* (?:remember|knew|know|heard|forgot|noticed|reali[sz]ed?|figured|saw|wondered|understood|thought|found (?:that|out)|can't forget|learned that)\b/iu,
  loveIdea:
    /\b(?:love|like|enjoy|hate)[sd]? (?:the )?(?:idea|feeling|thought|sound|vibes?|energy|freedom|way|fact|look)\b/iu,
  // What fills an hour, a body that hurts, "I'm doing well".
  pastime:
    /\b(?:errands?|chores?|catch(?:ing)? up|relax(?:ing|ed)|to.?do list|some (?:work|reading|rest|sleep|time|chill|energy)|check(?:ing)? in|hang(?:ing)? out|stroll|nap|groceries|traffic)\b/iu,
  condition:
    /\b(?:my|our) (?:left |right )?(?:ears?|hands?|arms?|legs?|head|throat|back|stomach|feet|foot|eyes?|nose|mood|muscles)(?: \p{Alpha}+ly| still| especially| all| just| so)* (?:is|are|was|were|feels?|hurts?|still|kind)\b|\b(?:itchy|sore|headache|hungry|sleepy|tired|cold|exhausted)\b|\b(?:I|we)(?:'m|'re| am| are|'ve been| have been|'ve| have)(?: been)?(?: \p{Alpha}+ly| so| just| also| all)* (?:doing|good|great|well|swamped|busy|out|back|stuck|going through|having|feeling)\b/iu,
  justDid: /\bjust (?:got|finished|saw|had|went|made|came|started)\b/iu,
  mustDo:
    /\b(?:I|we)(?: just| only| still| really| also)* (?:want(?:ed)? to|need(?:ed)? to|have to|had to|got to|gotta|should|must)\b/iu,
  slightDeed:
    /\b(?:I|we)(?:'ve|'d| have| had| just| also| even| only)* (?:tried|managed|talked|stayed|wanted|felt|kept|thought|looked|waited|worked (?:on|hard)|did|fought|got (?:through|over|into|back|some)|ended up|raised|seen|had)\b/iu,
  lacking:
    /\b(?:no idea|not (?:really |too |that |so |very |a )?(?:sure|good|big|expert|in mind)|(?:don't|doesn't) (?:know|mind|really|have|matter)|hard to|didn't (?:get|really|wait)|never (?:really|quite)|not much|nothing|wouldn't|couldn't|can't)\b/iu,
  anecdote:
    /\b(?:one time|this one time|there was (?:this|a) (?:\p{Alpha}+ )?(?:guy|man|woman|girl|person|kid)|it felt like|ended up)\b/iu,
  // It points at what was said before: "that event", "behind it".
  openThat:
    /\b(?:that|those|these|this) (?!(?:I|we|you|he|she|it|they|the|my|our|is|was|are|were|can|will|would|has|have|had|morning|evening|afternoon|week|weekend|month|year|summer|winter|fall|spring|semester|season|time|day|night|helps?|makes?|made|gives?|keeps?|really|people|some|there|a|an|all|way|someone|everyone|\p{Alpha}+s)\b)\p{Lower}{3,}/iu,
  openIt:
    /(?<!\b(?:make|makes|made|find|found|and|but|so|because|since|that|think|though|although|when|if|as|says?|said) |, )\b(?:it|them|that|this)(?:[.!,]|$| (?:and|but|so|too|again|a lot|all|there|with|for|to|because|since|in|on|at)\b)/iu,
  openOne:
    /\b(?:ones|another one|(?:use|got|have|had|made|bought|tried|want|need|like|love|get|at|to) one)\b(?! of)|^(?:the )?(?:ones?|both)\b(?! of)/iu,
  openSame: /\b(?:same|similar|other|else|extra)\b(?! (?:as|to|of|than|day|time|people|kids|things|hand))/iu,
  ours: /\bour \p{Alpha}/iu,
  today: /\b(?:today|tonight|this (?:morning|afternoon|evening)|earlier|just now)\b/iu,
  hows: /\b(?:how|what|why|where|whatever)\b/iu,
  unended: /[^.!?"”)]$/u,
  // What marks a life: something begun, made, bought or won, what somebody likes most, work and school, plans.
  deed: /\b(?:I|we|[Mm]y [\p{Alpha}-]+|[Oo]ur [\p{Alpha}-]+)(?: and (?:I|my \p{Alpha}+))?(?:'ve|'s| have| has| just| recently| also| finally| actually| already)* (?:started|signed up|joined|enrolled|bought|moved|visited|travell?ed|graduated|won|adopted|married|got (?:engaged|married|promoted|a|an|my)|finished|lost|sold|built|took up|quit|retired|went to|opened|launched|learned (?:to|how)|volunteered|donated|organi[sz]ed|hosted|booked|received|ran|made (?:an?|my|some)|created|painted|wrote|attended|competed|performed|planted)\b/u,
  favourite: /\b(?:favou?rites?|faves?|fan of|allergic|prefer|can't stand|not a fan|go-to|hooked)\b/iu,
  occupation:
    /\b(?:major(?:ing|ed)? in|degree|internship|job|work(?:s|ed|ing)? (?:as|at|for|with)|studying|student|sophomore|freshman|college|university|school|class(?:es)?|course|career|business|company|store|studio|shop|salary|promotion)\b/iu,
  likesDoing: /\b(?:love|like|enjoy|hate)s? \p{Alpha}+ing\b/iu,
  leadsIn: /^(?:When|After|Before|While|As|During|For|In|On|At|With)\b/u,
  plans: /\b(?:planning|plan(?:s|ned)? (?:to|on|a|for)|going to|gonna|scheduled|booked|upcoming)\b/iu,
  // What somebody's body can or cannot bear: short to say, and never to be lost.
  health:
    /\b(?:allerg(?:y|ies|ic)|intoleran(?:t|ce)|diabet(?:es|ic)|asthma(?:tic)?|epilep(?:sy|tic)|co?eliac|pacemaker|insulin|inhaler|h(?:a|ae)mophilia|dyslexi(?:a|c)|colou?r[- ]?blind|blood (?:type|group|thinners?)|hearing aids?|wheelchair|pregnant|migraines?|warfarin|penicillin|ibuprofen|aspirin|paracetamol|antibiotics|antidepressants|statins?|metformin|beta[- ]?blockers|steroids|chemo(?:therapy)?)\b|\b(?:can['’]?t|cannot|mustn['’]t|(?:is|am|are|'m|'s) not allowed to) (?:take|eat|drink|tolerate|digest|stomach) (?!another\b|anything\b|much\b|it\b|this\b|that\b|them\b|any more\b|a (?:break|joke|hint|moment|minute|day)\b)\p{Alpha}/iu,
  earlier: /\b(?:used to|as a kid|as a child|when I was|growing up|back then|in those days)\b/iu,
  quoting: /["“][^"”]*\b(?:I|we|my|our|you)\b[^"”]*["”]?/iu,
  negated: /\b(?:not|n't|no|nothing|none|nobody)\b/iu,
  compared:
    /\b(?:like a|as if|as though|such an?|so much|so many|really|very|definitely|absolutely|truly|totally|super|pretty|quite)\b/iu,
};

/** Words of a sentence that speak for or against keeping it; the sum of the weights decides. */
export const traits: Readonly<Record<string, Tester>> = Object.fromEntries(
  Object.entries(patterns).map(([name, pattern]) => [name, caseless(pattern)]),
);

const lengths: readonly (readonly [name: string, least: number, most: number])[] = [
  ['terms0', 0, 1],
  ['terms2', 2, 2],
  ['terms3', 3, 4],
  ['terms8', 8, 12],
  ['terms13', 13, 1000],
];

/** It speaks of nobody here. */
const impersonal = caseless(/^(?!.*\b(?:I|I'm|I've|I'd|we|my|our|me|us|he|she|his|her|him|mine|ours)\b)/iu);

/** Its "I" was left out: "just got a bike". */
const withoutI = caseless(
  /^(?:(?:just|also|finally|recently|already|still|really) )*(?:went|got|took|bought|made|had|finished|started|tried|visited|saw|met|been|watched|played|joined|signed|ran|moved|sold|booked|wrote|helped|[a-z]{2,}ed (?:up|off|out|down|in|away|over|back) (?:my|the|an?|our|some)|need|want|have|love|hate|trying|hoping|planning|working|looking|thinking) /iu,
);

/** A thing and a value of it in one sentence: where it is, how many there are, since when. */
const things: ReadonlySet<string> = new Set(['theyAre', 'theyDo', 'theyDid', 'namedSubject']);
const values: ReadonlySet<string> = new Set(
  'number quantity literal day clock measure repeat located change'.split(' '),
);

/** What makes a sentence about nobody here worth keeping: a value that somebody may ask for, or whose matter it is. */
const lasting: ReadonlySet<string> = new Set(
  'number clock day measure literal repeat nextTime request namedSubject kin answers change'.split(' '),
);

/** What is settled for all is seldom said of somebody. */
const courses: ReadonlySet<MemoryCategory> = new Set(['decision', 'correction']);

/** What is asked for more than now. */
const durable: ReadonlySet<MemoryCategory> = new Set(['principle', 'preference', 'commitment', 'skill']);

/** A rule that is given: "Never ship ... without a label". */
const order = caseless(/^(?:please,? )?(?:never|always|do not|don't|no) /iu);

/** A number, a title in quotes or a name beyond the first word. */
const specific = /\d|["“]|(?<!^)(?<![.!?] )\b\p{Upper}\p{Lower}{2,}/u;
const likes = caseless(/\b(?:love[ds]?|like[ds]?|enjoy(?:ed|s)?|appreciate[sd]?)\b/iu);

/** Lists the traits that a sentence has, by name. */
export function traitsOf(text: string, { isProgram, isEssay, answers, isAskedFor, category }: Setting): string[] {
  const found = Object.keys(traits).filter((name) => traits[name]!.test(text));
  const names = namesIn(text).length;
  if (names > 0) found.push('name');
  if (names > 1) found.push('names');
  const terms = new Set(tokensOf(text)).size;
  for (const [name, least, most] of lengths) if (terms >= least && terms <= most) found.push(name);
  const isImpersonal = impersonal.test(text) && !withoutI.test(text);
  const isCourse = (category !== undefined && courses.has(category)) || (category === 'principle' && order.test(text));
  const concernsNobody = isImpersonal && isAskedFor !== true;
  if (concernsNobody && !isCourse) found.push('impersonal');
  if (concernsNobody && category === undefined && !found.some((trait) => lasting.has(trait))) found.push('nobody');
  if (found.some((trait) => things.has(trait)) && found.some((trait) => values.has(trait))) found.push('setting');
  if (category === undefined && !saysSomething(text) && !withoutI.test(text)) found.push('noVerb');
  if (isImpersonal && (traits.judged!.test(text) || traits.praise!.test(text))) found.push('verdict');
  if (isProgram) found.push('program');
  if (isProgram && isEssay) found.push('essay');
  if (category !== undefined) found.push(category);
  if (answers) found.push('answers');
  const thing = isCourse || isAskedFor === true ? undefined : unnamedThing(text);
  if (thing !== undefined) found.push(thing === 'subject' ? 'theSubject' : 'theObject');
  const isSpecific = specific.test(text.replace(/^\p{Alpha}+ ?/u, ''));
  if (isSpecific) found.push('specific');
  if (!isSpecific && likes.test(text) && text.split(' ').length < 9) found.push('likesBriefly');
  return found;
}

import { bias, weights } from './weights.ts';

/** Computes what a sentence is worth: the sum of what its traits weigh. From 0 on it is kept. */
export function worthOf(text: string, setting: Setting): number {
  const column = setting.isTalk ? 1 : 0;
  return traitsOf(text, setting).reduce((sum, trait) => sum + (weights[trait]?.[column] ?? 0), bias[column]);
}
/** What a program is at: "I'm opening a branch now." */
const underWay = caseless(
  /^(?:I(?:'m| am) \p{Alpha}+ing|I(?:'ll| will) \p{Alpha}+|let me \p{Alpha}+)\b[^,;:]{0,60} (?:right )?now[.!]*$/iu,
);

const supposed = caseless(
  /\b(?:i'd|id|i would|we'd) love (?:to|an?|some)\b|\b(?:i'd|i would) (?:say|recommend|suggest|definitely|start with|choose|pick)\b|(?<!\b(?:by|for|in|within|after|only|just|than|of|about) )\bone day\b|, i (?:think|guess|believe)[.!]?$|^(?:if|suppose|supposing|imagine|maybe|perhaps|what if|even if|unless|assuming|hopefully)\b(?! [^,]{2,80}, (?:(?:don't|do not|never) [^:;,]{2,40}[:;] \p{Lower}+ \S|(?:first |always |just |please )?(?!(?:i|we|you|it|that|there|they|he|she|the|my|then|let|don't|feel|try|keep)\b)[a-z]+ ))|\bif\b.{2,120}\b(?:would|'d|could|might)\b|\b(?:would|'d|could|might)\b.{2,120}\bif\b|\b(?:i|we) (?:wish|could have|should have|would have|might|may)\b/iu,
);
const spoken = caseless(
  /\b(?:says?|said|told|tells|wrote|writes|asked|reads?|goes|quote|like)\b[^"“]{0,30}["“]|^["“]/iu,
);

/** A rule that somebody gives who does not chat: it is one in any words. */
const standing = caseless(
  /^(?:(?:and|so|yes|ok|okay|please|also|heads[- ]up|note|reminder|from now on|in future|rule)\b[,:.!]?\s+)*(?:never(?: ever)?|always|(?:don't|do not) ever)\s+(?!(?:mind|forget|ever|give up|happy|glad|nice|good|great|welcome|fun|say|look|remembers?|wanted|loved|been|had|have|was|a|the)\b)[\p{Lower}-]{2,} \S|\bmust (?:not|never|always|only)\b \p{Lower}|\b(?:may|must) only \p{Lower}|^(?:nobody|no one)\b.{3,}\b(?:without|unless|except|until)\b|\bI(?:'d| would) rather (?:be asked|have you|you (?:ask|asked|did|didn't|do|don't|wrote|used?))\b|\bplease (?:keep|answer|reply|respond|write|format|speak)\b.*\b(?:answers?|repl(?:y|ies)|responses?|messages?|in (?:german|english|french|spanish|italian|dutch)|under|short|brief|formal)\b/iu,
);

/** What is said to a program by somebody, though it has a name as a person has: a path, or what it should answer. */
const toProgram = (text: string): boolean =>
  traits.literal!.test(text) || /\byour (?:answers|replies|responses)\b/i.test(text);

/** Work asked for now: "Write me a sign", "just tell me which". */
const errand = caseless(
  /^(?:just |please |now |then )*(?:(?:write|draft|give|tell|show|make|send|draw|find|explain|list|get|read|compose|create|recommend|suggest|pick|help|fetch|spell|look up|print|sketch|design|plan|sing) (?:me|us)\b|(?:translate|summari[sz]e|explain|rephrase|reword|rewrite|paraphrase|proofread|calculate|convert) )/iu,
);
const repeated = caseless(
  /\b(?:always|never|every|each|from now on|in future|whenever|when|before|after|unless|until|only)\b/iu,
);
/** "My mistake, I misread the flyer": the right value is not in it. */
const onlyMistaken = caseless(
  new RegExp(`^(?:(?:sorry|oops|no|wait|ah)\\b[,.! –-]*)*(?:${mistaken}[,.! –-]*)+$`, 'iu'),
);

/** What anybody can look up: "Pressure sores usually develop where ...", "A simile compares ...". */
const general = caseless(
  /^(?!.*\b(?:I|my|we|our|me|us)\b)(?:(?:In|For|With) (?:most|many|some|general|theory)\b|An? [\p{Alpha}-]+ (?:is|are|says|means|has|needs|compares|\p{Lower}+s)\b|(?:\p{Upper}\p{Lower}+ )?\p{Alpha}\p{Lower}+s (?:usually|typically|often|generally|normally|commonly|mostly|rarely|tend to)\b)/u,
);

/** What the chair of a meeting says of its course: "We'll now go to Ms. Falk", "We're going to move on to item 3". */
const chairing = caseless(
  /^(?:(?:and|so|ok|okay|well|right|now|then|next)\b,? )*(?:(?:we|I)(?: will| are| am|['’]ll|['’]re|['’]m)?|let us|let['’]s|let me)(?: (?:now|then|next|just|going to|gonna))* (?:go|move|turn|come|continue|proceed|return|get|switch|pass|hand)\b(?: (?:on|back|over|ahead|now|then|next|it))* (?:to|with|from) (?:(?:the|our|some|a|an|your|another|last|next|first) )*(?:\p{Alpha}+ )?(?:(?:Mr|Mrs|Ms|Dr|Hon|Minister|Madam|Professor)\b|(?:questions?|items?|points?|topics?|sections?|slides?|agenda|speakers?|rounds?|members?)\b|(?:look at|talk about|discuss)\b)/iu,
);

/** "Stay with your provider at 25 euros": what a program advises is no fact. */
const advice = caseless(
  /^(?:(?:then|also|next|first|finally|instead|otherwise|maybe|perhaps|just|or),? )?(?:stay|use|try|choose|pick|go|take|consider|keep|make|check|switch|avoid|start|add|run|install|open|set|call|ask|book|buy|get|look|read|write|send|put|turn|stick|give|move|plan|talk|wait|think|order|drink|eat|bring|visit|watch|leave|compare|aim|focus|practice|do|don['’]t) (?!(?:is|are|was|were|has|have|had|will|can|means)\b)/iu,
);

/** Tells whether a sentence is not worth keeping. */
export function isWorthless(text: string, setting: Setting): boolean {
  const isGiven = standing.test(text) && !/\?\W*$/.test(text) && !setting.isProgram;
  if ((isGiven || setting.isStanding === true) && (!setting.isTalk || toProgram(text))) return false;
  if (onlyMistaken.test(text) || chairing.test(text)) return true;
  if (setting.isProgram && (setting.category ?? 'fact') === 'fact' && advice.test(text)) return true;
  const isOfMoment = errand.test(text) && !repeated.test(text);
  if (isOfMoment && (setting.category === undefined || !durable.has(setting.category))) return true;
  if (setting.isAgent && (general.test(text) || underWay.test(text))) return true;
  return supposed.test(text) || (spoken.test(text) && traits.quoting!.test(text)) || worthOf(text, setting) < 0;
}
