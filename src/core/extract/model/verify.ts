// Whether the conversation says what a model says it says, item by item. A check of words: it finds what was made up and what was left out, not
// what was misread. What fails here is kept as it was said, or not at all.

import { defined } from '../../../base/errors.ts';
import { months, numbers, weekdays } from '../../../base/generated/times.ts';
import * as data from '../../../base/generated/words.ts';
import { normaliseForHash, oneLine } from '../../../base/text.ts';
import { dayMs, dayOf } from '../../../base/time.ts';
import { isStopWord, tokensOf } from '../../../base/tokenizer.ts';
import type { Turn } from '../../../base/types/stored-types.ts';
import { anyOf, listed } from '../../../base/words.ts';
import { dayText, sentencesOf, timesIn } from '../../../language/index.ts';
import { dueOf } from '../due.ts';
import type { KnownClaim } from '../extractor.ts';
import { namesIn } from '../names.ts';
import { partsOf } from '../trust.ts';
import { isTooLong } from './answer.ts';
import type { AnsweredItem, ChangeKind } from './contract.ts';

/** A turn that was shown to be read. */
export interface ShownTurn {
  /** Its number in the request. */
  readonly t: number;
  readonly turn: Turn;
}

/** A claim that was shown, or what an item of the same answer says. */
export interface ShownClaim extends Pick<KnownClaim, 'who' | 'subject' | 'attribute' | 'entities'> {
  readonly says: string;
}

/** What an item is held against. */
export interface Ground<Claim extends ShownClaim> {
  readonly turns: readonly ShownTurn[];
  /** Words that were shown beside: what was said before, and who the user is. */
  readonly beside: string;
  readonly timeZone: string;
  /** Finds what a handle was shown for. */
  claimOf(k: string): Claim | undefined;
}

/** An item with what holds of it. */
export interface VerifiedItem<Claim> {
  /** Numbers of the turns in the request; the quote is from the first. */
  readonly t: readonly number[];
  /** Whole sentences of that turn, as they were said. */
  readonly quote: string;
  /** Absent where it says something else than what was said; then it is the quote that is kept. */
  readonly says?: string;
  readonly confidence: number;
  readonly subject?: string;
  readonly entities: readonly string[];
  /** Days, `YYYY-MM-DD`. */
  readonly due?: string;
  readonly from?: string;
  readonly until?: string;
  /** `isSure` says that it counts; else somebody is asked. */
  readonly changes: readonly { readonly claim: Claim; readonly how: ChangeKind; readonly isSure: boolean }[];
  /** What was left out of it, for people. */
  readonly faults: readonly string[];
}

/** The confidence of an item with a true quote and no other true words. */
const ofQuote = 0.5;
/** The share of the words of an item that a turn must have, where no quote was given. */
const leastShare = 0.34;
/** The share of a shorter turn that an item must have: "Paulina does" answers a question in few words. */
const leastAnswer = 0.6;
const longestQuote = 600;
/** So many sentences in a row are one quote. */
const mostSentences = 6;
const turnsBefore = 2;

/**
 * Verifies an item; gives why there is none where no shown turn says it.
 *
 * - its quote is literally in a turn that was shown, letter case, spaces and marks apart. Where none was given, a sentence that says it is sought
 * - numbers, names and days of what it says were said, and what its quote denies it denies
 * - a day that nobody named is left out
 * - a change counts where the claim was shown and the speaker said so in words of his own. Both must share a subject, an entity or an attribute
 */
