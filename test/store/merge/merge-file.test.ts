import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Transcript } from '../../../src/base/types/stored-types.ts';
import { mergeJson } from '../../../src/store/merge/json.ts';
import { mergeFile } from '../../../src/store/merge/merge-file.ts';
import { formatTranscript, formatTurn, parseTranscript } from '../../../src/store/records/transcript.ts';

const started = Date.parse('2026-02-16T18:45:00Z');
const open: Transcript = {
  sessionId: 's',
  started,
  title: 'T',
  turns: [{ role: 'user', time: started, text: 'hi' }],
};
const path = 'raw/conversations/2026/02/16/1845-s-t.md';
const base = formatTranscript(open);
const longer = base + formatTurn({ role: 'agent', time: started + 60_000, text: 'hello' }, started);

describe('transcripts', () => {
  test('that only grew are the longer one, closed if either side closed it', () => {
    const closed = formatTranscript({ ...open, ended: started + 120_000, tokensIn: 5 });
    const { merged, conflicts } = mergeFile(path, [base, closed, longer]);
    expect(conflicts).toEqual([]);
    expect(parseTranscript(merged ?? '', path)).toMatchObject({
      ended: started + 120_000,
      tokensIn: 5,
      turns: [{}, {}],
    });
    expect(mergeFile(path, [base, longer, closed]).merged).toBe(merged);
    expect(mergeFile(path, [null, base, longer])).toEqual({ merged: longer, conflicts: [] });
  });

  test('that grew in two ways are a conflict, and no turn goes', () => {
    const [earlier, later] = [started + 30_000, started + 90_000];
    const other =
      base +
      formatTurn({ role: 'agent', time: earlier, text: 'good day' }, started) +
      formatTurn({ role: 'user', time: later, text: 'bye' }, earlier);
    const { merged, conflicts } = mergeFile(path, [base, longer, other]);
    expect(conflicts).toEqual(['turns']);
    const { turns } = parseTranscript(merged ?? '', path);
    expect(turns.map(({ text, time }) => [text, time - started])).toEqual([
      ['hi', 0],
      ['good day', 30_000],
      ['hello', 60_000],
      ['bye', 90_000],
    ]);
    expect(mergeFile(path, [base, other, longer])).toEqual({ merged, conflicts });
  });
});

