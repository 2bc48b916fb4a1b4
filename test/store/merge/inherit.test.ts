import { describe, expect, test } from 'vitest';
import type { MemoryRecord } from '../../../src/base/types/stored-types.ts';
import { inheritChange } from '../../../src/store/merge/inherit.ts';
import { formatMemory, memoryPath, newMemory, parseMemory } from '../../../src/store/records/memory-record.ts';

const record = (id: string, changes: Partial<MemoryRecord> = {}): MemoryRecord => ({
  ...newMemory({ id, content: `content of ${id}`, now: 1_760_000_000_000, tags: ['born'] }),
  useCount: 2,
  ...changes,
});
const path = memoryPath('heir');
const inherit = (heir: MemoryRecord, base: MemoryRecord, changed: MemoryRecord) => {
  const { merged, conflicts } = inheritChange(formatMemory(heir), path, formatMemory(base), formatMemory(changed));
  return { heir: parseMemory(merged, path), conflicts };
};

describe('what was done with a memory that was consolidated', () => {
  const base = record('source');

  test('counts for what it became part of: increments add, the later time and the greater strength stand', () => {
    const changed = record('source', { useCount: 5, lastUsed: 1_760_000_900, strength: 1.5, reviewCount: 1 });
    const { heir, conflicts } = inherit(record('heir', { useCount: 7, lastUsed: 1_760_000_500 }), base, changed);
    expect(heir).toMatchObject({ id: 'heir', useCount: 10, lastUsed: 1_760_000_900, strength: 1.5, reviewCount: 1 });
    expect(heir.content).toBe('content of heir');
    expect(conflicts).toEqual([]);
  });

  test('joins its tags and entities, and what was said anew stands among its alternatives and is named', () => {
    const meta = { ...base.meta, tags: ['born', 'new'] };
    const changed = record('source', { content: 'said anew', meta, entities: ['Ada'] });
    const { heir, conflicts } = inherit(record('heir', { entities: ['Bob'] }), base, changed);
    expect(heir).toMatchObject({ content: 'content of heir', entities: ['Ada', 'Bob'] });
    expect(heir.meta.tags).toEqual(['born', 'new']);
    expect(heir.alternatives).toEqual([{ field: 'content', value: 'said anew' }]);
    expect(conflicts).toEqual(['content']);
  });

  test('may have been taken back, and never leaves less than nothing', () => {
    expect(inherit(record('heir'), base, record('source', { useCount: 1 })).heir.useCount).toBe(1);
    expect(inherit(record('heir', { useCount: 0 }), base, record('source', { useCount: 0 })).heir.useCount).toBe(0);
  });
});
