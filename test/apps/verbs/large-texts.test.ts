// Whatever text field is given 10 MB, by whatever verb: it is refused by name, or done, and takes little memory either way.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { errorCodes, MemoryError } from '../../../src/base/errors.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { buildProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

interface Tried {
  readonly field: string;
  readonly code?: string;
  readonly message?: string;
  readonly isWritten: boolean;
}

beforeAll(buildProgram);

it('a text of 10 MB is refused by the name of its field, or done', () => {
  const script = fileURLToPath(new URL('large-texts.mjs', import.meta.url));
  const told = execFileSync(process.execPath, ['--expose-gc', script, join(temporaryFolder(), 'memory')], {
    encoding: 'utf8',
  });
  const lines = told.trim().split('\n');
  const { maxRssBytes } = JSON.parse(lines.pop()!) as { maxRssBytes: number };
  const tried = lines.map((line) => JSON.parse(line) as Tried);
  const refused = tried.filter(({ code }) => code !== undefined);
  expect(tried.length).toBeGreaterThan(200);
  expect(refused.filter(({ code }) => !(code! in errorCodes))).toEqual([]);
  expect(refused.filter(({ isWritten, message }) => isWritten || message!.length > 10_000)).toEqual([]);
  expect(maxRssBytes).toBeLessThan(320 << 20);
  const done = new Set(tried.filter(({ code }) => code === undefined).map(({ field }) => field));
  expect(
    [...done].filter(
      (field) => !/^(?:capture|note|log)\.|\.(?:directory|folder|state|event|value|parts|what)$/.test(field),
    ),
  ).toEqual([]);
});

it('is judged where a caller of the library gives it, with its field and both sizes', async () => {
  const { memory } = await newTestMemory();
  const large = 'x'.repeat(70_000);
  const asked: [() => Promise<unknown>, string][] = [
    [() => memory.recall(large), 'query'],
    [() => memory.recall('tea', { category: large }), 'category'],
    [() => memory.list({ tag: large }), 'tag'],
    [() => memory.learned(new RegExp(large)), 'what'],
    [() => memory.remember({ content: 'tea', tags: ['a', large] }), 'tags'],
    [() => memory.context('tea', { turns: [{ role: 'user', text: 'x'.repeat(1_100_000) }] }), 'text'],
    [() => memory.configure({ [large]: 1 }), 'the name of a field'],
  ];
  for (const [answer, where] of asked) {
    const error = await answer().then(String, (thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'TOO_LARGE',
      where,
      message: expect.stringMatching(/has \d+ bytes, and \d+ are allowed/),
    });
  }
  expect((await memory.status()).pending).toEqual([]);
  const session = await memory.startSession();
  await expect(session.message('user', 'tea', { speaker: large })).rejects.toMatchObject({ where: 'speaker' });
  await expect(session.end({ tags: [large] })).rejects.toMatchObject({ where: 'tags' });
  // What is words for one field is a file for another.
  await session.message('user', large);
  await session.toolCall('read', 'a file', large);
  await memory.write('knowledge/long.md', large);
  await memory.capture(large);
});

it('is cut where an error quotes it', () => {
  const { message, where } = new MemoryError('NOT_FOUND', 'nothing', { where: 'x'.repeat(1_000_000) });
  expect(message.length).toBeLessThan(5_000);
  expect(where).toHaveLength(4_097);
});
