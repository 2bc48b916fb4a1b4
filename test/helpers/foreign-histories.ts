// Histories as other programs write them, made up: one talk of a user and an agent, in each form that is read.

import { sqliteFile } from './sqlite-file.ts';

/** What is said; even texts are the user's. */
export interface Talk {
  readonly title: string;
  readonly texts: readonly string[];
  /** Something in the middle cannot be read. */
  readonly isBroken?: boolean;
}

interface ForeignForm {
  make(talk: Talk): Readonly<Record<string, string | Buffer>>;
  /** The form has no times. */
  readonly isUndated?: boolean;
  /** Both sides are people. */
  readonly isPeople?: boolean;
  /** So many turns are the program's own. */
  readonly notices?: number;
  readonly options?: { readonly as: 'conversations' };
}

const begun = Date.parse('2026-01-05T10:00:00Z');
const ms = (at: number) => begun + at * 60_000;
const iso = (at: number) => new Date(ms(at)).toISOString();
const isUser = (at: number) => at % 2 === 0;
const role = (at: number) => (isUser(at) ? 'user' : 'assistant');
const uuid = (at: number) => `0b5e0c1e-0000-4000-8000-${String(at).padStart(12, '0')}`;
const session = '77aa0c1e-1111-4222-8333-000000000001';
const json = (value: unknown) => `${JSON.stringify(value)}\n`;

/** Joins lines, with one that is no JSON after the second. */
const lines = ({ isBroken }: Talk, given: readonly unknown[], after = 2) =>
  given.map((value, at) => `${isBroken && at === after ? '{"torn": \n' : ''}${json(value)}`).join('');

/** A list with something that is none of its elements in the middle. */
const list = <Value>({ isBroken }: Talk, values: readonly Value[]): unknown[] =>
  isBroken ? [...values.slice(0, 2), 5, ...values.slice(2)] : [...values];

const text = (words: string) => [{ type: 'text', text: words }];

