// Where the keys of private texts lie on this machine: one file of the user, and the environment.

import nodeFs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { isSystemError, MemoryError } from '../base/errors.ts';
import type { KeyStore } from '../base/ports.ts';
import { parseKey } from '../store/records/private-text.ts';

/**
 * Keeps keys one a line in `git-memory/keys` of the user's configuration folder (XDG_CONFIG_HOME, else ~/.config), which only the user may
 * read. `GIT_MEMORY_KEY` of the environment holds further ones, separated by blanks or commas.
 *
 * `read` throws PRIVATE_KEY_MISSING for a line or word that is no key: what was mistyped must not pass for absent.
 */
export function userKeys(environment: NodeJS.ProcessEnv = process.env): KeyStore {
  const configuration = environment.XDG_CONFIG_HOME || `${environment.HOME ?? homedir()}/.config`;
  const path = resolve(configuration, 'git-memory/keys');
  return {
    place: path,
    read() {
      const lines = readLines(path);
      const words = (environment.GIT_MEMORY_KEY ?? '').split(/[\s,]+/).filter((word) => word !== '');
      for (const [at, line] of lines.entries()) checkKey(line, `${path}:${at + 1}`);
      for (const word of words) checkKey(word, 'GIT_MEMORY_KEY');
      return [...lines.filter((line) => !isRemark(line)), ...words];
    },
    add(text) {
      nodeFs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const lines = readLines(path);
      const temporary = `${path}.${process.pid}`;
      nodeFs.writeFileSync(temporary, `${[...lines, text].join('\n')}\n`, { mode: 0o600, flag: 'wx' });
      nodeFs.renameSync(temporary, path);
    },
  };
}

function readLines(path: string): string[] {
  try {
    return nodeFs
      .readFileSync(path, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw new MemoryError('IO', 'the keys of private texts cannot be read', { where: path, cause: error });
  }
}

const isRemark = (line: string): boolean => line.startsWith('#');

function checkKey(text: string, where: string): void {
  if (isRemark(text) || parseKey(text) !== null) return;
  throw new MemoryError('PRIVATE_KEY_MISSING', 'this is not a key of git-memory, or it was mistyped', {
    where,
    hint: 'A key begins with gmk1_ and has 53 characters; copy all of it from `git memory key show`',
  });
}
