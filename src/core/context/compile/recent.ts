// What was said in the last days and is worth knowing, as it was said. The best quotes that fit stand below their days, the newest first. What
// is near to a newer quote stands below that, with its own day.
//
//     [2026-09-18]
//     Ada: We meet in the boathouse.
//     ↳ [2026-09-14] Ada: We meet at the pier.

import { defined } from '../../../base/errors.ts';
import { daysBetween } from '../../../base/time.ts';
import { tokensOf } from '../../../base/tokenizer.ts';
import { thresholds } from '../../../language/index.ts';
import { sayingOf } from '../../../store/claims/saying.ts';
import { leadOf } from '../../lifecycle/quoted.ts';
import { asContent, asSpoken, indented } from './data-text.ts';
import type { Meter } from './meter.ts';
import type { Part, Piece } from './part.ts';
import type { StandingClaim } from './standing-claims.ts';
import type { Told } from './told.ts';

/** A turn of the last days. Sentences that were forgotten or have ended are no part of it. */
export interface RecentTurn {
  readonly path: string;
  /** 1-based; 0 for what was remembered by itself. */
  readonly turn: number;
  readonly line: number;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** `YYYY-MM-DD`, in the zone of the memory. */
  readonly day: string;
  /** Empty for what was remembered by itself. */
  readonly speaker: string;
  /** Whether a person says it: what an agent says is no rule. */
  readonly isPersons: boolean;
  /** As it was said; the sentences alone where some are left out. */
  readonly text: string;
  readonly sentences: readonly { readonly text: string; readonly worth: number }[];
  /** How likely somebody would be sorry not to know it, 0 to 1. */
  readonly worth: number;
  /** How likely it holds until it is taken back, 0 to 1. */
  readonly standing: number;
  /** Memories that quote it. */
  readonly ids: readonly string[];
  /** What it cannot be read without, of the turn before: the question that it answers in a few words, or what it points back to. */
  readonly before?: { readonly turn: number; readonly speaker: string; readonly text: string };
}

/** What is worth no more than this is left out, whatever room there is; of an agent what is not worth keeping: "Understood." */
const leastWorth = 0.05;
const leastWorthOf = ({ isPersons }: RecentTurn): number => (isPersons ? leastWorth : thresholds().low!);
/** So many days after it was said, what does not stand is worth half. */
const halfLifeDays = 7;
/** Of a longer turn the sentences that are worth most are shown. */
const mostWhole = 400;
/** Two quotes that share so much of their words are near: the cosine of their terms, the rarer ones counting more. */
const leastLikeness = 0.3;
/** After so many that did not fit, no smaller one is looked for. */
const patience = 24;

/** In characters: what is shorter cannot be read alone. */
const leastRule = 20;

/**
 * Gives what people said that is worth keeping and surely holds until it is taken back, without what a claim tells of. What was said again is of
 * its newest day.
 */
export function standingTurns(
  turns: readonly RecentTurn[],
  told: Told,
  claims: readonly StandingClaim[] = [],
): StandingClaim[] {
  const said = new Set(claims.map(wordsSaid));
  const surely = thresholds();
  return turns
    .toSorted((one, other) => other.time - one.time)
    .filter(({ worth, standing, isPersons }) => isPersons && worth >= surely.keep! && standing >= surely.standing!)
    .filter(({ text, before }) => text.length >= leastRule && text.length <= mostWhole && before === undefined)
    .filter(({ ids }) => !ids.some((id) => told.hasAll([id])))
    .filter((turn) => {
      const words = sayingIn(turn);
      return !said.has(words) && said.add(words);
    })
    .map(({ day, speaker, text, time, ids, ...turn }) => ({
      ...{ kind: 'rule', text: `${leadOf(day, speaker)}${text}`, source: sourceOf(turn) },
      ...{ since: Math.floor(time / 1000), ids },
    }));
}

const sayingIn = ({ speaker, text }: RecentTurn): string => sayingOf(`${speaker} ${text}`);

