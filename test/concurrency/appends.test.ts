// Two appends are never a conflict: whatever the engine and a person append, in whatever order somebody commits, stops or dies, all of it is
// readable at once and in history in the end, once, under ids that do not change.
//
//   FAULT_SEED=n   the same lives again     FAULT_MINUTES=n   as many lives as fit

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goingOn, longRunMs, seed } from '../helpers/long-run.ts';
import { hasGit } from '../helpers/native-git.ts';
import { type Kind, kinds, Life, type Place, places, type Step } from './appends.ts';

const simple = [
  'append',
  'type',
  'typeTaken',
  'typeStale',
  'stage',
  'gitCommit',
  'commitStaged',
  'discard',
  'commit',
  'shutdown',
  'kill',
] as const;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...simple).map((does) => ({ does })) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom('appendKilled' as const, 'commitKilled' as const), at: fc.nat(120) }),
  },
);

const livesInARound = 10;

async function live(kind: Kind, place: Place, steps: readonly Step[]): Promise<void> {
  const life = new Life(kind, place);
  await life.begin();
  for (const one of steps) await life.step(one);
  await life.finish();
}

describe.runIf(hasGit)('what the engine and a person append to one file', () => {
  const lives = places.flatMap((place) => kinds.map((kind) => [kind, place] as const));

  it.each(lives)('all stays: %s, %s', { timeout: longRunMs }, async (kind, place) => {
    const goesOn = goingOn(1);
    let count = 0;
    for (let round = 0; goesOn(round); round++) {
      const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 9 }), (steps) => {
        count += 1;
        return live(kind, place, steps);
      });
      await fc.assert(property, { numRuns: livesInARound, seed: seed + round });
    }
    if (process.env.FAULT_MINUTES !== undefined) console.log(`${kind}, ${place}: ${count} lives from seed ${seed}`);
    expect(count).toBeGreaterThanOrEqual(livesInARound);
  });
});
