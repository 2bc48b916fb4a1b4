import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryRecord, Transcript } from '../../../src/base/types/stored-types.ts';
import type { ExtractedItem } from '../../../src/core/extract/extractor.ts';
import { KnownMemories, sayingOf } from '../../../src/core/extract/known-memories.ts';
import { planExtraction } from '../../../src/core/extract/plan.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';

const day = 86_400_000;
const begin = Date.parse('2026-02-01T09:00:00Z');
const now = Date.parse('2026-03-01T00:00:00Z');
const extractor = { name: 'rules', version: '1' };

/** Few sentences, so that they are said again, confirm each other and take each other back. */
const sentences = [
  'We use Redis for the session cache.',
  'We use Postgres for the session cache instead of Redis.',
  'We use Valkey for the session cache, not Postgres.',
  'Documents leave the search index with discard.',
  'Documents leave the search index with remove, never with discard.',
  'Anna leads the platform team.',
];

const itemArbitrary = fc.record({
  content: fc.constantFrom(...sentences),
  category: fc.constantFrom('decision' as const, 'fact' as const, 'correction' as const),
  confidence: fc.constantFrom(0.2, 0.85, 0.97),
  turn: fc.integer({ min: 1, max: 4 }),
});

function conversation(number: number): { path: string; transcript: Transcript } {
  const started = begin + number * day;
  const turns = [0, 1, 2, 3].map((turn) => ({ role: 'user', time: started + turn * 60_000, text: `turn ${turn}` }));
  const path = `raw/conversations/2026/02/${String(number + 1).padStart(2, '0')}/0900-s${number}-x.md`;
  return { path, transcript: { sessionId: `s${number}`, started, ended: started + 240_000, title: 'x', turns } };
}

const itemOf = ({ turn, ...item }: { turn: number } & Pick<ExtractedItem, 'content' | 'category' | 'confidence'>) => ({
  ...item,
  turns: [turn],
  role: 'user',
  entities: [],
  tags: [],
});

describe('memories carried from one conversation to the next', () => {
  it('give the plans that all memories listed anew give, in whatever order conversations come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.array(itemArbitrary, { maxLength: 4 })), {
          maxLength: 8,
        }),
        (conversations) => {
          const known = new KnownMemories();
          const all = new Map<string, MemoryRecord>();
          for (const [number, drafts] of conversations) {
            const input = { ...conversation(number), items: drafts.map(itemOf), extractor, now };
            const plan = planExtraction({ ...input, existing: known });
            expect(plan).toEqual(planExtraction({ ...input, existing: [...all.values()].reverse() }));
            for (const record of [...plan.created, ...plan.updated.map(({ after }) => after)]) {
              known.put(record);
              all.set(record.id, record);
            }
          }
          expect(new Set(known.all())).toEqual(new Set(all.values()));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('forget what is deleted', () => {
    const record = newMemory({ id: 'a1', content: 'We use Redis.', now: begin, category: 'decision', confidence: 0.9 });
    const known = new KnownMemories([record]);
    expect(known.saying(sayingOf(record))).toBe(record);
    expect(known.open(begin, 'Which cache? Redis.')).toEqual([record]);
    known.delete('a1');
    expect([known.size, known.saying(sayingOf(record)), known.open(begin, 'Redis')]).toEqual([0, undefined, []]);
  });
});
