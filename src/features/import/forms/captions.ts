// Captions of a meeting or a film: WebVTT and SRT, with the speakers of Teams (`<v Ines>`), Zoom (`Ines: …`) and others.
//
//   WEBVTT
//
//   6f1b/12-0                         Teams: the number of what is said, and of its piece
//   00:12:31.200 --> 00:12:34.040
//   <v Ines Prado>The crane is back at noon.</v>
//
// Source: W3C, WebVTT: The Web Video Text Tracks Format.

import type { SourceFile } from '../source.ts';
import { stemOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { after, type Began, dayInName, offsetOf } from './meeting-day.ts';
import { textPart } from './parts.ts';

const stamp = String.raw`((?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{1,3})`;
/** YouTube writes a comma for the arrow, in files that end in `.sbv`. */
const timing = new RegExp(String.raw`^\s*${stamp}(?:\s*-->\s*|,)${stamp}`);
/** Ada: … >> Ada: … [Ada]: … */
const label = /^(?:>>\s*|[-–]\s*)?\[?(\p{L}[^\]:<>]{0,59}?)\]?:\s+(?=\S)/u;
/** What ends a sentence: captions are cut where the line is full. */
const sentenceEnd = /[.!?…。！？]["'”’)\]]*$/u;

export const captions: Form = {
  channel: 'meeting',

  detect(path, head) {
    if (/\.vtt$/i.test(path) || /^\s*WEBVTT\b/.test(head)) return 0.9;
    const isTimed = head.split('\n', 40).some((line) => timing.test(line));
    return isTimed && /\.(?:srt|sbv|txt)$/i.test(path) ? 0.9 : 0;
  },

  *read(file, reading) {
    const began = dayInName(file);
    if (began !== undefined) reading.note('takes its day from its name');
    const known = labelsIn(file);
    let title = stemOf(file.path);
    let open: Open | undefined;
    let last = '';
    for (const cue of cuesOf(file, reading)) {
      if (cue.title !== undefined) title = cue.title;
      const lines = cue.lines.filter((line, at) => !(at === 0 && line === last && cue.lines.length > 1));
      last = cue.lines.at(-1) ?? last;
      for (const { speaker, text } of saidIn(lines, known)) {
        const isSame = open !== undefined && (speaker === undefined || speaker === open.speaker);
        const isPiece = cue.group !== undefined && cue.group === open?.group;
        if (open !== undefined && isSame && (isPiece || (speaker === undefined && !sentenceEnd.test(open.text)))) {
          open.text += ` ${text}`;
          continue;
        }
        if (open === undefined) yield { kind: 'head', title };
        else yield entryOf(open, began);
        open = { speaker, text, offset: cue.offset, group: cue.group, line: cue.line };
      }
    }
    if (open !== undefined) yield entryOf(open, began);
  },
};

interface Open {
  readonly speaker: string | undefined;
  text: string;
  readonly offset: number;
  readonly group: string | undefined;
  readonly line: number;
}

function entryOf({ speaker, text, offset, line }: Open, began: Began | undefined): Entry {
  const parts = [textPart(text)];
  return { kind: 'message', role: 'user', speaker, parts, line, ...after(began, offset) };
}

interface Cue {
  readonly offset: number;
  /** What Teams says in one go has one number. */
  readonly group: string | undefined;
  readonly lines: readonly string[];
  readonly line: number;
  readonly title: string | undefined;
}

function* cuesOf(file: SourceFile, reading?: Reading): Generator<Cue> {
  let block: { line: number; texts: string[] } = { line: 0, texts: [] };
  let title: string | undefined;
  const closed = function* (): Generator<Cue> {
    const { texts, line } = block;
    block = { line: 0, texts: [] };
    const at = texts.findIndex((text) => timing.test(text));
    if (at >= 0 && at < 2) {
      const group = /^(\S+\/\d+)-\d+$/.exec(texts[at - 1] ?? '')?.[1];
      const lines = texts
        .slice(at + 1)
        .map((text) => text.trim())
        .filter((text) => text !== '');
      if (lines.length === 0) reading?.leave('are empty', line);
      else yield { offset: offsetOf(timing.exec(texts[at]!)![1]!), group, lines, line: line + at, title };
      title = undefined;
    } else if (texts.length === 0) return;
    else if (/^\ufeff?WEBVTT/.test(texts[0]!)) title = /^\ufeff?WEBVTT\s*-?\s*(.+)$/.exec(texts[0]!)?.[1]?.trim();
    else if (/^(?:NOTE|STYLE|REGION)\b/.test(texts[0]!)) reading?.leave('are notes to a player', line);
    else reading?.broken('is no caption: it has no time', line);
  };
  for (const { number, text } of file.lines()) {
    if (text === null) reading?.broken('is not UTF-8 text', number);
    else if (text.trim() === '') yield* closed();
    else {
      // A caption without a blank line before it.
      const { texts } = block;
      if (timing.test(text) && texts.some((one) => timing.test(one))) {
        const id = /^\d+$/.test(texts.at(-1)!) ? texts.pop() : undefined;
        yield* closed();
        if (id !== undefined) block = { line: number - 1, texts: [id] };
      }
      if (block.texts.length === 0) block.line = number;
      block.texts.push(text);
    }
  }
  yield* closed();
}

/** Names before a colon, or on a line of their own, that come again, or before half of all captions: the speakers. */
function labelsIn(file: SourceFile): ReadonlySet<string> {
  const counts = new Map<string, number>();
  let cues = 0;
  let labelled = 0;
  for (const { lines } of cuesOf(file)) {
    cues += 1;
    const name = label.exec(plain(lines[0]!))?.[1];
    if (name !== undefined) labelled += 1;
    const above =
      lines.length > 1 && !sentenceEnd.test(lines[0]!) && /^\p{Lu}\S*(?: \p{L}\S*){0,3}$/u.test(lines[0]!)
        ? `${lines[0]}\n`
        : undefined;
    for (const one of [name, above])
      if (one !== undefined && counts.size < 10_000) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  const least = 2 * labelled >= cues ? 1 : 2;
  // A line of its own is a name only where it comes often: the same line may be said twice.
  return new Set(
    [...counts].flatMap(([name, count]) =>
      count >= (name.endsWith('\n') ? Math.max(2, cues / 10) : least) ? [name] : [],
    ),
  );
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
  quot: '"',
};

function plain(text: string): string {
  return text
    .replace(/<\/?(?:\d[\d:.]*|[a-z]+(?:\.[^\s<>]*)?(?:\s[^<>]*)?)>|\{\\[^{}]*\}/gi, '')
    .replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
}

function saidIn(lines: readonly string[], known: ReadonlySet<string>): { speaker?: string; text: string }[] {
  const whole = lines.join(' ');
  const voices = [...whole.matchAll(/<v(?:\.[^\s<>]*)?\s+([^<>]+)>([\s\S]*?)(?=<\/v>|<v[\s.]|$)/g)];
  if (voices.length > 0)
    return voices
      .map(([, name, text]) => ({ speaker: plain(name!), text: plain(text!) }))
      .filter(({ text }) => text !== '');
  const [first = '', ...others] = lines;
  if (known.has(`${first}\n`) && others.length > 0) return [{ speaker: first, text: others.map(plain).join(' ') }];
  const found: { speaker?: string; text: string }[] = [];
  for (const line of lines.map(plain)) {
    const name = label.exec(line)?.[1];
    if (name !== undefined && known.has(name)) found.push({ speaker: name, text: line.replace(label, '') });
    else if (line === '') continue;
    else if (found.length === 0) found.push({ text: line });
    else found.at(-1)!.text += ` ${line}`;
  }
  return found;
}
