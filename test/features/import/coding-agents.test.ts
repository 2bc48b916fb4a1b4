// What coding agents write beside plain words: calls and their errors, wrappers, notices, sub-agents, databases.

import fs from 'node:fs';
import path from 'node:path';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/core/capture/tool-lines.ts';
import { cutLongStrings } from '../../../src/features/import/long-strings.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { parseTranscript } from '../../../src/store/records/transcript.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { sqliteFile, sqliteLog } from '../../helpers/sqlite-file.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const jsonl = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const time = (minute: number) => `2026-01-05T10:${String(minute).padStart(2, '0')}:00Z`;

async function said(memory: Memory): Promise<string[]> {
  const paths = await memory.files('raw/conversations/');
  const found = await Promise.all(paths.map(async (one) => parseTranscript(await memory.read(one), one)));
  return found.flatMap(({ turns }) => turns.map(({ role, text }) => `${role}: ${text}`));
}

async function imported(name: string, text: string) {
  const { memory } = await newTestMemory();
  const result = await memory.import([{ path: name, text }]);
  const turns = await said(memory);
  await memory.close();
  return { result, turns, why: result.read!.leftOut.map(({ why, count }) => `${count} ${why}`) };
}

describe('Claude Code', () => {
  let count = 0;
  const entry = (type: string, content: unknown, more: object = {}) => ({
    type,
    uuid: `entry-of-a-length-${++count}`,
    sessionId: 'loom',
    timestamp: time(count),
    message: { role: type, content },
    ...more,
  });

  it('keeps of an answer of megabytes what it would keep if all of it were read', async () => {
    const pieces = ['plain words\n', 'a "quote" \\', 'é', '漢', '😀', '\u0007', '\\"', 'Error: ENOSPC\n'];
    for (const [at, odd] of pieces.entries()) {
      const whole = `${odd.repeat(90_000)}${pieces.join('').repeat(30_000)}${'y'.repeat(at)}${odd.repeat(400_000)}last`;
      const bytes = Buffer.from(JSON.stringify({ before: odd, whole, after: pieces }));
      const cut = cutLongStrings(bytes);
      // Between escapes without an end there is no place to cut.
      expect(bytes.length - cut.length > 100_000).toBe(!/^\u0007|^\\"/.test(odd));
      const { whole: kept, ...others } = JSON.parse(cut.toString());
      expect(others).toEqual({ before: odd, after: pieces });
      for (const isError of [true, false]) expect(answerOf(kept, { isError })).toBe(answerOf(whole, { isError }));
    }
    const answer = {
      type: 'tool_result',
      tool_use_id: 't',
      content: `first\n${'x "y"\n'.repeat(400_000)}Error: ENOSPC`,
    };
    const words = { type: 'text', text: 'z'.repeat(1_200_000) };
    const { turns } = await imported('a.jsonl', jsonl(entry('user', [answer]), entry('user', [words])));
    expect(turns[0]).toMatch(/> first\n> x "y"\n> …\n[\s\S]*> Error: ENOSPC$/);
    expect(turns[1]).toHaveLength('user: '.length + words.text.length);
    // What does not end is left as it is.
    const open = Buffer.from(`{"a":"${'b'.repeat(2_000_000)}`);
    expect(cutLongStrings(open)).toBe(open);
  });

  it('keeps what a user said while the agent worked, after a command, and within reminders', async () => {
    const queued = { type: 'queued_command', commandMode: 'prompt', prompt: 'In wool, please.' };
    const noted = { type: 'queued_command', commandMode: 'task-notification', prompt: '<task-notification>' };
    const { turns, why } = await imported(
      'loom.jsonl',
      jsonl(
        entry(
          'user',
          '<command-message>weave</command-message>\n<command-name>/weave</command-name>\n<command-args>a blue scarf</command-args>',
        ),
        entry('attachment', undefined, { attachment: queued }),
        entry('attachment', undefined, { attachment: noted }),
        entry('user', '<system-reminder>Files changed.</system-reminder>\nWith fringes.'),
        entry('user', '<local-command-stdout>done</local-command-stdout>'),
        entry('user', '[Request interrupted by user]'),
        entry('assistant', [{ type: 'text', text: 'API Error: 529 overloaded' }], { isApiErrorMessage: true }),
        { type: 'file-history-snapshot', messageId: 'x' },
      ),
    );
    expect(turns).toEqual([
      'user: /weave a blue scarf',
      'user: In wool, please.',
      'user: With fringes.',
      'system: [Request interrupted by user]',
      'system: API Error: 529 overloaded',
    ]);
    expect(why).toEqual([
      '1 are notices of tasks',
      '1 are what a command of the program printed',
      '1 are notes of the program',
    ]);
  });

  it('keeps the end of an answer that failed, and lines that tell of errors', async () => {
    const output = [
      ...Array.from({ length: 80 }, (_, at) => `step ${at}`),
      'warp.c:12: error: thread expected',
      ...Array.from({ length: 40 }, (_, at) => `more ${at}`),
      'exit code 2',
    ];
    const { turns } = await imported(
      'loom.jsonl',
      jsonl(
        entry('assistant', [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'make scarf' } }]),
        entry('user', [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: output.join('\n') }]),
      ),
    );
    expect(turns).toHaveLength(1);
    expect(turns[0]).toContain('> [tool:Bash] make scarf → failed\n> step 0');
    expect(turns[0]).toContain('> warp.c:12: error: thread expected');
    expect(turns[0]).toContain('> exit code 2');
    expect(turns[0]).not.toContain('step 40');
    expect(turns[0]!.length).toBeLessThan(600);
  });

  it('names an entry that is broken, and keeps its project and branch', async () => {
    const { memory } = await newTestMemory();
    const text = jsonl(
      entry('user', 'Wind the yarn.', { cwd: '/w/loom', gitBranch: 'wool' }),
      entry('user', [5]),
      entry('user', undefined),
      entry('assistant', 'Wound.'),
    );
    const { left, read } = await memory.import([{ path: 'loom.jsonl', text }]);
    expect(left.map(({ line }) => line)).toEqual([2, 3]);
    expect(read!.turns).toBe(2);
    const [file] = await memory.files('raw/conversations/');
    expect(parseTranscript(await memory.read(file!), file!).unknown).toEqual({
      project: '/w/loom',
      git_branch: 'wool',
    });
    expect((await memory.import([{ path: 'loom.jsonl', text }], { project: '/w/other' })).read!.leftOut).toMatchObject([
      { why: 'are of other projects', count: 2 },
    ]);
    await memory.close();
  });
});

