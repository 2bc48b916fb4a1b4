// Turns of agents: what the gate decided is noted, how it turned out is learnt, and thresholds follow from it. Questions write nothing.

import { describe, expect, it } from 'vitest';
import { compileTopic } from '../../src/core/context/topics/topic-catalog.ts';
import { planTuning } from '../../src/core/context/topics/tune.ts';
import { mergeFile } from '../../src/store/merge/merge-file.ts';
import {
  decisionId,
  formatDecision,
  formatRating,
  type GateDecision,
  parseGateLog,
} from '../../src/store/records/gate-log.ts';
import { parseTopic } from '../../src/store/records/topic-file.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';

const log = 'state/gate/2026-02-16.jsonl';
const lunch = `---
type: topic
triggers:
  - {type: pattern, match: lunch}
activation: gated
priority: high
---

# Food

Offer the canteen, the noodle bar, or a picnic by the river.
`;

async function withLunch() {
  const opened = await newTestMemory({ model: null });
  await opened.memory.write('topics/food.md', lunch);
  return opened;
}

describe('a turn of an agent', () => {
  it('notes what the gate decided, in the batch; a question does not', async () => {
    const { memory } = await withLunch();
    await memory.commit();
    await memory.topics.test('what is for lunch?');
    expect(await memory.files('state/gate/')).toEqual([]);
    const turn = await memory.topics.turn('what is for lunch?');
    expect(turn).toMatchObject({ logged: 1, rated: [], considered: [{ name: 'food', isActive: false }] });
    expect((await memory.topics.turn('nothing of it')).logged).toBe(0);
    const { decisions } = parseGateLog(await memory.read(log));
    expect(decisions).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{12}$/),
        time: Date.parse('2026-02-16T09:00:00Z'),
        messageHash: expect.stringMatching(/^[0-9a-f]{16}$/),
        topic: 'food',
        tier1: true,
        score: 0,
        route: 'ask',
        isOpen: false,
        judge: 'rule',
      },
    ]);
    expect(await memory.read(log)).not.toContain('lunch');
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    await memory.undo('HEAD');
    expect(await memory.files('state/gate/')).toEqual([]);
  });

  it('with an event is one, too', async () => {
    const { memory } = await withLunch();
    await memory.write('topics/food.md', lunch.replace('pattern, match: lunch', 'webhook, source: clock, event: noon'));
    const turn = await memory.topics.turn({ type: 'webhook', source: 'clock', event: 'noon' });
    expect(turn).toMatchObject({ logged: 1, active: [{ name: 'food', by: 'event' }] });
  });

  it('notes nothing where the configuration says so', async () => {
    const { memory } = await withLunch();
    await writeConfiguration(memory, 'watchers:\n  log: false\n');
    expect((await memory.topics.turn('lunch')).logged).toBe(0);
    expect(await memory.files('state/gate/')).toEqual([]);
  });

  it('tells by the answer whether the topics of the turn before were of use', async () => {
    const { memory, clock } = await withLunch();
    const question = 'lunch: canteen, noodle bar?';
    expect((await memory.topics.turn(question)).active).toHaveLength(1);
    clock.advance({ minutes: 1 });
    const turns = [{ role: 'user', text: question }];
    const helped = await memory.topics.turn('thanks', { turns, output: 'Take a picnic and offer it by the river.' });
    expect(helped.rated).toEqual([{ name: 'food', wasUseful: true }]);
    // What is known is not judged again.
    expect(
      (await memory.topics.turn('thanks', { turns, output: 'Take a picnic by the river, offer it.' })).rated,
    ).toEqual([]);
    clock.advance({ minutes: 1 });
    await memory.topics.turn(question);
    const unclear = await memory.topics.turn('well', { turns, output: 'I see.' });
    expect(unclear.rated).toEqual([]);
    const words = Array.from({ length: 40 }, (_, at) => `zq${String.fromCharCode(97 + (at % 26))}${at}x`).join(' ');
    expect((await memory.topics.turn('well', { turns, output: words })).rated).toEqual([
      { name: 'food', wasUseful: false },
    ]);
  });

  it('can be rated by its topic, and by its message', async () => {
    const { memory, clock } = await withLunch();
    await expect(memory.topics.rate('food', true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.topics.turn('lunch');
    clock.advance({ minutes: 1 });
    await memory.topics.turn('lunch again');
    expect(await memory.topics.rate('food', false, 'lunch')).toEqual({ name: 'food', wasUseful: false, rated: 1 });
    await memory.topics.rate('food', true);
    const { decisions, ratings } = parseGateLog(await memory.read(log));
    expect(ratings.map(({ of, wasUseful }) => [of, wasUseful])).toEqual([
      [decisions[0]!.id, false],
      [decisions[1]!.id, true],
    ]);
    await expect(memory.topics.rate('foot', true)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: 'Did you mean food',
    });
    await expect(memory.topics.rate('food', 'yes' as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('the log of the gate', () => {
  const line = (topic: string, time = 0): string => {
    const about = { time, messageHash: 'abc', topic };
    return formatDecision({
      ...about,
      id: decisionId(about),
      tier1: true,
      score: 0.5,
      route: 'ask',
      isOpen: true,
      judge: 'rule',
    });
  };

  it('merges by its lines without a conflict', () => {
    const [base, ours, theirs] = [line('a'), line('a') + line('b'), line('a') + line('c') + line('d')];
    const { merged, conflicts } = mergeFile(log, [base, ours, theirs]);
    expect(conflicts).toEqual([]);
    expect(parseGateLog(merged!).decisions.map(({ topic }) => topic)).toEqual(['a', 'b', 'c', 'd']);
    expect(mergeFile(log, [null, ours, theirs]).conflicts).toEqual([]);
  });

  it('is read past what is damaged', () => {
    const rating = formatRating({ of: 'x', time: 5, wasUseful: true, by: 'agent' });
    const text = `${line('a')}{"id":\nnull\n[]\n{"id":"x","timestamp":"never"}\n${rating}${'x'.repeat(5000)}\n`;
    const { decisions, ratings } = parseGateLog(text);
    expect([decisions.length, ratings]).toEqual([1, [{ of: 'x', time: 5, wasUseful: true, by: 'agent' }]]);
  });
});

describe('tuning', () => {
  const decision = (score: number, at: number, isOpen = true): GateDecision => ({
    id: `d${at}`,
    time: at,
    messageHash: 'h',
    topic: 'food',
    tier1: true,
    score,
    route: 'ask',
    isOpen,
    judge: 'rule',
  });

  async function suggest(scores: readonly (readonly [score: number, wasUseful: boolean])[]) {
    const topic = await compileTopic(parseTopic(lunch, 'topics/food.md'), '');
    const decisions = scores.map(([score], at) => decision(score, at));
    const ratings = scores.map(([, wasUseful], at) => ({ of: `d${at}`, time: at, wasUseful, by: 'agent' as const }));
    return planTuning([topic], decisions, ratings);
  }

  it('moves the threshold to where the fewest decisions would be wrong', async () => {
    const found = await suggest([
      [0.1, false],
      [0.32, false],
      [0.38, false],
      [0.42, true],
      [0.6, true],
      [0.7, true],
    ]);
    expect(found).toEqual([
      {
        path: 'topics/food.md',
        name: 'food',
        decisions: 6,
        known: 6,
        key: 'similarity_threshold',
        from: 0.3,
        to: 0.4,
        why: '0 of 6 decisions would be wrong, and 2 are at 0.3',
      },
    ]);
  });

  it('leaves alone what is right, and what too little is known of', async () => {
    expect(
      await suggest([
        [0.1, false],
        [0.2, false],
        [0.35, true],
        [0.5, true],
        [0.6, true],
      ]),
    ).toEqual([]);
    expect(
      await suggest([
        [0.4, false],
        [0.5, false],
        [0.6, true],
      ]),
    ).toEqual([]);
  });

  it('says when nobody need be asked, and when triggers find too much', async () => {
    const all = (isRight: boolean) => Array.from({ length: 12 }, (_, at) => [0.31 + at / 100, isRight] as const);
    expect((await suggest(all(true))).map(({ key }) => key)).toEqual(['activation']);
    expect((await suggest(all(false))).map(({ key }) => key)).toEqual(['similarity_threshold', 'triggers']);
  });

  it('shows, and with apply writes into the front matter and nothing else', async () => {
    const { memory, clock } = await withLunch();
    await memory.write('topics/food.md', lunch.replace('activation: gated', 'activation: gated # as it was'));
    for (const message of ['lunch at the canteen', 'lunch, canteen', 'lunch: a picnic', 'lunch river', 'lunch bar']) {
      clock.advance({ minutes: 1 });
      await memory.topics.turn(message);
      await memory.topics.rate('food', false);
    }
    const before = await memory.read('topics/food.md');
    const shown = await memory.topics.tune();
    expect(shown).toMatchObject({ suggestions: [{ key: 'similarity_threshold', from: 0.3 }], applied: [] });
    expect(await memory.read('topics/food.md')).toBe(before);
    expect((await memory.topics.tune({ apply: true })).applied).toEqual(['topics/food.md']);
    const { to } = shown.suggestions[0]!;
    expect(await memory.read('topics/food.md')).toBe(
      before.replace('\n---\n\n#', `\nsimilarity_threshold: ${to}\n---\n\n#`),
    );
    expect((await memory.topics.list()).problems).toEqual([]);
    expect((await memory.topics.tune()).suggestions).toEqual([]);
  });
});

describe('a new topic', () => {
  it('is woken by what it was made with', async () => {
    const { memory } = await newTestMemory({ model: null });
    const { path } = await memory.topics.new({
      name: 'ops/deploy-day',
      words: ['deploy'],
      activation: 'auto',
      description: 'How we deploy',
    });
    expect(path).toBe('topics/ops/deploy-day.md');
    expect(await memory.read(path)).toContain('# Deploy Day');
    expect((await memory.topics.test('deploy now')).active).toMatchObject([{ name: 'ops/deploy-day', by: 'pattern' }]);
    expect((await memory.topics.list()).topics).toMatchObject([
      { description: 'How we deploy', triggers: ['keywords deploy'], problems: 0 },
    ]);
    await memory.topics.new({ name: 'plain' });
    expect((await memory.topics.list()).topics.at(-1)).toMatchObject({ name: 'plain', triggers: ['keywords plain'] });
  });

  it.each<[unknown, string]>([
    [{ name: 'deploy' }, 'ALREADY_EXISTS'],
    [{ name: '' }, 'INVALID_ARGUMENT'],
    [null, 'INVALID_ARGUMENT'],
    [{ name: '../escape' }, 'INVALID_PATH'],
    [{ name: 'x', pattern: '(a' }, 'INVALID_ARGUMENT'],
    [{ name: 'x', pattern: '(?=a)' }, 'INVALID_ARGUMENT'],
    [{ name: 'x', priority: 'utmost' }, 'INVALID_ARGUMENT'],
    [{ name: 'x', subscriptions: 'y' }, 'INVALID_ARGUMENT'],
  ])('of %j is refused: %s', async (input, code) => {
    const { memory } = await newTestMemory();
    await memory.topics.new({ name: 'deploy' });
    await expect(memory.topics.new(input as never)).rejects.toMatchObject({ code });
    expect(await memory.files('topics/')).toEqual(['topics/deploy.md']);
  });
});
