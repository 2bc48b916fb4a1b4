import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/base/hash.ts';
import { ephemeralFileSystem } from '../../src/index.ts';
import { Corpus } from '../../src/search/corpus.ts';
import { documentsOf, documentsVersion } from '../../src/search/documents.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { SegmentBuilder } from '../../src/search/segment.ts';
import { SegmentCache } from '../../src/search/segment-cache.ts';
import { formatSegment } from '../../src/search/segment-file.ts';
import { Disk } from '../../src/store/git/disk.ts';
import { memoryFile, noon, Shelf, transcriptFile } from './corpus.ts';

/** In memory, with all that Node has. */
let fs: typeof import('node:fs');
let warnings: string[];
let shelf: Shelf;

beforeEach(() => {
  fs = ephemeralFileSystem() as typeof fs;
  warnings = [];
  shelf = new Shelf();
});

const words = ['valve', 'tank', 'oxygen', 'moon', 'power', 'battery', 'antenna', 'crew', 'straße', '月面', 'café'];
const sentence = (number: number): string =>
  Array.from({ length: 6 }, (_, at) => words[(number * 7 + at * at * 3) % words.length]).join(' ');

const talk = (name: string, turns: number, from = 0): [string, string] =>
  transcriptFile(
    name,
    Array.from({ length: turns }, (_, at) => ({ text: `${sentence(from + at)} ${name}${at}` })),
  );

const files = [
  talk('one', 60),
  talk('two', 30, 17),
  memoryFile('m1', 'The valve is stuck', { tags: ['eps'], category: 'fact' }),
  ['knowledge/people/jo.md', '# Jo\n\nRuns the tank.\n\n## Context\n\nBattery and crew.\n'] as [string, string],
  ['knowledge/people/none.md', ''] as [string, string],
];
const queries = ['valve tank', 'moon power one3', 'batery', 'tag:eps stuck', 'category:person crew', 'to be', '月面'];

const cacheOf = (fingerprint?: string): SegmentCache =>
  new SegmentCache(
    { disk: new Disk(fs, false), ownDirectory: '', logger: { warn: (message) => warnings.push(message) } },
    fingerprint,
  );

/** Does what a process does that asks some questions. */
function ask(listed: readonly (readonly [string, string])[] = files, cache: SegmentCache | null = cacheOf()) {
  const corpus = new Corpus(cache ?? undefined);
  const index = new SearchIndex(shelf.read, { corpus });
  const reads = shelf.reads;
  index.moveTo(shelf.listing(listed));
  const read = shelf.reads - reads;
  corpus.tend(true, false, { needed: index.size, isNeeded: (file) => index.holds(file) });
  return { read, answers: queries.map((query) => index.recall(query, { now: noon, limit: 40 })), corpus, index };
}

const folder = (): string => `/cache/words/${(fs.readdirSync('/cache/words') as string[])[0]}`;
const kept = (): string[] => (fs.readdirSync(folder()) as string[]).map((name) => `${folder()}/${name}`);
const bytesOf = (path: string): Buffer => fs.readFileSync(path) as Buffer;

