import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonItems } from '../../src/base/json-elements.ts';

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

const elements = (text: string, sizes: readonly number[] = [], maxBytes = 1 << 20) =>
  [...jsonItems(cut(text, sizes), maxBytes, (path, isList) => path.length === 0 && isList)].map((element) =>
    'text' in element ? { text: element.text } : { why: element.why },
  );

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

describe('a JSON object', () => {
  const chats = (path: readonly (string | number)[]) => path.length === 0 || path.at(-1) === 'messages';
  const items = (text: string, sizes: readonly number[] = []) =>
    [...jsonItems(cut(text, sizes), 1 << 20, chats)].map(({ path, ...rest }) => [
      path.join('.'),
      'text' in rest ? rest.text : rest.why,
    ]);

  it('comes out as the values of the members that are wanted one by one, with their paths', () => {
    const text = JSON.stringify({
      name: 'Trip, "2"',
      id: 7,
      messages: [{ text: ['a', { b: '}' }] }, 5, []],
      end: null,
    });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }), (sizes) => {
        expect(items(text, sizes)).toEqual([
          ['name', '"Trip, \\"2\\""'],
          ['id', '7'],
          ['messages.0', '{"text":["a",{"b":"}"}]}'],
          ['messages.1', '5'],
          ['messages.2', '[]'],
          ['end', 'null'],
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it('that is broken in one member, or torn, gives the others and says where', () => {
    expect(items('{"messages": [{"a": 1}, {"b" 2}, x, {"c": 3}], "z": 1')).toEqual([
      ['messages.0', '{"a": 1}'],
      ['messages.1', '{"b" 2}'],
      ['messages.2', 'x'],
      ['messages.3', '{"c": 3}'],
      ['z', 'ends in the middle'],
    ]);
    expect(items('{"messages": [{"a": 1},')).toEqual([
      ['messages.0', '{"a": 1}'],
      ['messages.1', 'ends in the middle'],
    ]);
  });
});
