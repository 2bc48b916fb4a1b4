import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/open-memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { ManualClock } from '../helpers/memories.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const page = 'knowledge/harbour.md';

/** A memory with a page that was committed twice, and the journal as it was after each step. */
async function makeMemory() {
  const dir = path.join(temporaryFolder(), 'memory');
  const journal = path.join(dir, '.git/git-memory/journal/refs%2Fheads%2Fmain.journal');
  const note = path.join(dir, '.git/git-memory/tips/refs%2Fheads%2Fmain');
  const open = async () => (await openMemory({ dir, clock: new ManualClock(), durability: 'fast' })) as Memory;
  const memory = (await openMemory({ dir, clock: new ManualClock(), durability: 'fast', create: true })) as Memory;
  await memory.write(page, 'The crane is red.\n');
  await memory.commit();
  const olderNote = fs.readFileSync(note, 'utf8');
  await memory.write(page, 'The crane is green.\n');
  const waiting = fs.readFileSync(journal);
  await memory.commit();
  await memory.write(page, 'The crane is blue.\n');
  await memory.commit();
  await memory.close();
  return { journal, note, olderNote, waiting, open };
}

/** Puts another file in the place of one, as a copy from elsewhere does. */
function putBack(file: string, bytes: Buffer): void {
  fs.rmSync(file);
  fs.writeFileSync(file, bytes);
}

describe('a journal that lacks what says that its writes are committed', () => {
  it('has none of them wait again, whether it was cut or is an older copy', async () => {
    const { journal, waiting, open } = await makeMemory();
    const whole = fs.readFileSync(journal);
    const firstDone = whole.indexOf('"t":"done"');
    for (const bytes of [waiting, whole.subarray(0, firstDone), whole.subarray(0, whole.length - 30)]) {
      putBack(journal, bytes);
      const memory = await open();
      expect((await memory.status()).pending).toHaveLength(0);
      expect(await memory.read(page)).toBe('The crane is blue.\n');
      await memory.commit();
      expect(await memory.read(page)).toBe('The crane is blue.\n');
      await memory.close();
    }
  });

  it('takes new writes, which wait until they are committed', async () => {
    const { journal, waiting, open } = await makeMemory();
    putBack(journal, waiting);
    const writer = await open();
    await writer.write(page, 'The crane is white.\n');
    await writer.write('knowledge/pier.md', 'The pier is long.\n');
    writer.dispose();
    const memory = await open();
    expect((await memory.status()).pending).toHaveLength(2);
    expect(await memory.read(page)).toBe('The crane is white.\n');
    await memory.commit();
    expect((await memory.status()).pending).toHaveLength(0);
    expect(await memory.read('knowledge/pier.md')).toBe('The pier is long.\n');
    await memory.close();
  });

  it('goes by what was noted, and by nothing where the note is gone, older or damaged', async () => {
    const { journal, note, olderNote, waiting, open } = await makeMemory();
    const noted = fs.readFileSync(note, 'utf8');
    putBack(journal, waiting);
    for (const text of [olderNote, noted.replace(/0(\d) /, '9$1 '), noted.slice(0, 30), '']) {
      fs.writeFileSync(note, text);
      const memory = await open();
      expect((await memory.status()).pending).toHaveLength(1);
      memory.dispose();
    }
  });
});
