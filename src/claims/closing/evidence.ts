// What two frames have in common and in what they differ: the facts by which closing.ts judges. Nothing is decided here.

import { type Attribute, isSingle } from '../attributes.ts';
import type { Frame } from '../reading/frames.ts';
import type { Topic } from '../reading/topics.ts';
import { differ, type Value } from '../reading/values.ts';
import { areKin } from '../reading/words.ts';
import { isFlipped, isGone, isObjectStopped, namesGone, namesOld } from './endings.ts';
import {
  areApart,
  areSidesApart,
  content,
  isNamed,
  isOneNarrower,
  isPlace,
  type Match,
  matchesOf,
  type Pair,
  scopesOf,
  sumOf,
} from './pair.ts';
import { attributeOf } from './same-attribute.ts';
import { hasSameSubject, isHolder, isOtherChoice, isOtherThing, isPerson } from './subjects.ts';

/** What two frames have in common, and in what they differ. */
export interface Evidence extends Pair {
  /** How much both name: 2 for a name, 1 for a thing or a verb; what only the words around name counts less. */
  readonly topicScore: number;
  /** How much of what the two are about is one: the subject of one, or what it does something to. */
  readonly aligned: number;
  /** The same of the two frames alone. */
  readonly frameScore: number;
  readonly hasSameSubject: boolean;
  /** The later one speaks of another person or thing. */
  readonly isOtherThing: boolean;
  /** What both name is narrowed to different things: "phone number", "office number". */
  readonly isApart: boolean;
  /** The speaker does the same to another thing of a kind: "the dark theme", "the light theme". */
  readonly isOtherChoice: boolean;
  /** What both name is one of two here and the other there: "my second number". */
  readonly areSides: boolean;
  /** Both give a purpose, and not the same. */
  readonly hasOtherPurpose: boolean;
  readonly namesDiffer: boolean;
  /** Values of one type that differ. */
  readonly conflicts: readonly (readonly [Value, Value])[];
  /** A bare number for an amount. */
  readonly loose: readonly (readonly [Value, Value])[];
  readonly attribute: Attribute | undefined;
  /** The kind of tool, where the two name different ones. */
  readonly tool: string | undefined;
  /** Only one of the two is limited to a part, by "in", "for" or what narrows the topic. */
  readonly hasOtherScope: boolean;
  /** The later one is limited to a part that the earlier one does not name. */
  readonly isNarrower: boolean;
  /** Both say what the one thing of its kind is, in other words. */
  readonly single: boolean;
  /** Both give an amount of the same rare unit. */
  readonly isRate: boolean;
  /** What both speak of is what a thing has one of. */
  readonly hasSingle: boolean;
  /** Both speak of one attribute. */
  readonly isMentioned: boolean;
  /** Both say what one thing is. */
  readonly copulas: boolean;
  /** Both prefer, each what the other puts behind. */
  readonly preference: boolean;
  /** The earlier one states what the later one names as former. */
  readonly hasFormer: boolean;
  /** Something else stands behind a preposition of place or means. */
  readonly complement: boolean;
  /** That is all in which the two differ. */
  readonly isOtherPlace: boolean;
  /** Somebody else stands where a name stood. */
  readonly holder: boolean;
  /** Two persons or one are all that both name, and something else is said of each. */
  readonly sharesPersonOnly: boolean;
  /** The two name each a name that the other does not. */
  readonly namesOther: boolean;
  /** The later sentence names the value of the earlier one beside another. */
  readonly namesOld: boolean;
  /** The turn says of a name of the earlier one that it is gone, closed or away. */
  readonly namesGone: boolean;
  /** Two names or numbers that a slip of the pen makes one. */
  readonly isSlip: boolean;
  /** The later one says "not" of a word of the earlier one. */
  readonly isDenied: boolean;
  /** One says that it is so, the other that it is not. */
  readonly isFlipped: boolean;
  readonly isGone: boolean;
  /** The later one says "it" of what the clause before it names. */
  readonly isIt: boolean;
  /** The earlier sentence stands just before the later one. */
  readonly isAdjacent: boolean;
}

