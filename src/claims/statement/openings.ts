// What opens or closes a spoken sentence and says nothing: "oh well,", "Small update:", "Decision:", the name of who listens.

import { face } from '../../base/sentences.ts';
import type { Said } from '../said.ts';

const label =
  /^(?:decision|correction|note|fyi|update|reminder|fact|heads[- ]up|ps|p\.s\.|(?:please )?(?:remember|note)(?: this)?|important)(?:\s*:|,|\s[–—-])\s+|^(?:so )?(?:it )?turns out(?: that|,)? (?!to\b)/i;

/** "Because I love it": the answer to a why. Before another clause it is the reason of that. */
export const leadingBecause = "because(?= (?:I|it|it['’]s|we|they|he|she|that['’]s|there)\\b[^,]*$)";

/** Words of speech, of both who tells and who answers, as alternatives of a pattern: they may be cut before a comma. */
export const fillers = `okay|ok|alright|all right|right|well|so|and|but|oh|yes|yeah|yep|yup|hey|hi|hello|sure|now|also|um|uh|ah|er|erm|mm|wow|haha|lol|great|cool|nice|thanks|thank you|hmm|plus|then|${leadingBecause}|anyways?|see|let's see|listen|phew|ugh|noted|understood|got it|(?:(?:hello|hi|hey|dear|good (?:morning|afternoon|evening)|morning|evening|attention|right|ok) )?(?:my |dear )?(?:folks|guys|everyone|everybody|team|people|kids|lads|girls|boys|friends|gang|colleagues|neighbou?rs|dears|y'all|ladies|gents)`;
/** "I gave you the wrong name": what somebody says of their mistake, beside the right value. */
export const mistaken =
  "(?:(?:that|it|this)(?:'s| was| is) (?:wrong|incorrect|not right|my (?:mistake|fault|bad)|a mistake)|I (?:misread|misspoke|stand corrected|was wrong|mixed (?:\\p{Alpha}+ ){0,2}up|got (?:that|it|this|the \\p{Alpha}+) wrong|(?:gave|told|sent) you the wrong \\p{Alpha}+)(?: [\\p{Alpha}'-]+){0,4}|my (?:mistake|bad|fault|apologies))";
const opening = new RegExp(
  `^(?:(?:${fillers}|no|nope|hm|actually|honestly|basically|morning|absolutely|definitely|totally|exactly|of course|i mean|you know|as you know|sorry|awesome|true|indeed|yay|aw|aww|gosh|omg|nah|therefore|ouch|darn|dang|oh dang|man|however|for example|as for me|again|like|ngl|tbh|imo|yo|woah|whoa|lmao|totally agree|u+m+|u+h+|m+|o{2,}h*|a+h+|true true|not yet|guess what|you know what|speaking of (?:which|\\p{Lower}+(?: \\p{Lower}+)?)|thankfully|luckily|fortunately|unfortunately|fun fact|on a (?:bright|brighter|personal|side|positive|happy) (?:side|note)|nothing (?:too soon|much|special|new)|good (?:morning|afternoon|evening)|${mistaken}|(?:hey|hi|hello|morning|thanks|thank you|wow|sorry|yeah|yes) \\p{Upper}\\p{Alpha}+)(?:[,.!;:—–-]+|\\s*…)\\s*|(?:and|but|so|well|${leadingBecause}|then|plus|oh|yeah|yup|yo|lol|ngl|tbh|again|also|yes|nah|u+m+|u+h+|m{2,}|o{2,}h*|nope|oops|though|especially|actually|honestly|personally|basically|anyways?|overall)\\s+(?=\\p{Upper}|I\\b|I['’]|we\\b|my\\b|our\\b|the\\b|it\\b|he\\b|she\\b|they\\b|there\\b|if\\b|when\\b|in\\b|on\\b))`,
  'iu',
);

const about =
  '(?: (?:everyone|everybody|all|guys|folks|team|people))?(?: (?:for|to|from|of|about|on)\\b[^:,.;!?]{2,40})?';
const slight =
  '(?:(?:an?|one|another|some|just|quick|short|small|little|tiny|brief|last|final|first|second|more|other|side|good|bad|great|big|sad|happy|exciting|friendly|gentle|important|general) )';
