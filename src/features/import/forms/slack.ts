// The unpacked export of a Slack workspace: users.json, and for each channel a folder with a list of messages for each day.

import type { SourceFile } from '../source.ts';
import {
  attachment,
  type Fields,
  type Form,
  fieldsOf,
  jsonOf,
  listOf,
  type Reading,
  textPart,
  timeOf,
  wholeJson,
  wordOf,
} from './form.ts';

const dayFile = /^(?:.*\/)?([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/;
/** What an export tells of itself. */
const lists = /(?:^|\/)(?:users|channels|groups|dms|mpims|integration_logs|canvases|org_users|bookmarks)\.json$/;

export const slack: Form = {
  name: 'slack',
  channel: 'slack',
  places: [],

  detect(path, head) {
    if (dayFile.test(path)) return /^\s*\[\s*(?:\]|\{|$)/.test(head.slice(0, 200)) ? 0.8 : 0.5;
    return lists.test(path) && /^\s*\[/.test(head) ? 0.6 : 0;
  },

  *read(file, reading) {
    const [, channel, day] = dayFile.exec(file.path) ?? [];
    if (channel === undefined || day === undefined) return;
    const value = wholeJson(file, reading);
    if (value === undefined) return;
    const names = namesOf(reading.beside('../users.json') ?? reading.beside('users.json'));
    const session = `slack-${channel}-${day}`;
    yield { kind: 'head', session, title: `${channel} ${day}` };
    for (const [at, message] of listOf(value).entries()) {
      const read = messageOf(fieldsOf(message), names, at + 1, reading);
      if (read !== null) yield { kind: 'message', session, line: at + 1, ...read };
    }
  },
};

/** The file of users, read once for all days of an import. */
const known = new WeakMap<SourceFile, ReadonlyMap<string, string>>();

/** Reads users.json as id → the name that people see. */
function namesOf(file: SourceFile | undefined): ReadonlyMap<string, string> {
  if (file === undefined) return new Map();
  const present = known.get(file);
  if (present !== undefined) return present;
  const names = new Map<string, string>();
  for (const user of listOf(jsonOf(file.read().toString('utf8'))).map(fieldsOf)) {
    const profile = fieldsOf(user.profile);
    const name =
      wordOf(profile.display_name) ?? wordOf(profile.real_name) ?? wordOf(user.real_name) ?? wordOf(user.name);
    if (name !== undefined && typeof user.id === 'string') names.set(user.id, name);
  }
  known.set(file, names);
  return names;
}

/** Subtypes of messages in which somebody says something. */
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
  const files = listOf(message.files).flatMap((file) => {
    const name = wordOf(fieldsOf(file).name);
    return name === undefined ? [] : [attachment(name)];
  });
  const text = plainText(wordOf(message.text) ?? '', names);
  const parts = [...(text === '' ? [] : [textPart(text)]), ...files];
  if (parts.length === 0) {
    reading.leave('are empty', line);
    return null;
  }
  const isBot = message.subtype === 'bot_message' || message.bot_id !== undefined;
  const time = timeOf(message.ts);
  return {
    role: isBot ? 'agent' : 'user',
    ...(speaker === undefined ? {} : { speaker }),
    ...(time === undefined ? {} : { time }),
    parts,
  };
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
