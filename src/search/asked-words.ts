// Which words of a question a statement says: themselves, or what people say for them. And whether of a list that item is asked for which
// a later statement speaks of.

import { tokensOf } from '../base/tokenizer.ts';
import { relatedTo } from './related-words.ts';

/** A statement with its terms. */
export interface Worded {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

const joined = /[^\p{Alpha}\d]+/u;

/** By each word that says it, the word that was asked: itself, or what people say for it. */
export type AskedWords = ReadonlyMap<string, string>;

/** Gives the words that are asked, by each word that says one. */
export function askedWords(all: readonly string[]): AskedWords {
  // "0.9" is one word that was asked, though its digits are terms as well.
  const parts = new Set(all.flatMap((term) => (joined.test(term) ? term.split(joined) : [])));
  const terms = all.filter((term) => !parts.has(term));
  const words = new Map<string, string>();
  for (const term of terms) for (const other of relatedTo(term)) words.set(other, term);
  for (const term of terms) words.set(term, term);
  return words;
}

/** Gives the words that were asked, of those that a statement says. */
export function heldOf(terms: Iterable<string>, asked: AskedWords): ReadonlySet<string> {
  const held = new Set<string>();
  for (const term of terms) {
    const word = asked.get(term);
    if (word !== undefined) held.add(word);
  }
  return held;
}

/** "Ports: api on 8080, admin on 8090": what a list is about, and where one of its items ends. */
const label = /^[^:]{2,40}: /;
const nextItem = /[,;] (?:and )?| and /;

/**
 * Whether the later one speaks of an item of a list that is not asked for. "Admin moved to 8443" ends nothing of "api on 8080, admin on 8090"
 * for who asks for the api.
 */
export function isOfAnotherItem(earlier: Worded, later: Pick<Worded, 'terms'>, wanted: AskedWords): boolean {
  const items = earlier.text
    .replace(label, '')
    .split(nextItem)
    .map((text) => ({ text, terms: new Set(tokensOf(text)) }));
  // What both name, as the one of whom all is said, tells no item from another.
  const again = heldOf(later.terms, wanted);
  const asked = [...earlier.terms].filter(
    (term) =>
      wanted.has(term) &&
      !again.has(wanted.get(term)!) &&
      items.some(({ terms }) => terms.has(term)) &&
      !items.every(({ terms }) => terms.has(term)),
  );
  if (asked.length === 0) return false;
  const isOwn = ({ terms }: Worded): boolean => asked.some((term) => terms.has(term));
  const own = items.filter(isOwn);
  const others = items.filter((item) => !isOwn(item));
  const isOthers = (term: string): boolean =>
    later.terms.has(term) && !wanted.has(term) && !own.some(({ terms }) => terms.has(term));
  return others.some((other) => [...other.terms].some(isOthers) && own.some((one) => areAlike(one, other)));
}

const joints = /\b(?:in|on|at|to|for|with|by|from|under|costs?|is|are)\b/g;
const jointsOf = (text: string): readonly string[] => text.toLowerCase().match(joints) ?? [];

/** Whether the other is an item of the same list: a name or figure, or said alike ("on Fridays", "on Mondays"). */
function areAlike(one: Worded, other: Worded): boolean {
  return other.text.split(' ').length <= 2 || jointsOf(one.text).some((word) => jointsOf(other.text).includes(word));
}
