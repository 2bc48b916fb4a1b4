// One home for what was said: whatever the engine writes from a memory names it, and follows it in the commit that changes, closes or forgets it.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/open-memory.ts';
import { memoryPath } from '../../src/store/records/memory-record.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';

const said = [
  'Decision: from the first of next month on we move all the Harbor accounts to Kestrel Bank.',
  'Preference: short answers with numbers first.',
  'Todo: send Tomas the spare keys by 2026-02-20.',
  'Tomas Berg, the foundry man, is my brother.',
  'Lesson learned: a backup that nobody restored is no backup.',
  'Rule: never deploy on a Friday evening.',
];
/** Some words of each that stand nowhere else. */
const marks = ['Kestrel Bank', 'numbers first', 'spare keys', 'foundry', 'nobody restored', 'Friday evening'];

/** A conversation that was extracted from, and everything that runs over it: lines in every kind of file. */
async function life() {
  const world = await newTestMemory();
  const { memory, clock } = world;
  await memory.write('knowledge/projects/harbor/context.md', '# Harbor\n\nA quay with three cranes.\n');
  const { path: raw } = await memory.capture({
    session: 's1',
    topic: 'talk',
    messages: said.map((text) => ({ role: 'user', speaker: 'Ines', text })),
  });
  const { transcripts } = await memory.extract();
  await night(memory, clock);
  const idOf = (words: string) => transcripts[0]!.created.find(({ content }) => content.includes(words))!.id;
  return { ...world, raw, idOf };
}

async function night(memory: Memory, clock: { advance(by: { days: number }): void }) {
  await memory.maintenance.run();
  await memory.maintenance.night();
  clock.advance({ days: 1 });
  await memory.commit();
}

const saidBy = async (memory: Memory, id: string): Promise<string> => {
  const { content, statement = content } = await memory.get(id);
  return statement;
};

/** All files of the present but the ledger, which only grows. */
async function filesOf(memory: Memory): Promise<Record<string, string | null>> {
  const files = (await memory.files()).filter((file) => !file.startsWith('ledger/'));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await memory.read(file)])));
}

