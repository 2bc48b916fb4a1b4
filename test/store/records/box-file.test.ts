import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryCategories } from '../../../src/base/types/stored-types.ts';
import { type Box, boxPath, boxWords, formatBox, parseBox } from '../../../src/store/records/box-file.ts';

const seconds = fc.integer({ min: 0, max: 4_000_000_000 }).map((second) => second * 1000);
const id = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const anyBox: fc.Arbitrary<Box> = fc
  .record(
    {
      id,
      status: fc.constantFrom('open' as const, 'sealed' as const),
      started: seconds,
      sealed: seconds,
      reason: fc.constantFrom('topic' as const, 'pause' as const, 'full' as const),
      traceId: id,
      topics: fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 4 }),
      memories: fc.uniqueArray(
        fc.record(
          {
            id,
            time: seconds,
            category: fc.constantFrom(...memoryCategories),
            words: fc
              .oneof(
                fc.string({ unit: 'grapheme', maxLength: 300 }),
                fc.constantFrom('fact: said', 'x [memory: y]', 'x [memory: y] [source: z]', '---', '## Memories', ''),
              )
              .map((text) => boxWords(text) || 'x'),
            source: fc.constant('raw/conversations/2026/02/16/1845-s-x.md#3'),
          },
          { requiredKeys: ['id', 'time', 'words', 'category'] },
        ),
        { selector: (one) => one.id, minLength: 1, maxLength: 5 },
      ),
      notes: fc.constantFrom('', 'A note.', '## More\n\n- a list'),
    },
    { requiredKeys: ['id', 'status', 'started', 'topics', 'memories', 'notes'] },
  )
  .map((box) => ({
    ...box,
    memories: [...box.memories].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1)),
  }));

describe('a box', () => {
  it('comes back as it was written, whatever its memories say', () => {
    fc.assert(
      fc.property(anyBox, (box) => {
        expect(parseBox(formatBox(box), 'boxes/x.md')).toEqual(box);
        expect(formatBox(parseBox(formatBox(box), 'boxes/x.md'))).toBe(formatBox(box));
      }),
    );
  });

  it('is a file that people can read', () => {
    const box: Box = {
      id: '4b0f7c21a9d83e56',
      status: 'sealed',
      started: Date.parse('2026-02-16T23:45:00Z'),
      sealed: Date.parse('2026-02-17T00:40:00Z'),
      reason: 'pause',
      traceId: '91c2',
      topics: ['billing', 'postgres'],
      memories: [
        {
          id: '0a1b',
          time: Date.parse('2026-02-16T23:45:00Z'),
          category: 'decision',
          words: 'We use Postgres.',
          source: 'raw/conversations/2026/02/16/2345-s-x.md#3',
        },
      ],
      notes: '',
    };
    expect(formatBox(box)).toBe(
      '---\ntype: box\nid: 4b0f7c21a9d83e56\nstatus: sealed\ntrace_id: 91c2\ntopics: [billing, postgres]\nstarted: 2026-02-16T23:45:00Z\n' +
        'sealed: 2026-02-17T00:40:00Z\nreason: pause\n---\n\n# Billing, postgres\n\n## Memories\n\n' +
        '- 2026-02-16 23:45:00 decision: We use Postgres. [memory: 0a1b] [source: raw/conversations/2026/02/16/2345-s-x.md#3]\n',
    );
    expect(boxPath(box, 'UTC')).toBe('boxes/2026-02-16/box-4b0f7c21a9d83e56.md');
    expect(boxPath(box, 'Europe/Berlin')).toBe('boxes/2026-02-17/box-4b0f7c21a9d83e56.md');
  });

  it('that is none is an error which names the file', () => {
    for (const text of [
      '',
      '# Notes',
      '---\ntype: box\n---\n',
      '---\ntype: box\nid: a\n---\n',
      '---\ntype: box\nid: ../a\n---\n',
    ])
      expect(() => parseBox(text, 'boxes/x.md')).toThrow(
        expect.objectContaining({ code: 'INVALID_RECORD', where: 'boxes/x.md' }),
      );
  });
});
