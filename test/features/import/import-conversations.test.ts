// Exports of chat programs: every conversation once, however often its export is imported, and what came later beside it.

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { parseTranscript } from '../../../src/store/records/transcript.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';

function write(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  for (const [name, value] of Object.entries(files)) {
    writeDeep(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
}

async function transcriptsOf(memory: Memory) {
  const paths = await memory.files('raw/conversations/');
  return Promise.all(paths.map(async (one) => ({ path: one, ...parseTranscript(await memory.read(one), one) })));
}

const words = (transcripts: Awaited<ReturnType<typeof transcriptsOf>>) =>
  transcripts.map(({ turns }) => turns.map(({ role, text }) => `${role}: ${text}`));

const entry = (uuid: string, type: string, content: unknown, time: string, more: object = {}) =>
  `${JSON.stringify({
    uuid,
    type,
    sessionId: '5f0c-77',
    timestamp: `2026-01-05T${time}Z`,
    message: { role: type, content, ...(type === 'assistant' ? { model: 'claude-x' } : {}) },
    ...more,
  })}\n`;

describe('session files of Claude Code', () => {
  const begun = [
    `${JSON.stringify({ type: 'summary', summary: 'Fix the build', leafUuid: 'u2' })}\n`,
    entry('u0', 'user', 'caveat of the program', '09:59:00', { isMeta: true }),
    entry('u1', 'user', 'The build fails on Node 18.', '10:00:00'),
    entry(
      'u2',
      'assistant',
      [
        { type: 'thinking', thinking: 'hidden' },
        { type: 'text', text: 'I will look.' },
        { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } },
      ],
      '10:00:05',
    ),
    entry('u3', 'user', [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }], '10:00:09'),
    entry('s1', 'assistant', 'a helper speaks', '10:00:10', { isSidechain: true }),
    entry('k1', 'user', '<command-name>/compact</command-name>\n<command-args></command-args>', '10:00:10'),
    entry('k2', 'user', '<local-command-stdout>Compacted.</local-command-stdout>', '10:00:10'),
    entry('k3', 'user', 'This session is being continued from before.', '10:00:10', { isCompactSummary: true }),
    entry('u2', 'assistant', 'repeated by a resumed session', '10:00:11'),
  ].join('');

  it('become a transcript with what was said and done', async () => {
    const { memory } = await newTestMemory();
    const result = await memory.import(write({ 'project/5f0c-77.jsonl': `${begun}{"torn`, 'other.txt': 'x' }));
    expect(result).toMatchObject({ form: 'claude-code', isDetected: true, added: 1, backup: expect.any(String) });
    expect(result.left).toEqual([
      { source: 'project/5f0c-77.jsonl', line: 11, why: 'ends in the middle of a line' },
      { source: 'other.txt', why: 'is in no form that is known' },
    ]);
    expect(result.read).toMatchObject({ turns: 2, here: 0, dated: { own: 2, near: 0, file: 0 } });
    const left = new Map(result.read!.leftOut.map(({ why, count }) => [why, count]));
    expect(left.get('were said between the agent and its sub-agents')).toBe(1);
    expect(left.get('repeat an entry that was read before')).toBe(1);
    const [transcript] = await transcriptsOf(memory);
    expect(transcript).toMatchObject({
      sessionId: '5f0c-77',
      topic: 'Fix the build',
      channel: 'claude-code',
      model: 'claude-x',
    });
    expect(words([transcript!])).toEqual([
      ['user: The build fails on Node 18.', 'agent: I will look.\n\n> [tool:Bash] npm test → ok'],
    ]);
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({
      operation: 'capture',
      subject: 'conversation: Fix the build',
    });
  });

  it('come once, and what was said since beside them', async () => {
    const { memory } = await newTestMemory();
    await memory.import(write({ 'a.jsonl': begun }));
    const { tip } = memory;
    expect(await memory.import(write({ 'renamed.jsonl': begun }))).toMatchObject({
      added: 0,
      unchanged: 1,
      backup: null,
    });
    expect(memory.tip).toBe(tip);
    const grown = begun + entry('u4', 'user', 'And on Node 20?', '10:30:00');
    expect(await memory.import(write({ 'a.jsonl': grown }))).toMatchObject({ added: 1, left: [] });
    expect(await memory.import(write({ 'a.jsonl': grown }))).toMatchObject({ added: 0, unchanged: 1 });
    const more = grown + entry('u5', 'assistant', 'It passes.', '10:31:00');
    await memory.import(write({ 'a.jsonl': more }));
    expect((await transcriptsOf(memory)).map(({ sessionId, turns }) => [sessionId, turns.length])).toEqual([
      ['5f0c-77', 2],
      ['5f0c-77-2', 1],
      ['5f0c-77-3', 1],
    ]);
    expect(await memory.import(write({ 'a.jsonl': more }))).toMatchObject({ added: 0, unchanged: 1 });
  });
});

