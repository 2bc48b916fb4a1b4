// Compares words but for letter case, spaces, punctuation and articles. Nothing else merges two claims by itself.

import { normaliseForHash } from '../../base/text.ts';
import { articles } from './articles.ts';

const dropped = new Set(articles.split(/[|,\n]/).map((word) => word.trim()));

/** Signs that say something: of a number its point and what stands at it, of a name what ends it, as in `C#`. */
const telling = /(?<=\p{N})[.,:/](?=\p{N})|(?<![\p{L}\p{N}])[-−](?=\p{N})|(?<=[\p{L}\p{N}])[#%](?![\p{L}\p{N}])/gu;

/**
 * Gives the form in which two sentences are compared: `'The office, at last!'` and `'office at last'` are one. The order of words stays.
 *
 * May be empty, for a text of punctuation only; a text of articles alone keeps them.
 */
export function sayingOf(text: string): string {
  // As letters of no word they stay where punctuation goes.
  const words = normaliseForHash(text.replace(telling, (sign) => `ǃ${sign.charCodeAt(0)}ǃ`));
  const kept = words.split(' ').filter((word) => !dropped.has(word));
  return kept.length === 0 ? words : kept.join(' ');
}
