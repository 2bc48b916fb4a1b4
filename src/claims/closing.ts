// Whether a later sentence ends an earlier one, and for which reason. Likeness alone ends nothing: the later one gives another value of the
// same matter, or has words of change, a correction or a denial. Nothing may say that they speak of different things.

import { isLimited, isNo } from './closing/endings.ts';
import { type Evidence, evidenceOf } from './closing/evidence.ts';
import { isOneMatter } from './closing/matter.ts';
import { keepsPromise } from './closing/promises.ts';
import { office, type Slot, slotOf } from './closing/slot.ts';
import { isSpeaker } from './closing/subjects.ts';
import type { Frame } from './reading/frames.ts';
import type { Value } from './reading/values.ts';
import { stemOf } from './reading/words.ts';
import type { Reading } from './reading.ts';
import { ownBefore } from './said.ts';

/** Why a claim no longer holds. */
export interface Closing {
  readonly reason: 'attribute' | 'change' | 'correction' | 'negation' | 'kept';
  /** The second from which it no longer holds, where that is a day to come. */
  readonly from?: number;
  /** The attribute that both give a value to, where it has a name. */
  readonly attribute?: string;
}

type Rule = (evidence: Evidence) => Closing | null;

const isMarked = ({ l }: Evidence): boolean => l.cues.has('change') || l.cues.has('again');
/** What the sentence says of change counts for a clause that gives only the new value. */
const isMarkedNear = ({ l, namesOld }: Evidence): boolean =>
  l.sentenceCues.has('change') || l.sentenceCues.has('again') || l.sentenceCues.has('away') || namesOld;

/** "Postgres, not Redis", "from Berlin to Lisbon": what is named as former is what was said. */
const ofContrast: Rule = (evidence) => {
  const { attribute, hasFormer, hasOtherScope, isOtherThing, isMentioned, e, l } = evidence;
  // "Anna wants them early, before work", "she wants late ones instead of early ones": of one person, and no part of it.
  const isOfOne = evidence.hasSameSubject && e.subject.topic?.isName === true && !evidence.isNarrower;
  if (
    !hasFormer ||
    // What happened stays so, unless a correction says otherwise.
    (e.isEvent && !l.sentenceCues.has('correction')) ||
    isNo(e) ||
    isLimited(e) ||
    !e.hasVerb ||
    l.contrasts.length > 1 ||
    isOtherThing ||
    (hasOtherScope && !isMentioned && !isOfOne)
  )
    return null;
  const reason = l.cues.has('correction') ? 'correction' : 'change';
  return attribute === undefined ? { reason } : { reason, attribute: attribute.name };
};

/** "Sorry, I meant Venice", "Ash, not oak": another value of what was said, or the one that was wrong. */
const ofCorrection: Rule = (evidence) => {
  const {
    earlier,
    later,
    l,
    e,
    isAdjacent,
    topicScore,
    conflicts,
    loose,
    isDenied,
    isOtherThing,
    isSlip,
    namesOther,
    aligned,
    frameScore,
    hasOtherScope,
    copulas,
  } = evidence;
  if (!l.sentenceCues.has('correction') || isNo(e)) return null;
  if (l.contrasts.length > 0 && !isAdjacent) return null;
  const isOwn = earlier.said.speaker === later.said.speaker;
  if (isDenied && (isAdjacent || (isOwn && topicScore >= 1 && !hasOtherScope))) return { reason: 'correction' };
  if (isSlip && (topicScore >= 0.5 || isAdjacent || l.mentions.length > 0 || /\bname\b/.test(l.text)))
    return { reason: 'correction' };
  if (isOtherThing) return null;
  const isAbout = (aligned >= 0.8 && topicScore >= (copulas ? 0.8 : 1)) || (isAdjacent && l.topics.length <= 3);
  const isOther = conflicts.length > 0 || loose.length > 0 || (namesOther && (isAdjacent || frameScore >= 0.8));
  return isAbout && (isOther || copulas) ? { reason: 'correction' } : null;
};

/** "The default branch is main", after "is master". */
const ofSingle: Rule = ({ single, isOtherThing, hasOtherScope, e }) =>
  single && !isOtherThing && !hasOtherScope && !isLimited(e) ? { reason: 'attribute' } : null;

/** "I prefer tabs over spaces", after the other way round. */
const ofPreference: Rule = ({ preference, hasOtherScope }) =>
  preference && !hasOtherScope ? { reason: 'attribute' } : null;

