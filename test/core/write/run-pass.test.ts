// The runner of passes: each item wholly or not at all, one commit or one for each, and a dry run that writes nothing.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pass, PassItem, PassView } from '../../../src/core/lifecycle/pass.ts';
import { changedMemory, removed } from '../../../src/core/lifecycle/record-changes.ts';
import { runPass } from '../../../src/core/write/run-pass.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { memoryPath } from '../../../src/store/records/memory-record.ts';
import { parseMeta } from '../../../src/store/records/storage-meta.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { git, hasGit, newRepository } from '../../helpers/native-git.ts';
import { runPortsOf } from '../../helpers/passes.ts';

/** Joins every two neighbours: the first grows by the words of the second, which goes. */
function joining(settings: Partial<Pass<void>> = {}, between: () => unknown = () => undefined): Pass<void> {
  return {
    name: 'join',
    kind: 'consolidate',
    commits: 'together',
    async plan({ memories }: PassView) {
      const items: PassItem[] = [];
      const byId = [...memories].sort((a, b) => (a.record.id < b.record.id ? -1 : 1));
      for (let at = 0; at + 1 < byId.length; at += 2) {
        const [first, second] = [byId[at]!, byId[at + 1]!];
        const joined = { ...first.record, content: `${first.record.content} ${second.record.content}` };
        items.push({
          action: 'join',
          ids: [first.record.id, second.record.id],
          why: 'they stand side by side',
          changes: [changedMemory(first, joined), removed(second)],
        });
      }
      await between();
      return { items, left: [] };
    },
    describe: (items) => ({
      subject: `${items.length} pairs joined`,
      body: items.map(({ ids }) => ids.join(' ')).join('\n'),
    }),
    ...settings,
  };
}

async function memoryOf(...ids: string[]) {
  const { memory, clock, directory } = await newTestMemory();
  for (const id of ids) await memory.remember({ id, content: `Content of ${id}.` });
  await memory.commit();
  return { memory, clock, directory, dependencies: runPortsOf(memory, clock) };
}

const idsOf = async (memory: Awaited<ReturnType<typeof memoryOf>>['memory']) =>
  (await memory.list()).memories.map(({ id }) => id).sort();

