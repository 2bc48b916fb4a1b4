// Lines of which a merge kept both wordings: they wait in the review until somebody decides, by a verdict or by an edit.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const page = 'knowledge/harbour.md';
const before = '# Harbour\n\n- The crane lifts four tons at most.\n- The quay is lit.\n';

/** A page of which one branch and a clone of others have an item otherwise. */
async function place() {
  const { memory, directory, clock } = await newTestMemory();
  await memory.write(page, before);
  await memory.commit();
  const clone = path.join(temporaryFolder(), 'clone');
  git(directory, 'clone', '-q', directory, clone);
  clock.advance({ hours: 1 });
  await memory.write(page, before.replace('four tons', 'five tons'));
  await memory.commit();
  fs.writeFileSync(path.join(clone, page), before.replace('four tons', 'six tons'));
  git(clone, 'commit', '-qam', 'six');
  git(directory, 'fetch', '-q', clone, 'HEAD:refs/heads/theirs');
  expect((await memory.merge('theirs')).conflicts).toEqual([page]);
  return { memory, directory };
}

const disputed = async (memory: Memory) => (await memory.review({ only: ['disputed'] })).cards;

describe.runIf(hasGit)('a line of which a merge kept two wordings', () => {
  it('waits in the review with the other one, and each can stand alone', async () => {
    const { memory, directory } = await place();
    const { cards, counts } = await memory.review({ only: ['disputed'] });
    expect(counts.disputed).toBe(1);
    const [card] = cards;
    expect(card).toMatchObject({
      why: 'disputed',
      because: expect.stringContaining(page),
      content: '- The crane lifts six tons at most.',
      other: { content: '- The crane lifts five tons at most.' },
      sources: [{ path: page }],
      verdicts: ['keep', 'close', 'forget'],
    });
    const { lines } = await memory.pack();
    expect(lines.filter(({ text }) => text.includes('CONFLICT')).map(({ text }) => text)).toEqual([
      `⚠️ CONFLICT: ${card!.id} says "The crane lifts six tons at most.", ${card!.other!.id} says "The crane lifts five tons at most." — needs resolution`,
    ]);
    const kept = await memory.verdict('keep', card!.other!.id);
    expect(kept.commit).toBe(memory.tip);
    expect(await memory.read(page)).toBe(before.replace('four', 'five'));
    expect(await disputed(memory)).toEqual([]);
    const { trailers } = (await memory.log({ limit: 1 })).commits[0]!;
    expect(trailers).toContainEqual({ key: 'Verdict', value: `keep ${card!.other!.id}` });
    await memory.undo({ verdict: true });
    expect(await disputed(memory)).toHaveLength(1);
    await memory.verdict('forget', card!.other!.id);
    expect(await memory.read(page)).toBe(before.replace('four', 'six'));
    await memory.close();
    expect(fsck(directory)).toBe('');
  });

  it('stands beside the other one where both are kept, by a commit that can be taken back', async () => {
    const { memory, directory } = await place();
    const [card] = await disputed(memory);
    const tip = memory.tip;
    const { commit, ids } = await memory.verdict('keep', card!.id, { other: card!.other!.id });
    expect([commit, ids]).toEqual([memory.tip, [card!.id, card!.other!.id]]);
    expect(memory.tip).not.toBe(tip);
    expect(await disputed(memory)).toEqual([]);
    await memory.undo({ verdict: true });
    expect(await disputed(memory)).toHaveLength(1);
    await memory.close();
    expect(fsck(directory)).toBe('');
  });

  it('is decided where somebody edits one of both, or takes the merge back', async () => {
    const { memory } = await place();
    const merge = memory.tip!;
    await memory.edit(page, '- The crane lifts five tons at most.\n', '');
    expect(await disputed(memory)).toEqual([]);
    await memory.undo('HEAD');
    await memory.undo(merge);
    expect(await disputed(memory)).toEqual([]);
  });

  it('is no memory: other verdicts are refused, and a line that is in no dispute is not there', async () => {
    const { memory } = await place();
    const [card] = await disputed(memory);
    await expect(memory.verdict('edit', card!.id, { content: 'x' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(memory.verdict('keep', 'line:000000000000')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.verdict('keep', card!.id, { other: card!.id })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});
