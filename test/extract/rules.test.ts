import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExtractionContext } from '../../src/extract/extractor.ts';
import { patientRules, ruleExtractor } from '../../src/extract/rules.ts';
import type { Turn } from '../../src/records/types.ts';

/** A Monday. */
const monday = Date.parse('2026-02-16T10:00:00Z');
const path = 'raw/conversations/2026/02/16/1000-s1-x.md';

function extract(turns: readonly (Partial<Turn> & { text: string })[], context: Partial<ExtractionContext> = {}) {
  const spoken = turns.map((turn) => ({ role: 'user', time: monday, ...turn }));
  const transcript = { sessionId: 's1', started: monday, ended: monday, title: 'x', turns: spoken };
  return ruleExtractor.extract(transcript, { path, ...context });
}
const from = (text: string, turn: Partial<Turn> = {}) => extract([{ text, ...turn }]);
const kinds = (text: string, turn: Partial<Turn> = {}) => from(text, turn).map(({ category }) => category);

it('reads a long turn in steps, finds the same, and lets others in between', async () => {
  const text = Array.from({ length: 3000 }, (_, at) => `The server number ${at} failed after we moved it.`).join('\n');
  const turns = [{ role: 'user', time: monday, text }];
  const transcript = { sessionId: 's1', started: monday, ended: monday, title: 'x', turns };
  let others = 0;
  let isRead = false;
  const other = (): void => {
    others += 1;
    if (!isRead) setImmediate(other);
  };
  setImmediate(other);
  const found = await patientRules.extract(transcript, { path });
  isRead = true;
  expect(others).toBeGreaterThan(1);
  expect(found.length).toBeGreaterThan(10);
  expect(found).toEqual(ruleExtractor.extract(transcript, { path }));
});

describe('what a body can bear', () => {
  it.each([
    'I am allergic to latex.',
    'I have asthma.',
    'My daughter is lactose intolerant.',
    'My blood type is 0 negative.',
  ])('is kept, however short: %s', (text) => {
    expect(from(text).map(({ content }) => content)).toEqual([text]);
  });
});

describe('a rule that somebody gives a program', () => {
  it.each([
    'Never touch anything below generated/, the script writes it anew.',
    'Always run `make check` before you push.',
    'Photos of pupils must not appear on the site.',
    'Nobody gets the master key without signing the book.',
    "I'd rather be asked than have you guess.",
  ])('is kept in any words: %s', (text) => {
    expect(from(text)).not.toEqual([]);
  });

  it('is none in a turn of thanks, nor a question', () => {
    for (const text of ['Always happy to help!', 'Must only members sign?', 'Never mind the noise.'])
      expect(from(text), text).toEqual([]);
  });
});

describe('what a program advises', () => {
  it('is no fact, where what it states may be one', () => {
    const options = 'Options: 1. Congstar M, 22 euros, 20 GB. 2. Stay with Vodafone at 25 euros.';
    expect(from(options, { role: 'agent' }).filter(({ content }) => content.startsWith('Stay'))).toEqual([]);
    expect(from('Vodafone has a plan for 25 euros.', { role: 'agent' })).not.toEqual([]);
  });
});

it('what goes on today is nothing that is owed', () => {
  expect(kinds('We are starting the Heron project today.')).not.toContain('commitment');
  expect(kinds('We are starting the Heron project on Friday.')).toContain('commitment');
});

describe('a promise whose day stands in the other half', () => {
  it('has that day', () => {
    const [owed] = from('I owe Femke a reference; she needs it by Friday.');
    expect(owed).toMatchObject({ category: 'commitment', due: '2026-02-20' });
  });
});

describe('of what two people say to each other', () => {
  const between = (text: string) =>
    extract([
      { text: 'Morning! How are things?', speaker: 'Ida' },
      { text, speaker: 'Rolf' },
    ]).map(({ content }) => content);

  it.each([
    'Never ship a blood sample without a cold-chain label.',
    'I hate calls before ten, so put mine after lunch.',
    'We decided to go with the copper roof.',
    'I just adopted two kittens from the shelter in Ghent.',
    'My brother works as a nurse in Leuven.',
  ])('this is kept: %s', (text) => {
    expect(between(text).join(' ')).toContain(text.replace(/\.$/, ''));
  });

  it.each([
    "I'm so excited about everything!",
    "I've been catching up on some reading this evening.",
    'The story is so well written.',
    'I loved the colours.',
    "I'm doing well, just a bit tired.",
    'I like the idea of it.',
    'We can really make a difference together.',
    'Saw another one earlier.',
  ])('this is not: %s', (text) => {
    expect(between(text)).toEqual([]);
  });
});

