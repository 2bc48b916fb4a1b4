// Pairs that look like a change and are none: another person, place, day or part, what is supposed, quoted, denied or told of the past. Beside
// them stand changes of the same things, so that nothing is kept by closing nothing.

import { describe, expect, it } from 'vitest';
import { closing, leads } from '../../src/claims/closing.ts';
import { readSaid } from '../../src/claims/reading.ts';

const start = Date.parse('2026-03-02T09:00:00Z');
const read = (text: string, days: number) =>
  readSaid({ text, speaker: 'the user', role: 'user', time: start + days * 86_400_000, before: [], after: '' });
const pairsOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' || '));

const keeps = `
  I ring Grandpa three times a week || Grandpa has swimming just once a week from now on
  Momo is on a diet, 30 grams a day || Momo goes to Dr. Sander on Hill Street now
  I use the small oven for bread || I use the large oven for the turkey now
  The heroine of my play lives in Lisbon || I myself live in Sheffield
  The port of the mail server is 2525 || The port of the server is 8080, not 9000
  the tests run with pnpm || never push to the release branch on a Friday
  My brother works at Siemens || My cousin works at Bosch now
  My boss lives in Hamburg || My dentist lives in Bremen now
  The neighbour drives a Volvo || Our landlord drives a Tesla now
  Anna lives in Graz || Anna's sister lives in Linz now
  Anna's sister works for Bosch || Anna works for Siemens now
  My mother is a nurse || My aunt became a nurse
  My father is a teacher || My uncle is a baker now
  Our plumber comes on Monday || Our electrician comes on Tuesday now
  My first phone number is 0171 222333 || My second phone number is 0172 444555
  My work phone is 0151 1112223 || My private phone is now 0160 9998887
  I work at the bakery on weekdays || I also started at the cinema on Saturdays
  I live in Leipzig || Back in 2019 I lived in Dresden
  I live in Leipzig || If I got the grant I would move to Rome
  I live in Leipzig || Should I move to Halle?
  I live in Leipzig || "I live in Paris now", the heroine of the novel says
  I live in Leipzig || I never moved to Halle
  I live in Leipzig || My flatmate wants to move to Halle
  The kitchen is painted yellow || The bathroom is painted green now
  The meeting with Bosch is on Monday at 10 || The meeting with Continental is on Tuesday at 11
  The gym closes at 22:00 on weekdays || The gym closes at 18:00 on Sundays
  The staging server runs on port 8080 || The metrics server runs on port 9090 now
  The front door code is 4711 || The garage code is 8899 now
  My left eye has -2.5 || My right eye has -3.0 now
  Our team uses Jira || The design team uses Linear now
  We use Postgres for orders || We use Redis for sessions now
  The rent for the flat is 900 euros || The rent for the garage is 80 euros now
  My son goes to Lessing school || My daughter goes to Schiller school now
  Tom takes 20 mg of ramipril || Tom's wife takes 5 mg of ramipril now
  The train to Ulm leaves at 9:15 || The train to Augsburg leaves at 9:45 now
  Paula's birthday is on 3 May || Paula's husband's birthday is on 8 June
  I drive a Golf || My sister drives a Polo now
  Our dog is called Bello || The neighbours' dog is called Rex
  The library in Altona opens at 9 || The library in Eimsbüttel opens at 10 now
  My dentist is Dr. Klein || My wife's dentist is Dr. Gross
  The client in Oslo pays 80 euros an hour || The client in Bergen pays 95 euros an hour now
  I go swimming on Tuesdays || I go climbing on Thursdays now
  The blog is hosted on Netlify || The shop is hosted on Vercel now
  My boss is Herr Lang || Jana's boss is Frau Kurz
  In the office I drink tea || At home I drink coffee now
  My grandma lives in Kiel || My grandpa moved to Lübeck
  The backend is written in Go || The frontend is written in TypeScript now
  My landlord is Mr Sander || Our neighbour is Mr Petersen
  Our doctor has Wednesdays off || Our vet has Fridays off now
  My sister Ina works at Lidl || My sister Uta works at Rewe now
  My friend Leo is vegan || My friend Max is vegetarian now
  Anna is a vegetarian || Anna's sister is vegan now
  My boss rides a bike to work || My colleague takes the train to work now
  My brother's wife is called Eva || My brother's daughter is called Mia
  The landlord's phone number is 040 334455 || The caretaker's phone number is 040 667788
  My boss takes the 7:40 train || My neighbour takes the 8:10 train now
  Dr. Meyer has his practice in Bonn || Dr. Kurz moved his practice to Cologne
  The cabin in Norway has 4 beds || The cabin in Sweden has 6 beds now
  My first job was at the cinema || My second job is at the bakery now
  I work for the city || I also work for the theatre on weekends
  We keep two cats || My parents keep three dogs now
  The bike is in the cellar || The sledge is in the attic now
  The winter tyres are at Vergölst || The summer tyres are at ATU now
  The upstairs flat costs 700 euros || The downstairs flat costs 850 euros now
  Breakfast is at 8 || Dinner is at 7 now
  My flight to Rome leaves at 9:30 || My flight home leaves at 18:40
  The Monday call is at 9 || The Thursday call is at 15:00 now
  Lena plays the violin || Lena's brother plays the cello now
  I'm allergic to nuts || My niece is not allergic to nuts
  We eat meat on Sundays || The Kowalskis don't eat meat any more
  We use Slack at work || At the sports club we switched to Signal
  The deadline for the abstract is May 3 || The deadline for the paper is June 20
  My mother-in-law lives in Gera || My sister-in-law moved to Jena
  I pay 30 euros for the phone || I pay 45 euros for the internet now
  The old laptop has 8 GB || The new laptop has 32 GB
  Jan leads the backend team || Kim leads the frontend team as of today
  My car is parked in the Lindenstraße || Ole's car is parked in the Gartenweg now
  I drink coffee without sugar || My wife takes two spoons of sugar now
  The keys are with Mrs Frank || The parcels are with Mr Huber now
  Our son is in class 3b || Our daughter is in class 5a now
  The API has a limit of 100 requests || The export has a limit of 20 requests now
  The wedding is on 12 June || The rehearsal dinner is on 11 June
  I go to the gym on Mondays || In summer I go running on Mondays
  Our tax adviser is Ms Blum || My parents' tax adviser is Mr Roth now
  The office is closed on Fridays || The shop is open on Fridays again
  We deploy on Tuesdays || The data team deploys on Thursdays now
  My sister is moving to Basel in spring || My brother moved to Bern
  I live in Mainz || If they offer me the job I'll move to Kiel
  I live in Mainz || She asked whether I moved to Kiel
  I use Vim || "I switched to Emacs", says the author of the post
  I use Vim || Don't tell anyone, but I nearly switched to Emacs
  I use Vim || Years ago I used Emacs
  I work at Hofer || I could never work at Lidl
  I work at Hofer || My friend thinks I work at Lidl now
  The party is on Saturday || Is the party on Sunday now?
  The party is on Saturday || The party could be moved to Sunday
  The party is on Saturday at Tom's || Last year the party was on a Sunday
  The red bus leaves at 10 || The green bus leaves at 11 now
  The north gate opens at 6 || The south gate opens at 7 now
  I take the pill at 8 || My dog takes his pill at 9 now
  My daughter Lea has piano on Tuesday || My daughter Ronja has ballet on Wednesday now
  We have the appointment at the bank on 4 May || We have the appointment at the notary on 6 May
  Peter is vegetarian || Peter's girlfriend is vegan now
  The landlord wants 500 euros deposit || The electricity company wants 120 euros deposit now
  My team meets at 9:30 || Anna's team meets at 10:15 now
  Our bakery delivers to the Meiers on Mondays || Our bakery delivers to the Schulzes on Wednesdays now
  My grandfather drinks red wine || My father-in-law drinks white wine now
  The yoga teacher charges 15 euros || The piano teacher charges 30 euros now
  I rent a room in Basel || A colleague of mine rents a room in Zug now
  Clara's phone is a Pixel || Clara's tablet is an iPad now
  The Berlin office has 12 people || The Munich office has 20 people now
  Room 4 holds 20 people || Room 7 holds 35 people now
  The train there takes 3 hours || The bus there takes 5 hours now
  My uncle is a pilot || My uncle's neighbour became a judge
  We ship with DHL to Germany || We ship with UPS to France now
  Kai's contract ends in June || Mia's contract ends in September now
  I'm learning Spanish || My daughter is learning French now
  Version 2 supports Node 18 || Version 3 supports Node 22 now
  The test database is on db-1 || The archive database is on db-3 now
  I get up at 6 during the week || On Sundays I get up at 9
  My cat Minka is 4 || My cat Moritz is 9 now
  My hair appointment is on Tuesday at 10 || My eye appointment is on Friday at 12
  I have a desk on the second floor || My intern has a desk on the fourth floor now
  The window in the bathroom is broken || The window in the kitchen is fixed now
  Dad takes metoprolol || Mum takes bisoprolol now
  The students meet in room 12 || The teachers meet in room 30 now
  Luis cooks on Mondays || Marta cooks on Wednesdays now
  Our first daughter was born in 2015 || Our second daughter was born in 2018
  I weigh 72 kg || My brother weighs 85 kg now
  The company pays for the train ticket || The company doesn't pay for taxis any more
  I work from home on Fridays || My wife works from home on Wednesdays now
  The novel was written in Rust belt Ohio || The parser was rewritten in Rust
  He said he lives in Oslo || Rumour has it he moved to Bergen
  I use a Mac at home || At work I use Windows now
  I play tennis with Ruben || I play chess with Salome now
  My passport expires in 2029 || My ID card expires in 2027
  We're meeting Ana at 7 || We're meeting Bo at 9
  The water bill is 40 euros || The gas bill is 90 euros now
  My sister has two kids || My cousin has three kids now
  My hotel in Porto costs 90 euros || My hotel in Lisbon costs 120 euros
  The German translation is done by Ute || The French translation is done by Luc now
  The demo is on Thursday || If the demo were on Friday, I could come
  I do not eat pork || My husband eats pork again
  The old office was in Kiel street || The new office is in Bonn street
  The boiler was serviced in March || The chimney was serviced in May
`;

