import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/base/types/stored-types.ts';
import type { AnsweredItem } from '../../../../src/core/extract/model/answer.ts';
import { namesThere, ungrounded } from '../../../../src/core/extract/model/grounding.ts';

const time = Date.parse('2026-11-02T09:00:00Z');
const turns = [
  'Shall we take Postgres 16 for the ledger? Ada wants it by Friday.',
  'Yes, that one. I will migrate the 3 tables.',
  'What about the search index?',
  'It stays on MiniSearch.',
];
const transcript: Transcript = {
  sessionId: 's',
  started: time,
  title: 'T',
  turns: turns.map((text, at) => ({
    role: at % 2 === 0 ? 'user' : 'agent',
    time,
    text,
    ...(at === 1 ? { speaker: 'Bob' } : {}),
  })),
};
const ground = { transcript, first: 1, last: 4, timeZone: 'UTC' };
const itemOf = (content: string, turn: number, more: Partial<AnsweredItem> = {}): AnsweredItem => ({
  category: 'fact',
  content,
  turns: [turn],
  confidence: 0.9,
  entities: [],
  replaces: [],
  tags: [],
  ...more,
});
const why = (content: string, turn: number, more: Partial<AnsweredItem> = {}) =>
  ungrounded(itemOf(content, turn, more), ground);

describe('the ground of an item', () => {
  it('is what its turn says, with what was said just before it', () => {
    expect(why('The ledger takes Postgres 16', 1)).toBeUndefined();
    expect(why('Bob will migrate the 3 tables of the Postgres ledger', 2)).toBeUndefined();
    expect(why('The search index stays on MiniSearch', 4)).toBeUndefined();
    expect(why('Ada wants it by Friday, 2026-11-06', 1, { due: '2026-11-06' })).toBeUndefined();
  });

  it('is a short answer that a claim joins with its question', () => {
    const asked = ['Who feeds the hens when you are at sea?', 'Jorun does.', 'The hens lay blue eggs.'];
    const talk = { ...transcript, turns: asked.map((text) => ({ role: 'user', time, text })) };
    const of = (content: string, turn: number) => ungrounded(itemOf(content, turn), { ...ground, transcript: talk });
    expect(of('Jorun feeds the hens while the user is at sea', 2)).toBeUndefined();
    expect(of('Ottar feeds the hens while the user is at sea', 2)).toContain('does not say it');
    expect(of('The user is at sea, and somebody feeds hens', 3)).toBeDefined();
  });

  it('is also what the claims say that it replaces, but only in its own turn', () => {
    const replaced = ['The ferry to Hinnøya leaves at noon from the northern quay'];
    const talk = {
      ...transcript,
      turns: [{ role: 'user', time, text: 'It goes at dawn these days, from the southern one.' }],
    };
    const of = (content: string, more: { replaced?: string[] }) =>
      ungrounded(itemOf(content, 1), { ...ground, transcript: talk, ...more });
    const moved = 'The ferry to Hinnøya goes at dawn from the southern quay';
    expect(of(moved, { replaced })).toBeUndefined();
    expect(of(moved, {})).toContain('too little');
    expect(of('The ferry to Hinnøya leaves from the northern quay', { replaced })).toContain('does not say it');
  });

  it('is missing where the turn is missing, was not shown, or says something else', () => {
    expect(why('The ledger takes Postgres 16', 9)).toContain('no turn 9');
    expect(ungrounded(itemOf('The ledger takes Postgres 16', 1), { ...ground, first: 3 })).toContain('not to be read');
    expect(why('The ledger takes Postgres 16', 4)).toContain('does not say it');
    expect(why('Postgres replicates every table to Oregon nightly through kafka', 1)).toBeDefined();
    expect(why('the of and', 1)).toContain('nothing');
  });

  it('is missing for numbers and days that nobody named', () => {
    expect(why('The ledger takes Postgres 17', 1)).toContain('17');
    expect(why('Bob will migrate the 30 tables', 2)).toContain('30');
    expect(why('Ada wants it by Friday', 1, { due: '2026-11-13' })).toContain('2026-11-13');
  });

  it('keeps names that stand there, or speak there', () => {
    const item = itemOf('Bob will migrate it', 2, { entities: ['bob', 'Postgres', 'Oracle', 'MiniSearch'] });
    expect(namesThere(item, transcript)).toEqual(['bob', 'Postgres']);
  });
});
