import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory.ts';
import { newTestMemory } from '../helpers/memories.ts';

describe('what a person edits', () => {
  it('is named by status, which leaves it as it is', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.write('knowledge/a.md', '# A\n');
    await memory.write('knowledge/c.md', '# C\n');
    await memory.commit();
    expect((await memory.status()).edited).toEqual([]);
    fs.appendFileSync(path.join(directory, 'knowledge/a.md'), 'more\n');
    fs.writeFileSync(path.join(directory, 'knowledge/b.md'), '# B\n');
    fs.rmSync(path.join(directory, 'knowledge/c.md'));
    fs.symlinkSync('/etc/passwd', path.join(directory, 'knowledge/c.md'));
    const tip = memory.tip;
    const { edited } = await memory.status();
    expect(edited).toEqual([
      { path: 'knowledge/a.md' },
      { path: 'knowledge/b.md' },
      { path: 'knowledge/c.md', why: 'it is not a regular file' },
    ]);
    expect(memory.tip).toBe(tip);
    await memory.commit();
    expect((await memory.status()).edited).toEqual([{ path: 'knowledge/c.md', why: 'it is not a regular file' }]);
  });

  it('in the configuration counts from the next opening on, committed as an edit of its own', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.close();
    const file = path.join(directory, 'memory.yaml');
    fs.writeFileSync(file, 'version: 1\nrecall: {limit: 1}\n');
    const again = await openMemory({ dir: directory });
    for (const text of ['One tea.', 'Two teas.']) await again.capture(text);
    expect((await again.recall('tea')).hits).toHaveLength(1);
    const { commits } = await again.log({ path: 'memory.yaml' });
    expect(commits[0]).toMatchObject({ operation: 'edit', paths: ['memory.yaml'] });
    await again.close();
  });

  it('in the configuration, when it is none, stays where it is, is reported and holds up nothing', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.close();
    const file = path.join(directory, 'memory.yaml');
    fs.writeFileSync(file, 'recall: {limit: many}\n');
    const said: string[] = [];
    const logger = { warn: (line: string) => void said.push(line) };
    const again = await openMemory({ dir: directory, logger });
    expect(said.join('\n')).toContain('memory.yaml stays as it was committed');
    expect((await again.capture('One tea.')).commit).toBe(again.tip);
    expect((await again.status()).edited).toMatchObject([{ path: 'memory.yaml' }]);
    expect(fs.readFileSync(file, 'utf8')).toBe('recall: {limit: many}\n');
    await again.close();
  });

  it.each([0, 40])('is not what a power cut left of a record whose removal waits (%i bytes)', async (bytes) => {
    const { memory, directory } = await newTestMemory();
    const { id, path: record } = await memory.remember({ content: 'Ana prefers letters over calls.' });
    await memory.commit();
    const file = path.join(directory, record);
    const whole = fs.readFileSync(file);
    await memory.forget(id!);
    // The record is gone only in the journal; on the disk stands the beginning of what was committed.
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, whole.subarray(0, bytes));
    expect((await memory.status()).edited).toEqual([]);
    await memory.restore(id!);
    await memory.commit();
    expect(fs.readFileSync(file, 'utf8')).toContain('letters over calls');
    expect((await memory.status()).edited).toEqual([]);
    await memory.close();
  });
});
