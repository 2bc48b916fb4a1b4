import { describe, expect, it } from 'vitest';
import type { Layout } from '../../src/search/layout.ts';
import type { Likeness, Likenesses, RecallOptions } from '../../src/search/recall-options.ts';
import type { SearchDocument } from '../../src/search/search-document.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { random } from '../helpers/random.ts';
import { indexOf, memoryFile, noon, transcriptFile } from './corpus.ts';

const day = 86_400_000;

const hitsOf = (index: SearchIndex, query: string, options: Partial<RecallOptions> = {}) =>
  index.recall(query, { now: noon, ...options });
const texts = (index: SearchIndex, query: string, options: Partial<RecallOptions> = {}): string[] =>
  hitsOf(index, query, options).map(({ document }) => document.text);

const filler = ['Nice weather today.', 'Shall we begin.', 'The coffee is cold.', 'See you soon.'].map((text) => ({
  text,
}));

it('what is of any age has a score, and parts that are numbers', () => {
  for (const years of [0, 1, 19, 19.5, 20, 20.3, 21, 300]) {
    const index = indexOf([
      transcriptFile('old', [{ text: 'The choir sings in Ghent.' }], noon - years * 365.25 * day),
    ]);
    const [hit] = hitsOf(index, 'choir');
    for (const value of [hit!.score, ...Object.values(hit!.parts)])
      expect(value, `${years} years`).toSatisfy(Number.isFinite);
  }
});

describe('a long question', () => {
  const page = (name: string, text: string): [string, string] => [`knowledge/${name}.md`, `# ${name}\n\n${text}\n`];

  it('is about what several of its sentences speak of, not what one says twice', () => {
    const index = indexOf([page('a', 'glaze'), page('b', 'kiln')]);
    const about = 'We fire a kiln. How hot is the kiln? Which glaze do we take for the kiln?';
    expect(texts(index, about)).toEqual(['kiln', 'glaze']);
    const [first, second] = hitsOf(index, 'Is the kiln a better kiln for the glaze?');
    expect(first!.score).toBe(second!.score);
  });

  it('takes little from the best documents where they hold little of it', () => {
    const shared = 'clay water wheel';
    const index = indexOf([page('a', `kiln ${shared}`), page('b', `kiln bowl ${shared}`), page('c', 'other')]);
    const shareOf = (question: string) => {
      const { expansion = 0, own = 1 } = hitsOf(index, question)[0]!.parts;
      return expansion / own;
    };
    const unknown = Array.from({ length: 20 }, (_, at) => `zq${at}x`).join(' ');
    expect(shareOf('kiln')).toBeGreaterThan(0);
    expect(shareOf(`kiln ${unknown}`)).toBeLessThan(shareOf('kiln') / 4);
  });

  it('to a library means what it says by "order" or "list"; about what was said, that is how to answer', () => {
    const all = ['The order is odd.', ...Array.from({ length: 12 }, (_, at) => `Numbers of kiln ${at}.`)];
    const question = 'order numbers';
    const pages = indexOf(all.map((text, at) => page(`p${at}`, text)));
    expect(texts(pages, question)[0]).toBe('The order is odd.');
    const talk = indexOf(all.map((text, at) => transcriptFile(`t${at}`, [{ text }])));
    expect(texts(talk, question)[0]).not.toBe('The order is odd.');
  });
});

