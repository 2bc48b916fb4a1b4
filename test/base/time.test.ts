import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockOf, dayOf, endOfDay, formatTime, isoWeek, isTimeZone, parseTime } from '../../src/base/time.ts';

const noon = Date.parse('2026-02-16T12:00:00Z');
const times = fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2200-01-01') });
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland', 'Australia/Lord_Howe'];

describe('parseTime', () => {
  test.each([
    ['2026-02-16T12:00:00Z', noon],
    ['2026-02-16T12:00Z', noon],
    ['2026-02-16T12:00', noon],
    ['2026-02-16 13:00:00+01:00', noon],
    ['2026-02-16T06:30:00-0530', noon],
    ['2026-02-16T12:00:00.25Z', noon + 250],
    ['2026-02-16', noon - 43_200_000],
    [' 2026-02-16t12:00:00z ', noon],
  ])('reads %s', (text, ms) => {
    expect(parseTime(text)).toBe(ms);
  });

  test('reads a Date and a number', () => {
    expect(parseTime(new Date(noon))).toBe(noon);
    expect(parseTime(noon + 0.7)).toBe(noon);
  });

  test.each([
    '',
    'yesterday',
    '2026',
    '2026-2-16',
    '2026-02-30',
    '2026-13-01',
    '2026-02-16T25:00',
    '2026-02-16T12:60',
    '1e9',
  ])('refuses %j', (text) => {
    expect(() => parseTime(text, 'since')).toThrow(expect.objectContaining({ code: 'INVALID_DATE' }));
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15, new Date(Number.NaN), null, true, {}])(
    'refuses the value %s',
    (value) => {
      expect(() => parseTime(value as never)).toThrow(expect.objectContaining({ code: 'INVALID_DATE' }));
    },
  );
});

describe('formatTime', () => {
  test('shows milliseconds only if there are any', () => {
    expect(formatTime(noon)).toBe('2026-02-16T12:00:00Z');
    expect(formatTime(noon + 5)).toBe('2026-02-16T12:00:00.005Z');
  });

  test('is read back as it was', () => {
    fc.assert(fc.property(times, (ms) => parseTime(formatTime(ms)) === ms));
    for (const day of [
      '0001-01-01',
      '0004-02-29',
      '0099-12-31',
      '0100-01-01',
      '1900-03-01',
      '2000-02-29',
      '9999-12-31',
    ])
      expect(parseTime(`${day}T01:02:03.045Z`)).toBe(Date.parse(`${day}T01:02:03.045Z`));
  });
});

describe('days', () => {
  test('depend on the time zone', () => {
    const late = Date.parse('2026-02-16T23:30:07Z');
    expect(dayOf(late, 'UTC')).toBe('2026-02-16');
    expect(dayOf(late, 'Europe/Berlin')).toBe('2026-02-17');
    expect(clockOf(late, 'UTC')).toBe('23:30:07');
    expect(clockOf(late, 'Asia/Kathmandu')).toBe('05:15:07');
    expect(clockOf(Date.parse('2026-02-16T23:00:00Z'), 'Europe/Berlin')).toBe('00:00:00');
  });

  test('end where the next one begins', () => {
    fc.assert(
      fc.property(times, fc.constantFrom(...zones), (ms, zone) => {
        const day = dayOf(ms, zone);
        const end = endOfDay(day, zone);
        expect(end).toBeGreaterThanOrEqual(ms);
        expect(dayOf(end, zone)).toBe(day);
        expect(dayOf(end + 1, zone) > day).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('of 23 and 25 hours end at their own midnight', () => {
    expect(formatTime(endOfDay('2026-03-29', 'Europe/Berlin'))).toBe('2026-03-29T21:59:59.999Z');
    expect(formatTime(endOfDay('2026-10-25', 'Europe/Berlin'))).toBe('2026-10-25T22:59:59.999Z');
  });

  test('that a zone left out end before the next one', () => {
    expect(dayOf(endOfDay('2011-12-30', 'Pacific/Apia'), 'Pacific/Apia')).toBe('2011-12-29');
  });

  test('belong to ISO weeks', () => {
    expect(['2026-02-15', '2026-02-16', '2026-12-31', '2027-01-01', '2024-12-30'].map(isoWeek)).toEqual([
      '2026-W07',
      '2026-W08',
      '2026-W53',
      '2026-W53',
      '2025-W01',
    ]);
  });

  test('are refused when no calendar has them', () => {
    for (const day of ['2026-02-30', '2026-2-1', '', '2026-02-16T12:00']) {
      expect(() => endOfDay(day, 'UTC')).toThrow(expect.objectContaining({ code: 'INVALID_DATE' }));
    }
    expect(() => dayOf(noon, 'Mars/Olympus')).toThrow(expect.objectContaining({ code: 'INVALID_DATE' }));
    expect([isTimeZone('Europe/Berlin'), isTimeZone('UTC'), isTimeZone('Mars/Olympus'), isTimeZone('')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