describe('what is found', () => {
  it.each([
    ['decision', 'We decided to drop support for Node 18.'],
    ['decision', "Let's go with Postgres for the main store."],
    ['decision', "Let's go with Postgres."],
    ['decision', 'We decided yesterday to move invoices from Stripe to Adyen.'],
    ['decision', "We're going with Postgres instead of MySQL."],
    ['fact', "I'm Lena and I lead the billing team at Northwind."],
    ['fact', 'I run a small shop.'],
    ['preference', "I don't eat meat."],
    ['commitment', 'I need to renew my passport by June 3.'],
    ['decision', 'Aquarius, our decision for the time is to leave the IMU powered up.'],
    ['decision', "We're going to power down the PGNS."],
    ['decision', 'You are GO for the burn.'],
    ['decision', 'The beta launch was postponed because of the outage.'],
    ['commitment', "I'll send the contract to Maria by Friday."],
    ['commitment', 'Can you remind me to call Bob tomorrow?'],
    ['commitment', 'The deadline is March 15.'],
    ['fact', 'The design review is on Thursday.'],
    ['fact', "I'm going to Berlin with Anna on Friday."],
    ['fact', 'My birthday is on November 8.'],
    ['skill', 'To restart the pump, hold the red button for ten seconds.'],
    ['fact', 'Ingrid has the pager.'],
    ['fact', 'We no longer deploy on Fridays.'],
    ['commitment', 'I promise to review the draft.'],
    ['preference', 'I prefer bullet lists over prose in reports.'],
    ['preference', 'David prefers bullet lists.'],
    ['preference', "I'm vegetarian and allergic to nuts."],
    ['preference', 'My favorite editor is Helix.'],
    ['principle', 'Please always run the tests before pushing.'],
    ['principle', 'Never store passwords in the repo.'],
    ['principle', "Don't commit to main."],
    ['principle', 'From now on, write commit messages in English.'],
    ['principle', 'We should always validate input.'],
    ['correction', 'Actually, my email is jo@example.org.'],
    ['correction', 'No, the port is 8080, not 8000.'],
    ['correction', "That's wrong, the invoice goes to Anna in accounting."],
    ['relationship', 'My wife Anna is a nurse.'],
    ['relationship', 'Maria works at Acme.'],
    ['entity', 'Acme is a small startup in Berlin.'],
    ['moment', "Houston, we've had a problem."],
    ['moment', 'I finally passed my driving test!'],
    ['moment', 'The payment service crashed last night.'],
    ['moment', 'We all hiked the ridge last Sunday.'],
    ['moment', 'Yesterday my sister and I visited the museum.'],
    ['skill', 'I speak German and English.'],
    ['skill', 'I started lifting weights two years ago.'],
    ['preference', 'Skiing and skating are winter sports I enjoy.'],
    ['preference', 'I like to write tests first.'],
    ['preference', "I'm passionate about public libraries."],
    ['preference', 'I run along the river every morning.'],
    ['entity', 'We adopted a cat called Bailey.'],
    ['fact', "I'm working on a parser for invoices."],
    ['fact', 'The backup runs every night.'],
    ['fact', 'My name is David Feldhofer.'],
    ['fact', 'I work at ExcitingFit as a CTO.'],
    ['fact', 'The production database is hosted on AWS in Frankfurt.'],
    ['fact', 'It turns out that the token expires after 24 hours.'],
    ['fact', 'We use Postgres 16.'],
  ])('%s: %s', (category, text) => {
    expect(from(text)).toMatchObject([{ category, content: text, turns: [1] }]);
  });

  it.each([
    'FYI, the staging server is down until Monday.',
    'fyi my cousin Ada runs the bakery',
    'Small update for the weekend: the ferry leaves at 9:40.',
    'Garden diary: the quince has 14 fruits.',
    'For whoever opens tomorrow: the alarm code is 4410.',
    'Just so you all have it: the alarm code is 4410.',
    'Note to self: run `just check_all` before every release.',
    'Hugo owns billing, and Lien reviews it.',
    'And, well, we decided to ship on Monday.',
  ])('is the whole sentence as it was said: %s', (text) => {
    const items = from(`Okay, so we talked. ${text}`, { speaker: 'Jo' });
    expect(items).toMatchObject([{ content: text, subject: 'Jo' }]);
    for (const item of items) expect(item).not.toHaveProperty('statement');
  });

  it('is read from lists, over line ends and with typographic apostrophes', () => {
    const text = '1. **Decision:** keep the old\n   endpoint\n- [ ] I’ll send the report to Jo by Friday';
    expect(from(text).map(({ category, content }) => [category, content])).toEqual([
      ['decision', '**Decision:** keep the old endpoint'],
      ['commitment', 'I’ll send the report to Jo by Friday'],
    ]);
  });

  it('begins a note at a line with a label, whatever the line above ends with', () => {
    const text = 'Hello\nDecision: we ship on Friday\n**Rule:** never deploy after lunch\nTodo: call Bob by Monday';
    expect(from(text).map(({ category, content }) => [category, content])).toEqual([
      ['decision', 'Decision: we ship on Friday'],
      ['principle', '**Rule:** never deploy after lunch'],
      ['commitment', 'Todo: call Bob by Monday'],
    ]);
    // A line that only goes on with a sentence is none.
    expect(kinds('They asked me about the\ndecision and the date of it')).toEqual([]);
  });

  it('carries names, the speaker where it says "I", tags and the day it is due', () => {
    expect(from("I'll send the draft to Maria Lopez by Friday #launch", { speaker: 'Jo' })).toMatchObject([
      { entities: ['Jo', 'Maria Lopez'], tags: ['deadline', 'launch'], due: '2026-02-20', role: 'user' },
    ]);
    expect(from('We decided to use Redis.', { speaker: 'Jo' })).toMatchObject([{ entities: ['Redis'] }]);
    // Days and months are no names.
    for (const when of ['on Tuesdays', 'Monday-Friday', 'on Friday', 'in October', 'on Wednesday mornings']) {
      expect(from(`Decision: releases leave ${when}.`)).toMatchObject([{ category: 'decision', entities: [] }]);
    }
  });

  it('is less sure where the speaker is', () => {
    const sure = from('We decided to use Redis.')[0]!.confidence;
    const unsure = from('I think we decided to use Redis.')[0]!.confidence;
    expect(sure).toBeGreaterThanOrEqual(0.95);
    expect(unsure).toBeLessThan(0.95);
  });
});