describe('account exports', () => {
  const node = (id: string, parent: string | null, role: string, text: string, time: number, more: object = {}) => ({
    id,
    parent,
    message: {
      author: { role },
      create_time: time,
      content: { content_type: 'text', parts: [text] },
      recipient: 'all',
      metadata: role === 'assistant' ? { model_slug: 'gpt-x' } : {},
      ...more,
    },
  });
  const chatGpt = {
    title: 'Trains in Portugal',
    conversation_id: 'c-1',
    create_time: 1_760_000_000,
    current_node: 'd2',
    mapping: {
      root: { id: 'root', parent: null, message: null },
      s: node('s', 'root', 'system', '', 1_760_000_000),
      a: node('a', 's', 'user', 'When does the train leave?', 1_760_000_010),
      b1: node('b1', 'a', 'assistant', 'At ten (the answer that was replaced).', 1_760_000_020),
      b2: node('b2', 'a', 'assistant', 'At eleven.', 1_760_000_030),
      t: node('t', 'b2', 'assistant', '', 1_760_000_035, { content: { content_type: 'thoughts', thoughts: [] } }),
      d2: node('d2', 't', 'user', 'Thanks.', 1_760_000_040),
    },
  };
  const claude = {
    uuid: 'c-2',
    name: 'Tea',
    created_at: '2026-01-02T09:00:00Z',
    chat_messages: [
      { uuid: 'm1', sender: 'human', text: 'Green or black?', created_at: '2026-01-02T09:00:00Z' },
      {
        uuid: 'm2',
        sender: 'assistant',
        text: '',
        content: [{ type: 'text', text: 'Green.' }],
        created_at: '2026-01-02T09:00:10Z',
      },
    ],
  };

  it('are read along the branch that was shown, once', async () => {
    const { memory } = await newTestMemory();
    const folder = write({ 'conversations.json': [chatGpt, claude, { title: 'empty', mapping: {} }], 'user.json': {} });
    const result = await memory.import(folder);
    expect(result).toMatchObject({ form: 'chats', added: 2 });
    expect(result.left.map(({ source }) => source)).toEqual(['conversations.json, conversation 3']);
    expect(result.read!.leftOut).toContainEqual({ why: 'are about the account', count: 1, places: ['user.json'] });
    const transcripts = await transcriptsOf(memory);
    expect(transcripts.map(({ topic, channel, model }) => [topic, channel, model])).toEqual([
      ['Trains in Portugal', 'chatgpt', 'gpt-x'],
      ['Tea', 'claude', undefined],
    ]);
    expect(words(transcripts)).toEqual([
      ['user: When does the train leave?', 'agent: At eleven.', 'user: Thanks.'],
      ['user: Green or black?', 'agent: Green.'],
    ]);
    const { tip } = memory;
    expect(await memory.import(path.join(folder, 'conversations.json'))).toMatchObject({ added: 0, unchanged: 2 });
    expect(memory.tip).toBe(tip);
  });

  it('come in several runs when they are long, each conversation a commit of its time', async () => {
    const { memory } = await newTestMemory();
    const many = Array.from({ length: 450 }, (_, number) => ({
      ...claude,
      uuid: `c-${number}`,
      chat_messages: claude.chat_messages.map((message) => ({ ...message, text: `${number}`, content: undefined })),
    }));
    const folder = write({ 'conversations.json': many });
    const dry = await memory.import(folder, { dryRun: true });
    expect([dry.added, dry.commits.length, (await memory.status()).conversations]).toEqual([450, 0, 0]);
    const result = await memory.import(folder);
    expect([result.added, result.commits.length]).toEqual([450, 450]);
    expect(result.captures!.every(({ commit }) => commit !== null)).toBe(true);
    expect(await memory.import(folder)).toMatchObject({ added: 0, unchanged: 450, commits: [] });
  });
});

