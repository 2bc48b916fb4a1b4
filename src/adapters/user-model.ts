// Which model this user chose on this machine: `git memory model add` writes it, whoever opens a memory reads it.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../errors.ts';
import { userData } from './user-data.ts';

function file(): string {
  return path.join(userData(), 'model.json');
}

/** Says which model ranks wherever memory.yaml names none; empty for the table of the package. */
export function userModel(): { readonly model?: string } {
  try {
    const { default: model } = Object(JSON.parse(readFileSync(file(), 'utf8'))) as { default?: unknown };
    return typeof model === 'string' ? { model } : {};
  } catch (error) {
    // What is damaged chooses nothing; `model add` writes it anew.
    if (error instanceof SyntaxError || isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return {};
    throw error;
  }
}

/** Chooses a model, or none. */
export function chooseUserModel(model: string | null): void {
  if (model === null) {
    rmSync(file(), { force: true });
    return;
  }
  mkdirSync(path.dirname(file()), { recursive: true });
  const temporary = `${file()}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify({ default: model })}\n`);
  renameSync(temporary, file());
}