/** Adds to what the text has the turns that say again what it has as standing. */
export function addRepeated(told: Told, turns: readonly RecentTurn[], claims: readonly StandingClaim[]): void {
  const said = new Set(claims.map(wordsSaid));
  for (const turn of turns) if (said.has(sayingIn(turn))) told.addTurn(sourceOf(turn), turn.text, turn.ids);
}

/** The speaker of a claim and the words, without the day. */
const wordsSaid = ({ text }: StandingClaim): string => sayingOf(text.replace(/^\d{4}-\d\d-\d\d /, ''));

interface Quote {
  readonly turn: RecentTurn;
  readonly text: string;
  readonly tokens: number;
}

const sourceOf = ({ path, turn }: Pick<RecentTurn, 'path' | 'turn'>): string => (turn === 0 ? path : `${path}#${turn}`);

/** Fills a part with the best quotes that fit; tells how many tokens these have. `told` knows what the text has, and learns what it gets. */
export function addRecent(
  part: Part,
  turns: readonly RecentTurn[],
  { room, told, meter, today }: { readonly room: number; told: Told; readonly meter: Meter; readonly today: string },
): number {
  const said = new Set<string>();
  const ranked = turns
    .toSorted(newestFirst)
    .filter((turn) => {
      const words = sayingIn(turn);
      return turn.worth > leastWorthOf(turn) && !said.has(words) && said.add(words);
    })
    .map((turn) => ({ turn, value: worthToday(turn, today) }))
    .sort((one, other) => other.value - one.value || newestFirst(one.turn, other.turn));
  const chosen: Quote[] = [];
  const days = new Set<string>();
  let left = room;
  let misses = 0;
  for (const { turn } of ranked) {
    if (misses === patience) break;
    const text = untoldOf(turn, told);
    if (text === '') continue;
    const heading = days.has(turn.day) ? 0 : meter.count(`${headingOf(turn)}\n`);
    const before = told.has(beforeOf(turn), turn.before?.text ?? '') ? undefined : turn.before;
    const [whole, alone] = [before, undefined].map((one) => quoteOf(turn, text, one, meter));
    const isWhole = whole!.tokens + heading <= left;
    const quote = isWhole ? whole! : alone!;
    if (quote.tokens + heading > left) {
      misses += 1;
      continue;
    }
    misses = 0;
    left -= quote.tokens + heading;
    days.add(turn.day);
    chosen.push(quote);
    told.addTurn(sourceOf(turn), text, turn.ids);
    if (before !== undefined && isWhole) told.addTurn(beforeOf(turn), before.text, []);
  }
  const missing = ranked.length - chosen.length;
  if (missing > 0) part.left.push({ source: `${missing} of the last days`, why: 'worth less, or there already' });
  part.pieces.push(...arranged(chosen, meter));
  return part.tokens;
}

/** What stands does not grow old. */
function worthToday({ worth, standing, day }: RecentTurn, today: string): number {
  const age = Math.max(0, daysBetween(day, today));
  return worth * (standing + (1 - standing) * 2 ** (-age / halfLifeDays));
}

function newestFirst(one: RecentTurn, other: RecentTurn): number {
  if ((one.turn === 0 || other.turn === 0) && one.time !== other.time) return other.time - one.time;
  if (one.path !== other.path) return one.path < other.path ? 1 : -1;
  return other.turn - one.turn;
}

/** The words of a turn that the text has not; of a long one the sentences that are worth most. */
function untoldOf(turn: RecentTurn, told: Told): string {
  const name = sourceOf(turn);
  if (turn.turn === 0 && told.hasAll(turn.ids)) return '';
  const fresh = turn.sentences.filter(({ text }) => !told.has(name, text));
  if (fresh.length === 0) return '';
  if (fresh.length === turn.sentences.length && turn.text.length <= mostWhole) return turn.text;
  let left = mostWhole;
  const best = new Set(
    fresh
      .toSorted((one, other) => other.worth - one.worth)
      .filter(({ text, worth }, at) => {
        if (worth <= leastWorth || (at > 0 && text.length > left)) return false;
        left -= text.length;
        return true;
      }),
  );
  return fresh
    .filter((one) => best.has(one))
    .map(({ text }) => text)
    .join(' ');
}

