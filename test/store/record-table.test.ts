// Tables that outlive the process: the same answers as without them, whatever becomes of their files.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/base/hash.ts';
import type { MemoryRecord } from '../../src/base/types/stored-types.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { Disk } from '../../src/store/git/disk.ts';
import { RecordTables, recordsVersion, type Stored, type Table, vitalsOf } from '../../src/store/record-table.ts';
import { memoryPath, newMemory, parseMemory } from '../../src/store/records/memory-record.ts';
import { parseRelation } from '../../src/store/records/relation-record.ts';
import { vitalsIn } from '../../src/store/records/vitals.ts';
import { failingFileSystem } from '../helpers/failing-fs.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { git } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { unpack } from '../hostile/template.ts';
import { anyMemory } from './records/arbitraries.ts';

const tree = 'a'.repeat(40);
const storedOf = (record: MemoryRecord): Stored<MemoryRecord> => ({
  path: memoryPath(record.id),
  oid: sha256Hex(record.id).slice(0, 40),
  record,
});
const some = (count: number, what = 'memory'): Stored<MemoryRecord>[] =>
  Array.from({ length: count }, (_, at) =>
    storedOf(newMemory({ id: `${what}-${at}`, content: `${what} ${at} “quoted” \ud800`, now: 1e12, extra: { at } })),
  );

/** A folder's tables; `blobs` are the records whose texts were not there. */
function tablesIn(folder: string, fileSystem = fs as never) {
  const blobs: string[] = [];
  const tables = new RecordTables<MemoryRecord>(
    { disk: new Disk(fileSystem), ownDirectory: folder },
    'memories',
    vitalsIn,
    (row, text) => {
      const bytes = text();
      if (bytes === null) blobs.push(row.path);
      return bytes === null ? newMemory({ id: 'blob', content: row.oid, now: 0 }) : JSON.parse(bytes.toString('utf8'));
    },
  );
  return { tables, blobs };
}

const plain = (table: Table<MemoryRecord> | null) =>
  table?.records.all.map(({ path, oid, record }) => ({ path, oid, record }));

const names = [
  ...(['createdAt', 'lastUsed', 'useCount', 'strength', 'status', 'category'] as const),
  ...(['importance', 'expiresAt', 'validUntil', 'due', 'isReplaced', 'priority'] as const),
  ...(['id', 'stands', 'turn'] as const),
];

