// Every form, by files of our own making: it comes in with its times, roles and sessions, once, also when it has grown or was renamed, and what is
// broken in its middle is named while the rest comes in.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { forms } from '../../../src/features/import/index.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { parseTranscript } from '../../../src/store/records/transcript.ts';
import { foreignForms, type Talk } from '../../helpers/foreign-histories.ts';
import { foreignMemories } from '../../helpers/foreign-memories.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';

const words = [
  'Which oven shall we buy for the bakery?',
  'The one with the stone floor.',
  'Does it fit through the door?',
  'Only without its legs.',
  'Then order it without legs.',
  'It comes on the ninth.',
];
const talk = (count: number, more: Partial<Talk> = {}): Talk => ({
  title: 'Oven',
  texts: words.slice(0, count),
  ...more,
});

function written(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    writeDeep(path.join(folder, name), content);
    // What has no time of its own gets that of its file, which has to be one and the same here.
    fs.utimesSync(path.join(folder, name), 1_767_607_200, 1_767_607_200);
  }
  return folder;
}

async function turnsOf(memory: Memory) {
  const paths = await memory.files('raw/conversations/');
  const found = await Promise.all(paths.map(async (one) => parseTranscript(await memory.read(one), one)));
  return found.flatMap((transcript) => transcript.turns.map((turn) => ({ ...turn, transcript })));
}

const roleAt = (at: number) => (at % 2 === 0 ? 'user' : 'agent');

describe.each(Object.entries(foreignForms))('%s', (name, { make, isUndated, options = {}, isPeople, notices = 0 }) => {
  it('is known by its looks, and comes in as it was said', async () => {
    const { memory } = await newTestMemory();
    const result = await memory.import(written(make(talk(4))), options);
    expect(result.form).toBe(name);
    expect(result.left).toEqual([]);
    const turns = (await turnsOf(memory)).filter(({ role }) => role !== 'system');
    expect(turns.map(({ text }) => text.split('\n')[0])).toEqual(words.slice(0, 4));
    if (isPeople !== true) expect(turns.map(({ role }) => role)).toEqual(words.slice(0, 4).map((_, at) => roleAt(at)));
    expect(new Date(turns[0]!.time).toISOString().slice(0, 10)).toBe('2026-01-05');
    expect(result.read).toMatchObject({ turns: 4 + notices, here: 0 });
    expect(result.read!.dated.file > 0).toBe(isUndated === true);
  });

  it('comes once, with what is new when it has grown, whatever it is called', async () => {
    const { memory } = await newTestMemory();
    await memory.import(written(make(talk(4))), options);
    expect(await memory.import(written(make(talk(4))), options)).toMatchObject({
      added: 0,
      read: { turns: 0, here: 4 + notices },
    });
    expect(await memory.import(written(make(talk(6))), options)).toMatchObject({
      read: { turns: 2, here: 4 + notices },
    });
    const renamed = await memory.import(written(make(talk(6, { title: 'A new oven' }))), options);
    expect(renamed).toMatchObject({ added: 0, read: { turns: 0, here: 6 + notices } });
    const said = (await turnsOf(memory)).filter(({ role }) => role !== 'system').map(({ text }) => text.split('\n')[0]);
    expect([...said].sort()).toEqual([...words].sort());
  });

  it('names what is broken in the middle, and brings in the rest', async () => {
    const { memory } = await newTestMemory();
    const result = await memory.import(written(make(talk(4, { isBroken: true }))), options);
    const { left } = result;
    const passedOver = result.read!.leftOut.reduce((sum, { count }) => sum + count, 0);
    expect(left.length + passedOver).toBeGreaterThan(0);
    for (const { source, line } of left)
      expect(line !== undefined || /[ ,]/.test(source) || /\.\w+$/.test(source)).toBe(true);
    const turns = (await turnsOf(memory)).filter(({ role }) => role !== 'system');
    expect(turns.map(({ text }) => text.split('\n')[0])).toEqual(words.slice(0, 4));
  });
});

it('has a fixture of each form', () => {
  const made = [...Object.keys(foreignForms), ...Object.keys(foreignMemories)];
  expect(made.sort()).toEqual(Object.keys(forms).sort());
});
