// The words of a review: why somebody is asked, and what they decide. The value of a trailer `Verdict` begins with the latter.

/** Why a card lies in the deck, in the order of the deck. */
export const reviewReasons = [
  'low_trust',
  'unfinished',
  'disputed',
  'contradicts',
  'double',
  'extracted',
  'fades',
] as const;

/** What may be decided about a memory. */
export const verdictKinds = ['keep', 'edit', 'merge', 'close', 'forget'] as const;
