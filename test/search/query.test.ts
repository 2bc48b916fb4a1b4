import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import { holdsPhrase, parseQuery } from '../../src/search/query.ts';

const parse = (query: string, timeZone = 'UTC') => parseQuery(query, timeZone);

describe('parseQuery', () => {
  it('takes words, phrases and filters apart', () => {
    expect(parse('exact:"power down" tag:eps "battery" category:decision entity:"Jack Lousma" session:ses_1')).toEqual({
      text: 'power down battery',
      phrases: ['power down'],
      filters: {
        categories: ['decision'],
        tags: ['eps'],
        entities: ['Jack Lousma'],
        sessions: ['ses_1'],
        speakers: [],
        languages: [],
      },
    });
  });

  it('reads years, months, days and moments; before ends ahead of them, after begins with them', () => {
    const day = Date.parse('1970-04-13T00:00:00Z');
    expect(parse('x before:1970-04-13').filters.until).toBe(day - 1);
    expect(parse('x after:1970-04-13').filters.since).toBe(day);
    expect(parse('x until:1970-04-13').filters.until).toBe(day + 86_400_000 - 1);
    expect(parse('x since:1970').filters.since).toBe(0);
    expect(parse('x until:1970').filters.until).toBe(Date.parse('1971-01-01T00:00:00Z') - 1);
    expect(parse('x until:2024-02').filters.until).toBe(Date.parse('2024-03-01T00:00:00Z') - 1);
    expect(parse('x before:1970-04-13T03:08:00Z').filters.until).toBe(Date.parse('1970-04-13T03:08:00Z') - 1);
  });

  it('counts days in the time zone of the memory', () => {
    expect(parse('x after:2026-07-01', 'Europe/Berlin').filters.since).toBe(Date.parse('2026-06-30T22:00:00Z'));
  });

  it('keeps the narrower of two times', () => {
    const { since, until } = parse('after:2025 after:2026-02 before:2027 before:2026-03').filters;
    expect([since, until]).toEqual([Date.parse('2026-02-01'), Date.parse('2026-03-01') - 1]);
  });

  it('leaves ordinary text alone', () => {
    for (const query of ['what was said before: the storm', 'note: buy milk', 'http://x.y/tag:z', 'a:b']) {
      expect(parse(query)).toMatchObject({ text: query, phrases: [], filters: { tags: [] } });
    }
  });

  it('says what is wrong with a time', () => {
    for (const query of ['before:2026-02-30', 'after:2026-13', 'since:yesterday']) {
      expect(() => parse(query), query).toThrow(MemoryError);
    }
  });
});

describe('holdsPhrase', () => {
  it('compares folded words, whole ones', () => {
    const [phrase] = parse('exact:"we\'ve had a PROBLEM"').phrases;
    expect(holdsPhrase('Houston, we’ve had a problem.', phrase!)).toBe(true);
    expect(holdsPhrase('we’ve had a problematic day', phrase!)).toBe(false);
    expect(holdsPhrase('Où est le café ?', parse('exact:"ou est le cafe"').phrases[0]!)).toBe(true);
  });
});
