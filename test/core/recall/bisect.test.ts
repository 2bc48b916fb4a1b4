import { describe, expect, test } from 'vitest';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { newTestMemory } from '../../helpers/memories.ts';

/** Writes one commit for each text; empty for a commit about something else. */
async function history(texts: readonly string[]): Promise<{ memory: Memory; commits: string[] }> {
  const { memory, clock } = await newTestMemory();
  const commits: string[] = [];
  for (const [index, text] of texts.entries()) {
    clock.advance({ hours: 1 });
    if (text === '')
      await memory.write(`knowledge/projects/other-${index}.md`, `# Other ${index}\n\nNothing of note.\n`);
    else await memory.write('knowledge/people/ada.md', `# Ada\n\n- Ada lives in ${text}\n`);
    await memory.commit();
    commits.push(memory.tip!);
  }
  return { memory, commits };
}

const times = (count: number): string[] => Array.from({ length: count }, () => '');

describe('bisect', () => {
  test('names the commit since which something is not found any more, and how many views it asked', async () => {
    const { memory, commits } = await history([...times(3), 'Paris', ...times(20), 'Rome', ...times(9)]);
    const result = await memory.bisect('where does Ada live', { finds: 'lives in Paris' });
    expect(result).toMatchObject({ found: false, flips: 1, query: 'where does Ada live' });
    expect(result.lost!.oid).toBe(commits[24]);
    expect(result.lastFound!.oid).toBe(commits[23]);
    expect(result.lost).toMatchObject({ operation: 'write', subject: expect.stringContaining('ada.md') });
    expect(result.tested).toBeLessThan(14);
    expect(result.commits).toBe(35);
  });

  test('finds it from a state that the caller knows, by halves', async () => {
    const { memory, commits } = await history(['Paris', ...times(30), 'Rome', ...times(30)]);
    const progress: number[] = [];
    const result = await memory.bisect('where does Ada live', {
      finds: 'lives in Paris',
      good: commits[0]!,
      onProgress: ({ done }) => progress.push(done),
    });
    expect(result.lost!.oid).toBe(commits[31]);
    expect(result.tested).toBeLessThanOrEqual(9);
    expect(progress.at(-1)).toBe(result.tested);
  });

  test('names the last loss where it came and went', async () => {
    const { memory, commits } = await history(['Paris', '', 'Rome', '', 'Paris', '', 'Rome', '', '']);
    const result = await memory.bisect('where does Ada live', { finds: 'lives in Paris' });
    expect(result.lost!.oid).toBe(commits[6]);
    expect(result.found).toBe(false);
  });

  test('says what is still found, and what never was', async () => {
    const { memory } = await history(['Paris', ...times(5)]);
    expect(await memory.bisect('where does Ada live', { finds: 'knowledge/people/ada.md' })).toMatchObject({
      found: true,
      lost: null,
      tested: 1,
    });
    const never = await memory.bisect('where does Ada live', { finds: 'Atlantis' });
    expect(never).toMatchObject({ found: false, lost: null, lastFound: null, flips: 0 });
    expect(never.tested).toBeGreaterThan(2);
  });

  test('finds memories that were forgotten, by id and its beginning', async () => {
    const { memory, clock } = await newTestMemory();
    const { id } = await memory.remember('The build needs Node 20');
    await memory.commit();
    clock.advance({ hours: 1 });
    await memory.forget(id!);
    await memory.commit();
    const forgotten = memory.tip;
    clock.advance({ hours: 1 });
    await memory.write('knowledge/projects/x.md', '# X\n\nText\n');
    await memory.commit();
    for (const finds of [id!, id!.slice(0, 8), 'Node 20']) {
      expect((await memory.bisect('what does the build need', { finds })).lost!.oid).toBe(forgotten);
    }
  });

  test('answers before the first commit, and refuses what makes no sense', async () => {
    const { memory } = await newTestMemory();
    await expect(memory.bisect('', { finds: 'x' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', where: 'query' });
    await expect(memory.bisect('x', { finds: ' ' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      where: 'finds',
    });
    await expect(memory.bisect('x', { finds: 'y', good: '1999-01-01' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.bisect('x', { finds: 'y', good: 'nothing' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const stop = AbortSignal.abort();
    await expect(memory.bisect('x', { finds: 'y', signal: stop })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
