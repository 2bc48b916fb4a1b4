// "Mum", "Dad": who is called so without "my" is the speaker's own.

import { upperFirst } from '../../base/text.ts';
import type { Said } from '../said.ts';

const names = 'Mum|Mom|Mummy|Mama|Dad|Daddy|Papa|Grandma|Granny|Nana|Grandpa|Grandad|Granddad';
const bare = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<!(?:['’]s|\\b(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Aa]|called|named)) )(?:${names})\\b(?! (?:and|or|&) \\p{Lu})(?! \\p{Lu})(?=['’]s\\b| \\p{Ll})`,
  'gu',
);

const alone = new RegExp(`^(?:${names})$`);
/** "Dad, I moved": whom it is said to. */
const hailed = new RegExp(`^(?:${names}), (?=\\p{L})`, 'u');

/** Tells whether a word is such a name. */
export function isBareKin(word: string): boolean {
  return alone.test(word);
}

/** Writes "my mum" where a person says "Mum" of theirs. */
export function withOwnKin(text: string, { role }: Said): string {
  if (/^(?:agent|assistant|tool|system)$/.test(role)) return text;
  return upperFirst(text.replace(hailed, '').replace(bare, (name) => `my ${name.toLowerCase()}`));
}
