// SQLite databases by the format's own pages, for readers of ours: each table is one page of 64 KiB.

type Cell = string | number | Buffer | null;

export interface MadeTable {
  readonly sql: string;
  /** Values of each row; a row's id is its place, from 1 on. */
  readonly rows: readonly (readonly Cell[])[];
}

const pageBytes = 65_536;

function varint(value: number): Buffer {
  const bytes = [value & 127];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest & 127) | 128);
  return Buffer.from(bytes);
}

function record(values: readonly Cell[]): Buffer {
  const types = values.map((value) =>
    value === null
      ? 0
      : typeof value === 'number'
        ? 6
        : 2 * Buffer.byteLength(value) + (typeof value === 'string' ? 13 : 12),
  );
  const bodies = values.map((value) => {
    if (value === null) return Buffer.alloc(0);
    if (typeof value !== 'number') return Buffer.from(value as string);
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(value));
    return bytes;
  });
  const head = Buffer.concat(types.map(varint));
  return Buffer.concat([varint(head.length + 1), head, ...bodies]);
}

/** Fills a leaf page of a table; the first page of a file has a header in front. */
function leaf(rows: MadeTable['rows'], start: number): Buffer {
  const page = Buffer.alloc(pageBytes);
  page[start] = 13;
  page.writeUInt16BE(rows.length, start + 3);
  let end = pageBytes;
  for (const [at, row] of rows.entries()) {
    const payload = record(row);
    const cell = Buffer.concat([varint(payload.length), varint(at + 1), payload]);
    end -= cell.length;
    cell.copy(page, end);
    page.writeUInt16BE(end, start + 8 + 2 * at);
  }
  page.writeUInt16BE(end % pageBytes, start + 5);
  return page;
}

/** Makes a database of such tables. */
export function sqliteFile(tables: readonly MadeTable[]): Buffer {
  const names = tables.map(({ sql }) => /TABLE (\w+)/.exec(sql)![1]!);
  const first = leaf(
    tables.map(({ sql }, at) => ['table', names[at]!, names[at]!, at + 2, sql]),
    100,
  );
  first.write('SQLite format 3\0', 0, 'latin1');
  first.writeUInt16BE(1, 16);
  first.writeUInt32BE(tables.length + 1, 28);
  first.writeUInt32BE(1, 56);
  return Buffer.concat([first, ...tables.map(({ rows }) => leaf(rows, 0))]);
}

/** Makes the log beside a database in which some tables were written anew; the last transaction is not committed. */
export function sqliteLog(tables: readonly (MadeTable | null)[], isCommitted = true): Buffer {
  const head = Buffer.alloc(32);
  head.writeUInt32BE(0x377f0682, 0);
  head.writeUInt32BE(pageBytes, 8);
  head.write('saltsalt', 16, 'latin1');
  const frames = tables.flatMap((table, at) => {
    if (table === null) return [];
    const frame = Buffer.alloc(24);
    frame.writeUInt32BE(at + 2, 0);
    frame.writeUInt32BE(isCommitted ? tables.length + 1 : 0, 4);
    frame.write('saltsalt', 8, 'latin1');
    return [frame, leaf(table.rows, 0)];
  });
  return Buffer.concat([head, ...frames]);
}
