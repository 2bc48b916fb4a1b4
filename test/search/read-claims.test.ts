import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../src/base/tokenizer.ts';
import { newMemory } from '../../src/records/memory-record.ts';
import { type Known, withRead } from '../../src/search/read-claims.ts';
import type { SearchDocument } from '../../src/search/search-document.ts';
import type { Claims } from '../../src/search/view-claims.ts';

const none: Claims = {
  hasTaken: false,
  hasEnds: false,
  find: () => undefined,
  takenFrom: () => new Map(),
  replacedBy: () => [],
};

/** Reads two memories, the second a day younger, for a question about the office. */
function read(...contents: readonly string[]) {
  const documents = contents.map((text, day): SearchDocument => {
    const record = newMemory({ id: `memory-${day}`, content: text, now: (20_000 + day) * 86_400_000 });
    const time = record.createdAt * 1000;
    return { key: record.id, path: `memories/${record.id}.json`, category: 'memory', line: 1, text, time, record };
  });
  const known: Known = { sentences: new Map(), readings: new Map(), asked: new Map() };
  const { claims, leads } = withRead({
    documents,
    terms: tokensOf('office'),
    claims: none,
    turnsTo: () => [],
    listener: {},
    changedAt: () => undefined,
    mostCompared: 6,
    isOpen: false,
    known,
    time: 30_000 * 86_400_000,
  });
  const ended = claims.find('memory-0')?.record.replacedBy;
  return { ended, leads, readings: [...known.readings.values()] };
}

describe('withRead', () => {
  const before = 'The office is on Pier 4';
  const after = 'The office moved to the Custom House';
  const withClauses = (text: string, count: number) =>
    `${text}${Array.from({ length: count }, (_, at) => `, and the lamp is ${at}`).join('')}.`;

  it('finds that one memory ended another, though more clauses stand behind', () => {
    expect(read(withClauses(before, 0), withClauses(after, 0)).ended).toBe('memory-1');
    expect(read(withClauses(before, 12), withClauses(after, 12)).ended).toBe('memory-1');
  });

  it('reads the beginning of a long memory alone, and compares no log with another clause by clause', () => {
    const { ended, leads, readings } = read(withClauses(before, 5000), withClauses(after, 5000));
    expect(readings).toHaveLength(2);
    for (const { said } of readings) expect(said.text.length).toBeLessThanOrEqual(2000);
    expect({ ended, leads }).toEqual({ ended: undefined, leads: [] });
  });
});
