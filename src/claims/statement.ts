// A sentence written so that it can be understood alone. I, we and you become names, "yesterday" and "last week" days of the calendar, and
// pronouns what they mean. What cannot be said with certainty is not said: then there is no statement. Parts are in statement/.

import { upperFirst } from '../base/text.ts';
import type { Said } from './said.ts';
import { joinedWithQuestion } from './statement/answers.ts';
import { restated } from './statement/corrections.ts';
import { type Dated, withDays } from './statement/days.ts';
import { groupOf, hearerOf, isOursInGeneral, isWeInGeneral, ownerOf, withAnybody } from './statement/groups.ts';
import { withOwnKin } from './statement/kin.ts';
import { leansOnOthers } from './statement/leaning.ts';
import { withoutVocative } from './statement/openings.ts';
import { isImperative, withoutHearer } from './statement/orders.ts';
import { withOwnThings } from './statement/own-things.ts';
import { passive } from './statement/passives.ts';
import { withPersons } from './statement/persons.ts';
import { guarded, isTornQuotation } from './statement/quotations.ts';
import { withReferences } from './statement/references.ts';
import { inOneSpelling } from './statement/spelling.ts';
import { kinship, subjectOf } from './statement/subject.ts';
import { hasLostSubject, saysSomething, whole } from './statement/wholeness.ts';

/** A sentence that is understood alone. */
export interface Statement {
  readonly statement: string;
  /** The person it is about, as named, else the words for the thing. */
  readonly subject: string;
  /** The first exact day it speaks of, `YYYY-MM-DD`, in the zone of the turn. */
  readonly day?: string;
}

/** A pronoun of the first or second person that no step could name. */
const dangling = /\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|us|[Oo]urs?|[Yy]ou|[Yy]ours?)\b(?!-)/;

/**
 * Writes a sentence so that it is understood alone; undefined where what it speaks of cannot be said with certainty, and for questions.
 *
 * ```
 * Anna, 2026-03-14: "Yesterday I signed the lease."  →  { statement: "On 2026-03-13 Anna signed the lease.", subject: "Anna", day: "2026-03-13" }
 * ```
 *
 * Numbers, names, negations and conditions stay; quotations, code and paths keep every letter. A sentence that was understood alone comes back
 * as it is. Pure: nothing but `said` decides.
 */
export function statementOf(said: Said): Statement | undefined {
  if (isTornQuotation(said.text)) return undefined;
  const words = (restated(said) ?? said.text).trim();
  const quoted = guarded(words);
  const spelled = inOneSpelling(quoted.text);
  const asked = joinedWithQuestion({ ...said, text: spelled });
  if (asked === undefined) return undefined;
  const ownWords = withOwnThings(withOwnKin(withoutHearer(withoutVocative(asked, said), said), said), said);
  for (const [at, part] of partsOf(ownWords).entries()) {
    const written = writtenAlone(part, said, at === 0);
    if (written === undefined) continue;
    const { text, day } = written;
    const statement = text === spelled ? words : quoted.restore(upperFirst(text));
    return { statement, subject: subjectOf(text, said), ...(day === undefined ? {} : { day }) };
  }
  return undefined;
}

/** Where a sentence may end sooner and stay true: what follows adds, and neither denies nor restricts. */
const addition =
  /(?:, (?:and|so)|,(?= (?!(?:as|after|before|once|while|whether|how|what|where|who|whose|though|although|whatever|did|do|does|is|was|has|had)\b)\p{Lower}+ (?:it|that|this|them)\b)| (?:and|so) (?=(?:it|they|he|she|this|that|those)\b)|[,;] (?:which|because|since|it|they|he|she|this|that|those|there|you|please|let me|check|take a look|ask|see|call|contact|talk to|check with)\b|;|,? [–—-](?= )|:(?= )| to celebrate(?=[.!]*$))(?! ?(?:not|never|if|unless|only|except|until|when|no|nor|but|without|far|on)\b)/giu;

/** "Always use pnpm, the lockfile breaks otherwise": an order stands without its reason. */
function reasonOf(sentence: string): string[] {
  if (!isImperative(sentence)) return [];
  const at = sentence.search(/, (?:I|we|the|my|our|it|that|this|they|he|she|there|otherwise)\b/i);
  return at < 0 ? [] : [sentence.slice(0, at)];
}

