// Whole outputs of tools, and what was made or attached, as attachments: asked for, in the commit of their conversation, and never twice.

import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { parseTranscript } from '../../../src/store/records/transcript.ts';
import { keysOf, newTestMemory } from '../../helpers/memories.ts';

const jsonl = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const time = (minute: number) => `2026-01-05T10:${String(minute).padStart(2, '0')}:00Z`;
const output = `${Array.from({ length: 40 }, (_, at) => `row ${at}`).join('\n')}\n`;
const uuid = (at: number) => `entry-of-a-length-${at}`;

/** A session of Claude Code: a prompt, calls of one message, and their answers. */
const claudeCode = (outputs: readonly string[], sessionId = 'loom') =>
  jsonl(
    ...[
      { role: 'user', content: 'Weave.' },
      {
        role: 'assistant',
        content: outputs.map((_, at) => ({ type: 'tool_use', id: `t${at}`, name: 'Bash', input: {} })),
      },
      ...outputs.map((content, at) => ({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `t${at}`, content }],
      })),
    ].map((message, at) => ({
      ...{ type: message.role, uuid: `${sessionId}-${uuid(at)}`, sessionId, timestamp: time(at), message },
    })),
  );

const item = (payload: object, minute: number) => ({ timestamp: time(minute), type: 'response_item', payload });
const call = { id: 'c', name: 'weave', args: {}, result: [{ functionResponse: { response: { output } } }] };
const claude = (content: readonly unknown[], more = {}) =>
  JSON.stringify([
    {
      ...{ uuid: 'chat-1', name: 'Loom', created_at: time(0) },
      chat_messages: [{ uuid: uuid(1), sender: 'assistant', created_at: time(1), text: 'Here.', content, ...more }],
    },
  ]);

/** By form: a file, the text that is kept whole, and what its line calls it. */
const forms: Readonly<Record<string, readonly [file: string, text: string, whole: string, name: string]>> = {
  'Claude Code': ['loom.jsonl', claudeCode([output]), output, 'Bash.txt'],
  'Claude Code, an output of megabytes': [
    'loom.jsonl',
    claudeCode(['x y\n'.repeat(400_000)]),
    'x y\n'.repeat(400_000),
    'Bash.txt',
  ],
  Codex: [
    'rollout-2026-01-05.jsonl',
    jsonl(
      { timestamp: time(0), type: 'session_meta', payload: { id: 'warp' } },
      item({ type: 'function_call', name: 'shell', call_id: 'c', arguments: '{"command":["loom"]}' }, 1),
      item({ type: 'function_call_output', call_id: 'c', output }, 2),
    ),
    output,
    'shell.txt',
  ],
  'Gemini CLI': [
    'session-1.jsonl',
    jsonl(
      { sessionId: 'weft', projectHash: 'ab', startTime: time(0) },
      { id: '1', timestamp: time(1), type: 'gemini', content: 'Woven.', toolCalls: [call] },
    ),
    output,
    'weave.txt',
  ],
  'messages of an API, without a session': [
    'log.jsonl',
    jsonl(
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'weave', input: {} }], time: time(1) },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: output }], time: time(2) },
    ),
    output,
    'weave.txt',
  ],
  'an artifact of Claude': [
    'conversations.json',
    claude([{ type: 'tool_use', name: 'create_file', input: { path: 'loom.py', file_text: output } }]),
    output,
    'loom.py',
  ],
  'an attached text of Claude': [
    'conversations.json',
    claude([], { attachments: [{ file_name: 'notes [1].md', extracted_content: output }] }),
    output,
    'notes 1 .md',
  ],
  'a canvas of ChatGPT': [
    'conversations.json',
    JSON.stringify([
      {
        ...{ id: 'chat-2', title: 'Loom', create_time: Date.parse(time(0)) / 1000, current_node: 'a' },
        mapping: {
          a: {
            ...{ id: 'a', parent: null, children: [] },
            message: {
              ...{ id: 'a', author: { role: 'assistant' }, recipient: 'canmore.create_textdoc' },
              ...{ create_time: Date.parse(time(1)) / 1000 },
              content: {
                content_type: 'text',
                parts: [JSON.stringify({ name: 'Loom', type: 'document', content: output })],
              },
            },
          },
        },
      },
    ]),
    output,
    'Loom.txt',
  ],
};

const asked = { attachments: true };