describe('a pass that is run', () => {
  it('becomes one commit that tells what it did, and can be undone to the same tree', async () => {
    const { memory, dependencies, directory } = await memoryOf('a', 'b', 'c', 'd', 'e');
    const before = (await memory.at('HEAD')).tree;
    const { commits, items, dropped } = await runPass(dependencies, joining(), undefined);
    expect(commits).toEqual([memory.tip]);
    expect(dropped).toEqual([]);
    expect(items.map(({ ids, paths }) => [ids, paths])).toEqual([
      [
        ['a', 'b'],
        [memoryPath('a'), memoryPath('b')],
      ],
      [
        ['c', 'd'],
        [memoryPath('c'), memoryPath('d')],
      ],
    ]);
    expect(await idsOf(memory)).toEqual(['a', 'c', 'e']);
    const [commit] = (await memory.log({ limit: 1 })).commits;
    expect(commit!.subject).toBe('consolidate: 2 pairs joined');
    expect(commit!.operation).toBe('join');
    expect(commit!.trailers.filter(({ key }) => key === 'Memory').map(({ value }) => value)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
    await memory.undo('HEAD');
    expect((await memory.at('HEAD')).tree).toBe(before);
    if (hasGit) expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  it('becomes one commit for each item where the pass says so, all of one run', async () => {
    const { memory, dependencies } = await memoryOf('a', 'b', 'c', 'd');
    const foreseen = await runPass(dependencies, joining({ commits: 'each' }), undefined, { dryRun: true });
    expect([foreseen.commits, foreseen.items.length]).toEqual([[], 2]);
    const { commits, tree } = await runPass(dependencies, joining({ commits: 'each' }), undefined);
    expect(foreseen.tree).toBe(tree);
    expect(commits).toHaveLength(2);
    const log = (await memory.log({ limit: 2 })).commits;
    expect(log.map(({ oid }) => oid)).toEqual([...commits].reverse());
    expect(log.map(({ paths }) => paths.length)).toEqual([2, 2]);
    expect(new Set(log.map(({ trailers }) => trailers.find(({ key }) => key === 'Run')!.value)).size).toBe(1);
    await memory.undo(commits[0]!);
    expect(await idsOf(memory)).toEqual(['a', 'b', 'c']);
  });

  it('writes nothing at all in a dry run, not even what is pending', async () => {
    const { memory, dependencies, directory } = await memoryOf('a', 'b');
    await memory.remember({ id: 'c', content: 'Pending.' });
    await memory.remember({ id: 'd', content: 'Pending, too.' });
    await memory.store.settle();
    const before = filesOf(directory);
    const { commits, items, tree } = await runPass(dependencies, joining(), undefined, { dryRun: true });
    expect(commits).toEqual([]);
    expect(items.map(({ ids }) => ids)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(tree).toMatch(/^[0-9a-f]{40}$/);
    expect(filesOf(directory)).toEqual(before);
  });

  it('makes no commit when nothing is to be done', async () => {
    const { memory, dependencies } = await memoryOf('a');
    const { tip } = memory;
    expect(await runPass(dependencies, joining({ noted: 'last_gc_at' }), undefined)).toMatchObject({
      commits: [],
      items: [],
    });
    expect(memory.tip).toBe(tip);
  });

  it('notes in .meta.json when it changed something, and where', async () => {
    const { memory, clock, dependencies } = await memoryOf('a', 'b');
    await runPass(dependencies, joining({ noted: 'last_consolidation_at' }), undefined);
    const meta = parseMeta(await memory.read('.meta.json'));
    expect(meta).toMatchObject({ machineId: 'test-machine', lastConsolidationAt: clock.now() / 1000, lastGcAt: null });
  });
});

describe('what changes while a pass plans', () => {
  it('keeps the items it touches from being done in part', async () => {
    const { memory, dependencies, directory } = await memoryOf('a', 'b', 'c', 'd');
    const other = await openMemory({ dir: directory });
    const meanwhile = async () => {
      await other.records.touch('b');
      await other.commit();
    };
    const { items, dropped, commits } = await runPass(dependencies, joining({}, meanwhile), undefined);
    expect(commits).toHaveLength(1);
    expect(items.map(({ ids }) => ids)).toEqual([['c', 'd']]);
    expect(dropped).toEqual([{ action: 'join', ids: ['a', 'b'], why: `${memoryPath('b')} changed in the meantime` }]);
    expect(await idsOf(memory)).toEqual(['a', 'b', 'c']);
    expect((await memory.get('a')).content).toBe('Content of a.');
    expect((await memory.get('b')).useCount).toBe(1);
    await other.close();
  });

  it('counts also while it waits for its commit', async () => {
    const { memory, dependencies } = await memoryOf('a', 'b', 'c', 'd');
    const { dropped, items } = await runPass(
      dependencies,
      joining({}, () => memory.records.touch('d')),
      undefined,
    );
    expect(items.map(({ ids }) => ids)).toEqual([['a', 'b']]);
    expect(dropped.map(({ why }) => why)).toEqual([`a write of ${memoryPath('d')} waits for its commit`]);
    await memory.commit();
    expect((await memory.get('d')).useCount).toBe(1);
  });

  it('counts also when a person wrote it into a file', async () => {
    const { memory, dependencies, directory } = await memoryOf('a', 'b', 'c', 'd');
    const file = path.join(directory, memoryPath('a'));
    const byHand = () => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Content of a', 'By hand'));
    const { dropped, items } = await runPass(dependencies, joining({}, byHand), undefined);
    expect(items.map(({ ids }) => ids)).toEqual([['c', 'd']]);
    expect(dropped.map(({ why }) => why)).toEqual([`${memoryPath('a')} was edited by hand in the meantime`]);
    await memory.commit();
    expect((await memory.get('a')).content).toBe('By hand.');
    expect(await idsOf(memory)).toEqual(['a', 'b', 'c']);
  });

  it('ends it before anything is written when it is aborted', async () => {
    const { memory, dependencies } = await memoryOf('a', 'b');
    const { tip } = memory;
    const controller = new AbortController();
    const run = runPass(
      dependencies,
      joining({}, () => controller.abort()),
      undefined,
      { signal: controller.signal },
    );
    await expect(run).rejects.toThrow(/abort/i);
    expect(memory.tip).toBe(tip);
  });
});

describe('a pass that takes many memories away', () => {
  const ids = Array.from({ length: 24 }, (_, number) => `m${String(number).padStart(2, '0')}`);

  it('is refused unless that is meant, and a dry run says so beside its plan', async () => {
    const { memory, dependencies } = await memoryOf(...ids);
    await expect(runPass(dependencies, joining(), undefined)).rejects.toMatchObject({ code: 'MASS_REMOVAL' });
    expect(await idsOf(memory)).toEqual(ids);
    const shown = await runPass(dependencies, joining(), undefined, { dryRun: true });
    expect(shown).toMatchObject({ commits: [], tree: null, refused: '12 of 24 memories would be removed at once' });
    expect(shown.items).toHaveLength(12);
    expect((await runPass(dependencies, joining(), undefined, { force: true })).commits).toHaveLength(1);
    expect(await idsOf(memory)).toHaveLength(12);
  });

  it('is not asked where the pass keeps what it takes away', async () => {
    const { dependencies } = await memoryOf(...ids);
    const { commits } = await runPass(dependencies, joining({ keepsWhatItRemoves: true }), undefined);
    expect(commits).toHaveLength(1);
  });
});

describe.runIf(hasGit)('a pass inside a project', () => {
  it('waits in the journal as one commit of its own', async () => {
    const dir = newRepository();
    const { memory, clock } = await newTestMemory({ dir, placement: 'project' });
    for (const id of ['a', 'b']) await memory.remember({ id, content: `Content of ${id}.` });
    await memory.commit();
    const { tip } = memory;
    const { commits, tree } = await runPass(runPortsOf(memory, clock), joining(), undefined);
    expect([commits, tree, memory.tip]).toEqual([[], null, tip]);
    expect(await idsOf(memory)).toEqual(['a']);
    const flushed = await memory.commit();
    expect(flushed.commits).toHaveLength(1);
    expect((await memory.log({ limit: 1 })).commits[0]!.subject).toBe('consolidate: 1 pairs joined');
  });
});

/** Every file below a folder with its bytes, the lock files of running processes apart. */
function filesOf(folder: string): Map<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter((name) => fs.statSync(path.join(folder, name)).isFile() && !name.includes('git-memory/lock'))
      .map((name) => [name, fs.readFileSync(path.join(folder, name), 'latin1')]),
  );
}
