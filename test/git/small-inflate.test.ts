import { constants, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inflateSmall, maxSmallBytes } from '../../src/git/small-inflate.ts';

const repeated = fc
  .tuple(
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
    fc.integer({ min: 1, max: 60 }),
    fc.uint8Array({ maxLength: 200 }),
  )
  .map(([part, times, rest]) =>
    Buffer.concat([...Array.from({ length: times }, () => part), rest]).subarray(0, maxSmallBytes),
  );

describe('small zlib streams', () => {
  for (const [name, options] of [
    ['stored', { level: 0 }],
    ['with the fixed codes', { strategy: constants.Z_FIXED }],
    ['with the fixed codes and a small window', { strategy: constants.Z_FIXED, windowBits: 9, level: 9 }],
  ] as const) {
    it(`give what was deflated, ${name}, wherever they begin and whatever follows`, () => {
      fc.assert(
        fc.property(fc.oneof(repeated, fc.uint8Array({ maxLength: 600 })), fc.nat(20), (content, start) => {
          const bytes = Buffer.concat([Buffer.alloc(start, 7), deflateSync(content, options), Buffer.alloc(30, 9)]);
          expect(inflateSmall(bytes, start, content.length)?.equals(content)).toBe(true);
        }),
        { numRuns: 300 },
      );
    });
  }

  it('give what was deflated with codes of their own, nearly always', () => {
    const words = [
      'memory',
      'commit',
      'branch',
      'decision',
      'context',
      'prefers',
      'cache',
      'plan',
      '\n',
      ' ',
      'é',
      '0x1f',
    ];
    const text = fc
      .array(fc.constantFrom(...words), { minLength: 30, maxLength: 400 })
      .map((all) => Buffer.from(all.join(' ')));
    const bytes = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 3000 }).map((all) => Buffer.from(all));
    let [own, left] = [0, 0];
    fc.assert(
      fc.property(fc.oneof(text, bytes), fc.constantFrom(1, 6, 9), (content, level) => {
        const small = content.subarray(0, maxSmallBytes);
        const deflated = deflateSync(small, { level });
        const found = inflateSmall(deflated, 0, small.length);
        if (found === null) left += 1;
        else {
          expect(found.equals(small)).toBe(true);
          if (((deflated[2]! >> 1) & 3) === 2) own += 1;
        }
      }),
      { numRuns: 400 },
    );
    expect(own).toBeGreaterThan(100);
    expect(left).toBeLessThan(own / 10);
  });

  it('are refused when a bit is flipped, when they are cut, and when the size is another', () => {
    const content = Buffer.from('tree of many entries, tree of many leaves, tree of many entries; '.repeat(4));
    for (const options of [{ level: 0 }, { strategy: constants.Z_FIXED }, { strategy: constants.Z_HUFFMAN_ONLY }]) {
      const deflated = deflateSync(content, options);
      for (let bit = 0; bit < deflated.length * 8; bit++) {
        const damaged = Buffer.from(deflated);
        damaged[bit >>> 3]! ^= 1 << (bit & 7);
        const found = inflateSmall(damaged, 0, content.length);
        // Bits that pad the last byte, and the level that the head names, mean nothing.
        expect(found === null || found.equals(content)).toBe(true);
      }
      for (let length = 0; length < deflated.length; length++) {
        expect(inflateSmall(deflated.subarray(0, length), 0, content.length)).toBeNull();
      }
      for (const size of [0, content.length - 1, content.length + 1])
        expect(inflateSmall(deflated, 0, size)).toBeNull();
    }
  });
});
