// Bad input is answered with a code and a next step, and nothing is written.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { contentOf } from '../doors/worlds.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

type Call = (memory: Memory) => Promise<unknown>;
const wrong = (value: unknown) => value as never;

const cases: [string, string, Call][] = [
  ['a path outside', 'INVALID_PATH', (m) => m.write('../outside.md', 'x')],
  ['a path into .git', 'INVALID_PATH', (m) => m.write('.git/hooks/pre-commit', 'x')],
  ['a path outside the layout', 'INVALID_PATH', (m) => m.write('src/main.c', 'x')],
  ['reading outside', 'INVALID_PATH', (m) => m.read('../../etc/passwd')],
  ['an unknown file', 'NOT_FOUND', (m) => m.read('knowledge/none.md')],
  ['an unknown id', 'NOT_FOUND', (m) => m.get('nobody')],
  ['an unknown id to touch', 'NOT_FOUND', (m) => m.records.touch('nobody')],
  ['an unknown id to forget', 'NOT_FOUND', (m) => m.forget('nobody')],
  ['an unknown id to restore', 'NOT_FOUND', (m) => m.records.restore('nobody')],
  ['unknown ids to touch together', 'NOT_FOUND', (m) => m.records.touchAll(['nobody'])],
  ['no ids to touch together', 'INVALID_ARGUMENT', (m) => m.records.touchAll([])],
  ['an unknown id to relate', 'NOT_FOUND', (m) => m.records.relate('nobody', 'nothing')],
  ['an unknown file to remove', 'NOT_FOUND', (m) => m.remove('knowledge/none.md')],
  ['provenance of nothing', 'NOT_FOUND', (m) => m.provenance('nobody')],
  ['an empty query', 'INVALID_ARGUMENT', (m) => m.recall('')],
  ['a blank query', 'INVALID_ARGUMENT', (m) => m.recall('   ')],
  ['a limit of nothing', 'INVALID_ARGUMENT', (m) => m.recall('tea', { limit: 0 })],
  ['a bad date to look at', 'INVALID_DATE', (m) => m.at('2026-13-45')],
  ['a bad date to search from', 'INVALID_DATE', (m) => m.recall('tea', { since: 'yesterdayish' })],
  [
    'a bad date of a message',
    'INVALID_DATE',
    (m) => m.capture({ messages: [{ role: 'user', text: 'x', time: 'noonish' }] }),
  ],
  ['an unknown revision', 'NOT_FOUND', (m) => m.at('no-such-thing')],
  ['an unknown revision to undo', 'NOT_FOUND', (m) => m.undo('0123456789')],
  ['nothing to undo', 'INVALID_ARGUMENT', (m) => m.undo('')],
  ['an unknown session to undo', 'NOT_FOUND', (m) => m.undo({ session: 'ses_none' })],
  ['an empty capture', 'INVALID_RECORD', (m) => m.capture('')],
  [
    'a malformed transcript',
    'INVALID_RECORD',
    (m) => m.captureText('---\nsession_id: x\n---\n', { format: 'transcript' }),
  ],
  [
    'malformed JSON lines',
    'INVALID_RECORD',
    (m) => m.captureText('{"role":"user","text":"a"}\n{broken', { format: 'jsonl' }),
  ],
  ['a memory without content', 'INVALID_ARGUMENT', (m) => m.remember('  ')],
  ['a memory with a wild id', 'INVALID_ARGUMENT', (m) => m.remember({ content: 'x', id: '../x' })],
  ['a memory record that is no JSON', 'INVALID_RECORD', (m) => m.write('memories/ab/x.json', '{')],
  ['a configuration with an unknown key', 'INVALID_CONFIG', (m) => writeConfiguration(m, 'timezon: UTC\n')],
  [
    'front matter that runs code',
    'INVALID_RECORD',
    (m) => m.write('knowledge/a.md', '---js\n{ a: process.exit(1) }\n---\n'),
  ],
  ['a MEMORY.md that is too long', 'TOO_LARGE', (m) => m.write('knowledge/memory/MEMORY.md', '- x\n'.repeat(221))],
  ['a file that is too large', 'TOO_LARGE', (m) => m.write('knowledge/a.md', 'x'.repeat(2 << 20))],
  ['an edit of words that are not there', 'NOT_FOUND', (m) => m.edit('memory.yaml', 'no such words', 'x')],
  ['an edit of nothing', 'INVALID_ARGUMENT', (m) => m.edit('memory.yaml', '', 'x')],
  ['a snapshot without a name', 'INVALID_ARGUMENT', (m) => m.snapshots.create('')],
  ['a snapshot with a wild name', 'INVALID_REF', (m) => m.snapshots.create('a..b')],
  ['extraction from an unknown session', 'NOT_FOUND', (m) => m.extract({ from: 'ses_none' })],
  [
    'a role with a line break',
    'INVALID_ARGUMENT',
    async (m) => (await m.startSession({ topic: 't' })).message('user\n## x', 'y'),
  ],
];

describe('bad input', () => {
  it.each(cases)('%s is answered with %s, and nothing is written', async (name, code, call) => {
    const { memory, directory } = await newTestMemory();
    if (name.includes('role')) await memory.startSession({ session: 'ses_before', topic: 'before' });
    const before = contentOf(directory);
    const error: unknown = await call(memory).then(
      () => 'no error',
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(MemoryError);
    expect(error).toMatchObject({ code });
    expect((error as MemoryError).message.length).toBeGreaterThan(10);
    expect((error as MemoryError).message).not.toMatch(/--force|rm -rf|reset --hard/);
    if (!name.includes('role')) expect(contentOf(directory)).toBe(before);
  });

  it('a folder without a repository, one without a memory, and a missing one are told apart', async () => {
    const empty = temporaryFolder();
    await expect(openMemory({ dir: empty })).rejects.toMatchObject({
      code: 'NOT_A_REPOSITORY',
      message: expect.stringContaining('init'),
    });
    await expect(openMemory({ dir: path.join(empty, 'none') })).rejects.toMatchObject({
      code: 'NOT_A_REPOSITORY',
      what: expect.stringContaining('there is no folder'),
    });
    expect(fs.readdirSync(empty)).toEqual([]);
    await expect(openMemory({ dir: '' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(openMemory(wrong(undefined))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const { memory, directory } = await newTestMemory();
    await memory.close();
    await expect(openMemory({ dir: directory, branch: 'other' })).rejects.toMatchObject({ code: 'NOT_A_MEMORY' });
    await expect(openMemory({ dir: directory, branch: '../x' })).rejects.toMatchObject({ code: 'INVALID_REF' });
  });

  it('is refused by a memory that was closed or opened read only', async () => {
    const { memory, directory } = await newTestMemory();
    const reader = await openMemory({ dir: directory, readOnly: true });
    await expect(reader.capture('x')).rejects.toMatchObject({ code: 'READ_ONLY' });
    await memory.close();
    await memory.close();
    await expect(memory.capture('x')).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(memory.recall('x')).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('of the file system becomes an error of code IO that names the file', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.capture('something');
    memory.dispose();
    fs.writeFileSync(path.join(directory, '.git/HEAD'), '');
    await expect(openMemory({ dir: directory })).rejects.toMatchObject({
      code: 'REF_CORRUPT',
      where: expect.stringContaining('HEAD'),
    });
  });
});
