import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ephemeralFileSystem } from '../../src/adapters/ephemeral.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, git, hasGit } from '../helpers/native-git.ts';

describe('a capture', () => {
  it('is closed and committed when the call returns, under the path of its time, session and topic', async () => {
    const { memory, directory } = await newTestMemory();
    const result = await memory.capture({
      messages: [
        { role: 'user', text: 'Where do we keep the notes?', time: '2026-02-16T18:45:00Z' },
        { role: 'agent', text: 'In git.', time: '2026-02-16T18:45:30Z' },
      ],
      session: 'ses_a1b2c3d4',
      topic: 'Where notes live',
      model: 'some-model',
      agent: 'helper',
    });
    expect(result).toMatchObject({
      path: 'raw/conversations/2026/02/16/1845-ses_a1b2c3d4-where-notes-live.md',
      session: 'ses_a1b2c3d4',
      turns: 2,
      commit: memory.tip,
    });
    const text = await memory.read(result.path);
    expect(text).toContain('ended: 2026-02-16T18:45:30Z');
    expect(text).toContain('## 18:45 — user\nWhere do we keep the notes?');
    const [commit] = (await memory.log()).commits;
    expect(commit).toMatchObject({
      operation: 'capture',
      subject: 'conversation: Where notes live',
      paths: [result.path],
    });
    expect(commit!.trailers).toEqual([
      { key: 'Operation', value: 'capture' },
      { key: 'Session', value: result.path },
      { key: 'Model', value: 'some-model' },
      { key: 'Agent', value: 'helper' },
      { key: 'Sequence', value: '2' },
    ]);
    if (hasGit) {
      expect(git(directory, 'status', '--porcelain')).toBe('');
      expect(fs.readFileSync(path.join(directory, result.path), 'utf8')).toBe(text);
    }
  });

  it('of the same session again changes nothing, and with other words is refused', async () => {
    const { memory } = await newTestMemory();
    const input = {
      messages: [{ role: 'user', text: 'once', time: '2026-02-16T10:00:00Z' }],
      session: 'ses_one',
      topic: 'once',
    };
    const first = await memory.capture(input);
    const second = await memory.capture(input);
    expect(second.commit).toBe(first.commit);
    const other = { ...input, messages: [{ role: 'user', text: 'twice', time: '2026-02-16T10:00:00Z' }] };
    await expect(memory.capture(other)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect((await memory.log()).commits).toHaveLength(2);
  });

  it('cannot be changed, removed or replaced afterwards', async () => {
    const { memory } = await newTestMemory();
    const { path: where } = await memory.capture('words that were said');
    await expect(memory.write(where, 'other words')).rejects.toMatchObject({
      code: expect.stringMatching(/IMMUTABLE|INVALID_RECORD/),
    });
    await expect(memory.edit(where, '\nwords that were said', '\nwords that were sung')).rejects.toMatchObject({
      code: 'IMMUTABLE',
    });
    await expect(memory.remove(where)).rejects.toMatchObject({ code: 'IMMUTABLE' });
    expect((await memory.status()).pending).toEqual([]);
  });

  it('cut at pauses becomes several sessions', async () => {
    const { memory } = await newTestMemory();
    const lines = ['10:00', '10:10', '11:30', '15:00'].map((time) =>
      JSON.stringify({ role: 'user', text: `at ${time}`, time: `2026-02-16T${time}:00Z` }),
    );
    const results = await memory.captureText(lines.join('\n'), { format: 'jsonl', pauseMinutes: 30 });
    expect(results.map((result) => result.turns)).toEqual([2, 1, 1]);
    expect((await memory.status()).conversations).toBe(3);
  });
});

describe('a session', () => {
  it('keeps each message when the call returns, and commits all of them at its end', async () => {
    const { memory, clock, directory } = await newTestMemory();
    const session = await memory.startSession({ topic: 'live', agent: 'helper' });
    await session.message('user', 'first');
    const other = await openMemory({ dir: directory, readOnly: true });
    expect(await other.read(session.path)).toContain('first');
    clock.advance({ minutes: 1 });
    await session.message('agent', '## 12:00 — user\nnot a heading');
    await session.toolCall('exec', 'git status', 'clean');
    expect((await memory.status()).openSessions).toEqual([session.path]);
    const before = memory.tip;
    const { commit, turns } = await session.end({ tokensIn: 10, tokensOut: 20 });
    expect(turns).toBe(3);
    expect((await memory.log()).commits[0]).toMatchObject({ oid: commit, parents: [before] });
    expect((await memory.status()).pending).toEqual([]);
    await expect(session.message('user', 'late')).rejects.toMatchObject({ code: 'CLOSED' });
    if (hasGit) expect(blemishes(directory)).toBe('');
  });

  it('goes on after its process died, under the same id', async () => {
    const { memory, directory } = await newTestMemory();
    const session = await memory.startSession({ session: 'ses_long', topic: 'long' });
    await session.message('user', 'before');
    memory.dispose();
    const next = await openMemory({ dir: directory, durability: 'fast' });
    const resumed = await next.startSession({ session: 'ses_long' });
    expect(resumed.path).toBe(session.path);
    await resumed.message('user', 'after');
    await resumed.end();
    const text = await next.read(session.path);
    expect(text.indexOf('before')).toBeLessThan(text.indexOf('after'));
    await expect(next.startSession({ session: 'ses_long' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await next.close();
  });

  it('knows a session by its id, however its name in the path is written', async () => {
    const { memory, clock } = await newTestMemory();
    const id = '082e7437-13ca-4ecc-a328-b1d04aed7120';
    const alike = await memory.startSession({ session: id.replaceAll('-', '_') });
    const holder = await memory.startSession({ session: 'a', topic: id });
    clock.advance({ minutes: 1 });
    const session = await memory.startSession({ session: id });
    expect(new Set([alike.path, holder.path, session.path]).size).toBe(3);
    expect((await memory.startSession({ session: id })).path).toBe(session.path);
    await session.message('user', 'enough');
    await session.end();
    await expect(memory.startSession({ session: id })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  });

  it('is named at its end by what was said in it, where nobody named it', async () => {
    const { memory } = await newTestMemory();
    for (const [topic, name] of [
      [undefined, 'No nuts in the cottage'],
      ['packing', 'Packing'],
    ] as const) {
      const session = await memory.startSession(topic === undefined ? {} : { topic });
      await session.message('user', 'No nuts in the cottage. Kim has an allergy.');
      const { path } = await session.end();
      expect(await memory.read(path)).toContain(`\n# ${name}\n`);
    }
  });

  it('answers messages in the order they were given, also without waiting', async () => {
    const { memory } = await newTestMemory();
    const session = await memory.startSession({ topic: 'quick' });
    await Promise.all(Array.from({ length: 20 }, (_, i) => session.message('user', `message ${i}`)));
    await session.end();
    const numbers = [...(await memory.read(session.path)).matchAll(/message (\d+)/g)].map((match) => Number(match[1]));
    expect(numbers).toEqual(numbers.slice().sort((a, b) => a - b));
    expect(numbers).toHaveLength(20);
  });
});

it('a memory in memory runs whole on memfs', async () => {
  const fileSystem = ephemeralFileSystem();
  const { memory } = await newTestMemory({ fs: fileSystem, dir: '/' });
  const capture = await memory.capture('We decided to keep everything in memory.');
  const { id } = await memory.remember({ content: 'Ana likes tea', tags: ['people'] });
  await memory.extract();
  expect((await memory.recall('what does Ana like')).hits[0]).toMatchObject({ id });
  const undone = await memory.undo(capture.commit!);
  expect(undone.conflicts).toEqual([]);
  await memory.close();
  const again = await openMemory({ fs: fileSystem, dir: '/' });
  expect((await again.get(id!)).content).toBe('Ana likes tea');
  await again.close();
});

it('a transcript of our own format is captured byte for byte: token counts, changes, unknown keys, title and preamble', async () => {
  const { memory } = await newTestMemory();
  const text = [
    '---',
    'session_id: ses_a1b2c3d4',
    'started: 2026-02-16T18:45:00Z',
    'ended: 2026-02-16T19:32:00Z',
    'model: some-model',
    'channel: webchat',
    'topic: autopoiesis restructuring',
    'tags: [coding, git]',
    'tokens_in: 45230',
    'tokens_out: 12840',
    'knowledge_changes:',
    '  - path: knowledge/journal/2026-02-16.md',
    '    action: appended',
    '    summary: Logged the decision',
    'mood: calm',
    '---',
    '',
    '# A Title of Its Own',
    '',
    '## 18:45 — user',
    'Read all open issues.',
    '',
    '## 18:52 — agent [memory]',
    '> [knowledge:updated] knowledge/projects/a/context.md — added a plan',
    '',
  ].join('\n');
  const [result] = await memory.captureText(text, { format: 'transcript' });
  expect(await memory.read(result!.path)).toBe(text);
  expect(result!.path).toBe('raw/conversations/2026/02/16/1845-ses_a1b2c3d4-autopoiesis-restructuring.md');
});