/** Lists a sentence and its beginnings that are sentences themselves, longest first: what comes before a tail is kept where the tail is not. */
function partsOf(sentence: string): string[] {
  const ends = [...sentence.matchAll(addition)].map(({ index }) => sentence.slice(0, index));
  // "If it rains, the wall leaks, and ..." stays whole: its beginning would be the condition alone.
  const heads = /^(?:if|when|while|unless|although|though|because|since|as)\b/i.test(sentence)
    ? []
    : [...ends, ...reasonOf(sentence)].filter((head) => saysSomething(head) || isImperative(head));
  return [
    sentence,
    ...heads
      .reverse()
      .slice(0, 3)
      .map((head) => `${head}.`),
    ...tailsOf(sentence),
  ];
}

/** Where the speaker begins anew, behind words that need not be kept: "It's hard to choose, but I enjoy ...". */
const anew =
  /(?:(?:;|,? ?[–—-]|, (?:and|so)|,? but|,)\s+(?=(?:I|we|my|our)\b)|,? so\s+(?=(?:the )?(?:[\p{Lower}'’-]+ ){1,3}(?:are|is|have|has|goes?|runs?|costs?|starts?)\b))/giu;
/** What of a sentence does not stand without its beginning: an opinion, a reply, a pronoun that the beginning gives its meaning. */
const leaning =
  /\b(?:think|guess|hope|wish|feel|believe|know|mean|agree|bet|suppose|say|said|it|they|them|this|that|these|those|there|he|she|him|her|his|(?:about|of) its|their|too|so)\b/i;
const conditional =
  /\b(?:if|when|while|unless|although|though|because|since|as|whether|until|says?|said|told|not|n't|never)\b|["“?]/i;

/** Lists the ends of a sentence that are sentences of the speaker's own. */
function tailsOf(sentence: string): string[] {
  return [...sentence.matchAll(anew)].flatMap(({ 0: joint, index }) => {
    const tail = sentence.slice(index + joint.length);
    if (conditional.test(sentence.slice(0, index)) || leaning.test(tail.split(',')[0]!) || !saysSomething(tail))
      return [];
    return [upperFirst(tail)];
  });
}

const othersAsked = new RegExp(
  `\\b(?:did|does|do|is|are|has|have|was|were|will) (?:he|she|they|your (?:\\p{Lower}+ )?(?:${kinship})s?|\\p{Upper}\\p{Lower}+)\\b[^?]*\\?$`,
  'u',
);

/** Tells whether what was said last was about somebody else: then a sentence without a subject may be so, too. */
function isAfterOthers({ speaker, before }: Said): boolean {
  const last = before.at(-1);
  if (last === undefined) return false;
  const sentence = last.text.split(/(?<=[.!?])\s+/).at(-1)!;
  return last.speaker === speaker
    ? /\b(?:he|she|they|his|her|their)\b|^(?:My|Our) \p{Alpha}+ (?:is|was|has|had|will|\p{Alpha}+(?:s|ed)) /u.test(
        sentence,
      )
    : othersAsked.test(sentence) ||
        (/\b(?:they|he|she)\b/i.test(sentence) && !/\b(?:you|your|I|me|my|we)\b/i.test(sentence));
}

function writtenAlone(part: string, said: Said, isWhole: boolean): Dated | undefined {
  const sentence = hasLostSubject(part) && isAfterOthers(said) ? undefined : whole(part);
  const done = sentence === undefined || !isWhole ? undefined : passive(sentence);
  const named =
    sentence === undefined
      ? undefined
      : (withReferences(sentence, said) ?? (done === undefined ? undefined : withReferences(done, said)));
  if (named === undefined || isWeInGeneral(named) || isOursInGeneral(named) || leansOnOthers(named)) return undefined;
  const dated = withDays(withAnybody(named, said), said.time, said.timeZone);
  const hearer = hearerOf(said, dated.text);
  const group = groupOf(said, dated.text);
  const text = withPersons(dated.text, {
    speaker: said.speaker,
    ...(hearer === undefined ? {} : { hearer }),
    group,
    owner: (thing) => ownerOf(thing, said, group),
  });
  return text === undefined || dangling.test(text) ? undefined : { ...dated, text };
}
