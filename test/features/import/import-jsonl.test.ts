// Stores of other programs in and out: nothing twice, nothing lost, nothing of here replaced without being asked.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { formatStoreLine } from '../../../src/store/records/jsonl-store.ts';
import { formatMemory } from '../../../src/store/records/memory-record.ts';
import { parseMeta } from '../../../src/store/records/storage-meta.ts';
import { newTestMemory, writeConfiguration } from '../../helpers/memories.ts';
import { git, hasGit, newRepository } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { anyMemory, anyRelation } from '../../store/records/arbitraries.ts';

const lineOf = (id: string, content: string, more: object = {}) =>
  `${JSON.stringify({
    id,
    content,
    meta: { tags: ['train'], source: 'cli', context: null, extra: {} },
    created_at: 1_700_000_000,
    last_used: 1_700_100_000,
    use_count: 2,
    strength: 1.2,
    embed: [0.1, 0.2],
    ...more,
  })}\n`;
const relation = (id: string, from: string, to: string) =>
  `${JSON.stringify({ id, from_memory_id: from, to_memory_id: to, relation_type: 'supports', created_at: 1_700_000_100 })}\n`;

function storeOf(memories: string, relations = ''): string {
  const folder = path.join(temporaryFolder(), 'stm');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'memories.jsonl'), memories);
  if (relations !== '') fs.writeFileSync(path.join(folder, 'relations.jsonl'), relations);
  return folder;
}

async function treeOf(memory: Memory, ...prefixes: string[]): Promise<Record<string, string>> {
  const paths = (await Promise.all(prefixes.map((prefix) => memory.files(prefix)))).flat();
  return Object.fromEntries(await Promise.all(paths.map(async (one) => [one, await memory.read(one)])));
}