describe('a promise with a day', () => {
  it.each([
    ['I will build the bench with the floor and native git by 2026-11-10.', '2026-11-10'],
    ['I will put that into the bench by 2026-11-12.', '2026-11-12'],
    ['I will measure what a warm recall costs by 2026-11-13.', '2026-11-13'],
    ["I'll have the slides done by Friday.", '2026-02-20'],
    ["I'll be done with the slides by Friday.", '2026-02-20'],
    ['i will get back to you before next Monday.', '2026-02-23'],
    ["We're going to rehearse the talk on Thursday.", '2026-02-19'],
    ["I'm going to talk to Anna about the budget tomorrow.", '2026-02-17'],
    ["We'll paint the kitchen within two weeks.", '2026-03-02'],
    ["We'll benchmark the parser by the end of the month.", '2026-02-28'],
    ["I'll compare the two parsers by 5pm on Friday.", '2026-02-20'],
    ['I will write that test this week.', '2026-02-20'],
    ["We'll go live with the beta on Friday.", '2026-02-20'],
    ["We're planning to take a trip to Rome by Feb 28.", '2026-02-28'],
    ["I'm flying to Oslo with Anna on Friday.", '2026-02-20'],
    ['I have an appointment with the dentist tomorrow.', '2026-02-17'],
    ['On Monday we talked, and I will summarise the talk for Jo by Feb 20.', '2026-02-20'],
    ['I will write up what we said on Monday by Thursday.', '2026-02-19'],
    ['I promised Mr. Amado to send him the drawings by Friday.', '2026-02-20'],
    ['I told Anna that I would paint the fence on Saturday.', '2026-02-21'],
    ['The tax office needs the form by the end of the month.', '2026-02-28'],
    ['I still need to ring the coach firm before the end of April.', '2026-04-30'],
    ['Need to drop off the folders at the mill by Wednesday.', '2026-02-18'],
    ['Councillor Brandt undertook to get three quotes by 25 March.', '2026-03-25'],
    ['I shall take the van to the garage on the 24th.', '2026-02-24'],
    ['Our client asked for the drawings by Thursday.', '2026-02-19'],
  ])('is a commitment whoever makes it: %s', (text, due) => {
    for (const role of ['user', 'agent'])
      expect(from(text, { role, speaker: 'Jo' }), role).toMatchObject([{ category: 'commitment', due }]);
  });

  it.each([
    "I'll respond by Friday.",
    "I'll have it by Friday.",
    "I'll see you at the office on Friday.",
    "I'll talk to you about it tomorrow.",
    'If it rains I will rehearse the talk on Thursday.',
    'What I will rehearse on Thursday is the talk.',
    'Will I rehearse the talk on Thursday?',
    "I'll rehearse Thursday's talk.",
    'I will rehearse the talk by 2026-02-30.',
    'She will miss the talk on Thursday.',
    'I think I will rehearse the talk on Thursday.',
    "We'll perhaps begin the rehearsal next week.",
    'I told you I would rather stay home on Friday.',
    'She promised a lot of money to them.',
    'He wants to leave by Friday.',
  ])('is not every future: %s', (text) => {
    expect(kinds(text)).not.toContain('commitment');
  });
});

