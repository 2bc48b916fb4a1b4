// Whether a clause tells what was, what is or what will be. It is read off the verb nearest before a place, else the first one after it.

import { isPast, timelessForms } from './verbs.ts';

export type Tense = 'past' | 'present' | 'future';

const futureWords =
  /^(?:will|'ll|won't|shall|gonna|must|should|need|needs|remind|let's|plan|plans|planning|going|scheduled|due|promise|promised|agreed|decided|expect|expects|hope|hopes|want|wants|intend|intends|starts|begins|opens|becomes|ends|expires|leaves|arrives|comes|leave|fly|arrive|come|start|begin|return|retire|join|graduate|closes|launches|moves|joins|retires|returns|graduates|turns|switches|changes|expire|upcoming)$/;
const presentWords = /^(?:is|are|am|'s|'m|'re|has|have|does|do|don't|doesn't|can|works|lives|runs)$/;
/** Verbs whose infinitive lies ahead: "promised to call on Friday". */
const infinitiveAhead =
  /\b(?:have|has|need|needs|want|wants|plan|plans|hope|hopes|promise[ds]?|agree[ds]?|decide[ds]?|going|intend|intends|expect|expects|ask(?:s|ed)?|remind|like|love|able|about|scheduled|offer(?:s|ed)?|due)\b(?: \S+){0,3}? to$/;
/** What was arranged lies ahead, whenever it was arranged: "they moved it to Monday", "put off until", "booked for". */
const arranged =
  /\b(?:(?:move|postpone|push|pull|shift|delay|schedule|reschedule|book|rebook|extend|bump|switch)(?:s|d|ed)?|slip(?:s|ped)?|slid|swap(?:s|ped)?|rebooking|(?:put|brought|set|fixed|planned)(?: \S+){0,6}?(?: off| back| forward)?)\b[^.;!?]* (?:to|for|until|till)(?: the)?(?: (?:mon|tues|wednes|thurs|fri|satur|sun)day,?(?: the)?)? ?$/;
/** "Got cut to three days, 8 to 10 June": so does what it was changed to, in other words. */
const changedTo =
  /\b(?:cut|shortened|reduced|moved|changed|rescheduled|postponed|extended|pushed|shifted|switched|brought forward)\b(?: \S+){0,2}? to [^,;.!?]{1,30}, (?:on |from |now |so )?(?:the )?$/;
/** What somebody waits for lies ahead: "they need the signed form by Wednesday", "I promised her an answer by Friday". */
const awaited =
  /\b(?:wants?|needs?|expects?|requires?|demands?|promise[ds]?|owes?|waiting for|(?:asks|asked)(?: \S+)? for)\b[^;!?]* (?:by|before|until|till)(?: the)? ?$/;
/** So does what was promised: "I promised Ana a cake for her party on June 20th". */
const promised =
  /\b(?:promise[ds]?|owes?) (?:\S+ ){0,4}(?:an?|the|some|my|our|his|her|their) [^;!?]* (?:on|for|in)(?: the)? ?$/;
const begins = /(?:^|[\s,])(?:starting|beginning|as of|effective)(?: with| on| in| from)?(?: the)? ?$/;
const boundary =
  /(?<!\b(?:mr|mrs|ms|dr|st|prof|vs|no))\.|[;:!?()—–]|, (?:and|but|so|because|which)? ?|\b(?:but|because|since|although|though|while|so|which|who|when)\b/g;

const ownClause =
  /^(?:(?:in|on|from|by|the|next|this|last|early|late|mid|of|[a-z]+day|[a-z]+uary|march|april|may|june|july|august|[a-z]+ber|spring|summer|autumn|fall|winter|\d{1,4}(?:st|nd|rd|th)?),? ){1,4}(?:i|we|he|she|they|it|you)\b/;

/** Tells the tense of the clause around a place of a sentence. */
export function tenseAt(text: string, at: number): Tense {
  // "From Stansted": a name is no verb, whatever its end.
  const low = text
    .replace(/’/g, "'")
    .replace(/(?<=\p{Alpha} )\p{Upper}\p{Lower}+ed\b/gu, (name) => 'x'.repeat(name.length))
    .toLowerCase();
  const marks = [...low.matchAll(boundary)].map(({ index, 0: mark }) => [index, index + mark.length] as const);
  const start = Math.max(0, ...marks.filter(([, end]) => end <= at).map(([, end]) => end));
  const end = Math.min(low.length, ...marks.filter(([from]) => from > at).map(([from]) => from));
  if ([arranged, awaited, promised].some((ahead) => ahead.test(low.slice(start, at)))) return 'future';
  if (changedTo.test(low.slice(0, at))) return 'future';
  // "Starting in June I have the late shift": what is so from then on, unless that was.
  if (begins.test(low.slice(start, at))) return nearest(low.slice(at, end), false) === 'past' ? 'past' : 'future';
  // "He turned six yesterday and in September he starts school": the day belongs to what follows.
  if (
    /\b(?:and|but|so|then)(?: (?:in|on|from|by|at))? $/.test(low.slice(start, at)) &&
    ownClause.test(low.slice(at, end))
  )
    return nearest(low.slice(at, end), false) ?? 'present';
  return nearest(low.slice(start, at), true) ?? nearest(low.slice(at, end), false) ?? whole(low) ?? 'present';
}

const wordsOf = (text: string): string[] =>
  text
    .replace(/(?<!\b(?:he|she|it|that|there|who|what|here|where))'s\b/g, '')
    .replace(/n't\b/g, " n't")
    .replace(/'(?=ll\b|m\b|re\b|s\b|d\b|ve\b)/g, " '")
    .split(/[^\p{Alpha}\d'-]+/u)
    .filter((word) => word !== '');

function nearest(clause: string, backward: boolean): Tense | undefined {
  const words = wordsOf(clause);
  for (let step = 0; step < words.length; step++) {
    const index = backward ? words.length - 1 - step : step;
    const found = tenseOf(words, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

const sides =
  /^(?:hand|side|lane|turn|and|or|wing|bank|eyes?|ears?|arms?|legs?|feet|foot|knees?|hips?|shoulders?|wrists?|ankles?|elbows?|thumbs?|lungs?|kidneys?|breasts?|temples?)$/;

function tenseOf(words: readonly string[], index: number): Tense | undefined {
  const word = words[index]!;
  const lead = words.slice(Math.max(0, index - 6), index + 1).join(' ');
  if (word === 'to' && index + 1 < words.length && infinitiveAhead.test(lead))
    return /\b(?:had|used|got|was able|were able)\b/.test(lead) ? 'past' : 'future';
  // "I told Ben that I would bring it on Friday": that was to come.
  if (
    /^(?:would|'d)$/.test(word) &&
    /\b(?:told|said|assured|promised|agreed|wrote)\b/.test(words.slice(0, index).join(' '))
  )
    return 'future';
  if (futureWords.test(word) && !(word === 'going' && !/\b(?:am|is|are|'m|'s|'re) going$/.test(lead))) {
    return isPast(word) && !/^(?:promised|agreed|decided|scheduled)$/.test(word)
      ? 'past'
      : futureOf(word, words, index);
  }
  if (/ing$/.test(word) && /(?:\bam|\bis|\bare|'m|'re|'s)(?: \w+ly| not| also| still)? \S+ing$/.test(lead))
    return 'future';
  // "The left eye": a side, and no deed.
  if (word === 'left' && sides.test(words[index + 1] ?? '')) return undefined;
  // "The signed contract": what it is like, and no deed. Neither is a name.
  if (isPast(word) && /^(?:the|an?|my|your|his|its|our|their)$/.test(words[index - 1] ?? '')) return undefined;
  // "I've got a check-up on 11 March": what one has.
  if (word === 'got' && /(?:\b(?:have|has)|'ve|'s)(?: (?:also|still|just|only|already))? got$/.test(lead))
    return 'present';
  if (isPast(word))
    // "The chimney gets swept" is so now, "the chimney was swept" was.
    return /(?:\b(?:is|are|am|be|been|being|gets?|getting)|'s|'m|'re)(?: \w+){0,2} \S+$/.test(lead)
      ? 'present'
      : 'past';
  // "I put it there on Monday" is past as a rule; "to put", "will put", "don't put" and "always put" are none.
  if (timelessForms.has(word))
    return /(?:'ll|\b(?:to|will|would|can|could|should|must|may|might|always|usually|often|never|do|does|did)|n't)(?: \p{Alpha}+)? \p{Alpha}+$/u.test(
      lead,
    )
      ? undefined
      : 'past';
  // What has been so since Saturday began then; "I have the Saturday shift" is so now.
  if (/^(?:has|have|'ve|been)$/.test(word) && !/\b(?:to|will|would) (?:have|been)\b/.test(lead)) {
    const next = words
      .slice(index + 1, index + 4)
      .find((one) => !/^(?:not|n't|just|also|all|both|\p{Alpha}+ly)$/u.test(one));
    if (word === 'been' || next === undefined || isPast(next) || timelessForms.has(next) || next === 'been')
      return 'past';
  }
  if (presentWords.test(word)) return 'present';
  return undefined;
}

const futureOf = (word: string, words: readonly string[], index: number): Tense =>
  /^(?:promised|agreed|decided)$/.test(word) && !words.slice(index).includes('to') ? 'past' : 'future';

/** The tense of a sentence in which the clause itself has no verb. */
function whole(low: string): Tense | undefined {
  const words = wordsOf(low);
  const found = new Set(words.map((_, index) => tenseOf(words, index)).filter((one) => one !== undefined));
  if (found.size === 1) return [...found][0];
  return found.has('future') ? 'future' : found.has('past') ? 'past' : undefined;
}
