// The recall pack: what is on it, in which order, why; and that it is always short and always the same.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes, type LedgerEvent, priorities } from '../../../src/base/types/ledger-types.ts';
import type { MemoryRecord } from '../../../src/base/types/stored-types.ts';
import type { PackInput } from '../../../src/core/context/pack/candidates.ts';
import { conflictsAmong, toldConflicts } from '../../../src/core/context/pack/conflicts.ts';
import { buildPack } from '../../../src/core/context/pack/recall-pack.ts';
import { countWords, packSections } from '../../../src/core/context/pack/sections.ts';
import { parseConfiguration } from '../../../src/store/records/configuration.ts';
import { readKnowledgeEntry } from '../../../src/store/records/knowledge-facts.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';
import { event, ledgerOf } from '../../logs/ledgers.ts';

const day = '2026-03-01';
const configurationOf = (yaml: string) => parseConfiguration(yaml, 'memory.yaml').configuration;

function packOf(events: readonly LedgerEvent[], more: Partial<PackInput> = {}, yaml = '') {
  return buildPack({
    day,
    events: ledgerOf(events).events,
    archived: [],
    knowledge: [],
    conflicts: [],
    problems: [],
    configuration: configurationOf(yaml),
    ...more,
  });
}

function section(pack: ReturnType<typeof packOf>, name: string): string[] {
  return pack.lines.filter((line) => line.section === name).map(({ text }) => text);
}

const promise = (on: string, number: number, more: Partial<LedgerEvent> = {}) =>
  event(on, number, { type: 'commitment', status: 'open', ...more });

const long = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

