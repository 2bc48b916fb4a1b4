import { describe, expect, test } from 'vitest';
import type { Said, SaidBefore } from '../../src/claims/said.ts';
import { statementOf } from '../../src/claims/statement.ts';

/** Saturday, 2026-03-14. */
const saturday = Date.parse('2026-03-14T18:00:00Z');

function said(text: string, rest: Partial<Said> = {}): Said {
  return { text, speaker: 'Ottilie', role: 'user', time: saturday, before: [], after: '', ...rest };
}

const statement = (text: string, rest?: Partial<Said>): string | undefined => statementOf(said(text, rest))?.statement;
const turn = (speaker: string, text: string, role = 'user'): SaidBefore => ({ role, speaker, text });

describe('a statement', () => {
  test.each([
    ["Actually it's hall 3, the sign was turned round.", 'The fitting for the choir is in hall 3.'],
    ['No, sorry, hall 3.', 'The fitting for the choir is in hall 3.'],
    ['Actually the harbour, they moved it.', undefined],
  ])('says the right value where another stood, and no remark on it: %s', (text, expected) => {
    const before = [turn('Ottilie', 'The fitting for the choir is in hall 5.')];
    expect(statement(text, { before })).toBe(expected);
  });

  test.each([
    [
      "I've got a check-up with Dr Roos on 21 March at 9:15.",
      'Ottilie has got a check-up with Dr Roos on 2026-03-21 at 9:15.',
    ],
    ['The start has slipped to 20 April.', 'The start has slipped to 20 April 2026.'],
    ['The nursery went up to 63 euros a day from today.', 'The nursery went up to 63 euros a day from 2026-03-14.'],
    ['I take 5 mg twice a day from tomorrow.', 'Ottilie takes 5 mg twice a day from 2026-03-15.'],
    ['The deposit is due a week from today.', 'The deposit is due on 2026-03-21.'],
    ['Baking day is Wednesday now.', 'Baking day is Wednesday now.'],
    ['I moved my Sunday chats to Saturday mornings.', "Ottilie moved Ottilie's Sunday chats to Saturday mornings."],
  ])('names the day that is meant, and none where none is: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test('takes nobody for whom a pronoun cannot mean', () => {
    const before = [turn('Ottilie', 'I paid Caleb back.')];
    expect(statement('We moved the talk because of her physio.', { before }) ?? '').not.toContain('Caleb');
    expect(statement('I am glad of his help.', { before })).toContain('Caleb');
  });

  test.each([
    ['I kind of want a red canoe.', 'Ottilie kind of wants a red canoe.'],
    ['I somehow missed the ferry to Texel.', 'Ottilie somehow missed the ferry to Texel.'],
    ['I kinda like the Danish ones.', 'Ottilie kinda likes the Danish ones.'],
  ])('bends the verb, not the words before it: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    ['She has put my valsartan up to 80 mg.', "Ottilie's valsartan was put up to 80 mg."],
    ['They all agreed, so the tenants’ meeting is on 31 March.', 'The tenants’ meeting is on 2026-03-31.'],
    ['He raised the fee to 8 euros and wrote it on the door.', 'The fee was raised to 8 euros.'],
    ['He took the fee down.', undefined],
  ])('needs not the one without a name who did it: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    ['Last time I only lasted an hour.'],
    ['I decided not to, the price was silly.'],
    ["I haven't gone either but it looks fine."],
    ['I went with some colleagues.'],
    ['I really like the colour scheme.'],
    ['The author is amazing at dialogue.'],
    ['When things get rough, it helps to breathe.'],
    ['My brothers threw me one and it was grand.'],
    ['I am working on something I have wanted to do for years.'],
    ['I agree, Ida.'],
    ['I have a funny story.'],
    ['The session helps me to slow down.'],
    ['I like some quiet before the lesson.'],
    ['I really would love to.'],
    ['Recently I had a setback.'],
    ['I went to an event and it was amazing.'],
    ['We both had a lovely evening last Sunday.'],
    ['I welded one from scrap.'],
    ['I ordered the walnut ones.'],
    ['My plan for the garden is quite similar.'],
    ['By doing so I saved a week.'],
    ['I sketched an after I saw the harbour.'],
    ['Even when he grew old, he rowed on.'],
    ['Before a trip I do a few things such as:'],
    ['I have already started practising.'],
  ])('leans on others: %s', (text) => {
    expect(statement(text)).toBeUndefined();
  });

  test.each([
    ['I forget which ship he was on, but Anton Vos was the cook.', 'Mr. Brand sailed for years.'],
    ['Her name is Juno.', 'Do she and your other cat get along?'],
  ])('leaves open who is meant, where it may be somebody else: %s', (text, earlier) => {
    expect(statement(text, { before: [turn('Ida', earlier)] })).toBeUndefined();
  });

  test.each([
    ['I love the sea.', 'Ottilie loves the sea.'],
    ['We agreed that a review takes two people.', "Ottilie's team agreed that a review takes two people."],
    ["I don't drink.", 'Ottilie does not drink.'],
    ['I enjoy the morning.', 'Ottilie enjoys the morning.'],
    ['Recently started learning Finnish.', 'Ottilie recently started learning Finnish.'],
    ['I come from Batavia, known today as Jakarta.', 'Ottilie comes from Batavia, known today as Jakarta.'],
    ['Just skyped with my aunt in Quito.', "Ottilie just skyped with Ottilie's aunt in Quito."],
    ['The session moved to Thursday.', 'The session moved to 19 March 2026.'],
    ['The novel I am on is "Middlemarch".', 'The novel Ottilie is on is "Middlemarch".'],
    ['I joined a course, and the course is a joy.', 'Ottilie joined a course, and the course is a joy.'],
    ['I had a bike and got a new one.', 'Ottilie had a bike and got a new one.'],
    ['My pitch is similar to that of the baker.', "Ottilie's pitch is similar to that of the baker."],
    ['We cooked for friends to celebrate.', 'Ottilie and others cooked for friends.'],
    ['Always on the lookout for old maps.', 'Ottilie is always on the lookout for old maps.'],
  ])('does not: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    ['I will hand in the signed form by April 24.', 'Ottilie will hand in the signed form by 2026-04-24.'],
    [
      'The guild agreed that I deliver the sign by May 8.',
      'The guild agreed that Ottilie delivers the sign by 2026-05-08.',
    ],
    ['Mum’s eye test is on 12 May with Dr. Weiss.', "Ottilie's mum's eye test is on 2026-05-12 with Dr. Weiss."],
    ['Dad, I moved to Ghent.', 'Ottilie moved to Ghent.'],
    ['Always run the linter before you push.', 'Always run the linter before pushing.'],
    ['Always use pnpm here, never npm, the lockfile breaks otherwise', "Always use pnpm in Ottilie's repo, never npm."],
    ['My rule in life: never lend what you need.', "Ottilie's rule in life: never lend what one needs."],
    ['Can you write shorter answers from here on?', "Ottilie's request: write shorter answers from 2026-03-14 on."],
    ['We never publish names of children.', 'Ottilie and others never publish names of children.'],
    ['Look for trains from Halsted, second week of July.', 'Look for trains from Halsted, second week of July.'],
  ])('names the right year, and whose it is: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    ['phone is 0221 55512', "Ottilie's phone is 0221 55512"],
    ['Take home pay is 3140 a month.', "Ottilie's take home pay is 3140 a month."],
    ['New address: 3 Quay Street, Ayr', "Ottilie's new address is 3 Quay Street, Ayr"],
    ["Daughter's school is in Ayr.", "Ottilie's daughter's school is in Ayr."],
    ['Rent control is a hot topic in Ayr.', 'Rent control is a hot topic in Ayr.'],
  ])('gives the speaker what everybody has one of: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    ['Ben cleans the kitchen and i take the bins out', 'Ben cleans the kitchen and Ottilie takes the bins out'],
    ['I teach maths and take the kids to swimming.', 'Ottilie teaches maths and takes the kids to swimming.'],
    [
      "I do the shopping and i take care of dad's meds",
      "Ottilie does the shopping and Ottilie takes care of Ottilie's dad's meds",
    ],
    ['My cousin and I take the early boat.', "Ottilie's cousin and Ottilie take the early boat."],
    ['The chimney gets swept on 3 April now.', 'The chimney gets swept on 2026-04-03 now.'],
    ['The chimney got swept on 3 March.', 'The chimney got swept on 2026-03-03.'],
    ['The fair got cut to three days, 8 to 10 June.', 'The fair got cut to three days, 2026-06-08 to 2026-06-10.'],
    ['The fair got approved, 8 to 10 June.', 'The fair got approved, 2026-06-08 to 2026-06-10.'],
    ['The office is closed from 18 July to 1 August.', 'The office is closed from 2026-07-18 to 2026-08-01.'],
    ['The office is closed from 20 December to 6 January.', 'The office is closed from 2026-12-20 to 2027-01-06.'],
    ['Holiday: 18 July to 1 August, booked by Carla.', 'Holiday: 2026-07-18 to 2026-08-01, booked by Carla.'],
    ['Carla got the flu, no running until the 20th.', 'Carla got the flu, no running until 2026-03-20.'],
    ['Carla waited until the 10th.', 'Carla waited until 2026-03-10.'],
    ['The office rented a van for 12 June.', 'The office rented a van for 2026-06-12.'],
    ['Carla bought tickets for the concert on 12 June.', 'Carla bought tickets for the concert on 2026-06-12.'],
    ['Carla got an appointment on 9 June.', 'Carla got an appointment on 2026-06-09.'],
    ['Carla met Tim on 9 June.', 'Carla met Tim on 2025-06-09.'],
    ['Carla was born on 9 June.', 'Carla was born on 9 June.'],
  ])('bends every verb of hers, and reads what is done as present: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    [
      'He is diabetic.',
      "Met Tuncay Erdem, he's the new site manager. Took over from Holger last week.",
      'Tuncay Erdem is diabetic.',
    ],
    [
      'He must never get aspirin, his kidneys.',
      'dad takes ramipril.',
      "Ottilie's dad must never get aspirin, his kidneys.",
    ],
    ['She eats no nuts.', 'Met Rosa and Hilde Conti yesterday.', undefined],
  ])('means by he and she whom the talk is about: %s', (text, earlier, expected) => {
    expect(statement(text, { before: [turn('Ottilie', earlier)] })).toBe(expected);
  });

  test.each([
    ['Found it: the kiln trips because the fuse is too small.', 'The kiln trips because the fuse is too small.'],
    [
      "That's settled: the fair moves to the quay from the first of June.",
      'The fair moves to the quay from 2026-06-01.',
    ],
    ["Before you plan supper: I'm allergic to celery.", 'Ottilie is allergic to celery.'],
    ["Sounds fun but I don't drink alcohol", 'Ottilie does not drink alcohol'],
    ["I'll mend the sail a week from Monday.", 'Ottilie will mend the sail on 2026-03-23.'],
    ["I'll fit the mast on Thursday.", 'Ottilie will fit the mast on 2026-03-19.'],
    ['Alois has his eye operation on the 19th.', 'Alois has his eye operation on 2026-03-19.'],
    ['The bus is now on the 7th of May comma not on the 2nd', 'The bus is now on 2026-05-07, not on 2026-05-02'],
    ["Sunday's match is called off.", "2026-03-15's match is called off."],
    ['Picked up the loom the day before yesterday.', 'Ottilie picked up the loom on 2026-03-12.'],
  ])('loses what leads in, and has its days: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    [
      "He's a lagotto and his name is Bruscolo.",
      'We got a puppy!!',
      "Ottilie's puppy is a lagotto and his name is Bruscolo.",
    ],
    ["That's Idrissa on the left, he's my cousin.", 'Look.', "Idrissa is Ottilie's cousin."],
    [
      'I have to pay her back by 3 April.',
      'Mum lent me money.',
      "Ottilie has to pay Ottilie's mum back by 2026-04-03.",
    ],
    ['I hurt her back.', 'Mum fell.', "Ottilie hurt Ottilie's mum's back."],
    ['From now on the gate stays shut.', 'Look.', 'From 2026-03-14 on the gate stays shut.'],
  ])('says who is new, who is shown, and from when on: %s', (text, earlier, expected) => {
    expect(statement(text, { before: [turn('Ottilie', earlier)] })).toBe(expected);
  });

  test('gives her matter to whom the sentence before is about, and no other number', () => {
    const before = [turn('Ottilie', 'Mum’s eye test is on 12 May with Dr. Weiss.')];
    expect(statement('I have to renew her bus pass.', { before })).toBe(
      "Ottilie has to renew Ottilie's mum's bus pass.",
    );
    const address = [turn('Ottilie', 'My new address is 3 Quay Street, Ayr.')];
    expect(statement('Sorry, that was wrong: it is 8 Quay Street, not 3.', { before: address })).toBe(
      "Ottilie's new address is 8 Quay Street, Ayr.",
    );
  });

  test.each(['Turns out she had no other family.', "Greta's trips to Malta."])(
    'is none where nobody is named or nothing is said: %s',
    (text) => {
      expect(statement(text)).toBeUndefined();
    },
  );

  test.each([
    ['The fair is on Friday, April 3.', 'The fair is on Friday, 2026-04-03.'],
    ['The fair is on Friday the 3rd of April, in Porto.', 'The fair is on Friday 2026-04-03, in Porto.'],
    ['Ada prints the programme by Thursday.', 'Ada prints the programme by 2026-03-19.'],
    ['The viewing was moved to Friday, 5 pm.', 'The viewing was moved to 20 March 2026, 5 pm.'],
    ['The desk is open Monday to Friday.', 'The desk is open Monday to Friday.'],
    ['The plumber comes on Monday.', 'The plumber comes on 2026-03-16.'],
    ['We meet on Monday 16 March at noon.', 'Ottilie and others meet on Monday 2026-03-16 at noon.'],
  ])('knows which day a weekday is: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test('keeps a preposition of the verb apart from the day', () => {
    expect(statement('I gave my old bike to a shelter that I help at yesterday.')).toBe(
      "Ottilie gave Ottilie's old bike to a shelter that Ottilie helps at on 2026-03-13.",
    );
  });

  test.each([
    ['Carla moved the review to Monday 30 March.', 'Carla moved the review to Monday 2026-03-30.'],
    ['The umpires postponed the match to May 9.', 'The umpires postponed the match to 9 May 2026.'],
    ['Carla put the visit off until Tuesday.', 'Carla put the visit off until 2026-03-17.'],
    ['Carla booked the hall for the 2nd.', 'Carla booked the hall for 2026-04-02.'],
    ['Carla moved to Graz on 3 May.', 'Carla moved to Graz on 2025-05-03.'],
    ['The fair was on Saturday, 4 April.', 'The fair was on Saturday, 2026-04-04.'],
    ['The archive needs the signed form by Tuesday.', 'The archive needs the signed form by 2026-03-17.'],
    ['I promised Dr. Yilmaz a reply by March 20th.', 'Ottilie promised Dr. Yilmaz a reply by 2026-03-20.'],
    ['I promised Jonas a kite for the fair on April 2nd.', 'Ottilie promised Jonas a kite for the fair on 2026-04-02.'],
    ['I promised Jonas on March 2nd to mend his kite.', 'Ottilie promised Jonas on 2026-03-02 to mend his kite.'],
    [
      'I told Carla that I would return the drill on 20 March.',
      'Ottilie told Carla that Ottilie would return the drill on 2026-03-20.',
    ],
  ])('dates what was arranged ahead of the day of speaking: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    ['The pool is open on Monday, Tuesday and Friday.', 'The pool is open on Monday, Tuesday and Friday.'],
    ['I keep bees.', 'Ottilie keeps bees.'],
    ['I always quote the book that I read last year.', 'Ottilie always quotes the book that Ottilie read in 2025.'],
    ["I'm allergic to nuts.", 'Ottilie is allergic to nuts.'],
    ["I don't eat fish.", 'Ottilie does not eat fish.'],
    ["I haven't smoked since 2019.", 'Ottilie has not smoked since 2019.'],
    ["I can't drive at night.", "Ottilie can't drive at night."],
    ["I'd rather fly than take the ferry.", 'Ottilie would rather fly than take the ferry.'],
    ["I'd never seen snow.", 'Ottilie had never seen snow.'],
    ['I no longer coach the juniors.', 'Ottilie no longer coaches the juniors.'],
    ['I carry a spare inhaler and use it before runs.', 'Ottilie carries a spare inhaler and uses it before runs.'],
    ['I want to paint and draw.', 'Ottilie wants to paint and draw.'],
    ['My brother Levin teaches chemistry.', "Ottilie's brother Levin teaches chemistry."],
    ['Ruth and I rehearse in the barn.', 'Ruth and Ottilie rehearse in the barn.'],
    ['My aunt told me that the roof leaks.', "Ottilie's aunt told Ottilie that the roof leaks."],
    ['If I am late, start without me.', 'If Ottilie is late, start without Ottilie.'],
    ['Nor do I eat eggs.', 'Nor does Ottilie eat eggs.'],
    ['Remember, the boat needs two ropes.', 'The boat needs two ropes.'],
  ])('names who speaks: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    ['We deploy the gateway with Ansible.', "Ottilie's team deploys the gateway with Ansible."],
    ['Our invoices are sent by the finance team.', "Ottilie's team's invoices are sent by the finance team."],
    ['Our dog Bella hates thunder.', "Ottilie's dog Bella hates thunder."],
    ['We got married in a lighthouse.', "Ottilie and Ottilie's partner got married in a lighthouse."],
    ['We have not been to Crete.', 'Ottilie and others have not been to Crete.'],
  ])('names whose group it is: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test('knows a speaker without a name as the user', () => {
    expect(statement('I work at a dairy.', { speaker: 'the user' })).toBe('The user works at a dairy.');
    expect(statement('My landlord raised the rent.', { speaker: 'the user' })).toBe(
      "The user's landlord raised the rent.",
    );
  });

  test('names the other of two speakers, an agent too, and nobody where there are three', () => {
    const before = [turn('Bertil', 'I went to the dentist.')];
    expect(statement('I gave you the key to the cellar.', { before })).toBe(
      'Ottilie gave Bertil the key to the cellar.',
    );
    expect(statement('I told you about the leak.', { before: [turn('Helper', 'Noted.', 'agent')] })).toBe(
      'Ottilie told Helper about the leak.',
    );
    expect(statement('I gave you the key.', { before: [...before, turn('Cleo', 'Hello.')] })).toBeUndefined();
  });

  test.each([
    ['Yesterday I fixed the boiler.', 'On 2026-03-13 Ottilie fixed the boiler.'],
    ['I flew home on Tuesday.', 'Ottilie flew home on 2026-03-10.'],
    ['I will fly home on Tuesday.', 'Ottilie will fly home on 2026-03-17.'],
    ['The exam is next Friday.', 'The exam is on 2026-03-20.'],
    ['I joined the choir last Tues.', 'Ottilie joined the choir on 2026-03-10.'],
    ['I swim on Tuesdays.', 'Ottilie swims on Tuesdays.'],
    ['The choir practice is on Tuesday.', 'The choir practice is on Tuesday.'],
    ['I sold the boat two days ago.', 'Ottilie sold the boat on 2026-03-12.'],
    ['I sold the boat three months ago.', 'Ottilie sold the boat around December 2025.'],
    ['I sold the boat a few weeks ago.', 'Ottilie sold the boat a few weeks before 2026-03-14.'],
    ['The lease ended last month.', 'The lease ended in February 2026.'],
    ['In May I will walk the Rennsteig.', 'In May 2026 Ottilie will walk the Rennsteig.'],
    ['The bridge closed in November.', 'The bridge closed in November 2025.'],
    ['The exam is in two weeks.', 'The exam is around 2026-03-28.'],
    ['I leave for Oslo in three days.', 'Ottilie leaves for Oslo on 2026-03-17.'],
    ['My visa ends on the 27th.', "Ottilie's visa ends on 2026-03-27."],
    ['I swam a lot over the last year.', 'Ottilie swam a lot over the last year (said on 2026-03-14).'],
    ['I had Wednesday off.', 'Ottilie had Wednesday off.'],
    ['The supplier delivers in 12 days.', 'The supplier delivers in 12 days.'],
    ['The board meets next weekend.', 'The board meets on the weekend of 2026-03-21.'],
    ['The board meets next spring.', 'The board meets next spring (said on 2026-03-14).'],
    ['The fair ran from May 3-5, 2025.', 'The fair ran from 2025-05-03 to 2025-05-05.'],
    ['The plumber will come on March 24 or 25.', 'The plumber will come on 2026-03-24 or 2026-03-25.'],
    ['Yesterday was my first day at the foundry.', "2026-03-13 was Ottilie's first day at the foundry."],
    ['My birthday is on June 3.', "Ottilie's birthday is on June 3."],
  ])('has days of the calendar: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test('counts days from the end of a month and a year, in the zone of the turn', () => {
    const newYear = { time: Date.parse('2025-12-31T20:00:00Z') };
    expect(statement('The vet comes tomorrow.', newYear)).toBe('The vet comes on 2026-01-01.');
    expect(statement('The vet comes tomorrow.', { ...newYear, timeZone: 'Asia/Tokyo' })).toBe(
      'The vet comes on 2026-01-02.',
    );
    expect(statement('I moved here last month.', newYear)).toBeUndefined();
    expect(
      statement('The vet came yesterday.', { time: Date.parse('2026-03-01T01:00:00Z'), timeZone: 'America/New_York' }),
    ).toBe('The vet came on 2026-02-27.');
    expect(statementOf(said('The vet comes tomorrow.', newYear))?.day).toBe('2026-01-01');
  });

  test('names what a pronoun means where one thing or person was spoken of', () => {
    expect(statement('It leaks when it rains.', { before: [turn('Ottilie', 'We bought a caravan.')] })).toBe(
      "Ottilie's caravan leaks when it rains.",
    );
    expect(statement('She plays the tuba.', { before: [turn('Ottilie', 'My niece Pia came by.')] })).toBe(
      "Ottilie's niece Pia plays the tuba.",
    );
    for (const who of [
      'My choirmaster is Dr. Lund.',
      'Our neighbour, Mrs. Lund, has a key.',
      'My sister is called Pia Lund.',
    ]) {
      const called = /(?:Dr\. |Mrs\. |Pia )?Lund/.exec(who)![0];
      const own = { before: [turn('Ottilie', who)] };
      expect(statement('She plays the tuba.', own)).toBe(`${called} plays the tuba.`);
    }
    expect(statement('She plays the tuba.', { before: [turn('Ottilie', 'My brother is Paul.')] })).toBeUndefined();
    expect(statement('She plays the tuba.', { before: [turn('Bertil', 'How is your mother?')] })).toBe(
      "Ottilie's mother plays the tuba.",
    );
  });

  test.each([
    ['She plays the tuba.', 'My niece Pia met Dorothea.'],
    ['She plays the tuba.', 'Pia thanked their leader.'],
    ['It costs 40 euros.', 'I looked at the tent and the stove.'],
    ['That was the best part.', 'My niece Pia came by.'],
    ["I'll do that.", 'I have to go.'],
    ['They open at nine.', 'The shops are nice.'],
    ['I left it there.', 'I looked for the stove.'],
    ['Keep it simple.', 'I bought a stove.'],
    ['I am a big fan of it.', 'I heard the record, and the band.'],
    ['Hopefully they have room.', 'I booked.'],
    ['I want one for the barn.', 'I saw the stove.'],
    ['Has a lot of themes.', 'I read.'],
    ['The weather here is mild.', 'I moved.'],
    ['I cook this at home.', 'I bought a stove.'],
    ['Takes a lot of courage.', 'I moved.'],
    ['In a very old folder.', 'I keep the deeds.'],
  ])('is none where its neighbours are needed: %s', (text, before) => {
    expect(statement(text, { before: [turn('Ottilie', before)] })).toBeUndefined();
  });

  test.each([
    [
      'The wiki lives at wiki.example/ops, read the runbook there.',
      'The wiki lives at wiki.example/ops, read the runbook there.',
    ],
    [
      'I draw everything in Krita, so show me brushes for that.',
      'Ottilie draws everything in Krita, so show Ottilie brushes for that.',
    ],
    [
      'Severin goes back to teaching (his wish), Ada takes the night shift.',
      'Severin goes back to teaching (his wish), Ada takes the night shift.',
    ],
    [
      "Who's who: Severin leads the archive, Ada does the prints.",
      "Who's who: Severin leads the archive, Ada does the prints.",
    ],
    ['I moved to Bergen in 2019, you should come by.', 'Ottilie moved to Bergen in 2019.'],
    ['The boiler is 20 years old; that worries me.', 'The boiler is 20 years old; that worries Ottilie.'],
    ['I sold the van, which surprised them.', 'Ottilie sold the van.'],
    ['I would sell the van, but they object.', undefined],
    ['If it fails, call Severin, and tell him.', undefined],
  ])(
    'is what can be understood, where a word is named in the sentence or only its tail is not: %s',
    (text, expected) => {
      expect(statement(text)).toBe(expected);
    },
  );

  test('joins a short answer with its question where that is certain', () => {
    const before = [turn('Bertil', 'Who feeds the hens on Sundays?')];
    expect(statement('Paula does.', { before })).toBe('Paula feeds the hens on Sundays.');
    expect(statement('Ingrid has the pager.', { before: [turn('Bertil', 'Who is on call?')] })).toBe(
      'Ingrid has the pager.',
    );
    expect(statement('Paula does.')).toBeUndefined();
    expect(statement('Paula.', { before })).toBe('Paula feeds the hens on Sundays.');
    expect(statement('I do.', { before })).toBe('Ottilie feeds the hens on Sundays.');
    expect(statement('Who feeds the hens?')).toBeUndefined();
  });

  test.each([
    ['Ottilie, can you water the ferns on Monday?', 'Yes, I will.', 'Ottilie will water the ferns on 2026-03-16.'],
    ['Could you take the minutes?', "I'll do that.", 'Ottilie will take the minutes.'],
    ['Do you still play the oboe?', 'No.', 'Ottilie no longer plays the oboe.'],
    ['Do you eat meat?', "No, I don't.", 'Ottilie does not eat meat.'],
    ['Are you allergic to anything with nuts?', 'Yes.', 'Ottilie is allergic to anything with nuts.'],
    ['Where do you keep your passport?', 'In the blue tin.', "Ottilie keeps Ottilie's passport in the blue tin."],
    ['When is the recital?', 'May 27.', 'The recital is on 2026-05-27.'],
    ['When does the bakery close?', 'At six.', 'The bakery closes at six.'],
    ["What's the code of the gate?", '4411.', 'The code of the gate is 4411.'],
    ['Did you tell them?', 'Yes.', undefined],
    ['How was the trip?', 'In Ghent.', undefined],
  ])('joins "%s" and "%s"', (asked, answered, expected) => {
    expect(statement(answered, { before: [turn('Bertil', asked)] })).toBe(expected);
  });

  test.each([
    'The kiln needs 9 hours to cool.',
    'Never open the valve while the pump runs, not even for a test.',
    'Petra said "I love my job and we will stay" in the interview.',
    'The logs are in /var/log/my/app and `git show I` prints one.',
  ])('comes back as it is if it is understood alone: %s', (text) => {
    expect(statement(text)).toBe(text);
  });

  test('is about a person or a thing', () => {
    const subject = (text: string): string | undefined => statementOf(said(text))?.subject;
    expect(subject('I keep bees.')).toBe('Ottilie');
    expect(subject('My brother Levin teaches chemistry.')).toBe('Levin');
    expect(subject('My landlord raised the rent.')).toBe("Ottilie's landlord");
    expect(subject('The staging server has 4 cores.')).toBe('staging server');
    expect(subject('Wiebke runs the archive.')).toBe('Wiebke');
  });
});

