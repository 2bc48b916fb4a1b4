// Seven weeks in a small bicycle workshop: the memory that the picture of README and the tests of the page look at. All of it is made up.

const hour = 3_600_000;

/** A clock that the story sets. */
class StoryClock {
  time = 0;

  now() {
    return this.time;
  }

  set(day, clock = '09:00') {
    this.time = Date.parse(`${day}T${clock}:00Z`);
  }
}

const talks = [
  [
    '2026-09-07',
    'opening hours',
    [
      ['Mira', 'Good morning. The workshop opens at nine, and I am there from eight.'],
      ['desk', 'Noted. Who looks after the wheels?'],
      ['Mira', 'Jonas trues the wheels. I prefer steel frames for the hire bikes, they can be mended.'],
      ['Mira', 'Decision: we lend no bike without a lamp.'],
    ],
  ],
  [
    '2026-09-10',
    'hire bikes',
    [
      ['Mira', 'We have eleven hire bikes since yesterday. The green one is for Oskar, who has long legs.'],
      ['desk', 'I will write the price list by 2026-09-14.'],
      ['Jonas', 'I always note the spoke tension in the blue book.'],
    ],
  ],
  [
    '2026-09-16',
    'parts',
    [
      ['Jonas', 'We order brake pads from Velofix. They deliver on Tuesdays.'],
      ['Mira', 'Decision: spare tubes are counted every Friday, because we ran out twice.'],
    ],
  ],
  [
    '2026-09-24',
    'winter hours',
    [
      ['Mira', 'In winter I prefer to close at five. It is dark by then.'],
      ['Jonas', 'I will build the drying rack by 2026-10-05.'],
    ],
  ],
  [
    '2026-10-06',
    'the rack',
    [
      ['Jonas', 'The drying rack is up. It holds six jackets.'],
      ['Mira', 'Good. From now on Velofix delivers on Thursdays, they said on the phone.'],
    ],
  ],
  [
    '2026-10-15',
    'a group for the lake',
    [
      ['Oskar', 'Eight people from the choir want to ride to the lake on 2026-10-24.'],
      ['Mira', 'Decision: groups pay half in advance.'],
      ['Oskar', 'I will tell them today.'],
    ],
  ],
  [
    '2026-10-26',
    'after the lake',
    [
      ['Mira', 'We learned something: a group needs two people of ours, one in front and one behind.'],
      ['Jonas', 'I prefer to ride behind, with the tools.'],
      ['Oskar', 'The choir wants to come again in spring.'],
    ],
  ],
];

const people = `# People

Who is who in the workshop.

## Key Facts

- **Mira** runs the workshop and mends frames. [verified: 2026-09-11]
- **Jonas** trues wheels and notes the spoke tension in [the blue book](../reference/blue-book.md).
- **Oskar** takes bookings and rides with groups.
`;

const blueBook = `# The blue book

A notebook on the shelf by the truing stand.

| wheel | tension |
| --- | --- |
| front | 100 kgf |
| rear, drive side | 110 kgf |

1. Warm the gauge in your hand.
2. Read it twice, as \`Jonas\` does.

> Too loose sings, too tight cracks.
`;

/**
 * Tells the story into an empty folder: talks, claims that end others or are let go, pages that change, a mistake that is taken back. Gives
 * the memory, which is the caller's to close, its clock, and the ids of claims that the story names.
 *
 * @param {typeof import('../../src/index.ts').openMemory} openMemory
 * @param {string} dir
 * @param {object} options More for openMemory.
 */
