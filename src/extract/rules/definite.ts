// "The story", "the animation": a thing that was spoken of before, and that a sentence alone does not name. What everybody knows ("the
// gym", "the weather") is no such thing. Nor is what is described ("the house that we sold"), or what the sentence has named itself.

const known: ReadonlySet<string> = new Set(
  `world gym park beach internet kids future past present moment time times day days week weekend month year morning evening afternoon night
  summer winter spring fall autumn season holidays news weather sun sky sea ocean lake river mountains mountain city town country countryside
  house home kitchen garden yard office store shop mall market movies theater theatre cinema museum library hospital clinic doctor dentist vet bank
  airport outdoors water rain snow cold heat wind wild woods forest trees nature waves piano guitar violin cello clarinet drums flute
  saxophone community environment public government law ground floor table phone computer car bus train road street family girls guys boys rest end
  beginning start middle top bottom way side right left opportunity opportunities possibilities chance most least best worst truth basics army navy
  police military church web ice shower bed couch sofa door window wall oven stove fridge freezer pool backyard neighborhood neighbourhood
  suburbs desert jungle coast shore planet earth universe moon stars audience media economy stock election president mayor homeless elderly poor
  court`.split(/\s+/),
);
const phrase =
  /\b[Tt]he ((?:(?!(?:and|or|of|is|was|are|were|in|on|at|to|for)\b)[\p{Lower}'-]+ ){0,2}?)([\p{Lower}-]{3,})(?![\p{Alpha}-])/gu;
const unique =
  /\b(?:best|worst|most|first|second|third|last|next|only|other|whole|entire|same|past|new|latest|\p{Lower}+est)\b/u;
const described =
  /^(?: (?:of|that|which|who|whose|where|when|why|how|I|I've|I'm|we|we've|you|he|she|they|my|our|for|from|in|at|with|to|between|about|on|behind|near|around|called|named|titled|by|like|into|during|over|under|within|across|against|than)\b| \p{Upper}|['’]s| \d| ["“])/u;
/** The noun goes on: "the board game nights". */
const goesOn =
  /^ (?!(?:and|but|so|or|is|was|are|were|has|have|had|will|can|too|again|together|there|here|now|then|yesterday|today|tomorrow|last|this|next|as|because|while|when|if|since|after|before|until|though|it|it's)\b)\p{Lower}+(?<!s|ed)(?!\p{Alpha})/u;
const asObject =
  /^(?:(?:\p{Alpha}+ly|so|and|but|also|just|yes|oh|well),? )*(?:I|we|I'm|I've|I'll|we'll|we've|we're|(?:my|our) \p{Alpha}+)(?: (?!(?:an?|my|our|in|at|to|from|with)\b)[\p{Alpha}']+){1,4} $/iu;

/** Where a sentence points at a thing that it does not name: as its subject, as its object, or nowhere. */
export function unnamedThing(text: string): 'subject' | 'object' | undefined {
  for (const { 0: words, 1: adjectives, 2: noun, index } of text.matchAll(phrase)) {
    const [before, after] = [text.slice(0, index), text.slice(index + words.length)];
    if (unique.test(adjectives!) || known.has(noun!) || known.has(adjectives!.split(' ')[0]!)) continue;
    if (described.test(after) || goesOn.test(after)) continue;
    if (before.toLowerCase().includes(noun!.replace(/s$/, ''))) continue;
    if (index === 0) return 'subject';
    if (asObject.test(before)) return 'object';
  }
  return undefined;
}
