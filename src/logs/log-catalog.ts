// An append-only log of a state as values: its entries in order, and what is damaged. Each file's blob is parsed once, ever.

import type { LogEntry, LogPiece, LogReader } from '../records/log.ts';
import type { StateFiles } from '../store/derive.ts';

/** An entry, and where it stands. */
export interface StoredEntry<Value = unknown> extends LogEntry<Value> {
  readonly path: string;
}

/** A line that is no entry, or is one that differs from the form. */
export interface OddLine {
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
export interface CatalogedLog<Value> {
  readonly read: LogReader<Value>;
  /** The files of the log in order, with their blobs. */
  filesOf(files: StateFiles): readonly (readonly [path: string, oid: string])[];
  isArchive(path: string): boolean;
}

const maxParsed = 20_000;

/** Reads one log of any state; what does not parse is passed over and told. */
export class LogCatalog<Value> {
  private readonly log: CatalogedLog<Value>;
  private readonly parsed = new Map<string, readonly LogPiece<Value>[]>();
  private last: { readonly key: string; readonly state: LogState<Value> } | null = null;

  constructor(log: CatalogedLog<Value>) {
    this.log = log;
  }

  stateOf(state: StateFiles): LogState<Value> {
    const files = this.log.filesOf(state);
    const key = files.map(([path, oid]) => `${path} ${oid}`).join('\n');
    if (this.last?.key === key) return this.last.state;
    const events: StoredEntry<Value>[] = [];
    const archived: StoredEntry<Value>[] = [];
    const damaged: OddLine[] = [];
    const bent: (OddLine & { id: string })[] = [];
    for (const [path, oid] of files) {
      const into = this.log.isArchive(path) ? archived : events;
      for (const piece of this.piecesOf(state, path, oid)) {
        if (piece.kind === 'entry') {
          into.push({ ...piece, path });
          for (const note of piece.notes ?? []) bent.push({ path, ...note, id: piece.id });
        } else if (piece.why !== undefined) damaged.push({ path, line: piece.line, why: piece.why });
      }
    }
    this.last = { key, state: { events, archived, damaged, bent } };
    return this.last.state;
  }

  private piecesOf(state: StateFiles, path: string, oid: string): readonly LogPiece<Value>[] {
    const known = this.parsed.get(oid);
    if (known !== undefined) return known;
    const pieces = this.log.read(state.readBlob(oid, path).toString('utf8'), path);
    if (this.parsed.size >= maxParsed) this.parsed.delete(this.parsed.keys().next().value!);
    this.parsed.set(oid, pieces);
    return pieces;
  }
}
