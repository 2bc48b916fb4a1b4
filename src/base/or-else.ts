// A value in the place of one that cannot be read, where that is no failure.

import { type ErrorCode, MemoryError } from './errors.ts';

/** Gives what a function gives, or `otherwise` where it throws a MemoryError, or an error of one of the codes that are named. */
export function orElse<Value, Other>(
  read: () => Value,
  otherwise: Other,
  ...codes: readonly (ErrorCode | SystemCode)[]
): Value | Other {
  try {
    return read();
  } catch (error) {
    const isMeant =
      codes.length === 0
        ? error instanceof MemoryError
        : codes.some((code) => code === (error as { code?: unknown }).code);
    if (isMeant && error instanceof Error) return otherwise;
    throw error;
  }
}

/** What a file system answers, such as `ENOENT`. */
type SystemCode = 'EACCES' | 'EEXIST' | 'EISDIR' | 'ENAMETOOLONG' | 'ENOENT' | 'ENOTDIR';

/** Does something, and tells whether it could: not where it throws what {@link orElse} has another value for. */
export function succeeds(act: () => unknown, ...codes: readonly (ErrorCode | SystemCode)[]): boolean {
  return orElse(() => [act()], null, ...codes) !== null;
}

/** Gives what a function gives, or `otherwise` where it throws whatever. */
export function attempt<Value, Other>(read: () => Value, otherwise: Other): Value | Other {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
