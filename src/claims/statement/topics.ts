// What was spoken of before a pronoun takes it up: by a question, or by the speaker ("The new keeper? That's ...", "the big kiln, it ...").
// Also whom a name is given to: "We hired a cook. Her name is ..."

import { splitSentences } from '../../base/sentences.ts';
import { upperFirst } from '../../base/text.ts';
import type { Said } from '../said.ts';
import { withoutOpening } from './openings.ts';
import { phraseAt, tooVague } from './phrases.ts';
import { inOneSpelling } from './spelling.ts';
import { agreeing, doubtfulVerbs, plainVerbs } from './verbs.ts';
import { saysSomething } from './wholeness.ts';

const more =
  'start begin open close end leave arrive cost need last expire mean fit belong contain require return come lie stand sit hang stay happen';
const bases = new Set([...plainVerbs, ...doubtfulVerbs, ...more.split(' ')]);
const finite = new Set([
  ...[...bases].map(agreeing),
  ...'is are was were has have had does do did will would can could should must may might'.split(' '),
]);
const determiner = /^(?:the|my|our|your|his|her|their|this|that|these|those)$/i;
const preposition = /^(?:of|for|in|on|at|from|with|behind|near|under|by|about|to)$/i;

/** The noun phrase at a place with what belongs to it: "the key of the shed"; ends before a verb. */
export function longPhraseAt(words: readonly string[], from: number): string[] {
  const found: string[] = [];
  for (let at = from; ; ) {
    const part = phraseAt(words, at).split(' ');
    const verb = part.findIndex((word, index) => index > 0 && (finite.has(word.toLowerCase()) || isNumber(word)));
    found.push(...(verb < 0 ? part : part.slice(0, verb)));
    at += part.length;
    const isClosed = verb >= 0 || /[,;:.?!]$/.test(words[at - 1] ?? '');
    const next = words[at + 1] ?? '';
    if (isClosed || !preposition.test(words[at] ?? '') || !(determiner.test(next) || /^\p{Upper}\p{Lower}/u.test(next)))
      break;
    found.push(words[at]!);
    at += 1;
  }
  return found;
}

const isNumber = (word: string): boolean => /^\d/.test(word);

/** So a question ends that asks for nothing more. */
const tag =
  /,? (?:right|correct|yes|no|or|ok|okay|isn't it|aren't they|doesn't it|don't they|again|now|then|please|still|these days|by the way|this time|today|tomorrow|guys)\?$/i;

/** Finds what a question is about: its subject, or what it looks for ("where did you put the key?"). */
export function topicOf(question: string): string | undefined {
  let asked = withoutOpening(inOneSpelling(question).trim()).replace(/(?:^|(?<=[.!:;] ))\p{Lower}/u, (letter) =>
    letter.toUpperCase(),
  );
  for (let cuts = 0; cuts < 2; cuts++) asked = asked.replace(tag, '?');
  const words = asked.replace(/\?$/, '').split(' ');
  const [, wanted] =
    /^(?:Where|When|What time|What day|Since when|How (?:much|long|old|far|big|often))(?:'s| (?:is|are|was|were)) (.+)\?$/.exec(
      asked,
    ) ?? [];
  if (wanted !== undefined) return asTopic(longPhraseAt(wanted.split(' '), 0), wanted);
  // "Where did you put the key of the shed?", "When does the sale start?"
  if (/^(?:Where|When|What time|How (?:much|long|often)) (?:do|does|did|have|has|can|could|will|should) /.test(asked)) {
    const at = words.findIndex((word, index) => index > 1 && determiner.test(word));
    if (at < 0) return undefined;
    const phrase = longPhraseAt(words, at);
    const isSubject = at < 4 && /^(?:do|does|did|have|has|can|could|will|should)$/.test(words[at - 1]!);
    return asTopic(isSubject ? withoutVerb(phrase) : phrase);
  }
  if (/^(?:Is|Are|Was|Were|Isn't|Aren't)$/.test(words[0]!)) {
    const phrase = longPhraseAt(words, 1);
    // "Is the shop open?": the last word is what is asked of it.
    return asTopic(phrase.length + 1 === words.length ? phrase.slice(0, -1) : phrase);
  }
  if (/^(?:Do|Does|Did|Has|Have|Can|Will|Doesn't|Hasn't)$/.test(words[0]!)) {
    if (determiner.test(words[1]!)) return asTopic(withoutVerb(longPhraseAt(words, 1)));
    const at = words.findIndex((word, index) => index > 2 && determiner.test(word));
    return at < 0 || !/^(?:you|we|they)$/.test(words[1]!) ? undefined : asTopic(longPhraseAt(words, at));
  }
  if (!/^(?:The|My|Our|Your|His|Her|Their)$/.test(words[0]!)) return undefined;
  const phrase = longPhraseAt(words, 0);
  return finite.has((words[phrase.length] ?? '').toLowerCase()) ? asTopic(phrase) : undefined;
}

