import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { discrepancyReader } from '../../../src/base/discrepancy.ts';
import { mergedContent, mergedRecord } from '../../../src/core/lifecycle/merge-memories.ts';
import { formatMemory, memoryPath, newMemory, parseMemory } from '../../../src/store/records/memory-record.ts';
import { anyMemory } from '../../store/records/arbitraries.ts';

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

describe('mergedContent', () => {
  it('is the longest text when it contains the others', () => {
    expect(mergedContent(['Ana lives in Braga', 'Ana lives in  BRAGA, near the river.'])).toBe(
      'Ana lives in  BRAGA, near the river.',
    );
  });

  it('is all parts, longest first, without what was said before', () => {
    expect(
      mergedContent(['She paints.', 'Ana lives in Braga.', 'ana lives in braga.', 'She paints.\n\nShe sings.']),
    ).toBe('She paints.\n\nShe sings.\n\nAna lives in Braga.');
  });

  it('holds everything that any of the texts says, and does not depend on their order', () => {
    const text = fc.array(fc.constantFrom('one two', 'Three.', 'four five six', 'ONE TWO', ' seven '), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.nat(), (lists, turn) => {
        const contents = lists.map((parts) => parts.join('\n\n'));
        const merged = mergedContent(contents);
        for (const paragraph of contents.flatMap((content) => content.split(/\n[ \t]*\n/))) {
          expect(folded(merged)).toContain(folded(paragraph));
        }
        const at = turn % contents.length;
        expect(mergedContent([...contents.slice(at), ...contents.slice(0, at)])).toBe(merged);
      }),
    );
  });
});

describe('mergedRecord', () => {
  const record = (id: string, given: Partial<Parameters<typeof newMemory>[0]>) =>
    newMemory({ id, content: `Content of ${id}.`, now: 1_000_000, ...given });

  it('follows the rules of the fields', () => {
    const one = {
      ...record('a', { tags: ['x', 'b'], source: 's1', context: 'c', entities: ['Ana'], strength: 1.2, useCount: 3 }),
      lastUsed: 5000,
      reviewCount: 2,
    };
    const other = {
      ...record('b', {
        tags: ['a', 'b'],
        source: 's2',
        context: 'c',
        entities: ['Rui', 'Ana'],
        strength: 1,
        useCount: 4,
      }),
      createdAt: 10,
      category: 'decision' as const,
      confidence: 0.9,
      confidenceTier: 'implied' as const,
    };
    const merged = mergedRecord([one, other], { cohesion: 0.9, gistLevel: null });
    expect(merged).toMatchObject({
      meta: { tags: ['a', 'b', 'x'], source: 's1; s2', context: 'c' },
      entities: ['Ana', 'Rui'],
      createdAt: 10,
      lastUsed: 5000,
      useCount: 7,
      reviewCount: 2,
      category: 'decision',
      confidence: 0.9,
      confidenceTier: 'implied',
      status: 'active',
    });
    expect(merged.strength).toBeCloseTo(1.2 + 0.9 * 2 * 0.1, 12);
    expect(mergedRecord([one, other, one, one, one, other], { cohesion: 1, gistLevel: null }).strength).toBeCloseTo(
      1.7,
      12,
    );
    expect(mergedRecord([{ ...one, strength: 1.9 }, other], { cohesion: 1, gistLevel: null }).strength).toBe(2);
  });

  it('makes the same record of the same sources on every machine', () => {
    const sources = [record('a', { tags: ['x'] }), record('b', { tags: ['y'] })];
    const merged = mergedRecord(sources, { cohesion: 0.9, gistLevel: 'moderate' });
    expect(mergedRecord([...sources].reverse(), { cohesion: 0.9, gistLevel: 'moderate' }).id).toBe(merged.id);
  });

  it('makes a record that can be read, and loses no word, tag, entity, source or count', () => {
    fc.assert(
      fc.property(fc.array(anyMemory, { minLength: 2, maxLength: 6 }), (records) => {
        const merged = mergedRecord(records, { cohesion: 0.9, gistLevel: 'moderate' });
        const text = formatMemory(merged);
        expect(formatMemory(parseMemory(text, memoryPath(merged.id)))).toBe(text);
        for (const source of records) {
          for (const paragraph of source.content.split(/\n[ \t]*\n/))
            expect(folded(merged.content)).toContain(folded(paragraph));
          for (const tag of source.meta.tags) expect(merged.meta.tags).toContain(tag);
          for (const entity of source.entities) expect(merged.entities).toContain(entity);
          for (const reference of source.sources ?? []) expect(merged.sources).toContainEqual(reference);
          expect(merged.createdAt).toBeLessThanOrEqual(source.createdAt);
          expect(merged.lastUsed).toBeGreaterThanOrEqual(source.lastUsed);
          expect(merged.strength).toBeGreaterThanOrEqual(source.strength);
        }
        expect(merged.useCount).toBe(records.reduce((sum, { useCount }) => sum + useCount, 0));
      }),
    );
  });
});

describe('discrepancyReader', () => {
  const discrepancyOf = discrepancyReader();

  it.each([
    ['The server listens on port 8080.', 'The server listens on port 8081.', 'numbers'],
    ['The meeting with Ana is about money.', 'The meeting with Rui is about money.', 'names'],
    ['We use Redis for sessions.', 'We do not use Redis for sessions.', 'a denial'],
    ['The release is on 2026-11-26.', 'The release is on 2026-11-26, a Thursday.', undefined],
    ['I prefer tabs.', 'I prefer tabs to spaces.', undefined],
  ])('%s / %s: %s', (one, other, expected) => {
    expect(discrepancyOf(one, other)).toBe(expected);
    expect(discrepancyOf(other, one)).toBe(expected);
  });

  it('reads each text once, however many it is compared with', () => {
    const matches = vi.spyOn(String.prototype, 'match');
    const looksAt = (count: number): number => {
      const texts = Array.from({ length: count }, (_, at) => `The lamp of house ${at} is on.`);
      const compare = discrepancyReader();
      matches.mockClear();
      for (const one of texts) for (const other of texts) compare(one, other);
      return matches.mock.calls.length;
    };
    try {
      expect(looksAt(10)).toBeGreaterThan(0);
      expect(looksAt(20)).toBe(2 * looksAt(10));
    } finally {
      matches.mockRestore();
    }
  });
});
