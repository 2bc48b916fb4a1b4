// What ends an earlier statement, and what only looks like it: a table of invented pairs.

import { describe, expect, it } from 'vitest';
import { closing, rivals } from '../../src/claims/closing.ts';
import { type Reading, readSaid } from '../../src/claims/reading.ts';
import type { SaidBefore } from '../../src/claims/said.ts';

const day = 86_400_000;
const start = Date.parse('2026-03-02T09:00:00Z');

interface Context {
  readonly speaker?: string;
  readonly role?: string;
  readonly before?: readonly string[];
  readonly after?: string;
}

/** Before: what somebody else said, then what stands before in the same turn; `''` leaves one out. */
function read(
  text: string,
  days: number,
  { speaker = 'Vic', role = 'user', before = [], after = '' }: Context = {},
): Reading {
  const [asked = '', same = ''] = before;
  const turns: SaidBefore[] = [];
  if (asked !== '') turns.push({ role: 'agent', speaker: 'the assistant', text: asked });
  if (same !== '') turns.push({ role, speaker, text: same });
  return readSaid({ text, speaker, role, time: start + days * day, before: turns, after });
}

const ends: readonly (readonly [earlier: string, later: string, reason: string, context?: Context])[] = [
  ['The lamp stock sits in Rotterdam.', 'Inventory done, the lamp stock is in Antwerp now.', 'change'],
  ['The oak ladder is in the shed.', 'I put the oak ladder into the cellar.', 'change'],
  ['Our contact at Nordlicht is Mr Abel.', 'Ms Quist took over from Mr Abel at Nordlicht.', 'change'],
  ['My notice period is one month.', 'From 1 June my notice period is three months.', 'change'],
  ['The default view of the map is flat.', "We changed the map's default view to round.", 'change'],
  ['We have two goats, Pim and Pam.', "We don't have goats any more.", 'negation'],
  ['The deadline for the draft is 15 March.', 'Draft deadline extended to the end of March.', 'change'],
  ['The exam is on 2 May.', 'The exam is now in early June.', 'change'],
  ['The launch is on 1 July.', 'The launch moved to September.', 'change'],
  [
    'Tide tables are printed by the Cork office.',
    'Tide tables are printed by the Galway office since this week.',
    'change',
  ],
  ['The organist is Mr. Brandt.', 'Mr. Brandt has handed the post of organist to Ilse Roth.', 'change'],
  ['My favourite tea is Assam.', 'Darjeeling is my favourite tea now.', 'attribute'],
  ['The lock keeper is called Mr. Voss.', 'Sorry, the name of that lock keeper is Mr. Vossen.', 'correction'],
  ['My hostel in Turin is the Bravo.', 'Bugs in bed, so from tonight it is another hostel, the Sole.', 'change'],
  ['I am engaged to Ole.', 'Ole and I called off the engagement in May.', 'negation'],
  ['The chimney sweep comes on Tuesday 5 May.', 'The chimney sweep was moved to Thursday 7 May.', 'change'],
  ['I take 40 mg of valsartan at night.', 'My cardiologist raised the valsartan to 80 mg.', 'change'],
  ['Our retro is at 14:00.', 'Our retro is at half past three now.', 'change'],
  ['The gym closes at 21:00.', 'The gym closes at 23:00.', 'attribute'],
  ['I live in Dundee, above a pub.', 'I moved to Perth in the end.', 'attribute'],
  ["I'm a welder at Harbour Works.", 'I signed with Tidal Power on Monday.', 'attribute'],
  ['Noor leads the mapping group.', 'Pia heads the mapping group as of today.', 'attribute'],
  ['We track tasks in Trello.', 'We switched to Linear for tasks.', 'change'],
  ['Invoices are written in LaTeX.', 'Invoices are written in Typst these days.', 'change'],
  ['The queue limit is 40 jobs.', 'I raised the queue limit to 90 jobs.', 'change'],
  ['My phone number is 0171 445566.', '0160 998877 is my new number.', 'attribute'],
  ["I'm vegan.", "I'm vegetarian these days.", 'attribute'],
  ['We deliver on Sundays.', 'We no longer deliver on Sundays.', 'negation'],
  ['I have a canoe.', 'The canoe is sold.', 'negation'],
  ['I will mow the verge by June 10th.', 'I will not mow the verge.', 'negation'],
  ['I will mow the verge by June 10th.', 'I mowed the verge this morning.', 'kept'],
  ['I need to hand in the tax form by June 10th.', 'I handed in the tax form today.', 'kept'],
  ['I counted 61 swifts.', 'Correction: I counted 64 swifts, not 61.', 'correction'],
  ['The orchestra rehearses on Mondays.', 'The orchestra now rehearses on Wednesdays, no longer on Mondays.', 'change'],
  ['The gardeners vacuum at 6:30.', 'The gardeners vacuum at 8:00 now.', 'change'],
  ['The pump holds 300 litres.', 'Correction: 3,000.', 'correction', { before: ['', 'The pump holds 300 litres.'] }],
  ['The chairs are oak.', 'Beech, not oak.', 'correction', { before: ['The chairs are oak.'] }],
  [
    'The tasting is on June 9th.',
    'nope, June 16th, the cellar is flooded',
    'correction',
    { before: ['Is the tasting still on the 9th?'] },
  ],
  ['We log in with passwords.', 'We replaced passwords with passkeys.', 'change'],
  ['The mill runs on diesel.', 'The mill runs on solar power instead of diesel.', 'change'],
  ['I live in Ghent.', 'I moved from Ghent to Namur.', 'change'],
  ['My favourite tea is oolong.', 'My favourite tea is sencha.', 'attribute'],
  ['The release branch is stable.', 'The release branch is trunk.', 'attribute'],
  ['I prefer trains over planes.', 'I prefer planes over trains.', 'attribute'],
  ['I eat cheese.', 'I do not eat cheese.', 'negation'],
  ['We never ship on Mondays.', 'We ship on Mondays again.', 'negation'],
  ['Ulla holds the keys.', 'Correction: Sven, not Ulla, holds the keys.', 'correction'],
  ['We invoice on Mondays.', 'As of next month we invoice on Thursdays.', 'change'],
  ['I jog every evening.', 'I stopped jogging, my knees ached.', 'negation'],
  ['The kiosk supports cheques.', 'We dropped support for cheques at the kiosk.', 'negation'],
  ['The rent is 700 euros.', 'We pay 760 from this month.', 'attribute', { before: ['', 'The landlord wrote.'] }],
  ['I play squash with Bo every Thursday.', 'Gave up squash for good, the ankle will not have it.', 'negation'],
  ['The boat lies in Hove, I can hear it from my bed 😂', 'The boat lies in Lewes now.', 'change'],
  ['We model the trays in SketchUp.', 'We model the trays in Rhino from today on.', 'change'],
  ["I'm Wanja, sales assistant in the bakery team.", "As of Monday I'm the manager of the bakery.", 'attribute'],
];

