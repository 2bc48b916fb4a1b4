// Arbitrary records for properties.

import fc from 'fast-check';
import { type MemoryRecord, memoryCategories, type RelationRecord } from '../../../src/base/types/stored-types.ts';

const key = fc.stringMatching(/^[a-z]{1,6}$/);
const json = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const words = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 4 });
const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
const share = fc.integer({ min: 0, max: 100 }).map((n) => n / 100);
const count = fc.nat({ max: 50 });

/** Ids as records have them. */
export const anyId = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,12}$/);

/** Any memory record that a file can hold. */
export const anyMemory: fc.Arbitrary<MemoryRecord> = fc
  .record(
    {
      id: anyId,
      content: fc.string({ unit: 'grapheme', maxLength: 40 }),
      gist: fc.option(fc.string()),
      meta: fc.record({
        tags: words,
        source: fc.option(fc.string()),
        context: fc.option(fc.string()),
        extra: fc.dictionary(key, json, { maxKeys: 3, noNullPrototype: true }),
      }),
      createdAt: seconds,
      lastUsed: seconds,
      useCount: count,
      strength: share.map((n) => n * 2),
      status: fc.constantFrom('active', 'promoted', 'archived', 'superseded', 'schema' as const),
      promotedAt: fc.option(seconds),
      promotedTo: fc.option(fc.string()),
      entities: words,
      reviewPriority: share,
      lastReviewAt: fc.option(seconds),
      reviewCount: count,
      crossDomainCount: count,
      category: fc.constantFrom(...memoryCategories),
      confidence: share,
      confidenceTier: fc.constantFrom('explicit', 'implied', 'inferred', 'speculative' as const),
      importance: share,
      memoryKind: fc.constantFrom('episode', 'note' as const),
      replacedBy: anyId,
      statement: fc.string({ minLength: 1 }).map((text) => `It is ${text}.`),
      subject: fc.string({ minLength: 1 }),
      attribute: fc.constantFrom('residence', 'port'),
      validFrom: seconds,
      validUntil: seconds,
      expiresAt: seconds,
      due: fc.constantFrom('2026-02-16', '2028-02-29'),
      standing: fc.boolean(),
      standingConfidence: share,
      sources: fc.array(
        fc.record(
          {
            path: fc.constantFrom('raw/a.md', 'raw/b.md'),
            turn: fc.integer({ min: 1, max: 9 }),
            role: fc.constant('user'),
          },
          { requiredKeys: ['path'], noNullPrototype: true },
        ),
        { maxLength: 3 },
      ),
      unknown: fc.dictionary(
        key.map((name) => `x_${name}`),
        json,
        { minKeys: 1, maxKeys: 3, noNullPrototype: true },
      ),
    },
    {
      requiredKeys: [
        'id',
        'content',
        'gist',
        'meta',
        'createdAt',
        'lastUsed',
        'useCount',
        'strength',
        'status',
        'promotedAt',
        'promotedTo',
        'entities',
        'reviewPriority',
        'lastReviewAt',
        'reviewCount',
        'crossDomainCount',
      ],
      noNullPrototype: true,
    },
  )
  .map((record) => record as MemoryRecord);

/** Any relation record that a file can hold. */
export const anyRelation: fc.Arbitrary<RelationRecord> = fc
  .record(
    {
      id: anyId,
      fromMemoryId: anyId,
      toMemoryId: anyId,
      relationType: fc.constantFrom('related', 'split_from', 'has_decision', 'inspired-by'),
      strength: share.map((n) => n * 2),
      createdAt: seconds,
      metadata: fc.dictionary(key, json, { maxKeys: 3, noNullPrototype: true }),
      unknown: fc.dictionary(
        key.map((name) => `x_${name}`),
        json,
        { minKeys: 1, maxKeys: 2, noNullPrototype: true },
      ),
    },
    {
      requiredKeys: ['id', 'fromMemoryId', 'toMemoryId', 'relationType', 'strength', 'createdAt', 'metadata'],
      noNullPrototype: true,
    },
  )
  .map((record) => record as RelationRecord);
