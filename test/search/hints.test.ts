import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../src/search/search-index.ts';
import { memoryFile, noon, Shelf, transcriptFile } from './corpus.ts';

const shelf = new Shelf();
const index = new SearchIndex(shelf.read);
index.moveTo(
  shelf.listing([
    transcriptFile('ses_4c1e08b2', [{ text: 'The valve is stuck' }]),
    memoryFile('m1', 'We use Postgres', {
      tags: ['database', 'Électrique'],
      category: 'decision',
      entities: ['Ana Lima'],
    }),
    ['knowledge/people/ana.md', '# Ana\n\nRuns the tank.\n'],
  ]),
);
const hints = (query: string, options = {}): string[] => index.hints(query, { now: noon, ...options });

describe('a filter that fits nothing', () => {
  it.each([
    ['tag:databaze valve', 'Nothing here has the tag “databaze”; did you mean database?'],
    ['tag:data valve', 'Nothing here has the tag “data”; did you mean database?'],
    ['tag:electriqe', 'Nothing here has the tag “electriqe”; did you mean Électrique?'],
    ['tag:zeppelin valve', 'Nothing here has the tag “zeppelin”.'],
    ['category:decison postgres', 'There is no category “decison”; did you mean decision?'],
    ['category:persn', 'There is no category “persn”; did you mean person?'],
    ['category:commitment', 'Nothing here is of the category commitment.'],
    ['category:commitmnet', 'There is no category “commitmnet”; did you mean commitment?'],
    ['category:zeppelin', 'There is no category “zeppelin”; there are conversation, decision, memory, person.'],
    ['entity:"Ana Lma"', 'Nothing here has the entity “Ana Lma”; did you mean Ana Lima?'],
    ['speaker:zeppelin valve', 'Nothing here has the speaker “zeppelin”.'],
    ['language:de valve', 'Nothing here has the language “de”.'],
    ['language:klingon valve', 'No language “klingon” is known here.'],
    ['session:ses_4c1e08b3', 'Nothing here has the session “ses_4c1e08b3”; did you mean ses_4c1e08b2?'],
  ])('%s is told what was probably meant', (query, hint) => {
    expect(hints(query)).toEqual([hint]);
  });

  it('is told of options as of the query', () => {
    expect(hints('valve', { category: 'conversaton' })).toEqual([
      'There is no category “conversaton”; did you mean conversation?',
    ]);
    expect(hints('valve', { session: 'ses_4c1e08b1' })).toHaveLength(1);
  });

  it('is told of beside another that does fit', () => {
    expect(hints('tag:database tag:databse postgres')).toHaveLength(1);
  });
});

describe('what is no filter', () => {
  it.each(['catgory:decision postgres', 'tags:database', 'befor:2026-02', '(entitiy:Ana'])(
    '%s is told which one was probably meant',
    (query) => {
      expect(hints(query)).toEqual([expect.stringMatching(/is no filter and was read as words; did you mean \w+:\?$/)]);
    },
  );

  it('is told to be none where other programs have it', () => {
    expect(hints('author:ana valve')).toEqual([
      expect.stringMatching(/^author: is no filter .* there are category:, tag:/),
    ]);
    expect(hints('valve -tank')).toEqual(['-tank leaves nothing out here; it was read as a word.']);
    expect(hints('git log --follow -a')).toEqual([]);
  });

  it.each(['valve AND tank', 'NOT valve', 'NEAR(valve tank)', '(valve OR tank)'])(
    '%s is told that it is words',
    (query) => {
      expect(hints(query)).toEqual([expect.stringMatching(/^(AND|OR|NOT|NEAR) is no operator here/)]);
    },
  );
});

it.each([
  'valve',
  'tag:database postgres',
  'category:Decision',
  'category:knowledge tank',
  'category:archive',
  'session:ses_4c1e',
  'entity:"ana lima"',
  'note: buy milk',
  'see http://example.org/x and src:main.ts',
  'std::vector',
])('of %s there is nothing to say', (query) => {
  expect(hints(query)).toEqual([]);
});

it.each(['the of and', '.*', 'tag:database (('])(
  '%s, which has no word to look up, is told how it was looked for',
  (query) => {
    expect(hints(query)).toEqual([
      expect.stringMatching(/no word that tells texts apart, so it was looked for as it stands\.$/),
    ]);
  },
);

it('little is said of much', () => {
  const many = Array.from({ length: 3000 }, (_, at) => `tag:none${at}`).join(' ');
  expect(hints(many).length).toBeLessThanOrEqual(5);
  expect(hints('tga:x '.repeat(20_000))).toHaveLength(1);
});