const keeps: readonly (readonly [earlier: string, later: string, what: string, context?: Context])[] = [
  ['My son Elias is six and goes to Lindenschule.', 'She takes the tram now, so I bring Elias to school.', 'another'],
  [
    'My wife Paula starts her new job at Siemens on 4 May.',
    'She takes the tram now.',
    'of one person, another matter',
    { before: ['', 'Paula likes it at Siemens.'] },
  ],
  [
    'I got a grant for the fair in Brest on 8 June.',
    'Found a flatmate, Emre, he moves in on 3 May.',
    'who "he" is stands in the same sentence',
    { after: 'And my talk for Brest was accepted.' },
  ],
  ['I will be at the depot on Monday.', 'I will not be at the depot on Tuesday.', 'another day'],
  ['I need to hand in the tax form by June 10th.', 'I handed in the keys today.', 'another thing'],
  ['I live in Dundee.', 'My cousin moved to Perth.', 'another person'],
  ['The test server is srv-1.acme.example.', 'The build server moved to srv-7.acme.example.', 'another thing'],
  ['Orion ships on Mondays.', 'Lyra ships on Fridays now.', 'another project'],
  ['The clinic is in Mill Street.', 'The clinic has a new phone number: 0911 332211.', 'another attribute'],
  ['We use Trello for tasks.', 'If we switched to Linear for tasks, would you help?', 'a question'],
  ['Our retro is at 14:00.', 'Would 15:30 be better for the retro?', 'a question'],
  ['The service is written in Go.', 'If we rewrote the service in Rust, it might be smaller.', 'supposed'],
  ['I drive a Volvo.', "I'd love a Porsche one day.", 'a wish'],
  ['I play the oboe.', 'As a child I played the drums.', 'the past'],
  ['We deliver on Sundays.', 'In a novel I read: "We no longer deliver on Sundays."', 'a quotation'],
  ['Yoga is on Mondays.', 'This week yoga is on Wednesday.', 'an exception'],
  ['Reports go out in Word.', 'We thought about moving reports to Typst, but decided against it.', 'a dropped plan'],
  ['Our boss is Ms Arden.', 'There is a rumour that Mr Bell will be boss.', 'a rumour'],
  ['The boat lies in Kiel.', 'Now that the boat has an engine we can go farther.', 'now that'],
  ['The limit is 25 MB.', 'The limit is still 25 MB.', 'the same value'],
  ['The port of the mirror is 7000.', 'The port is 7070.', 'a part'],
  ['The port is 7000.', 'The debug port is 7070.', 'another part'],
  ['We use Redis.', 'In tests we no longer use Redis.', 'a part'],
  ['We ship on Mondays.', "We don't ship on Sundays.", 'another day'],
  ['The meeting is on Monday.', 'The meeting is on Thursday.', 'perhaps another meeting'],
  ['We use Redis, not Memcached.', 'We use Redis, not Memcached.', 'the same again'],
  ['We do not use Redis.', 'We use Postgres, not Redis.', 'the same denied'],
  ['The port is usually 7000.', 'The port is 7070.', 'what holds usually'],
  ['We use Redis.', 'For now we use Postgres, not Redis.', 'for now'],
  ['We ship on Mondays. The truck is red.', 'We no longer ship on Mondays.', 'one of two statements'],
  [
    'The test server is srv-1.acme.example.',
    "it's srv-7.acme.example.",
    'another thing',
    { before: ['', 'The build server has moved,'] },
  ],
  ["I'm in the choir.", "Don't ever quit the choir.", 'advice'],
  ['I take 40 mg of valsartan.', "Dad's doctor raised the valsartan to 80 mg.", 'another person'],
  [
    'My pool in Utrecht opens at 6:00.',
    "I'm in Zeist today and the pool here opens at 8:30.",
    'the one of another place',
  ],
  ['The printer is called Otto.', 'The printer is called Lord Toner from today.', 'a joke', { after: 'April April!' }],
  [
    'The deposit for the big tent is 90 euros.',
    'The small tent is free, too, the deposit is 40 euros there.',
    'beside',
  ],
  ['My aunt Runa lives in Bergen.', 'Runa from payroll has just moved to Tromsø.', 'a namesake'],
];