function quoteOf(turn: RecentTurn, words: string, before: RecentTurn['before'], meter: Meter): Quote {
  const own = turn.speaker === '' ? `- ${indented(asContent(words))}` : asSpoken(turn.speaker, words);
  const text = before === undefined ? own : `${asSpoken(before.speaker, before.text)}\n${own}`;
  return { turn, text, tokens: meter.count(`${text}\n`) };
}

const beforeOf = ({ path, before, turn }: RecentTurn): string => sourceOf({ path, turn: before?.turn ?? turn });

const headingOf = ({ day }: RecentTurn): string => `[${day}]`;

/** Puts quotes below their days, and older ones below newer ones that they are near to. */
function arranged(quotes: readonly Quote[], meter: Meter): Piece[] {
  const ordered = quotes.toSorted(
    ({ turn: one }, { turn: other }) =>
      (one.day === other.day ? 0 : one.day < other.day ? 1 : -1) || -newestFirst(one, other),
  );
  const near = nearOf(ordered);
  const moved = new Set([...near.values()].flat());
  const pieces: Piece[] = [];
  let day = '';
  for (const quote of ordered) {
    if (moved.has(quote)) continue;
    const heading = quote.turn.day === day ? '' : `${headingOf(quote.turn)}\n`;
    day = quote.turn.day;
    pieces.push(pieceOf(quote, `${heading}${quote.text}`, meter));
    for (const older of near.get(quote) ?? []) pieces.push(pieceOf(older, below(older), meter));
  }
  return pieces;
}

/** An answer below the question that it answers stays behind it. */
const below = ({ turn, text }: Quote): string =>
  `↳ ${headingOf(turn)} ${text.replace(/^- /, '').replace(/\n(?! )/g, '\n↳ ')}`;

function pieceOf({ turn: said }: Quote, text: string, meter: Meter): Piece {
  const { path, turn, line, worth: score, ids } = said;
  const place = turn === 0 ? defined({ id: ids[0] }) : { turn, line };
  const why = turn === 0 ? 'remembered lately' : 'said in the last days, and worth knowing';
  return { source: sourceOf(said), path, ...place, text, tokens: meter.count(`${text}\n`), score, why };
}

/** Finds for each quote the nearest newer one of another day. Quotes come newest first. */
function nearOf(quotes: readonly Quote[]): Map<Quote, Quote[]> {
  const terms = quotes.map(({ turn: { text } }) => new Set(tokensOf(text)));
  const holding = new Map<string, number>();
  for (const own of terms) for (const term of own) holding.set(term, (holding.get(term) ?? 0) + 1);
  const worthOf = (term: string): number => Math.log(1 + quotes.length / holding.get(term)!) ** 2;
  const sums = terms.map((own) => [...own].reduce((sum, term) => sum + worthOf(term), 0));
  const below = new Map<Quote, Quote[]>();
  const isMoved = new Set<number>();
  for (const [at, quote] of quotes.entries()) {
    let [best, nearest] = [leastLikeness, -1];
    for (let newer = 0; newer < at; newer++) {
      if (isMoved.has(newer) || quotes[newer]!.turn.day === quote.turn.day) continue;
      let shared = 0;
      for (const term of terms[at]!) if (terms[newer]!.has(term)) shared += worthOf(term);
      const likeness = shared / Math.sqrt(sums[at]! * sums[newer]!);
      if (likeness > best) [best, nearest] = [likeness, newer];
    }
    if (nearest < 0) continue;
    isMoved.add(at);
    below.set(quotes[nearest]!, [...(below.get(quotes[nearest]!) ?? []), quote]);
  }
  return below;
}
