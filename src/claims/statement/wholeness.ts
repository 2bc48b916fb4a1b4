// Whether words are a whole sentence: one that lost its subject or its verb is read with its neighbours only.

import { lowerFirst } from '../../base/text.ts';
import { inOneSpelling } from './spelling.ts';
import { doubtfulVerbs, isPast, plainVerbs } from './verbs.ts';

const finite =
  /\b(?:is|are|am|was|were|isn't|aren't|wasn't|weren't|has|have|had|hasn't|haven't|hadn't|does|do|did|doesn't|don't|didn't|will|won't|would|wouldn't|can|can't|cannot|could|couldn't|may|might|must|shall|should|shouldn't|goes|means|let's)\b|\b(?:I|[Yy]ou|[Hh]e|[Ss]he|[Ii]t|[Ww]e|[Tt]hey|[Tt]here|[Ww]ho|[Tt]hat|[Ww]hat|[Hh]ere)'(?:s|re|ve|ll|d|m)\b|'s (?:a|an|the|not|so|very|really|been|in|on|at|always|my|our|\p{Alpha}+ing)\b|\b(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Ii]t|[Yy]ou) \p{Alpha}/u;
/** Participles that describe a noun rather than say what happened. */
const describing = /^(?:called|named|based|made|located|filled|inspired|written|given|compared|related|used|needed)$/i;
/** How words begin that go on with somebody else's, or describe what was just seen. */
const describes =
  /^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|once|twice|an?|the|really|very|pretty|quite|wow|what an?|in|at|on|for|from|with|by|just|some|such|best|without|like|not|maybe|probably|especially|same|more|mostly|nothing|as|although|because|also|including|plus|and|or|but|than|\p{Alpha}{3,}ing)\b/iu;
const feeling =
  /^(?:so |very |really |super |just )?(?:going to|has|is|are|was|were|must|might|could|should|would|takes?(?! \p{Alpha}+ (?:to|from|off))|gives|brings|keeps|costs|gets|cool|glad|happy|sorry|excited|awesome|nice|good|great|lucky|proud|sad|stoked|congrats|congratulations|thanks|thank|looking|hoping|hope|wish|wishing|sounds|looks|seems|feels|makes|reminds|means|depends|helps|works|bet|guess|love|loved|got|can't|cannot|couldn't|wouldn't|don't|gonna|haven't|didn't|wasn't|isn't|been|being|have)\b/iu;
/** "Went to the sea": past forms that begin a sentence whose "I" was left out. */
const lostSubject =
  /^(?:(?:just|finally|also|already|recently|lately) )?(?:went|had|saw|did|came|ate|met|bought|spent|ran|won|wrote|gave|told|drove|flew|slept|began|grew up|moved|visited|watched|started|finished|signed up|tried|decided|forgot|wanted to|have to|need to|want to|(?!based|given|compared)\p{Alpha}{3,}ed (?:(?:up|off|out|down|in|away|over|back|on) )?(?:my|our|an?|the|some))\b(?! by\b)/iu;

/** "Just skyped with my aunt", "Finally signed up for the choir". */
const lostDeed =
  /^(?:just|recently|finally|lately) (?!based|given|compared)\p{Alpha}{3,}ed (?:with|to|at|for|in|on|into|from|about)\b/iu;

/** "Trying to eat less sugar": what somebody is at, whose "I" was left out. */
const lostProgress =
  /^(?:(?:just|also|still|currently|really|now|always) )*(been )?(?:trying|hoping|planning|thinking (?:of|about)|working (?:on|at|for|with)|learning|studying|training|saving|looking (?:for|into|forward)|getting (?:ready|back)|preparing|moving|applying|practi[cs]ing|on the (?:lookout|hunt)) /iu;
/** "Love baking with my aunt." */
const lostLiking = /^(?:really |absolutely |just |still )?(?:love|hate|can't stand|don't mind) \p{Alpha}{2,}ing\b/iu;
/** "Took some practice": what did is a thing that was named before. */
const tookTime =
  /^(?:(?:just|only|also) )*(?:took|cost|made) (?:some|an?|me|us|two|three|\d+|the whole) (?:\p{Alpha}+ )?(?:trial|time|while|days?|weeks?|months?|years?|hours?|minutes?|effort|work|practice|patience|money|sense|difference)\b/iu;
const determiner = /^(?:my|our|an?|the|some|this|these|new|\d+|two|three)$/i;

