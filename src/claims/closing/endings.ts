// What a later frame says is over, denied, or in the way of what an earlier one says.

import { cuesOf, isCeased } from '../reading/cues.ts';
import type { Frame } from '../reading/frames.ts';
import type { Topic } from '../reading/topics.ts';
import { areKin, stemOf } from '../reading/words.ts';
import { isNamed, isPlace, type Match, narrowing, type Pair } from './pair.ts';
import { hasSameSubject, isPerson, isSpeaker } from './subjects.ts';

/** Words that forbid or allow beside "not": "allergic", "is fine". */
const forbids = /\b(?:allergic|intolerant|forbidden|banned|prohibited|not allowed|refuses?|declined?)\b/i;
const allows =
  /\b(?:(?:is|are|'s|'re) (?:\p{Alpha}+ly )?(?:fine|ok(?:ay)?|allowed|safe|welcome)|no problem|can (?:eat|have|drink|use)|allowed to|no longer allergic|not (?:\p{Alpha}+ )?(?:allergic|intolerant))\b/iu;

/** What a thing or its maker does with what it is given. */
const accepts = /\b(?:accept|allow|permit|support|let)s?\b(?! (?:me|us|you|it)\b)/i;
const refuses = /\b(?:refuse|reject|forbid|block|den(?:y|ie))s?\b/i;

/** Tells whether one says that it is so and the other that it is not. */
export function isFlipped(
  pair: Pair,
  { aligned, frameScore, verbs, same }: { aligned: number; frameScore: number; verbs: number; same: number },
): boolean {
  const { e, l } = pair;
  if (e.isEvent || (l.isEvent && !isCeased(l.text)) || limited.test(l.text)) return false;
  // "We've got a cat, so no lilies please", "so no cat in this house".
  if (has.test(e.text) && l.verbs.length === 0 && e.main.some(({ text }) => isNone(text, l.text))) return true;
  const isTurned = (accepts.test(e.text) && refuses.test(l.text)) || (refuses.test(e.text) && accepts.test(l.text));
  if (isTurned && hasSameSubject(pair) && frameScore >= 1 && isNear(l, e)) return true;
  if (isNo(e) === isNo(l)) return false;
  // "We eat meat": what others do ends nothing of it.
  const who = l.subject.topic;
  if (verbs > 0 && isSpeaker(e.subject.who) && who?.mayBeName && !isNamed(who, e.topics)) return false;
  const isWhole =
    l.topics.every((topic) => isNamed(topic, e.topics) || e.said.has(topic.stem)) &&
    e.topics.every((topic) => isNamed(topic, l.topics) || l.said.has(topic.stem));
  // "I will not book the ferry": by when it would have been done need not be said again.
  const told = ahead.test(e.text) ? e.values.filter(({ type }) => !/^(?:date|weekday|time)$/.test(type)) : e.values;
  // "The app works offline", "it doesn't work offline": verbs that tell no topic are verbs.
  const isSameVerb = verbs > 0 || (e.subject.topic !== undefined && sharesVerb(e, l) && e.topics.length > 1);
  const isSameDone = isSameVerb && isWhole && same >= told.length && hasSameSubject(pair);
  if (isNo(l)) {
    if (isCeased(l.text)) {
      const deed = ceasedDeed.exec(l.text)?.[1];
      if (deed !== undefined && hasSameSubject(pair) && e.said.has(stemOf(deed)) && isNear(l, e)) return true;
      // "The shop has stopped all deliveries" ends nothing of when it opens.
      const stopAt = stops.exec(l.text)?.index ?? Infinity;
      const isOfAnother = l.topics.some(
        ({ role, start, stem }) =>
          role === 'object' &&
          start > stopAt &&
          !e.topics.some((topic) => areKin(topic.stem, stem)) &&
          !e.said.has(stem),
      );
      if (isOfAnother && verbs === 0) return false;
      if (aligned >= 0.8 && frameScore >= 0.8 && (verbs > 0 || l.main.length > 0)) return true;
      return verbs > 0 && (l.topics.length === 0 || same > 0 || frameScore >= 2);
    }
    if (allows.test(e.text)) return aligned >= 0.8 || frameScore >= 1;
    return isSameDone && (e.topics.length > 0 || e.values.length > 0);
  }
  // The other way round it must be said that it is otherwise now, or may be the case elsewhere.
  if (allows.test(l.text) && l.subject.who !== 'you')
    return hasSameSubject(pair)
      ? aligned >= 0.8
      : forbids.test(e.text) && (aligned >= 0.8 || (frameScore >= 1 && l.topics.length === 1));
  return isSameDone && (l.cues.has('change') || l.cues.has('again') || l.cues.has('soft'));
}