/** Verbs by which something has its place, means or keeper. */
const holds =
  /\b(?:is|are|'s|'re|lives?|sits?|stands?|lies?|kept|keeps?|stored?|stores?|hosted|runs?|run|deployed|goes|go|held|takes? place|happens?|meets?|ships?|shipped|works?|built|builds?|tested|logs?|sent|uses?|writes?|tracks?|put|parked|located|hangs?|saved?|saves?|backed up|written|moved|switched)\b/i;
/** "On a diet", "on leave": how somebody is, and not where. */
const conditions =
  /^(?:diet|leav|holidai|vacat|sabbat|medic|antibiot|pill|duti|call|break|trip|hurri|love|charg|risk|pain)$/;
const isCount = (value: Value): boolean => value.type === 'number' || value.type === 'amount' || value.type === 'money';

/** Lists values of the later frame that differ from those of their type in the earlier one. */
function conflictsOf({ e, l }: Pair): { conflicts: (readonly [Value, Value])[]; loose: (readonly [Value, Value])[] } {
  const conflicts: (readonly [Value, Value])[] = [];
  const loose: (readonly [Value, Value])[] = [];
  for (const value of l.values) {
    const same = e.values.filter(({ type, unit }) => type === value.type && unit === value.unit);
    if (same.length > 0) {
      if (same.every((mine) => differ(mine, value))) conflicts.push([same[0]!, value]);
    } else if (isCount(value)) {
      const mine = e.values.filter(
        (other) => isCount(other) && other.unit !== '%' && (other.type === 'number' || value.type === 'number'),
      );
      if (mine.length > 0 && mine.every(({ key }) => key !== value.key)) loose.push([mine[0]!, value]);
    }
  }
  return { conflicts, loose };
}

const prefers =
  /\b(?:prefers?|likes?|favou?rs?|chose|picks?)\b (?<more>[^,;:!?]{1,60}?) (?:over|rather than|instead of|more than|better than|to) (?<less>[^,;:!?.]{1,60}?)[.!]?$/i;
const areEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((word) => other.has(word));

/** Whether both prefer, each what the other puts behind. */
function isTurned(pair: Pair): boolean {
  const [one, other] = [prefers.exec(pair.e.text)?.groups, prefers.exec(pair.l.text)?.groups];
  if (one === undefined || other === undefined || !hasSameSubject(pair)) return false;
  return areEqual(content(one.more!), content(other.less!)) && areEqual(content(one.less!), content(other.more!));
}

