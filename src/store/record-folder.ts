// The records of one folder in any state. A state's table is the last one with what differs between two trees; what is pending lies upon it.
//
//   table that is kept ──► table of a tree ──(diff of two trees)──► table of another ──(pending files)──► all of a state
//                             │ records are read when they are asked for: from the texts beside the table, or their blobs

import { attempt, MemoryError, orElse } from '../base/errors.ts';
import { type CachePlace, isRefusal } from './cache-file.ts';
import { damages, isDamage } from './damaged-files.ts';
import { BoundedCache } from './git/bounded-cache.ts';
import { compareNames } from './git/tree.ts';
import type { Patience } from './patience.ts';
import { type Records, RecordTables, type Refused, recordsOf, type Stored, type Table } from './record-table.ts';
import { newestFirst } from './records/newest-first.ts';
import type { Vitals } from './records/vitals.ts';
import type { Snapshot } from './snapshot.ts';
import { isFile, merged, worthKeeping } from './tree-listing.ts';

/** So many records are held in memory at most; more are read again. */
const mostParsed = 65_536;
/** Of those that are left to another process so many are read at a time. */
const someAtOnce = 512;
/** Fewer are read from their objects sooner than kept. */
const leastKept = 64;
/** So many changes each process follows before they are kept: each costs a blob, and keeping costs a row for every record. */
const leastChanged = 16;

/** Where parsed records are kept for the next process. */
export interface RecordPlace extends CachePlace {
  /** How long a list waits for records that nobody has kept. */
  readonly patience?: Patience;
  /** Whether what a state says may be written to the disk. */
  mayKeep(snapshot: Snapshot): boolean;
  /** Tells whether a state is the present one: what is kept for the next process is its table. */
  isPresent(snapshot: Snapshot): boolean;
}

interface RecordKind<Value> {
  readonly folder: string;
  parse(text: string, path: string): Value;
  /** Gives what a table has of a record; null where it has nothing. */
  vitalsIn(record: Value): Vitals | null;
  /** Tells which errors are those of a file alone: it is passed over, and listed as refused. */
  isPassed(error: MemoryError): boolean;
}

/** All of one state. */
interface Look<Value> {
  readonly version: string;
  readonly records: Records<Value>;
  readonly refused: readonly Refused[];
}

/** The records of one folder; a file that does not parse is passed over, and kept as its error. */
export class RecordFolder<Value> {
  private readonly kind: RecordKind<Value>;
  private readonly place: RecordPlace | null;
  private readonly parsed = new BoundedCache<Value>(mostParsed);
  /** All of the state that was asked last. */
  private last: Look<Value> | null = null;
  /** The newest of a state that nobody has kept. */
  private some: (Omit<Look<Value>, 'refused'> & { readonly unseen: number }) | null = null;
  /** The table of the present, as it was asked last; undefined before the first question. */
  private present: Table<Value> | null | undefined;
  /** That of another state. */
  private past: Table<Value> | null = null;
  /** How many changes lie between the present and what is kept of it. */
  private changed = 0;
  private tables: RecordTables<Value> | undefined;
  /** Whether something may be kept that has to go once it may not be. */
  private mayLieOnDisk = true;
  /** The state by which blobs are read. */
  private reader: Snapshot | null = null;

  /** Without a place nothing is kept, and all is read from its objects. */
  constructor(kind: RecordKind<Value>, place: RecordPlace | null) {
    this.kind = kind;
    this.place = place;
  }

  stored(snapshot: Snapshot): readonly Stored<Value>[] {
    return this.look(snapshot).records.all;
  }

  /** Gives what {@link stored} does, or the newest of it where another process has to read so many. */
  newest(snapshot: Snapshot): Records<Value> {
    const { patience } = this.place ?? {};
    const isKept = this.last?.version === snapshot.version || this.count(snapshot) !== null;
    if (isKept || !patience?.background || !this.isPresent(snapshot) || !this.mayBeTable(snapshot))
      return this.look(snapshot).records;
    if (this.some?.version !== snapshot.version || patience.isOver) {
      const files = [...snapshot.list(`${this.kind.folder}/`)];
      if (files.length < patience.limits.most) return this.look(snapshot).records;
      const newest = newestFirst(files, ([path]) => path);
      const stored: Stored<Value>[] = [];
      let end = 0;
      for (; end < newest.length && !patience.isEnough(2 * end); end += someAtOnce)
        stored.push(...this.records(snapshot, newest.slice(end, end + someAtOnce), []));
      stored.sort((a, b) => compareNames(a.path, b.path));
      this.some = { version: snapshot.version, records: recordsOf(stored), unseen: Math.max(0, files.length - end) };
    }
    snapshot.damage.leave(this.some.unseen);
    return this.some.records;
  }

  /** What is in the folder and is no record. */
  refused(snapshot: Snapshot): readonly Refused[] {
    return this.look(snapshot).refused;
  }

