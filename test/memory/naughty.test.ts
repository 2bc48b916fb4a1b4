import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import { trailerKeys } from '../../src/store/guard/message.ts';
import { parseTranscript } from '../../src/store/records/transcript.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, git, hasGit } from '../helpers/native-git.ts';
import { naughtyTexts } from '../helpers/naughty.ts';

/** Gives what the call gives, or undefined where it was refused with a code. */
async function orRefused<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    expect(error, String(error)).toBeInstanceOf(MemoryError);
    return undefined;
  }
}

describe('texts that go wrong elsewhere', () => {
  it('come back as they were, or are refused by a code, wherever they are handed in', async () => {
    const { memory, directory } = await newTestMemory();
    for (const text of naughtyTexts) {
      const said = await orRefused(() =>
        memory.capture({ messages: [{ role: 'user', text, speaker: text }], topic: text, agent: text, tags: [text] }),
      );
      const isWhole = Buffer.from(text).toString() === text;
      if (said !== undefined && isWhole && !text.includes('\r') && text.trim() === text) {
        expect(parseTranscript((await memory.read(said.path))!, said.path).turns[0]!.text).toBe(text);
      }
      const kept = await orRefused(() =>
        memory.remember({ content: text, tags: [text], entities: [text], context: text, source: text }),
      );
      if (kept !== undefined) {
        const record = await memory.get(kept.id!);
        if (isWhole) expect(record.content).toBe(text);
      }
      await orRefused(() => memory.write(`knowledge/${text}.md`, text));
      await orRefused(() => memory.write('knowledge/reference/naughty.md', text));
      await orRefused(() => memory.remember({ content: 'x', id: text }));
      await orRefused(() => memory.commit(text));
      await orRefused(() => memory.snapshots.create(text));
      await orRefused(() => memory.recall(text));
      await orRefused(() => memory.get(text));
      await orRefused(() => memory.at(text));
      await orRefused(() => memory.undo(text, { dryRun: true }));
    }
    await memory.extract();
    await memory.commit();
    expect((globalThis as Record<string, unknown>).pwned).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    await memory.close();
    if (hasGit) expect(blemishes(directory)).toBe('');
  });

  it.runIf(hasGit)('never become trailers: git reads the ones that the engine wrote, each once', async () => {
    const { memory, directory } = await newTestMemory();
    for (const text of naughtyTexts) {
      await orRefused(() =>
        memory.capture({ messages: [{ role: 'user', text }], topic: text, agent: text, model: text }),
      );
      await orRefused(() => memory.remember({ content: text }));
      await orRefused(() => memory.commit(text));
    }
    const { commits } = await memory.log({ limit: 1000 });
    expect(commits.length).toBeGreaterThan(naughtyTexts.length);
    for (const { oid, operation, trailers } of commits) {
      const native = git(directory, 'log', '-1', '--format=%(trailers:unfold)', oid)
        .split('\n')
        .filter((line) => line !== '');
      expect(native).toEqual(trailers.map(({ key, value }) => `${key}: ${value}`));
      expect(native.every((line) => (trailerKeys as readonly string[]).includes(line.split(':')[0]!))).toBe(true);
      expect(native.filter((line) => line.startsWith('Operation: '))).toEqual([`Operation: ${operation}`]);
      expect(['capture', 'remember', 'init', 'batch']).toContain(operation);
      const subject = git(directory, 'log', '-1', '--format=%s', oid).replace(/\n$/, '');
      expect(subject).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    }
  });
});
