import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MemoryRecord, memoryCategories } from '../../../src/base/types/stored-types.ts';
import { formatMemory, memoryPath, newMemory, parseMemory } from '../../../src/store/records/memory-record.ts';
import { anyMemory } from './arbitraries.ts';

const now = Date.parse('2026-02-16T18:45:00.700Z');
const invalid = expect.objectContaining({ code: 'INVALID_RECORD' });

// The example of spec 1.
const example = `{
  "id": "a1b2c3d4-0000",
  "content": "STOPPER Protocol prevents computational impulsivity",
  "gist": "STOPPER: 7-step EF regulation protocol",
  "meta": {
    "tags": [
      "stopper",
      "efit"
    ],
    "source": "claude-code-session",
    "context": "Discussion of regulatory frameworks",
    "extra": {}
  },
  "created_at": 1739548800,
  "last_used": 1739635200,
  "use_count": 3,
  "strength": 1.2,
  "status": "active",
  "promoted_at": null,
  "promoted_to": null,
  "embed": null,
  "entities": [
    "STOPPER",
    "DBT"
  ],
  "review_priority": 0.25,
  "last_review_at": 1739635200,
  "review_count": 2,
  "cross_domain_count": 1
}
`;

describe('a memory record', () => {
  test('of the spec comes back byte for byte, but for the embedding', () => {
    expect(formatMemory(parseMemory(example, 'x.json'))).toBe(example.replace('  "embed": null,\n', ''));
  });

  test('comes back as it was', () => {
    fc.assert(
      fc.property(anyMemory, (record) => {
        const text = formatMemory(record);
        expect(parseMemory(text, 'x.json')).toEqual(record);
        expect(formatMemory(parseMemory(text, 'x.json'))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test('writes optional fields only when they are there, in their order, unknown keys last', () => {
    const record: MemoryRecord = {
      ...newMemory({ id: 'm', content: 'c', now }),
      unknown: { zeta: 1, alpha: { d: 1, c: 2 } },
      due: '2026-03-01',
      category: 'commitment',
    };
    const keys = Object.keys(JSON.parse(formatMemory(record)));
    expect(keys.slice(-4)).toEqual(['category', 'due', 'alpha', 'zeta']);
    expect(keys).not.toContain('embed');
  });

  test('of another tool is read with defaults', () => {
    expect(parseMemory('{"id":"m","content":"c"}', 'x.json')).toEqual({
      id: 'm',
      content: 'c',
      gist: null,
      meta: { tags: [], source: null, context: null, extra: {} },
      createdAt: 0,
      lastUsed: 0,
      useCount: 0,
      strength: 1,
      status: 'active',
      promotedAt: null,
      promotedTo: null,
      entities: [],
      reviewPriority: 0,
      lastReviewAt: null,
      reviewCount: 0,
      crossDomainCount: 0,
    });
  });

  test('is brought to seconds from fractions, milliseconds and ISO texts', () => {
    const record = parseMemory(
      '{"id":"m","content":"c","created_at":1739548800.9,"last_used":1739635200000,"promoted_at":"2026-02-16T18:45:00Z"}',
      'x.json',
    );
    expect([record.createdAt, record.lastUsed, record.promotedAt]).toEqual([1739548800, 1739635200, 1771267500]);
  });

  test('loses its embedding and keeps what it does not know', () => {
    const record = parseMemory(
      '{"id":"m","content":"c","embed":[0.1,0.2],"colour":"red","meta":{"tags":["a","a"],"mood":"calm","extra":{"x":1}}}',
      'x.json',
    );
    expect(formatMemory(record)).not.toContain('0.1');
    expect(record.unknown).toEqual({ colour: 'red' });
    expect(record.meta).toMatchObject({ tags: ['a'], extra: { mood: 'calm', x: 1 } });
  });

  test('reads sources as objects and in the short form', () => {
    const text =
      '{"id":"m","content":"c","sources":["raw/a.md#3",{"path":"raw/b.md","turn":1,"role":"user"},"raw/c.md"]}';
    expect(parseMemory(text, 'x').sources).toEqual([
      { path: 'raw/a.md', turn: 3 },
      { path: 'raw/b.md', turn: 1, role: 'user' },
      { path: 'raw/c.md' },
    ]);
  });

  test.each([
    ['[]', 'the record'],
    ['null', 'the record'],
    ['{"content":"c"}', 'id'],
    ['{"id":"../x","content":"c"}', 'id'],
    ['{"id":".x","content":"c"}', 'id'],
    ['{"id":"m"}', 'content'],
    ['{"id":"m","content":"c","strength":3}', 'strength'],
    ['{"id":"m","content":"c","use_count":-1}', 'use_count'],
    ['{"id":"m","content":"c","use_count":1.5}', 'use_count'],
    ['{"id":"m","content":"c","status":"gone"}', 'status'],
    ['{"id":"m","content":"c","meta":{"tags":"a"}}', 'meta.tags'],
    ['{"id":"m","content":"c","due":"tomorrow"}', 'due'],
    ['{"id":"m","content":"c","created_at":"soon"}', 'created_at'],
    ['{"id":"m","content":"c","sources":[{"turn":1}]}', 'sources'],
    ['{"id":"m","content":"c","__proto__":{}}', '__proto__'],
    ['{"id":', 'not valid JSON'],
  ])('%s is refused for its %s', (text, key) => {
    expect(() => parseMemory(text, 'memories/aa/m.json')).toThrow(invalid);
    expect(() => parseMemory(text, 'memories/aa/m.json')).toThrow(key);
  });

  test('names the line of what is wrong', () => {
    expect(() => parseMemory(example.replace('1.2', '12'), 'm.json')).toThrow(/m\.json:17 strength/);
  });

  test('stands in the shard of its id', () => {
    // printf m | sha256sum
    expect(memoryPath('m')).toBe('memories/62/m.json');
  });
});

describe('newMemory', () => {
  test('was never used and has full strength', () => {
    expect(
      newMemory({ id: 'm', content: 'c', now, tags: ['a', 'a'], entities: ['E'], category: 'fact' }),
    ).toMatchObject({
      createdAt: 1771267500,
      lastUsed: 1771267500,
      useCount: 0,
      strength: 1,
      status: 'active',
      meta: { tags: ['a'] },
      entities: ['E'],
      category: 'fact',
    });
    expect(memoryCategories).toHaveLength(10);
  });

  test.each([
    { id: '', content: 'c' },
    { id: 'a/b', content: 'c' },
    { id: 'm', content: ' ' },
    { id: 'm', content: undefined as never },
    { id: 'm', content: 'c', strength: 5 },
    { id: 'm', content: 'c', tags: [3 as never] },
  ])('refuses %j', (given) => {
    expect(() => newMemory({ ...given, now })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  test('refuses content above the size of a file', () => {
    expect(() => newMemory({ id: 'm', content: 'x'.repeat(2 << 20), now })).toThrow(
      expect.objectContaining({ code: 'TOO_LARGE' }),
    );
  });
});
