// What chats export, in the shapes that people have on their disks: names, clocks and days of every kind, replies, what is passed on, what came
// with a message, and what the program says itself.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { imported, who } from '../../helpers/imports.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

describe('WhatsApp', () => {
  it.each([
    ['dots, seconds, brackets', '[03.04.24, 18:05:09] Ada: Hi\n[13.04.24, 07:00:00] Ben: Yes', '2024-04-03T18:05'],
    ['months first', '4/3/24, 6:05 PM - Ada: Hi\n4/13/24, 7:00 AM - Ben: Yes', '2024-04-03T18:05'],
    ['narrow spaces', '[4/3/24, 6:05:09\u202fPM] Ada: Hi\n[4/13/24, 7:00:00\u202fAM] Ben: Yes', '2024-04-03T18:05'],
    ['half days in Spanish', '3/4/2024, 6:05 p. m. - Ada: Hi\n13/4/2024, 7:00 a. m. - Ben: Yes', '2024-04-03T18:05'],
    ['years first', '2024-04-03, 18:05 - Ada: Hi\n2024-04-13, 07:00 - Ben: Yes', '2024-04-03T18:05'],
    ['a word before the clock', '3.4.2024 klo 18.05 - Ada: Hi\n13.4.2024 klo 7.00 - Ben: Yes', '2024-04-03T18:05'],
    ['Chinese', '2024/4/3 下午6:05 - Ada: Hi\n2024/4/13 上午7:00 - Ben: Yes', '2024-04-03T18:05'],
    ['Korean', '2024. 4. 3. 오후 6:05 - Ada: Hi\n2024. 4. 13. 오전 7:00 - Ben: Yes', '2024-04-03T18:05'],
    ['Arabic', '٣\u200f/٤\u200f/٢٠٢٤، ٦:٠٥ م - Ada: Hi\n١٣\u200f/٤\u200f/٢٠٢٤، ٧:٠٠ ص - Ben: Yes', '2024-04-03T18:05'],
    [
      'the calendar of Thailand',
      '[3/4/2567 BE, 18:05:09] Ada: Hi\n[13/4/2567 BE, 07:00:00] Ben: Yes',
      '2024-04-03T18:05',
    ],
    [
      'the clock first, from a browser',
      '[18:05, 03/04/2024] Ada: Hi\n[07:00, 13/04/2024] Ben: Yes',
      '2024-04-03T18:05',
    ],
    ['an old phone', '4/3/24 6:05:09 PM: Ada: Hi\n4/13/24 7:00:00 AM: Ben: Yes', '2024-04-03T18:05'],
  ])('reads clocks and days with %s', async (_, text, first) => {
    const { said, result } = await imported({ '_chat.txt': text });
    expect(result.form).toBe('whatsapp');
    expect(said.map(([name, time]) => [name, time])).toEqual([
      ['Ada', first],
      ['Ben', '2024-04-13T07:00'],
    ]);
  });

  it.each([
    ['a day above twelve anywhere', ['03/04/24', '05/04/24', '25/04/24'], '2024-04-03', '25/04/24 shows it'],
    ['their order', ['03/04/24', '04/04/24', '02/05/24'], '2024-04-03', 'only so do they follow'],
    ['a day to come', ['04/03/24', '04/05/24', '04/12/24'], '2024-04-03', 'only so do they follow'],
    ['what most such texts do', ['03/04/24', '03/04/24'], '2024-04-03', 'none of them shows it'],
  ])('decides the order of day and month by %s, and says so', async (why, days, first, shown) => {
    const lines = days.map((day, at) => `${day}, 10:0${at} - ${at % 2 === 0 ? 'Ada' : 'Ben'}: words ${at}`);
    // The last one would lie ahead of the day of the test.
    if (why === 'a day to come') lines.push('04/29/24, 11:00 - Ada: the end');
    const { said, result } = await imported({ '_chat.txt': lines.join('\n') });
    expect(said[0]![1]!.slice(0, 10)).toBe(first);
    const note = result.notes.map((one) => one.why).join();
    if (why !== 'a day to come') expect(note).toContain(shown);
    expect(note).toContain('reads its days as');
  });

  it('keeps everything that is said, under every name, and what the program says apart', async () => {
    const { said, result } = await imported({
      'WhatsApp Chat with Trip.txt': [
        '13/04/24, 09:00 - Messages and calls are end-to-end encrypted.',
        '13/04/24, 09:01 - Ada changed the subject from "Trip: one" to "Trip"',
        '13/04/24, 09:02 - ~ Zoë 🥖: One',
        'and two',
        '',
        '- [ ] 3: three',
        '13/04/24, 09:03 - Ben & Co / Rome, Ltd.: ```print(1)',
        '13/04/24, 09:04 - +49 170 1234567: Look: at this',
        '13/04/24, 09:05 - Ada :): \u200eIMG-20240413-WA0001.jpg (file attached)',
        'The harbour',
        '13/04/24, 09:06 - Ada :): <Media omitted>',
        '13/04/24, 09:07 - Ada :): On Friday <This message was edited>',
      ].join('\n'),
    });
    expect(who(said)).toEqual([
      'system',
      'system',
      'Zoë 🥖',
      'Ben & Co / Rome, Ltd.',
      '+49 170 1234567',
      'Ada :)',
      'Ada :)',
      'Ada :)',
    ]);
    expect(said[2]![2]).toBe('One\nand two\n\n- [ ] 3: three');
    expect(said[5]![2]).toBe('> [attachment:IMG-20240413-WA0001.jpg]\n\nThe harbour');
    expect(said[6]![2]).toBe('> [attachment:Media omitted]');
    expect(said[7]![2]).toBe('On Friday\n\n> [edited]');
    expect(result.left).toEqual([]);
    expect(result.read!.leftOut).toEqual([]);
  });

  it('tells on an iPhone what the program says by its marks, and by a name that says nothing else', async () => {
    const { said } = await imported({
      '_chat.txt': [
        '[13.04.24, 09:00:00] Trip: \u200eMessages and calls are end-to-end encrypted.',
        '[13.04.24, 09:00:10] Trip: \u200eAda added Ben',
        '[13.04.24, 09:01:00] Ada: Good morning',
        '\u200e[13.04.24, 09:02:00] Ben: \u200e<attached: 00000012-PHOTO-2024-04-13.jpg>',
        '\u200e[13.04.24, 09:03:00] Ben: plan.pdf • \u200e2 pages \u200e<attached: 00000013-plan.pdf>',
        '\u200e[13.04.24, 09:04:00] Ben: \u200eimage omitted',
        '[13.04.24, 09:05:00] Ben: \u200eYou deleted this message.',
        '[13.04.24, 09:05:30] Ben: \u200eBen left',
        '[13.04.24, 09:06:00] Ben: See you \u200e<This message was edited>',
      ].join('\r\n'),
    });
    expect(who(said)).toEqual(['system', 'system', 'Ada', 'Ben', 'Ben', 'Ben', 'system', 'system', 'Ben']);
    expect(said.map(([, , text]) => text).slice(3)).toEqual([
      '> [attachment:00000012-PHOTO-2024-04-13.jpg]',
      'plan.pdf • 2 pages\n\n> [attachment:00000013-plan.pdf]',
      '> [attachment:image omitted]',
      'You deleted this message.',
      'Ben left',
      'See you\n\n> [edited]',
    ]);
  });

  it('is called by its file, or by the group', async () => {
    const text =
      '[13.04.24, 09:00:10] Trip: \u200eAda added Ben\n[13.04.24, 09:01:00] Ada: Hi\n[13.04.24, 09:02:00] Ben: Yes';
    const topicOf = async (name: string, written: string) =>
      (await imported({ [name]: written })).transcripts[0]!.topic;
    expect(await topicOf('_chat.txt', text)).toBe('Trip');
    expect(await topicOf('_chat.txt', text.split('\n').slice(1).join('\n'))).toBe('Ada, Ben');
    expect(await topicOf('WhatsApp Chat with Ben.txt', text)).toBe('WhatsApp Chat with Ben');
  });

  it('leaves logs of programs to others', async () => {
    const { result } = await imported({
      'app.txt': '2024-04-13 09:00:01 - INFO: begun\n2024-04-13 09:00:02 - WARN: slow',
    });
    expect(result.form).toBe('conversations');
  });
});

