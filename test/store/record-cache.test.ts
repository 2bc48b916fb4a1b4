// Parsed records that outlive the process: the same answers as without them, whatever becomes of the file.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/base/hash.ts';
import { Disk } from '../../src/git/disk.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { memoryPath, newMemory, parseMemory } from '../../src/records/memory-record.ts';
import { parseRelation } from '../../src/records/relation-record.ts';
import type { MemoryRecord } from '../../src/records/types.ts';
import { RecordCache, recordsVersion } from '../../src/store/record-cache.ts';
import { failingFileSystem } from '../helpers/failing-fs.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const records = (count: number, what = 'memory'): Map<string, MemoryRecord> =>
  new Map(
    Array.from({ length: count }, (_, at) => [
      sha256Hex(`${what} ${at}`).slice(0, 40),
      newMemory({ id: `${what}-${at}`, content: `${what} ${at} “quoted” \ud800`, now: 1e12, extra: { at } }),
    ]),
  );

const stored = (kept: ReadonlyMap<string, MemoryRecord>) => [...kept].map(([oid, record]) => ({ oid, record }));

function cacheAt(folder: string, fileSystem = fs as never): RecordCache<MemoryRecord> {
  return new RecordCache<MemoryRecord>({ disk: new Disk(fileSystem), ownDirectory: folder }, 'memories');
}

describe('kept records', () => {
  it('are those that were saved, by their blob ids, once in the life of a process', () => {
    const folder = temporaryFolder();
    const saved = records(100);
    cacheAt(folder).save(stored(saved));
    const cache = cacheAt(folder);
    expect(cache.load()).toEqual(saved);
    expect(cache.load().size).toBe(0);
  });

  it('grow by what is new, when that is worth it, and lose what no state has any more when that is most of them', () => {
    const folder = temporaryFolder();
    const file = `${folder}/cache/memories`;
    const first = records(200);
    cacheAt(folder).save(stored(first));
    const size = fs.statSync(file).size;
    cacheAt(folder).save(stored(new Map([...first, ...records(12, 'few')])));
    expect(fs.statSync(file).size).toBe(size);
    const grown = new Map([...first, ...records(80, 'new')]);
    cacheAt(folder).save(stored(grown));
    expect(cacheAt(folder).load()).toEqual(grown);
    const others = records(150, 'other');
    cacheAt(folder).save(stored(others));
    expect(cacheAt(folder).load()).toEqual(others);
    for (let round = 0; round < 40; round++) {
      cacheAt(folder).save(stored(new Map([...others, ...records(64, `round-${round}`)])));
    }
    expect(cacheAt(folder).load().size).toBeLessThan(2 * 214 + 64);
  });

  it('cost nothing but time where the disk refuses, or the file is damaged', () => {
    const folder = temporaryFolder();
    const saved = records(100);
    const { fs: refusing } = failingFileSystem(() => ({ code: 'ENOSPC', sticky: true }));
    const cache = cacheAt(temporaryFolder(), refusing as never);
    expect(() => cache.save(stored(saved))).not.toThrow();
    cacheAt(folder).save(stored(saved));
    const file = `${folder}/cache/memories`;
    const bytes = fs.readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    fs.writeFileSync(file, bytes);
    const again = cacheAt(folder);
    expect(again.load().size).toBe(0);
    again.save(stored(saved));
    expect(cacheAt(folder).load()).toEqual(saved);
  });
});

describe('a memory of many records', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `{"id":"m${at}","content":"Content of number ${at}.","odd":[${at}]}\n`);

  async function many(): Promise<{ directory: string; clock: { now(): number } }> {
    const { memory, directory, clock } = await newTestMemory();
    await memory.import([{ path: 'memories.jsonl', text: lines(100).join('') }]);
    await memory.list();
    await memory.close();
    return { directory, clock };
  }

  async function listed(directory: string, clock: { now(): number }): Promise<string> {
    const memory = await openMemory({ dir: directory, clock, readOnly: true });
    const answer = JSON.stringify(await memory.list());
    await memory.close();
    return answer;
  }

  it('lists the same with what is kept, without it, and with what is kept of other states', async () => {
    const { directory, clock } = await many();
    const file = path.join(directory, '.git/git-memory/cache/memories');
    expect(fs.existsSync(file)).toBe(true);
    const kept = await listed(directory, clock);
    fs.rmSync(file);
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

  it('keeps nothing where paths are private, and removes what was kept', async () => {
    const { directory, clock } = await many();
    const file = path.join(directory, '.git/git-memory/cache/memories');
    const memory = await openMemory({ dir: directory, clock });
    await writeConfiguration(memory, 'private:\n  - knowledge/people/**\n');
    await memory.close();
    await listed(directory, clock);
    expect(fs.existsSync(file)).toBe(false);
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
  expect({ recordsVersion, hash }).toEqual({ recordsVersion: 1, hash: '4c89441582f43b47' });
});