const ends = `
  My brother works at Siemens || My brother works at Bosch now
  My boss lives in Hamburg || My boss moved to Bremen
  Our landlord is Mr Sander || Our new landlord is Mrs Voss
  My flatmate is Amara || Birgit is my flatmate now
  Anna's sister lives in Linz || Anna's sister moved to Graz
  My sister Ina works at Lidl || Ina works at Rewe now
  My dentist is Dr. Klein || My new dentist is Dr. Gross
  My left eye has -2.5 || My left eye has -3.0 now
  The library in Altona opens at 9 || The library in Altona opens at 10 now
  The rent for the flat is 900 euros || The rent for the flat is 980 euros now
  The gym closes at 22:00 on weekdays || The gym closes at 21:00 on weekdays now
  Our team uses Jira || Our team uses Linear now
  The design team uses Jira || The design team switched to Linear
  My phone number is 0171 222333 || My new phone number is 0172 444555
  My work phone is 0151 1112223 || My work phone is now 0160 9998887
  The meeting with Bosch is on Monday at 10 || The meeting with Bosch was moved to Tuesday at 11
  The train to Ulm leaves at 9:15 || The train to Ulm leaves at 9:45 now
  Tom takes 20 mg of ramipril || Tom takes 10 mg of ramipril now
  Choir is on Tuesdays at 19:30 || Choir is on Thursdays at 20:00 now
  I live in Leipzig || I moved to Halle
  My cousin drives a Golf || My cousin sold the Golf
  We also use Redis for sessions || We use Valkey instead of Redis for sessions
  Our dog is called Bello || We renamed our dog to Rex
  The front door code is 4711 || The front door code is 8899 now
  My daughter goes to Lessing school || My daughter goes to Schiller school now
  The parish letter goes to Hilde and Bruno || The parish letter goes to Hilde and Agathe
  I have a subscription to the Heron Times || cancelled the Heron Times subscription yesterday
  Aunt Vera's birthday tea is Sunday the 14th of June || We're doing Aunt Vera's birthday tea on Saturday the 13th now
  My budget for the Lisbon trip is 900 euros || My budget for the trip is now 1200 euros
  I take 20 mg of omeprazole every evening || He has put my omeprazole up to 40 mg starting today
  I use the serif font in the newsletter || I use the mono font in the newsletter again
  I cycle to work over the old bridge || The old bridge is shut, I cycle to work through the park these days
  Complaints go into Basecamp || As agreed last week the complaints go into Trello, Basecamp is read-only from today on
  My cousin Elif works for the council || Elif has handed in her notice, she works for a theatre now
  We've got a hamster, Pim || So no hamster in this flat for the first time in years
  The primary mirror is host-a || disk died, the primary mirror is host-b
`;

