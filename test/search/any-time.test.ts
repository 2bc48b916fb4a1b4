import { rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Memory, openMemory, type RecallResult } from '../../src/index.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const start = Date.parse('2026-02-16T12:00:00Z');
const queries = ['valve stuck in the tank', 'when was the oxygen low?', 'moon power', 'batery', 'category:person crew'];

const words = ['valve', 'stuck', 'tank', 'oxygen', 'low', 'moon', 'power', 'battery', 'crew', 'yesterday', 'status?'];
const sentence = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 }).map((list) => list.join(' '));

type Step = (memory: Memory, turn: number) => Promise<unknown>;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(sentence, { minLength: 1, maxLength: 6 }).map(
    (texts): Step =>
      (memory, turn) =>
        memory.capture({
          session: `ses_${turn}`,
          messages: texts.map((text, at) => ({ role: at % 2 === 0 ? 'user' : 'agent', text })),
        }),
  ),
  sentence.map(
    (content): Step =>
      (memory, turn) =>
        memory.remember({ content, id: `m${turn}`, category: 'decision' }),
  ),
  fc.tuple(fc.nat({ max: 2 }), sentence, sentence).map(
    ([name, one, other]): Step =>
      (memory) =>
        memory.write(`knowledge/people/p${name}.md`, `# P${name}\n\n${one}\n\n## More\n\n${other}\n`),
  ),
  fc.nat({ max: 9 }).map(
    (name): Step =>
      async (memory) => {
        const { memories } = await memory.list();
        const found = memories[name];
        if (found !== undefined) await (name % 2 === 0 ? memory.records.touch(found.id) : memory.forget(found.id));
      },
  ),
);

const captureLong = (memory: Memory) =>
  memory.capture({
    session: 'ses_long',
    messages: Array.from({ length: 70 }, (_, at) => ({
      role: 'user',
      text: `${words[at % words.length]} ${words[(at * 5) % words.length]}`,
    })),
  });

/** What callers see, without the word of which commit it was asked at, which is the question and not the answer. */
const answersOf = async (view: Pick<Memory, 'recall'>): Promise<RecallResult[]> =>
  Promise.all(queries.map((query) => view.recall(query, { limit: 30 })));

describe('recall at any time', () => {
  it('answers as it did when that was now: whatever came later, in whatever order it is asked, with caches or without', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 7 }),
        fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
        async (steps, jumps) => {
          const dir = temporaryFolder();
          let now = start;
          const clock = { now: () => now };
          const open = () => openMemory({ dir, create: true, clock, durability: 'fast' });
          let memory = await open();
          // Enough to be kept.
          await captureLong(memory);
          let last = memory.tip;
          const known: { commit: string; answers: RecallResult[] }[] = [];
          for (const [turn, act] of steps.entries()) {
            now += 86_400_000;
            await act(memory, turn);
            await memory.commit();
            const commit = memory.tip!;
            // Nothing was committed: the present is a day older than the view's time, and recency may differ.
            if (commit === last) continue;
            last = commit;
            known.push({ commit, answers: await answersOf(memory) });
          }
          for (const state of ['as it is', 'from its caches', 'without caches']) {
            if (state !== 'as it is') {
              await memory.close();
              if (state === 'without caches') {
                rmSync(path.join(dir, '.git/git-memory/cache'), { recursive: true, force: true });
              }
              memory = await open();
            }
            for (const jump of jumps) {
              const asked = known[jump % known.length];
              if (asked === undefined) continue;
              const { commit, answers } = asked;
              expect(await answersOf(await memory.at(commit))).toEqual(answers);
            }
          }
          await memory.close();
        },
      ),
      { numRuns: 8 },
    );
  });
});
