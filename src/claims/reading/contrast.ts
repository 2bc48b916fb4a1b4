// What a clause names as former beside what it states: "Postgres, not Redis", "from Berlin to Lisbon", "Typst instead of Word".

import { isStopWord } from '../../base/tokenizer.ts';
import { stemOf } from './words.ts';

/** What a clause names as no longer so. */
export interface Contrast {
  /** Stems of the words of the former value. */
  readonly former: readonly string[];
  /** Where its words begin and end in the clause. */
  readonly start: number;
  readonly end: number;
}

const phrase = "[\\p{Alpha}\\d_][\\p{Alpha}\\d_'./:@+-]*(?: [\\p{Alpha}\\d_][\\p{Alpha}\\d_'./:@+-]*){0,4}?";
const ends =
  '(?=[,;:!?)]|[.](?:\\s|$)|$| (?:in|on|at|for|by|with|to|from|because|since|so|but|and|now|any ?more|anymore|any longer|this|last|next)\\b)';
const before =
  '(?:instead of|rather than|(?:,|, and| and|, but) (?:never|not|no longer)(?! (?:only|just|yet|even|sure|really|necessarily|too|so|all|everything|at all)\\b))(?: (?:with|in|on|at|by|for|to|from))?';
const forms = [
  new RegExp(`(?<lead>${before} (?:the |an? |my |our )?)(?<former>${phrase})${ends}`, 'gu'),
  new RegExp(`(?<lead>^(?:sorry,? |no,? )?not (?:the |an? |my |our |in |on |at )?)(?<former>${phrase})(?=,)`, 'gu'),
  new RegExp(
    `(?<lead>\\b(?:switched|moved|migrated|changed|converted|upgraded|downgraded|renamed|went|going|moving|switching|transferred|relocated|ported|up|down|raised|lowered|increased|reduced|cut|pushed|bumped|shifted|rescheduled|postponed)\\b[^,;:.!?]{0,60}? from (?:the |an? )?)(?<former>${phrase})(?= to )`,
    'gu',
  ),
  new RegExp(
    `(?<lead>\\b(?:replaced|swapped|replacing|swapping|traded|ditched) (?:the |an? |my |our )?)(?<former>${phrase})(?= (?:with|by|for|in favou?r of)\\b)`,
    'gu',
  ),
  new RegExp(
    `(?<lead>\\b(?:(?:takes?|took|taken|taking) over from|succeed(?:s|ed)|replaces|fills? in for) )(?<former>${phrase})(?=${ends}| as\\b)`,
    'gu',
  ),
];

/** Lists what a clause names as former; more than one contrast can be meant in more ways than one. */
export function contrastsOf(clause: string): Contrast[] {
  const text = clause.toLowerCase();
  if (!/\b(?:not|never|no longer|instead of|rather than|from|with|by|for|succeed\w*|replaces)\b/.test(text)) return [];
  const found: Contrast[] = [];
  for (const form of forms) {
    for (const match of text.matchAll(form)) {
      const start = match.index + match.groups!.lead!.length;
      const end = start + match.groups!.former!.length;
      if (found.some((other) => other.start < end && start < other.end)) continue;
      const former = (text.slice(start, end).match(/[\p{Alpha}\d_]+(?:[-./:@][\p{Alpha}\d_]+)*/gu) ?? []).filter(
        (word) => !isStopWord(word.replaceAll("'", '')) && !/^ones?$/.test(word),
      );
      if (former.length > 0) found.push({ former: former.map(stemOf), start, end });
    }
  }
  return found;
}