describe('an export that is imported again', () => {
  const chat = (id: string, turns: number) => ({
    title: `Talk ${id}`,
    conversation_id: id,
    current_node: `n${turns - 1}`,
    mapping: Object.fromEntries(
      Array.from({ length: turns }, (_, at) => [
        `n${at}`,
        {
          parent: at === 0 ? null : `n${at - 1}`,
          message: {
            author: { role: at % 2 === 0 ? 'user' : 'assistant' },
            create_time: 1_760_000_000 + at * 60,
            content: { content_type: 'text', parts: [`${id} says sentence ${at}`] },
          },
        },
      ]),
    ),
  });
  const claudeChat = (id: string, turns: number) => ({
    uuid: id,
    name: `Talk ${id}`,
    chat_messages: Array.from({ length: turns }, (_, at) => ({
      sender: at % 2 === 0 ? 'human' : 'assistant',
      text: `${id} says sentence ${at}`,
      created_at: new Date(1_760_000_000_000 + at * 60_000).toISOString(),
    })),
  });
  const lines = (id: string, turns: number) =>
    Array.from({ length: turns }, (_, at) =>
      entry(`${id}-${at}`, at % 2 === 0 ? 'user' : 'assistant', `${id} says sentence ${at}`, `10:${10 + at}:00`, {
        sessionId: id,
      }),
    ).join('');
  const channel = (id: string, turns: number) =>
    Array.from({ length: turns }, (_, at) => ({
      type: 'message',
      user: `U${at % 2}`,
      text: `${id} says sentence ${at}`,
      ts: `${1_767_600_000 + at * 60}.000100`,
    }));
  const messages = (id: string, turns: number) => ({
    session: id,
    messages: Array.from({ length: turns }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `${id} says sentence ${at}` }],
      time: new Date(1_760_000_000_000 + at * 60_000).toISOString(),
    })),
  });
  it.each([
    ['of ChatGPT', (n: number) => ({ 'conversations.json': [chat('a', n), chat('b', 3)] })],
    ['of Claude', (n: number) => ({ 'conversations.json': [claudeChat('a', n), claudeChat('b', 3)] })],
    ['of Claude Code', (n: number) => ({ 'a.jsonl': lines('a', n), 'b.jsonl': lines('b', 3) })],
    [
      'of Slack',
      (n: number) => ({ 'users.json': [], 'a/2026-01-05.json': channel('a', n), 'b/2026-01-05.json': channel('b', 3) }),
    ],
    ['of messages', (n: number) => ({ 'a.json': messages('a', n), 'b.json': messages('b', 3) })],
  ])('brings no turn twice, also when it has grown since: %s', async (name, files) => {
    const { memory } = await newTestMemory();
    const options = name === 'of messages' ? { as: 'conversations' as const } : {};
    for (const turns of [4, 4, 7, 7, 12]) {
      const { left } = await memory.import(write(files(turns)), options);
      expect(left).toEqual([]);
      const said = (await transcriptsOf(memory)).flatMap((one) => one.turns.map(({ text }) => text));
      expect(said.length).toBe(turns + 3);
      expect(new Set(said).size).toBe(said.length);
    }
    // An older export tells nothing new either.
    expect(await memory.import(write(files(4)), options)).toMatchObject({ added: 0, unchanged: 2 });
  });

  it('may be torn: what is whole comes in, and the rest is named', async () => {
    const { memory } = await newTestMemory();
    const text = JSON.stringify([chat('a', 2), chat('b', 2), chat('c', 2)]);
    const result = await memory.import([{ path: 'conversations.json', text: text.slice(0, -40) }]);
    expect(result).toMatchObject({ form: 'chats', added: 2 });
    expect(result.left).toEqual([{ source: 'conversations.json, conversation 3', why: 'ends in the middle' }]);
    const none = memory.import([{ path: 'conversations.json', text: 'no JSON' }]);
    await expect(none).rejects.toMatchObject({ code: expect.stringMatching(/^INVALID/) });
  });
});

