// Every line that the engine writes outside raw/ has an owner, a memory or the turn it was taken from. So whatever is forgotten, ended, edited,
// purged or taken back is so in every file and in every answer about the present, in whichever order passes and extraction came.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/open-memory.ts';
import { turnsOfLine } from '../../src/records/knowledge-marks.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';

/** Turns of one conversation; the words behind `|` stand in no other turn. */
const turns = [
  'We decided to pay Otto Lindqvist 6200 kronor a month from now on.|6200 kronor',
  'Lesson learned: a ladder that nobody tied is a trap for the next one.|nobody tied',
  'I prefer the minutes in one page, with the open points first. We agreed to meet under the clock tower.|clock tower',
  'I will bring Ylva the drawings of the greenhouse by 2026-02-27.|drawings of the greenhouse',
  'Nice weather today, is it not?|',
];
const words = turns.map((turn) => turn.split('|')[0]!);
const marks = turns.map((turn) => turn.split('|')[1]!);

type Step = (memory: Memory) => Promise<unknown>;
const steps: Readonly<Record<string, Step>> = {
  condense: (memory) => memory.maintenance.run({ tasks: ['condense'] }),
  rollup: (memory) => memory.maintenance.run({ tasks: ['rollup'] }),
  extract: (memory) => memory.extract(),
  night: (memory) => memory.maintenance.night(),
  tasks: (memory) => memory.maintenance.run(),
};

async function life(order: readonly string[]) {
  const world = await newTestMemory();
  const { memory, clock } = world;
  const { path } = await memory.capture({
    session: 's1',
    topic: 'workshop',
    messages: words.map((text) => ({ role: 'user', speaker: 'Ines', text })),
  });
  for (const step of order) {
    await steps[step]!(memory);
    clock.advance({ hours: 1 });
    await memory.commit();
  }
  return { ...world, path };
}

/** The memory that says some words; every order ends with one. */
async function saying(memory: Memory, mark: string): Promise<string> {
  const { memories } = await memory.list();
  return memories.find(({ content }) => content.includes(mark))!.id;
}

/** Where some words stand outside raw/, and which answers about the present have them. */
async function homesOf(
  memory: Memory,
  mark: string,
  { isTurnKept = false, isLogKept = false } = {},
): Promise<string[]> {
  const homes: string[] = [];
  for (const file of await memory.files()) {
    if (file.startsWith('raw/') || (isLogKept && file.startsWith('ledger/'))) continue;
    if ((await memory.read(file))?.includes(mark)) homes.push(file);
  }
  const answers: Record<string, string> = {
    pack: (await memory.pack()).text,
    'session start': (await memory.sessionStart()).text,
    list: JSON.stringify(await memory.list()),
  };
  for (const query of [mark, 'what did we decide in the workshop', 'Ines']) {
    const { hits } = await memory.recall(query, { limit: 50 });
    const shown = hits.filter(({ path }) => !isTurnKept || !path.startsWith('raw/'));
    answers[`recall ${query}`] = JSON.stringify(shown);
    if (!isTurnKept)
      answers[`context ${query}`] = (await memory.context(`Tell me: ${query}?`)).text.split('<message>')[0]!;
  }
  return [...homes, ...Object.entries(answers).flatMap(([name, text]) => (text.includes(mark) ? [name] : []))];
}

/** Pages on which a turn has several lines. */
async function doubles(memory: Memory): Promise<string[]> {
  const found: string[] = [];
  for (const page of await memory.files('knowledge/')) {
    if (!/^knowledge\/(?:journal\/|memory\/MEMORY)/.test(page)) continue;
    const named = (await memory.read(page))!.split('\n').flatMap(turnsOfLine);
    if (new Set(named).size < named.length) found.push(page);
  }
  return found;
}

/** Orders that end with the memories found: passes before, between and behind the extraction. */
const orders = fc
  .array(fc.constantFrom('condense', 'rollup', 'tasks', 'extract', 'night'), { maxLength: 4 })
  .map((before) => [...before, 'extract', 'condense', 'rollup']);
const cases = { numRuns: 8 };

