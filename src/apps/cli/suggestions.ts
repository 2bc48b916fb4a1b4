// What somebody who named no verb we have probably wanted.

import { askingWords } from '../../base/generated/words.ts';
import { listed } from '../../base/words.ts';
import { nearestWord } from '../../store/records/nearest-word.ts';
import { commandOf, otherCommands, otherWords } from '../verbs/groups.ts';

const questionWords = listed(askingWords);

/** Says behind "there is no verb …" which was meant, by spelling or by other programs' names. Several words that are none pass for a question. */
export function suggestion(words: readonly string[], verbs: readonly string[]): string {
  const word = (words[0] ?? '').toLowerCase();
  if (/\s/.test(word)) return `To search for it: \`git memory recall ${JSON.stringify(words[0])}\``;
  if (words.length > 1 && questionWords.includes(word))
    return `To search for these words: \`git memory recall ${words.join(' ').slice(0, 60)}\``;
  const meant = verbMeantBy(word, verbs);
  return meant === undefined
    ? 'See `git memory help`'
    : `Did you mean ${meant}? \`git memory help ${meant}\` explains it`;
}

function verbMeantBy(word: string, verbs: readonly string[]): string | undefined {
  const begun = verbs.filter((verb) => word.length > 2 && verb.startsWith(word));
  if (begun.length === 1) return begun[0];
  // What another program calls it was meant only by who begins it so: `nonsense` is no `condense`.
  const others = [...Object.keys(otherWords), ...Object.keys(otherCommands)].filter((one) => one[0] === word[0]);
  const near = nearestWord(word, [...verbs, 'help', ...others]);
  return near === undefined ? undefined : commandOf(otherWords[near] ?? otherCommands[near]?.split(/ \S*>/)[0] ?? near);
}