export function verify<Claim extends ShownClaim>(
  item: AnsweredItem,
  ground: Ground<Claim>,
): VerifiedItem<Claim> | { readonly why: string } {
  const found = item.quote === '' ? saidIn(item, ground) : quotedIn(item, ground);
  if ('why' in found) return found;
  const { main, quote } = found;
  const { turns, timeZone } = ground;
  const others = turns.filter(({ t }) => t !== main.t && item.t.includes(t));
  const nearby = turns.filter(({ t }) => [main, ...others].some((one) => one.t - t >= 0 && one.t - t <= turnsBefore));
  const changed = item.changes.flatMap(({ k, ...change }) => {
    const claim = ground.claimOf(k);
    return claim === undefined ? [] : [{ ...change, claim }];
  });
  const told = [
    ...turns.map(({ turn: { speaker = '', role, text } }) => `${role} ${speaker} ${text}`),
    ...changed.map(({ claim: { says, who = '', subject = '' } }) => `${says} ${who} ${subject}`),
    ground.beside,
  ].join('\n');
  const faults: string[] = [];
  const dayIn = (given: string | undefined, what: string): string | undefined => {
    const day = given === undefined ? undefined : dayThere(given, main.turn, nearby, timeZone);
    if (given !== undefined && day === undefined) faults.push(`nobody named the ${what} ${oneLine(given, 40)}`);
    return day;
  };
  const fault = faultOf(item, quote, { told, nearby, timeZone });
  if (fault !== undefined) faults.push(fault);
  const lower = told.toLowerCase();
  const isTold = (name: string): boolean => wordsIn(name).every((word) => lower.includes(word));
  const said = fault === undefined ? item.says : undefined;
  const subject = item.subject !== undefined && namesIn(item.subject).every(isTold) ? item.subject : undefined;
  const [due, from, until] = [dayIn(item.due, 'day'), dayIn(item.from, 'day'), dayIn(item.until, 'day')];
  const entities = [...item.entities.filter(isTold), ...namesIn(said ?? quote)];
  const changes = changed.map(({ claim, how, quote: words = '' }) => {
    const isSaid =
      words === '' || [main, ...others].some(({ turn }) => placeIn(partsOf(turn.text).own, words) !== undefined);
    return { claim, how, isSure: isSaid && shares({ ...item, entities }, claim, main.turn) };
  });
  for (const { k } of item.changes)
    if (ground.claimOf(k) === undefined) faults.push(`no claim was shown as ${oneLine(k, 20)}`);
  return {
    t: [main.t, ...others.map(({ t }) => t)],
    quote,
    confidence: fault === undefined ? item.confidence : Math.min(item.confidence, ofQuote),
    entities: [...new Set(entities)].slice(0, 8),
    changes,
    faults,
    ...defined({ says: said, subject, due, from, until }),
  };
}

/** Tells whether a turn speaks of what a claim says, so that it may confirm it. */
export function speaksOf({ turn }: ShownTurn, { says }: Pick<ShownClaim, 'says'>): boolean {
  const words = new Set(tokensOf(says));
  return words.size > 0 && shareOf(words, `${turn.speaker ?? ''} ${turn.text}`) >= leastShare;
}

type Found = { readonly main: ShownTurn; readonly quote: string } | { readonly why: string };

/** Finds the turn that a quote is from: one that the item names, else another one that was shown. */
function quotedIn({ quote, t }: AnsweredItem, { turns }: Pick<Ground<ShownClaim>, 'turns'>): Found {
  const named = t.flatMap((number) => turns.find((one) => one.t === number) ?? []);
  for (const main of [...named, ...turns]) {
    const place = placeIn(main.turn.text, quote);
    if (place !== undefined) return { main, quote: place };
  }
  return { why: 'no turn has its quote' };
}

/** Finds the sentence that says what an item without a quote says. */
function saidIn({ says, t }: AnsweredItem, { turns }: Pick<Ground<ShownClaim>, 'turns'>): Found {
  const words = new Set(tokensOf(says));
  const named = turns.filter((one) => t.includes(one.t));
  const ranked = (named.length > 0 ? named : turns)
    .map((main) => {
      const share = shareOf(words, `${main.turn.speaker ?? ''} ${main.turn.text}`);
      const own = new Set(tokensOf(main.turn.text));
      const isAnswer = own.size > 0 && shareOf(own, says) >= leastAnswer;
      return { main, share: isAnswer ? 1 : share };
    })
    .sort((one, other) => other.share - one.share);
  const [best] = ranked;
  if (best === undefined || words.size === 0 || best.share < leastShare) return { why: 'no turn says it' };
  const { main } = best;
  const { text } = main.turn;
  const quoted = partsOf(text)
    .quoted.split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const sentences = [...sentencesOf(text), ...quoted];
  const shares = sentences.map((sentence) => shareOf(words, sentence));
  const most = Math.max(0, ...shares);
  return { main, quote: oneLine(most === 0 ? text : sentences[shares.indexOf(most)]!, longestQuote) };
}

function shareOf(words: ReadonlySet<string>, text: string): number {
  const there = new Set(tokensOf(text));
  return [...words].filter((word) => there.has(word)).length / words.size;
}

/** Gives the whole sentences of a text that a quote is in, or the quote as it stands there; undefined where it is not. */
function placeIn(text: string, quote: string): string | undefined {
  const wanted = plain(quote);
  if (wanted === '' || !plain(text).includes(wanted)) return undefined;
  const sentences = sentencesOf(text);
  const plains = sentences.map(plain);
  for (let count = 1; count <= mostSentences; count++) {
    for (let start = 0; start + count <= sentences.length; start++) {
      if (
        !plains
          .slice(start, start + count)
          .join(' ')
          .includes(wanted)
      )
        continue;
      const whole = sentences.slice(start, start + count).join(' ');
      if (whole.length <= longestQuote) return whole;
    }
  }
  return oneLine(quote, longestQuote);
}

