// Captions and transcripts of meetings: who said what, from the day on that a file says.

import { describe, expect, it } from 'vitest';
import { imported, who } from '../../helpers/imports.ts';

describe('captions', () => {
  it('of Teams come as what each said in one go, from the day in their name on', async () => {
    const { said, result } = await imported({
      'Standup-20240413_090000-Meeting Recording.vtt': [
        'WEBVTT',
        '',
        'NOTE made by a program',
        '',
        'f1/1-0',
        '00:00:03.120 --> 00:00:06.300',
        '<v Ines Prado>The crane is back</v>',
        '',
        'f1/1-1',
        '00:00:06.300 --> 00:00:08.000',
        '<v Ines Prado>at <i>noon</i> &amp; tested.</v>',
        '',
        'f1/2-0',
        '00:01:05.250 --> 00:01:08.100',
        '<v.loud Ben>Good.</v> <v Ines Prado>Yes.</v>',
      ].join('\n'),
    });
    expect(said).toEqual([
      ['Ines Prado', '2024-04-13T09:00', 'The crane is back at noon & tested.'],
      ['Ben', '2024-04-13T09:01', 'Good.'],
      ['Ines Prado', '2024-04-13T09:01', 'Yes.'],
    ]);
    expect(result.read!.leftOut).toMatchObject([{ why: 'are notes to a player', count: 1 }]);
  });

  it('of SRT name who speaks where the file does, and nobody where it does not', async () => {
    const cue = (at: number, text: string) => `${at}\n00:00:0${at},000 --> 00:00:0${at},900\n${text}\n\n`;
    const { said } = await imported({
      'interview.srt': [
        'HOST: Where were you born?',
        'In a town',
        'by the sea.',
        '>> HOST: And then?',
        'DR. HALE: I moved.',
        '',
      ]
        .map((text, at) => cue(at + 1, text))
        .join(''),
    });
    expect(said.map(([one, , text]) => `${one}: ${text}`)).toEqual([
      'HOST: Where were you born?',
      'user: In a town by the sea.',
      'HOST: And then?',
      'DR. HALE: I moved.',
    ]);
  });

  it('without names are put together to sentences, and what has no day says so', async () => {
    const { said, result } = await imported({
      'film.srt':
        '1\r\n00:00:01,000 --> 00:00:02,000\r\nThe oven is\r\n\r\n2\r\n00:00:02,000 --> 00:00:03,000\r\n<i>warm.</i>\r\n\r\n3\r\n00:00:04,000 --> 00:00:05,000\r\nNote: it burns.\r\n',
    });
    expect(said).toEqual([
      ['user', '2023-11-14T22:13', 'The oven is warm.'],
      ['user', '2023-11-14T22:13', 'Note: it burns.'],
    ]);
    expect(result.notes.map(({ why }) => why).join()).toContain('does not say when that was');
  });
});