describe('the import of a store of JSON lines', () => {
  it('is one commit behind a tag, at the time its newest record was made', async () => {
    const { memory } = await newTestMemory();
    const before = memory.tip;
    const store = storeOf(
      lineOf('a', 'The train is late.') + lineOf('b', 'The bus is early.', { created_at: 1_700_000_500 }),
      relation('r', 'a', 'b'),
    );
    const result = await memory.import(store);
    expect(result).toMatchObject({ form: 'jsonl', isDetected: true, source: 'stm', added: 3, changed: 0, left: [] });
    expect(result.commits).toEqual([memory.tip]);
    expect(result.backup).toBe('memory/before/import-jsonl');
    expect((await memory.at(result.backup!)).commit).toBe(before);
    const [entry] = (await memory.log({ limit: 1 })).commits;
    expect(entry).toMatchObject({ operation: 'import', subject: 'maintenance: 2 memories, 1 relation from stm' });
    expect(entry!.trailers).toContainEqual({ key: 'Source', value: 'stm' });
    expect(entry!.trailers.filter(({ key }) => key === 'Memory').map(({ value }) => value)).toEqual(['a', 'b']);
    if (hasGit) expect(git(memory.directory, 'log', '-1', '--format=%at').trim()).toBe('1700000500');
    expect(parseMeta(await memory.read('.meta.json')).migratedFrom).toBe('jsonl-v1');
    expect(JSON.stringify(await treeOf(memory, 'memories/'))).not.toContain('embed');
  });

  it('counts the last use from now on, unless told otherwise', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.import(storeOf(lineOf('a', 'one')));
    expect(await memory.get('a')).toMatchObject({
      createdAt: 1_700_000_000,
      lastUsed: Math.floor(clock.now() / 1000),
      useCount: 2,
    });
    await memory.import(storeOf(lineOf('b', 'two')), { keepLastUsed: true });
    expect((await memory.get('b')).lastUsed).toBe(1_700_100_000);
  });

  it('takes what has no time for made and used when it came, also when it comes again', async () => {
    const { memory, clock } = await newTestMemory();
    const store = storeOf(
      '{"id":"a","content":"one"}\n{"id":"b","content":"two","created_at":"soon","last_used":null}\n',
    );
    const now = Math.floor(clock.now() / 1000);
    await memory.import(store, { keepLastUsed: true });
    for (const id of ['a', 'b']) expect(await memory.get(id)).toMatchObject({ createdAt: now, lastUsed: now });
    clock.advance({ days: 3 });
    expect(await memory.import(store, { keepLastUsed: true })).toMatchObject({ unchanged: 2, commits: [] });
  });

  it('changes nothing the second time, and makes no tag for it', async () => {
    const { memory, clock } = await newTestMemory();
    const store = storeOf(lineOf('a', 'one') + lineOf('b', 'two'), relation('r', 'a', 'b'));
    await memory.import(store);
    const { tip } = memory;
    clock.advance({ days: 3 });
    const again = await memory.import(store);
    expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 3, commits: [], backup: null });
    expect(memory.tip).toBe(tip);
    expect(await memory.snapshots.list()).toHaveLength(1);
  });

  it('takes what changed there, keeps what changed here, and names what changed in both', async () => {
    const { memory } = await newTestMemory();
    const store = (there: string, both: string) =>
      storeOf(lineOf('there', there) + lineOf('here', 'as imported') + lineOf('both', both) + lineOf('used', 'used'));
    await memory.import(store('old', 'old'));
    await memory.records.touch('used');
    await memory.records.touch('there');
    await memory.records.archive('here');
    await memory.records.archive('both');
    await memory.commit();
    const second = await memory.import(store('new', 'new'));
    expect(second).toMatchObject({ added: 0, changed: 1, unchanged: 2 });
    expect(second.left).toEqual([
      { source: 'memories.jsonl:3', why: 'was changed here and there since it was imported' },
    ]);
    expect(await memory.get('there')).toMatchObject({ content: 'new', useCount: 3 });
    expect(await memory.get('here')).toMatchObject({ status: 'archived' });
    expect(await memory.get('both')).toMatchObject({ content: 'old', status: 'archived' });
    expect((await memory.import(store('new', 'new'))).commits).toEqual([]);
    const third = await memory.import(store('new', 'new'), { overwrite: true });
    expect(third).toMatchObject({ changed: 2, left: [] });
    expect(await memory.get('both')).toMatchObject({ content: 'new', status: 'active', useCount: 2 });
  });

  it('does not bring back what was forgotten here, but what an undo of the import took away', async () => {
    const { memory } = await newTestMemory();
    const store = storeOf(lineOf('a', 'one') + lineOf('b', 'two'));
    const { commits } = await memory.import(store);
    await memory.forget('a');
    await memory.commit();
    const again = await memory.import(store);
    expect(again).toMatchObject({ added: 0, unchanged: 1 });
    expect(again.left).toEqual([{ source: 'memories.jsonl:1', why: 'was taken out here since it was imported' }]);
    await memory.undo('HEAD');
    await memory.undo(commits[0]!);
    expect((await memory.list()).memories).toEqual([]);
    expect(await memory.import(store)).toMatchObject({ added: 2, left: [] });
  });

  it('says what is deleted there and lives here, and which relations have lost a memory', async () => {
    const { memory } = await newTestMemory();
    await memory.import(storeOf(lineOf('a', 'one')));
    const result = await memory.import(
      storeOf('{"id":"a","_deleted":true}\n{"id":"unknown","_deleted":true}\n', relation('r', 'gone', 'a')),
    );
    expect(result.notes.map(({ why }) => why).sort()).toEqual([
      'a is deleted there and stays here',
      'the memory gone that it names is not here',
    ]);
    expect(await memory.get('a')).toMatchObject({ status: 'active' });
  });

  it('reports damaged lines by file and number, and takes the rest', async () => {
    const { memory } = await newTestMemory();
    const result = await memory.import(storeOf(`${lineOf('a', 'one')}\nnonsense\n${lineOf('b', 'two')}{"id":"c","con`));
    expect(result.added).toBe(2);
    expect(result.left).toEqual([
      { source: 'memories.jsonl', line: 3, why: 'is not valid JSON' },
      { source: 'memories.jsonl', line: 5, why: 'breaks off in the middle' },
    ]);
  });

  it('keeps secrets out and says where they were, and refuses them where that is the rule', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const store = storeOf(lineOf('a', `The token is ${secret}.`));
    const { memory } = await newTestMemory();
    const result = await memory.import(store);
    expect(result.redacted).toEqual([{ kind: 'github-token', path: expect.stringContaining('a.json'), line: 3 }]);
    expect((await memory.get('a')).content).toBe('The token is [redacted:github-token].');
    expect((await memory.import(store)).commits).toEqual([]);
    await writeConfiguration(memory, 'secrets:\n  mode: refuse\n');
    await memory.commit();
    const { tip } = memory;
    await expect(memory.import(storeOf(lineOf('z', `The token is ${secret}.`)))).rejects.toMatchObject({
      code: 'SECRET',
    });
    expect(memory.tip).toBe(tip);
  });

  it('shows everything in a dry run and writes nothing', async () => {
    const { memory } = await newTestMemory();
    const { tip } = memory;
    const progress: number[] = [];
    const result = await memory.import(storeOf(lineOf('a', 'one')), {
      dryRun: true,
      onProgress: ({ done }) => progress.push(done),
    });
    expect(result).toMatchObject({ added: 1, commits: [], backup: null });
    expect(progress.at(-1)).toBe(1);
    expect([memory.tip, await memory.snapshots.list()]).toEqual([tip, []]);
  });

  it('ends when it is told to, with nothing written', async () => {
    const { memory } = await newTestMemory();
    const { tip } = memory;
    const ending = new AbortController();
    const importing = memory.import(storeOf(lineOf('a', 'one')), {
      signal: ending.signal,
      onProgress: () => ending.abort(),
    });
    await expect(importing).rejects.toThrow();
    expect([memory.tip, await memory.snapshots.list()]).toEqual([tip, []]);
  });

  it('answers what it cannot read', async () => {
    const { memory } = await newTestMemory();
    const folder = temporaryFolder();
    fs.symlinkSync('/etc/hosts', path.join(folder, 'memories.jsonl'));
    await expect(memory.import(path.join(folder, 'gone'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.import(folder)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.import(folder, { as: 'jsonl' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.import('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.import(folder, { as: 'nonsense' as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(memory.import([{ path: 'x', text: 7 as never }])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('waits for a commit on request inside a project', async () => {
    if (!hasGit) return;
    const dir = newRepository();
    const { memory } = await newTestMemory({ dir, placement: 'project' });
    await memory.commit();
    const { tip } = memory;
    const result = await memory.import(storeOf(lineOf('a', 'one')));
    expect([result.added, result.commits, memory.tip]).toEqual([1, [], tip]);
    expect((await memory.get('a')).content).toBe('one');
    expect((await memory.commit()).commits.length).toBeGreaterThan(0);
  });
});

describe('the export of a store of JSON lines', () => {
  it('gives back the tree it came from, byte for byte', async () => {
    const records = fc.uniqueArray(anyMemory, { selector: ({ id }) => id, minLength: 1, maxLength: 4 });
    const edges = fc.uniqueArray(anyRelation, { selector: ({ id }) => id, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(records, edges, async (memories, relations) => {
        const first = await newTestMemory({ configuration: {} });
        await writeConfiguration(first.memory, 'secrets:\n  mode: "off"\n');
        const store = storeOf(memories.map((record) => formatStoreLine(formatMemory(record))).join(''));
        await first.memory.import(store, { keepLastUsed: true });
        for (const { id, fromMemoryId, toMemoryId } of relations) {
          await first.memory.import([{ path: 'relations.jsonl', text: relation(id, fromMemoryId, toMemoryId) }]);
        }
        const folder = path.join(temporaryFolder(), 'out');
        const told = await first.memory.export(folder);
        expect(told.records).toBe(memories.length + relations.length);
        const second = await newTestMemory({}, 'secrets:\n  mode: "off"\n');
        await second.memory.import(folder, { keepLastUsed: true });
        expect(await treeOf(second.memory, 'memories/', 'relations/')).toEqual(
          await treeOf(first.memory, 'memories/', 'relations/'),
        );
        expect((await first.memory.import(folder)).commits).toEqual([]);
        await first.memory.close();
        await second.memory.close();
      }),
      { numRuns: 8 },
    );
  });

  it('answers from a view, and the same for the same state', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.import(storeOf(lineOf('a', 'one')));
    const then = memory.tip!;
    clock.advance({ days: 1 });
    await memory.remember({ id: 'b', content: 'pending' });
    const [now, past] = [path.join(temporaryFolder(), 'now'), path.join(temporaryFolder(), 'deep/past')];
    await memory.export(now);
    expect(fs.readFileSync(path.join(now, 'memories.jsonl'), 'utf8')).toMatch(/^\{"id":"a".*\n\{"id":"b".*\n$/);
    const told = await (await memory.at(then)).export(past);
    expect([told.commit, told.records]).toEqual([then, 1]);
    expect((await (await memory.at(then)).export(past)).files.map(({ action }) => action)).toEqual(['same', 'same']);
  });

  it('writes nothing over a file that differs, and nothing through a link', async () => {
    const { memory } = await newTestMemory();
    await memory.import(storeOf(lineOf('a', 'one'), relation('r', 'a', 'a')));
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'relations.jsonl'), 'mine\n');
    fs.writeFileSync(path.join(folder, 'notes.md'), 'mine too\n');
    await expect(memory.export(folder)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(fs.readdirSync(folder).sort()).toEqual(['notes.md', 'relations.jsonl']);
    const dry = await memory.export(folder, { overwrite: true, dryRun: true });
    expect(dry.files.map(({ action }) => action)).toEqual(['write', 'replace']);
    expect(fs.readFileSync(path.join(folder, 'relations.jsonl'), 'utf8')).toBe('mine\n');
    await memory.export(folder, { overwrite: true });
    expect(fs.readdirSync(folder).sort()).toEqual(['memories.jsonl', 'notes.md', 'relations.jsonl']);
    const outside = path.join(temporaryFolder(), 'outside.jsonl');
    fs.writeFileSync(outside, 'untouched\n');
    const linked = temporaryFolder();
    fs.symlinkSync(outside, path.join(linked, 'memories.jsonl'));
    await expect(memory.export(linked, { overwrite: true })).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
    expect(fs.readFileSync(outside, 'utf8')).toBe('untouched\n');
    await expect(memory.export(path.join(memory.directory, '.git/x'))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(memory.export(outside)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
