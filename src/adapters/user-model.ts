// Which models this user chose on this machine: `git memory model add` and `model use` write it, whoever opens a memory reads it.
//
//   <user's data>/model.json   { "default": "minilm", "scorer": "keep", "reader": "command/claude" }
//
// The first ranks, the second says which turns are worth keeping, the third reads conversations.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../base/errors.ts';
import type { ModelUse } from '../base/types.ts';
import { userData } from './user-data.ts';

const keys = { search: 'default', keeping: 'scorer', reading: 'reader' } as const satisfies Record<
  ModelUse | 'reading',
  string
>;

const file = (): string => path.join(userData(), 'model.json');

function chosen(): Partial<Record<(typeof keys)[keyof typeof keys], string>> {
  try {
    const known = Object(JSON.parse(readFileSync(file(), 'utf8'))) as Record<string, unknown>;
    return Object.fromEntries(
      Object.values(keys).flatMap((key) => (typeof known[key] === 'string' ? [[key, known[key]]] : [])),
    );
  } catch (error) {
    // What is damaged chooses nothing; `model add` writes it anew.
    if (error instanceof SyntaxError || isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return {};
    throw error;
  }
}

/** Says which model ranks wherever memory.yaml names none; empty for the table of the package. */
export function userModel(): { readonly model?: string } {
  const { default: model } = chosen();
  return model === undefined ? {} : { model };
}

/** Says which scorer of turns decides what is worth keeping; undefined for the scorers of the package. */
export const userScorer = (): string | undefined => chosen().scorer;

/** Says which language model reads conversations where nobody names another; undefined for the rules. */
export const userReader = (): string | undefined => chosen().reader;

/** Chooses a model for something, or none. */
export function chooseUserModel(model: string | null, use: keyof typeof keys): void {
  const { [keys[use]]: _, ...others } = chosen();
  const now = model === null ? others : { ...others, [keys[use]]: model };
  if (Object.keys(now).length === 0) {
    rmSync(file(), { force: true });
    return;
  }
  mkdirSync(path.dirname(file()), { recursive: true });
  const temporary = `${file()}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(now)}\n`);
  renameSync(temporary, file());
}
