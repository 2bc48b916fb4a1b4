import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';

async function newExtractingMemory(more = '') {
  const made = await newTestMemory({}, `version: 1\nauto_extract: true\n${more}`);
  await made.memory.commit();
  return made;
}

const operations = async (memory: Awaited<ReturnType<typeof newTestMemory>>['memory']) =>
  (await memory.log()).commits.map(({ operation }) => operation);

describe('extraction that comes by itself', () => {
  it('is off unless asked for', async () => {
    const { memory } = await newTestMemory();
    const session = await memory.startSession();
    expect(await session.message('user', 'From now on I always want tea.')).toEqual({ turn: 1 });
    expect(await session.end()).not.toHaveProperty('extraction');
    expect((await memory.list()).memories).toEqual([]);
  });

  it('follows a capture and tells what it made', async () => {
    const { memory } = await newExtractingMemory();
    const { extraction } = await memory.capture({
      messages: [{ role: 'user', text: 'We decided to launch on 3 March.' }],
    });
    const { memories } = await memory.list();
    expect(extraction).toEqual({ created: memories.map(({ id }) => id), updated: [] });
    expect(memories).toHaveLength(1);
  });

  it('comes while a session runs: at once when something important was said', async () => {
    const { memory, directory } = await newExtractingMemory();
    const session = await memory.startSession({ topic: 'tea' });
    expect(await session.message('user', 'Hello there!')).toEqual({ turn: 1, signal: 'none' });
    expect(await session.message('agent', 'I always say hello.')).toMatchObject({ signal: 'none' });
    expect(await session.message('user', 'Please remember that I prefer green tea in the morning.')).toMatchObject({
      turn: 3,
      signal: 'high',
      extracting: 'now',
    });
    await expect.poll(async () => (await memory.list()).memories.length).toBe(1);
    const [first] = (await memory.list()).memories;
    expect(first!.sources).toEqual([{ path: session.path, turn: 3, role: 'user' }]);

    await session.message('user', 'We decided to buy green tea in bulk.');
    const { extraction, commit } = await session.end();
    expect(commit).not.toBeNull();
    expect(extraction!.error).toBeUndefined();
    const { memories } = await memory.list();
    expect(memories.map(({ content }) => content).sort()).toEqual([
      'Please remember that I prefer green tea in the morning.',
      'We decided to buy green tea in bulk.',
    ]);
    // The transcript was committed before what names its turns.
    expect((await operations(memory)).slice(-3)[0]).toBe('capture');
    if (hasGit) fsck(directory);
  });

  it('comes when enough was said, counting what a process before this one heard', async () => {
    const { memory, directory } = await newExtractingMemory('buffer: {turns: 3}\n');
    const before = await memory.startSession({ session: 'ses_long' });
    await before.message('user', 'We decided to paint the shed blue.');
    // The first of them was important and has been extracted; two more do not fill the buffer.
    await expect.poll(async () => (await memory.list()).memories.length).toBe(1);
    for (const text of ['One.', 'Two.']) expect(await before.message('user', text)).toMatchObject({ signal: 'none' });
    memory.dispose();

    const again = await openMemory({ dir: directory });
    const session = await again.startSession({ session: 'ses_long' });
    expect(await session.message('user', 'Three.')).toEqual({ turn: 4, signal: 'none', extracting: 'batch' });
    expect((await session.end()).extraction).toEqual({ created: [], updated: [] });
    await again.close();
  });

  it('never fails a capture', async () => {
    const { memory, directory } = await newExtractingMemory();
    fs.writeFileSync(path.join(directory, '.git/index.lock'), '');
    const result = await memory.capture({ messages: [{ role: 'user', text: 'We decided to launch on 3 March.' }] });
    expect(result.commit).toBeNull();
    expect(result.extraction).toMatchObject({ created: [], error: expect.stringContaining('index') });
    fs.rmSync(path.join(directory, '.git/index.lock'));
    await memory.commit();
    const { transcripts } = await memory.extract();
    expect(transcripts.flatMap(({ created }) => created)).toHaveLength(1);
  }, 600_000);

  it('is refused before a session begins when a pattern of the configuration is bad', async () => {
    const { memory } = await newExtractingMemory('signals:\n  high:\n    - "(?=x)"\n');
    await expect(memory.startSession()).rejects.toMatchObject({ code: 'INVALID_CONFIG', where: 'memory.yaml:5' });
    expect(await memory.files('raw/')).toEqual([]);
  });
});
