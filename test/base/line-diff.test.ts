import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commonTailBytes, diffLines, diffNumbers, LineTable } from '../../src/base/line-diff.ts';
import { splitKeepingEnds } from '../../src/base/text.ts';
import { hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

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
  test('turns one into the other', () => {
    const pairs = fc.constantFrom(2, 4, 50).chain((alphabet) => fc.tuple(lines(alphabet, 40), lines(alphabet, 40)));
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        expect(apply(before, after).rebuilt).toEqual(after);
      }),
      { numRuns: 600 },
    );
  });

  test('needs the fewest edits where no line is frequent', () => {
    const distinct = fc.uniqueArray(fc.nat({ max: 40 }).map(String), { maxLength: 30 });
    fc.assert(
      fc.property(distinct, distinct, (before, after) => {
        expect(apply(before, after).edits).toBe(leastEdits(before, after));
      }),
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
    const [left, right] = [
      Array.from({ length: 9_000 }, (_, i) => `${i % 7}`),
      Array.from({ length: 9_000 }, (_, i) => `${i % 11}`),
    ];
    expect(apply(left, right).rebuilt).toEqual(right);
    const [mixed, other] = [
      Array.from({ length: 6_000 }, (_, i) => (i % 3 === 0 ? `anchor ${i}` : `old ${i % 7}`)),
      Array.from({ length: 6_000 }, (_, i) => (i % 3 === 0 ? `anchor ${i}` : `new ${i % 5}`)),
    ];
    expect(apply(mixed, other).rebuilt).toEqual(other);
  });

  test('gives the same hunks for lines that are numbered once for many texts', () => {
    const table = new LineTable();
    table.numbersOf(['earlier\n', 'text\n']);
    fc.assert(
      fc.property(lines(4, 20), lines(4, 20), (before, after) => {
        const hunks = diffNumbers(table.numbersOf(before), table.numbersOf(after), table);
        expect(hunks).toEqual(diffLines(before, after));
      }),
    );
  });
});

describe.skipIf(!hasGit)('commonTailBytes', () => {
  test('leaves out what git leaves out where it compares without context', () => {
    const tail = 'x\ny\nx\n'.repeat(1000);
    const pairs = [
      [`a\n${tail}`, `a\nx\ny\n${tail}`],
      [tail, `x\ny\nx\n${tail}`],
      [`a\nb\n${'z'.repeat(5000)}`, `a\nc\n${'z'.repeat(5000)}`],
      ['a\n', 'b\n'],
      ['', tail],
      [tail, tail],
    ] as const;
    const folder = temporaryFolder();
    for (const [before, after] of pairs) {
      writeFileSync(join(folder, 'a'), before);
      writeFileSync(join(folder, 'b'), after);
      const { stdout } = tryGit(folder, ['diff', '--no-index', '-U0', 'a', 'b']);
      const native = [...stdout.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map((match) =>
        match.slice(1).map((text) => Number(text ?? 1)),
      );
      const [left, right] = [Buffer.from(before), Buffer.from(after)];
      const tailBytes = commonTailBytes(left, right);
      const head = (bytes: Buffer) => splitKeepingEnds(bytes.subarray(0, bytes.length - tailBytes).toString());
      const hunks = diffLines(head(left), head(right)).map(({ beforeStart, beforeEnd, afterStart, afterEnd }) => [
        beforeEnd > beforeStart ? beforeStart + 1 : beforeStart,
        beforeEnd - beforeStart,
        afterEnd > afterStart ? afterStart + 1 : afterStart,
        afterEnd - afterStart,
      ]);
      expect(hunks).toEqual(native);
    }
  });
});
