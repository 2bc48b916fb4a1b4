// Whether two clauses are about one matter. A word that both happen to use makes none: "I told the candidates about the AI tool", "I started to
// train an AI model".

import type { Frame } from '../reading/frames.ts';
import { areKin } from '../reading/words.ts';
import type { Evidence } from './evidence.ts';
import { isOneNarrower, type Match, matchesOf, narrowing } from './pair.ts';
import { isSpeaker } from './subjects.ts';

/** "It is nice to go out in the snow": "it" is nothing that was named. */
const empty = /\bit(?: is|['’]s|s| was| feels) (?:\p{Alpha}+ )?\p{Alpha}+ (?:to|that|when|how)\b/iu;
/** What somebody has, does or sees to. */
const held = /^(?:object|unit|of|after|over|up|for)$/;
const thing = /^(?:object|subject|unit)$/;

/**
 * Tells whether what both name is what one of them is about, or the object of both, or whether the same is done in both. A clause that
 * names nothing itself ("it is 40 now") takes its matter from what was said before it.
 */
export function isOneMatter(evidence: Evidence): boolean {
  const { e, l, earlier, later, holder, copulas, isIt, namesGone } = evidence;
  if (copulas || namesGone || (earlier.isAssistant && !later.isAssistant)) return true;
  const own = matchesOf(e.topics, l.topics);
  // "Canada" is what two ministers speak of, and no office that one has after the other.
  if (holder) return own.length === 0 || own.some((match) => match.every(({ role }) => held.test(role)));
  if (l.subject.who === 'pronoun' && !empty.test(l.text)) return true;
  if (own.length === 0 && (isIt || (l.topics.length === 0 && l.subject.who !== 'self'))) return true;
  if (own.some(([one, other]) => one === e.subject.topic || other === l.subject.topic)) return true;
  if (own.some((match) => areOneObject(match, evidence))) return true;
  return isSameDone(evidence, own);
}

function areOneObject(match: Match, evidence: Evidence): boolean {
  const { e, l } = evidence;
  if (match.every(({ role }) => thing.test(role))) return !isOneNarrower(match, evidence);
  // "We fly to Tromsø on 8 August", "we leave for Tromsø on the 11th": neither has an object.
  const [one, other] = match;
  return areKin(one.stem, other.stem) && e.main.includes(one) && l.main.includes(other) && one.role === other.role;
}

/** "I drive to work over the bridge", "through the tunnel"; "I write the report" and "I write the letter" are two things. */
function isSameDone({ e, l, hasSameSubject }: Evidence, own: readonly Match[]): boolean {
  // "The car is insured", "the contents insurance for the flat": another one.
  const isAny = e.subject.topic === undefined && l.subject.topic === undefined;
  const isOf = (verb: string, { verbs, topics }: Frame, other: Frame): boolean =>
    verbs.some((its) => areKin(verb, its)) ||
    topics.some(
      (topic) =>
        thing.test(topic.role) &&
        areKin(verb, topic.stem) &&
        (isAny || narrowing(topic).every((word) => other.said.has(word))),
    );
  // "We drop Emil off at 8", "the drop-off is at 7": the deed is what the later one is about.
  const what = l.subject.topic;
  if (what !== undefined && e.verbs.some((verb) => areKin(verb, what.stem))) return true;
  if (!hasSameSubject && !l.cues.has('change')) return false;
  if (!e.verbs.some((verb) => isOf(verb, l, e)) && !l.verbs.some((verb) => isOf(verb, e, l))) return false;
  const isObject = ({ role }: Match[number]): boolean => role === 'object';
  return !(
    isSpeaker(e.subject.who) &&
    e.topics.some(isObject) &&
    l.topics.some(isObject) &&
    !own.some((match) => match.every(isObject))
  );
}
