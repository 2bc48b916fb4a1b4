import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatRelation,
  newRelation,
  parseRelation,
  relationPath,
} from '../../../src/store/records/relation-record.ts';
import { anyRelation } from './arbitraries.ts';

test('a relation comes back as it was', () => {
  fc.assert(
    fc.property(anyRelation, (record) => {
      expect(parseRelation(formatRelation(record), 'r.json')).toEqual(record);
    }),
  );
});

test('a relation is written in the key order of the spec', () => {
  const relation = newRelation({ id: 'r', fromMemoryId: 'a', toMemoryId: 'b', relationType: 'related', now: 5_900 });
  expect(Object.keys(JSON.parse(formatRelation({ ...relation, unknown: { x: 1 } })))).toEqual([
    'id',
    'from_memory_id',
    'to_memory_id',
    'relation_type',
    'strength',
    'created_at',
    'metadata',
    'x',
  ]);
  expect(relation).toMatchObject({ strength: 1, createdAt: 5, metadata: {} });
  expect(relationPath('r')).toMatch(/^relations\/[0-9a-f]{2}\/r\.json$/);
});

test.each([
  '{}',
  '{"id":"r","from_memory_id":"a","to_memory_id":"../b","relation_type":"related"}',
  '{"id":"r","from_memory_id":"a","to_memory_id":"b","relation_type":"two words"}',
  '{"id":"r","from_memory_id":"a","to_memory_id":"b","relation_type":"related","strength":9}',
])('the relation %s is refused', (text) => {
  expect(() => parseRelation(text, 'r.json')).toThrow(expect.objectContaining({ code: 'INVALID_RECORD' }));
});

test('a new relation with a wrong type is an argument error', () => {
  const given = { id: 'r', fromMemoryId: 'a', toMemoryId: 'b', relationType: '', now: 0 };
  expect(() => newRelation(given)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});
