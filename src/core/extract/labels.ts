// Labels that open a note, such as "Decision: …": they say what kind of thing follows, so the category keeps what they say.

import type { MemoryCategory } from '../../base/types/stored-types.ts';

/** What a label says, and the words behind it. */
export interface Labelled {
  readonly category: MemoryCategory;
  readonly tags: readonly string[];
  /** As it was said, with a capital at its start. */
  readonly words: string;
}

/** "Approved" and "important" are not here: without them something of the meaning would be gone. */
const labels: readonly (readonly [string, MemoryCategory, ...string[]])[] = [
  ['correction|erratum|errata', 'correction'],
  ['principle|rule|policy', 'principle'],
  ['preference', 'preference'],
  ['commitment|todo|to[- ]do|action item|action|follow[- ]up|reminder', 'commitment'],
  ['decision|decided|resolved|agreed', 'decision'],
  ['lessons? learned|lesson', 'fact', 'lesson'],
  ['procedure|how[- ]to', 'fact', 'procedure'],
  ['fact|fyi|note|nb', 'fact'],
];

/** A dash needs room before it and a sentence behind it: "decision-making" has no label, nor has "correction - 12". */
const label = new RegExp(
  `^(?:${labels.map(([words]) => `(${words})`).join('|')})(?:\\s?:|\\s[—–-](?=(?:\\s+\\S+){3}))\\s*(?=\\S)`,
  'i',
);

/** Gives a sentence its capital, unless the word is spelled otherwise on purpose, as `iPhone` or `src/base` are. */
export function sentenceCase(text: string): string {
  return /^\p{Lower}[\p{Lower}'’-]*(?![\p{Alpha}\d_./@:\\-])/u.test(text)
    ? text[0]!.toUpperCase() + text.slice(1)
    : text;
}

/**
 * Reads the label at the start of a sentence; undefined when it has none.
 *
 * `'Lesson learned: compare first.'` is `{ category: 'fact', tags: ['lesson'], words: 'Compare first.' }`.
 */
export function labelledOf(sentence: string): Labelled | undefined {
  const match = label.exec(sentence);
  if (match === null) return undefined;
  const [, category, ...tags] = labels[match.slice(1).findIndex((words) => words !== undefined)]!;
  return { category, tags, words: sentenceCase(sentence.slice(match[0].length)) };
}