export const foreignForms: Readonly<Record<string, ForeignForm>> = {
  'claude-code': {
    make: (talk) => ({
      [`shop/${session}.jsonl`]: lines(talk, [
        { type: 'custom-title', sessionId: session, customTitle: talk.title },
        ...talk.texts.map((words, at) => ({
          parentUuid: at === 0 ? null : uuid(at - 1),
          uuid: uuid(at),
          type: role(at),
          sessionId: session,
          cwd: '/w/shop',
          timestamp: iso(at),
          message: { role: role(at), content: isUser(at) ? words : text(words) },
        })),
      ]),
    }),
  },
  codex: {
    make: (talk) => ({
      [`2026/01/05/rollout-2026-01-05T10-00-00-${session}.jsonl`]: lines(talk, [
        {
          timestamp: iso(0),
          type: 'session_meta',
          payload: { id: session, timestamp: iso(0), cwd: '/w/shop', title: talk.title },
        },
        ...talk.texts.map((words, at) => ({
          timestamp: iso(at),
          type: 'response_item',
          payload: {
            type: 'message',
            role: role(at),
            content: [{ type: isUser(at) ? 'input_text' : 'output_text', text: words }],
          },
        })),
      ]),
    }),
  },
  gemini: {
    make: (talk) => ({
      'ab12/chats/session-2026-01-05T10-00-77aa.jsonl': lines(talk, [
        { sessionId: session, projectHash: 'ab12', startTime: iso(0), kind: 'main', summary: talk.title },
        ...talk.texts.map((words, at) => ({
          id: `m${at}`,
          timestamp: iso(at),
          type: isUser(at) ? 'user' : 'gemini',
          content: isUser(at) ? [{ text: words }] : words,
        })),
      ]),
    }),
  },
  qwen: {
    make: (talk) => ({
      [`shop/chats/${session}.jsonl`]: lines(
        talk,
        talk.texts.map((words, at) => ({
          uuid: uuid(at),
          sessionId: session,
          timestamp: iso(at),
          type: role(at),
          cwd: '/w/shop',
          message: { role: isUser(at) ? 'user' : 'model', parts: [{ text: words }] },
        })),
      ),
    }),
  },
  opencode: {
    make: (talk) => {
      const found: [string, string][] = [
        [
          'storage/session/p1/ses_1.json',
          json({ id: 'ses_1', projectID: 'p1', directory: '/w/shop', title: talk.title, time: { created: ms(0) } }),
        ],
      ];
      for (const [at, words] of talk.texts.entries()) {
        const id = `msg_${at}`;
        found.push([
          `storage/message/ses_1/${id}.json`,
          json({ id, sessionID: 'ses_1', role: role(at), time: { created: ms(at) } }),
        ]);
        found.push([`storage/part/${id}/prt_1.json`, json({ id: 'prt_1', messageID: id, type: 'text', text: words })]);
      }
      if (talk.isBroken) found.push(['storage/message/ses_1/msg_1x.json', '{"torn']);
      return Object.fromEntries(found);
    },
  },
  cursor: {
    make: (talk) => ({
      'User/globalStorage/state.vscdb': sqliteFile([
        { sql: 'CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)', rows: [] },
        {
          sql: 'CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)',
          rows: [
            [
              `composerData:${session}`,
              json({
                composerId: session,
                name: talk.title,
                createdAt: ms(0),
                fullConversationHeadersOnly: [...talk.texts, ...(talk.isBroken ? [''] : [])].map((_, at) => ({
                  bubbleId: `b${at}`,
                })),
              }),
            ],
            ...talk.texts.map((words, at) => [
              `bubbleId:${session}:b${at}`,
              json({ type: isUser(at) ? 1 : 2, text: words, createdAt: iso(at) }),
            ]),
          ],
        },
      ]),
    }),
  },
  copilot: {
    make: (talk) => {
      const requests = [];
      for (let at = 0; at < talk.texts.length; at += 2) {
        const response = talk.texts[at + 1] === undefined ? [] : [{ value: talk.texts[at + 1] }];
        requests.push({
          requestId: `request_${uuid(at)}`,
          timestamp: ms(at),
          message: { text: talk.texts[at], parts: [] },
          response,
        });
      }
      return {
        'workspaceStorage/ab/workspace.json': json({ folder: 'file:///w/shop' }),
        [`workspaceStorage/ab/chatSessions/${session}.jsonl`]: lines(
          talk,
          [
            { kind: 0, v: { version: 3, sessionId: session, creationDate: ms(0), requests: [] } },
            { kind: 1, k: ['customTitle'], v: talk.title },
            ...requests.map((request) => ({ kind: 2, k: ['requests'], v: [request] })),
          ],
          1,
        ),
      };
    },
  },
  'copilot-cli': {
    make: (talk) => ({
      'session-state/77aa/events.jsonl': lines(talk, [
        {
          type: 'session.start',
          data: { sessionId: session, context: { cwd: '/w/shop' }, title: talk.title },
          timestamp: iso(0),
        },
        ...talk.texts.map((words, at) => ({
          type: `${role(at)}.message`,
          data: { content: words },
          id: uuid(at),
          timestamp: iso(at),
        })),
      ]),
    }),
  },
  cline: {
    make: (talk) => ({
      [`tasks/${begun}/api_conversation_history.json`]: json(
        talk.texts.map((words, at) => ({
          role: role(at),
          ts: ms(at),
          content: [
            ...(talk.isBroken && at === 1 ? [5] : []),
            { type: 'text', text: at === 0 ? `<task>\n${words}\n</task>` : words },
            ...(isUser(at) ? text('<environment_details>\nclosed tabs\n</environment_details>') : []),
          ],
        })),
      ),
      [`tasks/${begun}/ui_messages.json`]: json([{ ts: ms(0), type: 'say', say: 'task', text: talk.title }]),
    }),
  },
  aider: {
    make: (talk) => ({
      '.aider.chat.history.md': `\n# aider chat started at 2026-01-05 10:00:00\n\n> ${talk.title}  \n\n${talk.texts
        .map((words, at) => (isUser(at) ? `#### ${words}  \n` : `\n${words}\n\n> Applied edit to oven.ts  \n\n`))
        .join('')}`,
    }),
  },
  continue: {
    isUndated: true,
    make: (talk) => ({
      [`sessions/${session}.json`]: json({
        sessionId: session,
        title: talk.title,
        workspaceDirectory: 'file:///w/shop',
        history: list(
          talk,
          talk.texts.map((words, at) => ({ message: { role: role(at), content: words }, contextItems: [] })),
        ),
      }),
    }),
  },
  goose: {
    make: (talk) => ({
      'sessions/20260105_1.jsonl': lines(talk, [
        { working_dir: '/w/shop', description: talk.title },
        ...talk.texts.map((words, at) => ({ role: role(at), created: ms(at) / 1000, content: text(words) })),
      ]),
    }),
  },
  specstory: {
    make: (talk) => ({
      '.specstory/history/2026-01-05_10-00-00Z-oven.md': `<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n# ${talk.title}\n\n<!-- Claude Code Session ${session} (2026-01-05 10:00:00Z) -->\n\n${talk.texts
        .map((words, at) => {
          const when = iso(at).slice(0, 19).replace('T', ' ');
          const who = isUser(at) ? `User (${when}Z)` : `Agent (some-model ${when}Z)`;
          return `_**${who}**_\n\n${words}\n${talk.isBroken && at === 1 ? '<tool-use>\nls\n</tool-use>\n' : ''}\n---\n\n`;
        })
        .join('')}`,
    }),
  },
  pi: {
    make: (talk) => ({
      [`agents/main/sessions/${session}.jsonl`]: lines(talk, [
        { type: 'session', id: session, timestamp: iso(0), cwd: '/w/shop' },
        { type: 'session_info', id: 'name', name: talk.title },
        ...talk.texts.map((words, at) => ({
          type: 'message',
          id: `e${at}`,
          parentId: at === 0 ? null : `e${at - 1}`,
          timestamp: iso(at),
          message: { role: role(at), content: text(words) },
        })),
      ]),
    }),
  },
  chats: {
    make: (talk) => ({
      'conversations.json': json(
        list(talk, [
          {
            uuid: session,
            name: talk.title,
            created_at: iso(0),
            chat_messages: talk.texts.map((words, at) => ({
              uuid: uuid(at),
              sender: isUser(at) ? 'human' : 'assistant',
              text: words,
              created_at: iso(at),
            })),
          },
        ]),
      ),
    }),
  },
  whatsapp: {
    isPeople: true,
    make: (talk) => ({
      [`WhatsApp Chat with ${talk.title}.txt`]: `${[
        '05/01/2026, 09:59 - Messages and calls are end-to-end encrypted.',
        ...talk.texts.map(
          (words, at) => `05/01/2026, ${iso(at).slice(11, 16)} - ${isUser(at) ? '~ Ada & Co' : 'Ben 🥖'}: ${words}`,
        ),
      ]
        .toSpliced(3, 0, ...(talk.isBroken ? ['45/13/2026, 10:01 - Ada: a day that no calendar has'] : []))
        .join('\n')}\n`,
    }),
    notices: 1,
  },
  telegram: {
    isPeople: true,
    make: (talk) => ({
      'result.json': json({
        name: talk.title,
        type: 'private_group',
        id: 7,
        messages: list(
          talk,
          talk.texts.map((words, at) => ({
            id: at + 1,
            type: 'message',
            date: iso(at).slice(0, 19),
            date_unixtime: String(ms(at) / 1000),
            from: isUser(at) ? 'Ada' : 'Ben',
            from_id: `user${at % 2}`,
            text: [words.slice(0, 5), { type: 'bold', text: words.slice(5) }],
          })),
        ),
      }),
    }),
  },
  signal: {
    isPeople: true,
    make: (talk) => ({
      'main.jsonl': lines(
        talk,
        [
          { recipient: { id: '1', self: {} } },
          { recipient: { id: '2', contact: { aci: 'zz9', systemGivenName: talk.title } } },
          { chat: { id: '10', recipientId: '2' } },
          ...talk.texts.map((words, at) => ({
            chatItem: {
              chatId: '10',
              authorId: isUser(at) ? '1' : '2',
              dateSent: String(ms(at)),
              standardMessage: { text: { body: words } },
            },
          })),
        ],
        5,
      ),
    }),
  },
  messenger: {
    isPeople: true,
    make: (talk) => ({
      'inbox/ada_1/message_1.json': json({
        participants: [{ name: 'Ada' }, { name: 'Ben' }],
        messages: list(
          talk,
          talk.texts
            .map((words, at) => ({ sender_name: isUser(at) ? 'Ada' : 'Ben', timestamp_ms: ms(at), content: words }))
            .reverse(),
        ),
        title: talk.title,
        thread_path: 'inbox/ada_1',
      }),
    }),
  },
  discord: {
    isPeople: true,
    make: (talk) => ({
      'general.json': json({
        guild: { id: '1', name: 'Bakery' },
        channel: { id: '99', type: 'GuildTextChat', name: talk.title },
        messages: list(
          talk,
          talk.texts.map((words, at) => ({
            id: String(900 + at),
            type: 'Default',
            timestamp: iso(at),
            content: words,
            author: { id: '5', name: 'ada', nickname: isUser(at) ? 'Ada' : 'Ben', isBot: false },
          })),
        ),
      }),
    }),
  },
  captions: {
    isPeople: true,
    make: (talk) => ({
      [`GMT20260105-100000_${talk.title}.vtt`]: `WEBVTT\n\n${talk.texts
        .map(
          (words, at) =>
            `${talk.isBroken && at === 2 ? 'torn\n\n' : ''}00:0${at}:00.000 --> 00:0${at}:04.000\n<v ${isUser(at) ? 'Ada' : 'Ben'}>${words}</v>\n\n`,
        )
        .join('')}`,
    }),
  },
  talks: {
    isPeople: true,
    make: (talk) => ({
      'talk.md': `---\ntitle: ${talk.title}\ndate: 2026-01-05T10:00:00Z\n---\n\n${talk.texts
        .map(
          (words, at) =>
            `${talk.isBroken && at === 2 ? 'Ben  0:01\n\n' : ''}${isUser(at) ? 'Ada' : 'Ben'}  0:0${at}\n${words}\n\n`,
        )
        .join('')}`,
    }),
  },
  slack: {
    isPeople: true,
    make: (talk) => ({
      'users.json': json([{ id: 'U0', name: 'ada' }]),
      'bakery/2026-01-05.json': json(
        list(
          talk,
          talk.texts.map((words, at) => ({
            type: 'message',
            user: `U${at % 2}`,
            text: words,
            ts: `${ms(at) / 1000}.000100`,
          })),
        ),
      ),
    }),
  },
  zed: {
    make: (talk) => ({
      'threads/threads.db': sqliteFile([
        {
          sql: 'CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL)',
          rows: [
            [
              session,
              talk.title,
              iso(talk.texts.length),
              'json',
              json({
                version: '0.3.0',
                title: talk.title,
                messages: list(
                  talk,
                  talk.texts.map((words, at) =>
                    isUser(at)
                      ? { User: { id: uuid(at), content: [{ Text: words }] } }
                      : { Agent: { content: [{ Thinking: { text: 'hm' } }, { Text: words }], tool_results: {} } },
                  ),
                ),
                updated_at: iso(talk.texts.length),
              }),
            ],
          ],
        },
      ]),
    }),
  },
  letta: {
    make: (talk) => ({
      'baker.af': json({
        agents: [
          {
            id: 'agent-0',
            name: 'Baker',
            system: 'You bake.',
            messages: list(
              talk,
              talk.texts.map((words, at) => ({ role: role(at), content: text(words), created_at: iso(at) })),
            ),
          },
        ],
        blocks: [{ id: 'block-0', label: 'human', value: talk.title }],
      }),
    }),
  },
  conversations: {
    make: (talk) => ({
      'talk.jsonl': lines(talk, [
        { session_id: session, topic: talk.title },
        ...talk.texts.map((words, at) => ({ role: role(at), content: words, time: iso(at) })),
      ]),
    }),
  },
};
