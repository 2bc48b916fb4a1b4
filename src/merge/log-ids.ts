// What the entries of an append-only log are called after a merge: ids that two sides gave to different entries are given anew.

import type { LogEntry } from '../records/log.ts';
import { compareSequenceIds, formatSequenceId, parseSequenceId, replaceSequenceIds } from '../records/sequence-id.ts';

/** The entries of one log, or of a part of it, as a base and two sides have them. */
export interface LogSides {
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

interface Aligned {
  readonly key: string;
  base?: LogEntry;
  ours?: LogEntry;
  theirs?: LogEntry;
}

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
export function alignIds(
  sides: LogSides,
  { published, first }: IdRule = oursFirst,
): { readonly ours: Renaming; readonly theirs: Renaming } {
  const known = new Map([...keyedEntries(published)].map(([key, { id }]) => [key, id]));
  const aligned = new Map<string, Aligned>();
  for (const side of ['base', 'ours', 'theirs'] as const) {
    for (const [key, entry] of keyedEntries(sides[side])) {
      const known = aligned.get(key) ?? { key };
      known[side] = entry;
      aligned.set(key, known);
    }
  }
  const names = { ours: new Map<string, string>(), theirs: new Map<string, string>() };
  const dropped = { ours: new Set<string>(), theirs: new Set<string>() };
  const heirs = joinSame([...aligned.values()], dropped, (entry) => known.has(entry.key), first);
  const series = new Map<string, Aligned[]>();
  const inPlace = changedInPlace(sides.base, aligned);
  for (const entry of aligned.values()) {
    if (heirs.has(entry) || inPlace.has(entry) || !isPresent(entry)) continue;
    const name = parseSequenceId((entry.ours ?? entry.theirs ?? entry.base)!.id)?.series;
    if (name === undefined) continue;
    const own = series.get(name);
    if (own === undefined) series.set(name, [entry]);
    else own.push(entry);
  }
  const final = new Map<Aligned, string>();
  for (const [name, entries] of series)
    for (const [entry, id] of nameEntries(name, entries, known, first)) final.set(entry, id);
  for (const entry of aligned.values()) {
    const id = final.get(heirs.get(entry) ?? entry);
    if (id === undefined) continue;
    for (const side of ['ours', 'theirs'] as const) {
      const old = entry[side]?.id;
      if (old !== undefined && old !== id) names[side].set(old, id);
    }
  }
  return {
    ours: { ids: names.ours, dropped: dropped.ours },
    theirs: { ids: names.theirs, dropped: dropped.theirs },
  };
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
  dropped: Record<Side, Set<string>>,
  isPublished: (entry: Aligned) => boolean,
  first: Side,
): Map<Aligned, Aligned> {
  const heirs = new Map<Aligned, Aligned>();
  const isNewOn = (entry: Aligned, side: 'ours' | 'theirs', other: 'ours' | 'theirs') =>
    entry.base === undefined && entry[other] === undefined && entry[side]?.sameAs !== undefined;
  const mine = new Map(entries.filter((entry) => isNewOn(entry, 'ours', 'theirs')).map((e) => [e.ours!.sameAs!, e]));
  for (const other of entries.filter((entry) => isNewOn(entry, 'theirs', 'ours'))) {
    const own = mine.get(other.theirs!.sameAs!);
    if (own === undefined) continue;
    const isOther = !isPublished(own) && (isPublished(other) || first === 'theirs');
    const [winner, loser] = isOther ? [other, own] : [own, other];
    heirs.set(loser, winner);
    dropped[loser === own ? 'ours' : 'theirs'].add(loser.key);
  }
  return heirs;
}

/** Names the entries of one series. */
function nameEntries(
  series: string,
  entries: readonly Aligned[],
  known: ReadonlyMap<string, string>,
  first: Side,
): Map<Aligned, string> {
  const names = new Map<Aligned, string>();
  const taken = new Set<string>();
  let highest = 0;
  const rankOf = (entry: Aligned) =>
    known.has(entry.key) ? 0 : entry.base !== undefined ? 1 : entry[first] !== undefined ? 2 : 3;
  for (const rank of [0, 1, 2, 3]) {
    // What both sides have twice under one id is theirs to mend.
    const before = rank < 2 ? new Set(taken) : taken;
    const group = entries
      .filter((entry) => rankOf(entry) === rank)
      .map((entry) => ({ entry, id: known.get(entry.key) ?? claimOf(entry, first) }))
      .sort((a, b) => compareSequenceIds(a.id, b.id));
    let isLate = false;
    for (const { entry, id } of group) {
      isLate ||= before.has(id);
      const name = isLate ? formatSequenceId({ series, number: highest + 1 }) : id;
      highest = Math.max(highest, parseSequenceId(name)!.number);
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
function isPresent({ base, ours, theirs }: Aligned): boolean {
  return base === undefined || (ours !== undefined && theirs !== undefined);
}
