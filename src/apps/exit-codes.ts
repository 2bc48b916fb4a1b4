// The one table that maps error codes to the exit numbers of programs, and says what each number means.

import { type ErrorCode, isSystemError, MemoryError } from '../base/errors.ts';

/** Says what each exit number means; help prints this. */
export const exitMeanings: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'unexpected failure; please report it',
  2: 'wrong usage: an unknown verb or option, or an argument that cannot be read',
  3: 'nothing of that name, or more than one',
  4: 'no memory here, or a repository git-memory does not support',
  5: 'refused: it contradicts what happened since, a rule, or what is already there',
  6: 'busy: another process holds a lock; try again',
  7: 'refused content: a file or configuration of the wrong form, too large, or with a secret',
  8: 'damaged repository; nothing was changed',
  9: 'read only or closed, or a private text whose key is not here',
  10: 'the file system refused a read or write',
  11: 'an extractor failed',
  12: 'an embedder or language model is missing or failed',
  13: 'a remote cannot be reached; nothing is lost, and the next sync goes on',
  14: 'an expectation of the memory does not hold',
  130: 'interrupted; what was acknowledged stays',
};

const exitNumbers: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 2,
  INVALID_PATH: 2,
  INVALID_REF: 2,
  INVALID_MESSAGE: 2,
  INVALID_DATE: 2,
  NOT_FOUND: 3,
  AMBIGUOUS: 3,
  NOT_A_REPOSITORY: 4,
  NOT_A_MEMORY: 4,
  UNSUPPORTED_REPOSITORY: 4,
  UNTRUSTED_REPOSITORY: 4,
  INDEX_UNSUPPORTED: 4,
  CONFLICT: 5,
  MASS_REMOVAL: 5,
  UNACCEPTED: 5,
  IMMUTABLE: 5,
  PURGED: 5,
  ALREADY_EXISTS: 5,
  LOCKED: 6,
  REF_MOVED: 6,
  INVALID_RECORD: 7,
  INVALID_CONFIG: 7,
  TOO_LARGE: 7,
  REPOSITORY_CORRUPT: 8,
  UNSAFE_FILE: 8,
  SECRET: 7,
  QUOTA: 7,
  REF_CORRUPT: 8,
  BRANCH_LOST: 8,
  OBJECT_MISSING: 8,
  OBJECT_CORRUPT: 8,
  JOURNAL_CORRUPT: 8,
  PRIVATE_OPEN: 5,
  PRIVATE_DAMAGED: 8,
  PRIVATE_KEY_MISSING: 9,
  READ_ONLY: 9,
  CLOSED: 9,
  IO: 10,
  EXTRACTION_FAILED: 11,
  EMBEDDER_UNAVAILABLE: 12,
  EMBEDDING_FAILED: 12,
  MODEL_UNAVAILABLE: 12,
  MODEL_FAILED: 12,
  REMOTE_UNAVAILABLE: 13,
  REMOTE_REFUSED: 5,
  UNMET: 14,
};

/** Gives the exit number of an error code. */
export const exitNumberOf = (code: ErrorCode): number => exitNumbers[code];

/** Gives the exit number of anything thrown; 1 for what nobody foresaw. */
export function exitNumberOfError(error: unknown): number {
  if (isSystemError(error)) return exitNumbers.IO;
  return error instanceof MemoryError ? exitNumbers[error.code] : 1;
}

/** Gives the exit number of a failed program; that of a merge driver is one above 128, for lower ones are conflicts (gitattributes(5)). */
export function exitNumberOfFailure(verb: string | undefined, error: unknown): number {
  const number = exitNumberOfError(error);
  return verb === 'merge-driver' ? 128 + number : number;
}
