import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { textHash } from '../../../src/search/vectors/embed-texts.ts';
import { formatSegment, parseSegment } from '../../../src/search/vectors/segment.ts';
import { VectorCache } from '../../../src/search/vectors/vector-cache.ts';
import { Disk } from '../../../src/store/git/disk.ts';
import { failingFileSystem } from '../../helpers/failing-fs.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const embedder = { fingerprint: 'letters 1', dimensions: 26 };
let directory: string;
let warnings: string[];

beforeEach(() => {
  directory = temporaryFolder();
  warnings = [];
});

/** Counts letters. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(26);
  for (const letter of text) vector[letter.charCodeAt(0) - 97]! += 1;
  const length = Math.hypot(...vector);
  return vector.map((count) => count / length);
}

function openCache({ fileSystem = fs as never, of = embedder, inMemory = false } = {}): VectorCache {
  const logger = { warn: (message: string) => void warnings.push(message) };
  return new VectorCache(of, { disk: new Disk(fileSystem, false), directory: inMemory ? null : directory, logger });
}

function files(suffix = '.segment'): string[] {
  return fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(suffix))
    .map((name) => path.join(directory, name));
}

function addAll(cache: VectorCache, texts: readonly string[]): void {
  for (const text of texts) cache.add(textHash(text), vectorOf(text));
}

describe('a cache of vectors', () => {
  it('leaves those of three other embedders, and lets go of what was written before', () => {
    const named = (number: number) => ({ ...embedder, fingerprint: `letters ${number}` });
    for (let number = 1; number <= 6; number++) {
      const cache = openCache({ of: named(number) });
      addAll(cache, ['ada', 'bob']);
      cache.save();
      for (const file of files()) {
        // Each as if it had been written a minute after the one before.
        const isNew = fs.statSync(file).mtimeMs > Date.now() - 60_000;
        if (isNew) fs.utimesSync(file, number * 60, number * 60);
      }
    }
    expect(files()).toHaveLength(4);
    expect([1, 2, 3, 4, 5, 6].map((number) => openCache({ of: named(number) }).size)).toEqual([0, 0, 2, 2, 2, 2]);
  });

  it('gives the next process what was saved, and nothing that was not', () => {
    const cache = openCache();
    addAll(cache, ['ada', 'bob']);
    cache.save();
    addAll(cache, ['eve']);

    const next = openCache();
    expect(next.size).toBe(2);
    for (const text of ['ada', 'bob']) {
      const row = next.rowOf(textHash(text))!;
      expect([...next.table.vectorOf(row)]).toEqual([...cache.table.vectorOf(cache.rowOf(textHash(text))!)]);
    }
    expect(next.rowOf(textHash('eve'))).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('keeps one vector per text', () => {
    const cache = openCache();
    const row = cache.add(textHash('ada'), vectorOf('ada'));
    expect(cache.add(textHash('ada'), vectorOf('zzz'))).toBe(row);
    expect(cache.size).toBe(1);
  });

  it('takes in what others saved meanwhile, each text once', () => {
    const [one, other] = [openCache(), openCache()];
    addAll(one, ['ada', 'bob']);
    addAll(other, ['bob', 'eve', 'ida']);
    one.save();
    other.save();
    one.refresh();
    expect(one.size).toBe(4);
    expect(one.table.search(vectorOf('ida'), { limit: 1 })[0]?.row).toBe(one.rowOf(textHash('ida')));
    expect(openCache().size).toBe(4);
  });

  it('keeps embedders apart', () => {
    const cache = openCache();
    addAll(cache, ['ada']);
    cache.save();
    expect(openCache({ of: { ...embedder, fingerprint: 'letters 2' } }).size).toBe(0);
    expect(openCache().size).toBe(1);
  });

  it('leaves no trace of a private text on the disk', () => {
    const cache = openCache();
    cache.add(textHash('secret'), vectorOf('secret'), true);
    cache.save();
    expect(files('')).toEqual([]);
    addAll(cache, ['ada']);
    cache.save();
    expect(openCache().size).toBe(1);
    expect(openCache().rowOf(textHash('secret'))).toBeUndefined();
  });

  it('works without a folder', () => {
    const cache = openCache({ inMemory: true });
    addAll(cache, ['ada']);
    cache.save();
    cache.refresh();
    expect(cache.size).toBe(1);
    expect(files('')).toEqual([]);
  });

  it('joins small segments, whatever the number of saves, and loses nothing', () => {
    const cache = openCache();
    const texts = Array.from({ length: 200 }, (_, number) =>
      `text${number}`.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!),
    );
    for (const [number, text] of texts.entries()) {
      addAll(cache, [text]);
      if (number % 2 === 0) cache.save();
    }
    cache.save();
    expect(files().length).toBeLessThanOrEqual(8);
    const next = openCache();
    expect(next.size).toBe(200);
    for (const text of texts) {
      const row = next.rowOf(textHash(text))!;
      expect([...next.table.vectorOf(row)]).toEqual([...cache.table.vectorOf(cache.rowOf(textHash(text))!)]);
    }
    // What was joined by another process is not taken in again.
    cache.refresh();
    expect(cache.size).toBe(200);
  });

  it('divides what would be too large to be read again', () => {
    const wide = { fingerprint: 'wide', dimensions: 65_536 };
    const cache = openCache({ of: wide });
    const vector = new Float32Array(65_536);
    for (let number = 0; number < 1100; number++) {
      vector[number] = 1;
      cache.add(textHash(`text ${number}`), vector);
    }
    cache.save();
    expect(files()).toHaveLength(2);
    const next = openCache({ of: wide });
    expect(next.size).toBe(1100);
    expect(next.table.integersOf(next.rowOf(textHash('text 1099'))!)[1099]).toBe(127);
    expect(warnings).toEqual([]);
  });

  it('removes unfinished files of processes that died long ago, and no others', () => {
    const cache = openCache();
    addAll(cache, ['ada']);
    cache.save();
    const folder = path.dirname(files()[0]!);
    fs.writeFileSync(path.join(folder, 'tmp-old'), 'torn');
    fs.utimesSync(path.join(folder, 'tmp-old'), 1, 1);
    fs.writeFileSync(path.join(folder, 'tmp-new'), 'torn');
    for (let number = 0; number < 10; number++) {
      addAll(cache, [`text${'abcdefghij'[number]}`]);
      cache.save();
    }
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('tmp-'))).toEqual(['tmp-new']);
  });
});

describe('damage', () => {
  it('is noticed in every byte', () => {
    const keys = Uint32Array.from([1, 2, 3, 4, 5, 6, 7, 8]);
    const segment = { keys, scales: Float32Array.from([0.5, 0.25]), integers: Int8Array.from([1, -2, 3, 4, 5, -127]) };
    const file = formatSegment(segment, 'letters');
    expect(parseSegment(file, 'letters', 3)).toEqual(segment);
    expect(parseSegment(file, 'other', 3)).toBeUndefined();
    expect(parseSegment(file, 'letters', 2)).toBeUndefined();
    for (let at = 0; at < file.length; at++) {
      const damaged = Buffer.from(file);
      damaged[at]! ^= 0x10;
      expect(parseSegment(damaged, 'letters', 3), `byte ${at}`).toBeUndefined();
      expect(parseSegment(file.subarray(0, at), 'letters', 3), `cut at ${at}`).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(parseSegment(Buffer.from(bytes), 'letters', 3)).toBeUndefined();
      }),
    );
  });

  it('costs the texts of that segment, is reported once, and heals', () => {
    const cache = openCache();
    addAll(cache, ['ada']);
    cache.save();
    const [damaged] = files();
    addAll(cache, ['bob', 'eve']);
    cache.save();
    fs.writeFileSync(damaged!, fs.readFileSync(damaged!).subarray(0, 100));

    const next = openCache();
    expect(next.size).toBe(2);
    expect(warnings).toEqual([expect.stringContaining('is damaged; its texts are embedded again')]);
    addAll(next, ['ada']);
    next.save();
    expect(openCache().size).toBe(3);
    expect(warnings).toHaveLength(1);
  });
});

describe('a disk that refuses', () => {
  it.each([['openSync'], ['writeSync'], ['renameSync'], ['mkdirSync']] as const)(
    'to %s is reported, and the vectors are kept when it works again',
    (operation) => {
      let isRefusing = false;
      const { fs: fileSystem } = failingFileSystem((call) =>
        isRefusing && call.operation === operation ? { code: 'ENOSPC' } : null,
      );
      const cache = openCache({ fileSystem: fileSystem as never });
      addAll(cache, ['ada', 'bob']);
      isRefusing = true;
      cache.save();
      expect(warnings).toEqual([expect.stringContaining('vectors are not kept: ENOSPC')]);
      expect(cache.size).toBe(2);
      isRefusing = false;
      cache.save();
      expect(openCache().size).toBe(2);
    },
  );

  it('to read is reported, and the cache begins empty', () => {
    const cache = openCache();
    addAll(cache, ['ada']);
    cache.save();
    const { fs: fileSystem } = failingFileSystem((call) => (call.operation === 'readSync' ? { code: 'EIO' } : null));
    expect(openCache({ fileSystem: fileSystem as never }).size).toBe(0);
    expect(warnings).toEqual([expect.stringContaining('cannot be read: EIO')]);
    expect(openCache().size).toBe(1);
  });
});