describe('mergeFile', () => {
  test.each([
    ['knowledge/a.md', '- a\n', '- a\n- b\n', '- a\n- c\n', '- a\n- b\n- c\n'],
    ['raw/daily/2026-02-16.md', '', '- b\n', '- c\n', '- b\n- c\n'],
    ['raw/daily/2026-02-16.md', 'One.\n', 'One.\nTwo.', 'One.\nThree.\n', 'One.\nTwo.\nThree.\n'],
    [
      'ledger/2026/02/2026-02-16.jsonl',
      '{"id":1}\n',
      '{"id":1}\n{"id":2}',
      '{"id":1}\n{"id":3}\n',
      '{"id":1}\n{"id":2}\n{"id":3}\n',
    ],
    [
      'state/uses.json',
      '{"a":1,"last_at":1}',
      '{"a":3,"b":1,"last_at":5}',
      '{"a":2,"c":1,"last_at":4}',
      '{\n  "a": 4,\n  "last_at": 5,\n  "b": 1,\n  "c": 1\n}\n',
    ],
    [
      '.meta.json',
      '{"last_gc_at":null,"machine_id":"a"}',
      '{"last_gc_at":5,"machine_id":"b"}',
      '{"last_gc_at":7,"machine_id":"c"}',
      '{\n  "last_gc_at": 7,\n  "machine_id": "b"\n}\n',
    ],
    ['recall/pack.md', 'x\n', 'y\n', 'z\n', 'y\n'],
    ['memory.yaml', 'a: 1\nb: 2\nc: 3\n', 'a: 2\nb: 2\nc: 3\n', 'a: 1\nb: 2\nc: 4\n', 'a: 2\nb: 2\nc: 4\n'],
  ])('merges %s by its kind', (file, from, ours, theirs, merged) => {
    expect(mergeFile(file, [from, ours, theirs])).toEqual({ merged, conflicts: [] });
  });

  test('merges records by field, flat ones of other tools too', () => {
    const record = (uses: number): string => `{"id":"m","content":"c","use_count":${uses}}`;
    for (const file of ['memories/62/m.json', 'memories/m.json']) {
      const { merged, conflicts } = mergeFile(file, [record(1), record(2), record(4)]);
      expect(JSON.parse(merged ?? '').use_count).toBe(5);
      expect(conflicts).toEqual([]);
    }
  });

  test.each([
    ['knowledge/a.md', 'a\n', 'b\n', 'c\n'],
    ['memory.yaml', 'a: 1\n', 'a: 2\n', 'a: 3\n'],
    ['raw/artifacts/x.txt', '', 'b', 'c'],
    ['.meta.json', '{"a":1}', '{"a":2}', '{"a":"x"}'],
    ['state/x.json', '{}', '{broken', '{"a":1}'],
    ['ledger/a.jsonl', '{"id":1}\n', '{"id":1,"x":1}\n', '{"id":1,"x":2}\n'],
  ])('names the conflict in %s', (file, from, ours, theirs) => {
    const { merged, conflicts } = mergeFile(file, [from, ours, theirs]);
    expect(conflicts).not.toEqual([]);
    expect(merged).not.toMatch(/<<<<<<<|>>>>>>>/);
  });

  test('keeps what one side removed and the other changed, and says so', () => {
    expect(mergeFile('knowledge/a.md', ['a', null, 'b'])).toEqual({ merged: 'b', conflicts: ['removed on one side'] });
    expect(mergeFile('knowledge/a.md', ['a', 'b', null])).toEqual({ merged: 'b', conflicts: ['removed on one side'] });
  });

  test('of any file: equal sides are themselves, one changed side is that side', () => {
    const paths = fc.constantFrom(
      'knowledge/a.md',
      path,
      'memories/a.json',
      'state/a.json',
      'ledger/a.jsonl',
      'x',
      'memory.yaml',
    );
    const content = fc.option(fc.string({ unit: 'binary', maxLength: 30 }));
    fc.assert(
      fc.property(paths, content, content, (file, from, changed) => {
        expect(mergeFile(file, [from, changed, changed])).toEqual({ merged: changed, conflicts: [] });
        expect(mergeFile(file, [from, from, changed])).toEqual({ merged: changed, conflicts: [] });
        expect(mergeFile(file, [from, changed, from])).toEqual({ merged: changed, conflicts: [] });
      }),
    );
  });

  test('never fails, whatever is in the files', () => {
    const paths = fc.constantFrom(
      'knowledge/a.md',
      path,
      'memories/a.json',
      'relations/a.json',
      'state/a.json',
      'ledger/a.jsonl',
      'x',
    );
    const piece = fc.constantFrom(
      '---\n',
      'a: 1\n',
      '- x\n',
      '{',
      '}',
      '"id":"m"',
      '# h\n',
      '\n',
      'a: [\n',
      '"content":"c"',
      ',',
    );
    const content = fc.option(
      fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 8 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(paths, content, content, content, (file, from, ours, theirs) => {
        const { merged, conflicts } = mergeFile(file, [from, ours, theirs]);
        expect(merged === null || typeof merged === 'string').toBe(true);
        expect(Array.isArray(conflicts)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('mergeJson', () => {
  const value = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(
      fc.nat({ max: 3 }),
      fc.dictionary(fc.constantFrom('x', 'y'), fc.nat({ max: 3 }), { noNullPrototype: true }),
    ),
    { noNullPrototype: true },
  );

  test('does not depend on the order of the sides when nothing conflicts', () => {
    fc.assert(
      fc.property(
        value,
        value,
        value,
        fc.constantFrom(undefined, 'sum', 'max', 'min' as const),
        (from, ours, theirs, rule) => {
          const options = { ruleOf: () => rule };
          const there = mergeJson(from, ours, theirs, options);
          const back = mergeJson(from, theirs, ours, options);
          expect([...back.conflicts].sort()).toEqual([...there.conflicts].sort());
          if (there.conflicts.length === 0) expect(back.value).toEqual(there.value);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('removes what one side removed and the other left', () => {
    expect(mergeJson({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1 }, { ruleOf: () => undefined })).toEqual({
      value: { a: 2 },
      conflicts: [],
      lost: [],
    });
  });
});
