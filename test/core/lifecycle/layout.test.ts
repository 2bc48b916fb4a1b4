// The storage brought to its present form, whatever another tool or an older version left.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { layout } from '../../../src/core/lifecycle/layout.ts';
import { runPass } from '../../../src/core/write/run-pass.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { memoryPath } from '../../../src/store/records/memory-record.ts';
import { relationPath } from '../../../src/store/records/relation-record.ts';
import { parseMeta } from '../../../src/store/records/storage-meta.ts';
import { newTestMemory, writeConfiguration } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { runPortsOf } from '../../helpers/passes.ts';
import { writeDeep } from '../../helpers/temporary.ts';

const line = (id: string, given: object = {}) => JSON.stringify({ id, content: `Content of ${id}.`, ...given });

/** A memory into which files were put by hand, as another tool would. */
async function memoryWith(files: Readonly<Record<string, string>>) {
  const { memory, clock, directory } = await newTestMemory();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name);
    writeDeep(file, text);
  }
  await memory.commit();
  return { memory, directory, run: () => runPass(runPortsOf(memory, clock), layout, undefined) };
}

const actionsOf = (items: readonly { action: string; ids: readonly string[] }[]) =>
  items.map(({ action, ids }) => [action, ...ids]).sort();

describe('flat files of other tools', () => {
  it('are read where they stand, and moved into shards by one commit', async () => {
    const { memory, run } = await memoryWith({
      'memories/flat.json': line('flat', { use_count: 3 }),
      'memories/other-name.json': line('named'),
      'relations/edge.json': JSON.stringify({
        id: 'edge',
        from_memory_id: 'flat',
        to_memory_id: 'named',
        relation_type: 'causes',
      }),
    });
    await memory.remember({ id: 'ours', content: 'In its place.' });
    expect((await memory.get('flat')).path).toBe('memories/flat.json');
    const { items, commits } = await run();
    expect(actionsOf(items)).toEqual([
      ['move', 'edge'],
      ['move', 'flat'],
      ['move', 'named'],
    ]);
    expect(commits).toHaveLength(1);
    expect((await memory.files('memories/')).sort()).toEqual(
      [memoryPath('flat'), memoryPath('named'), memoryPath('ours')].sort(),
    );
    expect(await memory.files('relations/')).toEqual([relationPath('edge')]);
    expect((await memory.get('flat')).useCount).toBe(3);
    expect((await run()).items).toEqual([]);
    await memory.close();
  });

  it('of which one stands in its shard, too, become the one that was used last', async () => {
    const { memory, run } = await memoryWith({
      'memories/one.json': line('one', { last_used: 2_000, use_count: 9 }),
      [memoryPath('one')]: line('one', { last_used: 1_000, use_count: 1 }),
      'memories/two.json': line('two', { last_used: 1_000, use_count: 1 }),
      [memoryPath('two')]: line('two', { last_used: 2_000, use_count: 7 }),
    });
    expect(actionsOf((await run()).items)).toEqual([
      ['join', 'one'],
      ['join', 'two'],
    ]);
    const { memories } = await memory.list();
    expect(memories.map(({ id, useCount, path: place }) => [id, useCount, place]).sort()).toEqual([
      ['one', 9, memoryPath('one')],
      ['two', 7, memoryPath('two')],
    ]);
    await memory.close();
  });

  it('lose embeddings, which are derived, and nothing else', async () => {
    const { memory, run } = await memoryWith({
      [memoryPath('one')]: line('one', { embed: [0.1, 0.2], x_own: 'kept' }),
      [memoryPath('two')]: line('two', { embed: null, content: 'It says "embed": [0.1].' }),
    });
    const { items } = await run();
    expect(actionsOf(items)).toEqual([['trim', 'one']]);
    const text = await memory.read(memoryPath('one'));
    expect(text).not.toContain('embed');
    expect(JSON.parse(text)).toMatchObject({ id: 'one', x_own: 'kept' });
    await memory.close();
  });

  it('that cannot be read stay where they are', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.close();
    if (!hasGit) return;
    fs.mkdirSync(path.join(directory, 'memories'));
    fs.writeFileSync(path.join(directory, 'memories/broken.json'), '{"id": "bro');
    git(directory, 'add', '.');
    git(directory, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--no-verify', '-m', 'by another tool');
    const again = await openMemory({ dir: directory });
    const dependencies = runPortsOf(again, { now: () => 0 });
    expect((await runPass(dependencies, layout, undefined)).items).toEqual([]);
    expect(await again.files('memories/')).toEqual(['memories/broken.json']);
    await again.close();
  });
});

describe.runIf(hasGit)('a storage of version 1', () => {
  it('becomes one file for each living record, and lines that are none stay in archive/', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.close();
    const lines = [
      line('one', { use_count: 1, embed: [0.5] }),
      '',
      line('two'),
      'garbage',
      line('one', { use_count: 2 }),
      '{"id":"two","_deleted":true}',
      '{"id":"three","content":7}',
      '{"id":"torn","cont',
    ];
    fs.writeFileSync(path.join(directory, 'memories.jsonl'), `\ufeff${lines.join('\n')}`);
    const edge = { id: 'edge', from_memory_id: 'one', to_memory_id: 'one', relation_type: 'related' };
    fs.writeFileSync(path.join(directory, 'relations.jsonl'), `${JSON.stringify(edge)}\n`);
    fs.writeFileSync(path.join(directory, '.meta.json'), '{"storage_version":1,"created_at":5,"x_own":1}\n');
    git(directory, 'add', '.');
    git(
      directory,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@b',
      'commit',
      '-q',
      '--amend',
      '-m',
      'the store of another tool',
    );
    const again = await openMemory({ dir: directory });
    const dependencies = runPortsOf(again, { now: () => 0 });
    const before = (await again.at('HEAD')).tree;
    const { items, commits } = await runPass(dependencies, layout, undefined);
    expect(actionsOf(items)).toEqual([['upgrade']]);
    expect((await again.list()).memories.map(({ id, useCount }) => [id, useCount])).toEqual([['one', 2]]);
    expect(await again.files('relations/')).toEqual([relationPath('edge')]);
    expect((await again.read('archive/memories.jsonl')).split('\n')).toEqual([lines[3], lines[6], lines[7], '']);
    expect(await again.files('')).not.toContain('relations.jsonl');
    expect(parseMeta(await again.read('.meta.json'))).toMatchObject({
      storageVersion: 2,
      createdAt: 5,
      migratedFrom: 'jsonl-v1',
      unknown: { x_own: 1 },
    });
    expect((await runPass(dependencies, layout, undefined)).items).toEqual([]);
    await again.undo(commits[0]!);
    expect((await again.at('HEAD')).tree).toBe(before);
    await again.close();
  });
});

describe('a storage of a version to come', () => {
  it('is not written to, and can be asked', async () => {
    const { memory, directory } = await newTestMemory();
    await writeConfiguration(memory, '{"storage_version": 99}\n', '.meta.json');
    await memory.close();
    await expect(openMemory({ dir: directory })).rejects.toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
    const reader = await openMemory({ dir: directory, readOnly: true });
    expect((await reader.list()).memories).toEqual([]);
    await reader.close();
  });
});