describe('a rule or a wish for every time', () => {
  it.each([
    ['principle', 'Shoes off in the hall, always.'],
    ['principle', 'No dogs in the bakery, ever, not even small ones.'],
    ['principle', 'Pls no parcels at the back door after six.'],
    ['principle', 'Nobody climbs the ladder without a second person.'],
    ['principle', 'Keys to the archive only with the signature of two wardens.'],
    ['principle', 'nobody opens the kiln before it has cooled'],
    ['principle', 'The recipes of the guests never go into a newsletter'],
    ['principle', 'rule for whatever you send to the mill: no prices, ever'],
    ['principle', 'Reminder: nobody leaves the kiln alone while it fires'],
    ['principle', 'From now on the keys hang in the office, not in the hall.'],
    ['preference', 'amounts always in kroner, never in euros'],
    ['preference', 'Headlines in sentence case pls, max 8 words'],
    ['preference', 'spaces, not tabs in all our templates'],
    ['preference', 'I bake until noon, so no calls before one please'],
    ['preference', 'could you answer in Frisian from now on?'],
    ['preference', 'can you always give me the page number?'],
    ['preference', 'please go back to writing in Frisian'],
    ['preference', 'When you draft letters for me leave out the greeting'],
    ['preference', 'When you book my flights, take an aisle seat.'],
    ['preference', 'I want the sources in brackets in everything you write for me.'],
    ['preference', 'And please give me weights in grams, I cannot think in ounces.'],
    ['preference', 'Branch names: lower case, no slashes.'],
    ['principle', 'Listen, chalk never goes into the small kiln.'],
    ['principle', 'You never push to a release branch.'],
    ['principle', 'The index job has to end before the export, otherwise rows are counted twice.'],
    ['principle', "Temps don't get the alarm code, not even at weekends."],
  ])('is kept in any words: %s: %s', (category, text) => {
    expect(from(text)).toMatchObject([{ category }]);
  });

  it.each([
    'Write me a poem that rhymes with lantern for five guests',
    'Just tell us which of the two trains is cheaper on Monday.',
    'can u tell me how many grams are in an ounce',
    'Blame me, not the driver.',
    'Could you always see the mill from here?',
    'The bus never comes on time',
    "Don't ring the mill yet.",
    'My mistake, I misread the label.',
  ])('is no request of the moment, and no mistake alone: %s', (text) => {
    expect(from(text)).toEqual([]);
  });

  it('is nothing that an agent knows of the world, and its own report is', () => {
    const agent = { role: 'agent', speaker: 'Pip' } as const;
    expect(from("I'm opening a branch for the 2 fixes now.", agent)).toEqual([]);
    expect(from('Blisters usually form where the shoe rubs on the heel.', agent)).toEqual([]);
    expect(from('An invoice says what was sold in the month of March.', agent)).toEqual([]);
    expect(from('I removed the old cache, and the build went from nine minutes to four.', agent)).toHaveLength(1);
  });
});

