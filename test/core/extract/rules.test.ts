import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../../src/base/tokenizer.ts';
import type { Turn } from '../../../src/base/types/stored-types.ts';
import type { ExtractionContext } from '../../../src/core/extract/extractor.ts';
import { patientRules, ruleExtractor } from '../../../src/core/extract/rules.ts';
import { read, thresholds } from '../../../src/language/index.ts';

/** A Monday. */
const monday = Date.parse('2026-02-16T10:00:00Z');
const path = 'raw/conversations/2026/02/16/1000-s1-x.md';

function extract(turns: readonly (Partial<Turn> & { text: string })[], context: Partial<ExtractionContext> = {}) {
  const spoken = turns.map((turn) => ({ role: 'user', time: monday, ...turn }));
  const transcript = { sessionId: 's1', started: monday, ended: monday, title: 'x', turns: spoken };
  return ruleExtractor.extract(transcript, { path, ...context });
}
const from = (text: string, turn: Partial<Turn> = {}) => extract([{ text, ...turn }]);

it('reads a long turn in steps, finds the same, and lets others in between', async () => {
  const text = Array.from(
    { length: 3000 },
    (_, at) => `The server number ${at} stands in the north hall since we moved it.`,
  ).join('\n');
  const turns = [{ role: 'user', time: monday, text }];
  const transcript = { sessionId: 's1', started: monday, ended: monday, title: 'x', turns };
  let others = 0;
  let isRead = false;
  const other = (): void => {
    others += 1;
    if (!isRead) setImmediate(other);
  };
  setImmediate(other);
  const found = await patientRules.extract(transcript, { path });
  isRead = true;
  expect(others).toBeGreaterThan(1);
  expect(found.length).toBeGreaterThan(10);
  expect(found).toEqual(ruleExtractor.extract(transcript, { path }));
});

