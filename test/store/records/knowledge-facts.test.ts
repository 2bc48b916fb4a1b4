// What a knowledge file claims, line by line, how old it is, and the marks behind it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshnessOf } from '../../../src/store/records/freshness.ts';
import { parseKnowledgeEntry } from '../../../src/store/records/knowledge-facts.ts';
import { linksIn, verifiedOf, withVerified, wordsOfLine } from '../../../src/store/records/knowledge-marks.ts';

const rules = { freshDays: 30, staleDays: 60 };
const state = (verified: string | undefined, day: string, decays = true) =>
  freshnessOf({ decays, ...(verified === undefined ? {} : { verified }) }, day, rules).state;

describe('freshness', () => {
  it('is fresh below 30 days, aging up to 60, then stale; without a day it is undated', () => {
    expect(state('2026-01-01', '2026-01-30')).toBe('fresh');
    expect(state('2026-01-01', '2026-01-31')).toBe('aging');
    expect(state('2026-01-01', '2026-03-02')).toBe('aging');
    expect(state('2026-01-01', '2026-03-03')).toBe('stale');
    expect(state('2026-05-01', '2026-01-01')).toBe('fresh');
    expect(state(undefined, '2026-01-01')).toBe('undated');
    expect(state('2020-01-01', '2026-01-01', false)).toBe('lasting');
  });

  it('never becomes fresher as days pass', () => {
    const order = ['fresh', 'aging', 'stale'];
    const dayAfter = (days: number) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10);
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (one, more) => {
        const [before, after] = [one, one + more].map((days) => order.indexOf(state('2026-01-01', dayAfter(days))));
        expect(after).toBeGreaterThanOrEqual(before!);
      }),
    );
  });
});

describe('facts of a file', () => {
  it('are items below headings that claim something, or with a day, each with its line', () => {
    const text = [
      '---',
      'type: company',
      '---',
      '',
      '# Acme Corp',
      '',
      '- loose remark',
      '',
      '## Key Facts',
      '',
      '- Has 40 people [source: EVT-20260101-001] [verified: 2026-01-01]',
      '- 2026-01-02 Odile: We sell [[anvil|anvils]] [memory: a]',
      '```',
      '- no fact',
      '```',
      '## Relationships',
      '- Related to: [[jonas]] — supplier',
      '## History',
      '- 2020: founded',
      '- Moved to Porto [verified: 2025-12-01]',
    ].join('\n');
    const { facts, type } = parseKnowledgeEntry('knowledge/entities/acme-corp.md', text);
    expect(type).toBe('company');
    expect(facts.map(({ line, text: words, decays, verified }) => [line, words, decays, verified])).toEqual([
      [11, 'Has 40 people', true, '2026-01-01'],
      [12, '2026-01-02 Odile: We sell anvils', true, '2026-01-02'],
      [17, 'Related to: jonas — supplier', false, undefined],
      [20, 'Moved to Porto', true, '2025-12-01'],
    ]);
    expect(facts[0]).toMatchObject({ entity: 'acme_corp', sources: ['EVT-20260101-001'] });
  });

  it('do not age in folders of rules, procedures and people’s own words', () => {
    for (const folder of ['identity', 'principles', 'procedures', 'insights', 'journal']) {
      const { facts } = parseKnowledgeEntry(`knowledge/${folder}/x.md`, '# X\n\n- Old [verified: 2020-01-01]\n');
      expect(facts.map(({ decays }) => decays)).toEqual([false]);
    }
    expect(parseKnowledgeEntry('knowledge/consolidation-reports/x.md', '- x [verified: 2020-01-01]\n').facts).toEqual(
      [],
    );
  });
});

describe('marks', () => {
  it('renew a day and leave every other byte, whatever the line is', () => {
    expect(withVerified('- Lives in Rome', '2026-02-16')).toBe('- Lives in Rome [verified: 2026-02-16]');
    expect(withVerified('- Rome [verified: 2026-01-01] [memory: a1]\r', '2026-02-16')).toBe(
      '- Rome [verified: 2026-02-16] [memory: a1]\r',
    );
    expect(withVerified('- Rome [memory: a1]', '2026-02-16')).toBe('- Rome [verified: 2026-02-16] [memory: a1]');
    expect(withVerified('- Rome [verified: 2026-03-01]', '2026-02-16')).toBe('- Rome [verified: 2026-03-01]');
    expect(withVerified('- Rome [verified: soon]', '2026-02-16')).toBe('- Rome [verified: 2026-02-16]');
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replaceAll('\n', ' ')),
        (words) => {
          const once = withVerified(`- ${words}`, '2026-02-16');
          expect(withVerified(once, '2026-02-16')).toBe(once);
          expect(withVerified(once, '2025-01-01')).toBe(once);
        },
      ),
    );
  });

  it('are no words, nor are links', () => {
    expect(wordsOfLine('Ask [[jonas|Jonas]] of [[Acme]] [source: a#1] [verified: 2026-01-01]')).toBe(
      'Ask Jonas of Acme',
    );
    expect(linksIn('[[people/ada#Work|Ada]] and [[bob]]')).toEqual([
      { target: 'people/ada', shown: 'Ada' },
      { target: 'bob', shown: 'bob' },
    ]);
    expect(verifiedOf('- x [verified: 2026-02-31]')).toBeUndefined();
  });
});
