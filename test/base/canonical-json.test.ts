import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatJson, isSameJson, parseJson, sortKeys } from '../../src/base/canonical-json.ts';

describe('canonical JSON', () => {
  test('indents by two, keeps the order of keys and ends in a line feed', () => {
    expect(formatJson({ b: 1, a: [] })).toBe('{\n  "b": 1,\n  "a": []\n}\n');
  });

  test('comes back as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__') && !/\d{16}/.test(text));
        expect(parseJson(formatJson(value), 'a.json')).toEqual(JSON.parse(text));
      }),
    );
  });

  test('is the same bytes for equal values once keys are sorted', () => {
    const dictionary = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.integer(),
    );
    fc.assert(
      fc.property(dictionary, (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(formatJson(sortKeys({ x: [reversed] }))).toBe(formatJson(sortKeys({ x: [value] })));
        expect(isSameJson(reversed, value)).toBe(true);
      }),
    );
  });

  test('names file and line of a syntax error', () => {
    expect(() => parseJson('{\n"a":\n}', 'memories/x.json')).toThrow(/memories\/x\.json:3 is not valid JSON/);
    expect(() => parseJson('{"a":', 'x.json')).toThrow(expect.objectContaining({ code: 'INVALID_RECORD' }));
  });

  test.each(['{"__proto__":{"x":1}}', '{"\\u005f_proto__":1}', '{"a":{"__proto__":1}}'])(
    'refuses the key __proto__ in %s',
    (text) => {
      expect(() => parseJson(text, 'x.json')).toThrow(expect.objectContaining({ code: 'INVALID_RECORD' }));
      expect(({} as { x?: number }).x).toBeUndefined();
    },
  );

  test('takes the word __proto__ in a value for text', () => {
    expect(parseJson('{"a":"__proto__"}', 'x.json')).toEqual({ a: '__proto__' });
  });

  test('keeps the digits of integers that a number would round', () => {
    const parsed = parseJson('{"a":12345678901234567890,"b":"9007199254740993","c":1234567890123456,"d":1.5}', 'x');
    expect(parsed).toEqual({ a: '12345678901234567890', b: '9007199254740993', c: 1234567890123456, d: 1.5 });
  });

  test('refuses to nest deeper than sixty-four levels', () => {
    expect(() => parseJson(`${'['.repeat(65)}${']'.repeat(65)}`, 'deep')).toThrow(/deeper than 64/);
    expect(() => parseJson('['.repeat(200_000), 'deep')).toThrow(expect.objectContaining({ code: 'INVALID_RECORD' }));
  });

  test('reads past a byte-order mark', () => {
    expect(parseJson('\ufeff{"a":1}', 'x')).toEqual({ a: 1 });
  });
});
