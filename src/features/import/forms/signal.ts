// Signal, in the four forms in which people have it.
//
//   main.jsonl        the program's own export: { recipient }, { chat }, { chatItem: { chatId, authorId, dateSent, standardMessage } }
//   data.json         signal-export, a folder for each chat: { date, sender, body, quote, sticker, reactions, attachments } a line
//   *.jsonl           what signal-cli and its services print: { envelope: { sourceName, timestamp, dataMessage | syncMessage } }
//   *.json            rows of the database of the desktop: { messages: [ { conversationId, sent_at, type, body } ] }
//
// Sources: carderne/signal-export, sigexport/models.py; AsamK/signal-cli, man/signal-cli-jsonrpc.5.

import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { mark, reactions } from './chat-message.ts';
import { fieldsOf, listOf, objectsOf, timeOf, wordOf, wordsAmong } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { firstLines, jsonLines, jsonMessages } from './json-files.ts';
import { attachment, textParts } from './parts.ts';
import { exportedChat } from './whatsapp.ts';

const readers = { export: dataOf, cli: envelopesOf, own: backupOf, rows: rowsOf, talk: talkOf };

function kindOf(path: string, head: string): keyof typeof readers | undefined {
  if (/(?:^|\/)chat\.md$/.test(path)) return /^\ufeff?\[\d{4}-\d\d-\d\d,? \d\d:\d\d/.test(head) ? 'talk' : undefined;
  if (!/\.(?:jsonl?|ndjson|log|txt)$/i.test(path)) return undefined;
  const lines = firstLines(head);
  const first = lines[0] ?? {};
  if ('sender' in first && 'body' in first && 'date' in first && 'attachments' in first) return 'export';
  if (
    lines.some(
      (line) =>
        'chatItem' in line || ('recipient' in line && 'id' in fieldsOf(line.recipient)) || 'mediaRootBackupKey' in line,
    )
  )
    return 'own';
  if (/^\s*\[?\s*\{[^{}]*(?:\{[^{}]*)?"envelope"\s*:\s*\{/.test(head)) return 'cli';
  return /"conversationId"\s*:/.test(head) && /"sent_at"\s*:/.test(head) && /\.json$/i.test(path) ? 'rows' : undefined;
}

export const signal: Form = {
  isCutAtPauses: true,

  detect(path, head) {
    const kind = kindOf(path, head);
    return kind === undefined ? 0 : kind === 'talk' ? 0.85 : 0.95;
  },

  *read(file, reading) {
    const kind = kindOf(
      file.path,
      file
        .head(64 << 10)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
    if (kind !== undefined) yield* readers[kind](file, reading);
  },
};

const words = (text: unknown): MessagePart[] => textParts(typeof text === 'string' ? text.trimEnd() : text);
const replyTo = (...told: unknown[]): MessagePart => mark('reply to', wordsAmong(told).join(': '));
const named = (speaker: string | undefined) => (speaker === undefined || speaker === 'Me' ? {} : { speaker });

/** The words of a chat beside its data are the same once more. */
function* talkOf(file: SourceFile, reading: Reading): Generator<Entry> {
  if (reading.beside('data.json') === undefined)
    yield* exportedChat(file, reading, file.path.split('/').at(-2) ?? file.folder);
}

function* dataOf(file: SourceFile, reading: Reading): Generator<Entry> {
  const chat = file.path.split('/').at(-2) ?? file.folder;
  if (chat !== undefined && chat !== '') yield { kind: 'head', title: chat };
  for (const { line, value } of jsonLines(file, reading)) {
    const date = wordOf(value.date);
    if (!('sender' in value) || date === undefined) {
      reading.broken('is no message', line);
      continue;
    }
    const parts = [
      ...words(value.body),
      ...(value.sticker === null || value.sticker === '' || value.sticker === undefined
        ? []
        : [attachment(`sticker ${wordOf(fieldsOf(value.sticker).emoji) ?? wordOf(value.sticker) ?? ''}`.trim())]),
      ...objectsOf(value.attachments).map((one) => attachment(wordOf(one.name) ?? wordOf(one.path) ?? 'file')),
    ];
    const quote = wordOf(value.quote)?.replace(/^>\s?/gm, '').trim();
    if (value.deleted === true || parts.length === 0) {
      reading.leave(value.deleted === true ? 'were deleted' : 'are empty', line);
      continue;
    }
    const reacted = listOf(value.reactions).map((one) =>
      Array.isArray(one) ? { name: one[0], emoji: one[1] } : fieldsOf(one),
    );
    yield {
      kind: 'message',
      ...(/(?:Z|[+-]\d\d:\d\d)$/.test(date) ? { time: timeOf(date)! } : { clock: date.slice(0, 19) }),
      role: value.call === true ? 'system' : 'user',
      ...named(wordOf(value.sender)),
      parts: [
        ...(quote === undefined || quote === '' ? [] : [mark('reply to', quote)]),
        ...parts,
        ...reactions(
          reacted.map(({ name, emoji }) => ({
            emoji: wordOf(emoji) ?? '',
            by: [wordOf(name) ?? ''].filter((by) => by !== ''),
          })),
        ),
      ],
      line,
    };
  }
}

function* envelopesOf(file: SourceFile, reading: Reading): Generator<Entry> {
  const isList = /^\s*\[/.test(file.head(64).toString('utf8'));
  for (const { line, value } of isList ? jsonMessages(file, reading) : jsonLines(file, reading)) {
    const envelope = fieldsOf(
      value.envelope ?? fieldsOf(value.params).envelope ?? fieldsOf(fieldsOf(value.params).result).envelope,
    );
    const sent = fieldsOf(fieldsOf(envelope.syncMessage).sentMessage);
    const isOwn = Object.keys(sent).length > 0;
    const edit = fieldsOf(fieldsOf(isOwn ? sent.editMessage : envelope.editMessage).dataMessage);
    const isEdit = Object.keys(edit).length > 0;
    const message = isEdit ? edit : isOwn ? sent : fieldsOf(envelope.dataMessage);
    const group = fieldsOf(message.groupInfo ?? message.groupV2);
    const peer = isOwn
      ? (sent.destination ?? sent.destinationNumber ?? sent.destinationUuid)
      : (envelope.sourceNumber ?? envelope.source ?? envelope.sourceUuid);
    const chat = wordOf(group.groupId) ?? wordOf(group.id) ?? wordOf(peer);
    const speaker = wordOf(envelope.sourceName) ?? wordOf(envelope.sourceNumber) ?? wordOf(envelope.source);
    const parts = [
      ...words(message.message),
      ...(message.sticker === undefined ? [] : [attachment('sticker')]),
      ...objectsOf(message.attachments).map((one) =>
        attachment(wordOf(one.filename) ?? wordOf(one.id) ?? wordOf(one.contentType) ?? 'file'),
      ),
    ];
    const time = timeOf(message.timestamp ?? envelope.timestamp);
    if (parts.length === 0 || chat === undefined || time === undefined) {
      reading.leave('are receipts, signs of typing and the like', line);
      continue;
    }
    const quote = fieldsOf(message.quote);
    const session = `signal-${chat.replace(/^\+/, '')}`;
    const title = wordOf(group.groupName) ?? (isOwn ? undefined : speaker);
    if (title !== undefined) yield { kind: 'head', session, title };
    yield {
      kind: 'message',
      session,
      time,
      role: 'user',
      ...(isOwn ? {} : named(speaker)),
      parts: [
        ...(wordOf(quote.text) === undefined ? [] : [replyTo(quote.authorName, quote.text)]),
        ...parts,
        ...(isEdit ? [mark('edited')] : []),
      ],
      line,
    };
  }
}

function* rowsOf(file: SourceFile, reading: Reading): Generator<Entry> {
  for (const { line, value } of jsonMessages(file, reading)) {
    const chat = wordOf(value.conversationId);
    const time = timeOf(value.sent_at ?? value.timestamp);
    const parts = [
      ...words(value.body),
      ...objectsOf(value.attachments).map((one) =>
        attachment(wordOf(one.fileName) ?? wordOf(one.contentType) ?? 'file'),
      ),
    ];
    const isSaid = value.type === 'incoming' || value.type === 'outgoing';
    const speaker =
      wordOf(value.sourceName) ?? wordOf(value.source) ?? wordOf(value.sourceUuid) ?? wordOf(value.sourceServiceId);
    if (!isSaid || parts.length === 0) reading.leave(isSaid ? 'are empty' : 'are notices of the program', line);
    else if (chat === undefined || time === undefined) reading.broken('is no message with a time', line);
    else
      yield {
        kind: 'message',
        session: `signal-${chat}`,
        time,
        role: 'user',
        ...(value.type === 'outgoing' ? {} : named(speaker)),
        parts,
        line,
      };
  }
}

/** What the program exports itself: who there is, which chats, and then what was said in them. */
function* backupOf(file: SourceFile, reading: Reading): Generator<Entry> {
  const names = new Map<string, string>();
  const chats = new Map<string, string>();
  const own = new Set<string>();
  /** What stays of a recipient from one export to the next: its numbers only count. */
  const lasting = new Map<string, string>();
  for (const { line, value } of jsonLines(file, reading)) {
    const { id: recipient, self, contact, group } = fieldsOf(value.recipient);
    if (recipient !== undefined) {
      const id = String(recipient);
      if (self !== undefined) own.add(id);
      const { nickname, profileGivenName, profileFamilyName, systemGivenName, systemFamilyName, e164, username } =
        fieldsOf(contact);
      const full = (...parts: unknown[]) => wordOf(parts.flatMap((one) => wordOf(one) ?? []).join(' '));
      const { title } = fieldsOf(fieldsOf(fieldsOf(group).snapshot).title);
      const name =
        wordOf(title) ??
        full(fieldsOf(nickname).given, fieldsOf(nickname).family) ??
        full(systemGivenName, systemFamilyName) ??
        full(profileGivenName, profileFamilyName) ??
        wordOf(username) ??
        wordOf(e164 === undefined ? '' : `+${String(e164).replace(/^\+/, '')}`);
      if (name !== undefined) names.set(id, name);
      const key =
        wordOf(fieldsOf(contact).aci) ??
        wordOf(fieldsOf(group).masterKey) ??
        wordOf(e164) ??
        (own.has(id) ? 'self' : undefined);
      if (key !== undefined) lasting.set(id, key);
      continue;
    }
    const chat = fieldsOf(value.chat);
    if (chat.id !== undefined) {
      const recipientId = String(chat.recipientId);
      const session = `signal-${lasting.get(recipientId) ?? `recipient-${recipientId}`}`;
      chats.set(String(chat.id), session);
      const title = names.get(recipientId) ?? (own.has(recipientId) ? 'Note to Self' : undefined);
      if (title !== undefined) yield { kind: 'head', session, title };
      continue;
    }
    const item = fieldsOf(value.chatItem);
    if (item.chatId === undefined) continue;
    const time = timeOf(item.dateSent);
    const author = String(item.authorId);
    const standard = fieldsOf(item.standardMessage);
    const text = wordOf(fieldsOf(standard.text).body);
    const sticker = fieldsOf(fieldsOf(item.stickerMessage).sticker);
    const parts = [
      ...words(text),
      ...('stickerMessage' in item ? [attachment(`sticker ${wordOf(sticker.emoji) ?? ''}`.trim())] : []),
      ...listOf(standard.attachments)
        .map((one) => fieldsOf(fieldsOf(one).pointer))
        .map((one) => attachment(wordOf(one.fileName) ?? wordOf(one.contentType) ?? 'file')),
    ];
    const quote = fieldsOf(standard.quote);
    const speaker = own.has(author) ? undefined : names.get(author);
    const quoted = wordOf(fieldsOf(quote.text).body);
    const whose = own.has(String(quote.authorId)) ? undefined : names.get(String(quote.authorId));
    const isReply = quote.targetSentTimestamp !== undefined || quoted !== undefined;
    if (time === undefined || parts.length === 0) {
      reading.leave('are notices of the program', line);
      continue;
    }
    const reacted = objectsOf(standard.reactions).map((one) => ({
      emoji: wordOf(one.emoji) ?? '',
      by: [names.get(String(one.authorId)) ?? ''].filter((by) => by !== ''),
    }));
    yield {
      kind: 'message',
      session: chats.get(String(item.chatId)) ?? `signal-chat-${String(item.chatId)}`,
      time,
      role: 'user',
      ...named(speaker),
      parts: [
        ...(isReply ? [replyTo(whose, quoted)] : []),
        ...parts,
        ...(listOf(item.revisions).length > 0 ? [mark('edited')] : []),
        ...reactions(reacted),
      ],
      line,
    };
  }
}
