import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { formatFrontMatter, splitFrontMatter } from '../../../src/store/records/front-matter.ts';

const canary = globalThis as { canary?: unknown };
const invalid = expect.objectContaining({ code: 'INVALID_RECORD' });

afterEach(() => {
  delete canary.canary;
});

describe('splitFrontMatter', () => {
  test('gives data, and the body byte for byte', () => {
    const text = '---\ntype: memory\nupdated: 2026-02-16T18:00:00Z\n---\n\n# Core\r\nlast';
    const { data, body, hasFrontMatter, bodyLine, lineOf } = splitFrontMatter(text, 'a.md');
    expect(data).toEqual({ type: 'memory', updated: '2026-02-16T18:00:00Z' });
    expect(body).toBe('\n# Core\r\nlast');
    expect([hasFrontMatter, bodyLine, lineOf('updated'), lineOf('none')]).toEqual([true, 5, 3, undefined]);
  });

  test.each(['', 'text', '# Title\n---\na: 1\n---\n', ' ---\na: 1\n---\n', '----\na: 1\n----\n'])(
    'finds none in %j',
    (text) => {
      expect(splitFrontMatter(text, 'a.md')).toMatchObject({ data: {}, body: text, hasFrontMatter: false });
    },
  );

  test('reads files with CRLF, a byte-order mark, nothing but comments, or nothing at all', () => {
    expect(splitFrontMatter('\ufeff---\r\na: 1\r\n---\r\nx\r\n', 'a.md')).toMatchObject({
      data: { a: 1 },
      body: 'x\r\n',
    });
    expect(splitFrontMatter('---\n# note\n---\nx', 'a.md')).toMatchObject({
      data: {},
      body: 'x',
      hasFrontMatter: true,
    });
    expect(splitFrontMatter('---\n---', 'a.md')).toMatchObject({ data: {}, body: '', hasFrontMatter: true });
  });

  test('keeps dates, clocks and leading zeros as they were written', () => {
    const { data } = splitFrontMatter(
      '---\nday: 2026-02-16\nclock: 12:30:45\nid: 0123\nbig: 12345678901234567890\n---\n',
      'a',
    );
    expect(data).toEqual({ day: '2026-02-16', clock: '12:30:45', id: '0123', big: '12345678901234567890' });
  });

  const code = 'globalThis.canary = 1';
  test.each([
    `---js\n${code}\n---\n`,
    `---JS\n${code}\n---\n`,
    `--- js\n${code}\n---\n`,
    `---javascript\n{ a: (${code}) }\n---\n`,
    `---JavaScript\n${code}\n---\n`,
    `---coffee\n${code}\n---\n`,
    `---cson\n${code}\n---\n`,
    `---json\n{"a": 1}\n---\n`,
    `---constructor\n${code}\n---\n`,
    `---__proto__\n${code}\n---\n`,
    `---\n---js\n${code}\n---\n`,
    `\ufeff---js\n${code}\n---\n`,
    `---\na: 1\n---\n---js\n${code}\n---\n`,
    `---\nlanguage: js\nengines: {js: x}\n---\n${code}\n`,
  ])('runs nothing in %j', (text) => {
    try {
      const { data } = splitFrontMatter(text, 'a.md');
      expect(typeof data).toBe('object');
    } catch (error) {
      expect(error).toEqual(invalid);
    }
    expect(canary.canary).toBeUndefined();
  });

  test.each([
    '--- a\n---\n',
    '---js\n{}\n---\n',
    '---\na: 1\n',
    '---\na: [1\n---\n',
    '---\na: 1\na: 2\n---\n',
    '---\n- a\n---\n',
    '---\nword\n---\n',
    '---\na: &x 1\nb: *x\n---\n',
    '---\na: &x 1\n---\n',
    '---\na: !!js/function x\n---\n',
    '---\na: !!str 1\n---\n',
    '---\n__proto__: {x: 1}\n---\n',
    '---\n"__proto__": 1\n---\n',
    '---\na: {__proto__: 1}\n---\n',
    '---\n? {a: 1}\n: 2\n---\n',
    `---\na: ${'['.repeat(25)}${']'.repeat(25)}\n---\n`,
    `---\n${Array.from({ length: 201 }, (_, i) => `k${i}: 1`).join('\n')}\n---\n`,
  ])('refuses %j, the second time too', (text) => {
    expect(() => splitFrontMatter(text, 'a.md')).toThrow(invalid);
    expect(() => splitFrontMatter(text, 'a.md')).toThrow(invalid);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test('names path and line of what is wrong', () => {
    expect(() => splitFrontMatter('---\na: 1\nb: *x\n---\n', 'topics/a.md')).toThrow(/topics\/a\.md:3 has an alias/);
  });

  // The limit of the runner is the judge: what takes each of them apart the long way does not come to an end.
  test('answers hostile YAML', () => {
    const bombs = [
      `a: ${'['.repeat(60_000)}`,
      `a: ${'{b: '.repeat(15_000)}`,
      `${'- '.repeat(30_000)}x`,
      Array.from({ length: 8_000 }, (_, i) => `k${i}: `).join('\n'),
      `a: &a [x,x]\n${Array.from({ length: 25 }, (_, i) => `k${i}: &k${i} [*a,*a,*a]`).join('\n')}`,
      `a: "${'\\'.repeat(60_000)}`,
    ];
    for (const bomb of bombs) {
      expect(() => splitFrontMatter(`---\n${bomb}\n---\n`, 'bomb.md')).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/INVALID_RECORD|TOO_LARGE/) }),
      );
    }
  });

  test('refuses front matter above its size', () => {
    expect(() => splitFrontMatter(`---\na: ${'x'.repeat(70_000)}\n---\n`, 'a.md')).toThrow(
      expect.objectContaining({ code: 'TOO_LARGE' }),
    );
  });

  test('hands out data of its own with every call', () => {
    const text = '---\na: [1]\n---\n';
    (splitFrontMatter(text, 'a.md').data.a as number[]).push(2);
    expect(splitFrontMatter(text, 'a.md').data).toEqual({ a: [1] });
  });
});

