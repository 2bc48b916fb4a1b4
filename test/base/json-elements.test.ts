import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonElements } from '../../src/base/json-elements.ts';

function cut(text: string, sizes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes.length === 0 ? bytes.length : sizes[turn % sizes.length]!;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

const elements = (text: string, sizes: readonly number[] = [], maxBytes = 1 << 20) => [
  ...jsonElements(cut(text, sizes), maxBytes),
];

describe('a JSON list', () => {
  it('comes out as its elements, however it is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
        fc.constantFrom(undefined, 1, '\t'),
        (values, sizes, space) => {
          const found = elements(JSON.stringify(values, null, space), sizes);
          expect(found.map((element) => ('text' in element ? JSON.parse(element.text) : element))).toEqual(
            JSON.parse(JSON.stringify(values)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('that is none is one element', () => {
    expect(elements('\ufeff {"a": [1, 2]} ', [2])).toEqual([{ text: '{"a": [1, 2]}' }]);
    expect(elements('[]')).toEqual([]);
    expect(elements('')).toEqual([]);
    expect(elements('no json, at all')).toEqual([{ text: 'no json, at all' }]);
  });

  it('that is torn gives what is whole, and says so', () => {
    expect(elements('[{"a":"x,]"},{"b":[1')).toEqual([{ text: '{"a":"x,]"}' }, { why: 'ends in the middle' }]);
    expect(elements('[1, 2')).toEqual([{ text: '1' }, { why: 'ends in the middle' }]);
    expect(elements('[1] trailing')).toEqual([{ text: '1' }, { text: 'trailing' }]);
  });

  it('may have an element that is too large, which costs no other', () => {
    const large = JSON.stringify('x'.repeat(500));
    expect(elements(`[1,${large},2]`, [7], 100)).toEqual([{ text: '1' }, { why: 'is too large' }, { text: '2' }]);
  });
});
