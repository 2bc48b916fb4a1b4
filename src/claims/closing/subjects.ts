// Whether two frames speak of the same person or thing, of another, or of somebody else in the same role.

import type { Attribute } from '../attributes.ts';
import type { Frame } from '../reading/frames.ts';
import type { Topic } from '../reading/topics.ts';
import { differ } from '../reading/values.ts';
import { areKin, stemOf } from '../reading/words.ts';
import { areApart, areSidesApart, isNamed, type Match, matchesOf, narrowing, type Pair } from './pair.ts';

/** Words for persons by what they are to somebody, or by what they do. */
const persons = new Set(
  `wife husband partner girlfriend boyfriend spouse ex fiance fiancee son daughter kid child baby toddler teenager stepson stepdaughter godson goddaughter mother mum mom
  mama father dad papa parent stepmother stepfather godmother godfather brother sister sibling stepbrother stepsister uncle aunt auntie cousin niece nephew twin
  grandma grandpa grandmother grandfather granny grandad granddad nan nana grandparent grandson granddaughter grandchild mother-in-law father-in-law brother-in-law
  sister-in-law son-in-law daughter-in-law family relative friend mate buddy pal neighbour neighbor colleague coworker co-worker teammate boss flatmate roommate housemate
  landlord landlady tenant lodger subtenant dentist doctor gp vet physio physiotherapist therapist psychologist surgeon optician pharmacist nurse midwife teacher tutor
  trainer professor lecturer student pupil apprentice intern trainee assistant secretary accountant lawyer solicitor notary adviser advisor agent broker banker plumber
  electrician carpenter joiner painter builder roofer gardener cleaner nanny babysitter childminder au-pair hairdresser barber tailor butcher baker mechanic driver
  courier postman caretaker janitor concierge guest visitor client customer supplier manager supervisor coach man woman boy girl guy lady`
    .split(/\s+/)
    .map(stemOf),
);
/** Tells whether a topic is a person who has no name here: "my cousin", "the landlord". */
const isRole = ({ stem, isName }: Topic): boolean => !isName && persons.has(stem);
/** Tells whether a topic is a person, by name or by what they are to somebody. */
export const isPerson = (topic: Topic): boolean => topic.mayBeName || persons.has(topic.stem);

const isMine = ({ narrowed, start }: Topic, { text }: Frame): boolean =>
  narrowed.includes('self') && /\b[Mm]y (?:[\p{Alpha}-]+ ){0,2}$/u.test(text.slice(0, start));
const ownersOf = ({ topics }: Frame, topic: Topic): Topic[] =>
  topics.filter(({ role, stem }) => role === 'owner' && topic.narrowed.includes(stem));
/** Whether what is common to both is one person's here and another's there: "Anna's car", "Ben's car". */
const areOwnersApart = ([one, other]: Match, { earlier, later, e, l }: Pair): boolean => {
  const [mine, theirs] = [ownersOf(e, one), ownersOf(l, other)];
  const isOf = (owner: Topic, speaker: string): boolean => speaker.toLowerCase().includes(owner.text.toLowerCase());
  // "My list" by two mouths.
  if (mine.length === 0 && theirs.length === 0)
    return earlier.said.speaker !== later.said.speaker && isMine(one, e) && isMine(other, l);
  if (mine.length === 0)
    return (
      one.narrowed.includes('self') && theirs.some((owner) => isPerson(owner) && !isOf(owner, earlier.said.speaker))
    );
  if (theirs.length === 0)
    return other.narrowed.includes('self') && mine.some((owner) => isPerson(owner) && !isOf(owner, later.said.speaker));
  return !mine.some((owner) => theirs.some(({ stem }) => areKin(owner.stem, stem)));
};

