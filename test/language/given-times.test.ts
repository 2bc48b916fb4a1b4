import { describe, expect, test } from 'vitest';
import { endOfDay, formatTime, startOfDay } from '../../src/base/time.ts';
import { parseMoment } from '../../src/language/given-times.ts';

// A Monday.
const now = Date.parse('2026-03-30T10:20:30.400Z');
const shown = (text: string, timeZone = 'UTC') => {
  const stretch = parseMoment(text, { now, timeZone });
  return stretch && [formatTime(stretch.start), formatTime(stretch.end)];
};

describe('parseMoment', () => {
  test.each([
    ['2026-02-16', '2026-02-16T00:00:00Z', '2026-02-16T23:59:59.999Z'],
    ['today', '2026-03-30T00:00:00Z', '2026-03-30T23:59:59.999Z'],
    ['Yesterday', '2026-03-29T00:00:00Z', '2026-03-29T23:59:59.999Z'],
    ['sunday', '2026-03-29T00:00:00Z', '2026-03-29T23:59:59.999Z'],
    ['last monday', '2026-03-23T00:00:00Z', '2026-03-23T23:59:59.999Z'],
    ['tomorrow', '2026-03-31T00:00:00Z', '2026-03-31T23:59:59.999Z'],
    ['next monday', '2026-04-06T00:00:00Z', '2026-04-06T23:59:59.999Z'],
    ['next friday', '2026-04-10T00:00:00Z', '2026-04-10T23:59:59.999Z'],
    ['in two weeks', '2026-04-13T00:00:00Z', '2026-04-13T23:59:59.999Z'],
    ['in 1 month', '2026-04-30T00:00:00Z', '2026-04-30T23:59:59.999Z'],
    ['next year', '2027-03-30T00:00:00Z', '2027-03-30T23:59:59.999Z'],
    ['31.12.2026', '2026-12-31T00:00:00Z', '2026-12-31T23:59:59.999Z'],
    ['31/12/2026', '2026-12-31T00:00:00Z', '2026-12-31T23:59:59.999Z'],
    ['12/31/2026', '2026-12-31T00:00:00Z', '2026-12-31T23:59:59.999Z'],
    ['March 2026', '2026-03-01T00:00:00Z', '2026-03-31T23:59:59.999Z'],
    ['last winter', '2025-12-01T00:00:00Z', '2026-02-28T23:59:59.999Z'],
    ['3 March 2026', '2026-03-03T00:00:00Z', '2026-03-03T23:59:59.999Z'],
    ['Sept 3rd, 2026', '2026-09-03T00:00:00Z', '2026-09-03T23:59:59.999Z'],
  ])('reads the day %s', (text, start, end) => {
    expect(shown(text)).toEqual([start, end]);
  });

  test.each([
    ['now', '2026-03-30T10:20:30.400Z'],
    ['2026-02-16T18:45:00Z', '2026-02-16T18:45:00Z'],
    ['2026-02-16 18:45', '2026-02-16T18:45:00Z'],
    ['1 week ago', '2026-03-23T10:20:30.400Z'],
    ['1.week.ago', '2026-03-23T10:20:30.400Z'],
    ['last week', '2026-03-23T10:20:30.400Z'],
    ['an hour ago', '2026-03-30T09:20:30.400Z'],
    ['36 hours ago', '2026-03-28T22:20:30.400Z'],
    ['90.seconds.ago', '2026-03-30T10:19:00.400Z'],
    ['1 month ago', '2026-02-28T10:20:30.400Z'],
    ['13 months ago', '2025-02-28T10:20:30.400Z'],
    ['2 years ago', '2024-03-30T10:20:30.400Z'],
    ['in 3 hours', '2026-03-30T13:20:30.400Z'],
  ])('reads the moment %s', (text, moment) => {
    expect(shown(text)).toEqual([moment, moment]);
  });

  test.each([
    '',
    'main',
    'a while ago',
    '5 ago',
    'last',
    'week',
    '2026',
    '02-16',
    'the 1 week ago',
    '1 2 ago',
    '999999 years ago',
  ])('does not take %j for one', (text) => {
    expect(shown(text)).toBeNull();
  });

  test('knows the zone, also where a day has 23 hours', () => {
    expect(shown('yesterday', 'Europe/Berlin')).toEqual(['2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999Z']);
    expect(shown('1 month ago', 'Europe/Berlin')).toEqual(['2026-02-28T11:20:30.400Z', '2026-02-28T11:20:30.400Z']);
    expect(endOfDay('2026-03-29', 'Europe/Berlin') - startOfDay('2026-03-29', 'Europe/Berlin')).toBe(
      23 * 3_600_000 - 1,
    );
  });

  test.each(['2026-02-30', '2026-13-01T10:00', '0000-01-01', '31.2.2026', '3/4/2026'])('refuses %s', (text) => {
    expect(() => shown(text)).toThrow(expect.objectContaining({ code: 'INVALID_DATE' }));
  });
});