/** A text without what copying changes: letter case, kinds of quotation marks and dashes, emphasis, spaces. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚‛`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐-―]/g, '-')
    .replace(/…/g, '...')
    .replace(/[*_]+|^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^["']|["']$|[.!?]$/g, '');
}

interface Told {
  readonly told: string;
  readonly nearby: readonly ShownTurn[];
  readonly timeZone: string;
}

/** Says what an item says otherwise than it was said; undefined where it says nothing else. */
function faultOf(item: AnsweredItem, quote: string, { told, nearby, timeZone }: Told): string | undefined {
  if (isTooLong(item)) return 'it is too long for one claim';
  const days = (item.says.match(isoDay) ?? []).filter((day) => isDayThere(day, nearby, timeZone));
  const says = days.reduce((rest, day) => rest.replaceAll(day, ' '), item.says);
  const known = numbersIn(told, nearby, timeZone);
  // A day that was meant is in other words what was said.
  for (const { first, last } of timesIn(says, { now: nearby[0]!.turn.time, timeZone })) {
    const day = dayText(first);
    if (last - first < dayMs && isDayThere(day, nearby, timeZone)) for (const part of partsOfDay(day)) known.add(part);
  }
  const number = (says.match(numeral) ?? []).find((one) => !known.has(one.replaceAll(',', '')));
  if (number !== undefined) return `nobody named the number ${number}`;
  const lower = told.toLowerCase();
  const name = namesIn(says)
    .flatMap((one) => wordsIn(one).filter((word, at) => isCapital(partsOfName(one)[at]) && !noName.has(word)))
    .find((word) => !lower.includes(word) && !isStopWord(word));
  if (name !== undefined) return `nobody named ${name}`;
  const said = item.quote === '' ? quote : clausesOf(quote, item.quote);
  if (denial.test(said) && !denial.test(says) && !refusal.test(says)) return 'it leaves out a denial';
  return undefined;
}

/** Gives the clauses of some sentences that a quote is in: what one of them denies is not another's to deny. */
function clausesOf(sentences: string, quote: string): string {
  const [all, wanted] = [plain(sentences), plain(quote)];
  const start = all.indexOf(wanted);
  if (start < 0) return quote;
  const from = Math.max(...[...',;:.!?'].map((mark) => all.lastIndexOf(mark, start - 1))) + 1;
  const rest = all.slice(start + wanted.length);
  const end = rest.search(/[,;:.!?]/);
  return all.slice(from, end < 0 ? undefined : start + wanted.length + end);
}

const noName: ReadonlySet<string> = new Set([
  ...[...months.flat(), ...weekdays, ...weekdays.map((day) => `${day}s`)],
  ...data.abbreviations.split(' '),
]);
const isCapital = (word = ''): boolean => /^[^\p{L}\p{N}]*[\p{Lu}\p{N}]/u.test(word);
const denial = new RegExp(`${anyOf(data.denying).source}|n['’]t\\b`, 'i');
const refusal = anyOf(data.refusing);
const halving = anyOf(data.halving);
const doubling = anyOf(data.doubling);

