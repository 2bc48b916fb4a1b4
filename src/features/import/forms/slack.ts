// The unpacked export of a Slack workspace: users.json, and for each channel a folder with a list of messages for each day.

import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { Earlier, mark, quoted, reactions, wordsOf } from './chat-message.ts';
import { type Fields, fieldsOf, listOf, objectsOf, timeOf, wordOf, wordsAmong } from './fields.ts';
import type { Form, Reading } from './form.ts';
import { jsonBeside, jsonMembers, jsonOf } from './json-files.ts';
import { attachment, textParts } from './parts.ts';

const dayFile = /^(?:.*\/)?([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/;
const lists = /(?:^|\/)(?:users|channels|groups|dms|mpims|integration_logs|canvases|org_users|bookmarks)\.json$/;

export const slack: Form = {
  detect(path, head) {
    if (dayFile.test(path)) return /^\s*\[\s*(?:\]|\{|$)/.test(head.slice(0, 200)) ? 0.8 : 0.5;
    return lists.test(path) && /^\s*\[/.test(head) ? 0.6 : 0;
  },

  *read(file, reading) {
    const [, channel, day] = dayFile.exec(file.path) ?? [];
    if (channel === undefined || day === undefined) return;
    const names = namesOf(reading.beside('../users.json') ?? reading.beside('users.json'));
    const session = `slack-${channel}-${day}`;
    yield { kind: 'head', session, title: `${channelName(channel, names, reading)} ${day}` };
    const earlier = new Earlier();
    let line = 0;
    for (const { value, why } of jsonMembers(file, (path, isList) => path.length === 0 && isList)) {
      line += 1;
      const message = fieldsOf(value);
      if (Object.keys(message).length === 0) {
        reading.broken(why ?? 'is no message', line);
        continue;
      }
      const read = messageOf(message, names, line, reading);
      if (read === null) continue;
      const thread = wordOf(message.thread_ts);
      const reply =
        thread === undefined || thread === message.ts ? [] : replyTo(thread, message, earlier, names, reading);
      earlier.note(message.ts, read.speaker, wordsOf(read.parts));
      yield {
        kind: 'message',
        session,
        line,
        ...read,
        parts: [...reply, ...read.parts, ...reactionsOf(message, names)],
      };
    }
  },
};

/** Direct messages have a number for a name: they are called by who takes part. */
function channelName(channel: string, names: ReadonlyMap<string, string>, reading: Reading): string {
  if (!/^D[A-Z0-9]{6,}$/.test(channel)) return channel;
  const found = objectsOf(jsonBeside('../dms.json', reading)).find(({ id }) => id === channel);
  return (
    listOf(found?.members)
      .map((id) => names.get(String(id)) ?? String(id))
      .join(', ') || channel
  );
}

/** Says which thread a reply is of; its first message may be of another day, in a file of its own. */
function replyTo(
  thread: string,
  message: Fields,
  earlier: Earlier,
  names: ReadonlyMap<string, string>,
  reading: Reading,
): MessagePart[] {
  if (earlier.has(thread)) return earlier.replyTo(thread);
  const began = timeOf(thread) ?? 0;
  // The days of files are those of the workspace, whose zone an export does not say.
  for (const shift of [0, -1, 1]) {
    const file = reading.beside(`${new Date(began + shift * 86_400_000).toISOString().slice(0, 10)}.json`);
    const first = file === undefined ? undefined : messagesIn(file).find(({ ts }) => ts === thread);
    if (first === undefined) continue;
    earlier.note(thread, names.get(String(first.user)), plainText(wordOf(first.text) ?? '', names));
    return earlier.replyTo(thread);
  }
  const parent = names.get(String(message.parent_user_id));
  return [
    mark(
      'reply to',
      [parent, `thread of ${new Date(began).toISOString().slice(0, 16).replace('T', ' ')}`]
        .filter((one) => one !== undefined)
        .join(', '),
    ),
  ];
}

/** The messages of another day, while threads of it go on. */
const days = new WeakMap<SourceFile, readonly Fields[]>();

function messagesIn(file: SourceFile): readonly Fields[] {
  const present = days.get(file) ?? objectsOf(jsonOf(file.read().toString('utf8')));
  days.set(file, present);
  return present;
}

function reactionsOf(message: Fields, names: ReadonlyMap<string, string>): MessagePart[] {
  return reactions(
    objectsOf(message.reactions).map(({ name, users, count }) => ({
      emoji: `:${wordOf(name) ?? ''}:`,
      by: listOf(users).map((id) => names.get(String(id)) ?? String(id)),
      count: Number(count ?? 1),
    })),
  );
}

/** The file of users, read once for all days of an import. */
const known = new WeakMap<SourceFile, ReadonlyMap<string, string>>();

/** Reads users.json as id → the name that people see. */
function namesOf(file: SourceFile | undefined): ReadonlyMap<string, string> {
  if (file === undefined) return new Map();
  const present = known.get(file);
  if (present !== undefined) return present;
  const names = new Map<string, string>();
  for (const user of objectsOf(jsonOf(file.read().toString('utf8')))) {
    const profile = fieldsOf(user.profile);
    const name =
      wordOf(profile.display_name) ?? wordOf(profile.real_name) ?? wordOf(user.real_name) ?? wordOf(user.name);
    if (name !== undefined && typeof user.id === 'string') names.set(user.id, name);
  }
  known.set(file, names);
  return names;
}

const spoken = new Set([undefined, 'bot_message', 'thread_broadcast', 'file_share', 'me_message', 'file_comment']);

function messageOf(message: Fields, names: ReadonlyMap<string, string>, line: number, reading: Reading) {
  if (message.type !== 'message') {
    reading.leave('are no messages', line);
    return null;
  }
  if (!spoken.has(wordOf(message.subtype))) {
    reading.leave('are comings and goings', line);
    return null;
  }
  const profile = fieldsOf(message.user_profile);
  const user = wordOf(message.user);
  const speaker =
    (user === undefined ? undefined : names.get(user)) ??
    wordOf(profile.display_name) ??
    wordOf(profile.real_name) ??
    wordOf(message.username) ??
    user;
  const files = objectsOf(message.files).flatMap(({ name, title }) => wordsAmong([name, title]).slice(0, 1));
  const written = wordOf(message.text) ?? textIn(message.blocks);
  const text = plainText(written, names);
  // What a link leads to, what a program says in a frame, and messages that are passed on.
  const frames = objectsOf(message.attachments).flatMap(({ title, text: words, fallback }) => {
    const lines = wordsAmong([title, words ?? fallback]);
    return quoted(plainText(lines.join('\n'), names));
  });
  const parts = [...textParts(text), ...frames, ...files.map(attachment)];
  if (parts.length === 0) {
    reading.leave('are empty', line);
    return null;
  }
  const isBot = message.subtype === 'bot_message' || message.bot_id !== undefined;
  const time = timeOf(message.ts);
  return { role: isBot ? 'agent' : 'user', speaker, time, parts };
}

function textIn(blocks: unknown): string {
  if (Array.isArray(blocks)) return blocks.map(textIn).join('');
  const { text, elements, type, url, user_id: user } = fieldsOf(blocks);
  if (type === 'user') return `<@${String(user)}>`;
  const words = typeof text === 'string' ? text : typeof text === 'object' ? textIn(text) : '';
  return `${words || (wordOf(url) ?? '')}${textIn(elements ?? [])}${/^(?:section|rich_text_section)$/.test(String(type)) ? '\n' : ''}`;
}

/** Takes Slack's marks out: mentions, channels, links, and the three characters that it escapes. */
function plainText(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .replace(/<@([A-Z0-9]+)(?:\|([^>]*))?>/g, (_, id: string, label?: string) => `@${names.get(id) ?? label ?? id}`)
    .replace(/<#[A-Z0-9]+\|([^>]*)>/g, '#$1')
    .replace(/<!(\w+)[^>]*>/g, '@$1')
    .replace(/<([^|>\s]+)\|([^>]*)>/g, '$2 ($1)')
    .replace(/<((?:https?|mailto):[^>\s]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
