// What is done to single memories: use, archive, relations, forgetting, and bringing back.

import { describe, expect, it } from 'vitest';
import { memoryPath } from '../../src/store/records/memory-record.ts';
import { parseRelation } from '../../src/store/records/relation-record.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';

async function memoryOf(...ids: string[]) {
  const { memory, clock } = await newTestMemory();
  for (const id of ids) await memory.remember({ id, content: `Content of ${id}.`, tags: ['garden', 'roses'] });
  await memory.commit();
  return { memory, clock };
}

describe('a use of a memory', () => {
  it('follows the tags of what it was used for, and the weight it had', async () => {
    const { memory, clock } = await memoryOf('one');
    clock.advance({ days: 1 });
    await memory.records.touch('one', { tags: ['garden', 'roses'] });
    await memory.records.touch('one', { tags: ['kitchen'], boost: true });
    await memory.commit();
    expect(await memory.get('one')).toMatchObject({
      useCount: 2,
      reviewCount: 2,
      crossDomainCount: 1,
      strength: 1.15,
      lastUsed: clock.now() / 1000,
    });
    await expect(memory.records.touch('one', { tags: 'kitchen' as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('is noted of several memories in one write, of all or of none', async () => {
    const { memory } = await memoryOf('one', 'two', 'three');
    expect(await memory.records.touchAll(['two', 'on', 'two'])).toEqual({ ids: ['two', 'one'], pending: true });
    await expect(memory.records.touchAll(['three', 'nobody'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    const [entry] = (await memory.log({ limit: 1 })).commits;
    expect(entry!.operation).toBe('touch');
    expect(entry!.trailers.filter(({ key }) => key === 'Memory').map(({ value }) => value)).toEqual(['two', 'one']);
    const counts = (await memory.list()).memories.map(({ id, useCount }) => [id, useCount]);
    expect(new Map(counts as [string, number][])).toEqual(new Map(Object.entries({ one: 1, two: 1, three: 0 })));
  });
});

describe('a relation', () => {
  it('is one file under an id that says what it is, so that two machines make the same', async () => {
    const [first, second] = [await memoryOf('one', 'two'), await memoryOf('one', 'two')];
    const made = await first.memory.records.relate('one', 'tw', 'supports', {
      strength: 0.5,
      metadata: { by: 'hand' },
    });
    expect(await second.memory.records.relate('one', 'two', 'supports')).toEqual(made);
    const record = parseRelation(await first.memory.read(made.path), made.path);
    expect(record).toMatchObject({
      id: made.id,
      fromMemoryId: 'one',
      toMemoryId: 'two',
      relationType: 'supports',
      strength: 0.5,
      metadata: { by: 'hand' },
    });
    await first.memory.commit();
    const [entry] = (await first.memory.log({ limit: 1 })).commits;
    expect(entry!.trailers.filter(({ key }) => key === 'Memory').map(({ value }) => value)).toEqual(['one', 'two']);
    expect(entry!.subject).toBe('memory: relate "Content of one." (supports) "Content of two."');
    await writeConfiguration(second.memory, 'private:\n  - knowledge/people/**\n');
    await second.memory.commit();
    await second.memory.records.relate('two', 'one', 'causes');
    await second.memory.commit();
    expect((await second.memory.log({ limit: 1 })).commits[0]!.subject).toBe('memory: 1 relation added');
    await first.memory.close();
    await second.memory.close();
  });

  it('is refused to itself, twice, with a wrong type or strength', async () => {
    const { memory } = await memoryOf('one', 'two');
    const refused = async (code: string, ...input: Parameters<typeof memory.records.relate>) =>
      expect(memory.records.relate(...input)).rejects.toMatchObject({ code });
    await refused('INVALID_ARGUMENT', 'one', 'one');
    await refused('INVALID_ARGUMENT', 'one', 'two', 'two words');
    await refused('INVALID_ARGUMENT', 'one', 'two', 7 as never);
    await refused('INVALID_ARGUMENT', 'one', 'two', 'related', { strength: 3 });
    await refused('NOT_FOUND', 'one', 'three');
    await memory.records.relate('one', 'two');
    await refused('ALREADY_EXISTS', 'one', 'two');
    await memory.records.relate('two', 'one');
    await memory.records.relate('one', 'two', 'causes');
    expect(await memory.files('relations/')).toHaveLength(3);
  });
});

describe('a memory that is forgotten', () => {
  it('takes the relations with it that would lose an end, and undo brings all back as it was', async () => {
    const { memory } = await memoryOf('one', 'two', 'three');
    await memory.records.relate('one', 'two');
    const { path: kept } = await memory.records.relate('two', 'three');
    await memory.commit();
    const before = (await memory.at('HEAD')).tree;
    await memory.forget('one');
    expect(await memory.files('relations/')).toEqual([kept]);
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    await memory.undo('HEAD');
    expect((await memory.at('HEAD')).tree).toBe(before);
  });

  it('takes the names out of the index of topics that it alone has, at once, and undo brings them back', async () => {
    const { memory } = await memoryOf('one', 'two');
    const topics = async () => Object.keys(JSON.parse(await memory.read('state/topics.json')).topics);
    await memory.maintenance.run({ tasks: ['topics'], force: true });
    expect(await topics()).toEqual(['garden', 'roses']);
    await memory.forget('one');
    expect(await topics()).toEqual(['garden', 'roses']);
    await memory.commit();
    await memory.forget('two');
    expect(await topics()).toEqual([]);
    await memory.commit();
    const { commit } = await memory.at('HEAD');
    await memory.maintenance.run({ tasks: ['topics'], force: true });
    expect((await memory.undo(commit!)).conflicts).toEqual([]);
    expect((await memory.get('two')).content).toBe('Content of two.');
  });

  it('is none that the place of a turn names: the error says what the turn became', async () => {
    const { memory } = await newTestMemory();
    const messages = [
      { role: 'user' as const, text: 'Decision: we ship on Tuesday.' },
      { role: 'user' as const, text: 'Hm.' },
    ];
    const { path } = await memory.capture({ messages });
    await memory.extract();
    const [made] = (await memory.list()).memories;
    const hintOf = (turn: number) => memory.forget(`${path}#${turn}`).catch(({ code, hint }) => `${code} ${hint}`);
    expect(await hintOf(1)).toMatch(new RegExp(`^NOT_FOUND .*${made!.id.slice(0, 10)}`));
    expect(await hintOf(2)).toMatch(/^NOT_FOUND .*git memory purge/);
  });

  it('still answers to history', async () => {
    const { memory } = await memoryOf('one');
    await memory.commit();
    const known = memory.tip!;
    await memory.forget('one');
    await memory.commit();
    await expect(memory.get('one')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await (await memory.at(known)).get('one')).content).toBe('Content of one.');
    const { alive, commits } = await memory.provenance('one');
    expect([alive, commits.map(({ change }) => change)]).toEqual([false, ['added', 'removed']]);
    expect((await memory.learned('Content of one')).commits.map(({ after }) => after)).toEqual([0, 1]);
  });
});

describe('a memory that is restored by name', () => {
  it('comes back from the archive as active', async () => {
    const { memory } = await memoryOf('one');
    await memory.records.archive('one');
    await memory.commit();
    await memory.records.restore('one');
    expect(await memory.get('one')).toMatchObject({ status: 'active', useCount: 1 });
  });

  it('comes back from the archive as replaced where something took its place', async () => {
    const { memory } = await memoryOf('one');
    const { id } = await memory.remember({ content: 'Other content.', replaces: 'one' });
    await memory.records.archive('one');
    await memory.records.restore('one');
    expect(await memory.get('one')).toMatchObject({ status: 'superseded', replacedBy: id });
  });

  it('comes back from history as it was last, used once more, with its relations to what is here', async () => {
    const { memory, clock } = await memoryOf('one', 'two', 'three');
    await memory.records.touch('one', { boost: true });
    await memory.records.relate('one', 'two');
    await memory.records.relate('three', 'one');
    await memory.commit();
    await memory.forget('one');
    await memory.forget('three');
    await memory.commit();
    clock.advance({ days: 300 });
    await memory.remember('something else');
    await memory.commit();
    const { id, path } = await memory.records.restore('on');
    expect([id, path]).toEqual(['one', memoryPath('one')]);
    expect(await memory.get('one')).toMatchObject({
      content: 'Content of one.',
      strength: 1.1,
      useCount: 2,
      lastUsed: clock.now() / 1000,
    });
    const relations = await Promise.all((await memory.files('relations/')).map((name) => memory.read(name)));
    expect(relations.map((text) => JSON.parse(text).to_memory_id)).toEqual(['two']);
    // The last that comes back brings the relation between both.
    await memory.records.restore('three');
    expect(await memory.files('relations/')).toHaveLength(2);
    await memory.commit();
    expect((await memory.provenance('one')).alive).toBe(true);
  });

  it('comes back before its forgetting is committed', async () => {
    const { memory } = await memoryOf('one', 'two');
    await memory.records.relate('one', 'two');
    await memory.commit();
    await memory.forget('one');
    await memory.records.restore('one');
    expect((await memory.get('one')).content).toBe('Content of one.');
    expect(await memory.files('relations/')).toHaveLength(1);
    await memory.commit();
    expect(await memory.files('memories/')).toHaveLength(2);
  });

  it('is told from one whose id it begins, from one that is here, and from nothing', async () => {
    const { memory } = await memoryOf('ab', 'abc', 'abd');
    await memory.forget('ab');
    await memory.commit();
    expect((await memory.records.restore('ab')).id).toBe('ab');
    await expect(memory.records.restore('abc')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await memory.forget('abc');
    await memory.forget('abd');
    await memory.forget('ab');
    await memory.commit();
    await expect(memory.records.restore('a')).rejects.toMatchObject({ code: 'AMBIGUOUS' });
    await expect(memory.records.restore('zz')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('the agent that a memory was opened for is named where no call and no session names another', async () => {
  const { memory } = await newTestMemory({ agent: 'silas' });
  await memory.remember({ id: 'own', content: 'The pier is closed.' });
  await memory.remember({ id: 'other', content: 'The pier is open.', agent: 'marta' });
  await memory.commit();
  const agents = (await memory.log({ limit: 5 })).commits.flatMap(({ trailers }) =>
    trailers.flatMap(({ key, value }) => (key === 'Agent' ? [value] : [])),
  );
  expect(agents.sort()).toEqual(['marta', 'silas']);
  await expect(newTestMemory({ agent: '…' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});
