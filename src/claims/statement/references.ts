// What "she", "it", "this" or "there" means: said in the sentence itself, in one place shortly before, or not to be said with certainty.

import { upperFirst } from '../../base/text.ts';
import type { Said } from '../said.ts';
import { pronounOf } from './first-names.ts';
import { isBareKin } from './kin.ts';
import { doneTo } from './passives.ts';
import { possessive } from './persons.ts';
import { either, man, phraseAt, tooVague, woman } from './phrases.ts';
import { inOneSpelling } from './spelling.ts';
import { isPlural, longPhraseAt, sentencesBefore, topicOf } from './topics.ts';
import { agreeing, doubtfulVerbs, isPast, plainVerbs } from './verbs.ts';

/** "Mr. Peeters", and "Mr Peeters" as the British write it. */
const title = '(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sr)(?:\\. ?| )';
const titled = new RegExp(`^${title}`, 'u');
/** Words for one person, with whose they are: "my younger sister Greta". */
const personPhrase = new RegExp(
  `\\b(?:[Mm]y|[Oo]ur|[Yy]our|[Tt]he|(?!(?:Wh(?:ere|at|o|en)|How|That|It|S?[Hh]e|T?[Hh]ere|Let)['’])\\p{Upper}[\\p{Alpha}-]+['’]s) (?:[\\p{Lower}-]+ ){0,2}?(?:${woman}|${man}|${either})\\b(?: \\p{Upper}[\\p{Lower}'-]+)?`,
  'gu',
);
const identity = new RegExp(
  `${personPhrase.source}(?:'s| is| was|,| called| named| is called| is named),? ((?:${title})?\\p{Upper}[\\p{Alpha}'’-]+(?: \\p{Upper}[\\p{Alpha}'’-]+)?)(?=[.,;!]|$| (?:and|from|who|at|of|in)\\b)`,
  'gu',
);
const name = new RegExp(
  `(?<![\\p{Alpha}\\d.'’-])(?:${title})?\\p{Upper}\\p{Lower}+(?:-\\p{Upper}\\p{Lower}+)?(?: \\p{Upper}\\p{Lower}+(?:-\\p{Upper}\\p{Lower}+)?)?(?![\\p{Alpha}\\d])`,
  'gu',
);
const noPerson =
  /^(?:The|This|That|These|Those|It|He|She|They|There|We|You|I|My|Our|Your|His|Her|Their|A|An|In|On|At|To|For|From|By|With|And|But|Or|So|If|When|While|Yes|No|Not|Never|What|Who|Where|Why|How|Which|Did|Do|Does|Is|Are|Was|Were|Has|Have|Had|Can|Could|Would|Should|Will|May|Also|Then|Now|Just|After|Before|Since|Because|As|Oh|Wow|Hey|Hi|Thanks|Thank|Yeah|Okay|Ok|Sure|Well|Great|Cool|Nice|Sorry|Please|Actually|Maybe|Last|Next|Every|Some|One|Two|Three|Here|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|June|July|August|September|October|November|December|Today|Yesterday|Tomorrow|Tonight|Nothing|Everything|Something|Somebody|Someone|Everyone|Everybody|Anyone|People|Work|School|Life|Things|Dinner|Lunch|Breakfast|Traffic|Weather|Practice|Class|Congrats|Even|Though|Although|Especially|Still|Always|Sometimes|Usually|Often|Yea|Yep|Yup|Nope|Lol|Haha|Speaking|[\p{Alpha}]*(?:[Tt]own|[Ss]treet|[Ss]quare|[Cc]ity)|Christmas|Easter|[\p{Alpha}]+(?:ian|ean|ish|ese)|German|French|Spanish|Italian|Japanese|Chinese)$/u;

/** What follows a person's name at the start of a sentence. */
const opensAsPerson =
  /^(?:'s)? (?:and \p{Upper}|has (?:an?|been|to|never|always)|had (?:an?|been|to)|will|would|can|can't|says|said|told|thinks|wants|likes|loves|hates|lives|works|owns|knows|plays|teaches|prefers|leads|runs|manages|called|asked|moved|decided|agreed|promised|married|joined|visited|broke|won|left|met|sent|bought|went|got|came|took|made|gave|wrote|is (?:an?|the|my|our|in|at|from|moving|going|coming|\p{Lower}+ing)|was (?:an?|born|in|at|my|our|\p{Lower}+ing))\b/u;

/** Somebody as a text names them, and all that it says of who that is. */
interface Person {
  readonly called: string;
  readonly said: string;
}

/** A form that no name has: "Turns out", "Heard". */
const isVerb = (word: string): boolean =>
  isPast(word) || /^(?:Turns|Looks|Sounds|Seems|Says|Means|Guess|Feels|Goes|Shows|Wish)$/.test(word);

