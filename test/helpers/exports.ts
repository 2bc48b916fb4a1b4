// Exports of chat programs and folders of notes, as large as a test wants them; every message says something else.

import fs from 'node:fs';
import path from 'node:path';

export const exportForms = [
  'Claude Code',
  'ChatGPT',
  'Claude',
  'OpenAI messages',
  'Anthropic messages',
  'Slack',
  'Markdown',
] as const;

export type ExportForm = (typeof exportForms)[number];

export interface ExportSize {
  /** Conversations, session files, days of a channel, or notes. */
  readonly conversations: number;
  /** Messages of each, or lines of a note. */
  readonly turns: number;
  /** Of each message, beside what tells it from the others. */
  readonly words?: number;
}

/** What one conversation of an export is made of. */
interface Talk {
  readonly id: string;
  readonly number: number;
  readonly texts: readonly string[];
}

const begun = Date.parse('2026-01-05T00:00:00Z');
/** Conversations begin a day apart, and their messages are said by the minute. */
const timeOf = ({ number }: Talk, at: number) => begun + number * 86_400_000 + at * 60_000;
const isoOf = (talk: Talk, at: number) => new Date(timeOf(talk, at)).toISOString();

const chatGpt = (talk: Talk) => ({
  title: `Talk ${talk.number}`,
  conversation_id: talk.id,
  current_node: `n${talk.texts.length - 1}`,
  mapping: Object.fromEntries(
    talk.texts.map((text, at) => [
      `n${at}`,
      {
        parent: at === 0 ? null : `n${at - 1}`,
        message: {
          author: { role: at % 2 === 0 ? 'user' : 'assistant' },
          create_time: timeOf(talk, at) / 1000,
          content: { content_type: 'text', parts: [text] },
        },
      },
    ]),
  ),
});

const claude = (talk: Talk) => ({
  uuid: talk.id,
  name: `Talk ${talk.number}`,
  chat_messages: talk.texts.map((text, at) => ({
    sender: at % 2 === 0 ? 'human' : 'assistant',
    text,
    created_at: isoOf(talk, at),
  })),
});

const claudeCode = (talk: Talk) =>
  talk.texts
    .map((text, at) => {
      const type = at % 2 === 0 ? 'user' : 'assistant';
      const message = { role: type, content: text };
      return `${JSON.stringify({ uuid: `${talk.id}-${at}`, type, sessionId: talk.id, timestamp: isoOf(talk, at), message })}\n`;
    })
    .join('');

const messages = (talk: Talk, contentOf: (text: string) => unknown) => ({
  session: talk.id,
  messages: talk.texts.map((text, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: contentOf(text),
    time: isoOf(talk, at),
  })),
});

const slackDay = (talk: Talk) =>
  talk.texts.map((text, at) => ({
    type: 'message',
    user: `U${at % 2}`,
    text,
    ts: `${timeOf(talk, at) / 1000}.000100`,
  }));

/** One file for each conversation: its name and what is in it. */
const fileOf: Readonly<Record<Exclude<ExportForm, 'ChatGPT' | 'Claude'>, (talk: Talk) => readonly [string, string]>> = {
  'Claude Code': (talk) => [`project/${talk.id}.jsonl`, claudeCode(talk)],
  'OpenAI messages': (talk) => [`${talk.id}.json`, JSON.stringify(messages(talk, (text) => text))],
  'Anthropic messages': (talk) => [
    `${talk.id}.json`,
    JSON.stringify(messages(talk, (text) => [{ type: 'text', text }])),
  ],
  Slack: (talk) => [`general/${isoOf(talk, 0).slice(0, 10)}.json`, JSON.stringify(slackDay(talk))],
  Markdown: (talk) => [`notes/${talk.id}.md`, `# Note ${talk.number}\n\n${talk.texts.join('\n')}\n`],
};

/** Writes an export below a folder, one conversation after the other; gives the folder. */
export function writeExport(folder: string, form: ExportForm, size: ExportSize): string {
  const write = (name: string, text: string, flag = 'w') => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text, { flag });
  };
  if (form === 'Slack') write('users.json', '[{"id":"U0","name":"ada"},{"id":"U1","name":"rui"}]');
  for (let number = 0; number < size.conversations; number++) {
    const texts = Array.from({ length: size.turns }, (_, at) =>
      wordsOf(`talk ${number} says sentence ${at}`, size.words),
    );
    const talk: Talk = { id: `talk-${number}`, number, texts };
    if (form === 'ChatGPT' || form === 'Claude') {
      const value = form === 'ChatGPT' ? chatGpt(talk) : claude(talk);
      write('conversations.json', `${number === 0 ? '[' : ','}${JSON.stringify(value)}`, 'a');
    } else {
      write(...fileOf[form](talk));
    }
  }
  if (form === 'ChatGPT' || form === 'Claude') write('conversations.json', ']', 'a');
  return folder;
}

function wordsOf(text: string, words = 0): string {
  return [text, ...Array.from({ length: words }, (_, at) => `word${at}`)].join(' ');
}
