import { describe, expect, it } from 'vitest';
import type { RecallOptions } from '../../src/search/recall-options.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { memoryFile, noon, Shelf, transcriptFile } from './corpus.ts';

const day = 86_400_000;

function indexOf(files: Iterable<readonly [string, string]>): SearchIndex {
  const shelf = new Shelf();
  const index = new SearchIndex(shelf.read);
  index.moveTo(shelf.listing(files));
  return index;
}

const hitsOf = (index: SearchIndex, query: string, options: Partial<RecallOptions> = {}) =>
  index.recall(query, { now: noon, ...options });
const texts = (index: SearchIndex, query: string, options: Partial<RecallOptions> = {}): string[] =>
  hitsOf(index, query, options).map(({ document }) => document.text);

const filler = ['Nice weather today.', 'Shall we begin.', 'The coffee is cold.', 'See you soon.'].map((text) => ({
  text,
}));

describe('what is said around a turn', () => {
  it('finds the answer behind its question, though it shares no word with what is asked', () => {
    const index = indexOf([
      transcriptFile('a', [
        ...filler,
        { text: 'Which database shall we take for the archive?' },
        { text: 'Postgres, for it is there already.' },
        ...filler,
      ]),
      transcriptFile('b', [...filler, { text: 'The museum has an archive of stamps.' }, ...filler]),
    ]);
    expect(texts(index, 'what database did we choose for the archive?', { limit: 2 })).toEqual(
      expect.arrayContaining(['Postgres, for it is there already.']),
    );
  });

  it('counts for less than what is said itself, and for nothing in another session', () => {
    const index = indexOf([
      transcriptFile('a', [{ text: 'valve' }, { text: 'next' }]),
      transcriptFile('b', [{ text: 'other' }]),
    ]);
    expect(texts(index, 'valve')).toEqual(['valve', 'next']);
  });

  it('lends nothing to memories and sections, which stand for themselves', () => {
    const index = indexOf([['knowledge/people/a.md', '# A\n\nvalve\n\n## B\n\nother\n'], memoryFile('m', 'third')]);
    expect(texts(index, 'valve')).toEqual(['valve']);
  });

  it('prefers, of equal turns, the one whose session is about the matter', () => {
    const about = ['The telescope arrived.', 'Its mirror is fine.', 'Telescope time is Friday.', 'We meet at noon.'];
    const index = indexOf([
      transcriptFile('stars', [
        { text: 'I bought it yesterday.' },
        ...filler,
        ...filler,
        ...about.map((text) => ({ text })),
        ...filler,
        ...filler,
        { text: 'Mirror cleaned.' },
      ]),
      transcriptFile('house', [...filler, ...filler, { text: 'Mirror cleaned.' }]),
    ]);
    expect(
      hitsOf(index, 'telescope mirror cleaned')
        .filter(({ snippet }) => snippet === 'Mirror cleaned.')
        .map(({ document }) => document.session),
    ).toEqual(['stars', 'house']);
  });
});

describe('the kind of answer', () => {
  it('prefers a time for when, a number for how many, and statements to questions', () => {
    const index = indexOf([
      memoryFile('a', 'Ada moved the telescope'),
      memoryFile('b', 'Ada moved the telescope yesterday'),
      memoryFile('c', 'Ada moved the telescope twice'),
      transcriptFile('s', [{ text: 'Ada moved the telescope?' }]),
    ]);
    expect(texts(index, 'When did Ada move the telescope?')[0]).toMatch(/yesterday/);
    expect(texts(index, 'How often did Ada move the telescope?')[0]).toMatch(/twice/);
    expect(texts(index, 'Where did Ada move the telescope?').at(-1)).toMatch(/\?$/);
  });
});

describe('what a turn tells', () => {
  const said = [
    { text: 'Thanks, your telescope is great!' },
    { text: 'I carried the telescope "Hubert" up 40 stairs and looked at Saturn' },
  ];

  it('decides between turns with the same words, when a question is asked', () => {
    const index = indexOf([transcriptFile('a', [said[0]!]), transcriptFile('b', [said[1]!])]);
    expect(texts(index, 'what about the telescope?')[0]).toMatch(/Hubert/);
    expect(texts(index, 'telescope')[0]).toMatch(/^Thanks/);
  });

  it('counts for memories as little as before: they were chosen already', () => {
    const index = indexOf(said.map(({ text }, at) => memoryFile(`m${at}`, text)));
    expect(texts(index, 'what about the telescope?')).toEqual(texts(index, 'telescope'));
  });
});

describe('words that nobody wrote', () => {
  it('are taken for those like them', () => {
    const index = indexOf([memoryFile('a', 'We use Postgres as our database'), memoryFile('b', 'Telescopes are cold')]);
    expect(texts(index, 'databse')).toEqual(['We use Postgres as our database']);
    expect(texts(index, 'telesco')).toEqual(['Telescopes are cold']);
    expect(hitsOf(index, 'databse')[0]!.highlights).toEqual([[23, 31]]);
    expect(texts(index, 'zeppelin')).toEqual([]);
  });

  it('do not stand in for words that are there', () => {
    const index = indexOf([memoryFile('a', 'bolts'), memoryFile('b', 'bolta')]);
    expect(texts(index, 'bolt')).toEqual(['bolts']);
  });
});

