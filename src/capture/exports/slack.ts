// The export of a Slack workspace: users.json, and for each channel a folder with a list of messages for each day.

import { isJsonObject } from '../../base/canonical-json.ts';
import { type ExportedConversation, type Fields, sessionIdOf, wordOf } from './exported.ts';

/** Reads users.json as id → the name that people see. */
export function readSlackUsers(value: unknown): Map<string, string> {
  const names = new Map<string, string>();
  for (const user of Array.isArray(value) ? value : []) {
    if (!isJsonObject(user) || typeof user.id !== 'string') continue;
    const profile = isJsonObject(user.profile) ? user.profile : {};
    const name =
      wordOf(profile.display_name) ?? wordOf(profile.real_name) ?? wordOf(user.real_name) ?? wordOf(user.name);
    if (name !== undefined) names.set(user.id, name);
  }
  return names;
}

/**
 * Reads the messages of one day in one channel as a conversation; null when there are none.
 *
 * Comings and goings are left out. Who is named by an id is named as people see it: `<@U123>` becomes `@Ada`.
 */
export function readSlackDay(
  value: unknown,
  channel: string,
  day: string,
  names: ReadonlyMap<string, string>,
): ExportedConversation | null {
  const messages = (Array.isArray(value) ? value : []).flatMap((message) => messageOf(message, names));
  if (messages.length === 0) return null;
  return { session: sessionIdOf(`slack-${channel}-${day}`), topic: `${channel} ${day}`, channel: 'slack', messages };
}

/** Subtypes of messages in which somebody says something. */
const spoken = new Set([undefined, 'bot_message', 'thread_broadcast', 'file_share', 'me_message', 'file_comment']);

function messageOf(message: unknown, names: ReadonlyMap<string, string>): Fields[] {
  if (!isJsonObject(message) || message.type !== 'message' || !spoken.has(wordOf(message.subtype))) return [];
  const profile = isJsonObject(message.user_profile) ? message.user_profile : {};
  const user = wordOf(message.user);
  const speaker =
    (user === undefined ? undefined : names.get(user)) ??
    wordOf(profile.display_name) ??
    wordOf(profile.real_name) ??
    wordOf(message.username) ??
    user;
  const files = (Array.isArray(message.files) ? message.files : []).flatMap((file) => {
    const name = isJsonObject(file) ? wordOf(file.name) : undefined;
    return name === undefined ? [] : [`> [attachment:${name}]`];
  });
  const text = [plainText(wordOf(message.text) ?? '', names), ...files].filter((part) => part !== '').join('\n\n');
  if (text === '') return [];
  const isBot = message.subtype === 'bot_message' || message.bot_id !== undefined;
  return [{ role: isBot ? 'agent' : 'user', ...(speaker === undefined ? {} : { speaker }), ts: message.ts, text }];
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