describe('what an assistant repeats', () => {
  const answer = (text: string) =>
    extract([{ text: 'Rowing practice is on Mondays at 5:30.' }, { role: 'agent', speaker: 'Pip', text }]).filter(
      ({ turns }) => turns[0] === 2,
    );

  it('is no claim of its own, and a new number is one', () => {
    expect(answer('Got it, practice Mondays at 5:30.')).toEqual([]);
    expect(answer('Noted: your rowing practice is on Mondays at 5:30. Have fun!')).toEqual([]);
    expect(answer('I moved the practice to the 14-metre boat from May on.')).toHaveLength(1);
  });
});

describe('what kind of thing it is', () => {
  it.each([
    ['relationship', 'Ms Roth, the new librarian, is the aunt of Jonas.'],
    ['relationship', "Ada's new partner is Femke's cousin."],
    ['decision', 'Final answer: the wedding is at the lake in 2027.'],
    ['decision', 'We will close the kiosk on 3 rainy days a month, agreed unanimously.'],
    ['decision', "I'm going with the oak instead of the pine, the grain sold me."],
    ['decision', "That's unanimous, so we open with the waltz."],
    ['decision', 'It was resolved that the gate be locked at dusk on all 7 days.'],
    ['preference', "I'd sooner count the moths alone than have another helper."],
    ['entity', 'Moorhen is our internal level editor.'],
    ['entity', 'Holmen is the little island where we keep the boat.'],
    ['skill', "If the dough goes grey, don't bin it: scrape off the top and feed it twice."],
    ['moment', 'Picked up the second loom yesterday for 90 euros'],
    ['fact', "I'm allergic to penicillin, found out in 2011."],
    ['fact', 'Turns out the model got worse because the labels were shifted by one day.'],
    ['skill', "Grandma's way with the ferns: water them from below, keep them out of the sun."],
    ['skill', 'Mira can weld up to ten millimetres now.'],
    ['fact', 'The export was slow because the index was missing.'],
  ])('%s: %s', (category, text) => {
    expect(from(text)).toMatchObject([{ category }]);
  });

  it.each([
    ['Jonna prints the programme by Friday.', '2026-02-20'],
    ['The hearing of Roth v. Adler has been set for 18 June at 9:30.', '2026-06-18'],
    ['Rehearsal is moved to the 24th, 7 pm.', '2026-02-24'],
    ['Our ferry to Texel leaves on Friday 3 July at 22:00.', '2026-07-03'],
    ['My aunt has her eye operation on the 19th, at 7.30 in Graz.', '2026-02-19'],
    ["I'll mail the plans to Roth two weeks from Monday.", '2026-03-09'],
    ['The stitches come out on Tuesday.', '2026-02-17'],
    ['Gotta pay the league fee within ten days.', '2026-02-26'],
  ])('a day that somebody has to be there: %s', (text, due) => {
    expect(from(text)).toMatchObject([{ category: 'commitment', due }]);
  });
});

