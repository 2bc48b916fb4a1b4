// Transcripts of meetings as texts. Each thing that is said stands below, or behind, who said it, and when, counted from the beginning:
//
//   Ines Prado     0:03                 Teams (out of Word), Otter
//   [00:12] Ines: The crane is back.    tl;dv and others
//   00:58:04 ⇥ Ada: ⇥ Good evening      the chat of a recording of Zoom
//   20:15:33 From Ada to Everyone: …    the chat that Zoom saves; this is a clock
//
// And markdown with the day, and mostly the speakers, in its front matter, and `Ada: …` below.

import { orElse } from '../../../base/errors.ts';
import { dayOf } from '../../../base/time.ts';
import { isDialogue, linesAbove, messagesOfDialogue } from '../../../core/capture/dialogue.ts';
import { cutFrontMatter, splitFrontMatter } from '../../../store/records/front-matter.ts';
import { type SourceFile, textOf } from '../source.ts';
import { type Fields, fieldsOf, stemOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { after, type Began, dayIn, dayInName, offsetOf } from './meeting-day.ts';
import { textPart } from './parts.ts';

const stamp = String.raw`((?:\d{1,2}:)?\d{1,2}:\d\d)`;
const name = String.raw`[*_#\s]*([\p{L}\p{N}][^:\t]{0,59}?)[*_]*`;
const forms = [
  new RegExp(String.raw`^(?:${name}(?:\s{2,}|\t)${stamp}|${name}\s+[([]${stamp}[)\]]):?\s*$`, 'u'),
  new RegExp(String.raw`^\[${stamp}\]\s*${name}:\s*(.*)$`, 'u'),
  new RegExp(String.raw`^${stamp}\t\s*([^\t:]{1,60}):?\t(.*)$`, 'u'),
  /^(\d\d:\d\d:\d\d)\s+From\s+(.{1,60}?)\s+to\s+(?:.{1,60}?):\s*(.*)$/iu,
];
const zoomChat = forms.length - 1;

interface Heading {
  readonly form: number;
  readonly speaker: string;
  readonly offset: number;
  readonly rest: string;
}

function headingOf(line: string): Heading | null {
  for (const [form, pattern] of forms.entries()) {
    const found = pattern.exec(line);
    if (found === null) continue;
    const [, one, two, three, four] = found;
    const [speaker, at, rest] = form === 0 ? [one ?? three, two ?? four, ''] : [two, one, three];
    return { form, speaker: speaker!.trim(), offset: offsetOf(at!), rest: (rest ?? '').trim() };
  }
  return null;
}

/** A meeting begins at its beginning; what begins later in the day are clocks. */
const latestBeginning = 2 * 60_000;

/** The headings of a text that keeps to one of the forms: two at least, whose times go on. */
function isTimed(lines: readonly string[]): boolean {
  const found = lines.flatMap((line) => headingOf(line) ?? []);
  const [first, second] = found;
  if (first === undefined || second === undefined) return false;
  if (found.some(({ form }) => form !== first.form)) return false;
  const isRising = found.every(({ offset }, at) => at === 0 || offset >= found[at - 1]!.offset);
  return isRising && (first.form === zoomChat || first.offset <= latestBeginning);
}

export const talks: Form = {
  channel: 'meeting',

  detect(path, head) {
    if (!/\.(?:txt|md|markdown)$/i.test(path)) return 0;
    const cut = cutFrontMatter(head);
    if (cut !== undefined && /^session_id:/m.test(cut.block)) return 0;
    const body = cut?.body ?? head;
    if (isTimed(body.split(/\r?\n/, 400))) return 0.8;
    const front = frontOf(head, path);
    if (front === undefined) return dayInName({ path }) !== undefined && isDialogue(body) ? 0.6 : 0;
    return isDialogue(front.body, namesOf(front)) ? 0.75 : 0;
  },

  *read(file, reading) {
    const text = textOf(file.read());
    if (text === null) return reading.broken('is not UTF-8 text');
    const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
    const front = frontOf(plain, file.path);
    const body = front?.body ?? cutFrontMatter(plain)?.body ?? plain;
    const lines = body.split('\n');
    const offset = plain.slice(0, plain.length - body.length).split('\n').length;
    const first = lines.findIndex((line) => headingOf(line) !== null);
    const isHeaded = isTimed(lines.slice(0, 2000));
    const above = isHeaded ? lines.slice(0, Math.min(first, 20)) : [];
    const began = beganIn(file, front, above, reading);
    yield {
      kind: 'head',
      title: front?.title ?? stemOf(file.path),
      ...(front === undefined ? {} : { tags: front.tags }),
    };
    if (isHeaded) return yield* timedTalk(lines, { file, began, offset, reading });
    const names = namesOf(front);
    const unsaid = linesAbove(body, names);
    for (const [at, line] of lines.slice(0, unsaid).entries())
      if (line.trim() !== '') reading.leave('stand before the first words', at + offset);
    for (const { role, speaker, parts } of messagesOfDialogue(lines.slice(unsaid).join('\n'), names))
      yield { kind: 'message', role, speaker, parts, ...after(began, 0) };
  },
};

interface Front {
  readonly body: string;
  readonly title: string | undefined;
  readonly day: string | undefined;
  readonly names: readonly string[];
  readonly tags: readonly string[];
}

/** Keys under which front matter has the day, and who takes part. */
const days = ['date', 'datetime', 'start', 'started', 'start_time', 'time', 'recorded', 'created', 'created_at'];
const people = [
  'speakers',
  'participants',
  'attendees',
  'people',
  'members',
  'guests',
  'host',
  'hosts',
  'guest',
  'interviewer',
  'with',
];

/** Lines such as `Date: …` above the words, where there is no front matter: as it would have them. */
function linesAsFront(text: string): { data: Fields; body: string } {
  const lines = text.split(/\r?\n/);
  const data: Record<string, string> = {};
  for (const [at, line] of lines.slice(0, 12).entries()) {
    const [, key, value] = /^[*_#\s]*(\p{L}[\p{L} ]{1,20}?)[*_]*:[*_]*\s+(\S.*)$/u.exec(line) ?? [];
    const known = key?.toLowerCase().replaceAll(' ', '_');
    if (known !== undefined && (days.includes(known) || people.includes(known))) data[known] = value!;
    else if (Object.keys(data).length > 0 && line.trim() !== '') return { data, body: lines.slice(at).join('\n') };
    else if (/^#\s/.test(line)) data.title ??= line.replace(/^#\s+/, '');
    else if (line.trim() !== '') break;
  }
  return { data: {}, body: text };
}

const namesOf = (front: Front | undefined) =>
  front === undefined || front.names.length === 0 ? undefined : front.names;

/** Reads the front matter of a talk; undefined where there is none that says a day or who takes part. */
function frontOf(text: string, path: string): Front | undefined {
  const split = orElse(() => splitFrontMatter(text, path), undefined);
  const { data, body }: { data: Fields; body: string } = split?.hasFrontMatter === true ? split : linesAsFront(text);
  const day = days.map((key) => wordOf(data[key])).find((found) => found !== undefined);
  const names = people.flatMap((key) => namesIn(data[key]));
  if (day === undefined && names.length === 0) return undefined;
  const tags = (Array.isArray(data.tags) ? data.tags : []).flatMap((tag: unknown) => wordOf(tag) ?? []);
  return { body, title: wordOf(data.title) ?? wordOf(data.topic), day, names, tags };
}

/** Names in a list, of texts or of `{ name }`, or in one text with commas; links of wikis lose their brackets. */
function namesIn(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,;]/) : [];
  return list.flatMap((one) => {
    const given = wordOf(one) ?? wordOf(fieldsOf(one).name);
    const plain = given
      ?.replace(/^\[\[(?:[^\]|]*\|)?|\]\]$|^@/g, '')
      .replace(/\s*[<(].*$/, '')
      .trim();
    return plain === undefined || plain === '' ? [] : [plain];
  });
}

function beganIn(
  file: SourceFile,
  front: Front | undefined,
  above: readonly string[],
  reading: Reading,
): Began | undefined {
  const said = [front?.day, ...above].flatMap((line) =>
    line === undefined ? [] : (dayIn(line.replace(/^[*_#\s]*\p{L}+\s*:\s*/u, ''), reading.now) ?? []),
  );
  if (said[0] !== undefined) return said[0];
  const byName = dayInName(file);
  if (byName !== undefined) reading.note('takes its day from its name');
  return byName;
}

function* timedTalk(
  lines: readonly string[],
  { file, began, offset, reading }: { file: SourceFile; began: Began | undefined; offset: number; reading: Reading },
): Generator<Entry> {
  let open: { heading: Heading; words: string[]; line: number } | undefined;
  let form: number | undefined;
  const closed = function* (): Generator<Entry> {
    if (open === undefined) return;
    const { heading, words, line } = open;
    const text = words.join('\n').trim();
    const when =
      heading.form === zoomChat ? clockAfter(began, heading.offset, file, reading) : after(began, heading.offset);
    if (text === '') reading.leave('are empty', line);
    else yield { kind: 'message', role: 'user', speaker: heading.speaker, parts: [textPart(text)], line, ...when };
  };
  for (const [at, line] of lines.entries()) {
    const heading = headingOf(line);
    if (heading !== null && heading.form === (form ?? heading.form)) {
      form = heading.form;
      yield* closed();
      open = { heading, words: [heading.rest], line: at + offset };
    } else if (/^Transcribed by https?:\/\/\S+$/.test(line.trim())) reading.leave('are about the program', at + offset);
    else if (open !== undefined) open.words.push(line);
    else if (line.trim() !== '') reading.leave('stand before the first words', at + offset);
  }
  yield* closed();
}

/** A clock without a day is of the day of the meeting, or of its file. */
function clockAfter(began: Began | undefined, ms: number, file: SourceFile, { now, zone }: Reading): { clock: string } {
  const day =
    began !== undefined && 'clock' in began
      ? began.clock.slice(0, 10)
      : dayOf(began?.time ?? file.modified ?? now, zone);
  return { clock: `${day}T${new Date(ms).toISOString().slice(11, 19)}` };
}
