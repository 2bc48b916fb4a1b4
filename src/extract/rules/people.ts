// Who and what there is: people and how they stand to one another, companies, products, places.

import { anyOf, rulesOf } from './rule.ts';

/** What people are to one another, as alternatives of a pattern. */
export const kin = anyOf(
  `wife husband partner boyfriend girlfriend fiancé fiancée fiance fiancee mom mum mother dad father son daughter brother sister cousin aunt
  uncle grandma grandpa boss manager colleague coworker co-worker cofounder co-founder best_friend friend roommate neighbor
  neighbour doctor therapist mentor teacher coach assistant client customer landlord lawyer accountant contact`,
);
const notAName =
  '(?!(?:It|That|This|He|She|They|There|Who|What|Which|One|Everyone|Someone|Nobody|Here|Nothing|Then|Yeah|My|Our|Your|His|Her|The|A|An|And|But|I|You|We)\\b)';

export const peopleRules = [
  ...rulesOf('relationship', [
    {
      confidence: 0.95,
      minTerms: 2,
      pattern: new RegExp(
        `\\b${notAName}\\p{Lu}[\\p{Ll}'-]+(?: \\p{Lu}\\p{Ll}+)?,? (?:is|was|are) (?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|\\p{Lu}\\p{L}+'s) (?:[a-z][\\w-]* ){0,2}?(?:${kin}|dog|cat)\\b(?!'s)`,
        'u',
      ),
    },
    {
      confidence: 0.9,
      minTerms: 2,
      pattern: new RegExp(
        `\\b(?:[Mm]y|[Oo]ur) (?:new |old |older |younger |former |ex-)?(?:${kin}|dog|cat|puppy|kitten),? (?:is |is called |is named |named |called )?${notAName}\\p{Lu}\\p{Ll}+`,
        'u',
      ),
    },
    {
      confidence: 0.9,
      minTerms: 2,
      pattern: new RegExp(
        `(?:^|[,;:] )${notAName}\\p{Lu}[\\p{Ll}'-]+(?: \\p{Lu}[\\p{L}'-]+)? (?:works (?:for|with|at|on)|reports to|manages|is married to|is engaged to|is dating|is responsible for|is in charge of|is (?:the|our|my|their|his|her) (?:[\\w-]+ ){0,3}?(?:lead|manager|owner|head|ceo|cto|cfo|founder|contact|maintainer|director|author|chair|president|commander|pilot|engineer|editor)\\b)`,
        'u',
      ),
    },
    {
      confidence: 0.85,
      minTerms: 2,
      pattern:
        /\bI(?:'m| am|'ve been| have been) (?:now )?(?:married|engaged|dating|divorced|single)\b|\bI have (?:a|an|two|three|four|five|\d+) (?:[a-z]+ ){0,2}?(?:kids?|children|sons?|daughters?|brothers?|sisters?|siblings|dogs?|cats?|pets?)\b/i,
      unless: /\bsingle (?:one|day|time|thing|most)\b/i,
    },
  ]),
  ...rulesOf('entity', [
    {
      confidence: 0.85,
      pattern: new RegExp(
        `^(?:The )?${notAName}\\p{Lu}[\\w.'-]+(?: \\p{Lu}[\\w.'-]+){0,3} is (?:a|an|the|our) (?:[\\w-]+ ){0,4}?(?:${anyOf('company startup client customer vendor supplier framework library tool project product service database agency studio team platform language application app city town village charity organization organisation nonprofit conference festival spacecraft rocket satellite comet robot website blog band')})\\b`,
        'u',
      ),
      // Praise does not say what it is.
      unless:
        /\bis an? (?:must-|great|beautiful|really|good|nice|lovely|fun|awesome|amazing|wonderful|such|perfect|fantastic|cool)/i,
    },
    {
      confidence: 0.8,
      minTerms: 1,
      pattern: new RegExp(
        `\\b(?:[Aa]|[Aa]n|[Aa]nother|[Oo]ur|[Mm]y|[Tt]he|[Tt]his) (?:(?!(?:section|page|step|line|item|button|field|column|tab|menu|switch|file|folder)\\b)[\\w-]+ ){1,4}?(?:is |are )?(?:called|named) "?${notAName}\\p{Lu}\\p{L}+`,
        'u',
      ),
    },
  ]),
  ...rulesOf('relationship', [
    {
      confidence: 0.85,
      minTerms: 2,
      pattern: new RegExp(
        `\\b(?:[Ii]t's|[Tt]hat's|[Tt]his is|[Hh]e's|[Ss]he's|[Tt]his is) (?:my|our) (?:[a-z]+ ){0,2}?(?:${kin}),? ${notAName}\\p{Lu}\\p{Ll}+`,
        'u',
      ),
    },
  ]),
];
