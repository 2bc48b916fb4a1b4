// Stores of JSON lines as they are found: the last line of an id counts, what is damaged is named and costs nothing else.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatStoreLine, readStore, type StoreLine } from '../../../src/store/records/jsonl-store.ts';
import { formatMemory, parseMemory, salvageMemory } from '../../../src/store/records/memory-record.ts';
import { formatRelation, salvageRelation } from '../../../src/store/records/relation-record.ts';
import { anyMemory, anyRelation } from './arbitraries.ts';

function linesOf(text: string): StoreLine[] {
  const lines = text.split('\n');
  return lines
    .map((line, index) => ({ number: index + 1, text: line, isOpen: index === lines.length - 1 }))
    .filter(({ text: line, isOpen }) => !(isOpen && line === ''));
}

const read = (text: string) => readStore(linesOf(text), salvageMemory, 'memories.jsonl');

describe('a store of JSON lines', () => {
  it('lets the last line of an id count, and a deletion until a later line', () => {
    const { records, deleted } = read(
      [
        '{"id":"a","content":"first"}',
        '{"id":"b","content":"goes"}',
        '{"id":"c","content":"goes and comes"}',
        '{"id":"a","content":"second"}',
        '{"id":"b","_deleted":true}',
        '{"id":"c","_deleted":true}',
        '{"id":"c","content":"is back"}',
        '{"id":"never-seen","_deleted":true}',
      ].join('\n'),
    );
    expect([...records].map(([id, { record, line }]) => [id, record.content, line])).toEqual([
      ['a', 'second', 4],
      ['c', 'is back', 7],
    ]);
    expect([...deleted]).toEqual(['b', 'never-seen']);
  });

  it('names damaged lines by their number and reads on', () => {
    const { records, damaged } = read(
      [
        '\ufeff{"id":"a","content":"after a byte-order mark"}',
        '',
        'garbage in the middle',
        '[1, 2]',
        '{"content":"has no id"}',
        '{"id":"no/slash","content":"x"}',
        '{"id":"b"}',
        '{"_deleted":true}',
        '   ',
        '{"id":"c","content":"fine"}',
        '{"id":"d","content":"brea',
      ].join('\n'),
    );
    expect([...records.keys()]).toEqual(['a', 'c']);
    expect(damaged.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8, 11]);
    expect(damaged.at(-1)!.why).toBe('breaks off in the middle');
    expect(damaged[0]!.why).toBe('is not valid JSON');
    expect(damaged[2]!.why).toMatch(/^id: /);
    expect(damaged.map(({ why }) => why).join()).not.toContain('memories.jsonl');
  });

  it('keeps the words of a record of which another value cannot be read, and that value too', () => {
    const { records, partial, damaged } = read(
      '{"id":"a","content":"words","strength":"strong","category":"rumour","meta":{"tags":7,"source":"chat"},"use_count":3}',
    );
    expect(damaged).toEqual([]);
    expect(partial).toEqual([{ line: 1, why: 'could not read meta.tags, strength, category, kept as it was' }]);
    const { record } = records.get('a')!;
    expect([record.content, record.useCount, record.strength, record.meta.source]).toEqual(['words', 3, 1, 'chat']);
    expect(record.meta.extra).toEqual({
      unreadable: { strength: 'strong', category: 'rumour', 'meta.tags': 7 },
    });
    expect(parseMemory(formatMemory(record), 'a.json')).toEqual(record);
  });

  it('drops embeddings and keeps keys that it does not know', () => {
    const { records } = read('{"id":"a","content":"x","embed":[0.1,0.2],"mood":"calm"}');
    expect(formatMemory(records.get('a')!.record)).not.toContain('embed');
    expect(records.get('a')!.record.unknown).toEqual({ mood: 'calm' });
  });

  it('comes back as it was written, every field of it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyMemory, { selector: ({ id }) => id, maxLength: 5 }), (memories) => {
        const text = memories.map((record) => formatStoreLine(formatMemory(record))).join('');
        const { records, damaged, partial } = read(text);
        expect([damaged, partial]).toEqual([[], []]);
        expect([...records.values()].map(({ record }) => record)).toEqual(memories);
      }),
    );
    fc.assert(
      fc.property(anyRelation, (relation) => {
        const lines = linesOf(formatStoreLine(formatRelation(relation)));
        expect(readStore(lines, salvageRelation, 'r').records.get(relation.id)!.record).toEqual(relation);
      }),
    );
  });

  it('reads any bytes without failing', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (lines) => {
        const { damaged } = read(lines.join('\n'));
        for (const { line } of damaged) expect(line).toBeGreaterThan(0);
      }),
    );
  });
});
