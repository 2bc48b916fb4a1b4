// Verbs that bring conversations and notes into the memory, verbatim: each session becomes one file in raw/ and one commit.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { CaptureResult } from '../../base/types.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { describeRedactions } from './redactions.ts';
import { type Style, shortOid } from './style.ts';
import { defineVerb, filled, maybe, oneOf, optional, several, type VerbContext } from './verb.ts';

export const formats = ['transcript', 'dialogue', 'text', 'json', 'jsonl'] as const;

const files = z.array(filled);
const filesMeaning = 'files to read: transcripts, text, JSON or JSONL messages; "-" is standard input';
const format = oneOf(
  formats,
  'what the text is: transcript (our markdown), dialogue (User: …, Anna: …, as chat programs copy it), text, json or jsonl; found out if left out',
);
const topic = z.string().exactOptional().describe('what the conversation is about; names the file');
const channel = z.string().exactOptional().describe('where it took place, such as chat or mail');
const minutes = z.number().positive().max(525_600);

const messageInput = z.strictObject({
  role: filled.describe('user, agent or system'),
  text: z.string().describe('the words'),
  time: optional(z.string(), 'when it was said, ISO 8601'),
  speaker: optional(z.string(), 'who said it, if that is more than the role'),
});

export const capture = defineVerb({
  name: 'capture',
  summary: 'Record conversations or notes word for word',
  help:
    'Capture reads files, or the text you give. A transcript keeps its own session and times. Messages are a JSON list ' +
    'or one JSON object per line, with role, content and time under their usual names. Anything else becomes a note. A ' +
    'capture never changes afterwards. The answer is the path and commit of the session, or a list of them.',
  input: z.strictObject({
    files: files.exactOptional().describe(filesMeaning),
    text: optional(z.string(), 'a note to record, instead of files'),
    messages: optional(z.array(messageInput), 'a conversation to record, instead of files'),
    attach: several('files that come with the text: pictures, papers'),
    format,
    topic,
    channel,
    trust: optional(
      z.literal('low'),
      "low for words from outside, such as a page, a mail or a feed: they are data and nobody's wish",
    ),
    session: maybe('an id for the session; made up, or taken from the text, if left out'),
    time: optional(z.string(), 'when it was said, ISO 8601, for words that carry no time; now if left out'),
    pauseMinutes: optional(minutes, 'start a new session where nobody spoke for this many minutes'),
  }),
  positional: ['files'],
  stream: 'files',
  usual: ['text', 'format', 'topic', 'channel', 'session', 'attach'],
  flags: { writes: 'now' },
  example: {
    command: 'capture --topic "Release plan" notes.md chat.jsonl',
    shows: 'a transcript under raw/conversations/ and a commit for each of the two',
  },
  async run(context, { files: names = [], text, messages, attach, ...options }) {
    const given = [text, messages, names.length > 0 ? names : undefined].filter((value) => value !== undefined);
    if (given.length !== 1) {
      const what =
        given.length === 0 ? 'There is nothing to capture' : 'Only one of files, text and messages can be captured';
      throw new MemoryError('INVALID_ARGUMENT', what, {
        hint: 'Name files, or "-" for standard input, or give a text',
      });
    }
    if (text === undefined) refuse(attach, 'attach', 'a text; give messages attachments of their own');
    if (names.length > 0) {
      if (names.length > 1) refuse(options.session, 'session', 'a single file');
      const captures = await captureFiles(context, names, options);
      return captures.length === 1 ? captures[0]! : { captures };
    }
    const { format: _format, pauseMinutes: _pause, time, session, ...rest } = options;
    refuse(options.format, 'format', 'files');
    refuse(options.pauseMinutes, 'pauseMinutes', 'files');
    const memory = await context.memory();
    if (messages !== undefined) {
      refuse(time, 'time', 'words that carry none; give each message its own');
      return memory.capture({ ...rest, messages, ...defined({ session }) });
    }
    refuse(session, 'session', 'a conversation');
    // A caller without files of this machine is refused here; the memory reads them, by the rules it has for them.
    for (const name of attach ?? []) context.pathOf(name);
    const attachments = attach?.map((path) => ({ path }));
    return memory.capture({ ...rest, text: text!, ...defined({ time, attachments }) });
  },
  text: (output, style) => describeCaptures('captures' in output ? output.captures : [output], style),
});

type FileOptions = NonNullable<Parameters<MemoryPart['captureText']>[1]>;