/** Whether two subjects are two persons: "my brother", "my cousin"; "Anna", "Anna's sister"; "my sister Ida", "my sister Ute". */
function areTwoPersons(one: Topic, other: Topic, { e, l }: Pair): boolean {
  if (isRole(one) && isRole(other)) return !areKin(one.stem, other.stem);
  const isOf = (owned: Topic, frame: Frame, owner: Topic): boolean =>
    isPerson(owned) &&
    !areKin(owned.stem, owner.stem) &&
    ownersOf(frame, owned).some(({ stem }) => areKin(stem, owner.stem));
  if (isOf(one, e, other) || isOf(other, l, one)) return true;
  const isNamedRole = ({ isName, narrowed }: Topic): boolean => isName && narrowed.some((stem) => persons.has(stem));
  return isNamedRole(one) && isNamedRole(other) && !areKin(one.stem, other.stem);
}

/** Tells whether a subject is whoever speaks, alone or with others. */
export const isSpeaker = (who: string): boolean => who === 'self' || who === 'group';

/** Tells whether both are about one subject. */
export function hasSameSubject({ earlier, later, e, l }: Pair): boolean {
  const [one, other] = [e.subject, l.subject];
  if (isSpeaker(one.who) && isSpeaker(other.who))
    return one.who === 'group' || earlier.said.speaker === later.said.speaker;
  if (one.topic !== undefined && other.topic !== undefined) return areKin(one.topic.stem, other.topic.stem);
  if (one.topic !== undefined && other.who === 'pronoun')
    return later.near.concat(l.siblings).some(({ stem }) => areKin(stem, one.topic!.stem));
  if (other.who === 'pronoun') return isSpeaker(one.who) && /^\W*(?:and |so |but )?it\b/i.test(l.text);
  return one.who === 'none' || other.who === 'none';
}

/** "Room 4", "room 7". */
function areNumberedApart(one: Topic, other: Topic, { e, l }: Pick<Pair, 'e' | 'l'>): boolean {
  const numberOf = ({ text }: Frame, { end }: Topic): string | undefined =>
    /^ #?([A-Z]{0,3}-?\d[\p{Alpha}\d.]*|[A-HJ-Z])(?= \p{Alpha})/u.exec(text.slice(end))?.[1];
  const [mine, theirs] = [numberOf(e, one), numberOf(l, other)];
  return mine !== undefined && theirs !== undefined && mine !== theirs;
}

/** "Tank A", "tank B". */
const areLettered = (one: Topic, other: Topic): boolean =>
  one.stem.length === 1 && other.stem.length === 1 && one.stem !== other.stem && one.narrowed[0] === other.narrowed[0];

/** Tells whether somebody else does the same: the subjects differ, what is done and to what is one. */
export function isHolder(
  { e, l, earlier, later }: Pair,
  matches: readonly Match[],
  conflicts: number,
  verbs: number,
): boolean {
  const [one, other] = [e.subject.topic, l.subject.topic];
  // "I look after the microphones", "Nuru looks after the microphones from now on".
  if (
    e.subject.who === 'self' &&
    other?.mayBeName &&
    l.cues.has('change') &&
    !earlier.said.speaker.toLowerCase().includes(other.text.toLowerCase())
  )
    return (
      conflicts === 0 && matches.length > 0 && (verbs > 0 || (isResponsible(e, matches) && isResponsible(l, matches)))
    );
  // "Anna Brandt keeps the books", "I keep the books now".
  if (one?.mayBeName && l.subject.who === 'self' && (l.cues.has('change') || l.cues.has('soft')))
    return (
      conflicts === 0 &&
      (verbs > 0 || l.topics.every((topic) => isNamed(topic, e.topics))) &&
      matches.some((match) => match.every(({ role }) => role === 'object')) &&
      !later.said.speaker.toLowerCase().includes(one.text.toLowerCase().split(' ')[0]!)
    );
  if (one === undefined || other === undefined || conflicts > 0) return false;
  // "Tigg rents garage 1", "Marsh rents garage 2".
  if (matches.some(([mine, theirs]) => areNumberedApart(mine, theirs, { e, l }))) return false;
  if (
    areKin(one.stem, other.stem) ||
    !one.mayBeName ||
    !(other.mayBeName || persons.has(other.stem) || other.narrowed.length > 0)
  )
    return false;
  if (areLettered(one, other)) return false;
  // "His practice" is another one for each.
  if (matches.every((match) => match.every(({ narrowed }) => narrowed.includes('other')))) return false;
  return matches.length > 0 && (verbs > 0 || isResponsible(e, matches) || isResponsible(l, matches));
}

