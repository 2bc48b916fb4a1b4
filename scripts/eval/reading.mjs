// How a turn counts as handed in a text.

/** Leaves out the marks that the engine puts within what was said: "(until 2026-03-02)". */
export const unmarked = (text) =>
  text.replace(/ \((?:until|no longer|earlier, see|replaced|now:)[^()]*(?:\([^()]*\)[^()]*)*\)/g, '');

/** Letters and digits alone: the marks of a form, quotation marks and escapes do not matter. */
export const lettersOf = (text) =>
  ` ${text
    .replace(/&(?:lt|gt|amp|quot);/g, ' ')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase()
    .trim()} `;

/**
 * Says of a context whether a turn is handed whole: all of its words stand together, or each of its sentences stands somewhere. The message that
 * the context answers is no part of it.
 */
export function readerOf(context, message) {
  const own = context.replace(/<message>[\s\S]*<\/message>\s*$/, '').replace(message, ' ');
  const texts = [lettersOf(own), lettersOf(unmarked(own))];
  const stands = (words) => texts.some((text) => text.includes(lettersOf(words)));
  return (turn) =>
    stands(turn) ||
    turn
      .split(/(?<=[.!?…])\s+/)
      .filter((sentence) => lettersOf(sentence).trim() !== '')
      .every(stands);
}
