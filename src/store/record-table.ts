// The records of a folder as a table, kept between processes. What a list asks of each record lies in rows of one size. What a record says
// lies beside them, and is read when somebody asks. Derived: the blobs hold the truth, and whatever does not fit is read from them.
//
//   cache/memories, cache/relations              one frame = head | rows | paths | refused files as JSON
//       head   tree id 20 | name of the texts 8 | number of rows u32 LE | bytes of the paths u32 LE | 0 u32
//       row    blob id 20 | begin, bytes and CRC-32 of its text, end of its path: u32 LE each | {@link numbers}: f64 LE each |
//              status, category and priority, each one more than its place in their lists: u8 | 1 if it is replaced: u8 |
//              1 if it stands: u8 | 1 if its file is called as its id: u8 | 0: u16 | mark of its turn: u32 LE
//   cache/memories-text, cache/relations-text    the name, 8 bytes | records as JSON, one behind the other

import { randomBytes } from 'node:crypto';
import { compareRanges } from '../base/compare-ranges.ts';
import { MemoryError } from '../base/errors.ts';
import { isLittleEndian } from '../base/sorted.ts';
import {
  type MemoryCategory,
  type MemoryRecord,
  memoryCategories,
  memoryStatuses,
} from '../base/types/stored-types.ts';
import { CacheFile, type CachePlace } from './cache-file.ts';
import { crc32 } from './git/crc32.ts';
import { privateMode } from './git/permissions.ts';
import { maxWholeFileBytes } from './guard/limits.ts';
import { attempt, blockBytes, type Place, Texts } from './record-texts.ts';
import { priorities, type Vitals, vitalsIn } from './records/vitals.ts';

/** To be raised whenever the same file of a record parses to another value, and whenever the table changes. */
export const recordsVersion = 5;

const oidBytes = 20;
const nameBytes = 8;
const headBytes = oidBytes + nameBytes + 12;
const at = { begin: 20, length: 24, check: 28, pathEnd: 32, numbers: 36, words: 100, turn: 108 };
const rowBytes = 112;
const doubleBytes = 8;
/** The vitals that are numbers, in their order; NaN where there is none. A day is the millisecond with which it begins. */
const numbers = {
  ...{ createdAt: 0, lastUsed: 1, useCount: 2, strength: 3 },
  ...{ importance: 4, expiresAt: 5, validUntil: 6, due: 7 },
};
const numberNames = Object.keys(numbers) as (keyof typeof numbers)[];
const mostTextBytes = 2 ** 32 - 1;
/** Where in the name of a file the bytes begin by which others like it are found. */
export const nameMarks = { first: 4, later: 5 } as const;

/** A record as it is in a state: where, under which blob id, and what it says. */
export interface Stored<Value> {
  readonly path: string;
  readonly oid: string;
  readonly record: Value;
}

/** Gives how a memory stands; what it says is not read for that where a table has it. */
export const vitalsOf = (stored: Stored<MemoryRecord>): Vitals =>
  stored instanceof Row ? stored : vitalsIn(stored.record);

/** A file that stands among the records and is none. */
export interface Refused {
  readonly path: string;
  readonly why: string;
}

/** Records in the order of their paths. A table makes those that somebody keeps: a list looks at each, and shows a few. */
export interface Records<Value> {
  readonly length: number;
  readonly all: readonly Stored<Value>[];
  at(index: number): Stored<Value>;
  /** Lists those for which something holds. What `holds` is given becomes the next one, and is not to be kept. */
  where(holds: (one: Stored<Value>) => boolean): Stored<Value>[];
}

export function recordsOf<Value>(all: readonly Stored<Value>[]): Records<Value> {
  return { length: all.length, all, at: (index) => all[index]!, where: (holds) => all.filter(holds) };
}

/** All records of one tree of the folder, in the order of the tree. */
export interface Table<Value> {
  readonly tree: string;
  readonly records: Records<Value>;
  readonly refused: readonly Refused[];
}

