// Imports of made-up files: what came of them, in the order of time.

import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parseTranscript } from '../../src/store/records/transcript.ts';
import { newTestMemory } from './memories.ts';
import { temporaryFolder, writeDeep } from './temporary.ts';

type Files = Readonly<Record<string, unknown>>;

/** Imports files, a single one by its name, several as their folder; and again, which adds nothing. */
export async function imported(files: Files, options = {}) {
  const folder = temporaryFolder();
  for (const [name, value] of Object.entries(files)) {
    writeDeep(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
    fs.utimesSync(path.join(folder, name), 1_700_000_000, 1_700_000_000);
  }
  const names = Object.keys(files);
  const from = names.length === 1 ? path.join(folder, names[0]!) : folder;
  const { memory } = await newTestMemory();
  const result = await memory.import(from, options);
  const again = await memory.import(from, options);
  expect(again.added, 'imported again').toBe(0);
  const paths = await memory.files('raw/conversations/');
  const transcripts = await Promise.all(paths.map(async (one) => parseTranscript(await memory.read(one), one)));
  const turns = transcripts.flatMap((one) => one.turns).sort((one, other) => one.time - other.time);
  const notes = await memory.files('knowledge/');
  const known = (await Promise.all(notes.map((one) => memory.read(one)))).join('\n');
  await memory.close();
  const said = turns.map(({ role, speaker, time, text }) => [
    speaker ?? role,
    new Date(time).toISOString().slice(0, 16),
    text,
  ]);
  return { result, transcripts, turns, said, notes, known };
}

/** Who said it, of each. */
export const who = (said: readonly (readonly (string | undefined)[])[]) => said.map(([one]) => one);
