// What a transcript keeps of a call of a tool: its name, and what it was asked in one line. Of the answer it keeps the beginning, the end, and lines
// that tell of an error. Whole answers are the work, not what was said of it.
//
//   > [tool:make] test → failed
//   > compiling
//   > … 120 lines …
//   > Error: ENOSPC no space left on device

import { isJsonObject, jsonObjectIn } from '../../base/canonical-json.ts';
import { oneLine } from '../../base/text.ts';

const maxSummaryLength = 160;
/** What is looked at of an argument. */
const maxAskedLength = 4096;
/** An answer of one line up to here stands behind its call. */
const maxShortLength = 100;
const maxLineLength = 200;
/** Lines that are kept of an answer, of a call that went well and of one that failed: at its beginning and at its end. */
const keptOfGood = { head: 2, tail: 2 };
const keptOfFailed = { head: 3, tail: 8 };
const maxErrorLines = 12;
/** What is looked at of an answer that is longer: so much from its beginning, and so much from its end. */
export const mostLookedAt = 256 << 10;

/** How programs mark a line that tells of an error: a word at a colon, a code of the system, an exit code. */
const errorMarks: readonly RegExp[] = [
  /(?:error|exception|fatal|panic|fail(?:ed|ure)?)\b\s*(?:[:[(\]]|$)/i,
  /\bE[A-Z]{4,15}\b|\bexit(?:ed with)? (?:code|status)[: ]+[1-9]/,
  /^\s*(?:not ok |FAIL\b|[✗✖×] |Traceback )/,
];

/** Takes secrets out of a text. */
export type Clean = (text: string) => string;
const asIs: Clean = (text) => text;

/** What any such line has in it: one look at an answer saves looking at each of its lines. */
const anyMark =
  /[Ee]rror|[Ee]xception|[Ff]atal|FATAL|[Pp]anic|PANIC|[Ff]ail|FAIL|\bE[A-Z]{4}|exit|not ok |[✗✖×] |Traceback/;

/** Says in one line what a tool was asked: the one argument, or `name=value` of each; never JSON. Secrets go before the cut. */
export function summaryOf(input: unknown, clean: Clean = asIs): string {
  if (typeof input === 'string') {
    const parsed = input.startsWith('{') ? jsonObjectIn(input) : undefined;
    if (parsed !== undefined) return summaryOf(parsed, clean);
    return oneLine(clean(input.slice(0, maxAskedLength)), maxSummaryLength);
  }
  if (input === undefined || input === null) return '';
  const shown = (value: unknown): string =>
    clean((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, maxAskedLength));
  if (!isJsonObject(input)) return oneLine(shown(input), maxSummaryLength);
  const entries = Object.entries(input).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const [only] = entries;
  if (entries.length === 1) return oneLine(shown(only![1]), maxSummaryLength);
  return oneLine(entries.map(([name, value]) => `${name}=${oneLine(shown(value), 60)}`).join(' '), maxSummaryLength);
}

/** Gives the words of what a tool answered, whatever shape they have. */
export function wordsOf(output: unknown): string {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) {
    const texts = output.flatMap((part) =>
      typeof part === 'string' ? [part] : isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [],
    );
    if (texts.length > 0) return texts.join('\n');
  }
  if (isJsonObject(output)) {
    for (const name of ['value', 'output', 'content', 'text', 'error', 'message'])
      if (name in output && output[name] !== undefined) return wordsOf(output[name]);
  }
  return output === undefined || output === null ? '' : (JSON.stringify(output) ?? '');
}

/** Gives what is kept of an answer, to stand behind the line of its call; empty for none. Secrets go before anything is cut. */
export function answerOf(
  output: unknown,
  { isError = false, clean = asIs }: { readonly isError?: boolean; readonly clean?: Clean } = {},
): string {
  const whole = wordsOf(output);
  const isLong = whole.length > 2 * mostLookedAt;
  const looked = isLong ? `${whole.slice(0, mostLookedAt)}\n${whole.slice(-mostLookedAt)}` : whole;
  const mark = isError ? 'failed' : '';
  if (looked.trim() === '') return mark;
  const hasMark = anyMark.test(looked);
  const { head, tail } = isError ? keptOfFailed : keptOfGood;
  const lines = linesOf(looked);
  const errors = hasMark ? lines.flatMap((line, at) => (isErrorLine(line) ? [at] : [])) : [];
  const isShort = looked.length <= maxShortLength && (lines.length === 1 || (!isError && errors.length === 0));
  if (isShort) return [mark, oneLine(clean(looked), maxShortLength)].filter((part) => part !== '').join(': ');
  const kept = new Set<number>();
  for (let at = 0; at < Math.min(head, lines.length); at++) kept.add(at);
  for (let at = Math.max(0, lines.length - tail); at < lines.length; at++) kept.add(at);
  for (const at of errors.slice(-maxErrorLines)) kept.add(at);
  const places = [...kept].sort((one, other) => one - other);
  const words = cleanedLines(
    places.map((at) => lines[at]!.slice(0, 16 * maxLineLength)),
    clean,
  );
  const shown: string[] = [];
  let last = -1;
  for (const [index, at] of places.entries()) {
    const gap = at - last - 1;
    if (gap > 0) shown.push(isLong ? '…' : `… ${gap} ${gap === 1 ? 'line' : 'lines'} …`);
    shown.push(cutLine(words[index]!));
    last = at;
  }
  return [mark, ...shown.map((line) => `\n> ${line}`)].join('');
}

/** Cleans lines at once where none holds a secret, as nearly always. */
function cleanedLines(lines: readonly string[], clean: Clean): readonly string[] {
  const whole = lines.join('\n\n');
  return clean(whole) === whole ? lines : lines.map(clean);
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Tells whether a line of an answer says that something went wrong. */
export function isErrorLine(line: string): boolean {
  const looked = line.length > 2000 ? line.slice(0, 2000) : line;
  return errorMarks.some((mark) => mark.test(looked));
}

/** Cuts a long line to its beginning and its end; a word is never cut in two, lest half of a secret stand there. */
function cutLine(line: string): string {
  const plain = oneLine(line, 16 * maxLineLength);
  if (plain.length <= maxLineLength) return plain;
  const half = maxLineLength / 2;
  const head = plain.slice(0, half).replace(/\S*$/, '');
  const tail = plain.slice(-half).replace(/^\S*/, '');
  return `${head.trimEnd()} … ${tail.trimStart()}`;
}

/** Writes a call with what came of it. */
export function toolLine(tool: string, summary: string, answer = ''): string {
  const name = tool.replace(/[[\]\s]+/g, ' ').trim();
  const arrow = answer === '' ? '' : answer.startsWith('\n') ? ' →' : ' → ';
  return `> [tool:${name}]${summary === '' ? '' : ` ${summary}`}${arrow}${answer}`;
}

/** Takes what came of calls out of the words of a turn: they come later than the calls, and may be kept in another length. */
export function withoutAnswers(text: string): string {
  if (!text.includes('> [tool:')) return text;
  const said: string[] = [];
  const calls: string[] = [];
  let isAnswer = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('> [tool:')) {
      calls.push(line.split(' →')[0]!.trimEnd());
      isAnswer = true;
    } else if (!(isAnswer && line.startsWith('> '))) {
      said.push(line);
      isAnswer = false;
    }
  }
  const words = said.join('\n').trim();
  return words === '' ? calls.join('\n') : words;
}
