// The closed list of what says nothing wherever it stands: what opens a spoken sentence, keeps a conversation going, or is set between commas.

/** Open a sentence, with a comma behind them or another one of their kind. */
const openers = new Set(
  `okay ok well so and also oh ah uh um hmm hey hi hello great cool nice thanks please anyway anyways
  basically honestly frankly look listen`.split(/\s+/),
);

/** Tells whether a word opens sentences without saying anything. */
export function isOpener(lower: string): boolean {
  return openers.has(lower);
}

/** Whole sentences that only keep a conversation going. */
export const idleSentences: ReadonlySet<string> = new Set(
  `over|go ahead|very good|good|fine|great|sounds good|got it|i see|thank you|thank you very much|thanks|thanks a lot|many thanks|you're welcome|no problem|stand by|good morning|good evening|hello|hi|copy|copy that|roger|roger that|noted|say again|there you go|here we go|let's see|how are you|i hope this helps|let me know|let me know if you have any questions|sorry|sorry about that|excuse me|you bet|well|okay`.split(
    '|',
  ),
);

/** Say nothing wherever they stand, but behind a word that denies or asks how. */
export const bareFillers: readonly (readonly string[])[] = listed(
  `uh|um|ah|hmm|basically|literally|honestly|frankly|so to speak|if you will|for what it's worth|needless to say|it goes without saying that|to be honest|to be fair|as you know|as you can imagine|as we all know|as mentioned above|as mentioned before|as i said|as we said|believe it or not|at the end of the day|when all is said and done|or something like that|and that sort of thing|and things like that|and so on|and so forth|it should be noted that|it is important to note that|it is worth mentioning that|please note that|thank you very much|to tell the truth|truth be told|as a matter of fact`,
);

/** Say nothing where marks of the sentence stand around them. */
export const setApart: readonly (readonly string[])[] = listed(
  `you know|i mean|like|well|say|okay|of course|by the way|in fact|actually|really|thank you|thanks|please|you see|mind you|anyway`,
);

function listed(phrases: string): string[][] {
  return phrases.split('|').map((phrase) => phrase.split(' '));
}