/** The files of the present that say some words, but for records and captures. */
async function homesOf(memory: Memory, words: string): Promise<string[]> {
  const found: string[] = [];
  for (const file of await memory.files())
    if (!/^(?:raw|memories)\//.test(file) && (await memory.read(file))?.includes(words)) found.push(file);
  return found;
}

describe('what the engine wrote from a memory', () => {
  it('goes with it when it is forgotten, from every file, and undo brings the tree back byte for byte', async () => {
    const { memory, directory, idOf, raw } = await life();
    for (const words of marks) expect((await homesOf(memory, words)).length).toBeGreaterThan(1);
    const before = await filesOf(memory);
    for (const words of marks) await memory.forget(idOf(words), { allowRemovals: true });
    const { commits } = await memory.commit();
    for (const words of marks) {
      // A ledger only grows: there the words stand, taken back.
      expect((await homesOf(memory, words)).filter((file) => !file.startsWith('ledger/'))).toEqual([]);
      expect(await memory.read(raw)).toContain(words);
    }
    expect((await memory.pack()).text).not.toMatch(new RegExp(marks.join('|')));
    expect((await memory.sessionStart()).text).not.toMatch(new RegExp(marks.join('|')));

    for (const commit of [...commits].reverse()) await memory.undo(commit);
    expect(await filesOf(memory)).toEqual(before);
    await memory.close();
    if (hasGit) expect([fsck(directory), git(directory, 'status', '--porcelain')]).toEqual(['', '']);
  });

  it('is said once on each page, whether a conversation or the ledger brought it there', async () => {
    const { memory, idOf } = await life();
    for (const page of (await memory.files('knowledge/people')).filter((file) => !file.endsWith('/_index.md'))) {
      const owners = (await memory.read(page))!.match(/\[memory: [^\]]+\]/g) ?? [];
      expect(new Set(owners).size, page).toBe(owners.length);
    }
    expect(await memory.read('knowledge/people/ines.md')).toContain(`[memory: ${idOf('numbers first')}]`);
  });

  it('is brought to new words when somebody edits one of its lines: the others, the memory and the ledger follow', async () => {
    const { memory, directory, idOf } = await life();
    const id = idOf('Kestrel Bank');
    const page = 'knowledge/projects/harbor/context.md';
    await memory.store.settle();
    const file = path.join(directory, page);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('to Kestrel Bank.', 'to Heron Bank in May.'));
    const { commits } = await memory.commit();
    expect(await saidBy(memory, id)).toMatch(/move all the Harbor accounts to Heron Bank in May\.$/);
    expect((await memory.get(id)).sources).toHaveLength(1);
    const homes = await homesOf(memory, 'Heron Bank in May.');
    expect(homes).toEqual(expect.arrayContaining([page, 'knowledge/memory/MEMORY.md', 'recall/pack.md']));
    expect(homes.some((one) => one.startsWith('boxes/'))).toBe(true);
    expect(homes.some((one) => one.startsWith('ledger/'))).toBe(true);
    expect((await homesOf(memory, 'Kestrel')).filter((one) => !one.startsWith('ledger/'))).toEqual([]);
    await memory.undo(commits.at(-1)!);
    expect(await saidBy(memory, id)).toContain('Kestrel Bank');
    // By a call as by hand.
    await memory.edit(page, 'to Kestrel Bank.', 'to Osprey Bank.');
    expect(await saidBy(memory, id)).toContain('Osprey Bank');
    await memory.commit();
    expect(await memory.read('knowledge/memory/MEMORY.md')).toContain('Osprey Bank');
  });

  it('leaves pages of what is so now when it is superseded, and is dated in journals and boxes', async () => {
    const { memory, idOf } = await life();
    const file = memoryPath(idOf('foundry'));
    const record = JSON.parse((await memory.read(file))!);
    const before = await filesOf(memory);
    await memory.edit(file, '"status": "active"', '"status": "superseded",\n  "valid_until": 1771318800');
    expect(record.status).toBe('active');
    const { commits } = await memory.commit();
    const homes = await homesOf(memory, 'foundry');
    expect(homes.length).toBeGreaterThan(0);
    for (const home of homes) {
      expect(home).toMatch(/^(?:boxes|knowledge\/journal|knowledge\/consolidation-reports)\//);
      expect(await memory.read(home)).toMatch(/foundry man, is my brother\. \(until 2026-02-17\) \[/);
    }
    await memory.undo(commits.at(-1)!);
    expect(await filesOf(memory)).toEqual(before);
  });

  it('has lines that others wrote beside it left alone, also where they say the same', async () => {
    const { memory, idOf } = await life();
    const page = 'knowledge/people/tomas-berg.md';
    const own = '- Tomas works at the foundry, says his sister.\n- Tomas Berg, the foundry man, is my brother!\n';
    await memory.write(page, `${await memory.read(page)}\n## Heard\n\n${own}`);
    await memory.commit();
    await memory.forget(idOf('foundry'));
    await memory.commit();
    expect(await memory.read(page)).toContain(`## Heard\n\n${own}`);
    expect((await memory.read(page))!.match(/foundry/g)).toHaveLength(2);
  });

  it('goes with what undo takes away, also from files that passes wrote since', async () => {
    const { memory, raw } = await life();
    const { commits } = await memory.log({ path: memoryPath((await memory.list()).memories[0]!.id) });
    const extraction = commits.find(({ operation }) => operation === 'extract')!;
    await memory.undo(extraction.oid, { allowRemovals: true });
    for (const words of marks) {
      expect((await homesOf(memory, words)).filter((file) => !file.startsWith('ledger/'))).toEqual([]);
      expect(await memory.read(raw)).toContain(words);
    }
  });

  it('goes from both sides of a merge, whichever wrote it and whichever forgot', async () => {
    const { memory, clock, idOf } = await life();
    const side = await memory.branches.open('side', { create: true });
    await memory.forget(idOf('foundry'));
    await memory.commit();
    const page = 'knowledge/reference/places.md';
    await side.write(page, `# Places\n\n- Tomas Berg: the foundry in Ystad. [memory: ${idOf('foundry')}]\n- Mine\n`);
    await side.commit();
    await side.close();
    clock.advance({ days: 1 });
    await memory.merge('side');
    expect(await memory.read(page)).toBe('# Places\n\n- Mine\n');
    expect((await homesOf(memory, 'foundry')).filter((file) => !file.startsWith('ledger/'))).toEqual([]);
  });
});

describe('what was forgotten', () => {
  it('is handed to nobody, not even as the turn it came from, until that is taken back', async () => {
    const { memory, clock, idOf, raw } = await life();
    const heard = async (words: string) => (await memory.recall(words)).hits.map(({ snippet }) => snippet).join('\n');
    const context = async () => (await memory.context('where does Tomas work', { session: 's1', counts: false })).text;
    expect(await heard('foundry')).toContain('foundry');
    expect(await context()).toContain('foundry');
    await memory.forget(idOf('foundry'));
    await memory.forget(idOf('Kestrel'));
    expect(await heard('foundry Ystad Kestrel Bank')).not.toMatch(/foundry|Kestrel/);
    expect((await context()).replace(/<message>[\s\S]*/, '')).not.toMatch(/foundry|Kestrel/);
    // The neighbours of the turn are there, and the capture is as it was.
    expect(await heard('spare keys')).toContain('spare keys');
    expect(await memory.read(raw)).toContain('foundry');
    await memory.commit();
    // No pass and no other extractor brings it back.
    await night(memory, clock);
    await memory.extract({ from: raw });
    expect((await homesOf(memory, 'foundry')).filter((file) => !file.startsWith('ledger/'))).toEqual([]);
    const { memories } = await memory.list();
    expect(memories.some(({ content }) => content.includes('foundry'))).toBe(false);
    await memory.records.restore(idOf('foundry'));
    expect(await heard('foundry')).toContain('foundry');
  });

  it('leaves a daily note as it is, and is handed out of it no more', async () => {
    const { memory } = await newTestMemory();
    const texts = ['We decided to rent the boathouse.', 'We decided to sell the dinghy.'];
    await memory.note({ extracts: texts.map((text) => ({ priority: 'P1', text })) });
    const { transcripts } = await memory.extract();
    const made = transcripts[0]!.created.find(({ content }) => content.includes('boathouse'))!;
    expect((await memory.sessionStart()).text).toContain('boathouse');
    await memory.forget(made.id);
    const { text } = await memory.sessionStart();
    expect(text).not.toContain('boathouse');
    expect(text).toContain('dinghy');
    expect((await memory.recall('boathouse')).hits).toEqual([]);
    expect(await memory.read('raw/daily/2026-02-16.md')).toContain('boathouse');
  });
});