/** Sentences of this project with what is to be made of them; the scorers were trained with them, too. */
const rows: readonly { readonly turn: { readonly role: string; readonly text: string }; readonly worth: string }[] =
  readFileSync(new URL('../../../scripts/train/sets/own/turns.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('what is kept', () => {
  it('is most of what is worth it, and little of what is not', () => {
    const kept = (worth: string) => {
      const of = rows.filter((row) => row.worth === worth);
      return of.filter(({ turn }) => from(turn.text).some(({ isMinor }) => isMinor !== true)).length / of.length;
    };
    expect(rows.length).toBeGreaterThan(300);
    expect(kept('keep')).toBeGreaterThan(0.8);
    expect(kept('drop')).toBeLessThan(0.2);
  });

  it('follows the worth of the turn in three tiers', () => {
    const { keep, low, short } = thresholds() as Readonly<Record<string, number>>;
    const tiers = new Set<string>();
    // What is short and has few words that carry a meaning is judged by more than its worth.
    const isLong = (text: string): boolean => text.length >= 60 || new Set(tokensOf(text)).size >= 4;
    for (const { turn } of rows.filter(({ turn }) => !/[:[\n]/.test(turn.text) && isLong(turn.text))) {
      const { worth } = read(turn.text, { role: 'user' });
      const isKept = worth >= (turn.text.length < 60 ? short! : keep!);
      const tier = isKept ? 'kept' : worth >= low! ? 'minor' : 'raw';
      tiers.add(tier);
      const items = from(turn.text);
      expect(items.length === 0 ? 'raw' : items[0]!.isMinor ? 'minor' : 'kept', turn.text).toBe(tier);
    }
    expect(tiers.size).toBe(3);
  });

  it('begins with the sentence before one that cannot be read alone', () => {
    const rule = 'Never hand over a key without a signed receipt.';
    const [item, ...others] = from(`${rule} That rule has no exceptions.`);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ content: `${rule} That rule has no exceptions.`, category: 'principle' });
  });

  it('is a short turn as a whole where its last sentence says little alone', () => {
    const turns = [
      'No stairs with this knee! I may never climb.',
      'Rosa leaves at Easter. All orders go through Ben after that.',
      'We never cook prawns at home. Mussels neither.',
    ];
    const quotes = turns.map((text) => from(text).map(({ content }) => content));
    for (const [at, own] of quotes.entries()) expect([[], [turns[at]]]).toContainEqual(own);
    expect(quotes.flat().length).toBeGreaterThanOrEqual(1);
  });

  it('is two quotes of two sentences that can be read alone', () => {
    const said = [
      'I prefer the late train, the early one is always full.',
      'My sister Ida lives in Graz and works there for the state railway.',
    ];
    expect(from(said.join(' ')).map(({ content }) => content)).toEqual(said);
  });

  it('is a short turn as a whole, as it was said, with who says it', () => {
    const text = 'The depot in Bergen closes at 17:00 on Fridays.  Sorry\nabout that!';
    const [item, ...others] = from(text, { speaker: 'Jo' });
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      content: 'The depot in Bergen closes at 17:00 on Fridays. Sorry about that!',
      subject: 'Jo',
    });
    expect(item).not.toHaveProperty('statement');
  });

  it('is whole sentences of a longer turn, and not all of them', () => {
    const sentences = [
      'Good morning, did you sleep well?',
      'Haha, yes!',
      'By the way, the depot in Bergen closes at 17:00 on Fridays.',
      'Never hand the key to anybody but Ines, and lock the shed before you leave.',
      'My sister Ana is allergic to penicillin.',
      'Talk to you later.',
    ];
    const found = from(sentences.join(' ')).map(({ content }) => content);
    expect(sentences).toEqual(expect.arrayContaining(found));
    expect(found).toContain('My sister Ana is allergic to penicillin.');
    expect(found.length).toBeLessThan(5);
  });

  it('is a list of steps as one item', () => {
    const text = 'To restart the pump in the north shed:\n1. hold the red button for ten seconds\n2. wait for the beep';
    expect(from(text)).toMatchObject([
      {
        category: 'skill',
        content: 'To restart the pump in the north shed: 1. hold the red button for ten seconds 2. wait for the beep',
        tags: ['procedure'],
      },
    ]);
  });

  it('is read from lists and over line ends, without the marks of a list', () => {
    const text = '1. **Decision:** keep the old\n   endpoint\n- [ ] Todo: send the report to Jo by Friday #launch';
    expect(from(text)).toMatchObject([
      { category: 'decision', content: '**Decision:** keep the old endpoint' },
      { category: 'commitment', due: '2026-02-20', tags: ['deadline', 'launch'], entities: ['Jo'] },
    ]);
  });

  it('is due on the day of its last sentence, and a word alone is none', () => {
    const [promise] = from('Then we start today. We deliver the plates to the hotel on Friday the 20th, no later.');
    expect(promise).toMatchObject({ category: 'commitment', due: '2026-02-20' });
    const noted = from('Noted. I need to pay the clay invoice of 1,430 euros by the 20th of March.');
    expect(noted.map(({ content }) => content)).toEqual([expect.stringContaining('clay invoice')]);
  });

  it('is mostly a sure promise where a sentence with a day is one, whatever stands beside it', () => {
    const promises = [
      "Right, I'll ring the plumber on Thursday morning.",
      "Sure thing. I'll drop the keys off at yours on Saturday.",
      "The heating works again. I'll pay the invoice by the 20th.",
      "If the weather holds I'll paint the shed on Sunday.",
      'No rush. We will bring the chairs back next Wednesday.',
      "I was mistaken about the train times, it leaves at noon. I'll tell Dad tomorrow.",
      'Two points. First the roof. I will get a quote by Monday.',
      "The minutes are done. I'll circulate them tomorrow.",
      "Oh good, then I'm going to cancel the gym on Monday.",
    ];
    const others = [
      'We leave on Thursday.',
      "I'll be home late tomorrow, the tram is on strike.",
      'She flies home on Tuesday.',
    ];
    const isPromise = (text: string) =>
      from(text).some(
        ({ category, confidence, due }) => category === 'commitment' && confidence >= 0.8 && due !== undefined,
      );
    expect(promises.filter(isPromise).length).toBeGreaterThanOrEqual(7);
    expect(others.filter(isPromise).length).toBeLessThanOrEqual(1);
  });

  it('begins a note at a line with a label, whatever the line above ends with', () => {
    const text = 'Hello\nDecision: we ship on Friday\n**Rule:** never deploy after lunch\nTodo: call Bob by Monday';
    expect(from(text).map(({ category, content }) => [category, content])).toEqual([
      ['decision', 'Decision: we ship on Friday'],
      ['principle', '**Rule:** never deploy after lunch'],
      ['commitment', 'Todo: call Bob by Monday'],
    ]);
  });

  it('names no days and months', () => {
    for (const when of ['on Tuesdays', 'Monday-Friday', 'on Friday', 'in October', 'on Wednesday mornings']) {
      expect(from(`Decision: releases leave ${when}.`)).toMatchObject([{ category: 'decision', entities: [] }]);
    }
  });
});

