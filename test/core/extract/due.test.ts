import { describe, expect, it } from 'vitest';
import { dueOf, withDueDay } from '../../../src/core/extract/due.ts';
import { newTestMemory } from '../../helpers/memories.ts';

/** A Monday. */
const monday = Date.parse('2026-02-16T10:00:00Z');

describe('dueOf', () => {
  it.each([
    ['by Friday', '2026-02-20'],
    ['by Monday', '2026-02-23'],
    ['next Friday', '2026-02-27'],
    ['next Sunday', '2026-03-01'],
    ['this Friday', '2026-02-20'],
    ['on Thursday at noon', '2026-02-19'],
    ['tomorrow', '2026-02-17'],
    ['the day after tomorrow', '2026-02-18'],
    ['today', '2026-02-16'],
    ['tonight', '2026-02-16'],
    ['by EOD', '2026-02-16'],
    ['by end of day', '2026-02-16'],
    ['by the end of the week', '2026-02-20'],
    ['next week', '2026-02-27'],
    ['this weekend', '2026-02-22'],
    ['by end of month', '2026-02-28'],
    ['next month', '2026-03-31'],
    ['by Feb 20', '2026-02-20'],
    ['by Feb 1', '2026-02-01'],
    ['by Jan 5', '2027-01-05'],
    ['before March 15th', '2026-03-15'],
    ['on the 3rd of June, 2027', '2027-06-03'],
    ['due Sept. 1, 2026', '2026-09-01'],
    ['until 2026-12-24', '2026-12-24'],
    ['in 3 days', '2026-02-19'],
    ['within two weeks', '2026-03-02'],
    ['in a month', '2026-03-16'],
    ['on the 14th at noon', '2026-03-14'],
    ['by the 20th', '2026-02-20'],
    ['on Friday the 13th', '2026-03-13'],
    ['to the 31st', '2026-03-31'],
    ['on Friday 3 July at 22:00', '2026-07-03'],
    ['on Tuesday, June 9', '2026-06-09'],
    ['by Christmas', '2026-12-25'],
    ['before Christmas Eve', '2026-12-24'],
    ["by New Year's Eve", '2026-12-31'],
    ['by New Year', '2027-01-01'],
    ["on Valentine's Day", '2027-02-14'],
    ['to the Christmas choir, which sings on 19 December', '2026-12-19'],
    ["for the New Year's fair by Thursday", '2026-02-19'],
    ['to the Halloween club next week', '2026-02-27'],
    ['by Christmas, or in May', '2026-12-25'],
    ['on Friday, 20th', '2026-02-20'],
    ['on Tuesday the 31st', '2026-03-31'],
    ['by Thursday the 2nd at noon', '2026-04-02'],
    ['by Friday, the 5th floor needs it', '2026-02-20'],
    ['on Monday the 20th of April', '2026-04-20'],
  ])('%s → %s', (text, day) => {
    expect(dueOf(`Send it ${text}.`, monday)).toBe(day);
  });

  it('counts from the day in the time zone', () => {
    const lateOnMonday = Date.parse('2026-02-16T23:30:00Z');
    expect(dueOf('tomorrow', lateOnMonday)).toBe('2026-02-17');
    expect(dueOf('tomorrow', lateOnMonday, 'Europe/Berlin')).toBe('2026-02-18');
    expect(dueOf('in a month', Date.parse('2026-01-31T12:00:00Z'))).toBe('2026-02-28');
  });

  it('knows no day where none is named, and none that no calendar has', () => {
    for (const text of [
      '',
      'soon',
      'may I ask',
      'march on',
      'sundays are nice'.slice(0, 5),
      'by 14:30',
      'to the 5th floor',
      'on Tuesday the 1st',
      'on Sunday 30th',
      'last Friday the 13th',
      'Feb 31, 2026',
      '2026-02-30',
      'last Christmas',
      'at the Christmas market',
      'we have turkey for Christmas dinner',
    ]) {
      expect(dueOf(text, monday), text).toBeUndefined();
    }
  });
});

describe('a sentence with the day by which something is due', () => {
  it.each([
    ['I owe Ines the plans within ten days, I think.', 'I owe Ines the plans by February 26, I think.'],
    ['In two weeks the permit runs out.', 'by March 2 the permit runs out.'],
    ['The deposit is due by the end of June.', 'The deposit is due by June 30.'],
    ['It has to be paid until the end of the month.', 'It has to be paid until February 28.'],
  ])('names it for a duration or an end: %s', (text, dated) => {
    expect(withDueDay(text, monday)).toBe(dated);
  });

  it.each(['by Friday', 'on 3 March', 'next week', 'tomorrow', 'two weeks ago', 'soon'])('is as it was: %s', (when) => {
    expect(withDueDay(`Send it ${when}.`, monday)).toBe(`Send it ${when}.`);
  });
});

describe('a promise that somebody says', () => {
  it('is open with its day, be that a name of a day, a duration or the end of a month', async () => {
    const { memory, clock } = await newTestMemory({ model: null });
    clock.set('2026-02-16T10:00:00Z');
    const texts = [
      'I will bring the loom back to Ottilie by Friday.',
      "I'll send the offer to Marek within three days.",
      'I promised to renew the boat permit by the end of June.',
      'My sister is visiting us in two weeks.',
      'The bakery on the square closes in three weeks.',
    ];
    await memory.capture({ session: 'a', messages: texts.map((text) => ({ role: 'user', speaker: 'Jan', text })) });
    await memory.extract();
    const { loops } = await memory.ledger.loops();
    expect(loops.map(({ content, due }) => [content, due])).toEqual([
      [texts[1], '2026-02-19'],
      [texts[0], '2026-02-20'],
      [texts[2], '2026-06-30'],
    ]);
  });
});