/** One record of a table. Its record is read whenever it is asked for: whoever asks again and again keeps it. */
export class Row<Value> implements Stored<Value>, Vitals {
  readonly table: KeptTable<Value>;
  /** Where it is there; whoever keeps no record may go on to the next. */
  index: number;

  constructor(table: KeptTable<Value>, index: number) {
    this.table = table;
    this.index = index;
  }

  get path(): string {
    return this.pathBytes.toString('utf8');
  }

  get oid(): string {
    return this.table.bytes.toString('hex', this.start, this.start + oidBytes);
  }

  get record(): Value {
    return this.table.readRecord(this, () => this.table.texts.read(this.place));
  }

  get id(): string {
    // A memory is the only kind that has vitals, and with them an id.
    return this.isCalledAsId ? idInPath(this.path) : (this.record as MemoryRecord).id;
  }

  get isCalledAsId(): boolean {
    return this.word(5) === 0;
  }

  get createdAt(): number {
    return this.number(numbers.createdAt)!;
  }

  get lastUsed(): number {
    return this.number(numbers.lastUsed)!;
  }

  get useCount(): number {
    return this.number(numbers.useCount)!;
  }

  get strength(): number {
    return this.number(numbers.strength)!;
  }

  get importance(): number | undefined {
    return this.number(numbers.importance);
  }

  get expiresAt(): number | undefined {
    return this.number(numbers.expiresAt);
  }

  get validUntil(): number | undefined {
    return this.number(numbers.validUntil);
  }

  get due(): string | undefined {
    const begin = this.number(numbers.due);
    return begin === undefined ? undefined : new Date(begin).toISOString().slice(0, 'YYYY-MM-DD'.length);
  }

  get status(): MemoryRecord['status'] {
    return memoryStatuses[this.word(0)]!;
  }

  get category(): MemoryCategory | undefined {
    return memoryCategories[this.word(1)];
  }

  get priority(): Vitals['priority'] {
    return priorities[this.word(2)];
  }

  get isReplaced(): boolean {
    return this.word(3) === 0;
  }

  get stands(): boolean {
    return this.word(4) === 0;
  }

  get turn(): number {
    return this.table.bytes.readUInt32LE(this.start + at.turn);
  }

  private number(column: number): number | undefined {
    const value = this.table.numberOf(this.index, column);
    return Number.isNaN(value) ? undefined : value;
  }

  /** The place of a word in its list; -1 where there is none. */
  private word(column: number): number {
    return this.table.bytes[this.start + at.words + column]! - 1;
  }

  get place(): Place {
    const { bytes } = this.table;
    const [begin, length] = [bytes.readUInt32LE(this.start + at.begin), bytes.readUInt32LE(this.start + at.length)];
    return { begin, length, check: bytes.readUInt32LE(this.start + at.check) };
  }

  /** Itself in its table, and its path. */
  get bytes(): Buffer {
    return this.table.bytes.subarray(this.start, this.start + rowBytes);
  }

  get pathBytes(): Buffer {
    return this.table.pathBytesOf(this.index);
  }

  /** Whether its path comes before another. */
  isBefore(path: Buffer): boolean {
    const { table, index } = this;
    return compareRanges(table.bytes, table.pathEnd(index - 1), table.pathEnd(index), path, 0, path.length) < 0;
  }

  private get start(): number {
    return headBytes + this.index * rowBytes;
  }
}

/** Gives the record of a row: by its text, or by its blob where the text is gone. */
type ReadRecord<Value> = (row: Stored<Value>, text: () => Buffer | null) => Value;

/** A table as it was read from its frame. */
class KeptTable<Value> implements Records<Value> {
  readonly bytes: Buffer;
  readonly texts: Texts;
  readonly length: number;
  private readonly rows: Row<Value>[];
  private doubles: Float64Array | undefined;
  readonly readRecord: ReadRecord<Value>;

  constructor(bytes: Buffer, texts: Texts, readRecord: ReadRecord<Value>) {
    this.bytes = bytes;
    this.texts = texts;
    this.readRecord = readRecord;
    this.length = bytes.readUInt32LE(oidBytes + nameBytes);
    this.rows = new Array(this.length);
  }

