import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ProvenanceResult } from '../../src/base/types.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { answer } from '../../src/store/git/file-errors.ts';
import { memoryPath } from '../../src/store/records/memory-record.ts';
import { formatRelation, newRelation, relationPath } from '../../src/store/records/relation-record.ts';
import { newTestMemory } from '../helpers/memories.ts';

/** Two conversations, and what the rules made of them. */
async function told(): Promise<{ memory: Memory; ids: string[]; directory: string }> {
  const { memory, directory } = await newTestMemory();
  await memory.capture({
    session: 'first',
    messages: [{ role: 'user', text: 'Decision: we ship on Tuesday, because Monday is a holiday.' }],
  });
  await memory.capture({
    session: 'second',
    messages: [
      { role: 'assistant', text: 'Noted.' },
      { role: 'user', text: 'Decision: the announcement goes out by mail.' },
    ],
  });
  const { transcripts } = await memory.extract();
  return { memory, directory, ids: transcripts.flatMap(({ created }) => created.map(({ id }) => id)) };
}

let relations = 0;

/** Makes one memory of others in one commit, as consolidation does. */
async function makeOf(memory: Memory, id: string, type: string, sources: readonly string[]): Promise<string> {
  await memory.remember({ id, content: `made of ${sources.length}` });
  for (const source of sources) {
    const relation = newRelation({
      id: `relation${relations++}`,
      fromMemoryId: id,
      toMemoryId: source,
      relationType: type,
      now: 0,
    });
    await memory.write(relationPath(relation.id), formatRelation(relation));
    const isAlive = await memory.get(source).then(
      () => true,
      () => false,
    );
    if (isAlive)
      await answer(() => memory.batch.write('consolidate', () => ({ path: memoryPath(source), after: null })));
  }
  return (await memory.commit()).commits[0]!;
}

function wordsOf(result: ProvenanceResult): string[] {
  return [
    ...result.sources.map(({ text }) => text!),
    ...(result.from ?? []).flatMap(({ origin }) => (origin ? wordsOf(origin) : [])),
  ];
}

describe('provenance', () => {
  it('leads through consolidations and splits back to the words, though the memories on the way are gone', async () => {
    const { memory, ids, directory } = await told();
    expect(ids.length).toBe(2);
    await makeOf(memory, 'whole', 'consolidated_from', ids);
    await makeOf(memory, 'part', 'split_from', ['whole']);
    const result = await memory.provenance('part');
    expect(result).toMatchObject({ id: 'part', alive: true, content: 'made of 1', sources: [] });
    const [whole] = result.from!;
    expect(whole).toMatchObject({
      relation: 'split_from',
      id: 'whole',
      origin: { alive: false, content: 'made of 2' },
    });
    expect(whole!.origin!.commits.map(({ change }) => change)).toEqual(['added', 'removed']);
    const originals = whole!.origin!.from!;
    expect(originals.map(({ id, relation }) => [id, relation])).toEqual(
      [...ids].sort().map((id) => [id, 'consolidated_from']),
    );
    for (const { origin } of originals) {
      expect(origin).toMatchObject({ alive: false, extractor: expect.stringMatching(/^rules@/) });
      expect(origin!.sources[0]).toMatchObject({ role: 'user', commit: expect.any(String) });
    }
    expect(wordsOf(result).sort()).toEqual([
      'Decision: the announcement goes out by mail.',
      'Decision: we ship on Tuesday, because Monday is a holiday.',
    ]);
    // The same without what was kept of history, and from a memory that is gone itself, by the beginning of its id.
    fs.rmSync(`${directory}/.git/git-memory/cache`, { recursive: true });
    expect(await memory.provenance('part')).toEqual(result);
    expect(await memory.provenance('who')).toEqual(whole!.origin);
  });

  it('leads from what lives to no words that were forgotten, whatever is on the way', async () => {
    const { memory } = await newTestMemory();
    const text = 'We agreed to meet under the clock tower. I will bring Ylva the drawings by 2026-02-27.';
    await memory.capture({ session: 'first', messages: [{ role: 'user', text }] });
    const { created } = (await memory.extract()).transcripts[0]!;
    const [gone, source] = created.map(({ id }) => id);
    await makeOf(memory, 'whole', 'consolidated_from', [source!]);
    expect(wordsOf(await memory.provenance('whole'))).toEqual([text]);
    await memory.forget(gone!, { allowRemovals: true });
    await memory.commit();
    expect(wordsOf(await memory.provenance('whole'))).toEqual(['(forgotten)']);
    expect(wordsOf(await memory.provenance(source!))).toEqual([text]);
  });

  it('knows of relations that are gone too, and ends where memories lead in a circle', async () => {
    const { memory, ids } = await told();
    await makeOf(memory, 'whole', 'consolidated_from', ids);
    for (const path of await memory.files('relations/')) await memory.remove(path);
    await memory.commit();
    const known = (result: ProvenanceResult) => result.from!.map(({ id }) => id);
    expect(known(await memory.provenance('whole'))).toEqual([...ids].sort());
    await makeOf(memory, 'egg', 'split_from', ['hen']);
    await makeOf(memory, 'hen', 'split_from', ['egg']);
    const hen = await memory.provenance('hen');
    expect(hen.from![0]!.origin!.from).toEqual([{ relation: 'split_from', id: 'hen', origin: null }]);
  });

  it('tells of one line which commit wrote it and what that commit, or the line itself, names as its source', async () => {
    const { memory } = await told();
    const [first, second] = await memory.files('raw/conversations/');
    const path = 'knowledge/projects/launch/context.md';
    await memory.write(path, `# Launch\n\n- On Tuesday [source: ${first}#1]\n- By mail\n`);
    const [commit] = (await memory.commit()).commits;
    const named = await memory.provenance(path, 3);
    expect(named).toMatchObject({ path, line: { line: 3, commit, originalPath: path } });
    expect(named.commits.map(({ oid, change }) => [oid, change])).toEqual([[commit, 'added']]);
    expect(named.sources.map(({ path: place, turn, text }) => [place, turn, text])).toEqual([
      [first, 1, 'Decision: we ship on Tuesday, because Monday is a holiday.'],
    ]);
    expect((await memory.provenance(path, 4)).sources).toEqual([]);
    const lines = (await memory.read(second!)).split('\n');
    const spoken = lines.findIndex((text) => text.includes('goes out by mail')) + 1;
    expect((await memory.provenance(second!, spoken)).sources).toMatchObject([
      { turn: 2, text: 'Decision: the announcement goes out by mail.' },
    ]);
    await expect(memory.provenance(path, 9)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('answers for every file of any history, and errs for what never was', async () => {
    const { memory } = await told();
    await memory.write('knowledge/people/ada.md', 'x\n');
    await memory.commit();
    await memory.remove('knowledge/people/ada.md');
    await memory.commit();
    const gone = await memory.provenance('knowledge/people/ada.md');
    expect(gone).toMatchObject({ alive: false });
    expect(gone.commits.map(({ change }) => change)).toEqual(['added', 'removed']);
    await expect(memory.provenance('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.provenance(memoryPath('nobody'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
