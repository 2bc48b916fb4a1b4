// Boxes as an extraction makes them: in its commit, undone with it, and merged.

import { describe, expect, it } from 'vitest';
import { parseBox } from '../../src/records/box-file.ts';
import { parseRecentExtractions, recentExtractionsPath } from '../../src/records/recent-extractions.ts';
import { newTestMemory } from '../helpers/memories.ts';

async function talk(memory: Awaited<ReturnType<typeof newTestMemory>>['memory'], session: string, ...words: string[]) {
  await memory.capture({ session, topic: 'Storage', messages: words.map((text) => ({ role: 'user', text })) });
  return memory.extract();
}

const boxesOf = async (memory: Awaited<ReturnType<typeof newTestMemory>>['memory']) => {
  const snapshot = memory.store.snapshot();
  return [...snapshot.list('boxes/').keys()].map((path) => parseBox(snapshot.readText(path)!, path));
};

const recentOf = ({ store }: Awaited<ReturnType<typeof newTestMemory>>['memory']) =>
  parseRecentExtractions(store.snapshot().readText(recentExtractionsPath));

describe('an extraction', () => {
  it('puts its memories into a box and counts itself, in its own commit', async () => {
    const { memory } = await newTestMemory();
    const { transcripts } = await talk(memory, 's1', 'We decided to use Postgres.', 'I prefer tabs to spaces.');
    const [{ boxes, created, commit }] = transcripts as [(typeof transcripts)[number]];
    expect(boxes).toHaveLength(1);
    expect((await boxesOf(memory))[0]!.memories.map(({ id }) => id).sort()).toEqual(created.map(({ id }) => id).sort());
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({ oid: commit });
    expect(memory.tip).toBe(commit);
    expect(recentOf(memory)).toHaveLength(1);
    await talk(memory, 's2', 'We agreed to keep sessions in Redis.');
    expect(await boxesOf(memory)).toHaveLength(1);
    expect(recentOf(memory)).toHaveLength(2);
    await memory.close();
  });

  it('can be undone when others have added to the box that it began, or sealed it', async () => {
    const { memory, clock } = await newTestMemory();
    const first = (await talk(memory, 's1', 'We decided to use Postgres.')).transcripts[0]!;
    const second = (await talk(memory, 's2', 'We agreed to keep sessions in Redis.')).transcripts[0]!;
    clock.advance({ hours: 2 });
    await talk(memory, 's3', 'We decided to rent a server in Lisbon.');
    const undone = await memory.undo(first.commit!);
    expect(undone.conflicts).toEqual([]);
    const boxes = await boxesOf(memory);
    expect(boxes.map(({ memories }) => memories.length)).toEqual([1, 1]);
    expect(boxes.flatMap(({ memories }) => memories.map(({ id }) => id))).not.toContain(first.created[0]!.id);
    expect(recentOf(memory)).toHaveLength(2);
    await memory.undo(second.commit!);
    expect(await boxesOf(memory)).toHaveLength(1);
    await memory.undo(undone.commit!);
    expect((await boxesOf(memory)).flatMap(({ memories }) => memories.map(({ id }) => id))).toContain(
      first.created[0]!.id,
    );
    await memory.close();
  });

  it('on two branches merges to boxes that hold all of both', async () => {
    const { memory } = await newTestMemory();
    await talk(memory, 's1', 'We decided to use Postgres.');
    const branch = await memory.branch('other', { create: true });
    await talk(branch, 's2', 'We agreed to keep sessions in Redis.');
    await talk(memory, 's3', 'We decided that backups run at night.');
    const { conflicts } = await memory.merge('other');
    expect(conflicts).toEqual([]);
    const ids = (await boxesOf(memory)).flatMap(({ memories }) => memories.map(({ id }) => id));
    const all = (await memory.list()).memories.map(({ id }) => id);
    expect(ids.sort()).toEqual(all.sort());
    expect(recentOf(memory)).toHaveLength(3);
    await branch.close();
    await memory.close();
  });
});