/** "She stopped it and I'm taking …" */
const stopsIt = /\b(?:stopped|dropped|replaced|swapped|cancelled|canceled|changed) (?:it|that|them|those|this)\b/i;

/** Another value of a known attribute of the same person or thing. */
const ofAttribute: Rule = (evidence) => {
  const { attribute, isOtherThing, l, later, topicScore, isApart } = evidence;
  if (
    attribute === undefined ||
    isLong(evidence) ||
    isBeside(evidence) ||
    evidence.areSides ||
    (isApart && typeof attribute.value === 'object') ||
    (l.isEvent && !isMarked(evidence) && !/\bnew\b/i.test(l.text))
  )
    return null;
  if (attribute.of === 'person') {
    if (attribute.isShared && !isMarkedNear(evidence) && !stopsIt.test(later.said.text)) return null;
    if (attribute.isShared && topicScore < 1 && !stopsIt.test(later.said.text)) return null;
    return { reason: 'attribute', attribute: attribute.name };
  }
  return isOtherThing || topicScore < 1 ? null : { reason: 'attribute', attribute: attribute.name };
};

/** Another tool for the same purpose. */
const ofTool: Rule = (evidence) => {
  const { tool, isOtherThing, hasOtherPurpose, hasOtherScope, isNarrower, later, l, frameScore, topicScore } = evidence;
  if (
    tool === undefined ||
    isOtherThing ||
    isBeside(evidence) ||
    hasOtherPurpose ||
    (isNarrower && !isMarked(evidence))
  )
    return null;
  if (hasOtherScope && topicScore < 2 && !(later.near.length > 0 && isMarked(evidence))) return null;
  if (l.isEvent && !isMarked(evidence)) return null;
  if (isMarked(evidence) || (l.cues.has('soft') && topicScore >= 1) || frameScore >= 1.7)
    return { reason: isMarked(evidence) ? 'change' : 'attribute', attribute: tool };
  return null;
};

/** Until when something may be handed in. */
const due =
  /\b(?:due|deadline|accepted|submit\w*|hand in|has to be in)\b|\b(?:by|until|through) (?:the )?(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun))/i;
/** "I added 52 sources": so many more, not so many. */
const more = /\b(?:added|adding|another|more|extra|additional|further)\b/i;

/** What is longer says more than one thing; another value of one of them ends not the whole. */
const maxWords = { earlier: 24, later: 32, dictated: 60 };
const lengthOf = (text: string): number => text.split(' ').length;
/** A dictated text has no sentences; then its clauses are asked. */
const isLongIn = ({ said: { text } }: Reading, frame: Frame, most: number): boolean =>
  lengthOf(/[,;:.]/.test(text.slice(0, -1)) ? text : frame.text) > most || lengthOf(text) > maxWords.dictated;
const isLong = ({ earlier, later, e, l }: Evidence): boolean =>
  isLongIn(earlier, e, maxWords.earlier) || isLongIn(later, l, maxWords.later);
/** "Starting March 1": a tail of another sentence. */
const isTail = ({ l }: Evidence): boolean =>
  l.topics.length === 0 && /^\W*(?:and |but )?\p{Alpha}+(?:ing|ed)\b/iu.test(l.text);
/** Two steps of a program's plan are two steps. */
const areSteps = ({ earlier, later, frameScore }: Evidence): boolean =>
  earlier.isAssistant && later.isAssistant && frameScore < 1;

/** A meeting may be another one; "the standup" is one. */
const indefinite =
  /^(?:meet|appoint|call|event|session|lunch|dinner|visit|trip|parti|talk|date|game|match|interview|lesson)$/;
const isIndefinite = ({ subject, main }: Frame): boolean =>
  [...(subject.topic === undefined ? main : [subject.topic])].some(
    ({ stem, narrowed }) => indefinite.test(stem) && narrowed.length === 0,
  );

/** "On Easter Monday it opens at 9": what holds on one day ends nothing that holds on all. */
const isOfOneDay = ({ e, l, conflicts }: Evidence): boolean =>
  [/^date$/, /^weekday$/].some(
    (type) =>
      l.values.some((value) => type.test(value.type) && !/s$/i.test(l.text.slice(value.start, value.end))) &&
      !e.values.some((value) => type.test(value.type)) &&
      !conflicts.some(([value]) => type.test(value.type)),
  );

