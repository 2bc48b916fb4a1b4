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

/** The tables of memories, and the memories that no table has under their id. */
const partsOf = oncePer((memories: Memories) => {
  const tables = new Set<Row<MemoryRecord>['table']>();
  const others: Stored<MemoryRecord>[] = [];
  for (const stored of memories) {
    if (stored instanceof Row && stored.isCalledAsId) tables.add(stored.table);
    else others.push(stored);
  }
  return { tables, others };
});

/** Where the name of each file of a table begins, and its fifth to eighth byte as a number. A list of names takes ten times as long. */
const namesIn = oncePer((table: Row<MemoryRecord>['table']) => {
  const starts = table.nameStarts();
  const last = table.bytes.length - 8;
  return { starts, marks: starts.map((start) => table.bytes.readUInt32BE(Math.min(start, last) + 4)) };
});

/** How many letters an id has in common, at most, with the name of another file of a table that is among memories. */
function lettersSharedIn(table: Row<MemoryRecord>['table'], memories: Memories, id: string): number {
  const { starts, marks } = namesIn(table);
  const wanted = Buffer.from(`${id}.json`);
  const mark = wanted.readUInt32BE(4);
  let most = 0;
  for (let index = marks.indexOf(mark); index !== -1; index = marks.indexOf(mark, index + 1)) {
    let shared = 0;
    while (shared < wanted.length && table.bytes[starts[index]! + shared] === wanted[shared]) shared += 1;
    if (shared === wanted.length || shared <= most) continue;
    if (memoryAt(memories, table.pathBytesOf(index).toString('utf8')) !== undefined) most = shared;
  }
  return most;
}

/** Says how many letters an id has in common, at most, with that of another memory; fewer than eight may count as any of them. */
export function lettersShared(memories: Memories, id: string): number {
  const { tables, others } = partsOf(memories);
  const inTables = [...tables].map((table) => lettersSharedIn(table, memories, id));
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