describe('formatFrontMatter', () => {
  test('writes short lists of words on one line, others in block style', () => {
    const data = { tags: ['a', 'b'], subscriptions: ['knowledge/a.md'], skipped: undefined, nested: [{ path: 'x' }] };
    expect(formatFrontMatter(data, '# x\n')).toBe(
      '---\ntags: [a, b]\nsubscriptions:\n  - knowledge/a.md\nnested:\n  - path: x\n---\n# x\n',
    );
  });

  test('without data is the body alone, unless the body would be mistaken', () => {
    expect(formatFrontMatter({}, 'text')).toBe('text');
    const body = '---\na: 1\n---\n';
    expect(splitFrontMatter(formatFrontMatter({}, body), 'a.md')).toMatchObject({ data: {}, body });
  });

  test('is read back as it was', () => {
    const key = fc.stringMatching(/^[a-z_]{1,8}$/).filter((name) => name !== '__proto__');
    const leaf = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const awkward = fc.constantFrom(
      'yes',
      '1.0',
      '0x1',
      '~',
      'null',
      '2026-02-16',
      '- x',
      'a: b',
      '#',
      ' x ',
      '---',
      '\n',
      '!t',
      '&a',
      '*a',
      '|',
      '0123',
    );
    const value = fc.oneof(
      leaf,
      awkward,
      fc.array(fc.oneof(leaf, awkward), { maxLength: 4 }),
      fc.dictionary(key, leaf, { maxKeys: 3 }),
    );
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 6 }), fc.string(), (data, body) => {
        const plain = JSON.parse(JSON.stringify(data));
        const split = splitFrontMatter(formatFrontMatter(plain, body), 'a.md');
        expect(split.data).toEqual(plain);
        expect(split.body).toBe(body);
        expect(Object.keys(split.data)).toEqual(Object.keys(plain));
      }),
      { numRuns: 300 },
    );
  });
});