describe('what looks like a change', () => {
  it.each(pairsOf(keeps))('%s — %s', (earlier, later) => {
    expect(closing(read(earlier!, 0), read(later!, 30))).toBeNull();
  });
});

describe('a change of the same', () => {
  it.each(pairsOf(ends))('%s — %s', (earlier, later) => {
    expect(closing(read(earlier!, 0), read(later!, 30))).not.toBeNull();
  });
});

describe('of two that may speak of one matter', () => {
  it.each([
    ['My reading glasses have +1.5 on both sides.', 'New glasses, as of today. It is +2.0 on both sides.'],
    ['The shed is heated with oil.', 'The shed is heated with pellets now.'],
    ['The ferry takes 40 minutes.', 'The ferry takes 55 minutes since they changed the pier.'],
  ])('%s — the later leads: %s', (earlier, later) => {
    expect(leads(read(earlier, 0), read(later, 30))).toBe(true);
    expect(leads(read(later, 30), read(earlier, 0))).toBe(false);
  });

  it.each([
    ['Ines takes loratadine against pollen.', 'The doctor gave Ines ointment for her elbow.'],
    ['My brother pays 400 euros for his room.', 'My cousin pays 520 euros for her room now.'],
    ['The left lamp has 40 watts.', 'The right lamp has 60 watts now.'],
    ['We sail to Marstal on 3 May with four friends.', 'Jette lives in Marstal since the autumn of 2023.'],
  ])('%s — nothing leads: %s', (earlier, later) => {
    expect(leads(read(earlier, 0), read(later, 30))).toBe(false);
  });
});

