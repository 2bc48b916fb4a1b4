// Many packs as one, made in small steps: entries are copied as they stand, versions of one thing become deltas. Reads only.
//
// An object is a row: of the first pack, then of the second, each in the order of its index. Columns of numbers hold what is known of rows.
// Their bytes stay in the packs until the new one is written, so that a join holds some thirty bytes for each object.

import { createHash } from 'node:crypto';
import { MemoryError } from '../../base/errors.ts';
import type { Steps } from '../../base/steps.ts';
import { crc32 } from './crc32.ts';
import { corrupt, type ObjectType } from './object-codec.ts';
import type { ObjectDatabase } from './object-database.ts';
import { findDeltas, isDeltaCandidate } from './pack-deltas.ts';
import {
  type FormattedPack,
  formatIndexInSteps,
  formatPackEntry,
  formatPackHead,
  type LocatedEntry,
  largeOffset,
  type PackEntry,
} from './pack-format.ts';
import { inflateStored, namingItsBase, type PackReader } from './pack-reader.ts';

/** Packs are read and written in pieces of so many bytes. */
const chunkBytes = 64 << 10;
/** Copying so many entries, or so many bytes, takes about as long as one step of other work on packs. */
const entriesPerStep = 8;
const bytesPerStep = 8192;
/** No chain of deltas is longer. */
const maxHeight = 4096;
const types: readonly (ObjectType | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];
const backwardDelta = 6;

/** One pack in place of several. */
export interface JoinedPacks {
  /** Its bytes are read from the packs that it is made of. */
  readonly formatted: FormattedPack;
  readonly count: number;
  /** Those of the given packs whose objects it all holds. */
  readonly packs: readonly PackReader[];
  /** Those that are damaged; it holds nothing of them. */
  readonly damaged: readonly PackReader[];
}

/** What else a joined pack holds, and what it does not. */
interface JoinOptions {
  readonly besides?: readonly PackEntry[];
  readonly without?: ReadonlySet<string>;
}

/** Formats the pack that holds what several hold, each object once. Throws OBJECT_MISSING when one is gone meanwhile, OBJECT_CORRUPT. */
export function* joinPacks(
  objects: ObjectDatabase,
  packs: readonly PackReader[],
  { besides = [], without = new Set() }: JoinOptions = {},
): Steps<JoinedPacks> {
  const join = new PackJoin(packs, besides);
  yield* join.readAll(new Set([...besides.map(({ oid }) => oid), ...without]));
  yield* join.settleBases();
  yield* join.makeEntries(objects);
  const formatted = yield* join.format();
  const damaged = packs.filter((pack) => join.damaged.has(pack));
  return { formatted, count: join.count, packs: packs.filter((pack) => !join.damaged.has(pack)), damaged };
}

/** Bytes of the new pack: some of an old one, a row whose entry is another than it was, or others. */
type Piece = { readonly pack: PackReader; readonly from: number; length: number } | number | Buffer;

class PackJoin {
  readonly damaged = new Set<PackReader>();
  /** How many objects the new pack holds. */
  count = 0;
  /** The largest first: of an object that several have, the copy of the first is taken. */
  private readonly packs: readonly PackReader[];
  private readonly besides: readonly PackEntry[];
  /** The first row of each pack, and the number of all. */
  private readonly starts: number[] = [0];
  private readonly owners: Uint16Array;
  /** As the pack says it, 1 to 4 for an object, 6 and 7 for a delta; 0 for what is not taken. */
  private readonly kinds: Uint8Array;
  private readonly lengths: Uint32Array;
  private readonly sizes: Uint32Array;
  /** The row of the base of a delta; -1 where it does not come along. */
  private readonly bases: Int32Array;
  private readonly farBases = new Map<number, string>();
  /** Rows in the order of their bytes. */
  private readonly order: Uint32Array;
  /** Entries that are others than they were. */
  private readonly made = new Map<number, Buffer>();
  private readonly ahead = new ReadAhead();

  constructor(packs: readonly PackReader[], besides: readonly PackEntry[]) {
    this.packs = packs.toSorted((a, b) => b.count - a.count);
    this.besides = besides;
    for (const { count } of this.packs) this.starts.push(this.starts.at(-1)! + count);
    const total = this.starts.at(-1)!;
    this.owners = new Uint16Array(total);
    this.kinds = new Uint8Array(total);
    this.lengths = new Uint32Array(total);
    this.sizes = new Uint32Array(total);
    this.bases = new Int32Array(total).fill(-1);
    this.order = new Uint32Array(total);
  }

