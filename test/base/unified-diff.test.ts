import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../src/base/unified-diff.ts';
import { hasGit, tryGit } from '../helpers/native-git.ts';
import { projectRoot } from '../helpers/program.ts';
import { random as randomNumbers } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** What native git says about pairs of texts: hunks without file headers, in one run for all. */
function nativeDiffs(pairs: readonly (readonly [string, string])[], ...options: string[]): string[] {
  const folder = temporaryFolder();
  for (const side of ['a', 'b']) mkdirSync(join(folder, side));
  for (const [number, [before, after]] of pairs.entries()) {
    writeFileSync(join(folder, 'a', `${number}.txt`), before);
    writeFileSync(join(folder, 'b', `${number}.txt`), after);
  }
  const { stdout } = tryGit(folder, ['diff', '--no-index', '--no-ext-diff', '--text', '-U3', ...options, 'a', 'b']);
  const found = pairs.map(() => '');
  for (const part of stdout.split(/^diff --git a\/a\//m).slice(1)) {
    const hunks = part.indexOf('\n@@ ');
    found[Number.parseInt(part, 10)] = part.slice(hunks + 1);
  }
  return found;
}

function randomLines(random: (below: number) => number, count: number, alphabet: number): string[] {
  const indents = ['', '', ' ', '  ', '    ', '\t', '\t  ', '        '];
  return Array.from({ length: count }, () => {
    const line = random(alphabet);
    if (line % 9 === 0) return ['', ' ', '\t', '\r'][line % 4]!;
    return `${indents[line % indents.length]}line ${line}`;
  });
}

function edited(random: (below: number) => number, lines: readonly string[], edits: number, alphabet: number) {
  const result = [...lines];
  for (let edit = 0; edit < edits; edit += 1) {
    const place = random(result.length + 1);
    const kind = random(4);
    if (kind === 0) result.splice(place, random(5));
    else if (kind === 1) result.splice(place, 0, ...randomLines(random, random(5), alphabet));
    else if (kind === 2) result.splice(place, 1, ...randomLines(random, 1, alphabet));
    // A copied or moved block is what makes hunks slide.
    else result.splice(random(result.length + 1), 0, ...result.slice(place, place + random(8)));
  }
  return result;
}

function expectSame(pairs: readonly (readonly [string, string])[]): void {
  const native = nativeDiffs(pairs);
  for (const [number, [before, after]] of pairs.entries()) {
    const { text } = unifiedDiff(before, after);
    if (text !== native[number]) expect({ before, after, text }).toEqual({ before, after, text: native[number] });
  }
  expect(native.some((text) => text !== '')).toBe(true);
}

describe.skipIf(!hasGit)('unifiedDiff', () => {
  test('is that of git for short texts of few different lines', () => {
    const line = fc.constantFrom('a', 'b', '  a', '\tb', '', ' ', '}', 'é\u2028', 'a\r');
    const text = fc
      .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('', '\n'))
      .map(([lines, end]) => lines.join('\n') + (lines.length > 0 ? end : ''));
    expectSame(fc.sample(fc.tuple(text, text), { numRuns: 1500, seed: 42 }));
  });

  test('is that of git for edited texts of any size', () => {
    const random = randomNumbers(7);
    const pairs = Array.from({ length: 400 }, (): [string, string] => {
      const alphabet = [3, 8, 30, 200, 2000][random(5)]!;
      const lines = randomLines(random, random(300), alphabet);
      const after = edited(random, lines, random(30), alphabet);
      return [lines.join('\n'), `${after.join('\n')}\n`];
    });
    expectSame(pairs);
  });

  test('is that of git where a search is cut short', () => {
    const random = randomNumbers(11);
    const pairs = Array.from({ length: 12 }, (_, number): [string, string] => {
      const alphabet = [2, 5, 50, 1000, 4000][number % 5]!;
      const size = 2000 + random(4000);
      const lines = randomLines(random, size, alphabet);
      const after = number < 6 ? randomLines(random, size, alphabet) : edited(random, lines, 1500, alphabet);
      return [`${lines.join('\n')}\n`, `${after.join('\n')}\n`];
    });
    expectSame(pairs);
  }, 600_000);

  test('is that of git for real texts in which blocks were moved, copied and taken out', () => {
    const random = randomNumbers(5);
    const files = [
      'README.md',
      'ARCHITECTURE.md',
      'src/memory/memory.ts',
      'src/store/git/refs.ts',
      'package.json',
      'src/base/text.ts',
    ];
    const pairs = files.flatMap((file) => {
      const lines = readFileSync(join(projectRoot, file), 'utf8').split('\n');
      return Array.from({ length: 25 }, (): [string, string] => {
        const after = [...lines];
        for (let edit = 0; edit <= random(4); edit += 1) {
          const block = lines.slice(random(lines.length)).slice(0, 1 + random(25));
          const place = random(after.length);
          if (random(2) === 0) after.splice(place, random(25));
          else after.splice(place, 0, ...block);
        }
        return [lines.join('\n'), after.join('\n')];
      });
    });
    expectSame(pairs);
  });

  test('cuts headings as git does', () => {
    const heading = (text: string) =>
      [`${text}\n1\n2\n3\n4\n5\n6\n7\n`, `${text}\n1\n2\n3\n4\n5\nsix\n7\n`] as [string, string];
    expectSame(
      [
        '_x',
        '$',
        'ä',
        `x${'é'.repeat(60)}`,
        `${'x'.repeat(79)}é`,
        `${'y'.repeat(70)}        z        z`,
        'tail \t \r',
        ' no',
      ].map(heading),
    );
  });
});