describe('other agents', () => {
  it('Codex: one of two tellings, calls with their exit codes, and none of the program', async () => {
    const item = (payload: object, minute: number) => ({ timestamp: time(minute), type: 'response_item', payload });
    const { turns } = await imported(
      'rollout-2026-01-05.jsonl',
      jsonl(
        { timestamp: time(0), type: 'session_meta', payload: { id: 'warp', cwd: '/w/loom' } },
        item(
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context>\nlinux' }] },
          0,
        ),
        item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Obey.' }] }, 0),
        item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Run the loom.' }] }, 1),
        { timestamp: time(1), type: 'event_msg', payload: { type: 'user_message', message: 'Run the loom.' } },
        item(
          { type: 'function_call', name: 'shell', call_id: 'c', arguments: '{"command":["bash","-lc","loom run"]}' },
          2,
        ),
        item(
          { type: 'function_call_output', call_id: 'c', output: '{"output":"thread torn","metadata":{"exit_code":3}}' },
          2,
        ),
        { timestamp: time(3), type: 'event_msg', payload: { type: 'turn_aborted', reason: 'interrupted' } },
      ),
    );
    expect(turns).toEqual([
      'user: Run the loom.',
      'agent: > [tool:shell] loom run → failed: thread torn',
      'system: [Turn aborted: interrupted]',
    ]);
  });

  it('Gemini CLI: later lines replace earlier ones, what was rewound is counted', async () => {
    const { turns, why } = await imported(
      'session-1.jsonl',
      jsonl(
        { sessionId: 'weft', projectHash: 'ab', startTime: time(0) },
        { id: '1', timestamp: time(1), type: 'user', content: [{ text: 'Dye it.' }] },
        { id: '2', timestamp: time(2), type: 'gemini', content: 'Which' },
        { id: '2', timestamp: time(2), type: 'gemini', content: 'Which colour?' },
        { id: '3', timestamp: time(3), type: 'user', content: 'Red.' },
        { $rewindTo: '3' },
        { id: '4', timestamp: time(4), type: 'info', content: 'An update.' },
        {
          id: '5',
          timestamp: time(5),
          type: 'gemini',
          content: 'Dyed.',
          toolCalls: [
            {
              id: 'c',
              name: 'dye',
              args: { colour: 'blue' },
              status: 'error',
              result: [{ functionResponse: { response: { error: 'no dye' } } }],
            },
          ],
        },
      ),
    );
    expect(turns).toEqual([
      'user: Dye it.',
      'agent: Which colour?',
      'agent: Dyed.\n\n> [tool:dye] blue → failed: no dye',
    ]);
    expect(why).toEqual(['1 are of a branch that was rewound', '1 are notes of the program']);
  });

  it('Cline: calls as XML, and answers in brackets', async () => {
    const text = (words: string) => [{ type: 'text', text: words }];
    const { turns } = await imported(
      'api_conversation_history.json',
      JSON.stringify([
        { role: 'user', content: text('<task>\nCut the thread.\n</task>'), ts: Date.parse(time(0)) },
        {
          role: 'assistant',
          content: text(
            '<thinking>hm</thinking>\nI cut.\n<execute_command>\n<command>cut thread</command>\n</execute_command>',
          ),
          ts: Date.parse(time(1)),
        },
        { role: 'user', content: text("[execute_command for 'cut thread'] Result:\n\nCut."), ts: Date.parse(time(2)) },
        {
          role: 'assistant',
          content: text('<attempt_completion>\n<result>\nThe thread is cut.\n</result>\n</attempt_completion>'),
          ts: Date.parse(time(3)),
        },
      ]),
    );
    expect(turns).toEqual([
      'user: Cut the thread.',
      'agent: I cut.\n\n> [tool:execute_command] cut thread',
      'agent: > [tool:execute_command] → Cut.',
      'agent: The thread is cut.',
    ]);
  });
});

