import { describe, expect, it } from 'vitest';
import { memoryKindOf } from '../../src/extract/classify.ts';
import type { ExtractedItem } from '../../src/extract/extractor.ts';
import { type PlanRules, planExtraction } from '../../src/extract/plan.ts';
import type { MemoryRecord, Transcript } from '../../src/records/types.ts';

const said = Date.parse('2026-02-16T18:45:00Z');
const extractor = { name: 'rules', version: '1' };
const transcript = (session: string): Transcript => ({
  sessionId: session,
  started: said,
  title: 'x',
  turns: [1, 2].map((turn) => ({ role: 'user', time: said + turn * 1000, text: 'x' })),
});

function plan(
  contents: readonly string[],
  existing: readonly MemoryRecord[] = [],
  rules: Partial<PlanRules> = {},
  session = 's1',
) {
  const items: ExtractedItem[] = contents.map((content, at) => ({
    category: 'fact',
    content,
    confidence: 0.8,
    turns: [at + 1],
    role: 'user',
    entities: [],
    tags: [],
  }));
  const path = `raw/conversations/2026/02/16/1845-${session}-x.md`;
  return planExtraction({ path, transcript: transcript(session), items, extractor, existing, now: said, rules });
}

const long = 'The backup of the billing database runs every night at three on the second server in Frankfurt.';

describe('what nearly repeats a memory', () => {
  it('confirms it and adds its source, in another conversation and in the same', () => {
    const { created } = plan([long]);
    const shorter = 'The backup of the billing database runs every night at three on the server in Frankfurt.';
    const again = plan([shorter], created, {}, 's2');
    expect(again.created).toEqual([]);
    expect(again.updated).toMatchObject([
      { after: { id: created[0]!.id, content: long, useCount: 1, sources: [{}, {}] } },
    ]);
    expect(
      plan(
        [shorter],
        again.updated.map(({ after }) => after),
        {},
        's2',
      ),
    ).toMatchObject({ created: [], updated: [] });
    expect(plan([long, shorter]).created).toMatchObject([{ content: long, sources: [{ turn: 1 }, { turn: 2 }] }]);
  });

  it.each([
    ['says more', `${long.slice(0, -1)} since May.`],
    ['says another number', long.replace('three', '4')],
    ['denies it', long.replace('runs', 'never runs')],
    ['is limited', long.replace('runs', 'usually runs')],
    ['names somebody else', long.replace('Frankfurt', 'Dublin')],
    ['says much less', 'The backup runs every night at three.'],
  ])('is a memory of its own where it %s', (_, other) => {
    expect(plan([other], plan([long]).created, {}, 's2').created).toMatchObject([{ content: other }]);
  });

  it('is one of two where words are told the other way round', () => {
    const one = plan(['Anna told Bob about the move of the office to Lisbon.']).created;
    expect(plan(['Bob told Anna about the move of the office to Lisbon.'], one, {}, 's2').created).toHaveLength(1);
  });

  it('is kept, as is what says the same, where duplicates are not looked for', () => {
    const { created } = plan([long]);
    expect(plan([long], created, { deduplicate: false }, 's2').created).toHaveLength(1);
    expect(plan([long], created, { deduplicate: false }).created).toEqual([]);
  });
});

describe('the rules of the configuration', () => {
  it('decide about kinds and about how long a guess lasts', () => {
    expect(plan(['The port is 8080 there.']).created[0]).toMatchObject({ memoryKind: 'note' });
    expect(plan(['The port is 8080 there.'], [], { episodesAndNotes: false }).created[0]!.memoryKind).toBeUndefined();
  });
});

describe('episodes and notes', () => {
  it.each([
    ['I prefer tea, as I said yesterday.', 'preference', [], 'episode', 'a time comes first'],
    ['We decided it last Tuesday.', 'decision', [], 'episode', 'a time comes first'],
    ['Deployed the shop.', 'decision', [], 'note', 'the category comes before the verb'],
    ['It must work.', 'moment', ['rule'], 'episode', 'the category comes before tags'],
    ['Deployed the shop.', 'fact', ['rule', 'event'], 'note', 'tags of notes win'],
    ['It must work.', 'fact', ['event'], 'episode', 'tags come before words'],
    ['We fixed what must work.', 'fact', [], 'episode', 'the verb comes before words of notes'],
    ['It must work.', 'fact', [], 'note', 'words of notes'],
    ['Blue sky over Lisbon.', 'fact', [], 'episode', 'nothing speaks'],
  ] as const)('%s (%s, %j) is %s: %s', (content, category, tags, kind, _why) => {
    expect(memoryKindOf(content, category, tags)).toBe(kind);
  });
});
