// Memories with a clock and ids that tests can know.

import { getCurrentTest, onTestFinished } from '@vitest/runner';
import type { Clock, IdSource } from '../../src/base/ports.ts';
import { type Memory, type OpenOptions, openMemory } from '../../src/memory/open-memory.ts';
import { answer } from '../../src/store/git/file-errors.ts';
import { temporaryFolder } from './temporary.ts';

/** A clock that stands still until it is told to move; begins at 2026-02-16T09:00:00Z. */
export class ManualClock implements Clock {
  private time: number;

  constructor(start = '2026-02-16T09:00:00Z') {
    this.time = Date.parse(start);
  }

  now(): number {
    return this.time;
  }

  set(time: string): void {
    this.time = Date.parse(time);
  }

  advance(amount: { minutes?: number; hours?: number; days?: number }): void {
    this.time += (((amount.days ?? 0) * 24 + (amount.hours ?? 0)) * 60 + (amount.minutes ?? 0)) * 60_000;
  }
}

/** Ids that count up. */
export function countingIds(prefix = 'id'): IdSource {
  let count = 0;
  return { next: () => `${prefix}${String(++count).padStart(10, '0')}` };
}

/**
 * Begins a memory in a folder of its own, without syncs: these tests do not cut the power. `configuration` waits in it as memory.yaml. A test
 * lets go of it when it ends.
 */
export async function newTestMemory(
  options: Partial<Omit<OpenOptions, 'scope'>> = {},
  configuration?: string,
): Promise<{
  memory: Memory;
  clock: ManualClock;
  directory: string;
}> {
  const clock = new ManualClock();
  const directory = options.dir ?? temporaryFolder();
  const memory = await openMemory({
    create: true,
    durability: 'fast',
    clock,
    ids: countingIds(),
    ...options,
    dir: directory,
  });
  if (options.fs === undefined && getCurrentTest() !== undefined) onTestFinished(memory.dispose);
  if (configuration !== undefined) await writeConfiguration(memory, configuration);
  return { memory, clock, directory };
}

/** Writes memory.yaml, or another file that everyday writes do not reach, as a whole (`null`: away with it). It joins the batch. */
export async function writeConfiguration(memory: Memory, text: string | null, path = 'memory.yaml'): Promise<void> {
  await answer(() => memory.batch.write('config', () => ({ path, after: text }), { isConfiguration: true }));
}

/** Writes files, memory.yaml among them, in their order. */
export async function writeFiles(memory: Memory, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    if (path === 'memory.yaml') await writeConfiguration(memory, text);
    else await memory.write(path, text);
  }
}

/** Keys in memory, as a machine of its own would have them. */
export function keysOf(...texts: string[]) {
  return { place: '/elsewhere/keys', texts, read: () => texts, add: (text: string) => void texts.push(text) };
}