describe('Telegram', () => {
  const base = (id: number, more: object) => ({
    id,
    type: 'message',
    date: `2024-04-13T09:0${id}:00`,
    from: 'Ada',
    ...more,
  });

  it('reads an account: each chat by itself, with its texts, files, replies, and notices', async () => {
    const chat = {
      name: 'Harbour',
      type: 'private_group',
      id: 5,
      messages: [
        {
          id: 1,
          type: 'service',
          date: '2024-04-13T09:01:00',
          actor: 'Ada',
          action: 'invite_members',
          members: ['Ben'],
          text: '',
        },
        base(2, {
          text: [
            'See ',
            { type: 'text_link', text: 'the map', href: 'https://example.org/m' },
            ' and ',
            { type: 'code', text: 'ls' },
          ],
        }),
        base(3, {
          from: 'Ben',
          reply_to_message_id: 2,
          text: 'Fine',
          edited: '2024-04-13T09:09:00',
          reactions: [{ type: 'emoji', count: 2, emoji: '👍' }],
        }),
        base(4, { forwarded_from: 'Cleo', text: 'I live in Rome' }),
        base(5, { photo: '(File not included. Change data exporting settings to download.)', text: 'Ours' }),
        base(6, { file: 'files/plan.pdf', mime_type: 'application/pdf', text: '' }),
        base(7, { media_type: 'sticker', sticker_emoji: '🥖', file: 'x.webp', text: '' }),
        base(8, { poll: { question: 'When?', answers: [{ text: 'Noon', voters: 2 }] }, text: '' }),
        { id: 9, type: 'unsupported' },
      ],
    };
    const { said, transcripts, result } = await imported({
      'result.json': {
        personal_information: { user_id: 1 },
        chats: { about: 'x', list: [chat, { type: 'saved_messages', id: 6, messages: [base(1, { text: 'A note' })] }] },
      },
    });
    expect(new Set(transcripts.map(({ sessionId, topic, title }) => `${sessionId}: ${topic ?? title}`))).toEqual(
      new Set(['telegram-5: Harbour', 'telegram-6: saved messages']),
    );
    const texts = said.filter(([, , text]) => text !== 'A note').map(([one, , text]) => `${one}: ${text}`);
    expect(texts).toEqual([
      'system: Ada: invite members; Ben',
      'Ada: See the map (https://example.org/m) and `ls`',
      'Ben: > [reply to Ada: See the map (https://example.org/m) and `ls`]\n\nFine\n\n> [edited]\n> [reactions: 👍 2]',
      'Ada: > [forwarded from Cleo]\n\n> I live in Rome',
      'Ada: Ours\n\n> [attachment:photo]',
      'Ada: > [attachment:files/plan.pdf]',
      'Ada: > [attachment:sticker 🥖]',
      'Ada: When?\n- Noon (2)',
    ]);
    expect(result.read!.leftOut.map(({ count }) => count)).toEqual([1, 1]);
  });

  it('knows a message again that was reacted to since, and takes the times of seconds since 1970', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'result.json');
    const write = (more: object) =>
      fs.writeFileSync(
        file,
        JSON.stringify({
          name: 'B',
          type: 'personal_chat',
          id: 5,
          messages: [base(1, { date_unixtime: '1712999999', text: 'Hi', ...more })],
        }),
      );
    const { memory } = await newTestMemory();
    write({});
    expect(await memory.import(file)).toMatchObject({ added: 1 });
    write({ reactions: [{ type: 'emoji', count: 1, emoji: '👍' }], edited: '2024-04-14T00:00:00' });
    expect(await memory.import(file)).toMatchObject({ added: 0, read: { here: 1 } });
  });
});