const responsible =
  /\b(?:leads?|led|heads?|runs?|owns?|manag\p{Alpha}+|coach\p{Alpha}*|review\p{Alpha}*|handl\p{Alpha}+|oversees?|looks? after|takes? (?:care|over|on)|took over|in charge|responsible|approv\p{Alpha}+|signs?|does|do|has|have|covers?|teach\p{Alpha}*|picks? up|on call|is doing|takes|walks?|drives?|cooks?|hosts?|chairs?|moderat\p{Alpha}+|supervis\p{Alpha}+)\b/iu;
const isResponsible = (frame: Frame, matches: readonly Match[]): boolean =>
  responsible.test(frame.text) && matches.some(([one, other]) => one.role !== 'subject' && other.role !== 'subject');

/** "The submission deadline for the Marlow grant", "the Marlow grant deadline": what narrows one head is said of the other beside it. */
const isSaidElsewhere = ([one, other]: Match, { e, l }: Pair): boolean =>
  isSaidIn(
    narrowing(one),
    l.topics.filter((topic) => topic.stem !== other.stem),
  ) ||
  isSaidIn(
    narrowing(other),
    e.topics.filter((topic) => topic.stem !== one.stem),
  );
const isSaidIn = (words: readonly string[], topics: readonly Topic[]): boolean =>
  words.length > 0 &&
  words.every((word) => topics.some(({ stem, narrowed }) => [stem, ...narrowed].some((other) => areKin(word, other))));

/** Whether two subjects are things of one owner, or bear two numbers or letters: "Ada's phone", "Ada's tablet"; "room 4", "tank B". */
function areTwoThings(one: Topic, other: Topic, { e, l }: Pair): boolean {
  if (areLettered(one, other)) return true;
  if (!areKin(one.stem, other.stem))
    return (
      !one.mayBeName &&
      !other.mayBeName &&
      ownersOf(e, one).some(({ stem }) => ownersOf(l, other).some((owner) => areKin(owner.stem, stem)))
    );
  return areNumberedApart(one, other, { e, l });
}

/** The same of what the clauses before them name, where they name no subject themselves. */
function areTwoOfAKind({ e, l, ...rest }: Pair): boolean {
  const pair = { ...rest, e: e.lead ?? e, l: l.lead ?? l };
  const [one, other] = [pair.e.subject.topic, pair.l.subject.topic];
  return (
    one !== undefined && other !== undefined && (areTwoThings(one, other, pair) || areSidesApart([one, other], pair))
  );
}

const groups = /^(?:team|group|depart|crew|squad|class|offic|branch|club|compani|famili)/;
/** Whether "our team" is named by its name later, which may be another one: "the design team". */
const isOtherGroup = (one: Topic, other: Topic, { said }: Frame): boolean =>
  groups.test(one.stem) &&
  areKin(one.stem, other.stem) &&
  narrowing(one).length === 0 &&
  narrowing(other).some((stem) => !said.has(stem));

const changes =
  /\b(?:lowered|raised|increased|reduced|cut|doubled|halved|changed|switched|adjusted|moved|rescheduled|postponed|extended|shortened|set|put|wants (?:me|us|him|her|them) on|has (?:me|us|him|her|them) on)\b/i;
/** "The doctor lowered the omeprazole to 10 mg": who changes something is not what is spoken of. */
const isChanger = (subject: Topic, { l }: Pair, matches: readonly Match[]): boolean =>
  l.cues.has('change') &&
  ownersOf(l, subject).length === 0 &&
  matches.some(
    ([, what]) =>
      what.start > subject.end && changes.test(l.text.slice(subject.end, what.start)) && ownersOf(l, what).length === 0,
  );

