// What people without a name did: the thing is the subject then. "They moved our deadline to May 3" says that the deadline was moved.

import { upperFirst } from '../../base/text.ts';

/** What is done to a thing by those whose matter it is: the past, and what stands after "was" where that is another word. */
const done =
  'moved|changed|extended|shortened|raised|lowered|increased|reduced|postponed|delayed|rescheduled|renamed|relocated|cancelled|canceled|closed|reopened|scrapped|removed|approved|rejected|doubled|halved|lost|stole|broke|damaged|fixed|repaired|delivered|installed|replaced|returned|found|booked|confirmed|refused|granted|accepted|dropped|painted|built|demolished|towed|delivered|discharged|promoted|hired|fired|put|set|cut|bumped|upped|took';
const participles: Readonly<Record<string, string>> = { stole: 'stolen', broke: 'broken', took: 'taken' };
const byThem = new RegExp(
  `^(?:They|He|She) (?:have |has |had |just |finally |now |already )*(?<verb>${done}) (?<what>(?:the|our|my) [^,;:.()]+?)(?<rest>(?: (?<to>to|by|until|till|from|up|down|back|because|since|in|at|on|near|again|last|yesterday|today|this|and)\\b|[.]?$).*)$`,
  'u',
);
/** "She raised the fee to 8 euros and wrote it down": another thing that she did. */
const deed = /,? and (?:then |also )?\p{Lower}+(?:ed|ote|ent|old|aid|ave|ook|ade|ot|ame)\b.*$/u;
/** "They extended the grant deadline to May 3": what was done is understood without those who did it. */
export function passive(sentence: string): string | undefined {
  const { verb, what, rest, to } = byThem.exec(sentence.replace(deed, '.'))?.groups ?? {};
  if (verb === undefined || pointing.test(what!)) return undefined;
  const [value, ...remarks] = rest!.split(', ');
  // "They changed the flight to Oslo" says nothing of what became of it.
  if (/^(?:to|by|until|till|from|up|down|back)$/.test(to ?? '') && verb !== 'renamed' && !/\d/.test(value!))
    return undefined;
  if (to === 'again') return undefined;
  // A remark behind the new value goes where it speaks of more than that.
  const isMore = remarks.length > 0 && pointing.test(rest!) && !/\d|\b(?:is|are)\b/.test(remarks.join());
  const are = /(?:[^s]s|people)$/.test(what!) ? 'were' : 'was';
  return `${upperFirst(what!)} ${are} ${participles[verb] ?? verb}${isMore ? `${value}.` : rest!}`;
}
const pointing = /\b(?:it|them|they|that|this|these|those|he|she|him|her|his|their|its)\b/i;

/** Finds what something was done to by people without a name: "they lost my suitcase in Lisbon". */
export const doneTo = (sentence: string): string | undefined => {
  const what = byThem.exec(sentence.replace(/^they\b/, 'They'))?.groups?.what;
  return what === undefined || pointing.test(what) ? undefined : what;
};
