// What the command line knows about terminals: colours, width, control characters, a line of progress.

import colors from 'picocolors';
import { monotonicMs } from '../../base/monotonic.ts';
import { plainStyle, type Style } from '../verbs/style.ts';

/** The part of a stream that decides how to write to it. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Makes a style: colours only on a terminal that wants them, 80 columns elsewhere, and at most 100 for what is read as text. */
export function styleFor(stream: Terminal): Style {
  const paint = colors.createColors(stream.isTTY === true && colors.isColorSupported);
  // A terminal that does not tell its width may have a shell that does.
  const rowWidth = stream.isTTY === true ? Math.max(stream.columns || Number(process.env.COLUMNS) || 80, 40) : 80;
  return {
    width: Math.min(rowWidth, 100),
    rowWidth,
    strong: paint.bold,
    faint: paint.dim,
    reference: paint.yellow,
    good: paint.green,
    bad: paint.red,
    timeZone: plainStyle.timeZone,
    command: plainStyle.command,
  };
}

/** Control characters but tab and line feed, and the marks that turn the direction of text around. */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Removes what could command a terminal from every text of a value: for people's eyes only. Files and pipes get the bytes as they are. */
export function cleaned<Value>(value: Value): Value {
  if (typeof value === 'string') return value.replace(unsafe, '') as Value;
  if (Array.isArray(value)) return value.map(cleaned) as Value;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key.replace(unsafe, ''), cleaned(inner)]),
    ) as Value;
  }
  return value;
}

/** Escapes in JSON what {@link cleaned} would remove: the value stays what it is. */
export function escapedJson(json: string): string {
  return json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Steps that a person can count; more of them, such as bytes, are shown as a bar. */
const mostCounted = 100_000;
const barWidth = 24;

const countOf = (done: number, total: number): string => `${done}${total === 0 ? '' : ` of ${total}`} …`;

function barOf(part: number): string {
  const whole = Math.min(1, part);
  const filled = Math.round(whole * barWidth);
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}] ${Math.floor(whole * 100)} %`;
}

/** Shows how far a long operation is, in one line that is rewritten; silent unless the stream is a terminal. */
export class ProgressLine {
  readonly #stream: Terminal;
  #shownAt = 0;
  #isShown = false;

  constructor(stream: Terminal) {
    this.#stream = stream;
  }

  show(what: string, done: number, total: number): void {
    // One step is over before a line could be read. 0: nobody knows how many there will be.
    if (this.#stream.isTTY !== true || total === 1) return;
    const now = monotonicMs();
    if (now - this.#shownAt < 50) return;
    this.#shownAt = now;
    this.#isShown = true;
    this.#stream.write(`\r\u001b[2K${what} ${total > mostCounted ? barOf(done / total) : countOf(done, total)}`);
  }

  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[2K');
    this.#isShown = false;
  }
}
