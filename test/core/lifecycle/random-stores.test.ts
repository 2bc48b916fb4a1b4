// Passes over stores at random: each can be taken back to the byte, is not done again when it was, and writes nothing when it is only
// shown.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/base/hash.ts';
import type { MemoryRecord } from '../../../src/base/types/stored-types.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { formatMemory, memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import { formatRelation, newRelation, relationPath } from '../../../src/store/records/relation-record.ts';
import { type ManualClock, newTestMemory } from '../../helpers/memories.ts';
import { anyMemory } from '../../store/records/arbitraries.ts';

const now = Date.parse('2026-02-16T09:00:00Z') / 1000;
const day = 86_400;

const contents = fc.constantFrom(
  'The archive moves to Braga because the office in Porto closes.',
  'The archive moves to Braga, because the office in Porto closes.',
  'the archive moves to Braga because an office in Porto closes',
  'Rui sings in the choir of the town on every Thursday.',
  'Okay, well, I think that we have really decided to move the whole archive of the company to the town of Braga, because the ' +
    'office in Porto is going to be closed. Somebody from the choir told the new landlord about it, who was kind and quite funny about the whole thing.',
  'The hedge of the garden is of beech and is cut in June by the gardener.\n\nThe tax papers are in the blue folder of the office ' +
    'and go to the accountant in March.\n\nThe cat is called Rosa and eats twice a day.',
);

/** Memories of any age and kind, some in a flat folder, with relations between some of them. */
const stores = fc.record({
  records: fc.array(
    fc.record({
      any: anyMemory,
      content: contents,
      age: fc.integer({ min: 0, max: 400 }),
      isExpiring: fc.boolean(),
      isFlat: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
      isPlain: fc.boolean(),
    }),
    { minLength: 3, maxLength: 12 },
  ),
  relations: fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.constantFrom('related', 'causes', 'split_from')), {
    maxLength: 6,
  }),
});

/** Alike preferences, one of them with a source that is blank: found with the seed 1546812054. */
const blankSource: Store = {
  records: [' ', null, null].map((source) => ({
    any: newMemory({
      ...{ id: 'any', content: 'any', now: now * 1000, source },
      ...(source === null ? {} : { category: 'preference' }),
    }),
    content: 'The archive moves to Braga because the office in Porto closes.',
    age: 0,
    isExpiring: false,
    isFlat: true,
    isPlain: false,
  })),
  relations: [],
};
type Store = typeof stores extends fc.Arbitrary<infer Value> ? Value : never;

async function fill({ records, relations }: Store): Promise<{ memory: Memory; clock: ManualClock; directory: string }> {
  const made = await newTestMemory();
  for (const [at, { any, content, age, isExpiring, isFlat, isPlain }] of records.entries()) {
    const { expiresAt: _, category: __, ...kept } = any;
    const record: MemoryRecord = {
      ...(isPlain ? kept : any),
      id: `m${at}`,
      content,
      gist: null,
      status: isPlain ? 'active' : any.status,
      useCount: any.useCount % 4,
      lastUsed: now - age * day,
      ...(isExpiring ? { expiresAt: now - age * 3600 } : {}),
    };
    await made.memory.write(isFlat ? `memories/${record.id}.json` : memoryPath(record.id), formatMemory(record));
  }
  const known = new Set<string>();
  for (const [from, to, type] of relations) {
    const id = sha256Hex(`${from} ${to} ${type}`).slice(0, 32);
    if (known.has(id) || from === to || from >= records.length) continue;
    known.add(id);
    const relation = { id, fromMemoryId: `m${from}`, toMemoryId: `m${to}`, relationType: type, now: now * 1000 };
    await made.memory.write(relationPath(id), formatRelation(newRelation(relation)));
  }
  await made.memory.commit();
  return made;
}

/** What is not the same words is joined by nobody. */
const withTwins = ({ records, relations }: Store): Store => ({
  records: records.map((one, at) =>
    at < 2 ? { ...one, content: 'The quay is closed to carts.', isPlain: true } : one,
  ),
  relations,
});

