// Who waits for what nobody has kept: a question reads some, another process the rest, and each answer says what it did not see.

import fs from 'node:fs';
import { beforeAll, expect, it, vi } from 'vitest';
import { openMemory } from '../../src/index.ts';
import { Disk } from '../../src/store/git/disk.ts';
import { MemoryCatalog } from '../../src/store/memory-catalog.ts';
import { Patience } from '../../src/store/patience.ts';
import { newestFirst } from '../../src/store/records/newest-first.ts';
import { commitAll } from '../helpers/native-git.ts';
import { buildProgram, programEnvironment, runProgram } from '../helpers/program.ts';
import { temporaryFolder, writeDeep } from '../helpers/temporary.ts';
import { memoryFile } from '../search/corpus.ts';

beforeAll(buildProgram);

/** A process that is begun, and at it from then on. */
function backgroundThat(canBegin: boolean) {
  let begun = 0;
  const background = { isOne: false, isAtWork: () => begun > 0, begin: () => canBegin && ++begun > 0 };
  return { background, begun: () => begun };
}

it('reads so much at least, and no longer than it may while another process can go on', () => {
  const limits = { ms: -1, least: 100, most: 1000 };
  const { background, begun } = backgroundThat(true);
  const patience = new Patience(() => background, limits);
  const reading = patience.reading();
  expect([reading.keeps, reading.isEnough(99), begun()]).toEqual([true, false, 0]);
  expect([reading.isEnough(100), begun()]).toEqual([true, 1]);
  const next = patience.reading();
  expect([next.keeps, next.isEnough(0)]).toEqual([false, true]);
  for (const other of [new Patience(() => null, limits), new Patience(() => backgroundThat(false).background, limits)])
    expect(other.reading().isEnough(1_000_000)).toBe(false);
  expect(new Patience(() => backgroundThat(true).background, { ...limits, ms: 60_000 }).reading().isEnough(100)).toBe(
    false,
  );
});

it('lists the newest memories, in the order of the tree, and says how many it did not look at', async () => {
  const memory = await openMemory({ dir: temporaryFolder(), create: true, durability: 'fast' });
  const claims = Array.from({ length: 1100 }, (_, number) => ({ content: `Crate ${number} holds lamps.` }));
  for (let from = 0; from < claims.length; from += 100) await memory.rememberAll(claims.slice(from, from + 100));
  await memory.commit();
  const snapshot = memory.store.snapshot();
  const ids = new MemoryCatalog().stored(snapshot).map(({ record }) => record.id);
  const { background } = backgroundThat(true);
  const place = { disk: new Disk(fs), ownDirectory: temporaryFolder(), mayKeep: () => true, isPresent: () => true };
  const catalog = new MemoryCatalog({
    ...place,
    patience: new Patience(() => background, { ms: -1, least: 512, most: 1000 }),
  });
  const since = snapshot.damage.now;
  const some = catalog.newest(snapshot).all.map(({ record }) => record.id);
  // Of those made in one millisecond, which its id begins with, any may be left.
  const madeAt = (id: string) => id.slice(0, 10);
  const oldest = some.map(madeAt).sort()[0]!;
  const chosen = new Set(some);
  expect(some).toHaveLength(512);
  expect(some).toEqual(ids.filter((id) => chosen.has(id)));
  expect(ids.filter((id) => madeAt(id) > oldest && !chosen.has(id))).toEqual([]);
  expect(snapshot.damage.unseenSince(since)).toBe(1100 - 512);
  // All who need all get all; with that there is nothing left to say.
  expect(catalog.stored(snapshot)).toHaveLength(1100);
  const later = snapshot.damage.now;
  expect([catalog.newest(snapshot).length, snapshot.damage.unseenSince(later)]).toEqual([1100, 0]);
  await memory.close();
});

it('leaves to a process that outlives the command what no answer needs, and finds it made ready', async () => {
  const dir = temporaryFolder();
  await (await openMemory({ dir, create: true })).close();
  for (let number = 0; number < 4200; number++) {
    const [file, text] = memoryFile(`shelf${String(number).padStart(4, '0')}`, `Shelf ${number} is free.`);
    writeDeep(`${dir}/${file}`, text);
  }
  commitAll(dir, 'shelves');
  const cache = `${dir}/.git/git-memory/cache`;
  const env = programEnvironment({ XDG_CACHE_HOME: temporaryFolder() });
  const ask = () => runProgram(dir, ['recall', '--json', 'Shelf 4071'], { env });
  fs.rmSync(cache, { recursive: true, force: true });
  const { status, stdout, stderr } = await ask();
  expect([status, stderr, JSON.parse(stdout).unseen]).toEqual([0, '', undefined]);
  expect(stdout).toContain('Shelf 4071 is free.');
  // The table and the history are no business of a question: who made them was begun by it.
  const made = () =>
    ['history', 'memories', 'memories-text', 'words-view'].map((name) => fs.existsSync(`${cache}/${name}`));
  const isDone = () => !made().includes(false) && fs.readdirSync(`${cache}/indexing/locks`).length === 0;
  await vi.waitFor(() => expect([made(), isDone()]).toEqual([[true, true, true, true], true]), {
    timeout: 60_000,
    interval: 100,
  });
  const recency = /"recency": .*/g;
  expect((await ask()).stdout.replace(recency, '')).toBe(stdout.replace(recency, ''));
}, 120_000);

it('orders files by the times in their paths, with what has none first', () => {
  const files = [
    'memories/01/01arz3ndektsv4rrffq69g5fav.json',
    'memories/zz/01brz3ndektsv4rrffq69g5fav.json',
    'raw/conversations/2016/07/30/0900-ses_a-x.md',
    'raw/daily/2031-01-02.md',
    'knowledge/people/ada.md',
  ];
  expect(newestFirst(files, (path) => path)).toEqual([files[4], files[3], files[1], files[0], files[2]]);
});
