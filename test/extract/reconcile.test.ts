import { expect, it } from 'vitest';
import { reconcileNotes } from '../../src/extract/reconcile.ts';
import { newMemory } from '../../src/records/memory-record.ts';

const start = Date.parse('2026-03-02T10:00:00Z');
const hourMs = 3_600_000;
const places = ['Lisbon', 'Berlin', 'Oslo', 'Venice'];
/** One after the other says that Ada moved. */
const moves = Array.from({ length: 48 }, (_, at) => {
  const content = `Ada lives in ${places[at % places.length]} now.`;
  const sources = [{ path: `raw/conversations/2026/03/02/s${String(at).padStart(3, '0')}.md`, turn: 1, role: 'user' }];
  const memory = newMemory({
    id: `m${at}`,
    content,
    now: start + at * hourMs,
    sources,
    confidence: 0.9,
    category: 'fact',
  });
  return { ...memory, memoryKind: 'note' as const };
});

it('notes give way to the newest that says otherwise, and others work in between', async () => {
  let turns = 0;
  const begun = performance.now();
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const found = await reconcileNotes(moves, () => undefined);
  clearInterval(timer);
  expect(found.map(({ old }) => old.id)).toContain('m0');
  expect(new Set(found.map(({ by }) => by.id)).size).toBeLessThan(places.length + 1);
  expect(turns).toBeGreaterThan((performance.now() - begun) / 500);
});

it('what aborts is heard on the way', async () => {
  await expect(reconcileNotes(moves, () => undefined, AbortSignal.abort())).rejects.toThrow('aborted');
});