describe('kept words', () => {
  it('give another process the same answers, and nothing is read again', () => {
    const first = ask();
    expect(first.read).toBe(files.length);
    const second = ask();
    expect(second.read).toBe(0);
    expect(second.answers).toEqual(first.answers);
    expect(second.answers).toEqual(ask(files, null).answers);
    expect(warnings).toEqual([]);
  });

  it('are added to by what is new, and joined while they are few', () => {
    let listed = files;
    for (let number = 0; number < 16; number++) {
      listed = [...listed, talk(`more${number}`, 40, number)];
      expect(ask(listed).read).toBeLessThanOrEqual(2 + (number === 0 ? files.length : 0));
    }
    expect(kept().length).toBeLessThan(7);
    expect(ask(listed).answers).toEqual(ask(listed, null).answers);
  });

  it('are read in parts where they are many, the newest first, and found in parts until all are there', () => {
    const many = Array.from({ length: 1400 }, (_, number) =>
      memoryFile(`m${String(number).padStart(9, '0')}`, `${sentence(number)} no${number}`),
    );
    const all = ask(many, null);
    fs = ephemeralFileSystem() as typeof fs;
    /** Leaves what comes behind so many, as a process does that dies or answers. */
    const partOf = (most: number, keeps = true) => {
      const corpus = new Corpus(cacheOf());
      const index = new SearchIndex(shelf.read, { corpus });
      const reads = shelf.reads;
      index.moveTo(shelf.listing(many), () => ({ keeps, isEnough: (read) => read >= most }));
      return { index, corpus, read: shelf.reads - reads };
    };
    const found = ({ index }: { index: SearchIndex }, number: number) =>
      index
        .recall(`no${number}`, { now: noon, limit: 3, mode: 'lexical' })
        .some(({ document }) => document.text.includes(`no${number}`));
    const first = partOf(512);
    expect(first.index.unseen).toBe(1400 - 512);
    expect([first.read, found(first, 1399), found(first, 0)]).toEqual([512, true, false]);
    // Whoever looks meanwhile reads some of what is left, and keeps nothing of it.
    expect(partOf(512, false).read).toBe(512);
    const second = partOf(Number.POSITIVE_INFINITY);
    expect([second.read, second.index.unseen]).toEqual([1400 - 512, 0]);
    // What was open before takes in what is there by now.
    first.index.moveTo(shelf.listing(many), () => ({ keeps: true, isEnough: () => true }));
    expect(first.index.unseen).toBe(0);
    const answersOf = (index: SearchIndex) => queries.map((query) => index.recall(query, { now: noon, limit: 40 }));
    for (const { index } of [first, second, ask(many)]) expect(answersOf(index)).toEqual(all.answers);
  });

  it('that are not worth a file stay in memory', () => {
    ask([memoryFile('a', 'alpha')]);
    expect(fs.existsSync('/cache')).toBe(false);
  });

  it('of other versions are not seen, and the oldest of them leave', () => {
    const { answers } = ask();
    for (const version of ['2', '3', '4']) {
      const other = ask(files, cacheOf(version));
      expect(other.read).toBe(files.length);
      expect(other.answers).toEqual(answers);
    }
    expect(fs.readdirSync('/cache/words')).toHaveLength(2);
  });

  it('that are no longer needed are let go', () => {
    const sections = (round: number): [string, string] => [
      'knowledge/reference/long.md',
      Array.from({ length: 2000 }, (_, at) => `## ${at}\n\n${sentence(at)} ${round}\n`).join('\n'),
    ];
    const corpus = new Corpus(cacheOf());
    const index = new SearchIndex(shelf.read, { corpus });
    for (let round = 0; round < 9; round++) {
      index.moveTo(shelf.listing([...files, sections(round)]));
      corpus.tend(true, false, { needed: index.size, isNeeded: (file) => index.holds(file) });
    }
    expect(corpus.size).toBeLessThan(14_000);
    const hits = index.recall('valve 8', { now: noon });
    expect(hits).toEqual(ask([...files, sections(8)], null).index.recall('valve 8', { now: noon }));
    expect(ask([...files, sections(8)]).read).toBe(0);
  });
});

