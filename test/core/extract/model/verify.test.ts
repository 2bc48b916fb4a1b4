// What of an item is true: by turns and claims that were shown.

import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../../src/core/extract/model/answer.ts';
import { type ShownClaim, type VerifiedItem, verify } from '../../../../src/core/extract/model/verify.ts';

const time = Date.parse('2026-05-05T09:00:00Z');
const texts = [
  'The kiln is fired on Wednesdays now, not on Mondays, because the gas man comes then. Bring 40 tiles.',
  'Half of the glaze is left, so we order twice as much by Friday: a dozen tubs at 1.200 each.',
  '> The kiln is sold.\nSee what somebody wrote there! I never lend the kiln to anybody from Ostwick.',
  'We open at six, twenty-five people at most.',
];
const claim: ShownClaim = { says: 'The kiln is fired on Mondays.', who: 'Rhona', subject: 'Rhona', entities: [] };

function check(item: object, claims: Readonly<Record<string, ShownClaim>> = { k1: claim }) {
  const answer = readAnswer(JSON.stringify({ items: [{ t: [1], kind: 'fact', sure: 'said', ...item }] }));
  if ('problem' in answer) throw new Error(answer.problem);
  const turns = texts.map((text, at) => ({ t: at + 1, turn: { role: 'user', speaker: 'Rhona', time, text } }));
  return verify(answer.items[0]!, { turns, beside: '', timeZone: 'UTC', claimOf: (k) => claims[k] });
}
const kept = (item: object, claims?: Readonly<Record<string, ShownClaim>>): VerifiedItem<ShownClaim> => {
  const verified = check(item, claims);
  if ('why' in verified) throw new Error(verified.why);
  return verified;
};

describe('an item of a model', () => {
  it('is kept as whole sentences of the turn that has its quote, however that was copied', () => {
    const quote = 'the KILN  is fired on *Wednesdays* now';
    const says = 'Rhona fires the kiln on Wednesdays.';
    const whole = 'The kiln is fired on Wednesdays now, not on Mondays, because the gas man comes then.';
    expect(kept({ says, quote })).toMatchObject({ t: [1], quote: whole, says, confidence: 0.95, faults: [] });
    // The turn was named wrongly, and the quote says better.
    expect(kept({ says, quote, t: [4] })).toMatchObject({ t: [1, 4], quote: whole });
    expect(check({ says, quote: 'The kiln is for sale' })).toEqual({ why: 'no turn has its quote' });
    expect(kept({ says: 'Bring 40 tiles.', t: [] }).quote).toBe('Bring 40 tiles.');
    expect(check({ says: 'Elephants swim well.' })).toEqual({ why: 'no turn says it' });
  });

  it.each([
    ['a number that nobody named', 'Bring 41 tiles.', 'nobody named the number 41'],
    ['a name that nobody named', 'Rhona asks Bartholomew to bring 40 tiles.', 'nobody named bartholomew'],
    [
      'no denial',
      'The kiln is fired on Mondays, because the gas man comes then.',
      'it leaves out a denial',
      'not on Mondays',
    ],
    ['too much', `Bring 40 tiles. ${'And bring them soon. '.repeat(40)}`, 'it is too long for one claim'],
  ])('is its quote alone where it says %s', (_, says, why, quote = 'Bring 40 tiles') => {
    const item = kept({ says, quote });
    expect(item).toMatchObject({ confidence: 0.5, faults: [why] });
    expect(item).not.toHaveProperty('says');
  });

  it.each([
    ['Bring forty tiles; half of them is 20.', 'Bring 40 tiles'],
    ['Rhona orders 12 tubs at 1.200 each until 2026-05-08.', 'a dozen tubs'],
    ['Rhona orders twelve tubs on Friday, 8 May 2026.', 'a dozen tubs'],
    ['Rhona opens at 06:00 or 18:00 for 25 people.', 'twenty-five people'],
    ['In 2027 Rhona brings 40 tiles.', 'Bring 40 tiles'],
    ['Rhona refuses the kiln to anybody from Ostwick.', 'I never lend the kiln'],
  ])('may say a number, a day or a denial in another form: %s', (says, quote) => {
    expect(kept({ says, quote })).toMatchObject({ says, faults: [] });
  });

  it('has the days that somebody named, also in words', () => {
    const quote = 'so we order twice as much by Friday';
    const says = 'Rhona orders twice as much glaze.';
    expect(kept({ says, quote, due: '2026-05-08' })).toMatchObject({ due: '2026-05-08', faults: [] });
    expect(kept({ says, quote, due: 'Friday', from: null })).toMatchObject({ due: '2026-05-08' });
    for (const due of ['2026-06-30', '2026-02-31', 'some day']) {
      const item = kept({ says, quote, due });
      expect(item).not.toHaveProperty('due');
      expect(item.faults).toEqual([expect.stringContaining('nobody named the day')]);
    }
  });

  it('changes a claim that was shown and is of the same, by words of the speaker', () => {
    const says = 'The kiln is fired on Wednesdays, not on Mondays.';
    const quote = 'The kiln is fired on Wednesdays now, not on Mondays';
    const changes = [{ k: 'k1', how: 'replaces', quote: 'on Wednesdays now' }];
    const isSure = (item: object, claims?: Readonly<Record<string, ShownClaim>>) =>
      kept({ says, quote, subject: 'the kiln', changes, ...item }, claims).changes.map((change) => change.isSure);
    expect(isSure({})).toEqual([true]);
    expect(isSure({ subject: 'Rhona' })).toEqual([true]);
    const other = { says: 'Vans leave at noon.', subject: 'vans', attribute: 'departure', entities: ['Ostwick'] };
    expect(isSure({}, { k1: other })).toEqual([false]);
    expect(isSure({ attribute: 'departure' }, { k1: other })).toEqual([true]);
    expect(isSure({ entities: ['Ostwick'] }, { k1: other })).toEqual([true]);
    // Nobody was shown that claim, and a quotation ends nothing.
    expect(kept({ says, quote, changes: [{ k: 'k9', how: 'ends' }] }).faults).toEqual(['no claim was shown as k9']);
    const sold = [{ k: 'k1', how: 'ends', quote: 'The kiln is sold' }];
    expect(isSure({ says: 'The kiln is sold.', t: [3], quote: 'The kiln is sold.', changes: sold })).toEqual([false]);
  });
});
