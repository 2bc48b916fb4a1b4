import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBranchName, checkRefName } from '../../../src/store/guard/ref-name.ts';
import { hasGit, tryGit } from '../../helpers/native-git.ts';

const invalid = expect.objectContaining({ code: 'INVALID_REF' });

function isAccepted(check: (name: string) => string, name: string): boolean {
  try {
    return check(name) === name;
  } catch (error) {
    expect(error).toEqual(invalid);
    return false;
  }
}

const names = [
  'refs/heads/main',
  'refs/heads/memory/main',
  'refs/tags/memory/weekly/2026-W07',
  'refs/heads/a@b',
  'refs/heads/@',
  'refs/heads/a.b',
  'refs/heads/ü',
  'refs/heads',
  'refs/heads/.a',
  'refs/heads/a..b',
  'refs/heads/a.',
  'refs/heads/a./b',
  'refs/heads/a.lock',
  'refs/heads/a.lock/b',
  'refs/heads/a@{b',
  'refs/heads/a b',
  'refs/heads/a~b',
  'refs/heads/a^b',
  'refs/heads/a:b',
  'refs/heads/a?b',
  'refs/heads/a*b',
  'refs/heads/a[b',
  'refs/heads/a\\b',
  'refs/heads//a',
  'refs/heads/a/',
  'refs/heads/a\x7f',
  'refs/heads/a\tb',
  'refs/heads/../../config',
];

describe('checkRefName', () => {
  test.runIf(hasGit)('agrees with git check-ref-format', () => {
    for (const name of names) {
      expect([name, isAccepted(checkRefName, name)]).toEqual([
        name,
        tryGit('.', ['check-ref-format', name]).status === 0,
      ]);
    }
  });

  test.runIf(hasGit)('agrees with git on whatever is made of the special characters', () => {
    const piece = fc.constantFrom('a', '.', '..', '/', '@', '{', '.lock', '~', ' ', '\\', 'é', '-', '*', '\u0001');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const name = `refs/heads/${pieces.join('')}`;
        expect([name, isAccepted(checkRefName, name)]).toEqual([
          name,
          tryGit('.', ['check-ref-format', name]).status === 0,
        ]);
      }),
      { numRuns: 150 },
    );
  });

  test.each(['HEAD', 'main', 'ref/heads/main', '', 'refs', 'refs/', `refs/heads/${'x'.repeat(251)}`])(
    'refuses %j',
    (name) => {
      expect(() => checkRefName(name)).toThrow(invalid);
    },
  );
});

describe('checkBranchName', () => {
  test.each(['main', 'explore/what-if', 'extract/v2.1'])('passes %s', (name) => {
    expect(checkBranchName(name)).toBe(name);
  });

  test.each(['', '-f', '--upload-pack=x', 'HEAD', '@', 'a b', 'a\u202eb', '/a', 'a.lock', '.a', '../x'])(
    'refuses %j',
    (name) => {
      expect(() => checkBranchName(name)).toThrow(invalid);
    },
  );
});
