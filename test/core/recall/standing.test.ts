// What stands, and which claims are of which turns, in memories whose records lie in a table: the same as read one by one.

import fs from 'node:fs';
import { expect, it } from 'vitest';
import { handlesOf, originsIn, standingClaims } from '../../../src/core/recall/standing.ts';
import { Disk } from '../../../src/store/git/disk.ts';
import { MemoryCatalog } from '../../../src/store/memory-catalog.ts';
import { formatMemory, memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

it('finds what stands, and the claims of turns, by the rows of a table', async () => {
  const { memory } = await newTestMemory();
  const path = 'raw/conversations/2026/02/16/0900-a.md';
  await memory.rememberAll([
    ...Array.from({ length: 90 }, (_, at) => ({ content: `The crate ${at} is on shelf ${at % 7}.` })),
    { content: 'The lower gate stays shut.', tags: ['P1', 'P0'] },
    { content: 'Labels face the aisle.', tags: ['standing'] },
  ]);
  const said = [[3], [3, 4]].map((turns, at) =>
    newMemory({
      ...{ id: `said-${at}`, content: `Pallet ${at} goes by ferry.`, now: Date.now() },
      sources: turns.map((turn) => ({ path, turn, role: 'user' })),
    }),
  );
  for (const record of said) await memory.write(memoryPath(record.id), formatMemory(record));
  await memory.commit();
  const { store } = memory;
  const snapshot = store.snapshot();
  const place = { disk: new Disk(fs), ownDirectory: temporaryFolder(), mayKeep: () => true, isPresent: () => true };
  const of = (catalog: MemoryCatalog) => {
    const { claimsOf, turnsOf } = originsIn(snapshot, { catalog });
    const sources = { catalog, ledgers: { ledgerOf: () => ({ events: [] }) } as never };
    return {
      stands: standingClaims(snapshot, sources, Date.now(), 'UTC')
        .map(({ kind, text }) => `${kind}: ${text}`)
        .sort(),
      claims: [2, 3, 4].map((turn) => [...claimsOf(`${path}#${turn}`)].sort()),
      handles: catalog.stored(snapshot).map(({ record }) => handlesOf(snapshot, { catalog })(record.id)),
      turns: claimsOf(`${path}#4`).flatMap((id) => turnsOf(id).map(({ turn }) => turn)),
    };
  };
  const kept = of(new MemoryCatalog(place));
  expect(kept).toEqual(of(new MemoryCatalog()));
  // The next process has the rows alone.
  expect(of(new MemoryCatalog(place))).toEqual(kept);
  // What nobody is quoted for has the day on which it was remembered.
  expect(kept.stands).toEqual([
    'constraint: 2026-02-16: The lower gate stays shut.',
    'principle: 2026-02-16: Labels face the aisle.',
  ]);
  expect(new Set(kept.handles).size).toBe(94);
  expect(kept.claims.map((ids) => ids.length)).toEqual([0, 2, 1]);
  expect(kept.turns).toEqual([`${path}#3`, `${path}#4`]);
});
