import { describe, expect, test, vi } from 'vitest';
import { fullest, sameness, samenessReader } from '../../src/claims/sameness.ts';

describe('two sentences say the same', () => {
  test.each([
    ['The kiln cools down overnight', 'The kiln cools down overnight.'],
    ['On Tuesdays the ferry leaves from pier 2', 'The ferry leaves from pier 2 on Tuesdays'],
    ['After the harvest, the nets are mended', 'The nets are mended after the harvest'],
    ['The crane lifts the hull', 'The hull is lifted by the crane'],
    ['Ravi wrote the tender in 2021', 'The tender was written by Ravi in 2021'],
    ['The script does not touch the index', "The script doesn't touch the index"],
    ['The mother of Signe is a judge', "Signe's mother is a judge"],
    ['For your information, the lift is out of order', 'The lift is out of order'],
    ['The ceiling is 4,200 dollars', 'The ceiling is $4200'],
    ['Practice starts at 7 pm', 'Practice begins at 19:00'],
    ['The permit expires on 5 June 2027', 'The permit expires on June 5, 2027'],
    ['The choir has to sing twice', 'The choir must sing twice'],
  ])('%s = %s', (one, other) => {
    expect(sameness(one, other)).toBe('same');
    expect(sameness(other, one)).toBe('same');
  });
});

describe('one sentence says all of another and more', () => {
  test.each([
    ['Signe plays chess', 'Signe plays chess with her uncle in the park'],
    ['The shop sells bread', 'The shop sells bread and cheese'],
  ])('%s < %s', (less, more) => {
    expect(sameness(less, more)).toBe('second says more');
    expect(sameness(more, less)).toBe('first says more');
    expect(fullest([less, more])).toBe(more);
  });
});

describe('two sentences say different things', () => {
  test.each([
    ['The tank holds 10 litres', 'The tank holds 100 litres'],
    ['The proxy listens on port 80', 'The proxy listens on port 8080'],
    ['Runs are limited to 5 seconds', 'Runs are limited to 5 minutes'],
    ['The toll is 8 pounds', 'The toll is 8 dollars'],
    ['The dose is 3 mg', 'The dose is 3 g'],
    ['Ravi pays Ola', 'Ola pays Ravi'],
    ['The bridge is north of the mill', 'The mill is north of the bridge'],
    ['The valve is opened by the sensor', 'The sensor is opened by the valve'],
    ['The lamp was on', 'The lamp is on'],
    ['Signe worked at the mill', 'Signe works at the mill'],
    ['The keys were kept by Ola', 'Ola keeps the keys'],
    ['All boats are insured', 'Most boats are insured'],
    ['Only members vote', 'Members only vote'],
    ['The gate closes before dusk', 'The gate closes after dusk'],
    ['Guests must register', 'Guests may register'],
    ['The alarm is armed', 'The alarm is not armed'],
    ['Tea is served with milk', 'Tea is served without milk'],
    ['The left pump leaks', 'The right pump leaks'],
    ['Mr. Hansen has the key', 'Mr. Hanssen has the key'],
    ['The shares rose in March', 'The shares fell in March'],
    ['Ola lives in Bergen', 'Ola works in Bergen'],
    ['We deploy', 'We deploy only after a review'],
    ['The shop is open', 'The shop is open except on Mondays'],
    ['Ola can swim', 'Ola can swim if somebody holds him'],
    ['The train from Oslo to Bergen is late', 'The train from Bergen to Oslo is late'],
    ['Version 2.1 is stable', 'Version 2.10 is stable'],
    ['The report was due by Friday', 'Friday was due by the report'],
    ['', 'Something'],
  ])('%s ≠ %s', (one, other) => {
    expect(sameness(one, other)).toBeNull();
    expect(sameness(other, one)).toBeNull();
  });

  test('and the fullest of several is one that says all of each', () => {
    const texts = ['FYI the mill grinds rye', 'The mill grinds rye', 'The mill grinds rye on Fridays'];
    expect(fullest(texts)).toBe(texts[2]);
    expect(fullest([texts[0]!, texts[1]!])).toBe(texts[1]);
    expect(fullest([...texts, 'The mill grinds oats'])).toBeNull();
    expect(fullest(['The mill grinds rye on Fridays', 'The mill grinds rye with water'])).toBeNull();
  });
});

test('one reader reads each sentence once, however many it is compared with', () => {
  const replaced = vi.spyOn(String.prototype, 'replace');
  const looksAt = (count: number): number => {
    const texts = Array.from({ length: count }, (_, at) => `Lamp ${10 + at} stands in the hall`);
    const samenessOf = samenessReader();
    replaced.mockClear();
    for (const one of texts) for (const other of texts) samenessOf(one, other);
    return replaced.mock.calls.length;
  };
  try {
    expect(looksAt(10)).toBeGreaterThan(0);
    expect(looksAt(20)).toBe(2 * looksAt(10));
  } finally {
    replaced.mockRestore();
  }
});