describe('transcripts of meetings', () => {
  it('out of Word, with the day above the words', async () => {
    const { said, result } = await imported({
      'meeting.txt':
        'Standup-Meeting Transcript\n13 April 2024, 09:00am\n27m 42s\nAda started transcription\nInes Prado   0:03\nWe ship on Friday.\nAll of it.\nBen   1:02:09\nGood.\n',
    });
    expect(result.form).toBe('talks');
    expect(said).toEqual([
      ['Ines Prado', '2024-04-13T09:00', 'We ship on Friday.\nAll of it.'],
      ['Ben', '2024-04-13T10:02', 'Good.'],
    ]);
    expect(result.read!.leftOut).toMatchObject([{ count: 4 }]);
  });

  it('of Otter and Zoom', async () => {
    const otter = await imported({
      'talk.txt': 'Ada  0:00\nWell.\n\nUnknown Speaker  0:54\nYes.\n\nTranscribed by https://otter.ai\n',
    });
    expect(who(otter.said)).toEqual(['Ada', 'Unknown Speaker']);
    expect(otter.said[1]![2]).toBe('Yes.');
    const chat = await imported({
      '2024-04-13 20.15.00 Zoom Meeting/chat.txt':
        '20:15:33 From Ada to Everyone: Good evening\n20:16:02 From Ben to Ada: Hi\n',
    });
    expect(chat.said).toEqual([
      ['Ada', '2024-04-13T20:15', 'Good evening'],
      ['Ben', '2024-04-13T20:16', 'Hi'],
    ]);
  });

  it.each([
    [
      'a list of names',
      'date: 2024-04-13\nparticipants: [Ines Prado, Ben]',
      'Ada: Hello\n\nBen: Noon\n\nAda: Good',
      '2024-04-13T00:00',
    ],
    [
      'links and a clock',
      'created: 2024-04-13T09:00:00+02:00\nattendees:\n  - "[[Ada]]"\n  - "[[Ben]]"',
      '**Ada**: Hello\n**Ben**: Noon\n**Ada**: Good',
      '2024-04-13T07:00',
    ],
    [
      'a day in words',
      'date: April 13, 2024\nspeakers: Ada, Ben',
      '## Ada\nHello\n\n## Ben\nNoon\n\n## Ada\nGood',
      '2024-04-13T00:00',
    ],
  ])('in markdown, with %s in its front matter', async (_, front, body, first) => {
    const { said, transcripts, result } = await imported({
      'cash.md': `---\ntitle: Cash talk\n${front}\n---\n\n${body}\n`,
    });
    expect(result.form).toBe('talks');
    expect(transcripts[0]!.title).toBe('Cash talk');
    expect(said).toEqual([
      ['Ada', first, 'Hello'],
      ['Ben', first, 'Noon'],
      ['Ada', first, 'Good'],
    ]);
  });

  it('in markdown leave out what stands above the words, and say so', async () => {
    const { said, result } = await imported({
      '2024-04-13 walk.md':
        '---\nparticipants: [{ name: Noor }, { name: Eli }]\n---\n# Walk\n\nNoor: Now?\n\nEli: After rain.\n- first the dog\n',
    });
    expect(said).toEqual([
      ['Noor', '2024-04-13T00:00', 'Now?'],
      ['Eli', '2024-04-13T00:00', 'After rain.\n- first the dog'],
    ]);
    expect(result.read!.leftOut).toMatchObject([{ count: 1 }]);
    expect(result.notes.map(({ why }) => why)).toEqual(['takes its day from its name']);
  });

  it('are known by lines above the words, and by a day in their name', async () => {
    const text = '# Cash talk\nDate: April 13, 2024\nParticipants: Ada, Ben\n\nAda: Hello\nBen: Noon\nAda: Good\n';
    const headed = await imported({ 'talk.txt': text });
    expect(headed.transcripts[0]!.topic).toBe('Cash talk');
    expect(headed.said).toEqual([
      ['Ada', '2024-04-13T00:00', 'Hello'],
      ['Ben', '2024-04-13T00:00', 'Noon'],
      ['Ada', '2024-04-13T00:00', 'Good'],
    ]);
    const named = await imported({
      '2024-04-13 talk.md': 'Ada: Where are you?\nBen: I am here.\nAda: Good, I wait.\n',
    });
    expect(named.said.map(([, time]) => time)).toEqual(Array(3).fill('2024-04-13T00:00'));
  });

  it('have all who speak, where only some are named above', async () => {
    const talk =
      '**Date:** 2024-04-13\n**Guest:** Ben\n\n**Ada:** What do you bake?\n\n**Ben:** Bread.\n\n**Ada:** Why?\n';
    expect(who((await imported({ 'talk.md': talk })).said)).toEqual(['Ada', 'Ben', 'Ada']);
  });

  it('are notes in a folder of notes', async () => {
    const talk = '---\ndate: 2024-04-13\n---\nAda: Where are you?\nBen: I am here.\nAda: Good, I wait.\n';
    const { result } = await imported({ 'a.md': '# A\n', 'b.md': '# B\n', 'c.md': '# C\n', 'talk.md': talk });
    expect(result).toMatchObject({ form: 'markdown', added: 4 });
  });

  it('leave notes alone that only have a day', async () => {
    const { result } = await imported({
      'note.md': '---\ndate: 2024-04-13\n---\n\n# Plan\n\nRoast: dark\nWater: soft\n',
    });
    expect(result.form).toBe('markdown');
  });
});
