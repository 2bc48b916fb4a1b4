// A context since an earlier one: what is new, and what of the earlier one ended, was worded anew or was forgotten.

import { afterEach, describe, expect, it } from 'vitest';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';

const opened: Memory[] = [];
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

async function shop() {
  const made = await newTestMemory();
  const { memory } = made;
  opened.push(memory);
  await memory.capture({
    session: 's1',
    messages: [
      { role: 'user', text: 'When does the bakery open?' },
      { role: 'assistant', text: 'I look it up.' },
    ],
  });
  const { id } = await memory.remember({ content: 'The bakery opens at six', category: 'fact' });
  await memory.remember({ content: 'Prices are written without decimals', category: 'preference' });
  await memory.commit();
  return { ...made, id };
}

const question = 'When does the bakery open?';

describe('a context since an earlier one', () => {
  it('leaves out what was handed, also by those before it', async () => {
    const { memory } = await shop();
    const first = await memory.context(question, { session: 's1' });
    expect(first.text).toContain('opens at six');
    const second = await memory.context(question, { session: 's1', since: first.id });
    expect(second.text).toBe(`<message>\n${question}\n</message>`);
    const left = second.slots.flatMap((slot) => slot.left);
    expect(left).toContainEqual(expect.objectContaining({ why: 'it was handed before' }));
    // Each is named once, found twice or not.
    expect(left.map(({ source }) => source)).toEqual([...new Set(left.map(({ source }) => source))]);
    await memory.remember({ content: 'The bakery sells rye bread', category: 'fact' });
    // The last turn has the words of an earlier one, and is new.
    const turns = [question, 'I look it up.', question].map((text, at) => ({
      role: at === 1 ? 'agent' : 'user',
      text,
    }));
    const third = await memory.context('And what do they sell?', { turns, since: second.id });
    expect(third.text).toContain('rye bread');
    expect(third.text).toContain(`<conversation>\nuser: ${question}\n</conversation>`);
    expect(third.text).not.toContain('opens at six');
    expect(third.text).not.toContain('decimals');
    expect((await memory.context(question, { session: 's1' })).text).toContain('opens at six');
  });

  it('begins with what ended, was worded anew or was forgotten, and does not say the last again', async () => {
    const { memory, id, clock } = await shop();
    const first = await memory.context(`${question} How are prices written?`);
    clock.advance({ days: 2 });
    await memory.remember({ content: 'The bakery opens at seven', category: 'fact', replaces: [id as string] });
    const changed = await memory.context(question, { since: first.id });
    expect(changed.text).toContain(
      'Changed since the last context:\n- The bakery opens at six (until 2026-02-18, now: "The bakery opens at seven")',
    );
    expect(changed.slots.find(({ slot }) => slot === 'changed')?.blocks).toHaveLength(1);
    const rule = (await memory.list()).memories.find(({ content }) => content.includes('decimals'))!;
    await memory.edit(rule.path as string, 'without decimals', 'with two decimals');
    const worded = await memory.context(question, { since: changed.id });
    expect(worded.text).toContain('with two decimals');
    expect(worded.text).not.toContain('opens at six');
    await memory.forget(rule.id!);
    const forgotten = await memory.context(question, { since: worded.id });
    expect(forgotten.text).toContain('- Forgotten, and not to be used: ');
    expect(forgotten.text).not.toContain('decimals');
    const after = await memory.context(question, { since: forgotten.id });
    expect(after.slots.find(({ slot }) => slot === 'changed')?.blocks).toEqual([]);
  });

  it('is found by another process where it was noted, and made again with what was handed before it', async () => {
    const { memory, directory } = await shop();
    const first = await memory.context(question, { session: 's1' });
    await memory.remember({ content: 'The bakery sells rye bread', category: 'fact' });
    const second = await memory.context(question, { session: 's1', since: first.id });
    expect(second.text).toContain('rye bread');
    await memory.commit();
    const other = await openMemory({ dir: directory, readOnly: true });
    opened.push(other);
    expect((await other.handed.list('s1')).map(({ id, since }) => [id, since])).toEqual([
      [first.id, undefined],
      [second.id, first.id],
    ]);
    expect(await other.handed.replay(second.id)).toMatchObject({ isExact: true, text: second.text });
    expect((await other.context(question, { session: 's1', since: second.id })).text).toBe(
      `<message>\n${question}\n</message>`,
    );
  });

  it('refuses an id that nobody was handed, and what is none', async () => {
    const { memory } = await shop();
    await expect(memory.context(question, { since: '00000000' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const since of ['', 7 as never]) {
      await expect(memory.context(question, { since })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        where: 'since',
      });
    }
  });
});
