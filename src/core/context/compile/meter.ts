// How many tokens a text costs, and texts cut so that they cost no more than they may.

import { MemoryError } from '../../../base/errors.ts';
import { withoutEmptySections } from '../../../base/text.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';

/** Counts tokens. */
export interface Meter {
  readonly isExact: boolean;
  /** Of a text that stands on lines of its own. */
  count(text: string): number;
}

/** Counts by a tokenizer, or by an estimate without one. Throws INVALID_ARGUMENT when it answers with anything but a whole number. */
export function meterOf(tokenizer: ((text: string) => number) | undefined): Meter {
  if (tokenizer === undefined) return { isExact: false, count: estimateTokens };
  return {
    isExact: true,
    count(text) {
      if (text === '') return 0;
      const tokens: unknown = tokenizer(text);
      if (typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 0) return tokens;
      throw new MemoryError('INVALID_ARGUMENT', 'the tokenizer did not answer with a number of tokens', {
        where: 'tokenizer',
      });
    },
  };
}

/** A text as far as there was room for it. */
export interface Fitted {
  readonly text: string;
  readonly tokens: number;
  readonly isCut: boolean;
}

/** Below this a cut text says nothing worth its place. */
const leastTokens = 12;

/**
 * Cuts a text to a number of tokens at line ends, or within its first line at a space; `keep` says which end stays. From the start an item of a
 * list is whole, and one without room gives way to those after it.
 *
 * What was left out is marked by `…` on a line of its own. Null when not even a few words fit.
 */
export function fitText(text: string, room: number, meter: Meter, keep: 'start' | 'end' = 'start'): Fitted | null {
  const tokens = meter.count(text);
  if (tokens <= room) return { text, tokens, isCut: false };
  const mark = meter.count('\n…\n');
  if (room < leastTokens + mark) return null;
  const lines = text.split('\n');
  if (keep === 'end') lines.reverse();
  const kept: string[] = [];
  let left = room - mark;
  const [item, goesOn] = [/^\s*[-*+] /, /^\s+[^-*+\s]/];
  let [cutLine, isLeft] = ['', false];
  for (const line of lines) {
    if (isLeft && goesOn.test(line)) continue;
    const cost = meter.count(`${line}\n`);
    isLeft = cost > left && keep === 'start' && item.test(line);
    if (isLeft) continue;
    if (cost > left) {
      cutLine = line;
      break;
    }
    left -= cost;
    kept.push(line);
  }
  // A heading with nothing below it says nothing.
  const isBare = (line: string): boolean => line.trim() === '' || (keep === 'start' && /^#{1,6} /.test(line));
  if (kept.every(isBare)) {
    const words = cutWords(cutLine, left, meter, keep);
    if (words === '') return null;
    kept.push(words);
  }
  while (isBare(kept.at(-1)!)) kept.pop();
  kept.push('…');
  if (keep === 'end') kept.reverse();
  const cut = keep === 'end' ? kept.join('\n') : withoutEmptySections(kept.join('\n'));
  return { text: cut, tokens: meter.count(cut), isCut: true };
}

/** As many words of a line as fit, by halving: a tokenizer need not be additive. */
function cutWords(line: string, room: number, meter: Meter, keep: 'start' | 'end'): string {
  const words = line.split(' ');
  const take = (count: number) => (keep === 'start' ? words.slice(0, count) : words.slice(-count)).join(' ');
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (meter.count(take(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : take(low);
}
