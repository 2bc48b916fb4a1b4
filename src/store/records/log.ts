// An append-only log, whatever its entries say: a row of pieces that, joined, are the file. The format of each log says how a piece is read;
// logs/ works out what follows from the entries.

/** One entry, with its bytes in the file, the line feed included. */
export interface LogEntry<Value = unknown> {
  readonly kind: 'entry';
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** Name of its writer; empty where nobody says. */
  readonly agent: string;
  /** Two entries of the same key say the same thing and count once, whatever they are called: `memory:<id>`. */
  readonly sameAs?: string;
  /** Ids of the entries that it belongs with or goes back to. */
  readonly names?: readonly string[];
  /** Id of the entry that it takes the place of. */
  readonly supersedes?: string;
  /** Where it differs from the form and is clear all the same. */
  readonly notes?: readonly LogNote[];
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly value: Value;
}

/** What is odd about a line that could be read. */
export interface LogNote {
  /** 1-based. */
  readonly line: number;
  readonly why: string;
}

/** Bytes between entries: a head, a blank line, or what is damaged and then says why. */
interface LogRest {
  readonly kind: 'rest';
  readonly line: number;
  readonly text: string;
  readonly why?: string;
}

export type LogPiece<Value = unknown> = LogEntry<Value> | LogRest;

/** Cuts the text of one file into pieces; never throws, and loses no byte: the texts of the pieces, joined, are the file. */
export type LogReader<Value = unknown> = (text: string, path: string) => LogPiece<Value>[];

/** A file as it was when it was read. */
export interface ReadLog<Value = unknown> {
  readonly text: string;
  readonly pieces: readonly LogPiece<Value>[];
}

/**
 * Cuts a file that has grown at its end as the reader would, and reads no more of it than what came. Null where that takes reading all of
 * it. The pieces that stay are the same values.
 */
export type LogContinuation<Value = unknown> = (
  before: ReadLog<Value>,
  text: string,
  path: string,
) => readonly LogPiece<Value>[] | null;

/** Joins pieces to a file; one that lacks its line feed gets one where something follows. */
export function joinPieces(pieces: readonly Pick<LogPiece, 'text'>[]): string {
  return pieces
    .map(({ text }, position) => (position + 1 < pieces.length && !text.endsWith('\n') ? `${text}\n` : text))
    .join('');
}
