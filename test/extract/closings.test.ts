import { describe, expect, it } from 'vitest';
import { endedBy, readingOf } from '../../src/extract/closings.ts';
import { planExtraction } from '../../src/extract/plan.ts';
import { newMemory } from '../../src/records/memory-record.ts';
import type { MemoryRecord, Transcript } from '../../src/records/types.ts';

const start = Date.parse('2026-03-02T10:00:00Z');
const week = 7 * 86_400_000;
const record = (id: string, content: string, at: number, more: Partial<MemoryRecord> = {}): MemoryRecord => {
  const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '/');
  const sources = [{ path: `raw/conversations/${day}/${id}.md`, turn: 1, role: 'user' }];
  return { ...newMemory({ id, content, now: at, sources, confidence: 0.95, category: 'fact' }), ...more };
};
const ends = (later: MemoryRecord, earlier: MemoryRecord) =>
  endedBy({ record: later, reading: readingOf(later)! }, { record: earlier, reading: readingOf(earlier)! }) !== null;

const old = record('old', 'The bakery delivers on Mondays.', start);
const now = record('now', 'The bakery delivers on Thursdays now.', start + week);

describe('a claim ends an earlier one', () => {
  it('that was said before and is open', () => {
    expect(ends(now, old)).toBe(true);
    expect(ends(old, now)).toBe(false);
    for (const status of ['archived', 'superseded', 'schema'] as const)
      expect(ends(now, { ...old, status })).toBe(false);
    expect(ends(now, { ...old, replacedBy: 'other' })).toBe(false);
    expect(ends({ ...now, id: 'old' }, old)).toBe(false);
  });

  it('unless that was said again since', () => {
    const again = { path: 'raw/conversations/2026/03/20/x.md', turn: 1, role: 'user' };
    expect(ends(now, { ...old, sources: [...old.sources!, again] })).toBe(false);
  });

  it('only by words that are believed as much', () => {
    const agent = { ...now, sources: [{ ...now.sources![0]!, role: 'agent' }] };
    expect(ends(agent, old)).toBe(false);
    expect(ends(agent, { ...old, sources: [{ ...old.sources![0]!, role: 'agent' }] })).toBe(true);
  });
});

describe('an extraction', () => {
  const transcript = (at: number, ...texts: string[]): Transcript => ({
    ...{ sessionId: 's', started: at, title: 't' },
    turns: texts.map((text) => ({ role: 'user', time: at, text })),
  });
  const plan = (existing: MemoryRecord[], at: number, ...texts: string[]) =>
    planExtraction({
      path: `raw/conversations/${new Date(at).toISOString().slice(0, 10).replaceAll('-', '/')}/s.md`,
      transcript: transcript(at, ...texts),
      items: texts.map((content, index) => ({
        ...{ category: 'fact' as const, content, confidence: 0.95, turns: [index + 1], role: 'user' },
        ...{ entities: [], tags: [] },
      })),
      extractor: { name: 'test', version: '1' },
      existing,
      now: start + 20 * week,
    });

  it('closes what its claims end, in its own plan, and what was ended before it became known', () => {
    const { created, updated } = plan([old], start + week, 'The bakery delivers on Thursdays now.');
    expect(updated).toMatchObject([{ after: { id: 'old', status: 'superseded', replacedBy: created[0]!.id } }]);
    expect(updated[0]!.after.validUntil).toBe((start + week) / 1000);
    const late = plan([now], start, 'The bakery delivers on Mondays.');
    expect(late.created).toMatchObject([{ status: 'superseded', replacedBy: 'now' }]);
  });

  it('leaves a claim as it is until the day from which another holds', () => {
    const { created, updated } = plan([old], start + week, 'From 1 September on the bakery delivers on Thursdays.');
    const from = Date.parse('2026-09-01') / 1000;
    expect(updated).toMatchObject([{ after: { id: 'old', status: 'active', validUntil: from } }]);
    expect(created[0]).toMatchObject({ validFrom: from });
  });
});