/** The words of a name, without what is no letter or digit around them. */
const wordsIn = (name: string): string[] =>
  partsOfName(name).map((word) => word.toLowerCase().replace(/^[^\p{L}\p{N}]+|(?:['’]s)?[^\p{L}\p{N}]*$/gu, ''));
const partsOfName = (name: string): string[] => name.split(/[\s/-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

const numeral = /\d+(?:[.,:]\d+)*/g;
const thousand = /(\d+(?:\.\d+)?) ?([km])\b/gi;
const numberWords = new Map<string, number>([
  ...Object.entries(numbers).filter(([word]) => word.length > 2),
  ...listed(data.teens).map((word, at): [string, number] => [word, 13 + at]),
  ...listed(data.tens).map((word, at): [string, number] => [word, 20 + 10 * at]),
  ...listed(data.ordinalWords).map((word, at): [string, number] => [word, 1 + at]),
]);

/** Lists the numbers that a text names in digits: also what words, halves, doubles and clocks of it are, and the days of its turns. */
function numbersIn(text: string, turns: readonly ShownTurn[], timeZone: string): Set<string> {
  const found = new Set<string>();
  const add = (value: number): void => void found.add(String(Math.round(value * 1000) / 1000));
  const plainNumbers = (text.match(numeral) ?? []).map((one) => one.replaceAll(',', ''));
  for (const one of plainNumbers) {
    found.add(one);
    const [hour, minute] = one.split(':');
    if (minute !== undefined) addClock(found, Number(hour), minute);
    else if (Number.isFinite(Number(one))) add(Number(one));
  }
  for (const [, value, unit] of text.matchAll(thousand)) add(Number(value) * (unit!.toLowerCase() === 'k' ? 1e3 : 1e6));
  let ten = 0;
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const value = numberWords.get(word);
    if (value !== undefined) add(value);
    // "twenty-five" is one number.
    if (value !== undefined && ten >= 20 && value < 10) add(ten + value);
    ten = value ?? 0;
  }
  const values = [...found].map(Number).filter((value) => Number.isFinite(value));
  if (halving.test(text)) for (const value of [1, 100, ...values]) add(value / 2);
  if (halving.test(text)) add(30);
  if (doubling.test(text)) for (const value of values) add(value * 2);
  for (const value of values) if (Number.isInteger(value) && value <= 24) addClock(found, value, '00');
  for (const { turn } of turns) {
    const day = dayOf(turn.time, timeZone);
    for (const part of partsOfDay(day)) found.add(part);
    // What is said of the year before or to come need not name it.
    for (const year of [-1, 1]) found.add(String(Number(day.slice(0, 4)) + year));
  }
  return found;
}

/** Year, month and day, with and without a zero before them. */
const partsOfDay = (day: string): string[] => day.split('-').flatMap((part) => [part, String(Number(part))]);

/** A clock of twelve hours says one of two times. */
function addClock(found: Set<string>, hour: number, minute: string): void {
  for (const one of [hour, (hour + 12) % 24]) {
    found
      .add(`${one}:${minute}`)
      .add(`${String(one).padStart(2, '0')}:${minute}`)
      .add(String(one))
      .add(minute);
  }
}

const isoDay = /\b\d{4}-\d\d-\d\d\b/g;

/** Gives a day that an item names as one that the turns name, as `YYYY-MM-DD`; words of a day count from the turn. */
function dayThere(given: string, main: Turn, nearby: readonly ShownTurn[], timeZone: string): string | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(given) ? given : dueOf(given, main.time, timeZone);
  const isDay = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  return isDay && isDayThere(day, nearby, timeZone) ? day : undefined;
}

/** Of a weekday that a text names, another than the next may be meant: of so many days around the turn. */
const nearDays = 14;

/**
 * A day is there when its digits are, or a text nearby names a time that it lies in. So is the day of the turn, and a near one whose weekday the text
 * names.
 */
function isDayThere(day: string, nearby: readonly ShownTurn[], timeZone: string): boolean {
  const date = Date.parse(day);
  const weekday = weekdays[new Date(date).getUTCDay()]!;
  return nearby.some(
    ({ turn: { text, time } }) =>
      text.includes(day) ||
      dayOf(time, timeZone) === day ||
      dueOf(text, time, timeZone) === day ||
      (Math.abs(date - time) < nearDays * dayMs && text.toLowerCase().includes(weekday)) ||
      [true, false]
        .flatMap((isAhead) => timesIn(text, { now: time, timeZone, isAhead }))
        .some(({ first, last }) => date >= first && date <= last),
  );
}

/** Tells whether an item and a claim share a subject, entity or attribute, or one speaks of the subject of the other. */
function shares(
  item: Pick<AnsweredItem, 'says' | 'subject' | 'attribute' | 'entities'>,
  claim: ShownClaim,
  { speaker, role }: Turn,
): boolean {
  const own = normaliseForHash(speaker ?? role);
  const nameOf = (name: string | undefined): string => {
    const plainName = normaliseForHash(name ?? '');
    return selfNames.has(plainName) ? own : plainName;
  };
  const [mine, theirs] = [nameOf(item.subject), nameOf(claim.subject)];
  if (mine !== '' && mine === theirs) return true;
  if (item.attribute !== undefined && item.attribute === claim.attribute) return true;
  const entities = new Set(claim.entities.map(normaliseForHash));
  if (item.entities.some((name) => entities.has(normaliseForHash(name)))) return true;
  const isIn = (subject: string, words: string): boolean => {
    const needed = tokensOf(subject);
    const there = new Set(tokensOf(words));
    return needed.length > 0 && needed.every((word) => there.has(word));
  };
  return (mine !== own && isIn(item.subject ?? '', claim.says)) || isIn(claim.subject ?? '', item.says);
}

const selfNames: ReadonlySet<string> = new Set(['user', 'the user', 'i', 'me']);
