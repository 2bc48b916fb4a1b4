// What opens a spoken sentence and says nothing: "oh well,", "Small update:".

/** "Because I love it": the answer to a why. Before another clause it is the reason of that. */
export const leadingBecause = "because(?= (?:I|it|it['’]s|we|they|he|she|that['’]s|there)\\b[^,]*$)";

/** Words of speech, of both who tells and who answers, as alternatives of a pattern: they may be cut before a comma. */
export const fillers = `okay|ok|alright|all right|right|well|so|and|but|oh|yes|yeah|yep|yup|hey|hi|hello|sure|now|also|um|uh|ah|er|erm|mm|wow|haha|lol|great|cool|nice|thanks|thank you|hmm|plus|then|${leadingBecause}|anyways?|see|let's see|listen|phew|ugh|noted|understood|got it|(?:(?:hello|hi|hey|dear|good (?:morning|afternoon|evening)|morning|evening|attention|right|ok) )?(?:my |dear )?(?:folks|guys|everyone|everybody|team|people|kids|lads|girls|boys|friends|gang|colleagues|neighbou?rs|dears|y'all|ladies|gents)`;
/** "I gave you the wrong name": what somebody says of their mistake, beside the right value. */
export const mistaken =
  "(?:(?:that|it|this)(?:'s| was| is) (?:wrong|incorrect|not right|my (?:mistake|fault|bad)|a mistake)|I (?:misread|misspoke|stand corrected|was wrong|mixed (?:\\p{Alpha}+ ){0,2}up|got (?:that|it|this|the \\p{Alpha}+) wrong|(?:gave|told|sent) you the wrong \\p{Alpha}+)(?: [\\p{Alpha}'-]+){0,4}|my (?:mistake|bad|fault|apologies))";
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
