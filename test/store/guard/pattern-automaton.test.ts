// Patterns of topics: what they find is what RE2 finds, and none takes more steps than it may.

import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { MemoryError, orElse } from '../../../src/base/errors.ts';
import { globPattern } from '../../../src/store/guard/glob.ts';
import { neededWords, ScannedText, StepBudget, scanPattern } from '../../../src/store/guard/pattern-automaton.ts';
import { parsePattern } from '../../../src/store/guard/pattern-tree.ts';

function thrownBy(action: () => unknown): MemoryError {
  try {
    action();
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function find(pattern: string, text: string): string | null {
  const scanned = new ScannedText(text);
  const found = scanPattern(pattern, 'the test').find(scanned, new StepBudget(scanned));
  return found === null || found === 'costly' ? found : scanned.at(found);
}

describe('a pattern', () => {
  it.each([
    ['email|inbox|mail', 'Look into the INBOX please', 'INBOX'],
    ['\\b(deploy|rollback)\\b', 'deployment is not it', null],
    ['\\b(deploy|rollback)\\b', 'now roll… rollback!', 'rollback'],
    ['print [^(]', 'print "hello"', 'print "'],
    ['^urgent', 'very urgent', null],
    ['(?m)^urgent$', 'so:\nurgent\nthanks', 'urgent'],
    ['a.c', 'a\nc', null],
    ['(?s)a.c', 'a\nc', 'a\nc'],
    ['\\d{4}-\\d\\d?-\\d{1,2}', 'on 2026-2-16', '2026-2-1'],
    ['übung', 'Eine ÜBUNG', 'ÜBUNG'],
    ['\\bübung\\b', 'die Übungen', null],
    ['\\p{Greek}+!', 'καλημέρα!', 'καλημέρα!'],
    ['[[:digit:]]x', 'a 7x', '7x'],
    ['[^\\s]@[a-z]', 'me@home', 'e@h'],
    ['\\Qa.b\\E', 'axb a.b', 'a.b'],
    ['x{0}y', 'y', 'y'],
    ['(a*)*b', 'aaab', 'aaab'],
    ['👍+', 'so 👍👍', '👍'],
    ['\\x{1f44d}', '👍', '👍'],
    ['[]a]', ']', ']'],
    ['a|', 'zzz', ''],
  ])('%s finds in %j %j', (pattern, text, expected) => {
    expect(find(pattern, text)).toBe(expected);
  });

  it.each([
    ['(a', 'a ( that is never closed'],
    ['a)', 'a ) that nothing opens'],
    ['[a', 'a [ that is never closed'],
    ['*a', 'repeats nothing'],
    ['a**', 'repeats what is repeated'],
    ['a{3,2}', 'the first number above the second'],
    ['a{2000}', 'repeats more than 1000 times'],
    ['(?=a)b', 'looks ahead'],
    ['(a)\\1', 'refers back'],
    ['\\p{Nonsense}', 'cannot be read'],
    ['[z-a]', 'cannot be read'],
    ['[[:nonsense:]]', 'unknown class'],
    ['\\y', 'unknown escape'],
    ['a\\', 'ends in a backslash'],
    ['', 'is empty'],
    ['('.repeat(500), 'groups in groups'],
  ])('%s is refused with its place', (pattern, why) => {
    const error = thrownBy(() => scanPattern(pattern, 'topics/x.md:4'));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', where: 'topics/x.md:4' });
    expect(error.what).toContain(why);
  });

  it.each(['(a{1000}){1000}', '((a{100}){100}){100}', 'a'.repeat(3000)])(
    'that would be too large is refused: %.20s',
    (pattern) => {
      expect(thrownBy(() => scanPattern(pattern, 'x')).code).toBe('TOO_LARGE');
    },
  );

  it('finds what RE2 finds', () => {
    const atom = fc.oneof(
      fc.constantFrom('a', 'b', 'c', '.', '\\w', '\\d', '\\s', '[ab]', '[^a]', '\\b', '^', '$', '7', ' ', '(?:)'),
      fc.constantFrom('ab', 'bc', 'cab'),
    );
    const { pattern } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        fc.array(tie('item'), { minLength: 1, maxLength: 4 }).map((items) => items.join('')),
        fc.array(tie('item'), { minLength: 2, maxLength: 3 }).map((items) => items.join('|')),
      ),
      item: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc
          .tuple(tie('pattern'), fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '*?'))
          .map(([inner, sign]) => `(?:${inner})${sign}`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', '7', ' ', '\n', '_'), maxLength: 24 });
    fc.assert(
      fc.property(pattern, text, (source, words) => {
        fc.pre(RE2JS.compile(source).programSize() < 150);
        // RE2 makes less of repetitions within repetitions; what is within its size may be beyond ours.
        const found = orElse(() => find(source, words), 'too large', 'TOO_LARGE');
        fc.pre(found !== 'too large');
        const expected = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE).test(words);
        expect([source, words, found !== null]).toEqual([source, words, expected]);
      }),
      { numRuns: 2000 },
    );
  });

  it('names words that every text it fits has', () => {
    const needs = (pattern: string) => neededWords(parsePattern(pattern, 'x'));
    expect(needs('\\b(deploy|production|rollback)\\b')).toEqual(['deploy', 'production', 'rollback']);
    expect(needs('pull requests?')).toEqual(['pull request']);
    expect(needs('\\d+ eggs|\\d+ hens')).toEqual([' eggs', ' hens']);
    expect(needs('\\d+|hens')).toBeNull();
    expect(needs('(eggs)*')).toBeNull();
    expect(needs('[ab]+(xyz)+')).toEqual(['xyz']);
  });
});