/** Whether the word behind "not" is one that the other frame has behind its subject. */
const sharesVerb = (e: Frame, l: Frame): boolean => {
  const deed = /\b(?:do|does|did|will|can|could)(?:n't| not|not) (?:\p{Alpha}+ly )?(\p{Alpha}+)/iu.exec(
    (isNo(l) ? l : e).text,
  )?.[1];
  return deed !== undefined && (isNo(l) ? e : l).said.has(stemOf(deed));
};

const has = /\b(?:have|has|'ve|'s|got|own|owns|keep|keeps)\b (?:got )?(?:an?|one|two|three|some|\d+)\b/i;
const isNone = (what: string, text: string): boolean =>
  new RegExp(`\\bno ${what.toLowerCase().replace(/[^\p{Alpha}\d ]/gu, '')}s?\\b`, 'iu').test(text);
const ahead = /\b(?:will|shall|going to|(?:have|has|need|needs|promised?|plan|plans) to)\b|'ll\b/i;
const stops = /\b(?:stopp?\p{Alpha}*|quit|gave up|given up|giving up|dropped)\b/iu;
const ceasedDeed = /\b(?:stopped|quit|gave up|given up|no longer) (\p{Alpha}+)/iu;
/** Whether all that a frame names is in another. */
const isNear = ({ topics }: Frame, other: Frame): boolean =>
  topics.every((topic) => isNamed(topic, other.topics) || other.said.has(topic.stem));

const limited = /\b(?:usually|mostly|sometimes|often|generally|typically|normally|rarely)\b/i;

/** Tells whether a frame denies or forbids. */
export function isNo(frame: Frame): boolean {
  return (frame.cues.has('negated') || isCeased(frame.text) || forbids.test(frame.text)) && !allows.test(frame.text);
}

/** Tells whether a frame holds often and not always. */
export function isLimited({ text }: Frame): boolean {
  return limited.test(text);
}

