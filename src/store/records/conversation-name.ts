// Names a conversation that nobody named, and heads its lines on a page.

import { answers, greetings, requests } from '../../base/generated/words.ts';
import { normaliseForHash, oneLine } from '../../base/text.ts';
import type { Transcript } from '../../base/types/stored-types.ts';
import { listed, oneOf, openingOf } from '../../base/words.ts';

const opening = openingOf(greetings, answers);
const request = new RegExp(`^${oneOf(listed(requests))} `, 'i');

const maxTopicWords = 8;
export const minTopicWords = 3;

/** Gives the first words of a text that say something: at most eight, in 80 characters on one line. May be empty. */
export function phraseOf(text: string): string {
  // Tool lines, code and quotations are what was worked on, not what was said.
  const prose = text.replace(/^(?:>|```|~~~).*$/gm, ' ').replace(/https?:\/\/\S+/g, ' ');
  const plain = oneLine(prose.replace(/[*_`#]+/g, ''), 400)
    .replace(opening, '')
    .replace(request, '');
  const [sentence = ''] = plain.split(/(?<=[\p{L}\p{N})"”'’])[.!?;:](?:\s|$)/u);
  return sentence
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, maxTopicWords)
    .join(' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})]+$/gu, '')
    .slice(0, 80);
}

/**
 * Tells whether a topic or title is made of the words of such turns, as that of a conversation is which nobody named. Earlier versions cut
 * more from its beginning.
 */
export function isNamedAfter(turns: readonly { readonly text: string }[], name: string): boolean {
  const words = normaliseForHash(name);
  const isPhrase = words.split(' ').length >= minTopicWords;
  return turns.some(({ text }) => {
    const phrase = normaliseForHash(phraseOf(text));
    return phrase === words || (isPhrase && normaliseForHash(oneLine(text, 400)).includes(words));
  });
}

/** Gives the heading that lines of a conversation stand under on a page; one line without marks. */
export const topicHeading = ({ topic, title }: Pick<Transcript, 'topic' | 'title'>): string =>
  oneLine((topic ?? title).replace(/[#`*_[\]<>|]/g, ' '), 60) || 'General';