export async function tellStory(openMemory, dir, options = {}) {
  const clock = new StoryClock();
  let number = 0;
  const ids = { next: () => `story${String(++number).padStart(7, '0')}` };
  clock.set('2026-09-07', '08:00');
  const memory = await openMemory({ dir, create: true, clock, ids, ...options });
  const claims = {};
  const steps = [
    ...talks.map(([day, topic, turns]) => [day, '10:00', () => talk(topic, turns)]),
    [
      '2026-09-08',
      '09:10',
      () => claim('opens', 'The workshop opens at nine.', { subject: 'the workshop', attribute: 'opening time' }),
    ],
    [
      '2026-09-09',
      '16:20',
      () => claim('bikes', 'Nine hire bikes stand in the yard.', { subject: 'hire bikes', attribute: 'number' }),
    ],
    [
      '2026-09-10',
      '17:00',
      () => claim('bikes2', 'Eleven hire bikes stand in the yard.', { subject: 'hire bikes', attribute: 'number' }),
    ],
    ['2026-09-11', '12:00', () => page('knowledge/people/people.md', people, 'who is who')],
    ['2026-09-14', '18:00', () => page('knowledge/reference/blue-book.md', blueBook, 'what the blue book says')],
    [
      '2026-09-17',
      '11:00',
      () =>
        claim('delivery', 'Velofix delivers brake pads on Tuesdays.', {
          subject: 'Velofix',
          attribute: 'delivery day',
        }),
    ],
    [
      '2026-09-18',
      '17:30',
      () => claim('tubes', 'There are thirty spare tubes.', { subject: 'spare tubes', attribute: 'number' }),
    ],
    [
      '2026-09-25',
      '17:30',
      () => claim('tubes2', 'There are twelve spare tubes.', { subject: 'spare tubes', attribute: 'number' }),
    ],
    [
      '2026-09-28',
      '09:05',
      () =>
        claim('wrong', 'The workshop is closed on Mondays.', {
          subject: 'the workshop',
          attribute: 'closing day',
          category: 'fact',
        }),
    ],
    ['2026-09-29', '08:40', takeBackLast],
    [
      '2026-10-02',
      '17:30',
      () => claim('tubes3', 'There are forty spare tubes.', { subject: 'spare tubes', attribute: 'number' }),
    ],
    [
      '2026-10-05',
      '15:00',
      () => edit('knowledge/reference/blue-book.md', '110 kgf', '120 kgf', 'drive side goes tighter'),
    ],
    [
      '2026-10-06',
      '14:00',
      () =>
        claim('delivery2', 'Velofix delivers brake pads on Thursdays.', {
          subject: 'Velofix',
          attribute: 'delivery day',
        }),
    ],
    [
      '2026-10-12',
      '09:00',
      () =>
        claim('opens2', 'The workshop opens at ten until spring.', {
          subject: 'the workshop',
          attribute: 'opening time',
        }),
    ],
    ['2026-10-13', '13:20', () => used('opens2')],
    ['2026-10-19', '13:20', () => used('opens2')],
    ['2026-10-20', '10:10', () => memory.forget(claims.tubes)],
    [
      '2026-10-24',
      '19:00',
      () =>
        claim('lake', 'Nine people rode to the lake, with one flat tyre.', {
          subject: 'the choir',
          category: 'moment',
        }),
    ],
    [
      '2026-10-26',
      '11:30',
      () =>
        edit(
          'knowledge/people/people.md',
          '- **Oskar** takes bookings and rides with groups.',
          '- **Oskar** takes bookings and rides in front of groups.\n- The choir comes again in spring.',
          'what the lake taught us',
        ),
    ],
    [
      '2026-10-26',
      '11:40',
      () =>
        claim('behind', 'Jonas rides behind groups, with the tools.', {
          subject: 'Jonas',
          attribute: 'place in a group',
          category: 'preference',
        }),
    ],
    [
      '2026-10-26',
      '12:05',
      () =>
        claim('delivery3', 'Velofix delivers brake pads on Wednesdays.', {
          subject: 'Velofix',
          attribute: 'delivery day',
        }),
    ],
  ].sort(([a, b], [c, d]) => (a + b < c + d ? -1 : 1));

  async function talk(topic, turns) {
    const messages = turns.map(([speaker, text], index) => ({
      role: speaker === 'desk' ? 'assistant' : 'user',
      ...(speaker === 'desk' ? {} : { speaker }),
      text,
      time: clock.now() + index * 60_000,
    }));
    clock.time += hour / 4;
    await memory.capture({ session: topic.replaceAll(' ', '-'), topic, agent: 'desk', messages });
    await memory.extract();
  }
  async function claim(name, content, more) {
    claims[name] = (await memory.remember({ agent: 'desk', category: 'fact', content, ...more })).id;
  }
  async function page(path, text, why) {
    await memory.write(path, text);
    await memory.commit(why);
  }
  async function edit(path, old, next, why) {
    await memory.edit(path, old, next);
    await memory.commit(why);
  }
  async function used(name) {
    await memory.records.touch(claims[name], { boost: true });
  }
  async function takeBackLast() {
    const [last] = (await memory.log({ limit: 1 })).commits;
    await memory.undo(last.oid);
  }

  try {
    await memory.configure({ name: 'The workshop' });
    for (const [day, at, run] of steps) {
      clock.set(day, at);
      await run();
      await memory.commit();
    }
  } catch (error) {
    await memory.close();
    throw error;
  }
  return { memory, clock, claims };
}
