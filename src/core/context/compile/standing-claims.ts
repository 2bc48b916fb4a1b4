// What holds whatever is asked: rules, corrections, how somebody likes things, and what was promised and is not done. It comes before what
// fits the message, has a share of the room, and stays the same from one message to the next.

import { count } from '../../../base/count.ts';
import { defined } from '../../../base/errors.ts';
import { daysBetween } from '../../../base/time.ts';
import type { MemoryRecord } from '../../../base/types/stored-types.ts';
import { byDueDay, countPromises } from '../../../logs/index.ts';
import { standingTag, type Vitals } from '../../../store/records/vitals.ts';
import { asContent, indented } from './data-text.ts';
import type { Meter } from './meter.ts';
import { type Piece, tokensOf } from './part.ts';

/** A claim that stands, or a promise. */
export interface StandingClaim {
  /** A `rule` is what scorers say holds. */
  readonly kind: 'constraint' | 'principle' | 'correction' | 'preference' | 'rule' | 'commitment';
  readonly text: string;
  /** The file with its line, or the path of the memory. */
  readonly source: string;
  /** Seconds since the Unix epoch: since when it stands. */
  readonly since: number;
  /** `YYYY-MM-DD`. */
  readonly due?: string;
  /** The id of the memory, and of the event that tells of it. */
  readonly ids: readonly string[];
  /** How likely it holds until it is taken back, 0 to 1; default: somebody gave that it does. */
  readonly sureness?: number;
}

/** How much of what remains it may have: a tenth, so that what fits the message has the rest. */
const shareOfRest = 0.1;

/** So many days a promise is called overdue; then it is asked what became of it. */
export const mostOverdue = 2;
/** So many days after its own nobody works at a promise: it yields to what is ahead. */
export const mostLate = 14;

const headings = { rules: 'What always holds:', promises: 'Open commitments:' } as const;

