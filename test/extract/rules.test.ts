import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExtractionContext } from '../../src/extract/extractor.ts';
import { ruleExtractor } from '../../src/extract/rules.ts';
import type { Turn } from '../../src/records/types.ts';

/** A Monday. */
const monday = Date.parse('2026-02-16T10:00:00Z');
const path = 'raw/conversations/2026/02/16/1000-s1-x.md';

function extract(turns: readonly (Partial<Turn> & { text: string })[], context: Partial<ExtractionContext> = {}) {
  const spoken = turns.map((turn) => ({ role: 'user', time: monday, ...turn }));
  const transcript = { sessionId: 's1', started: monday, ended: monday, title: 'x', turns: spoken };
  return ruleExtractor.extract(transcript, { path, ...context });
}
const from = (text: string, turn: Partial<Turn> = {}) => extract([{ text, ...turn }]);
const kinds = (text: string, turn: Partial<Turn> = {}) => from(text, turn).map(({ category }) => category);

describe('what is found', () => {
  it.each([
    ['decision', 'We decided to drop support for Node 18.'],
    ['decision', "Let's go with Postgres for the main store."],
    ['decision', 'Aquarius, our decision for the time is to leave the IMU powered up.'],
    ['decision', "We're going to power down the PGNS."],
    ['decision', 'You are GO for the burn.'],
    ['decision', 'Decision: keep the old endpoint until June.'],
    ['decision', 'The beta launch was postponed because of the outage.'],
    ['commitment', "I'll send the contract to Maria by Friday."],
    ['commitment', 'Can you remind me to call Bob tomorrow?'],
    ['commitment', 'TODO: book flights to Lisbon'],
    ['commitment', 'The deadline is March 15.'],
    ['commitment', 'I promise to review the draft.'],
    ['preference', 'I prefer bullet lists over prose in reports.'],
    ['preference', 'David prefers bullet lists.'],
    ['preference', "I'm vegetarian and allergic to nuts."],
    ['preference', 'My favorite editor is Helix.'],
    ['principle', 'Please always run the tests before pushing.'],
    ['principle', 'Never store passwords in the repo.'],
    ['principle', "Don't commit to main."],
    ['principle', 'From now on, write commit messages in English.'],
    ['principle', 'We should always validate input.'],
    ['correction', 'Actually, my email is jo@example.org.'],
    ['correction', 'No, the port is 8080, not 8000.'],
    ['correction', "That's wrong, the invoice goes to Anna in accounting."],
    ['relationship', 'My wife Anna is a nurse.'],
    ['relationship', 'Maria works at Acme.'],
    ['entity', 'Acme is a small startup in Berlin.'],
    ['moment', "Houston, we've had a problem."],
    ['moment', 'I finally passed my driving test!'],
    ['moment', 'The payment service crashed last night.'],
    ['skill', 'I speak German and English.'],
    ['fact', 'My name is David Feldhofer.'],
    ['fact', 'I work at ExcitingFit as a CTO.'],
    ['fact', 'The production database is hosted on AWS in Frankfurt.'],
    ['fact', 'FYI: the staging server is down until Monday.'],
    ['fact', 'It turns out that the token expires after 24 hours.'],
    ['fact', 'We use Postgres 16.'],
  ])('%s: %s', (category, text) => {
    expect(from(text)).toMatchObject([{ category, content: text[0]!.toUpperCase() + text.slice(1), turns: [1] }]);
  });

  it('is one sentence, without the words that open it', () => {
    expect(
      from('Okay, so we talked. And, well, we decided to ship on Monday. Cheers!').map(({ content }) => content),
    ).toEqual(['We decided to ship on Monday.']);
  });

  it('is read from lists, over line ends and with typographic apostrophes', () => {
    const text = '1. **Decision:** keep the old\n   endpoint\n- [ ] I’ll send the report to Jo by Friday';
    expect(from(text).map(({ category, content }) => [category, content])).toEqual([
      ['decision', 'Decision: keep the old endpoint'],
      ['commitment', 'I’ll send the report to Jo by Friday'],
    ]);
  });

  it('carries names, the speaker where it says "I", tags and the day it is due', () => {
    expect(from("I'll send the draft to Maria Lopez by Friday #launch", { speaker: 'Jo' })).toMatchObject([
      { entities: ['Jo', 'Maria Lopez'], tags: ['deadline', 'launch'], due: '2026-02-20', role: 'user' },
    ]);
    expect(from('We decided to use Redis.', { speaker: 'Jo' })).toMatchObject([{ entities: ['Redis'] }]);
  });

  it('is less sure where the speaker is', () => {
    const sure = from('We decided to use Redis.')[0]!.confidence;
    const unsure = from('I think we decided to use Redis.')[0]!.confidence;
    expect(sure).toBeGreaterThanOrEqual(0.95);
    expect(unsure).toBeLessThan(0.95);
  });
});

