// Merging a branch whose merge was taken back: what it brought comes back, and with it what is new.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plainStyle } from '../../src/apps/verbs/style.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { verbNamed } from '../apps/verbs/context.ts';
import { bareRepository } from '../helpers/git-server.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const notes = 'knowledge/reference/notes.md';
const words = (output: unknown) => verbNamed('merge').text(output as never, plainStyle);

/** A memory, and a branch of it with a note, a memory and an event that was merged and taken back. */
async function undoneMerge(more: readonly string[] = []) {
  const { memory, directory, clock } = await newTestMemory();
  await memory.write('knowledge/reference/own.md', '# Own\n');
  await memory.commit();
  const branch = await memory.branches.open('explore/otters', { create: true } as never);
  await branch.write(notes, '# Notes\n\nOtters like crabs.\n');
  const { id } = await branch.remember({ content: 'Otters sleep in the afternoon.' });
  await branch.ledger.add({ type: 'decision', priority: 'P1', content: 'We watch otters.' });
  await branch.commit();
  clock.advance({ minutes: 1 });
  const merged = await memory.merge('explore/otters');
  for (const text of more) await memory.capture(text);
  const undone = await memory.undo(merged.commit!);
  expect(undone.conflicts).toEqual([]);
  await expect(memory.read(notes)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  clock.advance({ minutes: 1 });
  return { memory, directory, clock, branch, id: id!, merge: merged.commit!, undo: undone.commit! };
}

describe('a branch whose merge was undone', () => {
  test('is brought back by merging it again, and that can be undone and done once more', async () => {
    const { memory, branch, id, merge, undo } = await undoneMerge();
    const planned = await memory.merge('explore/otters', { dryRun: true });
    expect(planned).toMatchObject({ commit: null, undone: [{ merge, undoneBy: undo, isBroughtBack: true }] });
    expect(words(planned)).toContain(
      `what ${merge.slice(0, 7)} brought would come back; ${undo.slice(0, 7)} had undone it`,
    );
    const again = await memory.merge('explore/otters');
    expect(again).toMatchObject({ undone: [{ merge, undoneBy: undo, isBroughtBack: true }], conflicts: [] });
    expect(again.tree).toBe(planned.tree);
    expect(words(again)).toContain(`what ${merge.slice(0, 7)} brought is here again`);
    expect(await memory.read(notes)).toContain('crabs');
    expect((await memory.get(id))?.content).toContain('afternoon');
    expect((await memory.ledger.list()).events.map(({ content }) => content)).toContain('We watch otters.');
    const [entry] = (await memory.log({ limit: 1 })).commits;
    expect(entry).toMatchObject({ oid: again.commit, operation: 'merge' });
    expect(entry?.trailers).toContainEqual({ key: 'Undoes', value: undo });
    // All is here: nothing more happens, and the words say why.
    const nothing = await memory.merge('explore/otters');
    expect(nothing).toMatchObject({ commit: null, isHere: true });
    expect(words(nothing)).toContain('nothing to merge');
    expect(words(nothing)).not.toContain('nothing was written');
    const second = await memory.undo(again.commit!);
    expect(second.conflicts).toEqual([]);
    await expect(memory.read(notes)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await memory.merge('explore/otters')).commit).toMatch(/^[0-9a-f]{40}$/);
    expect(await memory.read(notes)).toContain('crabs');
    await branch.close();
  });

  test('with new commits brings back the old and brings the new, in one commit', async () => {
    const { memory, branch, undo } = await undoneMerge(['We spoke of the weather.']);
    await branch.write('knowledge/reference/new.md', '# New\n');
    const again = await memory.merge('explore/otters');
    expect(again.undone).toHaveLength(1);
    expect(await memory.read(notes)).toContain('crabs');
    expect(await memory.read('knowledge/reference/new.md')).toContain('New');
    const { commits } = await memory.log({ limit: 2 });
    expect(commits[0]).toMatchObject({ oid: again.commit, parents: [undo, expect.any(String)] });
    await branch.close();
  });

  test('leaves what was written here since, and names it', async () => {
    const { memory, branch } = await undoneMerge();
    await memory.write(notes, '# Notes\n\nOtters like mussels.\n');
    await memory.commit();
    const again = await memory.merge('explore/otters');
    expect(again.conflicts).toEqual([notes]);
    expect(await memory.read(notes)).toContain('mussels');
    await branch.close();
  });

  test('stays undone where the undo took back other things as well, and the answer names it', async () => {
    const { memory, clock, branch, merge, undo } = await undoneMerge();
    await memory.undo({ redo: true });
    await memory.write('knowledge/reference/later.md', '# Later\n');
    const last = (await memory.commit()).commits.at(-1)!;
    clock.advance({ minutes: 1 });
    const both = await memory.undo({ from: merge, to: last });
    expect([undo === both.commit, both.conflicts]).toEqual([false, []]);
    const nothing = await memory.merge('explore/otters');
    expect(nothing).toMatchObject({ commit: null, isHere: true, undone: [{ merge, isBroughtBack: false }] });
    expect(words(nothing)).toContain('git memory undo');
    await branch.close();
  });

  test('which knows of the undo keeps it', async () => {
    const { memory, branch } = await undoneMerge();
    await branch.merge('main', { accept: ['records'] });
    await branch.write('knowledge/reference/new.md', '# New\n');
    await branch.commit();
    const again = await memory.merge('explore/otters');
    expect(again.undone).toBeUndefined();
    await expect(memory.read(notes)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await branch.close();
  });
});

test.skipIf(!hasGit)('a sync takes back no undo of a merge, whoever made it', async () => {
  const bare = bareRepository(path.join(temporaryFolder(), 'bare.git'));
  const open = async () => {
    const memory = await openMemory({ dir: temporaryFolder(), create: true, durability: 'fast' });
    await memory.sync({ remote: bare });
    return memory;
  };
  const [first, second] = [await open(), await open()];
  await second.write(notes, '# Notes\n\nOtters like crabs.\n');
  await second.sync();
  await first.write('knowledge/reference/own.md', '# Own\n');
  await first.commit();
  const [merge] = (await first.sync()).merges;
  expect((await first.undo(merge!)).commit).not.toBeNull();
  // Both go on: the second one's history leads to what was merged, and not to the undo.
  await second.write('knowledge/reference/new.md', '# New\n');
  await second.commit();
  for (const memory of [first, second, first]) expect((await memory.sync()).state).toBe('synced');
  for (const memory of [first, second]) {
    await expect(memory.read(notes)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await memory.read('knowledge/reference/new.md')).toContain('New');
  }
  expect(git(first.directory, 'rev-parse', 'HEAD')).toBe(git(second.directory, 'rev-parse', 'HEAD'));
  await first.close();
  await second.close();
});
