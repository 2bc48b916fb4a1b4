// What Telegram Desktop exports as JSON, `result.json`: one chat, or all of an account.
//
//   { name, type, id, messages: [ { id, type: 'message', date, date_unixtime, from, from_id, text, … } ] }
//   { personal_information, contacts, chats: { list: [ the same, … ] }, left_chats }
//
// Source: telegramdesktop/tdesktop, Telegram/SourceFiles/export/output/export_output_json.cpp.

import type { MessagePart } from '../../../core/capture/messages.ts';
import { Earlier, mark, quoted, reactions, wordsOf } from './chat-message.ts';
import { type Fields, fieldsOf, listOf, objectsOf, timeOf, wordOf, wordsAmong } from './fields.ts';
import type { Entry, Form } from './form.ts';
import { jsonMembers } from './json-files.ts';
import { attachment, textPart } from './parts.ts';

const opens = (path: readonly (string | number)[]): boolean => {
  const last = path.at(-1);
  if (path.length === 0 || last === 'messages') return true;
  return (
    /chats$/.test(String(path[0])) &&
    (path.length === 1 || last === 'list' || (path.length === 3 && path[1] === 'list'))
  );
};

export const telegram: Form = {
  isCutAtPauses: true,

  detect(path, head) {
    if (!/\.json$/i.test(path)) return 0;
    if (/^\s*\{[\s\S]*"chats"\s*:\s*\{[\s\S]{0,2000}"list"\s*:\s*\[/.test(head)) return 0.9;
    if (!/"messages"\s*:\s*\[/.test(head)) return /"personal_information"\s*:/.test(head) ? 0.9 : 0;
    if (/"date_unixtime"\s*:|"text_entities"\s*:/.test(head)) return 0.95;
    return /"type"\s*:\s*"(?:message|service)"/.test(head) && /"(?:from|actor)(?:_id)?"\s*:/.test(head) ? 0.9 : 0;
  },

  *read(file, reading) {
    let chat: Record<string, unknown> = {};
    let within = '';
    let earlier = new Earlier();
    let number = 0;
    let isTold = false;
    for (const { path, value, why } of jsonMembers(file, opens)) {
      const at = path.lastIndexOf('messages');
      const key = String(path.at(-1));
      const around = path.slice(0, at < 0 ? -1 : at).join('.');
      if (around !== within) [chat, within, earlier, number, isTold] = [{}, around, new Earlier(), 0, false];
      if (at < 0) {
        if (['name', 'type', 'id'].includes(key) && value !== undefined) chat[key] = value;
        else if (why !== undefined) reading.broken(why, path.join('.'));
        else if (
          /^(?:personal_information|contacts|frequent_contacts|sessions|web_sessions|other_data|profile_pictures|stories)$/.test(
            key,
          )
        )
          reading.leave('are about the account', key);
        continue;
      }
      number += 1;
      const place = `${wordOf(chat.name) ?? 'a chat'}, message ${number}`;
      if (value === undefined || Object.keys(fieldsOf(value)).length === 0) {
        reading.broken(why ?? 'is no message', place);
        continue;
      }
      const session = chat.id === undefined ? undefined : `telegram-${String(chat.id)}`;
      if (!isTold) {
        const title = wordOf(chat.name) ?? wordOf(chat.type)?.replaceAll('_', ' ');
        yield { kind: 'head', session, title };
        isTold = true;
      }
      const read = messageOf(fieldsOf(value), chat, earlier);
      if (read === null) reading.leave('are empty, or of a kind that an export does not show', place);
      else yield { kind: 'message', session, line: place, ...read };
    }
  },
};

type Read = Omit<Extract<Entry, { kind: 'message' }>, 'kind' | 'session' | 'line'>;

function messageOf(message: Fields, chat: Fields, earlier: Earlier): Read | null {
  const isNotice = message.type === 'service';
  const speaker = wordOf(message.from) ?? wordOf(message.from_id) ?? wordOf(message.author);
  const time = timeOf(message.date_unixtime);
  const date = wordOf(message.date);
  const when = time !== undefined ? { time } : date === undefined ? {} : { clock: date };
  const id = message.id === undefined ? {} : { id: String(message.id) };
  if (isNotice) {
    const text = noticeOf(message);
    return text === '' ? null : { role: 'system', parts: [textPart(text)], ...when, ...id };
  }
  const text = textOf(message.text ?? message.text_entities);
  const forwarded = wordOf(message.forwarded_from);
  const said = forwarded === undefined ? (text.trim() === '' ? [] : [textPart(text)]) : quoted(text);
  const parts = [...said, ...mediaOf(message)];
  const reply = earlier.replyTo(message.reply_to_message_id);
  earlier.note(message.id, speaker, wordsOf(parts) || text);
  if (parts.length === 0) return null;
  const isBot = chat.type === 'bot_chat' && message.from_id === `user${String(chat.id)}`;
  return {
    role: isBot ? 'agent' : 'user',
    speaker,
    ...when,
    ...id,
    parts: [
      ...reply,
      ...(forwarded === undefined ? [] : [mark('forwarded from', forwarded)]),
      ...parts,
      ...(message.edited === undefined ? [] : [mark('edited')]),
      ...reactions(
        objectsOf(message.reactions).map((one) => ({
          emoji: wordOf(one.emoji) ?? wordOf(one.type) ?? '',
          by: listOf(one.recent).flatMap((by) => wordOf(fieldsOf(by).from) ?? []),
          count: Number(one.count ?? 1),
        })),
      ),
    ],
  };
}

/** Joins a text with its marks: addresses stand behind what links to them, code within backticks. */
function textOf(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : '';
  return value
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      const { type, text, href, language } = fieldsOf(part);
      const words = typeof text === 'string' ? text : '';
      if (type === 'text_link' && typeof href === 'string' && href !== words) return `${words} (${href})`;
      if (type === 'pre') return `\n\`\`\`${wordOf(language) ?? ''}\n${words.replace(/\n$/, '')}\n\`\`\`\n`;
      return type === 'code' ? `\`${words}\`` : words;
    })
    .join('');
}

/** Says in words what Telegram notes: who, what, and everything that it tells of it. */
function noticeOf(message: Fields): string {
  const { actor, action } = message;
  const told = Object.entries(message).flatMap(([key, value]) => {
    if (/^(?:id|type|date|edited|actor|action|text|from_id|width|height|photo)|_unixtime$|_id$/.test(key)) return [];
    const words = Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : String(value);
    if (value === null || words === '' || (typeof value === 'object') !== Array.isArray(value)) return [];
    return [
      /^(?:title|new_title|members|information_text)$/.test(key) ? words : `${key.replaceAll('_', ' ')} ${words}`,
    ];
  });
  const parts = [wordOf(actor), wordOf(action)?.replaceAll('_', ' ')].filter((part) => part !== undefined).join(': ');
  return [parts, ...told, textOf(message.text)].filter((part) => part !== '').join('; ');
}

/** What came with a message. A file that was left out of the export has a sentence in the place of its path. */
function mediaOf(message: Fields): MessagePart[] {
  const path = (value: unknown, kind: string): MessagePart[] => {
    const given = wordOf(value);
    if (given === undefined) return [];
    const name = /^\(|\(File /.test(given) ? (wordOf(message.file_name) ?? kind) : given;
    return [attachment(name)];
  };
  const kind = wordOf(message.media_type)?.replaceAll('_', ' ') ?? 'file';
  const sticker = wordOf(message.sticker_emoji);
  const { first_name, last_name, phone_number } = fieldsOf(message.contact_information);
  const contact = wordsAmong([first_name, last_name, phone_number]).join(' ');
  const { latitude, longitude } = fieldsOf(message.location_information);
  const place = wordsAmong([message.place_name, message.address]);
  const poll = fieldsOf(message.poll);
  const question = textOf(poll.question);
  const answers = objectsOf(poll.answers).map(({ text, voters }) => `- ${textOf(text)} (${voters ?? 0})`);
  const { title, description } = fieldsOf(message.invoice_information);
  return [
    ...path(message.photo, 'photo'),
    ...(sticker === undefined ? path(message.file, kind) : [attachment(`sticker ${sticker}`)]),
    ...(contact === '' ? [] : [attachment(`contact ${contact}`)]),
    ...(latitude === undefined ? place : [...place, `location ${String(latitude)}, ${String(longitude)}`])
      .slice(0, 3)
      .map(attachment),
    ...(question === '' ? [] : [textPart([question, ...answers].join('\n'))]),
    ...wordsAmong([message.game_title, title, description]).map(attachment),
  ];
}