describe('a pattern that was made to hang a process', () => {
  const letters = Array.from({ length: 2000 }, (_, at) => ((at * 7919) % 31 < 15 ? 'a' : 'b')).join('');

  it.each([
    '[ab]*a[ab]{90}c',
    '([ab]{0,60}a){1,2}c',
    '.*a.{180}!',
    '(?:.{0,40}a){4}[^ab]',
    '(a?){120}a{120}c',
    '(.*)(.*)(.*)(.*)(.*)!',
  ])('%s takes no more steps than it may', (pattern) => {
    const text = new ScannedText(letters);
    const budget = new StepBudget(text);
    const before = budget.left;
    const found = scanPattern(pattern, 'x').find(text, budget);
    expect([null, 'costly']).toContain(found);
    // What was begun at a character is finished.
    expect(before - budget.left).toBeLessThan(budget.each + 2000);
  });

  it('is given up when what all patterns may take is used up', () => {
    const text = new ScannedText(letters);
    const budget = new StepBudget(text);
    const pattern = scanPattern('[ab]*a[ab]{180}[cd]', 'x');
    const answers = Array.from({ length: 40 }, () => pattern.find(text, budget));
    expect(answers.at(-1)).toBe('costly');
    expect(budget.left).toBeGreaterThan(-2000);
  });
});

describe('a glob', () => {
  it.each([
    ['*.py', 'src/deep/app.py', true],
    ['*.py', 'app.pyc', false],
    ['src/*.py', 'src/app.py', true],
    ['src/*.py', 'src/deep/app.py', false],
    ['src/**/*.py', 'src/app.py', true],
    ['src/**/*.py', 'src/a/b/app.py', true],
    ['**/test', 'test', true],
    ['src/**', 'src/a/b', true],
    ['*.{md,txt}', 'notes.TXT', true],
    ['file?.[ch]', 'file1.c', true],
    ['file?.[!c]', 'file1.c', false],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['/etc/hosts', 'etc/hosts', true],
    ['a+b(c).md', 'a+b(c).md', true],
  ])('%s and %s: %s', (glob, path, isFitting) => {
    expect(find(globPattern(glob, 'x'), path) !== null).toBe(isFitting);
  });

  it('of a hundred stars takes no time', () => {
    const text = new ScannedText('a'.repeat(300));
    const found = scanPattern(globPattern(`${'*a'.repeat(100)}*b`, 'x'), 'x').find(text, new StepBudget(text));
    expect([null, 'costly']).toContain(found);
  });

  it.each(['[a', '{a,b', ''])('%j is refused', (glob) => {
    expect(thrownBy(() => globPattern(glob, 'x')).code).toBe('INVALID_ARGUMENT');
  });
});
