// Offices and parts by who has them, however that is said: "Hanno was elected treasurer", "they gave me Rao as my editor". Then the
// treasurer is Hanno, and the editor Rao.

const who = "(?<who>\\p{Upper}[\\p{Alpha}.'-]+(?: \\p{Upper}[\\p{Alpha}'-]+)*)";
const own = '(?<role>(?:[Mm]y|[Oo]ur)(?: (?!(?:please|pls|now|from|as|instead)\\b)\\p{Lower}+){1,3})';

/** "Hanno was elected treasurer", "Farida got voted in as treasurer". */
const appointed = new RegExp(
  `\\b${who} (?:was|has been|is|got) (?:just |now |unanimously )?(?:elected|appointed|voted|made|chosen|sworn)(?: in)?(?: as| to be)? (?:our |the )?(?<role>(?:new )?(?!in\\b|as\\b)\\p{Lower}+)(?! \\p{Lower}+ing\\b)(?: (?:tonight|today|yesterday|last night|this (?:morning|afternoon|evening)))?`,
  'u',
);
/** "Femke is our drummer now." */
const isOne = new RegExp(
  `(?<=^|[,;:] |\\b(?:and|but|so) )${who} is (?:now )?(?<role>(?:[Mm]y|[Oo]ur|[Tt]he) (?:new )?(?:\\p{Lower}+ )?(?!(?:daughter|sister|brother|mother|father|partner|other|reader|user|number|winner|killer)\\b)(?:\\p{Lower}{3,}(?:er|or|ist|ant)|chair|head|coach|boss|vet|nurse|contact|captain|chef|lead))(?<when> now| from now on| these days)?(?=[,.!;]|$)`,
  'u',
);
/** "Copperline have given me Sunil Rao as my editor", "I put Dele down as our contact". */
const given = new RegExp(
  `(?<=^|[,;:] |\\b(?:and|but|so) )[^,;:.?]{0,40}?\\b(?:gave|given|assigned|got|have|has|hired|picked|chose|named|put|listed|entered)(?: me| us)? ${who}(?: down| in)? as ${own}`,
  'u',
);
/** "Can you make Dele my emergency contact please?" */
const asked = new RegExp(
  `(?<=^|[,;:] |\\b(?:and|but|so|oh) )(?:(?:can|could|would|will) you (?:please |pls |just |also )*|(?:please|pls),? )(?:make|put|list|set|name|enter|add|use) ${who}(?: down| in)?(?: as)? ${own}(?:[,]? (?:please|pls|now|from now on))*[?.!]*`,
  'u',
);

/** "Mr. Okoro has handed the office of treasurer to Lucía Roos": who has it since. */
const handedOn = new RegExp(
  `\\s*\\b(?:has |have |had )?(?:handed|hands|passed|passes)(?: over| on)? (?:the |her |his |my )?(?:(?:office|post|job|role|reins|part|duty) (?:of|as) )?(?<role>(?!(?:it|that|this|them)\\b)(?:the )?\\p{Lower}+(?:er|or|ist|ant|chair|head|secretary|captain|lead))(?: over| on)? to ${who}`,
  'u',
);
/** "Ines takes over as secretary from Bo." */
const tookOver = new RegExp(
  `\\b${who} (?:takes|took|has taken|is taking) over as (?:the |our |my )?(?<role>\\p{Lower}+(?: \\p{Lower}+)?)(?=[,.!;]|$| (?:from|of|in|on|at|for|today|now)\\b)`,
  'u',
);
/** "Sunflowers are her favourite flowers now": which they are. */
const favourite =
  /(?<=^|[.;:] |, (?:and|but|so) )(?<what>(?!(?:It|That|This|These|Those|They|He|She|Which|What|One)\b)[^,.;:]{2,40}?) (?<is>is|are) (?<whose>(?:[Mm]y|[Oo]ur|[Hh]er|[Hh]is|[Tt]heir|\p{Upper}\p{Alpha}+'s) favou?rite \p{Lower}+)(?<when> now| these days)?(?=[,.!;]|$)/u;
/** "The name of that vet is Dr. Roos": what the vet is called. */
const nameOf =
  /\b[Tt]he name of (?<whose>that|this|the|my|our|her|his) (?<what>(?:\p{Lower}+ ){0,2}\p{Lower}+) is (?=\p{Upper})/u;

/** Writes who has an office as what the office is, and a favourite or a name as whose it is. */
export function withHolders(sentence: string): string {
  return sentence
    .replace(handedOn, ', and the $<role> is $<who> now')
    .replace(tookOver, 'the $<role> is $<who> now')
    .replace(favourite, '$<whose> $<is> $<what>$<when>')
    .replace(
      nameOf,
      (_, whose: string, what: string) => `${/^(?:that|this|the)$/.test(whose) ? 'The' : whose} ${what} is called `,
    )
    .replace(appointed, '$<role> is $<who>')
    .replace(asked, '$<role> is $<who> now')
    .replace(given, '$<role> is $<who>')
    .replace(isOne, '$<role> is $<who>$<when>');
}
