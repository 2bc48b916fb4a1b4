import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkMemoryPath, checkPath, foldPath } from '../../../src/store/guard/path.ts';

const invalid = expect.objectContaining({ code: 'INVALID_PATH' });

describe('checkPath', () => {
  test.each([
    'knowledge/people/ada.md',
    'memories/3f/a1b2c3d4-0000.json',
    'raw/conversations/2026/02/16/1845-ses_a1b2c3d4-autopoiesis.md',
    '.gitignore',
    '.gitattributes',
    '.github/workflows/ci.yml',
    '.gitx/config',
    'a/git~x',
    'knowledge/Ärger über Öl.md',
    'knowledge/日本語/🎉.md',
    'a/-rf.md',
    'console.md',
    'comma.md',
    'knowledge/100%.md',
    `${'d/'.repeat(31)}f`,
    'x'.repeat(255),
  ])('passes %j', (path) => {
    expect(checkPath(path)).toBe(path);
  });

  test.each([
    '',
    '/',
    '/etc/passwd',
    'a//b',
    'a/',
    '.',
    '..',
    '../x',
    'a/../b',
    'a/./b',
    '.git',
    '.git/config',
    'a/.GIT/hooks/pre-commit',
    '.Git/config',
    'git~1/config',
    'GIT~1',
    'a/git~2/x',
    '.git./config',
    '.git /config',
    '.git...',
    '.g\u200cit/config',
    '.git\u200b',
    '\u202e.git',
    '.git::$INDEX_ALLOCATION/config',
    '.git\\config',
    'a\\b',
    'C:/x',
    'a:b',
    'a\0b',
    'a\nb',
    'a\u0085b',
    'a\u202eb',
    'a\ufeffb',
    'a\ud800b',
    'a\u2028b',
    'a/b.',
    'a/b ',
    'a./b',
    'con',
    'CON.md',
    'a/nul',
    'aux.tar.gz',
    'com1',
    'COM¹.txt',
    'lpt9.md',
    'prn .md',
    'conin$',
    'a/.gitmodules',
    'a/.GITMODULES',
    'knowledge/.gitattributes',
    'a/gitmod~1',
    'gi7eba~1',
    '%2e%2e/x',
    'a/.%2E/b',
    '..%2fx',
    'a%5cb',
    'what?.md',
    'a*b',
    '<a>',
    'a|b',
    'x'.repeat(256),
    'é'.repeat(128),
    `${'d/'.repeat(32)}f`,
    `${'abcdefg/'.repeat(20)}${'x/'.repeat(10)}${'y'.repeat(250)}/${'y'.repeat(250)}/${'y'.repeat(250)}/${'y'.repeat(250)}`,
  ])('refuses %j', (path) => {
    expect(() => checkPath(path)).toThrow(invalid);
  });

  test('gives the composed form', () => {
    expect(checkPath('knowledge/Cafe\u0301.md')).toBe('knowledge/Caf\u00e9.md');
  });

  test('shows what it refused without the characters that made it so', () => {
    expect(() => checkPath('a\u202e\u001b[2J')).toThrow(/^[^\u202e\u001b]*$/);
  });

  test('refuses what is no string', () => {
    for (const path of [undefined, null, 3, {}]) expect(() => checkPath(path as never)).toThrow(invalid);
  });

  test('passes its own results, and nothing that climbs or enters .git', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
      fc.constantFrom('..', '.', '.git', '.GIT', 'git~1', 'con', 'a', 'b.md', '.git\u200d', '.git.'),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        let checked: string;
        try {
          checked = checkPath(parts.join('/'));
        } catch {
          return;
        }
        expect(checkPath(checked)).toBe(checked);
        const visible = checked
          .replace(/[\p{Cf}]/gu, '')
          .toLowerCase()
          .split('/');
        for (const segment of visible) expect(['', '.', '..', '.git', 'git~1', 'con']).not.toContain(segment);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('checkMemoryPath', () => {
  test.each(['memory.yaml', '.meta.json', 'state/counts.json', 'TODO.md', '.memory/graph.md', 'knowledge/a.md'])(
    'passes %s',
    (path) => {
      expect(checkMemoryPath(path)).toBe(path);
    },
  );

  test.each([
    'AGENTS.md',
    'src/index.ts',
    'knowledge',
    'Knowledge/a.md',
    '.gitmodules',
    'memory.yaml/x',
    '../knowledge/a.md',
  ])('refuses %s', (path) => {
    expect(() => checkMemoryPath(path)).toThrow(invalid);
  });
});

test('twins fold to the same key', () => {
  for (const [a, b] of [
    ['knowledge/Ada.md', 'KNOWLEDGE/ada.MD'],
    ['Caf\u00e9', 'cafe\u0301'],
    ['stra\u00dfe', 'STRASSE'],
    ['\u212a', 'k'],
    ['\u03a3\u03c3\u03c2', '\u03c3\u03a3\u03c3'],
  ] as const) {
    expect(foldPath(a)).toBe(foldPath(b));
  }
  expect(foldPath('ada')).not.toBe(foldPath('adb'));
});