describe('a line that the engine wrote', () => {
  it('stands once for its turn on each page, and once in a context', async () => {
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const { memory } = await life(order);
        expect(await doubles(memory), order.join(' ')).toEqual([]);
        const { text } = await memory.context('What did Ines say in the workshop?');
        for (const mark of marks.filter((one) => one !== '')) expect(text.split(mark).length, mark).toBeLessThan(3);
        await memory.close();
      }),
      cases,
    );
  });

  it('goes with what is forgotten, and a later pass writes none; undo brings all of it back', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 0, max: 3 }), async (order, at) => {
        const { memory, directory, path } = await life(order);
        const before = await homesOf(memory, marks[at]!);
        const id = await saying(memory, marks[at]!);
        await memory.forget(id, { allowRemovals: true });
        const { commits } = await memory.commit();
        expect(await homesOf(memory, marks[at]!), order.join(' ')).toEqual([]);
        expect(await memory.read(path)).toContain(marks[at]);
        await memory.maintenance.run();
        await memory.maintenance.night();
        expect(await homesOf(memory, marks[at]!), order.join(' ')).toEqual([]);
        await memory.undo(commits.at(-1)!);
        expect(await homesOf(memory, marks[at]!)).toEqual(expect.arrayContaining(before));
        if (hasGit) expect(fsck(directory)).toBe('');
        await memory.close();
      }),
      cases,
    );
  });

  it('goes with an extraction that is taken back, and no pass brings an older word for it', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 0, max: 3 }), async (order, at) => {
        const { memory, directory } = await life(order);
        expect((await memory.undo({ extractor: 'rules' })).conflicts).toEqual([]);
        expect(await homesOf(memory, marks[at]!, { isTurnKept: true, isLogKept: true }), order.join(' ')).toEqual([]);
        if (hasGit) expect(fsck(directory)).toBe('');
        await memory.close();
      }),
      cases,
    );
  });

  it('says what somebody made of its memory, and the turn that says nothing else is no answer', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.constantFrom(0, 3), async (order, at) => {
        const { memory } = await life(order);
        const id = await saying(memory, marks[at]!);
        const file = (await memory.files('memories/')).find((path) => path.includes(id))!;
        await memory.edit(file, `"content": "${words[at]}"`, '"content": "We put it in quite other terms."');
        await memory.commit();
        // A log has what was said before, and that another event took its place.
        expect(await homesOf(memory, marks[at]!, { isLogKept: true }), order.join(' ')).toEqual([]);
        expect((await homesOf(memory, 'quite other terms')).length).toBeGreaterThan(3);
        await memory.edit(file, 'We put it in quite other terms.', words[at]!);
        await memory.commit();
        expect((await memory.recall(marks[at]!)).hits.some(({ path }) => path.startsWith('raw/'))).toBe(true);
        await memory.close();
      }),
      cases,
    );
  });

  it('is in no file and no answer once its words are purged', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 0, max: 3 }), async (order, at) => {
        const { memory, directory, path } = await life(order);
        await memory.purge({ text: marks[at]! });
        expect(await homesOf(memory, marks[at]!), order.join(' ')).toEqual([]);
        expect(await memory.read(path)).not.toContain(marks[at]);
        if (hasGit) expect(fsck(directory)).toBe('');
        await memory.close();
      }),
      { numRuns: 4 },
    );
  });

  it('says since when it is over, wherever it stays, and what took its place is no older word', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.boolean(), async (order, isForgotten) => {
        const { memory, clock } = await life(order);
        const old = await saying(memory, '6200 kronor');
        const { id } = await memory.remember({ content: 'Otto Lindqvist is paid by the hour.', replaces: old });
        await memory.commit();
        clock.advance({ days: 1 });
        await memory.maintenance.night();
        if (isForgotten) await memory.forget(id!, { allowRemovals: true });
        await memory.commit();
        for (const file of await memory.files()) {
          if (/^(?:raw|ledger|memories)\//.test(file)) continue;
          for (const line of (await memory.read(file))!.split('\n'))
            if (line.includes('6200 kronor'))
              expect(line, `${file} ${order.join(' ')}`).toMatch(/\(until 2026-02-\d\d\)/);
        }
        expect((await memory.pack()).text).not.toContain('6200 kronor');
        expect((await memory.list({ status: 'active' })).memories.map((one) => one.id)).not.toContain(old);
        const { text } = await memory.context('How is Otto Lindqvist paid?');
        for (const line of text.split('\n'))
          if (line.includes('6200 kronor')) expect(line, order.join(' ')).toMatch(/\(until 2026-02-\d\d/);
        await memory.close();
      }),
      cases,
    );
  });
});