describe('one sign of a script without spaces', () => {
  it('finds every text that holds it, in a word or alone, and shows it', () => {
    const index = indexOf([
      transcriptFile('a', [
        { text: '我们的帆船很快。' },
        { text: '船！' },
        { text: '今天下雨。' },
        { text: '船长到了。' },
      ]),
    ]);
    const hits = hitsOf(index, '船').filter(({ document }) => document.text.includes('船'));
    expect(hits.map(({ document }) => document.text).sort()).toEqual(['我们的帆船很快。', '船！', '船长到了。'].sort());
    for (const { snippet, highlights } of hits)
      expect(highlights.map(([from, to]) => snippet.slice(from, to))).toEqual(['船']);
  });
});

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

  it('is a question, too, where its speaker says a word on', () => {
    const partsOf = (asked: string) =>
      hitsOf(indexOf([transcriptFile('a', [{ text: asked }, { text: 'By the lake.' }, ...filler])]), 'museum').find(
        ({ document: { turn } }) => turn === 2,
      )?.parts.reply;
    expect(partsOf('Where is the museum?')).toBeGreaterThan(0);
    expect(partsOf('Where is the museum? I forgot.')).toBeGreaterThan(0);
    expect(
      partsOf('Where is the museum? '.concat('We went there once, and then never again. '.repeat(3))),
    ).toBeUndefined();
    expect(partsOf('See https://museum.example/?page=2')).toBeUndefined();
  });

  it('counts for less than what is said itself, and for nothing in another session', () => {
    const index = indexOf([
      transcriptFile('a', [{ text: 'valve' }, { text: 'next' }]),
      transcriptFile('b', [{ text: 'other' }]),
    ]);
    expect(texts(index, 'valve')).toEqual(['valve', 'next']);
  });

  it('counts for more where another speaker says of the matter, too', () => {
    const said = (id: string, other: string) => {
      const turns = [...filler, { text: 'The kiln cracked a bowl.' }, { text: 'We fire the kiln on Friday.' }];
      const speakerAt = (at: number) => (at < filler.length + 1 ? 'Ivo' : other);
      return transcriptFile(
        id,
        turns.map((turn, at) => ({ ...turn, role: 'user', speaker: speakerAt(at) })),
      );
    };
    const index = indexOf([said('alone', 'Ivo'), said('together', 'Uma')]);
    const hits = hitsOf(index, 'when was the bowl in the kiln?');
    expect(hits[0]!.document.session).toBe('together');
    const companyOf = (session: string) => hits.find(({ document }) => document.session === session)?.parts.company;
    expect(companyOf('together')).toBeGreaterThan(0);
    expect(companyOf('alone')).toBeUndefined();
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
  it('prefers what tells a time where the question asks when', () => {
    const index = indexOf([
      memoryFile('a', 'Ada moved the telescope'),
      memoryFile('b', 'Ada moved the telescope yesterday'),
      memoryFile('c', 'Ada moved the telescope twice'),
    ]);
    expect(texts(index, 'When did Ada move the telescope?')[0]).toMatch(/yesterday/);
  });

  it('prefers what happened in the time that the question names, and leaves nothing out', () => {
    const index = indexOf([
      transcriptFile('may', [{ text: 'We moved the telescope.' }], Date.parse('2025-05-10T12:00:00Z')),
      transcriptFile('june', [{ text: 'We moved the telescope.' }], Date.parse('2025-06-10T12:00:00Z')),
      transcriptFile('july', [{ text: 'We moved the telescope.' }], Date.parse('2025-07-10T12:00:00Z')),
    ]);
    const sessions = hitsOf(index, 'what moved in June?').map(({ document }) => document.session);
    expect(sessions[0]).toBe('june');
    expect(sessions).toHaveLength(3);
    expect(hitsOf(index, 'the telescope on 10 May')[0]!.document.session).toBe('may');
  });

  it('takes the person for whoever says I, and the assistant for you, where roles are all that is known', () => {
    const said = [
      { text: 'The red telescope is best.', role: 'user' },
      { text: 'The red telescope is best.', role: 'agent' },
    ];
    const index = indexOf(said.map((turn, at) => transcriptFile(`s${at}`, [turn])));
    const first = (query: string) => hitsOf(index, query)[0]!.document.role;
    expect(first('which red telescope did I call best?')).toBe('user');
    expect(first('which red telescope did you recommend?')).toBe('agent');
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

  it('take what is quoted for words, and raise what has them as they stand', () => {
    const found = texts(index, '"power down"');
    expect(found[0]).toBe('Power down the fuel cell.');
    expect(found).toContain('Power comes from the fuel cell');
    expect(texts(index, 'what does "power nowhere" mean')).not.toEqual([]);
  });

  it('keep what somebody said, and what is in a language', () => {
    const talks = indexOf([
      transcriptFile('one', [
        { text: 'Power is low.', speaker: 'Ada Byron' },
        { text: 'Power is high.', speaker: 'Bo' },
      ]),
      ['knowledge/reference/strom.md', '# Strom\n\nDie Power Anlage ist nicht an und wird auch nicht mehr laufen.\n'],
    ]);
    expect(texts(talks, 'power speaker:ada')).toEqual(['Power is low.']);
    expect(texts(talks, 'power speaker:nobody')).toEqual([]);
    expect(texts(talks, 'power language:de')).toEqual([expect.stringMatching(/^Die Power/)]);
    expect(texts(talks, 'power language:English').sort()).toEqual(['Power is high.', 'Power is low.']);
  });

  it('find short lines by names that are stop words elsewhere, and by other forms of their words', () => {
    const lines = indexOf(
      ['Ana prefers tea', 'Dan likes hiking', 'Mia plays guitar', 'Sue collects stamps', 'Per bakes bread'].map(
        (text, number) => memoryFile(`m${number}`, text),
      ),
    );
    expect(['Ana', 'Dan', 'Mia', 'Sue', 'Per'].map((name) => texts(lines, name)[0]?.split(' ')[0])).toEqual([
      'Ana',
      'Dan',
      'Mia',
      'Sue',
      'Per',
    ]);
    expect(
      ['prefer', 'hike', 'guitars', 'stamp', 'baking'].map((form) => texts(lines, form)[0]?.split(' ')[0]),
    ).toEqual(['Ana', 'Dan', 'Mia', 'Sue', 'Per']);
    expect(texts(lines, 'tea language:en')).toEqual(['Ana prefers tea']);
  });

  it('keep what holds the very words, where they are to be exact', () => {
    expect(texts(index, 'exact:"power down"')).toEqual(['Power down the fuel cell.']);
    expect(texts(index, 'exact:"fuel cell" power').sort()).toEqual([
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

  it('are left out where there is no model', () => {
    expect(texts(index, 'printer', { mode: 'vector' })).toEqual(['The printer is out of paper']);
    expect(hitsOf(index, 'printer')[0]!.parts).not.toHaveProperty('vector');
  });

  it('are left out where only words are asked for', () => {
    expect(hitsOf(index, 'campsite', { mode: 'lexical' })[0]!.parts).not.toHaveProperty('vector');
    expect(texts(index, 'campsite', { mode: 'lexical' })).toHaveLength(1);
  });

  const bySlot =
    (likenessOf: (document: SearchDocument) => number | undefined) =>
    (view: Layout): Likenesses => ({
      rows: Int32Array.from({ length: view.size }, (_, slot) => slot),
      scores: Float64Array.from({ length: view.size }, (_, slot) => likenessOf(view.document(slot)) ?? Number.NaN),
    });
  const likenessBy = (known: Record<string, number>, more: Partial<Likeness> = {}): Likeness => ({
    leastShare: 0.2,
    ofQuestion: bySlot(({ id }) => known[id!]),
    of: () => [],
    understands: () => true,
    ...more,
  });

  it('find by themselves what is nearer than usual; what has none is found by its words', () => {
    const likeness = likenessBy({ a: 0.05, b: 0.15, c: 0.9 });
    const hits = hitsOf(index, 'fiscal matters', { likeness });
    expect(hits.map(({ document }) => document.id)).toEqual(['c']);
    expect(hits[0]!.parts.vector).toBeGreaterThan(0.5);
    const found = hitsOf(index, 'printer matters', { likeness });
    expect(found.map(({ document }) => document.id).sort()).toEqual(['c', 'd']);
    expect(found.find(({ document }) => document.id === 'd')!.parts).not.toHaveProperty('vector');
  });

  it('find in a memory of one text, and leave it where it is hardly alike', () => {
    const alone = indexOf([memoryFile('c', 'Taxes are due in May')]);
    const found = (likeness: number) =>
      hitsOf(alone, 'fiscal matters', { likeness: { ...likenessBy({}), ofQuestion: bySlot(() => likeness) } }).length;
    expect(found(0.6)).toBe(1);
    expect(found(0.1)).toBe(0);
  });

  it('put an answer near to what its question is near to', () => {
    const said = (asks: boolean) => [
      { text: asks ? 'Where do we spend the holidays?' : 'The holidays are spent.', speaker: 'Ada', role: 'user' },
      { text: 'By the lake.', speaker: 'Bo', role: 'user' },
    ];
    const vectorOf = (asks: boolean) => {
      const talk = indexOf([transcriptFile('t', said(asks)), ...files]);
      const likeness = { ...likenessBy({}), ofQuestion: bySlot(({ turn }) => (turn === 1 ? 0.9 : 0.05)) };
      const hits = hitsOf(talk, 'vacation plans', { likeness });
      return hits.find(({ document }) => document.turn === 2)?.parts.vector;
    };
    expect(vectorOf(true)).toBeGreaterThan(0.5);
    expect(vectorOf(false)).toBeUndefined();
  });

  it('count the more, the less of the question words find', () => {
    const known = { a: 0.1, b: 0.1, c: 0.1, d: 0.9 };
    const vectorShareOf = (query: string): number => {
      const by = (share: number) =>
        hitsOf(index, query, { likeness: likenessBy(known), ...(share < 0 ? {} : { vectorWeight: share }) })[0]!;
      expect(by(0).document.id).toBe('c');
      return by(-1).document.id === 'c' ? 0 : 1;
    };
    expect(vectorShareOf('when are taxes due')).toBe(0);
    expect(vectorShareOf('taxes, quarterly advance notice for freelancers')).toBe(1);
  });

  it('say nothing of a question in a language that they do not know', () => {
    const likeness = likenessBy({ c: 0.9, a: 0.1, b: 0.1 }, { understands: () => false });
    expect(hitsOf(index, 'fiscal matters', { likeness })).toEqual([]);
    expect(hitsOf(index, 'printer', { likeness })[0]!.parts).not.toHaveProperty('vector');
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

  it('decides how much is weighed, and nothing of what comes first', () => {
    const below = random(7);
    const wordAt = () => `w${below(1 + below(80))}`;
    const index = indexOf(
      Array.from({ length: 60 }, (_, session) =>
        transcriptFile(
          `s${session}`,
          Array.from({ length: 30 }, () => ({
            text: Array.from({ length: 3 + below(20) }, wordAt).join(' '),
          })),
          noon - session * day,
        ),
      ),
    );
    // Some have no vector.
    const rows = Int32Array.from({ length: index.layout.size }, (_, slot) => slot);
    const scores = Float64Array.from(rows, () => (below(9) === 0 ? Number.NaN : below(1000) / 1000));
    const likeness = { leastShare: 0.2, ofQuestion: () => ({ rows, scores }), of: () => [], understands: () => true };
    const answersOf = (query: string, options: Partial<RecallOptions>) =>
      hitsOf(index, query, options).map(({ document: { path, turn }, score, parts }) => ({ path, turn, score, parts }));
    for (const query of ['w0 w1', 'what of w3 w9 w27?', 'w40 w41 w42 w43', 'w70', 'w0 session:s3']) {
      for (const options of [{}, { recency: 0.6 }, { use: 0.5 }, { likeness }, { likeness, vectorWeight: 0.8 }]) {
        const all = answersOf(query, { ...options, limit: 1000 });
        expect(all.length).toBeGreaterThan(query === 'w70' ? 5 : 20);
        for (const limit of [1, 10, 60]) expect(answersOf(query, { ...options, limit })).toEqual(all.slice(0, limit));
      }
    }
  });
});