describe('Signal', () => {
  it('reads what signal-export writes, in local time, once, with the words beside it', async () => {
    const row = (date: string, sender: string, body: string, more: object = {}) =>
      JSON.stringify({ date, sender, body, quote: '', sticker: '', reactions: [], attachments: [], ...more });
    const { said, result } = await imported(
      {
        'Ben/data.json': [
          row('2024-04-13T09:00:00', 'Me', 'Noon?  '),
          row('2024-04-13T09:01:00.250000', 'Ben', 'Yes  ', { quote: '\n\n> Noon?\n\n', reactions: [['Ada', '👍']] }),
          row('2024-04-13T09:02:00', 'Ben', '  ', { attachments: [{ name: 'a.jpg', path: './media/a.jpg' }] }),
        ].join('\n'),
        'Ben/chat.md': '[2024-04-13 09:00:00] Me: Noon?  \n\n[2024-04-13 09:01:00] Ben: Yes  \n',
      },
      { zone: 'Europe/Berlin' },
    );
    expect(result.form).toBe('signal');
    expect(said).toEqual([
      ['user', '2024-04-13T07:00', 'Noon?'],
      ['Ben', '2024-04-13T07:01', '> [reply to Noon?]\n\nYes\n\n> [reactions: 👍 Ada]'],
      ['Ben', '2024-04-13T07:02', '> [attachment:a.jpg]'],
    ]);
  });

  it('reads what signal-cli prints, both sides of it', async () => {
    const line = (envelope: object) => JSON.stringify({ envelope, account: '+491' });
    const { said, transcripts } = await imported({
      'signal.jsonl': [
        line({
          sourceNumber: '+492',
          sourceName: 'Ben',
          timestamp: 1713000000000,
          dataMessage: { timestamp: 1713000000000, message: 'Noon?' },
        }),
        line({ sourceNumber: '+492', sourceName: 'Ben', timestamp: 1713000001000, receiptMessage: {} }),
        line({
          sourceNumber: '+491',
          timestamp: 1713000060000,
          syncMessage: { sentMessage: { destination: '+492', timestamp: 1713000060000, message: 'Yes' } },
        }),
      ].join('\n'),
    });
    expect(who(said)).toEqual(['Ben', 'user']);
    expect(transcripts.map(({ sessionId }) => sessionId)).toEqual(['signal-492']);
  });
});