describe('the export of a Slack workspace', () => {
  it('becomes a transcript for each channel and day, with the names of people', async () => {
    const { memory } = await newTestMemory();
    const folder = write({
      'users.json': [
        { id: 'U1', name: 'ada', profile: { display_name: 'Ada' } },
        { id: 'U2', name: 'rui', profile: { real_name: 'Rui Costa' } },
      ],
      'channels.json': [{ id: 'C1', name: 'general' }],
      'general/2026-01-05.json': [
        { type: 'message', subtype: 'channel_join', user: 'U2', text: 'joined', ts: '1767600000.000100' },
        {
          type: 'message',
          user: 'U1',
          text: '<@U2> see <https://example.org|the page> &amp; &lt;tell&gt;',
          ts: '1767600010.000200',
        },
        { type: 'message', user: 'U2', text: '', files: [{ name: 'plan.pdf' }], ts: '1767600020.000300' },
        { type: 'message', subtype: 'bot_message', username: 'CI', text: 'green', ts: '1767600030.000400' },
      ],
      'general/2026-01-06.json': [{ type: 'message', user: 'U1', text: 'Morning.', ts: '1767690000.0' }],
      'random/2026-01-06.json': '[{"torn',
    });
    const result = await memory.import(folder);
    expect(result).toMatchObject({ form: 'slack', added: 2 });
    expect(result.left).toEqual([{ source: 'random/2026-01-06.json', line: 1, why: 'ends in the middle' }]);
    const [first] = await transcriptsOf(memory);
    expect(first!.turns.map(({ role, speaker, text }) => [role, speaker, text])).toEqual([
      ['user', 'Ada', '@Rui Costa see the page (https://example.org) & <tell>'],
      ['user', 'Rui Costa', '> [attachment:plan.pdf]'],
      ['agent', 'CI', 'green'],
    ]);
    expect(await memory.import(folder)).toMatchObject({ added: 0, unchanged: 2 });
  });
});

