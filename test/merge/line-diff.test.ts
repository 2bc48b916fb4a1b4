import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLines } from '../../src/merge/line-diff.ts';

const lines = (alphabet: number, maxLength: number) =>
  fc.array(fc.nat({ max: alphabet - 1 }).map(String), { maxLength });

function apply(before: readonly string[], after: readonly string[]): { rebuilt: string[]; edits: number } {
  const rebuilt: string[] = [];
  let [place, edits] = [0, 0];
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffLines(before, after)) {
    rebuilt.push(...before.slice(place, beforeStart), ...after.slice(afterStart, afterEnd));
    place = beforeEnd;
    edits += beforeEnd - beforeStart + afterEnd - afterStart;
  }
  return { rebuilt: [...rebuilt, ...before.slice(place)], edits };
}

/** The textbook table, for comparison. */
function leastEdits(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, line] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries()) {
      next.push(line === other ? (row[j] ?? 0) : Math.min(row[j + 1] ?? 0, next[j] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

describe('diffLines', () => {
  test('turns one into the other with the fewest edits', () => {
    const pairs = fc.constantFrom(2, 4, 50).chain((alphabet) => fc.tuple(lines(alphabet, 25), lines(alphabet, 25)));
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        const { rebuilt, edits } = apply(before, after);
        expect(rebuilt).toEqual(after);
        expect(edits).toBe(leastEdits(before, after));
      }),
      { numRuns: 600 },
    );
  });

  test('has a common line between any two hunks', () => {
    fc.assert(
      fc.property(lines(3, 20), lines(3, 20), (before, after) => {
        const hunks = diffLines(before, after);
        for (const [i, hunk] of hunks.slice(1).entries()) {
          expect(hunk.beforeStart).toBeGreaterThan(hunks[i]?.beforeEnd ?? 0);
          expect(hunk.afterStart).toBeGreaterThan(hunks[i]?.afterEnd ?? 0);
        }
      }),
    );
  });

  test('is right, if not shortest, for texts with little in common', () => {
    const before = Array.from({ length: 6_000 }, (_, i) => (i % 3 === 0 ? `anchor ${i}` : `old ${i % 7}`));
    const after = Array.from({ length: 6_000 }, (_, i) => (i % 3 === 0 ? `anchor ${i}` : `new ${i % 5}`));
    const { rebuilt, edits } = apply(before, after);
    expect(rebuilt).toEqual(after);
    expect(edits).toBe(8_000);
    const [left, right] = [
      Array.from({ length: 9_000 }, (_, i) => `${i % 7}`),
      Array.from({ length: 9_000 }, (_, i) => `${i % 11}`),
    ];
    expect(apply(left, right).rebuilt).toEqual(right);
  });
});