/** All files of a memory with their bytes, the work tree and what git and the engine keep; caches left out. */
function everyByte(directory: string): Map<string, string> {
  const files = fs.readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !file.includes('git-memory/cache'))
      .map((file) => [file, sha256Hex(fs.readFileSync(file))]),
  );
}

const treeOf = async (memory: Memory): Promise<string> => (await memory.at('HEAD')).tree;

describe('a task of maintenance on a store at random', () => {
  it.each(['layout', 'expire', 'consolidate', 'gist', 'gc'])(
    'is taken back to the byte, is left alone then, and done again when the undo lies back: %s',
    async (task) => {
      await fc.assert(
        fc.asyncProperty(task === 'consolidate' ? stores.map(withTwins) : stores, async (store) => {
          const { memory, clock, directory } = await fill(store);
          const before = { tree: await treeOf(memory), files: everyByte(path.join(directory, 'memories')) };
          const run = async (): Promise<readonly string[]> => {
            const { runs } = await memory.maintenance.run({ tasks: [task], force: true });
            expect(runs[0]).toMatchObject({ state: 'done' });
            return runs[0]!.result!.commits;
          };
          const commits = await run();
          for (const commit of [...commits].reverse()) {
            const undone = await memory.undo(commit, { allowRemovals: true });
            expect(undone.conflicts).toEqual([]);
          }
          expect(await treeOf(memory)).toBe(before.tree);
          expect(everyByte(path.join(directory, 'memories'))).toEqual(before.files);
          const again = await run();
          clock.advance({ days: 31 });
          const later = await run();
          await memory.close();
          fc.pre(commits.length > 0);
          expect(again).toEqual([]);
          expect(later.length).toBeGreaterThan(0);
        }),
        { numRuns: 5, examples: task === 'consolidate' ? [[blankSource]] : [] },
      );
    },
    600_000,
  );
});

describe('passes that are only shown', () => {
  it('write nothing, say the same again, and say it without caches', async () => {
    await fc.assert(
      fc.asyncProperty(stores, async (store) => {
        const { memory, directory } = await fill(store);
        await memory.remember({ id: 'waiting', content: 'It waits for its commit, and stays.' });
        await new Promise((resolve) => setTimeout(resolve, 40));
        const before = everyByte(directory);
        const all = (await memory.maintenance.schedule()).tasks.map(({ task }) => task);
        const active = (await memory.list({ status: 'active' })).memories.map(({ id }) => id);
        const show = async (): Promise<string> => {
          const shown: unknown[] = [
            await memory.maintenance.run({ dryRun: true, force: true }),
            await memory.maintenance.run({ dryRun: true, force: true, tasks: all }),
            await memory.records.consolidate({ dryRun: true, uncertain: true }),
            await memory.records.consolidate({ dryRun: true, likeness: 'words' }),
            await memory.records.gist({ dryRun: true, all: true, level: 'strong' }),
            await memory.knowledge.promote({ dryRun: true }),
            await memory.knowledge.distil({ dryRun: true }),
            await memory.records.splitCandidates(),
            await memory.import([{ path: 'memories.jsonl', text: '{"id":"new","content":"From elsewhere."}\n' }], {
              dryRun: true,
            }),
          ];
          if (active.length > 1)
            shown.push(await memory.records.consolidate({ dryRun: true, ids: active.slice(0, 3) }));
          for (const id of active) {
            shown.push(await memory.knowledge.promote({ dryRun: true, ids: [id] }));
            shown.push(await memory.records.split(id, ['One part of it.', 'Another part of it.'], { dryRun: true }));
          }
          return JSON.stringify(shown);
        };
        const shown = await show();
        expect(everyByte(directory)).toEqual(before);
        expect(await show()).toBe(shown);
        fs.rmSync(path.join(directory, '.git/git-memory/cache'), { recursive: true, force: true });
        expect(await show()).toBe(shown);
        expect(everyByte(directory)).toEqual(before);
        await memory.close();
      }),
      { numRuns: 5 },
    );
  }, 600_000);
});
