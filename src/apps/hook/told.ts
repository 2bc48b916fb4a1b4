// What a session has heard, so that it hears it once. An agent that edits a file ten times has read of it the first time.
//
//   cache/told    { session: [first 16 hex digits of the SHA-1 of a text, …] } as JSON, the sessions of last

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { MemoryPart } from '../../memory/open-memory.ts';
import type { Repository } from '../../store/git/repository.ts';

type Told = Readonly<Record<string, readonly string[]>>;

const mostSessions = 16;
/** Of more texts a session hears the oldest again. */
const mostTexts = 500;

const pathIn = ({ ownDirectory }: Repository): string => `${ownDirectory}/cache/told`;

function readTold(path: string): Told {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Told;
  } catch {
    return {};
  }
}

function writeTold({ disk }: Repository, path: string, told: Told): void {
  try {
    disk.replace(path, [Buffer.from(JSON.stringify(told))], { sync: false });
  } catch {
    // Whoever cannot note it says it again.
  }
}

/** Tells whether a session hears a text for the first time, and notes that it did. Without a name of the session it always does. */
export function isNews({ store: { repository } }: MemoryPart, session: string | undefined, text: string): boolean {
  if (session === undefined) return true;
  const path = pathIn(repository);
  const { [session]: known = [], ...others } = readTold(path);
  const name = createHash('sha1').update(text).digest('hex').slice(0, 16);
  if (known.includes(name)) return false;
  const sessions = [...Object.entries(others), [session, [...known, name].slice(-mostTexts)] as const];
  writeTold(repository, path, Object.fromEntries(sessions.slice(-mostSessions)));
  return true;
}

/** Forgets what a session has heard: its window is a new one. */
export function forgetTold({ store: { repository } }: MemoryPart, session: string | undefined): void {
  const { [session ?? '']: known, ...others } = readTold(pathIn(repository));
  if (known !== undefined) writeTold(repository, pathIn(repository), others);
}