/** "She has put my sertraline up to 75 mg": what is changed is the speaker's own. */
const isMadeOther = ({ e, l }: Pair, matches: readonly Match[]): boolean =>
  l.cues.has('change') &&
  matches.some(
    ([{ role }, { narrowed, start }]) =>
      narrowed.includes('self') ||
      (isSpeaker(e.subject.who) && /^(?:object|unit)$/.test(role) && /\bthe $/i.test(l.text.slice(0, start))),
  );

/**
 * "I use the dark theme in the editor", "the light theme in the editor again": the same deed to another of a kind. All that else stands behind
 * it was said before.
 */
export function isOtherChoice(pair: Pair, matches: readonly Match[]): boolean {
  const { e, l } = pair;
  if (!(l.cues.has('soft') || l.cues.has('again') || l.cues.has('change')) || !isSpeaker(e.subject.who)) return false;
  const apart = matches.filter(areApart);
  // "I spray cabinets with nitro lacquer", "cabinets get waterborne lacquer from now on": the same thing gets another of a kind.
  const isSameThing =
    l.cues.has('change') &&
    matches.some((match) => !areApart(match) && match[0].role === 'object' && match[1] === l.subject.topic);
  if (isSameThing && apart.length === 1) return true;
  if (!hasSameSubject(pair) || !e.verbs.some((verb) => l.verbs.includes(verb))) return false;
  const [one, other] = apart.length === 1 ? apart[0]! : [];
  if (one?.role !== 'object' || other?.role !== 'object' || areSidesApart([one, other], pair)) return false;
  // What stands before what is chosen, or behind a comma, belongs to no choice.
  const isBehind = ({ text }: Frame, { end }: Topic, { start }: Topic): boolean =>
    start > end && !text.slice(end, start).includes(',');
  const isSaidBehind = (frame: Frame, chosen: Topic, others: readonly Topic[]): boolean =>
    frame.topics.every(
      (topic) => !isBehind(frame, chosen, topic) || others.some(({ stem }) => areKin(stem, topic.stem)),
    );
  return isSaidBehind(e, one, l.topics) && isSaidBehind(l, other, e.topics);
}

const strangers = /^\W*(?:(?:and|but|so),? )?(?:someone|somebody|some people|a (?:friend|colleague|guy|woman|man))\b/i;
const elsewhere = /\b(?:next door|across the (?:road|street|hall|corridor)|down the road)\b/i;
/** "His phone" beside "my phone", "the dog of the office next door", "someone swears by Firebird". */
function isByOthers({ e, l, later }: Pair, matches: readonly Match[]): boolean {
  if (strangers.test(l.text) && !strangers.test(e.text)) return true;
  if (elsewhere.test(l.text) && !elsewhere.test(e.text)) return true;
  return (
    !later.isAssistant &&
    matches.some(
      ([{ narrowed }, their]) =>
        narrowed.includes('self') &&
        their.narrowed.includes('other') &&
        !/\byour (?:[\p{Alpha}-]+ ){0,2}$/iu.test(l.text.slice(0, their.start)),
    )
  );
}

