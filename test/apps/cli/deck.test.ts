// The deck of a review in a terminal, key by key, and what earlier versions called it.

import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { goThrough } from '../../../src/apps/cli/deck.ts';
import type { ReviewOptions } from '../../../src/base/types.ts';
import type { Memory } from '../../../src/memory/memory.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { buildProgram, runHere } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { waiting } from '../../helpers/waiting.ts';

const keys = { right: '\u001b[C', left: '\u001b[D', down: '\u001b[B' };

/** Presses each key when the deck waits for one, and gives all that it said. */
async function play(memory: Memory, options: ReviewOptions, pressed: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = '';
  output.on('data', (text: Buffer) => {
    said += text.toString();
  });
  let isOver = false;
  const done = goThrough(memory, options, { input, output }).finally(() => {
    isOver = true;
  });
  let heard = 0;
  for (const key of pressed) {
    while (!isOver && !(said.length > heard && /(?: to go|left for later\.)\n$|New words: .*$/.test(said)))
      await wait(10);
    heard = said.length;
    input.write(key);
  }
  await done;
  return said;
}

it('gives a verdict by a key, leaves for later, words anew and takes back', async () => {
  const { memory } = await waiting();
  const said = await play(memory, { only: ['contradicts', 'double'] }, [
    'm',
    'u',
    keys.down,
    'c',
    'e',
    ' in winter\r',
    'q',
  ]);
  expect(said).toContain('contradicts  is said to contradict what was known');
  expect(said).toContain('→ keep  e reword  m merge  c close  ← forget  ↓ later  q end');
  expect(said).toMatch(/merged {2}tea coffee → [0-9a-f]{10} {2}[0-9a-f]{7}\n/);
  expect(said).toContain('taken back');
  expect(said).toMatch(/closed {2}code1 code2 {2}[0-9a-f]{7}/);
  expect(said).toMatch(/worded anew {2}van2 → /);
  const { memories } = await memory.list();
  const words = memories.map(({ content }) => content);
  expect(words).toContain('The blue van is parked behind the workshop at night in winter');
  expect(words).toContain('Tea is served at five');
  await memory.close();
});

it('lets in and drops what came with low trust, and ends by itself where nothing waits', async () => {
  const { memory } = await waiting();
  expect(await play(memory, { only: ['low_trust'] }, [keys.left])).toMatch(/dropped {2}kept as memory\/quarantine\//);
  expect((await memory.quarantine.list()).quarantined).toEqual([]);
  await memory.close();
  const empty = await newTestMemory();
  expect(await play(empty.memory, {}, [])).toBe('Nothing waits for you.\n');
  await empty.memory.close();
});

it('answers under the names that earlier versions had for it', async () => {
  await buildProgram();
  const folder = temporaryFolder();
  await runHere(folder, ['init']);
  for (const name of [['record', 'due'], ['due']]) {
    const { status, stdout, stderr } = await runHere(folder, [...name, '--limit', '3']);
    expect([status, stdout]).toEqual([0, 'Nothing waits for you.\n']);
    expect(stderr).toContain(`"${name.join(' ')}" is \`git memory review\` here`);
  }
});