describe('a promise', () => {
  it.each([
    ["I'll send the seating plan to Rosa by Friday.", 'I sent the seating plan to Rosa.'],
    ['I need to pay the water bill by the 14th.', 'Paid the water bill this morning.'],
    ['Remind me to renew the parking permit.', 'I renewed the parking permit today.'],
    ["I'll email Pete the drawings by Monday.", 'Sent Pete the drawings at lunch.'],
    ['I owe Cosmo 80 euros for the seed trays.', 'I transferred Cosmo the 80 just now.'],
    ["I promised Vera I'd do the stall rota by Friday.", "The stall rota's finished and on the wall."],
    ["I promised Jo I'd ring the land registry about the lease.", 'I got through to the land registry this morning.'],
    ['I need to get Pickle her second jab.', 'Pickle had her second jab today.'],
    ["I promised Nell we'd build a rabbit hutch.", 'Nell has gone off rabbits, so the hutch is cancelled.'],
    ['I must fix the gate before the weekend.', "The gate's mended."],
  ])('%s — is kept by: %s', (earlier, later) => {
    expect(closing(read(earlier, 0), read(later, 3))?.reason).toBe('kept');
  });

  it.each([
    ['Ines will mend the garden gate.', 'I mended the garden gate today.', 'Ines', true],
    ['Ines will mend the garden gate.', 'Ines mended the garden gate, I was there.', 'Tom', true],
    ['Ines will mend the garden gate.', 'I mended the garden gate today.', 'Tom', false],
  ])('%s — %s, says %s', (earlier, later, speaker, isKept) => {
    const said = { text: later, speaker, role: 'user', time: start + 3 * 86_400_000, before: [], after: '' };
    expect(closing(read(earlier, 0), readSaid(said))?.reason).toBe(isKept ? 'kept' : undefined);
  });

  it.each([
    ["I'll send the seating plan to Rosa by Friday.", 'I sent flowers to Rosa.'],
    ["I'll email Pete the drawings by Monday.", 'Sent Lena the drawings at lunch.'],
    ["I'll send Ana the March invoice by Friday.", 'I emailed Ana the April invoice.'],
    ['I owe Cosmo 80 euros for the seed trays.', 'I transferred Mara the 80 just now.'],
    ['I must ring the plumber about the boiler.', 'I got through to the dentist.'],
    ['I need to get Biscuit his booster.', 'Pickle had her booster today.'],
    ['I promised Ida a shelf, I will build it in May.', 'The trip is cancelled.'],
    ["I'll send the seating plan to Rosa by Friday.", "I haven't sent the seating plan to Rosa yet."],
    ['I need to pay the water bill by the 14th.', 'Paid the gas bill this morning.'],
    ['I water the lemon tree every Monday.', 'Watered the lemon tree this morning.'],
    ['I need to pay the water bill by the 14th.', 'I forgot to pay the water bill.'],
  ])('%s — is not kept by: %s', (earlier, later) => {
    expect(closing(read(earlier, 0), read(later, 3))).toBeNull();
  });
});

