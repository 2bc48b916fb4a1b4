import { describe, expect, it } from 'vitest';
import { MemoryError, type TurnScorer } from '../../src/index.ts';
import { newTestMemory } from '../helpers/memories.ts';

/** Is sure that what speaks of tea is worth keeping, and that nothing else is. */
const teaLover: TurnScorer = {
  name: 'tea',
  fingerprint: 'turns-tea',
  score: async (texts) =>
    texts.map(({ text }) => Float32Array.from({ length: 13 }, (_, at) => (at > 0 ? 0 : /tea/.test(text) ? 40 : -40))),
};
const messages = [
  { role: 'user', text: 'We talked over tea for a while.' },
  { role: 'user', text: 'Never deploy on Fridays.' },
];

describe('extraction with a scorer of turns', () => {
  it('joins what it says with what words say, and names it', async () => {
    const { memory } = await newTestMemory({ turnScorer: teaLover });
    expect((await memory.status()).keeping).toEqual({ scorer: 'tea' });
    await memory.capture({ messages });
    const { extractor, transcripts } = await memory.extract();
    expect(extractor).toMatch(/^rules@\d+\+turns-tea$/);
    expect(transcripts[0]!.created.map(({ content }) => content)).toEqual(['We talked over tea for a while.']);
    expect(transcripts[0]!.extractor).toBeUndefined();
    await memory.close();

    const { memory: plain } = await newTestMemory({ turnScorer: null });
    await plain.capture({ messages });
    const { extractor: alone, transcripts: by } = await plain.extract();
    expect(alone).toMatch(/^rules@\d+$/);
    expect(by[0]!.created.map(({ content }) => content)).toEqual(['Never deploy on Fridays.']);
  });

  it('asks for all turns of a conversation at once, and for what they answer', async () => {
    const asked: string[][] = [];
    const answered: (string | undefined)[] = [];
    const listening: TurnScorer = {
      ...teaLover,
      score(texts) {
        asked.push(texts.map(({ text }) => text));
        answered.push(...texts.map(({ before }) => before?.text));
        return teaLover.score(texts);
      },
    };
    const { memory } = await newTestMemory({ turnScorer: listening });
    await memory.capture({ messages });
    await memory.extract();
    await memory.recall('tea');
    await memory.sessionStart();
    await memory.close();
    expect(asked[0]).toEqual(messages.map(({ text }) => text));
    expect(answered.slice(0, 2)).toEqual([undefined, messages[0]!.text]);
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  it.each(['in the middle', 'before it begins'])('goes on without it where it fails %s, and says so', async (when) => {
    const failure = new MemoryError('EMBEDDING_FAILED', 'the model tea failed: it is cold');
    const fail = async (): Promise<never> => Promise.reject(failure);
    const turnScorer = when === 'before it begins' ? fail : { ...teaLover, score: fail };
    const { memory } = await newTestMemory({ turnScorer });
    await memory.capture({ messages });
    const { notes, transcripts } = await memory.extract();
    expect(notes).toEqual([expect.stringContaining('it is cold; the scorers of the package score alone')]);
    expect(transcripts[0]!.created.map(({ content }) => content)).toEqual(['Never deploy on Fridays.']);
    const commit = (await memory.log({ limit: 1 })).commits[0]!;
    expect(commit.trailers.find(({ key }) => key === 'Extractor')!.value).toMatch(/^rules@\d+$/);
  });
});