/** Cuts the verb that ends "the sale start". */
function withoutVerb(phrase: readonly string[]): readonly string[] {
  const verb = phrase.findIndex((word, index) => index > 1 && bases.has(word));
  return verb < 0 ? [] : phrase.slice(0, verb);
}

/** "The one from Banff": what is meant was named before. */
const pointless = /^\p{Alpha}+ (?:ones?|others?|same|rest|stuff|weather|plan|matter|problem|reason|idea|point)\b/iu;

function asTopic(phrase: readonly string[], whole?: string): string | undefined {
  const [first = '', second] = phrase;
  const text = phrase.join(' ').replace(/[,;:.!?]+$/, '');
  if (second === undefined || !determiner.test(first) || tooVague.test(text) || pointless.test(text)) return undefined;
  if (whole !== undefined && whole.split(' ').length > phrase.length + 3) return undefined;
  if (/^(?:this|that)$/i.test(first) && !/^\p{Upper}/u.test(second)) return undefined;
  return text.replace(/^\p{Upper}/u, (letter) => letter.toLowerCase());
}

/** The sentences before this one, newest last: three of the same turn, or the last two of the turn before. */
export function sentencesBefore({ speaker, before }: Said): { readonly speaker: string; readonly text: string }[] {
  return before.slice(-2).flatMap((turn) => {
    // "Careful, it starts at six": what opens this very sentence is none.
    const opened =
      turn.speaker === speaker ? (/(?:^|(?<=[.!?] ))[^.!?]{1,40}[,:–—-]$/u.exec(turn.text)?.[0] ?? '') : '';
    const text = saysSomething(opened) ? turn.text : turn.text.slice(0, turn.text.length - opened.length).trim();
    return splitSentences(text)
      .slice(-3)
      .map((one) => ({ speaker: turn.speaker, text: one }));
  });
}

