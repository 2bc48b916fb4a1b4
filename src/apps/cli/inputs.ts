// Texts that a command line names: files, and standard input as "-".

import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isSystemError, MemoryError, orElse } from '../../base/errors.ts';

/** A text above this is no conversation; reading on would only fill memory. */
const maxInputBytes = 256 * 1024 * 1024;

/** Reads a file, or standard input for `-`, as UTF-8. Throws NOT_FOUND, IO, TOO_LARGE (above `maxBytes`, default 256 MiB), INVALID_RECORD. */
export async function readInput(
  name: string,
  current: string,
  standardInput: Readable,
  maxBytes = maxInputBytes,
): Promise<string> {
  const shown = name === '-' ? 'standard input' : name;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of name === '-' ? standardInput : fs.createReadStream(resolve(current, name))) {
      chunks.push(Buffer.from(chunk as Buffer));
      size += (chunk as Buffer).length;
      if (size > maxBytes) {
        throw new MemoryError('TOO_LARGE', `the input has more than ${maxBytes >> 20} MiB`, {
          where: shown,
          hint: 'Split it into several files',
        });
      }
    }
  } catch (error) {
    throw inputError(error, shown);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new MemoryError('INVALID_RECORD', 'the input is not UTF-8 text', {
      where: shown,
      hint: 'Convert it to UTF-8 first',
      cause,
    });
  }
}

/** Files that a command line names, read and overwritten as they are; throws as {@link readInput} does. */
export function namedFiles(current: string): { read(name: string): Buffer; write(name: string, bytes: Buffer): void } {
  const answer = <T>(name: string, act: (path: string) => T): T => {
    try {
      return act(resolve(current, name));
    } catch (error) {
      throw inputError(error, name);
    }
  };
  return {
    read: (name) =>
      answer(name, (path) => {
        if (fs.statSync(path).size <= maxInputBytes) return fs.readFileSync(path);
        throw new MemoryError('TOO_LARGE', 'the file has more than 256 MiB', { where: name });
      }),
    write: (name, bytes) => answer(name, (path) => fs.writeFileSync(path, bytes)),
  };
}

/** Gives what takes away all that a folder will hold then, and folders that are not there yet; null for one that holds something. */
export function newFolder(path: string): (() => void) | null {
  const missing: string[] = [];
  for (let at = path; !fs.existsSync(at); at = dirname(at)) missing.push(at);
  if (missing.length === 0 && orElse(() => fs.readdirSync(path).length > 0, true)) return null;
  return () => {
    for (const name of fs.readdirSync(path)) fs.rmSync(join(path, name), { recursive: true, force: true });
    // A folder into which somebody else put something stays.
    orElse(() => missing.forEach((folder) => void fs.rmdirSync(folder)), undefined);
  };
}

function inputError(error: unknown, where: string): unknown {
  if (isSystemError(error, 'ENOENT', 'ENOTDIR')) {
    return new MemoryError('NOT_FOUND', 'there is no such file', {
      where,
      hint: /\s/.test(where) ? 'To keep words, use --text or `git memory capture note`' : 'Check the name',
      cause: error,
    });
  }
  if (isSystemError(error, 'EISDIR'))
    return new MemoryError('IO', 'this is a folder', { where, hint: 'Name the files in it', cause: error });
  if (error instanceof Error && 'code' in error && !(error instanceof MemoryError)) {
    return new MemoryError('IO', `the file cannot be read: ${error.message}`, {
      where,
      hint: 'Check its permissions',
      cause: error,
    });
  }
  return error;
}
