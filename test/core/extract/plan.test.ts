import { describe, expect, it } from 'vitest';
import type { MemoryRecord, Transcript } from '../../../src/base/types/stored-types.ts';
import type { ExtractedItem } from '../../../src/core/extract/extractor.ts';
import { extractedId, planExtraction } from '../../../src/core/extract/plan.ts';
import { ruleExtractor } from '../../../src/core/extract/rules.ts';
import { formatMemory, memoryPath, newMemory, parseMemory } from '../../../src/store/records/memory-record.ts';

const said = Date.parse('2026-02-16T18:45:00Z');
const now = Date.parse('2026-03-01T00:00:00Z');
const path = 'raw/conversations/2026/02/16/1845-s1-x.md';
const extractor = { name: 'rules', version: '1' };

const transcript: Transcript = {
  sessionId: 's1',
  started: said,
  ended: said + 120_000,
  topic: 'storage',
  tags: ['architecture'],
  title: 'Storage',
  turns: [
    { role: 'user', time: said, text: 'We decided to use Postgres.' },
    { role: 'agent', time: said + 60_000, text: 'Noted: we decided to use Postgres!' },
  ],
};

const item = (changes: Partial<ExtractedItem> = {}): ExtractedItem => ({
  category: 'decision',
  content: 'We decided to use Postgres.',
  confidence: 0.95,
  turns: [1],
  role: 'user',
  entities: ['Postgres'],
  tags: ['database'],
  ...changes,
});

const plan = (items: readonly ExtractedItem[], existing: readonly MemoryRecord[] = [], at = now, where = path) =>
  planExtraction({ path: where, transcript, items, extractor, existing, now: at });

describe('a new item', () => {
  const { created, updated, skipped } = plan([item({ due: '2026-02-20' })]);

  it('becomes a record with everything that follows from it', () => {
    expect([updated, skipped]).toEqual([[], []]);
    expect(created).toMatchObject([
      {
        id: extractedId(path, 1, extractor, 'We decided to use Postgres.'),
        content: 'We decided to use Postgres.',
        meta: { tags: ['database', 'architecture'], source: path, context: 'storage' },
        entities: ['Postgres'],
        createdAt: said / 1000,
        lastUsed: now / 1000,
        useCount: 0,
        status: 'active',
        category: 'decision',
        confidence: 0.95,
        confidenceTier: 'explicit',
        importance: 0.75,
        memoryKind: 'note',
        due: '2026-02-20',
        sources: [{ path, turn: 1, role: 'user' }],
      },
    ]);
    expect(created[0]!.id).toMatch(/^[0-9a-f]{32}$/);
    expect(created[0]!.expiresAt).toBeUndefined();
  });

  it('survives being written and read', () => {
    const [record] = created;
    expect(parseMemory(formatMemory(record!), memoryPath(record!.id))).toEqual(record);
  });

  it('has an id of its own for every conversation, turn, extractor and wording, and the same anywhere', () => {
    const ids = [
      extractedId(path, 1, extractor, 'a'),
      extractedId(`${path}x`, 1, extractor, 'a'),
      extractedId(path, 2, extractor, 'a'),
      extractedId(path, 1, { ...extractor, version: '2' }, 'a'),
      extractedId(path, 1, extractor, 'b'),
    ];
    expect(new Set(ids).size).toBe(5);
    expect(plan([item()], [], now + 5000).created[0]!.id).toBe(created[0]!.id);
  });

  it('expires when it is speculative', () => {
    const [record] = plan([item({ confidence: 0.3 })]).created;
    expect(record).toMatchObject({ confidenceTier: 'speculative', expiresAt: now / 1000 + 30 * 86_400 });
    expect(plan([item({ confidence: Number.NaN })]).created[0]).toMatchObject({ confidenceTier: 'speculative' });
  });

  it('is never used before it was made', () => {
    const [record] = plan([item()], [], said - 1_000_000).created;
    expect(record!.lastUsed).toBe(record!.createdAt);
  });
});