/** Lists what may be names, with where they stand: "Rosa Conti" is one, "Yesterday Rosa" has one. */
function namesIn(text: string): { readonly word: string; readonly index: number }[] {
  // "Met Rosa Conti": the capital of the first word is that of the sentence.
  const plain = text.replace(/(?:^|(?<=[.!?] ))\p{Upper}\p{Lower}+(?= \p{Upper}\p{Lower})/gu, (word) =>
    isVerb(word) && !/(?:fre|ame|hme|mme|are|ree|rie)d$/i.test(word) ? word.toLowerCase() : word,
  );
  return [...plain.matchAll(name)].flatMap(({ 0: words, index }) => {
    const [one = '', two] = titled.test(words) ? [words] : words.split(' ');
    const isOne =
      two === undefined || ![one, two].some((word) => noPerson.test(word) || isVerb(word) || isBareKin(word));
    if (isOne) return [{ word: words, index }];
    return [
      { word: one, index },
      { word: two, index: index + one.length + 1 },
    ];
  });
}

/** Lists the people that a text speaks of, as it names them. */
function peopleIn(text: string, speakers: ReadonlySet<string>, isSameSentence = false): Person[] {
  const people = new Map<string, Person>();
  const add = (called: string, said = called): unknown => people.set(called, { called, said });
  let rest = text;
  // "My landlord is Mr. Peeters" speaks of one person.
  for (const { 0: whole, 1: called } of text.matchAll(identity)) {
    add(called!, whole);
    rest = rest.replace(whole, ' ');
  }
  for (const { 0: phrase, index } of [...rest.matchAll(personPhrase)]) {
    // "Met Ana Ruiz, she's the new manager": what somebody is, and nobody else.
    if (!isSameSentence && isWhat.test(text.slice(0, text.indexOf(phrase, Math.min(index, text.length))))) continue;
    add(phrase);
    rest = rest.replace(phrase, ' ');
  }
  // "We got a puppy!! He's ...": theirs.
  if (!isSameSentence)
    for (const { 1: verb, 2: what } of rest.matchAll(newcomer))
      add(`${/^(?:met|saw|found)$/i.test(verb!) ? 'the' : 'our'} ${what}`);
  for (const { word, index } of namesIn(rest)) {
    if (isBareKin(word)) {
      add(word, word.toLowerCase());
      continue;
    }
    if (noPerson.test(word) || speakers.has(word) || (index === 0 && /(?:ing|ly)$/.test(word))) continue;
    // Nothing else has a title.
    if (titled.test(word)) {
      add(word);
      continue;
    }
    // A place follows its preposition, "the United States" with both words; a person seldom does.
    if (
      /\b(?:[Ii]n|[Aa]t|[Nn]ear|(?<!\b(?:[Ss]poke|[Ss]peak|[Tt]alk|[Tt]alked|[Tt]alking|[Ww]rote|[Ll]istened|[Mm]arried) )to|[Ff]rom|[Pp]roject|[Uu]sing|[Uu]se|[Oo]n|[Tt]he|[Aa]n?|of) (?:\p{Upper}[\p{Alpha}-]+ )*$/u.test(
        rest.slice(0, index),
      )
    )
      continue;
    // The first word of a sentence has a capital anyway: "Turns out she ..." names nobody.
    if (isSameSentence && index === 0 && isVerb(word)) continue;
    if (
      !isSameSentence &&
      !word.includes(' ') &&
      /(?:^|[.!?] )$/.test(rest.slice(0, index)) &&
      !opensAsPerson.test(rest.slice(index + word.length)) &&
      !new RegExp(`\\p{Alpha} ${word}\\b`, 'u').test(text)
    )
      continue;
    add(word);
  }
  return [...people.values()];
}