describe('a correction of one value', () => {
  const own = (text: string, speaker = 'Ottilie') => ({ before: [turn(speaker, text)] });
  test.each([
    ['The cistern holds 900 litres.', 'Correction: 9,000.', 'The cistern holds 9,000 litres.'],
    ['The ferry leaves at 7:15. Bring cash.', 'No wait, 7:45.', 'The ferry leaves at 7:45.'],
    ['My class is on Mondays.', 'Sorry, I meant Tuesdays.', "Ottilie's class is on Tuesdays."],
  ])('is the sentence that it corrects, put right: %s %s', (earlier, later, expected) => {
    expect(statement(later, own(earlier))).toBe(expected);
  });

  test.each([
    ['The ferry leaves at 7:15 and comes back at 9:30.', 'No wait, 7:45.'],
    ['Does the ferry leave at 7:15?', 'Sorry, 7:45.'],
    ['Pack the lamps.', 'No, 7:45.'],
  ])('says nothing where it is not clear which one: %s %s', (earlier, later) => {
    expect(statement(later, own(earlier)) ?? '').not.toMatch(/ferry|Pack/);
  });

  test('never speaks for somebody else', () => {
    expect(statement('No, 7:45.', own('The ferry leaves at 7:15.', 'Ines')) ?? '').not.toMatch(/ferry/);
  });
});