describe('a table that is kept', () => {
  it('gives paths, ids, records and refused files as they were, and vitals without a text', () => {
    fc.assert(
      fc.property(fc.array(anyMemory, { maxLength: 8 }), (records) => {
        const folder = temporaryFolder();
        const stored = records.map(storedOf);
        const refused = records.slice(1).map(({ id }) => ({ path: `memories/${id}.txt`, why: `“${id}” is none` }));
        const made = tablesIn(folder).tables.make(tree, stored, stored.length + 2, refused);
        const { tables, blobs } = tablesIn(folder);
        const loaded = tables.load();
        expect(plain(loaded)).toEqual(stored);
        expect(plain(made)).toEqual(stored);
        expect(loaded).toMatchObject({ tree, refused });
        expect(blobs).toEqual([]);
        fs.rmSync(`${folder}/cache/memories-text`);
        for (const [at, { record }] of stored.entries()) {
          const vitals = vitalsIn(record);
          const read = vitalsOf(loaded!.records.at(at));
          expect(names.map((name) => read[name])).toEqual(names.map((name) => vitals[name]));
        }
        expect(blobs).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('grows by the texts that are new, and begins anew when most of them are of no use', () => {
    const folder = temporaryFolder();
    const texts = `${folder}/cache/memories-text`;
    const first = some(100);
    const { tables } = tablesIn(folder);
    const made = tables.make(tree, first, first.length, [])!;
    const size = fs.statSync(texts).size;
    const before = fs.readFileSync(texts);
    const grown = [...made.records.all.slice(20), ...some(30, 'new')];
    const updated = tables.update('b'.repeat(40), grown, [])!;
    expect(fs.readFileSync(texts).subarray(0, size)).toEqual(before);
    expect(plain(tablesIn(folder).tables.load())).toEqual([...first.slice(20), ...some(30, 'new')]);
    const few = updated.records.all.slice(-30);
    tables.update('c'.repeat(40), few, []);
    expect(fs.statSync(texts).size).toBeLessThan(size / 2);
    const { tables: again, blobs } = tablesIn(folder);
    expect(plain(again.load())).toEqual(some(30, 'new'));
    expect(blobs).toEqual([]);
  });

  it('is read from blobs where its texts are gone, cut, others or damaged, and is never wrong', () => {
    const folder = temporaryFolder();
    const texts = `${folder}/cache/memories-text`;
    const first = some(40);
    tablesIn(folder).tables.make(tree, first, first.length, []);
    const whole = fs.readFileSync(texts);
    const flipped = Buffer.from(whole);
    flipped[whole.length >> 1]! ^= 1;
    const spoilt: [Buffer, number][] = [
      [flipped, 1],
      [whole.subarray(0, whole.length - 1), 1],
      [Buffer.concat([whole.subarray(0, 8), whole]), 40],
    ];
    for (const [bytes, most] of spoilt) {
      fs.writeFileSync(texts, bytes);
      const { tables, blobs } = tablesIn(folder);
      const read = plain(tables.load())!;
      expect(blobs.length).toBe(most);
      for (const [at, { path: where, oid, record }] of read.entries()) {
        if (blobs.includes(where)) expect(record.content).toBe(oid);
        else expect(record).toEqual(first[at]!.record);
      }
    }
    fs.writeFileSync(texts, whole);
    const { tables: without, blobs: unread } = tablesIn(folder);
    const early = without.load()!;
    fs.rmSync(texts);
    expect(plain(early)!.map(({ record }) => record.content)).toEqual(first.map(({ oid }) => oid));
    expect(unread.length).toBe(40);
    expect(tablesIn(folder).tables.load()).toBeNull();
    // Texts of another name took their place: whoever has the old table takes over what fits, and adds to them.
    fs.writeFileSync(texts, whole);
    const { tables: old } = tablesIn(folder);
    const loaded = old.load()!;
    tablesIn(folder).tables.make('d'.repeat(40), [...first, ...some(10, 'other')], 50, []);
    const size = fs.statSync(texts).size;
    old.update('e'.repeat(40), [...loaded.records.all, ...some(5, 'more')], []);
    expect(fs.statSync(texts).size - size).toBeLessThan(size / 5);
    const { tables, blobs } = tablesIn(folder);
    expect(plain(tables.load())!.length).toBe(45);
    expect(blobs).toEqual([]);
  });

  it('costs nothing but time where the disk refuses, or the table is damaged', () => {
    const folder = temporaryFolder();
    const first = some(70);
    const { fs: refusing } = failingFileSystem(() => ({ code: 'ENOSPC', sticky: true }));
    expect(tablesIn(temporaryFolder(), refusing as never).tables.make(tree, first, 70, [])).toBeNull();
    tablesIn(folder).tables.make(tree, first, 70, []);
    const file = `${folder}/cache/memories`;
    const bytes = fs.readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    fs.writeFileSync(file, bytes);
    expect(tablesIn(folder).tables.load()).toBeNull();
    const left = `${folder}/cache/memories-text.new_1_died`;
    fs.writeFileSync(left, 'x');
    tablesIn(folder).tables.make(tree, first, 70, []);
    expect(plain(tablesIn(folder).tables.load())).toEqual(first);
    expect(fs.existsSync(left)).toBe(false);
  });
});

describe('a memory of many records', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `{"id":"m${at}","content":"Content of number ${at}.","odd":[${at}]}\n`);

  async function many(): Promise<{ directory: string; clock: { now(): number }; cache: string }> {
    const { memory, directory, clock } = await newTestMemory();
    await memory.import([{ path: 'memories.jsonl', text: lines(100).join('') }]);
    await memory.list();
    await memory.close();
    return { directory, clock, cache: path.join(directory, '.git/git-memory/cache') };
  }

  async function listed(directory: string, clock: { now(): number }): Promise<string> {
    const memory = await openMemory({ dir: directory, clock, readOnly: true });
    const answer = JSON.stringify([await memory.list(), (await memory.status()).warnings]);
    await memory.close();
    return answer;
  }

  it('lists the same with what is kept, without it, and with what is kept of other states', async () => {
    const { directory, clock, cache } = await many();
    const file = `${cache}/memories`;
    expect(fs.existsSync(file)).toBe(true);
    const kept = await listed(directory, clock);
    fs.rmSync(file);
    expect(await listed(directory, clock)).toBe(kept);
    fs.rmSync(`${cache}/memories-text`);
    expect(await listed(directory, clock)).toBe(kept);
    const memory = await openMemory({ dir: directory, clock });
    for (const id of ['m1', 'm2', 'm3']) await memory.records.touch(id);
    await memory.forget('m4');
    await memory.commit();
    await memory.close();
    const present = await listed(directory, clock);
    fs.rmSync(file);
    expect(await listed(directory, clock)).toBe(present);
    expect(present).not.toBe(kept);
  });

  it('answers in every state on the way as one that keeps nothing does', async () => {
    const { directory, clock, cache } = await many();
    const memory = await openMemory({ dir: directory, clock });
    const start = memory.tip!;
    const alone = async (at?: string) => {
      const other = await openMemory({ dir: directory, clock, readOnly: true });
      const list = await (at === undefined ? other : await other.at(at)).list();
      await other.close();
      return list;
    };
    for (let round = 0; round < 12; round++) {
      for (let at = 0; at < 3; at++) await memory.remember(`Number ${round * 3 + at} of what was told on the way`);
      if (round % 2 === 0) await memory.forget(`m${round}`);
      if (round % 3 === 0) await memory.records.touch(`m${round + 20}`);
      const pending = await memory.list();
      expect(await alone()).toEqual(pending);
      await memory.commit();
      expect(await memory.list()).toEqual(pending);
      expect((await (await memory.at(start)).list()).memories.length).toBe(100);
      if (round % 4 === 0) fs.rmSync(cache, { recursive: true });
      expect(await alone()).toEqual(pending);
      expect(await alone(start)).toEqual(await (await memory.at(start)).list());
    }
    await memory.close();
  });

  it('lists equals in the order of their paths, pending or committed, whole, in part or with private paths', async () => {
    const { memory, directory, clock } = await newTestMemory();
    const ids = ['zeta', 'alpha', 'kappa', 'omega'];
    const order = async (given = memory) => (await given.list()).memories.map(({ path: where }) => where);
    for (const id of ids) await memory.remember({ id, content: `The ${id} is a word` });
    const first = await order();
    expect(first).toEqual([...first].sort());
    await memory.commit();
    expect(await order()).toEqual(first);
    const part = await openMemory({ dir: directory, clock, scope: { paths: ['memories'] } });
    for (const id of ['beta', 'psi', 'chi']) await part.remember({ id, content: `The ${id} is a letter` });
    const pending = await order(part as typeof memory);
    expect(pending).toEqual([...pending].sort());
    await part.close();
    await writeConfiguration(memory, 'private:\n  - knowledge/people/**\n');
    for (const id of ['mu', 'nu', 'xi']) await memory.remember({ id, content: `The ${id} is small` });
    const now = await order();
    expect(now).toEqual([...now].sort());
  });

  it('keeps the table of the present whoever looks at the past, and takes over what another process began anew', async () => {
    const { directory, clock, cache } = await many();
    const start = git(directory, 'rev-parse', 'HEAD').trim();
    const memory = await openMemory({ dir: directory, clock });
    await memory.rememberAll(Array.from({ length: 60 }, (_, at) => ({ content: `Told later as number ${at}` })));
    await memory.commit();
    await memory.list();
    const kept = fs.readFileSync(`${cache}/memories`);
    const other = await openMemory({ dir: directory, clock });
    await (await other.at(start)).list();
    await other.list();
    await (await other.at(start)).list();
    expect(fs.readFileSync(`${cache}/memories`)).toEqual(kept);
    // Both change so much that the table is kept again and again.
    const names = new Set<string>();
    for (let round = 0; round < 8; round++) {
      for (const one of [memory, other]) {
        for (let at = 0; at < 18; at++) await one.records.touch(`m${(round * 18 + at) % 100}`);
        await one.commit();
        await one.list();
        names.add(fs.readFileSync(`${cache}/memories-text`).toString('hex', 0, 8));
      }
    }
    expect(names.size).toBeLessThan(8);
    await other.close();
    await memory.close();
  });

  it('names a file that is no record as long as it is there', async () => {
    const { directory, clock } = await many();
    const byHand = (...parameters: string[]) =>
      git(directory, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...parameters);
    fs.writeFileSync(path.join(directory, 'memories/odd.json'), '{"id":"odd"}\n');
    byHand('add', 'memories/odd.json');
    byHand('commit', '-q', '--no-verify', '-m', 'odd');
    for (let round = 0; round < 2; round++) expect(await listed(directory, clock)).toContain('memories/odd.json');
    byHand('rm', '-q', 'memories/odd.json');
    byHand('commit', '-q', '--no-verify', '-m', 'gone');
    expect(await listed(directory, clock)).not.toContain('memories/odd.json');
  });

  it('keeps nothing of a state that something damaged is missing in', async () => {
    const { directory, clock, cache } = await many();
    const whole = await listed(directory, clock);
    fs.rmSync(cache, { recursive: true });
    const objects = path.join(directory, '.git/objects');
    unpack(directory);
    const [shard] = git(directory, 'rev-parse', 'HEAD:memories/23')
      .trim()
      .match(/^.{40}/)!;
    const loose = `${objects}/${shard.slice(0, 2)}/${shard.slice(2)}`;
    const bytes = fs.readFileSync(loose);
    fs.rmSync(loose);
    const memory = await openMemory({ dir: directory, clock, readOnly: true });
    const broken = await memory.list();
    expect(broken.memories.length).toBeLessThan(100);
    fs.writeFileSync(loose, bytes);
    expect((await memory.list()).memories.length).toBe(100);
    await memory.close();
    expect(await listed(directory, clock)).toBe(whole);
  });

  it('keeps nothing where paths are private, and removes what was kept', async () => {
    const { directory, clock, cache } = await many();
    const memory = await openMemory({ dir: directory, clock });
    await writeConfiguration(memory, 'private:\n  - knowledge/people/**\n');
    await memory.close();
    const reader = await openMemory({ dir: directory, clock });
    await reader.recall('content of number 7');
    await reader.list();
    await reader.close();
    const left = fs.readdirSync(cache, { recursive: true, encoding: 'utf8' });
    expect(
      left.filter((name) => /memories(?:-text)?$|segment|words-view/.test(name) && !name.startsWith('listing')),
    ).toEqual([]);
  });
});

it('whoever changes what a record parses to raises the version', () => {
  const memories = [
    '{"id":"a","content":"c"}',
    '{"id":"b","content":"c","gist":"g","meta":{"tags":["x","x"],"source":"s","mood":1},"created_at":"2026-02-16T09:00:00Z",' +
      '"last_used":1739635200123,"use_count":3,"strength":1.2,"status":"schema","promoted_at":7.9,"embed":[1],"entities":null,' +
      '"review_priority":0.25,"last_review_at":"12","review_count":2,"cross_domain_count":1,"category":"fact","confidence":0.5,' +
      '"sources":["raw/a.md#3",{"path":"b","turn":2,"role":"user"}],"due":"2026-02-20","alternatives":[{"field":"due","value":null}],"odd":{"z":1,"a":2}}',
  ].map((text) => parseMemory(text, memoryPath('a')));
  const relations = [
    '{"id":"r","from_memory_id":"a","to_memory_id":"b","relation_type":"related"}',
    '{"id":"r","from_memory_id":"a","to_memory_id":"b","relation_type":"causes","strength":0.5,"created_at":5.5,"metadata":null,"odd":1}',
  ].map((text) => parseRelation(text, 'relations/aa/r.json'));
  const hash = sha256Hex(JSON.stringify([memories, relations])).slice(0, 16);
  // When this fails: raise recordsVersion, and write the new hash here.
  expect({ recordsVersion, hash }).toEqual({ recordsVersion: 5, hash: '4c89441582f43b47' });
});
