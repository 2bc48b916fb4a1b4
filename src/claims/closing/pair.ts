// Two frames side by side, and what both name.

import type { Frame } from '../reading/frames.ts';
import type { Topic } from '../reading/topics.ts';
import { areKin } from '../reading/words.ts';
import type { Reading } from '../reading.ts';

/** Two frames with their sentences. */
export interface Pair {
  readonly earlier: Reading;
  readonly later: Reading;
  readonly e: Frame;
  readonly l: Frame;
}

/** A topic of the earlier frame with the one of the later frame that is the same. */
export type Match = readonly [Topic, Topic];

export const narrowing = ({ narrowed }: Topic): readonly string[] =>
  narrowed.filter((stem) => stem !== 'self' && stem !== 'other');

/** Lists pairs of topics with the same head, or where one narrows the other ("choir", "choir rehearsal"). */
export const matchesOf = (some: readonly Topic[], others: readonly Topic[]): Match[] =>
  some.flatMap((one) => {
    const other =
      others.find(({ stem }) => areKin(one.stem, stem)) ??
      others.find(
        (topic) =>
          narrowing(topic).some((stem) => areKin(stem, one.stem)) ||
          narrowing(one).some((stem) => areKin(stem, topic.stem)),
      );
    return other === undefined ? [] : [[one, other] as const];
  });

const weightOf = ([one, other]: Match): number =>
  // "Netflix", "the Netflix subscription": a name that narrows is as much as a thing.
  !areKin(one.stem, other.stem) ? (one.isName ? 1 : 0.8) : one.isName || other.isName ? 2 : 1;
/** Gives the weight of what two frames share: 2 for a name, 1 for a thing, 0.8 where one only narrows the other. */
export const sumOf = (matches: readonly Match[]): number => {
  const seen = new Set<string>();
  let sum = 0;
  for (const match of matches) {
    if (seen.has(match[0].stem)) continue;
    seen.add(match[0].stem);
    sum += weightOf(match);
  }
  return sum;
};

/** Lists what limits a frame to a part: what stands behind "in" and "for". */
export function scopesOf({ topics }: Frame): readonly Topic[] {
  return topics.filter(({ role }) => role === 'in' || role === 'for' || role === 'at');
}

/** Tells whether a head is narrowed on one side and not on the other: "the port", "the port of staging". */
export function isOneNarrower([one, other]: Match, { e, l }: Pair): boolean {
  if (!areKin(one.stem, other.stem)) return false;
  const [mine, theirs] = [narrowing(one), narrowing(other)];
  const isSaid = (words: readonly string[], frame: Frame): boolean =>
    words.every((word) =>
      frame.topics.some(({ stem, narrowed }) => areKin(stem, word) || narrowed.some((narrow) => areKin(narrow, word))),
    );
  // "The Nordic proposal" is "the proposal" later; what it is mainly about may lose what stood before it.
  const isDefinite =
    /\b(?:the|that|this) $/i.test(l.text.slice(0, other.start)) && /^(?:for|in|at|on)$/.test(other.role);
  const mayBeShort = (e.main.includes(one) || isDefinite) && !one.isOf;
  return (!isSaid(mine, l) && !mayBeShort) || !isSaid(theirs, e);
}

/** Tells whether a head that both have is narrowed to different things: "staging server", "demo server". */
export function areApart([one, other]: Match): boolean {
  if (!areKin(one.stem, other.stem)) return false;
  const [mine, theirs] = [narrowing(one), narrowing(other)];
  if (mine.length === 0 || theirs.length === 0) return false;
  return !mine.some((stem) => theirs.some((their) => areKin(stem, their)));
}

/** Words that tell one of two from the other, beside a noun: "my left eye", "the second number". */
const sides: readonly (readonly string[])[] = [
  ['left', 'right'],
  ['upper', 'lower', 'middle', 'upstairs', 'downstairs'],
  ['old', 'new'],
  ['front', 'back', 'rear', 'side'],
  ['inner', 'outer'],
  ['indoor', 'outdoor'],
  ['first', 'second', 'third', 'fourth', 'other'],
  ['work', 'private', 'personal', 'home', 'office', 'business', 'school'],
  ['north', 'south', 'east', 'west', 'northern', 'southern', 'eastern', 'western'],
  ['maternal', 'paternal'],
  ['older', 'elder', 'younger', 'eldest', 'oldest', 'youngest', 'big', 'little'],
  ['primary', 'secondary', 'main', 'spare', 'backup'],
  ['winter', 'summer', 'spring', 'autumn'],
  ['internal', 'external'],
  ['hot', 'cold', 'warm'],
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ['morning', 'midday', 'lunchtime', 'afternoon', 'evening', 'night'],
  ['red', 'blue', 'green', 'yellow', 'white', 'black', 'grey'],
];
const sideOfWord = new Map(sides.flatMap((words, side) => words.map((word) => [word, side] as const)));
/** The words of a topic and before it that tell sides apart: side → word. */
function sidesOf({ text }: Frame, { start, end }: Topic): Map<number, string> {
  const lead = text.slice(0, start).trimEnd();
  const words = [lead.slice(lead.lastIndexOf(' ') + 1), ...text.slice(start, end).split(' ').slice(0, -1)];
  const found = new Map<number, string>();
  for (const word of words) {
    const side = sideOfWord.get(word.toLowerCase());
    if (side !== undefined && !found.has(side)) found.set(side, word.toLowerCase());
  }
  return found;
}

/** Tells whether a head that both have is one of two on each side: "the left eye", "the right eye". */
export function areSidesApart([one, other]: Match, { e, l }: Pair): boolean {
  if (!areKin(one.stem, other.stem)) return false;
  const mine = sidesOf(e, one);
  if (mine.size === 0) return false;
  for (const [side, word] of sidesOf(l, other)) if (mine.has(side) && mine.get(side) !== word) return true;
  return false;
}

/** Tells whether a topic is among others, or narrows one of them. */
export const isNamed = (topic: Topic, topics: readonly Topic[]): boolean =>
  topics.some(({ stem, narrowed }) => areKin(stem, topic.stem) || narrowed.some((word) => areKin(word, topic.stem)));

/** Lists the words of a text with two letters and more. */
export const content = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/[\p{Alpha}\d.-]*[\p{Alpha}\d]/gu)
      ?.filter((word) => word.length > 1) ?? [],
  );

const places = new Set('in on at under behind with to through via over by inside near beside onto into'.split(' '));

/** Tells whether a topic stands behind a preposition of place or means. */
export function isPlace({ role }: Topic): boolean {
  return places.has(role);
}
