import { describe, expect, it } from 'vitest';
import { confidenceOf, isProbablyNothing } from '../../src/search/confidence.ts';
import { newTestMemory } from '../helpers/memories.ts';

const talk = [
  'We moved the greenhouse to the south wall last week.',
  'Marta planted forty tulips along the fence.',
  'The pump in the cellar broke again, so I called Henrik.',
  'Henrik comes on Friday and brings a new valve.',
  'My sister runs the marathon in Rotterdam this spring.',
  'She trains with a coach from the rowing club.',
];
const chatter = Array.from({ length: 60 }, (_, at) => `Day ${at}: nothing much, the weather stays grey.`);

async function garden(options = {}) {
  const { memory } = await newTestMemory(options);
  const messages = [...talk, ...chatter].map((text) => ({ role: 'user' as const, text }));
  await memory.capture({ messages, session: 'garden' });
  return memory;
}

describe('the confidence of a hit', () => {
  it('grows with what it holds and how like it is, and falls with what nothing says', () => {
    const some = { coverage: 0.5, unsaid: 0.3, cosine: 0.4 };
    const figure = confidenceOf(some);
    expect(confidenceOf({ ...some, coverage: 0.6 })).toBeGreaterThan(figure);
    expect(confidenceOf({ ...some, cosine: 0.5 })).toBeGreaterThan(figure);
    expect(confidenceOf({ ...some, unsaid: 0.4 })).toBeLessThan(figure);
    const byWords = confidenceOf({ coverage: 1, unsaid: 0 });
    expect(byWords).toBeGreaterThan(0.5);
    expect(byWords).toBeLessThan(1);
  });

  it('is no verdict where nothing was asked for by words', () => {
    expect(isProbablyNothing([undefined])).toBe(false);
    expect(isProbablyNothing([0.1, undefined])).toBe(false);
    expect(isProbablyNothing([0.1, 0.2])).toBe(true);
    expect(isProbablyNothing([0.1, 0.9])).toBe(false);
    expect(isProbablyNothing([])).toBe(true);
  });
});

describe.each([
  ['words and vectors', {}],
  ['words alone', { embedder: null }],
])('a memory that ranks by %s', (_, options) => {
  it('says when it probably does not know, and only then', async () => {
    const memory = await garden(options);
    for (const known of [
      'Where did we move the greenhouse?',
      'Who comes on Friday with a new valve?',
      'tulips fence',
    ]) {
      const { hits, probablyNothing } = await memory.recall(known);
      expect(probablyNothing, known).toBeUndefined();
      expect(hits[0]!.confidence, known).toBeGreaterThan(0.5);
    }
    for (const unknown of ['Which airline flew us to Lisbon?', 'xylophone', "What is my dentist's dog called?"]) {
      const { hits, probablyNothing } = await memory.recall(unknown);
      expect(probablyNothing, unknown).toBe(true);
      for (const { confidence } of hits) expect(confidence, unknown).toBeLessThan(0.5);
    }
    await memory.close();
  });

  it('says the same whatever the limit, and nothing of a list', async () => {
    const memory = await garden(options);
    for (const question of ['Which airline flew us to Lisbon?', 'Where is the pump that broke in the cellar?']) {
      const [one, many] = [await memory.recall(question, { limit: 1 }), await memory.recall(question, { limit: 30 })];
      expect(one.probablyNothing, question).toBe(many.probablyNothing);
      expect(one.hits, question).toEqual(many.hits.slice(0, one.hits.length));
    }
    const { hits, probablyNothing } = await memory.recall('since:1970-01-01');
    expect(probablyNothing).toBeUndefined();
    expect(hits.length).toBeGreaterThan(0);
    expect(hits[0]!.confidence).toBeUndefined();
    await expect(memory.recall('tulips', { limit: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await memory.close();
  });
});

it('a context says so ahead of what comes nearest, to a question alone', async () => {
  const memory = await garden();
  const line = 'Probably nothing here answers the message. What comes nearest:';
  const recalledIn = async (message: string) => (await memory.context(message, { tokens: 1000 })).text;
  expect(await recalledIn('Which airline flew us to grey Lisbon?')).toContain(`${line}\n`);
  expect(await recalledIn('An airline flew us to grey Lisbon.')).not.toContain(line);
  expect(await recalledIn('Where did we move the greenhouse?')).not.toContain(line);
  await memory.close();
});
