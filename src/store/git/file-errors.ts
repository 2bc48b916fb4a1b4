// Makes errors with a code, a place and a hint of what the file system throws, with no secret in them.

import { MemoryError } from '../../base/errors.ts';
import { findSecrets, redactSecrets } from '../guard/secrets.ts';

/** The failure that something else than a file or folder stands where one should. */
export function unsafeFile(path: string, cause?: unknown): MemoryError {
  return new MemoryError('UNSAFE_FILE', 'a link, pipe or device is in the place of an ordinary file or folder', {
    where: path,
    hint: 'The engine follows no links inside a repository; replace it by a file or folder',
    cause,
  });
}

/** Turns an error of the file system into a {@link MemoryError} of code IO; passes every other value through. */
export function asMemoryError(error: unknown): unknown {
  if (error instanceof MemoryError || !(error instanceof Error)) return error;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return new MemoryError('IO', `the file system answered ${code} to ${syscall}`, {
    where: path ?? 'unknown path',
    hint: `${ioAdvice[code] ?? 'Repeat the call'}; nothing of it was acknowledged, and what was saved before is intact`,
    cause: error,
  });
}

/** Runs a call of the public surface and turns errors of the file system into {@link MemoryError}s. */
export async function answer<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw discreet(asMemoryError(error));
  }
}

/**
 * Gives an error that does not quote a secret: the text that could not be read is a part of many messages.
 *
 * The place is no such text where it is a path of this machine: a folder with a random name must still be named.
 */
function discreet(error: unknown): unknown {
  if (!(error instanceof MemoryError) || error.code === 'IO') return error;
  const { code, what, where, hint } = error;
  const cause = error.cause instanceof Error ? error.cause.message : '';
  const place = where !== undefined && /^(?:\/|[A-Za-z]:\/)/.test(where) ? where : null;
  const apart = (text: string) => (place === null ? [text] : text.split(place));
  if (apart(`${error.message}\n${cause}`).every((part) => findSecrets(part).length === 0)) return error;
  const redacted = (text: string) =>
    apart(text)
      .map((part) => redactSecrets(part))
      .join(place ?? '');
  return new MemoryError(code, redacted(what), {
    ...(where === undefined ? {} : { where: redacted(where) }),
    ...(hint === undefined ? {} : { hint: redacted(hint) }),
  });
}

const ioAdvice: Record<string, string> = {
  ENOSPC: 'The disk is full: free some space and repeat the call',
  EDQUOT: 'The disk quota is used up: free some space and repeat the call',
  EACCES: 'Check the permissions of that path and repeat the call',
  EPERM: 'Check the permissions of that path and repeat the call',
  EROFS: 'The file system is mounted read only: open the memory with readOnly or from another place',
  EMFILE: 'Too many files are open: close some or raise the limit (ulimit -n) and repeat the call',
  ENFILE: 'Too many files are open on this machine: repeat the call later',
};
