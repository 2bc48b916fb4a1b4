import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayText, type Said, timesIn } from '../../src/language/moments.ts';

/** A Monday. */
const now = Date.parse('2026-02-16T10:00:00Z');
const read = (text: string, said: Partial<Said> = {}) =>
  timesIn(text, { now, ...said }).map(({ text: named, first, last }) =>
    [named, dayText(first), dayText(last)].join(' '),
  );

describe('the times that a text names', () => {
  it.each([
    ['2026-03-04', '2026-03-04', '2026-03-04'],
    ['2026-03', '2026-03-01', '2026-03-31'],
    ['16.3.2026', '2026-03-16', '2026-03-16'],
    ['May 3rd, 2025', '2025-05-03', '2025-05-03'],
    ['3 May', '2025-05-03', '2025-05-03'],
    ['first of May', '2025-05-01', '2025-05-01'],
    ['in May', '2025-05-01', '2025-05-31'],
    ['May 2024', '2024-05-01', '2024-05-31'],
    ['next May', '2026-05-01', '2026-05-31'],
    ['last winter', '2025-12-01', '2026-02-28'],
    ['yesterday', '2026-02-15', '2026-02-15'],
    ['Friday', '2026-02-13', '2026-02-13'],
    ['last week', '2026-02-09', '2026-02-15'],
    ['this weekend', '2026-02-21', '2026-02-22'],
    ['three days ago', '2026-02-13', '2026-02-13'],
    ['two months ago', '2025-12-01', '2025-12-31'],
    ['last two weeks', '2026-02-02', '2026-02-16'],
    ['in 2024', '2024-01-01', '2024-12-31'],
    ['end of the year', '2026-10-01', '2026-12-31'],
    ['Christmas', '2025-12-25', '2025-12-25'],
  ])('%s', (text, first, last) => {
    const [found] = timesIn(`We spoke of it ${text}, I think`, { now });
    expect(found && [dayText(found.first), dayText(found.last)]).toEqual([first, last]);
  });

  it('are ahead where they are asked for so, and counted from the day in the time zone', () => {
    expect(read('Friday or 3 May', { isAhead: true })).toEqual([
      'Friday 2026-02-20 2026-02-20',
      '3 May 2026-05-03 2026-05-03',
    ]);
    expect(read('tomorrow', { now: now + 13.5 * 3_600_000, timeZone: 'Europe/Berlin' })).toEqual([
      'tomorrow 2026-02-18 2026-02-18',
    ]);
  });

  it('are none where words only look like them', () => {
    for (const text of ['may I march on', 'page 2026', '14:30', 'Feb 31, 2026', '3/4/2026', 'sundial', 'a week']) {
      expect(read(text), text).toEqual([]);
    }
  });

  it('stand in the text, in order and apart, and are days of a calendar', () => {
    const words = fc.constantFrom(
      'the',
      'last',
      'next',
      'in',
      'of',
      'end',
      'May',
      '3',
      '31st',
      '2024',
      'Friday',
      'week',
      'two',
      'days',
      'ago',
      'Christmas',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), fc.boolean(), (some, isAhead) => {
        const text = some.join(' ');
        let end = 0;
        for (const found of timesIn(text, { now, isAhead })) {
          expect(text.slice(found.index, found.index + found.text.length)).toBe(found.text);
          expect(found.index).toBeGreaterThanOrEqual(end);
          expect(found.last).toBeGreaterThanOrEqual(found.first);
          expect(found.first % 86_400_000).toBe(0);
          end = found.index + found.text.length;
        }
      }),
    );
  });
});
