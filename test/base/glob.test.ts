// Globs: what they match, by a slow and simple model, and that none is slow.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOfGlob, isGlob, matchesGlob } from '../../src/base/glob.ts';

/** The definition, by trying everything. */
function matchesSlowly(pattern: readonly string[], parts: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return parts.length === 0;
  if (first === '**') {
    return parts.some((_, at) => matchesSlowly(rest, parts.slice(at))) || matchesSlowly(rest, []);
  }
  return parts.length > 0 && partMatches(first, parts[0]!) && matchesSlowly(rest, parts.slice(1));
}

function partMatches(pattern: string, part: string): boolean {
  if (pattern === '') return part === '';
  if (pattern[0] === '*')
    return partMatches(pattern.slice(1), part) || (part !== '' && partMatches(pattern, part.slice(1)));
  return part !== '' && (pattern[0] === '?' || pattern[0] === part[0]) && partMatches(pattern.slice(1), part.slice(1));
}

describe('a glob', () => {
  it.each([
    ['knowledge/people/*.md', 'knowledge/people/ada.md', true],
    ['knowledge/people/*.md', 'knowledge/people/old/ada.md', false],
    ['knowledge/**', 'knowledge/a/b.md', true],
    ['knowledge/**/context.md', 'knowledge/context.md', true],
    ['knowledge/projects/*/context.md', 'knowledge/projects/a13/context.md', true],
    ['a/?.md', 'a/bc.md', false],
    ['a.md', 'aXmd', false],
  ])('%s on %s: %s', (pattern, path, matches) => {
    expect(matchesGlob(pattern, path)).toBe(matches);
  });

  it('matches what its definition says', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 4 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(part, fc.constant('**')), { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        (pattern, parts) => {
          expect(matchesGlob(pattern.join('/'), parts.join('/'))).toBe(matchesSlowly(pattern, parts));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('takes no more steps than both lengths together allow', () => {
    expect(matchesGlob('*a'.repeat(2000), 'a'.repeat(20_000).concat('b'))).toBe(false);
  });

  it('names the folder that everything it matches lies in', () => {
    expect([folderOfGlob('knowledge/people/*.md'), folderOfGlob('*.md'), folderOfGlob('a/b?/c/**')]).toEqual([
      'knowledge/people/',
      '',
      'a/',
    ]);
    expect([isGlob('a/b.md'), isGlob('a/*.md')]).toEqual([false, true]);
  });
});
