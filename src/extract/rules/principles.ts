// Standing rules: what is always or never to be done.

import { anyOf, rulesOf } from './rule.ts';

const acts = anyOf(
  `use call say commit push deploy merge delete edit touch store log send share write put change modify rely assume skip ignore
  hardcode expose print run install add remove mention include quote translate summarise summarize create open close turn squash rebase force-push reformat refactor inline import cache retry restart bump
  book order schedule message email text
  connect disconnect allow rename rewrite format guess invent promise contact reply`,
);
/** After "always" or "never", these make a saying or a memory, not a rule. */
const noRule =
  '(?!(?:mind|been|thought|heard|seen|saw|know|knew|say never|again|ever|a|an|the|had|have|did|get|gets|got|give up|gave|went|came|felt|staying|stay|happy|great|good|nice|fun|here|there|better|so|too|up|gonna|going|in|on|be|is|was|remember|something|amazing|inspiring|wanted|tried|met|hurts|stop learning|stop dreaming)\\b)';

export const principleRules = rulesOf('principle', [
  {
    personOnly: true,
    confidence: 0.95,
    pattern:
      /^going forward,? (?:please|always|never|let's|only|use|write|keep|do|don't|all|every|each|no|you (?:should|must)|we (?:always|never|only|must|use|will only))\b|^(?:please|always|never|let's|use|write|keep|only|do|don't)\b.* going forward[.!]?$|^from now on\b|^(?:please|always|never|let's|use|write|keep|only|do|don't|(?:we|i|you)(?:'ll| will| should| must| always| never| only)|everyone|everybody|all)\b.* from now on[.!]?$|\b(?:as a (?:general )?(?:rule|principle|policy)|(?:our|the|my|general|golden|house|flight|mission) (?:policy|rule|convention|principle|standard|standing order)s? (?:is|are|says?|requires?)|the rule of thumb is|rule of thumb:|under no circumstances|without exception)\b/i,
  },
  { personOnly: true, confidence: 0.95, pattern: new RegExp(`^(?:please )?(?:always|never) ${noRule}[a-z]+ \\S`, 'i') },
  {
    personOnly: true,
    confidence: 0.9,
    pattern:
      /\b(?:you|we|they|agents?|everyone|everybody|developers?|users?|one|all|people|[a-z]+s) (?:should|must|need to|have to|shall|ought to|are to|may) (?:always|never|not ever)\b/i,
    unless: /\byou (?:should|must) (?:always|never) (?:be|feel) (?:proud|happy|glad)/i,
  },
  {
    personOnly: true,
    confidence: 0.9,
    pattern:
      /\byou always (?:need|have) to\b|\bmake sure (?:to|that you|you|we) (?:always|never)\b|\b(?:always|never) (?:be )?(?:sure|allowed|permitted) to\b/i,
  },
  {
    personOnly: true,
    confidence: 0.9,
    role: 'user',
    minTerms: 2,
    pattern: new RegExp(
      `^(?:please )?(?:don't|do not|don't you) (?:ever )?(?:${acts})\\b(?! (?:it|that|this|them)\\b)`,
      'i',
    ),
    unless: /\b(?:yet|right now|at this time|for now|now)[.!]?$/i,
  },
  {
    personOnly: true,
    confidence: 0.8,
    pattern:
      /\bwe (?:always|never) (?!(?:been|had|wanted|thought|felt|said|knew|have|be|did|was|got|forget|know|imagined|expected|used|saw|heard|seen|would|will|could|can|get|really|found|made|went|came|talked|decided|ended|try|tried|want|look|enjoy|love|like|need|feel|think|hope|seem|appreciate)\b)[a-z]{3,}/i,
  },
]);
