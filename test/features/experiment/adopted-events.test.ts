// What the ledger says after an experiment was adopted, taken back, and adopted again.

import { expect, it } from 'vitest';
import type { ExtractedItem, Extractor } from '../../../src/core/extract/extractor.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { newTestMemory } from '../../helpers/memories.ts';

/** Takes every turn with a word for a decision. */
const decider = (word: string): Extractor => ({
  name: 'decider',
  version: '1',
  async extract(transcript) {
    return transcript.turns.flatMap(({ role, text }, at): ExtractedItem[] =>
      text.includes(word)
        ? [
            {
              category: 'decision',
              content: `${text} (${word})`,
              confidence: 0.95,
              turns: [at + 1],
              role,
              entities: [],
              tags: [],
            },
          ]
        : [],
    );
  },
});

const told = async (memory: Memory) =>
  (await memory.ledger.list()).events.map(({ type, content }) => `${type}: ${content}`).sort();

/** Extractors that the memories of this file know, by name. */
const own: Record<string, Extractor> = {};
const by = (extractor: Extractor) => {
  own[extractor.name] = extractor;
  return { extractors: [extractor.name] };
};

it('an adoption tells the ledger what was extracted instead, and is taken back with it, as often as one likes', async () => {
  const { memory } = await newTestMemory({ extractors: own });
  const texts = ['Decision: Redis for sessions.', 'The archive moves to Porto.', 'Todo: write the report.'];
  await memory.capture({
    messages: texts.map((text, at) => ({ role: 'user', text, time: `2026-02-10T10:0${at}:00Z` })),
  });
  await memory.extract();
  const before = await told(memory);
  expect(before).toEqual(['commitment: Todo: write the report.', 'decision: Decision: Redis for sessions.']);
  const [redis] = (await memory.ledger.list({ type: 'decision' })).events;
  await memory.experiments.run('e', by(decider('s ')));
  expect(await told(memory)).toEqual(before);
  const first = await memory.experiments.adopt('e');
  const after = ['decision: The archive moves to Porto. (s )', 'decision: Decision: Redis for sessions. (s )'];
  const held = async () => (await told(memory)).filter((line) => after.includes(line));
  const adopted = await told(memory);
  expect(adopted.length).toBeGreaterThan(0);
  expect(await memory.ledger.loops()).toMatchObject({ loops: [] });
  expect((await memory.log({ limit: 1 })).commits[0]!.paths).toContain('ledger/2026/02/2026-02-10.jsonl');
  expect(adopted).not.toContain('commitment: The user will write the report.');
  expect(await held()).toEqual(adopted);
  // Each event names the memory that is there now.
  const ids = new Set((await memory.list()).memories.map(({ id }) => id));
  for (const { memory: id } of (await memory.ledger.list()).events) expect(ids).toContain(id);
  expect(redis!.memory).not.toBe(undefined);
  let last = first.commit!;
  for (let round = 0; round < 2; round++) {
    await memory.ledger.add({ content: `Something else, ${round}.` });
    await memory.undo(last, { allowRemovals: true });
    const others = (lines: string[]) => lines.filter((line) => !line.startsWith('fact: Something else'));
    expect(others(await told(memory))).toEqual(before);
    expect((await memory.ledger.loops()).loops).toHaveLength(1);
    last = (await memory.experiments.adopt('e')).commit!;
    expect(others(await told(memory))).toEqual(adopted);
    expect((await memory.ledger.loops()).loops).toEqual([]);
    expect((await memory.ledger.check()).ok).toBe(true);
  }
  expect(await memory.experiments.adopt('e')).toMatchObject({ commit: null });
});
