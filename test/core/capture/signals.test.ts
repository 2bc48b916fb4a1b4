import { describe, expect, it } from 'vitest';
import { compileSignals, type SignalLevel, signalOf } from '../../../src/core/capture/signals.ts';
import { apolloIsPresent, apolloSessions, skippedNote } from './apollo.ts';

const cases: Readonly<Record<SignalLevel, readonly string[]>> = {
  high: [
    'Actually, I meant the other file.',
    'actually my flight is on Tuesday',
    'Well, actually we moved the release.',
    'ACTUALLY I changed my mind',
    'No, I said Thursday.',
    'No, my sister lives in Oslo.',
    'No, we never agreed to that.',
    "No, that's not what I asked for.",
    "no that's wrong",
    'No, that is incorrect.',
    'Hm. No, wrong branch.',
    "That's not right, the port is 8080.",
    'that is not right at all',
    'That’s not right.',
    'Why did you say that?',
    'I always take the early train.',
    'Just so you know, I never eat fish.',
    'I prefer tabs over spaces.',
    'i hate long meetings',
    'I love this library.',
    'I want the report in German.',
    'I need the numbers by Friday.',
    "Don't use semicolons in my code.",
    'Don’t call me before nine.',
    'do not make changes to the schema',
    "Please don't say sorry all the time.",
    'Do not do that again',
    'Please always answer in one sentence.',
    'Please never push to main.',
    'Please remember that the key is under the mat.',
    'please note the new address',
    'Correction: the meeting is at ten.',
    'A small correction to what I wrote.',
    'Important: backups run at night.',
    'IMPORTANT: read this first',
    'FYI the server moved.',
    'fyi, Ana is out this week',
    'For the record, I was against it.',
    'Just for record keeping: paid on 3 May.',
    'My name is Ada.',
    'my email is ada@example.org',
    'My company is called Initech? No: my company is Initrode.',
    'My role is product owner.',
    'my title is Dr.',
    'My preference is a window seat.',
    'I work at a hospital.',
    'I work in Berlin.',
    'I work from home.',
    'I live in a small town.',
    'I am a nurse.',
    "I'm from Brazil.",
    'I’m in Lisbon until June.',
    'I am at the airport.',
    'We decided to ship on Monday.',
    "We've agreed on PostgreSQL.",
    'we chose the blue logo',
    'Yesterday we picked a name.',
    'We have decided against it.',
    'The decision is final: no more features.',
    'As far as I know the decision was postponed.',
    'Going forward, invoices go to Bob.',
    'Let us do it differently going forward.',
    'From now on, call me Ace.',
    'Use the new endpoint from now on.',
    'I think I prefer the second one.',
    'So\nI always\nwrap lines like this.',
    'I\talways   use  two blanks',
  ],
  medium: [
    'I think my team would object.',
    'I usually feel fine, but I think this is odd.',
    'I like tea and usually drink it black.',
    'My project typically builds in a minute.',
    'I believe that I like it.',
    'Typically I dislike changes of plan.',
    'I feel that my setup is too slow.',
    'I THINK it USUALLY works.',
    'My stack is boring, and I like it.',
  ],
  low: [
    'I think so.',
    'I believe you.',
    'I feel great today.',
    'It usually rains here.',
    'That is typically a caching problem.',
    'I like it.',
    'I dislike this colour.',
    'Ask my team about that.',
    'How does my project get built?',
    'What is wrong with my setup?',
    'I think. I feel. I believe.',
    'My stack has Redis in it.',
  ],
  none: [
    '',
    '   \n\n ',
    'Hello!',
    'What time is it?',
    'Thanks a lot.',
    'Can you show me the log?',
    'Run the tests again.',
    'There is no I in team.',
    'The casino, my friend, is closed.',
    'That is right.',
    'Important people came.',
    'It is unimportant.',
    'We decide tomorrow.',
    'We might choose that one.',
    'The decisions are made elsewhere.',
    'This is unusual.',
    'A prototypical example.',
    'Everybody likes it.',
    'Your name is long.',
    'She works at a bank.',
    'They live in Rome.',
    'The recorder is for recording.',
    'AI preferences are odd.',
    'Wi-fi needs a password',
    'Fyim is not a word',
    'Go forward two steps.',
    'now on to the next topic',
    'Corrections department',
    '```\nrm -rf build\n```',
    'https://example.org/my-team',
    '¿Qué hora es?',
    '1234567890',
  ],
};

describe('the signal of a message', () => {
  const all = Object.entries(cases).flatMap(([level, texts]) => texts.map((text) => ({ level, text })));

  it('has cases enough', () => expect(all.length).toBeGreaterThanOrEqual(100));

  it.each(all)('is $level: $text', ({ level, text }) => {
    expect(signalOf(text)).toMatchObject({ level });
  });

  it('names what was found', () => {
    expect(signalOf('From now on I always want tea.').found).toEqual(['I always', 'from now on']);
    expect(signalOf('I think my team knows').found).toEqual(['I think', 'my team']);
    expect(signalOf('Hello').found).toEqual([]);
  });

  it('looks at the beginning and the end of a pasted document', () => {
    const filler = 'lorem ipsum '.repeat(10_000);
    expect(signalOf(`${filler} From now on.`).level).toBe('high');
    expect(signalOf(`From now on. ${filler}`).level).toBe('high');
  });

  it('takes time that grows no faster than the text, whatever the text', () => {
    // A pattern that goes back and forth would take minutes for these.
    for (const piece of [' ', '\n', '\t\n', 'no ', 'no, that', 'i ', 'actually,', '\n \n', 'a'.repeat(50), '’']) {
      expect(signalOf(piece.repeat(200_000)).level).toBeDefined();
    }
  });

  it.skipIf(!apolloIsPresent)(`is that of before for all turns of the Apollo 13 mission${skippedNote}`, () => {
    const counts = { high: 0, medium: 0, low: 0, none: 0 };
    const turns = apolloSessions().flatMap(({ transcript }) => transcript.turns);
    for (const { text } of turns) counts[signalOf(text).level] += 1;
    expect(counts).toMatchInlineSnapshot(`
      {
        "high": 142,
        "low": 157,
        "medium": 0,
        "none": 10577,
      }
    `);
  });
});

describe('patterns of a configuration', () => {
  const file = 'version: 1\nsignals:\n  high:\n    - deploy\\s+freeze\n  medium: ["(?:x"]\n';

  it('add to the tables', async () => {
    const own = await compileSignals({ high: ['deploy\\s+freeze'], medium: ['budget'] }, 'memory.yaml', () => file);
    expect(signalOf('Deploy  Freeze until Monday', own)).toEqual({ level: 'high', found: ['deploy\\s+freeze'] });
    expect(signalOf('what about the budget', own).level).toBe('low');
    expect(signalOf('I think the budget is too small', own).level).toBe('medium');
  });

  it.each([
    ['of wrong syntax', '(?:x', 'memory.yaml:5'],
    ['with look-around', '(?=x)', 'memory.yaml'],
    ['that repeat too much', '(?:(?:a{0,100}){0,100}){0,100}', 'memory.yaml'],
  ])('%s are refused with their place', async (_, pattern, where) => {
    await expect(compileSignals({ high: [], medium: [pattern] }, 'memory.yaml', () => file)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      where,
    });
  });
});