describe('Messenger and Instagram', () => {
  it('mend their letters, put parts in order, and tell what came with a message', async () => {
    // Each byte as a character.
    const torn = (text: string) => Buffer.from(text).toString('latin1');
    const part = (messages: object[]) => ({
      participants: [],
      messages,
      title: torn('Café Ana'),
      thread_path: 'inbox/cafe_1',
    });
    const { said, transcripts, result } = await imported({
      'inbox/cafe_1/message_1.json': part([
        {
          sender_name: torn('Zoë'),
          timestamp_ms: 1713000120000,
          content: torn('Bis bald 👋'),
          reactions: [{ reaction: torn('👍'), actor: 'Ana' }],
        },
        { sender_name: 'Ana', timestamp_ms: 1713000060000, photos: [{ uri: 'inbox/cafe_1/photos/1.jpg' }] },
        { sender_name: 'Ana', timestamp_ms: 1713000050000, content: 'gone', is_unsent: true },
      ]),
      'inbox/cafe_1/message_2.json': part([
        { sender_name: 'Ana', timestamp_ms: 1713000000000, content: torn('Noon at the café?') },
      ]),
    });
    expect(transcripts.map(({ sessionId, title }) => [sessionId, title])).toEqual([['messenger-cafe_1', 'Café Ana']]);
    expect(said.map(([one, , text]) => `${one}: ${text}`)).toEqual([
      'Ana: Noon at the café?',
      'Ana: > [attachment:inbox/cafe_1/photos/1.jpg]',
      'Zoë: Bis bald 👋\n\n> [reactions: 👍 Ana]',
    ]);
    expect(result.read!.leftOut).toMatchObject([{ why: 'were taken back', count: 1 }]);
  });

  it('read chats with end-to-end encryption, whose letters are right', async () => {
    const { said } = await imported({
      'Ana_7.json': {
        participants: ['Ana', 'Zoë'],
        threadName: 'Ana_7',
        messages: [
          {
            isUnsent: false,
            media: [],
            reactions: [],
            senderName: 'Zoë',
            text: 'Bis später',
            timestamp: 1713000060000,
            type: 'text',
          },
          {
            isUnsent: false,
            media: [{ uri: './media/1.jpg' }],
            reactions: [],
            senderName: 'Ana',
            text: '',
            timestamp: 1713000000000,
            type: 'media',
          },
        ],
      },
    });
    expect(said.map(([one, , text]) => `${one}: ${text}`)).toEqual([
      'Ana: > [attachment:./media/1.jpg]',
      'Zoë: Bis später',
    ]);
  });
});

