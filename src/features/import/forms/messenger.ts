// Messenger and Instagram, as "Download your information" gives them in JSON. Each chat is a folder with message_1.json, the newest, then
// message_2.json and so on; each has its newest message first.
//
//   { participants, messages: [ { sender_name, timestamp_ms, content, photos, share, reactions, … } ], title, thread_path }
//
// Every byte of UTF-8 is written as a character of its own: `caf\u00c3\u00a9`. Chats with end-to-end encryption come apart, with other names:
//
//   { participants, threadName, messages: [ { senderName, timestamp, text, media, reactions, isUnsent } ] }

import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { quoted, reactions } from './chat-message.ts';
import { type Fields, fieldsOf, listOf, objectsOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { chatOpens, jsonMembers } from './json-files.ts';
import { attachment, textPart } from './parts.ts';

const numbered = /(?:^|\/)message_(\d+)\.json$/;

export const messenger: Form = {
  isCutAtPauses: true,

  detect(path, head) {
    if (!/\.json$/i.test(path)) return 0;
    if (/"sender_name"\s*:/.test(head) && /"timestamp_ms"\s*:/.test(head)) return 0.95;
    return /"senderName"\s*:/.test(head) && /"isUnsent"\s*:/.test(head) ? 0.95 : 0;
  },

  *read(file, reading) {
    const parts = reading.below('').flatMap((one) => {
      const number = numbered.exec(one.path)?.[1];
      return number === undefined ? [] : [{ file: one, number: Number(number) }];
    });
    const own = parts.find((part) => part.file.path === file.path);
    if (own === undefined) return yield* readPart(file, reading);
    // The parts of a chat are read as one, the oldest first, in the place of the newest.
    parts.sort((one, other) => other.number - one.number);
    if (own === parts.at(-1)) for (const part of parts) yield* readPart(part.file, reading);
  },
};

function* readPart(file: SourceFile, reading: Reading): Generator<Entry> {
  const told: Record<string, unknown> = {};
  const found: { fields: Fields; time: number; place: string }[] = [];
  const name = file.path.replace(/^.*\//, '');
  for (const { path, value, why } of jsonMembers(file, chatOpens)) {
    if (path[0] !== 'messages') {
      if (value === undefined) reading.broken(why ?? 'is not valid JSON', `${name}, ${path.join('.')}`);
      else told[String(path[0])] = value;
      continue;
    }
    const place = `${name}, message ${Number(path[1]) + 1}`;
    const fields = fieldsOf(value);
    const time = timeOf(fields.timestamp_ms ?? fields.timestamp);
    if (time === undefined) reading.broken(why ?? 'is no message with a time', place);
    else found.push({ fields, time, place });
  }
  const thread = wordOf(told.thread_path)?.split('/').at(-1) ?? wordOf(told.threadName);
  const session = thread === undefined ? undefined : `messenger-${thread}`;
  const title = mended(told.title) ?? wordOf(told.threadName)?.replace(/_\d+$/, '');
  const isInstagram =
    /instagram/i.test(file.path) ||
    found.some(
      ({ fields }) =>
        'is_geoblocked_for_viewer' in fields && /instagram\.com/.test(String(fieldsOf(fields.share).link)),
    );
  yield { kind: 'head', session, title, ...(isInstagram ? { channel: 'instagram' } : {}) };
  found.reverse().sort((one, other) => one.time - other.time);
  for (const { fields, time, place } of found) {
    const speaker = mended(fields.sender_name) ?? wordOf(fields.senderName);
    const { role, parts } = messageOf(fields, speaker);
    if (fields.is_unsent === true || fields.isUnsent === true) reading.leave('were taken back', place);
    else if (parts.length === 0) reading.leave('are empty', place);
    else
      yield {
        kind: 'message',
        session,
        time,
        role,
        ...(role === 'user' && speaker !== undefined ? { speaker } : {}),
        parts,
        line: place,
      };
  }
}

/** Puts a text together again whose bytes were written as characters; any other stays. */
function mended(value: unknown): string | undefined {
  const text = wordOf(value);
  if (text === undefined || !/[\u0080-\u00ff]/.test(text) || /[^\u0000-\u00ff]/.test(text)) return text;
  const read = Buffer.from(text, 'latin1').toString('utf8');
  return read.includes('\ufffd') ? text : read;
}

const media = ['photos', 'videos', 'audio_files', 'gifs', 'files', 'media'];

function messageOf(fields: Fields, speaker: string | undefined): { role: 'user' | 'system'; parts: MessagePart[] } {
  const text = mended(fields.content) ?? wordOf(fields.text) ?? '';
  const files = media.flatMap((name) => listOf(fields[name]).flatMap((one) => wordOf(fieldsOf(one).uri) ?? []));
  const sticker = wordOf(fieldsOf(fields.sticker).uri);
  const { link, share_text: about } = fieldsOf(fields.share);
  const address = wordOf(link);
  const sent = [...files, ...(sticker === undefined ? [] : [sticker])];
  // Behind the name of who sent it stands what the program says: "… sent an attachment", "… named the group …".
  const isTold = speaker !== undefined && text.startsWith(`${speaker} `);
  const isAbout = isTold && (sent.length > 0 || address !== undefined);
  const isNotice = /^(?:Subscribe|Unsubscribe|Call)$/.test(String(fields.type)) || fields.call_duration !== undefined;
  const words = text === '' || isAbout ? [] : [textPart(text)];
  const call =
    isNotice && fields.call_duration !== undefined && text === ''
      ? [textPart(`call, ${String(fields.call_duration)} s`)]
      : [];
  const parts = [
    ...words,
    ...call,
    ...(address === undefined || text.includes(address) ? [] : [textPart(address)]),
    ...quoted(mended(about) ?? ''),
    ...sent.map(attachment),
  ];
  const isSaid = parts.length > 0;
  const reacted = objectsOf(fields.reactions).map((one) => ({
    emoji: mended(one.reaction) ?? '',
    by: [mended(one.actor) ?? ''].filter((by) => by !== ''),
  }));
  const isOnlyTold = isTold && speaker.includes(' ') && /[.!]$/.test(text) && !isAbout;
  return { role: isNotice || isOnlyTold ? 'system' : 'user', parts: isSaid ? [...parts, ...reactions(reacted)] : [] };
}
