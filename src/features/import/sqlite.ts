// Reads tables of a SQLite database, without a library: b-trees, overflow pages, and what is committed in a write-ahead log beside the file. Takes
// no lock and writes nothing, so that the program whose file it is may go on. No queries: it walks a table row by row, or finds a row by its id.
//
// Format: https://www.sqlite.org/fileformat2.html. Tables WITHOUT ROWID are not read.

import { MemoryError } from '../../base/errors.ts';
import type { OpenFile, SourceFile } from './source.ts';

/** A value of a column. */
export type SqliteValue = string | number | Buffer | null;

export interface SqliteRow {
  readonly rowid: number;
  /** Undefined for a column that was added after the row was written. */
  readonly values: Readonly<Record<string, SqliteValue | undefined>>;
}

interface Table {
  readonly root: number;
  readonly columns: readonly { readonly name: string; readonly isRowid: boolean }[];
}

const magic = 'SQLite format 3\0';
const headerBytes = 100;
const mostPages = 2000;
const mostDepth = 40;
/** What a column may hold; the limit of SQLite itself is a billion bytes. */
const maxPayload = 256 << 20;
const [leafPage, innerPage] = [13, 5];

/** Tells a database by its first bytes. */
export const isSqlite = (head: string): boolean => head.startsWith(magic);

/** Reads a database, which is open for as long. Throws INVALID_RECORD for what is no database, or a damaged one. */
export function* inDatabase<T>(source: SourceFile, read: (base: SqliteFile) => Iterable<T>): Generator<T> {
  const base = new SqliteFile(source);
  try {
    yield* read(base);
  } finally {
    base.close();
  }
}

/** A database that is open for reading. */
export class SqliteFile {
  private readonly file: OpenFile;
  private readonly log: OpenFile | null;
  private readonly pageBytes: number;
  private readonly usable: number;
  private readonly encoding: number;
  /** The places of the newest committed versions of pages in the log. */
  private readonly logged = new Map<number, number>();
  private readonly pages = new Map<number, Buffer>();
  private readonly tables = new Map<string, Table>();

  /** Throws INVALID_RECORD for what is no database, or a damaged one. */
  constructor(source: SourceFile) {
    const file = source.open();
    if (file === null) throw damaged('is gone');
    this.file = file;
    const head = file.readAt(0, headerBytes);
    if (head.length < headerBytes || !isSqlite(head.toString('latin1'))) throw damaged('is no SQLite database');
    const size = head.readUInt16BE(16);
    this.pageBytes = size === 1 ? 65_536 : size;
    this.usable = this.pageBytes - head[20]!;
    this.encoding = head.readUInt32BE(56);
    this.log = source.open('-wal');
    this.readLog();
    for (const { payload } of this.leaves(1, 0, maxPayload)) {
      const [type, name, , root, sql] = this.decode(payload);
      if (type === 'table' && typeof name === 'string' && typeof root === 'number' && typeof sql === 'string')
        this.tables.set(name, { root, columns: columnsOf(sql) });
    }
  }

  has(table: string): boolean {
    return this.tables.has(table);
  }

  close(): void {
    this.file.close();
    this.log?.close();
  }

  /** Walks a table in the order of its row ids. Of a row only the first `most` bytes are read: enough for its first columns. */
  *rows(name: string, most = maxPayload): Generator<SqliteRow> {
    const table = this.tables.get(name);
    if (table === undefined) return;
    for (const { rowid, payload } of this.leaves(table.root, 0, most)) yield this.rowOf(table, rowid, payload);
  }

  /** Finds a row by its id. */
  row(name: string, rowid: number): SqliteRow | null {
    const table = this.tables.get(name);
    if (table === undefined) return null;
    let page = table.root;
    for (let depth = 0; depth < mostDepth; depth++) {
      const { bytes, type, cells, at } = this.pageAt(page);
      if (type === leafPage) {
        for (let cell = 0; cell < cells; cell++) {
          const [length, afterLength] = varint(bytes, at(cell));
          const [id, start] = varint(bytes, afterLength);
          if (id === rowid) return this.rowOf(table, rowid, this.payload(bytes, start, length, maxPayload));
        }
        return null;
      }
      let next = bytes.readUInt32BE(this.headOf(page) + 8);
      for (let cell = 0; cell < cells; cell++) {
        const [key] = varint(bytes, at(cell) + 4);
        if (rowid > key) continue;
        next = bytes.readUInt32BE(at(cell));
        break;
      }
      page = next;
    }
    throw damaged('is a damaged database');
  }

  private rowOf({ columns }: Table, rowid: number, payload: Buffer): SqliteRow {
    const decoded = this.decode(payload);
    const values: Record<string, SqliteValue | undefined> = {};
    for (const [at, { name, isRowid }] of columns.entries()) values[name] = isRowid ? rowid : decoded[at];
    return { rowid, values };
  }

  private *leaves(page: number, depth: number, most: number): Generator<{ rowid: number; payload: Buffer }> {
    if (depth > mostDepth) throw damaged('is a damaged database');
    const { bytes, type, cells, at } = this.pageAt(page);
    for (let cell = 0; cell < cells; cell++) {
      if (type === innerPage) yield* this.leaves(bytes.readUInt32BE(at(cell)), depth + 1, most);
      else {
        const [length, afterLength] = varint(bytes, at(cell));
        const [rowid, start] = varint(bytes, afterLength);
        yield { rowid, payload: this.payload(bytes, start, length, most) };
      }
    }
    if (type === innerPage) yield* this.leaves(bytes.readUInt32BE(this.headOf(page) + 8), depth + 1, most);
  }

