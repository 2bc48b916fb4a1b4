// Short answers joined with the question they answer, where one sentence can be made of both with certainty; requests and proposals.

import { lowerFirst, upperFirst } from '../../base/text.ts';
import type { Said } from '../said.ts';
import { withoutOpening } from './openings.ts';
import { inOneSpelling } from './spelling.ts';
import { joinedWithTopic, withOneSubject } from './topics.ts';
import { agreeing, isPast } from './verbs.ts';

const yes =
  /^(?:yes|yeah|yep|yup|sure(?: thing)?|of course|absolutely|definitely|certainly|indeed|gladly|with pleasure|will do|(?:yes,? |sure,? |yeah,? )?(?:I|we)(?:'ll| will| can| do| did| am|'m| are| have|'ve)(?: (?:do|take care of|handle) (?:that|it|so))?)[.!]*$/i;
const no =
  /^(?:no|nope|nah|not (?:yet|really|at all|any ?more)|never|(?:no,? )?(?:I|we)(?:'m| am)? (?:don't|didn't|won't|can't|haven't|not|do not|did not|have not))[.!]*$/i;
const ellipsis =
  /^(?:I (?:do|did|will|am|have|would|can)|we (?:do|did|will|are|have)|me|him|her|them|both|neither|none|nobody|nothing)[.!]?$/i;
/** A name alone, or one that does what was asked: "Paulina.", "Paulina does." */
const nameOnly =
  /^(\p{Upper}[\p{Alpha}'-]+(?: \p{Upper}[\p{Alpha}'-]+)?|I|We|My [\p{Alpha}-]{2,20}(?: (?!(?:is|are|was|were|has|have|had|does|do|did|will|can|would)\b)[\p{Alpha}-]{2,20}){0,2}?)(?: (?:do|does|did|will|is|was|has|can|would))?[.!]*$/u;
/** Words of place, time or a thing without a verb: what answers "where", "when" and "what". */
const verb =
  /\b(?:is|are|am|was|were|has|have|had|do|does|did|will|would|can|could|should|must|might)\b|'(?:s|re|ve|ll|d|m)\b/i;

/** The question that the sentence answers: the last words of somebody else just before, beside a "yes" of the same turn. */
function questionOf({
  before,
  speaker,
}: Said): { readonly text: string; readonly asker: string; readonly opened: string } | undefined {
  const own = before.at(-1)?.speaker === speaker ? before.at(-1) : undefined;
  if (own !== undefined && own.text.split(' ').length > 2) return undefined;
  const last = own === undefined ? before.at(-1) : before.at(-2);
  if (last === undefined || last.speaker === speaker) return undefined;
  const asked = /[^.!?]+\?$/.exec(inOneSpelling(last.text).trim())?.[0].trim();
  if (asked === undefined) return undefined;
  const text = withoutOpening(asked.replace(new RegExp(`^${first(speaker)}, |, ${first(speaker)}(?=\\?$)`, 'iu'), ''));
  return {
    text: text.replace(/^\p{Lower}/u, (letter) => letter.toUpperCase()),
    asker: last.speaker,
    opened: own?.text ?? '',
  };
}

const first = (speaker: string): string => speaker.split(' ')[0]!.replace(/[^\p{Alpha}\d]/gu, '.');

/** Turns the words of a question round: its "you" is the "I" of the answer; undefined where its "I" would need another verb. */
function turned(words: string, asker: string): string | undefined {
  if (/\b(?:I|it|that|this|they|them|he|she|one)\b/.test(words)) return undefined;
  return words
    .replace(/ (?:now|currently|these days|at the moment|again|then|please)$/, '')
    .replace(/\byour\b/g, 'my')
    .replace(/\byours\b/g, 'mine')
    .replace(/\byou\b/g, 'I')
    .replace(/\bme\b/g, asker)
    .replace(/\b[Mm]y\b(?! )/g, `${asker}'s`);
}

interface Asked {
  readonly pattern: RegExp;
  /** Writes the answer as a sentence; `isYes` is undefined for an answer of other words, which are `words`. */
  join(groups: readonly string[], words: string, isYes: boolean | undefined): string | undefined;
}

const lower = (words: string): string =>
  words.replace(
    /^(?=(?:In|At|On|Near|By|From|To|Until|Since|The|A|An|My|Our|Every|Around|After|Before)\b)\p{Upper}/u,
    (letter) => letter.toLowerCase(),
  );
const place = /^(?:in|at|near|on|by|under|behind|next to|to|from|with)\b/i;
const moment =
  /^(?:in|at|on|by|every|since|until|around|after|before|next|tomorrow|today|this|\p{Upper}\p{Lower}+ \d|\d)/iu;

const questions: readonly Asked[] = [
  {
    pattern: /^(?:Can|Could|Will|Would) you (?:please |also |maybe )?(.+)\?$/,
    join: ([rest], _, isYes) => (isYes === undefined ? undefined : isYes ? `I will ${rest}` : `I will not ${rest}`),
  },
  {
    pattern: /^Do you still (.+)\?$/,
    join: ([rest], _, isYes) => (isYes === undefined ? undefined : isYes ? `I still ${rest}` : `I no longer ${rest}`),
  },
  {
    pattern: /^Do you (.+)\?$/,
    join: ([rest], _, isYes) => (isYes === undefined ? undefined : isYes ? `I ${rest}` : `I do not ${rest}`),
  },
  {
    pattern: /^Did you (.+)\?$/,
    join: ([rest], _, isYes) => (isYes === undefined ? undefined : `I did ${isYes ? '' : 'not '}${rest}`),
  },
  {
    pattern: /^Are you (.+)\?$/,
    join: ([rest], _, isYes) => (isYes === undefined ? undefined : `I am ${isYes ? '' : 'not '}${rest}`),
  },
  {
    pattern: /^Have you (?:ever )?(.+)\?$/,
    join: ([rest], _, isYes) => (isYes === undefined ? undefined : `I have ${isYes ? '' : 'not '}${rest}`),
  },
  { pattern: /^Who(?:'s| is) (.+)\?$/, join: ([rest], words) => nameOf(words, (name) => `${name} is ${rest}`) },
  { pattern: /^Who(?:'ll| will) (.+)\?$/, join: ([rest], words) => nameOf(words, (name) => `${name} will ${rest}`) },
  {
    pattern: /^Who (.+)\?$/,
    join: ([rest], words) =>
      nameOf(words, (name) =>
        name === 'I' || name === 'We' ? `${name} ${rest!.replace(/^\p{Alpha}+s\b/u, baseOf)}` : `${name} ${rest}`,
      ),
  },
  {
    pattern: /^Where do you (.+)\?$/,
    join: ([rest], words) => (place.test(words) ? `I ${rest} ${lower(words)}` : undefined),
  },
  {
    pattern: /^(?:Where|When|What time|What day)(?:'s| is) (.+)\?$/,
    join: ([what], words) => (place.test(words) || moment.test(words) ? `${what} is ${timed(words)}` : undefined),
  },
  {
    pattern: /^How long have you (?:all |guys |two )?(.+)\?$/,
    join: ([rest], words) => {
      const span = duration.exec(words)?.[1];
      return span === undefined ? undefined : `I have ${rest} for ${lowerFirst(span)}`;
    },
  },
  {
    pattern: /^How often do you (?:all |guys |two )?(.+)\?$/,
    join: ([rest], words) => {
      const often = frequency.exec(words)?.[1];
      return often === undefined ? undefined : `I ${rest} ${lowerFirst(often)}`;
    },
  },
  {
    pattern: /^When does (.+) (\p{Lower}+)\?$/u,
    join: ([what, does], words) => (moment.test(words) ? `${what} ${agreeing(does!)} ${timed(words)}` : undefined),
  },
  {
    pattern: /^What(?:'s| is) ((?:your|our|the) (?!(?:plan|problem|matter|point|news|deal)\b).+)\?$/,
    join: ([what], words) => `${what} is ${lower(words)}`,
  },
];

const duration =
  /^(?:for )?((?:about |around |almost |nearly |over |more than )?(?:an?|\d+|two|three|four|five|six|seven|eight|nine|ten|a few|a couple of|several|many) (?:days?|weeks?|months?|years?|decades?))(?: now| already| so far)?[.!]?$/i;
const frequency =
  /^((?:about |around |usually |at least )?(?:once|twice|\w+ times) (?:a|per|every) (?:day|week|month|year)|every (?:\w+ )?\w+|daily|weekly|monthly)(?:[;,—-].*)?[.!]?$/i;
const timed = (words: string): string =>
  /^(?:\p{Upper}\p{Lower}+ \d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)/u.test(words)
    ? `on ${words}`
    : /^\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?$/i.test(words)
      ? `at ${words}`
      : lower(words);
const baseOf = (form: string): string =>
  [form.slice(0, -1), form.slice(0, -2), `${form.slice(0, -3)}y`].find((base) => agreeing(base) === form) ?? form;
function nameOf(words: string, write: (name: string) => string): string | undefined {
  const name = nameOnly.exec(words)?.[1];
  return name === undefined || /^(?:Yes|No|Not|Never|Nobody|Someone|Nothing|Maybe|Sure|Thanks|The)$/.test(name)
    ? undefined
    : write(name);
}

/** Gives the sentence itself, or question and answer as one; undefined for a question and for an answer that cannot be joined. */
export function joinedWithQuestion(said: Said): string | undefined {
  const text = withOneSubject(joinedWithTopic(withoutOpening(said.text), said));
  const reminder = /^(?:(?:can|could|would|will) you )?(?:please )?remind me (.+?)[.?!]*$/i.exec(text);
  if (reminder !== null) return `I want to be reminded ${reminder[1]}.`;
  if (/\?\s*$/.test(text) || (asksOfHearer.test(text) && forGood.test(text))) {
    // Where a question is handed on as a statement, it orders for good.
    const order = /^(?:can|could|would|will) (?:you|we) (?:please |also |just )*(.+?),?(?: please)?[?.!]*$/i.exec(text);
    return order === null || said.role !== 'user' || !forGood.test(text)
      ? undefined
      : `My request: ${order[1]!.replace(/\bfrom here on\b/i, 'from now on')}.`;
  }
  const words = text.replace(/[.!]+$/, '');
  const isYes = yes.test(text) || yes.test(said.text) ? true : no.test(text) || no.test(said.text) ? false : undefined;
  const isShort =
    isYes !== undefined ||
    (words.split(' ').length < 8 && !verb.test(words) && !words.split(' ').some(isPast)) ||
    nameOnly.test(words);
  if (isShort) {
    const joined = join(said, words, isYes);
    if (joined !== undefined) return joined;
    if (isYes !== undefined || ellipsis.test(text) || (nameOnly.test(words) && verb.test(words))) return undefined;
  }
  if (/^(?:let's|lets) (?:say|see|go)\b/i.test(text)) return undefined;
  if (/^please,? no \p{Alpha}/iu.test(text)) return upperFirst(text.replace(/^please,? /i, ''));
  const request = /^please (?=\p{Lower}+ )/iu.exec(text);
  if (request !== null && said.role === 'user') return `My request: ${text.slice(request[0].length)}`;
  const proposal = /^let's (?=\p{Lower}+ )/iu.exec(text);
  if (proposal !== null) return `I propose to ${text.slice(proposal[0].length)}`;
  return text;
}

const asksOfHearer = /^(?:can|could|would|will) (?:you|we)\b/i;
const forGood =
  /\b(?:from (?:now|here|today) on|in (?:the )?future|going forward|every time|each time|whenever|for good|always|never|not|stop|quit|avoid|(?:go back|switch|stick) to)\b/i;

function join(said: Said, words: string, isYes: boolean | undefined): string | undefined {
  const question = questionOf(said);
  if (question === undefined) return undefined;
  for (const { pattern, join: write } of questions) {
    const match = pattern.exec(question.text);
    if (match === null) continue;
    const groups = match.slice(1).map((group) => turned(group, question.asker));
    if (groups.some((group) => group === undefined)) return undefined;
    const sentence = write(groups as string[], words, isYes);
    return sentence === undefined ? undefined : `${upperFirst(sentence)}.`;
  }
  return undefined;
}