async function said(memory: Memory): Promise<string[]> {
  const paths = await memory.files('raw/conversations/');
  const found = await Promise.all(paths.map(async (one) => parseTranscript(await memory.read(one), one)));
  return found.flatMap(({ turns }) => turns.map(({ text }) => text));
}

describe.each(Object.entries(forms))('%s', (_, [path, text, whole, name]) => {
  it('is kept whole in the commit of its conversation, and once', async () => {
    const { memory } = await newTestMemory();
    const { captures, commits, left } = await memory.import([{ path, text }], asked);
    const [file, ...others] = captures!.flatMap(({ attachments = [] }) => attachments);
    expect([others, left, commits]).toEqual([[], [], [captures![0]!.commit]]);
    expect(await memory.read(file!)).toBe(whole);
    expect((await said(memory)).join('\n').split('\n')).toContain(`> [attachment:${file}] ${name}`);
    expect(await memory.files('attachments/')).toEqual([file]);
    for (const options of [asked, {}]) {
      const again = await memory.import([{ path, text }], options);
      expect(again).toMatchObject({ added: 0, read: { turns: 0, leftOut: [] } });
    }
  });

  it('changes no turn: what came without it is the same turn, and its text is counted as left out', async () => {
    const { memory } = await newTestMemory();
    await memory.import([{ path, text }]);
    expect(await memory.files('attachments/')).toEqual([]);
    const before = await said(memory);
    const later = await memory.import([{ path, text }], asked);
    expect(later).toMatchObject({ added: 0, commits: [], read: { turns: 0 } });
    expect(later.read!.leftOut).toMatchObject([{ why: 'are whole texts of turns that came without them', count: 1 }]);
    expect(await memory.files('attachments/')).toEqual([]);
    const other = await newTestMemory();
    await other.memory.import([{ path, text }], asked);
    const lines = (await said(other.memory)).map((one) => one.replace(/\n*^> \[attachment:attachments\/.*$/gm, ''));
    expect(lines).toEqual(before);
  });
});

it('keeps to the limits of attachments, takes secrets out, and names what it leaves', async () => {
  const { memory } = await newTestMemory({}, 'attachments:\n  max_bytes: 2000\n');
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const outputs = Array.from({ length: 22 }, (_, at) => `${at}\n${output}`);
  outputs[3] = `${output}${'x'.repeat(2000)}`;
  outputs[4] = `${output}token: ${secret}\n\0${output}`;
  const { read, redacted, captures } = await memory.import([{ path: 'a.jsonl', text: claudeCode(outputs) }], asked);
  expect(read!.leftOut.map(({ why, count }) => `${count} ${why}`)).toEqual([
    '1 are larger than an attachment may be',
    '1 are one attachment too many',
  ]);
  const files = captures![0]!.attachments!;
  expect(files).toHaveLength(20);
  const texts = await Promise.all(files.map((file) => memory.readBytes(file)));
  expect(texts.filter((one) => String(one).includes(secret))).toEqual([]);
  expect(redacted).toContainEqual(expect.objectContaining({ path: expect.stringMatching(/^attachments\//) }));
});

it('lets nothing lie open that came with a private conversation', async () => {
  const { memory } = await newTestMemory({ keys: keysOf() });
  await memory.keys.new({ paths: ['raw/conversations/**'] });
  const texts = [{ path: 'a.jsonl', text: claudeCode([output]) }];
  const refused = await memory.import(texts, asked);
  expect(refused).toMatchObject({ added: 0, read: { turns: 0 }, left: [{ why: expect.stringContaining('private') }] });
  const other = await newTestMemory({ keys: keysOf() });
  await other.memory.keys.new({ paths: ['raw/conversations/**', 'attachments/**'] });
  expect(await other.memory.import(texts, asked)).toMatchObject({ added: 1, left: [] });
  expect(await other.memory.files('attachments/')).toHaveLength(1);
});

it('shares a file among conversations of one import, each with a commit of its own, and hands them to git-lfs', async () => {
  const { memory } = await newTestMemory({}, 'attachments:\n  lfs: true\n');
  const texts = ['warp', 'weft'].map((name) => ({ path: `${name}.jsonl`, text: claudeCode([output], name) }));
  const { commits, captures, left } = await memory.import(texts, asked);
  expect([commits.length, captures!.length, left]).toEqual([2, 2, []]);
  expect(await memory.files('attachments/')).toHaveLength(1);
  for (const [at, commit] of [...commits].reverse().entries()) {
    await memory.undo(commit);
    expect(await memory.files('attachments/')).toHaveLength(1 - at);
  }
});
