// What a session has heard, so that it hears it once, and up to which turn its agent was asked. An agent that edits a file ten times has read of
// it the first time.
//
//   cache/told     { session: [first 16 hex digits of the SHA-1 of a line, …] } as JSON, the sessions of last
//   cache/asked    { conversation: number of a turn }

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { attempt } from '../../base/errors.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { privateMode } from '../../store/git/permissions.ts';

const mostSessions = 16;
/** Of more lines a session hears the oldest again. */
const mostTexts = 500;

const pathOf = ({ store: { repository } }: MemoryPart, name: string): string =>
  `${repository.ownDirectory}/cache/${name}`;

function read<Value>(memory: MemoryPart, name: string): Readonly<Record<string, Value>> {
  return attempt(() => JSON.parse(readFileSync(pathOf(memory, name), 'utf8')) as Readonly<Record<string, Value>>, {});
}

/** Notes something of a session; undefined takes it away. */
function note<Value>(memory: MemoryPart, name: string, session: string, value: Value | undefined): void {
  const { [session]: known, ...others } = read<Value>(memory, name);
  if (known === value) return;
  const own = value === undefined ? [] : [[session, value] as const];
  const sessions = [...Object.entries(others), ...own].slice(-mostSessions);
  // Where it cannot be noted it is said again.
  keepJson(memory, pathOf(memory, name), Object.fromEntries(sessions));
}

/** Keeps a value in a file of a cache; a disk that refuses costs the next one what this one took. */
export function keepJson({ store: { repository } }: MemoryPart, path: string, value: unknown): void {
  const { disk } = repository;
  try {
    disk.makeDirectory(path.slice(0, path.lastIndexOf('/')), privateMode);
    disk.replace(path, [Buffer.from(JSON.stringify(value))], { sync: false });
  } catch {
    // What is not kept is found out again.
  }
}

const nameOf = (line: string): string => createHash('sha1').update(line).digest('hex').slice(0, 16);

/** Tells what a session has heard; without a name of the session that is nothing. */
export function heardBy(memory: MemoryPart, session = ''): (line: string) => boolean {
  const { [session]: known = [] } = read<readonly string[]>(memory, 'told');
  return (line) => known.includes(nameOf(line));
}

/** Notes lines that a session hears. */
export function noteTold(memory: MemoryPart, session: string | undefined, lines: readonly string[]): void {
  if (session === undefined || lines.length === 0) return;
  const { [session]: known = [] } = read<readonly string[]>(memory, 'told');
  note(memory, 'told', session, [...known, ...lines.map(nameOf)].slice(-mostTexts));
}

/** Forgets what a session has heard: its window is a new one. */
export const forgetTold = (memory: MemoryPart, session: string | undefined): void =>
  note(memory, 'told', session ?? '', undefined);

/** Gives the first turn of a conversation that the agent was not asked about, and notes that it is asked up to `to`. */
export function unasked(memory: MemoryPart, path: string, to: number): number {
  const { [path]: last = 0 } = read<number>(memory, 'asked');
  note(memory, 'asked', path, to);
  return last + 1;
}
