// Words for people, and where a noun phrase ends.

import { isPast, modals } from './verbs.ts';

export const woman =
  'mother|mom|mum|wife|girlfriend|fiancée|daughter|sister|aunt|grandma|grandmother|granddaughter|niece|mother-in-law|sister-in-law|landlady|stepmother';
export const man =
  'father|dad|husband|boyfriend|fiancé|son|brother|uncle|grandpa|grandfather|grandson|nephew|father-in-law|brother-in-law|stepfather';
export const either =
  'partner|friend|cousin|boss|manager|colleague|coworker|co-worker|cofounder|roommate|flatmate|neighbou?r|doctor|dentist|therapist|mentor|teacher|coach|trainer|assistant|client|landlord|lawyer|accountant|kid|child|baby|toddler|twin|cat|dog|puppy|kitten|pet|parrot|horse';

const stopsPhrase =
  /^(?:is|are|was|were|be|been|being|has|have|had|do|does|did|will|would|can|could|should|must|may|might|and|or|but|that|which|who|to|of|in|on|at|for|with|from|by|about|as|so|because|when|while|since|after|before|until|if|than|into|over|under|near|now|then|today|yesterday|tomorrow|last|next|this|ago|not|again|too|also|up|out|off|down|back|there|here|called|named|very|often|usually|always|never|really|recently|just|still|already|ever|yet|once|twice|daily|i|we|you|he|she|it|they|my|his|her|their|our|your|the|a|an)$/i;

/** The noun phrase that begins at a determiner or name: "a red canoe", at most five words. */
export function phraseAt(words: readonly string[], from: number): string {
  let end = from + 1;
  while (end < words.length && end - from < 5) {
    const word = words[end]!;
    if (stopsPhrase.test(word.replace(/[,.;:!?]$/, '')) || isPast(word) || modals.has(word) || /ing$/.test(word)) break;
    end++;
    if (/[,.;:!?]$/.test(word)) break;
  }
  return words
    .slice(from, end)
    .join(' ')
    .replace(/[,.;:!?]+$/, '');
}

/** What everybody has, and no thing that a word points at. */
export const tooVague = new RegExp(
  `\\b(?:${woman}|${man}|lot|bit|few|while|time|day|week|year|couple|way|thing|question|ones?|others?)\\b`,
  'u',
);
