import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import type { RecallOptions } from '../../src/search/recall-options.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { indexOf, memoryFile, noon, Shelf, transcriptFile } from './corpus.ts';

const day = 86_400_000;

const texts = (index: SearchIndex, query: string, options: Partial<RecallOptions> = {}): string[] =>
  index.recall(query, { now: noon, ...options }).map(({ document }) => document.text);

describe('recall', () => {
  const talk = transcriptFile('apollo', [
    { text: 'Okay, Houston, we have had a problem here.', speaker: 'CMP' },
    { text: 'This is Houston. Say again, please.' },
    { text: 'We have had a main B bus undervolt.', speaker: 'CDR' },
    { text: 'Roger. Stand by, thirteen.' },
  ]);
  const files = [
    talk,
    memoryFile('m1', 'We decided to use Postgres', { category: 'decision', tags: ['database'] }),
    memoryFile('m2', 'We decided to use SQLite', { category: 'decision', status: 'superseded' }),
    memoryFile('m3', 'We once decided to use files', { category: 'decision', status: 'archived' }),
    ['knowledge/people/jo.md', '# Jo\n\n## Context\nJo runs the database team.\n'],
    ['archive/knowledge/journal/2025-01-01.md', '## 2025-01-01\nOld database notes.\n'],
  ] as const;
  const index = indexOf(files);

  it('finds the turn that was meant and says where it stands', () => {
    const [hit] = index.recall('Houston problem', { now: noon });
    expect(hit).toMatchObject({
      snippet: 'Okay, Houston, we have had a problem here.',
      document: { path: talk[0], session: 'apollo', turn: 1, speaker: 'CMP', category: 'conversation' },
    });
    expect(talk[1].split('\n')[hit!.line - 1]).toBe('Okay, Houston, we have had a problem here.');
  });

  it('finds a turn by its speaker, its day, and less by the words around it', () => {
    expect(texts(index, 'CDR')[0]).toBe('We have had a main B bus undervolt.');
    expect(texts(index, '16 February 2026')).toContain('Roger. Stand by, thirteen.');
    const hits = index.recall('undervolt', { now: noon });
    expect(hits[0]!.document.turn).toBe(3);
    expect(hits.length).toBeGreaterThan(1);
    expect(hits[1]!.score).toBeLessThan(hits[0]!.score);
  });

  it('leaves archived memories out until asked; superseded ones are known of the past', () => {
    const decided = ['We decided to use Postgres', 'We decided to use SQLite'];
    expect(texts(index, 'decided to use').sort()).toEqual(decided);
    expect(texts(index, 'decided to use', { includeArchived: true }).sort()).toEqual([
      ...decided,
      'We once decided to use files',
    ]);
    expect(texts(index, 'old database notes')).not.toContain('Old database notes.');
    expect(texts(index, 'old database notes', { includeArchived: true })[0]).toBe('Old database notes.');
  });

  it('finds what is put aside alone, as a category of its own', () => {
    const aside = ['We decided to use SQLite', 'We once decided to use files'];
    expect(texts(index, 'decided to use', { category: 'archive' }).sort()).toEqual(aside);
    expect(texts(index, 'decided to use category:archive').sort()).toEqual(aside);
    expect(texts(index, 'decided to use category:archive category:memory').sort()).toEqual(aside);
    expect(texts(index, 'decided to use category:archive category:person')).toEqual([]);
    expect(texts(index, 'old database notes category:archived')[0]).toBe('Old database notes.');
  });

  it('filters by category, kind of memory, session and time', () => {
    const decided = ['We decided to use Postgres'];
    expect(texts(index, 'database', { category: 'memory' })).toEqual(decided);
    expect(texts(index, 'database', { category: 'decision' })).toEqual(decided);
    expect(texts(index, 'database', { category: 'knowledge' })).toEqual(['Jo runs the database team.']);
    expect(texts(index, 'database', { category: 'person' })).toEqual(['Jo runs the database team.']);
    expect(texts(index, 'houston', { session: 'other' })).toEqual([]);
    expect(texts(index, 'houston', { session: 'apollo', until: noon })).toEqual([
      'Okay, Houston, we have had a problem here.',
    ]);
    expect(texts(index, 'houston', { since: noon + 1, limit: 1 })).toEqual(['This is Houston. Say again, please.']);
    expect(texts(index, 'database', { since: 0 })).toEqual(decided);
  });

  it('looks in some folders and files only', () => {
    const everywhere = index.recall('database', { now: noon, limit: 100 });
    const paths = [...new Set(everywhere.map(({ document }) => document.path))];
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const here = index.recall('database', { now: noon, limit: 100, paths: [path] });
      expect(new Set(here.map(({ document }) => document.path))).toEqual(new Set([path]));
      expect(texts(index, 'database', { paths: [path.slice(0, -1)] })).toEqual([]);
      expect(texts(index, 'database', { paths: [path.slice(0, path.indexOf('/') + 1)] })).toEqual(
        expect.arrayContaining(here.map(({ document }) => document.text)),
      );
    }
    expect(texts(index, 'database', { paths }).length).toBe(everywhere.length);
    expect(texts(index, 'database', { paths: [] })).toEqual([]);
    expect(() => texts(index, 'database', { paths: 'raw' as never })).toThrow(/paths is no list/);
  });

  it('scores between 0 and 1, says why, and keeps to the limit', () => {
    for (const hit of index.recall('Houston problem database undervolt', { now: noon, limit: 3 })) {
      expect(hit.score).toBeGreaterThan(0);
      expect(hit.score).toBeLessThanOrEqual(1);
      for (const part of Object.values(hit.parts)) {
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(1);
      }
    }
    expect(index.recall('Houston problem database undervolt', { now: noon, limit: 3 })).toHaveLength(3);
  });

  it('scores a match of one word in three lower than a match of all', () => {
    const all = index.recall('bus undervolt', { now: noon })[0]!.score;
    const some = index.recall('bus elephants giraffes', { now: noon })[0]!.score;
    expect(some).toBeLessThan(all);
  });

  it('prefers what is fresh or much used among equals', () => {
    const fresh = indexOf([
      transcriptFile('old', [{ text: 'The valve is stuck' }], noon - 60 * day),
      transcriptFile('new', [{ text: 'The valve is stuck' }], noon),
    ]);
    expect(fresh.recall('stuck valve', { now: noon }).map(({ document }) => document.session)).toEqual(['new', 'old']);
    const used = indexOf([
      memoryFile('a', 'The valve is stuck'),
      memoryFile('b', 'The valve is stuck', { useCount: 9 }),
    ]);
    expect(used.recall('stuck valve', { now: noon }).map(({ document }) => document.id)).toEqual(['b', 'a']);
  });

  it('still finds what is half a century old', () => {
    const index = indexOf([
      transcriptFile('apollo', [{ text: 'We have had a problem' }], Date.parse('1970-04-14T03:08:00Z')),
    ]);
    expect(index.recall('problem', { now: noon })[0]!.score).toBeGreaterThan(0.5);
  });

  it('looks a query of stop words or signs up as it stands', () => {
    const odd = indexOf([
      memoryFile('a', 'To be or not to be, that is the question'),
      memoryFile('b', 'Never use !! in titles'),
    ]);
    expect(texts(odd, 'to be OR not to be')).toEqual(['To be or not to be, that is the question']);
    expect(texts(odd, '!!')).toEqual(['Never use !! in titles']);
    expect(texts(odd, '???')).toEqual([]);
  });

  it('answers a bad call with what is wrong', () => {
    for (const [query, options] of [
      ['', {}],
      [' \n', {}],
      ['x', { limit: 0 }],
      ['x', { limit: 1.5 }],
      ['x', { mode: 'psychic' as 'lexical' }],
      ['x', { fusion: 'cold' as 'sum' }],
      ['x', { recency: 2 }],
      ['x', { recency: 0.6, use: 0.6 }],
      ['before:2026-02-30 x', {}],
    ] as const) {
      expect(() => index.recall(query, { now: noon, ...options })).toThrow(MemoryError);
    }
  });

  it('knows nothing of words that are not there', () => {
    expect(texts(index, 'zeppelin')).toEqual([]);
    expect(texts(new SearchIndex(() => new Uint8Array()), 'anything')).toEqual([]);
  });
});