describe('labels', () => {
  it.each([
    ['Decision: keep the old endpoint until June.', 'decision'],
    ['Decided – we keep the old endpoint.', 'decision'],
    ['Correction: the port is 8080.', 'correction'],
    ['Preference: spaces over tabs', 'preference'],
    ['Rule: no release on a Friday', 'principle'],
    ['TODO: book flights to Lisbon', 'commitment'],
    ['**Lesson learned:** compare an index with a rebuilt one.', 'fact'],
    ['FYI: the staging server is down until Monday.', 'fact'],
    ['- [P1] **Decision:** tiered pricing', 'decision'],
    ['- **[P0]** Preference: short answers', 'preference'],
    ['Decision: iPhone support stays.', 'decision'],
    ['Decision: src/base holds no helpers.', 'decision'],
  ])('name the category and stay with the words: %s', (text, category) => {
    expect(from(text)).toMatchObject([{ category, content: text.replace(/^- (?:\*\*)?\[P\d\](?:\*\*)? /, '') }]);
  });

  it('leave a tag where the category alone would not tell, and a day', () => {
    expect(from('Lesson learned: compare before trusting.')).toMatchObject([{ tags: ['lesson'] }]);
    expect(from('Reminder: call the landlord tomorrow')).toMatchObject([{ due: '2026-02-17' }]);
  });

  it.each([
    'Decision: pending.',
    'Decision: should we use tabs or spaces?',
    'Correction: twelve',
    'Decision-making is hard work.',
    'Correction – tank 1.',
    'The decision: who knows about that anyway.',
  ])('label nothing here: %s', (text) => {
    expect(kinds(text)).toEqual([]);
  });

  it('keep "Approved", which says what happened to the thing', () => {
    expect(from('Approved: the budget for June')).toMatchObject([{ content: 'Approved: the budget for June' }]);
  });
});

describe('Priority Extracts', () => {
  const text = `We talked.

## Priority Extracts
- [P0] Client X deadline moved to Feb 18
- [P1] Decided on tiered pricing model
* [P2] User prefers bullet points over paragraphs
- [P3] maybe blue?
- [P4] no such priority`;

  it('are always taken, with their priority and the kind the rules see in them', () => {
    expect(from(text).map(({ priority, category, content, due }) => [priority, category, content, due])).toEqual([
      ['P0', 'commitment', 'Client X deadline moved to Feb 18', '2026-02-18'],
      ['P1', 'decision', 'Decided on tiered pricing model', undefined],
      ['P2', 'preference', 'User prefers bullet points over paragraphs', undefined],
      ['P3', 'fact', 'maybe blue?', undefined],
    ]);
    for (const item of from(text))
      expect(item).toMatchObject({ confidence: 0.98, tags: expect.arrayContaining([item.priority]) });
  });
});

describe('what is left out', () => {
  it.each([
    'Should we use Postgres?',
    'Have we decided to use Postgres?',
    'If we decided to use Redis we would need a server.',
    "We haven't decided to use it yet.",
    'Maybe we use Postgres.',
    'She said "we decided to leave the house" yesterday.',
    '> We decided to use Postgres.',
    '> [tool:exec] we decided to use Postgres → ok',
    '```\nWe decided to use Postgres.\n```',
    '    We decided to use Postgres.',
    '# We decided to use Postgres',
    'I love that! I love how you did it.',
    'Never mind. Always happy to help!',
    "I'll do that. We'll use that.",
    'We decided to do that.',
    'We decided to -',
    'Okay. Roger. Thanks a lot!',
    "We're going to stop at the next page. We'll keep the ball up until you are done.",
    'The two buttons we agreed on. The colours that we use.',
    'I recommend visiting some castles.',
    'Going forward, we absolutely will need to have more conversations.',
    'We have a problem, I think.',
    'I took this picture last summer.',
    'I would prefer not to worry about the layout right now.',
    "I'm going to write down the numbers here.",
    'Berlin is a great city for music.',
    'const decided = await we.decided({ to: use }); // {}',
    '',
  ])('%s', (text) => {
    expect(kinds(text)).toEqual([]);
  });

  it('the words of the system and turns about memory', () => {
    expect(kinds('We decided to use Postgres.', { role: 'system' })).toEqual([]);
    expect(kinds('We decided to use Postgres.', { role: 'agent', flag: 'memory' })).toEqual([]);
  });

  it('an answer that begins with "No", which is no correction', () => {
    const answer = { text: 'No, the case is made in Ghent.' };
    const kindsAfter = (text: string) => extract([{ text }, answer]).map(({ category }) => category);
    expect(kindsAfter('Is the case made of wood?')).toEqual(['fact']);
    expect(kindsAfter('They showed a case.')).toEqual(['correction']);
  });

  it('what a program recommends, until somebody decides it', () => {
    const text = 'We recommend that you use Postgres for the main store.';
    expect(kinds(text, { role: 'agent' })).toEqual([]);
    expect(kinds(text, { role: 'agent', speaker: 'Fred' })).toEqual(['decision']);
  });

  it('what a program announces to do next, but not what a person does', () => {
    const text = "I'll update the configuration file with the new port.";
    expect(kinds(text, { role: 'agent' })).toEqual([]);
    expect(kinds(text, { role: 'agent', speaker: 'Fred' })).toEqual(['commitment']);
    expect(kinds(text)).toEqual(['commitment']);
  });

  it('what was said before in the same session', () => {
    const items = extract([
      { text: 'We decided to use Redis.' },
      { text: 'we decided to use REDIS' },
      { text: 'We decided to use Redis!' },
    ]);
    expect(items.map(({ turns }) => turns)).toEqual([[1]]);
  });

  it('what is less sure or more than asked for', () => {
    const turns = ['We decided to use Redis.', "We'll use the red cable.", 'We decided to use Postgres.'].map(
      (text) => ({ text }),
    );
    expect(extract(turns, { minConfidence: 0.95 })).toHaveLength(2);
    expect(extract(turns, { maxItems: 2 }).map(({ turns: [turn] }) => turn)).toEqual([1, 3]);
  });
});