describe('a later statement ends an earlier one', () => {
  for (const [earlier, later, reason, context] of ends) {
    it(`${earlier} ← ${later}`, () => {
      expect(closing(read(earlier, 0), read(later, 10, context))).toMatchObject({ reason });
    });
  }

  it('from the day that it names', () => {
    const found = closing(
      read('Parking costs 60 euros a month.', 0),
      read('From 1 April parking costs 75 euros a month.', 10),
    );
    expect(found?.from).toBe(Date.parse('2026-04-01T00:00:00Z') / 1000);
  });

  it('at once where the day is what changed', () => {
    const later = read('The reef survey now starts on 20 April.', 10);
    const found = closing(read('The reef survey starts on 6 April.', 0), later);
    expect(found).toEqual({ reason: 'change' });
  });

  it('when an assistant says that what a person asked for is done', () => {
    const lesson = read('Cello lessons are always on Mondays at 5.', 0);
    const confirmed = (order: string) =>
      readSaid({
        ...{ text: 'Your cello lessons are on Thursdays from this week.', speaker: 'the assistant', role: 'agent' },
        ...{ time: start + 10 * day, before: [{ role: 'user', speaker: 'Vic', text: order }], after: '' },
      });
    expect(closing(lesson, confirmed('Could you move my cello lessons to Thursday?'))).toEqual({ reason: 'change' });
    expect(closing(lesson, confirmed('Please move my cello lessons to Friday.'))).toBeNull();
    expect(closing(lesson, confirmed('When are my cello lessons?'))).toBeNull();
  });

  it('never the other way round in time', () => {
    expect(closing(read('The gym closes at 23:00.', 10), read('The gym closes at 21:00.', 0))).toBeNull();
  });

  it('but no assistant ends what a person said', () => {
    const person = read('The gym closes at 21:00.', 0);
    const assistant = read('The gym closes at 23:00.', 1, { role: 'agent', speaker: 'the assistant' });
    expect(closing(person, assistant)).toBeNull();
    expect(closing(assistant, read('The gym closes at 22:00.', 2))).not.toBeNull();
  });
});

describe('what only looks like it ends nothing', () => {
  for (const [earlier, later, what, context] of keeps) {
    it(`${earlier} | ${later} (${what})`, () => {
      expect(closing(read(earlier, 0), read(later, 10, context))).toBeNull();
    });
  }

  it('and of two persons who speak of themselves each keeps what is theirs', () => {
    const [one, other] = [
      read('I live in Dundee.', 0, { speaker: 'Vic' }),
      read('I live in Perth.', 10, { speaker: 'Ada' }),
    ];
    expect(closing(one, other)).toBeNull();
  });
});

describe('two statements that look contradictory without a reason to close', () => {
  it('are rivals; unrelated ones are not', () => {
    const [one, other] = [read('The shop sells tea at 4 euros.', 0), read('At the shop I paid 6 euros for tea.', 1)];
    expect(closing(one, other)).toBeNull();
    expect(rivals(one, other)).toBe(true);
    expect(rivals(read('The gym closes at 21:00.', 0), read('My dog sleeps at noon.', 1))).toBe(false);
  });
});