describe('what a sentence takes up', () => {
  const after = (question: string, answer: string) => statement(answer, { before: [turn('Bram', question)] });

  test.each([
    [
      'Where do you keep the ladder for the attic?',
      "it's behind the boiler",
      'The ladder for the attic is behind the boiler',
    ],
    [
      'Is the limit of the queue still 50?',
      "It isn't 50 anymore, Ada raised it to 90.",
      "The limit of the queue isn't 50 anymore, Ada raised it to 90.",
    ],
    ['The rent for the studio is 400, right?', "It's 450.", 'The rent for the studio is 450.'],
    ['Did you bring your drill?', "It's in the boot of the car.", "Ottilie's drill is in the boot of the car."],
    ["Where's your brother these days?", "He's in Tromsø.", "Ottilie's brother is in Tromsø."],
    [
      'How much are the tickets for the derby?',
      "They're 18 euros each.",
      'The tickets for the derby are 18 euros each.',
    ],
    ['Who is this Ms Roth in the invitation?', "She's the deputy of Mr Amado.", 'Ms Roth is the deputy of Mr Amado.'],
    ['Where is the one that you lost?', "It's in the garden.", undefined],
  ])('is what the question is about: %s %s', (question, answer, expected) => {
    expect(after(question, answer)).toBe(expected);
  });

  test.each([
    ['The new tenant?', "That's Ida's brother Karel.", "The new tenant is Ida's brother Karel."],
    ['We hired a second cook last week!', 'Her name is Rosa Conti.', "The second cook's name is Rosa Conti."],
    ['The painter is Rosa Conti.', 'She used to live in Turin.', 'Rosa Conti used to live in Turin.'],
    ['They lost my suitcase in Lisbon.', 'It turned up on 2026-03-10.', "Ottilie's suitcase turned up on 2026-03-10."],
  ])('is what the speaker has just brought up: %s %s', (own, text, expected) => {
    expect(statement(text, { before: [turn('Ottilie', own)] })).toBe(expected);
  });

  test.each([
    ['My sister, she works at the port.', "Ottilie's sister works at the port."],
    ['The old boat, the one at the pier, it leaks since May.', 'The old boat at the pier leaks since May.'],
    ['The next day, it rained in Porto.', undefined],
  ])('is what stands in front: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });
});

describe('what is said beside the matter', () => {
  test.each([
    ['Sorry, I gave you the wrong date, the picnic is on 20 June.', 'The picnic is on 2026-06-20.'],
    ['By the way the picnic is in the park.', 'The picnic is in the park.'],
    ['Turns out Ms Roth is the aunt of Jonas.', 'Ms Roth is the aunt of Jonas.'],
    ['The picnic is in the park 😂', 'The picnic is in the park'],
    ['When you book my flights, take an aisle seat.', "When booking Ottilie's flights, take an aisle seat."],
    ['I want sources in everything you write for me.', 'Ottilie wants sources in everything written for Ottilie.'],
    ['No smoking in this workshop, ever.', "No smoking in Ottilie's workshop, ever."],
  ])('is cut, or said without who listens: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });
});

describe('what they did', () => {
  test.each([
    ['They extended the survey deadline to 9 April.', 'The survey deadline was extended to 9 April 2026.'],
    ['They raised our rents to 900 euros, it says in the letter.', "Ottilie's rents were raised to 900 euros."],
  ])('is told without them: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test.each([
    'They moved it to Bergen.',
    'They love the new deadline.',
    'They changed the ferry again, it is on 8 May now.',
  ])('is not where that leaves more open: %s', (text) => {
    expect(statement(text)).toBeUndefined();
  });
});

describe('a day without a year', () => {
  test.each([
    ['Starting in June I have the late shift.', 'Starting in June 2026 Ottilie has the late shift.'],
    ['I have the late shift in June.', 'Ottilie has the late shift in June.'],
    ['I have a driving test on Tuesday.', 'Ottilie has a driving test on 2026-03-17.'],
    ['I have yoga on Tuesday.', 'Ottilie has yoga on Tuesday.'],
    ['I have visited Bergen in June.', 'Ottilie has visited Bergen in June 2025.'],
    ['St Olave have confirmed 12 May for the concert.', 'St Olave have confirmed 2026-05-12 for the concert.'],
    ['Eye operation, left eye: 2 April, 7.30.', 'Eye operation, left eye: 2026-04-02, 7.30.'],
    [
      'Ada turned six yesterday and in September she starts school.',
      'Ada turned six on 2026-03-13 and in September 2026 she starts school.',
    ],
    [
      'I read drafts on Thursdays, so chapters come by Wednesday night.',
      'Ottilie reads drafts on Thursdays, so chapters come by Wednesday night.',
    ],
  ])('is the one that the verb tells: %s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });
});

describe('a sentence of talk', () => {
  const ines = [turn('Ines', 'How was your week?')];
  test.each([
    ['Got a new bike at the flea market.', 'Ottilie got a new bike at the flea market.'],
    ['Trying to sleep before eleven these days.', 'Ottilie is trying to sleep before eleven these days.'],
    ['Love baking with my aunt.', "Ottilie loves baking with Ottilie's aunt."],
    ['I joined this amazing rowing club by the canal.', 'Ottilie joined an amazing rowing club by the canal.'],
    ['I found this podcast called Tidewater.', 'Ottilie found a podcast called Tidewater.'],
    [
      'They look lovely - I painted the shutters of the cabin green.',
      'Ottilie painted the shutters of the cabin green.',
    ],
    ['I bake rye bread as well as rolls.', 'Ottilie bakes rye bread as well as rolls.'],
    [
      'I got home a while ago and I have repaired the gate.',
      'Ottilie got home a while ago and Ottilie has repaired the gate (said on 2026-03-14).',
    ],
    ['We all built our own kites.', 'All of Ottilie and others built their own kites.'],
    ['I treasure our friendship.', "Ottilie treasures Ottilie and Ines's friendship."],
    ['I still get lost in novels, and this trilogy is one of my favourites.', 'Ottilie still gets lost in novels.'],
    ['Umm I keep bees behind the shed.', 'Ottilie keeps bees behind the shed.'],
    ['I respect our military.', 'Ottilie respects the military.'],
  ])('is written with what it left out: %s', (text, expected) => {
    expect(statement(text, { before: ines })).toBe(expected);
  });

  test('is dated and counted by the question it answers', () => {
    const asked = (question: string) => ({ before: [turn('Ines', question)] });
    expect(statement('Seven years now.', asked('How long have you been rowing?'))).toBe(
      'Ottilie has been rowing for seven years.',
    );
    expect(statement('Twice a week.', asked('How often do you swim?'))).toBe('Ottilie swims twice a week.');
  });

  test.each([
    '4 onions',
    'Although sometimes the choir becomes a lot',
    'I used to, too.',
    'I organized one with my cousins.',
    'We will keep doing our best.',
    'Winning keeps us going with our passions.',
    'Our two choirs will sing against each other.',
    'I started two years ago.',
    "I'm a huge fan.",
    'Took some time and patience.',
    'I love the food and the parks of this city.',
  ])('that needs its neighbours is none: %s', (text) => {
    expect(statement(text, { before: ines })).toBeUndefined();
  });

  test('gives a lost subject to nobody after talk of somebody else', () => {
    expect(statement('Got a new bike.', { before: [turn('Ottilie', 'My sister moved. She loves her flat.')] })).toBe(
      undefined,
    );
    expect(statement('Got a new bike.', { before: [turn('Ines', 'What did your sister buy?')] })).toBeUndefined();
  });
});
