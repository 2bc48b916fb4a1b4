import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeText } from '../../../src/store/merge/text.ts';
import { hasGit, tryGit } from '../../helpers/native-git.ts';

const line = fc.constantFrom('a', 'b', 'c', 'd', '', 'x\r');
const document = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('', '\n'))
  .map(([lines, end]) => lines.join('\n') + end);

describe('mergeText', () => {
  test('combines changes that stand apart, byte for byte', () => {
    const base = 'a\r\nb\nc\rC\nd\ne';
    expect(mergeText(base, base.replace('a', 'A'), base.replace('e', 'E'))).toEqual({
      clean: true,
      text: 'A\r\nb\nc\rC\nd\nE',
    });
  });

  test('keeps our side of a dispute, and never writes markers', () => {
    expect(mergeText('a\nb\nc\n', 'a\nB\nc\nd\n', 'a\nX\nc\n')).toEqual({ clean: false, text: 'a\nB\nc\nd\n' });
    expect(mergeText(null, 'a\n', 'b\n')).toEqual({ clean: false, text: 'a\n' });
  });

  test('takes the same change on both sides once', () => {
    expect(mergeText('a\nb\n', 'a\nb\nc\n', 'a\nb\nc\n')).toEqual({ clean: true, text: 'a\nb\nc\n' });
    expect(mergeText('a\nb\nc\n', 'A\nb\nC\n', 'A\nb\nc\n')).toEqual({ clean: true, text: 'A\nb\nC\n' });
  });

  test('of one changed side is that side', () => {
    fc.assert(
      fc.property(document, document, (base, changed) => {
        expect(mergeText(base, base, changed)).toEqual({ clean: true, text: changed });
        expect(mergeText(base, changed, base)).toEqual({ clean: true, text: changed });
        expect(mergeText(base, changed, changed)).toEqual({ clean: true, text: changed });
      }),
    );
  });

  test('does not depend on the order of the sides when it is clean', () => {
    fc.assert(
      fc.property(document, document, document, (base, ours, theirs) => {
        const there = mergeText(base, ours, theirs);
        const back = mergeText(base, theirs, ours);
        expect(back.clean).toBe(there.clean);
        if (there.clean) expect(back.text).toBe(there.text);
      }),
      { numRuns: 1000 },
    );
  });

  test.runIf(hasGit)('agrees with git merge-file wherever lines are distinct', () => {
    const folder = mkdtempSync(join(tmpdir(), 'merge-'));
    const edit = fc.tuple(fc.nat({ max: 12 }), fc.constantFrom('insert', 'remove', 'change'), fc.nat({ max: 99 }));
    const apply = (lines: string[], edits: [number, string, number][]): string => {
      const edited = [...lines];
      for (const [place, kind, value] of edits) {
        const at = Math.min(place, edited.length);
        edited.splice(at, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [`new ${value}`]));
      }
      return edited.map((each) => `${each}\n`).join('');
    };
    fc.assert(
      fc.property(
        fc.nat({ max: 12 }),
        fc.array(edit, { maxLength: 3 }),
        fc.array(edit, { maxLength: 3 }),
        (length, left, right) => {
          const lines = Array.from({ length }, (_, i) => `line ${i}`);
          const [base, ours, theirs] = [apply(lines, []), apply(lines, left), apply(lines, right)];
          const files = ['ours', 'base', 'theirs'].map((name) => join(folder, name));
          for (const [i, text] of [ours, base, theirs].entries()) writeFileSync(files[i] ?? '', text);
          const native = tryGit(folder, ['merge-file', '-p', '-q', ...files]);
          const merged = mergeText(base, ours, theirs);
          expect(merged.clean).toBe(native.status === 0);
          if (native.status === 0) expect(merged.text).toBe(native.stdout);
        },
      ),
      { numRuns: 150 },
    );
    rmSync(folder, { recursive: true });
  });

  test('of long files with many equal lines', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? '\n' : `line ${i % 500}\n`));
    const [ours, theirs] = [[...lines], [...lines]];
    ours[1] = 'ours\n';
    theirs[19_999] = 'theirs\n';
    expect(mergeText(lines.join(''), ours.join(''), theirs.join('')).clean).toBe(true);
  });
});
