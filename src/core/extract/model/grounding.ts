// Whether the conversation says what a model says it says. A check of words, not of sense: it finds what was made up, not what was misread.

import { tokensOf } from '../../../base/tokenizer.ts';
import type { Transcript } from '../../../base/types/stored-types.ts';
import { timesIn } from '../../../language/index.ts';
import { dueOf } from '../due.ts';
import { isUnheard } from '../trust.ts';
import type { AnsweredItem } from './answer.ts';

/** Share of the words of an item that its main turn must have. */
const minMainShare = 0.34;
/** The share of a shorter main turn that it must have: "Paulina does" answers a question in few words. */
const minAnswerShare = 0.6;
/** The share that its turns, the two before each and the claims that it replaces must say. */
const minShare = 0.6;
const turnsBefore = 2;

/** Where an item may come from. */
export interface Ground {
  readonly transcript: Transcript;
  /** 1-based numbers of the turns that were shown to be read. */
  readonly first: number;
  readonly last: number;
  readonly timeZone: string;
  /** The words of the known claims that it replaces, which name what it leaves unsaid. */
  readonly replaced?: readonly string[];
}

/**
 * Says why an item has no ground in the conversation; undefined when it has.
 *
 * - its turns are among those that were shown
 * - its main turn says a third of its words, or it says most words of that turn, as a short answer is written out
 * - its turns, the two before each and the claims that it replaces say three fifths of them, names of speakers included
 * - every number it names was said there, or is the day that was meant
 */
export function ungrounded(
  item: AnsweredItem,
  { transcript, first, last, timeZone, replaced = [] }: Ground,
): string | undefined {
  const { turns } = transcript;
  const main = turns[item.turns[0]! - 1];
  if (main === undefined) return `the conversation has no turn ${item.turns[0]}`;
  if (item.turns[0]! < first || item.turns[0]! > last) return `turn ${item.turns[0]} was not to be read`;
  // A day that was meant is in other words what was said.
  const nearby = nearbyTurns(item, transcript);
  const days = new Set(
    [...(item.content.match(isoDay) ?? []), item.due, item.from, dueOf(main.text, main.time, timeZone)]
      .filter((day) => day !== undefined)
      .filter((day) => isDayThere(day, nearby, timeZone)),
  );
  const content = withoutDays(item.content, days);
  const words = new Set(tokensOf(content));
  if (words.size === 0) return 'it says nothing';
  const told = [...nearby.map(({ speaker = '', role, text }) => `${role} ${speaker} ${text}`), ...replaced].join('\n');
  const mainShare = shareOf(words, `${main.speaker ?? ''} ${main.text}`);
  const answered = new Set(tokensOf(main.text));
  const isAnswer = answered.size > 0 && shareOf(answered, content) >= minAnswerShare;
  if (mainShare < minMainShare && !isAnswer) return `turn ${item.turns[0]} does not say it`;
  if (shareOf(words, told) < minShare) return 'too little of it was said there';
  for (const day of [item.due, item.from]) {
    if (day !== undefined && !isDayThere(day, nearby, timeZone)) return `nobody named the day ${day}`;
  }
  const numbers = new Set(told.match(number) ?? []);
  const made = withoutDays(item.content, days)
    .match(number)
    ?.find((one) => !numbers.has(one));
  return made === undefined ? undefined : `nobody named the number ${made}`;
}

const number = /\d+(?:[.,:]\d+)*/g;

function nearbyTurns({ turns }: AnsweredItem, transcript: Transcript): Transcript['turns'] {
  const numbers = new Set(turns.flatMap((turn) => Array.from({ length: turnsBefore + 1 }, (_, back) => turn - back)));
  return [...numbers]
    .map((turn) => transcript.turns[turn - 1])
    .filter((turn) => turn !== undefined && !isUnheard(turn)) as Transcript['turns'][number][];
}

function shareOf(words: ReadonlySet<string>, text: string): number {
  const there = new Set(tokensOf(text));
  return [...words].filter((word) => there.has(word)).length / words.size;
}

const isoDay = /\b\d{4}-\d\d-\d\d\b/g;
/** A day is there when its digits stand there, or when a text nearby names it, or a time that it lies in. */
function isDayThere(day: string, nearby: Transcript['turns'], timeZone: string): boolean {
  const date = Date.parse(day);
  return nearby.some(
    ({ text, time }) =>
      text.includes(day) ||
      [true, false]
        .flatMap((isAhead) => timesIn(text, { now: time, timeZone, isAhead }))
        .some(({ first, last }) => date >= first && date <= last),
  );
}

function withoutDays(content: string, days: ReadonlySet<string>): string {
  let text = content;
  for (const day of days) text = text.replaceAll(day, ' ');
  return text;
}

/** Keeps the names that were written where an item comes from, or that speak there. */
export function namesThere(item: AnsweredItem, transcript: Transcript): string[] {
  const told = nearbyTurns(item, transcript)
    .map(({ speaker = '', text }) => `${speaker}\n${text}`)
    .join('\n')
    .toLowerCase();
  return item.entities.filter((name) => told.includes(name.toLowerCase()));
}