  at(index: number): Row<Value> {
    this.rows[index] ??= new Row(this, index);
    return this.rows[index];
  }

  get all(): readonly Row<Value>[] {
    for (let index = 0; index < this.length; index++) this.at(index);
    return this.rows;
  }

  where(holds: (one: Row<Value>) => boolean): Row<Value>[] {
    const found: Row<Value>[] = [];
    for (const row = new Row(this, 0); row.index < this.length; row.index++)
      if (holds(row)) found.push(this.at(row.index));
    return found;
  }

  pathBytesOf(index: number): Buffer {
    return this.bytes.subarray(this.pathEnd(index - 1), this.pathEnd(index));
  }

  /** Says where in the bytes the path of a row ends; those of -1 where the first begins. */
  pathEnd(index: number): number {
    const end = index < 0 ? 0 : this.bytes.readUInt32LE(headBytes + index * rowBytes + at.pathEnd);
    return headBytes + this.length * rowBytes + end;
  }

  /** Says where in the bytes the name of each file begins, and gives four of its bytes as a number, from each place of {@link nameMarks}. */
  names() {
    const { bytes, length: count } = this;
    const [starts, marks, laterMarks] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
    for (let index = 0; index < count; index++) {
      let from = this.pathEnd(index);
      while (bytes[from - 1] !== 0x2f) from -= 1;
      starts[index] = from;
      const middle = (bytes[from + 5]! << 16) | (bytes[from + 6]! << 8) | bytes[from + 7]!;
      marks[index] = (bytes[from + nameMarks.first]! << 24) | middle;
      laterMarks[index] = (middle << 8) | bytes[from + 8]!;
    }
    return { starts, marks, laterMarks };
  }

  /** Read in place a number costs a call, which a list of a process that begins would notice. */
  numberOf(index: number, column: number): number {
    this.doubles ??= doublesIn(this.bytes, this.length);
    return this.doubles[(index * rowBytes) / doubleBytes + column]!;
  }
}

/** The numbers of all rows as they lie there, and whatever lies between. In a frame that begins a file they need no copy. */
function doublesIn(bytes: Buffer, count: number): Float64Array {
  const length = count === 0 ? 0 : ((count - 1) * rowBytes) / doubleBytes + numberNames.length;
  const from = bytes.byteOffset + headBytes + at.numbers;
  if (isLittleEndian && from % doubleBytes === 0) return new Float64Array(bytes.buffer, from, length);
  const copy = bytes.buffer.slice(from, from + length * doubleBytes);
  if (!isLittleEndian) Buffer.from(copy).swap64();
  return new Float64Array(copy);
}

/** Keeps the table of one folder. A disk that refuses costs time only. */
export class RecordTables<Value> {
  private readonly place: CachePlace;
  private readonly file: CacheFile;
  private readonly textPath: string;
  private readonly leftovers: string;
  private readonly vitalsIn: (record: Value) => Vitals | null;
  private readonly readRecord: ReadRecord<Value>;

  /** `vitalsIn` gives those of a record, or null where it has none. */
  constructor(
    place: CachePlace,
    name: string,
    vitalsIn: RecordTables<Value>['vitalsIn'],
    readRecord: ReadRecord<Value>,
  ) {
    this.place = place;
    this.file = new CacheFile(place, name, recordsVersion);
    this.textPath = `${this.file.path}-text`;
    this.leftovers = `${this.textPath}.new_`;
    this.vitalsIn = vitalsIn;
    this.readRecord = readRecord;
  }

  /** Gives the table that is kept; null where none is, and where the texts beside it are those of another. */
  load(): Table<Value> | null {
    const frame = this.file.read().at(-1);
    const isWhole = frame !== undefined && attempt(() => this.present())?.name === nameIn(frame);
    return isWhole ? this.tableOf(frame) : null;
  }

