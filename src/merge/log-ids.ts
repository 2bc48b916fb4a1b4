// What the entries of an append-only log are called after a merge: ids that two sides gave to different entries are given anew.

import type { LogEntry } from '../records/log.ts';
import { formatSequenceId, parseSequenceId, replaceSequenceIds } from '../records/sequence-id.ts';

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

/**
 * Finds new ids for entries that are not settled: those that a base does not have, and those that another merge has called otherwise since.
 *
 * Where no two claim the same id, all keep theirs. Else the unsettled ones of the series are numbered on from the settled ones, in the
 * order of time, agent and old id. Those of one side and one moment stay in their order. Both sides get the same, whichever merges. Entries
 * that say the same (`sameAs`) become the earlier one.
 */
export function alignIds(sides: LogSides): { readonly ours: Renaming; readonly theirs: Renaming } {
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
  const heirs = joinSame([...aligned.values()], dropped);
  const series = new Map<string, Aligned[]>();
  const inPlace = changedInPlace(sides.base, aligned);
  for (const entry of aligned.values()) {
    if (heirs.has(entry) || inPlace.has(entry) || !isPresent(entry)) continue;
    const name = parseSequenceId(anyOf(entry).id)?.series;
    if (name === undefined) continue;
    const own = series.get(name);
    if (own === undefined) series.set(name, [entry]);
    else own.push(entry);
  }
  const final = new Map<Aligned, string>();
  for (const [name, entries] of series) for (const [entry, id] of nameEntries(name, entries)) final.set(entry, id);
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
function joinSame(entries: readonly Aligned[], dropped: Record<'ours' | 'theirs', Set<string>>): Map<Aligned, Aligned> {
  const heirs = new Map<Aligned, Aligned>();
  const isNewOn = (entry: Aligned, side: 'ours' | 'theirs', other: 'ours' | 'theirs') =>
    entry.base === undefined && entry[other] === undefined && entry[side]?.sameAs !== undefined;
  const mine = new Map(entries.filter((entry) => isNewOn(entry, 'ours', 'theirs')).map((e) => [e.ours!.sameAs!, e]));
  for (const other of entries.filter((entry) => isNewOn(entry, 'theirs', 'ours'))) {
    const own = mine.get(other.theirs!.sameAs!);
    if (own === undefined) continue;
    const [winner, loser] = compare(own, other) < 0 ? [own, other] : [other, own];
    heirs.set(loser, winner);
    dropped[loser === own ? 'ours' : 'theirs'].add(loser.key);
  }
  return heirs;
}

/** Names the entries of one series. */
function nameEntries(series: string, entries: readonly Aligned[]): Map<Aligned, string> {
  const names = new Map<Aligned, string>();
  const unsettled: Aligned[] = [];
  const taken = new Set<string>();
  let isClash = false;
  for (const entry of entries) {
    const claims = claimsOf(entry);
    if (claims.size > 1) isClash = true;
    const [id] = claims as Set<string>;
    if (taken.has(id!)) isClash = true;
    taken.add(id!);
    names.set(entry, id!);
    if (!isSettled(entry)) unsettled.push(entry);
  }
  if (!isClash) return names;
  const numbersOf = (entry: Aligned): number[] =>
    [entry.ours, entry.theirs].flatMap((side) => (side === undefined ? [] : numberOf(side)));
  const settled = entries.filter(isSettled).map((entry) => numberOf(entry.base!));
  const first = Math.min(...unsettled.flatMap(numbersOf));
  let number = Math.max(...settled, first - 1);
  for (const entry of inOrder(unsettled)) {
    number += 1;
    names.set(entry, formatSequenceId({ series, number }));
  }
  return names;
}

/**
 * Orders entries by time. Of one moment each side's stay in their order, since a log that counts in minutes has cause and effect in one of
 * them. Where the sides leave it open, agent and old id decide.
 */
function inOrder(entries: readonly Aligned[]): Aligned[] {
  const ordered: Aligned[] = [];
  for (const moment of groupsByTime(entries)) {
    const queues = (['ours', 'theirs'] as const).map((side) => ({
      side,
      at: 0,
      entries: moment
        .filter((entry) => entry[side] !== undefined)
        .sort((a, b) => numberOf(a[side]!) - numberOf(b[side]!)),
    }));
    const done = new Set<Aligned>();
    while (done.size < moment.length) {
      for (const queue of queues) while (done.has(queue.entries[queue.at]!)) queue.at += 1;
      const heads = queues.flatMap(({ entries: queued, at }) => queued[at] ?? []);
      const free = heads.filter((entry) =>
        queues.every(({ side, entries: queued, at }) => entry[side] === undefined || queued[at] === entry),
      );
      // Two merges that went before have put the same two in either order: then no side is right.
      const [next] = (free.length > 0 ? free : heads).sort(compare);
      ordered.push(next!);
      done.add(next!);
    }
  }
  return ordered;
}

function groupsByTime(entries: readonly Aligned[]): Aligned[][] {
  const groups = new Map<number, Aligned[]>();
  for (const entry of entries) {
    const { time } = anyOf(entry);
    const group = groups.get(time);
    if (group === undefined) groups.set(time, [entry]);
    else group.push(entry);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** The ids that the sides want for an entry: a new name wins over that of the base. */
function claimsOf({ base, ours, theirs }: Aligned): Set<string> {
  const ids = [ours, theirs].flatMap((side) => (side === undefined ? [] : side.id));
  const changed = ids.filter((id) => id !== base?.id);
  return new Set(changed.length > 0 ? changed : ids);
}

function isSettled({ base, ours, theirs }: Aligned): boolean {
  return base !== undefined && [ours, theirs].every((side) => side === undefined || side.id === base.id);
}

/** What a base has and one side has not was taken away there. */
function isPresent({ base, ours, theirs }: Aligned): boolean {
  return base === undefined || (ours !== undefined && theirs !== undefined);
}

function anyOf({ base, ours, theirs }: Aligned): LogEntry {
  return (ours ?? theirs ?? base)!;
}

function numberOf({ id }: LogEntry): number {
  return parseSequenceId(id)?.number ?? 0;
}

function compare(a: Aligned, b: Aligned): number {
  const [first, second] = [anyOf(a), anyOf(b)];
  const lowest = (entry: Aligned) =>
    Math.min(...[entry.ours, entry.theirs].flatMap((side) => (side ? numberOf(side) : [])));
  return (
    first.time - second.time ||
    (first.agent < second.agent ? -1 : first.agent > second.agent ? 1 : 0) ||
    lowest(a) - lowest(b) ||
    (a.key < b.key ? -1 : 1)
  );
}
