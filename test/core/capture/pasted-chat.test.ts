// Talk as chat programs copy and export it, in forms taken from their clipboards; and texts that look a little like it.

import { describe, expect, it } from 'vitest';
import { parseCaptureInput } from '../../../src/core/capture/input.ts';
import { pastedChat } from '../../../src/core/capture/pasted-chat.ts';

const now = Date.parse('2026-02-16T18:45:00Z');
const turns = (text: string, timeZone = 'UTC') =>
  parseCaptureInput(text, { now, timeZone }).turns.map(({ role, speaker, time, text: words }) => [
    speaker ?? role,
    new Date(time).toISOString().slice(0, 16),
    words,
  ]);

describe('a chat that was pasted', () => {
  const day = '2026-02-14';
  const expected = [
    ['Anna', `${day}T10:02`, 'The launch is on Friday.'],
    ['Ben', `${day}T10:05`, 'Then I book the room.\nThe large one.'],
    ['Anna', `${day}T14:10`, 'Thanks: do that'],
  ];
  const below = (headings: readonly string[]) =>
    `${headings[0]}\nThe launch is on Friday.\n\n${headings[1]}\nThen I book the room.\nThe large one.\n\n${headings[2]}\nThanks: do that\n`;
  const beside = (headings: readonly string[]) =>
    `${headings[0]} The launch is on Friday.\n${headings[1]} Then I book the room.\nThe large one.\n${headings[2]} Thanks: do that`;

  it.each([
    [
      'WhatsApp on a phone of Apple',
      beside(['[14.02.26, 10:02:33] Anna:', '[14.02.26, 10:05:01] Ben:', '[14.02.26, 14:10:00] Anna:']),
    ],
    [
      'WhatsApp, American',
      beside(['2/14/26, 10:02 AM - Anna:', '2/14/26, 10:05 AM - Ben:', '2/14/26, 2:10 PM - Anna:']),
    ],
    [
      'WhatsApp with its notice',
      `14/02/2026, 09:00 - Messages and calls are end-to-end encrypted.\n${beside(['14/02/2026, 10:02 - Anna:', '14/02/2026, 10:05 - Ben:', '14/02/2026, 14:10 - Anna:'])}`,
    ],
    ['Telegram', below(['Anna, [14.02.2026 10:02]', 'Ben, [14.02.2026 10:05]', 'Anna, [14.02.2026 14:10]'])],
    [
      'WhatsApp in German',
      beside(['14.02.26, 10:02 Uhr - Anna:', '14.02.26, 10:05 Uhr - Ben:', '14.02.26, 14:10 Uhr - Anna:']),
    ],
    [
      'Slack, days ago, where now is a Monday',
      below(['Anna  Saturday at 10:02 AM', 'Ben  Saturday at 10:05 AM', 'Anna  Saturday at 2:10 PM']),
    ],
    ['Teams', below(['[14.02.2026 10:02] Anna', '[14.02.2026 10:05] Ben', '[14.02.2026 14:10] Anna'])],
    ['Discord', below(['Anna — 02/14/2026 10:02 AM', 'Ben — 02/14/2026 10:05 AM', 'Anna — 02/14/2026 2:10 PM'])],
    ['a client of IRC', beside(['[2026-02-14 10:02] <Anna>', '[2026-02-14 10:05] <Ben>', '[2026-02-14 14:10] <Anna>'])],
    [
      'a list of names and times',
      beside(['Anna (2026-02-14 10:02):', 'Ben (2026-02-14 10:05):', 'Anna (2026-02-14 14:10):']),
    ],
  ])('from %s has its names, times and words', (_, text) => {
    const said = (written: string) => turns(written).filter(([who]) => who !== 'system');
    expect(said(text)).toEqual(expected);
    expect(said(text.replaceAll('\n', '\r\n'))).toEqual(expected);
  });

  it.each([
    ['Slack', below(['Anna  10:02 AM', 'Ben  10:05 AM', 'Anna  2:10 PM'])],
    ['Slack, with the time below the name', below(['Anna\n  10:02 AM', 'Ben\n  10:05 AM', 'Anna\n  2:10 PM'])],
    ['Teams, with the time below the name', below(['Anna\n10:02', 'Ben\n10:05', 'Anna\n14:10'])],
    ['a copy as markdown', beside(['**Anna** (10:02):', '**Ben** (10:05):', '**Anna** (14:10):'])],
    ['a chat with clocks', beside(['[10:02] Anna:', '[10:05] Ben:', '[14:10] Anna:'])],
    ['a chat with clocks and no brackets', beside(['10:02 Anna:', '10:05 Ben:', '14:10 Anna:'])],
  ])('from %s, with clocks alone, is of the day on which it was pasted', (_, text) => {
    expect(turns(text)).toEqual(expected.map(([who, at, words]) => [who, at!.replace(day, '2026-02-16'), words]));
  });

  it('of an evening that is still to come was that of the day before', () => {
    expect(turns('[23:50] Ada: late\n[00:10] Bo: later').map(([, at]) => at)).toEqual([
      '2026-02-15T23:50',
      '2026-02-16T00:10',
    ]);
    expect(turns('[20:00] Ada: late\n[20:10] Bo: later').map(([, at]) => at)).toEqual([
      '2026-02-15T20:00',
      '2026-02-15T20:10',
    ]);
  });

  it('has the times of the clocks of its zone', () => {
    expect(turns('[14.02.26, 10:02] Ada: x\n[14.02.26, 10:05] Bo: y', 'America/New_York')[0]![1]).toBe(
      '2026-02-14T15:02',
    );
  });

  it('knows the two sides of a talk with an assistant', () => {
    expect(turns('[10:02] You: Hi\n[10:03] ChatGPT: Hello').map(([who]) => who)).toEqual(['user', 'ChatGPT']);
    const headed = '## User\nI like dark roast.\n\n## Assistant\nNoted.\n';
    expect(turns(headed).map(([who, , words]) => [who, words])).toEqual([
      ['user', 'I like dark roast.'],
      ['agent', 'Noted.'],
    ]);
  });

  it('knows Me and You, a page that copies what was responded, and pictures before roles', () => {
    const who = (text: string) => turns(text).map(([one]) => one);
    expect(who('Me: When do we sail?\nYou: At dawn.\nMe: Fine')).toEqual(['user', 'agent', 'user']);
    expect(who('You said: When do we sail?\nClaude responded: At dawn.')).toEqual(['user', 'Claude']);
    expect(who('### 👤 User\nWhen do we sail?\n\n### 🤖 Assistant\nAt dawn.')).toEqual(['user', 'agent']);
    expect(who('You: When do we sail?\nChatGPT: At dawn.')).toEqual(['user', 'ChatGPT']);
  });

  it('has what the program says itself as a notice', () => {
    const text = '14/02/2026, 09:00 - Ben changed the subject to "Oven: the second"\n14/02/2026, 10:02 - Ada: Good';
    expect(turns(`${text}\n14/02/2026, 10:03 - Ben & Co / Rome: Yes`).map(([who]) => who)).toEqual([
      'system',
      'Ada',
      'Ben & Co / Rome',
    ]);
  });

  it('loses nothing to a fence that nobody closes', () => {
    const text = '[10:02] Ada: see\n[10:03] Bo: ```print(1)\n[10:04] Ada: nice\n```\n[10:05] Bo: yes';
    expect(turns(text).map(([who]) => who)).toEqual(['Ada', 'Bo', 'Ada', 'Bo']);
    expect(turns('Ada: See\n```\nBen: I said so.\nAda: Nice one.\nBen: It is.').map(([who]) => who)).toEqual([
      'Ada',
      'Ben',
      'Ada',
      'Ben',
    ]);
  });

  it('leaves code alone', () => {
    expect(turns('[10:02] Ada: see\n```\n[10:03] Bo: x\n```\n[10:04] Ada: that').map(([who]) => who)).toEqual([
      'Ada',
      'Ada',
    ]);
  });
});

