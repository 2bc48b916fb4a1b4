// "Mum", "Dad": who is called so without "my" is the speaker's own.

import { upperFirst } from '../../base/text.ts';
import type { Said } from '../said.ts';

const names = 'Mum|Mom|Mummy|Mama|Dad|Daddy|Papa|Grandma|Granny|Nana|Grandpa|Grandad|Granddad';
const bare = new RegExp(
  `(?<![\\p{Alpha}\\d])(?<!(?:['’]s|\\b(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Aa]|called|named)) )(?:${names})\\b(?! (?:and|or|&) \\p{Upper})(?! \\p{Upper})(?=['’]s\\b| \\p{Lower})`,
  'gu',
);
/** "I take care of dad's meds": in small letters only where nothing describes who it is. */
const small = new RegExp(
  `(?<=^|[,;:] |\\b(?:of|for|with|to|by|from|at|and|that|when|because|if|told|tell|asks?|asked|calls?|called|visits?|visited|helps?|helped|see|saw|gives?|gave|takes?|took|drives?|drove|has|had|says?) )(?:${names.toLowerCase()})(?=['’]s \\p{Lower}| (?:is|was|has|had|and I|does|did|will|would|can|takes?|needs?|gets?|must|lives?|works?|likes?|loves?|hates?|should|turns?|moved|died|called)\\b|[.,;!]|$)`,
  'gu',
);

const alone = new RegExp(`^(?:${names})$`);
/** "Dad, I moved": whom it is said to. */
const hailed = new RegExp(`^(?:${names}), (?=\\p{Alpha})`, 'u');

/** Tells whether a word is such a name. */
export function isBareKin(word: string): boolean {
  return alone.test(word);
}

/** Writes "my mum" where a person says "Mum" of theirs. */
export function withOwnKin(text: string, { role }: Said): string {
  if (/^(?:agent|assistant|tool|system)$/.test(role)) return text;
  return upperFirst(
    text
      .replace(hailed, '')
      .replace(bare, (name) => `my ${name.toLowerCase()}`)
      .replace(small, 'my $&'),
  );
}