describe('phrases and filters in the query', () => {
  const index = indexOf([
    transcriptFile(
      'ses_one',
      [{ text: 'Power down the fuel cell.' }, { text: 'The power went down.' }],
      noon - 5 * day,
    ),
    memoryFile('a', 'Power comes from the fuel cell', {
      tags: ['EPS'],
      entities: ['Fuel Cell 1'],
      category: 'decision',
    }),
    ['knowledge/people/jo.md', '# Jo\n\nJo knows all about power.\n'],
  ]);

  it('keep what holds the very words', () => {
    expect(texts(index, '"power down"')).toEqual(['Power down the fuel cell.']);
    expect(texts(index, '"fuel cell" power').sort()).toEqual([
      'Power comes from the fuel cell',
      'Power down the fuel cell.',
    ]);
  });

  it('keep what has the tag, entity, category, session or date', () => {
    expect(texts(index, 'power tag:eps')).toEqual(['Power comes from the fuel cell']);
    expect(texts(index, 'power entity:"fuel cell 1"')).toEqual(['Power comes from the fuel cell']);
    expect(texts(index, 'power category:person category:decision').sort()).toEqual([
      'Jo knows all about power.',
      'Power comes from the fuel cell',
    ]);
    expect(texts(index, 'power session:ses_one')).toHaveLength(2);
    expect(texts(index, 'power before:2026-02-12')).toHaveLength(2);
    expect(texts(index, 'power after:2026-02-12')).toEqual(['Power comes from the fuel cell']);
  });

  it('list what they let through, the newest first, when there are no words', () => {
    expect(texts(index, 'session:ses_one')).toEqual(['The power went down.', 'Power down the fuel cell.']);
    expect(texts(index, 'tag:none')).toEqual([]);
  });
});

describe('vectors', () => {
  const files = [
    memoryFile('a', 'The campsite by the lake has tents'),
    memoryFile('b', 'We slept in tents'),
    memoryFile('c', 'Taxes are due in May'),
    memoryFile('d', 'The printer is out of paper'),
  ];
  const index = indexOf(files);

  it('of the built-in embedder find what keeps company with the words of the query', () => {
    const outside = [
      'The campsite by the lake has tents',
      'A campsite with tents and a fire',
      'Tents at the campsite, lake',
    ];
    const taxes = [
      'Taxes are due in May',
      'The tax form is due',
      'A form for taxes in May',
      'May is when forms are due',
    ];
    const company = indexOf(
      [...outside, 'We slept in tents', 'The fire by the lake', ...taxes].map((text, at) => memoryFile(`m${at}`, text)),
    );
    const hits = hitsOf(company, 'campsite', { mode: 'vector' });
    expect(hits.slice(0, 5).map(({ document }) => document.text)).toEqual(
      expect.arrayContaining(['We slept in tents', 'The fire by the lake']),
    );
    expect(hits[0]!.parts.vector).toBe(1);
    expect(hitsOf(company, 'campsite').map(({ document }) => document.id)).toEqual(
      expect.arrayContaining(['m0', 'm1', 'm2']),
    );
    expect(hitsOf(company, 'campsite')).toHaveLength(3);
  });

  it('of the built-in embedder say nothing of words it has not met in two texts; words answer then', () => {
    expect(texts(index, 'printer', { mode: 'vector' })).toEqual(['The printer is out of paper']);
    expect(hitsOf(index, 'printer')[0]!.parts).not.toHaveProperty('vector');
  });

  it('are left out where only words are asked for', () => {
    expect(hitsOf(index, 'campsite', { mode: 'lexical' })[0]!.parts).not.toHaveProperty('vector');
    expect(texts(index, 'campsite', { mode: 'lexical' })).toHaveLength(1);
  });

  it('of a model find by themselves; of what it does not know, nothing is said', () => {
    const known: Record<string, number> = { a: 0.2, b: 0.3, c: 0.9 };
    const hits = hitsOf(index, 'fiscal matters', { likenessOf: (slot) => known[index.layout.document(slot).id!] });
    expect(hits.map(({ document }) => document.id)).toEqual(['c', 'b', 'a', 'd']);
    expect(hits.map(({ parts }) => parts.vector)).toEqual(
      [1, 0.3333333, 0.2222222, 0].map((value) => expect.closeTo(value, 5)),
    );
  });
});

describe('the limit', () => {
  it('cuts a list and changes nothing before it', () => {
    const index = indexOf(
      Array.from({ length: 40 }, (_, at) => memoryFile(`m${at}`, `valve ${'tank '.repeat(at % 7)} ${at}`)),
    );
    for (const fusion of ['sum', 'rrf', 'spec'] as const) {
      const all = texts(index, 'valve tank', { limit: 40, fusion });
      for (const limit of [1, 5, 20])
        expect(texts(index, 'valve tank', { limit, fusion })).toEqual(all.slice(0, limit));
    }
  });
});