describe('what is said of two of a kind in the same words', () => {
  const pairs = [
    ['Ella', 'Finn'],
    ['My aunt', 'My uncle'],
    ['The Kiel depot', 'The Ulm depot'],
    ['Gate 3', 'Gate 9'],
    ['Our cleaner', 'Our gardener'],
    ['Line U3', 'Line U7'],
    ['Hall B', 'Hall C'],
    ['The morning shift', 'The night shift'],
    ['The upper pond', 'The lower pond'],
    ['The chess club', 'The rowing club'],
    ['The ferry number 120', 'The ferry number 310'],
    ["Ella's bike", "Finn's bike"],
  ] as const;
  const said = [
    ['closes at 18:00', 'closes at 21:30'],
    ['costs 14 euros', 'costs 19 euros'],
    ['is run by Ida', 'is run by Max'],
    ['works as a nurse', 'works as a baker'],
    ['lives in Oslo', 'lives in Rome'],
    ['comes every Tuesday', 'comes every Friday'],
    ['has 40 seats', 'has 65 seats'],
    ['reports to Vera', 'reports to Tom'],
    ['runs on port 8080', 'runs on port 9090'],
    ['drinks oat milk', 'drinks soy milk'],
  ] as const;
  it.each(pairs)('ends nothing, in one clause or two: %s, %s', (one, other) => {
    const wrong = said.flatMap((first, at) =>
      [undefined, said[(at + 3) % said.length], said[(at + 7) % said.length]].flatMap((second) => {
        const [a, b] = [0, 1].map((which) => [first, second].flatMap((words) => words?.[which] ?? []).join(' and '));
        const [earlier, later] = [`${one} ${a}.`, `${other} ${b}.`];
        return closing(read(earlier, 0), read(later, 28)) === null ? [] : [`${earlier} ← ${later}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
