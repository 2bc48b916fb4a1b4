// Exports of WhatsApp: `_chat.txt` of an iPhone, `WhatsApp Chat with Anna.txt` of Android, in every language of the phone.
//
//   13/02/2026, 10:02 - Anna: We meet at noon.          [13.02.26, 10:02:33] Anna: We meet at noon.
//   At the harbour.                                     ‎[13.02.26, 10:03:00] Ben: ‎<attached: 0007-PHOTO.jpg>
//   13/02/2026, 10:03 - Anna added you                  [13.02.26, 10:04:10] Trip: ‎Anna added you
//
// A line without a beginning goes on with the message before. The program's own words have no name before them. On an iPhone they
// stand behind a mark of direction (U+200E), under the name of the group, which says nothing else.

import { type ChatHeading, chatHeading, DateOrder, directionMarks } from '../../../core/capture/chat-clock.ts';
import type { MessagePart } from '../../../core/capture/messages.ts';
import { type SourceFile, textLines } from '../source.ts';
import { mark } from './chat-message.ts';
import { stemOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { attachment, textPart } from './parts.ts';

const own = '\u200e';
/** Programs log in the same forms. */
const level = /^(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)$/i;
const named = /(?:^|\/)(?:_chat|[^/]*whatsapp[^/]*)\.txt$/i;

export const whatsapp: Form = {
  detect(path, head) {
    if (!/\.txt$/i.test(path)) return 0;
    const found = head.slice(0, 20_000).split('\n', 200).map(chatHeading);
    const opening = found[head.split('\n', 200).findIndex((line) => line.trim() !== '')];
    if (opening === null || opening === undefined) return 0;
    const names = found.flatMap((heading) => heading?.name ?? []);
    if (names.some((name) => level.test(name))) return 0;
    if (named.test(path)) return 0.95;
    // Logs have seconds behind a day with its year first, and no comma between.
    const { style, between, clock, day } = opening;
    const isOurs = style === 'dash' ? !clock.hasSeconds : between.includes(',') || day.parts[0].length < 3;
    return isOurs && names.length > 1 ? 0.8 : 0;
  },

  *read(file, reading) {
    yield* exportedChat(file, reading, titleOf(file));
  },
};

function titleOf({ path, folder = '' }: SourceFile): string | undefined {
  const name = stemOf(path);
  if (!/^_?chat$/i.test(name)) return name;
  const around = path.split('/').at(-2) ?? folder;
  return /whatsapp/i.test(around) ? around : undefined;
}

interface Seen {
  readonly order: DateOrder;
  readonly style: ChatHeading['style'] | undefined;
  readonly speakers: ReadonlySet<string>;
  /** The name of the group, under which the program speaks. */
  readonly group: string | undefined;
}

/** Reads a chat twice: to see in which order days stand and who is a person, and to give it, message by message. */
export function* exportedChat(file: SourceFile, reading: Reading, title?: string): Generator<Entry> {
  const seen = lookAt(file);
  const said = seen.order.said(reading.now);
  if (said !== undefined) reading.note(said);
  const isOrderShown = seen.order.isUnusual(reading.now);
  yield { kind: 'head', title: title ?? seen.group ?? [...seen.speakers].slice(0, 3).join(', '), isOrderShown };
  let open: { heading: ChatHeading; lines: string[]; line: number } | undefined;
  let edited = 0;
  const closed = function* (): Generator<Entry> {
    if (open === undefined) return;
    const { heading, lines, line } = open;
    const { role, parts, isEdited } = messageOf(heading, lines.join('\n'), seen);
    if (isEdited) edited += 1;
    if (parts.length === 0) return reading.leave('are empty', line);
    const day = seen.order.dayOf(heading.day, reading.now);
    if (day === undefined)
      return reading.broken(`has a day that no calendar has, ${heading.day.parts.join('/')}`, line);
    const clock = `${day}T${new Date(heading.clock.ms).toISOString().slice(11, 19)}`;
    const isPerson = role !== 'system' && heading.name !== undefined;
    yield { kind: 'message', clock, role, ...(isPerson ? { speaker: heading.name! } : {}), parts, line };
  };
  for (const { line, text } of textLines(file, reading.broken)) {
    const heading = chatHeading(text);
    if (heading !== null && heading.style === seen.style) {
      yield* closed();
      open = { heading, lines: [heading.rest], line };
    } else if (open !== undefined) open.lines.push(text);
    else if (text.trim() !== '') reading.leave('stand before the first message', line);
  }
  yield* closed();
  if (edited > 0) reading.note(`has ${edited} ${edited === 1 ? 'message that was' : 'messages that were'} edited`);
}

function lookAt(file: SourceFile): Seen {
  const order = new DateOrder();
  const speakers = new Set<string>();
  let group: string | undefined;
  let style: ChatHeading['style'] | undefined;
  for (const { text } of file.lines()) {
    const heading = text === null ? null : chatHeading(text);
    if (heading === null) continue;
    style ??= heading.style;
    if (heading.style !== style) continue;
    order.note(heading.day, heading.clock.half);
    if (heading.name !== undefined && !heading.rest.startsWith(own)) speakers.add(heading.name);
    group ??= heading.name;
  }
  return { order, style, speakers, group: group !== undefined && speakers.has(group) ? undefined : group };
}

/** `<attached: 0007-PHOTO.jpg>`, with what the file is called before it, or words. */
const attached = /\u200e?<[^<>:\n]{2,40}:\s*([^<>\n]+\.\w{1,5})>/u;
/** `‎IMG-20260213-WA0001.jpg (file attached)`; the words of a caption stand below. */
const attachedBehind = /^(\u200e?)(\S[^\n()]*\.\w{1,5}) \(([^()\n]+)\)(?:\n|$)/u;
/** `<Media omitted>` */
const omitted = /^<(?=[^<>]*[^!-~])[^<>:=/\n]+>$/u;
/** `<This message was edited>` behind words; where no mark of the program stands before it, it has to read like a sentence. */
const editedMark = /\s*(?:\u200e<[^<>:\n]+>|\s<\p{L}+(?: \p{L}+){2,}\.?>)\s*$/u;

function messageOf(
  { name }: ChatHeading,
  written: string,
  { speakers }: Seen,
): { role: 'user' | 'system'; parts: MessagePart[]; isEdited: boolean } {
  const tail = written.slice(-160);
  const isEdited = name !== undefined && !attached.test(tail) && editedMark.test(tail);
  const text = isEdited ? `${written.slice(0, -tail.length)}${tail.replace(editedMark, '')}` : written;
  const plain = (words: string) => words.replace(directionMarks, '').trim();
  const words = (rest: string): MessagePart[] => (plain(rest) === '' ? [] : [textPart(plain(rest))]);
  if (name === undefined) return { role: 'system', parts: words(text), isEdited };
  const file = attached.exec(text);
  if (file !== null)
    return { role: 'user', parts: [...words(text.replace(file[0], '')), attachment(plain(file[1]!))], isEdited };
  const [whole, marked, behind, told] = attachedBehind.exec(text) ?? [];
  if (whole !== undefined && behind !== undefined) {
    const isSure = marked === own || /^[A-Z]{3}-\d{8}-WA\d/.test(behind);
    const parts = [attachment(isSure ? behind : `${behind} (${told})`), ...words(text.slice(whole.length))];
    return { role: 'user', parts, isEdited };
  }
  const [only] = omitted.exec(plain(text)) ?? [];
  if (only !== undefined) return { role: 'user', parts: [attachment(only.slice(1, -1))], isEdited };
  if (text.startsWith(own)) {
    // A sentence, or what somebody did, is a notice; a word or two say what was sent and left out.
    const isNotice = !speakers.has(name) || plain(text).startsWith(`${name} `) || /[.!?。।]$/u.test(plain(text));
    return { role: isNotice ? 'system' : 'user', parts: isNotice ? words(text) : [attachment(plain(text))], isEdited };
  }
  return { role: 'user', parts: [...words(text), ...(isEdited ? [mark('edited')] : [])], isEdited };
}