describe('what is known', () => {
  const [known] = plan([item()]).created as [MemoryRecord];

  it('is not created twice, from the same turn or another', () => {
    expect(plan([item()], [known])).toMatchObject({ created: [], updated: [], skipped: [{ why: /already/ }] });
    const again = plan([item({ content: 'we decided to use postgres', turns: [2], role: 'agent' })], [known]);
    expect(again.created).toEqual([]);
    expect(again.updated).toMatchObject([
      {
        before: known,
        after: {
          id: known.id,
          content: known.content,
          useCount: 1,
          lastUsed: now / 1000,
          sources: [{ turn: 1 }, { path, turn: 2, role: 'agent' }],
        },
      },
    ]);
    const third = plan([item({ content: 'we decided to use postgres', turns: [2] })], [again.updated[0]!.after]);
    expect(third).toMatchObject({ created: [], updated: [], skipped: [{}] });
  });

  it('is confirmed when it was speculative', () => {
    const [doubtful] = plan([item({ confidence: 0.2 })]).created as [MemoryRecord];
    const { updated } = plan([item({ confidence: 0.8 })], [doubtful], now, 'raw/conversations/2026/03/01/0000-s2-y.md');
    expect(updated[0]!.after).toMatchObject({ confidence: 0.8, confidenceTier: 'implied' });
    expect(updated[0]!.after.expiresAt).toBeUndefined();
    const again = plan([item({ confidence: 0.2 })], [doubtful], now, 'raw/other.md').updated[0]!.after;
    expect(again).toMatchObject({ confidence: 0.4, confidenceTier: 'inferred' });
  });

  it('stands in the way only while it is active: A, then B, then A again', () => {
    const superseded: MemoryRecord = { ...known, status: 'superseded', replacedBy: 'b' };
    expect(plan([item()], [superseded])).toMatchObject({ created: [], updated: [], skipped: [{ why: /superseded/ }] });
    expect(plan([item({ turns: [2] })], [superseded]).created).toHaveLength(1);
    const archived: MemoryRecord = { ...known, id: 'x', status: 'archived' };
    expect(plan([item()], [archived]).created).toHaveLength(1);
    const promoted: MemoryRecord = { ...known, id: 'x', status: 'promoted', sources: [] };
    expect(plan([item()], [promoted])).toMatchObject({ created: [], updated: [{ after: { id: 'x' } }] });
  });

  it('keeps what a person made of it', () => {
    const edited: MemoryRecord = { ...known, content: 'We decided to use Postgres 16.' };
    expect(plan([item()], [edited])).toMatchObject({ created: [], updated: [], skipped: [{ why: /edited/ }] });
  });

  it('is found in a remembered record as well, whatever the order of files', () => {
    const one = newMemory({ id: 'b', content: 'we decided to use postgres', now: said });
    const two = newMemory({ id: 'a', content: 'We decided to use Postgres', now: said });
    for (const existing of [
      [one, two],
      [two, one],
    ])
      expect(plan([item()], existing).updated[0]!.before.id).toBe('a');
  });
});

describe('items among themselves', () => {
  it('join when two turns say the same', () => {
    const { created } = plan([item(), item({ content: 'We decided to use Postgres!', turns: [2], role: 'agent' })]);
    expect(created).toMatchObject([
      {
        useCount: 0,
        sources: [
          { turn: 1, role: 'user' },
          { turn: 2, role: 'agent' },
        ],
      },
    ]);
  });

  it('of turns that are not there, or without words, are skipped', () => {
    expect(plan([item({ turns: [9] }), item({ content: '…' })])).toMatchObject({ created: [], skipped: [{}, {}] });
  });
});

describe('the rules and the plan together', () => {
  it('give nothing new the second time', () => {
    const items = ruleExtractor.extract(transcript, { path });
    expect(items).toHaveLength(1);
    const first = planExtraction({ path, transcript, items, extractor: ruleExtractor, existing: [], now });
    const second = planExtraction({
      path,
      transcript,
      items,
      extractor: ruleExtractor,
      existing: first.created,
      now: now + 1000,
    });
    expect(first.created).toHaveLength(1);
    expect([second.created, second.updated]).toEqual([[], []]);
  });
});

describe('what a new claim ends', () => {
  const office = { subject: 'the office', attribute: 'place' };
  const older = newMemory({ id: 'a', content: 'The office is in Oslo.', now: said - 60_000, ...office });
  const rome = (changes: Partial<ExtractedItem> = {}) => item({ content: 'The office is in Rome.', ...changes });

  it('is another value of the same subject and attribute, both given', () => {
    const { created, updated } = plan([rome(office)], [older]);
    expect(updated).toMatchObject([{ after: { id: 'a', status: 'superseded', replacedBy: created[0]!.id } }]);
    expect(plan([rome({ subject: 'the office' })], [older]).updated).toEqual([]);
    expect(plan([rome()], [older]).updated).toEqual([]);
  });

  it('is itself, where a later value is known already', () => {
    const later = { ...older, id: 'b', createdAt: said / 1000 + 3600 };
    const { created, updated } = plan([rome(office)], [later]);
    expect([created[0]!.replacedBy, updated]).toEqual(['b', []]);
  });

  it('is what its extractor names, and nothing that only sounds alike', () => {
    expect(plan([rome({ replaces: ['a'] })], [older]).updated).toHaveLength(1);
    const no = item({ content: 'The office is not in Oslo any more, but in Rome instead.' });
    expect(plan([no], [older]).updated).toEqual([]);
  });
});

describe('a turn that another version of the rules has read', () => {
  it('gives no second claim of the same words, cut otherwise', () => {
    const cut: MemoryRecord = {
      ...newMemory({ id: 'old', content: 'We decided to use Postgres', now: said }),
      sources: [{ path, turn: 1, role: 'user' }],
    };
    const whole = item({ content: 'So, we decided to use Postgres, and Ada reviews it.' });
    expect(plan([whole], [cut])).toMatchObject({ created: [], skipped: [{ why: /has it from this turn/ }] });
    expect(plan([{ ...whole, turns: [2] }], [cut]).created).toHaveLength(1);
  });
});
