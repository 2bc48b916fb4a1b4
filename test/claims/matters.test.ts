// What a later sentence has in common with an earlier one by chance ends nothing. Most closings that the rules found in conversations of real
// people were of this kind.

import { describe, expect, it } from 'vitest';
import { closing, leads, tellsChange } from '../../src/claims/closing.ts';
import { type Reading, readSaid } from '../../src/claims/reading.ts';

const day = 86_400_000;
const said = (text: string, days: number): Reading =>
  readSaid({ text, speaker: 'the user', role: 'user', time: days * day, before: [], after: '' });
const endsIt = (earlier: string, later: string): boolean => closing(said(earlier, 0), said(later, 5)) !== null;

describe('a word that both sentences use', () => {
  it.each([
    ['I have told the applicants about the AI tool.', 'Since July I train an AI model with a vendor from Ghent.'],
    ['I have a budget limit of 200 euros for lamps.', 'I have already spent 575 euros on lamps this year.'],
    [
      'My paper has its deadline on July 20.',
      'I have adapted the tables of another paper, as the July 11 workshop asked.',
    ],
    ['I own the 7th edition of the style guide.', 'The edit of the paper has been extended to July 19.'],
    ['I will write the summary by 6 November.', 'I will write the chapter on tides by 20 November.'],
    ['I have been practising the cello with Irma.', 'I have been reading about bees since April.'],
    ['I want to make sure I meet the deadline in April.', 'I want to make sure the server takes 100 users.'],
    ['We help nurses and porters in difficulty.', 'Night shift porters now wear other badges.'],
    ['Mr. Chair, Ambassador Lund is a friend of Norway in Chile.', 'Mr. Chair, Berit owns a bakery in Norway.'],
    ['I want to make sure Tilda is well prepared.', 'I want to make sure everything is done right.'],
    [
      'We are getting ready for New Year.',
      'It is nice to be out in the snow again after all this time in sunny Cadiz.',
    ],
  ])('makes no matter: "%s", "%s"', (earlier, later) => {
    expect(endsIt(earlier, later)).toBe(false);
  });

  it.each([
    ['The first sprint ends on March 29.', 'The first sprint now ends on March 31.'],
    ['I take 20 mg of omeprazole.', 'The doctor lowered the omeprazole to 10 mg.'],
    ['We drop Emil off at 8.', 'So the drop-off will be at 7:10 from Monday on.'],
    ['I drive to work over the bridge.', 'I drive to work through the tunnel these days.'],
    ['Mr. Chair, the budget is 300 euros.', 'Mr. Chair, the budget is 450 euros now.'],
  ])('is one where it is what one of them is about: "%s", "%s"', (earlier, later) => {
    expect(endsIt(earlier, later)).toBe(true);
  });
});

describe('what is over', () => {
  it.each([
    ['Ida works at the mill.', 'Ida sold the car.'],
    ['Ida lives in Bergen.', 'Ida cancelled the newspaper.'],
    ['Ana likes sushi.', 'Ana left the company.'],
    ['My landlord lives upstairs.', 'My landlord sold his boat.'],
    ['The team uses Jira for bugs.', 'The team removed two labels.'],
    ['The shop in Oslo opens at 9.', 'The shop has stopped all deliveries.'],
    ['We write refs and the index ourselves.', 'Our ref moves to objects that are gone.'],
    ['Discard needs only the id.', 'Discard leaves the words of a removed document in place.'],
    ['Norway needs more ferries.', "The Coastal Service of Norway's inquiry is suspended."],
    ['The gateway accepts old tokens.', 'The mail server refuses old tokens.'],
    ['The board resolved to sell the boathouse.', 'The board has rescinded its resolution to close the pool.'],
    ['Odile brings bread on Mondays and Thursdays.', 'Odile brings the papers on Mondays.'],
  ])('is what was done away with, and not who did it: "%s", "%s"', (earlier, later) => {
    expect(endsIt(earlier, later)).toBe(false);
  });

  it.each([
    ['Ida works at the mill.', 'Ida left the mill.'],
    ['Ana leads the platform team.', 'Ana left the company.'],
    ['The shop in Oslo opens at 9.', 'The shop in Oslo has closed for good.'],
    ['I drive a Skoda to work.', 'I sold the Skoda.'],
    ['The newspaper comes on Fridays.', 'I cancelled the newspaper.'],
    ['Bo is allergic to cats.', 'Bo died in March.'],
    ['I take ibuprofen for my knee.', 'I stopped taking ibuprofen.'],
    ['Gran takes her drops at noon.', 'The eye clinic stopped the drops.'],
    ['The importer uses named pipes.', 'Version 3 of the importer drops named pipes.'],
    ['The gateway accepts old tokens.', 'The gateway refuses old tokens.'],
    ['The board resolved to sell the boathouse.', 'The board has rescinded its resolution to sell the boathouse.'],
    ['Odile brings bread on Mondays and Thursdays.', 'Odile does Mondays only now.'],
  ])('ends what is said of it: "%s", "%s"', (earlier, later) => {
    expect(endsIt(earlier, later)).toBe(true);
  });
});

describe('what was promised', () => {
  const by = (speaker: string, text: string, days: number): Reading =>
    readSaid({ text, speaker, role: 'user', time: days * day, before: [], after: '' });

  it.each([
    ["I'll print the song sheets by Monday.", 'The song sheets are printed.'],
    ['i promised Elke id mend the blue tent by sunday', 'Blue tent is mended, two patches'],
    ['gotta return the ladder within a week', 'Ladder is returned.'],
  ])('is kept, whoever tells that it is done: "%s", "%s"', (promise, deed) => {
    expect(closing(by('Juno', promise, 0), by('Pim', deed, 2))).toEqual({ reason: 'kept' });
  });

  it('is kept by nobody else', () => {
    expect(
      closing(by('Juno', "I'll print the song sheets.", 0), by('Pim', 'I printed the song sheets.', 2)),
    ).toBeNull();
  });
});

describe('a change that no rule pairs with what it changes', () => {
  it.each([
    ['The dough has a hydration of 72%.', 'With the new flour I took the hydration up to 78.', 'named'],
    ['The survey at Gull Rock is on 20 March.', "Survey at Gull Rock's been shoved to 3 April.", undefined],
    ['The sledge stands in Tromsø.', 'The sledge weighs 84 kg, not 48 kg.', undefined],
    ['Tina is on the night shift.', 'Tina asked for the early shift.', undefined],
  ])('is told as such: "%s", "%s"', (earlier, later, expected) => {
    const found =
      closing(said(earlier, 0), said(later, 5)) === null ? tellsChange(said(earlier, 0), said(later, 5)) : undefined;
    expect(found).toBe(expected);
  });

  it('is no deed of two things, decided by the same persons', () => {
    const [one, other] = [said('We decided to buy boats.', 0), said('We decided to buy trains.', 5)];
    expect(closing(one, other)).toBeNull();
    expect(leads(one, other)).toBe(false);
  });

  it('and a day to which something was moved closes the day before', () => {
    expect(endsIt('The survey at Gull Rock is on 20 March.', "Survey at Gull Rock's been shoved to 3 April.")).toBe(
      true,
    );
  });
});