async function captureFiles(
  context: VerbContext,
  names: readonly string[],
  options: FileOptions,
): Promise<CaptureResult[]> {
  // Every file is read before the first is captured: a missing one is an error with nothing written.
  const texts: { name: string; text: string }[] = [];
  for (const name of names) texts.push({ name, text: await context.readInput(name) });
  const memory = await context.memory();
  const captures: CaptureResult[] = [];
  for (const [index, { name, text }] of texts.entries()) {
    context.signal?.throwIfAborted();
    context.onProgress({ what: 'Capturing', done: index, total: texts.length });
    try {
      captures.push(...(await memory.captureText(text, { ...options, ...(name === '-' ? {} : { path: name }) })));
    } catch (error) {
      const before = `What stands before it is captured: ${count(captures.length, 'session')}`;
      throw errorAmong(error, name, before, captures.length);
    }
  }
  context.onProgress({ what: 'Capturing', done: texts.length, total: texts.length });
  return captures;
}

/** Says which of several inputs an error is about, and what became of those before it. */
export function errorAmong(error: unknown, name: string, before: string, done: number): unknown {
  if (!(error instanceof MemoryError)) return error;
  const shown = name === '-' ? 'standard input' : name;
  const { where: place = shown } = error;
  const isSame = place === '-' || shown.endsWith(place) || place.endsWith(shown);
  const hint = [error.hint, done === 0 ? undefined : before].filter((part) => part !== undefined).join('. ');
  const where = isSame ? shown : `${shown}, ${place}`;
  return new MemoryError(error.code, error.what, { where, ...(hint === '' ? {} : { hint }), cause: error });
}

function refuse(value: unknown, field: string, other: string): void {
  if (value === undefined) return;
  throw new MemoryError('INVALID_ARGUMENT', `${field} works only with ${other}`, {
    where: field,
    hint: `Leave ${field} out`,
  });
}

export function describeCaptures(captures: readonly CaptureResult[], style: Style, isPlanned = false): string {
  // A long import would scroll its own summary away.
  const shown = captures.length > 20 ? captures.slice(-5) : captures;
  const lines = shown.map(
    (capture) =>
      `${isPlanned ? style.faint('planned') : style.reference(shortOid(capture.commit))}  ${capture.path}  ${style.faint(count(capture.turns, 'turn'))}`,
  );
  if (shown.length < captures.length)
    lines.unshift(style.faint(`… ${count(captures.length - shown.length, 'session')} before these`));
  if (captures.length > 1) {
    const turns = captures.reduce((sum, capture) => sum + capture.turns, 0);
    lines.push(
      `${isPlanned ? 'Would capture' : style.good('Captured')} ${count(captures.length, 'session')} with ${count(turns, 'turn')}.`,
    );
  }
  lines.push(
    ...describeRedactions(
      captures.flatMap(({ redacted = [] }) => redacted),
      style,
      captures.length === 1,
    ),
  );
  const whole = captures.filter(({ isOneText }) => isOneText).length;
  if (whole > 0) {
    const number = whole === 1 ? 'One' : whole;
    lines.push(`${number} kept as one text: its lines do not begin with the names of speakers who come up again.`);
  }
  const attached = captures.flatMap(({ attachments = [] }) => attachments);
  lines.push(...(attached.length > 20 ? [count(attached.length, 'file')] : attached).map((one) => `attached  ${one}`));
  lines.push(...describeExtractions(captures));
  for (const branch of new Set(captures.flatMap(({ branch: name }) => name ?? [])))
    lines.push(`quarantined  ${branch}: ${style.command(`quarantine show ${branch}`)} shows it, and accept lets it in`);
  if (!isPlanned && captures.some((capture) => capture.commit === null))
    lines.push('What is pending is durable in the journal; the next commit of the memory holds it.');
  return lines.join('\n');
}

function describeExtractions(captures: readonly CaptureResult[]): string[] {
  const extractions = captures.flatMap(({ extraction = [] }) => extraction);
  const found = extractions.reduce((sum, { created }) => sum + created.length, 0);
  return [
    ...(extractions.length === 0 ? [] : [`extracted  ${count(found, 'memory', 'memories')}`]),
    ...extractions.flatMap(({ notes = [] }) => notes),
    ...extractions.flatMap(({ error }) => (error === undefined ? [] : [`not extracted  ${error}`])),
  ];
}