describe('a view that is kept', () => {
  const tree = 'a'.repeat(40);
  const listed = [...files, talk('three', 40, 5)];

  /** Does what a process does that looks nothing up: the view, and what differs from it. */
  function adopted(changes: ReadonlyMap<string, string | null> = new Map()) {
    const corpus = new Corpus(cacheOf());
    const index = new SearchIndex(shelf.read, { corpus });
    const found = index.adopt();
    if (found !== null) index.moveBy(changes);
    return { found, index, corpus, answers: queries.map((query) => index.recall(query, { now: noon, limit: 40 })) };
  }

  it('gives the answers of one that was looked up, whatever else was met', () => {
    // An earlier version, and a file that is gone.
    ask([...listed, talk('gone', 30, 3), ['knowledge/people/jo.md', '# Jo\n\nRuns the moon.\n']]);
    const { corpus, index, answers } = ask(listed);
    expect(adopted().found).toBeNull();
    corpus.tend(true, true);
    corpus.keepView(tree, (file) => index.holds(file));
    const again = adopted();
    expect(again.found).toBe(tree);
    expect(again.answers).toEqual(answers);
    expect(again.index.size).toBe(index.size);
    const next = [...listed.slice(1), talk('four', 9, 2)];
    const changes = new Map<string, string | null>([[listed[0]![0], null], ...shelf.listing([next.at(-1)!])]);
    expect(adopted(changes).answers).toEqual(ask(next, null).answers);
    // It goes on as one that was looked up does, too.
    again.index.moveTo(shelf.listing(next));
    expect(queries.map((query) => again.index.recall(query, { now: noon, limit: 40 }))).toEqual(
      ask(next, null).answers,
    );
  });

  it('is none where other segments are kept, or it is damaged', () => {
    const { corpus, index } = ask(listed);
    corpus.keepView(tree, (file) => index.holds(file));
    const bytes = bytesOf('/cache/words-view');
    const flipped = Buffer.from(bytes);
    flipped[bytes.length >> 1]! ^= 1;
    fs.writeFileSync('/cache/words-view', flipped);
    expect(adopted().found).toBeNull();
    fs.writeFileSync('/cache/words-view', bytes);
    expect(adopted().found).toBe(tree);
    ask([...listed, talk('five', 80)]);
    expect(adopted().found).toBeNull();
    for (const path of kept()) fs.rmSync(path);
    expect(adopted().found).toBeNull();
  });

  it('is taken over by an index that has none, and by no other', () => {
    const { corpus, index } = ask(listed);
    corpus.keepView(tree, (file) => index.holds(file));
    expect(index.adopt()).toBeNull();
    expect(index.size).toBe(adopted().index.size);
  });
});

describe('kept words that are damaged', () => {
  it('are made again, wherever a byte was flipped, and the answers stay', () => {
    const { answers } = ask();
    const [path] = kept() as [string];
    const whole = Buffer.from(bytesOf(path));
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, bits) => {
        const damaged = Buffer.from(whole);
        damaged[at]! ^= bits;
        fs.writeFileSync(path, damaged);
        expect(ask().answers).toEqual(answers);
        expect(ask().answers).toEqual(answers);
      }),
      { numRuns: 15 },
    );
  });

  it('are made again when they were cut short, emptied or deleted, also while they are in use', () => {
    const { answers } = ask();
    for (const length of [0, 10, 40, 500, 5000]) {
      const [path] = kept() as [string];
      fs.writeFileSync(path, bytesOf(path).subarray(0, length));
      const again = ask();
      expect(again.answers).toEqual(answers);
      expect(again.read).toBe(files.length);
      expect(warnings.splice(0)).toEqual([expect.stringMatching(/damaged/)]);
    }
    const { index } = ask();
    for (const path of kept()) fs.unlinkSync(path);
    expect(queries.map((query) => index.recall(query, { now: noon, limit: 40 }))).toEqual(answers);
    expect(ask().read).toBe(files.length);
  });

  it('on a disk that refuses are done without', () => {
    const { answers } = ask(files, null);
    fs.writeFileSync('/cache', 'a file where the folder should be');
    expect(ask().answers).toEqual(answers);
    expect(warnings).toEqual([expect.stringMatching(/words are not kept/)]);
  });
});

it('whoever changes what documents are raises their version', () => {
  const builder = new SegmentBuilder();
  for (const [path, text] of files) builder.add(`0 ${path}`, documentsOf(path, text));
  builder.add(
    '0 ledger',
    documentsOf(
      'ledger/2026/02/2026-02-16.jsonl',
      '{"ts":"2026-02-16T12:00:00Z","id":"e1","type":"decision","content":"Use src/base/time.ts, v1.2 and fuelCell_1","tags":["a"],"source":"raw/a.md#1","memory":"m1"}\n',
    ),
  );
  const hash = sha256Hex(Buffer.concat(formatSegment(builder.finish(), 'any')!)).slice(0, 16);
  // When this fails: raise documentsVersion, and write the new hash here.
  expect({ documentsVersion, hash }).toEqual({ documentsVersion: 23, hash: '949bc24e679316e6' });
});
