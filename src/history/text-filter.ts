// A Bloom filter over the added and removed text of one commit, or of one file of it. It tells, without reading any blob, that a text
// cannot have come or gone there. It is asked by runs of four bytes that stand within one line, or of two for a shorter needle.
//
//     "We ship on Tuesday\n"  →  "We s" "e sh" " shi" … and "We" "e " " s" …     a needle is held only if all of its runs are

import { oncePer } from '../base/once-per.ts';

const runBytes = 4;
const pairBytes = 2;
/** More different runs than that, and the filter says nothing: it would be as large as the text. */
const maxRuns = 30_000;
const tableSize = 1 << 16;

/** A filter that holds everything. */
const anyText: Uint8Array = new Uint8Array(0);

/** How much a filter is to know. */
interface FilterShape {
  /** Bits for each different run. */
  readonly bitsPerRun: number;
  readonly probes: number;
  /** Whether it can be asked by pairs. */
  readonly hasPairs: boolean;
}

/** Of a commit: one in a hundred runs is held by mistake. */
export const commitShape: FilterShape = { bitsPerRun: 10, probes: 5, hasPairs: true };
/** Of one file of a commit that changed many: one in sixteen, at two fifths of the size. */
export const fileShape: FilterShape = { bitsPerRun: 6, probes: 3, hasPairs: false };

/** Open addressing, for builders that are filled one at a time: a slot counts only with the stamp of the builder. */
interface RunTable {
  readonly slots: Uint32Array;
  readonly stamps: Uint32Array;
  lastStamp: number;
}

const tableOf = oncePer((_: FilterShape): RunTable => {
  return { slots: new Uint32Array(tableSize), stamps: new Uint32Array(tableSize), lastStamp: 0 };
});

/** Collects the runs of lines and makes a filter of them. Of one shape only one may be filled at a time. */
export class TextFilterBuilder {
  private readonly shape: FilterShape;
  private readonly table: RunTable;
  private readonly stamp: number;
  private readonly runs: number[] = [];
  private isAny = false;

  constructor(shape: FilterShape) {
    this.shape = shape;
    this.table = tableOf(shape);
    this.stamp = ++this.table.lastStamp;
  }

  /** Adds the runs of lines; none goes over an LF. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const { hasPairs } = this.shape;
    let run = 0;
    let length = 0;
    for (let place = start; place < end && !this.isAny; place++) {
      const byte = bytes[place]!;
      if (byte === 0x0a) {
        length = 0;
        continue;
      }
      run = ((run >>> 8) | (byte << 24)) >>> 0;
      length += 1;
      if (hasPairs && length >= pairBytes) this.insert(pairOf(run >>> 16));
      if (length >= runBytes) this.insert(run);
    }
  }

  /** Makes the filter hold everything, for text that is not worth being looked at. */
  addAny(): void {
    this.isAny = true;
  }

  finish(): Uint8Array {
    if (this.isAny) return anyText;
    const { bitsPerRun, probes } = this.shape;
    const filter = new Uint8Array(Math.max(1, Math.ceil((this.runs.length * bitsPerRun) / 8)));
    for (const run of this.runs) {
      for (let probe = 0; probe < probes; probe++) {
        const bit = bitOf(run, probe, filter.length * 8);
        filter[bit >>> 3]! |= 1 << (bit & 7);
      }
    }
    return filter;
  }

  private insert(run: number): void {
    const { slots, stamps } = this.table;
    let slot = mixed(run) & (tableSize - 1);
    while (stamps[slot] === this.stamp) {
      if (slots[slot] === run) return;
      slot = (slot + 1) & (tableSize - 1);
    }
    stamps[slot] = this.stamp;
    slots[slot] = run;
    this.runs.push(run);
    if (this.runs.length > maxRuns) this.isAny = true;
  }
}

/** Lists the runs of a needle; `null` when it is too short, or goes over a line, so that no filter can answer. */
export function runsOfNeedle(needle: Uint8Array): readonly number[] | null {
  if (needle.length < pairBytes || needle.includes(0x0a)) return null;
  const view = new DataView(needle.buffer, needle.byteOffset, needle.byteLength);
  if (needle.length < runBytes)
    return Array.from({ length: needle.length - 1 }, (_, place) => pairOf(view.getUint16(place, true)));
  return Array.from({ length: needle.length - runBytes + 1 }, (_, place) => view.getUint32(place, true));
}

/** Whether a filter without pairs can be asked by the runs of a needle of so many bytes. */
export const isLongEnough = (needleBytes: number): boolean => needleBytes >= runBytes;

/** Tells whether text that holds all these runs may have been added or removed; the filter is `[start, end)` of the bytes. */
export function mayHold(
  bytes: Uint8Array,
  start: number,
  end: number,
  runs: readonly number[],
  { probes }: FilterShape = commitShape,
): boolean {
  if (start === end) return true;
  const bits = (end - start) * 8;
  for (const run of runs) {
    for (let probe = 0; probe < probes; probe++) {
      const bit = bitOf(run, probe, bits);
      if ((bytes[start + (bit >>> 3)]! & (1 << (bit & 7))) === 0) return false;
    }
  }
  return true;
}

/** Spreads pairs over the numbers that runs of four bytes have. */
const pairOf = (pair: number): number => Math.imul(pair + 1, 0x9e3779b1) >>> 0;

/** The bit of a probe, by double hashing (Kirsch, Mitzenmacher: Less Hashing, Same Performance, 2006). */
function bitOf(run: number, probe: number, bits: number): number {
  const hash = mixed(run);
  const step = Math.imul(hash, 0x9e3779b1) | 1;
  return ((hash + Math.imul(probe, step)) >>> 0) % bits;
}

/** The finaliser of MurmurHash3. */
function mixed(run: number): number {
  let hash = Math.imul(run ^ (run >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