describe('Discord', () => {
  it('reads a channel of an exporter: replies, frames, files, bots and notices', async () => {
    const author = (nickname: string, isBot = false) => ({ id: '1', name: nickname.toLowerCase(), nickname, isBot });
    const at = (minute: number, more: object) => ({
      id: String(minute),
      type: 'Default',
      timestamp: `2024-04-13T09:0${minute}:00+02:00`,
      content: '',
      ...more,
    });
    const { said, transcripts } = await imported({
      'x.json': {
        guild: { id: '1', name: 'Bakery' },
        channel: { id: '77', type: 'GuildTextChat', name: 'general' },
        messages: [
          at(0, { type: 'GuildMemberJoin', content: 'Joined the server.', author: author('Ben') }),
          at(1, { content: 'We ship', author: author('Ada'), timestampEdited: '2024-04-13T09:05:00+02:00' }),
          at(2, {
            type: 'Reply',
            content: 'Good',
            author: author('Ben'),
            reference: { messageId: '1' },
            stickers: [{ name: 'wave' }],
          }),
          at(3, { author: author('Clock', true), embeds: [{ title: 'Reminder', description: 'Ship it' }] }),
          at(4, { author: author('Ben'), attachments: [{ fileName: 'plan.pdf' }] }),
        ],
      },
    });
    expect(transcripts[0]).toMatchObject({ sessionId: 'discord-77', title: 'Bakery #general' });
    expect(said.map(([one, , text]) => `${one}: ${text}`)).toEqual([
      'system: Ben: Joined the server.',
      'Ada: We ship\n\n> [edited]',
      'Ben: > [reply to Ada: We ship]\n\nGood\n\n> [attachment:wave]',
      'Clock: > Reminder\n> Ship it',
      'Ben: > [attachment:plan.pdf]',
    ]);
    expect(said[1]![1]).toBe('2024-04-13T07:01');
  });

  it('reads the data package of an account, of then and now', async () => {
    const { said, result } = await imported({
      'Messages/index.json': { '5': 'general in Bakery' },
      'Messages/c5/channel.json': { id: '5', type: 'GUILD_TEXT', name: 'general', guild: { id: '1', name: 'Bakery' } },
      'Messages/c5/messages.json': [
        { ID: 2, Timestamp: '2024-04-13 09:01:00', Contents: 'Later', Attachments: '' },
        {
          ID: 1,
          Timestamp: '2024-04-13 09:00:00',
          Contents: '',
          Attachments: 'https://cdn.example.org/a/plan.pdf?x=1',
        },
      ],
      'Messages/c6/channel.json': { id: '6', type: 'DM', recipients: ['1', '2'] },
      'Messages/c6/messages.csv':
        'ID,Timestamp,Contents,Attachments\n3,2019-04-13 09:00:00.123000+00:00,"He said ""noon"",\nI think",\n',
    });
    expect(result.left).toEqual([]);
    expect(said).toEqual([
      ['user', '2019-04-13T09:00', 'He said "noon",\nI think'],
      ['user', '2024-04-13T09:00', '> [attachment:plan.pdf]'],
      ['user', '2024-04-13T09:01', 'Later'],
    ]);
  });
});

it('Slack says of a reply what it answers, also on another day, and of frames, files and reactions', async () => {
  const { said, transcripts } = await imported({
    'users.json': [
      { id: 'U1', profile: { display_name: 'Ada' } },
      { id: 'U2', profile: { display_name: 'Ben' } },
    ],
    'dms.json': [{ id: 'D0123456', members: ['U1', 'U2'] }],
    'D0123456/2024-04-13.json': [
      { type: 'message', user: 'U1', text: 'Noon?', ts: '1713000000.000100', thread_ts: '1713000000.000100' },
    ],
    'D0123456/2024-04-14.json': [
      {
        type: 'message',
        user: 'U2',
        text: 'Yes',
        ts: '1713090000.000100',
        thread_ts: '1713000000.000100',
        reactions: [{ name: 'tada', users: ['U1'], count: 1 }],
      },
      { type: 'message', user: 'U2', text: '', ts: '1713090060.000100', files: [{ name: 'plan.pdf' }] },
      {
        type: 'message',
        user: 'U2',
        text: '',
        ts: '1713090120.000100',
        attachments: [{ title: 'News', text: 'It rains' }],
      },
    ],
  });
  expect(said.map(([one, , text]) => `${one}: ${text}`)).toEqual([
    'Ada: Noon?',
    'Ben: > [reply to Ada: Noon?]\n\nYes\n\n> [reactions: :tada: Ada]',
    'Ben: > [attachment:plan.pdf]',
    'Ben: > News\n> It rains',
  ]);
  expect(transcripts[0]!.title).toBe('Ada, Ben 2024-04-13');
});

it('calls a form by its name that is known and not read', async () => {
  const { memory } = await newTestMemory();
  const folder = temporaryFolder();
  for (const [name, text, said] of [
    ['messages.html', '<html>', 'Telegram'],
    ['msgstore.db.crypt15', 'x', 'WhatsApp'],
    ['chat.txt', '[LINE] Chat history with Ada', 'LINE'],
    ['talk.docx', 'x', 'document'],
  ] as const) {
    fs.writeFileSync(path.join(folder, name), text);
    await expect(memory.import(path.join(folder, name))).rejects.toThrow(said);
  }
});
