// Exports of thousands of messages: each comes once, however often its export is imported, and what was read is let go.

import fs from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parseTranscript } from '../../../src/store/records/transcript.ts';
import { type ExportForm, exportForms, writeExport } from '../../helpers/exports.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

describe('an export of thousands of messages', () => {
  it.each(exportForms)('comes in whole, and brings nothing the second time: %s', async (form) => {
    const { memory } = await newTestMemory();
    const conversations = 60;
    const turns = 50;
    const folder = writeExport(temporaryFolder(), form, { conversations, turns });
    const as = form === 'OpenAI messages' || form === 'Anthropic messages' ? { as: 'conversations' as const } : {};
    const first = await memory.import(folder, as);
    expect(first).toMatchObject({ added: conversations, left: [] });
    const { tip } = memory;
    const said: string[] = [];
    for (const file of await memory.files()) {
      const text = await memory.read(file);
      if (file.startsWith('raw/conversations/'))
        said.push(...parseTranscript(text, file).turns.map((turn) => turn.text));
      if (file.startsWith('knowledge/reference/'))
        said.push(...text.split('\n').filter((line) => line.startsWith('talk')));
    }
    expect([said.length, new Set(said).size]).toEqual([conversations * turns, conversations * turns]);
    const again = await memory.import(folder, as);
    expect(again).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: conversations,
      left: [],
      commits: [],
      backup: null,
    });
    expect(memory.tip).toBe(tip);
    // Elsewhere, under another name: it is the same export.
    const moved = path.join(temporaryFolder(), path.basename(folder));
    fs.cpSync(folder, moved, { recursive: true });
    expect(await memory.import(moved, as)).toMatchObject({ added: 0, changed: 0, commits: [] });
  });
});

describe('what an import holds in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  it.each<ExportForm>(['ChatGPT', 'Claude Code'])('does not grow by what it reads: %s', async (form) => {
    const { memory } = await newTestMemory();
    const words = 1500;
    const folder = writeExport(temporaryFolder(), form, { conversations: 800, turns: 2, words });
    const held: number[] = [];
    const onProgress = () => {
      collect();
      held.push(process.memoryUsage().heapUsed);
    };
    expect(await memory.import(folder, { onProgress })).toMatchObject({ added: 800 });
    // Runs of conversations, and the end; what every memory of that size holds, such as names of files, is there after the first or grows by a little.
    expect(held.length).toBeGreaterThan(4);
    const readBytes = 600 * 2 * words * 'word1000 '.length;
    expect((held.at(-1)! - held[0]!) / readBytes).toBeLessThan(0.4);
  });
});
