// Whether an answer keeps what an expectation asks for. Pure: the shown text decides.

import { count } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import * as words from '../../base/generated/words.ts';
import { oncePer } from '../../base/once-per.ts';
import { oneLine } from '../../base/text.ts';
import { queryTokensOf } from '../../base/tokenizer.ts';
import type { ExpectationFailure } from '../../base/types/expect-types.ts';
import { anyOf } from '../../base/words.ts';
import type { Expectation } from './expectation.ts';
import { type Matcher, type ShownText, shownText } from './matcher.ts';

/** A failure, and the matcher of the words that must not stand where they do; undefined where nothing is there to be found. */
export interface Fault extends Omit<ExpectationFailure, 'from'> {
  readonly wrong?: Matcher;
}

const mostLines = 3;
const lineLength = 300;
/** What says of itself that it is over: a mark, or a word for it. */
const isOver = new RegExp(`${anyOf(words.over).source}|~~|⚠`, 'i');

/** The same answer is judged for all who ask for it. */
const lookedAt = oncePer(({ text }: { readonly text: string }) => ({
  whole: shownText(text),
  lines: text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(shownText),
}));

/** Judges an answer; nothing where it keeps all. */
export function judge(
  expectation: Expectation,
  shown: { readonly text: string; readonly tokens: number },
): readonly Fault[] {
  const { whole, lines } = lookedAt(shown);
  const faults: Fault[] = [];
  const withIt = (matcher: Matcher): ShownText[] => lines.filter((line) => matcher.test(line));
  const tell = (kind: Fault['kind'], wanted: string, found: readonly ShownText[], wrong?: Matcher): void => {
    const shownLines = found.slice(0, mostLines).map(({ plain }) => oneLine(plain, lineLength));
    faults.push({ kind, wanted, found: shownLines, ...defined({ wrong }) });
  };
  for (const wanted of expectation.must) {
    if (!wanted.test(whole)) tell('missing', wanted.source, nearest(wanted.source, lines));
  }
  for (const wrong of expectation.mustNot) if (wrong.test(whole)) tell('forbidden', wrong.source, withIt(wrong), wrong);
  for (const one of expectation.once) {
    const found = withIt(one);
    if (found.length > 1) tell('repeated', one.source, found, one);
  }
  const { first, tokens } = expectation;
  if (first !== undefined && !(lines[0] !== undefined && first.test(lines[0])))
    tell('not first', first.source, lines.slice(0, 1));
  for (const row of expectation.order) {
    const places = row.map((one) => placeOf(one, lines));
    const at = places.findIndex(
      (place, index) => place === undefined || (index > 0 && !isBefore(places[index - 1]!, place)),
    );
    if (at < 0) continue;
    const said = row.map(({ source }) => source).join(', then ');
    const stood = places.flatMap((place) => (place === undefined ? [] : [lines[place[0]]!]));
    tell('order', said, stood);
  }
  for (const [which, has] of expectation.lines) {
    const without = withIt(which).filter((line) => !has.test(line));
    if (without.length > 0) tell('apart', `${which.source}, with ${has.source}`, without);
  }
  for (const old of expectation.notCurrent) {
    const current = withIt(old).filter(
      (line) => !isOver.test(line.plain) && !expectation.must.some((must) => must.test(line)),
    );
    if (current.length > 0) tell('stale', old.source, current, old);
  }
  if (tokens !== undefined && shown.tokens > tokens)
    tell('too long', `${count(tokens, 'token')} at most, not ${shown.tokens}`, []);
  return faults;
}

type Place = readonly [line: number, end: number];

function placeOf(one: Matcher, lines: readonly ShownText[]): Place | undefined {
  const line = lines.findIndex((candidate) => one.test(candidate));
  return line < 0 ? undefined : [line, one.endIn(lines[line]!)];
}

const isBefore = (one: Place, other: Place): boolean => one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);

/** Finds the lines that have most of the words that are missing; without any of them, the first that is no heading. */
function nearest(wanted: string, lines: readonly ShownText[]): ShownText[] {
  const words = new Set(queryTokensOf(wanted));
  const scored = lines
    .map((line) => ({ line, shared: queryTokensOf(line.plain).filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared);
  if (scored.length > 0) return scored.slice(0, 2).map(({ line }) => line);
  return lines.filter(({ plain }) => !/^[#<]|:$/.test(plain)).slice(0, 1);
}