describe('moveTo', () => {
  it('reads what is new, once, and nothing else', () => {
    const shelf = new Shelf();
    const index = new SearchIndex(shelf.read);
    const one = memoryFile('a', 'alpha');
    const two = memoryFile('b', 'beta');
    const sizes = [[one, ['memory.yaml', 'x: 1'] as const], [one, two], [two], [one, two]].map((files) => {
      index.moveTo(shelf.listing(files));
      return [index.size, shelf.reads];
    });
    expect(sizes).toEqual([
      [1, 1],
      [2, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  it('shows the new state of a touched record, once', () => {
    const shelf = new Shelf();
    const index = new SearchIndex(shelf.read);
    index.moveTo(shelf.listing([memoryFile('a', 'alpha')]));
    index.moveTo(shelf.listing([memoryFile('a', 'alpha', { useCount: 3 })]));
    expect(index.size).toBe(1);
    expect(index.recall('alpha', { now: noon })[0]!.document.record!.useCount).toBe(3);
    index.moveTo(shelf.listing([memoryFile('a', 'alpha', { status: 'archived' })]));
    expect(index.recall('alpha', { now: noon })).toEqual([]);
  });

  it('goes on after a read that failed', () => {
    const shelf = new Shelf();
    let broken = true;
    const index = new SearchIndex((oid) => {
      if (broken) throw new MemoryError('OBJECT_MISSING', 'gone');
      return shelf.read(oid);
    });
    const listing = shelf.listing([memoryFile('a', 'alpha'), memoryFile('b', 'beta')]);
    expect(() => index.moveTo(listing)).toThrow(MemoryError);
    broken = false;
    index.moveTo(listing);
    expect(texts(index, 'alpha beta')).toHaveLength(2);
  });

  it('leads to the answers of a fresh index, whatever was there before', () => {
    const words = ['valve', 'tank', 'oxygen', 'moon', 'power', 'battery', 'antenna', 'crew'];
    const sentence = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
    const file = fc.oneof(
      fc
        .tuple(fc.nat({ max: 5 }), sentence, fc.nat({ max: 4 }))
        .map(([id, text, useCount]) => memoryFile(`m${id}`, text, { useCount })),
      fc.tuple(fc.nat({ max: 3 }), fc.array(sentence, { minLength: 1, maxLength: 4 })).map(([id, turns]) =>
        transcriptFile(
          `s${id}`,
          turns.map((text) => ({ text })),
          noon + id * day,
        ),
      ),
      fc
        .tuple(fc.nat({ max: 3 }), sentence, sentence)
        .map(([id, a, b]): [string, string] => [`knowledge/people/p${id}.md`, `# P\n${a}\n## Q\n${b}\n`]),
    );
    const view = fc.array(file, { maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(view, { minLength: 2, maxLength: 6 }),
        fc.array(sentence, { minLength: 1, maxLength: 4 }),
        (views, queries) => {
          const shelf = new Shelf();
          const moved = new SearchIndex(shelf.read);
          for (const files of views) moved.moveTo(shelf.listing(files));
          const fresh = new SearchIndex(shelf.read);
          // Another order of paths, too: a listing is a set.
          fresh.moveTo(new Map([...shelf.listing(views.at(-1)!)].reverse()));
          expect(moved.size).toBe(fresh.size);
          for (const query of queries) {
            const options = { now: noon + 5 * day, limit: 20 };
            expect(moved.recall(query, options)).toEqual(fresh.recall(query, options));
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
