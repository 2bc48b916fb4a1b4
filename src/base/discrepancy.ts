// Tells statements apart that sound alike: other numbers, other names, or one denies. Vectors do not see that.

import * as words from './generated/words.ts';
import { oncePerValue } from './once-per.ts';
import { anyOf } from './words.ts';

const number = /\p{N}+(?:[.,:/-]\p{N}+)*/gu;
const name = /(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}\p{N}_-]*|(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]+(?![\p{L}\p{N}])/gu;
const word = /[\p{L}\p{N}_-]+/gu;
const denial = new RegExp(`${anyOf(words.denying).source}|n['’]t\\b`, 'i');

const itemsOf = (text: string, pattern: RegExp): Set<string> =>
  new Set((text.match(pattern) ?? []).filter((item) => !/^I(?:['’].*)?$/.test(item)));

/** Lists the names of a text: what has a capital inside a sentence, and what is all capitals. */
export const namesOf = (text: string): Set<string> => itemsOf(text, name);

/** What of a text two statements are compared by. */
interface Stated {
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly denies: boolean;
}

function statedBy(text: string): Stated {
  const numbers = itemsOf(text, number);
  const words = new Set([...(text.match(word) ?? []), ...numbers]);
  return { words, numbers, names: itemsOf(text, name), denies: denial.test(text) };
}

/** In what two texts differ that sounds must not decide. */
export type Discrepancy = 'numbers' | 'names' | 'a denial';

/**
 * Makes what says in what two texts differ that sounds must not decide, or undefined. It reads each text once: who compares one with many
 * asks one reader about all of them, and lets it go then.
 *
 * Each has a number, or a name, that the other lacks: then neither is just the longer version. Or only one of them denies.
 */
export function discrepancyReader(): (one: string, other: string) => Discrepancy | undefined {
  const read = oncePerValue(statedBy);
  return (one, other) => {
    const [mine, theirs] = [read(one), read(other)];
    for (const what of ['numbers', 'names'] as const) {
      if (lacks(mine[what], theirs.words) && lacks(theirs[what], mine.words)) return what;
    }
    return mine.denies === theirs.denies ? undefined : 'a denial';
  };
}

/** Whole words: 80 is not there where 8080 is. */
function lacks(items: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  for (const item of items) if (!words.has(item)) return true;
  return false;
}
