import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Disk } from '../../src/git/disk.ts';
import { ephemeralFileSystem } from '../../src/index.ts';
import { Corpus } from '../../src/search/corpus.ts';
import { latentSpaceOf } from '../../src/search/latent-space.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { SegmentCache } from '../../src/search/segment-cache.ts';
import { SpaceCache } from '../../src/search/space-cache.ts';
import { noon, Shelf, transcriptFile } from './corpus.ts';

let fs: typeof import('node:fs');
let warnings: string[];
let shelf: Shelf;

beforeEach(() => {
  fs = ephemeralFileSystem() as typeof fs;
  warnings = [];
  shelf = new Shelf();
});

const words = ['valve', 'tank', 'oxygen', 'moon', 'power', 'battery', 'antenna', 'crew', 'straße', '月面', 'café'];
const talk = (name: string, turns: number): [string, string] =>
  transcriptFile(
    name,
    Array.from({ length: turns }, (_, at) => ({
      text: Array.from({ length: 5 }, (_, word) => words[(at * 7 + word * word * 3) % words.length]).join(' '),
    })),
  );
const files = [talk('one', 60), talk('two', 30)];
const queries = ['valve tank', 'moon power', 'crew 月面'];

const place = () => ({
  disk: new Disk(fs, false),
  directory: '/cache',
  logger: { warn: (message: string) => warnings.push(message) },
});

/** Does what a process does that asks some questions; counts the spaces it found. */
function ask(listed = files, fingerprint?: string) {
  const corpus = new Corpus(new SegmentCache(place(), fingerprint));
  const spaces = new SpaceCache(place(), fingerprint);
  let found = 0;
  const counting = {
    load(key: string) {
      const space = spaces.load(key);
      if (space !== undefined) found += 1;
      return space;
    },
    save: (...given: Parameters<SpaceCache['save']>) => spaces.save(...given),
  };
  const index = new SearchIndex(shelf.read, { corpus });
  index.moveTo(shelf.listing(listed));
  corpus.tend((file) => index.holds(file), true);
  const answers = queries.map((query) => index.recall(query, { now: noon, limit: 40, spaces: counting }));
  return { found, answers };
}

/** The answers of a process that keeps nothing. */
function alone(listed = files) {
  const index = new SearchIndex(shelf.read);
  index.moveTo(shelf.listing(listed));
  return queries.map((query) => index.recall(query, { now: noon, limit: 40 }));
}

const folder = (): string => `/cache/words/${(fs.readdirSync('/cache/words') as string[])[0]}`;
const kept = (): string[] =>
  (fs.readdirSync(folder()) as string[]).filter((name) => name.endsWith('.space')).map((name) => `${folder()}/${name}`);

describe('a kept space', () => {
  it('is found by the next process, whose answers have the same digits', () => {
    const first = ask();
    expect(first.found).toBe(0);
    expect(kept()).toHaveLength(1);
    const second = ask();
    expect(second.found).toBe(1);
    expect(second.answers).toEqual(first.answers);
    expect(second.answers).toEqual(alone());
    expect(first.answers.flat().some(({ parts }) => (parts.vector ?? 0) > 0)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('is not taken for other words, and only some are left', () => {
    ask();
    for (let more = 1; more < 7; more++) {
      const listed = [...files, talk(`more${more}`, 10 + more)];
      const { found, answers } = ask(listed);
      expect(found).toBe(0);
      expect(answers).toEqual(alone(listed));
    }
    expect(kept()).toHaveLength(4);
  });

  it('is not taken for that of another state whose name it bears', () => {
    ask();
    const [first] = kept() as [string];
    const listed = [...files, talk('other', 20)];
    ask(listed);
    const [second] = kept().filter((path) => path !== first) as [string];
    fs.writeFileSync(second, fs.readFileSync(first) as Buffer);
    expect(ask(listed)).toEqual({ found: 0, answers: alone(listed) });
  });

  it('is learnt again wherever a byte was flipped, and the answers stay', () => {
    const answers = alone();
    ask();
    const [path] = kept() as [string];
    const whole = Buffer.from(fs.readFileSync(path) as Buffer);
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, bits) => {
        const damaged = Buffer.from(whole);
        damaged[at]! ^= bits;
        fs.writeFileSync(path, damaged);
        expect(ask()).toEqual({ found: 0, answers });
      }),
      { numRuns: 15 },
    );
    for (const length of [0, 10, 60, 90]) {
      fs.writeFileSync(path, whole.subarray(0, length));
      expect(ask()).toEqual({ found: 0, answers });
    }
    expect(ask().found).toBe(1);
    expect(warnings.every((warning) => /damaged/.test(warning))).toBe(true);
  });

  it('is done without on a disk that refuses', () => {
    ask();
    const [path] = kept() as [string];
    fs.unlinkSync(path);
    fs.mkdirSync(path);
    expect(ask()).toEqual({ found: 0, answers: alone() });
    expect(warnings.some((warning) => /cannot be read/.test(warning))).toBe(true);
  });
});

it('a space that was kept has every digit of the one that was learnt', () => {
  const texts = Array.from({ length: 40 }, (_, at) => [`a${at % 9}`, `b${at % 4}`, `ü${at % 5}`]);
  const space = latentSpaceOf(texts)!;
  fs.mkdirSync('/cache/words', { recursive: true });
  ask();
  const cache = new SpaceCache(place());
  cache.save('0123456789abcdef01', space);
  const again = cache.load('0123456789abcdef01')!;
  expect([again.dimensions, again.terms, again.vectors]).toEqual([space.dimensions, space.terms, space.vectors]);
  expect(again.vectorOf(texts[3]!)).toEqual(space.vectorOf(texts[3]!));
  expect(cache.load('0123456789abcdef02')).toBeUndefined();
});
