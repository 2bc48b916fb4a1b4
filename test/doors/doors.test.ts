// Each rule holds at each door: what stands at one door stands at all of them.
//
// A rule is one entry of `rules`. A door is found at run time, and doors.ts says what comes in by it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/errors.ts';
import { storedIn } from '../helpers/traces.ts';
import { allDoors, type Brought, type Door, entriesWithoutDoor, good, newWorld, takenAt, type World, withStranger } from './doors.ts';
import { contentOf } from './worlds.ts';

/** What came of bringing something in. */
interface Outcome {
  readonly door: Door;
  readonly world: World;
  /** What the door refused it with. */
  readonly error: unknown;
  /** What lay on the disk before. */
  readonly before: string;
  readonly bad: string;
}

interface Rule {
  readonly name: string;
  /** Which of what is brought is bad; `field` for one that nobody knows beside it. */
  readonly part: keyof Brought | 'field';
  readonly bad: readonly string[];
  /** Where it holds, beside that the door takes such a part; default: everywhere. */
  applies?(door: Door): boolean;
  /** Says what is wrong; undefined where the rule holds. */
  wrong(outcome: Outcome): string | undefined;
}

const secret = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;

const rules: readonly Rule[] = [
  {
    name: 'a field that nobody knows is refused by its name, and nothing is written',
    part: 'field',
    bad: ['strangr'],
    applies: ({ kind }) => ['library', 'cli', 'tool', 'page'].includes(kind),
    wrong({ error, world, before, bad }) {
      if (!(error instanceof MemoryError && error.code === 'INVALID_ARGUMENT')) return `was not refused: ${error}`;
      if (!error.message.includes(bad)) return `is not named: ${error.message}`;
      return contentOf(world.directory) === before ? undefined : 'something was written';
    },
  },
];

const doors = await (async () => {
  const { memory } = await newWorld();
  const all = await allDoors(memory);
  memory.dispose();
  return all;
})();

it('each door says what comes in by it', () => {
  expect(new Set(doors.map(({ kind }) => kind)).size).toBe(8);
  expect(doors.filter(({ entry }) => entry === undefined).map(({ kind, name }) => `${kind} ${name}`)).toEqual([]);
  expect(entriesWithoutDoor(doors)).toEqual([]);
});
