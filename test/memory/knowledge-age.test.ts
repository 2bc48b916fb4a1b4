// Knowledge that says when it was last true: asked, shown with hits, confirmed; contradictions and links.

import { describe, expect, it } from 'vitest';
import { memoryPath } from '../../src/store/records/memory-record.ts';
import { newTestMemory } from '../helpers/memories.ts';

const ada = `---
type: person
name: Ada
---

# Ada

## Context

- Lives in Rome since 2019 [verified: 2026-01-20]
- Owns 3 bicycles [verified: 2025-11-01]
- Plays the organ

## Communication

- Prefers short answers [verified: 2020-01-01]
`;

async function memoryOfAda() {
  const opened = await newTestMemory();
  await opened.memory.write('knowledge/people/ada.md', ada);
  await opened.memory.write(
    'knowledge/entities/acme.md',
    '# Acme\n\n## Key Facts\n\n- [[ada|Ada]] founded it\n- See [her](../people/ada.md)\n- Ada Lovelace is its patron\n',
  );
  await opened.memory.commit();
  return opened;
}

describe('knowledge', () => {
  it('lists what nobody verified lately, oldest first, and answers as of any day', async () => {
    const { memory } = await memoryOfAda();
    const { facts, counts, day } = await memory.knowledge.list({ path: 'knowledge/people' });
    expect(day).toBe('2026-02-16');
    expect(facts.map(({ line, state, ageDays }) => [line, state, ageDays])).toEqual([
      [12, 'undated', undefined],
      [11, 'stale', 107],
    ]);
    expect(counts).toEqual({ stale: 1, aging: 0, undated: 1, fresh: 1, lasting: 1 });
    const later = await memory.knowledge.list({ entity: 'Ada', day: '2026-03-01', states: ['aging'] });
    expect(later.facts.map(({ text, why }) => [text, why])).toEqual([
      ['Lives in Rome since 2019', 'it was last said or verified 40 days ago'],
    ]);
  });

  it('refuses what it cannot answer', async () => {
    const { memory } = await memoryOfAda();
    await expect(memory.knowledge.list({ day: 'soon' })).rejects.toMatchObject({ code: 'INVALID_DATE' });
    await expect(memory.knowledge.list({ path: 'raw' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.knowledge.list({ path: 'knowledge/nobody.md' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.knowledge.list({ states: ['old' as 'stale'] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(memory.knowledge.backlinks('knowledge/nobody.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('comes with hits whose facts are old', async () => {
    const { memory } = await memoryOfAda();
    const [hit] = (await memory.recall('bicycles')).hits;
    expect(hit).toMatchObject({
      path: 'knowledge/people/ada.md',
      stale: [{ line: 11, state: 'stale', verified: '2025-11-01' }],
    });
    const [fresh] = (await memory.recall('prefers short answers')).hits;
    expect(fresh!.stale).toBeUndefined();
  });

  it('says what contradicts: claims of one subject and attribute that are both open, and no words that only sound so', async () => {
    const { memory } = await memoryOfAda();
    await memory.ledger.add({ type: 'fact', entity: 'Ada', content: 'Ada owns 5 bicycles' });
    await memory.write('knowledge/entities/ada.md', '# Ada\n\n## Key Facts\n\n- Lives in Rome since 2021\n');
    expect((await memory.knowledge.list()).conflicts).toEqual([]);
    const given = { subject: 'Ada', attribute: 'bicycles' };
    const three = await memory.remember({ content: 'Ada owns 3 bicycles', ...given });
    // What tells of an earlier time ends nothing.
    const five = await memory.remember({ content: 'Ada owns 5 bicycles', ...given, validFrom: '2020-01-01' });
    await memory.write('knowledge/people/ada.md', ada.replace('2025-11-01]', `2025-11-01] [memory: ${three.id}]`));
    const { conflicts } = await memory.knowledge.list();
    expect(conflicts).toEqual([
      {
        entity: 'ada',
        sides: [
          { id: five.id, path: memoryPath(five.id!), line: 1, text: 'Ada owns 5 bicycles' },
          { id: three.id, path: 'knowledge/people/ada.md', line: 11, text: 'Owns 3 bicycles' },
        ],
      },
    ]);
  });

  it('knows who links to a file, and who only names it', async () => {
    const { memory } = await memoryOfAda();
    const { links, mentions } = await memory.knowledge.backlinks('knowledge/people/ada.md');
    expect(links.map(({ path, line }) => [path, line])).toEqual([
      ['knowledge/entities/acme.md', 5],
      ['knowledge/entities/acme.md', 6],
    ]);
    expect(mentions.map(({ line }) => line)).toEqual([7]);
    await memory.write('knowledge/reference/lamps.md', `# Lamps ${'of all houses '.repeat(8000)}\n\nLit at dusk.\n`);
    await memory.write('knowledge/reference/dusk.md', '# Dusk\n\nSee lamps.\n');
    const { mentions: named } = await memory.knowledge.backlinks('knowledge/reference/lamps.md');
    expect(named.map(({ path }) => path)).toEqual(['knowledge/reference/dusk.md']);
  });
});

describe('verify', () => {
  it('confirms one line by its words or number, and leaves all other bytes', async () => {
    const { memory } = await memoryOfAda();
    expect(await memory.knowledge.verify('knowledge/people/ada.md', { text: 'ORGAN' })).toMatchObject({
      pending: true,
      lines: [{ line: 12, text: 'Plays the organ' }],
    });
    await memory.knowledge.verify('knowledge/people/ada.md', { line: 11, day: '2026-02-10' });
    expect(await memory.read('knowledge/people/ada.md')).toBe(
      ada
        .replace('Plays the organ', 'Plays the organ [verified: 2026-02-16]')
        .replace('bicycles [verified: 2025-11-01]', 'bicycles [verified: 2026-02-10]'),
    );
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect((await memory.knowledge.list({ path: 'knowledge/people/ada.md' })).facts).toEqual([]);
    await memory.undo(commits[0]!);
    expect(await memory.read('knowledge/people/ada.md')).toBe(ada);
  });

  it('confirms all that ages when no line is named, and nothing twice', async () => {
    const { memory } = await memoryOfAda();
    const { lines } = await memory.knowledge.verify('knowledge/people/ada.md');
    expect(lines.map(({ line }) => line)).toEqual([10, 11, 12]);
    await memory.commit();
    expect(await memory.knowledge.verify('knowledge/people/ada.md')).toMatchObject({ pending: false });
    expect((await memory.commit()).commits).toEqual([]);
  });

  it('corrects the day of a line, also to an earlier one, and says where it stands already', async () => {
    const { memory, clock } = await memoryOfAda();
    const path = 'knowledge/people/ada.md';
    for (const day of ['2026-02-14', '2026-02-16', '2026-01-03']) {
      const confirmed = await memory.knowledge.verify(path, { text: 'organ', day });
      expect(confirmed).toMatchObject({ pending: true, day });
      expect(confirmed.unchanged).toBeUndefined();
      expect(await memory.read(path)).toContain(`Plays the organ [verified: ${day}]\n`);
    }
    expect(await memory.knowledge.verify(path, { text: 'organ', day: '2026-01-03' })).toMatchObject({
      pending: false,
      unchanged: true,
    });
    await expect(memory.knowledge.verify(path, { text: 'organ', day: '2026-02-17' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      where: 'day',
      hint: expect.stringContaining('2026-02-16'),
    });
    clock.advance({ days: 1 });
    expect(await memory.knowledge.verify(path, { text: 'organ', day: '2026-02-17' })).toMatchObject({ pending: true });
  });

  it('refuses words of no line, of several, and files that claim nothing', async () => {
    const { memory } = await memoryOfAda();
    const path = 'knowledge/people/ada.md';
    for (const [options, code] of [
      [{ text: 'trombone' }, 'NOT_FOUND'],
      [{ text: 's' }, 'AMBIGUOUS'],
      [{ text: ' ' }, 'INVALID_ARGUMENT'],
      [{ line: 1 }, 'INVALID_ARGUMENT'],
      [{ line: 0 }, 'INVALID_ARGUMENT'],
      [{ day: '16.2.2026' }, 'INVALID_DATE'],
    ] as const) {
      await expect(memory.knowledge.verify(path, options)).rejects.toMatchObject({ code });
    }
    await expect(memory.knowledge.verify('knowledge/people/bob.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.knowledge.verify('memory.yaml')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await memory.read(path)).toBe(ada);
  });
});