  /**
   * Keeps a table, and gives it with its records left to the disk; null where that refuses.
   *
   * Records are taken once and in order, so that a caller may read them while they are kept; `refused` may grow with them. `most` is at
   * least their number.
   */
  make(tree: string, stored: Iterable<Stored<Value>>, most: number, refused: readonly Refused[]): Table<Value> | null {
    return this.keep(() => {
      const rows = new RowWriter(tree, randomBytes(nameBytes).toString('hex'), most);
      const temporary = this.place.disk.temporaryName(this.leftovers);
      this.place.disk.writeNew(temporary, this.textsOf(stored, rows, nameBytes, null), { sync: false });
      this.place.disk.rename(temporary, this.textPath);
      return rows.frame(refused);
    });
  }

  /** Keeps what became of a table: texts that are new are added, until most of the others are of no use. As {@link make}. */
  update(tree: string, stored: readonly Stored<Value>[], refused: readonly Refused[]): Table<Value> | null {
    const { disk } = this.place;
    const kept = attempt(() => this.present());
    if (kept === null) return this.make(tree, stored, stored.length, refused);
    const isIn = (one: Stored<Value>): one is Row<Value> => one instanceof Row && one.table.texts.name === kept.name;
    // Another process has begun anew: what it kept need not be written again.
    const placed = stored.some(isIn) ? stored : this.placedAs(this.load(), stored);
    let inUse = nameBytes;
    for (const one of placed) if (isIn(one)) inUse += one.place.length;
    if (kept.size > 2 * inUse) return this.make(tree, placed, placed.length, refused);
    return this.keep(() => {
      const rows = new RowWriter(tree, kept.name, placed.length);
      disk.inFile(this.textPath, 'a+', (descriptor) => {
        for (const block of this.textsOf(placed, rows, kept.size, kept.name)) disk.writeAll(descriptor, block);
      });
      return rows.frame(refused);
    });
  }

  /** Removes what is kept: the words of private files are on no disk in the clear. */
  remove(): void {
    this.place.disk.removeQuietly(this.file.path);
    this.place.disk.removeQuietly(this.textPath);
  }

  /** Gives the rows that a table has of the same records; the others as they are. */
  private placedAs(table: Table<Value> | null, stored: readonly Stored<Value>[]): readonly Stored<Value>[] {
    if (table === null) return stored;
    const rows = new Map(table.records.all.map((row) => [row.path, row]));
    return stored.map((one) => {
      const row = rows.get(one.path);
      return row?.oid === one.oid ? row : one;
    });
  }

  private keep(write: () => Buffer): Table<Value> | null {
    const { disk } = this.place;
    const frame = attempt(() => {
      const folder = this.textPath.slice(0, this.textPath.lastIndexOf('/'));
      disk.makeDirectory(folder, privateMode);
      // What a process left that died here.
      for (const name of disk.list(folder))
        if (`${folder}/${name}`.startsWith(this.leftovers)) disk.remove(`${folder}/${name}`);
      return write();
    });
    const isKept = frame !== null && frame.length < maxWholeFileBytes && this.file.replace([frame]);
    return isKept ? this.tableOf(frame) : null;
  }

  private tableOf(frame: Buffer): Table<Value> {
    const texts = new Texts(this.place, this.textPath, nameIn(frame));
    const records = new KeptTable<Value>(frame, texts, this.readRecord);
    const pathsEnd = records.pathEnd(records.length - 1);
    const refused = pathsEnd === frame.length ? [] : (JSON.parse(frame.toString('utf8', pathsEnd)) as Refused[]);
    return { tree: frame.toString('hex', 0, oidBytes), records, refused };
  }

  /** The name of the texts on the disk, and their bytes. */
  private present(): { readonly name: string; readonly size: number } {
    const { disk } = this.place;
    return disk.inFile(this.textPath, 'r', (descriptor) => ({
      name: disk.readAt(descriptor, 0, nameBytes).toString('hex'),
      size: disk.fs.fstatSync(descriptor).size,
    }));
  }