const isWhat = /\b(?:s?he|who)(?:['’]s| is| was| became| works as)(?: now| also)? $/i;

const newcomer = new RegExp(
  `\\b(?:I|[Ww]e)(?:'ve| have)? (?:just |finally |also )?(got|have|had|adopted|hired|bought|met|found) (?:an?|another) (?:new )?((?:[\\p{Lower}-]+ )?(?:${woman}|${man}|${either}|cleaner|gardener|nanny|cook|nurse|plumber|electrician|rabbit|hamster))(?=[.,!;]|$| (?:and|yesterday|today|last|from|in|on|this)\\b)`,
  'gu',
);

const aMan = new RegExp(`\\b(?:${man}|Mr)\\b`, 'u');
const aWoman = new RegExp(`\\b(?:${woman}|Mrs|Ms)\\b`, 'u');

const fits = ({ said }: Person, pronoun: string): boolean => {
  const kind = genderOf(pronoun);
  if (kind === undefined || (kind === 'she' ? aMan : aWoman).test(said)) return false;
  const name = /^\p{Upper}\p{Lower}+$/u.test(said.split(' ')[0]!) ? pronounOf(said) : undefined;
  return name === undefined || name === kind;
};

/**
 * Finds the one thing that "it" can mean in the sentence before. It is the subject, where that is a thing that "is" something, or the only
 * object.
 */
function thingIn(sentence: string): string | undefined {
  const words = inOneSpelling(sentence)
    .replace(/[.!?…]+$/, '')
    .replace(
      /^(?:(?:oh|well|so|and|yes|yeah|hey|okay|ok|also|actually|btw|by the way|yesterday|today|last \p{Alpha}+|recently),? )+/iu,
      '',
    )
    .replace(/^(I|We)'(?:ve|m|re|ll) /, '$1 ')
    .split(' ');
  const first = words[0] ?? '';
  if (/^They$/i.test(first)) return doneTo(sentence);
  const isSubject =
    /^(?:The|Our|My|This|Project|\p{Upper}[\p{Alpha}\d]+)$/u.test(first) &&
    !/^(?:I|We|You|He|She|They|It|In|On|At|Yesterday|Today|Yes|No|So|And|But|There|What|When|If)$/.test(first);
  if (isSubject) {
    const subject = longPhraseAt(words, 0).join(' ');
    if (tooVague.test(subject)) return undefined;
    const next = words[subject.split(' ').length] ?? '';
    if (
      /^(?:is|was|runs|has|costs|takes|lives|lies|needs|starts|opens|stands|comes|goes|will|broke|arrived)$/.test(
        next,
      ) &&
      !new RegExp(`\\b(?:${woman}|${man}|${either})\\b`, 'u').test(subject)
    )
      return subject;
    return undefined;
  }
  if (!/^(?:I|We)$/.test(first) || /n't\b|\b(?:not|never|no)\b/.test(sentence)) return undefined;
  const found: string[] = [];
  for (let index = 1; index < words.length; index++) {
    if (!/^(?:a|an|the|my|our)$/i.test(words[index]!)) continue;
    // What a preposition leads in is place and time, not the matter.
    if (/^(?:in|on|at|for|with|from|by|of|to|near|during|after|before|per|twice|once)$/i.test(words[index - 1] ?? ''))
      return undefined;
    // The object follows its verb: "I have just bought a canoe".
    if (index > 4) return undefined;
    found.push(phraseAt(words, index));
  }
  const [only] = found;
  if (found.length !== 1 || only === undefined || !only.includes(' ') || tooVague.test(only) || /[^sui]s$/.test(only))
    return undefined;
  const whose = first === 'I' ? 'my' : 'our';
  if (!/^an? /i.test(only)) return only;
  const verb = words[words.indexOf(only.split(' ')[0]!) - 1] ?? '';
  if (/^(?:bought|got|have|own|adopted|built|made|sold|rented|founded|started|opened|inherited)$/.test(verb))
    return only.replace(/^an? /i, `${whose} `);
  return /^(?:read|watched|saw|tried|ordered|found|wrote|painted|baked|cooked|visited|joined|planted|repaired|fixed|booked|designed|recorded)$/.test(
    verb,
  )
    ? `${only.replace(/^an? /i, 'the ')} that ${first} ${verb}`
    : undefined;
}

const definite = (phrase: string): string =>
  phrase
    .replace(/^(?:an?|A|An) /, 'the ')
    .replace(/^The /, 'the ')
    .replace(/^Project /, '');

/** "It" for all that happened rather than one thing: "it made me laugh", "it was so much fun". */
const eventIt =
  /^it(?:'s been|(?:'s| is| was|'ll be| will be| has been| really| also| just| always| definitely| sure)* (?:so |really |super |such |very |quite |pretty |a |an |kind of |totally |definitely |truly |always |also |just |absolutely |not )*(?:mad(?:e)|makes?|helps?|helped|helping|reminds?|reminded|gave|gives?|giving|taught|felt|feels?|shows?|showed|means?|meant|sounds?|took|went|happened|happens|inspired|inspiring|brings?|brought|fun|great|amazing|awesome|special|good|nice|hard|tough|rewarding|incredible|wonderful|cool|exciting|worth|blast|pleasure|honou?r|joy|relief|important|lot|experience|feeling|reminder|way|thing))\b/i;

/** What may stand before an "it" from another sentence: nothing, or one verb of the speaker's. "Keep it simple" means no thing. */
const isPlainObject = /^(?:(?:I|We) (?:\p{Alpha}+ly |still |also |just )?\p{Alpha}+ )?$/u;

/** Words for several people, with whose they are: "my kids". */
const several =
  /\b(?:[Mm]y|[Oo]ur|[Yy]our|\p{Upper}[\p{Alpha}-]+'s) (?:[\p{Lower}-]+ ){0,2}?(?:kids|children|sons|daughters|parents|grandparents|siblings|sisters|brothers|friends|cousins|colleagues|coworkers|neighbou?rs|students|dogs|cats|pets|twins|roommates|clients|customers|tenants)\b(?: \p{Upper}\p{Lower}+ and \p{Upper}\p{Lower}+)?|\b[Tt]he \p{Upper}\p{Lower}+s\b/gu;

const personal = /\b(he|she|him|her|his|hers|it|its|they|them|their|theirs)\b(['’](?:s|re|ve|ll|d)\b)?/giu;
/** "It" without a meaning of its own: weather, time, "it turns out", "it is important that". */
const emptyIt =
  /\bit(?:['’]s| is| was| will be| has been| takes| took| seems| looks like| feels like| rains?| snows?| rained| snowed)(?: (?:not|so|very|really|too|always|often|only|also|been|just|more|quite|pretty))*(?: (?:important|necessary|decided|agreed|resolved|settled|ordered|possible|impossible|clear|true|likely|unlikely|hard|easy|difficult|better|best|good|great|nice|fun|fine|forbidden|allowed|essential|crucial|amazing|wonderful|sad|late|early|cold|hot|warm|noon|midnight|time|worth|a (?:pity|shame|pleasure|relief))\b(?=(?: [\p{Alpha}'-]+){0,3} (?:to|that|when|for|how|if|outside)\b)| (?:raining|snowing|cold|hot|dark|late)\b)|\bit (?:turns|turned) out(?:,| that| to)|\bit (?:rains|rained|snows|snowed)\b|\bit comes to \p{Alpha}/iu;

/** Words that point out of the sentence, whatever else it says. */
const pointsAway =
  /\ban? (?:\p{Lower}+ )?fan[.!]*$|^(?:such|so that|both|neither|either|none of|all of (?:them|that|this))\b|\b(?:the (?:same|other(?! (?:side|party|hand|end|half)\b)|latter|former|next day|day before(?! yesterday)|following)|another one|(?:want|have|had|get|got|buy|bought|need|made|found|played|tried|read|watched|joined|took) one(?=[.,!]|$| (?:with|last|more|so|too|yet|now|soon|for|in|at|from|because|but|and)\b)|(?:this|that) one|(?:both|all|some|most|none|one) of (?:them|those|these|it|which)|at the time|back then|as well(?! as)|do so|does so|did so|did too|do too|me (?:too|neither)|so (?:do|did|am|have) I|used to(?=[.,!]|$| (?:too|but|and|as well)\b)|something (?:similar|else)\b|vice versa|\bone with (?:my|our|his|her|friends)\b|\b(?:start(?:ed|ing)|tried|learned|learnt|finished) (?:(?:a (?:few|couple of)|two|three|four|\d+) (?:days|weeks|months|years)|last (?:week|month|year|night)|next (?:week|month|year)|once|twice|back (?:in|when)|when)\b|\b(?:playing|doing|using|making|trying) (?:for|since)\b|(?<!, (?:or )?)otherwise|instead[.!]|here's|here (?:is|are))\b|(?<!\b(?:everything|anything|all|what|whatever|things|how|than|way|as) )\bI (?:do|did|have|would|can|will|am|don't|didn't|can't|won't|haven't)(?=[.,!]|$| (?:too|either|but|and|so|occasionally|sometimes|often|rarely|usually|as well)\b)/iu;

/** "This" and "that" as words of their own: what they mean was said elsewhere. */
const alone =
  /\b(?:this|these|those) (?:at|in|on|for|with|to|from|and|but|so|because|when|again|too)\b|\bthat that\b|\b(?:this|that|these|those)(?=[.,;!?)]|$)|^(?:this|that|these|those)(?:'s|'ll|'d| (?:is|was|are|were|will|would|has|had|made|makes|can|could|should|must|might|may|means|meant|sounds|looks|seems|helps?|helped|gives|gave|takes|took|goes|went|all|alone|also|really|never|always|just|definitely))\b|\b(?:in|on|at|for|with|from|about|after|before|like|of|to|by|than|do|did|doing|done|does|say|said|know|knew|mean|means|love|loved|hate|like|liked|hear|heard|see|saw|got|get|have|had|enjoy|enjoyed|tried|try|all|because|since|if|when|while|but|and|,) (?:this|that|these|those)(?=[.,;!?)]|$| (?:too|either|again|now|anymore|as|in|on|at|for|with|because|when|since|very|is|was|are|were|will|would|has|makes|made|way|and|but|so|or)\b|'s\b)/gi;

/** What points back within the sentence itself: "those in Denmark" beside "customers in Norway", "since that is when the grid fails". */
const backward =
  /\b(?:the one|the ones|those|that) (?:in|of|from|for|with|at|who|that|which)\b|\bthat(?: is|'s| was) (?:when|where|why|how|what)\b/gi;

/** Tells whether a clause before a place can have said what a word there means: "I use Vim, so give me keys for that". */
function isAnchored(lead: string): boolean {
  const clauses = lead.split(/[,;:]| (?:and|but|so|because|since) /).slice(0, -1);
  return clauses.join(' ').trim().split(/\s+/).length > 2;
}

/** "This" and "that" before a noun, with what may follow it. */
const pointing =
  /(?:^|[^\p{Alpha}])(this|that|these|those) ((?:[\p{Alpha}\d'-]+ ){0,2}?)([\p{Alpha}\d'-]+)(?=(.{0,40}))/giu;
/** Places and groups that a speaker has one of: "this repo" is theirs. */
const ownPlace =
  /^(?:repo|repository|codebase|project|team|company|department|office|house|flat|apartment|building|household|garden|allotment|kitchen|classroom|workshop|lab|ward|bakery|farm|choir|band|orchestra|club)$/i;
/** Whose rule it is, whose place it is. */
const rulesOf = /^(?:class|course|school|shop|store|café|cafe|restaurant|room|car|boat|group|chat|channel)$/i;
const rule =
  /^(?:no|never|always|nobody|no one|please|don't|do not|in this)\b|\bwe (?:never|always|only)\b|[,:–—-] (?:always|never|ever|no exceptions?)[.!]*$/i;
const introduces = /^,? (?:called|named|that|who|which|where|of|in the|with|about|from)\b|^ (?:to )?\p{Upper}/u;

/** "I got this awesome book", "this parade I went to": in talk, "this" brings up what nobody has heard of. */
const bringsUp =
  /(?<=\b(?:I|[Ww]e)(?:'ve|'m| have| had| am)?(?: [\p{Alpha}'-]+){1,5} |\bwas )this (?=(?:really |super |very )?(?:amazing|awesome|great|cool|nice|lovely|new|huge|little|weird|crazy|funny|tasty|yummy|beautiful|fantastic|wonderful|interesting|incredible|fun|old|big|small|gorgeous|delicious|strange|neat|rad|epic|sweet|tiny|pretty) \p{Alpha}|(?!(?:is|was|has|will)\b)(?:[\p{Alpha}/-]+ ){1,4}?(?:called|named|I|we|my|our)\b)/gu;
const startsWithVowel = /^[aeiou]/i;
const justSeen = /\b(?:love|like|enjoy|want|need|see|hate|share|show)\b[^,;]*$/;

/** Writes "a" for a "this" that brings something up. */
const withIndefinite = (text: string): string =>
  text.replace(bringsUp, (_this, at: number) =>
    justSeen.test(text.slice(0, at)) ? _this : startsWithVowel.test(text.slice(at + _this.length)) ? 'an ' : 'a ',
  );

/** Writes whose "this repo" is; undefined for a "this" whose noun was named elsewhere. */
function withPointing(text: string, speaker: string): string | undefined {
  const plain = text.replace(backward, (words, at: number) => (text.slice(0, at).split(' ').length > 3 ? '' : words));
  if (pointsAway.test(plain) || /\bthe ones?\b/.test(plain)) return undefined;
  if ([...plain.matchAll(alone)].some(({ index }) => !isAnchored(plain.slice(0, index + 1)))) return undefined;
  let isCertain = true;
  const result = text.replace(
    pointing,
    (all: string, which: string, _adjectives: string, noun: string, rest: string, at: number) => {
      const lead = text.slice(0, at + all.indexOf(which)).trimEnd();
      if (/^(?:in|of|from|for|with|at|who|that|which)$/.test(all.trim().split(' ')[1] ?? '') && lead.length > 12)
        return all;
      if (which.toLowerCase() === 'that' && isConjunction(lead, noun)) return all;
      const first = all.trim().split(' ')[1] ?? noun;
      if (
        /^(?:morning|afternoon|evening|week|weekend|month|year|spring|summer|fall|autumn|winter|past|coming|quarter|semester|time|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(
          first,
        ) &&
        which.toLowerCase() === 'this'
      )
        return all;
      if (which.toLowerCase() === 'these' && first === 'days') return all;
      if (/^(?:city|town|country|place|area|region|village)$/i.test(noun) && !/\p{Upper}\p{Lower}/u.test(lead.slice(1)))
        isCertain = false;
      // "..., and this series is one of my favourites" begins anew.
      const isAnew = /(?:,| and| but| so)$/.test(lead);
      if ((isAnchored(lead) && !isAnew) || lead.toLowerCase().includes(` ${noun.toLowerCase()}`)) return all;
      if (ownPlace.test(first) || (rule.test(text) && rulesOf.test(first))) {
        const lead0 = /^[^\p{Alpha}]/u.test(all) ? all[0] : '';
        return `${lead0}${speaker}'s ${first}`;
      }
      if (/^(?:kind|sort|type|way|one|stuff|thing|reason|point|case|part|time|day|night|place|same)$/i.test(first))
        isCertain = false;
      if (introduces.test(rest) || introduces.test(` ${all.trim().split(' ').slice(2).join(' ')}${rest}`)) return all;
      isCertain = false;
      return all;
    },
  );
  return isCertain ? result : undefined;
}

/** Tells whether "that" joins clauses: "said that she", "the book that I read", "so happy that". */
function isConjunction(lead: string, next: string): boolean {
  if (lead === '') return false;
  if (
    /^(?:I|I'm|I've|I'll|I'd|we|you|he|she|it|they|there|the|a|an|my|our|your|his|her|their|its|is|are|was|were|has|have|had|can|could|will|would|should|may|might|must|does|do|did|don't|doesn't|didn't|isn't|no|not|some|all|every|everyone|people|when|if|in|on|at|for|with|what|to)$/i.test(
      next,
    ) ||
    /^\p{Upper}/u.test(next)
  )
    return true;
  return !/\b(?:in|on|at|for|with|from|about|after|before|like|of|by|than|during|all|do|did|got|to|into|over|through|since|until)$/i.test(
    lead,
  );
}

/**
 * Gives the sentence with its pronouns of the third person, its "there" and "this" named; undefined where what one of them means is not
 * certain.
 */
export function withReferences(text: string, said: Said): string | undefined {
  const speakers = new Set([said.speaker, ...said.before.map(({ speaker }) => speaker)]);
  const earlier = sentencesBefore(said);
  const pointed = withPointing(withIndefinite(text), said.speaker);
  const located = pointed === undefined ? undefined : placeNamed(pointed, earlier);
  if (located === undefined) return undefined;
  let result = located;
  const known = new Set<string>();
  personal.lastIndex = 0;
  for (let match = personal.exec(result); match !== null; match = personal.exec(result)) {
    const pronoun = match[1]!.toLowerCase();
    if (isNamedWithin(result.slice(0, match.index), pronoun)) continue;
    const following = result.slice(match.index);
    if (/^its?$/.test(pronoun) && emptyIt.exec(following)?.index === 0) continue;
    if (pronoun === 'it' && (eventIt.test(following) || !isPlainObject.test(result.slice(0, match.index))))
      return undefined;
    const kind = genderOf(pronoun);
    // "He must never get aspirin, his kidneys": one person, named once.
    if (kind !== undefined && known.has(kind)) continue;
    // "I forget which film he was in, but Davy Jones was ...": who is meant may come behind.
    if (kind !== undefined && comesLater.test(following)) return undefined;
    const meaning = meaningOf(pronoun, earlier, said, speakers);
    if (meaning === undefined) return undefined;
    if (kind !== undefined) known.add(kind);
    result = replaced(result, match.index, match[0], pronoun, meaning, match[2]);
    personal.lastIndex = match.index + meaning.length;
  }
  return result;
}

/** A full name that begins another clause. */
const comesLater = /(?:,| but| and| because) \p{Upper}\p{Lower}+ \p{Upper}\p{Lower}+ (?:is|was|has|had)\b/u;

const genderOf = (pronoun: string): 'he' | 'she' | undefined =>
  /^(?:he|him|his)$/.test(pronoun) ? 'he' : /^(?:she|hers?)$/.test(pronoun) ? 'she' : undefined;

/** Tells whether a pronoun can mean something that the sentence has named before it. */
function isNamedWithin(lead: string, pronoun: string): boolean {
  if (/^(?:he|she|him|her|his|hers)$/.test(pronoun))
    return peopleIn(lead, new Set(), true).some((one) => fits(one, pronoun));
  if (/^the(?:y|m|irs?)$/.test(pronoun)) {
    return (
      /\b(?:[\p{Alpha}-]{3,}s|people|children|kids|men|women|team|family|everyone|parents|somebody|someone|anyone|each)\b/u.test(
        lead.replace(/\b(?:is|was|has|does|this|always|yes|times|things|days|hours|smiles|\p{Alpha}+ss|s)\b/gu, ''),
      ) ||
      / and \p{Upper}/u.test(lead) ||
      peopleIn(lead, new Set(), true).length > 0
    );
  }
  // "A big fan of it" does not mean the fan.
  if (/\bof $/.test(lead) && !isAnchored(lead)) return false;
  // "My friend watched it": no person is meant.
  const things = peopleIn(lead, new Set(), true).reduce(
    (rest, { said }) => (/\b\p{Lower}{3,}\b/u.test(said) ? rest.replace(said, ' ') : rest),
    lead,
  );
  return (
    /\uE000/.test(lead) ||
    (pronoun === 'its' && /^\P{Alpha}*(?!(?:I|We|You)\b)\p{Alpha}+ \p{Alpha}/u.test(lead)) ||
    /\b(?:the|a|an|my|our|your|his|her|their|this|that|some|no|any|each|every|\d+) (?:[\p{Alpha}\d-]+ ){0,3}?[\p{Alpha}\d-]{3,}/iu.test(
      things,
    ) ||
    /\p{Upper}\p{Alpha}+/u.test(things.replace(/^\P{Alpha}*\p{Upper}\p{Alpha}*/u, '')) ||
    // "I gave up dairy, can't stomach it": the last word of the clause before is the matter.
    /(?:^|\s)(?!\p{Alpha}+(?:ed|ly|ous|ful|ive|able|less)\b|(?:then|there|here|today|yesterday|tomorrow|again|much|well|they|them|this|that|time|when|also|just)\b)\p{Alpha}{4,}(?:,| and| but| so(?! (?:much|many|far|long)\b)| because| since| when)(?:\s|$)/u.test(
      lead,
    )
  );
}

function meaningOf(
  pronoun: string,
  earlier: readonly { readonly speaker: string; readonly text: string }[],
  said: Said,
  speakers: ReadonlySet<string>,
): string | undefined {
  const isPerson = /^(?:he|she|him|her|his|hers)$/.test(pronoun);
  if (/^the(?:y|m|irs?)$/.test(pronoun)) {
    const last = earlier.at(-1);
    const topic = last?.text.endsWith('?') === true ? topicOf(last.text) : undefined;
    if (topic !== undefined && isPlural(topic)) return owned(topic, last!.speaker, said);
    const named = [...new Set(last?.text.match(several) ?? [])];
    const others =
      last?.text.match(/\b(?:the|some|many|few|these|those|\d+) (?:\p{Lower}+ )?\p{Lower}{2,}s\b| and \p{Upper}/gu) ??
      [];
    return last === undefined || named.length !== 1 || others.length > 0
      ? undefined
      : owned(named[0]!, last.speaker, said);
  }
  const latest = earlier.map((one) => ({ ...one, text: upperFirst(one.text) })).reverse();
  // "Took over from Holger last week": who takes part is not who did it.
  const told = isPerson ? latest.filter(({ text }, at) => at > 1 || !goesOn(text, speakers)) : latest;
  for (const { speaker, text } of told.slice(0, isPerson ? 2 : 1)) {
    if (isPerson) {
      const people = peopleIn(text, speakers).filter((one) => fits(one, pronoun));
      // "Do she and your other dog get along?" has somebody else, whose name is not in it.
      if (/\b(?:s?he|him) and\b|\band (?:s?he|him)\b/i.test(text)) return undefined;
      const one = people.length === 1 ? people[0] : ownerAmong(people, text);
      if (people.length > 1 && one === undefined) return undefined;
      // Somebody without a name may be meant as well: "Rocket hates their leader because he lied."
      if (
        /\b(?:they|them|their|someone|somebody|another|leader|guy|man|woman|person|boy|girl|lady|stranger)\b/i.test(
          text,
        )
      )
        return undefined;
      if (one !== undefined) return owned(one.called, speaker, said);
      // The last one named is meant only where every sentence since has spoken of them.
      if (!/\b(?:he|she|him|her|his|hers)\b/i.test(text)) return undefined;
    } else {
      const thing = text.endsWith('?') ? topicOf(text) : thingIn(text);
      return thing === undefined || (text.endsWith('?') && isPlural(thing))
        ? undefined
        : owned(definite(thing), speaker, said);
    }
  }
  return undefined;
}

const verbForms = new Set([...plainVerbs, ...doubtfulVerbs].map(agreeing));
const partOf = /\b(?:from|with|for|by|to|at|near|of|after|under|instead of|like|than) $/i;

/** Tells whether a sentence leaves out its subject and names nobody but those who only take part. */
function goesOn(text: string, speakers: ReadonlySet<string>): boolean {
  const first = /^(?:(?:just|also|then|now|still) )*([\p{Alpha}']+)/iu.exec(text)?.[1]?.toLowerCase() ?? '';
  const isHeadless =
    isPast(first) || verbForms.has(first) || /^(?:will|would|has|had|is|was|can|could|used|does|did)$/.test(first);
  return (
    isHeadless &&
    !text.endsWith('?') &&
    peopleIn(text, speakers).every(({ called }) => partOf.test(text.slice(0, text.indexOf(called))))
  );
}

/** "Mum's fitting is on Monday with Dr. Sandoval": whose matter it is, where the others only take part. */
function ownerAmong(people: readonly Person[], text: string): Person | undefined {
  const [owner, ...more] = people.filter(({ called }) => text.startsWith(called));
  const takesPart = ({ called }: Person): boolean =>
    new RegExp(`\\b(?:with|by|from|at|near) ${called}`, 'u').test(text);
  return more.length === 0 && people.every((one) => one === owner || takesPart(one)) ? owner : undefined;
}

/** Writes whose it is: "my sister", said by somebody else, is theirs; "your mother" is the other's. */
function owned(phrase: string, speaker: string, said: Said): string | undefined {
  const others = [...new Set(said.before.map((one) => one.speaker))].filter((one) => one !== speaker);
  const hearer = speaker === said.speaker ? others[0] : said.speaker;
  if (/^your\b/i.test(phrase)) return hearer === undefined ? undefined : phrase.replace(/^your\b/i, `${hearer}'s`);
  if (isBareKin(phrase)) return `${possessive(speaker)} ${phrase.toLowerCase()}`;
  if (/^(?:my|our)\b/i.test(phrase)) return phrase.replace(/^(?:my|our)\b/i, `${speaker}'s`);
  return phrase.replace(/\bthat I\b/, `that ${speaker}`).replace(/\bthat We\b/, `that ${speaker} and others`);
}

/** What "she's" leads in where it means "she has". */
const hasBeen =
  /^ (?:\p{Alpha}+ly |not |never |always |already |just |also )?(?:been|got|gone|had|become|taken|made|bought|lost|found|left|grown|moved|started|decided|worked|lived|played|joined|visited|changed|finished)\b/u;

/** What makes "her" the one that something is done to: "asked her to", "picked her up". */
const behindHer =
  /^ (?:to|in|into|on|at|by|for|from|with|and|or|but|about|that|if|when|while|until|since|before|after|as|than|a|an|the|this|next|last|yesterday|today|tonight|tomorrow|now|again|soon|later|too|every|up|out|off|down|over|away|around|along|through|so|because|instead|not|how|what|where|why|whether)\b/;
/** "I have to pay her back", where "her back hurts" is hers. */
const bringsBack =
  /\b(?:pay|paid|call|ring|rang|phone|text|write|wrote|email|message|get|got|give|gave|bring|brought|take|took|send|sent|drive|drove|walk|fly|flew|see|saw|want|invite|win|won|let|put|welcome)(?:s|ed|ing)? $/;

function replaced(
  text: string,
  at: number,
  whole: string,
  pronoun: string,
  meaning: string,
  short: string | undefined,
): string {
  const following = text.slice(at + whole.length);
  const isPossessive =
    /^(?:his|its)$/.test(pronoun) ||
    (pronoun === 'her' &&
      /^ \p{Lower}/u.test(following) &&
      !behindHer.test(following) &&
      !(/^ (?:back|home)\b/.test(following) && bringsBack.test(text.slice(0, at))));
  let words = isPossessive ? `${meaning}'s` : meaning;
  const suffix = short?.replace('’', "'");
  if (suffix === "'s")
    words += hasBeen.test(following) ? ' has' : / \p{Alpha}+ed\b/u.exec(following)?.index === 0 ? "'s" : ' is';
  else if (suffix === "'ll") words += ' will';
  else if (suffix === "'d") words += ' would';
  else if (suffix !== undefined) words += suffix === "'ve" ? ' have' : ' are';
  return `${text.slice(0, at)}${at === 0 ? upperFirst(words) : words}${following}`;
}

const place =
  /\b(?:in|at|to|near|from|visit(?:ed|ing)?|for) ((?:the )?\p{Upper}[\p{Alpha}-]+(?: \p{Upper}[\p{Alpha}-]+){0,2})/gu;

/** Tells whether "there" only leads in what there is. */
const isExistential = (lead: string, rest: string): boolean =>
  /^there(?:'s|'re|'ll| (?:is|are|was|were|will|has|have|had|may|might|must|seems?|would|could|should|used|isn't|aren't|wasn't|weren't|won't)\b)/i.test(
    rest,
  ) &&
  /(?:^|[,;:(–—-] ?|\b(?:that|if|because|when|where|and|but|so|since|while|think|thinks|know|knows|say|says|said|sometimes|now|today|\d{4}-\d\d-\d\d) )$/i.test(
    lead,
  );

/** Names a "there" that is a place; undefined where it is none that is known. What "there is" begins stays. */
function placeNamed(text: string, earlier: readonly { readonly text: string }[]): string | undefined {
  const there = [...text.matchAll(/\b(?:over |out |up |down |in |from )?(there|here)\b/gi)].find(
    ({ 1: word, index }) => word!.toLowerCase() === 'here' || !isExistential(text.slice(0, index), text.slice(index)),
  );
  if (there === undefined) return text;
  const lead = text.slice(0, there.index);
  if (
    isAnchored(lead) ||
    /\b(?:in|at|to|near|from|on|into|behind|under|visit(?:ed|ing)?|through) (?:(?:the|a|an|my|our|his|her|their) \p{Alpha}|\p{Upper})/u.test(
      lead,
    )
  ) {
    return text;
  }
  const places = [
    ...new Set(
      [...earlier]
        .reverse()
        .slice(0, 2)
        .flatMap((one) => [...one.text.matchAll(place)].map((match) => match[1]!)),
    ),
  ].filter((one) => !noPerson.test(one));
  if (there[1]!.toLowerCase() === 'here' || places.length !== 1) return undefined;
  const preposition =
    /\b(?:go|going|went|gone|drive|drove|fly|flew|travel(?:led|ed)?|move|moved|get|got|come|came) $/i.test(lead)
      ? 'to'
      : 'in';
  return `${lead}${preposition} ${places[0]}${text.slice(there.index + there[0].length)}`;
}
