// What is found among the records of a state without reading each: a question names a few of many.

import { oncePer, oncePerValue } from '../base/once-per.ts';
import { firstNotBelow } from '../base/sorted.ts';
import type { MemoryRecord } from '../base/types/stored-types.ts';
import { Row, type Stored, vitalsOf } from './record-table.ts';
import type { Texts } from './record-texts.ts';
import { memoryPath } from './records/memory-record.ts';

/** In the order of their paths. */
type Memories = readonly Stored<MemoryRecord>[];

const idOf = (stored: Stored<MemoryRecord>): string => vitalsOf(stored).id;

/** Gives the memory that lies at a path. */
function memoryAt(memories: Memories, path: string): Stored<MemoryRecord> | undefined {
  let [from, to] = [0, memories.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (memories[middle]!.path < path) from = middle + 1;
    else to = middle;
  }
  return memories[from]?.path === path ? memories[from] : undefined;
}

const byId = oncePer((memories: Memories) => new Map(memories.map((stored) => [idOf(stored), stored])));

/** Finds a memory by its id: at its path, or among all, since other tools call files otherwise. */
export function memoryWithId(memories: Memories, id: string): Stored<MemoryRecord> | undefined {
  const there = memoryAt(memories, memoryPath(id));
  return there !== undefined && idOf(there) === id ? there : byId(memories).get(id);
}

/** The tables of memories with how many each has, and the memories that no table has under their id. */
const partsOf = oncePer((memories: Memories) => {
  const tables = new Map<Row<MemoryRecord>['table'], number>();
  const others: Stored<MemoryRecord>[] = [];
  for (const stored of memories) {
    if (stored instanceof Row && stored.isCalledAsId) tables.set(stored.table, 1 + (tables.get(stored.table) ?? 0));
    else others.push(stored);
  }
  return { tables, others };
});

/** Gives the names of a table's files with some fifth to eighth bytes, in order, each with its number behind a slash. */
const namesIn = oncePer((table: Row<MemoryRecord>['table']) => {
  // A list of all names takes ten times as long.
  const { starts, marks } = table.names();
  return oncePerValue((mark: number): readonly string[] => {
    const names: string[] = [];
    for (let index = marks.indexOf(mark); index !== -1; index = marks.indexOf(mark, index + 1))
      names.push(`${table.bytes.toString('latin1', starts[index], table.pathEnd(index))}/${index}`);
    return names.sort();
  });
});

/** How many letters an id has in common, at most, with the name of another file of a table; `isThere` tells of its number whether it counts. */
function lettersSharedIn(table: Row<MemoryRecord>['table'], id: string, isThere: (index: number) => boolean): number {
  const bytes = Buffer.from(`${id}.json/`);
  const [names, wanted] = [namesIn(table)(bytes.readUInt32BE(4)), bytes.toString('latin1')];
  let [from, to] = [0, names.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (names[middle]! < wanted) from = middle + 1;
    else to = middle;
  }
  const nearest = (at: number, step: number): number => {
    for (; names[at] !== undefined; at += step) {
      const shared = lettersOfBoth(wanted, names[at]!);
      if (shared < wanted.length && isThere(Number(names[at]!.slice(names[at]!.lastIndexOf('/') + 1)))) return shared;
    }
    return 0;
  };
  return Math.max(nearest(from - 1, -1), nearest(from, 1));
}

/** Says how many letters an id has in common, at most, with that of another memory; fewer than eight may count as any of them. */
export function lettersShared(memories: Memories, id: string): number {
  const { tables, others } = partsOf(memories);
  const inTables = [...tables].map(([table, size]) => {
    const isThere = (index: number) => memoryAt(memories, table.pathBytesOf(index).toString('utf8')) !== undefined;
    return lettersSharedIn(table, id, size === table.count ? () => true : isThere);
  });
  const beside = others.map(idOf).flatMap((other) => (other === id ? [] : [lettersOfBoth(id, other)]));
  return [...inTables, ...beside].reduce((most, letters) => Math.max(most, letters), 0);
}

/** Counts the letters with which both begin. */
function lettersOfBoth(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

/** Gives the records that say one of these texts anywhere; none is parsed that a table has. */
export function recordsSaying<Value>(stored: readonly Stored<Value>[], texts: readonly string[]): Stored<Value>[] {
  const wanted = texts.map((text) => JSON.stringify(text).slice(1, -1));
  const placesIn = oncePerValue((kept: Texts) => {
    const bytes = kept.all();
    return { places: bytes && wanted.flatMap((text) => placesOf(text, bytes)).sort((one, other) => one - other) };
  });
  return stored.filter((one) => {
    const { places } = one instanceof Row ? placesIn(one.texts) : { places: null };
    if (places === null) return wanted.some((text) => JSON.stringify(one.record).includes(text));
    if (places.length === 0) return false;
    const { begin, length } = (one as Row<Value>).place;
    const next = places[firstNotBelow(places, begin)];
    return next !== undefined && next < begin + length;
  });
}

function placesOf(text: string, bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}