  /** Gives the texts to be written from `position` on, and makes the rows meanwhile; texts of the name `known` stay where they are. */
  private *textsOf(
    stored: Iterable<Stored<Value>>,
    rows: RowWriter,
    position: number,
    known: string | null,
  ): Generator<Buffer> {
    let block: Buffer[] = known === null ? [Buffer.from(rows.name, 'hex')] : [];
    let bytes = 0;
    let end = position;
    for (const one of stored) {
      const row = one instanceof Row ? one : null;
      if (row !== null && row.table.texts.name === known) {
        rows.copy(row.bytes, row.pathBytes);
        continue;
      }
      const text = row?.table.texts.read(row.place) ?? Buffer.from(JSON.stringify(one.record));
      rows.add(one, row ?? this.vitalsIn(one.record), { begin: end, length: text.length, check: crc32(text) });
      block.push(text);
      bytes += text.length;
      end += text.length;
      if (end > mostTextBytes) throw new MemoryError('TOO_LARGE', 'records of more than 4 GiB are not kept');
      if (bytes < blockBytes) continue;
      yield Buffer.concat(block);
      [block, bytes] = [[], 0];
    }
    yield Buffer.concat(block);
  }
}

/** Makes the frame of a table, row by row. */
class RowWriter {
  readonly name: string;
  private readonly head = Buffer.alloc(headBytes);
  private readonly rows: Buffer;
  private readonly paths: Buffer[] = [];
  private pathsEnd = 0;

  constructor(tree: string, name: string, most: number) {
    this.name = name;
    this.rows = Buffer.alloc(most * rowBytes);
    this.head.write(tree, 0, 'hex');
    this.head.write(name, oidBytes, 'hex');
  }

  add({ path, oid }: Stored<unknown>, vitals: Vitals | null, { begin, length, check }: Place): void {
    const { rows } = this;
    const start = this.next(Buffer.from(path));
    rows.write(oid, start, 'hex');
    rows.writeUInt32LE(begin, start + at.begin);
    rows.writeUInt32LE(length, start + at.length);
    rows.writeUInt32LE(check, start + at.check);
    if (vitals === null) return;
    for (const name of numberNames) {
      const value = name === 'due' ? Date.parse(vitals.due ?? '') : (vitals[name] ?? Number.NaN);
      rows.writeDoubleLE(value, start + at.numbers + numbers[name] * doubleBytes);
    }
    const { status, category, priority, isReplaced, stands } = vitals;
    const words = [memoryStatuses.indexOf(status), placeIn(memoryCategories, category), placeIn(priorities, priority)];
    const signs = [isReplaced, stands, vitals.id === idInPath(path)];
    rows.set([...words.map((place) => place + 1), ...signs.map(Number)], start + at.words);
    rows.writeUInt32LE(vitals.turn, start + at.turn);
  }

  copy(row: Buffer, path: Buffer): void {
    const start = this.paths.length * rowBytes;
    this.rows.set(row, start);
    this.next(path);
  }

  /** Begins a row: gives where it is. */
  private next(path: Buffer): number {
    const start = this.paths.length * rowBytes;
    this.pathsEnd += path.length;
    this.paths.push(path);
    this.rows.writeUInt32LE(this.pathsEnd, start + at.pathEnd);
    return start;
  }

  frame(refused: readonly Refused[]): Buffer {
    const count = this.paths.length;
    this.head.writeUInt32LE(count, oidBytes + nameBytes);
    this.head.writeUInt32LE(this.pathsEnd, oidBytes + nameBytes + 4);
    return Buffer.concat([
      this.head,
      this.rows.subarray(0, count * rowBytes),
      ...this.paths,
      Buffer.from(refused.length === 0 ? '' : JSON.stringify(refused)),
    ]);
  }
}

/** The id of a memory, if its file is called as engines call it: `memories/3f/ID.json`. */
const idInPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);

const nameIn = (frame: Buffer): string => frame.toString('hex', oidBytes, oidBytes + nameBytes);

const placeIn = <Word>(words: readonly Word[], word: Word | undefined): number =>
  word === undefined ? -1 : words.indexOf(word);