describe('labels', () => {
  it.each([
    ['Decision: keep the old endpoint until June.', 'decision'],
    ['Decided – we keep the old endpoint.', 'decision'],
    ['Correction: the port is 8080.', 'correction'],
    ['Preference: spaces over tabs', 'preference'],
    ['Rule: no release on a Friday', 'principle'],
    ['TODO: book flights to Lisbon', 'commitment'],
    ['**Lesson learned:** compare an index with a rebuilt one.', 'fact'],
    ['FYI: the staging server is down until Monday.', 'fact'],
    ['- [P1] **Decision:** tiered pricing', 'decision'],
    ['- **[P0]** Preference: short answers', 'preference'],
    ['Decision: iPhone support stays.', 'decision'],
    ['Decision: src/base holds no helpers.', 'decision'],
  ])('name the category and stay with the words: %s', (text, category) => {
    expect(from(text)).toMatchObject([{ category, content: text.replace(/^- (?:\*\*)?\[P\d\](?:\*\*)? /, '') }]);
  });

  it('leave a tag where the category alone would not tell, and a day', () => {
    expect(from('Lesson learned: compare before trusting.')).toMatchObject([{ tags: ['lesson'] }]);
    expect(from('Reminder: call the landlord tomorrow')).toMatchObject([{ due: '2026-02-17' }]);
  });

  it.each([
    'Decision: pending.',
    'Decision: should we use tabs or spaces?',
    'Correction: twelve',
    'Decision-making is hard work.',
    'Correction – tank 1.',
    'The decision: who knows about that anyway.',
  ])('label nothing here: %s', (text) => {
    // The scorers may keep it for what it says.
    expect(from(text).filter(({ confidence }) => confidence === 0.97)).toEqual([]);
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

  it('are always taken, with their priority and their day', () => {
    const items = from(text).filter(({ priority }) => priority !== undefined);
    expect(items.map(({ priority, content, due }) => [priority, content, due])).toEqual([
      ['P0', 'Client X deadline moved to Feb 18', '2026-02-18'],
      ['P1', 'Decided on tiered pricing model', undefined],
      ['P2', 'User prefers bullet points over paragraphs', undefined],
      ['P3', 'maybe blue?', undefined],
    ]);
    for (const item of items)
      expect(item).toMatchObject({ confidence: 0.98, tags: expect.arrayContaining([item.priority]) });
  });
});

describe('what is left out', () => {
  const rule = 'We decided to use Postgres for the ledger.';

  it('is not left out because it is in the list below', () => {
    expect(from(rule)).toHaveLength(1);
  });

  it.each([`> ${rule}`, `\`\`\`\n${rule}\n\`\`\``, `    ${rule}`, `# ${rule}`, `| ${rule} |`, '', '...', '🙂'])(
    '%s',
    (text) => {
      expect(from(text)).toEqual([]);
    },
  );

  it('the words of the system and turns about memory', () => {
    expect(from(rule, { role: 'system' })).toEqual([]);
    expect(from(rule, { role: 'tool' })).toEqual([]);
    expect(from(rule, { role: 'agent', flag: 'memory' })).toEqual([]);
  });

  it('what an agent only says again, unless a number is new', () => {
    const said = 'My rowing practice is on Mondays at 5:30 in the harbour.';
    const answered = (text: string) =>
      extract([{ text: said }, { role: 'agent', text }]).filter(({ turns }) => turns[0] === 2);
    expect(answered('Noted: rowing practice on Mondays at 5:30 in the harbour.')).toEqual([]);
    expect(answered('Decision: rowing practice on Mondays at 6:15 in the harbour.')).toHaveLength(1);
  });

  it('what was said before in the same session', () => {
    const items = extract([{ text: 'Rule: use Redis.' }, { text: 'rule: use REDIS' }, { text: 'Rule: use Redis!' }]);
    expect(items.map(({ turns }) => turns)).toEqual([[1]]);
  });

  it('what is less sure or more than asked for', () => {
    const turns = ['Decision: use Redis.', 'The depot closes at 17:00.', 'Decision: use Postgres.'].map((text) => ({
      text,
    }));
    expect(extract(turns, { minConfidence: 0.95 })).toHaveLength(2);
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

  // The limit of the runner is the judge: a pattern that backtracks does not come to an end here.
  it('is read to its end whatever its shape', () => {
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
      `${"I'll go by ".repeat(36)}. `.repeat(100),
      `${'I will put it on in 2 '.repeat(17)}. `.repeat(100),
      'Decision: '.repeat(5000),
      `Decision ${' '.repeat(50_000)}:`,
    ];
    for (const text of hostile) expect(() => from(text)).not.toThrow();
  });
});
