// Numbers entries of an append-only log anew where two sides gave one id to different entries.

import type { LogEntry } from '../records/log.ts';
import { compareSequenceIds, formatSequenceId, parseSequenceId, replaceSequenceIds } from '../records/sequence-id.ts';

/** The entries of one log, or of a part of it, as a base and two sides have them. */
interface LogSides {
  readonly base: readonly LogEntry[];
  readonly ours: readonly LogEntry[];
  readonly theirs: readonly LogEntry[];
}

/** What one side has to change before the two can be joined. */
export interface Renaming {
  /** Old id → new id. */
  readonly ids: ReadonlyMap<string, string>;
  /** Keys of entries that the other side has too, under the id that theirs go to. */
  readonly dropped: ReadonlySet<string>;
}

type Aligned = { readonly key: string } & Readonly<Partial<Record<keyof LogSides, LogEntry>>>;

/**
 * Gives each entry a key that says what it is, whatever it and those it names are called. The key is its text with the numbers of ids left
 * out. Of entries with the same words, the first is one thing and the second another.
 */
export function keyedEntries<Entry extends { readonly text: string }>(entries: readonly Entry[]): Map<string, Entry> {
  const keyed = new Map<string, Entry>();
  for (const entry of entries) {
    const words = replaceSequenceIds(entry.text.trim(), (id) => parseSequenceId(id)?.series ?? id);
    let key = words;
    for (let count = 2; keyed.has(key); count++) key = `${words}\n${count}`;
    keyed.set(key, entry);
  }
  return keyed;
}

/** Which entries keep their ids where two have one. */
export interface IdRule {
  /** What others know already: entries under ids that stay. */
  readonly published: readonly LogEntry[];
  /** Whose ids stay of two that nobody else knows. */
  readonly first: Side;
}

type Side = 'ours' | 'theirs';

/** Where nothing is published, ours stays. */
export const oursFirst: IdRule = { published: [], first: 'ours' };

/** The same rule where ours is called theirs. */
export function turned({ published, first }: IdRule): IdRule {
  return { published, first: first === 'ours' ? 'theirs' : 'ours' };
}

/**
 * Finds new ids for entries where two have one.
 *
 * What is published keeps its id, then what both sides know, then what one side brought, then the other's. In each of these,
 * what comes from the first taken id on is numbered on from all that stand, in its order. So cause and effect of one side stay in a row. Entries that say the
 * same (`sameAs`) become the one that keeps its id.
 */
export function alignIds(sides: LogSides, { published, first }: IdRule = oursFirst): Readonly<Record<Side, Renaming>> {
  const known = new Map([...keyedEntries(published)].map(([key, { id }]) => [key, id]));
  const aligned = new Map<string, Aligned>();
  for (const side of ['base', 'ours', 'theirs'] as const) {
    for (const [key, entry] of keyedEntries(sides[side]))
      aligned.set(key, { ...(aligned.get(key) ?? { key }), [side]: entry });
  }
  const rankOf = (entry: Aligned): number =>
    known.has(entry.key) ? 0 : entry.base !== undefined ? 1 : entry[first] !== undefined ? 2 : 3;
  const renaming = () => ({ ids: new Map<string, string>(), dropped: new Set<string>() });
  const renamings = { ours: renaming(), theirs: renaming() };
  const heirs = joinSame([...aligned.values()], renamings, rankOf);
  const inPlace = changedInPlace(sides.base, aligned);
  const named = [...aligned.values()]
    .filter((entry) => !heirs.has(entry) && !inPlace.has(entry) && isPresent(entry))
    .map((entry) => ({ entry, rank: rankOf(entry), id: known.get(entry.key) ?? claimOf(entry, first) }));
  const final = nameEntries(named);
  for (const entry of aligned.values()) {
    const id = final.get(heirs.get(entry) ?? entry);
    if (id === undefined) continue;
    for (const side of ['ours', 'theirs'] as const) {
      const old = entry[side]?.id;
      if (old !== undefined && old !== id) renamings[side].ids.set(old, id);
    }
  }
  return renamings;
}

/** Finds entries that took the place of one of the base, under its id and of its time. Their words were forgotten. */
function changedInPlace(base: readonly LogEntry[], aligned: ReadonlyMap<string, Aligned>): Set<Aligned> {
  const known = new Map([...keyedEntries(base)].map(([key, { id }]) => [id, aligned.get(key)!]));
  const isInPlace = (entry: Aligned, side: 'ours' | 'theirs'): boolean => {
    const old = known.get(entry[side]?.id ?? '');
    return old !== undefined && old[side] === undefined && old.base!.time === entry[side]!.time;
  };
  return new Set(
    [...aligned.values()].filter(
      (entry) => entry.base === undefined && (isInPlace(entry, 'ours') || isInPlace(entry, 'theirs')),
    ),
  );
}

/** Finds the new entries of the two sides that say the same: loser → winner. */
function joinSame(
  entries: readonly Aligned[],
  renamings: Readonly<Record<Side, { readonly dropped: Set<string> }>>,
  rankOf: (entry: Aligned) => number,
): Map<Aligned, Aligned> {
  const heirs = new Map<Aligned, Aligned>();
  const isNewOn = (entry: Aligned, side: Side, other: Side) =>
    entry.base === undefined && entry[other] === undefined && entry[side]?.sameAs !== undefined;
  const mine = new Map(entries.filter((entry) => isNewOn(entry, 'ours', 'theirs')).map((e) => [e.ours!.sameAs!, e]));
  for (const other of entries.filter((entry) => isNewOn(entry, 'theirs', 'ours'))) {
    const own = mine.get(other.theirs!.sameAs!);
    if (own === undefined) continue;
    const [winner, loser] = rankOf(other) < rankOf(own) ? [other, own] : [own, other];
    heirs.set(loser, winner);
    renamings[loser === own ? 'ours' : 'theirs'].dropped.add(loser.key);
  }
  return heirs;
}

/** Names entries, each series by itself: rank after rank, and in each in the order of the ids that they claim. */
function nameEntries(entries: readonly { readonly entry: Aligned; readonly rank: number; readonly id: string }[]) {
  const names = new Map<Aligned, string>();
  const taken = new Set<string>();
  const highest = new Map<string, number>();
  for (const rank of [0, 1, 2, 3]) {
    // What both sides have twice under one id is theirs to mend.
    const before = rank < 2 ? new Set(taken) : taken;
    const late = new Set<string>();
    const group = entries.filter((one) => one.rank === rank).sort((a, b) => compareSequenceIds(a.id, b.id));
    for (const { entry, id } of group) {
      const claimed = parseSequenceId(id);
      if (claimed === null) continue;
      const { series } = claimed;
      if (before.has(id)) late.add(series);
      const last = highest.get(series) ?? 0;
      const number = late.has(series) ? last + 1 : claimed.number;
      highest.set(series, Math.max(last, number));
      const name = late.has(series) ? formatSequenceId({ series, number }) : id;
      taken.add(name);
      names.set(entry, name);
    }
  }
  return names;
}

/** The id that the sides want for an entry: a new name wins over that of the base. */
function claimOf({ base, ours, theirs }: Aligned, first: Side): string {
  const sides = first === 'ours' ? [ours, theirs] : [theirs, ours];
  return (sides.find((side) => side !== undefined && side.id !== base?.id) ?? base)!.id;
}

/** What a base has and one side has not was taken away there. */
const isPresent = ({ base, ours, theirs }: Aligned): boolean =>
  base === undefined || (ours !== undefined && theirs !== undefined);