describe('Priority Extracts', () => {
  const text = `We talked.

## Priority Extracts
- [P0] Client X deadline moved to Feb 18
- [P1] Decided on tiered pricing model
* [P2] User prefers bullet points over paragraphs
- [P3] maybe blue?
- [P4] no such priority`;

  it('are always taken, with their priority and the kind the rules see in them', () => {
    expect(from(text).map(({ priority, category, content, due }) => [priority, category, content, due])).toEqual([
      ['P0', 'commitment', 'Client X deadline moved to Feb 18', '2026-02-18'],
      ['P1', 'decision', 'Decided on tiered pricing model', undefined],
      ['P2', 'preference', 'User prefers bullet points over paragraphs', undefined],
      ['P3', 'fact', 'maybe blue?', undefined],
    ]);
    for (const item of from(text))
      expect(item).toMatchObject({ confidence: 0.98, tags: expect.arrayContaining([item.priority]) });
  });
});

describe('what is left out', () => {
  it.each([
    'Should we use Postgres?',
    'Have we decided to use Postgres?',
    'If we decided to use Redis we would need a server.',
    "We haven't decided to use it yet.",
    'Maybe we use Postgres.',
    'She said "we decided to leave the house" yesterday.',
    '> We decided to use Postgres.',
    '> [tool:exec] we decided to use Postgres → ok',
    '```\nWe decided to use Postgres.\n```',
    '    We decided to use Postgres.',
    '# We decided to use Postgres',
    'I love that! I love how you did it.',
    'Never mind. Always happy to help!',
    "I'll do that. We'll use that.",
    'We decided to do that.',
    'We decided to -',
    "I won't bother you with those calls anymore.",
    'The procedure that we just passed you is on page 3.',
    'Okay. Roger. Thanks a lot!',
    'const decided = await we.decided({ to: use }); // {}',
    '',
  ])('%s', (text) => {
    expect(kinds(text)).toEqual([]);
  });

  it('the words of the system and turns about memory', () => {
    expect(kinds('We decided to use Postgres.', { role: 'system' })).toEqual([]);
    expect(kinds('We decided to use Postgres.', { role: 'agent', flag: 'memory' })).toEqual([]);
  });

  it('what a program announces to do next, but not what a person does', () => {
    const text = "I'll update the configuration file with the new port.";
    expect(kinds(text, { role: 'agent' })).toEqual([]);
    expect(kinds(text, { role: 'agent', speaker: 'Fred' })).toEqual(['commitment']);
    expect(kinds(text)).toEqual(['commitment']);
  });

  it('what was said before in the same session', () => {
    const items = extract([
      { text: 'We decided to use Redis.' },
      { text: 'Yes: we decided to use REDIS' },
      { text: 'Okay, we decided to use Redis!' },
    ]);
    expect(items.map(({ turns }) => turns)).toEqual([[1]]);
  });

  it('what is less sure or more than asked for', () => {
    const turns = ['We decided to use Redis.', "We'll use the red cable.", 'We decided to use Postgres.'].map(
      (text) => ({ text }),
    );
    expect(extract(turns, { minConfidence: 0.9 })).toHaveLength(2);
    expect(extract(turns, { maxItems: 2 }).map(({ turns: [turn] }) => turn)).toEqual([1, 3]);
  });
});

describe('any text', () => {
  it('gives items that are on one line, not empty, of a turn that is there, and the same twice', () => {
    const words = fc.constantFrom(
      'we',
      'decided',
      'to',
      'use',
      'I',
      'prefer',
      'Postgres',
      'by',
      'Friday',
      'never',
      'always',
      '.',
      '?',
      '\n',
      '- [P1] ',
      '"',
      'if',
      '，',
      '😀',
      '```',
      '> ',
    );
    const text = fc.array(words, { maxLength: 40 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
        const turns = texts.map((one) => ({ text: one }));
        const items = extract(turns);
        expect(extract(turns)).toEqual(items);
        for (const item of items) {
          expect(item.content.trim()).not.toBe('');
          expect(item.content).not.toMatch(/\n/);
          expect(item.confidence).toBeGreaterThan(0);
          expect(item.confidence).toBeLessThanOrEqual(1);
          expect(item.turns[0]).toBeLessThanOrEqual(texts.length);
        }
      }),
    );
  });

  it('is read in time that grows with its length alone', () => {
    const hostile = [
      'we '.repeat(20_000),
      `We decided to ${'a-'.repeat(20_000)}`,
      `I'll send ${'x '.repeat(190)}. `.repeat(200),
      `The ${'thing '.repeat(60)}is. `.repeat(200),
      '.'.repeat(50_000),
      '"'.repeat(50_000),
      `${'A'.repeat(390)}. `.repeat(100),
      `${"A'b.".repeat(90)}. `.repeat(100),
      '- [P0] '.repeat(5000),
      '*'.repeat(50_000),
      '('.repeat(50_000),
      '`'.repeat(50_000),
      `${'- '.repeat(190)}\n`.repeat(100),
    ];
    for (const text of hostile) {
      const start = performance.now();
      from(text);
      expect(performance.now() - start, text.slice(0, 20)).toBeLessThan(2000);
    }
  });
});