/** Tells whether a phrase names several. */
export const isPlural = (phrase: string): boolean =>
  /[^s'’]s$/.test(phrase.replace(/ (?:of|for|in|on|at|from|with|behind|near|under|by|about|to) .*$/, ''));

/** "The new keeper?" */
const ownQuestion =
  /^(?:(?:and|so|oh),? )?(?<what>(?:the|my|our|that|this) (?:[\p{Alpha}\d'’-]+ ){0,5}[\p{Alpha}\d'’-]+)\?$/iu;
const takenUp = /^(?:that|it|he|she|they|those|these)(?<verb>'s|'re| is| are| was| were) (?<what>.+)$/isu;
/** "Her name is Rosa", "it's called Pelican". */
const nameGiven =
  /^(?:his|her|their|its) name(?:'s| is) (?=\p{Upper})|^(?:he|she|it)(?:'s| is) (?:called|named) (?=["“\p{Upper}\uE000])/iu;
const introduced =
  /\b(?:an?|another) (?<noun>(?:[\p{Lower}-]+ ){0,3}?[\p{Lower}-]{3,})(?=[.!,;]|$| (?:and|who|that|from|for|in|at|with|to|on|now|today|yesterday|last|this|as|two|three|four|five|six|an?|the|my|our|around|about|recently|so|but|because|when)\b| \d)/giu;

/** Joins a sentence with what the speaker has just brought up: a question of their own, somebody or something new. */
export function joinedWithTopic(text: string, said: Said): string {
  const last = sentencesBefore(said).at(-1);
  if (last === undefined || last.speaker !== said.speaker) return text;
  const sentence = inOneSpelling(last.text);
  const asked = ownQuestion.exec(sentence)?.groups?.what;
  const answer = takenUp.exec(text)?.groups;
  if (asked !== undefined && answer !== undefined) {
    const verb = answer.verb!.replace("'s", ' is').replace("'re", ' are');
    return upperFirst(`${asked.replace(/^(?:that|this)\b/i, 'The')}${verb} ${answer.what}`);
  }
  const given = nameGiven.exec(text);
  const nouns = [...sentence.matchAll(introduced)].map(({ groups }) => groups!.noun!);
  const noun = nouns.at(-1);
  if (given === null || noun === undefined || tooVague.test(noun)) return text;
  return `The ${noun}'s name is ${text.slice(given[0].length)}`;
}

const inFull: Readonly<Record<string, string>> = {
  "'s": ' is',
  "'re": ' are',
  "'ll": ' will',
  "'ve": ' have',
  "'d": ' would',
};

/** Two subjects in a row, where the second repeats the first: "My brother, he works ...", "the big kiln, the one in the shed, it reaches ...". */
const inFront =
  /^(?<what>(?:The|My|Our) (?!(?:\p{Lower}+ )?(?:day|days|week|month|year|morning|afternoon|evening|night|time|moment|weekend|summer|winter|spring|autumn|fall|way|minute|hour|end|point)\b)(?:[\p{Alpha}\d'-]+ ){0,3}[\p{Alpha}\d'-]+)(?:, the ones?(?<which> (?:in|on|at|from|with|of|by|near|behind|next to|under|for|that|who)\b[^,]{2,40}))?, (?:it|he|she|they)(?<verb>'s|'re|'ll|'ve|'d)? (?=\p{Alpha})/u;

const shown =
  /^(?:that|this)(?:'s| is) (\p{Upper}[\p{Alpha}-]+(?: \p{Upper}[\p{Alpha}-]+)?)(?: (?:on|in|at|by|behind|next to|with|beside|from) (?!.*\b(?:I|we)\b)[\p{Alpha}' -]{2,30})?, (?:s?he(?:'s| is)|who(?:'s| is)) (?=(?:my|our|the|an?)\b)/iu;

/** Writes a sentence with one subject where it has two: "the big kiln in the shed reaches ...". */
export function withOneSubject(said: string): string {
  // "That's Idrissa on the left, he's my cousin."
  const text = said.replace(shown, (_, who: string) => `${who} is `);
  const match = inFront.exec(text);
  const { what, which = '', verb = '' } = match?.groups ?? {};
  if (match === null || what!.split(' ').some((word) => finite.has(word.toLowerCase()))) return text;
  const rest = text.slice(match[0].length);
  const written = verb === "'s" && /^(?:been|got|had|\p{Lower}+ed)\b/u.test(rest) ? ' has' : (inFull[verb] ?? '');
  return `${what}${which}${written} ${rest}`;
}

/** Writes what a question is about where its answer says "it", "she" or "they": the answer is then worth what it says. */
export function withTopic(answer: string, question: string): string {
  const topic = topicOf(question);
  const match = /^(?:(?:no|yes|well|actually|sorry),? )*(?<who>it|he|she|they)(?<verb>'s|'re|'ll|'ve|'d)?(?= )/iu.exec(
    answer,
  );
  const { who, verb = '' } = match?.groups ?? {};
  if (topic === undefined || match === null || isPlural(topic) !== /^they$/i.test(who!)) return answer;
  return upperFirst(`${topic}${inFull[verb] ?? ''}${answer.slice(match[0].length)}`);
}