describe('the recall pack', () => {
  it('has all sections in one order, empty ones too', () => {
    const { text, words } = packOf([]);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(
      packSections.map(({ heading }) => heading),
    );
    expect(text.startsWith('# Recall Pack — 2026-03-01\n')).toBe(true);
    expect(words).toBe(countWords(text));
  });

  it('takes constraints always, what expired or was superseded never, and tells why for each line', () => {
    const pack = packOf(
      [
        event('2020-01-01', 1, { priority: 'P0', type: 'constraint', content: 'No budget for tools' }),
        event('2026-02-27', 1, { priority: 'P3', content: 'Fresh trifle' }),
        event('2026-01-20', 1, { priority: 'P3', content: 'Stale trifle' }),
        event('2025-11-01', 1, { priority: 'P2', type: 'decision', content: 'Old news' }),
        event('2025-06-01', 1, { priority: 'P1', type: 'decision', content: 'Old and important' }),
        event('2026-02-20', 1, { type: 'decision', content: 'Move to Porto' }),
        event('2026-02-28', 1, { type: 'decision', content: 'Move to Braga', supersedes: 'EVT-20260220-001' }),
      ],
      {},
      'pack: { mantra: Be kind. }',
    );
    expect(section(pack, 'p0')).toEqual(['[P0] No budget for tools EVT-20200101-001']);
    expect(section(pack, 'mantra')).toEqual(['Be kind.']);
    expect(section(pack, 'context')).toEqual([
      '[P2] Move to Braga (decision, 2026-02-28) EVT-20260228-001',
      '[P3] Fresh trifle (fact, 2026-02-27) EVT-20260227-001',
      '[P1] Old and important (decision, 2025-06-01) EVT-20250601-001',
    ]);
    expect(pack.lines.every(({ why }) => why.length > 5)).toBe(true);
    expect(pack.lines.find(({ text }) => text.includes('Braga'))).toMatchObject({
      why: 'of the last 48 hours',
      events: ['EVT-20260228-001'],
    });
  });

  it('orders commitments by age, focus by day and priority, and sets apart what others owe', () => {
    const pack = packOf([
      promise('2026-01-01', 1, { content: 'oldest', priority: 'P3' }),
      promise('2026-01-02', 1, { content: 'left', due: '2026-01-20' }),
      promise('2026-02-01', 1, { content: 'late', due: '2026-02-20', priority: 'P1' }),
      promise('2026-02-02', 1, { content: 'today', due: day }),
      promise('2026-02-03', 1, { content: 'theirs', tags: ['waiting'], due: '2026-02-10' }),
      promise('2026-02-04', 1, { content: 'important', priority: 'P1' }),
      promise('2026-02-05', 1, { content: 'done' }),
      promise('2026-02-06', 1, { content: 'kept', status: 'closed', related: ['EVT-20260205-001'] }),
    ]);
    expect(section(pack, 'commitments').map((text) => text.split(' ')[1])).toEqual([
      'oldest',
      'left',
      'late',
      'today',
      'theirs',
      'important',
    ]);
    expect(section(pack, 'commitments')[2]).toBe(
      '[P1] late (open, 28 days, past due since 2026-02-20: done, moved or dropped?) EVT-20260201-001',
    );
    expect(section(pack, 'waiting')).toEqual(['[P2] theirs (26 days) EVT-20260203-001']);
    expect(section(pack, 'focus')).toEqual([
      '[P1] late (past due since 2026-02-20) EVT-20260201-001',
      '[P2] today (due today) EVT-20260202-001',
      '[P1] important (open, without a day) EVT-20260204-001',
      '[P3] oldest (open, without a day) EVT-20260101-001',
      '[P2] left (past due since 2026-01-20) EVT-20260102-001',
    ]);
    expect(pack.text).not.toContain('kept');
  });

  it.each([
    ['Vera', 'vera', 'Vera: I will ring Ada back (open, 1 day)'],
    ['the assistant', 'ada', 'the assistant: I will ring Ada back (open, 1 day)'],
    ['the assistant', 'boiler_room', 'the assistant: I will ring Ada back (open, 1 day, about boiler room)'],
    [undefined, 'boiler_room', 'boiler room: I will ring Ada back (open, 1 day)'],
  ])('shows a promise of %s about %s with who said it', (speaker, entity, words) => {
    const events = [promise('2026-02-28', 1, { content: 'I will ring Ada back', entity })];
    const pack = packOf(events, speaker === undefined ? {} : { speakerOf: () => speaker });
    expect(section(pack, 'commitments')).toEqual([`[P2] ${words} EVT-20260228-001`]);
    expect(section(pack, 'focus')[0]).toContain(words.slice(0, words.indexOf(' (')));
  });

  it('flags facts that nobody confirmed lately, drops them later, and keeps those about what matters today', () => {
    const entity = (name: string, facts: string) =>
      readKnowledgeEntry(
        `knowledge/entities/${name}.md`,
        `# ${name}\n*Type: company*\n\n## Key Facts\n${facts}\n\n## Relationships\n- belongs to Rui [verified: 2020-01-01]\n`,
      )!;
    const facts =
      '- fresh [source: x] [verified: 2026-02-20]\n- aging [verified: 2026-01-15]\n- stale [verified: 2025-12-01]';
    const pack = packOf([promise('2026-02-28', 1, { entity: 'client_x' })], {
      knowledge: [entity('client-x', facts), entity('other', facts)],
    });
    expect(section(pack, 'context')).toEqual([
      'client x: fresh (verified 2026-02-20)',
      '⚠️ STALE client x: aging (verified 2026-01-15)',
      '⚠️ STALE client x: stale (verified 2025-12-01)',
      'client x: belongs to Rui (verified 2020-01-01)',
      'other: fresh (verified 2026-02-20)',
      '⚠️ STALE other: aging (verified 2026-01-15)',
      'other: belongs to Rui (verified 2020-01-01)',
    ]);
  });

  it('shows a quote behind its own day and speaker, of whomever the file is, and ages it from that day', () => {
    const facts = [
      '- 2026-02-25 Ines: The oven is sold.',
      '- 2026-02-24 Ines: We keep the old till. [verified: 2026-02-26]',
      '- 2026-01-15 Ines: The cellar is dry.',
      '- The attic is damp.',
      '- 2026-02-20 Ines: I cannot sing on Sunday, my voice is gone. [due: 2026-02-22]',
      '- 2026-02-26 Ines: I cannot sing on Sunday, my throat is sore. [due: 2026-03-01]',
    ];
    const rui = readKnowledgeEntry('knowledge/people/rui.md', `# Rui\n\n## Key Facts\n${facts.join('\n')}\n`)!;
    const pack = packOf([promise('2026-02-28', 1, { entity: 'rui' })], { knowledge: [rui] });
    expect(section(pack, 'context')).toEqual([
      '2026-02-24 Ines: We keep the old till. (verified 2026-02-26)',
      '2026-02-26 Ines: I cannot sing on Sunday, my throat is sore.',
      '2026-02-25 Ines: The oven is sold.',
      '⚠️ STALE 2026-01-15 Ines: The cellar is dry.',
      '⚠️ STALE rui: The attic is damp. (never verified)',
    ]);
  });

  it('shows what two pages quote of one memory once', () => {
    const line = `- 2026-02-25 Ines: The oven is sold. [memory: ${'a1'.repeat(16)}]\n`;
    const pages = ['people/ines', 'people/rui'].map(
      (name) => readKnowledgeEntry(`knowledge/${name}.md`, `# ${name}\n\n## Key Facts\n${line}`)!,
    );
    const pack = packOf([], { knowledge: pages });
    expect(section(pack, 'context')).toEqual(['2026-02-25 Ines: The oven is sold.']);
  });

  it('shows open commitments whatever day they name: no wording ends one', () => {
    const pack = packOf([
      promise('2026-02-01', 1, { content: 'Dentist appointment on 2026-02-09', due: '2026-02-09', entity: 'ada' }),
    ]);
    expect(section(pack, 'commitments')).toEqual([
      '[P2] ada: Dentist appointment on 2026-02-09 (open, 28 days, past due since 2026-02-09: done, moved or dropped?) EVT-20260201-001',
    ]);
  });

  const claim = (id: string, on: string, content: string, more: Partial<MemoryRecord> = {}): MemoryRecord => ({
    ...newMemory({ id, content, now: Date.parse(`${on}T09:00:00Z`), subject: 'Ada', attribute: 'birthday' }),
    ...more,
  });
  const conflictsOf = (memories: readonly MemoryRecord[], contradicting: [string, string][] = []) =>
    conflictsAmong(
      {
        memories: memories.map((record) => ({ record })),
        relations: contradicting.map(([fromMemoryId, toMemoryId]) => ({
          record: { relationType: 'contradicts', fromMemoryId, toMemoryId },
        })),
      },
      Date.parse(`${day}T23:59:59Z`) / 1000,
    );

  it('shows the newest of two open claims of one attribute against the second newest, and no event that says the same', () => {
    const conflicts = conflictsOf([
      claim('m1', '2026-01-01', 'It is in March'),
      claim('m2', '2026-02-01', 'It is in May'),
      claim('m3', '2026-02-20', 'It is in June', { subject: 'ADA' }),
      claim('m4', '2026-02-21', 'It is in June.'),
      claim('m5', '2026-02-22', 'It is in July', { status: 'superseded', replacedBy: 'm4' }),
      claim('m6', '2026-02-23', 'It is in August', { validUntil: Date.parse('2026-02-24') / 1000 }),
      claim('m7', '2026-02-24', 'She is here until May', { attribute: 'stay' }),
    ]);
    const known = readKnowledgeEntry(
      'knowledge/people/ada.md',
      '# Ada\n\n## Key Facts\n- It is in May [verified: 2026-02-28] [memory: m2]\n',
    )!;
    const pack = packOf([event('2026-02-21', 1, { content: 'It is in June.', memory: 'm4' })], {
      knowledge: [known],
      conflicts,
    });
    expect(section(pack, 'context')).toEqual([
      '⚠️ CONFLICT: m4 says "It is in June.", m2 says "It is in May" — needs resolution',
    ]);
    expect(pack.lines.at(-1)).toMatchObject({ events: ['EVT-20260221-001'] });
  });

  it('takes a pair that somebody said to contradict while both are open, and nothing that only sounds so', () => {
    const both = ['8080', '9090'].map((port, at) => {
      const { subject: _, attribute: __, ...record } = claim(`p${at}`, '2026-02-01', `The API listens on port ${port}`);
      return record;
    });
    expect(conflictsOf(both)).toEqual([]);
    expect(conflictsOf(both, [['p0', 'p1']]).map(({ sides }) => sides.map(({ id }) => id))).toEqual([['p1', 'p0']]);
    expect(conflictsOf([both[0]!, { ...both[1]!, status: 'archived' }], [['p0', 'p1']])).toEqual([]);
    const events = ['11 May', '12 March'].map((on, at) =>
      event('2026-02-27', at + 1, { entity: 'ada', content: `Ada's birthday is ${on}` }),
    );
    expect(packOf(events).text).not.toContain('CONFLICT');
  });

  it('has at most a third of the context for conflicts, but for the newest three, and counts the others', () => {
    const conflicts = conflictsOf(
      Array.from({ length: 40 }, (_, at) =>
        claim(`m${at}`, '2026-02-01', `It is on day ${at}`, { subject: `Person ${at % 20}` }),
      ),
    );
    expect(conflicts).toHaveLength(20);
    for (const lines of [0, 3, 12, 300]) {
      const facts = Array.from({ length: lines }, (_, at) => event('2026-02-28', at + 1, { content: long(9) }));
      const shown = section(packOf(facts, { conflicts }), 'context');
      const flagged = shown.filter((text) => text.includes('CONFLICT'));
      expect(flagged.length).toBeGreaterThanOrEqual(3);
      if (lines < 4) expect(shown.at(-1)).toBe('⚠️ … 17 more conflicts');
      else {
        expect(flagged.length * 3).toBeLessThanOrEqual(shown.length);
        expect(countWords(flagged.join(' ')) * 3).toBeLessThanOrEqual(countWords(shown.join(' ')));
      }
    }
  });

  it('has what came of a promise beside it, what may be its end, and calls it overdue on two mornings alone', () => {
    const opened = { content: 'Send the twelve plates of the lighthouse to the printer in Faro', due: '2026-02-10' };
    const events = [
      promise('2026-02-01', 1, opened),
      promise('2026-02-05', 1, { content: 'Six are drawn', related: ['EVT-20260201-001'] }),
      event('2026-02-13', 1, {
        content: 'Here are the plates',
        tags: ['proposal'],
        related: ['EVT-20260201-001'],
      }),
    ];
    const lineOn = (on: string) =>
      section(
        packOf(
          events.filter(({ ts }) => ts.slice(0, 10) <= on),
          { day: on },
        ),
        'commitments',
      )[0]!;
    expect(
      ['2026-02-10', '2026-02-11', '2026-02-12', '2026-02-13'].map(
        (on) => lineOn(on).match(/(past |over)?due [^;]*/)![0],
      ),
    ).toEqual([
      'due today',
      'overdue since 2026-02-10',
      'overdue since 2026-02-10',
      'past due since 2026-02-10: done, moved or dropped?',
    ]);
    const asked =
      '; updated 2026-02-05: "Six are drawn"; said 2026-02-13: "Here are the plates" EVT-20260213-001 — done?)';
    expect(lineOn('2026-02-13')).toContain(asked);
    const pack = packOf(events, { day: '2026-02-09' });
    expect(section(pack, 'focus')).toEqual([
      '[P2] Send the twelve plates of the lighthouse … (the next to be due, 2026-02-10) EVT-20260201-001',
    ]);
  });

  it('keeps who somebody is and what limits them, asks of what may replace something, and tells accounts apart', () => {
    const events = [
      event('2025-03-01', 1, { priority: 'P1', content: 'Ines was born on 4 May 1980', tags: ['identity'] }),
      event('2025-03-01', 2, { priority: 'P1', content: 'The depot has 14 gates' }),
      event('2025-03-02', 1, { priority: 'P1', type: 'constraint', content: 'Nothing above 200 euros' }),
      event('2026-02-10', 1, { content: 'harbour portal: 77-1043', tags: ['account'] }),
      event('2026-02-28', 1, { content: 'It has 15 gates', tags: ['proposal'], related: ['EVT-20250301-002'] }),
      event('2026-02-27', 1, { content: 'Low tide is at six', entity: 'tide' }),
      event('2026-02-27', 2, {
        content: 'Low tide is at seven',
        entity: 'tide',
        tags: ['conflict'],
        related: ['EVT-20260227-001'],
      }),
    ];
    const pack = packOf(events, { conflicts: toldConflicts(ledgerOf(events).events) });
    expect(section(pack, 'accounts')).toEqual(['[P2] harbour portal: 77-1043 EVT-20260210-001']);
    expect(section(pack, 'context')).toEqual([
      '[P2] It has 15 gates (fact, 2026-02-28; said beside EVT-20250301-002: does it replace it?) EVT-20260228-001',
      '[P1] Nothing above 200 euros (constraint, 2025-03-02) EVT-20250302-001',
      '[P1] Ines was born on 4 May 1980 (fact, 2025-03-01) EVT-20250301-001',
      '⚠️ CONFLICT: EVT-20260227-002 says "Low tide is at seven", EVT-20260227-001 says "Low tide is at six" — needs resolution',
    ]);
    const many = Array.from({ length: 151 }, (_, at) => event('2026-02-01', at + 1, { priority: 'P1' }));
    expect(section(packOf(many), 'context')[0]).toContain('⚠️ LEDGER: 151 events of P0 and P1 hold, more than 150');
    expect(section(packOf(many.slice(1)), 'context')[0]).not.toContain('LEDGER');
  });

  it('lists procedures and accounts of the knowledge base, and what is wrong with the ledger first', () => {
    const knowledge = [
      readKnowledgeEntry(
        'knowledge/entities/shop.md',
        '# Shop\n*Type: account*\n\n## Key Facts\n- Store id: 4711 [verified: 2026-01-01]\n- It is slow on Mondays\n',
      )!,
      readKnowledgeEntry(
        'knowledge/procedures/release.md',
        '# Procedure: Release\n\n## When to Use\nBefore each Tuesday.\n',
      )!,
    ];
    const pack = packOf([event(day, 1, { type: 'procedure', content: 'Ring twice' })], {
      knowledge,
      problems: ['a.jsonl:3 is not valid JSON'],
    });
    expect(section(pack, 'accounts')).toEqual(['Shop · Store id: 4711']);
    expect(section(pack, 'procedures')).toEqual([
      '[P2] Ring twice EVT-20260301-001',
      'Release: Before each Tuesday. (knowledge/procedures/release.md)',
    ]);
    expect(section(pack, 'context')[0]).toBe('⚠️ INTEGRITY: a.jsonl:3 is not valid JSON');
  });

  it('lets constraints borrow from the buffer and the last sections, but never the three oldest commitments', () => {
    const promises = Array.from({ length: 20 }, (_, at) => promise('2026-02-01', at + 1, { content: long(50) }));
    const facts = Array.from({ length: 40 }, (_, at) => event('2026-02-28', at + 1, { content: long(40) }));
    const rules = Array.from({ length: 26 }, (_, at) =>
      event('2025-01-01', at + 1, { priority: 'P0', content: long(95) }),
    );
    const pack = packOf([...promises, ...facts, ...rules]);
    expect(pack).toMatchObject({ ok: true });
    expect(pack.words).toBeLessThan(3000);
    expect(section(pack, 'p0')).toHaveLength(26);
    expect(
      section(pack, 'commitments')
        .slice(0, 3)
        .map((text) => text.slice(-16)),
    ).toEqual(['EVT-20260201-001', 'EVT-20260201-002', 'EVT-20260201-003']);
    expect(pack.text).toMatch(/^- … 1\d more: 1\d without a day; they stand in the ledger$/m);
    expect(section(pack, 'context')).toEqual([]);
    expect(pack.text).toContain('- … 40 more');
  });

  it('is nothing but constraints when these alone are too long, and says so', () => {
    const rules = Array.from({ length: 60 }, (_, at) =>
      event('2025-01-01', at + 1, { priority: 'P0', content: long(95) }),
    );
    const pack = packOf([...rules, promise(day, 1)]);
    expect(pack.ok).toBe(false);
    expect(pack.words).toBeLessThan(3000);
    for (const { id } of rules) expect(pack.text).toContain(id);
    expect(pack.text).not.toContain('COMMITMENTS');
  });

  it('is below its number of words whatever the ledger holds, and the same each time', () => {
    const any = fc.record({
      day: fc
        .integer({ min: 0, max: 120 })
        .map((back) => new Date(Date.UTC(2026, 2, 1 - back)).toISOString().slice(0, 10)),
      type: fc.constantFrom(...eventTypes),
      priority: fc.constantFrom(...priorities),
      words: fc.integer({ min: 1, max: 300 }),
      due: fc.option(fc.constantFrom('2026-02-01', '2026-03-05'), { nil: undefined }),
      tags: fc.option(fc.constant(['waiting']), { nil: undefined }),
      entity: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 80 }), fc.integer({ min: 300, max: 3000 }), (drafts, maxWords) => {
        const numbers = new Map<string, number>();
        const events = drafts.map(({ day: on, words, ...fields }) => {
          const number = (numbers.get(on) ?? 0) + 1;
          numbers.set(on, number);
          const { due, tags, entity, type, priority } = fields;
          return event(on, number, {
            ...{ type, priority, content: long(words) },
            ...(due === undefined ? {} : { due }),
            ...(tags === undefined ? {} : { tags }),
            ...(entity === undefined ? {} : { entity }),
          });
        });
        const pack = packOf(events, {}, `pack: { max_words: ${maxWords} }`);
        expect(countWords(pack.text)).toBeLessThan(maxWords);
        expect(packOf([...events], {}, `pack: { max_words: ${maxWords} }`)).toEqual(pack);
      }),
      { numRuns: 60 },
    );
  });
});