const relative = /\b(?:that|which|who) (?:is|are|was|were|has|have)\b.*/iu;
const passive =
  /(?:\b(?:is|are|was|were|been|being|got|gets)|['’](?:s|re)) (?:\p{Alpha}+ ){0,2}?(?:\p{Alpha}+(?:ed|en|wn)|gone|out|over|dead|off|done|history|sold|shut|leaving|on)\b/giu;
const statedWithin = 40;
const dead = /\b(?:died|dead|passed away)\b/i;
/** What ends for a person who left, retired or quit. */
const duty =
  /\b(?:works?|working|job|leads?|heads?|manag\p{Alpha}+|teach\p{Alpha}*|coach\p{Alpha}*|runs?|plays?|trains?|sings?|responsible|in charge|member|lives?|stays?|shifts?|on call|looks? after|handles?|covers?|(?:is|are|['’]s) (?:the|our|my|an?|head|chair|treasurer)|team|crew|signs?|does|has|sees)\b/iu;

const leaves =
  /\b(?:left|quit|leaves|leaving)\b (?:us|(?:the|our|her|his|their) (?:company|firm|team|job|club|band|choir|business|office|board|project|committee|school|practice))\b/iu;

/** Whether what is over is the subject of a frame: "the shop closed". "Ida sold the car" ends nothing of Ida, "Ida retired" not what she eats. */
function isSubjectGone({ e, l }: Pair, matches: readonly Match[], deeds: readonly Topic[]): boolean {
  const text = l.text.replace(relative, '');
  if (!cuesOf(text).has('gone')) return false;
  // "Discard leaves the words of a removed document until they are counted": what is said to be over must be said so itself.
  if ([...text.matchAll(passive)].some(({ index }) => cuesOf(text.slice(index, index + statedWithin)).has('gone')))
    return true;
  if (deeds.length > 0)
    return (
      matches.some(([, other]) => deeds.includes(other)) ||
      deeds.some(({ stem }) => e.verbs.some((verb) => areKin(verb, stem))) ||
      (leaves.test(text) && duty.test(e.text))
    );
  // A person who is written to, or asked, was so for an office.
  const isMentioned = matches.some(([one, other]) => other === l.subject.topic && one !== e.subject.topic);
  return !isPerson(l.subject.topic!) || isMentioned || dead.test(text) || duty.test(e.text);
}

const stopped =
  /\b(?:stopped|discontinued|suspended|cancell?ed|withdrew|drop(?:ped|s)|remove[ds]|abolishe[ds]|abandon(?:ed|s)|retire[ds])\b/i;

/** "Mum takes her warfarin", "the doctor stopped the warfarin": somebody else ended what she does. */
export function isObjectStopped({ e, l }: Pick<Pair, 'e' | 'l'>, matches: readonly Match[]): boolean {
  const owner = e.subject.topic;
  return (
    l.cues.has('gone') &&
    stopped.test(l.text) &&
    matches.some(
      ([one, other]) =>
        one.role === 'object' &&
        other.role === 'object' &&
        areKin(one.stem, other.stem) &&
        // "Threaded irqs" are what they are by their name.
        (/\b(?:the|h(?:is|er)|their|my|our|its) (?:\p{Alpha}+ )?$/iu.test(l.text.slice(0, other.start)) ||
          (other.narrowed.length > 0 && other.narrowed.every((word) => one.narrowed.includes(word))) ||
          (owner !== undefined && isNamed(owner, l.topics))),
    )
  );
}

/** Tells whether a later frame ends what an earlier one names: its subject, or what somebody sold, left or stopped. */
export function isGone({ e, l, earlier, later }: Pair, matches: readonly Match[]): boolean {
  if (!l.cues.has('gone') || e.isEvent || /\b(?:not|never)\b|n['’]t\b/i.test(l.text)) return false;
  if (isObjectStopped({ e, l }, matches)) return true;
  const deeds = l.topics.filter(({ role }) => /^(?:object|unit|off|up|down|out)$/.test(role));
  // "The guide will be translated into Welsh", "the Welsh translation is cancelled".
  const what = l.subject.topic;
  if (what !== undefined && matches.length > 0 && e.verbs.some((verb) => areKin(verb, what.stem))) return true;
  if (hasSameSubject({ e, l, earlier, later }) && deeds.some(({ stem }) => e.verbs.some((verb) => areKin(verb, stem))))
    return true;
  const owners = l.topics.filter(({ role }) => role === 'owner');
  return matches.some(([one, other]) => {
    if (!areKin(one.stem, other.stem)) return false;
    if (other === l.subject.topic && !isSubjectGone({ e, l, earlier, later }, matches, deeds)) return false;
    // "The Correctional Service of Canada's investigation is suspended" says nothing of Canada.
    const isOwner = other.role === 'owner' && other.mayBeName && !/\bof (?:the )?$/i.test(l.text.slice(0, other.start));
    const isPlace = other === l.subject.topic || other.role === 'object' || isOwner;
    const isWhat = e.main.includes(one) || one.mayBeName;
    // "My strategy game is finished" ends not what is said of games.
    const isSaid = (stem: string): boolean =>
      e.said.has(stem) || one.narrowed.includes(stem) || owners.some((owner) => owner.stem === stem);
    if (!narrowing(other).every(isSaid)) return false;
    return isPlace && isWhat && (l.main.includes(other) || other.mayBeName);
  });
}

/** Tells whether the sentence of the later frame also names the value of the earlier one. */
export function namesOld({ e, later, l }: Pair): boolean {
  const values = e.topics.filter((topic) => topic.isName || isPlace(topic));
  return (
    values.some((value) => l.siblings.some(({ stem }) => areKin(value.stem, stem))) ||
    e.values.some(({ key, type }) =>
      later.frames.some(
        (frame) => frame !== l && frame.values.some((value) => value.type === type && value.key === key),
      ),
    )
  );
}

/** Tells whether the turn of the later frame says that what the earlier one names is away or no more. */
export function namesGone({ e, later, l }: Pair): boolean {
  const names = e.topics.filter(({ text, role, isName }) => isName || (role !== 'subject' && /^\p{Upper}/u.test(text)));
  if (names.length === 0) return false;
  return later.frames
    .concat(later.turn)
    .some(
      (frame) =>
        frame !== l &&
        (frame.cues.has('gone') || frame.cues.has('away')) &&
        frame.mode === 'stated' &&
        frame.main.some((topic) =>
          names.some((name) => areKin(name.stem, topic.stem) || name.narrowed.some((stem) => areKin(stem, topic.stem))),
        ),
    );
}
