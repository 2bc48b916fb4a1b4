// Parts that more than one of the public shapes has.

import type { ErrorCode } from '../errors.ts';

/** A date, an ISO 8601 text, or milliseconds since the Unix epoch. Times go out as ISO 8601 texts. */
export type TimeInput = string | number | Date;

/** Where the memory lives in git; see docs/guide-git.md, "Placement". */
export type Placement = 'repository' | 'bare' | 'branch' | 'project';

/** What something failed with, as a {@link MemoryError} says it. */
export interface ToldError {
  readonly code: ErrorCode;
  readonly what: string;
  readonly where?: string;
  readonly hint?: string;
}

/**
 * What an answer lacks because an object of git is torn, missing or cut, or a file that it read from elsewhere instead.
 *
 * Every answer that is an object or a list has these as `damaged` where there are any; what it tells beside is whole.
 */
export interface Damage {
  /** The file, absolute for one of git; absent where a commit itself, or a folder of it, could not be looked into. */
  readonly path?: string;
  /** The object; absent where a file of git is meant that is none. */
  readonly object?: string;
  /** The commit that brought the file, or could not be looked into; null where it is not known. */
  readonly commit: string | null;
  readonly why: string;
  /** What brings it back. */
  readonly hint: string;
}

/** A secret that was kept out: `[redacted:kind]` stands where it was. */
export interface Redaction {
  readonly kind: string;
  readonly path: string;
  /** 1-based line of the file. */
  readonly line: number;
  /** 1-based number of the turn within its session; absent in front matter and outside conversations. */
  readonly turn?: number;
}

/** What can be asked of any log. */
export interface EntryFilter {
  /** When they happened or were recorded, in the time zone of the memory. */
  readonly since?: TimeInput;
  readonly until?: TimeInput;
  /** Only those that are linked to this one, over any distance. */
  readonly chain?: string;
  /** Also what has been superseded or taken back; default false, true with `chain`. */
  readonly superseded?: boolean;
  /** Also what has been archived; default false, true with `chain`. */
  readonly archived?: boolean;
  /** How many at most, the newest. */
  readonly limit?: number;
}
