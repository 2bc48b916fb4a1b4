// Discord: channels as DiscordChatExporter writes them in JSON or CSV, and the data package of an account, which has what its owner wrote.
//
//   { guild: { name }, channel: { id, type, name }, messages: [ { id, type, timestamp, content, author, attachments, embeds, reference, … } ] }
//   Messages/c<channel id>/channel.json with messages.json [ { ID, Timestamp, Contents, Attachments } ], before 2024 messages.csv
//
// Source: Tyrrrz/DiscordChatExporter, Core/Exporting/JsonMessageWriter.cs.

import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { Earlier, mark, quoted, reactions, wordsOf } from './chat-message.ts';
import { csvRows } from './csv.ts';
import { type Fields, fieldsOf, listOf, objectsOf, timeOf, wordOf, wordsAmong } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { chatOpens, jsonBeside, jsonMembers, jsonMessages } from './json-files.ts';
import { attachment, textPart, textParts } from './parts.ts';

const ofPackage = /(?:^|\/)c?(\d+)\/(?:channel|messages)\.(?:json|csv)$/;

export const discord: Form = {
  isCutAtPauses: true,

  detect(path, head) {
    if (/\.csv$/i.test(path))
      return /^\ufeff?(?:ID,Timestamp,Contents|AuthorID,Author,Date,Content)\b/.test(head) ? 0.95 : 0;
    if (!/\.json$/i.test(path)) return 0;
    if (ofPackage.test(path) && /"(?:Contents|recipients|guild|type)"\s*:/.test(head)) return 0.9;
    if (/^\s*\[\s*\{[^{}]*"Contents"\s*:/.test(head)) return 0.9;
    if (/(?:^|\/)messages\/index\.json$/i.test(path) && /^\s*\{\s*"\d+"\s*:/.test(head)) return 0.9;
    const isExport = /^\s*\{\s*"(?:guild|channel)"\s*:/.test(head) && /"messages"\s*:/.test(head);
    return isExport && (/"author"\s*:/.test(head) || /"exportedAt"\s*:/.test(head)) ? 0.95 : 0;
  },

  *read(file, reading) {
    if (/(?:^|\/)(?:channel|index)\.json$/.test(file.path)) return;
    if (/\.csv$/i.test(file.path) || ofPackage.test(file.path) || /^\s*\[/.test(file.head(512).toString('utf8')))
      yield* rowsOf(file, reading);
    else yield* channelOf(file, reading);
  },
};

function* channelOf(file: SourceFile, reading: Reading): Generator<Entry> {
  const earlier = new Earlier();
  let guild: Fields = {};
  let channel: Fields = {};
  let isTold = false;
  for (const { path, value, why } of jsonMembers(file, chatOpens)) {
    if (path[0] === 'guild') guild = fieldsOf(value);
    if (path[0] === 'channel') channel = fieldsOf(value);
    if (path[0] !== 'messages' || path.length < 2) {
      if (value === undefined) reading.broken(why ?? 'is not valid JSON', path.join('.'));
      continue;
    }
    const place = `message ${Number(path[1]) + 1}`;
    const id = wordOf(channel.id);
    const session = id === undefined ? undefined : `discord-${id}`;
    if (!isTold) {
      const [around, within] = [wordOf(guild.name), wordOf(channel.name)];
      const isDirect = /^Direct/.test(String(channel.type));
      const title = isDirect || around === undefined ? within : `${around} #${within ?? ''}`;
      yield { kind: 'head', session, title };
      isTold = true;
    }
    const fields = fieldsOf(value);
    if (Object.keys(fields).length === 0) {
      reading.broken(why ?? 'is no message', place);
      continue;
    }
    const read = messageOf(fields, earlier);
    if (read === null) reading.leave('are empty', place);
    else yield { kind: 'message', session, line: place, ...read };
  }
}

/** Kinds of messages in which somebody says something; the others are notices. */
const spoken = new Set([
  ...[undefined, 'Default', 'Reply', 'ChatInputCommand', 'ContextMenuCommand', 'ApplicationCommand'],
  ...['ThreadStarterMessage', '0', '19', '20', '21', '23'],
]);

type Read = Omit<Extract<Entry, { kind: 'message' }>, 'kind' | 'session' | 'line'>;

function messageOf(message: Fields, earlier: Earlier): Read | null {
  const author = fieldsOf(message.author);
  const speaker = wordOf(author.nickname) ?? wordOf(author.name);
  const time = timeOf(message.timestamp);
  const text = wordOf(message.content) ?? '';
  const id = wordOf(message.id);
  const when = { time, id };
  if (!spoken.has(message.type === undefined ? undefined : String(message.type))) {
    const said = text === '' ? String(message.type) : text;
    return { role: 'system', parts: [textPart(speaker === undefined ? said : `${speaker}: ${said}`)], ...when };
  }
  const passed = fieldsOf(message.forwardedMessage);
  const named = (list: unknown, ...names: string[]): MessagePart[] =>
    objectsOf(list).flatMap((one) =>
      wordsAmong(names.map((key) => one[key]))
        .slice(0, 1)
        .map(attachment),
    );
  const parts = [
    ...textParts(text),
    ...(Object.keys(passed).length === 0
      ? []
      : [
          mark('forwarded from', wordOf(fieldsOf(passed.author).name) ?? 'elsewhere'),
          ...quoted(wordOf(passed.content) ?? ''),
          ...named(passed.attachments, 'fileName'),
        ]),
    ...objectsOf(message.embeds).flatMap((embed) => embedOf(embed, text)),
    ...named(message.attachments, 'fileName', 'url'),
    ...named(message.stickers, 'name'),
  ];
  const isReply = message.type === 'Reply' || message.type === '19' || message.type === undefined;
  const reply = isReply ? earlier.replyTo(fieldsOf(message.reference).messageId) : [];
  earlier.note(id, speaker, wordsOf(parts));
  if (parts.length === 0) return null;
  return {
    role: author.isBot === true ? 'agent' : 'user',
    speaker,
    ...when,
    parts: [
      ...reply,
      ...parts,
      ...(wordOf(message.timestampEdited) === undefined ? [] : [mark('edited')]),
      ...reactions(
        objectsOf(message.reactions).map((one) => ({
          emoji: wordOf(fieldsOf(one.emoji).name) ?? '',
          by: listOf(one.users).flatMap((by) => wordOf(fieldsOf(by).nickname) ?? wordOf(fieldsOf(by).name) ?? []),
          count: Number(one.count ?? 1),
        })),
      ),
    ],
  };
}

/** What a link leads to, or what a program says in a frame: quoted, unless the message says it already. */
function embedOf(embed: Fields, text: string): MessagePart[] {
  const fields = objectsOf(embed.fields).map(({ name, value }) => wordsAmong([name, value]).join(': '));
  const lines = wordsAmong([embed.title, embed.description, ...fields]);
  return quoted(lines.filter((line) => !text.includes(line)).join('\n'));
}

/** Rows of the data package, the newest first; or of an exporter, in order. */
function* rowsOf(file: SourceFile, reading: Reading): Generator<Entry> {
  const channel = fieldsOf(jsonBeside('channel.json', reading));
  const id = wordOf(channel.id) ?? ofPackage.exec(file.path)?.[1];
  const session = id === undefined ? undefined : `discord-${id}`;
  const index = fieldsOf(jsonBeside('../index.json', reading));
  const [around, within] = [wordOf(fieldsOf(channel.guild).name), wordOf(channel.name)];
  const title =
    (around === undefined ? within : `${around} #${within ?? ''}`) ??
    (id === undefined ? undefined : wordOf(index[id]));
  yield { kind: 'head', session, title };
  const found: Extract<Entry, { kind: 'message' }>[] = [];
  const rows = /\.csv$/i.test(file.path) ? csvRows(file, reading) : jsonMessages(file, reading);
  for (const { line, value } of rows) {
    const time = timeOf(value.Timestamp ?? value.Date);
    const text = wordOf(value.Contents ?? value.Content);
    const files = String(value.Attachments ?? '')
      .split(/[\s,]+/)
      .filter((one) => one !== '');
    const speaker = wordOf(value.Author);
    const parts = [...textParts(text), ...files.map((one) => attachment(one.replace(/^.*\/|\?.*$/g, '')))];
    if (time === undefined) reading.broken('is no message with a time', line);
    else if (parts.length === 0) reading.leave('are empty', line);
    else found.push({ kind: 'message', session, time, role: 'user', speaker, parts, line });
  }
  yield* found.reverse().sort((one, other) => one.time! - other.time!);
  if (ofPackage.test(file.path))
    reading.note('has only what the owner of the account wrote, as data packages of Discord do');
}
