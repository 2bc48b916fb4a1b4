import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../../src/base/errors.ts';
import { maxPatternTextBytes } from '../../../src/store/guard/limits.ts';
import { compilePattern } from '../../../src/store/guard/pattern.ts';

const where = 'topics/standup.md, line 4';

async function failure(pattern: string | RegExp): Promise<MemoryError> {
  const error = await compilePattern(pattern, { where }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(MemoryError);
  return error as MemoryError;
}

describe('patterns that people write', () => {
  it('match as RE2 and RegExp do', async () => {
    const pattern = await compilePattern('\\bwe (decided|agreed)\\b', { where });
    expect(pattern.test('yesterday we decided to wait')).toBe(true);
    expect(pattern.test('yesterday we undecided')).toBe(false);
    expect((await compilePattern('^standup', { where, ignoreCase: true })).test('Standup notes')).toBe(true);
    expect((await compilePattern(/^standup$/im, { where })).test('today:\nSTANDUP\n')).toBe(true);
  });

  it('count occurrences as the RegExp of the platform does, line by line', async () => {
    const sources = ['a', 'ab?', '[ab]+', 'a|bb', '\\bab', '^a', 'b$', 'a.b', '(?:ab)+', 'é+'] as const;
    const patterns = await Promise.all(sources.map((source) => compilePattern(source, { where })));
    fc.assert(
      fc.property(
        fc.nat(sources.length - 1),
        fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' ', '\n'), maxLength: 40 }),
        (index, text) => {
          const native = new RegExp(sources[index]!, 'gu');
          const expected = text.split('\n').reduce((sum, line) => sum + [...line.matchAll(native)].length, 0);
          expect(patterns[index]!.count(text)).toBe(expected);
          expect(patterns[index]!.test(text)).toBe(new RegExp(sources[index]!, 'u').test(text));
        },
      ),
    );
  });

  it('count no empty occurrence', async () => {
    expect((await compilePattern('x*', { where })).count('aaxa\nxx')).toBe(2);
  });

  it.each([
    '(a',
    '[z-a]',
    'a{2,1}',
    '(?=a)b',
    '(?<!a)b',
    '(a)\\1',
    '*',
    'a**',
    '\\p{Nonsense}',
    'x{1001}',
    '('.repeat(1500),
  ])('say what is wrong with %s', async (source) => {
    const error = await failure(source);
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.message).toContain(where);
    expect(error.hint).toContain('RE2');
  });

  it('are refused when they are empty, too long, or repeat too much', async () => {
    expect((await failure('')).code).toBe('INVALID_ARGUMENT');
    expect((await failure(undefined as unknown as string)).code).toBe('INVALID_ARGUMENT');
    expect((await failure('a'.repeat(2001))).code).toBe('TOO_LARGE');
    expect((await failure('\\p{L}{1,1000}')).code).toBe('TOO_LARGE');
    expect((await failure('(?:[ab]{30}){30}')).code).toBe('TOO_LARGE');
    expect((await failure(/a(?=b)/)).code).toBe('INVALID_ARGUMENT');
  });

  it('refuse a text that is too large', async () => {
    const pattern = await compilePattern('a', { where });
    expect(pattern.test('b'.repeat(maxPatternTextBytes))).toBe(false);
    expect(() => pattern.test('b'.repeat(maxPatternTextBytes + 1))).toThrow(/allowed/);
    expect(() => pattern.count('b'.repeat(maxPatternTextBytes + 1))).toThrow(/allowed/);
    const large = await compilePattern('a', { where, maxTextBytes: 1 << 20 });
    expect(large.count(`${'b'.repeat(maxPatternTextBytes)}a`)).toBe(1);
  });

  it('end on what makes a backtracking engine run for years', async () => {
    const text = `${'a'.repeat(maxPatternTextBytes - 1)}!`;
    for (const source of [
      '(a+)+$',
      '^(a|a)*$',
      '(a|aa)+$',
      '(.*a){12}$',
      '^([a-z]+)*$',
      '(a*)*b',
      '^(([a-z])+.)+[A-Z]$',
    ]) {
      expect((await compilePattern(source, { where })).test(text)).toBe(false);
    }
  });

  it('give up counting in a line rather than take minutes', async () => {
    const pattern = await compilePattern('x*y|x', { where });
    expect(() => pattern.count('x'.repeat(maxPatternTextBytes))).toThrow(MemoryError);
    expect(pattern.count(`${'x'.repeat(60)}\n`.repeat(100))).toBe(6_000);
  });
});
