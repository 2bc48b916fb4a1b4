// How answers look to people: wrapping, columns, short object names. Colour is asked of the front end; here it has only meanings.

import { orElse } from '../../base/errors.ts';
import { formatLocalTime, parseTime } from '../../base/time.ts';
import type { LogEntry } from '../../base/types.ts';

/** What a front end lends to renderings: widths in columns, and one function per meaning. */
export interface Style {
  /** For text that is read line after line. */
  readonly width: number;
  /** For rows of a list, which are cut and not wrapped: all that the terminal has. */
  readonly rowWidth: number;
  /** Of the memory: times are shown in it. */
  readonly timeZone: string;
  strong(text: string): string;
  faint(text: string): string;
  /** Names of commits and tags. */
  reference(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  /** What to give to go on, such as `undo 3f2a`: where there is no shell, something else stands for it. */
  command(words: string): string;
  /** Set where the reader goes on by the ids in a text, as an agent with tools does. A shell has them by --json. */
  readonly hasIds?: true;
}

const same = (text: string): string => text;

/** Renders 80 columns without any colour. */
export const plainStyle: Style = {
  width: 80,
  rowWidth: 80,
  timeZone: 'UTC',
  strong: same,
  faint: same,
  reference: same,
  good: same,
  bad: same,
  command: (words) => `\`git memory ${words}\``,
};

/** Abbreviates an object id as git does by default. */
export const shortOid = (oid: string | null): string => (oid === null ? 'pending' : oid.slice(0, 7));

/** Shows an ISO 8601 time to the minute as a clock of the memory does: `2026-11-02 09:15`. Midnight in UTC is that of a day without a clock. */
export function shortTime(iso: string, { timeZone }: Pick<Style, 'timeZone'>): string {
  const isDay = !iso.includes('T') || iso.endsWith('T00:00:00Z');
  const local = isDay ? iso : orElse(() => formatLocalTime(parseTime(iso), timeZone), iso);
  // By its parts: a year that nobody lives in has more digits.
  const [day = '', clock] = local.split('T');
  return clock === undefined ? day : `${day} ${clock.slice(0, 5)}`;
}

/** Shows the day of an ISO 8601 time, as {@link shortTime}. */
export const shortDay = (iso: string, style: Pick<Style, 'timeZone'>): string =>
  shortTime(iso, style).split(' ', 1)[0]!;

/** Cuts a text to a number of columns, the last of them `…`. Counts code points, which is right for most scripts. */
export function cut(text: string, columns: number): string {
  const points = [...text];
  return points.length <= columns
    ? text
    : `${points
        .slice(0, Math.max(0, columns - 1))
        .join('')
        .trimEnd()}…`;
}

/** Breaks text at spaces into lines of `width` columns, at most `maxLines`, then `…`. White space collapses, a longer word stands alone. */
export function wrap(text: string, width: number, maxLines = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line === '') line = word;
    else if ([...line].length + 1 + [...word].length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  if (lines.length <= maxLines) return lines;
  const last = lines[maxLines - 1]!;
  const marked =
    [...last].length + 2 <= width
      ? `${last} …`
      : `${[...last]
          .slice(0, width - 1)
          .join('')
          .trimEnd()}…`;
  return [...lines.slice(0, maxLines - 1), marked];
}

/** Colours what is marked as gone or new, `[-gone-]{+new+}`, also where a mark goes on in the next line. */
export function paintWords(lines: readonly string[], style: Style): string[] {
  const painted = lines.join('\n').replace(/\[-[\s\S]*?-\]|\{\+[\s\S]*?\+\}/g, (mark) => {
    const paint = mark.startsWith('[') ? style.bad : style.good;
    return mark.split('\n').map(paint).join('\n');
  });
  return painted.split('\n');
}

/** What colours a terminal, and takes no column there. */
const colour = /\u001b\[[\d;]*m/g;

/** Wraps text and puts `indent` before each line but the first, which stands after `label` padded to the same width. */
export function hang(label: string, text: string, style: Style, indent: number, maxLines?: number): string[] {
  const lines = wrap(text, style.width - indent, maxLines);
  const head = label + ' '.repeat(Math.max(0, indent - label.replace(colour, '').length));
  return lines.map((line, index) => (index === 0 ? head : ' '.repeat(indent)) + line);
}

/** Lays pairs out in two columns: `label  value`, values wrapped beside it. Pairs without a value are left out. */
export function pairs(
  rows: readonly (readonly [label: string, value: string | undefined | null])[],
  style: Style,
): string[] {
  const shown = rows.filter(
    (row): row is readonly [string, string] => row[1] !== undefined && row[1] !== null && row[1] !== '',
  );
  const indent = Math.max(...shown.map(([label]) => label.length)) + 2;
  return shown.flatMap(([label, value]) => {
    const [first = '', ...rest] = hang(label, value, style, indent);
    return [style.faint(first.slice(0, indent)) + first.slice(indent), ...rest];
  });
}

/** Renders a commit in one line: `1a2b3c4  2026-11-02 09:15  subject`. */
export function describeEntry(entry: LogEntry, style: Style, agent?: string): string {
  const by = agent === undefined ? '' : `  ${style.faint(agent)}`;
  const room = style.rowWidth - 7 - 2 - 16 - 2 - (agent === undefined ? 0 : agent.length + 2);
  return `${style.reference(shortOid(entry.oid))}  ${style.faint(shortTime(entry.time, style))}  ${cut(entry.subject, room)}${by}`;
}