  /** Looks at each entry of each pack; takes what is not among those, nor taken from another pack. */
  *readAll(excluded: ReadonlySet<string>): Steps<void> {
    for (const [owner, pack] of this.packs.entries()) {
      const [start, end] = [this.starts[owner]!, this.starts[owner + 1]!];
      this.owners.fill(owner, start, end);
      let rank = start;
      try {
        for (const entry of pack.storedEntries((...where) => this.ahead.read(...where))) {
          const row = start + entry.position;
          this.order[rank++] = row;
          this.kinds[row] = entry.typeNumber;
          this.lengths[row] = entry.length;
          this.sizes[row] = Math.min(entry.size, 0xffffffff);
          if (entry.base >= 0) this.bases[row] = start + entry.base;
          if (entry.farBase !== null) this.farBases.set(row, entry.farBase);
          if (rank % entriesPerStep === 0) yield 1;
        }
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code !== 'OBJECT_CORRUPT') throw error;
        this.kinds.fill(0, start, end);
        this.order.fill(start, start, end);
        this.damaged.add(pack);
        continue;
      }
      for (let row = start; row < end; row++) {
        const isTaken = this.rowNamed(this.nameOf(row), owner) >= 0;
        if (isTaken || (excluded.size > 0 && excluded.has(this.oidOf(row)))) this.kinds[row] = 0;
        else this.count += 1;
        yield 0.02;
      }
    }
    this.count += this.besides.length;
  }

  /** Finds for each delta the row in which its base comes along. */
  *settleBases(): Steps<void> {
    for (const row of this.order) {
      if (!this.isDelta(row)) continue;
      const base = this.bases[row]!;
      const far = this.farBases.get(row);
      if (far !== undefined) this.bases[row] = this.rowNamed(Buffer.from(far, 'hex'));
      else if (this.kinds[base] === 0) this.bases[row] = this.rowNamed(this.nameOf(base));
      yield 0.02;
    }
  }

  /** Makes entries anew: of deltas without their base, which may lie elsewhere, and of versions of one thing. */
  *makeEntries(objects: ObjectDatabase): Steps<void> {
    const rows: number[] = [];
    for (const row of this.order) {
      if (this.isDelta(row) && this.bases[row] === -1) {
        const oid = this.oidOf(row);
        this.made.set(row, formatPackEntry({ oid, ...objects.read(oid) }).bytes);
        yield 1 + this.sizes[row]! / bytesPerStep;
      } else {
        const type = types[this.kinds[row]!];
        if (type !== undefined && isDeltaCandidate(type, this.sizes[row]!)) rows.push(row);
        yield 0.02;
      }
    }
    const heights = yield* this.heights();
    const deltas = yield* findDeltas({
      rows,
      typeOf: (row) => types[this.kinds[row]!]!,
      sizeOf: (row) => this.sizes[row]!,
      oidOf: (row) => this.oidOf(row),
      heightOf: (row) => heights[row]!,
      read: (row) => inflateStored(this.storedOf(row)),
    });
    for (const [row, bytes] of deltas) this.made.set(row, bytes);
  }

  /** Counts for each object the longest row of kept deltas that leads to it. */
  private *heights(): Steps<Uint16Array> {
    const heights = new Uint16Array(this.kinds.length);
    for (const row of this.order) {
      if (!this.isDelta(row)) continue;
      let height = 0;
      // Up the chain, as long as this makes it higher; a damaged pack could name itself as a base.
      for (
        let base = this.bases[row]!;
        base >= 0 && height < maxHeight;
        base = this.isDelta(base) ? this.bases[base]! : -1
      ) {
        height += 1;
        if (heights[base]! >= height) break;
        heights[base] = height;
      }
      yield 0.02 + height * 0.02;
    }
    return heights;
  }

  /** Lays the new pack out, and reads what it will hold once for the checksum. */
  *format(): Steps<FormattedPack> {
    const pieces: Piece[] = [formatPackHead(this.count)];
    const offsets = new Float64Array(this.kinds.length);
    const crcs = new Map<number, number>();
    const added: LocatedEntry[] = [];
    let at = 12;
    for (const { oid, bytes } of this.besides) {
      added.push({ oid, offset: at, crc: crc32(bytes) });
      pieces.push(bytes);
      at += bytes.length;
    }
    let largeCount = 0;
    for (const row of this.order) {
      if (this.kinds[row] === 0) continue;
      offsets[row] = at;
      if (at >= largeOffset) largeCount += 1;
      if (this.made.has(row) || this.kinds[row] === backwardDelta) {
        const bytes = this.bytesOf(row);
        pieces.push(row);
        crcs.set(row, crc32(bytes));
        at += bytes.length;
      } else {
        this.addRun(pieces, row);
        at += this.lengths[row]!;
      }
      yield 0.05;
    }
    const hash = createHash('sha1');
    for (const bytes of this.inChunks(pieces)) {
      hash.update(bytes);
      yield 1 + bytes.length / bytesPerStep;
    }
    const checksum = hash.digest();
    const join = this;
    const runs = function* () {
      for (let byte = 0; byte < 256; byte++)
        yield [
          ...added.filter(({ oid }) => Number.parseInt(oid.slice(0, 2), 16) === byte),
          ...join.rowsBeginningWith(byte).map((row) => {
            const crc = crcs.get(row) ?? join.packOf(row).crcAt(join.positionOf(row));
            return { oid: join.oidOf(row), offset: offsets[row]!, crc };
          }),
        ];
    };
    const index = yield* formatIndexInSteps({ count: this.count, largeCount, runs }, checksum);
    const chunks = function* () {
      yield* join.inChunks(pieces);
      yield checksum;
    };
    return { chunks, packBytes: at + checksum.length, index, checksum };
  }

  /** Neighbours are copied together. */
  private addRun(pieces: Piece[], row: number): void {
    const pack = this.packOf(row);
    const from = pack.offsetAt(this.positionOf(row));
    const length = this.lengths[row]!;
    const last = pieces.at(-1);
    if (typeof last === 'object' && 'pack' in last && last.pack === pack && last.from + last.length === from) {
      last.length += length;
    } else pieces.push({ pack, from, length });
  }

  /** Gives the bytes of pieces, in chunks of a size; each holds until the next is asked for. */
  private *inChunks(pieces: readonly Piece[]): Generator<Buffer> {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let filled = 0;
    for (const piece of pieces) {
      const bytes = typeof piece === 'number' ? this.bytesOf(piece) : piece;
      for (let done = 0; done < bytes.length; ) {
        const part = chunk.subarray(filled, filled + Math.min(bytes.length - done, chunk.length - filled));
        if ('pack' in bytes) readStored(bytes.pack, bytes.from + done, part);
        else bytes.copy(part, 0, done);
        done += part.length;
        filled += part.length;
        if (filled < chunk.length) continue;
        yield chunk;
        filled = 0;
      }
    }
    if (filled > 0) yield chunk.subarray(0, filled);
  }

  /** The entry of a row that is another than it was. */
  private bytesOf(row: number): Buffer {
    return this.made.get(row) ?? namingItsBase(this.storedOf(row), this.oidOf(this.bases[row]!));
  }

  private storedOf(row: number): Buffer {
    const bytes = Buffer.allocUnsafe(this.lengths[row]!);
    readStored(this.packOf(row), this.packOf(row).offsetAt(this.positionOf(row)), bytes);
    return bytes;
  }

  private isDelta(row: number): boolean {
    return this.kinds[row]! >= backwardDelta;
  }

  private packOf(row: number): PackReader {
    return this.packs[this.owners[row]!]!;
  }

  private positionOf(row: number): number {
    return row - this.starts[this.owners[row]!]!;
  }

  private oidOf(row: number): string {
    return this.packOf(row).oidAt(this.positionOf(row));
  }

  private nameOf(row: number): Buffer {
    return this.packOf(row).nameAt(this.positionOf(row));
  }

  /** Gives the row that is taken of an object, from one of the first packs; -1 where there is none. */
  private rowNamed(name: Buffer, packCount = this.packs.length): number {
    for (let owner = 0; owner < packCount; owner++) {
      const position = this.packs[owner]!.positionOf(name);
      const row = this.starts[owner]! + position;
      if (position >= 0 && this.kinds[row] !== 0) return row;
    }
    return -1;
  }

  private rowsBeginningWith(byte: number): number[] {
    const rows: number[] = [];
    for (const [owner, pack] of this.packs.entries()) {
      const [low, high] = pack.rangeOf(byte);
      for (let row = this.starts[owner]! + low; row < this.starts[owner]! + high; row++) {
        if (this.kinds[row] !== 0) rows.push(row);
      }
    }
    return rows;
  }
}

/** Reads packs from the front to the back, a good piece ahead, into one buffer. */
class ReadAhead {
  private readonly buffer = Buffer.allocUnsafe(chunkBytes);
  private held = Buffer.alloc(0);
  private pack: PackReader | null = null;
  private start = 0;

  /** What this gives holds until the next call. */
  read(pack: PackReader, offset: number, length: number): Buffer {
    const from = offset - this.start;
    if (pack !== this.pack || from < 0 || from + length > this.held.length) {
      const into = length > this.buffer.length ? Buffer.allocUnsafe(length) : this.buffer;
      this.held = into.subarray(0, pack.readStored(offset, into));
      this.pack = pack;
      this.start = offset;
      return this.held.subarray(0, length);
    }
    return this.held.subarray(from, from + length);
  }
}

/** Throws OBJECT_CORRUPT where a pack ends before that: it was cut since it was looked at. */
function readStored(pack: PackReader, offset: number, into: Buffer): void {
  if (pack.readStored(offset, into) < into.length) throw corrupt(pack.name);
}
