// How a question names times and states: `since` and `until` in figures or words, and ranges of states.

import { type MomentOptions, parseMoment } from '../base/moment.ts';
import { parseTime } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import type { TimeInput } from '../types.ts';

/** Reads an optional time; a day, in figures or words, means its end where `isEnd`, else its beginning. Throws INVALID_DATE. */
export function timeOf(
  input: TimeInput | undefined,
  where: string,
  options: MomentOptions,
  isEnd: boolean,
): number | undefined {
  if (input === undefined) return undefined;
  const stretch = typeof input === 'string' ? parseMoment(input.trim(), options) : null;
  if (stretch === null) return parseTime(input, where);
  return isEnd ? stretch.end : stretch.start;
}

/** Takes `a..b` apart; without dots the other end is left out. Throws INVALID_ARGUMENT for three dots. */
export function rangeOf(range: TimeInput): [TimeInput | undefined, TimeInput | undefined] {
  if (range === undefined || range === '') {
    throw new MemoryError('INVALID_ARGUMENT', 'what to compare with is missing', { where: 'from' });
  }
  const dots = typeof range === 'string' ? range.indexOf('..') : -1;
  if (typeof range !== 'string' || dots < 0) return [range, undefined];
  if (range[dots + 2] === '.') {
    throw new MemoryError('INVALID_ARGUMENT', `${range} has three dots`, {
      where: 'from',
      hint: 'Name both states, as in main..side',
    });
  }
  return [range.slice(0, dots) || undefined, range.slice(dots + 2) || undefined];
}