const copula =
  /\b(?:is|are|(?:it|he|she|that)'s)(?: now| currently)?(?: called| named| set to)? (?<value>[^,;:!?(]{1,60}?)(?: now)?(?:[.!]?$| \()/i;
/** "We changed the theme to light": what it is now. */
const becomes =
  /\b(?:changed?|switch(?:ed)?|set|turned?|renamed|moved?|went|goes) \b[^,;:!?]{0,50}?\bto (?<value>[^,;:!?]{1,40}?)(?: now| again)?[.!]?$/i;
const isNumeric = (text: string): boolean => /\d/.test(text);

/** Whether both say what something is, in other words of one kind. */
function isOtherSaid({ e, l }: Pick<Pair, 'e' | 'l'>): boolean {
  const [mine, theirs] = [e, l].map(({ text }) =>
    (copula.exec(text) ?? becomes.exec(text))?.groups?.value?.replace(/ again$/, ''),
  );
  if (mine === undefined || theirs === undefined || isNumeric(mine) !== isNumeric(theirs)) return false;
  const isVague = /^(?:not|too|very|so|really|still|fine|ok|good|bad|great)\b/i;
  if ([mine, theirs].some((value) => value.split(' ').length > 5 || isVague.test(value))) return false;
  const [some, others] = [content(mine), content(theirs)];
  return some.size > 0 && others.size > 0 && ![...some].some((word) => others.has(word));
}

/** Whether both say what the one thing of its kind is: "the default branch is main". */
function isOtherSingle({ e, l }: Pair): boolean {
  const [one, other] = [e.subject.topic, l.subject.topic];
  if (
    one === undefined ||
    other === undefined ||
    !areKin(one.stem, other.stem) ||
    !isSingle(other.stem, other.narrowed)
  )
    return false;
  return isOtherSaid({ e, l });
}

/** Whether two words are one but for a slip: a letter more, less or other, or digits that changed places. */
function isSlip(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (a === b || Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 2;
}

/** What nothing is known of but that the two speak of different things: then no rule finds an end, and no more is looked at. */
const ofOtherThings: Omit<Evidence, keyof Pair> = {
  topicScore: 0,
  frameScore: 0,
  aligned: 0,
  hasSameSubject: false,
  isOtherThing: true,
  isApart: false,
  isOtherChoice: false,
  areSides: false,
  hasOtherPurpose: false,
  namesDiffer: false,
  conflicts: [],
  loose: [],
  attribute: undefined,
  tool: undefined,
  hasOtherScope: false,
  isNarrower: false,
  single: false,
  isRate: false,
  hasSingle: false,
  isMentioned: false,
  copulas: false,
  preference: false,
  hasFormer: false,
  complement: false,
  isOtherPlace: false,
  holder: false,
  sharesPersonOnly: false,
  namesOther: false,
  namesOld: false,
  namesGone: false,
  isSlip: false,
  isDenied: false,
  isFlipped: false,
  isGone: false,
  isAdjacent: false,
  isIt: false,
};

const called = /\b(?:is|are|'s|'re) (?:called |named )/i;
const areNamed = (match: Match, { e, l }: Pair): boolean =>
  match.every(({ role }) => role === 'object') && called.test(e.text) && called.test(l.text);

const itAsObject =
  /\b(?:do|doing|have|having|hold|holding|move|moved|moving|put|keep|kept|make|take|took|taking|celebrate|run) (?:it|them|this|that)\b/i;

/** "My gym in Utrecht", "the gym here" of somebody who is away: the one of another place. */
const isElsewhere = ({ e, l }: Pair, own: readonly Match[]): boolean =>
  own.some(([, { end }]) => /^ (?:over )?(?:here|there)\b/.test(l.text.slice(end))) &&
  e.topics.some((topic) => isPlace(topic) && topic.mayBeName);

/** "My cousin Maria", "Maria, your cousin"; "Maria from accounting". */
const ofKin = /\b(?:my|our|your|his|her|their) \p{Lower}+(?: \p{Lower}+)? $/u;
const asKin = /^, (?:my|our|your|his|her|their) \p{Lower}+/u;
const fromElsewhere = /^ (?:from|in|at|of) (?:the )?\p{Lower}/u;
/** Two of one first name, each with words that tell them apart. */
const isNamesake = ({ e, l }: Pair, own: readonly Match[]): boolean =>
  own.some(
    ([one, other]) =>
      one.mayBeName &&
      fromElsewhere.test(l.text.slice(other.end)) &&
      (ofKin.test(e.text.slice(0, one.start)) || asKin.test(e.text.slice(one.end))),
  );

const person = /^(?:and |but |so )?s?he\b/i;

/** Reads what two frames have in common. */
export function evidenceOf(pair: Pair): Evidence {
  const { earlier, later, e, l } = pair;
  // "By the Dublin team", "by the Manila team": two values, not two things that the sentences are about.
  // So are "is called Rosewood Kitchen" and "Rosemount Kitchen".
  const own = matchesOf(e.topics, l.topics).filter(
    (match) => !(areApart(match) && (match.every(isPlace) || areNamed(match, pair))),
  );
  const isVerbOf = (verb: string, frame: Frame): boolean =>
    frame.verbs.some((other) => areKin(verb, other)) || frame.topics.some(({ stem }) => areKin(verb, stem));
  const verbs =
    e.verbs.filter((verb) => isVerbOf(verb, l)).length +
    l.verbs.filter((verb) => e.topics.some(({ stem }) => areKin(verb, stem))).length;
  const isNew = (matches: readonly Match[]): Match[] =>
    matches.filter(([{ stem }]) => !own.some(([one]) => areKin(one.stem, stem)));
  const siblings = isNew([...matchesOf(e.topics, l.siblings), ...matchesOf(e.siblings, l.topics)]);
  // What an assistant repeats is about what the person said before it.
  // "We changed our minds about the wedding, we're doing it at the boathouse instead."
  const isIt = itAsObject.test(l.text);
  // "Found a flatmate, Emre, he moves in on 3 May": the same sentence says who "he" is.
  const isNamedBefore = l.topics.length === 0 && person.test(l.text) && l.siblings.some(({ isName }) => isName);
  const isLent =
    !isNamedBefore && (l.topics.length === 0 || l.subject.who === 'pronoun' || earlier.isAssistant || isIt);
  const lent = isNew(!isLent ? [] : [...matchesOf(e.topics, later.near), ...matchesOf(earlier.near, l.topics)]).filter(
    ([{ stem }]) => !siblings.some(([one]) => one.stem === stem),
  );
  const { conflicts, loose } = conflictsOf(pair);
  const holder = isHolder(pair, own, conflicts.length, verbs);
  const isOther =
    !isObjectStopped(pair, own) &&
    (siblings.some(areApart) ||
      lent.some(areApart) ||
      isOtherThing(pair, own, holder) ||
      isElsewhere(pair, own) ||
      isNamesake(pair, own));
  const attribute = attributeOf(pair);
  const preference = isTurned(pair);
  if (
    isOther &&
    attribute === undefined &&
    !preference &&
    l.contrasts.length === 0 &&
    !l.sentenceCues.has('correction')
  )
    return { ...ofOtherThings, ...pair };
  const same = l.values.filter((value) =>
    e.values.some((mine) => mine.type === value.type && mine.unit === value.unit && !differ(mine, value)),
  ).length;
  const units =
    l.topics.length > 0 ? 0 : conflicts.filter(([{ unit }]) => unit !== '' && unit !== 'person' && unit !== '%').length;
  const frameScore = sumOf(own) + verbs + 0.5 * same;
  const isUnmatched = (topic: Topic): boolean =>
    !own.some(([one, other]) => one.stem === topic.stem || other.stem === topic.stem);
  const [mine, theirs] = [e.topics.filter(isUnmatched), l.topics.filter(isUnmatched)];
  const [mineNames, theirNames] = [mine.filter(({ isName }) => isName), theirs.filter(({ isName }) => isName)];
  const isMain = (topic: Topic, frame: Frame): boolean => frame.main.includes(topic);
  const acts =
    l.verbs.some((verb) => e.main.some(({ stem }) => areKin(verb, stem))) ||
    e.verbs.some((verb) => l.main.some(({ stem }) => areKin(verb, stem)));
  // "I drive to work over the bridge", "I drive to work through the tunnel": what the speaker does, and with what.
  const isOwnDeed = e.subject.who === 'self' && l.subject.who === 'self' && own.length > 0;
  const isDeed = verbs > 0 && hasSameSubject(pair) && (l.main.length === 0 || e.main.length === 0 || isOwnDeed);
  const isRate = conflicts.some(
    ([{ unit }]) => unit.includes(' per ') || (/^[a-z]{4,}$/.test(unit) && unit !== 'person'),
  );
  const aligned =
    (acts || isDeed || isRate || units > 0 ? 1 : 0) +
    sumOf(own.filter(([one, other]) => isMain(one, e) && isMain(other, l))) +
    (isLent
      ? sumOf(
          lent
            .concat(siblings)
            .filter(([one, other]) => one.isName || isMain(one, e) || (earlier.isAssistant && isMain(other, l))),
        )
      : 0);
  const tool = e.tools.find(
    (one) =>
      l.tools.some((other) => one.kind === other.kind && one.name !== other.name) &&
      (l.cues.has('change') || !l.tools.some(({ name }) => name === one.name)),
  );
  const covers = (topic: Topic): boolean =>
    [...l.topics, ...l.siblings, ...later.near].some((other) => isNamed(topic, [other]) || isNamed(other, [topic])) ||
    l.verbs.some((verb) => areKin(verb, topic.stem));
  const isTool = (frame: Frame, { start }: Topic): boolean =>
    frame.tools.some((named) => named.kind === tool?.kind && named.start <= start && start < named.end);
  const [mineIn, theirsIn] = [
    scopesOf(e).filter((topic) => !isTool(e, topic)),
    scopesOf(l).filter((topic) => !isTool(l, topic)),
  ];
  // "In this house" is where both are said.
  // "For our street" is where the speaker lives.
  const isHere = ({ start }: Topic): boolean => /\b(?:this|for our) $/i.test(l.text.slice(0, start));
  const former = l.contrasts.flatMap((contrast) => contrast.former);
  // "At the Mühle, no longer at the Seehof": the one stands where the other stood.
  const isInPlace = ({ role }: Topic): boolean =>
    e.topics.some((one) => one.role === role && former.includes(one.stem));
  const isNarrower = theirsIn.some(
    (topic) => !isInPlace(topic) && !isNamed(topic, e.topics) && !e.said.has(topic.stem) && !isHere(topic),
  );
  const purpose = (frame: Frame): Topic[] =>
    frame.topics.filter(
      ({ role, start }) =>
        (role === 'for' || role === 'subject') &&
        !frame.tools.some((named) => named.start <= start && start < named.end),
    );
  const [mineFor, theirsFor] = [purpose(e), purpose(l)];
  const notWhat = /\bnot (?:an? |the |in |on |at )?([\p{Alpha}\d][\p{Alpha}\d.:-]*)/iu
    .exec(l.text)?.[1]
    ?.toLowerCase()
    .replace(/[.:]+$/, '');
  return {
    ...pair,
    topicScore:
      frameScore + (l.subject.who === 'pronoun' ? 1 : 0.8) * sumOf(siblings) + (isLent ? 1 : 0.6) * sumOf(lent) + units,
    frameScore,
    aligned,
    hasSameSubject: hasSameSubject(pair),
    isOtherThing: isOther,
    isApart: own.some(areApart),
    isOtherChoice: isOtherChoice(pair, own),
    areSides: own.some((match) => areSidesApart(match, pair)),
    hasOtherPurpose:
      mineFor.length > 0 &&
      theirsFor.length > 0 &&
      matchesOf(mineFor, theirsFor).length === 0 &&
      matchesOf(e.topics, theirsFor).length === 0,
    namesDiffer: mineNames.length > 0 && theirNames.length > 0,
    hasOtherScope:
      isNarrower ||
      mineIn.some((topic) => !covers(topic) && !former.includes(topic.stem)) ||
      own.some((match) => isOneNarrower(match, pair)),
    isNarrower,
    single: isOtherSingle(pair),
    hasFormer:
      former.length > 0 &&
      former.every((stem) => e.said.has(stem) || e.values.some(({ key }) => key === stem)) &&
      (e.subject.topic === undefined || !former.includes(e.subject.topic.stem) || verbs > 0 || own.length > 0) &&
      (e.main.every(
        (topic) => former.includes(topic.stem) || topic.narrowed.some((stem) => former.includes(stem)) || covers(topic),
      ) ||
        own.some(([one]) => one.isName)),
    isRate,
    hasSingle: own.some(([one, other]) => isMain(one, e) && isSingle(other.stem, other.narrowed)),
    isMentioned: e.mentions.some(
      ({ attribute: { name, isShared } }) =>
        isShared !== true && l.mentions.some((other) => other.attribute.name === name),
    ),
    copulas:
      isOtherSaid(pair) &&
      ((hasSameSubject(pair) && e.subject.topic !== undefined) ||
        own.some(([one, other]) => isMain(one, e) && isMain(other, l) && other.role !== 'owner')),
    preference,
    conflicts,
    loose,
    attribute,
    tool: tool?.kind,
    complement:
      !prefers.test(l.text) &&
      mine.some(
        (one) =>
          isPlace(one) &&
          !conditions.test(one.stem) &&
          theirs.some(
            (other) => isPlace(other) && (one.role === other.role || l.cues.has('again') || holds.test(e.text)),
          ),
      ),
    isOtherPlace: mine.length === 1 && theirs.length === 1 && mine.every(isPlace) && theirs.every(isPlace),
    holder,
    sharesPersonOnly: own.length > 0 && verbs === 0 && !hasSameSubject(pair) && own.every(([one]) => isPerson(one)),
    namesOther: mine.some(({ mayBeName }) => mayBeName) && theirs.some(({ mayBeName }) => mayBeName),
    namesOld: namesOld(pair),
    namesGone: namesGone(pair),
    isSlip:
      mine.some((one) => theirs.some((other) => isSlip(one.stem, other.stem))) ||
      conflicts.concat(loose).some(([one, other]) => isSlip(one.key, other.key)),
    isDenied:
      notWhat !== undefined &&
      (content(e.text).has(notWhat) ||
        e.values.some(({ key }) => key === notWhat || key === notWhat.replace(/\D/g, ''))),
    isFlipped: conflicts.length === 0 && isFlipped(pair, { aligned, frameScore, verbs, same }),
    isGone: isGone(pair, own),
    isAdjacent: later.before.includes(e.text),
    isIt,
  };
}
