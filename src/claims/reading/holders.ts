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

/** Writes who has an office as what the office is. */
export function withHolders(sentence: string): string {
  return sentence
    .replace(appointed, '$<role> is $<who>')
    .replace(asked, '$<role> is $<who> now')
    .replace(given, '$<role> is $<who>')
    .replace(isOne, '$<role> is $<who>$<when>');
}