const someDays =
  /\b(?:weekdays?|weekends?|work(?:ing)? ?days|school days|(?:bank |public )?holidays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/gi;
/** "22:00 on weekdays", "18:00 on Sundays": what holds on some days ends nothing that holds on others. */
const isOfOtherDays = ({ e, l, conflicts }: Evidence): boolean => {
  const daysOf = ({ text }: Frame): readonly string[] => text.toLowerCase().match(someDays) ?? [];
  const [mine, theirs] = [daysOf(e), daysOf(l)];
  if (mine.length === 0 || theirs.length === 0 || mine.some((day) => theirs.includes(day))) return false;
  return conflicts.some(([{ type }]) => type !== 'weekday' && type !== 'date');
};

/** "I also started at the cinema": what comes beside something takes not its place. */
const beside =
  /(?!^)\b(?:also|too|as well|(?<!\bit(?:'s| is| will be) )another|an additional|an extra|in addition|besides|on top of (?:that|it)|on the side|(?:a|my|our) second)\b/i;
const isBeside = ({ l }: Evidence): boolean => beside.test(l.text.trim()) && !/\binstead\b/i.test(l.text);

/** Another time, day, amount or address of what both speak of. */
const ofValue: Rule = (evidence) => {
  const {
    conflicts,
    loose,
    isOtherThing,
    namesDiffer,
    topicScore,
    frameScore,
    aligned,
    hasSameSubject,
    hasOtherScope,
    isNarrower,
    hasSingle,
    isRate,
    copulas,
    sharesPersonOnly,
    earlier,
    later,
    l,
    e,
  } = evidence;
  if (
    isOtherThing ||
    isLong(evidence) ||
    isTail(evidence) ||
    areSteps(evidence) ||
    (sharesPersonOnly && conflicts.every(([{ type }]) => type === 'frequency')) ||
    (isOfOtherDays(evidence) && !isMarked(evidence) && !l.cues.has('soft')) ||
    (e.isEvent && !e.cues.has('change'))
  )
    return null;
  if (earlier.isAssistant && frameScore < 0.8 && !isMarked(evidence)) return null;
  const isPlain = conflicts.every(([{ type }]) => type === 'number');
  // A bare number beside the old one may count something else; words of change in the sentence say that it does not.
  const isSaid = l.sentenceCues.has('change') || l.sentenceCues.has('again');
  if (isMarked(evidence) || (isMarkedNear(evidence) && conflicts.length > 0 && (!isPlain || isSaid))) {
    const least = conflicts.length > 1 ? 0.8 : 1;
    return aligned >= least && topicScore >= least && (conflicts.length > 0 || loose.length > 0)
      ? { reason: 'change' }
      : null;
  }
  // "Now to be handed in by 28 July" leaves out at which counter.
  const isElsewhere = hasOtherScope && (isNarrower || !l.cues.has('soft') || frameScore < 3);
  if (conflicts.length === 0 || namesDiffer || l.isEvent || isElsewhere || isLimited(e) || isOfOneDay(evidence))
    return null;
  if (more.test(l.text)) return null;
  if (l.cues.has('soft') && aligned >= 0.8) return { reason: 'change' };
  // "On 1 October CI goes to the node 24 image": from a day on that is to come.
  if (later.from !== undefined && hasSameSubject && e.subject.topic !== undefined && frameScore >= 1.7)
    return { reason: 'change' };
  const isDue = due.test(e.text) && due.test(l.text);
  const isOne = ({ type }: Value): boolean =>
    !/^(?:date|weekday|number)$/.test(type) ||
    hasSingle ||
    (isDue && type === 'date') ||
    (type === 'number' && copulas);
  if (!(hasSameSubject || isRate) || frameScore < 1 || !conflicts.some(([value]) => isOne(value))) return null;
  return isIndefinite(l) ? null : { reason: 'attribute' };
};

const firstOf = ({ text }: Frame): string => stemOf(/[\p{Alpha}\d]+/u.exec(text)?.[0].toLowerCase() ?? '');

/** Another place, person or means in the same role: "events go through NATS", "Ms Tietz is my tax adviser". */
const ofRole: Rule = (evidence) => {
  const {
    complement,
    copulas,
    holder,
    namesOther,
    namesGone,
    namesOld,
    topicScore,
    conflicts,
    isOtherThing,
    earlier,
    l,
    e,
    frameScore,
    aligned,
    hasSameSubject,
    isOtherChoice,
    isOtherPlace,
  } = evidence;
  if (
    isOtherThing ||
    isLong(evidence) ||
    areSteps(evidence) ||
    isBeside(evidence) ||
    (earlier.isAssistant && frameScore < 0.8) ||
    (e.isEvent && !e.cues.has('change')) ||
    !e.hasVerb ||
    !l.hasVerb ||
    (l.isEvent && !isMarked(evidence))
  )
    return null;
  const isAny = isMarkedNear(evidence) || l.cues.has('soft');
  const isOwnChange = isMarked(evidence) || l.cues.has('soft');
  if (holder) return frameScore >= 1.5 || isAny ? { reason: 'attribute' } : null;
  if (
    namesGone &&
    namesOther &&
    !l.isEvent &&
    (topicScore >= 2 ||
      (topicScore >= 1 && aligned >= 1) ||
      complement ||
      /\b(?:will|please|now)\b|'ll\b/i.test(l.text))
  )
    return { reason: 'change' };
  if (isOtherChoice) return { reason: 'change' };
  // "Bug tickets go into Linear, Jira is read-only": where it stood before is named, too.
  const isSameDone = e.verbs.some((verb) => l.verbs.includes(verb));
  const isSameDeed = hasSameSubject && isSameDone;
  if (complement && isSameDeed && namesOld && (namesOther || isMarked(evidence))) return { reason: 'change' };
  // "I drive to work over the bridge again", "hours are tracked in Clockify as of today": all else is as it was.
  const isBegunAlike = e.subject.who === 'none' && l.subject.who === 'none' && e.said.has(firstOf(l));
  if (isBegunAlike && complement && namesOther && isSameDeed && isMarked(evidence)) return { reason: 'change' };
  if (isOtherPlace && isSameDeed && e.subject.who === 'self' && (isMarked(evidence) || l.sentenceCues.has('again')))
    return { reason: 'change' };
  // "To the Meiers on Mondays", "to the Schulzes on Fridays": two things differ, so that both may hold.
  if (complement && conflicts.length > 0 && !isMarked(evidence)) return null;
  const least = namesOld ? 0.8 : 1;
  const isAbout = frameScore >= 1 || (evidence.isIt && topicScore >= 0.8);
  if ((complement || copulas) && isOwnChange && aligned >= least && isAbout) return { reason: 'change' };
  // Without a word of change only what is said of one thing in the same words: "events go through".
  const isOneThing = hasSameSubject && e.subject.topic !== undefined && l.subject.topic !== undefined;
  if (complement && isOneThing && isSameDone && aligned >= 0.8 && frameScore >= 1.7) return { reason: 'attribute' };
  if (!namesOther || conflicts.length > 0 || aligned < 1) return null;
  // "Paula starts at Siemens in May", "she takes the tram now": of one person, and of two matters.
  if (frameScore === 0 && !isSameDone && /^(?:and |but |so )?s?he\b/i.test(l.text)) return null;
  return isAny || (isOneThing && frameScore >= 1.7) ? { reason: 'change' } : null;
};

/** Somebody has several of these: "my friend is Anna", "my friend is Bo". */
const oneOfMany =
  /^(?:friend|colleagu|neighbour|neighbor|cousin|sister|brother|aunt|uncl|kid|child|son|daughter|student|client|custom|teammat|roommat|flatmat|pet|dog|cat|idea|exampl|question|problem|option|hobbi)/;

/** Whether a thing has one value at a time in the place in which two clauses differ. */
function isOneAtATime({ place, kind, shared, isCopula, isOpen }: Slot, { e, l }: Evidence): boolean {
  const isChanged =
    l.cues.has('change') || l.cues.has('soft') || l.cues.has('again') || l.sentenceCues.has('correction');
  if (place === 'subject') return isChanged && isCopula && kind !== 'number' && shared[1] === 'the';
  if (isOpen && kind !== 'number') return false;
  if (isChanged) return isCopula || kind !== 'mixed' || isSpeaker(e.subject.who);
  if (kind === 'number') return (isCopula || shared.length > 2) && !isIndefinite(l);
  if (kind === 'name' && isCopula && office.test(shared.join(' '))) return true;
  const owned = e.subject.topic;
  if (kind !== 'name' || owned === undefined || oneOfMany.test(owned.stem)) return false;
  return isCopula ? owned.narrowed.length > 0 : /^(?:for|to)$/.test(shared.at(-3) ?? '');
}

/** The same words but for one place: "I work on ward 6B", "since Monday I work on ward 4A". */
const ofSlot: Rule = (evidence) => {
  const { e, l, isOtherThing } = evidence;
  if (isOtherThing || e.isEvent || l.isEvent || isBeside(evidence) || areSteps(evidence)) return null;
  if (isNo(e) || isNo(l) || isLimited(e) || isOfOneDay(evidence) || more.test(l.text)) return null;
  const slot = slotOf(evidence);
  return slot !== undefined && isOneAtATime(slot, evidence) ? { reason: 'change' } : null;
};

/** "The Council has rescinded its resolution to close the lane". */
const takenBack =
  /\b(?:rescind(?:ed|s)?|revoke[ds]?|overturn(?:ed|s)?|repeal(?:ed|s)?|annull?ed|withdrew|withdrawn|reversed?|scrapped|dropped|abandoned|cancell?ed|took back|taken back)\b (?:its|the|our|their|his|her|my|that|this) (?:[\p{Alpha}-]+ )?(?:resolution|decision|plan|ban|rule|vote|motion|order|offer|proposal)s?\b(?: to (?<deed>\p{Alpha}+)| (?:of|for|on|about|against)\b)/iu;

/** What was decided is taken back, by its name. */
const ofTakenBack: Rule = ({ e, l, topicScore }) => {
  const found = takenBack.exec(l.text);
  if (found === null || topicScore < 1) return null;
  const deed = found.groups?.deed;
  return deed === undefined || e.said.has(stemOf(deed)) ? { reason: 'negation' } : null;
};

const onlyOn = /\bonly\b[^,;]{0,30}days?\b|days?\b[^,;]{0,12}\bonly\b/i;
/** "Petrov brings fish on Tuesdays and Fridays", "Petrov does Fridays only": one of several days is left. */
const ofFewerDays: Rule = ({ e, l, hasSameSubject, isOtherThing, topicScore }) => {
  if (isOtherThing || !hasSameSubject || topicScore < 1 || !onlyOn.test(l.text)) return null;
  const daysOf = ({ values }: Frame): readonly string[] =>
    values.filter(({ type }) => type === 'weekday').map(({ key }) => key);
  const [mine, theirs] = [daysOf(e), daysOf(l)];
  const isLess = theirs.length > 0 && theirs.length < mine.length && theirs.every((day) => mine.includes(day));
  return isLess ? { reason: 'change' } : null;
};

/** What was there is over: "The Skoda is sold", "Mr Petrescu retired". */
const ofEnd: Rule = ({ isGone, isOtherThing }) => (isGone && !isOtherThing ? { reason: 'negation' } : null);

/** What was said is denied, or what was denied holds. */
const ofDenial: Rule = ({ isFlipped, isOtherThing, isNarrower }) =>
  isFlipped && !isOtherThing && !isNarrower ? { reason: 'negation' } : null;

/** A rule for what is stated of one matter. */
const ofMatter =
  (rule: Rule): Rule =>
  (evidence) => {
    const found = rule(evidence);
    return found !== null && isOneMatter(evidence) ? found : null;
  };

/** Rules for what is stated against what was stated. */
const ofStated: readonly Rule[] = [
  ofAttribute,
  ofSingle,
  ofPreference,
  ofTool,
  ofFewerDays,
  ofMatter(ofValue),
  ofMatter(ofRole),
  ofSlot,
];
const rules: readonly Rule[] = [ofContrast, ofCorrection];
const ofEndings: readonly Rule[] = [ofDenial, ofEnd, ofTakenBack];

/** "They no longer live in Trieste": what it names is what was, and nothing that is. */
const stopped = /\b(?:no longer|not any ?more|any ?more)\b(?!.*\b(?:but|instead|now)\b)/i;

/** Lists the rules that may judge two frames: a denial gives no other value, and neither does what names another former one. */
function rulesFor({ e, l, hasFormer }: Evidence): readonly Rule[] {
  if (l.contrasts.length > 0 && !hasFormer) return [...rules, ofAttribute];
  const isDenying = isNo(e) || (isNo(l) && (!l.cues.has('change') || stopped.test(l.text)));
  return isDenying ? [...rules, ...ofEndings] : [...rules, ...ofStated, ...ofEndings];
}

function isAnyIn(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [few, many] = some.size < others.size ? [some, others] : [others, some];
  for (const key of few) if (many.has(key)) return true;
  return false;
}

/** Whether the two can have a topic, an attribute or a tool in common: almost no two have, and nothing else need be looked at. */
function mayMeet(earlier: Reading, later: Reading): boolean {
  if (isAnyIn(earlier.keys, later.keys) || later.frames.some(({ cues }) => cues.has('correction'))) return true;
  const isChanged = later.frames.some(
    ({ cues, values }) => values.length > 0 && (cues.has('change') || cues.has('soft')),
  );
  if (isChanged && earlier.frames.some(({ values }) => values.length > 0)) return true;
  const namesSome = ({ tools, mentions }: Frame): boolean => tools.length > 0 || mentions.length > 0;
  if (earlier.frames.some(namesSome) && later.frames.some(namesSome)) return true;
  // What stands around them is read last: that costs more than all of this.
  return isAnyIn(earlier.keys, later.nearKeys) || isAnyIn(earlier.nearKeys, later.keys);
}

/** Whether two frames can have anything in common that a rule asks for. */
function mayCompare(earlier: Reading, later: Reading, e: Frame, l: Frame): boolean {
  if (isAnyIn(e.keys, l.keys) || l.sentenceCues.has('correction')) return true;
  const isLent = l.topics.length === 0 || l.subject.who === 'pronoun' || earlier.isAssistant;
  if (isLent && (isAnyIn(e.keys, later.nearKeys) || isAnyIn(earlier.nearKeys, l.keys))) return true;
  if (isAnyIn(e.keys, later.keys) || isAnyIn(earlier.keys, l.keys)) return true;
  if (
    e.values.length > 0 &&
    l.values.length > 0 &&
    (l.cues.has('change') || l.cues.has('soft') || e.mentions.length > 0 || l.mentions.length > 0)
  )
    return true;
  if (e.tools.some(({ kind }) => l.tools.some((other) => other.kind === kind))) return true;
  return e.mentions.some(({ attribute: { name } }) => l.mentions.some((other) => other.attribute.name === name));
}

/** "I" and "my" are another person's by another mouth. */
const areTwoSpeakers = (earlier: Reading, later: Reading, e: Frame, l: Frame): boolean =>
  earlier.said.speaker !== later.said.speaker && isOnesOwn(e) && isOnesOwn(l);
const isOnesOwn = ({ subject, text }: Frame): boolean =>
  subject.who === 'self' || (subject.topic?.narrowed.includes('self') === true && /\b[Mm]y\b/.test(text));

/** "The audit starts on 16 June", after "on 2 June": that day is what changed, not since when. */
const isOtherStart = ({ conflicts, later }: Evidence): boolean =>
  later.isItsOwnStart && conflicts.some(([, { type }]) => type === 'date' || type === 'weekday');

/** "The deposit is 40 euros there": at the other one that was just named. */
const elsewhere = /\d[^.!?]*\bthere[.!]*$/i;

/** The turn takes back what it says. */
const kidding = /\b(?:april,? april|april fools?|(?:just|only) (?:kidding|joking)|jk)\b/i;

/**
 * Tells why a later sentence ends an earlier one; `null` where it does not.
 *
 * What only sounds like it ends nothing: another person, thing or attribute, or what holds for a day. Nor does what is asked, supposed,
 * wished, quoted, joked or told of the past. What an assistant says ends what a person said only where it confirms what that person just
 * asked for. `weigh` may keep what it found of two frames.
 */
export function closing(earlier: Reading, later: Reading, weigh = evidenceOf): Closing | null {
  if (later.said.time < earlier.said.time) return null;
  if (kidding.test(later.said.text) || kidding.test(later.said.after)) return null;
  if (later.isAssistant && !earlier.isAssistant && !later.isConfirmed) return null;
  // Of several sentences one may be over and the others not.
  if (earlier.isSeveral) return null;
  if (later.said.time > earlier.said.time && keepsPromise(earlier, later)) return { reason: 'kept' };
  if (!mayMeet(earlier, later)) return null;
  // What holds for one day may be put right, too.
  const isCorrected = later.frames.some(({ cues }) => cues.has('correction'));
  // "In English for now", "in German again": so the exception is over.
  const isBack = later.frames.some(({ cues }) => cues.has('again'));
  for (const e of earlier.frames) {
    if (!(e.mode === 'stated' || (e.mode === 'exception' && (isCorrected || isBack)))) continue;
    if (!(e.hasVerb || e.values.length > 0 || e.mentions.length > 0)) continue;
    for (const l of later.frames) {
      if (l.mode !== 'stated' || areTwoSpeakers(earlier, later, e, l)) continue;
      if (!mayCompare(earlier, later, e, l) || elsewhere.test(l.text.trim())) continue;
      const evidence = weigh({ earlier, later, e, l });
      for (const rule of rulesFor(evidence)) {
        const found = rule(evidence);
        if (found !== null)
          return later.from === undefined || isOtherStart(evidence) ? found : { ...found, from: later.from };
      }
    }
  }
  return null;
}

const isAnyCue = ({ cues }: Pick<Frame, 'cues'>): boolean =>
  (['change', 'again', 'soft', 'correction', 'away', 'gone'] as const).some((cue) => cues.has(cue));

/** Whether any two frames will do that say how something is. What an assistant says of itself leads nothing. */
function isAnyPair(
  earlier: Reading,
  later: Reading,
  weigh: typeof evidenceOf,
  will: (of: Evidence) => boolean,
): boolean {
  if (later.said.time <= earlier.said.time || (later.isAssistant && !earlier.isAssistant && !later.isConfirmed))
    return false;
  return earlier.frames.some(
    (e) =>
      (e.mode === 'stated' || e.mode === 'exception') &&
      later.frames.some(
        (l) =>
          l.mode === 'stated' &&
          !areTwoSpeakers(earlier, later, e, l) &&
          mayCompare(earlier, later, e, l) &&
          will(weigh({ earlier, later, e, l })),
      ),
  );
}

/**
 * Tells whether a later sentence is the one to hear first of two that may speak of one matter. It ends nothing: what is only heard first can be
 * put back, so that less is asked for than for {@link closing}.
 */
export function leads(earlier: Reading, later: Reading, weigh = evidenceOf): boolean {
  const isTold = () => later.frames.some(isAnyCue) || later.turn.some(isAnyCue);
  return isAnyPair(earlier, later, weigh, (evidence) => {
    const { e, l, isOtherThing, areSides, hasOtherScope, attribute, tool, conflicts, topicScore, aligned } = evidence;
    if (isOtherThing || areSides || isBeside(evidence) || isNo(e)) return false;
    if (attribute !== undefined && (attribute.isShared !== true || topicScore >= 1)) return true;
    if (tool !== undefined && !evidence.hasOtherPurpose) return true;
    const isOther = conflicts.length > 0 || evidence.loose.length > 0;
    // A place or a person in both is not what both are about.
    const isAboutOne = conflicts.length > 0 || aligned > 0 || evidence.hasSameSubject;
    if (isOther && topicScore >= 1 && ((isAboutOne && isTold()) || (aligned >= 1 && !hasOtherScope && !l.isEvent)))
      return true;
    const isReplaced =
      evidence.complement || evidence.copulas || evidence.holder || evidence.namesOther || evidence.isFlipped;
    if (isReplaced && topicScore >= 1 && aligned >= 0.8 && isTold()) return true;
    const slot = e.isEvent || l.isEvent || isNo(l) ? undefined : slotOf(evidence);
    return slot !== undefined && slot.place === 'complement' && !slot.isOpen;
  });
}

/**
 * Tells whether a later sentence may be a new answer to a question that an earlier one answers. Both state something of one matter, and not
 * the same. That both answer it is for the one who asks to know.
 */
export function answersAnew(earlier: Reading, later: Reading, weigh = evidenceOf): boolean {
  return isAnyPair(earlier, later, weigh, (evidence) => {
    const { e, l, isOtherThing, areSides, topicScore, conflicts, loose } = evidence;
    if ((e.isEvent && l.isEvent) || isOtherThing || areSides || topicScore < 1 || isBeside(evidence)) return false;
    const { complement, copulas, holder, namesOther, attribute, tool, isFlipped } = evidence;
    if (conflicts.length + loose.length > 0 || isFlipped || attribute !== undefined || tool !== undefined) return true;
    return !isNo(l) && (complement || copulas || holder || namesOther);
  });
}

/** Cues that name a change; the others ("now", "left") come with it, and as often with something else. */
const changes = ['change', 'again', 'correction'] as const;

/**
 * Tells whether a later sentence tells a change in a matter that an earlier one speaks of. `maybe`: "now" or "left" is all that says so.
 * Whether it is the change of what is asked is for the one who asks to know.
 */
export function tellsChange(earlier: Reading, later: Reading, weigh = evidenceOf): 'named' | 'maybe' | undefined {
  const told = later.frames.filter((l) => l.mode === 'stated' && isAnyCue(l));
  if (told.length === 0) return undefined;
  // "84 kg, not 48 kg" says itself what it puts right.
  const namesFormer = later.frames.some(({ contrasts }) => contrasts.length > 0);
  const isOne = isAnyPair(
    earlier,
    later,
    weigh,
    (evidence) =>
      !evidence.isOtherThing &&
      !evidence.areSides &&
      evidence.topicScore >= 1 &&
      // "Pepper is allergic to chicken, it turns out" changes nothing else that was said of Pepper.
      !evidence.sharesPersonOnly &&
      !isBeside(evidence) &&
      (!namesFormer || evidence.hasFormer),
  );
  if (!isOne) return undefined;
  return told.some(({ cues }) => changes.some((cue) => cues.has(cue))) ? 'named' : 'maybe';
}

const denies =
  /^\W*(?:no|nope|nah|not (?:since|any ?more|really|at|exactly)|(?:it|that) (?:was|did|is|does) ?n[o'’]t?|was|were)\b/iu;
const affirms =
  /^\W*(?:yes|yep|yeah|yup|sure|still|exactly|correct|right|same)\b(?!.*\b(?:but|though|now|these days|instead)\b)/isu;

/**
 * Tells whether a reply may be a new answer to what an earlier sentence says. "Is the key still behind the meter?", "Not since May. Mrs. Ode
 * has it.": the question names the matter, so that the reply need not. That it does is for the one who asks to know.
 */
export function repliesAnew(earlier: Reading, later: Reading, weigh = evidenceOf): boolean {
  if (later.said.time <= earlier.said.time || (later.isAssistant && !earlier.isAssistant)) return false;
  const reply = [ownBefore(later.said)?.text, later.said.text].filter(Boolean).join(' ');
  if (affirms.test(reply)) return false;
  const isDenied = denies.test(reply);
  return earlier.frames.some(
    (e) =>
      e.mode === 'stated' &&
      !e.isEvent &&
      later.frames.some((l) => {
        if (l.mode !== 'stated' || isNo(l) || beside.test(l.text.trim())) return false;
        const isTold = [l, ...later.turn].some(isAnyCue);
        const { conflicts, loose } = weigh({ earlier, later, e, l });
        const isMeasured = conflicts.some(([{ type }]) => type !== 'number');
        if (conflicts.length + loose.length > 0) return isTold || isDenied || (isMeasured && l.topics.length === 0);
        // "Kepler seats 12", "It is green now": a number is answered by a number.
        if (e.values.length > 0 && !isDenied) return false;
        // Another name or place than those that stood there.
        const isNew = l.topics.some(
          ({ stem, mayBeName, role: place }) => (mayBeName || place !== 'subject') && !e.said.has(stem),
        );
        return isNew && (isDenied || (isAnyCue(l) && isOfSpeakers(l)));
      }),
  );
}
/** "It is a Fuji these days", "I walk with a stick now". */
const isOfSpeakers = ({ subject: { who } }: Frame): boolean => who === 'pronoun' || isSpeaker(who) || who === 'none';

/** Tells whether two sentences look as if they contradict each other, though nothing says that one ends the other: a case for a person. */
export function rivals(earlier: Reading, later: Reading): boolean {
  if (closing(earlier, later) !== null) return false;
  return earlier.frames.some(
    (e) =>
      e.mode === 'stated' &&
      later.frames.some((l) => {
        if (l.mode !== 'stated') return false;
        const { conflicts, complement, holder, isFlipped, tool, isOtherThing, topicScore, frameScore } = evidenceOf({
          earlier,
          later,
          e,
          l,
        });
        if (isOtherThing || topicScore < 1) return false;
        return isFlipped || tool !== undefined || (frameScore >= 1 && (conflicts.length > 0 || complement || holder));
      }),
  );
}
