import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const modeOf = (file: string): number => fs.statSync(file).mode & 0o777;

describe.skipIf(process.platform === 'win32')('the folders of a memory', () => {
  it("are their owner's alone when they are made for it", async () => {
    const directory = path.join(temporaryFolder(), 'notes');
    const { memory } = await newTestMemory({ dir: directory });
    await memory.capture('words that were said');
    expect(modeOf(directory)).toBe(0o700);
    expect(modeOf(path.join(directory, '.git'))).toBe(0o700);
    expect(modeOf(path.join(directory, '.git/git-memory'))).toBe(0o700);
  });

  it('keep the mode they had; that anybody may write there is said', async () => {
    const directory = temporaryFolder();
    fs.chmodSync(directory, 0o757);
    const { memory } = await newTestMemory({ dir: directory });
    expect(modeOf(directory)).toBe(0o757);
    expect((await memory.status()).warnings).toEqual([`any user of this machine may put files into ${directory}`]);
    const { findings } = await doctor({ dir: directory });
    expect(findings.map(({ code }) => code)).toContain('FOLDER_OPEN');
    fs.chmodSync(directory, 0o750);
    expect((await memory.status()).warnings).toEqual([]);
  });
});
