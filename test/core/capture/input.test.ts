import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../../src/base/errors.ts';
import { type CaptureInputOptions, parseCaptureInput } from '../../../src/core/capture/input.ts';

const now = Date.parse('2026-02-16T18:45:00Z');
const read = (text: string, options: Partial<CaptureInputOptions> = {}) => parseCaptureInput(text, { now, ...options });
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');
const failure = (run: () => unknown): MemoryError => {
  try {
    run();
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('plain text', () => {
  it('is one turn of the user', () => {
    expect(read('Remember the milk.\nAnd the bread.\n')).toEqual({
      started: now,
      ended: now,
      isOneText: true,
      turns: [{ role: 'user', time: now, text: 'Remember the milk.\nAnd the bread.' }],
    });
  });

  it('takes time, topic, channel and session from the options', () => {
    const input = read('x', { time: 5000, topic: 'milk', channel: 'cli', sessionId: 's1' });
    expect(input).toMatchObject({ started: 5000, ended: 5000, topic: 'milk', channel: 'cli', sessionId: 's1' });
  });

  it('may look a little like JSON', () => {
    expect(read('[note] buy milk').turns[0]?.text).toBe('[note] buy milk');
    expect(read('{ sic } is what he wrote').turns[0]?.text).toBe('{ sic } is what he wrote');
  });
});

describe('a dialogue', () => {
  const turnsOf = (text: string, path?: string) =>
    parseCaptureInput(text, { now, ...(path === undefined ? {} : { path }) }).turns.map(({ role, text: words }) => [
      role,
      words,
    ]);

  it('is cut where a line begins with a role', () => {
    const expected = [
      ['user', 'I like dark roast.\n\nAnd tea.'],
      ['agent', 'Noted: both.'],
      ['user', 'Thanks'],
    ];
    expect(turnsOf('User: I like dark roast.\n\nAnd tea.\n\nAssistant: Noted: both.\nuser: Thanks\n')).toEqual(
      expected,
    );
    expect(
      turnsOf('**Human:** I like dark roast.\n\nAnd tea.\n\n**AI**: Noted: both.\n\n**Human:**\nThanks', 'a.md'),
    ).toEqual(expected);
  });

  it('leaves quoted code alone', () => {
    const code = 'This:\n```\nuser: root\nsystem: linux\n```\nbreaks.';
    expect(turnsOf(`User: ${code}\nBot: It does.`)).toEqual([
      ['user', code],
      ['agent', 'It does.'],
    ]);
  });

  it('between people is cut where a line begins with a name', () => {
    const chat =
      'Anna: Did the office in Porto close?\nJean-Luc: Yes, on Friday.\nSo: all of us work from home.\n\n**Anna**: What a pity!\n' +
      'Jean-Luc: I liked it, too.\n';
    const { turns } = parseCaptureInput(chat, { now });
    expect(turns.map(({ role, speaker, text }) => [role, speaker, text])).toEqual([
      ['user', 'Anna', 'Did the office in Porto close?'],
      ['user', 'Jean-Luc', 'Yes, on Friday.\nSo: all of us work from home.'],
      ['user', 'Anna', 'What a pity!'],
      ['user', 'Jean-Luc', 'I liked it, too.'],
    ]);
    // Whoever says that it is a dialogue is believed with less.
    expect(
      parseCaptureInput('Ada: Hi!\nBo: Hi.', { now, format: 'dialogue' }).turns.map(({ speaker }) => speaker),
    ).toEqual(['Ada', 'Bo']);
  });

  it.each([
    ['Mira: I gave the key to Petra.\nAssistant: OK', 'auto', ['Mira', undefined]],
    ['User: Who has the key?\nPetra: I have it.', 'auto', [undefined, 'Petra']],
    ['Mira: the key\nAssistant: OK', 'dialogue', ['Mira', undefined]],
    ['User: I want two things:\nRoast: dark', 'auto', [undefined]],
    ['User: I want this:\nRoast: dark\nAssistant: OK', 'dialogue', [undefined, undefined]],
  ] as const)('of a role and a name has a turn of each: %j', (text, format, speakers) => {
    expect(parseCaptureInput(text, { now, format }).turns.map(({ speaker }) => speaker)).toEqual(speakers);
  });

  it.each([
    'Ana: The flat costs 1,100 a month, so we take it.\nBen: Great. I call the landlord today.\nAna: my new number is 555 0142',
    'Mira: did you find the ladder?\nTom: yes\nMira: good, then we paint the shed on Friday.',
    'Tom: ok\nMira: Who has the key to the boat house?\nTom: Ask Ines, she had it last.\nInes: on the hook',
  ])('between people is one where somebody speaks again after another: %j', (text) => {
    const names = text.split('\n').map((line) => line.split(':')[0]);
    expect(parseCaptureInput(text, { now }).turns.map(({ speaker }) => speaker)).toEqual(names);
  });

  it('between people and an agent is cut at both', () => {
    const said = (text: string) =>
      parseCaptureInput(text, { now }).turns.map(({ role, speaker, text: words }) => [role, speaker, words]);
    expect(
      said('Anna: Where is the key?\nBot: In the drawer.\nNote: the second one.\nAnna: Thanks!\nBen: I have it.'),
    ).toEqual([
      ['user', 'Anna', 'Where is the key?'],
      ['agent', undefined, 'In the drawer.\nNote: the second one.'],
      ['user', 'Anna', 'Thanks!'],
      ['user', 'Ben', 'I have it.'],
    ]);
    expect(said('You said:\nWhere is it?\nChatGPT said:\nIn the drawer.\n\nAnna: has it, too.')).toEqual([
      ['user', undefined, 'Where is it?'],
      ['agent', 'ChatGPT', 'In the drawer.\n\nAnna: has it, too.'],
    ]);
    expect(said('Me: Where is it?\nClaude: Ask Ben.\nBen: He knows.')).toEqual([
      ['user', undefined, 'Where is it?'],
      ['agent', 'Claude', 'Ask Ben.\nBen: He knows.'],
    ]);
  });

  it('is seen where one role alone speaks, in sentences', () => {
    expect(turnsOf('User: We moved to OVH.\nUser: The two chairs have arrived.')).toEqual([
      ['user', 'We moved to OVH.'],
      ['user', 'The two chairs have arrived.'],
    ]);
    expect(turnsOf("User: Kite's logo is a red pennant.\n")).toEqual([['user', "Kite's logo is a red pennant."]]);
  });

  it('is not seen in prose, nor in a record of fields', () => {
    for (const text of [
      'Roast: Dark\nGrind: Coarse\n\nRoast: Light\nGrind: Fine',
      'Note: we meet on Friday.\nTodo: book the room.\nNote: bring the plan.\nTodo: print it.',
      'Anna: Ask her about Porto.\nShe knows.\nBen: Ask him about Lisbon.\nHe was there.',
      'Notes\nUser: wants tea\nAgent: brings it',
      'User: root',
      'Ada: Hi!\nBo: Hi.',
      'Roast: Dark, and not oily.\nGrind: Coarse\nRoast: Light',
      'Ana: The key is at the bakery.\nAna: my new number is 555 0142\nBen: none',
      'Client: Acme and sons\nAgent: John Doe',
      'Assistant: Paris is nice.\nLyon: It is, too.\nIt rains.\nAnd rains.\nAnd rains.',
      'user:root\nsystem:linux',
    ]) {
      expect(turnsOf(text)).toEqual([['user', text]]);
    }
  });

  it('without words is refused', () => {
    expect(() => turnsOf('User:\nAssistant:')).toThrow(/no words/);
  });
});

describe('a transcript', () => {
  const transcript = `---
session_id: ses_1
started: 2026-02-16T18:45:00Z
ended: 2026-02-16T19:32:00Z
model: m-1
channel: webchat
topic: restructuring
tags: [coding, git]
---

# Restructuring

## 18:45 — user
Read all open issues.

## 18:46 — agent
> [tool:exec] gh issue list → 12 results

Here are all 12.
`;

  it('keeps its turns and what its front matter says', () => {
    expect(read(transcript)).toEqual({
      sessionId: 'ses_1',
      started: Date.parse('2026-02-16T18:45:00Z'),
      ended: Date.parse('2026-02-16T19:32:00Z'),
      model: 'm-1',
      channel: 'webchat',
      title: 'Restructuring',
      topic: 'restructuring',
      tags: ['coding', 'git'],
      turns: [
        { role: 'user', time: Date.parse('2026-02-16T18:45:00Z'), text: 'Read all open issues.' },
        {
          role: 'agent',
          time: Date.parse('2026-02-16T18:46:00Z'),
          text: '> [tool:exec] gh issue list → 12 results\n\nHere are all 12.',
        },
      ],
    });
  });

  it('may come without front matter', () => {
    const input = read('## 18:45 — user\nhello there\n\n## 18:47 — agent\nhi\n');
    expect(input.sessionId).toBeUndefined();
    expect(input.turns.map(({ role, time }) => [role, time])).toEqual([
      ['user', Date.parse('2026-02-16T18:45:00Z')],
      ['agent', Date.parse('2026-02-16T18:47:00Z')],
    ]);
  });
});

describe('messages', () => {
  it('are read from a list, from an object with a session, and from lines', () => {
    const messages = [
      { role: 'user', content: 'a', time: '2026-02-16T10:00:00Z' },
      { role: 'assistant', content: 'b', time: '2026-02-16T10:01:00Z' },
    ];
    const turns = [
      { role: 'user', time: Date.parse('2026-02-16T10:00:00Z'), text: 'a' },
      { role: 'agent', time: Date.parse('2026-02-16T10:01:00Z'), text: 'b' },
    ];
    expect(read(JSON.stringify(messages)).turns).toEqual(turns);
    expect(read(lines(...messages)).turns).toEqual(turns);
    expect(read(lines({ session_id: 's', topic: 't' }, ...messages))).toMatchObject({
      sessionId: 's',
      topic: 't',
      turns,
    });
    expect(read(JSON.stringify({ messages, session: 's', channel: 'chat' }))).toMatchObject({
      sessionId: 's',
      channel: 'chat',
      started: turns[0]!.time,
      ended: turns[1]!.time,
      turns,
    });
  });

  it('carry roles and speakers of many programs', () => {
    const turns = read(
      lines(
        { role: 'human', content: '1' },
        { role: 'ai', text: '2' },
        { role: 'developer', message: '3' },
        { speaker: 'Melanie', text: '4' },
        { role: 'user', name: 'Jo', content: '5' },
        { from: 'gpt', value: '6' },
        { role: 'moderator', content: '7' },
        { type: 'assistant', message: { role: 'assistant', content: '8' } },
        { sender: 'human', text: '9' },
      ),
    ).turns;
    expect(turns.map(({ role, speaker, text }) => [text, role, speaker])).toEqual([
      ['1', 'user', undefined],
      ['2', 'agent', undefined],
      ['3', 'system', undefined],
      ['4', 'user', 'Melanie'],
      ['5', 'user', 'Jo'],
      ['6', 'agent', undefined],
      ['7', 'user', 'moderator'],
      ['8', 'agent', undefined],
      ['9', 'user', undefined],
    ]);
  });

  it('carry times as text, seconds, milliseconds, or not at all', () => {
    const turns = read(
      lines(
        { content: 'before' },
        { content: 'iso', timestamp: '2026-02-16T10:00:00+01:00' },
        { content: 'none' },
        { content: 'seconds', created_at: 1771236060 },
        { content: 'milliseconds', ts: 1771236061000 },
        { content: 'digits', date: '1771236062' },
      ),
    ).turns;
    const at = (time: string) => Date.parse(`2026-02-16T${time}Z`);
    expect(turns.map(({ text, time }) => [text, time])).toEqual([
      ['before', at('09:00:00')],
      ['iso', at('09:00:00')],
      ['none', at('09:00:00')],
      ['seconds', 1771236060000],
      ['milliseconds', 1771236061000],
      ['digits', 1771236062000],
    ]);
  });

  it('stand in order of time, equal times in order of input', () => {
    const turns = read(
      lines({ content: 'b', time: 2e9 }, { content: 'a', time: 1e9 }, { content: 'c', time: 2e9 }),
    ).turns;
    expect(turns.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  });

  it('show tool calls on one line with the answer, and never reasoning', () => {
    const { turns } = read(
      lines(
        { role: 'user', content: 'List the files' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'secret plan' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'ls\n-la' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a.ts\nb.ts' }] }],
        },
        { role: 'assistant', content: '<think>more secrets</think>Two files.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 't2', function: { name: 'search', arguments: '{"query":"x","limit":3}' } }],
        },
        { role: 'tool', tool_call_id: 't2', content: 'found' },
        { role: 'tool', name: 'clock', content: 'noon' },
        { role: 'assistant', content: [{ type: 'reasoning', text: 'hidden' }] },
      ),
    );
    expect(turns.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: List the files',
      'agent: I look.\n\n> [tool:bash] ls -la → a.ts b.ts',
      'agent: Two files.',
      'agent: > [tool:search] query=x limit=3 → found',
      'agent: > [tool:clock] → noon',
    ]);
  });

  it('name attachments and do not embed them', () => {
    const { turns } = read(
      JSON.stringify([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        { role: 'user', content: [{ type: 'file', filename: 'plan.pdf' }] },
      ]),
    );
    expect(turns.map(({ text }) => text)).toEqual(['See\n\n> [attachment:image_url]', '> [attachment:plan.pdf]']);
  });
});

describe('broken input', () => {
  it('names the line that is not JSON', () => {
    const error = failure(() =>
      read('{"role":"user","content":"a"}\n{"role":"user","content"\n', { path: 'log.jsonl' }),
    );
    expect(error.code).toBe('INVALID_RECORD');
    expect(error.message).toContain('Line 2');
    expect(error.where).toBe('log.jsonl, line 2');
    expect(error.hint).toBeDefined();
  });

  it('is told from text when it begins like JSON', () => {
    expect(failure(() => read('[\n  {"role": "user",\n  "content": }\n]')).code).toBe('INVALID_RECORD');
    expect(failure(() => read('[\n  {"role": "user"\n  "content": "a"}\n]'))).toMatchObject({ where: 'line 3' });
    expect(failure(() => read('{"messages": [')).code).toBe('INVALID_RECORD');
  });

  it('names the message without text, the part that is none and the time that cannot be read', () => {
    expect(failure(() => read(lines({ content: 'a' }, { role: 'user' }))).where).toBe('line 2');
    expect(failure(() => read(JSON.stringify([{ content: 'a' }, 7]))).where).toBe('message 2');
    expect(failure(() => read(JSON.stringify([{ content: [7] }]))).where).toBe('message 1');
    expect(failure(() => read(lines({ content: 'a' }, { content: 'b', time: 'yesterday' })))).toMatchObject({
      code: 'INVALID_RECORD',
      where: 'line 2',
    });
  });

  it('without words is refused', () => {
    for (const text of ['', '  \n', '[]', '{"messages": []}', '{"role":"user","content":""}']) {
      expect(failure(() => read(text)).code).toBe('INVALID_RECORD');
    }
  });
});
