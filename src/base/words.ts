// Patterns of words. The words are data, in data/english; its README.md says where they come from.

/** Lists words that commas or spaces part. */
export const listed = (words: string): string[] => words.split(words.includes(',') ? /,\s*/ : /\s+/);

/** Makes the source of a pattern that finds one of some words, the longest first; `*` is any letters, an apostrophe may be left out. */
export function oneOf(words: readonly string[]): string {
  const sources = [...words].sort((one, other) => other.length - one.length);
  return `(?:${sources.join('|').replaceAll('*', '\\w*').replaceAll("'", "['’]?")})`;
}

/** Makes a pattern that finds what one of several finds, the first of them that does. */
export const eitherOf = (flags: string, ...parts: readonly RegExp[]): RegExp =>
  new RegExp(parts.map(({ source }) => source).join('|'), flags);

/** Makes what finds one of some words in a text, in any letter case. */
export const anyOf = (words: string): RegExp => new RegExp(`\\b${oneOf(listed(words))}\\b`, 'i');

/** Makes what finds words that a sentence opens with and that say nothing; those of `parted` only where a mark stands behind. */
export function openingOf(words: string, parted: string): RegExp {
  const [bare, marked] = [oneOf(listed(words)), oneOf(listed(parted))];
  return new RegExp(
    `^(?:(?:${bare}(?![\\p{L}\\p{N}]|['’-]\\p{L})|${marked}(?=\\s*[,.!—]|\\s+-\\s))[\\s,.!—-]*)+`,
    'iu',
  );
}
