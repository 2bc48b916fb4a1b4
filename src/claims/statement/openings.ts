// What opens or closes a spoken sentence and says nothing: "oh well,", "Decision:", the name of who listens.

import type { Said } from '../said.ts';

const label =
  /^(?:decision|correction|note|fyi|update|reminder|fact|heads up|btw|by the way|ps|p\.s\.|(?:please )?(?:remember|note)(?: this)?|important)(?:\s*:|,|\s[–—-])\s+/i;
const opening =
  /^(?:(?:oh|well|so|and|but|yes|yeah|yep|yup|no|nope|hey|hi|hello|ok|okay|alright|right|sure|thanks|thank you|wow|haha|lol|hmm|hm|um|uh|ah|actually|anyway|honestly|basically|also|plus|morning|good morning|absolutely|definitely|totally|exactly|of course|i mean|you know|as you know|sorry|great|cool|nice|awesome|true|indeed|yay|aw|aww|gosh|omg|nah|therefore|ouch|darn|dang|oh dang|man|see|however|for example|as for me|again|like|ngl|tbh|imo|yup|yo|woah|whoa|lol|lmao|totally agree|u+m+|u+h+|m+|o{2,}h*|a+h+|true true|not yet|guess what|you know what|speaking of (?:which|\p{Ll}+(?: \p{Ll}+)?)|thankfully|luckily|fortunately|unfortunately|fun fact|on a (?:bright|brighter|personal|side|positive|happy) (?:side|note)|nothing (?:too soon|much|special|new)|good (?:morning|afternoon|evening)|(?:hey|hi|hello|morning|thanks|thank you|wow|sorry|yeah|yes) \p{Lu}\p{L}+)(?:[,.!;:—–-]+|\s*…)\s*|(?:and|but|so|well|because|then|plus|oh|yeah|yup|yo|lol|ngl|tbh|again|also|yes|nah|u+m+|u+h+|m{2,}|o{2,}h*|nope|though|especially|actually|honestly|personally|basically|anyways?|overall)\s+(?=\p{Lu}|I\b|I['’]|we\b|my\b|our\b|the\b|it\b|he\b|she\b|they\b|there\b|if\b|when\b|in\b|on\b))/iu;

/** Cuts words that open a spoken sentence and say nothing, while something is left. */
export function withoutOpening(text: string): string {
  let rest = text.replace(label, '');
  for (let cuts = 0; cuts < 5; cuts++) {
    const shorter = rest.replace(opening, '').replace(label, '');
    if (shorter === rest || shorter.trim().length < 6) break;
    rest = shorter;
  }
  return rest
    .replace(/,? (?:thank you|thanks)(?: so much)? for (?:asking|the \p{L}+)(?=[.!]?$)/iu, '')
    .replace(/,? (?:lol|haha+|lmao|though|btw|by the way)(?=[.!]?$)|, you know(?=[.!]?$)/i, '');
}

/** Cuts the name of a listener who is only addressed: "..., Ben." */
export function withoutVocative(text: string, { speaker, before }: Said): string {
  for (const name of new Set(before.map((one) => one.speaker))) {
    if (name === speaker) continue;
    const first = name.split(' ')[0]!;
    if (text.startsWith(`${first}, `)) return text.slice(first.length + 2);
    const end = new RegExp(`, ${first.replace(/[^\p{L}\p{N}]/gu, '.')}([.!]*)$`, 'iu').exec(text);
    if (end !== null) return `${text.slice(0, end.index)}${end[1]}`;
  }
  return text;
}
