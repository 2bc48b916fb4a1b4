// Two experiments side by side: what is counted, what is found, and how sure a difference is.

import { describe, expect, it } from 'vitest';
import type { ExtractedItem, Extractor } from '../../../src/core/extract/extractor.ts';
import { formatProbes, judgeOf, parseProbes } from '../../../src/features/experiment/probes.ts';
import { formatComparison } from '../../../src/features/experiment/report.ts';
import { pairedDifference } from '../../../src/features/experiment/significance.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { newTestMemory } from '../../helpers/memories.ts';

const topics = ['harbour', 'lighthouse', 'vineyard', 'monastery', 'aqueduct', 'observatory', 'glacier', 'quarry'];

async function capture(memory: Memory): Promise<void> {
  for (const [index, topic] of topics.entries()) {
    await memory.capture({
      session: `s${index}`,
      messages: [
        {
          role: 'user',
          text: `We decided to visit the ${topic} on the ${index + 3}th of May.`,
          time: 1_770_000_000_000 + index * 1e7,
        },
        {
          role: 'agent',
          text: `The ${topic} costs ${index + 11} euros for grown people.`,
          time: 1_770_000_060_000 + index * 1e7,
        },
      ],
    });
  }
}

/** Keeps the turns of one role, as they are. */
function keeper(role: string, more: Partial<ExtractedItem> = {}): Extractor {
  return {
    name: `keeper-${role}`,
    version: '1',
    extract: ({ turns }) =>
      turns.flatMap((turn, at): ExtractedItem[] =>
        turn.role === role
          ? [
              {
                category: 'fact',
                content: turn.text,
                confidence: 0.9,
                turns: [at + 1],
                role,
                entities: [],
                tags: [],
                ...more,
              },
            ]
          : [],
      ),
  };
}

/** Extractors that the memories of this file know, by name. */
const own: Record<string, Extractor> = {};
const by = (extractor: Extractor) => {
  own[extractor.name] = extractor;
  return { extractors: [extractor.name] };
};

describe('a comparison', () => {
  it('tells what each side knows, and finds, and what one knows alone', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.experiments.run('user', by(keeper('user')));
    await memory.experiments.run('agent', by(keeper('agent')));
    const probes = topics.map((topic, at) => ({
      question: `what does the ${topic} cost`,
      ...(at === 0 ? { finds: ['11 EUROS'] } : at === 1 ? { matches: '\\b12 euros\\b' } : {}),
      ...(at > 1 ? { sources: [`nobody.md#1`] } : {}),
    }));
    const paths = await memory.files('raw/conversations/');
    const asked = probes.map((probe, at) => (at > 1 ? { ...probe, sources: [`${paths[at]}#2`] } : probe));
    const result = await memory.experiments.compare('user', 'agent', { probes: asked });
    expect(result.a).toMatchObject({ name: 'user', extractor: 'keeper-user@1', memories: 8, byCategory: { fact: 8 } });
    expect(result.b).toMatchObject({ name: 'agent', memories: 8, exactDuplicates: 0, superseded: 0 });
    expect(result.b.tokens).toBeGreaterThan(8 * 5);
    expect(result.knowledge).toMatchObject({ both: 0, onlyA: 8, onlyB: 8 });
    expect(result.knowledge.a.every(({ content }) => content.startsWith('We decided'))).toBe(true);
    expect(result.probes!.ranks.every(({ a, b }) => a === null && b === 1)).toBe(true);
    expect(result.probes!.measures.map(({ name, a, b }) => [name, a, b])).toEqual(
      ['recall@1', 'recall@3', 'recall@5', 'recall@10', 'MRR'].map((name) => [name, 0, 1]),
    );
    for (const { significance } of result.probes!.measures) {
      expect(significance).toMatchObject({ difference: 1, interval: [1, 1] });
      expect(significance.p).toBeLessThan(0.02);
    }
    // Asked of everything, the captures answer for both.
    const everywhere = await memory.experiments.compare('user', 'agent', { probes: asked.slice(2), category: 'all' });
    expect(everywhere.probes!.ranks.every(({ a, b }) => a !== null && b !== null)).toBe(true);
    const page = formatComparison(result);
    expect(page).toContain('# user and agent');
    expect(Math.max(...page.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(120);
  });

  it('takes verdicts of reviews for labels: what was kept should be known, what was refused should not', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.remember({ id: 'good', content: 'The harbour costs 11 euros for grown people.' });
    await memory.remember({ id: 'bad', content: 'We decided to visit the harbour on the 3th of May.' });
    await memory.verdict('keep', 'good');
    await memory.verdict('forget', 'bad');
    await memory.forget('good');
    await memory.commit();
    await memory.experiments.run('user', by(keeper('user')));
    await memory.experiments.run('agent', by(keeper('agent')));
    const result = await memory.experiments.compare('user', 'agent');
    expect(result.verdicts).toEqual({ kept: { total: 1, a: 0, b: 1 }, refused: { total: 1, a: 1, b: 0 } });
    expect(formatComparison(result)).toContain(
      'Of 1 memory that people kept A knows 0 and B 1; of 1 that they refused A 1 and B 0.',
    );
  });

  it('counts duplicates and contradictions, and takes a branch for a side', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await memory.capture({ messages: [{ role: 'user', text: 'The cache is fast.' }] });
    const remember = (id: string, content: string) => memory.remember({ id, content });
    await remember('a1', 'The billing service runs on the old server in the cellar of Porto.');
    await remember('a2', 'The billing service runs on the old server in the cellar of Porto!');
    await remember('a3', 'The billing service runs on the old server in the cellar of Porto now.');
    await remember('a4', 'The billing service never runs on the old server in the cellar of Porto.');
    await memory.remember({ id: 'b1', content: 'Tea is drunk at four.' });
    await memory.remember({ id: 'b2', content: 'Coffee is drunk at noon.' });
    await memory.records.relate('b1', 'b2', 'contradicts');
    await memory.commit();
    const tip = memory.tip;
    await memory.experiments.run('cache', by(keeper('user')));
    const { a, b, knowledge, probes } = await memory.experiments.compare('main', 'cache');
    expect(a).toMatchObject({ name: 'main', extractor: null, cost: null, memories: 6 });
    expect(a.byCategory).toEqual({ other: 6 });
    expect(a).toMatchObject({ exactDuplicates: 1 });
    expect(a.nearDuplicates).toBeGreaterThanOrEqual(2);
    // Each of three is denied, and tea contradicts coffee.
    expect(a.contradictions).toBe(4);
    expect([b.memories, b.extractor]).toEqual([7, 'keeper-user@1']);
    expect([knowledge.both, knowledge.onlyA, knowledge.onlyB, knowledge.b[0]!.content]).toEqual([
      5,
      0,
      1,
      'The cache is fast.',
    ]);
    expect(probes).toBeNull();
    expect(memory.tip).toBe(tip);
    await expect(memory.experiments.compare('main', 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.experiments.compare('main', 'cache', { probes: [] })).rejects.toMatchObject({
      code: 'INVALID_RECORD',
    });
  });
});