  /** How many records a state has at most, where that is known without a look at each; else null. */
  count(snapshot: Snapshot): number | null {
    const table = this.tableOf(snapshot, false);
    return table === null ? null : table.records.length + (snapshot.overlay?.files.size ?? 0);
  }

  /** Reads what {@link stored} would, in turns with others. */
  async begin(snapshot: Snapshot, turn: () => Promise<void> | undefined): Promise<void> {
    if (this.last?.version === snapshot.version || this.tableOf(snapshot, false) !== null) return;
    for (const [path, oid] of snapshot.list(`${this.kind.folder}/`)) {
      await turn();
      this.read(snapshot, path, oid);
    }
  }

  /** Reads one record, or the error of a file that is none. */
  read(snapshot: Snapshot, path: string, oid: string): Value | MemoryError {
    const known = this.parsed.get(oid);
    if (known !== undefined) return known;
    const result = this.parse(snapshot, path, oid);
    // An error names the path.
    if (!(result instanceof MemoryError)) this.parsed.set(oid, result, 1);
    return result;
  }

  private parse(snapshot: Snapshot, path: string, oid: string): Value | MemoryError {
    try {
      return this.kind.parse(snapshot.readBlob(oid, path).toString('utf8'), path);
    } catch (error) {
      if (!(error instanceof MemoryError) || isDamage(error) || !this.kind.isPassed(error)) throw error;
      return error;
    }
  }

  look(snapshot: Snapshot): Look<Value> {
    if (this.last?.version === snapshot.version) return this.last;
    const table = this.tableOf(snapshot, true);
    const look = table === null ? this.listed(snapshot) : this.upon(table, snapshot);
    this.last = { version: snapshot.version, ...look };
    return this.last;
  }

  /** All of a state by the names of its files; what the last look has of them is not read again. */
  private listed(snapshot: Snapshot): Omit<Look<Value>, 'version'> {
    const known = new Map(this.last?.records.all.map((one) => [one.path, one]));
    const files = inOrder([...snapshot.list(`${this.kind.folder}/`)]);
    const refused: Refused[] = [];
    const stored: Stored<Value>[] = [];
    for (const [path, oid] of files) {
      const before = known.get(path);
      if (before?.oid === oid) stored.push(before);
      else stored.push(...this.records(snapshot, [[path, oid]], refused));
    }
    return { records: recordsOf(stored), refused };
  }

  private *records(
    snapshot: Snapshot,
    files: Iterable<readonly [string, string]>,
    refused: Refused[],
  ): Generator<Stored<Value>> {
    for (const [path, oid] of files) {
      const record = this.parsed.get(oid) ?? this.parse(snapshot, path, oid);
      if (record instanceof MemoryError) refused.push({ path, why: record.message });
      else yield { path, oid, record };
    }
  }

  /** A table with what is pending. */
  private upon({ records, refused }: Table<Value>, snapshot: Snapshot): Omit<Look<Value>, 'version'> {
    const prefix = `${this.kind.folder}/`;
    const files = [...(snapshot.overlay?.files ?? [])].filter(([path]) => path.startsWith(prefix));
    const changes = files.map(([path, { oid }]) => ({ path, oid }));
    return this.changedBy(changes, records, refused, snapshot);
  }

  /** Gives the table of a state's commit. Null where each file has to be looked at, and where `mayMake` is false and none is there. */
  private tableOf(snapshot: Snapshot, mayMake: boolean): Table<Value> | null {
    if (!this.mayBeTable(snapshot)) return null;
    const tree = snapshot.treeOf(this.kind.folder);
    if (tree === null) return null;
    this.reader = snapshot.withoutOverlay();
    if (this.present === undefined) this.present = this.tables?.load() ?? null;
    for (const known of [this.present, this.past]) if (known?.tree === tree) return known;
    const isPresent = this.isPresent(snapshot);
    const last = isPresent ? this.present : (this.past ?? this.present);
    const table =
      (last === null ? null : this.followed(last, tree, isPresent)) ?? (mayMake ? this.made(tree, isPresent) : null);
    if (table !== null && isPresent) this.present = table;
    if (table !== null && !isPresent) this.past = table;
    return table;
  }

  /** Tells whether a state's files are those of its tree; makes ready what keeps them, or removes it. */
  private mayBeTable(snapshot: Snapshot): boolean {
    if (this.place === null) return snapshot.showsAll;
    const mayKeep = this.mayKeep(this.place, snapshot);
    // Nobody knows then what is private.
    if (mayKeep === null) return false;
    this.tables ??= new RecordTables<Value>(this.place, this.kind.folder, this.kind.vitalsIn, (row, text) =>
      this.recordOf(row, text),
    );
    if (!mayKeep && this.mayLieOnDisk) {
      this.tables.remove();
      [this.present, this.past] = [undefined, null];
    }
    this.mayLieOnDisk = mayKeep;
    return mayKeep && snapshot.showsAll;
  }

