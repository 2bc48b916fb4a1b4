// What is found among the records of a state without reading each: a question names a few of many.

import { oncePer, oncePerValue } from '../base/once-per.ts';
import { firstNotBelow } from '../base/sorted.ts';
import type { MemoryRecord } from '../base/types/stored-types.ts';
import { nameMarks, type Records, Row, type Stored, vitalsOf } from './record-table.ts';
import type { Texts } from './record-texts.ts';
import { memoryPath } from './records/memory-record.ts';

/** In the order of their paths. */
type Memories = Records<MemoryRecord>;

const idOf = (stored: Stored<MemoryRecord>): string => vitalsOf(stored).id;

function memoryAt(memories: Memories, path: string): Stored<MemoryRecord> | undefined {
  const wanted = Buffer.from(path);
  const isBefore = (one: Stored<MemoryRecord>) => (one instanceof Row ? one.isBefore(wanted) : one.path < path);
  let [from, to] = [0, memories.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBefore(memories.at(middle))) from = middle + 1;
    else to = middle;
  }
  const found = from < memories.length ? memories.at(from) : undefined;
  return found?.path === path ? found : undefined;
}

const byId = oncePer((memories: Memories) => new Map(memories.all.map((stored) => [idOf(stored), stored])));

/** Finds a memory by its id: at its path, or among all, since other tools call files otherwise. */
export function memoryWithId(memories: Memories, id: string): Stored<MemoryRecord> | undefined {
  const there = memoryAt(memories, memoryPath(id));
  return there !== undefined && idOf(there) === id ? there : byId(memories).get(id);
}

/** The tables of memories with how many each has, and, in order, the ids of memories that no table has under theirs. */
const partsOf = oncePer((memories: Memories) => {
  const tables = new Map<Row<MemoryRecord>['table'], number>();
  const others = memories.where((stored) => {
    if (!(stored instanceof Row && stored.isCalledAsId)) return true;
    tables.set(stored.table, 1 + (tables.get(stored.table) ?? 0));
    return false;
  });
  return { tables, others: [...new Set(others.map(idOf))].sort() };
});

const namesIn = oncePer((table: Row<MemoryRecord>['table']) => table.names());

/** How many letters an id has in common, at most, with the name of another file of a table that `isThere`, by its number. */
function lettersSharedIn(table: Row<MemoryRecord>['table'], id: string, isThere: (index: number) => boolean): number {
  const { starts, marks, laterMarks } = namesIn(table);
  const wanted = Buffer.from(`${id}.json`);
  /** Looks at the names that have the same four bytes from a place on, until one has as many letters in common as is enough. */
  const sharedBy = (all: Uint32Array, from: number, enough: number): number => {
    const mark = wanted.readUInt32BE(from);
    let most = 0;
    for (let index = all.indexOf(mark); index !== -1 && most < enough; index = all.indexOf(mark, index + 1)) {
      if (table.bytes[starts[index]! + most] !== wanted[most]) continue;
      let shared = 0;
      while (shared < wanted.length && table.bytes[starts[index]! + shared] === wanted[shared]) shared += 1;
      if (shared < wanted.length && shared > most && isThere(index)) most = shared;
    }
    return most;
  };
  // Ids of one second begin alike. Nine letters are rarer, and what has them says it all.
  const most = sharedBy(laterMarks, nameMarks.later, wanted.length);
  return most > nameMarks.later + 3 ? most : Math.max(most, sharedBy(marks, nameMarks.first, nameMarks.first + 4));
}

/** Says how many letters an id has in common, at most, with that of another memory; fewer than eight may count as any of them. */
export function lettersShared(memories: Memories, id: string): number {
  const { tables, others } = partsOf(memories);
  const inTables = [...tables].map(([table, size]) => {
    const isThere = (index: number) => memoryAt(memories, table.pathBytesOf(index).toString('utf8')) !== undefined;
    return lettersSharedIn(table, id, size === table.length ? () => true : isThere);
  });
  const at = firstNotBelow(others, id);
  const beside = others
    .slice(Math.max(0, at - 1), at + 2)
    .map((other) => (other === id ? 0 : lettersOfBoth(id, other)));
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
    const { places } = one instanceof Row ? placesIn(one.table.texts) : { places: null };
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