/** Gives a sentence its "I" back: "Got a new bike" → "I got a new bike"; undefined where none was lost. */
function withLostSubject(text: string): string | undefined {
  const put = (lead: string): string => `${lead} ${lowerFirst(text)}`;
  if (lostSubject.test(text) || lostLiking.test(text) || lostDeed.test(text)) return put('I');
  const [, deed, object] =
    /^(?:(?:just|finally|also|already|recently|even) )*(\p{Alpha}+) (\p{Alpha}+|\d+)\b/iu.exec(text) ?? [];
  if (deed !== undefined && isPast(deed) && !describing.test(deed) && determiner.test(object!)) return put('I');
  const progress = lostProgress.exec(text);
  const clause = text.split(/[,;]| [–—-] /)[0]!;
  // "Planning ahead, I ..." has its subject.
  if (progress === null || finite.test(clause) || /^[^,;]*, (?:I|we|my|our)\b/.test(text)) return undefined;
  const words = clause.replace(/[.!?]+$/, '').split(' ');
  if (words.some((word, at) => at > 1 && at < words.length - 1 && isThirdPerson(word, words[at - 1]!)))
    return undefined;
  return put(progress[1] === undefined ? 'I am' : 'I have');
}

/** Tells whether a sentence lost its "I": who is meant is then known from what was said before. */
export const hasLostSubject = (text: string): boolean => withLostSubject(text) !== undefined;

/** Words that answer a question and say nothing without it: "In Ghent.", "May 27.", "Tuesday." */
const bareAnswer =
  /^(?:(?:in|at|on|by|to|from|near|with|until|since|around) )?(?:the )?[\p{Alpha}\d:'-]+(?: [\p{Alpha}\d:'-]+)?[.!]?$/iu;

/** Tells whether a word may be a verb of one other person: "runs" in "a backup runs", not in "with runs". */
const isThirdPerson = (word: string, previous: string): boolean =>
  /\p{Lower}{2,}[^su'\P{Alpha}]s$/u.test(word) &&
  /^(?:\p{Alpha}{3,}|\p{Upper}{2})$/u.test(previous) &&
  !/^(?:the|and|with|for|from|my|your|its|his|her|our|their|some|many|few|all|very|more|most)$/iu.test(previous) &&
  !/['’]s$/u.test(previous);

const isKnownVerb = (word: string): boolean => plainVerbs.has(word) || doubtfulVerbs.has(word);

function hasVerb(text: string): boolean {
  const words = inOneSpelling(text).split(/[^\p{Alpha}\d'-]+/u);
  return (
    finite.test(text) ||
    /\b(?:always|never) (?!\p{Lower}+ing\b)\p{Lower}{2,}/u.test(text) ||
    words.some((word, index) => index > 0 && isPast(word) && !describing.test(word)) ||
    words.some(
      (word, index) =>
        index > 0 &&
        ((isKnownVerb(word) && words[index - 1] !== 'to') ||
          (index > 1 && (index < words.length - 2 || words.length < 6) && isThirdPerson(word, words[index - 1]!))),
    )
  );
}

/** Tells whether the beginning of a sentence says something itself: four words or more, one of them a verb. */
export const saysSomething = (text: string): boolean => text.split(' ').length > 3 && hasVerb(text);

/** "My trips to Malta." */
const ownThing =
  /^(?:(?:my|our)(?! request:| [^:]*\brule\b[^:]*:)|(?!(?:it|he|she|that|this|there|here|what|who|let)['’])\p{Upper}\p{Alpha}*['’]s) /iu;

/** Gives a sentence whole: as it is, or with the "I" that it lost. Undefined where subject or verb are missing and nobody can say which. */
export function whole(text: string): string | undefined {
  if (tookTime.test(text)) return undefined;
  const restored = withLostSubject(text);
  if (restored !== undefined) return restored;
  if (/^(?:although|though|even though|unless|except|since (?:I|we|you|he|she|they))\b[^,]*$/i.test(text))
    return undefined;
  if (/^(?:when|while|if|although|as|because|since|after|before)\b[^,]*$/i.test(text) && text.split(' ').length < 8)
    return undefined;
  if (
    /^(?:like|even|especially|not only|including|such as|just like|plus)\b(?!.*, (?:I|we|my|our|the|he|she|they|it|\p{Upper}))/iu.test(
      text,
    )
  )
    return undefined;
  if (/^(?:where|which|who|whose|whom)\b[^:]*$/i.test(text)) return undefined;
  if (feeling.test(text) && !/^(?:don't|have)\b/i.test(text)) return undefined;
  return !hasVerb(text) && (describes.test(text) || bareAnswer.test(text) || ownThing.test(text)) ? undefined : text;
}