describe('databases of agents', () => {
  const ms = (minute: number) => Date.parse(time(minute));

  async function fromDatabase(
    name: string,
    tables: Parameters<typeof sqliteFile>[0],
    log?: Parameters<typeof sqliteLog>[0],
  ) {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, name), sqliteFile(tables));
    if (log !== undefined) fs.writeFileSync(path.join(folder, `${name}-wal`), sqliteLog(log));
    const { memory } = await newTestMemory();
    const result = await memory.import(path.join(folder, name));
    const turns = await said(memory);
    expect(await memory.import(folder)).toMatchObject({ added: 0, left: [] });
    await memory.close();
    return { result, turns };
  }

  it('of OpenCode: parts of messages, errors, and sub-agents by their number', async () => {
    const data = (value: unknown) => JSON.stringify(value);
    const { result, turns } = await fromDatabase('opencode.db', [
      {
        sql: 'CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text)',
        rows: [
          ['ses_1', null, '/w/loom', 'Loom'],
          ['ses_2', 'ses_1', '/w/loom', 'Helper'],
        ],
      },
      {
        sql: 'CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text)',
        rows: [
          ['msg_2', 'ses_1', ms(2), data({ role: 'assistant', error: { data: { message: 'no thread' } } })],
          ['msg_1', 'ses_1', ms(1), data({ role: 'user', time: { created: ms(1) } })],
          ['msg_3', 'ses_2', ms(3), data({ role: 'assistant' })],
        ],
      },
      {
        sql: 'CREATE TABLE part (id text PRIMARY KEY, message_id text, data text)',
        rows: [
          ['prt_1', 'msg_1', data({ type: 'text', text: 'Weave on.' })],
          [
            'prt_2',
            'msg_2',
            data({
              type: 'tool',
              tool: 'weave',
              callID: 'c',
              state: { status: 'completed', input: { rows: 3 }, output: 'three rows' },
            }),
          ],
          ['prt_3', 'msg_3', data({ type: 'text', text: 'Only between programs.' })],
        ],
      },
    ]);
    expect(turns).toEqual(['user: Weave on.', 'agent: > [tool:weave] 3 → three rows', 'system: Error: no thread']);
    expect(result.read!.leftOut).toMatchObject([{ why: 'were said between the agent and its sub-agents', count: 1 }]);
  });

  it('of Goose, with what its log holds alone', async () => {
    const sessions = {
      sql: 'CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT, working_dir TEXT)',
      rows: [['20260105_1', 'Loom', '/w/loom']] as const,
    };
    const sql =
      'CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER)';
    const row = (role: string, text: string, minute: number) =>
      [null, '20260105_1', role, JSON.stringify([{ type: 'text', text }]), ms(minute) / 1000] as const;
    const first = { sql, rows: [row('user', 'Oil the loom.', 1)] };
    const grown = { sql, rows: [row('user', 'Oil the loom.', 1), row('assistant', 'Oiled.', 2)] };
    const { turns } = await fromDatabase('sessions.db', [sessions, first], [null, grown]);
    expect(turns).toEqual(['user: Oil the loom.', 'agent: Oiled.']);
  });
});

