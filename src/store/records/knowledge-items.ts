// The items of lists in a knowledge file, each with its section and whose it is. Takes some out, and names the page of the archive for
// them.

import { defined } from '../../base/errors.ts';
import { fenceReader } from '../../base/fenced-blocks.ts';
import { normaliseForHash, splitLines } from '../../base/text.ts';
import { isDay } from '../../base/time.ts';
import { cutFrontMatter } from './front-matter.ts';
import { setFrontKey } from './knowledge-edit.ts';
import { countLines } from './knowledge-file.ts';
import { saidOn, sourcesOfLine, wordsOfLine } from './knowledge-marks.ts';

/** One item of a list: its line, and those that continue it. */
export interface KnowledgeItem {
  /** 0-based index of its first line in the file, and of the line behind its last. */
  readonly start: number;
  readonly end: number;
  /** The words of the nearest heading above; empty before the first one. */
  readonly section: string;
  /** The line as it stands. */
  readonly line: string;
  /** Without mark of the list, date, speaker and marks at the end. */
  readonly words: string;
  /** {@link words} in the form in which duplicates are recognised. */
  readonly key: string;
  /** The day in front, `YYYY-MM-DD`. */
  readonly day?: string;
  /** The speaker whom a line of the engine quotes. */
  readonly speaker?: string;
  /** It names its source, so the engine wrote it; all others are a person's. */
  readonly isOurs: boolean;
}

const heading = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$/;
const item = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const dated = /^(?:\*\*)?(\d{4}-\d\d-\d\d)(?:\*\*)?(?::| [-–—])?[ \t]+/;

/** Lists the items of a knowledge file that stand at the outermost level; front matter and fenced code have none. */
export function knowledgeItems(text: string): KnowledgeItem[] {
  const lines = splitLines(text);
  const first = headLines(text);
  const items: KnowledgeItem[] = [];
  let section = '';
  const placeOf = fenceReader();
  for (let at = first; at < lines.length; at++) {
    const line = lines[at]!.replace(/\r$/, '');
    if (placeOf(line) !== null) continue;
    section = heading.exec(line)?.[1] ?? section;
    const content = item.exec(line)?.[1];
    if (content === undefined) continue;
    let end = at + 1;
    while (end < lines.length && /^[ \t]+\S/.test(lines[end]!)) end += 1;
    items.push({ start: at, end, section, line, ...partsOf(content) });
    at = end - 1;
  }
  return items;
}

/** Takes the content of an item, without the mark of the list, apart. */
export function partsOf(content: string): Pick<KnowledgeItem, 'words' | 'key' | 'day' | 'speaker' | 'isOurs'> {
  const isOurs = sourcesOfLine(content).length > 0;
  const quote = isOurs ? saidOn.exec(content) : null;
  const found = quote ?? dated.exec(content);
  const isDated = found !== null && isDay(found[1]!);
  const words = wordsOfLine(isDated ? content.slice(found[0].length) : content);
  const speaker = isDated ? quote?.[2] : undefined;
  return {
    words,
    key: normaliseForHash(words),
    ...(isDated ? { day: found[1]! } : {}),
    ...defined({ speaker }),
    isOurs,
  };
}

/** Takes items out; all other bytes stay. A rule that comes to stand first gets an empty line above, or it would begin front matter. */
export function withoutItems(text: string, items: readonly Pick<KnowledgeItem, 'start' | 'end'>[]): string {
  const gone = new Set(items.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)));
  const rest = text
    .split('\n')
    .filter((_, at) => !gone.has(at))
    .join('\n');
  return headLines(text) === 0 && headLines(rest) > 0 ? `\n${rest}` : rest;
}

/** Lists the lines of items, in the order of the file. */
export function linesOfItems(text: string, items: readonly KnowledgeItem[]): string[] {
  const lines = splitLines(text);
  return [...items].sort((a, b) => a.start - b.start).flatMap(({ start, end }) => lines.slice(start, end));
}

/**
 * Gives the archive page of a file that some lines leave: what is there already, and these lines below a heading with the day.
 *
 * `archive/knowledge/memory/MEMORY.md` is the page of `knowledge/memory/MEMORY.md`.
 */
export function archivePage(page: string | null, path: string, day: string, lines: readonly string[]): string {
  const before = page ?? `# What left ${path}\n`;
  const title = `## ${day}`;
  const isOpen = splitLines(before).findLast((line) => line.startsWith('## ')) === title;
  const gap = isOpen ? '\n' : `\n\n${title}\n\n`;
  return `${before.trimEnd()}${gap}${lines.join('\n')}\n`;
}

/** Sets `line_count`, where the front matter has it or `isNew` asks for it; the count is that of the whole file. */
export function withLineCount(text: string, isNew = false): string {
  const block = cutFrontMatter(text)?.block;
  if (block === undefined || (!isNew && !/^line_count[ \t]*:/m.test(block))) return text;
  const once = setFrontKey(text, 'line_count', countLines(text));
  return setFrontKey(once, 'line_count', countLines(once));
}

function headLines(text: string): number {
  const cut = cutFrontMatter(text);
  return cut === undefined ? 0 : splitLines(`${cut.opening}${cut.block}${cut.closing}`).length;
}
