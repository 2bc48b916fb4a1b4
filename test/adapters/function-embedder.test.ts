import { describe, expect, it } from 'vitest';
import { type FunctionEmbedderOptions, functionEmbedder } from '../../src/adapters/function-embedder.ts';
import { MemoryError } from '../../src/base/errors.ts';
import { embedTexts } from '../../src/search/vectors/embed-texts.ts';

const made: FunctionEmbedderOptions = {
  name: 'lengths',
  fingerprint: '1',
  dimensions: 2,
  embed: (texts) => texts.map((text) => [text.length, 0]),
};

describe('a function as an embedder', () => {
  it('gives vectors of unit length, whether it is prompt or promises', async () => {
    for (const embed of [made.embed, async (texts: readonly string[]) => texts.map(() => Float32Array.of(7, 0))]) {
      const vectors = await embedTexts(functionEmbedder({ ...made, embed }), ['a', 'bcd']);
      expect(vectors.map((vector) => [...vector])).toEqual([
        [1, 0],
        [1, 0],
      ]);
    }
  });

  it('is told apart by name and fingerprint', () => {
    const prints = [made, { ...made, fingerprint: '2' }, { ...made, name: 'other' }].map(
      (options) => functionEmbedder(options).fingerprint,
    );
    expect(new Set(prints).size).toBe(3);
  });

  it('that answers something else is told so', async () => {
    for (const wrong of [['text'], [{}], [[1, 2, 3]], [[Number.NaN, 1]], [null], 5, [['a', 'b']]]) {
      const embedder = functionEmbedder({ ...made, embed: () => wrong as never });
      await expect(embedTexts(embedder, ['a'])).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' });
    }
  });

  it.each([
    { name: '' },
    { fingerprint: undefined },
    { dimensions: 0 },
    { dimensions: 1.5 },
    { embed: 'function' },
  ] as unknown as Partial<FunctionEmbedderOptions>[])('with %j is refused', (part) => {
    expect(() => functionEmbedder({ ...made, ...part })).toThrow(MemoryError);
  });
});