describe('any text', () => {
  it('gives items that are on one line, not empty, of a turn that is there, and the same twice', () => {
    const words = fc.constantFrom(
      'we',
      'decided',
      'to',
      'use',
      'I',
      'prefer',
      'Postgres',
      'by',
      'Friday',
      'never',
      'always',
      '.',
      '?',
      '\n',
      '- [P1] ',
      '"',
      'if',
      '，',
      '😀',
      '```',
      '> ',
    );
    const text = fc.array(words, { maxLength: 40 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
        const turns = texts.map((one) => ({ text: one }));
        const items = extract(turns);
        expect(extract(turns)).toEqual(items);
        for (const item of items) {
          expect(item.content.trim()).not.toBe('');
          expect(item.content).not.toMatch(/\n/);
          expect(item.confidence).toBeGreaterThan(0);
          expect(item.confidence).toBeLessThanOrEqual(1);
          expect(item.turns[0]).toBeLessThanOrEqual(texts.length);
        }
      }),
    );
  });

  // The limit of the runner is the judge: a pattern that backtracks does not come to an end here.
  it('is read to its end whatever its shape', () => {
    const hostile = [
      'we '.repeat(20_000),
      `We decided to ${'a-'.repeat(20_000)}`,
      `I'll send ${'x '.repeat(190)}. `.repeat(200),
      `The ${'thing '.repeat(60)}is. `.repeat(200),
      '.'.repeat(50_000),
      '"'.repeat(50_000),
      `${'A'.repeat(390)}. `.repeat(100),
      `${"A'b.".repeat(90)}. `.repeat(100),
      '- [P0] '.repeat(5000),
      '*'.repeat(50_000),
      '('.repeat(50_000),
      '`'.repeat(50_000),
      `${'- '.repeat(190)}\n`.repeat(100),
      `${"I'll go by ".repeat(36)}. `.repeat(100),
      `${'I will put it on in 2 '.repeat(17)}. `.repeat(100),
      'Decision: '.repeat(5000),
      `Decision ${' '.repeat(50_000)}:`,
    ];
    for (const text of hostile) expect(() => from(text)).not.toThrow();
  });
});

describe('what people say to each other', () => {
  const talk = (text: string) =>
    extract([
      { speaker: 'Runa', text: 'Hello there.' },
      { speaker: 'Tjark', role: 'agent', text },
    ]).map(({ content }) => content);

  it.each([
    'Hard work always pays off in the end.',
    'Venice is indeed a wonder like no other.',
    'What would happen to the bees then',
    'Rain ruins picnics a lot.',
  ])('is small talk where it is about nobody: %s', (text) => {
    expect(talk(text)).toEqual([]);
  });

  it.each(['I sold my boat to a neighbour in March.', 'My sister moved to Graz last year.'])(
    'is kept where somebody did something: %s',
    (text) => {
      expect(talk(text)).toEqual([text]);
    },
  );

  it('keeps two who are one subject together', () => {
    expect(talk('I had a flat tyre last week when my cousin and I drove to Graz.')).toEqual([
      'I had a flat tyre last week when my cousin and I drove to Graz.',
    ]);
  });
});