it.each([
  'Breakfast 8:00\nEggs\nLunch 12:30\nSoup\nDinner 19:00\nBread',
  'Breakfast\n8:00\nEggs\nLunch\n12:30\nSoup\nDinner\n19:00\nBread',
  '08:15 Train: platform 4\n09:20 Bus: line 7',
  '[10:02:33] app.ERROR: broken\n[10:02:34] app.INFO: mended',
  '[2026-02-14 10:02:33] INFO: begun\n[2026-02-14 10:02:34] WARN: slow',
  'We meet at 10:02: bring a pen.\nWe meet at 10:05: bring two.',
  'Minutes\n[10:02] Ada: x\n[10:05] Bo: y',
  '[31.13.2026, 10:02] Ada: x\n[32.13.2026, 10:05] Bo: y',
  '[10:72] Ada: x\n[10:75] Bo: y',
])('%j is no chat', (text) => {
  expect(pastedChat(text, now)).toBeNull();
});

it('a text in which nobody can be told to speak is said to be one text', () => {
  const isOneText = (text: string, options = {}) => parseCaptureInput(text, { now, ...options }).isOneText ?? false;
  const mail = 'Hi Ben,\n\nFriday works.\n\nOn Mon, Feb 16, 2026 at 10:02 AM Ben wrote:\n> When do we sail?';
  for (const text of [mail, 'Packing list\n- rope\n- tar', '<Anna> ahoy\n<Ben> ahoy'])
    expect(isOneText(text)).toBe(true);
  expect(isOneText('One thought, on one line.')).toBe(false);
  expect(isOneText('Anna: ahoy\nBen: ahoy', { format: 'text' })).toBe(false);
  expect(isOneText('[10:02] Anna: ahoy\n[10:03] Ben: ahoy')).toBe(false);
});
