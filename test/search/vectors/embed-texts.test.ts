import { describe, expect, it } from 'vitest';
import { type Embedder, ephemeralFileSystem, MemoryError } from '../../../src/index.ts';
import { embedMissing, embedQuery, embedTexts, textHash } from '../../../src/search/vectors/embed-texts.ts';
import { VectorCache } from '../../../src/search/vectors/vector-cache.ts';
import { Disk } from '../../../src/store/git/disk.ts';

function embedderOf(embed: Embedder['embed']): Embedder {
  return { name: 'test', fingerprint: 'test 1', dimensions: 2, embed };
}

async function rejection(promise: Promise<unknown>): Promise<MemoryError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MemoryError);
  return error as MemoryError;
}

const answering = (...vectors: unknown[]) => embedderOf(async () => vectors as Float32Array[]);

describe('embedding texts', () => {
  it('gives unit vectors, also of an embedder that does not, and leaves vectors of nothing', async () => {
    const vectors = [Float32Array.of(3, 4), Float32Array.of(0, 0), Float32Array.of(0, -1)];
    const embedded = await embedTexts(answering(...vectors), ['a', '', 'b']);
    expect(embedded.map((vector) => [...vector])).toEqual([
      [Math.fround(0.6), Math.fround(0.8)],
      [0, 0],
      [0, -1],
    ]);
  });

  it('says to the embedder what is a question', async () => {
    const kinds: unknown[] = [];
    const embedder = embedderOf(async (texts, options) => {
      kinds.push(options?.kind);
      return texts.map(() => Float32Array.of(1, 0));
    });
    await embedTexts(embedder, ['a']);
    await embedQuery(embedder, 'a');
    expect(kinds).toEqual([undefined, 'query']);
  });

  it.each([
    ['too few vectors', answering(), 'returned 0 vectors for 1 texts'],
    ['no list', embedderOf(async () => 'vectors' as never), 'returned no list of vectors for 1 texts'],
    ['wrong dimensions', answering(new Float32Array(3)), 'a vector of 3 dimensions, not a Float32Array of 2'],
    ['another type', answering([1, 0]), 'a vector of another type'],
    ['not a number', answering(Float32Array.of(Number.NaN, 0)), 'a component that is not a number'],
    ['infinity', answering(Float32Array.of(Number.POSITIVE_INFINITY, 0)), 'a component that is not a number'],
    [
      'an error of its own',
      embedderOf(() => Promise.reject(new Error('out of coffee'))),
      'the embedder test failed: out of coffee',
    ],
    [
      'a thrown error',
      embedderOf(() => {
        throw new TypeError('no such thing');
      }),
      'the embedder test failed: no such thing',
    ],
  ])('answers %s with what was wrong', async (_, embedder, message) => {
    const error = await rejection(embedTexts(embedder, ['a']));
    expect(error.code).toBe('EMBEDDING_FAILED');
    expect(error.message).toContain(message);
  });
});

describe('embedding what is missing', () => {
  const place = () => ({
    disk: new Disk(ephemeralFileSystem(), false),
    directory: '/cache',
    logger: { warn: () => {} },
  });
  const texts = (...words: string[]) => words.map((text) => ({ hash: textHash(text), text }));
  const counting = () => {
    const seen: string[] = [];
    const embedder = embedderOf(async (asked) => {
      seen.push(...asked);
      return asked.map((text) => Float32Array.of(text.length, 1));
    });
    return { seen, embedder };
  };

  it('embeds each text once, ever', async () => {
    const { seen, embedder } = counting();
    const where = place();
    const cache = new VectorCache(embedder, where);
    expect(await embedMissing(cache, embedder, texts('a', 'bb', 'a'))).toBe(2);
    expect(await embedMissing(cache, embedder, texts('bb', 'ccc'))).toBe(1);
    expect(await embedMissing(new VectorCache(embedder, where), embedder, texts('a', 'bb', 'ccc'))).toBe(0);
    expect(seen).toEqual(['a', 'bb', 'ccc']);
  });

  it('says how far it is', async () => {
    const { embedder } = counting();
    const words = Array.from({ length: 70 }, (_, number) => `word ${number}`);
    const progress: string[] = [];
    await embedMissing(new VectorCache(embedder, place()), embedder, texts(...words), {
      onProgress: ({ done, total }) => progress.push(`${done}/${total}`),
    });
    expect(progress).toEqual(['0/70', '32/70', '64/70', '70/70']);
  });

  it('keeps what was embedded before it was stopped or failed', async () => {
    const words = Array.from({ length: 100 }, (_, number) => `word ${number}`);
    const where = place();
    const stop = new AbortController();
    const { embedder } = counting();
    const stopped = embedMissing(new VectorCache(embedder, where), embedder, texts(...words), {
      signal: stop.signal,
      onProgress: ({ done }) => done === 64 && stop.abort(new Error('enough')),
    });
    await expect(stopped).rejects.toThrow('enough');
    const cache = new VectorCache(embedder, where);
    expect(cache.size).toBe(64);
    await embedMissing(cache, embedder, texts(...words));
    expect(cache.size).toBe(100);
  });
});
