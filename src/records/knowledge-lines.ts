// Which line of a knowledge file says something: the one place that knows when two lines say the same.

import { normaliseForHash } from '../base/text.ts';
import { wordsOfLine } from './knowledge-marks.ts';

const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;

/** Gives what an item says, without the mark of its list: no day in front, no day it is due, no links and marks. */
export function saidBy(words: string): string {
  return wordsOfLine(words)
    .replace(/^\d{4}-\d\d-\d\d: /, '')
    .replace(/ \(due [\d-]+\)$/, '');
}

/** Tells whether two items say the same; letter case, punctuation and white space do not count. */
export function isSaidBy(words: string, other: string): boolean {
  return normaliseForHash(saidBy(words)) === normaliseForHash(saidBy(other));
}

/** Finds the first item of a list, at whatever depth, that says this: its 0-based line; undefined for none. */
export function lineSaying(text: string, words: string): number | undefined {
  const key = normaliseForHash(saidBy(words));
  const at = text.split('\n').findIndex((line) => {
    const content = item.exec(line)?.[1];
    return content !== undefined && normaliseForHash(saidBy(content)) === key;
  });
  return at < 0 ? undefined : at;
}

/** Changes one line of a text; `at` is 0-based. */
export function withLine(text: string, at: number, change: (line: string) => string): string {
  return text
    .split('\n')
    .map((line, position) => (position === at ? change(line) : line))
    .join('\n');
}