  /** False where the disk refuses to say: a question whose answer is known does not fail for what is kept of it. */
  private isPresent(snapshot: Snapshot): boolean {
    try {
      return this.place?.isPresent(snapshot) ?? true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return false;
    }
  }

  /** Null where the configuration cannot be read. */
  private mayKeep(place: RecordPlace, snapshot: Snapshot): boolean | null {
    return orElse(() => place.mayKeep(snapshot), null);
  }

  /** The record of a row: by what is in memory, the text beside it, or its blob. */
  private recordOf({ path, oid }: Stored<Value>, text: () => Buffer | null): Value {
    const known = this.parsed.get(oid);
    if (known !== undefined) return known;
    const record =
      parsedText<Value>(text()) ?? this.kind.parse(this.reader!.readBlob(oid, path).toString('utf8'), path);
    this.parsed.set(oid, record, 1);
    return record;
  }

  /** Brings a table to another tree; null where the trees between are not there any more, or so much differs that it is made anew. */
  private followed(table: Table<Value>, tree: string, isPresent: boolean): Table<Value> | null {
    const snapshot = this.reader!;
    const differences = orElse(() => snapshot.diffOf(table.tree, tree), null, ...damages);
    if (differences === null) return null;
    const changes = differences.map(({ path, after }) => ({
      path: `${this.kind.folder}/${path}`,
      oid: isFile(after?.mode) ? after!.oid : null,
    }));
    const followed = { tree, ...this.changedBy(changes, table.records, table.refused, snapshot) };
    if (!isPresent) return followed;
    this.changed += changes.length;
    const { records, refused } = followed;
    if (records.length < leastKept || this.changed <= worthKeeping(records.length, leastChanged)) return followed;
    this.changed = 0;
    return this.tables?.update(tree, records.all, refused) ?? followed;
  }

  /** Null where something is damaged: the table would lack it also when it is mended. */
  private made(tree: string, isPresent: boolean): Table<Value> | null {
    const snapshot = this.reader!;
    const files = snapshot.list(`${this.kind.folder}/`);
    const refused: Refused[] = [];
    if (isPresent) this.changed = 0;
    const tables = isPresent && files.size >= leastKept && snapshot.showsAll ? this.tables : undefined;
    const kept = tables?.make(tree, this.records(snapshot, files, refused), files.size, refused) ?? null;
    const table = kept ?? { tree, ...this.listed(snapshot) };
    return snapshot.showsAll ? table : null;
  }

  /** Puts what changed into all records of a state. */
  private changedBy(
    changes: readonly { readonly path: string; readonly oid: string | null }[],
    records: Records<Value>,
    refused: readonly Refused[],
    snapshot: Snapshot,
  ): Omit<Look<Value>, 'version'> {
    if (changes.length === 0) return { records, refused };
    const stored = records.all;
    const paths = new Set(changes.map(({ path }) => path));
    const nowRefused = refused.filter(({ path }) => !paths.has(path));
    const files = changes.flatMap(({ path, oid }) => (oid === null ? [] : [[path, oid] as const]));
    const gone = new Set(changes.map(({ path }) => placeOf(stored, path)).filter((at) => at >= 0));
    const come = [...this.records(snapshot, files, nowRefused)]
      .map((one) => {
        const at = placeOf(stored, one.path);
        return { at: at < 0 ? -at - 1 : at, one };
      })
      .sort((a, b) => a.at - b.at || compareNames(a.one.path, b.one.path));
    const now: Stored<Value>[] = [];
    let next = 0;
    for (let at = 0; at <= stored.length; at++) {
      for (; next < come.length && come[next]!.at === at; next++) now.push(come[next]!.one);
      if (at < stored.length && !gone.has(at)) now.push(stored[at]!);
    }
    return { records: recordsOf(now), refused: nowRefused.sort((a, b) => compareNames(a.path, b.path)) };
  }
}

/** Puts files in order. Only the last ones may be out of it: what is pending is listed behind the others. */
function inOrder(files: [string, string][]): Iterable<readonly [string, string]> {
  const isBehind = (at: number) => compareNames(files[at - 1]![0], files[at]![0]) > 0;
  let end = 1;
  while (end < files.length && !isBehind(end)) end += 1;
  if (end >= files.length) return files;
  const last = files.splice(end).sort(([one], [other]) => compareNames(one, other));
  return merged(files, last);
}

/** Finds where a path is; where it is not, one less than the negative of where it would be. */
function placeOf(stored: readonly Stored<unknown>[], path: string): number {
  let [from, to] = [0, stored.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = compareNames(stored[middle]!.path, path);
    if (order === 0) return middle;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return -from - 1;
}

/** Null for what is no record, or was not there. */
const parsedText = <Value>(text: Buffer | null): Value | null =>
  attempt(() => (text === null ? null : (JSON.parse(text.toString('utf8')) as Value)), null);