/** Tells whether the two are about different persons or things. */
export function isOtherThing(pair: Pair, matches: readonly Match[], holder: boolean): boolean {
  const { earlier, e, l } = pair;
  if (e.lead !== undefined || l.lead !== undefined) {
    // What names no subject is about that of the clause before it.
    const leads = { ...pair, e: e.lead ?? e, l: l.lead ?? l };
    if (isOtherThing(leads, matchesOf(leads.e.topics, leads.l.topics), holder)) return true;
  }
  if (matches.some((match) => areApart(match) && !isSaidElsewhere(match, pair)) && !isOtherChoice(pair, matches))
    return true;
  if (matches.some((match) => areOwnersApart(match, pair) || areSidesApart(match, pair))) return true;
  const [one, other] = [e.subject.topic, l.subject.topic];
  if (
    one !== undefined &&
    other !== undefined &&
    (areTwoPersons(one, other, pair) || areTwoThings(one, other, pair) || isOtherGroup(one, other, e))
  )
    return true;
  if (isByOthers(pair, matches)) return true;
  if (holder) return false;
  // "Our coach is Stefan", "Ulrike is coaching us": who does it now.
  if (one !== undefined && other?.mayBeName && l.verbs.some((verb) => areKin(verb, one.stem))) return false;
  const isHim = ({ text }: Frame): boolean => /^\W*(?:and |but |so )?(?:he|she)\b/i.test(text);
  if (
    isSpeaker(e.subject.who) &&
    l.subject.who === 'pronoun' &&
    isHim(l) &&
    !isMadeOther(pair, matches) &&
    // "She replaced the propranolol with candesartan": it is mine that was replaced.
    !l.contrasts.some(({ former }) => former.some((stem) => e.said.has(stem))) &&
    !e.topics.some(({ isName, stem }) => isName || persons.has(stem))
  )
    return true;
  if (isSpeaker(l.subject.who) && e.subject.who === 'pronoun' && isHim(e)) return true;
  if (
    other !== undefined &&
    persons.has(other.stem) &&
    !isNamed(other, e.topics.concat(e.siblings)) &&
    !isChanger(other, pair, matches)
  )
    return true;
  // "My flight", "her flight".
  if (isSpeaker(e.subject.who) && matches.some(([, their]) => their.narrowed.includes('other'))) return true;
  if (one !== undefined && persons.has(one.stem) && l.subject.who === 'self' && !isNamed(one, l.topics)) return true;
  if (
    one !== undefined &&
    other !== undefined &&
    !(earlier.isAssistant && isNamed(other, earlier.near)) &&
    !isNamed(one, l.topics.concat(l.siblings)) &&
    !isNamed(other, e.topics.concat(e.siblings))
  ) {
    return matches.length === 0 || e.values.some((value) => l.values.some((their) => differ(value, their)));
  }
  return false;
}

/** Tells whether what both say of a person is said of the same one. */
export function isSamePerson(pair: Pair, { isMine, value }: Attribute): boolean {
  const { earlier, later, e, l } = pair;
  const speakers = earlier.said.speaker === later.said.speaker || earlier.isAssistant;
  const isOwn = (who: string): boolean => isSpeaker(who) || who === 'none' || (who === 'you' && earlier.isAssistant);
  const hasMe = ({ text }: Frame): boolean => (isMine === true ? /\b(?:my|our|i)\b/i : /\b(?:me|us)\b/i).test(text);
  if ((isOwn(e.subject.who) || hasMe(e)) && (isOwn(l.subject.who) || hasMe(l))) return speakers;
  const [one, other] = [e.subject.topic, l.subject.topic];
  if (one !== undefined && other !== undefined) {
    if (areKin(one.stem, other.stem))
      return !(areOwnersApart([one, other], pair) || areApart([one, other]) || areTwoOfAKind(pair));
    if (isMine !== true && (isPerson(one) || isPerson(other))) return false;
    // "My flatmate is Amara", "Birgit is my flatmate": whose it is decides.
    return one.narrowed.includes('self') && other.narrowed.includes('self') && speakers;
  }
  if (one !== undefined && l.subject.who === 'pronoun') {
    const names = [one.stem, ...e.topics.filter(({ isName }) => isName).map(({ stem }) => stem)];
    return (
      later.near.concat(l.siblings).some(({ stem }) => names.some((name) => areKin(name, stem))) &&
      (one.isName || persons.has(one.stem))
    );
  }
  // "Our team sits", "my number": the speaker's.
  const topic = one ?? other;
  const who = one === undefined ? e.subject.who : l.subject.who;
  return (
    topic !== undefined &&
    !persons.has(topic.stem) &&
    // "The hero of my novel lives in Lisbon": not whose novel it is.
    !(topic.isOf && typeof value !== 'object') &&
    !(typeof value === 'object' ? topic.isName : topic.mayBeName) &&
    isOwn(who) &&
    speakers &&
    !topic.narrowed.includes('other')
  );
}
