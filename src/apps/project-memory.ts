// One memory for one project: hooks, the server and the command line look for it in the same places, in the same order.
//
//   the folder that the program of a coding agent names ─► the folder of the caller ─► one's own memory
//
// Of a folder the memory is that of the repository that it lies in.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MemoryError } from '../base/errors.ts';
import type { MemoryPart } from '../memory/open-memory.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names the project of a coding agent, as its program tells what it starts: Claude Code, and for its sake Gemini CLI and Cursor. */
export function projectFolder({ CLAUDE_PROJECT_DIR: folder }: Environment): string | undefined {
  return folder !== undefined && folder !== '' && existsSync(folder) ? folder : undefined;
}

/** Gives the folder of one's own memory, whether there is one or not. */
export function ownMemory(environment: Environment): string {
  const data = environment.XDG_DATA_HOME;
  return join(data?.startsWith('/') ? data : join(homedir(), '.local/share'), 'git-memory/memory');
}

const elsewhere: readonly string[] = ['NOT_A_REPOSITORY', 'NOT_A_MEMORY', 'NOT_FOUND'];

/** Opens the memory of the first of these folders that has one; null where none has. Throws whatever else opening throws. */
export async function openFirst(
  folders: readonly (string | undefined)[],
  open: (folder: string) => Promise<MemoryPart>,
): Promise<MemoryPart | null> {
  for (const folder of new Set(folders)) {
    if (folder === undefined) continue;
    try {
      return await open(folder);
    } catch (error) {
      if (!(error instanceof MemoryError) || !elsewhere.includes(error.code)) throw error;
    }
  }
  return null;
}