const everybody = "(?:it|it's|you|you're|we|we're|everyone|everybody|everyone's|nobody|no one|people|i|there's)";
/** What somebody announces before the matter, and the kinds of writing that it is for. */
const announcements: readonly (readonly [pattern: RegExp, isForKeeping: boolean])[] = [
  // "By the way the shop is shut."
  [/^(?:by the way|btw|ps|p\.s\.|mind you)(?:\s*[,.:–—-]+\s*|\s+)(?=\S)/iu, false],
  [new RegExp(`^${slight}*news${about}(?:,|:|\\s[–—-])\\s+`, 'iu'), false],
  // "Found it: ...", "that's settled: ...", "that's unanimous, so ..."
  [
    /^(?:(?:I |we )?(?:found|got|solved|fixed) it|solved|found|confirmed|mystery solved|case closed|bingo|eureka)(?:,|:|!|\s[–—-])\s+(?=(?:the|my|our|it's|it was|\p{Upper})\b)/iu,
    false,
  ],
  [
    /^(?:then )?(?:that|it)(?:['’]s| is) (?:all )?(?:settled|decided|agreed|unanimous)(?: then)?(?:,(?: so)?|:|;|\s[–—-])\s+(?=\p{Alpha})/iu,
    false,
  ],
  // "Before you suggest anything for supper: I ..."
  [/^before (?:you|we|anyone|anybody|I) [^:,.;!?]{3,60}: /iu, true],
  [
    /^before (?:you|anyone|anybody) (?:suggests?|recommends?|asks?|answers?|plans?|books?|orders?|cooks?|writes?|starts?|says?)\b[^:,.;!?]{0,60}, (?=(?:I|I'm|I've|my|we|our|he|she)\b)/iu,
    true,
  ],
  // Spoken: "note for the log um the second hive ..."
  [
    /^(?:so )?(?:a )?(?:note|entry|memo|reminder|update) (?:for|to) (?:the|my|our) (?:\p{Alpha}+ ){1,3}(?:um+|uh+|er+m?)\s+/iu,
    true,
  ],
  [/^(?:careful|beware|attention|warning|watch out|look)(?:,|:|!|\s[–—-])\s+/iu, false],
  [
    /^(?:(?:just )?(?:fyi|fwiw|nb|n\.b\.)|for (?:the record|your information|future reference))(?:\s*[,.:–—-]+\s*|\s+)(?=\S)/iu,
    true,
  ],
  [/^(?:(?:a )?(?:mental )?notes? to (?:my)?self|heads[- ]up)(?:,|:|!|\s[–—-])\s+/iu, true],
  [
    /^(?:before I forget|lest I forget|while I(?:'m| am) at it|while I think of it|as (?:mentioned|discussed|promised|I said))(?:,|:|\s[–—-])\s+/iu,
    true,
  ],
  // "Just a reminder that the library is shut", "one last thing, the ..."
  [new RegExp(`^(?:just )?${slight}+(?:reminder|note|heads[- ]up|update|fyi)${about} that `, 'iu'), true],
  [/^(?:(?:and|just) )?(?:an?|one|another) (?:(?:last|more|other|final|small|quick) )*thing,\s+/iu, true],
  // "Small update: ...", "One more thing for the weekend: ..."
  [
    new RegExp(
      `^${slight}+(?:things?|notes?|updates?|info|information|messages?|announcements?|reminder|recap|summary|handover|tip|heads[- ]up|warning|point|word|addition)${about}(?::|\\s[–—-])\\s+`,
      'iu',
    ),
    true,
  ],
  // "Important: ...", "Something important before we start: ...", "Ground rule: ..."
  [/^(?:very |really |super )?important(?: (?:rule|one|thing|bit|info))?(?::|!|,|\s[–—-])\s+/iu, true],
  [
    /^(?:something|(?:just )?(?:a )?(?:quick|small) (?:one|thing|request)|one (?:more |last )?(?:thing|request|rule)|a (?:small )?(?:request|rule)|(?:house|ground|first|golden) rule|first things? first)(?: (?:important|else|that matters))?(?: (?:before|for|about|to|when|while|from)\b[^:,.;!?]{2,40})?(?::|\s[–—-])\s+/iu,
    true,
  ],
  // "Hive diary: ...", "Summary for those who were away: ..."
  [
    new RegExp(
      `^(?:(?!my|our|the|his|her)[\\p{Alpha}’'-]+ ){0,2}(?:diary|journal|logbook|minutes|notes(?= (?:from|of)\\b)|summary|recap|handover|memo)${about}(?::|\\s[–—-])\\s+`,
      'iu',
    ),
    true,
  ],
  // "For whoever has the early shift: ...", "For the new folks, ..."
  [
    /^for (?:(?:whoever|everyone who|everybody who|anyone|anybody|those)\b[^:,.;!?]{0,40}|(?:the|our|all|any) (?:curious|record|minutes|(?:new|other) (?:folks|people|ones|starters|members|colleagues)|newcomers|newbies|latecomers)\b[^:,.;!?]{0,20})[:,] /iu,
    true,
  ],
  [
    /^for (?:everyone|everybody|the (?:minutes|log|logbook|file|files|notes|archive|books|team|group|rest|others|\p{Alpha}+ shift))\b[^:,.;!?]{0,40}: /iu,
    true,
  ],
  [/^just so you know,? (?=(?:I|my|we|our|the)\b)/iu, true],
  // "Just so it's written down: ...", "In case anyone asks, ..."
  [
    new RegExp(
      `^(?:just so(?: that)? ${everybody}|so(?: that)? ${everybody} (?:all )?(?:knows?|ha(?:ve|s)))\\b[^:,.;!?]{0,40}[:,] `,
      'iu',
    ),
    true,
  ],
  [
    /^(?:just )?in case (?:you|anyone|anybody|someone|somebody|it|(?:the|that) \p{Alpha}+)(?:'re|'s| is| are| has| have| ever)? (?:asks?|wonder\p{Alpha}*|miss\p{Alpha}*|needs?|pops?|comes?|cares?|forg\p{Alpha}+|interested|looking)\b[^:,.;!?]{0,25}[:,] /iu,
    true,
  ],
];

/** A sentence without what announces it; it is meant to be kept where it was said to be. */
export function announced(text: string): { readonly text: string; readonly isForKeeping: boolean } {
  for (const [pattern, isForKeeping] of announcements) {
    const rest = text.replace(pattern, '');
    if (rest !== text && rest.trim().split(' ').length > 2) return { text: rest, isForKeeping };
  }
  return { text, isForKeeping: false };
}

/** What closes a sentence and says nothing: "..., by the way", a face. */
const closing = new RegExp(
  `(?:,? (?:lol|haha+|lmao|though|btw|by the way|fyi)|,? (?:just )?so you (?:all )?know|, you know|,? (?:thank you|thanks)(?: so much)? for (?:asking|the \\p{Alpha}+)|\\s*(?:${face.source})+)(?=[.!]*$)`,
  'iu',
);

/** Cuts words that open or close a spoken sentence and say nothing, while something is left. */
export function withoutOpening(text: string): string {
  let rest = text;
  for (let cuts = 0; cuts < 6; cuts++) {
    const shorter = announced(rest.replace(label, '').replace(opening, '')).text.replace(label, '');
    if (shorter === rest || shorter.trim().length < 6) break;
    rest = shorter;
  }
  rest = rest.replace(/, (?:by the way|btw|you know|fyi), /giu, ' ');
  for (let cuts = 0; cuts < 3; cuts++) rest = rest.replace(closing, '');
  return rest;
}

/** Cuts the name of a listener who is only addressed: "..., Ben." */
export function withoutVocative(text: string, { speaker, before }: Said): string {
  for (const name of new Set(before.map((one) => one.speaker))) {
    if (name === speaker) continue;
    const first = name.split(' ')[0]!;
    if (text.startsWith(`${first}, `)) return text.slice(first.length + 2);
    const end = new RegExp(`, ${first.replace(/[^\p{Alpha}\d]/gu, '.')}([.!]*)$`, 'iu').exec(text);
    if (end !== null) return `${text.slice(0, end.index)}${end[1]}`;
  }
  return text;
}
