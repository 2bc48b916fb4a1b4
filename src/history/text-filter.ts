// A Bloom filter over the added and removed text of one commit: tells without reading any blob that a text cannot have come or gone
// there. It is asked by runs of four bytes that stand within one line.
//
//     "We ship on Tuesday\n"  →  "We s" "e sh" " shi" …   a needle is held only if all of its runs are

/** Bytes of a run; needles that are shorter cannot be asked for. */
export const runBytes = 4;
/** Ten bits for each different run and five probes: one in a hundred runs is held by mistake. */
const bitsPerRun = 10;
const probes = 5;
/** More different runs than that, and the filter says nothing: it would be larger than the text. */
const maxRuns = 26_000;

/** A filter that holds everything. */
export const anyText: Uint8Array = new Uint8Array(0);

/** Collects the runs of lines and makes a filter of them. */
export class TextFilterBuilder {
  private runs = new Uint32Array(1024);
  private count = 0;
  private isAny = false;

  /** Adds the runs of lines; none goes over an LF. */
  add(bytes: Uint8Array, start: number, end: number): void {
    if (this.isAny || end - start < runBytes) return;
    if (this.count + end - start > this.runs.length && !this.makeRoom(end - start)) return;
    const { runs } = this;
    let { count } = this;
    let run = 0;
    let length = 0;
    for (let place = start; place < end; place++) {
      const byte = bytes[place]!;
      if (byte === 0x0a) {
        length = 0;
        continue;
      }
      run = (run >>> 8) | (byte << 24);
      length += 1;
      if (length >= runBytes) runs[count++] = run;
    }
    this.count = count;
  }

  /** Makes the filter hold everything, for text that is not worth being looked at. */
  addAny(): void {
    this.isAny = true;
  }

  finish(): Uint8Array {
    this.distil();
    if (this.isAny || this.count > maxRuns) return anyText;
    const filter = new Uint8Array(Math.max(1, Math.ceil((this.count * bitsPerRun) / 8)));
    for (let index = 0; index < this.count; index++) {
      for (let probe = 0; probe < probes; probe++) {
        const bit = bitOf(this.runs[index]!, probe, filter.length * 8);
        filter[bit >>> 3]! |= 1 << (bit & 7);
      }
    }
    return filter;
  }

  private makeRoom(needed: number): boolean {
    this.distil();
    if (this.count > maxRuns) this.isAny = true;
    if (this.isAny) return false;
    if ((this.count + needed) * 2 > this.runs.length) {
      const larger = new Uint32Array((this.count + needed) * 2);
      larger.set(this.runs.subarray(0, this.count));
      this.runs = larger;
    }
    return true;
  }

  /** Leaves each run once. */
  private distil(): void {
    const sorted = this.runs.subarray(0, this.count).sort();
    let kept = 0;
    for (let index = 0; index < sorted.length; index++) {
      if (index === 0 || sorted[index] !== sorted[index - 1]) sorted[kept++] = sorted[index]!;
    }
    this.count = kept;
  }
}

/** Lists the runs of a needle; `null` when it is too short, or goes over a line, so that no filter can answer. */
export function runsOfNeedle(needle: Uint8Array): readonly number[] | null {
  if (needle.length < runBytes || needle.includes(0x0a)) return null;
  const view = new DataView(needle.buffer, needle.byteOffset, needle.byteLength);
  return Array.from({ length: needle.length - runBytes + 1 }, (_, place) => view.getUint32(place, true));
}

/** Tells whether text that holds all these runs may have been added or removed. */
export function mayHold(filter: Uint8Array, runs: readonly number[]): boolean {
  if (filter.length === 0) return true;
  const bits = filter.length * 8;
  for (const run of runs) {
    for (let probe = 0; probe < probes; probe++) {
      const bit = bitOf(run, probe, bits);
      if ((filter[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
    }
  }
  return true;
}

/** The bit of a probe, by double hashing (Kirsch, Mitzenmacher: Less Hashing, Same Performance, 2006). */
function bitOf(run: number, probe: number, bits: number): number {
  let hash = Math.imul(run ^ (run >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  const step = Math.imul(hash, 0x9e3779b1) | 1;
  return ((hash + Math.imul(probe, step)) >>> 0) % bits;
}