describe('what a source is', () => {
  it.each([
    ['session files', { 'a.jsonl': entry('u1', 'user', 'x', '10:00:00') }, 'claude-code'],
    ['an account export by another name', { 'export.json': [{ uuid: 'c', chat_messages: [] }] }, 'chats'],
    ['a workspace', { 'users.json': [], 'general/2026-01-05.json': [] }, 'slack'],
    ['messages', { 'a.jsonl': '{"role":"user","content":"x"}\n' }, 'conversations'],
    [
      'transcripts',
      { '02/1000-s-x.md': '---\nsession_id: s\nstarted: 2026-01-02T10:00:00Z\n---\n\n# X\n\n## 10:00 — user\nx\n' },
      'conversations',
    ],
    ['notes', { 'a.md': '# A\n', 'b.txt': 'b' }, 'markdown'],
    ['texts', { 'a.xml': '<a/>' }, 'memories'],
    ['fact files', { 'facts/2026-01-05/fact-1-a.md': '---\nid: a\n---\n\nx\n', 'profile.md': 'x' }, 'facts'],
    ['a store', { 'stm/memories.jsonl': '{"id":"a","content":"x"}\n', 'notes.md': 'x' }, 'jsonl'],
  ])('is told from its looks: %s', async (_, files, form) => {
    const { memory } = await newTestMemory();
    const folder = write(files);
    const [only, ...others] = Object.keys(files);
    expect(await memory.import(folder, { dryRun: true })).toMatchObject({ form, isDetected: true });
    if (others.length === 0 && !/\.(?:md|xml)$/.test(only!)) {
      expect(await memory.import(path.join(folder, only!), { dryRun: true })).toMatchObject({ form });
    }
  });

  it('is told of a single file by its first lines, and asked for where nothing tells it', async () => {
    const { memory } = await newTestMemory();
    const store = write({ 'old.jsonl': '{"id":"a","content":"x","use_count":1}\n' });
    expect(await memory.import(path.join(store, 'old.jsonl'))).toMatchObject({ form: 'jsonl', added: 1 });
    await expect(memory.import(write({ 'picture.png': 'x' }))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('plain logs', () => {
  it('are known again by their first words, with times and without', async () => {
    const { memory, clock } = await newTestMemory();
    const dated = '{"role":"user","content":"Hello there","time":"2026-01-05T10:00:00Z"}\n';
    const undated = 'User: how are you\nAssistant: fine\n';
    const folder = write({ 'chat.jsonl': dated, 'talk.txt': undated });
    expect(await memory.import(folder, { as: 'conversations' })).toMatchObject({ added: 2 });
    clock.advance({ days: 40 });
    expect(await memory.import(folder, { as: 'conversations' })).toMatchObject({ added: 0, unchanged: 2 });
    expect(await memory.import(path.join(folder, 'talk.txt'))).toMatchObject({ form: 'conversations', unchanged: 1 });
    const grown = write({ 'talk.txt': `${undated}User: good\n` });
    expect(await memory.import(path.join(grown, 'talk.txt'))).toMatchObject({ added: 1 });
    expect(await memory.import(path.join(grown, 'talk.txt'))).toMatchObject({ added: 0, unchanged: 1 });
    expect((await transcriptsOf(memory)).map(({ turns }) => turns.length).sort()).toEqual([1, 1, 2]);
  });

  it('that say something else at the same time add it', async () => {
    const { memory } = await newTestMemory();
    const log = (text: string) => [
      {
        path: 'chat.json',
        text: JSON.stringify({
          session: 's1',
          messages: [{ role: 'user', content: text, time: '2026-01-05T10:00:00Z' }],
        }),
      },
    ];
    await memory.import(log('one and the same'), { topic: 'talk' });
    expect(await memory.import(log('another'), { topic: 'talk' })).toMatchObject({ added: 1, left: [] });
    expect(await memory.import(log('another'), { topic: 'renamed' })).toMatchObject({ added: 0, unchanged: 1 });
  });

  it('lose their secrets on the way, and it is said where', async () => {
    const { memory } = await newTestMemory();
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const text = `{"role":"user","content":"use ${secret}","time":"2026-01-05T10:00:00Z"}\n`;
    const result = await memory.import([{ path: 'chat.jsonl', text }]);
    expect(result.redacted).toMatchObject([{ kind: 'github-token', turn: 1 }]);
    expect(JSON.stringify(await transcriptsOf(memory))).not.toContain(secret);
  });
});

describe('JSON messages of the usual kinds', () => {
  it('come in under the names that programs give to speakers, times and words', async () => {
    const { memory } = await newTestMemory();
    const messages = [
      { senderName: 'Ada', created: 1_713_000_000, text: 'Noon?' },
      { creator: { displayName: 'Ben' }, sent_at: '2024-04-13T09:21:00Z', body: 'Yes' },
    ];
    await memory.import(write({ 'talk.json': { messages } }));
    const [transcript] = await transcriptsOf(memory);
    expect(transcript!.turns.map(({ speaker, time }) => [speaker, new Date(time).toISOString().slice(0, 10)])).toEqual([
      ['Ada', '2024-04-13'],
      ['Ben', '2024-04-13'],
    ]);
  });

  it('lose only those that cannot be read', async () => {
    const { memory } = await newTestMemory();
    const messages = [
      { role: 'user', content: 'One' },
      7,
      { role: 'user', content: 'Two', time: 'yesterday-ish' },
      { role: 'user', content: 'Three' },
    ];
    const result = await memory.import(write({ 'talk.json': { session: 's9', messages } }), { as: 'conversations' });
    expect(result.left.map(({ source }) => source)).toEqual(['talk.json, message 2', 'talk.json, message 3']);
    const [transcript] = await transcriptsOf(memory);
    expect(transcript!.sessionId).toBe('s9');
    expect(transcript!.turns.map(({ text }) => text)).toEqual(['One', 'Three']);
  });
});
