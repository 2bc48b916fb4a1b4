// The order of hits by what held at the time a question asks of. Ranks decide which matters were found; of each matter what held then comes
// first, and what is over comes after all that holds.
//
//     ranked      E₁  x  L₁  y            E₁ gave way to L₁ in March
//     present     L₁  x  y  E₁            L₁ in the place of the best of its matter; E₁ is over
//     February    E₁  L₁  x  y

import type { AskedTime } from './asked-time.ts';

/** A statement of a matter, and when it ended. */
export interface Member {
  readonly id: string;
  /** Ids of what took its place, and of those whose place it took. */
  readonly next?: string;
  readonly before: readonly string[];
  /** The first second at which it no longer holds; Infinity while nothing ends it. */
  readonly until: number;
}

/** Finds a statement by its id; undefined where the view has none. */
export type FindMember = (id: string) => Member | undefined;

/** Lists all that belong to the matter of a statement, itself included. */
function matterOf(id: string, find: FindMember): Member[] {
  const members = new Map<string, Member>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (members.has(next)) continue;
    const member = find(next);
    if (member === undefined) continue;
    members.set(next, member);
    open.push(...member.before, ...(member.next === undefined ? [] : [member.next]));
  }
  return [...members.values()];
}

/** Gives those of a matter that answer for a time, `now` in seconds for the present; several where several were said. */
function leadersOf(members: readonly Member[], asked: AskedTime | undefined, now: number): Member[] {
  const ends = (time: number) => members.filter(({ until }) => until > time || until === Number.POSITIVE_INFINITY);
  const least = (some: readonly Member[]) => Math.min(...some.map(({ until }) => until));
  const ofLeast = (some: readonly Member[]) => some.filter(({ until }) => until === least(some));
  if (typeof asked === 'number') return ofLeast(ends(asked / 1000));
  if (asked === 'first') return ofLeast(members);
  if (asked === undefined) return ofLeast(ends(now));
  const over = members.filter(({ until }) => until <= now);
  const last = Math.max(...over.map(({ until }) => until));
  return over.filter(({ until }) => until === last);
}

/** A ranked thing with the statements that it tells, by their ids. */
export interface Telling<Item> {
  readonly item: Item;
  readonly score: number;
  readonly tells: readonly string[];
  /** Whether all that it says is over at the time that is asked of. */
  readonly isOver: boolean;
}

/**
 * Puts what a question asks of first: of each matter the statement that held then has the place of the best of them. What is over comes last,
 * unless the question asks of the past. `lend` makes an item of a statement that was not found; undefined where none may come.
 *
 * Each comes with its score: that of the place it has, so that none is above one before it.
 */
export function orderByTime<Item>(
  ranked: readonly Telling<Item>[],
  how: {
    readonly asked: AskedTime | undefined;
    /** In seconds. */
    readonly now: number;
    readonly find: FindMember;
    readonly lend: (id: string, inPlaceOf: Item) => Item | undefined;
  },
): (readonly [Item, score: number])[] {
  const { asked, now, find, lend } = how;
  const placed = new Set<Telling<Item>>();
  const ordered: Telling<Item>[] = [];
  const place = (one: Telling<Item>, score = one.score): void => {
    if (placed.has(one)) return;
    placed.add(one);
    ordered.push({ ...one, score });
  };
  const settled = new Set<string>();
  for (const one of ranked) {
    for (const id of one.tells) {
      if (settled.has(id)) continue;
      const members = matterOf(id, find);
      for (const member of members) settled.add(member.id);
      // What nothing took the place of keeps its own.
      if (members.length < 2) continue;
      const leaders = leadersOf(members, asked, now);
      const ids = new Set(leaders.map((leader) => leader.id));
      const isLeading = ({ tells }: Telling<Item>): boolean => tells.some((told) => ids.has(told));
      // What tells of nothing else of the matter says it more plainly than a page that tells of all.
      const isPlain = ({ tells }: Telling<Item>): boolean =>
        !tells.some((told) => !ids.has(told) && members.some((member) => member.id === told));
      const leading = ranked.find((other) => isLeading(other) && isPlain(other)) ?? ranked.find(isLeading);
      if (leading !== undefined) place(leading, Math.max(leading.score, one.score));
      else if (leaders.length > 0) {
        const item = lend(leaders[0]!.id, one.item);
        if (item !== undefined) place({ item, score: one.score, tells: [leaders[0]!.id], isOver: false });
      }
    }
    place(one);
  }
  const isOfPast = asked === 'before' || asked === 'first';
  const behind = (one: Telling<Item>): boolean => one.isOver && !isOfPast;
  let least = Number.POSITIVE_INFINITY;
  return [...ordered.filter((one) => !behind(one)), ...ordered.filter(behind)].map(({ item, score }) => {
    least = Math.min(least, score);
    return [item, least];
  });
}