/** How much room standing claims have. */
export interface StandingRoom {
  /** In tokens, headings included. */
  readonly room: number;
  readonly meter: Meter;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Gives how many tokens standing claims may have of those that are left. */
export const standingRoom = (left: number): number => Math.max(0, Math.floor(left * shareOfRest));

/**
 * Chooses the claims that fit the room and writes a line for each, whole. Constraints (P0) come first, then a promise and a rule in turn: rules
 * the surest first, promises those that are due next. What does not fit is counted: `- … 12 more: 3 rules, 9 past due`.
 *
 * The text has the rules, and then the promises.
 */
export function standingPieces(
  claims: readonly StandingClaim[],
  { room: whole, meter, today }: StandingRoom,
): { readonly pieces: readonly Piece[]; readonly claims: readonly StandingClaim[]; readonly left: number } {
  const headingTokens = Math.max(...Object.values(headings).map((heading) => meter.count(`${heading}\n`)));
  const ranked = inTurn(claims, today)
    .map((claim) => ({ claim, text: lineOf(claim, today) }))
    .map((one) => ({ ...one, tokens: meter.count(`${one.text}\n`) }));
  const sum = ranked.reduce((all, { tokens }) => all + tokens, 2 * headingTokens);
  // Where not all fit, the line that counts the rest needs room, too.
  const costOfMore = (told: readonly StandingClaim[]) => meter.count(`${moreOf(claims.length, told, today)}\n`);
  const [number, kinds] = [costOfMore([]), costOfMore(claims)];
  let spent = headingTokens;
  const open = new Set<boolean>();
  const chosen = ranked.filter(({ claim, tokens }) => {
    const cost = tokens + (open.size === 1 && !open.has(isPromise(claim)) ? headingTokens : 0);
    const kept = sum <= whole ? 0 : claim.kind === 'constraint' ? number : kinds;
    if (spent + cost > whole - kept) return false;
    spent += cost;
    open.add(isPromise(claim));
    return true;
  });
  const order = byDay(today);
  const promises = chosen.filter(({ claim }) => isPromise(claim)).sort((one, other) => order(one.claim, other.claim));
  const shown = [...chosen.filter(({ claim }) => claim.kind !== 'commitment'), ...promises];
  const pieces = shown.map((one, at): Piece => {
    const { claim, text, tokens } = one;
    const isFirst = at === 0 || one === promises[0];
    const heading = isPromise(claim) ? headings.promises : headings.rules;
    return {
      source: claim.source,
      path: claim.source.replace(/[:#]\d+$/, ''),
      text: isFirst ? `${heading}\n${text}` : text,
      tokens: tokens + (isFirst ? meter.count(`${heading}\n`) : 0),
      why: isPromise(claim) ? 'an open commitment' : `a ${claim.kind}: it holds whatever is asked`,
      ...defined({ id: claim.ids[0] }),
    };
  });
  const isShown = new Set(shown.map(({ claim }) => claim));
  const missed = claims.filter((claim) => !isShown.has(claim));
  const fits = (line: string) => meter.count(`${line}\n`) <= whole - (shown.length === 0 ? 0 : spent);
  const more = [missed, []].map((told) => moreOf(missed.length, told, today)).find(fits);
  if (missed.length > 0 && more !== undefined) {
    const source = count(missed.length, 'standing claim');
    pieces.push({ source, text: more, tokens: meter.count(`${more}\n`), why: 'no room for them' });
  }
  return { pieces, claims: shown.map(({ claim }) => claim), left: missed.length };
}

/** A turn that was said after a claim and is near it. */
export interface Later {
  /** `path#turn`. */
  readonly source: string;
  readonly words: string;
  /** With its day and speaker. */
  readonly text: string;
  /** Memories that quote it. */
  readonly ids: readonly string[];
  /** It is one of the claims that were asked about: its place among them. */
  readonly claim?: number;
}

/** Finds for each of some claims what was said after it and is near it; what the text has of claims already is none. */
export type FindsLater = (
  claims: readonly StandingClaim[],
  there?: readonly StandingClaim[],
) => readonly (Later | undefined)[];

/** What is above all else, and what has a day of its own. */
const keepsItsPlace: ReadonlySet<StandingClaim['kind']> = new Set(['constraint', 'commitment']);
/** Of so many claims it is asked what was said after them. */
const mostFollowed = 24;

/**
 * Puts above standing claims what was said after them, while there is room; below promises, for it may be none. What stands itself comes up
 * to those that it was said after, and has them below it. No word says that one takes the place of the other:
 *
 * ```
 * - 2026-03-14 Vera: Nadia reads French letters now.
 *   ↳ 2026-03-02 Vera: Nadia always wants every letter in Dutch.
 * ```
 */
export function withLater(
  { pieces, claims }: Pick<ReturnType<typeof standingPieces>, 'pieces' | 'claims'>,
  { room, meter, laterOf }: Pick<StandingRoom, 'room' | 'meter'> & { readonly laterOf: FindsLater },
): { readonly pieces: readonly Piece[]; readonly later: readonly Later[] } {
  let left = room - tokensOf(pieces);
  const shown = new Map<string, Later>();
  const found = left > 0 ? laterOf(claims.slice(0, mostFollowed), claims) : [];
  /** By the place of a claim: that of the one below which it stands. */
  const above = new Map<number, number>();
  const lines = pieces.map(({ text }) => text.slice(text.startsWith('- ') ? 0 : text.indexOf('\n') + 1));
  const put = (at: number, text: string): boolean => {
    const cost = meter.count(`${text}\n`) - meter.count(`${lines[at]}\n`);
    if (cost > left) return false;
    left -= cost;
    lines[at] = text;
    return true;
  };
  for (const [at, later] of found.entries()) {
    if (later === undefined || shown.has(later.source)) continue;
    const { kind } = claims[at]!;
    if (later.claim !== undefined) {
      const isApart = keepsItsPlace.has(kind) || (later.claim > at && keepsItsPlace.has(claims[later.claim]!.kind));
      if (!isApart && put(at, `  ↳ ${lines[at]!.slice(2)}`)) above.set(at, later.claim);
      continue;
    }
    const said = indented(asContent(later.text)).replace(/\n\s*/g, ' ');
    const text = kind === 'commitment' ? `${lines[at]}\n  ↳ ${said}` : `- ${said}\n  ↳ ${lines[at]!.slice(2)}`;
    if (put(at, text)) shown.set(later.source, later);
  }
  const headOf = (at: number): number => (above.has(at) ? headOf(above.get(at)!) : at);
  const heads = pieces.map((_, at) => headOf(at));
  const firsts = new Map([...heads.keys()].reverse().map((at) => [heads[at]!, at]));
  const placeOf = (at: number): number => firsts.get(heads[at]!)!;
  const order = [...heads.keys()].sort(
    (one, other) => placeOf(one) - placeOf(other) || Number(above.has(one)) - Number(above.has(other)) || one - other,
  );
  const arranged = order.map((at, place): Piece => {
    // A heading stands above whatever comes first.
    const heading = /^[^-\n][^\n]*:\n/.exec(pieces[place]!.text)?.[0] ?? '';
    const text = `${heading}${lines[at]}`;
    return { ...pieces[at]!, text, tokens: meter.count(`${text}\n`) };
  });
  return { pieces: arranged, later: [...shown.values()] };
}

/** Rules and promises in turn, that none may hide the other. What is above all else comes before them, and promises long past behind. */
function inTurn(claims: readonly StandingClaim[], today: string): StandingClaim[] {
  const newest = [...claims].sort((one, other) => tenthsOf(other) - tenthsOf(one) || newestFirst(one, other));
  const promises = claims.filter(isPromise).sort(byDay(today));
  const isLeft = ({ due = today }: StandingClaim): boolean => daysBetween(due, today) > mostLate;
  const open = promises.filter((one) => !isLeft(one));
  const rules = newest.filter(({ kind }) => kind !== 'constraint' && kind !== 'commitment');
  const pairs = claims.map((_, at) => [open[at], rules[at]]);
  const constraints = newest.filter(({ kind }) => kind === 'constraint');
  return [...constraints, ...pairs.flat().filter((one) => one !== undefined), ...promises.filter(isLeft)];
}

/** What is due next comes first, then what is past, from the last day on. */
function byDay(today: string): (one: StandingClaim, other: StandingClaim) => number {
  const order = byDueDay(today);
  const dated = ({ due, since }: StandingClaim) => ({ since: since * 1000, ...defined({ due }) });
  return (one, other) => order(dated(one), dated(other));
}

const isPromise = ({ kind }: StandingClaim): boolean => kind === 'commitment';

/** Counts what has no room. Where promises are among those that are given, these are counted by kind. */
function moreOf(number: number, claims: readonly StandingClaim[], today: string): string {
  const promises = claims.filter(isPromise);
  const rules = claims.length - promises.length;
  const kinds = [...(rules > 0 ? [count(rules, 'rule')] : []), countPromises(promises, today)].join(', ');
  return `- … ${number} more${promises.length > 0 ? `: ${kinds}` : ''}`;
}

/** What scorers say to a hundredth is no sureness: of those alike the newest comes first. */
const tenthsOf = ({ sureness = 1 }: StandingClaim): number => Math.floor(10 * sureness);

const newestFirst = (a: StandingClaim, b: StandingClaim): number =>
  b.since - a.since || ((a.ids[0] ?? '') < (b.ids[0] ?? '') ? -1 : 1);

function lineOf({ kind, text, due }: StandingClaim, today: string): string {
  const words = indented(asContent(text)).replace(/\n\s*/g, ' ');
  const late = due !== undefined && due < today ? daysBetween(due, today) : 0;
  const past = late > mostOverdue ? `past due since ${due}: done, moved or dropped?` : `overdue since ${due}`;
  const day = due === undefined ? '' : late > 0 ? ` (${past})` : ` (due ${due})`;
  // The statement may say the day itself.
  const when = due !== undefined && due >= today && words.includes(due) ? '' : day;
  return `- ${kind === 'constraint' ? '[P0] ' : ''}${words}${when}`;
}

/** Tells by its vitals whether a memory may hold whatever is asked; {@link standingKindOf} says whether and as what. */
export const mayStand = ({ category, priority, stands }: Vitals): boolean =>
  priority !== undefined || stands || (category !== undefined && standingCategories.has(category));

const standingCategories: ReadonlySet<string> = new Set(['principle', 'correction', 'preference']);

/** Tells as what a memory holds whatever is asked; undefined where it does not. A P0 that somebody gave comes first, then its category, then scorers. */
export function standingKindOf(record: MemoryRecord): StandingClaim['kind'] | undefined {
  const { category, meta, standing, standingConfidence } = record;
  if (meta.tags.includes('P0')) return 'constraint';
  if (standing === false) return undefined;
  if (category === 'principle' || category === 'correction' || category === 'preference') return category;
  if (standing === true || meta.tags.includes(standingTag)) return 'principle';
  return standingConfidence === undefined ? undefined : 'rule';
}