  private headOf(page: number): number {
    return page === 1 ? headerBytes : 0;
  }

  private pageAt(page: number) {
    const bytes = this.read(page);
    const head = this.headOf(page);
    const type = bytes[head];
    if (type !== leafPage && type !== innerPage) throw damaged('is a damaged database, or has tables without row ids');
    const pointers = head + (type === leafPage ? 8 : 12);
    return {
      bytes,
      type,
      cells: bytes.readUInt16BE(head + 3),
      at: (cell: number) => bytes.readUInt16BE(pointers + 2 * cell),
    };
  }

  private read(page: number): Buffer {
    const present = this.pages.get(page);
    if (present !== undefined) return present;
    const logged = this.logged.get(page);
    const bytes =
      logged === undefined
        ? this.file.readAt((page - 1) * this.pageBytes, this.pageBytes)
        : this.log!.readAt(logged, this.pageBytes);
    if (page < 1 || bytes.length < this.pageBytes) throw damaged('is a damaged database: it ends too early');
    if (this.pages.size >= mostPages) this.pages.delete(this.pages.keys().next().value!);
    this.pages.set(page, bytes);
    return bytes;
  }

  /** What does not fit into a cell goes on in a chain of pages. */
  private payload(bytes: Buffer, start: number, length: number, most: number): Buffer {
    if (length > maxPayload) throw damaged('has a value that is too large');
    const max = this.usable - 35;
    if (length <= max) return bytes.subarray(start, start + length);
    const min = Math.floor(((this.usable - 12) * 32) / 255) - 23;
    const fitting = min + ((length - min) % (this.usable - 4));
    const local = fitting > max ? min : fitting;
    const parts = [bytes.subarray(start, start + local)];
    let next = bytes.readUInt32BE(start + local);
    for (let read = local; next !== 0 && read < Math.min(length, most); ) {
      const page = this.read(next);
      const part = page.subarray(4, 4 + Math.min(length - read, this.usable - 4));
      parts.push(part);
      read += part.length;
      next = page.readUInt32BE(0);
    }
    return Buffer.concat(parts);
  }

  /** Reads a record: the types of its values, then the values, as far as there are bytes. */
  private decode(record: Buffer): SqliteValue[] {
    let [head, at] = varint(record, 0);
    const types: number[] = [];
    while (at < head && at < record.length) {
      const [type, next] = varint(record, at);
      types.push(type);
      at = next;
    }
    at = head;
    const values: SqliteValue[] = [];
    for (const type of types) {
      const length = type >= 12 ? (type - 12 - (type & 1)) / 2 : numberBytes[type]!;
      if (at + length > record.length) break;
      values.push(this.valueOf(type, record.subarray(at, at + length)));
      at += length;
    }
    return values;
  }

  private valueOf(type: number, bytes: Buffer): SqliteValue {
    if (type === 0) return null;
    if (type === 8 || type === 9) return type - 8;
    if (type === 7) return bytes.readDoubleBE(0);
    if (type < 12) return bytes.length <= 6 ? bytes.readIntBE(0, bytes.length) : Number(bytes.readBigInt64BE(0));
    if (type % 2 === 0) return Buffer.from(bytes);
    if (this.encoding <= 1) return bytes.toString('utf8');
    return this.encoding === 2 ? bytes.toString('utf16le') : Buffer.from(bytes).swap16().toString('utf16le');
  }

  /** Frames of the log, up to the last that ends a transaction; those of an older generation have another salt. */
  private readLog(): void {
    const { log, pageBytes } = this;
    const head = log?.readAt(0, 32);
    if (log === null || head === undefined || head.length < 32 || (head.readUInt32BE(0) & ~1) >>> 0 !== 0x377f0682)
      return;
    const salt = head.subarray(8 + 8, 8 + 16);
    let open: [number, number][] = [];
    for (let at = 32; at + 24 + pageBytes <= log.bytes; at += 24 + pageBytes) {
      const frame = log.readAt(at, 24);
      if (frame.length < 24 || !frame.subarray(8, 16).equals(salt)) break;
      open.push([frame.readUInt32BE(0), at + 24]);
      if (frame.readUInt32BE(4) === 0) continue;
      for (const [page, place] of open) this.logged.set(page, place);
      open = [];
    }
  }
}

const numberBytes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0];

/** Reads a number of one to nine bytes, seven bits in each but the last; gives it and where it ends. */
function varint(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0n;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw damaged('is a damaged database');
    value = (value << 7n) | BigInt(byte & 127);
    if (byte < 128) return [Number(value), at + 1];
  }
  value = (value << 8n) | BigInt(bytes[start + 8] ?? 0);
  return [Number(BigInt.asIntN(64, value)), start + 9];
}

/** Reads the names of columns off `CREATE TABLE`; constraints of the table stand behind them. */
function columnsOf(sql: string): Table['columns'] {
  const body = sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'));
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= body.length; at++) {
    const letter = body[at];
    if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    else if ((letter === ',' && depth === 0) || at === body.length) {
      parts.push(body.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts
    .filter((part) => part !== '' && !/^(?:primary|unique|foreign|check|constraint)\b/i.test(part))
    .map((part) => ({
      name: /^["`[]?([\w$]+)/.exec(part)?.[1] ?? part,
      isRowid: /\binteger\s+primary\s+key/i.test(part),
    }));
}

function damaged(what: string): MemoryError {
  return new MemoryError('INVALID_RECORD', what, { hint: 'Close the program that writes it, and try again' });
}