describe('probes', () => {
  it('are made of the captures, the same for the same seed, and found where the turn was kept', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    const probes = await memory.experiments.probes({ count: 10 });
    expect(probes.length).toBe(10);
    expect(await memory.experiments.probes({ count: 10 })).toEqual(probes);
    expect(await memory.experiments.probes({ count: 10, seed: 2 })).not.toEqual(probes);
    expect(parseProbes(formatProbes(probes), 'probes.yaml')).toEqual(probes);
    // At least half of them ask for decisions, which the signal scan knows, where there are as many.
    expect(probes.filter(({ sources }) => sources![0]!.endsWith('#1')).length).toBeGreaterThanOrEqual(5);
    await memory.experiments.run('user', by(keeper('user')));
    await memory.experiments.run('agent', by(keeper('agent')));
    const { ranks } = (await memory.experiments.compare('user', 'agent', { probes })).probes!;
    const ofUser = probes.map(({ sources }) => sources![0]!.endsWith('#1'));
    expect(ranks.map(({ a, b }) => [a !== null, b !== null])).toEqual(ofUser.map((is) => [is, !is]));
    await expect(memory.experiments.probes({ count: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('need captures', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await expect(memory.experiments.probes()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['', 'there is no list'],
    ['probes: []', 'there is no list'],
    ['probes: [one]', 'probe 1 is no mapping'],
    ['probes: [{ question: x }]', 'does not say what has to be found'],
    ['probes: [{ question: x, finds: y }, { finds: y }]', 'probe 2 has no question'],
    ['probes: [{ question: x, finds: [] }]', 'texts or lists of texts'],
    ['probes: [{ question: x, find: y }]', 'unknown key find'],
    ['probes: &a [1]', 'anchor'],
  ])('that cannot be used are refused: %s', (text, why) => {
    expect(() => parseProbes(text, 'probes.yaml')).toThrow(why);
  });

  it('are fulfilled by any of what they name', async () => {
    const isRight = await judgeOf({ question: 'x', finds: ['Valkey'], matches: '^ab+c$', sources: ['a.md#2'] });
    const hits = [
      { text: 'we use VALKEY here', sources: [] },
      { text: 'ABBC', sources: [] },
      { text: 'other', sources: ['b.md#1', 'a.md#2'] },
      { text: 'other', sources: ['a.md#22'] },
    ];
    expect(hits.map(isRight)).toEqual([true, true, true, false]);
    await expect(judgeOf({ question: 'x', matches: '(' })).rejects.toMatchObject({
      code: expect.stringMatching(/^INVALID/),
    });
  });
});

describe('a difference of pairs', () => {
  it('is nothing without pairs, and certain when all agree', () => {
    expect(pairedDifference([], [])).toEqual({ difference: 0, interval: [0, 0], p: 1 });
    const zeros = Array.from({ length: 12 }, () => 0);
    const sure = pairedDifference(
      zeros,
      zeros.map(() => 1),
    );
    // All twelve signs the same: 2 of 4,096 ways.
    expect(sure.p).toBeGreaterThan(1 / 10_001);
    expect(sure.p).toBeLessThan(0.002);
    expect(sure).toMatchObject({ difference: 1, interval: [1, 1] });
  });

  it('of one pair against one is chance, and turns its sign with the sides', () => {
    const one = pairedDifference([0, 1, 0, 1], [1, 0, 1, 1]);
    const other = pairedDifference([1, 0, 1, 1], [0, 1, 0, 1]);
    expect(one.difference).toBe(0.25);
    expect(other.difference).toBe(-0.25);
    expect(one.p).toBeGreaterThan(0.5);
    expect(one.interval[0]).toBeLessThan(0);
    expect(one.interval[1]).toBeGreaterThan(0);
  });
});
