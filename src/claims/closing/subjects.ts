// Whether two frames speak of the same person or thing, of another, or of somebody else in the same role.

import type { Attribute } from '../attributes.ts';
import type { Frame } from '../reading/frames.ts';
import type { Topic } from '../reading/topics.ts';
import { differ } from '../reading/values.ts';
import { areKin } from '../reading/words.ts';
import { areApart, isNamed, type Match, narrowing, type Pair } from './pair.ts';

/** Words for persons by what they are to somebody. */
const kinWords =
  /^(?:wife|husband|partner|girlfriend|boyfriend|son|daughter|kid|child|mother|mum|mom|father|dad|parent|brother|sister|sibl|uncl|aunt|cousin|grand\p{L}*|friend|neighbour|neighbor|colleagu|cowork|boss|flatmat|roommat|mate|niec|nephew|twin|famili|fianc\p{L}*)$/u;

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

/** Tells whether somebody else does the same: the subjects differ, what is done and to what is one. */
export function isHolder({ e, l }: Pair, matches: readonly Match[], conflicts: number, verbs: number): boolean {
  const [one, other] = [e.subject.topic, l.subject.topic];
  if (one === undefined || other === undefined || conflicts > 0) return false;
  if (
    areKin(one.stem, other.stem) ||
    !one.mayBeName ||
    !(other.mayBeName || kinWords.test(other.stem) || other.narrowed.length > 0)
  )
    return false;
  return matches.length > 0 && (verbs > 0 || isResponsible(e, matches) || isResponsible(l, matches));
}

const responsible =
  /\b(?:leads?|led|heads?|runs?|owns?|manag\p{L}+|coach\p{L}*|review\p{L}*|handl\p{L}+|oversees?|looks? after|takes? (?:care|over|on)|took over|in charge|responsible|approv\p{L}+|signs?|does|do|has|have|covers?|teach\p{L}*|picks? up|on call|is doing|takes|walks?|drives?|cooks?|hosts?|chairs?|moderat\p{L}+|supervis\p{L}+)\b/iu;
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

/** Tells whether the two are about different persons or things. */
export function isOtherThing(pair: Pair, matches: readonly Match[], holder: boolean): boolean {
  const { earlier, e, l } = pair;
  if (matches.some((match) => areApart(match) && !isSaidElsewhere(match, pair))) return true;
  if (holder) return false;
  const [one, other] = [e.subject.topic, l.subject.topic];
  // "Our coach is Stefan", "Ulrike is coaching us": who does it now.
  if (one !== undefined && other?.mayBeName && l.verbs.some((verb) => areKin(verb, one.stem))) return false;
  const isHim = ({ text }: Frame): boolean => /^\W*(?:and |but |so )?(?:he|she)\b/i.test(text);
  if (
    isSpeaker(e.subject.who) &&
    l.subject.who === 'pronoun' &&
    isHim(l) &&
    !e.topics.some(({ isName, stem }) => isName || kinWords.test(stem))
  )
    return true;
  if (isSpeaker(l.subject.who) && e.subject.who === 'pronoun' && isHim(e)) return true;
  if (other !== undefined && kinWords.test(other.stem) && !isNamed(other, e.topics.concat(e.siblings))) return true;
  // "My flight", "her flight".
  if (isSpeaker(e.subject.who) && matches.some(([, their]) => their.narrowed.includes('other'))) return true;
  if (one !== undefined && kinWords.test(one.stem) && l.subject.who === 'self' && !isNamed(one, l.topics)) return true;
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
    if (areKin(one.stem, other.stem)) return true;
    // "My flatmate is Amara", "Birgit is my flatmate": whose it is decides.
    return one.narrowed.includes('self') && other.narrowed.includes('self') && speakers;
  }
  if (one !== undefined && l.subject.who === 'pronoun') {
    const names = [one.stem, ...e.topics.filter(({ isName }) => isName).map(({ stem }) => stem)];
    return (
      later.near.some(({ stem }) => names.some((name) => areKin(name, stem))) && (one.isName || kinWords.test(one.stem))
    );
  }
  // "Our team sits", "my number": the speaker's.
  const topic = one ?? other;
  const who = one === undefined ? e.subject.who : l.subject.who;
  return (
    topic !== undefined &&
    !kinWords.test(topic.stem) &&
    !(typeof value === 'object' ? topic.isName : topic.mayBeName) &&
    isOwn(who) &&
    speakers &&
    !topic.narrowed.includes('other')
  );
}
