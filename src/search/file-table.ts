// The files of a segment as columns, as they lie on the disk: a name is decoded when somebody asks for it.

import { hashOf, slotsOf } from './postings.ts';

/** One file: its documents are rows `first` to `first + count − 1`. */
export interface SegmentFile {
  /** Blob id, space, path: the path decides how a content is read, and documents have it, too. */
  readonly name: string;
  readonly first: number;
  readonly count: number;
}

/** What a table is made of; numbers count files and rows of one segment. */
export interface FileColumns {
  /** The names, one after the other, and where each ends. */
  readonly names: Buffer;
  readonly nameEnds: Uint32Array;
  /** Where the rows of each file end; they begin where those of the file before end. */
  readonly rowEnds: Uint32Array;
  /** A table by hash of the path: number of the file plus one, zero where it is free. */
  readonly fileSlots: Uint32Array;
}

export const fileColumnNames = ['names', 'nameEnds', 'rowEnds', 'fileSlots'] as const satisfies (keyof FileColumns)[];

/** A path that is looked for in several tables. */
export interface WantedPath {
  readonly bytes: Buffer;
  readonly hash: number;
}

export function wantedPath(path: string): WantedPath {
  const bytes = Buffer.from(path);
  return { bytes, hash: hashOf(bytes, 0, bytes.length) };
}

export function fileName(path: string, blobOid: string): string {
  return `${blobOid} ${path}`;
}

export function pathOfName(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

const none: number[] = [];

/** The files of one segment in the order of their rows. */
export class FileTable {
  readonly columns: FileColumns;

  constructor(columns: FileColumns) {
    this.columns = columns;
  }

  /** Makes a table of the names of files and the numbers of their documents. */
  static of(files: readonly Pick<SegmentFile, 'name' | 'count'>[]): FileTable {
    const names = Buffer.from(files.map(({ name }) => name).join(''));
    const nameEnds = new Uint32Array(files.length);
    const rowEnds = new Uint32Array(files.length);
    for (let number = 0, end = 0, row = 0; number < files.length; number++) {
      const { name, count } = files[number]!;
      nameEnds[number] = end += Buffer.byteLength(name);
      rowEnds[number] = row += count;
    }
    const fileSlots = slotsOf(files.length, (number) => {
      const end = nameEnds[number]!;
      return hashOf(names, end - Buffer.byteLength(pathOfName(files[number]!.name)), end);
    });
    return new FileTable({ names, nameEnds, rowEnds, fileSlots });
  }

  get length(): number {
    return this.columns.nameEnds.length;
  }

  at(number: number): SegmentFile {
    const { names, nameEnds, rowEnds } = this.columns;
    const [from, first] = number === 0 ? [0, 0] : [nameEnds[number - 1]!, rowEnds[number - 1]!];
    return { name: names.toString('utf8', from, nameEnds[number]!), first, count: rowEnds[number]! - first };
  }

  *[Symbol.iterator](): Generator<SegmentFile> {
    for (let number = 0; number < this.length; number++) yield this.at(number);
  }

  /** Lists the numbers of the files with a path: as many as versions of it were met. */
  numbersOf({ bytes, hash }: WantedPath): number[] {
    const { names, nameEnds, fileSlots } = this.columns;
    const last = fileSlots.length - 1;
    let found: number[] = none;
    for (let at = hash & last; fileSlots[at] !== 0; at = (at + 1) & last) {
      const number = fileSlots[at]! - 1;
      const end = nameEnds[number]!;
      const from = end - bytes.length;
      // Most others end in another byte, or have another length. A path may hold spaces, but the id before the first one holds none.
      if (from <= 0 || names[from - 1] !== 0x20 || names[end - 1] !== bytes[bytes.length - 1]) continue;
      if (names.compare(bytes, 0, bytes.length, from, end) !== 0) continue;
      if (names.indexOf(0x20, number === 0 ? 0 : nameEnds[number - 1]!) === from - 1) found = [...found, number];
    }
    return found.length > 1 ? found.sort((one, other) => one - other) : found;
  }
}

/** One file under its number: its documents are rows `first` to `first + count − 1`. */
export interface CorpusFile extends SegmentFile {
  readonly number: number;
  readonly path: string;
}

/** The files of tables side by side, numbered through. */
export class MetFiles {
  readonly #tables: { readonly table: FileTable; readonly firstRow: number; readonly firstFile: number }[] = [];
  /** By number: what somebody asked about. */
  readonly #made = new Map<number, CorpusFile>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(table: FileTable, firstRow: number): void {
    this.#tables.push({ table, firstRow, firstFile: this.#count });
    this.#count += table.length;
  }

  /** Puts one table in the place of the last two, whose files it has in their order. */
  joinLast(table: FileTable): void {
    const { firstRow, firstFile } = this.#tables.splice(-2, 2)[0]!;
    this.#tables.push({ table, firstRow, firstFile });
  }

  at(number: number): CorpusFile {
    let file = this.#made.get(number);
    if (file === undefined) {
      let low = 0;
      let high = this.#tables.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if (this.#tables[middle]!.firstFile > number) high = middle - 1;
        else low = middle;
      }
      const { table, firstRow, firstFile } = this.#tables[low]!;
      const { name, first, count } = table.at(number - firstFile);
      file = { number, name, path: pathOfName(name), first: firstRow + first, count };
      this.#made.set(number, file);
    }
    return file;
  }

  *[Symbol.iterator](): Generator<CorpusFile> {
    for (let number = 0; number < this.#count; number++) yield this.at(number);
  }

  /** Finds the version of a file for which something holds. Two processes may have kept the same one; the first is found. */
  find(path: string, isWanted: (file: CorpusFile) => boolean): CorpusFile | undefined {
    const wanted = wantedPath(path);
    for (const { table, firstFile } of this.#tables) {
      for (const number of table.numbersOf(wanted)) {
        const file = this.at(firstFile + number);
        if (isWanted(file)) return file;
      }
    }
    return undefined;
  }

  /** Lists the numbers of the files that have no documents. */
  blank(): number[] {
    const found: number[] = [];
    for (const { table, firstFile } of this.#tables) {
      const { rowEnds } = table.columns;
      for (let number = 0, row = 0; number < rowEnds.length; row = rowEnds[number++]!)
        if (rowEnds[number] === row) found.push(firstFile + number);
    }
    return found;
  }
}
