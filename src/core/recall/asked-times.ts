// How a question names times and states: `since` and `until` in figures or words, and ranges of states.

import { MemoryError } from '../../base/errors.ts';
import { parseTime } from '../../base/time.ts';
import type { TimeInput } from '../../base/types.ts';
import { type MomentOptions, noDay, parseMoment } from '../../language/index.ts';

/** Reads an optional time; a day, in figures or words, means its end where `isEnd`, else its beginning. Throws INVALID_DATE. */
export function timeOf(
  input: TimeInput | undefined,
  where: string,
  options: MomentOptions,
  isEnd: boolean,
): number | undefined {
  if (input === undefined) return undefined;
  if (typeof input !== 'string') return parseTime(input, where);
  const stretch = parseMoment(input.trim(), options);
  if (stretch === null) throw noDay(input, where);
  return isEnd ? stretch.end : stretch.start;
}

/** Two states to compare, as `from..to` names them; an end that was left out is undefined. */
export interface AskedRange {
  readonly from: TimeInput | undefined;
  readonly to: TimeInput | undefined;
  /** Three dots: what `to` did since it parted from `from`. */
  readonly sinceParting: boolean;
}

/** Takes `a..b` and `a...b` apart; without dots the other end is left out. Throws INVALID_ARGUMENT. */
export function rangeOf(range: TimeInput): AskedRange {
  if (range === undefined || range === '')
    throw new MemoryError('INVALID_ARGUMENT', 'what to compare with is missing', { where: 'from' });
  const dots = typeof range === 'string' ? /\.{2,}/.exec(range) : null;
  if (typeof range !== 'string' || dots === null) return { from: range, to: undefined, sinceParting: false };
  if (dots[0].length > 3) {
    const hint = 'Write from..to, or from...to for what happened since they parted';
    throw new MemoryError('INVALID_ARGUMENT', `${range} has ${dots[0].length} dots`, { where: 'from', hint });
  }
  return {
    from: range.slice(0, dots.index) || undefined,
    to: range.slice(dots.index + dots[0].length) || undefined,
    sinceParting: dots[0].length === 3,
  };
}
