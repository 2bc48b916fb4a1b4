// A value in the place of one that cannot be read, where that is no failure.

import { type ErrorCode, MemoryError } from './errors.ts';

/** Gives what a function gives, or `otherwise` where it throws a MemoryError: any, or one of the codes that are named. */
export function orElse<Value, Other>(
  read: () => Value,
  otherwise: Other,
  ...codes: readonly ErrorCode[]
): Value | Other {
  try {
    return read();
  } catch (error) {
    if (error instanceof MemoryError && (codes.length === 0 || codes.includes(error.code))) return otherwise;
    throw error;
  }
}
