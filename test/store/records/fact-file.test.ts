// Fact files: read as they are found, and every record comes back from one.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factPath, formatFact, parseFact } from '../../../src/store/records/fact-file.ts';
import { formatMemory, newMemory } from '../../../src/store/records/memory-record.ts';
import { anyMemory } from './arbitraries.ts';

const file = `---
id: decision-1739548800000-a1b2
category: decision
created: 2025-02-14T16:00:00.000Z
updated: 2025-02-15T16:00:00.000Z
source: extraction
confidence: 0.92
confidenceTier: implied
tags: ["train", "travel"]
entityRef: project-atlas
supersedes: decision-1739000000000-ffff
status: superseded
supersededBy: decision-1739600000000-bbbb
accessCount: 3
importanceScore: 0.7
importanceLevel: high
lineage: ["a", "b"]
---

We take the train.

---
id: not front matter any more
---
`;

describe('a fact file', () => {
  it('becomes a record, and what the record has no field for stays in meta.extra', () => {
    const { record, unreadable } = parseFact(file, 'facts/2025-02-14/decision-1739548800000-a1b2.md');
    expect(unreadable).toEqual([]);
    expect(record).toMatchObject({
      id: 'decision-1739548800000-a1b2',
      category: 'decision',
      content: 'We take the train.\n\n---\nid: not front matter any more\n---',
      createdAt: 1_739_548_800,
      lastUsed: 1_739_635_200,
      useCount: 3,
      confidence: 0.92,
      confidenceTier: 'implied',
      importance: 0.7,
      status: 'superseded',
      replacedBy: 'decision-1739600000000-bbbb',
      entities: ['project-atlas'],
      meta: { tags: ['train', 'travel'], source: 'extraction' },
    });
    expect(record.meta.extra).toMatchObject({
      supersedes: 'decision-1739000000000-ffff',
      importanceLevel: 'high',
      lineage: ['a', 'b'],
    });
    expect(factPath(record)).toBe('facts/2025-02-14/decision-1739548800000-a1b2.md');
  });

  it('is read line by line where its front matter is no YAML', () => {
    const { record } = parseFact(
      '---\ncategory: preference\nsource: chat: with "Ada": and more\ntags: ["a", "b\ncreated: 2025-02-14T16:00:00Z\n---\n\nTea.\n',
      'facts/2025-02-14/preference-1739548800000-cc.md',
    );
    expect(record).toMatchObject({ id: 'preference-1739548800000-cc', category: 'preference', content: 'Tea.' });
    expect(record.meta.source).toBe('chat: with "Ada": and more');
  });

  it('keeps a category of its own and a value that cannot be read', () => {
    const { record, unreadable } = parseFact(
      '---\nid: x\ncategory: rumour\nconfidence: certain\n---\n\nIt rains.\n',
      'facts/2025-02-14/x.md',
    );
    expect(record.category).toBeUndefined();
    expect(record.meta.extra).toMatchObject({ category: 'rumour', unreadable: { confidence: 'certain' } });
    expect(unreadable).toEqual(['confidence']);
  });

  it('is refused without front matter', () => {
    expect(() => parseFact('just text\n', 'facts/a.md')).toThrow(/no front matter/);
  });

  it('has a path of its category, time and id', () => {
    const now = Date.parse('2026-02-16T10:00:00Z');
    expect(factPath(newMemory({ id: 'a', content: 'x', now }))).toMatch(
      /^facts\/2026-02-16\/fact-1771236000000-\w{8}\.md$/,
    );
    const correction = newMemory({ id: 'a', content: 'x', now, category: 'correction' });
    expect(factPath(correction)).toMatch(/^corrections\/correction-1771236000000-\w{8}\.md$/);
  });

  it('gives every record back', () => {
    fc.assert(
      fc.property(anyMemory, (record) => {
        const { record: back, unreadable } = parseFact(formatFact(record), factPath(record));
        expect(unreadable).toEqual([]);
        expect(formatMemory(back)).toBe(formatMemory(record));
      }),
    );
  });
});
