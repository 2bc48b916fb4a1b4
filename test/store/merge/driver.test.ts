import { describe, expect, test } from 'vitest';
import { mergeForGit } from '../../../src/store/merge/driver.ts';
import { formatMemory, memoryPath, newMemory, parseMemory } from '../../../src/store/records/memory-record.ts';

const bytes = (text: string) => Buffer.from(text);
const record = (id: string, changes: object = {}) =>
  bytes(formatMemory({ ...newMemory({ id, content: 'as it was', now: 1_760_000_000_000 }), ...changes }));
const path = memoryPath('one');

describe('what native git is answered', () => {
  test('counts what both sides counted, also where both added the file', () => {
    const merged = mergeForGit(path, record('one'), record('one', { useCount: 2 }), record('one', { useCount: 3 }));
    expect(merged).toMatchObject({ disputes: [], isConflict: false });
    expect(parseMemory(merged.bytes.toString(), path).useCount).toBe(5);
    const added = mergeForGit(path, bytes(''), record('one', { useCount: 2 }), record('one', { useCount: 3 }));
    expect(added.isConflict).toBe(false);
  });

  test('settles what contradicts in a record, keeps both, and is no conflict', () => {
    const merged = mergeForGit(path, record('one'), record('one', { content: 'A' }), record('one', { content: 'B' }));
    expect(merged).toMatchObject({ disputes: ['content'], isConflict: false });
    const { content, alternatives } = parseMemory(merged.bytes.toString(), path);
    expect([content, alternatives]).toEqual(['A', [{ field: 'content', value: 'B' }]]);
  });

  test('keeps of records with different ids the one that the path names, ours if neither, and stops git', () => {
    const [one, other, third] = [record('one'), record('other'), record('third')];
    expect(mergeForGit(path, other, one, other)).toEqual({ bytes: one, disputes: ['id'], isConflict: true });
    expect(mergeForGit(path, other, other, one)).toEqual({ bytes: one, disputes: ['id'], isConflict: true });
    expect(mergeForGit(path, one, other, third)).toEqual({ bytes: other, disputes: ['id'], isConflict: true });
  });

  test('lets ours stand in knowledge and in a configuration, but stops git for the latter', () => {
    const [base, ours, theirs] = ['# A\n\none line\n', '# A\n\nour line\n', '# A\n\ntheir line\n'].map(bytes);
    const note = mergeForGit('knowledge/a b.md', base!, ours!, theirs!);
    expect([note.bytes.toString(), note.isConflict]).toEqual([ours!.toString(), false]);
    const settings = mergeForGit('memory.yaml', bytes('a: 1\n'), bytes('a: 2\n'), bytes('a: 3\n'));
    expect([settings.bytes.toString(), settings.isConflict]).toEqual(['a: 2\n', true]);
  });

  test('leaves ours of what is no text, and of a record that cannot be read what can', () => {
    const [base, ours, theirs] = [
      [0xff, 1],
      [0xff, 2],
      [0xff, 3],
    ].map((all) => Buffer.from(all));
    expect(mergeForGit('raw/artifacts/a.bin', base!, ours!, theirs!)).toMatchObject({ bytes: ours, isConflict: true });
    const torn = mergeForGit(path, record('one'), bytes('{ torn'), record('one', { useCount: 1 }));
    expect([parseMemory(torn.bytes.toString(), path).useCount, torn.isConflict]).toEqual([1, true]);
  });
});