it('names a thread of Zed that cannot be unpacked, and reads the others', async () => {
  const { memory } = await newTestMemory();
  const thread = (text: string) => JSON.stringify({ messages: [{ role: 'user', segments: [{ type: 'text', text }] }] });
  const row = (id: string, kind: string, data: string | Buffer) => [id, 'Loom', '2026-01-05T10:00:00Z', kind, data];
  const sql = 'CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB)';
  // A frame of zstd (RFC 8878) with one block that is as it was: magic number, length, header of the block, bytes.
  const words = Buffer.from(thread('Wax it.'));
  const block = (words.length << 3) | 1;
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, words.length, block & 255, block >> 8, 0, ...words]);
  const rows = [
    row('a', 'json', thread('Oil it.')),
    row('b', 'zstd', 'packed'),
    row('c', 'json', thread('Sell it.')),
    row('d', 'zstd', frame),
  ];
  const file = path.join(temporaryFolder(), 'threads.db');
  fs.writeFileSync(file, sqliteFile([{ sql, rows }]));
  const { left, read } = await memory.import(file);
  const isRead = 'zstdDecompressSync' in zlib;
  expect(left.map(({ source }) => source)).toEqual(
    ['b', ...(isRead ? [] : ['d'])].map((id) => `threads.db, thread ${id}`),
  );
  expect(left[0]!.why).toContain(isRead ? 'is no thread' : 'Node 22.15');
  expect(read).toMatchObject({ turns: isRead ? 3 : 2, dated: { file: 0, near: isRead ? 3 : 2 } });
  expect((await said(memory)).some((turn) => turn.includes('Wax it.'))).toBe(isRead);
  await memory.close();
});

describe('what is known and not read', () => {
  it.each([
    ['cascade/1.pb', 'Windsurf'],
    ['export.zip', 'unpack it first'],
  ])('is called by its name: %s', async (name, words) => {
    const { memory } = await newTestMemory();
    await expect(memory.import([{ path: name, text: 'x' }])).rejects.toMatchObject({
      what: expect.stringContaining(words),
    });
    await memory.close();
  });
});
