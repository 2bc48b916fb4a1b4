// An append-only log of a state as values: its entries in order, and what is damaged. Each file's blob is parsed once, ever.

import type { StateFiles } from '../store/derive.ts';
import type { LogContinuation, LogEntry, LogReader, ReadLog } from '../store/records/log.ts';

/** An entry, and where it stands. */
export interface StoredEntry<Value = unknown> extends LogEntry<Value> {
  readonly path: string;
}

/** A line that is no entry, or is one that differs from the form. */
interface OddLine {
  readonly path: string;
  readonly line: number;
  readonly why: string;
}

export interface LogState<Value> {
  /** In the order of the files, then as they stand there; an id that was given twice comes twice. */
  readonly events: readonly StoredEntry<Value>[];
  /** What was put aside. */
  readonly archived: readonly StoredEntry<Value>[];
  /** What belongs to no entry and should. */
  readonly damaged: readonly OddLine[];
  /** What was read although it differs from the form; with the id of its entry. */
  readonly bent: readonly (OddLine & { readonly id: string })[];
}

/** What is particular to the log that a catalog reads. */
interface CatalogedLog<Value> {
  readonly read: LogReader<Value>;
  readonly goOn: LogContinuation<Value>;
  /** The files of the log in order, with their blobs. */
  filesOf(files: StateFiles): readonly (readonly [path: string, oid: string])[];
  isArchive(path: string): boolean;
}

const maxParsed = 20_000;

/** Reads one log of any state; what does not parse is passed over and told. */
export class LogCatalog<Value> {
  private readonly log: CatalogedLog<Value>;
  /** By path and blob, for entries say where they stand. */
  private readonly parsed = new Map<string, FileOfLog<Value>>();
  /** The version of each file that was read last, for what comes next is mostly that one with more at its end. */
  private readonly newest = new Map<string, ReadLog<Value> & { readonly key: string }>();
  private last: { readonly key: string; readonly state: LogState<Value> } | null = null;

  constructor(log: CatalogedLog<Value>) {
    this.log = log;
  }

  stateOf(state: StateFiles): LogState<Value> {
    const files = this.log.filesOf(state);
    const key = files.map(([path, oid]) => `${path} ${oid}`).join('\n');
    if (this.last?.key === key) return this.last.state;
    const read = files.map(([path, oid]) => ({
      isArchive: this.log.isArchive(path),
      ...this.fileOf(state, path, oid),
    }));
    this.last = {
      key,
      state: {
        events: read.flatMap(({ isArchive, entries }) => (isArchive ? [] : entries)),
        archived: read.flatMap(({ isArchive, entries }) => (isArchive ? entries : [])),
        damaged: read.flatMap(({ damaged }) => damaged),
        bent: read.flatMap(({ bent }) => bent),
      },
    };
    return this.last.state;
  }

  private fileOf(state: StateFiles, path: string, oid: string): FileOfLog<Value> {
    const key = `${path} ${oid}`;
    const known = this.parsed.get(key);
    if (known !== undefined) return known;
    const text = state.readBlob(oid, path).toString('utf8');
    const before = this.newest.get(path);
    const grown = before === undefined ? null : this.log.goOn(before, text, path);
    const read = { key, text, pieces: grown ?? this.log.read(text, path) };
    const file = fileOfPieces(path, read.pieces);
    // A log that grows event by event would otherwise be kept as often as it has events.
    if (grown !== null) this.parsed.delete(before!.key);
    if (this.parsed.size >= maxParsed) this.parsed.delete(this.parsed.keys().next().value!);
    if (this.newest.size >= maxParsed) this.newest.clear();
    this.newest.set(path, read);
    this.parsed.set(key, file);
    return file;
  }
}

interface FileOfLog<Value> extends Pick<LogState<Value>, 'damaged' | 'bent'> {
  readonly entries: readonly StoredEntry<Value>[];
}

function fileOfPieces<Value>(path: string, pieces: ReadLog<Value>['pieces']): FileOfLog<Value> {
  const entries: StoredEntry<Value>[] = [];
  const damaged: OddLine[] = [];
  const bent: (OddLine & { id: string })[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'entry') {
      // The pieces were made for this: a copy of each would be a third of the work.
      entries.push(Object.assign(piece, { path }));
      for (const note of piece.notes ?? []) bent.push({ path, ...note, id: piece.id });
    } else if (piece.why !== undefined) damaged.push({ path, line: piece.line, why: piece.why });
  }
  return { entries, damaged, bent };
}
